"""ci/mutate.sh: what it changes, how it plants and draws, and what it refuses."""
import dataclasses
import importlib.util
import json
import math
import os
import random
import shutil
import subprocess
import sys

import pytest

CI = os.path.dirname(os.path.abspath(__file__))
sys.path.insert(0, os.path.join(CI, "mutate"))
import judging  # noqa: E402
import plant  # noqa: E402
import record  # noqa: E402
import rooms  # noqa: E402
import sites  # noqa: E402
import workspace  # noqa: E402

SPEC = importlib.util.spec_from_file_location("mutate_run", os.path.join(CI, "mutate", "run.py"))
tool = importlib.util.module_from_spec(SPEC)
SPEC.loader.exec_module(tool)


def changes(found):
    return {(site.before, site.after) for site in found}


def test_faults_of_binary_expressions():
    assert dict((after, kind) for kind, after in sites.of_binary("-", "a", "b")) == {
        "a + b": "sign", "a": "term dropped", "b - a": "operands swapped"}
    assert [after for _, after in sites.of_binary("<", "i", "n")] == ["i <= n", "i > n"]
    assert [after for _, after in sites.of_binary("&&", "p", "q")] == ["p || q", "p"]
    assert list(sites.of_binary("<<", "a", "b")) == []


def test_numbers_change_a_little():
    assert list(sites.of_number("3")) == [("constant", "4")]
    assert list(sites.of_number("1e-3")) == [("constant", "(1e-3 * 1.01)")]
    assert list(sites.of_number("0.0")) == [("constant", "0.01")]


def test_sites_of_python():
    text = "def f(a, b):\n    if a < b:\n        return max(a, b) * 2.5\n    return a - b, f'{a + b}'\n"
    found = sites.python_sites("x.py", text)
    assert {("a < b", "(a <= b)"), ("a < b", "(a > b)"), ("max(a, b)", "(min(a, b))"), ("2.5", "((2.5 * 1.01))"),
            ("max(a, b) * 2.5", "(max(a, b))"), ("a - b", "(b - a)")} <= changes(found)
    assert not any("a + b" == site.before for site in found)  # within an f-string
    for site in found:
        assert text.encode()[site.begin:site.end].decode() == site.before
        compile(plant.edited(text.encode(), [(site.begin, site.end, site.after)]), "x.py", "exec")


SCRIPT = """from palette import BLUE, GREY
ROWS = [("standard", "one", BLUE), ("deform", "other", GREY)]
def draw(axes, row):
    for key, label in (("mean", "mean error"), ("rms", "RMS")):
        axes.plot(row["x"], row["y"], label="a")
        axes.bar(row[key], 1, label="b")
    raise InputError("x", "has no row")
"""


def test_names_are_exchanged_for_others_of_their_kind():
    found = {(site.before, site.after) for site in sites.python_sites("x.py", SCRIPT) if site.operator == "other name"}
    assert {("BLUE", "(GREY)"), ("GREY", "(BLUE)"), ('"standard"', "('deform')"), ('"other"', "('one')"), ('"mean"', "('rms')"),
            ('"RMS"', "('mean error')"), ('"x"', "('y')"), ('"a"', "('b')")} <= found
    assert not any("row" in before for before, _ in found)  # words of an error


CPP = """#pragma once
namespace n {
constexpr double kLimit = 1e-3;
constexpr int kCount = 3;
template <class Real>
Real blend(Real a, Real b, Real w) { return a * (Real(1) - w) + b * w; }
inline double f(const double* x, int n) {
  double sum = 0;
  for (int i = 0; i < n; ++i) sum += x[i];
  static_assert(kCount < 4);
  return sum > kLimit && n != kCount ? -sum : blend(sum, 2.0, .5);
}
}  // namespace n
"""
MAIN = '#include "a.h"\n#include <cstdio>\nint main() { const double x[] = {1, 2, 4}; std::printf("%.17g\\n", n::f(x, 2)); }\n'


