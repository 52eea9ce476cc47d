"""`check` over several files, and its SARIF and JUnit as code hosts read them. Runs the real binary ($SKINLIGHT)."""

import json
import os
import pathlib
import re
import struct
import subprocess
import urllib.parse
import xml.etree.ElementTree as ET

import pytest

from cli_test import error_line, run, triangle

HALF = struct.pack("<12f", *[0.5, 0, 0, 0] * 3)


@pytest.fixture
def assets(tmp_path):
    """Two sound triangles, one of half weights in a folder with odd characters, one that is no model, and a text."""
    triangle(folder=tmp_path / "a")
    triangle(folder=tmp_path / "a/deep")
    triangle(folder=tmp_path / "b & <ö>", weights=HALF)
    (tmp_path / "a/notes.txt").write_text("no model")
    (tmp_path / "a/.hidden").mkdir()
    triangle(folder=tmp_path / "a/.hidden")
    return tmp_path


def models_of(result_json):
    return [m["model"] for m in result_json["models"]]


def test_patterns_name_models_sorted_each_once(assets):
    one, deep, half = (str(assets / f) for f in ("a/model.gltf", "a/deep/model.gltf", "b & <ö>/model.gltf"))
    for arguments, files in [([f"{assets}/**"], [deep, one, half]), ([f"{assets}/**/*.gltf"], [deep, one, half]),
                             ([f"{assets}/a/*.gltf"], [one]), ([f"{assets}/*/model.gl?f"], [one, half]),
                             ([f"{assets}/[ab]/**"], [deep, one]), ([half, f"{assets}/**", one], [half, deep, one])]:
        result = run("check", *arguments, "--json", "-")
        assert result.returncode == (1 if half in files else 0), result.stderr
        document = json.loads(result.stdout)
        assert models_of(document) == files, arguments
        assert document["schema"] == 1 and document["healthy"] == (half not in files)
        assert f"{len(files)} models: " in result.stderr or len(files) == 1
    assert "2 models: 1 healthy, 1 not healthy, 0 unreadable" in run("check", one, half).stdout


def test_patterns_may_go_up_and_into_hidden_folders_that_they_name(assets):
    up = os.path.relpath(assets)
    assert up.startswith("..")
    for pattern, files in [(f"{up}/a/*.gltf", ["a/model.gltf"]), (f"{up}/a/.hidden/*", ["a/.hidden/model.gltf"]),
                           (f"{up}/none/*", []), (f"{up}/a/notes.txt/*", [])]:
        result = run("check", pattern, "--json", "-")
        if files:
            assert models_of(json.loads(result.stdout)) == [f"{up}/{file}" for file in files], result.stderr
        else:
            assert result.returncode == 2 and "matches no model" in error_line(result)


def test_a_pattern_without_models_and_an_output_over_an_input_are_refused(assets):
    result = run("check", f"{assets}/**/*.fbx")
    assert result.returncode == 2 and "matches no model" in error_line(result)
    model = assets / "a/model.gltf"
    before = model.read_bytes()
    result = run("check", f"{assets}/a/**", "--sarif", model)
    assert result.returncode == 2 and "is the input" in error_line(result) and model.read_bytes() == before


def test_a_file_named_like_a_pattern_is_that_file(tmp_path):
    model = triangle(folder=tmp_path / "model")
    odd = model.with_name("hero[1].gltf")
    model.rename(odd)
    assert json.loads(run("check", odd, "--json", "-").stdout)["model"] == str(odd)


def test_an_unreadable_file_does_not_keep_the_others(assets):
    broken = assets / "broken.gltf"
    broken.write_text("{}")
    result = run("check", broken, assets / "a/model.gltf", "--json", "-", "--junit", assets / "r.xml")
    assert result.returncode == 2
    assert str(broken) in error_line(result)
    document = json.loads(result.stdout)
    assert [m["readable"] for m in document["models"]] == [False, True] and not document["healthy"]
    suites = ET.parse(assets / "r.xml").getroot()
    assert [(s.get("errors"), s.get("failures")) for s in suites] == [("1", "0"), ("0", "0")]


