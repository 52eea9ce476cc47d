"""Draws how alike the skinning methods are by how smooth the weights are, from out/bittner2019/text/.

usage: text.py OUT_DIR

Reads run.json and weights.csv of OUT_DIR/bittner2019/text/ and writes figure.pdf and figure.png beside them.
"""

import sys
from pathlib import Path

sys.path.insert(0, str(Path(__file__).resolve().parents[1]))

from common import figure_command, load_table
from palette import SKINNING

EXPERIMENT = "bittner2019/text"
WEIGHTS = {"half_blend": float, "dqs_from_lbs": float, "crs_from_lbs": float}


def compose(folder):
    from matplotlib.figure import Figure

    rows = load_table(folder / "weights.csv", WEIGHTS)
    figure = Figure(figsize=(4.6, 3.0))
    axes = figure.subplots()
    for method in ("dqs", "crs"):
        axes.plot([2 * row["half_blend"] for row in rows], [row[f"{method}_from_lbs"] for row in rows], marker="o",
                  color=SKINNING[method], label=f"{method.upper()} from LBS")
    axes.set_ylim(bottom=0)
    axes.set_xlabel("length over which weights pass from bone to bone (width 1)")
    axes.set_ylabel("RMS distance of the skins")
    axes.set_title("The more diverse the weights, the more alike")
    axes.legend(loc="upper left")
    figure.tight_layout()
    return figure


if __name__ == "__main__":
    sys.exit(figure_command(__doc__, EXPERIMENT, compose))
