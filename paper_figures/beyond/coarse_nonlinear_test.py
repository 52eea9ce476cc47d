"""The figure of deform frames on made-up errors."""

import sys
from pathlib import Path

import matplotlib.image
import numpy
import pytest

from common import InputError, use_style
from conftest import make_run, write_run

sys.path.insert(0, str(Path(__file__).parent))
import coarse_nonlinear


def write_errors(out, picture="trex"):
    folder = write_run(out, make_run(id=coarse_nonlinear.EXPERIMENT))
    lines = ["model,method,truth,standard,paper,exact,smoothed,frames"]
    for i, model in enumerate(("fox", "quaternius-wolf")):
        lines += [f"{model},dqs,transported,{4 + i},3,9,2,{0.5 + i}", f"{model},dqs,recomputed,8,8,8,8,8",
                  f"{model},crs,transported,7,,7,7,7"]
    (folder / "summary.csv").write_text("\n".join(lines) + "\n")
    lines = ["model,degrees,paper,exact,smoothed,frames"]
    lines += [f"{model},{turn},{turn / 2 + i},9,{turn / 4},{turn / 20}" for turn in (20, 40)
              for i, model in enumerate("abcd")]
    (folder / "random.csv").write_text("\n".join(lines) + "\n")
    matplotlib.image.imsave(folder / f"{picture}.png", numpy.ones((40, 80, 3)))
    return folder


def test_bars_are_dual_quaternions_against_the_posed_triangles(out):
    use_style()
    _, models, turns = coarse_nonlinear.compose(write_errors(out)).axes
    bars = {container.get_label(): [bar.get_height() for bar in container] for container in models.containers}
    assert bars == {"standard": [4, 5], "the paper's": [3, 3], "smooth weights": [2, 2], "deform frames": [0.5, 1.5]}
    assert [label.get_text() for label in models.get_xticklabels()] == ["fox", "wolf"]
    # Four models: the middle of the two in the middle.
    assert [list(line.get_ydata()) for line in turns.get_lines()] == [[11.5, 21.5], [5, 10], [1, 2]]


def test_another_model_is_shown_where_the_first_is_missing(out):
    use_style()
    figure = coarse_nonlinear.compose(write_errors(out, "fox"))
    assert figure.texts[0].get_text().startswith("(a) the fox under")


@pytest.mark.parametrize("file, old, new, message", [
    ("summary.csv", "dqs,transported,4,3", "dqs,transported,4,", "model fox: has no error of paper"),
    ("summary.csv", "dqs,transported", "sbs,transported", "no rows of dual quaternions"),
    ("random.csv", "a,20", "a,x", "'x' is no value for degrees")])
def test_what_cannot_be_drawn_is_named(out, file, old, new, message):
    folder = write_errors(out)
    path = folder / file
    path.write_text(path.read_text().replace(old, new))
    use_style()
    with pytest.raises(InputError, match=message):
        coarse_nonlinear.compose(folder)
