"""The figure of the survey on made-up errors."""

import sys
from pathlib import Path

import pytest

from common import InputError, use_style
from conftest import make_run, write_run

sys.path.insert(0, str(Path(__file__).parent))
import survey

HEADER = "model,change,weight_change_q3,edge_length_q3,standard,deform,smoothed,deform-vectors,pays,predicted"
# Every value is unique: what stands where tells which column it is from.
ROWS = ["fox,as it is,0.91,0.07,2,3,1,0.1,deform-vectors,deform-vectors",
        "man,as it is,0.21,0.03,4,0.8,0.76,0.72,deform,deform",
        "man,split,0.31,0.02,5,1.5,0.55,0.45,smoothed,deform",
        "robot,as it is,0.41,0.01,0,0,0,0,,standard"]


def write_survey(out, rows=ROWS):
    folder = write_run(out, make_run(id=survey.EXPERIMENT))
    (folder / "survey.csv").write_text("\n".join([HEADER, *rows]) + "\n")
    return folder


def test_lines_are_the_kinds_and_points_the_rigs(out):
    use_style()
    left, right = survey.compose(write_survey(out)).axes
    lines = {line.get_label(): list(line.get_xdata()) for line in left.get_lines()}
    assert lines["deform factors"] == pytest.approx([.2, .3, 1.5])
    assert lines["smooth weights"] == pytest.approx([.11, .19, .5])
    assert lines["deform vectors"] == pytest.approx([.05, .09, .18])
    assert left.get_ylabel() == "share of 3 rigs"
    points = {(tuple(map(float, point)), len(group.get_facecolor()) > 0)
              for group in right.collections for point in group.get_offsets().round(6)}
    assert points == {((.91, 1.5), True), ((.21, .2), True), ((.31, .3), False)}


def test_a_survey_without_rigs_is_named(out):
    use_style()
    with pytest.raises(InputError, match="no rig"):
        survey.compose(write_survey(out, ROWS[3:]))
