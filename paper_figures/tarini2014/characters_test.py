"""The figure of real characters: which clip stands in which row, and what it says of rows that are missing."""

import csv
from pathlib import Path

import pytest

from common import InputError
from conftest import make_run, write_run

EXPERIMENT = "tarini2014/characters"
COLUMNS = ("rig,family,resolution,vertices,pose,method,truth,weighting,mean_deg,rms_deg,p95_deg,p99_deg,max_deg,"
           "flips").split(",")
STANDARD = {("wolf", "Sit"): 1, ("wolf", "Leap"): 3, ("ant", "Crawl"): 2}  # mean error, degrees


def write_characters(out, left_out=(), truths=("transported", "recomputed")):
    folder = write_run(out, make_run(id=EXPERIMENT))
    with open(folder / "metrics.csv", "w", newline="", encoding="utf-8") as file:
        writer = csv.writer(file)
        writer.writerow(COLUMNS)
        for (rig, pose), standard in STANDARD.items():
            for resolution in (0, 1):
                for method, share in (("standard", 1), ("deform", 0.5)):
                    for truth in truths:
                        if (pose, resolution, method) not in left_out:
                            mean = standard * share * (7 if truth == "recomputed" else 1) / (1 + resolution)
                            writer.writerow([rig, "model", resolution, 9, pose, method, truth, "area", mean, 0, 0, 0, 0, 0])
    return folder


@pytest.fixture
def characters(monkeypatch):
    monkeypatch.syspath_prepend(str(Path(__file__).parent))
    import characters

    return characters


def test_clips_of_a_model_stand_by_falling_error_of_standard_normals(out, characters):
    clips = characters.load_clips(write_characters(out))
    assert list(clips) == [("wolf", "Leap"), ("wolf", "Sit"), ("ant", "Crawl")]
    assert clips["wolf", "Leap"] == {(0, "standard"): 3, (0, "deform"): 1.5, (1, "standard"): 1.5, (1, "deform"): 0.75}


def test_a_missing_row_is_named(out, characters):
    folder = write_characters(out, left_out=[("Leap", 1, "deform")])
    with pytest.raises(InputError, match="wolf, Leap: has no row of method deform at resolution 1"):
        characters.load_clips(folder)


def test_rows_against_another_truth_are_not_shown(out, characters):
    folder = write_characters(out, truths=["recomputed"])
    with pytest.raises(InputError, match="no row against the transported truth"):
        characters.load_clips(folder)
