"""Composes the flipped normals of [TPS14 Fig. 5] from out/tarini2014/fig5_flips/: guards, tilts, counts, costs.

usage: fig5_flips.py OUT_DIR

Reads run.json, guards.csv and the panels of OUT_DIR/tarini2014/fig5_flips/ and writes figure.pdf and figure.png
beside them.
"""

import csv
import io
import sys
from pathlib import Path

sys.path.insert(0, str(Path(__file__).resolve().parents[1]))

from common import InputError, figure_command, load_image
from palette import BLUE, ORANGE

EXPERIMENT = "tarini2014/fig5_flips"
UPPER = [("standard.png", "(a) standard"), ("unguarded.png", "(b) unguarded"), ("clamp.png", "(c) clamp, c = 0.9"),
         ("test_then_fix.png", "(d) test and fix"), ("truth.png", "(e) truth")]
LOWER = [("joint.png", "(f) joint guard"), ("tilt_unguarded.png", "(g) unguarded: angle to T n0"),
         ("tilt_clamp-0.9.png", "(h) clamp: angle to T n0"), ("tilt_test-then-fix.png", "(i) fix: angle to T n0")]
ROWS = [("standard", "standard"), ("unguarded", "unguarded"), ("clamp-0.9", "clamp 0.9"),
        ("clamp-0.707", "clamp 0.707"), ("clamp-0.5", "clamp 0.5"), ("joint", "joint 0.9"),
        ("test-then-fix-0.9", "clamp 0.9, then fix"), ("test-then-fix", "test and fix")]
AGAINST = [("flips_against_Tn0", "against T n0", BLUE), ("flips_against_transported", "against the truth", ORANGE)]


def load_counts(path):
    """normals -> the columns of guards.csv on the jagged rig turned by 60 degrees, as numbers."""
    try:
        rows = list(csv.DictReader(io.StringIO(path.read_text(encoding="utf-8"))))
    except OSError as error:
        raise InputError(path, error.strerror or "cannot be read") from None
    counts = {}
    try:
        for row in rows:
            if row["rig"] == "jagged" and float(row["degrees"]) == 60:
                counts[row["normals"]] = {key: float(row[key]) for key in
                                          ("vertices", "regular_lost_deg", *(name for name, _, _ in AGAINST))}
    except (KeyError, TypeError, ValueError) as error:
        raise InputError(path, f"cannot be understood: {error}") from None
    for name, _ in ROWS:
        if name not in counts:
            raise InputError(path, "has no row for the jagged rig turned by 60 degrees", name)
    return counts


def compose(folder):
    from matplotlib.figure import Figure

    counts = load_counts(folder / "guards.csv")
    pictures = {name: load_image(folder, name) for name, _ in UPPER + LOWER}
    height, width = pictures["standard.png"].shape[:2]
    panel = 1.9
    figure = Figure(figsize=(5 * panel + 0.3, 2 * (panel * height / width + 0.4) + 0.3))
    grid = figure.add_gridspec(2, 5, left=0.01, right=0.985, bottom=0.02, top=0.955, wspace=0.05, hspace=0.1)
    for row, panels in enumerate((UPPER, LOWER)):
        for column, (name, title) in enumerate(panels):
            axes = figure.add_subplot(grid[row, column])
            axes.imshow(pictures[name], interpolation="lanczos")
            axes.set_title(title, pad=4)
            axes.set_anchor("N")
            axes.axis("off")
    cell = grid[1, 4].get_position(figure)
    half = cell.height / 2
    left, inner = cell.x0 + 0.105, cell.width - 0.105
    _bars(figure.add_axes([left, cell.y0 + half + 0.06, inner, half - 0.07]), counts,
          [(key, label, colour, 1) for key, label, colour in AGAINST], "(j) flipped, %")
    _bars(figure.add_axes([left, cell.y0 + 0.025, inner, half - 0.105]), counts,
          [("regular_lost_deg", "", BLUE, 0)], "(k) cost, degrees")
    return figure


def _bars(axes, counts, series, title):
    """Horizontal bars, one group per guard; a share of the vertices in percent where the last entry says so."""
    thickness = 0.8 / len(series)
    rows = ROWS if series[0][3] else ROWS[2:]
    for i, (key, label, colour, share) in enumerate(series):
        values = [100 * counts[n][key] / counts[n]["vertices"] if share else counts[n][key] for n, _ in rows]
        at = [y + (i - (len(series) - 1) / 2) * thickness for y in range(len(rows))]
        axes.barh(at, values, thickness, color=colour, label=label)
    axes.set_yticks(range(len(rows)), [label for _, label in rows])
    axes.tick_params(labelsize=6.5)
    axes.invert_yaxis()
    axes.set_title(title, pad=4, loc="right")
    if len(series) > 1:
        axes.legend(fontsize=6.5, loc="upper right", bbox_to_anchor=(1.05, -0.24), borderaxespad=0, ncols=2,
                    handlelength=1, columnspacing=0.8)


if __name__ == "__main__":
    sys.exit(figure_command(__doc__, EXPERIMENT, compose))
