"""Rigs: skinned meshes, what their normals need, and skinning."""

from __future__ import annotations

import os
from dataclasses import dataclass
from typing import TYPE_CHECKING, NamedTuple

import numpy as np

from . import _core
from ._errors import InputError
from ._names import count, number, way

if TYPE_CHECKING:
    from collections.abc import Sequence

    from numpy.typing import ArrayLike, DTypeLike, NDArray

_POSITIONS, _NORMALS, _TANGENTS, _UV, _WEIGHTS, _BONES, _FACES = range(7)
(_SLOT_BONES, _SLOT_WEIGHTS, _ALPHA, _BETA, _SMOOTH_WEIGHT, _GRADIENT, _ALONG_T, _ALONG_B, _FRAME_OFFSET, _FRAME_T,
 _FRAME_B, _FRAME_ALPHA, _FRAME_BETA, _FRAME_CENTRE) = range(14)
_FRAME_RECORDS = {"dqs": 2, "crs": 3, "sbs": 4, "log": 5}
_MOST_BONES = (2**31 - 1) // 16  # that the interface takes
OUTPUTS = ("positions", "normals", "tangents", "bitangents")


class Clip(NamedTuple):
    """An animation of a file."""

    name: str
    duration: float  # seconds


class Bone(NamedTuple):
    """A bone of a file's skeleton."""

    name: str
    parent: int  # -1: none


class Morph(NamedTuple):
    """A morph target (blend shape)."""

    name: str
    weight: float  # the file's own
    vertex_count: int  # that it moves


@dataclass(frozen=True)
class Warning:
    """What was repaired or lost when a rig was read or made."""

    element: str
    reason: str
    count: int


class Posed(NamedTuple):
    """A posed mesh: arrays of shape (V, 3), None where they were not asked for; all but positions are unit vectors."""

    positions: NDArray | None = None
    normals: NDArray | None = None
    tangents: NDArray | None = None
    bitangents: NDArray | None = None


class Truth(NamedTuple):
    """What is true of a pose, in double, whatever kind of normals it is drawn with."""

    positions: NDArray  # (V, 3)
    transported: NDArray  # (V, 3), unit: rest normals carried by the posed triangles
    recomputed: NDArray  # (V, 3), unit: from the posed triangles alone
    areas: NDArray  # (V,): each vertex's share of the deformed area, the weighting of all means


class Overflow(NamedTuple):
    """Vertices of the surface with more bones around than slots."""

    vertices: int
    bones: int  # lost over all vertices
    share: float  # the largest of what was lost over the largest of its vertex
    worst_vertex: int


class Factors(NamedTuple):
    """Deform factors [TPS14 Eq. 11] and smooth weights; S slots per vertex, slot 0 is the largest weight."""

    bones: NDArray  # (V, S), int32
    weights: NDArray  # (V, S); 0 for bones that only the neighbours have
    alpha: NDArray  # (V, S), per unit of length: the derivative of the weight along the tangent
    beta: NDArray  # (V, S), per unit of length: along the bitangent
    smooth_weight: NDArray  # (V, S)
    gradient: NDArray  # (V, S, 3), per unit of length
    overflow: Overflow
    flat_vertices: int  # without area around them


class Vectors(NamedTuple):
    """Deform vectors: the exact differential of the posed triangles, for coarse meshes."""

    bones: NDArray  # (V, S), int32
    weights: NDArray  # (V, S)
    alpha: NDArray  # (V, S), per unit of length: the fourth coordinates of along_t
    beta: NDArray  # (V, S), per unit of length: of along_b
    along_t: NDArray  # (V, S, 3)
    along_b: NDArray  # (V, S, 3)
    overflow: Overflow
    flat_vertices: int


