"""Composes [BTGM19 Fig. 6] from out/bittner2019/fig6_cuboid/: the cuboid under LBS, DQS, CRS, then SBS and LOG; beyond 180.

usage: fig6_cuboid.py OUT_DIR

Reads run.json, shape.csv, beyond_180.csv and the pictures of OUT_DIR/bittner2019/fig6_cuboid/ and writes figure.pdf and
figure.png beside them.
"""

import sys
from pathlib import Path

sys.path.insert(0, str(Path(__file__).resolve().parents[1]))
sys.path.insert(0, str(Path(__file__).resolve().parent))

from common import InputError, figure_command, load_table
from panels import LABELS, METHODS, curves, picture_row, plot_axes, row_width

EXPERIMENT = "bittner2019/fig6_cuboid"
UPPER, LOWER = ("lbs", "dqs", "crs"), ("sbs", "log")
SHAPE = {"method": str, "section_170": float, "volume_both": float, "bulge": float}
BEYOND = {"method": str, "twist_deg": float, "angle_deg": float, "radius": float}
HEIGHT = 2.0  # inches


def broken(x, y):
    """The curve with a gap wherever the angle jumps."""
    xs, ys = [x[0]], [y[0]]
    for before, a, b in zip(y, x[1:], y[1:]):
        if abs(b - before) > 90:
            xs.append(a)
            ys.append(float("nan"))
        xs.append(a)
        ys.append(b)
    return xs, ys


def _captions(folder):
    path = folder / "shape.csv"
    table = {row["method"]: row for row in load_table(path, SHAPE)}
    missing = [name for name, *_ in METHODS if name not in table]
    if missing:
        raise InputError(path, "has no row", f"method {missing[0]}")
    return {name: f"volume {row['volume_both']:.3f}, bulge {row['bulge']:.3f}" for name, row in table.items()}


def compose(folder):
    from matplotlib.figure import Figure

    captions = _captions(folder)
    letters = dict(zip(UPPER + LOWER, "abcde"))
    titles = {name: f"({letters[name]}) {LABELS[name]}" for name in letters}
    rows = [[(f"{name}.png", titles[name]) for name in row] for row in (UPPER, LOWER)]
    width = 0.2 + row_width(folder, rows[0], HEIGHT)
    figure = Figure(figsize=(width, 2 * HEIGHT + 1.15))
    for row, names, bottom in ((rows[0], UPPER, HEIGHT + 0.85), (rows[1], LOWER, 0.25)):
        axes_row, right = picture_row(figure, folder, row, 0.1, bottom, HEIGHT)
        for axes, name in zip(axes_row, names):
            axes.text(0.5, -0.02, captions[name], transform=axes.transAxes, ha="center", va="top")
    path = folder / "beyond_180.csv"
    table = load_table(path, BEYOND)
    left, wide = right + 0.65, width - right - 0.75
    angle, radius = plot_axes(figure, left, 1.35, wide, 0.95), plot_axes(figure, left, 0.42, wide, 0.7)
    for label, colour, dash, x, y in curves(table, path, "twist_deg", "angle_deg"):
        angle.plot(*broken(x, y), color=colour, linestyle=dash, label=label)
    for label, colour, dash, x, y in curves(table, path, "twist_deg", "radius"):
        radius.plot(x, y, color=colour, linestyle=dash)
    for axes in (angle, radius):
        axes.set_xticks(range(0, 361, 90))
    angle.set_xticklabels([])
    angle.set_yticks((-90, 0, 90))
    angle.set_ylabel("angle, °")
    angle.set_title("(f) a vertex at the joint", pad=4)
    angle.legend(loc="lower left", ncol=2, fontsize=6.5, handlelength=2.2, borderaxespad=0.1, columnspacing=0.8)
    radius.set_ylabel("radius")
    radius.set_ylim(-0.03, 0.57)
    radius.set_xlabel("twist, degrees", labelpad=1)
    return figure


if __name__ == "__main__":
    sys.exit(figure_command(__doc__, EXPERIMENT, compose))
