"""The figure's script on made-up angles and pictures."""

import math
import sys
from pathlib import Path

import matplotlib.image

from common import use_style
from conftest import capsule_picture, make_run, write_run

sys.path.insert(0, str(Path(__file__).parent))
import antipodality


def test_curves_break_where_the_sum_vanishes(out):
    folder = write_run(out, make_run(id=antipodality.EXPERIMENT))
    (folder / "two_bones.csv").write_text(
        "turn_deg,chosen_deg,as_they_come_deg,negated_deg\n0,0,0,\n180,90,90,-90\n360,0,,0\n")
    for name, _ in antipodality.PANELS:
        matplotlib.image.imsave(folder / f"{name}.png", capsule_picture(False, (0.75, 0.75, 0.8)))
    use_style()
    lines = {line.get_label(): list(line.get_ydata())
             for line in antipodality.compose(folder).axes[-1].get_lines()}
    assert lines["sign chosen"] == [0, 90, 0]
    assert math.isnan(lines["as they come"][2]) and math.isnan(lines["one negated"][0])
