"""Characters made from others, as artists and exporters make them: decimated or subdivided, weights smoothed or sharpened,
influences cut, in another unit or with another axis up. From a seed, so that a survey of them can be repeated.

usage: variations.py OUT COUNT SEED MODEL...

MODELs are .glb or .gltf, uncompressed. Writes COUNT files OUT/<model>_<number>_<what>.glb, without materials and with two clips
each; the same seed and models give the same bytes. A model that cannot be varied is told, and left out.
"""

import base64
import json
import math
import random
import struct
import sys
from pathlib import Path

import numpy as np

COMPONENTS = {5120: "i1", 5121: "u1", 5122: "i2", 5123: "u2", 5125: "u4", 5126: "f4"}
SIZES = {"SCALAR": 1, "VEC2": 2, "VEC3": 3, "VEC4": 4, "MAT4": 16}
CLIPS = 2
# Vertices: what is subdivided stays below four times as many.
MOST_TO_SUBDIVIDE = 8000


class Unusable(Exception):
    """What a model has that this cannot vary."""


def load(path):
    """(glTF as a dictionary, bytes of each buffer)."""
    data = path.read_bytes()
    chunk = b""
    if data[:4] == b"glTF":
        length = struct.unpack_from("<I", data, 12)[0]
        text, rest = data[20:20 + length], data[20 + length:]
        if rest:
            chunk = rest[8:8 + struct.unpack_from("<I", rest)[0]]
    else:
        text = data
    gltf = json.loads(text)
    buffers = []
    for buffer in gltf.get("buffers", []):
        uri = buffer.get("uri")
        if uri is None:
            buffers.append(chunk)
        elif uri.startswith("data:"):
            buffers.append(base64.b64decode(uri.partition(",")[2]))
        else:
            buffers.append((path.parent / uri).read_bytes())
    return gltf, buffers


class Document:
    """A glTF file whose skinned primitives are rewritten; everything goes into one buffer."""

    def __init__(self, path):
        self.gltf, self.buffers = load(path)
        if self.gltf.get("extensionsRequired"):
            raise Unusable(", ".join(self.gltf["extensionsRequired"]))
        self.bytes = bytearray()
        self.views, self.accessors = [], []
        self.moved = {}

    def array(self, index):
        """#N by #components, integers that stand for fractions as floats."""
        accessor = self.gltf["accessors"][index]
        if "sparse" in accessor or "bufferView" not in accessor:
            raise Unusable("sparse accessors")
        view = self.gltf["bufferViews"][accessor["bufferView"]]
        kind, size, count = np.dtype("<" + COMPONENTS[accessor["componentType"]]), SIZES[accessor["type"]], accessor["count"]
        start = view.get("byteOffset", 0) + accessor.get("byteOffset", 0)
        stride = view.get("byteStride", kind.itemsize * size)
        data = self.buffers[view["buffer"]]
        values = np.ndarray((count, size), kind, data, start, (stride, kind.itemsize))
        if accessor.get("normalized"):
            return values.astype("f8") / np.iinfo(kind).max
        return values.astype("f8") if kind.kind == "f" else values.astype("i8")

    def add(self, values, component, kind, bounds=False):
        """The new accessor of an array."""
        values = np.ascontiguousarray(values, "<" + COMPONENTS[component])
        self.bytes += b"\0" * (-len(self.bytes) % 4)
        self.views.append({"buffer": 0, "byteOffset": len(self.bytes), "byteLength": values.nbytes})
        self.bytes += values.tobytes()
        accessor = {"bufferView": len(self.views) - 1, "componentType": component, "count": len(values), "type": kind}
        if bounds:
            accessor.update(min=values.min(0).tolist(), max=values.max(0).tolist())
        self.accessors.append(accessor)
        return len(self.accessors) - 1

    def move(self, index, bounds=False):
        """An accessor as it is, copied once."""
        if index not in self.moved:
            accessor = self.gltf["accessors"][index]
            component = accessor["componentType"]
            values = self.array(index)
            if accessor.get("normalized"):
                component = 5126
            self.moved[index] = self.add(values, component, accessor["type"], bounds)
        return self.moved[index]

    def glb(self):
        gltf = {name: self.gltf[name] for name in ("asset", "scene", "scenes", "nodes", "meshes", "skins", "animations")
                if self.gltf.get(name) not in (None, [])}
        gltf.update(bufferViews=self.views, accessors=self.accessors, buffers=[{"byteLength": len(self.bytes)}])
        text = json.dumps(gltf, separators=(",", ":"), sort_keys=True).encode()
        text += b" " * (-len(text) % 4)
        data = bytes(self.bytes) + b"\0" * (-len(self.bytes) % 4)
        return (struct.pack("<4sII", b"glTF", 2, 28 + len(text) + len(data)) + struct.pack("<I4s", len(text), b"JSON") + text +
                struct.pack("<I4s", len(data), b"BIN\0") + data)


