"""Draws the curves of [SLIDES] "Interpolation of Transformations" from out/slides/interpolation/.

usage: interpolation.py OUT_DIR

Reads run.json and the tables of OUT_DIR/slides/interpolation/ and writes figure.pdf and figure.png beside them.
"""

import sys
from pathlib import Path

sys.path.insert(0, str(Path(__file__).resolve().parents[1]))

from common import InputError, figure_command, load_table
from palette import BLUE, GREEN, GREY, SKINNING, SKY, VERMILION

EXPERIMENT = "slides/interpolation"
SPEED = {"way": str, "turn_deg": float, "t": float, "turned_deg": float, "speed": float}
PATHS = {"way": str, "t": float, "x": float, "y": float, "z": float, "turned_deg": float, "departure": float}
CURVE = {"way": str, "t": float, "x": float, "y": float, "axis_x": float, "axis_y": float, "departure": float}
PARTS = {"parts": int, "difference": float}
# Blending's colours, of which each of these ways is the one between two transforms.
WAYS = [("linear", "matrix entries", SKINNING["lbs"], ":"), ("decomposed", "in parts", GREY, "-"),
        ("log", "sum of logarithms", SKINNING["log"], "-"), ("power", "matrix powers", GREEN, "-"),
        ("screw", "screw (dual quaternions)", SKINNING["dqs"], "--")]
TURNS = [(60, SKY), (120, BLUE), (180, VERMILION)]


def rows_of(rows, path, **wanted):
    chosen = [row for row in rows if all(row[key] == value for key, value in wanted.items())]
    if not chosen:
        raise InputError(path, "no rows", ", ".join(f"{key} {value}" for key, value in wanted.items()))
    return chosen


def column(rows, name):
    return [row[name] for row in rows]


def compose(folder):
    from matplotlib.figure import Figure

    figure = Figure(figsize=(9.2, 6.2))
    grid = figure.add_gridspec(2, 3, left=0.065, right=0.985, bottom=0.08, top=0.945, wspace=0.32, hspace=0.38)
    _draw_speed(figure.add_subplot(grid[0, 0]), folder / "speed.csv")
    paths = load_table(folder / "paths.csv", PATHS)
    _draw_path(figure.add_subplot(grid[0, 1]), paths, folder / "paths.csv")
    _draw_departure(figure.add_subplot(grid[0, 2]), paths, folder / "paths.csv")
    _draw_curve(figure.add_subplot(grid[1, :2]), folder / "casteljau.csv")
    _draw_interwoven(figure.add_subplot(grid[1, 2]), folder / "interwoven.csv")
    return figure


def _draw_speed(axes, path):
    rows = load_table(path, SPEED)
    for turn, colour in TURNS:
        chosen = rows_of(rows, path, way="qlerp", turn_deg=turn)
        axes.plot(column(chosen, "t"), column(chosen, "speed"), color=colour, label=f"QLERP, {turn}°")
    chosen = rows_of(rows, path, way="slerp", turn_deg=180)
    axes.plot(column(chosen, "t"), column(chosen, "speed"), color="black", linestyle="--", label="SLERP, any")
    axes.set_ylim(0.5, 1.62)
    axes.set_xlabel("parameter t")
    axes.set_ylabel("speed / mean speed")
    axes.set_title("Rotation speed")
    axes.legend(loc="upper right", ncols=2, columnspacing=0.8, handlelength=1.4, fontsize=7)


def _draw_path(axes, rows, path):
    for way, label, colour, dash in WAYS:
        chosen = rows_of(rows, path, way=way)
        axes.plot(column(chosen, "x"), column(chosen, "y"), color=colour, linestyle=dash, label=label,
                  linewidth=2.6 if way == "power" else 1.5)
    ends = rows_of(rows, path, way="linear")
    for row, name, shift in ((ends[0], "A", (-11, -3)), (ends[-1], "B", (6, -3))):
        axes.plot(row["x"], row["y"], marker="o", color="black", markersize=4)
        axes.annotate(name, (row["x"], row["y"]), xytext=shift, textcoords="offset points")
    axes.set_aspect("equal", adjustable="datalim")
    axes.set_xlabel("x")
    axes.set_ylabel("y")
    axes.set_title("A point between two rigid motions")


def _draw_departure(axes, rows, path):
    for way, label, colour, dash in WAYS:
        chosen = rows_of(rows, path, way=way)
        axes.plot(column(chosen, "t"), column(chosen, "departure"), color=colour, linestyle=dash, label=label)
    axes.set_xlabel("parameter t")
    axes.set_ylabel("largest entry of $A^TA - I$")
    axes.set_title("Departure from a rotation")
    axes.set_ylim(-0.05, 1.65)  # room for the legend above the curves
    axes.legend(loc="upper center", fontsize=7, handlelength=2.2)


def _draw_curve(axes, path):
    rows = load_table(path, CURVE)
    for way, label, colour in (("linear", "matrix entries", SKINNING["lbs"]), ("screw", "screws", SKINNING["dqs"])):
        chosen = rows_of(rows, path, way=way)
        axes.plot(column(chosen, "x"), column(chosen, "y"), color=colour, label=f"origin, {label}")
        for row in chosen[::4]:
            axes.plot([row["x"], row["x"] + 0.6 * row["axis_x"]], [row["y"], row["y"] + 0.6 * row["axis_y"]],
                      color=colour, linewidth=0.9)
    axes.set_aspect("equal", adjustable="datalim")
    axes.set_xlabel("x")
    axes.set_ylabel("y")
    axes.set_title("De Casteljau over four keyframes: path of the origin, strokes show the body's x axis")
    axes.legend(loc="best", fontsize=7.5)


def _draw_interwoven(axes, path):
    rows = load_table(path, PARTS)
    axes.plot(column(rows, "parts"), column(rows, "difference"), marker="o", color=BLUE)
    axes.set_xscale("log", base=2)
    axes.set_yscale("log")
    axes.set_xticks([1, 4, 16, 64, 256], ["1", "4", "16", "64", "256"])
    axes.set_xlabel("parts n")
    axes.set_ylabel("largest difference of an entry")
    axes.set_title(r"$(A^{1/n}B^{1/n})^n$ against exp(log A + log B)")


if __name__ == "__main__":
    sys.exit(figure_command(__doc__, EXPERIMENT, compose))
