"""The figure of digits over distance on made-up digits."""

import sys
from pathlib import Path

import pytest

from common import InputError, use_style
from conftest import make_run, write_run

sys.path.insert(0, str(Path(__file__).parent))
import stable_form


def write_digits_table(out):
    folder = write_run(out, make_run(id=stable_form.EXPERIMENT))
    lines = ["digits_of,form,pivot,distance,p50,p01"]
    for f, (form, *_) in enumerate(stable_form.FORMS + stable_form.OTHERS):
        lines += [f"evaluation,{form},0,{d},{7 - f * i},{6 - f * i}" for i, d in enumerate(("1e+04", "1e+00"))]
        lines += [f"whole,{form},{pivot},1e+02,{5 + pivot + f / 8},1" for pivot in (0, 1)]
    (folder / "digits.csv").write_text("\n".join(lines) + "\n")
    return folder


def test_lines_are_the_forms_by_distance_with_and_without_a_pivot(out):
    folder = write_digits_table(out)
    use_style()
    left, right = stable_form.compose(folder).axes
    lines = {line.get_label(): line for line in left.get_lines()}
    assert list(lines["Eq. 13 as printed"].get_xdata()) == [1, 1e4] and list(lines["Eq. 13 as printed"].get_ydata()) == [6, 7]
    assert list(lines["Eq. 10"].get_ydata()) == [7, 7] and list(lines["translations first, deform vectors"].get_ydata()) == [3, 7]
    lines = {line.get_label(): list(line.get_ydata()) for line in right.get_lines()}
    assert lines["translations first"] == [5.25] and lines["translations first, with a pivot"] == [6.25]


@pytest.mark.parametrize("absent, message", [("evaluation,eq13", "evaluation of form eq13, pivot 0: has no rows"),
                                             ("whole,first,1", "whole of form first, pivot 1: has no rows")])
def test_missing_rows_are_named(out, absent, message):
    folder = write_digits_table(out)
    table = folder / "digits.csv"
    table.write_text("\n".join(line for line in table.read_text().splitlines() if not line.startswith(absent)))
    use_style()
    with pytest.raises(InputError, match=message):
        stable_form.compose(folder)
