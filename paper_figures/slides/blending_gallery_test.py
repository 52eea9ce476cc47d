"""The figure's script on made-up tables and pictures."""

import sys
from pathlib import Path

import matplotlib.image
import numpy
import pytest

from common import InputError, use_style
from conftest import make_run, write_run

sys.path.insert(0, str(Path(__file__).parent))
import blending_gallery


def write_gallery(out):
    folder = write_run(out, make_run(id=blending_gallery.EXPERIMENT))
    names = [f"{row}_{name}" for row, _ in blending_gallery.ROWS for name, *_ in blending_gallery.METHODS]
    names += [f"{stem}_{name}" for stem, _, pair in blending_gallery.PAIRS for name in pair]
    for number, name in enumerate(names):
        matplotlib.image.imsave(folder / f"{name}.png", numpy.full((65, 50, 3), number / 30))
    (folder / "speed.csv").write_text("weight,lbs_deg,dqs_deg,log_deg\n0,0,0,0\n0.5,-20,-4,0\n1,0,0,0\n")
    (folder / "paths.csv").write_text("turn_deg,log,dqs\n10,1.01,1\n20,1.04,1\n")
    (folder / "frames.csv").write_text("turn_deg,lbs,dqs,crs,sbs,log\n0,0,0,0,0,0\n10,1,2,4,3,9\n")
    (folder / "volumes.csv").write_text("motion,method,volume_share\n" + "".join(
        f"{motion},{name},{0.9 + 0.01 * x + 0.001 * (motion == 'twist')}\n"
        for motion in ("bend", "twist") for x, (name, *_) in enumerate(blending_gallery.METHODS)))
    return folder


def compose(folder):
    use_style()
    return blending_gallery.compose(folder)


def test_every_panel_shows_its_own_picture(out):
    axes = [a for a in compose(write_gallery(out)).axes if a.images]
    shades = [float(a.images[0].get_array()[0, 0, 0]) for a in axes]
    assert shades == pytest.approx([number / 30 for number in range(24)], abs=0.006)


def test_plots_show_the_tables(out):
    speed, paths, frames, volumes = [a for a in compose(write_gallery(out)).axes if not a.images]
    assert {line.get_label(): list(line.get_ydata()) for line in speed.get_lines()} == {
        "LBS": [0, -20, 0], "DQS, SBS, CRS": [0, -4, 0], "LOG": [0, 0, 0]}
    assert [list(line.get_ydata()) for line in paths.get_lines()] == [[1.01, 1.04], [1, 1]]
    # The others: whichever is worst.
    assert [list(line.get_ydata()) for line in frames.get_lines()] == [[0, 9], [0, 4]]
    heights = [bar.get_height() for bar in volumes.patches]
    assert heights == pytest.approx([90, 91, 92, 93, 94, 90.1, 91.1, 92.1, 93.1, 94.1])


def test_nothing_overlaps_or_leaves_the_page(out):
    figure = compose(write_gallery(out))
    figure.canvas.draw()
    boxes = [axes.get_tightbbox() for axes in figure.axes]
    for i, box in enumerate(boxes):
        assert figure.bbox.x0 <= box.x0 and box.x1 <= figure.bbox.x1
        assert figure.bbox.y0 <= box.y0 and box.y1 <= figure.bbox.y1
        assert not any(box.overlaps(other) for other in boxes[:i])


def test_a_missing_volume_is_named(out):
    folder = write_gallery(out)
    table = folder / "volumes.csv"
    table.write_text(table.read_text().replace("twist,sbs", "twist,other"))
    with pytest.raises(InputError, match="volumes.csv: twist, sbs: has no such row"):
        compose(folder)
