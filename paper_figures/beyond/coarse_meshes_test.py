"""The figure of coarse meshes on made-up errors."""

import sys
from pathlib import Path

import numpy
import pytest

from common import InputError, use_style
from conftest import make_run, write_run

sys.path.insert(0, str(Path(__file__).parent))
import coarse_meshes

COLUMNS = "model,truth,standard,deform,smoothed,vectors,vectors_fitted,deform_all,smoothed_all,vectors_all"


def write_summary(out):
    import matplotlib.image

    folder = write_run(out, make_run(id=coarse_meshes.EXPERIMENT))
    lines = [COLUMNS]
    for truth, scale in (("transported", 1), ("recomputed", 2)):
        for model, error in (("fox", 4), ("trex", 2)):
            lines.append(",".join(map(str, (model, truth, error * scale, error / 2, error / 4, .1, .05, 1, .5, 0))))
    (folder / "summary.csv").write_text("\n".join(lines) + "\n")
    for name in coarse_meshes.PICTURES:
        matplotlib.image.imsave(folder / f"{name}.png", numpy.full((56, 125, 3), 0.8))
    return folder


def test_points_are_the_means_and_nothing_is_lost_on_the_logarithmic_axis(out):
    folder = write_summary(out)
    use_style()
    figure = coarse_meshes.compose(folder)
    transported, recomputed = figure.axes[:2]
    lines = {line.get_label(): list(line.get_xdata()) for line in transported.get_lines()}
    assert lines["standard"] == [4, 2] and lines["deform factors"] == [2, 1]
    assert lines["deform vectors, all bones"] == [1e-3, 1e-3]
    assert [line.get_xdata()[0] for line in recomputed.get_lines()][0] == 8
    assert [label.get_text() for label in transported.get_yticklabels()] == ["fox", "trex"]
    assert len(figure.axes) == 2 + len(coarse_meshes.PICTURES)
    assert figure.axes[2].get_title().startswith("(c) fox: deform factors, 2.0° off, are closer to the truth than standard normals, 4.0°")


def test_a_model_on_which_deform_factors_are_worse_is_told(out):
    folder = write_summary(out)
    table = folder / "summary.csv"
    table.write_text(table.read_text().replace("fox,transported,4,2.0", "fox,transported,4,4.3"))
    use_style()
    assert "are further from the truth than" in coarse_meshes.compose(folder).axes[2].get_title()


@pytest.mark.parametrize("damage, message", [
    (lambda folder: (folder / "fox.png").unlink(), "fox.png: No such file"),
    (lambda folder: (folder / "summary.csv").write_text("model,truth\nfox,transported\n"), "has no column standard")])
def test_unusable_input_is_named(out, damage, message):
    folder = write_summary(out)
    damage(folder)
    with pytest.raises(InputError, match=message):
        coarse_meshes.compose(folder)


def test_missing_truth_is_named(out):
    folder = write_summary(out)
    table = folder / "summary.csv"
    table.write_text("\n".join(line for line in table.read_text().splitlines() if "recomputed" not in line))
    use_style()
    with pytest.raises(InputError, match="truth recomputed: has no rows"):
        coarse_meshes.compose(folder)
