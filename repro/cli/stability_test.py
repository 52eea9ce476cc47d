"""skinlight stability as a person or a CI meets it: exit codes and messages. ctest -R stability checks the whole record."""

import json
import os
import pathlib
import shutil
import subprocess

import pytest

PROGRAM = os.environ["SKINLIGHT"]
GOLDEN = pathlib.Path(__file__).parents[2] / "golden"
CELL = "lbs-deform/near/float"


def run(*arguments):
    return subprocess.run([PROGRAM, "stability", *map(str, arguments)], capture_output=True, text=True, timeout=300)


@pytest.fixture
def record(tmp_path):
    """A copy of the record, to be changed."""
    for name in ["stability.json", "stability_inputs.json"]:
        shutil.copy(GOLDEN / name, tmp_path)
    return tmp_path / "stability.json"


def raise_digits(record, by):
    """The cell as if it had been `by` digits better when it was recorded."""
    document = json.loads(record.read_text())
    cell = next(c for c in document["cells"] if c["id"] == CELL)
    cell["p50"] += by
    record.write_text(json.dumps(document))


def check(record, *arguments):
    return run("check", "--record", record, "--kernels", "lbs-deform", "--regimes", "near", "--scalars", "float", *arguments)


def test_an_unchanged_kernel_passes(record):
    result = check(record)
    assert result.returncode == 0, result.stdout
    assert "0 lost digits" in result.stdout


def test_a_loss_fails_and_names_the_cell(record):
    raise_digits(record, 0.2)
    result = check(record)
    assert result.returncode == 1
    assert f"LOSS: {CELL}: " in result.stdout
    assert "bless CELL" in result.stdout


def test_a_gain_passes_and_asks_for_a_blessing(record):
    raise_digits(record, -0.4)
    result = check(record)
    assert result.returncode == 0
    assert f"gain: {CELL}: " in result.stdout
    blessed = run("bless", CELL, "--why", "better", "--record", record)
    assert blessed.returncode == 0 and blessed.stdout.splitlines()[-1] == CELL
    assert "gain: " not in check(record).stdout
    assert (record.parent / "stability_inputs.json").exists()


def test_a_loss_below_the_floor_cannot_be_blessed(record):
    document = json.loads(record.read_text())
    cell = next(c for c in document["cells"] if c["id"] == CELL)
    cell["floor"] = [9, 9]
    record.write_text(json.dumps(document))
    result = run("bless", CELL, "--why", "cheaper", "--record", record)
    assert result.returncode == 2
    assert "which no blessing crosses" in result.stderr


@pytest.mark.parametrize(
    "arguments, expected",
    [
        (["explain", "lbs-defrom/near/float"], "kernel 'lbs-defrom': unknown; did you mean 'lbs-deform'?"),
        (["measure", "--regimes", "far1e4"], "regime 'far1e4': unknown; did you mean 'far-1e4'?"),
        (["measure", "--scalars", "flaot"], "scalar 'flaot': unknown; did you mean 'float'?"),
        (["explain", "lbs-deform"], "is not of the form kernel/regime/scalar"),
        (["bless", "--why", "x"], "name a cell (kernel/regime/scalar) or a kernel"),
    ],
)
def test_unknown_names_are_answered_with_the_nearest(arguments, expected):
    result = run(*arguments)
    assert result.returncode == 2
    assert expected in result.stderr
    assert len(result.stderr.splitlines()) == 1


def test_a_record_of_another_schema_is_refused_with_how_to_begin_anew(record):
    record.write_text(record.read_text().replace('"schema": 1', '"schema": 7', 1))
    result = check(record)
    assert result.returncode == 2
    assert "schema 7" in result.stderr and "bless --first" in result.stderr


def test_all_cells_are_recorded_at_once_only_when_there_is_no_record(record):
    result = run("bless", "--first", "--why", "x", "--record", record)
    assert result.returncode == 2 and "there is a record" in result.stderr


def test_explain_shows_the_operation_after_which_digits_are_gone():
    result = run("explain", "lbs-deform/far-1e4/float")
    assert result.returncode == 0
    assert "operation" in result.stdout and "10 thousand units from the origin" in result.stdout


def test_measure_writes_json(tmp_path):
    result = run("measure", "--kernels", "lbs-standard", "--regimes", "near", "--scalars", "float", "--json",
                 tmp_path / "cells.json")
    assert result.returncode == 0
    cells = {c["id"]: c for c in json.loads((tmp_path / "cells.json").read_text())["cells"]}
    assert 6.5 < cells["lbs-standard/near/float"]["p01"] < cells["lbs-standard/near/float"]["p50"] < 8


def test_check_tells_in_json_what_was_lost_by_which_build(record, tmp_path):
    raise_digits(record, 1)
    assert check(record, "--json", tmp_path / "cells.json").returncode == 1
    found = json.loads((tmp_path / "cells.json").read_text())
    assert [loss["id"] for loss in found["losses"]] == [CELL] and "at the median" in found["losses"][0]["says"]
    assert found["gains"] == [] and "-ffp-contract=off" in found["flags"] and found["version"][0].isdigit()
    assert found["regimes"]["ring-far"].startswith("the same") and len(found["scalars"]) >= 5


def test_help_says_what_digits_are():
    result = run("--help")
    assert result.returncode == 0
    assert "How many decimal digits of the normals are right" in result.stdout
