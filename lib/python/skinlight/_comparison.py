"""Kinds of normals side by side over the clips of a character."""

from __future__ import annotations

import os
from html import escape
from typing import TYPE_CHECKING, NamedTuple

import numpy as np

from . import _core
from ._audit import Errors
from ._errors import InputError
from ._names import count, way
from ._rig import Rig, Warning

if TYPE_CHECKING:
    from collections.abc import Iterable, Sequence

    from numpy.typing import NDArray

_TRUTHS = {"transported": 0, "recomputed": 1}
_COLUMNS = ("clip", "normals", "mean", "RMS", "p95", "max", "flips")


class Row(NamedTuple):
    """One kind of normals over one clip."""

    clip: str
    normals: str
    errors: Errors  # over all frames alike, every vertex by its share of the deformed area
    seconds: NDArray  # (frames,)
    means: NDArray  # (frames,), degrees: of each frame alone


class Comparison(NamedTuple):
    """A table of errors in degrees. `print()` it, `plot()` it, or take its rows."""

    model: str
    method: str
    truth: str
    rows: list[Row]
    warnings: list[Warning]  # of kinds that count as wrong for what they do not do

    def _cells(self) -> list[list[str]]:
        return [[r.clip, r.normals, *(f"{x:.2f}" for x in (r.errors.mean, r.errors.rms, r.errors.p95, r.errors.max)),
                 str(r.errors.flips)] for r in self.rows]

    def __str__(self) -> str:
        lines = [list(_COLUMNS), *self._cells()]
        widths = [max(len(line[i]) for line in lines) for i in range(len(_COLUMNS))]
        title = f"{self.model}: degrees from the {self.truth} truth, {self.method}"
        told = [f"warning: {w.element}: {w.reason}" for w in self.warnings]
        return "\n".join([*told, title, *("  ".join(cell.ljust(width) if i < 2 else cell.rjust(width)
                                             for i, (cell, width) in enumerate(zip(line, widths)))
                                   for line in lines)])

    def _repr_html_(self) -> str:
        def line(tag: str, cells: Iterable[str]) -> str:
            return "<tr>" + "".join(f"<{tag}>{escape(cell)}</{tag}>" for cell in cells) + "</tr>"

        return (f"<table><caption>{escape(self.model)}: degrees from the {self.truth} truth, {self.method}</caption>"
                + line("th", _COLUMNS) + "".join(line("td", cells) for cells in self._cells()) + "</table>")

    def plot(self, axes=None):
        """The mean error of each frame over time, one clip beside the other, drawn by matplotlib.

        axes: one matplotlib Axes per clip, else a new figure. Returns the figure.
        """
        try:
            import matplotlib.pyplot as plt
        except ImportError as e:
            raise ImportError("Comparison.plot() needs matplotlib, which is not installed") from e
        clips = list(dict.fromkeys(row.clip for row in self.rows))
        if axes is None:
            _, axes = plt.subplots(1, len(clips), figsize=(4 * len(clips), 3), sharey=True, squeeze=False,
                                   layout="constrained")
        axes = np.ravel(axes)
        if len(axes) != len(clips):
            raise InputError("", "axes", f"there are {len(axes)}, the clips are {len(clips)}")
        for axis, clip in zip(axes, clips):
            for row in self.rows:
                if row.clip == clip:
                    axis.plot(row.seconds, row.means, label=row.normals, marker="o" if len(row.means) == 1 else "")
            axis.set(title=clip, xlabel="seconds", ylim=(0, None))
        axes[0].set_ylabel("mean error, degrees")
        axes[0].legend(frameon=False)
        return axes[0].figure


def _way(method: str, kind: str) -> _core.Way:
    if not isinstance(kind, str):
        raise InputError("", "normals", f"{kind!r} is no name")
    mode, plus, guard = kind.partition("+")
    return way(method, mode, guard if plus else None, None, None)


def compare(character: Rig | os.PathLike | str, normals: Sequence[str] = ("standard", "deform"), *,
            method: str = "lbs", clips: Sequence[int | str] | None = None, frames: int = 30,
            truth: str = "transported", threads: int = 0) -> Comparison:
    """How far kinds of normals are from the truth over the clips of a character.

    Parameters
    ----------
    character : path or Rig
    normals : sequence of str
        A mode and perhaps a guard each: "standard", "deform", "deform+test-then-fix", "deform-vectors", ... Of those that
        do not follow morph targets `warnings` of the result tells.
    clips : sequence of int or str, optional
        Numbers or names; else all of them, or the file's own pose when it has none.
    frames : int
        Per clip, evenly from its first to its last second.
    truth : str
        "transported": rest normals carried by the posed triangles; "recomputed": from the posed triangles alone.
    """
    if truth not in _TRUTHS:
        raise InputError("", "truth", f"{truth!r} is none of {', '.join(_TRUTHS)}")
    kinds = [normals] if isinstance(normals, str) else list(normals)
    ways = [_way(method, kind) for kind in kinds]
    frames = count("frames", frames, 1)
    rig = character if isinstance(character, Rig) else Rig.read(character, threads=threads)
    known = [clip.name for clip in rig.clips]
    chosen = [rig.clip_index(clip) for clip in clips] if clips is not None else list(range(len(known)))
    rows = []
    for clip in chosen or [len(known)]:
        seconds, means = np.empty(frames), np.empty((len(ways), frames))
        errors = rig._core.compare(clip, frames, ways, _TRUTHS[truth], seconds, means)
        name = known[clip] if clip < len(known) else "own pose"
        rows += [Row(name, kind, Errors(*e), seconds, m) for kind, e, m in zip(kinds, errors, means)]
    model = "rig" if isinstance(character, Rig) else os.path.basename(os.fsdecode(character))
    warnings = [Warning(*told) for told in map(rig._core.way_warning, ways) if told]
    return Comparison(model, method, truth, rows, warnings)
