"""Composes [BTGM19 Fig. 1] from out/bittner2019/fig1_candywrapper/: a limb twisted ever more, and its waist as a curve.

usage: fig1_candywrapper.py OUT_DIR

Reads run.json, waist.csv and the pictures of OUT_DIR/bittner2019/fig1_candywrapper/ and writes figure.pdf and figure.png
beside them.
"""

import sys
from pathlib import Path

sys.path.insert(0, str(Path(__file__).resolve().parents[1]))
sys.path.insert(0, str(Path(__file__).resolve().parent))

from common import figure_command, load_table
from panels import curves, picture_row, plot_axes, row_width

EXPERIMENT = "bittner2019/fig1_candywrapper"
PICTURES = (("lbs_0.png", "rest"), ("lbs_90.png", "LBS, 90°"), ("lbs_150.png", "LBS, 150°"),
            ("lbs_180.png", "LBS, 180°"), ("dqs_180.png", "DQS, 180°"))
HEIGHT = 2.6  # inches


def compose(folder):
    from matplotlib.figure import Figure

    path = folder / "waist.csv"
    rows = load_table(path, {"method": str, "twist_deg": float, "waist": float})
    right = 0.1 + row_width(folder, PICTURES, HEIGHT)
    figure = Figure(figsize=(right + 3.1, HEIGHT + 0.45))
    picture_row(figure, folder, PICTURES, 0.1, 0.08, HEIGHT)
    axes = plot_axes(figure, right + 0.6, 0.5, 2.35, HEIGHT - 0.5)
    for label, colour, dash, x, y in curves(rows, path, "twist_deg", "waist", ("lbs", "dqs")):
        axes.plot(x, y, color=colour, linestyle=dash, label=label)
    axes.set_xlabel("twist, degrees")
    axes.set_ylabel("radius at the waist, 1 at rest")
    axes.set_xticks(range(0, 181, 45))
    axes.set_ylim(-0.03, 1.08)
    axes.legend(loc="lower left")
    return figure


if __name__ == "__main__":
    sys.exit(figure_command(__doc__, EXPERIMENT, compose))
