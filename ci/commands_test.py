"""Every command of the program that the README and the guide show is run, on a character and an engine's output made for
it; what they show of Python too. SKINLIGHT is the program; without it, or the package, ctest has not built them."""

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
        if not re.search(r"\[|\||skinlight (list|reproduce)|\.\.\.|[A-Z]{4,}", line):
            yield " ".join(line.split())


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
