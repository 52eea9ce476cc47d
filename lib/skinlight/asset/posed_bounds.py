#!/usr/bin/env python3
"""Bounding boxes of linearly skinned glTF characters, computed apart from the library: the numbers in gltf_models_test.cpp.

    posed_bounds.py FILE [ANIMATION TIME]

Without an animation: the nodes' own transforms. Reads what those tests need and no more: LINEAR keys, data URIs and .glb,
float or integer accessors without strides.
"""
import base64
import json
import struct
import sys

import numpy as np

DTYPE = {5121: "u1", 5123: "<u2", 5125: "<u4", 5126: "<f4"}
WIDTH = {"SCALAR": 1, "VEC2": 2, "VEC3": 3, "VEC4": 4, "MAT4": 16}


def load(path):
    data = open(path, "rb").read()
    if data[:4] != b"glTF":
        gltf = json.loads(data)
        return gltf, base64.b64decode(gltf["buffers"][0]["uri"].split(",", 1)[1])
    length = struct.unpack_from("<I", data, 12)[0]
    return json.loads(data[20:20 + length]), data[28 + length:]


def array(gltf, buffer, index):
    accessor = gltf["accessors"][index]
    view = gltf["bufferViews"][accessor["bufferView"]]
    offset = view.get("byteOffset", 0) + accessor.get("byteOffset", 0)
    width = WIDTH[accessor["type"]]
    flat = np.frombuffer(buffer, DTYPE[accessor["componentType"]], accessor["count"] * width, offset)
    return flat.reshape(-1, width).astype(float)


def rotation(q):
    """Rodrigues' formula, on a normalised quaternion (x, y, z, w)."""
    q = np.asarray(q, float) / np.linalg.norm(q)
    x, y, z = q[:3]
    k = np.array([[0, -z, y], [z, 0, -x], [-y, x, 0]])
    return np.eye(3) + 2 * q[3] * k + 2 * k @ k


def slerp(a, b, u):
    """Powers of the relative rotation's angle, in the plane of a and the part of b orthogonal to it."""
    a, b = a / np.linalg.norm(a), b / np.linalg.norm(b)
    b = b if a @ b >= 0 else -b
    ortho = b - (a @ b) * a
    sine = np.linalg.norm(ortho)
    if sine < 1e-12:
        return a
    angle = np.arctan2(sine, a @ b) * u
    return np.cos(angle) * a + np.sin(angle) * ortho / sine


def main(path, animation=None, time=0.0):
    gltf, buffer = load(path)
    nodes = [dict(node) for node in gltf["nodes"]]
    if animation is not None:
        clip = gltf["animations"][int(animation)]
        for channel in clip["channels"]:
            sampler = clip["samplers"][channel["sampler"]]
            keys = array(gltf, buffer, sampler["input"])[:, 0]
            values = array(gltf, buffer, sampler["output"])
            t = np.clip(float(time), keys[0], keys[-1])
            k = min(int(np.searchsorted(keys, t, "right")) - 1, len(keys) - 2) if len(keys) > 1 else 0
            value = values[0]
            if len(keys) > 1:
                u = (t - keys[k]) / (keys[k + 1] - keys[k])
                a, b = values[k], values[k + 1]
                value = slerp(a, b, u) if channel["target"]["path"] == "rotation" else a + u * (b - a)
            nodes[channel["target"]["node"]][channel["target"]["path"]] = value

    def local(node):
        if "matrix" in node:
            return np.array(node["matrix"], float).reshape(4, 4).T
        m = np.eye(4)
        m[:3, :3] = rotation(node.get("rotation", [0, 0, 0, 1])) @ np.diag(node.get("scale", [1, 1, 1]))
        m[:3, 3] = node.get("translation", [0, 0, 0])
        return m

    parent = {child: n for n, node in enumerate(nodes) for child in node.get("children", [])}

    def world(n):
        return world(parent[n]) @ local(nodes[n]) if n in parent else local(nodes[n])

    low, high = np.full(3, np.inf), np.full(3, -np.inf)
    for node in gltf["nodes"]:
        if "skin" not in node:
            continue
        skin = gltf["skins"][node["skin"]]
        inverse = array(gltf, buffer, skin["inverseBindMatrices"]).reshape(-1, 4, 4).transpose(0, 2, 1)
        matrices = np.array([world(j) for j in skin["joints"]]) @ inverse
        for primitive in gltf["meshes"][node["mesh"]]["primitives"]:
            read = lambda name: array(gltf, buffer, primitive["attributes"][name])
            p = np.c_[read("POSITION"), np.ones(len(read("POSITION")))]
            weights = read("WEIGHTS_0")
            weights /= weights.sum(1, keepdims=True)
            moved = np.einsum("vk,vkij,vj->vi", weights, matrices[read("JOINTS_0").astype(int)], p)[:, :3]
            low, high = np.minimum(low, moved.min(0)), np.maximum(high, moved.max(0))
    print("low ", ", ".join(f"{x:.7g}" for x in low))
    print("high", ", ".join(f"{x:.7g}" for x in high))


if __name__ == "__main__":
    main(*sys.argv[1:])
