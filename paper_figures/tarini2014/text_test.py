"""The script of the text's statements on made-up tables."""

import importlib.util
from pathlib import Path

import pytest

from common import InputError, use_style
from conftest import make_run, write_run

SPEC = importlib.util.spec_from_file_location("tarini_text", Path(__file__).parent / "text.py")
text = importlib.util.module_from_spec(SPEC)
SPEC.loader.exec_module(text)


def write_tables(out):
    folder = write_run(out, make_run(id=text.EXPERIMENT))
    (folder / "rigidity.csv").write_text("tenth,strain,standard_deg,deform_deg\n1,0.1,2,0.5\n2,0.3,6,0.7\n")
    (folder / "orthonormal.csv").write_text("bend_deg,mean_deg,max_deg\n30,0.5,2\n120,5,37\n")
    (folder / "curved.csv").write_text("segments,largest_share_of_edge\n24,0.04\n96,0.01\n")
    return folder


def test_standard_and_deform_are_drawn_over_the_strain(out):
    folder = write_tables(out)
    use_style()
    lines = {line.get_label(): line.get_xydata().tolist() for line in text.compose(folder).axes[0].get_lines()}
    assert lines == {"standard": [[0.1, 2.0], [0.3, 6.0]], "deform factors": [[0.1, 0.5], [0.3, 0.7]]}


def test_a_missing_table_is_named(out):
    folder = write_tables(out)
    (folder / "curved.csv").unlink()
    use_style()
    with pytest.raises(InputError, match="curved.csv"):
        text.compose(folder)
