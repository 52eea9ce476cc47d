"""The figures of exact normals on made-up data whose means and orders of convergence are known."""

import csv
import sys
from pathlib import Path

import matplotlib.image
import numpy
import pytest

from common import InputError, use_style
from conftest import make_run, write_run

sys.path.insert(0, str(Path(__file__).parent))
import exact
import exact_crs
import exact_dqs
import exact_sbs_log

SCRIPTS = [exact_dqs, exact_crs, exact_sbs_log]


def panel_files(study):
    upper = [f"{stem}_{end}.png" for stem, _ in study.motions for end, _ in study.columns]
    return upper, [f"{stem}_{end}.png" for stem, _, _ in study.models for end, _ in study.model_columns]


def pictured_files(study):
    upper, lower = panel_files(study)
    return upper + [file for file in lower if file.startswith(study.pictured)]


def shade(number):
    return (number % 50) / 50


def write_study(out, script, with_models=True):
    """Method number i has table means of i + 1 times the motion's number, mesh errors i + 1 over segments squared."""
    study = script.STUDY
    upper, lower = panel_files(study)
    files = upper + (lower if with_models else [])
    folder = write_run(out, make_run(id=script.EXPERIMENT,
                                     outputs=[{"file": f, "kind": "image", "caption": ""} for f in files]))
    for number, file in enumerate(files):
        height = 80 if "_error_" in file else 66
        matplotlib.image.imsave(folder / file, numpy.full((height, 52, 3), shade(number)))
    with open(folder / "errors.csv", "w", newline="", encoding="utf-8") as file:
        writer = csv.writer(file)
        writer.writerow(["body", "motion", "method", "mean_deg"])
        for body in ("cuboid", "tube"):
            for i, (method, *_) in enumerate(study.table_methods):
                for k, (motion, _) in enumerate(exact.MOTIONS):
                    writer.writerow([body, motion, method, (i + 1) * k + (body == "cuboid")])
    with open(folder / "metrics.csv", "w", newline="", encoding="utf-8") as file:
        writer = csv.writer(file)
        writer.writerow("rig,family,resolution,vertices,pose,method,truth,weighting,mean_deg,rms_deg,p95_deg,"
                        "p99_deg,max_deg,flips".split(","))
        for i, (method, *_) in enumerate(study.mesh_methods):
            for segments in (12, 24, 48, 96):
                for pose in ("bend_60", "bend_90"):
                    rms = (i + 1) * (200 if pose == "bend_60" else 300) / segments ** 2
                    writer.writerow([f"cylinder_{segments}", "cylinder", segments, 9, pose, method, "analytic",
                                     "deformed area", rms, rms, rms, rms, rms, 0])
            for _, model, _ in study.models if with_models else []:
                for clip, mean in (("Run", i + 1), ("Walk", i + 2)):
                    for truth, factor in (("transported", 1), ("recomputed", 2)):
                        writer.writerow([model, "model", 0, 9, clip, method, truth, "deformed area", mean * factor,
                                         *[mean] * 4, 0])
    return folder


def compose(out, script):
    use_style()
    return script.compose(out / script.EXPERIMENT)


@pytest.mark.parametrize("script", SCRIPTS, ids=lambda s: s.EXPERIMENT)
def test_every_panel_shows_its_own_picture(out, script):
    write_study(out, script)
    shades = [float(axes.images[0].get_array()[0, 0, 0]) for axes in compose(out, script).axes if axes.images]
    files = sum(panel_files(script.STUDY), [])
    assert shades == pytest.approx([shade(files.index(file)) for file in pictured_files(script.STUDY)], abs=0.006)


@pytest.mark.parametrize("script", SCRIPTS, ids=lambda s: s.EXPERIMENT)
def test_bars_of_the_table_are_the_tube_s_means_then_the_cuboid_s(out, script):
    write_study(out, script)
    bars = next(axes for axes in compose(out, script).axes if axes.containers)
    for i, container in enumerate(bars.containers):
        heights = [patch.get_height() for patch in container.patches]
        assert heights == [(i + 1) * k for k in range(6)] + [(i + 1) * k + 1 for k in range(6)]


def test_a_zero_is_written_where_the_bar_cannot_be_seen(out):
    """Below a billionth of a degree, which is rounding; that itself is not."""
    folder = write_study(out, exact_crs)
    table = folder / "errors.csv"
    rows = [line.rsplit(",", 1)[0] for line in table.read_text().splitlines()[1:]]
    values = ["9.9e-10", "1e-9", "1.01e-9"] + ["2"] * (len(rows) - 3)
    table.write_text("body,motion,method,mean_deg\n" + "".join(f"{row},{value}\n" for row, value in zip(rows, values)))
    bars = next(axes for axes in compose(out, exact_crs).axes if axes.containers)
    assert [text.get_text() for text in bars.texts] == ["0"]


@pytest.mark.parametrize("script", SCRIPTS, ids=lambda s: s.EXPERIMENT)
def test_orders_and_model_means_are_those_of_the_data(out, script):
    write_study(out, script)
    table, convergence, models = [axes for axes in compose(out, script).axes if not axes.images]
    labels = [text.get_text() for text in convergence.get_legend().get_texts()]
    assert labels == [f"{label}: 2.00" for _, label, *_ in script.STUDY.mesh_methods]
    assert convergence.get_lines()[1].get_ydata()[0] == pytest.approx(400 / 144)
    # Containers of single bars, method by method.
    heights = [container.patches[0].get_height() for container in models.containers]
    assert heights == [i + 1.5 for i in range(len(script.STUDY.model_methods)) for _ in script.STUDY.models]


@pytest.mark.parametrize("script", SCRIPTS, ids=lambda s: s.EXPERIMENT)
def test_without_models_the_rest_is_drawn(out, script):
    write_study(out, script, with_models=False)
    figure = compose(out, script)
    assert len([axes for axes in figure.axes if axes.images]) == len(panel_files(script.STUDY)[0])
    assert len([axes for axes in figure.axes if not axes.images]) == 2


@pytest.mark.parametrize("script", SCRIPTS, ids=lambda s: s.EXPERIMENT)
def test_nothing_overlaps_or_leaves_the_page(out, script):
    write_study(out, script)
    figure = compose(out, script)
    figure.canvas.draw()
    boxes = [axes.get_tightbbox() for axes in figure.axes]
    for i, box in enumerate(boxes):
        assert figure.bbox.x0 <= box.x0 and box.x1 <= figure.bbox.x1
        assert figure.bbox.y0 <= box.y0 and box.y1 <= figure.bbox.y1
        assert not any(box.overlaps(other) for other in boxes[:i])


def test_a_missing_row_is_named(out):
    folder = write_study(out, exact_crs)
    table = folder / "errors.csv"
    table.write_text("".join(line for line in table.read_text().splitlines(True)
                             if not line.startswith("cuboid,bend_60,exact")))
    use_style()
    with pytest.raises(InputError, match="errors.csv: cuboid, bend_60, exact: has no such row"):
        exact_crs.compose(folder)
