"""The scripts of Bittner et al.'s text and algorithms on made-up tables."""

import importlib.util
import sys
from pathlib import Path

import pytest

from common import InputError, use_style
from conftest import make_run, write_run

HERE = Path(__file__).parent
sys.path.insert(0, str(HERE))
import centres_as_printed

SPEC = importlib.util.spec_from_file_location("bittner_text", HERE / "text.py")
text = importlib.util.module_from_spec(SPEC)
SPEC.loader.exec_module(text)


def test_what_did_not_end_says_so_and_nothing_else_does(out):
    folder = write_run(out, make_run(id=centres_as_printed.EXPERIMENT))
    (folder / "splitting.csv").write_text("rig,threshold,triangles,as_met,largest_first\n"
                                          "box,0.4,10,12,11\nbox,0.1,10,100000,60\n")
    use_style()
    axes = centres_as_printed.compose(folder).axes[0]
    assert [(label.get_text(), label.xy[1]) for label in axes.texts] == [("no end", 100000)]
    assert sorted(bar.get_height() for bar in axes.patches) == [10, 10, 11, 12, 60, 100000]


def test_distances_stand_over_the_whole_length(out):
    folder = write_run(out, make_run(id=text.EXPERIMENT))
    (folder / "weights.csv").write_text("half_blend,dqs_from_lbs,crs_from_lbs\n0.5,0.1,0.2\n1,0.3,0.4\n")
    use_style()
    lines = {line.get_label(): line.get_xydata().tolist() for line in text.compose(folder).axes[0].get_lines()}
    assert lines == {"DQS from LBS": [[1, 0.1], [2, 0.3]], "CRS from LBS": [[1, 0.2], [2, 0.4]]}


def test_a_missing_table_is_named(out):
    folder = write_run(out, make_run(id=text.EXPERIMENT))
    use_style()
    with pytest.raises(InputError, match="weights.csv"):
        text.compose(folder)
