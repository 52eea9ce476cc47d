"""Errors of normals, health of rigs, judgement of other programs' normals, baking."""

from __future__ import annotations

import os
from dataclasses import dataclass
from typing import TYPE_CHECKING, NamedTuple

from . import _core
from ._errors import InputError
from ._names import count, number
from ._rig import bone_count_of, bone_count_of_pose, path_bytes

if TYPE_CHECKING:
    from numpy.typing import ArrayLike

_SEVERITIES = ("note", "warning", "error")
_KINDS = ("correct", "approximation", "mistake", "unexplained")
_LENGTHS = ("unit", "constant", "not normalised", "unexplained")


class Errors(NamedTuple):
    """Statistics of angles in degrees, weighted."""

    mean: float
    rms: float
    p95: float  # the angle that covers 95 % of the weight
    p99: float
    max: float
    worst_vertex: int  # of max
    flips: int  # vertices more than 90 degrees off


@dataclass(frozen=True)
class Finding:
    """One kind of thing that is wrong with a rig; of its worst element where one is meant."""

    kind: str  # stable: "weights-unnormalised", ...; `skinlight check --help` lists them
    severity: str  # "note", "warning", "error"
    part: str  # "vertex", "triangle", "bone", "node", "mesh"
    index: int  # -1: the mesh as a whole
    name: str  # as the file has it
    count: int  # elements found
    of: int  # and looked at
    size: float  # of the worst one
    unit: str  # of size, or ""
    says: str
    detail: str
    advice: str

    def __str__(self) -> str:
        element = f"{self.part} {self.index}" if self.index >= 0 else self.part
        return f"{self.severity}: {self.kind}: {self.count} of {self.of}, worst {element}: {self.says}. {self.advice}"


class Fit(NamedTuple):
    """One explanation of normals and how well it fits."""

    id: str  # stable: "standard", "rest", "transposed", ...
    kind: str  # "correct", "approximation", "mistake"
    what: str
    advice: str
    same: bool  # as good as the one that the verdict names; this pose cannot tell them apart
    mean: float  # its distance from yours, degrees
    p95: float
    max: float
    share: float  # of the area that is within the tolerance


class Judged(NamedTuple):
    """What is known about normals, or tangents."""

    errors: Errors  # against the rest vectors carried by the posed triangles
    recomputed: Errors | None  # against normals computed from the posed triangles; of normals only
    kind: str  # "correct", "approximation", "mistake", "unexplained"
    clear: bool  # whatever is not the same is more than three times as far
    fit: Fit  # the one that the verdict names; the nearest when unexplained
    next: float  # degrees to the nearest fit that is not the same; 0: there is none
    undecided: bool  # a fit of another kind is the same here: judge another pose
    lengths: str  # "unit", "constant", "not normalised", "unexplained"
    min_length: float
    max_length: float
    wrong_signs: int  # of tangents: vertices whose w is wrong
    fits: list[Fit]  # best first


class Judgement(NamedTuple):
    """What `judge()` found; as text what `skinlight judge` prints."""

    text: str
    normals: Judged
    tangents: Judged | None

    def __str__(self) -> str:
        return self.text


class BakeReport(NamedTuple):
    """What `bake()` wrote, of skinned meshes; all numbers 0 when nothing changed."""

    unchanged: bool  # baked with these options already; copied
    vertex_count: int
    welded_count: int
    primitive_count: int
    slots: int  # bones per vertex
    attributes: int  # more per vertex
    bytes: int  # more per vertex
    overflow_vertices: int  # of the surface: with more bones around than fit


def angular_errors(directions: ArrayLike, truth: ArrayLike, weights: ArrayLike | None = None) -> Errors:
    """Angles in degrees between two arrays of directions (n, 3) of any length but 0; `weights` (n,), else alike."""
    return Errors(*_core.angular_errors(directions, truth, weights))


def check(path: os.PathLike | str | bytes, *, influences: int = 4, missing_normals: str = "usual",
          threads: int = 0) -> list[Finding]:
    """What is wrong with the rig of a file, worst severity first.

    influences: what the target engine keeps per vertex; missing_normals: as of `Rig.read()`. Raises InputError for a file
    that cannot be read.
    """
    found = _core.check(path_bytes(path), count("influences", influences, 1),
                        number("missing normals", missing_normals), count("threads", threads))
    return [Finding(kind, _SEVERITIES[severity], *rest) for kind, severity, *rest in found]


