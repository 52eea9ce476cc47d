"""ci/fetch_models.sh in a checkout of its own, with two small models and a public source served from this machine."""

import hashlib
import json
import os
import shutil
import subprocess
import sys
import threading
from functools import partial
from http.server import SimpleHTTPRequestHandler, ThreadingHTTPServer
from pathlib import Path

import pytest

HERE = Path(__file__).parent
COMMIT = "0123456789" * 4
BONES = b"the bones"
SKIN = b"\x00the skin\n"


class Quiet(SimpleHTTPRequestHandler):
    def log_message(self, *_):
        pass


class Checkout:
    def __init__(self, folder):
        self.address = None  # of the public source, once it is served
        self.root = folder / "checkout"
        self.source = folder / "github"  # laid out as the public address is
        self.folder = folder
        for name in ("fetch_models.sh", "common.sh"):
            (self.root / "ci").mkdir(parents=True, exist_ok=True)
            shutil.copy(HERE / name, self.root / "ci" / name)
        files = [("a/bones.gltf", "some where/bones.gltf", BONES), ("b/skin.glb", "skin.glb", SKIN)]
        self.write_table(files)
        for _, path, data in files:
            self.put(self.source / "owner/name" / COMMIT / path, data)

    def write_table(self, files, **more):
        models = [{"name": file, "licence": f"L {file[0]}", "files": [{"file": file, "repository": "owner/name", "commit": COMMIT, "path": path, "bytes": len(data),
                                            "sha256": hashlib.sha256(data).hexdigest(), **more}]}
                  for file, path, data in files]
        self.put(self.root / "repro/models.json", json.dumps({"models": models}).encode())

    def put(self, path, data):
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_bytes(data)
        return path

    def fetch(self, *arguments, models=""):
        env = {**os.environ, "SKINLIGHT_MODELS": str(models), "SKINLIGHT_MODELS_URL": self.address,
               "no_proxy": "127.0.0.1",
               "PYTHON": sys.executable}
        return subprocess.run([self.root / "ci/fetch_models.sh", *map(str, arguments)], env=env, capture_output=True,
                              text=True, timeout=60)

    def fetched(self, target):
        return {path.relative_to(target).as_posix(): path.read_bytes() for path in target.rglob("*") if path.is_file()}


@pytest.fixture
def checkout(tmp_path):
    made = Checkout(tmp_path)
    server = ThreadingHTTPServer(("127.0.0.1", 0), partial(Quiet, directory=str(made.source)))
    made.address = f"http://127.0.0.1:{server.server_address[1]}"
    thread = threading.Thread(target=server.serve_forever)
    thread.start()
    yield made
    server.shutdown()
    thread.join()
    server.server_close()


WHOLE = {"a/bones.gltf": BONES, "b/skin.glb": SKIN}


def test_downloads_from_the_public_source_into_the_checkout(checkout):
    result = checkout.fetch()
    assert (result.returncode, result.stderr) == (0, "")
    assert checkout.fetched(checkout.root / "models") == WHOLE
    assert result.stdout.count("fetched ") == 2 and "some%20where" in result.stdout
    assert result.stdout.startswith(f"to fetch: 2 files, 0.1 MB, from {checkout.address}\nlicences: L a, L b (")


def test_what_is_at_hand_is_not_counted_as_to_be_fetched(checkout):
    checkout.put(checkout.root / "models/a/bones.gltf", BONES)
    assert "to fetch: 1 files" in checkout.fetch().stdout
    assert "to fetch" not in checkout.fetch().stdout


def test_prefers_the_named_folder_then_the_one_beside_the_checkout(checkout):
    shutil.rmtree(checkout.source)
    named = checkout.put(checkout.folder / "named/a/bones.gltf", BONES).parents[1]
    checkout.put(checkout.folder / "shared/models/b/skin.glb", SKIN)
    checkout.put(checkout.folder / "shared/models/a/bones.gltf", b"never read")
    result = checkout.fetch(checkout.folder / "m", models=named)
    assert (result.returncode, result.stderr) == (0, "")
    assert checkout.fetched(checkout.folder / "m") == WHOLE
    assert f"from {named}\n" in result.stdout and f"from {checkout.folder / 'shared/models'}\n" in result.stdout


def test_right_files_are_kept_and_a_half_finished_one_is_not(checkout):
    target = checkout.folder / "m"
    checkout.put(target / "a/bones.gltf", BONES)
    checkout.put(target / "b/skin.glb", SKIN[:4])
    result = checkout.fetch(target)
    assert result.returncode == 0
    assert checkout.fetched(target) == WHOLE
    assert "kept      a/bones.gltf" in result.stdout and "fetched   b/skin.glb" in result.stdout


