"""Reading run.json and metrics.csv: what is refused, and how the refusal reads."""

import json
import math
import re
from pathlib import Path

import pytest

import common
import palette
from conftest import make_claim, make_run, unrun, write_pill, write_run


def refusal(action, *arguments):
    with pytest.raises(common.InputError) as caught:
        action(*arguments)
    return str(caught.value)


def test_good_run_is_read_as_written(out):
    run = make_run()
    assert common.load_run(write_run(out, run)) == run


def test_missing_run_json_is_named(out):
    assert refusal(common.load_run, out) == f"{out / 'run.json'}: No such file or directory"


def test_corrupt_run_json_is_named_with_its_line(out):
    (out / "run.json").write_text('{"id": "a/b",\n "paper": ')
    assert refusal(common.load_run, out).startswith(f"{out / 'run.json'}: line 2: is not JSON: ")


@pytest.mark.parametrize("key", ["id", "paper", "title", "says", "seconds", "renderer", "claims", "outputs"])
def test_missing_element_of_run_is_named(out, key):
    run = make_run()
    folder = write_run(out, run)
    del run[key]
    (folder / "run.json").write_text(json.dumps(run))
    assert refusal(common.load_run, folder) == f"{folder / 'run.json'}: {key}: is missing"


@pytest.mark.parametrize("key", list(make_claim()))
def test_missing_element_of_claim_is_named(out, key):
    claim = make_claim()
    del claim[key]
    folder = write_run(out, make_run(claims=[make_claim(), claim]))
    if key == "why":  # nothing to explain about a reproduced claim
        common.load_run(folder)
    else:
        assert refusal(common.load_run, folder).endswith(f": claims[1].{key}: is missing")


@pytest.mark.parametrize("changes, where", [
    ({"verdict": "reproducd"}, "verdict"), ({"bound": "about"}, "bound"), ({"value": "16"}, "value"),
    ({"value": math.nan}, "value"), ({"value": True}, "value"), ({"tolerance": None}, "tolerance"),
    ({"kind": "guess"}, "kind"), ({"oracle": None}, "oracle"), ({"fails_when": 1}, "fails_when"),
    ({"name": 3}, "name"), ({"why": None}, "why"), ({"verdict": "deviates", "why": ""}, "why"),
    ({"verdict": "differs-by-design", "why": ""}, "why"),
    ({"value": None, "verdict": "reproduced"}, "value")])
def test_wrong_element_of_claim_is_named(out, changes, where):
    folder = write_run(out, make_run(claims=[make_claim(**changes)]))
    assert f": claims[0].{where}: " in refusal(common.load_run, folder)


def test_claim_without_a_number_is_read_when_it_failed(out):
    folder = write_run(out, make_run(claims=[make_claim(value=None, verdict="failed", why="NaN")]))
    assert common.load_run(folder)["claims"][0]["value"] is None


def test_experiment_that_was_not_run_needs_its_claims_and_the_reason(out):
    run = unrun("a/b", "no models")
    assert common.load_run(write_run(out, run)) == run
    del run["claims"][0]["not_run"]
    assert refusal(common.load_run, write_run(out, run)).endswith(": claims[0].not_run: is missing")


def test_metrics_are_read_with_types(out):
    rows = common.load_metrics(write_pill(out))
    assert len(rows) == 32
    assert (rows[0].resolution, rows[0].method, rows[0].flips) == (12, "standard", 0)
    assert rows[0].rms_deg == 16.2


def test_metrics_without_a_column_name_it(out):
    folder = write_pill(out)
    path = folder / "metrics.csv"
    path.write_text(path.read_text().replace("rms_deg", "rms"))
    assert refusal(common.load_metrics, folder) == f"{path}: has no column rms_deg"


@pytest.mark.parametrize("word", ["nan", "inf", "many", ""])
def test_metrics_with_a_bad_number_name_line_and_column(out, word):
    folder = write_pill(out)
    path = folder / "metrics.csv"
    lines = path.read_text().splitlines()
    cells = lines[2].split(",")
    cells[9] = word
    lines[2] = ",".join(cells)
    path.write_text("\n".join(lines))
    assert refusal(common.load_metrics, folder) == f"{path}: line 3: '{word}' is no value for rms_deg"


def test_metrics_cut_short_name_the_line(out):
    folder = write_pill(out)
    path = folder / "metrics.csv"
    path.write_text("\n".join(path.read_text().splitlines()[:3])[:-20])
    assert f"{path}: line 3: " in refusal(common.load_metrics, folder)


def test_empty_metrics_are_refused(out):
    folder = write_pill(out)
    (folder / "metrics.csv").write_text("")
    assert "has no column rig" in refusal(common.load_metrics, folder)


@pytest.mark.parametrize("order", [0.0, 0.9, 2.0])
def test_measured_order_is_the_power_law(order):
    segments = [12, 24, 48, 96]
    assert common.measured_order(segments, [7 * s ** -order for s in segments]) == pytest.approx(order, abs=1e-12)


def test_measured_order_uses_every_point():
    # By hand, in base-2 logarithms: y = 4, 2, 1 at x = 0, 1, 2; least squares gives slope -1.5.
    assert common.measured_order([1, 2, 4], [16, 4, 2]) == pytest.approx(1.5, abs=1e-12)


def test_convergence_picks_the_wanted_rows_coarse_to_fine(out):
    rows = list(reversed(common.load_metrics(write_pill(out))))
    segments, rms = common.convergence(rows, "m.csv", truth="recomputed", family="jittered", method="deform")
    assert segments == [12, 24, 48, 96]
    assert rms == pytest.approx([1.3 * 25 / s for s in segments], rel=1e-12)


def test_convergence_refuses_missing_or_doubled_rows(out):
    rows = common.load_metrics(write_pill(out))
    assert "fewer than two resolutions" in refusal(lambda: common.convergence(rows, "m.csv", method="other"))
    assert "several rows" in refusal(lambda: common.convergence(rows, "m.csv", method="deform"))


def test_file_is_replaced_whole_and_nothing_is_left_behind(out):
    common.write_file(out / "a.txt", b"old")
    common.write_file(out / "a.txt", b"new")
    assert (out / "a.txt").read_bytes() == b"new"
    assert [path.name for path in out.iterdir()] == ["a.txt"]


def test_unwritable_place_is_named(out):
    path = out / "nowhere" / "a.txt"
    assert refusal(common.write_file, path, b"") == f"{path}: cannot be written: No such file or directory"


def test_failed_replacement_leaves_no_temporary_file(out):
    (out / "a.txt").mkdir()
    assert "a.txt: cannot be written: " in refusal(common.write_file, out / "a.txt", b"x")
    assert [path.name for path in out.iterdir()] == ["a.txt"]


def test_colours_come_from_the_palette():
    folder = Path(__file__).parent
    for script in folder.rglob("*.py"):
        if script.name != "palette.py":
            assert not re.search(r"#[0-9A-Fa-f]{6}\b", script.read_text(encoding="utf-8")), script.name
    cycle = re.search(r"axes.prop_cycle: .*\[(.*)\]", (folder / "style.mplstyle").read_text()).group(1)
    assert [f"#{colour}" for colour in re.findall(r'"(\w{6})"', cycle)] == [
        palette.VERMILION, palette.BLUE, palette.GREEN, palette.PURPLE, palette.ORANGE, palette.SKY, palette.BLACK]
