#!/usr/bin/env python3
"""Writes a character small enough to look at: a tube of two bones that bends at the elbow, as glTF.

usage: make_arm.py OUT.gltf
"""

import base64
import json
import math
import struct
import sys

SEGMENTS, RINGS, RADIUS, LENGTH = 24, 41, 0.5, 4.0
FLOAT, BYTE, SHORT = (5126, "f"), (5121, "B"), (5123, "H")  # glTF's component types and how struct calls them
VERTICES, INDICES = {"target": 34962}, {"target": 34963}

gltf = {"asset": {"version": "2.0"}, "bufferViews": [], "accessors": []}
data = bytearray()


def accessor(kind, component, rows, **view):
    """Appends rows of numbers to the buffer. Returns the index of their accessor."""
    packed = b"".join(struct.pack(f"<{len(row)}{component[1]}", *row) for row in rows)
    gltf["bufferViews"].append({"buffer": 0, "byteOffset": len(data), "byteLength": len(packed), **view})
    gltf["accessors"].append({"bufferView": len(gltf["accessors"]), "componentType": component[0], "type": kind,
                              "count": len(rows), "min": [min(column) for column in zip(*rows)],
                              "max": [max(column) for column in zip(*rows)]})
    data.extend(packed + bytes(-len(packed) % 4))
    return len(gltf["accessors"]) - 1


def single(value):
    """The value as a float of 32 bits, which `min` and `max` have to equal."""
    return struct.unpack("<f", struct.pack("<f", value))[0]


positions, normals, joints, weights = [], [], [], []
for ring in range(RINGS):
    y = LENGTH * (ring / (RINGS - 1) - 0.5)
    upper = min(max(y + 0.5, 0.0), 1.0)  # the weight of the bone above the elbow rises over one unit
    upper = upper * upper * (3 - 2 * upper)
    slots = sorted([(single(1 - upper), 0), (single(upper), 1)], reverse=True)
    for segment in range(SEGMENTS):
        angle = 2 * math.pi * segment / SEGMENTS
        positions.append((single(RADIUS * math.cos(angle)), y, single(-RADIUS * math.sin(angle))))
        normals.append((single(math.cos(angle)), 0.0, single(-math.sin(angle))))
        weights.append((slots[0][0], slots[1][0], 0.0, 0.0))
        joints.append((slots[0][1], slots[1][1] if slots[1][0] > 0 else 0, 0, 0))
positions = [tuple(map(single, p)) for p in positions]

indices = []
for ring in range(RINGS - 1):
    for segment in range(SEGMENTS):
        a, b = ring * SEGMENTS + segment, ring * SEGMENTS + (segment + 1) % SEGMENTS
        indices += [(i,) for i in (a, b, a + SEGMENTS, a + SEGMENTS, b, b + SEGMENTS)]

# Both bones have their joint at the elbow, the origin. The upper one turns about x, by 100 degrees and back.
half = math.radians(100) / 2
times = [(0.0,), (1.0,), (2.0,)]
rotations = [(0.0, 0.0, 0.0, 1.0), (single(math.sin(half)), 0.0, 0.0, single(math.cos(half))), (0.0, 0.0, 0.0, 1.0)]

gltf["meshes"] = [{"primitives": [{"attributes": {"POSITION": accessor("VEC3", FLOAT, positions, **VERTICES),
                                                  "NORMAL": accessor("VEC3", FLOAT, normals, **VERTICES),
                                                  "JOINTS_0": accessor("VEC4", BYTE, joints, **VERTICES),
                                                  "WEIGHTS_0": accessor("VEC4", FLOAT, weights, **VERTICES)},
                                   "indices": accessor("SCALAR", SHORT, indices, **INDICES)}]}]
gltf["nodes"] = [{"name": "arm", "mesh": 0, "skin": 0}, {"name": "lower", "children": [2]}, {"name": "upper"}]
gltf["scenes"], gltf["scene"] = [{"nodes": [0, 1]}], 0
gltf["skins"] = [{"joints": [1, 2]}]
gltf["animations"] = [{"name": "bend",
                       "samplers": [{"input": accessor("SCALAR", FLOAT, times),
                                     "output": accessor("VEC4", FLOAT, rotations)}],
                       "channels": [{"sampler": 0, "target": {"node": 2, "path": "rotation"}}]}]
gltf["buffers"] = [{"byteLength": len(data),
                    "uri": "data:application/octet-stream;base64," + base64.b64encode(data).decode()}]

if len(sys.argv) != 2:
    sys.exit(__doc__.strip())
with open(sys.argv[1], "w", encoding="utf-8") as file:
    json.dump(gltf, file)
