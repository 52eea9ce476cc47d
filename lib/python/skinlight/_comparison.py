"""Kinds of normals side by side over the clips of a character."""

from __future__ import annotations

import os
from html import escape
from typing import TYPE_CHECKING, NamedTuple

import numpy as np

from . import _core
from ._audit import Errors
from ._errors import InputError, shown
from ._names import count, names, number, way
from ._rig import Rig, Warning

if TYPE_CHECKING:
    from collections.abc import Iterable, Sequence

    from numpy.typing import NDArray

_TRUTHS = ("transported", "recomputed")
_BOTH = len(_TRUTHS)
_NO_AREA = "the posed mesh has no area in any frame"  # of a clip that hides the character


class Row(NamedTuple):
    """One kind of normals over one clip, against one truth."""

    clip: str
    normals: str
    truth: str
    errors: Errors  # over all frames alike, every vertex by its share of the deformed area
    seconds: NDArray  # (frames,)
    means: NDArray  # (frames,), degrees: of each frame alone; NaN where the posed mesh has no area
    bone: str  # that holds errors.worst_vertex
    max_seconds: float  # of the frame that holds errors.max


def _cells(row: Row) -> list[str]:
    e, worst = row.errors, int(np.nanargmax(row.means))
    return [row.normals, row.truth, *(f"{x:.2f}" for x in (e.mean, e.rms, e.p95, e.max)), str(e.flips),
            f"{row.seconds[worst]:.2f} s ({row.means[worst]:.2f})",
            f"{e.worst_vertex} on {row.bone}, {row.max_seconds:.2f} s"]


_COLUMNS = ("normals", "truth", "mean", "RMS", "p95", "max", "flips", "worst frame", "worst vertex")


class Comparison(NamedTuple):
    """A table of errors in degrees, that of `skinlight compare`. `print()` it, `plot()` it, or take its rows."""

    model: str
    method: str
    rows: list[Row]
    warnings: list[Warning]  # of kinds that count as wrong for what they do not do, and of clips that hide the character

    def _clips(self) -> list[list[Row]]:
        return [[r for r in self.rows if r.clip == clip] for clip in dict.fromkeys(r.clip for r in self.rows)]

    def _title(self) -> str:
        return f"{self.model}, {self.method}"

    def _summary(self, width: int) -> list[str]:
        clips = self._clips()
        if len(clips) < 2:
            return []
        lines = ["", f"All {len(clips)} clips, each counting alike",
                 f"  {'normals':{width}} {'truth':12} {'mean':>6} {'max':>6} {'flips':>6}  worst clip (mean)"]
        for of_kind in zip(*clips):
            errors, worst = [r.errors for r in of_kind], max(of_kind, key=lambda r: r.errors.mean)
            lines.append(f"  {worst.normals:{width}} {worst.truth:12} {sum(e.mean for e in errors) / len(errors):6.2f} "
                         f"{max(e.max for e in errors):6.2f} {sum(e.flips for e in errors):6}  "
                         f"{worst.clip} ({worst.errors.mean:.2f})")
        return lines

    def __str__(self) -> str:
        width = max(len(name) for name in ("normals", *(r.normals for r in self.rows)))

        def line(cells: Iterable[str]) -> str:
            normals, truth, *numbers, frame, vertex = cells
            return f"  {normals:{width}} {truth:12} {' '.join(f'{n:>6}' for n in numbers)}  {frame:15}  {vertex}"

        lines = [*(f"warning: {w.element}: {w.reason}" for w in self.warnings), self._title(), "",
                 "Errors in degrees over all frames of a clip, weighted by deformed area"]
        for rows in self._clips():
            frames = len(rows[0].seconds)
            without = int(np.isnan(rows[0].means).sum())
            lines += ["", f"{rows[0].clip}: {frames} frame{'' if frames == 1 else 's'}, {rows[0].seconds[-1]:.2f} s"
                      + (f"; {without} without area, which do not count" if without else ""),
                      line(_COLUMNS), *(line(_cells(r)) for r in rows)]
        return "\n".join([*lines, *self._summary(width)])

    def _repr_html_(self) -> str:
        def line(tag: str, cells: Iterable[str]) -> str:
            return "<tr>" + "".join(f"<{tag}>{escape(cell)}</{tag}>" for cell in cells) + "</tr>"

        return (f"<table><caption>{escape(self._title())}: errors in degrees</caption>" + line("th", ("clip", *_COLUMNS))
                + "".join(line("td", (r.clip, *_cells(r))) for r in self.rows) + "</table>")

    def plot(self, axes=None):
        """The mean error of each frame over time, one clip beside the other, drawn by matplotlib: against the
        transported truth where it was measured.

        axes: one matplotlib Axes per clip, else a new figure. Returns the figure.
        """
        try:
            import matplotlib.pyplot as plt
        except ImportError as e:
            raise ImportError("Comparison.plot() needs matplotlib, which is not installed") from e
        clips = self._clips()
        if axes is None:
            _, axes = plt.subplots(1, len(clips), figsize=(4 * len(clips), 3), sharey=True, squeeze=False,
                                   layout="constrained")
        axes = np.ravel(axes)
        if len(axes) != len(clips):
            raise InputError("", "axes", f"there are {len(axes)}, the clips are {len(clips)}")
        for axis, rows in zip(axes, clips):
            for row in rows:
                if row.truth == self.rows[0].truth:
                    axis.plot(row.seconds, row.means, label=row.normals, marker="o" if len(row.means) == 1 else "")
            axis.set(title=rows[0].clip, xlabel="seconds", ylim=(0, None))
        axes[0].set_ylabel("mean error, degrees")
        axes[0].legend(frameon=False)
        return axes[0].figure


