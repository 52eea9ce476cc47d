#!/usr/bin/env python3
"""MakeHuman's body as glTF, from the files of its public source.

usage: mh2glb.py BASE_OBJ MHSKEL WEIGHTS_MHW POSE_BVH OUT_GLB

The group "body" of the base mesh in metres, every quadrangle split into four at the middles of its edges, with the joints
of the skeleton and the four largest weights of each vertex. Two clips: `benchmark`, from rest to the pose of the file and
back, and `twist`, turns of the limbs about themselves. Needs nothing but Python; its bytes are the same everywhere.
Exit code 2: a file cannot be read, or is not what its name says.
"""

import json
import math
import struct
import sys

METRES = 0.1  # MakeHuman's unit is a decimetre
INFLUENCES = 4
LEAST_TURN = 1e-3  # degrees; joints that the pose turns by less have no channel
TWIST = {"upperarm01.L": 90, "upperarm01.R": -90, "lowerarm01.L": 90, "lowerarm01.R": -90, "upperleg01.L": 60,
         "upperleg01.R": -60, "spine02": 45, "neck01": 60}  # degrees about the bone
COPYRIGHT = ("CC0 1.0 (MakeHuman base mesh, default rig and weights, benchmark pose: Data Collection AB, Joel Palmius, "
             "Jonas Hauquier)")
FLOAT, BYTE, SHORT = ("f", 5126), ("B", 5121), ("H", 5123)
WIDTH = {"SCALAR": 1, "VEC2": 2, "VEC3": 3, "VEC4": 4, "MAT4": 16}


def read_mesh(lines):
    """Points (metres), texture coordinates, and the body's quadrangles: four indices into each."""
    points, uvs, faces, group = [], [], [], None
    for words in map(str.split, lines):
        if not words:
            continue
        if words[0] == "v":
            points.append(tuple(float(x) * METRES for x in words[1:4]))
        elif words[0] == "vt":
            uvs.append(tuple(float(x) for x in words[1:3]))
        elif words[0] == "g":
            group = words[1]
        elif words[0] == "f" and group == "body":
            corners = [[int(i) - 1 for i in corner.split("/")] for corner in words[1:]]
            if len(corners) != 4:
                raise ValueError(f"a face of {len(corners)} corners")
            faces.append(tuple(zip(*corners)))
    return points, uvs, faces


def mean(rows, which):
    """Of some rows, summed in this order."""
    return tuple(sum(rows[i][k] for i in which) / len(which) for k in range(len(rows[which[0]])))


def subdivided(faces):
    """(points of which each vertex is the middle, the same of texture coordinates, triangles).

    Vertices are numbered as triangles meet them, and are two where texture coordinates are. An edge's middle names its two
    points as the first face that has it does.
    """
    number, first, of_points, of_uvs, triangles = {}, {}, [], [], []
    for points, uvs in faces:
        centre = (points, uvs)
        corners = [((points[k],), (uvs[k],)) for k in range(4)]
        middles = [((points[k], points[(k + 1) % 4]), (uvs[k], uvs[(k + 1) % 4])) for k in range(4)]
        for k in range(4):
            for vertex in (corners[k], middles[k], centre, corners[k], centre, middles[k - 1]):
                key = tuple(tuple(sorted(part)) if len(part) == 2 else part for part in vertex)
                if key not in number:
                    number[key] = len(number)
                    of_points.append(first.setdefault(key[0], vertex[0]))
                    of_uvs.append(vertex[1])
                triangles.append(number[key])
    return of_points, of_uvs, triangles


def cross(a, b):
    return (a[1] * b[2] - a[2] * b[1], a[2] * b[0] - a[0] * b[2], a[0] * b[1] - a[1] * b[0])


def minus(a, b):
    return tuple(x - y for x, y in zip(a, b))


def unit(a):
    length = math.sqrt(a[0] * a[0] + a[1] * a[1] + a[2] * a[2])
    return tuple(x / length for x in a)


def normals(positions, of_points, triangles):
    """Means of the triangles about a point, by area."""
    sums = {key: [0.0, 0.0, 0.0] for key in of_points}
    for a, b, c in zip(*[iter(triangles)] * 3):
        normal = cross(minus(positions[b], positions[a]), minus(positions[c], positions[a]))
        for vertex in (a, b, c):
            total = sums[of_points[vertex]]
            for k in range(3):
                total[k] += normal[k]
    return [unit(sums[key]) for key in of_points]


