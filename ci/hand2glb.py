#!/usr/bin/env python3
"""A hand of Godot XR Tools with its author's poses as clips, as glTF, from the files of its public source.

usage: hand2glb.py HAND_GLTF POSE_RES [POSE_RES ...] OUT_GLB

Each pose, a Godot animation of one key per joint in Godot's binary format, becomes a clip of its name: from rest to the
pose in a second and back in another. Needs nothing but Python; its bytes are the same everywhere.
Exit code 2: a file cannot be read, or is not what its name says.
"""

import base64
import json
import os
import struct
import sys

FLOAT = 5126
TIMES = (0.0, 1.0, 2.0)  # seconds: rest, pose, rest
# Godot's types of values [Godot 4, core/io/resource_format_binary.cpp].
NIL, BOOL, INT, REAL, STRING, NODE_PATH, FLOATS = 1, 2, 3, 4, 5, 22, 33
NAMES = 0x7FFF  # of a path's second count; the bit above says that the path is absolute


class Resource:
    """A Godot resource: its own properties, by name. Little endian, floats of 32 bits."""

    def __init__(self, data):
        self.data, self.at = data, 4
        if data[:4] != b"RSRC":
            raise ValueError("is no binary resource of Godot's")
        big_endian, real64, _, _, version = self.take("5I")
        if big_endian or real64:
            raise ValueError("is big endian or has doubles")
        self.kind = self.string()
        self.take("QIQ11I")  # where the import data are, flags, id, reserved
        self.names = [self.string() for _ in range(self.count())]
        if self.count() != 0:
            raise ValueError("refers to other files")
        inner = [(self.string(), self.take("Q")[0]) for _ in range(self.count())]
        if len(inner) != 1:
            raise ValueError(f"holds {len(inner)} resources")
        self.at = inner[0][1]
        self.string()
        self.properties = {}
        for _ in range(self.count()):
            name = self.name_at(self.count())
            self.properties[name] = self.value(name)

    def take(self, kinds):
        size = struct.calcsize("<" + kinds)
        if self.at + size > len(self.data):
            raise ValueError(f"ends at byte {len(self.data)}, in the middle of a value")
        values = struct.unpack_from("<" + kinds, self.data, self.at)
        self.at += size
        return values

    def count(self):
        return self.take("I")[0]

    def string(self):
        return self.take(f"{self.count()}s")[0].rstrip(b"\0").decode()

    def name_at(self, i):
        if i >= len(self.names):
            raise ValueError(f"name {i} of {len(self.names)}")
        return self.names[i]

    def value(self, name):
        kind = self.count()
        if kind == NIL:
            return None
        if kind == BOOL:
            return bool(self.count())
        if kind == INT:
            return self.take("i")[0]
        if kind == REAL:
            return self.take("f")[0]
        if kind == STRING:
            return self.string()
        if kind == NODE_PATH:
            names, below = self.take("HH")
            return [self.name_at(i) for i in self.take(f"{names + (below & NAMES)}I")]
        if kind == FLOATS:
            return self.take(f"{self.count()}f")
        raise ValueError(f"{name}: values of type {kind} are not read")


def turns(data):
    """{joint: unit quaternion x, y, z, w} of a pose."""
    resource = Resource(data)
    if resource.kind != "Animation":
        raise ValueError(f"is a resource of kind {resource.kind}, no Animation")
    found, track, properties = {}, 0, resource.properties
    while f"tracks/{track}/type" in properties:
        name = f"tracks/{track}"
        keys = properties[f"{name}/keys"]
        if properties[f"{name}/type"] != "rotation_3d" or len(keys) != 6:  # time, weight, quaternion
            raise ValueError(f"{name} is not one rotation")
        found[properties[f"{name}/path"][-1]] = keys[2:]
        track += 1
    if not found:
        raise ValueError("has no tracks")
    return found


def with_clips(hand, poses):
    """The glTF document and its buffer, with a clip for each (name, turns) of `poses`."""
    uri = hand["buffers"][0]["uri"]
    head, _, text = uri.partition(",")
    if len(hand["buffers"]) != 1 or not head.endswith(";base64"):
        raise ValueError("buffers: one in the file itself is expected")
    data = bytearray(base64.b64decode(text))
    node = {n["name"]: i for i, n in enumerate(hand["nodes"])}
    buffer = {}

    def added(rows, kind, **bounds):
        """The accessor of new floats."""
        data.extend(b"\0" * (-len(data) % 4))
        hand["bufferViews"].append({"buffer": 0, "byteOffset": len(data), "byteLength": 4 * sum(map(len, rows))})
        for row in rows:
            data.extend(struct.pack(f"<{len(row)}f", *row))
        hand["accessors"].append({"bufferView": len(hand["bufferViews"]) - 1, "componentType": FLOAT,
                                  "count": len(rows), "type": kind, **bounds})
        return len(hand["accessors"]) - 1

    times = added([(t,) for t in TIMES], "SCALAR", min=[TIMES[0]], max=[TIMES[-1]])
    hand["animations"] = []
    for name, turned in poses:
        channels, samplers = [], []
        for joint, turn in turned.items():
            if joint not in node:
                raise ValueError(f"{name} turns {joint}, which the hand has not")
            rest = hand["nodes"][node[joint]].get("rotation", [0, 0, 0, 1])
            channels.append({"sampler": len(samplers), "target": {"node": node[joint], "path": "rotation"}})
            samplers.append({"input": times, "output": added([rest, turn, rest], "VEC4"), "interpolation": "LINEAR"})
        hand["animations"].append({"name": name, "channels": channels, "samplers": samplers})
    hand["buffers"] = [{"byteLength": len(data)}]
    return hand, bytes(data)


def glb(document, data):
    text = json.dumps(document, separators=(",", ":")).encode()
    text += b" " * (-len(text) % 4)
    data += b"\0" * (-len(data) % 4)
    return (struct.pack("<4sII", b"glTF", 2, 28 + len(text) + len(data)) +
            struct.pack("<I4s", len(text), b"JSON") + text + struct.pack("<I4s", len(data), b"BIN\0") + data)


def main(arguments):
    if len(arguments) < 3 or "--help" in arguments:
        print(__doc__.strip(), file=sys.stdout if "--help" in arguments else sys.stderr)
        return 0 if "--help" in arguments else 2
    source, *pose_files, target = arguments
    poses, path = [], source
    try:
        for path in pose_files:
            with open(path, "rb") as file:
                name = os.path.basename(path).removesuffix(".res")
                poses.append((name, turns(file.read())))
        path = source
        with open(source, encoding="utf-8") as file:
            made = glb(*with_clips(json.load(file), poses))
        path = target
        with open(target, "wb") as file:
            file.write(made)
    except OSError as error:
        print(f"{path}: {error.strerror}", file=sys.stderr)
        return 2
    except (ValueError, KeyError, IndexError, TypeError) as error:
        print(f"{path}: cannot be converted: {type(error).__name__} {error}", file=sys.stderr)
        return 2
    return 0


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