def _way(method: str, kind: str) -> _core.Way:
    if not isinstance(kind, str):
        raise InputError("", "normals", f"{kind!r} is no name")
    mode, plus, guard = kind.partition("+")
    return way(method, mode, guard if plus else None, None, None)


def _usual(method: str) -> list[str]:
    return [names("mode")[mode] + ("+" + names("guard")[guard] if guard else "")
            for mode, guard in _core.usual_ways(number("method", method))]


def _kinds(normals: Sequence[str] | None, method: str) -> list[str]:
    if normals is None:
        return _usual(method)
    kinds = [normals] if isinstance(normals, str) else list(normals)
    for i, kind in enumerate(kinds):
        if kind in kinds[:i]:
            raise InputError("", f"normals {kind!r}", "are listed twice")
    return kinds


def compare(character: Rig | os.PathLike | str | bytes, normals: Sequence[str] | None = None, *, method: str = "lbs",
            clips: Sequence[int | str] | None = None, frames: int = _core.usual_frames(), truth: str | None = None,
            threads: int = 0) -> Comparison:
    """How far kinds of normals are from the truth over the clips of a character: what `skinlight compare` measures.

    Parameters
    ----------
    character : path or Rig
    normals : sequence of str, optional
        A mode and perhaps a guard each: "standard", "deform", "deform+test-then-fix", "deform-vectors", ... Of those that
        do not follow morph targets `warnings` of the result tells. Else the usual ones of the method: standard normals,
        those of deform factors, also with a guard, and those for coarse meshes.
    clips : sequence of int or str, optional
        Numbers or names; else all of them, or the file's default pose, one frame, when it has none.
    frames : int
        Per clip, evenly from its first to its last second.
    truth : str, optional
        "transported": rest normals carried by the posed triangles; "recomputed": from the posed triangles alone; else
        a row for each.
    """
    if truth is not None and truth not in _TRUTHS:
        raise InputError("", "truth", f"{truth!r} is none of {', '.join(_TRUTHS)}")
    truths = _TRUTHS if truth is None else (truth,)
    kinds = _kinds(normals, method)
    ways = [_way(method, kind) for kind in kinds]
    frames = count("frames", frames, 1)
    rig = character if isinstance(character, Rig) else Rig.read(character, threads=threads)
    known = [clip.name for clip in rig.clips]
    chosen = [rig.clip_index(clip) for clip in clips] if clips is not None else list(range(len(known)))
    holders = rig.bones[:, 0]
    warnings = [Warning(*told) for told in map(rig._core.way_warning, ways) if told]
    rows = []
    for clip in chosen or [len(known)]:
        of_clip = frames if clip < len(known) else 1
        measured = len(ways) * len(truths)
        seconds, means, max_seconds = np.empty(of_clip), np.empty((measured, of_clip)), np.empty(measured)
        name = known[clip] if clip < len(known) else "default pose"
        try:
            errors = [Errors(*e) for e in rig._core.compare(clip, of_clip, ways, _BOTH if truth is None else
                                                            _TRUTHS.index(truth), seconds, means, max_seconds)]
        except InputError as error:
            if error.reason != _NO_AREA or len(chosen) < 2:
                raise
            warnings.append(Warning(f"clip {name}", f"{_NO_AREA}: not measured", of_clip))
            continue
        skeleton = rig.skeleton
        for i, e in enumerate(errors):
            bone = holders[e.worst_vertex]
            rows.append(Row(name, kinds[i // len(truths)], truths[i % len(truths)], e, seconds, means[i],
                            skeleton[bone].name or f"bone {bone}", float(max_seconds[i])))
    model = "rig" if isinstance(character, Rig) else shown(os.path.basename(os.fsdecode(character)))
    if not rows:
        raise InputError("", "clips", _NO_AREA)
    return Comparison(model, method, rows, warnings)
