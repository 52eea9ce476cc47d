"""The curves' script on made-up functions."""

import sys
from pathlib import Path

from common import use_style
from conftest import make_run, write_run

sys.path.insert(0, str(Path(__file__).parent))
import dual_numbers


def write_functions(out, names):
    folder = write_run(out, make_run(id=dual_numbers.EXPERIMENT))
    lines = ["function,x,value,derivative,complex_step"]
    for slope, name in enumerate(names, 1):
        lines += [f"{name},{x},{slope * x},{slope},{slope}" for x in range(8)]
    (folder / "functions.csv").write_text("\n".join(lines) + "\n")
    use_style()
    return folder


def test_the_legend_stands_in_a_free_place_or_in_the_first_panel(out):
    free = dual_numbers.compose(write_functions(out, "abc")).axes
    assert [axes.get_legend() is not None for axes in free] == [False, False, False, True]
    full = dual_numbers.compose(write_functions(out, "abcd")).axes
    assert [axes.get_legend() is not None for axes in full] == [True, False, False, False]


def test_every_function_has_its_panel_with_value_and_derivative(out):
    panels = dual_numbers.compose(write_functions(out, "abc")).axes
    assert [axes.get_title() for axes in panels[:3]] == ["a", "b", "c"]
    curves = {line.get_label(): list(line.get_ydata()) for line in panels[2].get_lines()}
    assert curves["dual part of f(x + ε)"] == [3] * 8
    assert curves["derivative, complex step"] == [3, 3]