@pytest.fixture
def tree(tmp_path):
    pytest.importorskip("clang.cindex", reason="needs python3-clang, which ci/setup.sh --mutate installs")
    (tmp_path / "a.h").write_text(CPP)
    (tmp_path / "a.cpp").write_text(MAIN)
    return tmp_path


def sites_of(tree):
    return sites.cpp_sites(str(tree / "a.cpp"), ["-std=c++20"], {"a.h"}, str(tree))


def test_sites_of_cpp(tree):
    found = sites_of(tree)
    assert {("1e-3", "(1e-3 * 1.01)"), ("b * w", "b / w"), ("i < n", "i <= n"), ("sum += x[i]", "sum -= x[i]"),
            ("n != kCount", "n == kCount"), ("-sum", "sum"), (".5", "(.5 * 1.01)")} <= changes(found)
    assert not any("kCount < 4" in before for before, _ in changes(found))  # the compiler computes it
    assert ("3", "4") not in changes(found)  # an int may be the size of something
    assert all(CPP.encode()[s.begin:s.end].decode() == s.before for s in found)
    assert all(CPP.splitlines()[s.line - 1].count(s.before.splitlines()[0]) for s in found)


BY_COMPILER = """constexpr int twice(int a) { return a * 12; }
template <int N>
struct Of {};
struct Six : Of<6> {};
template <class Real>
Real chosen(Real a) {
  if constexpr (sizeof(Real) > 7)
    return a * 8;
  else
    return a / 9;
}
"""


def test_what_the_compiler_chooses_and_may_compute(tree):
    (tree / "b.cpp").write_text(BY_COMPILER)
    found = sites.cpp_sites(str(tree / "b.cpp"), ["-std=c++20"], {"b.cpp"}, str(tree))
    assert {("a * 8", "a / 8"), ("9", "10")} <= changes(found)
    assert {site.before for site in found if site.computable} == {"a * 12", "12"}
    assert not any("sizeof" in before or before in ("6", "7") for before, _ in changes(found))


# Every mutant of a small program gives, when it is on, what its text alone gives.
def test_planted_faults_do_what_their_text_says(tree):
    compiler = shutil.which("g++") or shutil.which("clang++")
    found = sites_of(tree)
    limit = next(site for site in found if site.constant)
    far = dataclasses.replace(limit, after="1e9")  # one per cent makes no difference here
    chosen = [far] + [site for site in plant.disjoint_draw(found, 8, seed=3) if site.begin != limit.begin]
    assert len(chosen) >= 6

    def output(mutant=0, **more):
        return subprocess.run([tree / "a"], env={"SKINLIGHT_MUTANT": str(mutant), **more}, stdout=subprocess.PIPE, text=True,
                              check=True).stdout

    def build():
        subprocess.run([compiler, "-std=c++20", "-w", tree / "a.cpp", "-o", tree / "a"], check=True)

    build()
    original = output()
    header = os.path.join(CI, "mutate", "mutant.h")
    (tree / "a.h").write_bytes(plant.planted_cpp(CPP.encode(), list(enumerate(chosen, 1)), header))
    build()
    assert output() == original
    planted = [output(number) for number in range(1, len(chosen) + 1)]
    alone = []
    for site in chosen:
        (tree / "a.h").write_bytes(plant.edited(CPP.encode(), [(site.begin, site.end, site.after)]))
        build()
        alone.append(output())
    assert planted == alone
    assert planted[0] != original
    assert sum(result != original for result in planted) >= len(chosen) / 2
    (tree / "a.h").write_bytes(plant.planted_cpp(CPP.encode(), list(enumerate(chosen, 1)), header))
    build()
    passed = tree / "passed"
    assert output(-1, SKINLIGHT_MUTANTS_PASSED=str(passed)) == original
    comes_by = {int(line) for line in passed.read_text().splitlines()}
    differ = {number for number, result in enumerate(planted, 1) if result != original}
    assert differ <= comes_by < set(range(1, len(chosen) + 1))


