"""Surveys over made-up programs and results: what is found, what becomes a row, what the tables say."""

import csv
import json
import os
import re
import resource
import shlex
import shutil
import signal
import stat
import subprocess
import sys
import time
from pathlib import Path

import pytest

sys.path.insert(0, str(Path(__file__).parent))

import gather  # noqa: E402
import measure  # noqa: E402
import predictor  # noqa: E402
import survey  # noqa: E402
import variations  # noqa: E402

CHECK = {"schema": 1, "healthy": True, "rig": {"vertices": 8, "positions": 4, "triangles": 2, "bones": 2, "influences": 2},
         "findings": [{"kind": "weights-sum", "severity": "error"}, {"kind": "normals-missing", "severity": "warning"}]}


def compared(pays="", **means):
    """What `compare --json` writes of one clip, a kind of normals with each mean."""
    return {"clips": [{"clip": "Run", "errors": [{"way": way, "truth": truth, "mean_deg": mean + (truth == "recomputed"),
                                                  "max_deg": 3 * mean}
                                                 for way, mean in means.items() for truth in ("transported", "recomputed")]}],
            "costs": [{"way": way, "operations": 10 * i, "record_bytes_f16": None} for i, way in enumerate(means)],
            "verdict": {"pays": pays}, "rest": {"predicted": "deform", "blended": .5, **{name: {"q1": .1, "median": .2, "q3": .3, "max": 1}
                                                              for name in ("edge-length", "weight-change", "dihedral")}},
            "rings": [{"by": "weight-change", "unit": "", "bins": [
                {"from": 0, "to": .1, "share": .999, "mean_deg": means},
                {"from": .1, "to": None, "share": .001, "mean_deg": dict.fromkeys(means, 90)}]}]}


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
    ("os.kill(os.getpid(), 9)", "memory", "was killed"),
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
    results = {"a": compared("deform", standard=4.0, deform=1.0, smoothed=2.0, **{"deform-vectors": 1.5}),
               "b": compared("smoothed", standard=2.0, deform=3.0, smoothed=1.0, **{"deform-vectors": 1.2}),
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
    options = {"frames": 2, "program": str(folder / "no program")}
    (folder / "listing.json").write_text(json.dumps({"options": options, "rows": rows}))
    return folder / "listing.json"


def test_tables_say_who_wins_where(tmp_path):
    assert gather.main([str(made(tmp_path))]) == 0
    with open(tmp_path / "models.csv", encoding="utf-8", newline="") as file:
        rows = {row["model"]: row for row in csv.DictReader(file)}
    assert [row["status"] for row in rows.values()] == ["measured"] * 3 + ["refused", "duplicate", "unreadable"]
    assert [rows[f"/rigs/{name}.glb"]["best"] for name in "abc"] == ["deform", "smoothed", "deform"]
    assert [rows[f"/rigs/{name}.glb"]["best_over_standard"] for name in "abc"] == ["0.25", "0.5", "0.25"]
    assert rows["/rigs/e.glb"]["same_as"] == "/rigs/a.glb" and rows["/rigs/a.glb"]["standard_max_deg"] == "12"
    assert rows["/rigs/a.glb"]["result"] == "models/a.json" and rows["/rigs/a.glb"]["weight-change_median"] == "0.2"
    tables = json.loads((tmp_path / "tables.json").read_text())
    modes = {row["way"]: row for row in tables["modes"]}
    standard = modes["standard"]
    assert [standard[name] for name in ("models", "q1", "median", "q3", "max", "largest_in")] == [
        3, 1.5, 2.0, 3.0, 4.0, "models/a.json"]
    assert modes["deform"]["over_standard_median"] == 0.25 and modes["deform"]["over_standard_largest_in"] == "models/b.json"
    assert {way: row["best_on"] for way, row in modes.items()} == {
        "deform": 2, "deform-vectors": 0, "smoothed": 1, "standard": 0}
    assert [modes[way]["operations"] for way in ("standard", "deform", "smoothed")] == [0, 10, 20]
    # The bin with a thousandth of the area does not count.
    assert [(row["from"], row["way"], row["median"]) for row in tables["rings"]] == [
        (0, "deform", 1.0), (0, "deform-vectors", 1.35), (0, "smoothed", 1.0), (0, "standard", 2.0)]
    assert [rows[f"/rigs/{name}.glb"]["pays"] for name in "abc"] == ["deform", "smoothed", ""]
    assert [(row["predicted"], row["pays"], row["hit"], row["more_deg_models"], row["more_deg_max"])
            for row in tables["predicted"]] == [("deform", "deform", True, 1, 0), ("deform", "smoothed", False, 1, 2.0)]
    assert [(row["positions_from"], row["positions_to"], row["best"]) for row in tables["groups"]] == [
        (0, 300, "deform:2 smoothed:1")]
    # The duplicate's findings do not count again.
    assert [f["models"] for f in tables["findings"]] == [3, 3]


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


class Engine:
    """snakemake as ci/survey.sh calls it, over made-up models and a program that answers at once."""

    SCRIPT = """#!/bin/sh
[ "$1" = --version ] && { echo 1.0; exit 0; }
case "$1" in check) what=%s ;; *) what=%s ;; esac
while [ "$1" != --json ]; do shift; done
%s
echo "$what" > "$2"
"""

    def __init__(self, folder, models, also=""):
        self.folder, self.out = folder, folder / "out"
        rigs = folder / "rigs"
        rigs.mkdir()
        for i in range(models):
            (rigs / f"m{i:04}.glb").write_text(f"model {i}")
        self.program = folder / "program"
        self.program.write_text(self.SCRIPT % (shlex.quote(json.dumps(CHECK)), shlex.quote(json.dumps(compared(
            standard=4.0, deform=1.0))), also))
        self.program.chmod(0o755)

    def command(self, *options, profile="local", cores=2):
        here = Path(__file__).parent
        return ["snakemake", "--nolock", "--snakefile", here / "Snakefile", "--profile", here / "profiles" / profile,
                "--directory", self.out, *(["--cores", str(cores)] if profile == "local" else []), *options, "--config",
                f"models={self.folder / 'rigs'}", f"out={self.out}", f"program={self.program}", "frames=2"]

    def run(self, *options, **more):
        told = subprocess.run(list(map(str, self.command(*options, **more))), capture_output=True, text=True)
        assert told.returncode == 0, told.stderr
        return told.stdout + told.stderr

    def tables(self):
        return {path.name: path.read_bytes() for path in self.out.iterdir()
                if path.suffix in (".csv", ".html", ".png") or path.name == "tables.json"}


def test_a_dry_run_tells_the_jobs_and_does_none(tmp_path):
    engine = Engine(tmp_path, 3)
    said = engine.run("--dry-run")
    assert re.search(r"^measure +3", said, re.M) and re.search(r"^gather +1", said, re.M)
    assert not (engine.out / "models").exists() and not (engine.out / "index.html").exists()


def test_what_has_not_changed_is_not_run_again(tmp_path):
    calls = tmp_path / "calls"
    engine = Engine(tmp_path, 3, also=f'echo "$1" >> {calls}')
    engine.run()
    assert len(calls.read_text().split()) == 6  # check and compare each
    first = engine.tables()
    assert {"index.html", "models.csv", "tables.json"} <= first.keys()
    engine.run()
    (tmp_path / "rigs" / "m0000.glb").touch()
    engine.run()
    assert len(calls.read_text().split()) == 6 and engine.tables() == first
    # A new name and a duplicate change the tables, a new content is measured.
    (tmp_path / "rigs" / "m0001.glb").rename(tmp_path / "rigs" / "again.glb")
    (tmp_path / "rigs" / "twin.glb").write_text("model 2")
    engine.run()
    assert len(calls.read_text().split()) == 6
    assert b"again.glb" in engine.tables()["models.csv"] and b"duplicate" in engine.tables()["models.csv"]
    (tmp_path / "rigs" / "m0000.glb").write_text("model of another kind")
    engine.run()
    assert len(calls.read_text().split()) == 8


def test_killed_at_any_moment_and_run_again_the_tables_are_the_same(tmp_path):
    engine = Engine(tmp_path, 6, also="sleep .1")
    engine.run()
    whole = engine.tables()
    for results in (0, 3, 6):  # that are there when it is killed: the last time while it gathers
        shutil.rmtree(engine.out)
        process = subprocess.Popen(list(map(str, engine.command())), stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL,
                                   start_new_session=True)
        while len(list((engine.out / "models").glob("[!.]*.json"))) < results:
            time.sleep(.01)
        time.sleep(.2)
        os.killpg(process.pid, signal.SIGKILL)
        process.wait()
        assert not (engine.out / "index.html").exists()
        engine.run()
        assert engine.tables() == whole


def without_builds(tables):
    """Jobs are named by the program's bytes, which have the test's folder in them: the same names in the order of models."""
    named = {}
    text = {name: data for name, data in tables.items() if not name.endswith(".png")}
    for job in re.findall(rb"models/([0-9a-f]{24})", text["models.csv"]):
        named.setdefault(job, b"job %d" % len(named))
    for name in text:
        for job, number in named.items():
            text[name] = text[name].replace(job, number)
    return text


def test_a_cluster_runs_the_jobs_that_it_is_handed(tmp_path):
    """--cluster hands over a script for every job; this cluster runs each at once, as SLURM and others would on a node."""
    here, there = tmp_path / "here", tmp_path / "there"
    here.mkdir()
    there.mkdir()
    local, cluster = Engine(here, 3), Engine(there, 3)
    local.run()
    submit = tmp_path / "submit"
    submit.write_text(f'#!/bin/sh\necho "$1" >> {tmp_path}/submitted\nsh "$1" >"$1.log" 2>&1 &\necho $!\n')
    submit.chmod(0o755)
    cluster.run("--cluster", submit, "--jobs", "3", "--latency-wait", "20", "--max-status-checks-per-second", "10")
    assert len((tmp_path / "submitted").read_text().split()) == 3  # gather runs where snakemake does
    expected = {name: data.replace(str(here).encode(), str(there).encode()) for name, data in local.tables().items()}
    assert without_builds(cluster.tables()) == without_builds(expected)


def test_the_profile_for_slurm_is_one(tmp_path):
    assert re.search(r"^measure +3", Engine(tmp_path, 3).run("--dry-run", profile="slurm"), re.M)


# Seconds of processor time of snakemake and of the scripts around the program, for each model of many.
OVERHEAD = .3


def test_the_engine_costs_little(tmp_path):
    few, many = tmp_path / "few", tmp_path / "many"
    few.mkdir()
    many.mkdir()
    times = []
    for folder, models in ((few, 2), (many, 22)):
        engine = Engine(folder, models)
        before = resource.getrusage(resource.RUSAGE_CHILDREN)
        engine.run()
        after = resource.getrusage(resource.RUSAGE_CHILDREN)
        times.append(after.ru_utime + after.ru_stime - before.ru_utime - before.ru_stime)
    print(f"{(times[1] - times[0]) / 20:.3f} s a model")
    assert (times[1] - times[0]) / 20 < OVERHEAD


def test_variations_are_the_same_from_the_same_seed(tmp_path):
    numpy = pytest.importorskip("numpy")
    arm = tmp_path / "arm.gltf"
    subprocess.run([sys.executable, Path(__file__).parents[2] / "lib/examples/make_arm.py", arm], check=True)
    made = [variations.make(tmp_path / name, 24, seed, [arm]) for name, seed in (("a", 1), ("b", 1), ("c", 2))]
    assert [p.name for p in made[0]] == [p.name for p in made[1]] != [p.name for p in made[2]]
    assert [p.read_bytes() for p in made[0]] == [p.read_bytes() for p in made[1]]
    whole = variations.Part(variations.Document(arm), variations.Document(arm).gltf["meshes"][0]["primitives"][0])
    for path in made[0]:
        document = variations.Document(path)
        part = variations.Part(document, document.gltf["meshes"][0]["primitives"][0])
        numpy.testing.assert_allclose(part.weights.sum(1), 1)
        assert part.faces.max() < len(part.positions)
        what = path.stem.split("_", 2)[2]
        if what == "subdivide":
            assert len(part.faces) == 4 * len(whole.faces)
        if re.match(r"decimate1\d$|decimate1\d\+", what):  # the arm has 24 vertices around
            assert len(part.positions) < len(whole.positions)
        if what.startswith("cut1"):
            assert (part.weights.max(1) == 1).all()


def test_smoothing_and_sharpening_do_what_they_say(tmp_path):
    numpy = pytest.importorskip("numpy")
    arm = tmp_path / "arm.gltf"
    subprocess.run([sys.executable, Path(__file__).parents[2] / "lib/examples/make_arm.py", arm], check=True)

    def steepest(change):
        document = variations.Document(arm)
        part = variations.Part(document, document.gltf["meshes"][0]["primitives"][0])
        change(part)
        edges = part.edges()
        return numpy.abs(part.weights[edges[:, 0]] - part.weights[edges[:, 1]]).sum(1).max() / 2

    assert (steepest(lambda part: variations.smooth(part, 8)) < .9 * steepest(lambda part: None)
            < .8 * steepest(lambda part: variations.sharpen(part, 3)))


def test_what_cannot_be_varied_is_told_and_left_out(tmp_path, capsys):
    (tmp_path / "bad.glb").write_bytes(b"glTF")
    (tmp_path / "empty.gltf").write_text("{}")
    assert variations.main([str(tmp_path / "out"), "3", "1", str(tmp_path / "bad.glb"), str(tmp_path / "empty.gltf")]) == 2
    said = capsys.readouterr().err.splitlines()
    assert len(said) == 2 and all(line.startswith("variations: ") for line in said)


def row_of(name, change, pays):
    return {"method": "lbs", "model": f"/rigs/{name}.glb", "weight-change_q3": change, "pays": pays}


def test_the_limits_part_what_can_be_parted_and_families_are_left_out():
    factors, smoothed, vectors = predictor.KINDS
    rows = [row_of(f"{name}_{i:04d}_cut", change + .01 * i, pays) for name in ("Fox", "Wolf", "Trex")
            for i, (change, pays) in enumerate([(.1, factors), (.25, smoothed), (.6, vectors), (.9, vectors)])]
    told = predictor.predict(rows)
    assert told["limits"] == pytest.approx([.18, .44]) and told["families"] == 3 and told["models"] == 12
    assert told["hit_rate"] == told["hit_rate_fitted"] == 1 and told["most_frequent"] == .5
    # A family that goes against the others is wrong when it is left out, and it alone.
    odd = [row_of("Cactus_0012_cut", .05, vectors)]
    told = predictor.predict(rows + odd)
    assert told["hit_rate"] == told["hit_rate_fitted"] == 12 / 13 and told["limits"] == pytest.approx([.18, .44])
    # As many of one family as of the others change the limits for these, and are told by them.
    many = [row_of(f"Cactus_{i:04d}_cut", .12, vectors) for i in range(4)]
    assert predictor.predict(rows + many)["hit_rate"] < 12 / 16
    # What was not made by linear blending, or not measured, says nothing.
    assert predictor.predict(rows + [{**odd[0], "method": "dqs"}, {**odd[0], "weight-change_q3": None},
                                     {**odd[0], "pays": ""}])["models"] == 12


def test_limits_that_are_equal_or_at_the_ends_are_allowed():
    assert predictor.fitted([(.1, "deform", "a"), (.2, "deform-vectors", "b")]) == pytest.approx((.15, .15))
    assert predictor.fitted([(.1, "deform-vectors", "a"), (.2, "deform-vectors", "b")]) == (0, 0)
    assert predictor.named(.15, (.15, .15)) == "deform-vectors" and predictor.named(.149, (.15, .15)) == "deform"


def test_what_cannot_be_predicted_is_one_line_and_2(tmp_path, capsys):
    for text in ('{"models": []}', "{}", "no JSON"):
        (tmp_path / "tables.json").write_text(text)
        assert predictor.main([str(tmp_path / "tables.json")]) == 2
        assert capsys.readouterr().err.count("\n") == 1
    assert predictor.main([str(tmp_path / "none.json")]) == 2 and "none.json" in capsys.readouterr().err
    assert predictor.main([]) == 2 and "usage" in capsys.readouterr().err
