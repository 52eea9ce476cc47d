"""The program as a person or a CI meets it: exit codes, messages, files. Runs the real binary ($SKINLIGHT)."""

import json
import os
import pathlib
import struct
import subprocess
import time

import pytest

PROGRAM = os.environ["SKINLIGHT"]
PILL = "tarini2014/fig2_pill"


def run(*arguments, **environment):
    env = {**os.environ, **environment}
    return subprocess.run([PROGRAM, *map(str, arguments)], capture_output=True, text=True, env=env, timeout=300)


def error_line(result):
    """The one line that tells what is wrong; progress and usage lines are others."""
    lines = [line for line in result.stderr.splitlines() if line.startswith("skinlight: ")]
    assert len(lines) == 1, result.stderr
    return lines[0]


def triangle(**changes):
    """A valid skinned triangle as glTF; `changes` replace parts of it."""
    positions = struct.pack("<9f", 0, 0, 0, 1, 0, 0, 0, 1, 0)
    joints = bytes(12)
    weights = changes.get("weights", struct.pack("<12f", *[1, 0, 0, 0] * 3))
    joints = changes.get("joints", joints)
    data = positions + joints + weights
    (folder := changes["folder"]).mkdir(exist_ok=True)
    (folder / "data.bin").write_bytes(data)
    document = {
        "asset": {"version": "2.0"},
        "scene": 0,
        "scenes": [{"nodes": [0, 1]}],
        "nodes": [{"mesh": 0, "skin": 0}, {"name": "root"}],
        "skins": [{"joints": [1]}],
        "meshes": [{"primitives": [{"attributes": {"POSITION": 0, "JOINTS_0": 1, "WEIGHTS_0": 2}}]}],
        "buffers": [{"uri": "data.bin", "byteLength": len(data)}],
        "bufferViews": [
            {"buffer": 0, "byteOffset": 0, "byteLength": 36},
            {"buffer": 0, "byteOffset": 36, "byteLength": 12},
            {"buffer": 0, "byteOffset": 48, "byteLength": 48},
        ],
        "accessors": [
            {"bufferView": 0, "componentType": 5126, "count": 3, "type": "VEC3", "min": [0, 0, 0], "max": [1, 1, 0]},
            {"bufferView": 1, "componentType": 5121, "count": 3, "type": "VEC4"},
            {"bufferView": 2, "componentType": 5126, "count": 3, "type": "VEC4"},
        ],
    }
    document.update(changes.get("document", {}))
    path = folder / "model.gltf"
    path.write_text(json.dumps(document))
    return path


def test_list_names_every_experiment():
    result = run("list")
    assert result.returncode == 0
    assert PILL in result.stdout


@pytest.mark.parametrize("arguments, said", [
    ([], "skinlight: name a command: list, reproduce, compare, "),
    (["chekc", "a.glb"], "skinlight: command 'chekc': unknown; did you mean 'check'? Choose one of list, "),
    (["hero.glb"], "skinlight: command 'hero.glb': unknown; choose one of list, "),
    (["golden"], "skinlight golden: name a command: check, bless"),
    (["golden", "bles"], "skinlight golden: command 'bles': unknown; did you mean 'bless'? "),
    (["check"], "skinlight check: MODEL is required"),
    (["compare", "a", "b"], "skinlight compare: 'b' is one argument too many"),
    (["compare", "--frame", "4"], "skinlight compare: option '--frame': unknown; did you mean '--frames'?"),
    (["compare", "a", "--cvs=x"], "skinlight compare: option '--cvs': unknown; did you mean '--csv'?"),
    (["compare", "a", "--frames", "0"], "skinlight compare: --frames: '0' is not allowed; give a whole number from 1 on"),
    (["compare", "a", "--frames", "2.5"], "'2.5' is not allowed; give a whole number from 1 on"),
    (["compare", "a", "--frames", "99999999999"], "'99999999999' is not allowed; give a whole number from 1 on"),
    (["compare", "a", "--fail-above", "nan"], "--fail-above: 'nan' is not allowed; give a number from 0 on"),
    (["compare", "a", "--guard", "clmap"], "--guard: 'clmap': unknown; did you mean 'clamp'? Choose one of none, "),
    (["check", "a", "--influences", "17"], "--influences: '17' is not allowed; give a whole number from 1 to 16"),
    (["bake", "a", "-o", "b.glb", "--influences", "9"], "--influences: '9' is not allowed; give a whole number from 4 to 8"),
    (["reproduce", "--threads", "-1"], "--threads: '-1' is not allowed; give a whole number from 0 on"),
    (["stability", "measure", "--threads", "x"], "skinlight stability measure: --threads: 'x' is not allowed; give a "),
    (["compare", "a", "--json"], "skinlight compare: --json"),
])
def test_wrong_command_lines_are_answered_in_one_line(arguments, said):
    result = run(*arguments)
    assert result.returncode == 2 and result.stdout == ""
    assert said in result.stderr
    assert result.stderr.startswith("skinlight") and result.stderr.count("\n") == 1
    assert result.stderr.endswith(" --help)\n")