def test_the_draw_is_seeded_and_does_not_overlap():
    draw = random.Random(5)
    many = []
    for i in range(200):
        begin = draw.randrange(1000)
        many.append(sites.Site("x", begin, begin + draw.randrange(1, 40), draw.choice(["sign", "constant"]), "a", f"b{i}", 1))
    first = plant.disjoint_draw(many, 20, 1)
    assert first == plant.disjoint_draw(list(reversed(many)), 20, 1)
    assert first != plant.disjoint_draw(many, 20, 2)
    assert len(first) == 20
    spans = sorted((s.begin, s.end) for s in first)
    assert all(end <= begin for (_, end), (begin, _) in zip(spans, spans[1:]))
    assert abs(sum(s.operator == "sign" for s in first) - 10) <= 1  # kinds take turns
    # Other offsets and a few more places change little.
    moved = [dataclasses.replace(site, begin=site.begin + 7, end=site.end + 7) for site in many]
    again = plant.disjoint_draw(moved + [sites.Site("y", i, i + 1, "sign", "c", f"d{i}", 1) for i in range(4)], 20, 1)
    assert len({site.after for site in first} & {site.after for site in again}) >= 15


def test_every_room_has_files_and_every_source_a_room():
    root = os.path.dirname(CI)
    covered = set()
    for room in rooms.ROOMS:
        files = room.files(root)
        assert files, room.name
        covered.update(files)
    listed = subprocess.run(["git", "ls-files", "lib/skinlight/*.cpp", "shaders/kernels"], cwd=root, text=True,
                            stdout=subprocess.PIPE).stdout.split()
    # The C interface is a skin of wrappers; the record of digits is tested by planting faults into kernels.
    left = [name for name in listed if not name.endswith(("_test.cpp", "_bench.cpp")) and "/fuzz/" not in name
            and name not in covered and not name.startswith(("lib/skinlight/c/", "lib/skinlight/stability/"))]
    assert left == []


def test_suites_that_come_by_judge_a_fault_the_quickest_first(monkeypatch):
    tests = [judging.Suite("p", "Fast.", .1, frozenset({1, 2})), judging.Suite("p", "Slow.", 3., frozenset({2, 4}))]
    asked = []

    def run_suite(program, suite, mutant, seconds):
        asked.append((mutant, suite, seconds))
        return f"{suite}Red" if (suite, mutant) in {("Fast.", 1), ("Slow.", 4)} else None, seconds

    monkeypatch.setattr(judging, "traced", lambda room: tests)
    monkeypatch.setattr(judging, "run_suite", run_suite)
    verdicts = judging.judged(rooms.ROOMS[0], {number: None for number in (1, 2, 3, 4)}, lambda: math.inf)
    assert verdicts == {1: "Fast.Red", 2: None, 3: judging.NOWHERE, 4: "Slow.Red"}
    assert sorted(asked) == [(1, "Fast.", 11.), (2, "Fast.", 11.), (2, "Slow.", 40.), (4, "Slow.", 40.)]


def test_a_hanging_test_is_one_that_uses_up_its_processor_time(tmp_path, monkeypatch):
    monkeypatch.setattr(judging, "BUILD", str(tmp_path))
    (tmp_path / "bin").mkdir()
    program = tmp_path / "bin" / "p"

    def told(script, seconds=1):
        program.write_text(f"#!/bin/sh\n{script}\n")
        program.chmod(0o755)
        return judging.run_suite("p", "S.", 7, seconds)[0]

    assert told("while :; do :; done") == "p: S. hangs"
    assert told("sleep 2; test $SKINLIGHT_MUTANT = 7") is None  # waiting is no work
    assert told("sleep 61.25 & sleep 60", .05) == "p: S. hangs"
    assert "61.25" not in subprocess.run(["ps", "-eo", "args"], text=True, stdout=subprocess.PIPE).stdout
    assert told("echo '[  FAILED  ] S.Is/red (1 ms)'; exit 1") == "p: S.Is/red"
    assert told("kill -SEGV $$") == "p: S. crashes"
    assert judging.run_suite("p", "S.", 7, 9)[1] < 1


