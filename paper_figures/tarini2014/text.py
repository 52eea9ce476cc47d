"""Draws what the text of [TPS14] says without a figure, from out/tarini2014/text/.

usage: text.py OUT_DIR

Reads run.json and the tables of OUT_DIR/tarini2014/text/ and writes figure.pdf and figure.png beside them.
"""

import sys
from pathlib import Path

sys.path.insert(0, str(Path(__file__).resolve().parents[1]))

from common import figure_command, load_table
from palette import BLACK, BLUE, DEFORM, GREY, STANDARD

EXPERIMENT = "tarini2014/text"
RIGIDITY = {"tenth": int, "strain": float, "standard_deg": float, "deform_deg": float}
ORTHONORMAL = {"bend_deg": int, "mean_deg": float, "max_deg": float}
CURVED = {"segments": int, "largest_share_of_edge": float}


def compose(folder):
    from matplotlib.figure import Figure

    figure = Figure(figsize=(9.2, 3.0))
    rigidity, orthonormal, curved = figure.subplots(1, 3)
    rows = load_table(folder / "rigidity.csv", RIGIDITY)
    strain = [row["strain"] for row in rows]
    rigidity.plot(strain, [row["standard_deg"] for row in rows], marker="o", color=STANDARD, label="standard")
    rigidity.plot(strain, [row["deform_deg"] for row in rows], marker="s", color=DEFORM, label="deform factors")
    rigidity.set_ylim(bottom=0)
    rigidity.set_xlabel("strain: how far from rigid")
    rigidity.set_ylabel("mean error (degrees)")
    rigidity.set_title("Less rigid, more gain (tenths of vertices)")
    rigidity.legend(loc="center left", bbox_to_anchor=(0.0, 0.25))

    rows = load_table(folder / "orthonormal.csv", ORTHONORMAL)
    bends = [row["bend_deg"] for row in rows]
    orthonormal.plot(bends, [row["max_deg"] for row in rows], color=BLUE, label="largest")
    orthonormal.plot(bends, [row["mean_deg"] for row in rows], color=GREY, linestyle="--", label="mean")
    orthonormal.set_xlabel("bend of the joint (degrees)")
    orthonormal.set_ylabel("degrees")
    orthonormal.set_title("$T\\,n$ against $T^{-T}n$")
    orthonormal.legend(loc="upper left")

    rows = load_table(folder / "curved.csv", CURVED)
    segments = [row["segments"] for row in rows]
    curved.plot(segments, [row["largest_share_of_edge"] for row in rows], marker="o", color=BLACK)
    curved.set_xscale("log", base=2)
    curved.set_yscale("log")
    curved.set_xticks(segments, [str(count) for count in segments])
    curved.tick_params(axis="x", which="minor", bottom=False)
    curved.set_xlabel("segments around the tube")
    curved.set_ylabel("share of the edge")
    curved.set_title("Curved against flat triangles")
    figure.tight_layout()
    return figure


if __name__ == "__main__":
    sys.exit(figure_command(__doc__, EXPERIMENT, compose))
