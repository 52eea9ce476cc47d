"""Every figure script: what it shows of which data; data that are missing, or of another run, are named in one line, exit
code 2."""

import importlib.util
import re
import sys
from pathlib import Path

import pytest

import common
import shown
from common import figure_command
from conftest import make_run, write_run
from palette import DEFORM, SKINNING, SMOOTHED, STANDARD, VECTORS

FOLDER = Path(__file__).parent
SCRIPTS = shown.SCRIPTS
COLOURS = {"standard": STANDARD, "deform": DEFORM, "smoothed": SMOOTHED, "deform-vectors": VECTORS, "vectors": VECTORS,
           **SKINNING}


@pytest.fixture(params=SCRIPTS, ids=lambda path: f"{path.parent.name}/{path.stem}")
def script(request, monkeypatch):
    """The module of a script, found as when it is run: its folder and paper_figures/ first."""
    path = request.param
    before = set(sys.modules)
    monkeypatch.setattr(sys, "path", [str(path.parent), str(FOLDER), *sys.path])
    spec = importlib.util.spec_from_file_location(f"script_{path.parent.name}_{path.stem}", path)
    module = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(module)
    yield module
    for name in set(sys.modules) - before:
        origin = getattr(sys.modules[name], "__file__", None) or ""
        if origin.startswith(str(FOLDER)):  # scripts of two folders may have neighbours of one name
            del sys.modules[name]


def told(script, out, capsys):
    code = figure_command(script.__doc__, script.EXPERIMENT, script.compose, [str(out)])
    return code, capsys.readouterr().err


def test_a_script_is_named_as_its_experiment(script):
    assert script.EXPERIMENT == f"{Path(script.__file__).parent.name}/{Path(script.__file__).stem}"


def test_no_run_is_named(script, out, capsys):
    code, error = told(script, out, capsys)
    assert (code, error) == (2, f"{out / script.EXPERIMENT / 'run.json'}: No such file or directory\n")


def test_another_experiment_s_run_is_named(script, out, capsys):
    folder = out / script.EXPERIMENT
    folder.mkdir(parents=True)
    write_run(out, make_run(id="tarini2014/another")).joinpath("run.json").rename(folder / "run.json")
    code, error = told(script, out, capsys)
    assert (code, error) == (2, f"{folder / 'run.json'}: is of another experiment, tarini2014/another\n")


def test_data_that_are_missing_are_named(script, out, capsys):
    folder = write_run(out, make_run(id=script.EXPERIMENT))
    for file in folder.iterdir():
        if file.name != "run.json":
            file.unlink()
    code, error = told(script, out, capsys)
    assert code == 2 and error.count("\n") == 1 and error.startswith(str(folder)), error
    assert not (folder / "figure.png").exists()


def test_a_method_has_one_colour_wherever_it_is_drawn(script):
    """In the tables of a script, whose rows start with what is drawn."""
    for name, table in vars(script).items():
        for row in table if isinstance(table, (list, tuple)) else ():
            if isinstance(row, tuple) and row[0] in COLOURS:
                drawn = {part for part in row if isinstance(part, str) and part.startswith("#")}
                assert drawn <= {COLOURS[row[0]]}, f"{name}: {row[0]}"


# ---------------------------------------------------------------------------------------------------------------
# What figures show

EVERY_SCRIPT = pytest.mark.parametrize("path", SCRIPTS, ids=lambda path: f"{path.parent.name}/{path.stem}")
# Names in data, and how captions, labels and ticks call them.
TERMS = [{"standard": "standard", "deform": "deform factors|ours", "smoothed": "smooth", "vectors": "deform vectors",
          "exact": "exact", "paper": "paper's", "approximation": "approximation", "naive": "naive", "stable": "stable",
          "merry": "merry"},
         {name: rf"\b{name}\b" for name in ("lbs", "dqs", "crs", "sbs", "log")},
         {name: name for name in ("transported", "recomputed", "analytic")},
         {"error": r"\berrors?\b|\boff\b", "posed": r"\bposed\b", "rest": r"\brest\b"},
         {name: rf"\b{name}\b" for name in ("twist", "bend", "wring", "zigzag", "fox", "trex", "wolf", "cuboid", "raptor")}]


def named_apart(text):
    """(lines whose words name another thing than the data that they stand at, how many name the same) of a figure in words."""
    apart, same = [], 0
    for line in text.splitlines():
        words = " ".join(re.findall(r'"([^"]*)"', line)).lower()
        places = re.findall(r"\S+\.csv:\S+?(?:\[.*?\])?(?= rows)|^picture \S+", line)
        parts = set(re.split(r"[^a-z]+", " ".join(places).lower()))
        for terms in TERMS:
            at, said = parts & set(terms), {name for name, term in terms.items() if re.search(term, words)}
            if at and said:
                same += bool(at & said)
                apart += [] if at & said else [line]
    return apart, same


@EVERY_SCRIPT
def test_a_figure_shows_what_is_kept(path):
    """Red when two columns, colours, labels or pictures change places. shown.py writes anew what is kept."""
    assert shown.shown(*shown.composed(path)).splitlines() == shown.kept(path).read_text(encoding="utf-8").splitlines()