def test_faults_of_what_only_the_compiler_calls_are_left_out():
    site = sites.Site("a.h", 0, 1, "constant", "1", "2", 1)
    mutants = {1: site, **{number: dataclasses.replace(site, computable=True) for number in (2, 3, 4)}}
    verdicts = {1: judging.NOWHERE, 2: judging.NOWHERE, 3: None, 4: "T.Red"}
    assert judging.left_to_compiler(mutants, verdicts) == {2}


def test_a_test_may_set_addresses_aside_but_not_take_all_memory(tmp_path, monkeypatch):
    monkeypatch.setattr(judging, "BUILD", str(tmp_path))
    monkeypatch.setattr(judging, "MEMORY", 256 << 20)
    aside = "import mmap; mmap.mmap(-1, 1 << 36, flags=mmap.MAP_PRIVATE, prot=0)"
    assert judging.run_limited([sys.executable, "-c", aside], dict(os.environ), 10)[:2] == (0, "")
    code, said, _ = judging.run_limited([sys.executable, "-c", "bytearray(1 << 30)"], dict(os.environ), 10)
    assert code == 1 and "MemoryError" in said


def test_no_more_at_once_than_processors_are_allowed():
    one = min(os.sched_getaffinity(0))
    counted = "import sys\nsys.path.insert(0, sys.argv[1])\nimport workspace\nprint(workspace.processors())"
    done = subprocess.run([sys.executable, "-B", "-c", counted, os.path.join(CI, "mutate")], text=True, check=True,
                          stdout=subprocess.PIPE, preexec_fn=lambda: os.sched_setaffinity(0, {one}))
    assert done.stdout == "1\n"


def test_a_script_is_run_by_the_tests_that_start_it_or_import_it(tmp_path, monkeypatch):
    (tmp_path / "started.py").write_text("print(1)\n")
    (tmp_path / "imported.py").write_text("def one():\n    return 1\n")
    (tmp_path / "idle.py").write_text("")
    (tmp_path / "x_test.py").write_text(
        "import subprocess\nimport sys\nimport imported\n\n\ndef test_x():\n    subprocess.run([sys.executable, 'started.py'], "
        "check=True)\n    assert imported.one() == 1\n")
    monkeypatch.setattr(judging, "TREE", str(tmp_path))
    monkeypatch.setattr(judging, "TRACER", os.path.join(CI, "mutate", "tracer"))
    seen = tmp_path / "seen"
    assert judging.pytest("x_test.py", 60, str(seen)) is None
    assert set(seen.read_text().splitlines()) == {"started.py", "imported.py", "x_test.py"}
    (tmp_path / "imported.py").write_text("def one():\n    return 2\n")
    assert judging.pytest("x_test.py", 60) == "x_test.py::test_x"
    assert judging.pytest("x_test.py", 60, only="test_x") == "x_test.py::test_x"
    assert judging.pytest("x_test.py", 60, only="paper/script") is None


def test_rooms_with_the_same_tests_are_built_at_once():
    groups = tool.grouped(["rig", "kernels", "figures", "skinning", "truth"])
    assert [[room.name for room in group] for group in groups] == [["rig"], ["kernels", "skinning"], ["figures"], ["truth"]]


def row(room, verdict, line="f(0);"):
    return {"room": room, "verdict": verdict, "file": "a.cpp", "line": 3, "on": line, "operator": "constant", "before": "0",
            "after": "1"}


