"""Draws into how many triangles meshes fall when edges are split to the letter, from out/bittner2019/centres_as_printed/.

usage: centres_as_printed.py OUT_DIR

Reads run.json and splitting.csv of OUT_DIR/bittner2019/centres_as_printed/ and writes figure.pdf and figure.png beside
them.
"""

import sys
from pathlib import Path

sys.path.insert(0, str(Path(__file__).resolve().parents[1]))

from common import figure_command, load_table
from palette import BLUE, GREY, VERMILION

EXPERIMENT = "bittner2019/centres_as_printed"
SPLITTING = {"rig": str, "threshold": float, "triangles": float, "as_met": float, "largest_first": float}
BARS = [("triangles", "as they are", GREY), ("largest_first", "longest edge first (ours)", BLUE),
        ("as_met", "as met (printed)", VERMILION)]
STOPPED = 100000  # triangles, by the experiment


def compose(folder):
    from matplotlib.figure import Figure

    rows = load_table(folder / "splitting.csv", SPLITTING)
    figure = Figure(figsize=(1.4 + 1.15 * len(rows), 3.0))
    axes = figure.subplots()
    for i, row in enumerate(rows):
        for k, (column, label, colour) in enumerate(BARS):
            place = i + 0.27 * (k - 1)
            axes.bar(place, row[column], width=0.25, color=colour, label=label if i == 0 else None)
            if column == "as_met" and row[column] >= STOPPED:
                axes.annotate("no end", (place, row[column]), ha="center", va="bottom", fontsize=7, color=colour)
    axes.set_yscale("log")
    axes.set_ylim(top=2e6)
    axes.set_xticks(range(len(rows)), [f"{row['rig']}\n≤ {row['threshold']:g}" for row in rows])
    axes.set_ylabel("triangles")
    axes.set_title("Edges split until weights differ by no more than")
    axes.legend(loc="upper left", ncols=3, fontsize=7, columnspacing=1, handlelength=1.2)
    figure.tight_layout()
    return figure


if __name__ == "__main__":
    sys.exit(figure_command(__doc__, EXPERIMENT, compose))
