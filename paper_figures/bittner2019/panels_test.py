"""Figs. 1 to 7 of [BTGM19] composed from made-up pictures and tables."""

import importlib
import sys
from pathlib import Path

import matplotlib.image
import numpy
import pytest

sys.path.insert(0, str(Path(__file__).parent))

from common import InputError, use_style
from conftest import make_run, write_run

METHODS = ("lbs", "dqs", "crs", "sbs", "log")


def methods_of(columns, rows):
    """A table with a block of rows for every method."""
    return [",".join(columns)] + [f"{method}," + ",".join(str(x) for x in row) for method in METHODS for row in rows]


TABLES = {
    "fig1_candywrapper": {"waist.csv": methods_of(["method", "twist_deg", "waist"], [(0, 1), (90, 0.7), (180, 0.1)])},
    "fig2_artefacts": {"artefacts.csv": methods_of(["method", "section_twist", "section_bend", "bulge"],
                                                   [(0.25, 0.75, 0.125)])},
    "fig4_blending": {"paths.csv": methods_of(["method", "w", "x", "y", "angle_deg"],
                                              [(0, 1, 0, 0), (0.5, 0.6, 0.6, 45), (1, 0, 1, 90)])},
    "fig5_tail_bulge": {"bulge.csv": methods_of(["method", "bend_deg", "bulge"], [(30, 0.0625), (90, 0.125)]),
                        "bulge_trex.csv": methods_of(["method", "bend_deg", "bulge"], [(20, 0.25), (70, 0.375)]),
                        "bulge_velociraptor.csv": methods_of(["method", "bend_deg", "bulge"], [(20, 0.25), (70, 0.4375)])},
    "fig6_cuboid": {"shape.csv": methods_of(["method", "section_170", "volume_both", "bulge"], [(0.5, 0.875, 0.125)]),
                    "beyond_180.csv": methods_of(["method", "twist_deg", "angle_deg", "radius"],
                                                 [(0, 0, 0.5), (179, 89.5, 0.4), (181, -89.5, 0.4), (360, 0, 0.5)])},
    "fig7_wolf": {"frames.csv": ["frame,a,b,flip"] + [f"{frame},{a},{b},{share}" for frame, share in (
                   ("wolf_1", 0.12), ("wolf_2", 0.11), ("wolf_3", 0.1), ("quadruped_1", 0.05), ("cuboid_1", 0.25))
                   for a, b in (("lbs", "dqs"), ("lbs", "crs"), ("dqs", "crs"))]},
    "claims": {"beyond.csv": methods_of(["method", "one_joint_deg", "split_deg"], [(-90, 270)]),
               "volumes.csv": ["bones,pose,method,volume"] + [f"{bones},{pose},{method},0.875" for bones in ("two", "more")
                                                              for pose in ("twist", "bend", "wring", "zigzag")
                                                              for method in METHODS],
               "sharper.csv": methods_of(["method", "half_blend", "volume_twist", "bulge"],
                                         [(1, 0.5, 0.25), (0.5, 0.75, 0.125)])},
}
PICTURES = {
    "fig1_candywrapper": ["lbs_0", "lbs_90", "lbs_150", "lbs_180", "dqs_180"],
    "fig2_artefacts": ["candywrapper", "bend_lbs", "bend_dqs", "bend_crs"],
    "fig4_blending": [],
    "fig5_tail_bulge": [f"{stem}_{m}" for stem in ("tail", "trex", "velociraptor") for m in ("dqs", "crs", "lbs")],
    "fig6_cuboid": list(METHODS),
    "fig7_wolf": [f"{stem}_{m}" for stem in ("wolf_1", "wolf_2", "wolf_3", "quadruped_1", "cuboid_1")
                  for m in ("lbs", "dqs", "crs", "lbs_dqs", "dqs_crs")],
    "claims": [],
}
OF_MODELS = ("trex", "velociraptor", "wolf")


def write_figure(out, figure, models=True):
    module = importlib.import_module(f"bittner2019.{figure}")
    names = [f"{stem}.png" for stem in PICTURES[figure] if models or not stem.startswith(OF_MODELS)]
    outputs = [{"file": name, "kind": "image", "caption": name} for name in names]
    folder = write_run(out, make_run(id=module.EXPERIMENT, outputs=outputs))
    for shade, name in enumerate(names):
        matplotlib.image.imsave(folder / name, numpy.full((40, 44, 3), shade / len(names)))
    for table, lines in TABLES[figure].items():
        (folder / table).write_text("\n".join(lines) + "\n")
    use_style()
    return module, folder, names


