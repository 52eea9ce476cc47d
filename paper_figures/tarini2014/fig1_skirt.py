"""Composes [TPS14 Fig. 1] from out/tarini2014/fig1_skirt/: standard, ours, differences; one column per frame.

usage: fig1_skirt.py OUT_DIR

Reads run.json and the panels of OUT_DIR/tarini2014/fig1_skirt/ and writes figure.pdf and figure.png beside them.
"""

import sys
from pathlib import Path

sys.path.insert(0, str(Path(__file__).resolve().parents[1]))
sys.path.insert(0, str(Path(__file__).resolve().parent))

from common import figure_command, load_image
from frames import grid_figure, written

EXPERIMENT = "tarini2014/fig1_skirt"
SUBJECTS = [("procedural skirt, normal-mapped", {"skirt_step_left": "step left", "skirt_step_right": "step right",
                                                 "skirt_twirl": "twirl", "skirt_kneel": "kneel"}),
            ("quaternius-formal", {"formal_walk": "Walk", "formal_run": "Run", "formal_roll": "Roll"})]
# As in the paper: standard above, ours in the middle, differences below.
ROWS = [("standard", "standard"), ("deform", "ours"), ("difference", "difference\nof normals")]


def compose(folder):
    columns, blocks = [], []
    for name, frames in SUBJECTS:
        shown = written(folder, frames)
        if shown:
            blocks.append((len(columns), len(shown), name))
            columns += [(stem, frames[stem]) for stem in shown]
    pictures = [[load_image(folder, f"{stem}_{row}.png") for stem, _ in columns] for row, _ in ROWS]
    return grid_figure(pictures, [label for _, label in ROWS], [label for _, label in columns], blocks, 1.45)


if __name__ == "__main__":
    sys.exit(figure_command(__doc__, EXPERIMENT, compose))