@pytest.mark.parametrize("from_folder", [True, False])
def test_a_wrong_file_is_refused_by_name_and_never_takes_its_place(checkout, from_folder):
    folder = checkout.folder / "named" if from_folder else checkout.source / "owner/name" / COMMIT
    wrong = checkout.put(folder / ("b/skin.glb" if from_folder else "skin.glb"), b"something else")
    result = checkout.fetch(checkout.folder / "m", models=checkout.folder / "named")
    assert result.returncode == 2
    assert len(result.stderr.splitlines()) == 1
    where = str(wrong) if from_folder else f"{checkout.address}/owner/name/{COMMIT}/skin.glb"
    for words in (where, "b/skin.glb", hashlib.sha256(SKIN).hexdigest(), hashlib.sha256(b"something else").hexdigest()):
        assert words in result.stderr
    assert checkout.fetched(checkout.folder / "m") == {"a/bones.gltf": BONES}


def test_without_a_source_one_line_says_what_to_do(checkout):
    shutil.rmtree(checkout.source)
    result = checkout.fetch()
    assert result.returncode == 2
    assert len(result.stderr.splitlines()) == 1
    assert "a/bones.gltf" in result.stderr and "SKINLIGHT_MODELS" in result.stderr
    assert checkout.fetched(checkout.root / "models") == {}


def test_every_conversion_of_the_table_has_a_converter_and_its_sources():
    table = json.loads((Path(__file__).parents[1] / "repro/models.json").read_text(encoding="utf-8"))
    conversions = [f for model in table["models"] for f in model["files"] if "converted" in f]
    assert conversions
    for f in conversions:
        assert (Path(__file__).parents[1] / f["converter"]).is_file(), f["file"]
        assert f["sources"] and all(set(source) == {"path", "sha256", "bytes"} for source in f["sources"]), f["file"]


CONVERTER = "import sys; open(sys.argv[-1], 'wb').write(b'+'.join(open(name, 'rb').read() for name in sys.argv[1:-1]))"


@pytest.fixture
def made(checkout):
    """The two files are the sources of a third."""
    checkout.put(checkout.root / "ci/join.py", CONVERTER.encode())
    checkout.write_table([("c/both.glb", "skin.glb", BONES + b"+" + SKIN)], converted="joined", converter="ci/join.py", sources=[
        {"path": path, "sha256": hashlib.sha256(data).hexdigest(), "bytes": len(data) + 50_000}
        for path, data in (("some where/bones.gltf", BONES), ("skin.glb", SKIN))])
    return checkout


def test_a_conversion_with_a_converter_is_made_of_its_sources(made):
    result = made.fetch(made.folder / "m")
    assert (result.returncode, result.stderr) == (0, "")
    assert made.fetched(made.folder / "m") == {"c/both.glb": BONES + b"+" + SKIN}
    assert "to fetch: 1 files, 0.2 MB" in result.stdout and "made      c/both.glb of 2 files" in result.stdout
    assert "kept " in made.fetch(made.folder / "m").stdout


@pytest.mark.parametrize("harm, words", [
    ("source", "skin.glb is not the source of c/both.glb"), ("gone", "cannot download c/both.glb"),
    ("converter", "cannot make c/both.glb: no"), ("other", "what ci/join.py made is not c/both.glb")])
def test_a_conversion_that_goes_wrong_takes_no_place(made, harm, words):
    source = made.source / "owner/name" / COMMIT / "skin.glb"
    if harm == "source":
        source.write_bytes(b"something else")
    elif harm == "gone":
        source.unlink()
    else:
        made.put(made.root / "ci/join.py", b"exit('no')" if harm == "converter" else CONVERTER.replace("'+'", "'-'").encode())
    result = made.fetch(made.folder / "m")
    assert result.returncode == 2 and len(result.stderr.splitlines()) == 1
    assert words in result.stderr and made.fetched(made.folder / "m") == {}


def test_help_and_wrong_command_lines(checkout):
    assert "usage: ci/fetch_models.sh [DIR]" in checkout.fetch("--help").stdout
    for arguments in (["--fast"], ["a", "b"]):
        result = checkout.fetch(*arguments)
        assert result.returncode == 2 and "usage: ci/fetch_models.sh [DIR]" in result.stderr


def test_the_readme_attributes_every_model():
    table = json.loads((HERE.parent / "repro/models.json").read_text(encoding="utf-8"))
    readme = (HERE.parent / "README.md").read_text(encoding="utf-8")
    for model in table["models"]:
        assert f"- {model['attribution']}\n" in readme, model["name"]