def sarif_of(tmp_path, *arguments):
    result = run("check", *arguments, "--sarif", tmp_path / "out.sarif")
    return result.returncode, json.loads((tmp_path / "out.sarif").read_text())


def check_sarif(document):
    """What the schema of SARIF 2.1.0 asks of the properties used, and what GitHub's code scanning asks besides."""
    assert set(document) == {"$schema", "version", "runs"} and document["version"] == "2.1.0"
    (only,) = document["runs"]
    driver = only["tool"]["driver"]
    assert driver["name"] == "skinlight" and re.match(r"\d+\.\d+\.\d+", driver["version"])
    ids = [rule["id"] for rule in driver["rules"]]
    assert len(set(ids)) == len(ids)
    levels = {"none", "note", "warning", "error"}
    for rule in driver["rules"]:
        assert rule["shortDescription"]["text"] and rule["fullDescription"]["text"] and rule["help"]["text"]
        assert rule["defaultConfiguration"]["level"] in levels
    assert [type(i["executionSuccessful"]) for i in only["invocations"]] == [bool]
    for result in only["results"]:
        assert set(result) == {"ruleId", "ruleIndex", "level", "message", "locations"}
        assert ids[result["ruleIndex"]] == result["ruleId"] and result["level"] in levels
        assert result["message"]["text"].strip()
        (location,) = result["locations"]
        assert location["physicalLocation"]["region"]["startLine"] >= 1
        uri = location["physicalLocation"]["artifactLocation"]["uri"]
        assert re.fullmatch(r"(?:[A-Za-z0-9\-._~/:]|%[0-9A-F]{2})+", uri), uri
        for logical in location.get("logicalLocations", []):
            assert logical["fullyQualifiedName"]
    return only


def test_sarif_has_a_result_per_finding(assets):
    code, document = sarif_of(assets, f"{assets}/**")
    assert code == 1
    only = check_sarif(document)
    errors = [r for r in only["results"] if r["level"] == "error"]
    assert [r["ruleId"] for r in errors] == ["weights-unnormalised"]
    uri = errors[0]["locations"][0]["physicalLocation"]["artifactLocation"]["uri"]
    assert urllib.parse.unquote(uri) == f"file://{assets}/b & <ö>/model.gltf"
    assert "3 of 3, worst 0.5 off 1" in errors[0]["message"]["text"] and "Normalise" in errors[0]["message"]["text"]
    assert only["invocations"] == [{"executionSuccessful": True}]
    found = json.loads(run("check", f"{assets}/**", "--json", "-").stdout)
    assert [r["ruleId"] for r in only["results"]] == [f["kind"] for m in found["models"] for f in m["findings"]]


def test_sarif_of_a_file_that_cannot_be_read(assets):
    (assets / "broken.gltf").write_text("{}")
    code, document = sarif_of(assets, assets / "broken.gltf")
    only = check_sarif(document)
    assert code == 2 and [r["ruleId"] for r in only["results"]] == ["unreadable"]
    assert only["invocations"] == [{"executionSuccessful": False}]


def judged(tmp_path, *sarifs):
    """What an author of SARIF says of these files, by the schema, the rules of SARIF and those of GitHub's code scanning:
    the errors and warnings, as (rule, message)."""
    multitool = pathlib.Path(os.environ["NODE_PATH"]) / "@microsoft/sarif-multitool-linux/Sarif.Multitool"
    if not multitool.is_file():
        pytest.fail("the npm package @microsoft/sarif-multitool-linux is missing; ci/setup.sh installs it into build/node")
    told = tmp_path / "judged.sarif"
    said = subprocess.run([multitool, "validate", *sarifs, "--rule-kind", "Sarif;Ghas", "--level", "Error;Warning",
                    "--output", told, "--log", "ForceOverwrite"], capture_output=True, text=True, timeout=120, check=False,
                          env={**os.environ, "DOTNET_SYSTEM_GLOBALIZATION_INVARIANT": "1",
                               "DOTNET_BUNDLE_EXTRACT_BASE_DIR": str(tmp_path / "dotnet")})
    assert f"{len(sarifs)} files scanned" in said.stdout, said.stdout + said.stderr
    (only,) = json.loads(told.read_text())["runs"]
    return {(r["ruleId"], r["message"].get("id")) for r in only.get("results", [])}