@EVERY_SCRIPT
def test_words_name_the_data_that_they_stand_at(path):
    assert named_apart(shown.kept(path).read_text(encoding="utf-8"))[0] == []


def test_words_that_name_other_data_are_found():
    lines = ['  line "standard" VERMILION None s VERMILION: x summary.csv:deform[transported] rows 1 2 3; y 0 1 2',
             'picture bend_lbs.png title "DQS, bend of 120°: / bulge"',
             '  bar "CRS" GREEN at 0 "one joint of 270°": beyond.csv:one_joint_deg[dqs] rows 2']
    assert named_apart("\n".join(lines)) == (lines, 1)  # both name a bend
    assert sum(named_apart(shown.kept(path).read_text(encoding="utf-8"))[1] for path in SCRIPTS) > 500


def test_a_number_close_to_one_of_the_data_is_not_from_there():
    data = shown.Data([])
    number = data.unique("table.csv", 1, "column", False, [])
    assert shown.source_of([number], data) == ("table.csv:column", [], "1")
    assert shown.source_of([number + 2e-7], data) is None and shown.source_of([number - 2e-7], data) is None


def test_bars_of_negative_numbers_are_told_by_their_length():
    from matplotlib.figure import Figure

    axes = Figure().add_axes((0, 0, 1, 1))
    axes.barh([0], [-0.5], 0.8)
    axes.bar([1], [-2.5], 0.8)
    told_bars = [line for line in shown.shown_in(axes, shown.Data([])) if line.startswith("  bar")]
    assert [line.rpartition(" ")[2] for line in told_bars] == ["-0.5", "-2.5"]


def test_what_a_reader_sees_is_in_the_words():
    """One change each of what a figure says by place, size and span."""
    from matplotlib.figure import Figure

    def words(edit=lambda figure, axes, line, text, note, legend: None):
        common.use_style()
        figure = Figure(figsize=(4, 3))
        axes = figure.add_axes((0.2, 0.2, 0.7, 0.6))
        line, = axes.plot([1, 2], [3, 4], marker="o", label="a")
        axes.plot([1, 2], [4, 3], label="d")
        parts = (figure, axes, line, axes.text(1, 3, "b"), figure.text(0.5, 0.04, "c"), axes.legend(loc="upper left"))
        edit(*parts)
        return shown.shown(figure, shown.Data([]))

    edits = [lambda f, a, l, t, n, g: f.set_size_inches(4.04, 3), lambda f, a, l, t, n, g: f.set_size_inches(4, 3.03),
             lambda f, a, l, t, n, g: a.set_position((0.202, 0.2, 0.7, 0.6)), lambda f, a, l, t, n, g: a.set_xlim(1, 2.02),
             lambda f, a, l, t, n, g: a.set_ylim(2.9, 4), lambda f, a, l, t, n, g: a.set_xscale("log"),
             lambda f, a, l, t, n, g: a.set_aspect("equal"), lambda f, a, l, t, n, g: a.set_aspect("equal", adjustable="datalim"),
             lambda f, a, l, t, n, g: l.set_linewidth(1.01), lambda f, a, l, t, n, g: l.set_markersize(7),
             lambda f, a, l, t, n, g: t.set_fontsize(7.07), lambda f, a, l, t, n, g: t.set_ha("right"),
             lambda f, a, l, t, n, g: t.set_va("top"), lambda f, a, l, t, n, g: t.set_weight("bold"),
             lambda f, a, l, t, n, g: t.set_position((1.01, 3)), lambda f, a, l, t, n, g: n.set_position((0.5, 0.0404)),
             lambda f, a, l, t, n, g: n.set_rotation(90), lambda f, a, l, t, n, g: a.legend(loc="upper right"),
             lambda f, a, l, t, n, g: a.legend(loc="upper left", ncols=2),
             lambda f, a, l, t, n, g: a.legend(loc="upper left", columnspacing=1),
             lambda f, a, l, t, n, g: a.legend(loc="upper left", handlelength=1.8),
             lambda f, a, l, t, n, g: a.legend(loc="upper left", fontsize=7.7),
             lambda f, a, l, t, n, g: a.legend(loc="upper left", bbox_to_anchor=(0.1, 1))]
    said = [words(), *map(words, edits)]
    assert said[0] == words()
    assert [place for place, text in enumerate(said) if said.count(text) > 1] == []


def test_every_figure_in_words_has_its_script():
    assert sorted(FOLDER.glob("*/*.shown.txt")) == sorted(shown.kept(path) for path in SCRIPTS)


def test_made_up_numbers_are_unique_when_rounded():
    data = shown.Data([])
    numbers = [data.unique("table.csv", line, "column", False, []) for line in range(shown.MOST)]
    assert len({round(number) for number in numbers}) == len(numbers) and min(numbers) > 3000
    with pytest.raises(AssertionError):  # one more could be one of them
        data.unique("table.csv", shown.MOST, "column", False, [])


def test_up_to_eight_things_are_named_each():
    assert shown.few("abcdefgh") == "a b c d e f g h" and shown.few("abcdefghi") == "a b ... i (9)"
