"""Composes [TPS14 Fig. 7] from out/tarini2014/fig7_nmax2/: standard, ours, ground truth; one row per frame.

usage: fig7_nmax2.py OUT_DIR

Reads run.json and the panels of OUT_DIR/tarini2014/fig7_nmax2/ and writes figure.pdf and figure.png beside them.
"""

import sys
from pathlib import Path

sys.path.insert(0, str(Path(__file__).resolve().parents[1]))
sys.path.insert(0, str(Path(__file__).resolve().parent))

from common import figure_command
from frames import three_way

EXPERIMENT = "tarini2014/fig7_nmax2"
SUBJECTS = [("procedural cactus", [("cactus_sway", "sway"), ("cactus_wave", "wave"), ("cactus_dance", "dance")]),
            ("quaternius-cactus", [("quaternius_dance", "Dance"), ("quaternius_death", "Death"),
                                   ("quaternius_jump", "Jump")]),
            ("fox", [("fox_survey", "Survey"), ("fox_walk", "Walk"), ("fox_run", "Run")])]


def compose(folder):
    return three_way(folder, SUBJECTS)


if __name__ == "__main__":
    sys.exit(figure_command(__doc__, EXPERIMENT, compose))