# The tool wants an address where people read about it, which it does not have yet.
NO_ADDRESS = ("SARIF2005", "Warning_ProvideToolnformationUri")


def test_sarif_is_valid_by_microsofts_multitool_and_githubs_rules(assets):
    (assets / "broken.gltf").write_text("{}")
    for name, files in [("all", f"{assets}/**"), ("one", assets / "a/model.gltf"), ("broken", assets / "broken.gltf")]:
        run("check", files, "--sarif", assets / f"{name}.sarif")
    reports = [assets / f"{name}.sarif" for name in ("all", "one", "broken")]
    assert judged(assets, *reports) == {NO_ADDRESS}
    # It is a judge: what a rule lacks it names.
    document = json.loads(reports[0].read_text())
    del document["runs"][0]["tool"]["driver"]["rules"][3]["fullDescription"]
    reports[0].write_text(json.dumps(document))
    assert judged(assets, reports[0]) == {NO_ADDRESS, ("GH2012", "Error_MissingFullDescription")}
    document["runs"][0]["results"][0]["ruleIndex"] = "first"  # not even read, so not even the address is missed
    reports[1].write_text(json.dumps(document))
    assert judged(assets, reports[1]) == set()
    document["runs"][0]["results"][0] |= {"ruleIndex": 0, "severity": "error"}  # which the schema does not know
    reports[1].write_text(json.dumps(document))
    assert "JSON1005" in {rule for rule, _ in judged(assets, reports[1])}


def test_sarif_keeps_relative_names(assets):
    subprocess.run([os.environ["SKINLIGHT"], "check", "./a/../a/model.gltf", "--sarif", "o.sarif"], cwd=assets, check=True,
                   capture_output=True)
    only = check_sarif(json.loads((assets / "o.sarif").read_text()))
    assert {r["locations"][0]["physicalLocation"]["artifactLocation"]["uri"] for r in only["results"]} == {"a/model.gltf"}


@pytest.mark.parametrize("strict", [False, True])
def test_junit_has_a_test_per_model_and_kind(assets, strict):
    result = run("check", f"{assets}/**", "--junit", assets / "r.xml", *(["--strict"] if strict else []))
    assert result.returncode == 1
    root = ET.parse(assets / "r.xml").getroot()
    assert root.tag == "testsuites" and [suite.tag for suite in root] == ["testsuite"] * 3
    found = json.loads(run("check", f"{assets}/**", "--json", "-").stdout)
    failing = {"error", "warning"} if strict else {"error"}
    for suite, model in zip(root, found["models"]):
        assert suite.get("name") == model["model"]
        tests = suite.findall("testcase")
        assert len(tests) == int(suite.get("tests")) == len({t.get("name") for t in tests}) > 40
        failed = {t.get("name") for t in tests if t.find("failure") is not None}
        assert failed == {f["kind"] for f in model["findings"] if f["severity"] in failing}
        assert len(failed) == int(suite.get("failures")) and suite.get("errors") == "0"
        assert {t.get("classname") for t in tests} == {model["model"]}
        for t in tests:
            assert t.find("failure") is None or t.find("failure").get("message")
        notes = {t.get("name") for t in tests if t.find("system-out") is not None}
        assert notes == {f["kind"] for f in model["findings"]} - failed
    for total in ("tests", "failures", "errors"):
        assert int(root.get(total)) == sum(int(s.get(total)) for s in root)


def test_a_bake_that_was_edited_is_stale(assets):
    baked = assets / "baked.gltf"
    assert run("bake", assets / "a/model.gltf", "-o", baked).returncode == 0
    kinds = lambda: [f["kind"] for f in json.loads(run("check", baked, "--json", "-").stdout)["findings"]]
    assert "bake-stale" not in kinds()
    document = json.loads(baked.read_text())
    document["meshes"][0]["primitives"][0]["attributes"].pop("_DEFORM_BETA_0")
    baked.write_text(json.dumps(document))
    assert "bake-stale" in kinds()
