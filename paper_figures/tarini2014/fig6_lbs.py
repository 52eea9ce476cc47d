"""Composes [TPS14 Fig. 6] from out/tarini2014/fig6_lbs/: standard, ours, ground truth, from near.

usage: fig6_lbs.py OUT_DIR

Reads run.json, insets.csv and the pictures of OUT_DIR/tarini2014/fig6_lbs/ and writes figure.pdf and figure.png beside them.
"""

import sys
from pathlib import Path

sys.path.insert(0, str(Path(__file__).resolve().parents[1]))
sys.path.insert(0, str(Path(__file__).resolve().parent))

from common import figure_command
from insets import three_way

EXPERIMENT = "tarini2014/fig6_lbs"
SUBJECTS = [("body_crouch", "procedural body, crouch"), ("formal_roll", "Formal, Roll"),
            ("man_1", "Cesium Man, 0.25 s")]


def compose(folder):
    return three_way(folder, SUBJECTS)


if __name__ == "__main__":
    sys.exit(figure_command(__doc__, EXPERIMENT, compose))