def test_a_golden_check_of_nothing_is_an_error():
    result = run("golden", "check", "bittner2019/table2_fps", "--no-times")
    assert (result.returncode, result.stdout) == (2, "")
    assert result.stderr == "skinlight: --no-times: leaves out all that is named\n"


# Its references are tables of models alone.
def test_a_golden_check_without_the_models_says_that_it_did_not_run(tmp_path):
    result = run("golden", "check", "beyond/survey", "--out", tmp_path, SKINLIGHT_MODELS="", SKINLIGHT_REQUIRE_MODELS="0")
    assert result.returncode == 0, result.stdout
    assert result.stdout.startswith("beyond/survey: not run: needs ") and result.stdout.count("\n") == 1


def test_help_is_no_error():
    result = run("reproduce", "--help")
    assert result.returncode == 0
    assert "--renderer" in result.stdout and result.stderr == ""


@pytest.mark.parametrize("wrong, meant", [("tarini2014/fig2_pil", PILL), ("tarini2041/fig2_pill", PILL),
                                          ("tarini204", "'tarini2014'?"), ("bittner", "'bittner2019'?"),
                                          ("nothing/like/it", PILL)])
def test_unknown_experiments_name_what_was_meant_or_all(wrong, meant):
    result = run("reproduce", wrong)
    assert result.returncode == 2
    assert wrong in error_line(result) and meant in error_line(result)


def test_a_paper_stands_for_its_experiments(tmp_path):
    result = run("reproduce", "merry2006", "merry2006/normals", "--out", tmp_path, "--renderer", "llvmpipe")
    assert result.returncode == 0, result.stderr
    listed = [line.split()[0] for line in run("list").stdout.splitlines()]
    wanted = {name for name in listed if name.startswith("merry2006/")}
    assert wanted and {f"merry2006/{path.name}" for path in (tmp_path / "merry2006").iterdir()} == wanted


def test_unknown_renderer():
    result = run("reproduce", PILL, "--renderer", "crayon")
    assert result.returncode == 2
    assert "crayon" in error_line(result) and "osmesa" in error_line(result)


def test_unwritable_output_folder_leaves_nothing(tmp_path):
    (tmp_path / "file").write_text("a file, not a folder")
    result = run("reproduce", PILL, "--out", tmp_path / "file" / "out", "--renderer", "llvmpipe")
    assert result.returncode == 2
    assert str(tmp_path / "file") in error_line(result)
    assert [p.name for p in tmp_path.iterdir()] == ["file"]


def test_no_usable_gl_tells_why_and_another_renderer_still_works(tmp_path):
    no_egl = {"__EGL_VENDOR_LIBRARY_FILENAMES": str(tmp_path / "no_vendor.json")}
    result = run("reproduce", PILL, "--out", tmp_path / "a", "--renderer", "egl-surfaceless", **no_egl)
    assert result.returncode == 2
    assert "egl-surfaceless" in error_line(result) and "EGL" in error_line(result)
    assert not (tmp_path / "a").exists()
    result = run("reproduce", PILL, "--out", tmp_path / "b", **no_egl)
    assert result.returncode == 0, result.stderr
    assert json.loads((tmp_path / "b" / PILL / "run.json").read_text())["renderer"]["name"] == "osmesa"


def contents(folder):
    """The bytes of every file in the folder and in those below."""
    return {path.relative_to(folder).as_posix(): path.read_bytes() for path in folder.rglob("*") if path.is_file()}


