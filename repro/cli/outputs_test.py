"""What the program writes, and what it leaves: standard output, pipes, links, several runs at once, Ctrl-C."""

import json
import os
import signal
import stat
import subprocess
import threading
import time

import pytest
from cli_test import PILL, PROGRAM, error_line, run, triangle


@pytest.fixture(name="model")
def fixture_model(tmp_path):
    return triangle(folder=tmp_path / "model")


@pytest.fixture(name="out")
def fixture_out(tmp_path):
    (tmp_path / "out").mkdir()
    return tmp_path / "out"


def names(folder):
    return sorted(path.name for path in folder.iterdir())


class Waiting:
    """A run of `check` that holds its output and waits for its model, which is a pipe that nobody fills."""

    def __init__(self, folder, output):
        os.mkfifo(folder / "pipe.gltf")
        self._process = subprocess.Popen([PROGRAM, "check", folder / "pipe.gltf", "--json", output],
                                         stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL)
        for _ in range(1000):
            if output.parent.exists() and f".{output.name}.part" in names(output.parent):
                return
            time.sleep(0.01)
        raise AssertionError("the run does not hold its output")

    def end(self, number=signal.SIGINT):
        self._process.send_signal(number)
        assert self._process.wait(20) == -number


@pytest.mark.parametrize("name", ["-", "/dev/stdout"])
def test_standard_output_holds_the_document_alone(model, name):
    result = run("check", model, "--json", name)
    assert result.returncode == 0 and json.loads(result.stdout)["healthy"]
    assert "healthy" in result.stderr  # what is printed otherwise
    assert run("compare", model, "--csv", name).stdout.startswith("clip,")
    assert run("compare", model, "--plot", name).stdout.startswith("<svg")


def test_standard_output_that_is_a_file_keeps_what_it_held(model, out):
    (out / "log").write_text("before\n")
    with open(out / "log", "a", encoding="utf-8") as log:
        assert subprocess.run([PROGRAM, "check", model, "--json", "-"], stdout=log, stderr=subprocess.DEVNULL,
                              check=False).returncode == 0
    assert (out / "log").read_text().startswith('before\n{\n  "schema"')


def test_one_file_is_not_written_twice(model, out):
    for first, second in [("-", "/dev/stdout"), (out / "a", out / ".." / "out" / "a")]:
        result = run("compare", model, "--json", first, "--csv", second)
        assert result.returncode == 2 and "two outputs" in error_line(result)
    assert not names(out)


def test_pipes_are_written_into_and_devices_stay(model, out):
    os.mkfifo(out / "pipe")
    received = []
    reader = threading.Thread(target=lambda: received.append((out / "pipe").read_text()))
    reader.start()
    assert run("check", model, "--json", out / "pipe").returncode == 0
    reader.join()
    assert json.loads(received[0])["healthy"] and stat.S_ISFIFO((out / "pipe").stat().st_mode)
    result = run("check", model, "--json", "/dev/full")
    assert result.returncode == 2 and "/dev/full: cannot be written: No space left" in error_line(result)
    with open("/dev/full", "w", encoding="utf-8") as full:
        assert subprocess.run([PROGRAM, "list"], stdout=full, stderr=subprocess.DEVNULL, check=False).returncode == 2


def test_links_are_followed_and_modes_kept(model, out):
    (out / "real.json").write_text("old")
    (out / "real.json").chmod(0o640)
    (out / "link.json").symlink_to("real.json")
    assert run("check", model, "--json", out / "link.json").returncode == 0
    assert (out / "link.json").is_symlink() and json.loads((out / "real.json").read_text())["healthy"]
    assert stat.S_IMODE((out / "real.json").stat().st_mode) == 0o640


@pytest.mark.parametrize("arguments", [["check", "MODEL", "--json", "PLACE"], ["compare", "MODEL", "--plot", "PLACE"],
                                       ["compare", "MODEL", "--render", "PLACE"],
                                       ["stability", "measure", "--json", "PLACE"]])