class Frames(NamedTuple):
    """Deform frames: what deform vectors are, for a method that blends rotations. Two further blends per vertex."""

    bones: NDArray  # (V, S), int32
    weights: NDArray  # (V, S)
    offset: NDArray  # (V, 2, S): what a frame changes the weights by; sums 0
    along_t: NDArray  # (V, 2, 3): what it adds along t, as vectors
    along_b: NDArray  # (V, 2, 3)
    alpha: NDArray  # (V, 2), per unit of length: along t, as a share of how points move apart
    beta: NDArray  # (V, 2), per unit of length
    centre: NDArray | None  # (V, 2, 3): its centre of rotation from the vertex's own; of "crs" only
    overflow: Overflow
    flat_vertices: int


def _chosen(outputs: Sequence[str]) -> tuple[str, ...]:
    chosen = (outputs,) if isinstance(outputs, str) else tuple(outputs)
    for name in chosen:
        if name not in OUTPUTS:
            raise InputError("", "outputs", f"{name!r} is none of {', '.join(OUTPUTS)}")
    if not chosen:
        raise InputError("", "outputs", "nothing is wanted")
    return chosen


def _new(chosen: tuple[str, ...], vertices: int, dtype: DTypeLike) -> Posed:
    return Posed(*[np.empty((vertices, 3), dtype) if name in chosen else None for name in OUTPUTS])


def path_bytes(path: os.PathLike | str | bytes) -> bytes:
    """A path as the interface takes it, whatever its encoding. TypeError for what is none, InputError for one that no
    file can have."""
    try:
        name = os.fsencode(path)
    except UnicodeEncodeError:
        raise InputError(os.fsdecode(path).encode(errors="backslashreplace").decode(), "",
                         "is no name that a file can have") from None
    if b"\0" in name:
        raise InputError(os.fsdecode(name).replace("\0", "\\0"), "", "has a NUL in its name")
    return name


def bone_count_of(bones: ArrayLike, bone_count: int | None) -> int:
    """The number of bones that was given, else what the indices ask for; the interface tells what is wrong with them."""
    if bone_count is not None:
        return count("bone_count", bone_count, 1)
    try:
        indices = np.asarray(bones)
    except ValueError:
        return 1
    return min(max(int(indices.max(initial=0)), 0) + 1, _MOST_BONES) if indices.dtype.kind in "iu" else 1


def bone_count_of_pose(pose: ArrayLike) -> int | None:
    """Of a pose that looks like one; the interface tells what is wrong with it."""
    try:
        shape = np.shape(pose)
    except ValueError:
        return None
    return shape[0] if len(shape) == 3 and shape[0] > 0 else None


