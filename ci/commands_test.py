"""Every command of the program that the README and the guide show is run, on a character and an engine's output made for
it; what they show of Python too. A synopsis is run with all that is optional in it and with nothing. Commands of other
programs are run elsewhere, and here it stands where. SKINLIGHT is the program; without it, or the package, ctest has not
built them."""

import json
import os
import re
import subprocess
import sys
from pathlib import Path

import pytest

ROOT = Path(__file__).parent.parent
SKINLIGHT = os.environ.get("SKINLIGHT", "")
np = pytest.importorskip("numpy")
skinlight = pytest.importorskip("skinlight", reason="run by ctest with the package that it built")
pytestmark = pytest.mark.skipif(not SKINLIGHT, reason="run by ctest with the program that it built")

DOCUMENTS = [ROOT / "README.md", ROOT / "lib/python/README.md", *sorted((ROOT / "lib/docs").glob("*.md"))]


def commands(document):
    """Its indented lines that call the program; not the synopsis, where brackets and capitals stand for something."""
    text = document.read_text(encoding="utf-8").replace("\\\n", " ")
    for line in re.findall(r"^    (skinlight .*)$", text, re.M):
        if not re.search(STANDS_FOR, line):
            yield " ".join(line.split())


STANDS_FOR = r"\[|\||skinlight (list|reproduce)|\.\.\.|[A-Z]{4,}"
SYNOPSIS = [" ".join(line.split()) for line in re.findall(
    r"^    (skinlight .*(?:\n {10,}\[.*)*)$", (ROOT / "README.md").read_text(encoding="utf-8"), re.M)
    if re.search(STANDS_FOR, line)]
# What the words in capitals stand for, behind their option where they mean several things.
MEANING = {"ID ...": "merry2006/normals", "MODEL ...": "arm.gltf", "MODEL": "arm.gltf", "--method M": "--method dqs", "LIST": "standard,deform",
           "NAME": "Run", "--frames N": "--frames 3", "DEG": "90", "FILE.svg": "plot.svg", "FILE.sarif": "told.sarif", "FILE.xml": "told.xml", "--csv FILE": "--csv told.csv", "FILE": "told.json",
           "--threads N": "--threads 1", "--time S": "--time .5", "YOURS.npy": "my_normals.npy", "OUT": "out.glb",
           "--influences N": "--influences 4", "--normals N": "--normals smoothed", "--layout L": "--layout attributes",
           "--format F": "--format snorm16", "--renderer R": "--renderer llvmpipe", "DIR": "drawn"}
# Commands of other programs: who runs them.
ELSEWHERE = {
    r"\./ci/(fuzz|test|python|docs|mutate|portability)\.sh": (".ci/run", "ci/{}.sh"),
    r"\./ci/(gpu|reproduce|lint|sanitize|packages|bless|survey|swaps|web)\.sh": ("ci/{}.sh", "usage: ci/{}.sh"),
    r"cmake --preset (release)$": ("ci/common.sh", "--preset {}"),
    r"cmake --build --preset (release)$": ("ci/common.sh", "--build --preset {}"),
    r"cmake --(install) build/release": ("ci/package/install.cmake", "--{}"),
    r"pip install (--no-build-isolation) \./lib/python": ("ci/python.sh", "{}")}


def spelled_out(synopsis, optional):
    """The command with everything in brackets, or without; as a person would type it."""
    line = re.sub(r"\[(.*?)\]", r"\1" if optional else "", synopsis)
    for word, meaning in MEANING.items():
        line = re.sub(rf"(?<![\w-]){re.escape(word)}(?![\w.])", meaning, line)
    return line.split()[1:]


COMMANDS = sorted({(document.relative_to(ROOT).as_posix(), command) for document in DOCUMENTS
                   for command in commands(document)})


@pytest.fixture(scope="module")
def folder(tmp_path_factory):
    """hero.glb and the arrays that `skinlight judge` is shown with."""
    folder = tmp_path_factory.mktemp("hero")
    subprocess.run([sys.executable, ROOT / "lib/examples/make_arm.py", folder / "arm.gltf"], check=True)
    arm = folder / "arm.gltf"
    arm.write_text(arm.read_text().replace('"name": "bend"', '"name": "Run"'))  # as the documents call a clip
    skinlight.bake(folder / "arm.gltf", folder / "hero.glb")
    rig = skinlight.read(folder / "arm.gltf")
    pose = rig.pose("Run", .5)
    for name, array in dict(positions=rig.positions, faces=rig.faces, bones=rig.bones, weights=rig.weights, pose=pose,
                            my_normals=rig.skin(pose).normals).items():
        np.save(folder / name, array)
    return folder


def test_documents_show_commands():
    assert {command.split()[1] for _, command in COMMANDS} >= {"bake", "check", "compare", "judge"}


