"""Surveys over made-up programs and results: what is found, what becomes a row, what the tables say."""

import csv
import json
import os
import stat
import sys
import time
from pathlib import Path

import pytest

sys.path.insert(0, str(Path(__file__).parent))

import gather  # noqa: E402
import measure  # noqa: E402
import survey  # noqa: E402

CHECK = {"schema": 1, "rig": {"vertices": 8, "positions": 4, "triangles": 2, "bones": 2, "influences": 2},
         "findings": [{"kind": "weights-sum", "severity": "error"}, {"kind": "normals-missing", "severity": "warning"}]}


def compared(**means):
    """What `compare --json` writes of one clip, a kind of normals with each mean."""
    return {"clips": [{"clip": "Run", "errors": [{"way": way, "truth": truth, "mean_deg": mean + (truth == "recomputed"),
                                                  "max_deg": 3 * mean}
                                                 for way, mean in means.items() for truth in ("transported", "recomputed")]}]}


def program(folder, body):
    """A program in Python, in the place of skinlight."""
    path = folder / "program"
    path.write_text(f"#!{sys.executable}\nimport json, os, sys, time\nargs = sys.argv[1:]\n{body}\n")
    path.chmod(path.stat().st_mode | stat.S_IXUSR)
    return path


ANSWERS = f"""
if args == ["--version"]: print("1.0"); sys.exit(0)
what = {CHECK!r} if args[0] == "check" else {compared(standard=4.0, deform=1.0)!r}
json.dump(dict(what, model=args[1]), open(args[args.index("--json") + 1], "w"))
sys.exit(1)
"""


def options(path, **changes):
    return {"program": str(path), "methods": ["lbs", "dqs"], "frames": 2, "seconds": 1, "memory_mb": 2000, **changes}


def test_models_are_found_sorted_and_told_apart_by_content(tmp_path):
    for name, text in (("b/x.glb", "1"), ("a/y.FBX", "1"), ("a/notes.txt", "1"), (".git/z.glb", "1"), ("c.gltf", "{}")):
        (tmp_path / name).parent.mkdir(exist_ok=True)
        (tmp_path / name).write_text(text)
    found = survey.find_models([tmp_path])
    assert [path.relative_to(tmp_path).as_posix() for path in found] == ["a/y.FBX", "b/x.glb", "c.gltf"]
    assert survey.digest(found[0]) == survey.digest(found[1]) != survey.digest(found[2])


def test_buffers_beside_a_gltf_belong_to_its_content(tmp_path):
    model = tmp_path / "m.gltf"
    model.write_text(json.dumps({"buffers": [{"uri": "m.bin"}]}))
    alone = survey.digest(model)
    (tmp_path / "m.bin").write_bytes(b"1")
    first = survey.digest(model)
    (tmp_path / "m.bin").write_bytes(b"2")
    assert len({alone, first, survey.digest(model)}) == 3


@pytest.mark.parametrize("places, message", [(["no/such"], "no/such: no such file or folder"), ([], "no model")])
def test_nothing_to_survey_is_one_line(tmp_path, monkeypatch, places, message):
    monkeypatch.chdir(tmp_path)
    with pytest.raises(survey.SurveyError) as error:
        survey.find_models(places)
    assert message in str(error.value) and "\n" not in str(error.value)


def test_jobs_change_with_content_program_and_options_only(tmp_path):
    (tmp_path / "models").mkdir()
    (tmp_path / "models" / "a.glb").write_text("1")
    (tmp_path / "models" / "b.glb").write_text("1")
    config = {"models": [str(tmp_path / "models")], "out": str(tmp_path / "out"), "methods": ["lbs"], "frames": 2,
              "seconds": 15, "memory_mb": 100, "program": str(program(tmp_path, ANSWERS))}

    def jobs():
        return survey.Survey(config).results()

    first = jobs()
    assert len(first) == 1 and survey.Survey(config).minutes == 2
    (tmp_path / "models" / "a.glb").touch()
    os.rename(tmp_path / "models" / "b.glb", tmp_path / "models" / "c.glb")
    assert jobs() == first
    config["frames"] = 3
    assert jobs() != first
    config["frames"] = 2
    program(tmp_path, ANSWERS + "# another build")
    assert jobs() != first


def test_a_model_is_checked_and_compared_by_every_method(tmp_path):
    result = measure.measure("m.glb", options(program(tmp_path, ANSWERS)))
    assert result["status"] == "measured" and sorted(result["compare"]) == ["dqs", "lbs"]
    assert result["check"]["rig"]["positions"] == 4