def test_same_bytes_from_any_thread_count(tmp_path):
    for threads in (1, 2, 3):
        assert run("reproduce", PILL, "--out", tmp_path / str(threads), "--renderer", "llvmpipe",
                   "--threads", threads).returncode == 0
    first = contents(tmp_path / "1" / PILL)
    assert {"run.json", "metrics.csv", "posed_deform.png"} <= first.keys()
    for threads in (2, 3):
        other = contents(tmp_path / str(threads) / PILL)
        assert other.keys() == first.keys()
        for name in first.keys() - {"run.json"}:  # holds the run time
            assert other[name] == first[name], name


def test_run_json_has_the_documented_form(tmp_path):
    assert run("reproduce", PILL, "--out", tmp_path, "--renderer", "llvmpipe").returncode == 0
    document = json.loads((tmp_path / PILL / "run.json").read_text())
    assert {"id", "paper", "title", "renderer", "seconds", "claims", "outputs"} <= document.keys()
    assert set(document["renderer"]) == {"name", "version"} and document["seconds"] > 0
    names = {claim["name"] for claim in document["claims"]}
    assert {"standard_rms_96", "standard_order", "deform_rms_96", "deform_order", "deform_order_jittered",
            "formulas_agree_rad"} <= names
    for claim in document["claims"]:
        assert {"name", "statement", "paper_value", "value", "tolerance", "verdict", "why"} <= claim.keys()
        assert claim["verdict"] in {"reproduced", "deviates"} and claim["why"]
    for output in document["outputs"]:
        assert (tmp_path / PILL / output["file"]).is_file()


def test_a_killed_run_leaves_the_earlier_result_whole(tmp_path):
    arguments = ["reproduce", PILL, "--out", str(tmp_path), "--renderer", "llvmpipe"]
    assert run(*arguments).returncode == 0
    before = contents(tmp_path / PILL)
    for seconds in (0.2, 0.6, 1.0):
        process = subprocess.Popen([PROGRAM, *arguments], stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL)
        time.sleep(seconds)
        process.kill()
        process.wait()
        after = contents(tmp_path / PILL)
        assert after.keys() == before.keys()
        assert all(after[name] == before[name] for name in before if name != "run.json")  # it holds the run time
    assert run(*arguments).returncode == 0  # what the killed runs left does not matter


def test_a_missing_model_is_not_run_and_required_models_fail(tmp_path):
    models = {"SKINLIGHT_MODELS": str(tmp_path / "none")}
    result = run("reproduce", "tarini2014/characters", "--out", tmp_path, "--renderer", "llvmpipe",
                 **models, SKINLIGHT_REQUIRE_MODELS="0")
    assert result.returncode == 0 and "not run" in result.stdout and "SKINLIGHT_MODELS" in result.stdout
    document = json.loads((tmp_path / "tarini2014/characters/run.json").read_text())
    assert document["not_run"] and len(document["claims"]) > 5
    assert {(claim["verdict"], claim["value"]) for claim in document["claims"]} == {("not-run", None)}
    assert "statements of the papers: 5 not-run\n" in result.stdout
    result = run("reproduce", "tarini2014/characters", "--out", tmp_path, "--renderer", "llvmpipe",
                 **models, SKINLIGHT_REQUIRE_MODELS="1")
    assert result.returncode == 2 and "quaternius-formal" in error_line(result)


def test_without_ffmpeg_the_frames_are_kept_and_said_to_be(tmp_path):
    result = run("reproduce", PILL, "--video", "--out", tmp_path, "--renderer", "llvmpipe", PATH=str(tmp_path))
    assert result.returncode == 0, result.stderr
    lines = [line for line in result.stdout.splitlines() if "ffmpeg" in line]
    assert len(lines) == 1 and PILL in lines[0] and "48 frames" in lines[0]
    assert "frame 48 of 48" in result.stderr  # progress
    frames = sorted(path.name for path in (tmp_path / PILL / "video").iterdir())
    assert frames == [f"{number:04}.png" for number in range(1, 49)]
    outputs = json.loads((tmp_path / PILL / "run.json").read_text())["outputs"]
    assert [o["file"] for o in outputs if o["kind"] in ("video", "frames")] == ["video/0001.png"]