class Rig:
    """A skinned mesh with what is computed once for it, when it is first asked for. It never changes: threads may use
    one at the same time.

    V vertices, split at seams as you have them, F faces, B bones, N influences per vertex, M morph targets.

    Parameters
    ----------
    positions : (V, 3)
        Rest pose, any unit.
    faces : (F, 3) integers
        Counter-clockwise seen from where normals point.
    bones : (V, N) integers
        In any order; unused slots have weight 0.
    weights : (V, N)
        Not negative, sum 1 (divided out otherwise, with a warning).
    normals : (V, 3), optional
        Any length but 0; else averaged from the faces by area.
    tangents : (V, 4), optional
        w as in glTF (+1 or -1, b = w n x t); else from uv.
    uv : (V, 2), optional
    morphs : (M, V, 3), optional
        What each morph target adds to the positions at weight 1.
    bone_count : int, optional
        Else the largest bone of `bones` and one.
    slots : int, optional
        Bones per vertex of what normals need, 1 .. 16; else 4, or as many as the rig's.
    averaging : str
        How faces count around a vertex: "usual", "mixed-voronoi", "area", "angle", ...
    threads : int
        0: all cores. Results do not depend on it.

    Raises
    ------
    InputError
        A ValueError that names the array and the entry, as in ``positions, vertex 12: is not finite``.
    """

    def __init__(self, positions: ArrayLike, faces: ArrayLike, bones: ArrayLike, weights: ArrayLike, *,
                 normals: ArrayLike | None = None, tangents: ArrayLike | None = None, uv: ArrayLike | None = None,
                 morphs: ArrayLike | None = None, bone_count: int | None = None, slots: int | None = None,
                 averaging: str = "usual", threads: int = 0):
        self._take(_core.Rig.create(positions, faces, bones, weights, normals, tangents, uv, morphs,
                                    bone_count_of(bones, bone_count), count("slots", slots or 0),
                                    number("averaging", averaging), count("threads", threads)))

    @classmethod
    def read(cls, path: os.PathLike | str | bytes, *, influences: int = 4, slots: int | None = None,
             averaging: str = "usual", missing_normals: str = "usual", threads: int = 0) -> Rig:
        """A rig with its clips from a file: glTF 2.0, FBX, Collada, MD5 or X.

        Of each vertex the `influences` largest weights are kept. missing_normals: where the file has none, "flat" ones of
        the faces, every corner a vertex where several planes meet, or "smooth" ones; "usual" is flat of glTF, which says
        so, and smooth of other formats. Raises InputError that names file, element and reason.
        """
        rig = cls.__new__(cls)
        rig._take(_core.Rig.read(path_bytes(path), count("influences", influences, 1), count("slots", slots or 0),
                                 number("averaging", averaging), number("missing normals", missing_normals),
                                 count("threads", threads)))
        return rig

    def _take(self, core: _core.Rig) -> None:
        self._core = core
        (self.vertex_count, self.face_count, self.bone_count, self.influences, self.welded_count, self._clip_count,
         self._morph_count, self._warning_count) = core.counts()

    def __repr__(self) -> str:
        return f"<skinlight.Rig of {self.vertex_count} vertices, {self.face_count} faces, {self.bone_count} bones>"

    def _get(self, what: int, rows: int, width: int, dtype: DTypeLike = np.float64) -> NDArray:
        out = np.empty((rows, width), dtype)
        self._core.fill(what, out, rows, width, dtype is np.int32)
        return out

    # Each is a new array.
    @property
    def positions(self) -> NDArray:
        """(V, 3), rest pose."""
        return self._get(_POSITIONS, self.vertex_count, 3)

    @property
    def normals(self) -> NDArray:
        """(V, 3), unit, rest pose."""
        return self._get(_NORMALS, self.vertex_count, 3)

    @property
    def tangents(self) -> NDArray:
        """(V, 4), at right angles to the normals; w as in glTF: b = w n x t."""
        return self._get(_TANGENTS, self.vertex_count, 4)

    @property
    def uv(self) -> NDArray:
        """(V, 2). Raises InputError when the rig has none."""
        return self._get(_UV, self.vertex_count, 2)

    @property
    def weights(self) -> NDArray:
        """(V, N), descending within a vertex, sum 1."""
        return self._get(_WEIGHTS, self.vertex_count, self.influences)

    @property
    def bones(self) -> NDArray:
        """(V, N), int32, in the order of the weights."""
        return self._get(_BONES, self.vertex_count, self.influences, np.int32)

    @property
    def faces(self) -> NDArray:
        """(F, 3), int32."""
        return self._get(_FACES, self.face_count, 3, np.int32)

    @property
    def clips(self) -> list[Clip]:
        """The animations of the file."""
        return [Clip(*self._core.clip(i)) for i in range(self._clip_count)]

    @property
    def skeleton(self) -> list[Bone]:
        """The bones of the file, in the order of poses. Raises InputError for a rig that was made from arrays."""
        return [Bone(*self._core.bone(i)) for i in range(self.bone_count)]

    @property
    def morphs(self) -> list[Morph]:
        """The morph targets."""
        return [Morph(*self._core.morph(i)) for i in range(self._morph_count)]

    @property
    def warnings(self) -> list[Warning]:
        """What was repaired or lost."""
        return [Warning(*self._core.warning(i)) for i in range(self._warning_count)]

    def clip_index(self, clip: int | str | None) -> int:
        """The number of a clip; that behind the last for None, the file's own pose. Raises InputError."""
        if clip is None:
            return self._clip_count
        if isinstance(clip, str):
            names = [c.name for c in self.clips]
            if clip not in names:
                raise InputError("", f"clip {clip!r}", f"is none of {', '.join(map(repr, names)) or 'no clips'}")
            return names.index(clip)
        index = count("clip", clip)
        if index >= self._clip_count:
            raise InputError("", f"clip {index}", f"does not exist; there are {self._clip_count}")
        return index

    def pose(self, clip: int | str | None = None, seconds: float = 0.0) -> NDArray:
        """The pose of a clip, by number or name, at a time; the file's own pose without one.

        Returns (B, 3, 4): per bone the matrix from rest to pose, acting on columns (posed world times inverse bind).
        """
        out = np.empty((self.bone_count, 3, 4))
        self._core.pose(self.clip_index(clip), seconds, out)
        return out

    def morph_weights(self, clip: int | str | None = None, seconds: float = 0.0) -> NDArray:
        """The weights of a clip's morph targets at a time, (M,); the file's own without a clip."""
        out = np.empty((self._morph_count, 1))
        if self._morph_count:
            self._core.morph_weights(self.clip_index(clip), seconds, out)
        return out[:, 0]

    def _columns(self, record: int, slots: int, columns: Sequence[int]) -> list[NDArray]:
        arrays = []
        for column in columns:
            width = 3 if column >= _GRADIENT else 1
            out = np.empty((self.vertex_count, slots * width), np.int32 if column == _SLOT_BONES else np.float64)
            self._core.column(record, column, out, slots * width)
            arrays.append(out.reshape(-1, slots, 3) if width == 3 else out)
        return arrays

    def factors(self) -> Factors:
        """Deform factors, computed when first asked for. Each call copies them."""
        slots, *overflow, flat = self._core.record(0)
        bones, weights, alpha, beta, smooth_weight, gradient = self._columns(
            0, slots, (_SLOT_BONES, _SLOT_WEIGHTS, _ALPHA, _BETA, _SMOOTH_WEIGHT, _GRADIENT))
        return Factors(bones, weights, alpha, beta, smooth_weight, gradient, Overflow(*overflow), flat)

    def vectors(self) -> Vectors:
        """Deform vectors, computed when first asked for. Each call copies them."""
        slots, *overflow, flat = self._core.record(1)
        bones, weights, alpha, beta, along_t, along_b = self._columns(
            1, slots, (_SLOT_BONES, _SLOT_WEIGHTS, _ALPHA, _BETA, _ALONG_T, _ALONG_B))
        return Vectors(bones, weights, alpha, beta, along_t, along_b, Overflow(*overflow), flat)

    def frames(self, method: str = "dqs") -> Frames:
        """Deform frames of "dqs", "crs", "sbs" or "log", computed when first asked for. Each call copies them."""
        if method not in _FRAME_RECORDS:
            raise InputError("", "method", f"{method!r} is none of {', '.join(_FRAME_RECORDS)}")
        record = _FRAME_RECORDS[method]
        slots, *overflow, flat = self._core.record(record)
        bones, weights = self._columns(record, slots, (_SLOT_BONES, _SLOT_WEIGHTS))

        def column(which: int, *shape: int) -> NDArray:
            width = int(np.prod(shape))
            out = np.empty((self.vertex_count, width))
            self._core.column(record, which, out, width)
            return out.reshape(-1, *shape)

        return Frames(bones, weights, column(_FRAME_OFFSET, 2, slots), column(_FRAME_T, 2, 3), column(_FRAME_B, 2, 3),
                      column(_FRAME_ALPHA, 2), column(_FRAME_BETA, 2),
                      column(_FRAME_CENTRE, 2, 3) if method == "crs" else None, Overflow(*overflow), flat)

    def centres(self) -> NDArray:
        """Optimised centres of rotation in the rest pose, (V, 3)."""
        out = np.empty((self.vertex_count, 3))
        self._core.centres(out)
        return out

    def skin(self, pose: ArrayLike, *, method: str = "lbs", mode: str | None = None, guard: str | None = None,
             guard_c: float | None = None, guard_k: float | None = None, morph_weights: ArrayLike | None = None,
             outputs: Sequence[str] = ("positions", "normals"), dtype: DTypeLike = np.float64,
             out: Posed | None = None) -> Posed:
        """Poses the mesh. For every frame of an animation, `batch()` is many times faster.

        Parameters
        ----------
        pose : (B, 3, 4) or (B, 4, 4)
            Per bone the matrix from rest to pose, acting on columns: posed world times inverse bind.
        method : str
            How positions are blended: "lbs", "dqs", ...; all of them are `skinlight.names("method")`.
        mode : str, optional
            How normals follow: "standard", "deform", "exact", "deform-vectors", ...; else the best that reads deform
            factors. A wrong pair raises InputError listing what the method has.
        guard : str, optional
            Against flipped normals: "clamp", "joint", "test-then-fix". With `guard_c` and `guard_k`, numbers of your
            own. InputError where no guard acts, as on standard normals.
        morph_weights : (M,), optional
            Move the rest pose before the bones do. Standard normals move as the file says, those that read deform
            factors with the surface; "inverse-transpose", "cofactors", "tangent-pair", "deform-vectors" and
            "deform-frames" know the rest shape's faces only, and are wrong where targets move them.
        outputs : sequence of str
            Of "positions", "normals", "tangents", "bitangents".
        dtype : float64 or float32
            float32 computes as a GPU does.
        out : Posed, optional
            Arrays of one type to be filled, in the place of `outputs` and `dtype`; rows have to lie side by side.

        Returns
        -------
        Posed
            Arrays (V, 3); `out` when it was given.
        """
        if out is None:
            out = _new(_chosen(outputs), self.vertex_count, dtype)
        self._core.skin(pose, way(method, mode, guard, guard_c, guard_k), morph_weights, out)
        return out

    def batch(self, *, method: str = "lbs", mode: str | None = None, guard: str | None = None,
              guard_c: float | None = None, guard_k: float | None = None, morph_weights: ArrayLike | None = None,
              outputs: Sequence[str] = ("positions", "normals"), threads: int = 0) -> Batch:
        """The rig prepared for one way to skin in float32, to be posed every frame. Parameters as of `skin()`."""
        chosen = _chosen(outputs)
        # What is computed: 1 positions, 2 normals too, 3 tangents, 0 all.
        level = (max(OUTPUTS.index(name) for name in chosen) + 1) % len(OUTPUTS)
        core = _core.Batch(self._core, way(method, mode, guard, guard_c, guard_k), morph_weights, level,
                           count("threads", threads))
        return Batch(core, self.vertex_count, chosen)

    def truth(self, pose: ArrayLike, *, method: str = "lbs", morph_weights: ArrayLike | None = None) -> Truth:
        """What is true of a pose under a method: positions, true normals, areas. Parameters as of `skin()`."""
        vertices = (self.vertex_count, 3)
        truth = Truth(np.empty(vertices), np.empty(vertices), np.empty(vertices), np.empty(self.vertex_count))
        self._core.truth(pose, number("method", method), morph_weights, truth)
        return truth


class Batch:
    """A rig prepared for one way to skin; `Rig.batch()` makes them. Threads that pose one at the same time take turns:
    give each a `copy()`, which shares what is prepared."""

    def __init__(self, core: _core.Batch, vertex_count: int, outputs: tuple[str, ...]):
        self._core, self.vertex_count, self.outputs = core, vertex_count, outputs

    def skin(self, pose: ArrayLike, out: Posed | None = None) -> Posed:
        """Poses the mesh: what `Rig.skin()` computes in float32.

        `out`, float32 arrays (V, 3), is filled and returned when it is given: then nothing of the size of the mesh is
        allocated, only what is of the size of the pose.
        """
        if out is None:
            out = _new(self.outputs, self.vertex_count, np.float32)
        self._core.skin(pose, out)
        return out

    def copy(self) -> Batch:
        """For another thread."""
        return Batch(self._core.copy(), self.vertex_count, self.outputs)


def read(path: os.PathLike | str | bytes, *, influences: int = 4, slots: int | None = None, averaging: str = "usual",
         missing_normals: str = "usual", threads: int = 0) -> Rig:
    """`Rig.read()`."""
    return Rig.read(path, influences=influences, slots=slots, averaging=averaging, missing_normals=missing_normals,
                    threads=threads)