def ordered_joints(bones):
    """As the file has them, parents before children."""
    order = []

    def visit(name):
        if name is not None and name not in order:
            visit(bones[name]["parent"])
            order.append(name)

    for name in bones:
        visit(name)
    return order


def influences(weights, joints, of_points):
    """(joints, weights) of every vertex: the largest of its points' mean weights, scaled to sum to 1."""
    number = {name: i for i, name in enumerate(joints)}
    of_point = {}
    for name, rows in weights.items():
        for point, weight in rows:
            of_point.setdefault(point, []).append((number[name], weight))
    found = []
    for points in of_points:
        sums = {}
        for point in points:
            for joint, weight in of_point[point]:
                sums[joint] = sums.get(joint, 0) + weight / len(points)
        largest = sorted(sums.items(), key=lambda row: -row[1])[:INFLUENCES]
        total = sum(weight for _, weight in largest)
        rest = [0] * (INFLUENCES - len(largest))
        found.append(([joint for joint, _ in largest] + rest, [weight / total for _, weight in largest] + rest))
    return [row for row, _ in found], [row for _, row in found]


def times(a, b):
    """Product of quaternions (x, y, z, w)."""
    x, y, z, w = a
    X, Y, Z, W = b
    return (w * X + x * W + y * Z - z * Y, w * Y - x * Z + y * W + z * X, w * Z + x * Y - y * X + z * W,
            w * W - x * X - y * Y - z * Z)


def turn(axis, degrees):
    half = math.radians(degrees) / 2
    return tuple(math.sin(half) * x for x in axis) + (math.cos(half),)


def read_pose(lines):
    """{joint: rotation} of the first frame, as quaternions; the file's z points up, and the mesh's y does."""
    channels, name, frame = [], None, None
    for words in map(str.split, lines):
        if words and words[0] in ("ROOT", "JOINT"):
            name = words[1]
        elif words and words[0] == "CHANNELS":
            channels += [(name, channel) for channel in words[2:]]
        elif frame is None and len(words) == len(channels) > 0:
            frame = [float(word) for word in words]
    axes = {"Xrotation": (1, 0, 0), "Yrotation": (0, 0, -1), "Zrotation": (0, 1, 0)}
    pose, largest = {}, {}
    for (name, channel), value in zip(channels, frame or []):
        if channel in axes:
            pose[name] = times(pose.get(name, (0, 0, 0, 1)), turn(axes[channel], value))
            largest[name] = max(largest.get(name, 0), abs(value))
    return {name: rotation for name, rotation in pose.items() if largest[name] > LEAST_TURN}