def test_faults_that_do_not_compile_are_found_before_the_build(tmp_path, monkeypatch):
    compiler = shutil.which("g++") or shutil.which("clang++")
    monkeypatch.setattr(workspace, "TREE", str(tmp_path))
    monkeypatch.setattr(workspace, "BUILD", str(tmp_path))
    (tmp_path / "table.cpp").write_text('#include "table.h"\n')
    (tmp_path / "compile_commands.json").write_text(json.dumps([{
        "directory": str(tmp_path), "file": str(tmp_path / "table.cpp"), "command": f"{compiler} -o table.o -c {tmp_path}/table.cpp"}]))
    kernels = dataclasses.replace(rooms.BY_NAME["kernels"], includer="table.h")
    (tmp_path / "table.h").write_text("int f();\n")
    assert workspace.misspelt([kernels]) is None
    (tmp_path / "table.h").write_text("\nint f() { return {} - 1; }\n")
    assert "table.h:2:" in workspace.misspelt([kernels])
    assert workspace.misspelt([rooms.BY_NAME["rig"]]) is None  # of which the build tells soon enough
    assert sorted(file.name for file in tmp_path.iterdir()) == ["compile_commands.json", "table.cpp", "table.h"]


def test_a_fault_of_many_lines_that_does_not_compile_is_taken_out(tmp_path, monkeypatch):
    for folder in ("TREE", "BUILD", "SCRATCH"):
        monkeypatch.setattr(workspace, folder, str(tmp_path))
    monkeypatch.setattr(workspace, "HEADER", os.path.join(CI, "mutate", "mutant.h"))
    monkeypatch.setattr(workspace, "build", lambda room: None)
    (tmp_path / "table.cpp").write_text('#include "table.h"\n')
    (tmp_path / "compile_commands.json").write_text(json.dumps([{
        "directory": str(tmp_path), "file": str(tmp_path / "table.cpp"),
        "command": f"{shutil.which('g++') or shutil.which('clang++')} -std=c++20 -o table.o -c {tmp_path}/table.cpp"}]))
    kernels = dataclasses.replace(rooms.BY_NAME["kernels"], includer="table.h")
    long, short = "1 +\n1 +\n1 +\n1 +\n1", "2"
    text = f"inline int f() {{\n  return {long};\n}}\n\n\n\ninline int g() {{ return {short}; }}\n"
    at = text.index(long), text.index(short)
    wrong = sites.Site("table.h", at[0], at[0] + len(long), "constant", long, long[:-1] + "nothing", 2)
    right = sites.Site("table.h", at[1], at[1] + len(short), "constant", short, "3", 11)
    assert workspace.plant_and_build([kernels], [wrong, right], {"table.h": text.encode()}) == {2: right}


def test_shares_are_of_faults_that_make_a_difference(capsys):
    rows = [row("truth", v) for v in ["red"] * 19 + ["survived", "equivalent", "equivalent"]]
    score, = record.scores(rows)
    assert score == {"room": "truth", "judged": 22, "red": 19, "equivalent": 2, "survived": 1, "wanted": .95}
    assert record.share(score) == .95
    assert record.summary(rows)
    assert capsys.readouterr().out == "truth: 19 of 20 red (95%; wanted 95%)\n"
    assert not record.summary(rows + [row("truth", "survived")])
    assert "TOO FEW" in capsys.readouterr().out


@pytest.fixture
def recorded(tmp_path, monkeypatch):
    monkeypatch.setattr(record, "ROOT", str(tmp_path))
    (tmp_path / "ci" / "mutate").mkdir(parents=True)
    (tmp_path / record.KEPT).write_text(json.dumps([{"room": "rig", "red": 1}, {"room": "truth", "red": 2}]))
    (tmp_path / record.NOTICED).write_text(json.dumps({"rig": "0 1", "truth": "2"}))
    return tmp_path


