"""Composes [TPS14 Fig. 6] from out/tarini2014/fig6_lbs/: standard, ours, ground truth; one row per frame.

usage: fig6_lbs.py OUT_DIR

Reads run.json and the panels of OUT_DIR/tarini2014/fig6_lbs/ and writes figure.pdf and figure.png beside them.
"""

import sys
from pathlib import Path

sys.path.insert(0, str(Path(__file__).resolve().parents[1]))
sys.path.insert(0, str(Path(__file__).resolve().parent))

from common import figure_command
from frames import three_way

EXPERIMENT = "tarini2014/fig6_lbs"
SUBJECTS = [("procedural body", [("body_stride", "stride"), ("body_throw", "throw"), ("body_crouch", "crouch")]),
            ("quaternius-formal", [("formal_walk", "Walk"), ("formal_kick", "Kick_Left"), ("formal_roll", "Roll")]),
            ("cesium-man", [("man_1", "0.25 s"), ("man_2", "0.75 s"), ("man_3", "1.25 s")])]


def compose(folder):
    return three_way(folder, SUBJECTS)


if __name__ == "__main__":
    sys.exit(figure_command(__doc__, EXPERIMENT, compose))