@pytest.mark.parametrize("document, command", COMMANDS)
def test_shown_commands_run(folder, document, command):
    told = subprocess.run([SKINLIGHT, *command.split()[1:]], cwd=folder, capture_output=True, text=True)
    assert told.returncode == 0, told.stderr


@pytest.mark.parametrize("optional", [True, False], ids=["all", "least"])
@pytest.mark.parametrize("synopsis", SYNOPSIS, ids=lambda line: line.split()[1])
def test_a_synopsis_runs_with_everything_and_with_the_least(folder, tmp_path, synopsis, optional):
    for name in ("arm.gltf", "my_normals.npy"):
        (tmp_path / name).symlink_to(folder / name)
    words = spelled_out(synopsis, optional)
    assert not [word for word in words if re.fullmatch(r"[A-Z.\[\]]+", word)], "say what this stands for"
    if words[0] == "reproduce" and not optional:
        return  # everything: ci/reproduce.sh
    alternatives = words[-1].split("|") if "|" in words[-1] else []
    for command in [[*words[:-1], word, "--help"] for word in alternatives] or [words]:
        told = subprocess.run([SKINLIGHT, *command], cwd=tmp_path, capture_output=True, text=True)
        # With --strict a warning counts, and that the arm has no normals is one.
        assert told.returncode == (1 if "--strict" in command else 0), told.stderr


def test_the_synopsis_has_every_command_of_the_manual():
    page = subprocess.run([SKINLIGHT, "--man"], check=True, capture_output=True, text=True).stdout
    commands = set(re.findall(r"^\.SS skinlight (\w+)$", page, re.M)) - {"golden"}  # ours: CONTRIBUTING.md
    assert {line.split()[1] for line in SYNOPSIS} == commands


def test_commands_of_other_programs_are_run_elsewhere():
    shown = {line for document in [*DOCUMENTS, ROOT / "CONTRIBUTING.md"] for line in
             re.findall(r"^    ((?:\./|cmake|pip|pkg-config|python3|ctest|git|snakemake).*)$",
                        document.read_text(encoding="utf-8"), re.M)}
    assert len(shown) > 10
    for line in shown:
        runs = [(re.match(command, line)[1], *where) for command, where in ELSEWHERE.items() if re.match(command, line)]
        assert runs, f"nobody runs: {line}"
        name, file, text = runs[0]
        assert text.format(name) in (ROOT / file.format(name)).read_text(encoding="utf-8"), line


def test_the_readme_and_the_package_name_every_method_and_number_format():
    readme = (ROOT / "README.md").read_text(encoding="utf-8")
    methods = re.search(r"`--method` \(([^)]*)\)", readme)[1]
    assert tuple(re.findall(r"`([^`]+)`", methods)) == skinlight.names("method")
    table = re.search(r"^\| format \|.*\n\|[-|]*\n((?:\|.*\n)*)", readme, re.M)[1]
    assert tuple(re.findall(r"^\| `([^`]+)`", table, re.M)) == skinlight.names("format")
    formats = re.search(r"format: ([^;]*);", skinlight.bake.__doc__)[1]
    assert tuple(re.findall(r'"([^"]+)"', formats)) == skinlight.names("format")


@pytest.mark.parametrize("method", skinlight.names("method"))
@pytest.mark.parametrize("clips", [0, 1, 2])
def test_python_prints_the_table_of_compare(folder, tmp_path, method, clips):
    gltf = json.loads((folder / "arm.gltf").read_text())
    run = gltf.pop("animations")[0]
    if clips:
        gltf["animations"] = [run, {**run, "name": "Walk"}][:clips]
    model = tmp_path / "arm.gltf"
    model.write_text(json.dumps(gltf))
    told = subprocess.run([SKINLIGHT, "compare", model, "--method", method], check=True, capture_output=True, text=True)
    title, _, table = str(skinlight.compare(model, method=method)).partition("\n")
    assert title == f"arm.gltf, {method}"
    assert table in told.stdout


@pytest.mark.parametrize("document", ["README.md", "lib/python/README.md", "lib/docs/from_python.md"])
def test_shown_python_runs(folder, document):
    text = (ROOT / document).read_text(encoding="utf-8")
    blocks = re.findall(r"```python\n(.*?)```|@code\{\.py\}\n(.*?)@endcode", text, re.S)
    assert blocks
    rig = skinlight.read(folder / "arm.gltf")
    for block in blocks:
        names = dict(positions=rig.positions, faces=rig.faces, bones=rig.bones, weights=rig.weights,
                     pose=rig.pose("Run", .5))
        exec("".join(block), names)
        normals = names["normals"] if "normals" in names else names["posed"].normals
        assert normals.shape == rig.positions.shape
