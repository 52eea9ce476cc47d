"""Composes deform frames on game characters from out/beyond/coarse_nonlinear/: a frame, and their errors beside the others'.

usage: coarse_nonlinear.py OUT_DIR

Reads run.json, summary.csv, random.csv and the picture of a model of OUT_DIR/beyond/coarse_nonlinear/ and writes figure.pdf and figure.png
beside them.
"""

import sys
from pathlib import Path

sys.path.insert(0, str(Path(__file__).resolve().parents[1]))

from common import InputError, figure_command, load_image, load_table
from palette import APPROXIMATION, SMOOTHED, STANDARD, VECTORS

EXPERIMENT = "beyond/coarse_nonlinear"
WAYS = [("standard", "standard", STANDARD, "o"), ("paper", "the paper's", APPROXIMATION, "s"),
        ("smoothed", "smooth weights", SMOOTHED, "D"), ("frames", "deform frames", VECTORS, "^")]
SHEETS = [("trex", "the T. rex"), ("quaternius-formal", "Formal"), ("fox", "the fox")]  # the first that was drawn is shown
WIDTH = 10.2  # inches
TURNED = [way for way in WAYS if way[0] != "standard"]  # standard normals were not posed at random


def compose(folder):
    from matplotlib.figure import Figure

    file, name = next((sheet for sheet in SHEETS if (folder / f"{sheet[0]}.png").exists()), SHEETS[0])
    sheet = load_image(folder, f"{file}.png")
    tall = WIDTH * sheet.shape[0] / sheet.shape[1]
    height = tall + 3.9
    figure = Figure(figsize=(WIDTH, height))
    top = figure.add_axes((0, 1 - (tall + 0.35) / height, 1, tall / height))
    top.imshow(sheet, interpolation="antialiased")
    top.set_axis_off()
    figure.text(0.5, 1 - 0.2 / height, f"(a) {name} under dual quaternions, where standard normals are worst", ha="center",
                fontsize=10)
    grid = figure.add_gridspec(1, 2, left=0.07, right=0.985, bottom=0.75 / height, top=2.95 / height, wspace=0.17,
                               width_ratios=(3, 2))
    _draw_models(figure.add_subplot(grid[0]), folder / "summary.csv")
    _draw_turns(figure.add_subplot(grid[1]), folder / "random.csv")
    handles, labels = figure.axes[1].get_legend_handles_labels()
    figure.legend(handles, labels, loc="lower center", bbox_to_anchor=(0.5, 0.005), ncols=len(WAYS))
    return figure


def _draw_models(axes, path):
    """Over all clips of each model, against the posed triangles."""
    columns = {"model": str, "method": str, "truth": str, **{way: _if_any for way, *_ in WAYS}}
    rows = [row for row in load_table(path, columns) if (row["method"], row["truth"]) == ("dqs", "transported")]
    if not rows:
        raise InputError(path, "has no rows of dual quaternions against the transported truth")
    for row in rows:
        for way, *_ in WAYS:
            if row[way] is None:
                raise InputError(path, f"has no error of {way}", f"model {row['model']}")
    for place, (way, label, colour, _) in enumerate(WAYS):
        axes.bar([i + 0.2 * (place - 1.5) for i in range(len(rows))], [row[way] for row in rows], 0.2, color=colour,
                 label=label)
    axes.set_xticks(range(len(rows)), [row["model"].removeprefix("quaternius-") for row in rows])
    axes.set_ylabel("mean error (degrees)")
    axes.set_title("(b) over every clip")
    axes.grid(axis="x", visible=False)


def _if_any(text):
    """Other methods than dual quaternions have no approximation by the paper."""
    return float(text) if text else None


def _draw_turns(axes, path):
    """The middle model where every joint turns at random: the mean of the two middle ones of an even number."""
    rows = load_table(path, {"degrees": float, **{way: float for way, *_ in TURNED}})
    turns = sorted({row["degrees"] for row in rows})
    for way, _, colour, marker in TURNED:
        axes.plot(turns, [_median([row[way] for row in rows if row["degrees"] == turn]) for turn in turns], color=colour,
                  marker=marker)
    axes.set_xticks(turns, [f"{turn:g}°" for turn in turns])
    axes.set_ylim(0, None)
    axes.set_xlabel("standard deviation of the turns of every joint")
    axes.set_title("(c) in poses nobody animated, median model")


def _median(values):
    ordered = sorted(values)
    return (ordered[(len(ordered) - 1) // 2] + ordered[len(ordered) // 2]) / 2


if __name__ == "__main__":
    sys.exit(figure_command(__doc__, EXPERIMENT, compose))
