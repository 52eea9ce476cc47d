"""Made-up experiments for the tests, laid out as `skinlight reproduce` writes them, with values of our choice."""

import csv
import json
import sys
from pathlib import Path

import numpy
import pytest

sys.path.insert(0, str(Path(__file__).parent))

PILL = "tarini2014/fig2_pill"
SEGMENTS = (12, 24, 48, 96)
# RMS degrees at one segment and order of convergence: exact power laws, so the measured orders are known.
POWER_LAWS = {("structured", "standard"): (16.2, 0.0), ("jittered", "standard"): (16.4, 0.0),
              ("structured", "deform"): (170.0, 2.0), ("jittered", "deform"): (25.0, 1.0)}


def make_claim(**changes):
    claim = {"name": "standard_rms_96", "statement": "Standard normals are far off.", "paper_value": None,
             "expected": 16.2, "value": 16.198, "tolerance": 0.05, "bound": "within", "verdict": "reproduced",
             "kind": "statement", "oracle": "closed form", "fails_when": "They are right.", "why": ""}
    return {**claim, **changes}


def make_run(**changes):
    run = {"id": PILL, "paper": "Tarini, Panozzo, Sorkine-Hornung 2014, Fig. 2",
           "title": "A pill with two bones",
           "says": "The usual normals ignore how the weights vary over the surface.",
           "renderer": {"name": "llvmpipe", "version": "Mesa 22.3.6"}, "seconds": 4.25,
           "claims": [make_claim()],
           "outputs": [{"file": "rest.png", "kind": "image", "caption": "The rest pose"},
                       {"file": "metrics.csv", "kind": "table", "caption": "Angular errors"}]}
    return {**run, **changes}


def unrun(place, why, count=1, **changes):
    """A run whose model is missing."""
    claims = [make_claim(value=None, verdict="not-run", not_run=why)] * count
    return {"id": place, "paper": "P", "title": "T", "not_run": why, "claims": claims, **changes}


def write_run(out, run):
    folder = Path(out) / run["id"]
    folder.mkdir(parents=True, exist_ok=True)
    (folder / "run.json").write_text(json.dumps(run), encoding="utf-8")
    return folder


def capsule_picture(sheared, colour):
    """A shaded capsule on white, 320 by 240: enough to see whether a panel is cropped or stretched."""
    y, x = numpy.mgrid[3.6:-3.6:320j, -2.7:2.7:240j]
    s = numpy.clip((y + 1.5) / 3, 0, 1)
    x = x + (0.75 - 1.5 * (1 - s ** 3 * (10 - 15 * s + 6 * s * s)) if sheared else 0)
    radius = numpy.hypot(x, y - numpy.clip(y, -2, 2))
    light = numpy.sqrt(numpy.clip(1 - radius ** 2, 0, 1))[..., None]
    picture = numpy.where(radius[..., None] < 1, numpy.array(colour) * (0.2 + 0.8 * light), 1.0)
    return picture


def write_pill(out, **changes):
    """A whole OUT_DIR/tarini2014/fig2_pill; returns its folder."""
    import matplotlib.image

    folder = write_run(out, make_run(**changes))
    with open(folder / "metrics.csv", "w", newline="", encoding="utf-8") as file:
        writer = csv.writer(file)
        writer.writerow("rig,family,resolution,vertices,pose,method,truth,weighting,mean_deg,rms_deg,p95_deg,"
                        "p99_deg,max_deg,flips".split(","))
        for (family, method), (scale, order) in POWER_LAWS.items():
            for segments in SEGMENTS:
                rms = scale * segments ** -order
                for truth, factor in (("analytic", 1), ("recomputed", 1.3)):
                    e = rms * factor
                    writer.writerow(["pill", family, segments, segments * segments, "posed", method, truth,
                                     "deformed area", 0.7 * e, e, 2 * e, 2.2 * e, 2.5 * e, 0])
    panels = {"rest": (False, (0.75, 0.75, 0.8)), "posed_standard": (True, (0.75, 0.75, 0.8)),
              "posed_deform": (True, (0.7, 0.75, 0.9)), "posed_truth": (True, (0.7, 0.9, 0.75)),
              "error_standard": (True, (0.9, 0.4, 0.1)), "error_deform": (True, (0.1, 0.2, 0.7))}
    for name, (sheared, colour) in panels.items():
        matplotlib.image.imsave(folder / f"{name}.png", capsule_picture(sheared, colour))
    return folder


LIVE = {"file": "live.json", "kind": "live", "caption": "What the page shows in motion"}


def write_live(folder, frames=5):
    """A sheet that is bent more and more, 9 by 9; standard normals are those of the flat one. Returns its arrays."""
    y, x = numpy.mgrid[-1:1:9j, -1:1:9j]
    arrays = {"positions": [], "standard": [], "better": []}
    for bend in numpy.linspace(0, 1, frames):
        normals = numpy.stack([-2 * bend * x, 0 * x, 1 + 0 * x], axis=-1)
        arrays["positions"].append(numpy.stack([x, y, bend * x * x], axis=-1))
        arrays["standard"].append(numpy.broadcast_to([0.0, 0.0, 1.0], normals.shape))
        arrays["better"].append(normals / numpy.linalg.norm(normals, axis=-1, keepdims=True))
    arrays = {name: numpy.asarray(rows).reshape(-1, 3).astype("<f4") for name, rows in arrays.items()}
    (folder / "live").mkdir()
    for name, rows in arrays.items():
        numpy.save(folder / "live" / f"{name}.npy", rows)
    faces = [face for i in range(8) for j in range(8) for a in [9 * i + j] for face in ([a, a + 1, a + 10], [a, a + 10, a + 9])]
    (folder / "live.json").write_text(json.dumps({
        "rig": "sheet", "pose": "bent", "standard": "standard", "better": "deform factors", "frames": frames,
        "towards_eye": [0.3, 0.2, 1], "up": [0, 1, 0], "faces": faces}), encoding="utf-8")
    return arrays


def write_digits(out, cells=None, **changes):
    """OUT_DIR/stability.json with cells {id: (median, worst 1 %)}."""
    if cells is None:
        cells = {"lbs-deform/near/float": (7.2, 6.2), "lbs-deform/characters/float": (7.2, 6.1),
                 "lbs-deform/characters/vulkan": (6.9, 5.9)}
    Path(out, "stability.json").write_text(json.dumps({
        "schema": 1, "machine": "made-up compiler", "flags": "-O7", "version": "9.9.9", "cases": 2000,
        "regimes": {"near": "at the origin", "far": "far away", "characters": "as in games"}, "losses": [],
        "cells": [{"id": name, "p50": p50, "p01": p01} for name, (p50, p01) in cells.items()], **changes}), encoding="utf-8")


@pytest.fixture
def out(tmp_path):
    folder = tmp_path / "out"
    folder.mkdir()
    return folder
