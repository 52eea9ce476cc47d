"""Composes [TPS14 Fig. 7] from out/tarini2014/fig7_nmax2/: standard, ours, ground truth, from near.

usage: fig7_nmax2.py OUT_DIR

Reads run.json, insets.csv and the pictures of OUT_DIR/tarini2014/fig7_nmax2/ and writes figure.pdf and figure.png beside them.
"""

import sys
from pathlib import Path

sys.path.insert(0, str(Path(__file__).resolve().parents[1]))
sys.path.insert(0, str(Path(__file__).resolve().parent))

from common import figure_command
from insets import three_way

EXPERIMENT = "tarini2014/fig7_nmax2"
SUBJECTS = [("cactus_dance", "procedural cactus, dance"), ("quaternius_jump", "Cactus, Jump"),
            ("fox_survey", "fox, Survey: ours is worse here")]


def compose(folder):
    return three_way(folder, SUBJECTS)


if __name__ == "__main__":
    sys.exit(figure_command(__doc__, EXPERIMENT, compose))