def texts_of(figure):
    return [text.get_text() for owner in [figure, *figure.axes] for text in owner.texts]


@pytest.mark.parametrize("models", [True, False])
@pytest.mark.parametrize("figure", TABLES)
def test_every_picture_is_shown_once_inside_the_page_without_overlap(out, figure, models):
    module, folder, names = write_figure(out, figure, models)
    composed = module.compose(folder)
    composed.canvas.draw()
    shown = [axes for axes in composed.axes if axes.images]
    shades = sorted(float(axes.images[0].get_array()[0, 0, 0]) for axes in shown)
    assert shades == pytest.approx([i / len(names) for i in range(len(names))], abs=0.01)
    boxes = [axes.get_tightbbox() for axes in composed.axes]
    page = composed.bbox
    for i, box in enumerate(boxes):
        assert page.x0 <= box.x0 and box.x1 <= page.x1 and page.y0 <= box.y0 and box.y1 <= page.y1
        assert not any(box.overlaps(other) for other in boxes[:i])
    for text in composed.texts:
        extent = text.get_window_extent()
        assert page.x0 <= extent.x0 and extent.x1 <= page.x1 and page.y0 <= extent.y0 and extent.y1 <= page.y1


@pytest.mark.parametrize("figure, table", [(figure, table) for figure in TABLES for table in TABLES[figure]])
def test_missing_method_is_named(out, figure, table):
    module, folder, _ = write_figure(out, figure)
    gone = "wolf_1" if figure == "fig7_wolf" else "dqs"
    kept = [line for line in TABLES[figure][table] if gone not in line.split(",")]
    (folder / table).write_text("\n".join(kept) + "\n")
    with pytest.raises(InputError, match=rf"/{table}: [^:]*\b{gone}\b[^:]*: has "):
        module.compose(folder)


def test_the_page_is_as_wide_as_its_widest_row(out):
    module, folder, names = write_figure(out, "fig7_wolf")
    for name in names:
        if name.startswith("wolf_3"):
            matplotlib.image.imsave(folder / name, numpy.full((40, 88, 3), 0.5))
    composed = module.compose(folder)
    composed.canvas.draw()
    right = [axes.get_window_extent().x1 for axes in composed.axes]
    assert composed.bbox.x1 - 0.11 * composed.dpi <= max(right) <= composed.bbox.x1


def test_a_run_with_none_of_the_pictures_is_named(out):
    module, folder, _ = write_figure(out, "fig7_wolf")
    write_run(out, make_run(id=module.EXPERIMENT, outputs=[]))
    with pytest.raises(InputError, match="fig7_wolf/run.json: names none of the figure's pictures"):
        module.compose(folder)


def test_captions_are_the_tables_numbers(out):
    module, folder, _ = write_figure(out, "fig2_artefacts")
    assert sorted(texts_of(module.compose(folder)))[:4] == ["bulge 0.125", "bulge 0.125", "section 0.25", "section 0.75"]
    module, folder, _ = write_figure(out, "fig5_tail_bulge")
    texts = texts_of(module.compose(folder))
    assert texts.count("bulge 0.125") == 3 and texts.count("bulge 0.375") == 3
    module, folder, _ = write_figure(out, "fig6_cuboid")
    assert texts_of(module.compose(folder)).count("volume 0.875, bulge 0.125") == 5
    module, folder, _ = write_figure(out, "fig7_wolf")
    assert any(axes.get_title() == "LBS to DQS: FLIP 0.12" for axes in module.compose(folder).axes)


def test_curve_has_a_gap_where_the_angle_jumps():
    module = importlib.import_module("bittner2019.fig6_cuboid")
    x, y = module.broken([0, 179, 181, 360], [0, 89.5, -89.5, 0])
    assert x == [0, 179, 181, 181, 360]
    assert y[:2] == [0, 89.5] and numpy.isnan(y[2]) and y[3:] == [-89.5, 0]
