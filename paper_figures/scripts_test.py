"""Every figure script: data that are missing, or of another run, are named in one line, exit code 2."""

import importlib.util
import sys
from pathlib import Path

import pytest

from common import figure_command
from conftest import make_run, write_run

FOLDER = Path(__file__).parent
SCRIPTS = sorted(path for path in FOLDER.glob("*/*.py")
                 if not path.name.endswith("_test.py") and "\nEXPERIMENT = " in path.read_text(encoding="utf-8"))


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
