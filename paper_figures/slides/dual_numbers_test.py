"""The curves' script on made-up functions."""

import sys
from pathlib import Path

from common import use_style
from conftest import make_run, write_run

sys.path.insert(0, str(Path(__file__).parent))
import dual_numbers


def test_every_function_has_its_panel_with_value_and_derivative(out):
    folder = write_run(out, make_run(id=dual_numbers.EXPERIMENT))
    lines = ["function,x,value,derivative,complex_step"]
    for name, slope in (("a", 1), ("b", 2), ("c", 3)):
        lines += [f"{name},{x},{slope * x},{slope},{slope}" for x in range(8)]
    (folder / "functions.csv").write_text("\n".join(lines) + "\n")
    use_style()
    panels = dual_numbers.compose(folder).axes
    assert [axes.get_title() for axes in panels[:3]] == ["a", "b", "c"]
    curves = {line.get_label(): list(line.get_ydata()) for line in panels[2].get_lines()}
    assert curves["dual part of f(x + ε)"] == [3] * 8
    assert curves["derivative, complex step"] == [3, 3]