def test_scores_are_kept_over_those_of_the_same_room(recorded):
    rows = [row("core", "red"), row("truth", "red", "g(0);"), row("truth", "survived")]
    record.keep(rows, 7)
    kept = record.read(record.KEPT)
    assert [score["room"] for score in kept] == ["core", "rig", "truth"]
    assert [score["red"] for score in kept] == [1, 1, 1] and kept[2]["survived"] == 1 and kept[2]["seed"] == 7
    noticed = record.read(record.NOTICED)
    assert noticed == {"core": record.fingerprint(rows[0]), "rig": "0 1", "truth": record.fingerprint(rows[1])}
    assert sorted(name.name for name in (recorded / "ci" / "mutate").iterdir()) == ["noticed.json", "scores.json"]


def test_a_sample_is_of_rooms_that_reach_their_share_on_record(recorded):
    record.keep([row("truth", "red")] * 19 + [row("truth", "survived", "g(0);"), row("rig", "equivalent")], 1)
    record.keep([row("core", "red")] * 9 + [row("core", "survived")] * 2, 1)
    record.keep([row("kernels", "red")], 1)  # longer to build than a sample has
    assert record.judged_rooms() == ["rig", "truth"]


def test_a_sample_fails_for_what_was_noticed_on_record(recorded, capsys):
    record.keep([row("truth", "red"), row("truth", "survived", "g(0);")], 1)
    assert record.sample_is_fine([row("truth", "red"), row("truth", "survived", "g(0);"), row("rig", "equivalent", "h(0);")])
    assert capsys.readouterr().out == "1 faults are noticed as on record; of 1 others 1 survived\n"
    assert record.sample_is_fine([row("core", "survived")])  # of another room
    assert not record.sample_is_fine([row("truth", "survived")] + [row("truth", "red", str(i)) for i in range(50)])
    assert "was noticed on record, and is not: a.cpp:3: constant: 0  ->  1" in capsys.readouterr().out


def test_a_sample_fails_for_more_survivors_than_chance_explains(recorded, capsys):
    def fine(room, red, survived):
        return record.sample_is_fine([row(room, "red", f"{i}") for i in range(red)]
                                   + [row(room, "survived", f"s{i}") for i in range(survived)])

    assert record.chance([row("truth", "")] * 2, 1) == pytest.approx(1 - .95 ** 2)
    assert record.chance([row("truth", ""), row("rig", "")], 2) == pytest.approx(.05 * .1)
    # Of 24: 4 or more of a room that wants 95 per cent are 3 in a hundred, 5 or more are 6 in a thousand.
    assert fine("truth", 20, 4) and not fine("truth", 19, 5)
    assert fine("rig", 18, 6) and not fine("rig", 17, 7)
    assert "of 24 others 7 survived: TOO MANY" in capsys.readouterr().out
    assert fine("rig", 0, 0)


def test_kept_scores_are_of_rooms_that_exist_and_add_up():
    with open(os.path.join(CI, "mutate", "scores.json")) as file:
        for score in json.load(file):
            assert score["room"] in rooms.BY_NAME
            assert score["red"] + score["survived"] + score["equivalent"] == score["judged"] > 0


def test_what_was_noticed_is_of_the_rooms_with_scores():
    noticed = record.read(record.NOTICED)
    red = {score["room"]: score["red"] for score in record.read(record.KEPT)}
    assert set(noticed) <= set(red)
    for room, all_of in noticed.items():
        assert .8 * red[room] <= len(all_of.split()) <= red[room]  # lines may be alike


def test_equivalents_are_of_one_line_of_their_file_and_have_a_reason():
    root = os.path.dirname(CI)
    with open(os.path.join(CI, "mutate", "equivalents.json")) as file:
        listed = json.load(file)
    for known in listed:
        with open(os.path.join(root, known["file"])) as file:
            lines = [line.strip() for line in file]
        assert lines.count(known["on"]) == 1, known
        assert known["before"].splitlines()[0] in known["on"] and known["after"] != known["before"] and known["reason"], known
    site = sites.Site("a", 0, 1, "constant", "0", "1", 2)
    assert record.place(site, {"a": b"x\n  f(0);\n"}) == ("a", "f(0);", "constant", "0", "1")
    assert len(record.equivalents()) == len(listed)


