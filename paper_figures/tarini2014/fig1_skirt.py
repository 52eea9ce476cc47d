"""Composes [TPS14 Fig. 1] from out/tarini2014/fig1_skirt/: standard, ours, truth and how far off they are, from near.

usage: fig1_skirt.py OUT_DIR

Reads run.json, insets.csv and the pictures of OUT_DIR/tarini2014/fig1_skirt/ and writes figure.pdf and figure.png beside them.
"""

import sys
from pathlib import Path

sys.path.insert(0, str(Path(__file__).resolve().parents[1]))
sys.path.insert(0, str(Path(__file__).resolve().parent))

from common import figure_command
from insets import three_way

EXPERIMENT = "tarini2014/fig1_skirt"
SUBJECTS = [("skirt_twirl", "skirt under a normal map, twirl"), ("skirt_step_left", "skirt, step left"),
            ("formal_roll", "Formal, Roll")]


def compose(folder):
    return three_way(folder, SUBJECTS)


if __name__ == "__main__":
    sys.exit(figure_command(__doc__, EXPERIMENT, compose))