def test_compare_measures_and_draws(tmp_path):
    model = triangle(folder=tmp_path / "model")
    result = run("compare", model, "--json", tmp_path / "e.json", "--render", tmp_path / "pictures",
                 "--renderer", "llvmpipe", "--normals", "standard,deform,deform+test-then-fix")
    assert result.returncode == 0, result.stderr
    assert "standard" in result.stdout and "deform" in result.stdout and "transported" in result.stdout
    document = json.loads((tmp_path / "e.json").read_text())
    assert document["vertices"] == 3 and document["clips"][0]["clip"] == "default pose"
    modes = {(e["normals"], e["truth"]) for e in document["clips"][0]["errors"]}
    assert modes == {(n, t) for n in ("standard", "deform") for t in ("transported", "recomputed")}
    for error in document["clips"][0]["errors"]:
        assert error["mean_deg"] < 1e-5 and error["flips"] == 0  # one bone at rest: nothing can be wrong
    guards = {(e["normals"], e["guard"]) for e in document["clips"][0]["errors"]}
    assert guards == {("standard", "none"), ("deform", "none"), ("deform", "test-then-fix")}
    pictures = list((tmp_path / "pictures").iterdir())
    assert len(pictures) == 1 and pictures[0].read_bytes().startswith(b"\x89PNG")


def test_bad_files_name_file_element_and_reason(tmp_path):
    empty = tmp_path / "empty.gltf"
    empty.write_bytes(b"")
    text = tmp_path / "text.glb"
    text.write_text("not a model")
    whole = triangle(folder=tmp_path / "whole")
    truncated = tmp_path / "truncated.gltf"
    truncated.write_text(whole.read_text()[:200])
    cases = {
        tmp_path / "missing.gltf": ["no such file"],
        empty: ["empty"],
        text: [],
        truncated: [],
        triangle(folder=tmp_path / "no_skin", document={"skins": [], "nodes": [{"mesh": 0}]}): ["skin"],
        triangle(folder=tmp_path / "joint", joints=bytes([0, 0, 0, 0, 7, 0, 0, 0, 0, 0, 0, 0])): ["JOINTS_0", "vertex 1", "7"],
        triangle(folder=tmp_path / "nan", weights=struct.pack("<12f", *[1, 0, 0, 0] * 2, float("nan"), 0, 0, 0)):
            ["WEIGHTS_0", "vertex 2", "finite"],
    }
    for path, words in cases.items():
        result = run("compare", path, "--json", tmp_path / "never.json")
        assert result.returncode == 2, path
        line = error_line(result)
        assert str(path) in line, line
        for word in words:
            assert word in line, line
    assert not (tmp_path / "never.json").exists()


def test_compare_measures_the_guard_it_is_told(tmp_path):
    for guard in ("joint", "clamp", "none"):
        result = run("compare", triangle(folder=tmp_path / "model"), "--guard", guard, "--json", tmp_path / "e.json")
        assert result.returncode == 0, result.stderr
        errors = json.loads((tmp_path / "e.json").read_text())["clips"][0]["errors"]
        assert {e["guard"] for e in errors} == {"none", guard}


def test_unknown_clip_names_those_that_exist(tmp_path):
    result = run("compare", triangle(folder=tmp_path / "model"), "--clip", "Fly")
    assert result.returncode == 2 and "default pose" in error_line(result)


def test_weights_off_one_or_all_zero_warn_and_give_finite_results(tmp_path):
    weights = struct.pack("<12f", 0.5, 0, 0, 0, 0, 0, 0, 0, 1, 0, 0, 0)
    result = run("compare", triangle(folder=tmp_path / "model", weights=weights), "--json", tmp_path / "e.json")
    assert result.returncode == 0
    assert "normalised" in result.stderr and "no positive weight" in result.stderr
    assert "NaN" not in (tmp_path / "e.json").read_text() and "null" not in (tmp_path / "e.json").read_text()


def test_check_of_a_healthy_file_is_silent_about_errors(tmp_path):
    result = run("check", triangle(folder=tmp_path / "model"), "--json", tmp_path / "health.json")
    assert result.returncode == 0, result.stderr
    assert result.stdout.rstrip().endswith("healthy") and "not healthy" not in result.stdout
    document = json.loads((tmp_path / "health.json").read_text())
    assert document["schema"] == 1 and document["readable"] and document["healthy"] and document["errors"] == 0
    # The triangle has no normals: a warning, which counts with --strict only.
    assert document["warnings"] == 1
    # One bone moves all of it.
    assert document["predicted_normals"] == "standard" and "--normals standard" in result.stdout
    result = run("check", triangle(folder=tmp_path / "model"), "--strict")
    assert result.returncode == 1 and result.stdout.rstrip().endswith("not healthy")