class Part:
    """A skinned primitive: positions (V, 3), normals and uv or None, weights (V, #joints), faces (F, 3)."""

    def __init__(self, document, primitive):
        if primitive.get("mode", 4) != 4 or primitive.get("targets"):
            raise Unusable("morph targets, or no triangles")
        of = primitive["attributes"]
        self.positions = document.array(of["POSITION"])
        self.normals = document.array(of["NORMAL"]) if "NORMAL" in of else None
        self.uv = document.array(of["TEXCOORD_0"]) if "TEXCOORD_0" in of else None
        sets = sorted(name[7:] for name in of if name.startswith("JOINTS_"))
        joints = np.hstack([document.array(of["JOINTS_" + s]) for s in sets])
        weights = np.hstack([document.array(of["WEIGHTS_" + s]) for s in sets])
        self.weights = np.zeros((len(joints), int(joints.max()) + 1))
        np.add.at(self.weights, (np.arange(len(joints))[:, None], joints), weights)
        self.normalise()
        indices = (document.array(primitive["indices"])[:, 0] if "indices" in primitive
                   else np.arange(len(self.positions)))
        self.faces = indices[:len(indices) // 3 * 3].reshape(-1, 3)

    def normalise(self):
        self.weights = np.maximum(self.weights, 0)
        total = self.weights.sum(1, keepdims=True)
        self.weights[total[:, 0] == 0, 0] = 1
        self.weights /= self.weights.sum(1, keepdims=True)

    def points(self):
        """Vertex -> its place: vertices at one place are one where the surface is not torn."""
        return np.unique(self.positions, axis=0, return_inverse=True)[1].reshape(-1)

    def edges(self):
        return np.unique(np.sort(np.vstack([self.faces[:, [0, 1]], self.faces[:, [1, 2]], self.faces[:, [2, 0]]]), 1), axis=0)

    def blended(self, a, b):
        """The vertices halfway from a to b."""
        half = lambda x: None if x is None else (x[a] + x[b]) / 2  # noqa: E731
        normals = half(self.normals)
        if normals is not None:
            size = np.linalg.norm(normals, axis=1, keepdims=True)
            normals = np.where(size > 1e-6, normals / np.maximum(size, 1e-6), self.normals[a])
        return half(self.positions), normals, half(self.uv), half(self.weights)

    def attributes(self):
        return self.positions, self.normals, self.uv, self.weights

    def set(self, positions, normals, uv, weights):
        self.positions, self.normals, self.uv, self.weights = positions, normals, uv, weights

    def write(self, document):
        order = np.argsort(-self.weights, axis=1, kind="stable")
        used = max(1, int((self.weights > 0).sum(1).max()))
        sets = -(-used // 4)
        order = order[:, :4 * sets]
        weights = np.take_along_axis(self.weights, order, 1)
        short = 4 * sets - order.shape[1]
        order, weights = np.pad(order, ((0, 0), (0, short))), np.pad(weights, ((0, 0), (0, short)))
        order[weights == 0] = 0
        attributes = {"POSITION": document.add(self.positions, 5126, "VEC3", bounds=True)}
        if self.normals is not None:
            attributes["NORMAL"] = document.add(self.normals, 5126, "VEC3")
        if self.uv is not None:
            attributes["TEXCOORD_0"] = document.add(self.uv, 5126, "VEC2")
        for s in range(sets):
            attributes[f"JOINTS_{s}"] = document.add(order[:, 4 * s:4 * s + 4], 5123, "VEC4")
            attributes[f"WEIGHTS_{s}"] = document.add(weights[:, 4 * s:4 * s + 4], 5126, "VEC4")
        return {"attributes": attributes, "indices": document.add(self.faces.reshape(-1, 1), 5125, "SCALAR"), "mode": 4}


def decimate(part, cells):
    """Vertices that share a cell of a grid, `cells` along the longest side, become the one nearest to their mean."""
    low, high = part.positions.min(0), part.positions.max(0)
    cell = np.floor((part.positions - low) / max((high - low).max(), 1e-12) * cells).astype("i8")
    groups = np.unique(cell, axis=0, return_inverse=True)[1].reshape(-1)
    count = np.bincount(groups)
    mean = np.stack([np.bincount(groups, part.positions[:, c]) / count for c in range(3)], 1)
    order = np.lexsort((np.linalg.norm(part.positions - mean[groups], axis=1), groups))
    kept = order[np.r_[True, np.diff(groups[order]) > 0]]
    faces = groups[part.faces]
    faces = faces[(faces[:, 0] != faces[:, 1]) & (faces[:, 1] != faces[:, 2]) & (faces[:, 2] != faces[:, 0])]
    faces = np.unique(np.stack([np.roll(f, -np.argmin(f)) for f in faces]) if len(faces) else faces, axis=0)
    if len(faces) < 12:
        return
    part.set(*(None if x is None else x[kept] for x in part.attributes()))
    part.faces = faces
    part.normals = None  # of another surface


def subdivide(part):
    """Every triangle becomes four, their weights in between."""
    if len(part.positions) > MOST_TO_SUBDIVIDE:
        return
    edges = part.edges()
    index = {(a, b): len(part.positions) + i for i, (a, b) in enumerate(edges.tolist())}
    middle = lambda a, b: index[(a, b) if a < b else (b, a)]  # noqa: E731
    faces = []
    for a, b, c in part.faces.tolist():
        if a == b or b == c or c == a:
            continue
        ab, bc, ca = middle(a, b), middle(b, c), middle(c, a)
        faces += [(a, ab, ca), (ab, b, bc), (ca, bc, c), (ab, bc, ca)]
    half = part.blended(edges[:, 0], edges[:, 1])
    part.set(*(None if x is None else np.vstack([x, y]) for x, y in zip(part.attributes(), half)))
    part.faces = np.array(faces)


def smooth(part, times):
    """Each time half way to the mean of the neighbours; at most eight influences stay."""
    point = part.points()
    edges = np.unique(np.sort(point[part.edges()], 1), axis=0)
    edges = edges[edges[:, 0] != edges[:, 1]]
    first = np.unique(point, return_index=True)[1]
    weights = part.weights[first]
    degree = np.bincount(edges.reshape(-1), minlength=len(first))[:, None]
    for _ in range(times):
        total = np.zeros_like(weights)
        np.add.at(total, edges[:, 0], weights[edges[:, 1]])
        np.add.at(total, edges[:, 1], weights[edges[:, 0]])
        weights = np.where(degree > 0, (weights + total / np.maximum(degree, 1)) / 2, weights)
    part.weights = weights[point]
    cut(part, 8)


def sharpen(part, power):
    part.weights = part.weights**power
    part.normalise()


def cut(part, influences):
    order = np.argsort(-part.weights, axis=1, kind="stable")
    np.put_along_axis(part.weights, order[:, influences:], 0, 1)
    part.normalise()


def draw(chance):
    """One change of a model: (its name, what it does to a part)."""
    kind = chance.choice(["decimate", "subdivide", "smooth", "sharpen", "cut", "as-is"])
    if kind == "decimate":
        cells = round(math.exp(chance.uniform(math.log(10), math.log(60))))
        return f"decimate{cells}", lambda part: decimate(part, cells)
    if kind == "subdivide":
        return "subdivide", subdivide
    if kind == "smooth":
        times = chance.randint(1, 12)
        return f"smooth{times}", lambda part: smooth(part, times)
    if kind == "sharpen":
        power = round(chance.uniform(1.5, 6), 1)
        return f"sharpen{power}", lambda part: sharpen(part, power)
    if kind == "cut":
        influences = chance.randint(1, 3)
        return f"cut{influences}", lambda part: cut(part, influences)
    return "as-is", lambda part: None


def stand(gltf, chance):
    """The scene under a root in another unit and with another axis up, as exporters write it. Returns its name."""
    scale = chance.choice([.01, .0254, 1, 100])
    turns = chance.choice([-1, 0, 1])
    roots = gltf["scenes"][gltf.get("scene", 0)]
    gltf["nodes"].append({"name": "exported", "children": roots["nodes"], "scale": [scale] * 3,
                          "rotation": [turns * math.sqrt(.5), 0, 0, math.sqrt(.5) if turns else 1]})
    roots["nodes"] = [len(gltf["nodes"]) - 1]
    return f"unit{scale:g}" + (f"-x{90 * turns:+d}" if turns else "")


def vary(path, chance):
    """(what was done, the bytes of the .glb)."""
    document = Document(path)
    gltf = document.gltf
    skinned = {node["mesh"] for node in gltf.get("nodes", []) if "skin" in node and "mesh" in node}
    if not skinned or not gltf.get("scenes"):
        raise Unusable("no skinned mesh in a scene")
    changes = dict(draw(chance) for _ in range(chance.randint(1, 2)))
    changes.pop("as-is", None)
    names = list(changes)
    for node in gltf["nodes"]:
        if "mesh" in node and node["mesh"] not in skinned:
            del node["mesh"]  # props
    meshes, renamed = [], {}
    for m in sorted(skinned):
        parts = []
        for primitive in gltf["meshes"][m]["primitives"]:
            if "JOINTS_0" not in primitive["attributes"]:
                continue
            part = Part(document, primitive)
            for change in changes.values():
                change(part)
            parts.append(part.write(document))
        if not parts:
            raise Unusable("a skinned mesh without joints")
        renamed[m] = len(meshes)
        meshes.append({"primitives": parts})
    gltf["meshes"] = meshes
    for node in gltf["nodes"]:
        for name in ("camera", "extensions"):
            node.pop(name, None)
        if "mesh" in node:
            node["mesh"] = renamed[node["mesh"]]
    for skin in gltf["skins"]:
        if "inverseBindMatrices" in skin:
            skin["inverseBindMatrices"] = document.move(skin["inverseBindMatrices"])
    clips = gltf.get("animations", [])
    gltf["animations"] = [clips[i] for i in sorted(chance.sample(range(len(clips)), min(CLIPS, len(clips))))]
    for clip in gltf["animations"]:
        for sampler in clip["samplers"]:
            sampler["input"] = document.move(sampler["input"], bounds=True)
            sampler["output"] = document.move(sampler["output"])
    if chance.random() < .3:
        names.append(stand(gltf, chance))
    return "+".join(names) or "as-is", document.glb()


def make(out, count, seed, models):
    """The files, `count` of them over the models in turn; what cannot be varied is told and left out."""
    out.mkdir(parents=True, exist_ok=True)
    usable = []
    for path in sorted(models):
        try:
            vary(path, random.Random(seed))
            usable.append(path)
        except (Unusable, OSError, KeyError, IndexError, TypeError, ValueError, struct.error) as error:
            print(f"variations: {path}: left out: {type(error).__name__}: {error}", file=sys.stderr)
    made = []
    for number in range(count if usable else 0):
        path = usable[number % len(usable)]
        what, data = vary(path, random.Random(f"{seed} {number} {path.name}"))
        made.append(out / f"{path.stem}_{number:04d}_{what}.glb")
        made[-1].write_bytes(data)
    return made


def main(arguments):
    if len(arguments) < 4 or not arguments[1].isdigit():
        print(__doc__.strip(), file=sys.stderr)
        return 2
    try:
        made = make(Path(arguments[0]), int(arguments[1]), arguments[2], [Path(name) for name in arguments[3:]])
    except OSError as error:
        print(f"variations: {error.filename}: {error.strerror}", file=sys.stderr)
        return 2
    print(f"variations: {len(made)} models")
    return 0 if made else 2


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