def test_a_sample_is_of_one_room_where_that_takes_half_the_time(recorded, monkeypatch):
    began = []
    clock = iter([0., 100., 130., 0., 130.])
    monkeypatch.setattr(sys, "argv", ["run.py", "--sample", "4", "rig", "core", "mesh"])
    monkeypatch.setattr(workspace, "export_tree", lambda: None)
    monkeypatch.setattr(tool, "mutate", lambda group, *_: began.append(group[0].name) or [])
    monkeypatch.setattr(tool.time, "monotonic", lambda: next(clock))
    assert tool.main() == 0 and began == ["rig", "core"]
    assert tool.main() == 0 and began == ["rig", "core", "rig"]  # whose faults were not reached


def test_a_sample_is_not_kept():
    code, said = run(os.path.dirname(CI), "--sample", "1", "--keep")
    assert (code, said) == (2, "ci/mutate.sh: --keep wants whole rooms, not a --sample\n")


def test_what_is_red_in_a_file_is_not_judged_again(tmp_path, monkeypatch):
    path = tmp_path / "before.json"
    rows = [{**row("truth", "red"), "test": "T.Red"}, row("truth", "survived", "g(0);")]
    path.write_text(json.dumps({"seed": 1, "mutants": rows}))
    monkeypatch.setattr(sys, "argv", ["run.py", "truth", "--again", str(path)])
    assert tool.options().before == {record.told(rows[0]): "T.Red"}
    path.write_text("[]")
    with pytest.raises(workspace.BadInput, match="before.json: is not what --json writes"):
        tool.options()


def run(cwd, *arguments):
    done = subprocess.run([sys.executable, "-B", os.path.join(cwd, "ci", "mutate", "run.py"), *arguments], text=True,
                          stdout=subprocess.PIPE, stderr=subprocess.PIPE)
    return done.returncode, done.stderr


def test_an_unknown_room_is_named_with_the_nearest():
    code, said = run(os.path.dirname(CI), "skining")
    assert code == 2
    assert "room 'skining' does not exist, did you mean 'skinning'?" in said
    assert "preprocess" in said and said.count("\n") == 1


GIT = ["git", "-c", "user.name=a", "-c", "user.email=a@b.c"]


def test_the_copy_has_what_is_committed_and_the_judges_of_the_tests(tmp_path, monkeypatch):
    root, copy = tmp_path / "root", tmp_path / "copy"
    (root / "build" / "node").mkdir(parents=True)
    (root / "build" / "node" / "judge").write_text("")
    (root / "a.cpp").write_text("int a;\n")
    for command in (["init", "-q", "."], ["add", "a.cpp"], ["commit", "-qm", "a"]):
        subprocess.run([*GIT, *command], cwd=root, check=True)
    monkeypatch.setattr(workspace, "ROOT", str(root))
    monkeypatch.setattr(workspace, "TREE", str(copy))
    for _ in range(2):
        workspace.export_tree()
        (copy / "left_over.cpp").write_text("")
    workspace.export_tree()
    assert sorted(file.name for file in copy.iterdir()) == ["a.cpp", "build"]
    assert (copy / "a.cpp").read_text() == "int a;\n" and (copy / "build" / "node" / "judge").exists()


def test_a_dirty_tree_is_refused(tmp_path):
    shutil.copytree(os.path.join(CI, "mutate"), tmp_path / "ci" / "mutate")
    subprocess.run([*GIT, "init", "-q", "."], cwd=tmp_path, check=True)
    subprocess.run([*GIT, "add", "-A"], cwd=tmp_path, check=True)
    subprocess.run([*GIT, "commit", "-qm", "a"], cwd=tmp_path, check=True)
    (tmp_path / "ci" / "mutate" / "rooms.py").write_text("ROOMS = ()\nBY_NAME = {}\n")
    code, said = run(tmp_path)
    assert code == 2
    assert "the working tree has changes (ci/mutate/rooms.py ...)" in said
