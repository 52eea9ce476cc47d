"""The papers' formulas in numpy, written apart from the library: an oracle of the tests."""

import numpy as np


def blend(pose, bones, weights):
    """Per vertex the blended matrix sum_s w_s M_s, (V, 3, 4)."""
    return np.einsum("vs,vsij->vij", weights, pose[bones])


def apply(matrices, points):
    return np.einsum("...ij,...j->...i", matrices[..., :3], points) + matrices[..., 3]


def unit(vectors):
    return vectors / np.linalg.norm(vectors, axis=-1, keepdims=True)


def lbs_positions(pose, bones, weights, positions):
    return apply(blend(pose, bones, weights), positions)


def lbs_standard(pose, bones, weights, normals):
    """The blended matrix turns the normal as if it were a direction."""
    return unit(np.einsum("vij,vj->vi", blend(pose, bones, weights)[..., :3], normals))


def lbs_deform(pose, slot_bones, slot_weights, alpha, beta, positions, tangents, bitangents):
    """[TPS14 Eq. 13]: the posed tangents are T t + sum alpha (M p), their cross product the normal."""
    moved = apply(pose[slot_bones], positions[:, None])
    blended = blend(pose, slot_bones, slot_weights)[..., :3]
    t = np.einsum("vij,vj->vi", blended, tangents) + np.einsum("vs,vsi->vi", alpha, moved)
    b = np.einsum("vij,vj->vi", blended, bitangents) + np.einsum("vs,vsi->vi", beta, moved)
    return unit(np.cross(t, b))


def quaternion(rotation):
    """w, x, y, z of a rotation matrix whose trace is above -1 by some way."""
    w = np.sqrt(1 + np.trace(rotation)) / 2
    x = np.array([rotation[2, 1] - rotation[1, 2], rotation[0, 2] - rotation[2, 0], rotation[1, 0] - rotation[0, 1]])
    return np.concatenate([[w], x / (4 * w)])


def product(a, b):
    w = a[..., 0] * b[..., 0] - np.sum(a[..., 1:] * b[..., 1:], axis=-1)
    v = a[..., :1] * b[..., 1:] + b[..., :1] * a[..., 1:] + np.cross(a[..., 1:], b[..., 1:])
    return np.concatenate([w[..., None], v], axis=-1)


def dqs_blend(pose, bones, weights):
    """[Kavan 2007]: blended dual quaternions, unit; those of a vertex in the hemisphere of its first slot's."""
    real = np.array([quaternion(m[:, :3]) for m in pose])
    dual = np.array([product(np.array([0, *m[:, 3]]), q) / 2 for m, q in zip(pose, real)])
    q, d = real[bones], dual[bones]
    sign = np.where(np.sum(q * q[:, :1], axis=-1) < 0, -1.0, 1.0)[..., None] * weights[..., None]
    q, d = (sign * q).sum(axis=1), (sign * d).sum(axis=1)
    length = np.linalg.norm(q, axis=-1, keepdims=True)
    return q / length, d / length


def turned(q, v):
    conjugate = q * np.array([1, -1, -1, -1])
    return product(product(q, np.concatenate([np.zeros((len(v), 1)), v], axis=1)), conjugate)[:, 1:]


def dqs_positions(pose, bones, weights, positions):
    q, d = dqs_blend(pose, bones, weights)
    return turned(q, positions) + 2 * product(d, q * np.array([1, -1, -1, -1]))[:, 1:]


def dqs_deform_frames(pose, frames, positions, tangents, bitangents):
    """The turned tangents, and of every frame what its motion does otherwise to vectors of its own and to the point."""
    q, _ = dqs_blend(pose, frames.bones, frames.weights)
    p = dqs_positions(pose, frames.bones, frames.weights, positions)
    t, b = turned(q, tangents), turned(q, bitangents)
    for k in range(2):
        weights = frames.weights + frames.offset[:, k]
        other, _ = dqs_blend(pose, frames.bones, weights)
        apart = dqs_positions(pose, frames.bones, weights, positions) - p
        t += turned(other, frames.along_t[:, k]) - turned(q, frames.along_t[:, k]) + frames.alpha[:, k, None] * apart
        b += turned(other, frames.along_b[:, k]) - turned(q, frames.along_b[:, k]) + frames.beta[:, k, None] * apart
    return unit(np.cross(t, b))


def angles(a, b):
    """Degrees between rows."""
    a, b = unit(a), unit(b)
    return np.degrees(2 * np.arctan2(np.linalg.norm(a - b, axis=-1), np.linalg.norm(a + b, axis=-1)))
