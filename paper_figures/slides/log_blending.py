"""Draws parts of two transformations in turns, and a spline over keyframes, from out/slides/log_blending/.

usage: log_blending.py OUT_DIR

Reads run.json and the tables of OUT_DIR/slides/log_blending/ and writes figure.pdf and figure.png beside them.
"""

import sys
from pathlib import Path

sys.path.insert(0, str(Path(__file__).resolve().parents[1]))

from common import InputError, figure_command, load_table
from palette import BLACK, BLUE, GREY, VERMILION

EXPERIMENT = "slides/log_blending"
ORDERS = {"parts": int, "order": str, "step": float, "x": float, "y": float}
APART = {"parts": int, "apart": float}
SPLINE = {"way": str, "t": float, "x": float, "y": float, "axis_x": float, "axis_y": float}
PARTS = (1, 2, 4)
WORDS = [("shift_first", "shift first", BLUE), ("turn_first", "turn first", VERMILION)]


def compose(folder):
    from matplotlib.figure import Figure

    figure = Figure(figsize=(9.2, 5.6))
    grid = figure.add_gridspec(2, 4, left=0.06, right=0.985, bottom=0.09, top=0.94, wspace=0.36, hspace=0.55)
    rows = load_table(folder / "orders.csv", ORDERS)
    for column, parts in enumerate(PARTS):
        _draw_orders(figure.add_subplot(grid[0, column]), rows, folder / "orders.csv", parts)
    _draw_apart(figure.add_subplot(grid[0, 3]), folder / "orders_apart.csv")
    _draw_spline(figure.add_subplot(grid[1, :]), folder / "de_boor.csv")
    return figure


def _chosen(rows, path, **wanted):
    chosen = [row for row in rows if all(row[key] == value for key, value in wanted.items())]
    if not chosen:
        raise InputError(path, "no rows", ", ".join(f"{key} {value}" for key, value in wanted.items()))
    return chosen


def _draw_orders(axes, rows, path, parts):
    both = _chosen(rows, path, order="sum")
    axes.plot([row["x"] for row in both], [row["y"] for row in both], color=BLACK, linestyle="--", linewidth=1,
              label="exp t(log A + log B)")
    for order, label, colour in WORDS:
        chosen = _chosen(rows, path, parts=parts, order=order)
        x, y = [row["x"] for row in chosen], [row["y"] for row in chosen]
        axes.plot(x, y, color=colour, linewidth=1.2, label=label)
        axes.plot(x[-1], y[-1], marker="o", color=colour, markersize=5)
    shown = [row for row in rows if row["parts"] in (0, *PARTS)]
    for limits, key in ((axes.set_xlim, "x"), (axes.set_ylim, "y")):
        low, high = min(row[key] for row in shown), max(row[key] for row in shown)
        limits(low - 0.15, high + 0.15)
    axes.set_aspect("equal", adjustable="box")
    axes.set_title("A, then B" if parts == 1 else f"in {parts} parts each")
    axes.set_xlabel("x")
    if parts == PARTS[0]:
        axes.set_ylabel("y")
        axes.figure.legend(loc="center", bbox_to_anchor=(0.4, 0.515), ncols=3, fontsize=7.5, handlelength=1.6)


def _draw_apart(axes, path):
    rows = load_table(path, APART)
    axes.plot([row["parts"] for row in rows], [row["apart"] for row in rows], marker="o", markersize=4, color=BLUE)
    axes.set_xscale("log", base=2)
    axes.set_yscale("log")
    axes.set_xticks([1, 16, 256], ["1", "16", "256"])
    axes.set_xlabel("parts n")
    axes.set_title("The two orders apart")


def _draw_spline(axes, path):
    rows = load_table(path, SPLINE)
    for way, label, colour in (("linear", "matrix entries", GREY), ("screw", "screws", VERMILION)):
        chosen = _chosen(rows, path, way=way)
        axes.plot([row["x"] for row in chosen], [row["y"] for row in chosen], color=colour, label=f"origin, {label}")
        for row in chosen[::4]:
            axes.plot([row["x"], row["x"] + 0.6 * row["axis_x"]], [row["y"], row["y"] + 0.6 * row["axis_y"]],
                      color=colour, linewidth=0.9)
    keys = _chosen(rows, path, way="key")
    axes.plot([row["x"] for row in keys], [row["y"] for row in keys], linestyle="none", marker="s", color=BLACK,
              markersize=4, label="keyframes")
    axes.set_aspect("equal", adjustable="datalim")
    axes.set_xlabel("x")
    axes.set_ylabel("y")
    axes.set_title("De Boor over seven keyframes: path of the origin, strokes show the body's x axis "
                   "(shorter where it shrinks)")
    axes.legend(loc="best", fontsize=7.5)


if __name__ == "__main__":
    sys.exit(figure_command(__doc__, EXPERIMENT, compose))