def test_check_names_what_is_wrong_where_and_what_to_do(tmp_path):
    weights = struct.pack("<12f", 0.5, 0, 0, 0, 1, 0, 0, 0, 1.25, 0, 0, 0)
    result = run("check", triangle(folder=tmp_path / "model", weights=weights), "--json", tmp_path / "health.json")
    assert result.returncode == 1
    line = next(line for line in result.stdout.splitlines() if line.startswith("error"))
    assert line.split() == ["error", "weights-unnormalised", "2", "of", "3", "0.5", "off", "1",
                            "mesh", "0", "primitive", "0", "vertex", "0"]
    assert "Normalise the weights" in result.stdout and "1 error" in result.stdout
    document = json.loads((tmp_path / "health.json").read_text())
    finding = document["findings"][0]
    assert finding.keys() == {"kind", "severity", "element", "count", "of", "size", "unit", "says", "detail", "advice"}
    assert finding["kind"] == "weights-unnormalised" and finding["severity"] == "error"
    assert finding["element"] == {"type": "vertex", "index": 0, "name": "mesh 0 primitive 0 vertex 0"}
    assert (finding["count"], finding["of"], finding["size"], finding["unit"]) == (2, 3, 0.5, "off 1")
    assert document["rig"] == {"vertices": 3, "positions": 3, "triangles": 1, "bones": 1, "influences": 1}
    assert document["errors"] == 1 and not document["healthy"]
    # What the reader repaired is told beside the findings.
    assert "warning: " in result.stderr and "do not sum to 1" in result.stderr
    repaired = next(w for w in document["reader_warnings"] if "do not sum to 1" in w["reason"])
    assert (repaired["element"], repaired["count"]) == ("vertex 0", 2)


def test_check_of_unreadable_files_tells_why(tmp_path):
    (tmp_path / "empty.gltf").write_bytes(b"")
    joint = triangle(folder=tmp_path / "joint", joints=bytes([0, 0, 0, 0, 7, 0, 0, 0, 0, 0, 0, 0]))
    cases = {tmp_path / "missing.gltf": ["no such file"], tmp_path / "empty.gltf": ["empty"], tmp_path: ["folder"],
             joint: ["JOINTS_0 vertex 1", "joint 7"]}
    for path, words in cases.items():
        result = run("check", path, "--json", tmp_path / "health.json")
        assert result.returncode == 2, path
        line = error_line(result)
        document = json.loads((tmp_path / "health.json").read_text())
        assert document["schema"] == 1 and not document["readable"] and not document["healthy"]
        for word in [str(path), *words]:
            assert word.lower() in line.lower(), line
        assert document["reason"] in line and document["element"] in line
        (tmp_path / "health.json").unlink()


def test_check_goes_on_where_a_weight_is_not_finite(tmp_path):
    bad = triangle(folder=tmp_path / "nan", weights=struct.pack("<12f", *[1, 0, 0, 0] * 2, float("nan"), 0, 0, 0))
    result = run("check", bad, "--json", tmp_path / "health.json")
    found = json.loads((tmp_path / "health.json").read_text())["findings"]
    assert result.returncode == 1 and {"weights-not-finite", "normals-missing"} <= {f["kind"] for f in found}
    assert found[0]["element"]["name"] == "mesh 0 primitive 0 vertex 2"
    refused = run("compare", bad)
    assert refused.returncode == 2 and "WEIGHTS_0 vertex 2: is not finite" in error_line(refused)


def test_check_help_lists_every_finding():
    result = run("check", "--help")
    assert result.returncode == 0
    for kind in ("weights-zero", "influences-over-limit", "normals-flip", "bones-unused", "precision-lost"):
        assert kind in result.stdout


@pytest.mark.parametrize("command", ["check", "compare"])
def test_the_input_is_never_overwritten(tmp_path, command):
    model = triangle(folder=tmp_path / "model")
    before = model.read_bytes()
    result = run(command, model, "--json", tmp_path / "model" / ".." / "model" / "model.gltf")
    assert result.returncode == 2 and "is the input" in error_line(result)
    assert model.read_bytes() == before
