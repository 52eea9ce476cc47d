"""Fig. 1 composed from made-up pictures."""

import importlib
import sys
from pathlib import Path

import matplotlib.image
import numpy
import pytest

sys.path.insert(0, str(Path(__file__).parent))

from conftest import make_run, write_run

FIGURES = {"fig1_skirt": ("difference", 4)}


def frames_of(module, model):
    """Stems of the procedural frames, and of the models' where wanted."""
    subjects = module.SUBJECTS if model else module.SUBJECTS[:1]
    return [stem if isinstance(stem, str) else stem[0] for _, frames in subjects for stem in frames]


def write_pictures(out, figure, model):
    module = importlib.import_module(figure)
    third = FIGURES[figure][0]
    names = [f"{stem}_{way}.png" for stem in frames_of(module, model) for way in ("standard", "deform", third)]
    outputs = [{"file": name, "kind": "image", "caption": name} for name in names]
    folder = write_run(out, make_run(id=module.EXPERIMENT, outputs=outputs))
    for shade, name in enumerate(names):
        tall = 46 if name.endswith("difference.png") else 40
        matplotlib.image.imsave(folder / name, numpy.full((tall, 40, 3), shade / len(names)))
    return module, folder, names


def shade(axes):
    return float(axes.images[0].get_array()[0, 0, 0])


@pytest.mark.parametrize("figure", FIGURES)
def test_without_models_only_the_procedural_rig_is_shown(out, figure):
    module, folder, names = write_pictures(out, figure, model=False)
    assert len(module.compose(folder).axes) == len(names)


@pytest.mark.parametrize("figure", FIGURES)
def test_every_picture_is_shown_once_inside_the_page_without_overlap(out, figure):
    module, folder, names = write_pictures(out, figure, model=True)
    composed = module.compose(folder)
    composed.canvas.draw()
    shades = sorted(shade(axes) for axes in composed.axes)
    assert shades == pytest.approx([i / len(names) for i in range(len(names))], abs=0.01)
    boxes = [axes.get_tightbbox() for axes in composed.axes]
    page = composed.bbox
    for i, box in enumerate(boxes):
        assert page.x0 <= box.x0 and box.x1 <= page.x1 and page.y0 <= box.y0 and box.y1 <= page.y1
        assert not any(box.overlaps(other) for other in boxes[:i])
    for text in composed.texts:
        extent = text.get_window_extent()
        assert page.x0 <= extent.x0 and extent.x1 <= page.x1 and extent.y1 <= page.y1
        assert not any(extent.overlaps(box) for box in boxes)


def test_rows_of_the_first_figure_are_standard_ours_and_difference(out):
    module, folder, names = write_pictures(out, "fig1_skirt", model=True)
    axes = module.compose(folder).axes
    columns = len(names) // 3
    for row, way in enumerate(("standard", "deform", "difference")):
        for column, stem in enumerate(frames_of(module, True)):
            assert shade(axes[row * columns + column]) == pytest.approx(
                names.index(f"{stem}_{way}.png") / len(names), abs=0.01)