@pytest.mark.parametrize("body, status, reason", [
    ("print('m.glb: skin 0: has no joints', file=sys.stderr); sys.exit(2)", "refused", "m.glb: skin 0: has no joints"),
    ("os.abort()", "crashed", "ended with -6"),
    ("time.sleep(60)", "timeout", "took more than 8 s"),
    ("while True: pass", "timeout", "took more than 1 s of processor time"),
    ("print('std::bad_alloc', file=sys.stderr); os.abort()", "memory", "took more than 2000 MB")])
def test_bad_models_are_rows_with_their_reason(tmp_path, body, status, reason):
    start = time.monotonic()
    result = measure.measure("m.glb", options(program(tmp_path, body)))
    assert (result["status"], result["reason"][:len(reason)]) == (status, reason)
    assert time.monotonic() - start < 30


def test_a_result_that_cannot_be_written_ends_with_2(tmp_path, capsys):
    (tmp_path / "file").write_text("")
    path = program(tmp_path, ANSWERS)
    assert measure.main(["m.glb", str(tmp_path / "file" / "out.json"), json.dumps(options(path))]) == 2
    assert capsys.readouterr().err.count("\n") == 1


def made(folder):
    """Three measured models, one refused, one duplicate, one that cannot be opened."""
    results = {"a": compared(standard=4.0, deform=1.0, smoothed=2.0), "b": compared(standard=2.0, deform=3.0, smoothed=1.0),
               "c": compared(standard=1.0, deform=0.25, smoothed=0.5)}
    (folder / "models").mkdir(parents=True)
    rows = []
    for name, result in results.items():
        (folder / "models" / f"{name}.json").write_text(json.dumps(
            {"status": "measured", "reason": "", "check": CHECK, "compare": {"lbs": result}}))
        rows.append({"model": f"/rigs/{name}.glb", "sha256": name, "job": name, "same_as": None})
    (folder / "models" / "d.json").write_text(json.dumps(
        {"status": "refused", "reason": "skin 0: <b>bad</b>", "check": None, "compare": {}}))
    rows += [{"model": "/rigs/d.glb", "sha256": "d", "job": "d", "same_as": None},
             {"model": "/rigs/e.glb", "sha256": "a", "job": "a", "same_as": "/rigs/a.glb"},
             {"model": "/rigs/f.glb", "sha256": None, "job": None, "same_as": None}]
    (folder / "listing.json").write_text(json.dumps({"options": {"frames": 2}, "rows": rows}))
    return folder / "listing.json"


def test_tables_say_who_wins_where(tmp_path):
    assert gather.main([str(made(tmp_path))]) == 0
    with open(tmp_path / "models.csv", encoding="utf-8", newline="") as file:
        rows = {row["model"]: row for row in csv.DictReader(file)}
    assert [row["status"] for row in rows.values()] == ["measured"] * 3 + ["refused", "duplicate", "unreadable"]
    assert [rows[f"/rigs/{name}.glb"]["best"] for name in "abc"] == ["deform", "smoothed", "deform"]
    assert [rows[f"/rigs/{name}.glb"]["best_over_standard"] for name in "abc"] == ["0.25", "0.5", "0.25"]
    assert rows["/rigs/e.glb"]["same_as"] == "/rigs/a.glb" and rows["/rigs/a.glb"]["standard_max_deg"] == "12"
    summary = json.loads((tmp_path / "summary.json").read_text())
    lbs = summary["methods"]["lbs"]
    assert lbs["ways"]["standard"] == {"count": 3, "q1": 1.5, "median": 2.0, "q3": 3.0, "max": 4.0}
    assert lbs["over_standard"]["deform"]["median"] == 0.25 and lbs["wins"] == {"deform": 2, "smoothed": 1, "standard": 0}
    assert summary["status"] == {"duplicate": 1, "measured": 3, "refused": 1, "unreadable": 1}
    # The duplicate's findings do not count again.
    assert [f["models"] for f in summary["findings"]] == [3, 3]


def test_the_page_escapes_what_comes_from_files_and_is_the_same_every_time(tmp_path):
    listing = made(tmp_path)
    gather.main([str(listing)])
    first = {path.name: path.read_bytes() for path in tmp_path.iterdir() if path.is_file()}
    gather.main([str(listing)])
    assert {path.name: path.read_bytes() for path in tmp_path.iterdir() if path.is_file()} == first
    page = first["index.html"].decode()
    assert "&lt;b&gt;bad&lt;/b&gt;" in page and "<b>bad" not in page


def test_a_survey_of_bad_files_only_still_has_its_page(tmp_path):
    listing = made(tmp_path)
    table = json.loads(listing.read_text())
    table["rows"] = table["rows"][3:4]
    listing.write_text(json.dumps(table))
    assert gather.main([str(listing)]) == 0
    assert "1 refused" in (tmp_path / "index.html").read_text()
