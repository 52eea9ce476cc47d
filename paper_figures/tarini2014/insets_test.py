"""Figs. 1, 6 and 7 composed from made-up pictures."""

import importlib
import sys
from pathlib import Path

import matplotlib.image
import numpy
import pytest

sys.path.insert(0, str(Path(__file__).parent))

from common import InputError, use_style
from conftest import make_run, write_run

FIGURES = ("fig1_skirt", "fig6_lbs", "fig7_nmax2")
PARTS = ["whole"] + [f"{what}_{way}" for way in ("standard", "deform", "truth") for what in ("shaded", "lines")] + [
    "off_standard", "off_deform"]


def write_pictures(out, figure, subjects=None):
    """The pictures have shades of their own, in the order of their names here."""
    module = importlib.import_module(figure)
    folder = write_run(out, make_run(id=module.EXPERIMENT))
    stems = [stem for stem, _ in module.SUBJECTS][:subjects]
    names = [f"{stem}_{part}.png" for stem in stems for part in PARTS]
    for shade, name in enumerate(names):
        matplotlib.image.imsave(folder / name, numpy.full((56 if "whole" in name else 40, 40, 3), shade / len(names)))
    lines = [f"{stem},0.25,0.5,0.5,0.25,0.9{i},0.5{i},0.4{i},0.1{i}" for i, stem in enumerate(stems)]
    (folder / "insets.csv").write_text(
        "stem,left,top,width,height,lines_standard,lines_deform,shaded_standard,shaded_deform\n" + "\n".join(lines) + "\n")
    use_style()
    return module, folder, names


@pytest.mark.parametrize("figure", FIGURES)
def test_every_picture_is_shown_once_in_its_place_inside_the_page(out, figure):
    module, folder, names = write_pictures(out, figure)
    composed = module.compose(folder)
    composed.canvas.draw()
    shades = [float(axes.images[0].get_array()[0, 0, 0]) for axes in composed.axes]
    assert shades == pytest.approx([i / len(names) for i in range(len(names))], abs=0.01)
    boxes = [axes.get_window_extent() for axes in composed.axes]
    for i, box in enumerate(boxes):
        assert composed.bbox.x0 <= box.x0 and box.x1 <= composed.bbox.x1
        assert composed.bbox.y0 <= box.y0 and box.y1 <= composed.bbox.y1
        assert not any(box.overlaps(other) for other in boxes[:i])
    for text in composed.texts:
        extent = text.get_window_extent()
        assert composed.bbox.x0 <= extent.x0 and extent.x1 <= composed.bbox.x1
        assert not any(extent.overlaps(box) for box in boxes)


def test_the_box_and_the_numbers_are_those_of_the_table(out):
    module, folder, _ = write_pictures(out, "fig6_lbs")
    axes = module.compose(folder).axes
    assert axes[0].patches[0].get_bbox().bounds == pytest.approx((10, 28, 20, 14))
    assert [a.texts[0].get_text() for a in axes[1:5]] == ["FLIP 0.40", "FLIP 0.90", "FLIP 0.10", "FLIP 0.50"]


def test_without_models_only_the_procedural_rig_is_shown(out):
    module, folder, names = write_pictures(out, "fig7_nmax2", subjects=1)
    assert len(module.compose(folder).axes) == len(names)


def test_a_run_with_none_of_the_frames_is_named(out):
    module, folder, _ = write_pictures(out, "fig6_lbs")
    table = folder / "insets.csv"
    table.write_text(table.read_text().replace("body_", "other_").replace("formal_", "other_").replace("man_", "other_"))
    with pytest.raises(InputError, match="insets.csv: has none of the figure's frames"):
        module.compose(folder)