def test_what_cannot_be_written_is_refused_before_the_work(model, out, arguments):
    (out / "file").write_text("no folder")
    places = {"MODEL": model, "PLACE": out / "file" / "place"}
    result = run(*(places.get(a, a) for a in arguments))
    assert result.returncode == 2 and str(out / "file") in error_line(result)
    assert result.stderr.count("\n") == 1  # no progress: nothing was begun
    assert names(out) == ["file"]


def test_the_second_run_into_a_file_is_refused_and_an_interrupted_one_leaves_nothing(model, out, tmp_path):
    for number in (signal.SIGINT, signal.SIGTERM, signal.SIGHUP):
        first = Waiting(tmp_path, out / "new" / "a.glb")
        for second in (run("check", model, "--json", out / "new" / "a.glb"),
                       run("bake", model, "-o", out / "new" / "a.glb")):
            assert second.returncode == 2 and "is being written by another run" in error_line(second)
        first.end(number)
        assert not names(out)
        (tmp_path / "pipe.gltf").unlink()


def test_two_reproductions_into_one_folder(tmp_path):
    arguments = [PROGRAM, "reproduce", PILL, "--out", str(tmp_path / "out"), "--renderer", "llvmpipe"]
    first = subprocess.Popen(arguments, stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL)
    folder = tmp_path / "out" / PILL
    while not folder.with_suffix(".part").exists():
        assert first.poll() is None
        time.sleep(0.005)
    second = run(*arguments[1:])
    first.send_signal(signal.SIGINT)
    assert first.wait(20) == -signal.SIGINT
    assert second.returncode == 2 and "is being written by another run" in error_line(second)
    assert names(tmp_path) == []


def test_bake_replaces_only_what_bake_wrote(model, out):
    (out / "hero.gltf").write_bytes(model.read_bytes())
    (out / "data.bin").write_bytes((model.parent / "data.bin").read_bytes())
    for name, content in [("hero.glb", b"notes"), ("short.glb", b"glTF"), ("list.gltf", b"[1]")]:
        (out / name).write_bytes(content)
    for name in ("hero.gltf", "hero.glb", "short.glb", "list.gltf"):
        before = (out / name).read_bytes()
        result = run("bake", model, "-o", out / name)
        assert result.returncode == 2 and "no earlier result of bake (--force replaces it)" in error_line(result)
        assert "computing" not in result.stderr and (out / name).read_bytes() == before
    assert run("bake", model, "-o", out / "hero.glb", "--force").returncode == 0
    assert run("bake", model, "-o", out / "hero.glb", "--format", "f16").returncode == 0


def test_bake_into_standard_output_is_the_file(model, out):
    assert run("bake", model, "-o", out / "baked.glb").returncode == 0
    result = subprocess.run([PROGRAM, "bake", model, "-o", "-"], capture_output=True, check=False)
    assert result.returncode == 0 and result.stdout == (out / "baked.glb").read_bytes()
    assert b"attributes more" in result.stderr


@pytest.mark.parametrize("name", ["pipe", "pipe.glb"])
def test_bake_into_a_pipe_or_a_device_is_one_file(model, out, name):
    assert run("bake", model, "-o", out / "baked.glb").returncode == 0
    os.mkfifo(out / name)
    received = []
    reader = threading.Thread(target=lambda: received.append((out / name).read_bytes()))
    reader.start()
    assert run("bake", model, "-o", out / name).returncode == 0
    reader.join()
    assert received[0] == (out / "baked.glb").read_bytes() and stat.S_ISFIFO((out / name).stat().st_mode)
    assert names(out) == ["baked.glb", name]
    assert run("bake", model, "-o", "/dev/null").returncode == 0 and stat.S_ISCHR(os.stat("/dev/null").st_mode)
    full = run("bake", model, "-o", "/dev/full")
    assert full.returncode == 2 and "/dev/full: cannot be written: No space left" in error_line(full)
