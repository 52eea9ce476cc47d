"""Lays the kinds of character animation side by side from out/slides/skinning_kinds/.

usage: skinning_kinds.py OUT_DIR

Reads run.json, kinds.csv, examples.csv and the pictures of OUT_DIR/slides/skinning_kinds/ and writes figure.pdf and
figure.png beside them.
"""

import sys
from pathlib import Path

sys.path.insert(0, str(Path(__file__).resolve().parents[1]))

from common import InputError, figure_command, load_image, load_table
from palette import BLUE

EXPERIMENT = "slides/skinning_kinds"
KINDS = {"kind": str, "twist_section_share": float, "bend_rms": float}
EXAMPLES = {"examples": int, "rms": float}
SHOWN = [("wanted", "what examples show"), ("lbs", "linear blending"), ("space_one_way", "animation space,\none direction"),
         ("space_both_ways", "animation space,\nboth directions"), ("shapes", "shapes in the rest\npose (SMPL)")]


def compose(folder):
    from matplotlib.figure import Figure

    rows = {row["kind"]: row for row in load_table(folder / "kinds.csv", KINDS)}
    figure = Figure(figsize=(9.2, 4.6))
    grid = figure.add_gridspec(2, len(SHOWN) + 1, left=0.01, right=0.985, bottom=0.06, top=0.9, wspace=0.06,
                               width_ratios=[1] * len(SHOWN) + [1.25])
    for column, (kind, label) in enumerate(SHOWN):
        if kind not in rows:
            raise InputError(folder / "kinds.csv", "no row", f"kind {kind}")
        for line, (motion, words) in enumerate((("twist", f"section {rows[kind]['twist_section_share']:.0%} of rest"),
                                                ("bend", f"{rows[kind]['bend_rms']:.3f} off (RMS)"))):
            axes = figure.add_subplot(grid[line, column])
            axes.imshow(load_image(folder, f"{motion}_{kind}.png"))
            axes.set_axis_off()
            axes.text(0.5, -0.02, words, transform=axes.transAxes, ha="center", va="top", fontsize=7.5)
            if line == 0:
                axes.set_title(label, fontsize=8)
    _draw_examples(figure, grid[0, -1], folder)
    return figure


def _draw_examples(figure, place, folder):
    rows = load_table(folder / "examples.csv", EXAMPLES)
    axes = figure.add_subplot(place.subgridspec(1, 2, width_ratios=[0.28, 1])[1])
    axes.plot([row["examples"] for row in rows], [row["rms"] for row in rows], marker="o", color=BLUE)
    axes.set_xscale("log", base=2)
    axes.set_yscale("log")
    axes.set_xticks([row["examples"] for row in rows], [str(row["examples"]) for row in rows])
    axes.minorticks_off()
    axes.set_xlabel("examples")
    axes.set_title("Unseen bends: RMS off", fontsize=8)


if __name__ == "__main__":
    sys.exit(figure_command(__doc__, EXPERIMENT, compose))