class Buffer:
    """The binary part of a file, and what says where in it is what."""

    def __init__(self):
        self.data, self.accessors, self.views = bytearray(), [], []

    def add(self, rows, kind, form, target=None, bounds=False):
        flat = [x for row in rows for x in row]
        packed = struct.pack(f"<{len(flat)}{form[0]}", *flat)
        view = {"buffer": 0, "byteOffset": len(self.data), "byteLength": len(packed)}
        accessor = {"bufferView": len(self.views), "componentType": form[1], "count": len(flat) // WIDTH[kind], "type": kind}
        if bounds:
            stored = list(struct.iter_unpack(f"<{WIDTH[kind]}{form[0]}", packed))
            accessor["min"], accessor["max"] = ([limit(column) for column in zip(*stored)] for limit in (min, max))
        self.views.append(view | ({"target": target} if target else {}))
        self.accessors.append(accessor)
        self.data += packed
        self.data += bytes(-len(self.data) % 4)
        return len(self.accessors) - 1


def clip(buffer, name, input_times, rotations, joints):
    """From rest to these rotations and back."""
    rest = (0, 0, 0, 1)
    channels, samplers = [], []
    for joint, rotation in rotations.items():
        channels.append({"sampler": len(samplers), "target": {"node": joints.index(joint), "path": "rotation"}})
        output = buffer.add([rest, rotation, rest], "VEC4", FLOAT)
        samplers.append({"input": input_times, "output": output, "interpolation": "LINEAR"})
    return {"name": name, "channels": channels, "samplers": samplers}


def convert(mesh, skeleton, weights, pose):
    """The bytes of the glTF file, from the lines of the mesh and of the pose and the documents between."""
    points, uvs, faces = read_mesh(mesh)
    of_points, of_uvs, triangles = subdivided(faces)
    positions = [mean(points, which) for which in of_points]
    bones = skeleton["bones"]
    joints = ordered_joints(bones)
    places = {name: mean(points, which) for name, which in skeleton["joints"].items()}
    head = {name: places[bones[name]["head"]] for name in joints}
    joints_of, weights_of = influences(weights["weights"], joints, of_points)

    buffer = Buffer()
    attributes = {
        "POSITION": buffer.add(positions, "VEC3", FLOAT, 34962, bounds=True),
        "NORMAL": buffer.add(normals(positions, of_points, triangles), "VEC3", FLOAT, 34962),
        "TEXCOORD_0": buffer.add([(u, 1 - v) for u, v in (mean(uvs, which) for which in of_uvs)], "VEC2", FLOAT, 34962),
        "JOINTS_0": buffer.add(joints_of, "VEC4", BYTE, 34962), "WEIGHTS_0": buffer.add(weights_of, "VEC4", FLOAT, 34962)}
    indices = buffer.add([triangles], "SCALAR", SHORT, 34963)
    binds = buffer.add([(1, 0, 0, 0, 0, 1, 0, 0, 0, 0, 1, 0, *(-x for x in head[name]), 1) for name in joints], "MAT4", FLOAT)
    input_times = buffer.add([(0, 1, 2)], "SCALAR", FLOAT, bounds=True)
    twist = {name: turn(unit(minus(places[bones[name]["tail"]], head[name])), degrees)
             for name, degrees in TWIST.items() if name in bones}
    clips = [clip(buffer, "benchmark", input_times, read_pose(pose), joints), clip(buffer, "twist", input_times, twist, joints)]

    nodes = []
    for name in joints:
        parent = bones[name]["parent"]
        node = {"name": name, "translation": list(minus(head[name], head[parent]) if parent else head[name])}
        children = [i for i, child in enumerate(joints) if bones[child]["parent"] == name]
        nodes.append(node | ({"children": children} if children else {}))
    document = {
        "asset": {"version": "2.0", "generator": "mh2glb.py", "copyright": COPYRIGHT},
        "scene": 0, "scenes": [{"nodes": [0, len(joints)]}],
        "nodes": [*nodes, {"name": "body", "mesh": 0, "skin": 0}],
        "meshes": [{"name": "body", "primitives": [{"attributes": attributes, "indices": indices}]}],
        "skins": [{"joints": list(range(len(joints))), "inverseBindMatrices": binds, "skeleton": 0}],
        "animations": clips, "accessors": buffer.accessors, "bufferViews": buffer.views,
        "buffers": [{"byteLength": len(buffer.data)}]}
    text = json.dumps(document, separators=(",", ":")).encode("utf-8")
    text += b" " * (-len(text) % 4)
    parts = struct.pack("<I4s", len(text), b"JSON") + text + struct.pack("<I4s", len(buffer.data), b"BIN\0") + buffer.data
    return struct.pack("<4sII", b"glTF", 2, 12 + len(parts)) + parts


def main(arguments):
    if len(arguments) != 5 or "--help" in arguments:
        print(__doc__.strip(), file=sys.stdout if "--help" in arguments else sys.stderr)
        return 0 if "--help" in arguments else 2
    read, place = [], arguments[0]
    try:
        for place, parse in zip(arguments[:4], (str.splitlines, json.loads, json.loads, str.splitlines)):
            with open(place, encoding="utf-8") as file:
                read.append(parse(file.read()))
        place = " ".join(arguments[:4])
        data = convert(*read)
        place = arguments[4]
        with open(place, "wb") as file:
            file.write(data)
    except OSError as error:
        print(f"{place}: {error.strerror}", file=sys.stderr)
        return 2
    except (ValueError, KeyError, IndexError, TypeError, ZeroDivisionError) as error:
        print(f"{place}: cannot be converted: {type(error).__name__} {error}", file=sys.stderr)
        return 2
    return 0


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