def _judged(errors, recomputed, verdict, fits) -> Judged:
    kind, clear, fit, following, undecided, lengths, shortest, longest, wrong_signs = verdict
    named = [Fit(id, _KINDS[of], *others) for id, of, *others in fits]
    return Judged(Errors(*errors), Errors(*recomputed) if recomputed else None, _KINDS[kind], clear, named[fit],
                  following, undecided, _LENGTHS[lengths], shortest, longest, wrong_signs, named)


def judge(positions: ArrayLike, faces: ArrayLike, bones: ArrayLike, weights: ArrayLike, pose: ArrayLike,
          normals: ArrayLike, *, tangents: ArrayLike | None = None, posed_positions: ArrayLike | None = None,
          rest_normals: ArrayLike | None = None, rest_tangents: ArrayLike | None = None, uv: ArrayLike | None = None,
          bone_count: int | None = None, morphs: ArrayLike | None = None, morph_weights: ArrayLike | None = None,
          method: str = "lbs", influences: int | None = None, slots: int | None = None,
          tolerance: float | None = None, threads: int = 0) -> Judgement:
    """How far the posed normals of another program are from the truth, and which mistake explains them.

    Parameters
    ----------
    positions, faces, bones, weights, rest_normals, rest_tangents, uv, bone_count, morphs
        The rig at rest, as of `Rig`.
    pose : (B, 3, 4) or (B, 4, 4)
    normals : (V, 3)
        Theirs, posed; any length but 0.
    tangents : (V, 4), optional
        Theirs, posed. Needs `rest_tangents` or `uv`.
    posed_positions : (V, 3), optional
        Theirs; else posed by `method`.
    morph_weights : (M,), optional
        Of `morphs`: what moves the rig before its bones do; else 0.
    influences : int, optional
        Bones per vertex that their program keeps, the strongest; else all of the rig's.
    slots : int, optional
        As of `Rig`, not fewer than the influences that are kept.
    tolerance : float, optional
        Degrees within which an explanation fits; else 0.5.
    """
    if tolerance == 0:
        raise InputError("", "tolerance", "is 0")
    if bone_count is None:
        bone_count = bone_count_of_pose(pose)
    text, of_normals, of_tangents = _core.judge(
        positions, faces, bones, weights, rest_normals, rest_tangents, uv, bone_count_of(bones, bone_count), morphs,
        pose, normals, tangents, posed_positions, morph_weights, number("method", method),
        0 if influences is None else count("influences", influences, 1), count("slots", slots or 0), tolerance or 0.0,
        count("threads", threads))
    return Judgement(text, _judged(*of_normals), _judged(*of_tangents) if of_tangents else None)


def bake(path: os.PathLike | str | bytes, out: os.PathLike | str | bytes, *, normals: str = "deform", layout: str = "attributes",
         format: str = "f32", influences: int | None = None, averaging: str = "usual",
         missing_normals: str = "usual", force: bool = False, threads: int = 0,
         method: str | None = None) -> BakeReport:
    """Writes the glTF file `path` with what right normals need to `out`, .gltf or .glb, for shaders to read.

    normals: "deform", "smoothed", "deform-vectors" or "deform-frames"; layout: "attributes" or "texcoord"; format: "f32",
    "f16", "snorm16" or "snorm8"; influences: 4 or 8, of deform frames 5 to 8, else what the file has; missing_normals: as
    of `Rig.read()`, they are written; force: replace the input, or files in the way; method: of deform frames, "dqs", "sbs"
    or "log", else "dqs".
    """
    if method == "lbs":
        raise InputError("", "method", "'lbs' has no deform frames")
    return BakeReport(*_core.bake(path_bytes(path), path_bytes(out), number("record", normals),
                                  number("layout", layout), number("format", format),
                                  count("influences", influences or 0), number("averaging", averaging),
                                  number("missing normals", missing_normals), bool(force),
                                  count("threads", threads), number("method", method) if method else 0))
