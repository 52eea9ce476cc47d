"""ci/gpu.sh in a checkout of its own, with programs that say what a graphics processor would, or that there is none."""

import os
import subprocess
import sys
from pathlib import Path

import pytest

HERE = Path(__file__).parent
TESTS = """#!/bin/sh
echo "$*" >> "$LOG"
[ "$DEVICE" = 1 ] || echo "no graphics processor here: software is the other contexts"
case "$*" in *"$BAD"*) exit 1 ;; esac
"""
BENCH = """#!/bin/sh
echo "frames by $SKINLIGHT_RENDERER" >> "$LOG"
echo "frame/lbs/deform/1000  17 us"
[ "$BAD" != frames ]
"""
PROGRAM = """#!/bin/sh
echo "$*" >> "$LOG"
if [ "$1" = golden ]; then
  echo "fig: 3 mismatches"
  [ "$BAD" != golden ]
  exit
fi
echo "renderer: made up"
mkdir -p "$6/$2"
echo "frames,60" > "$6/$2/fps.csv"
[ "$2" != "$BAD" ]
"""


@pytest.fixture
def gpu(tmp_path):
    root = tmp_path / "checkout"

    def put(path, text):
        file = root / path
        file.parent.mkdir(parents=True, exist_ok=True)
        file.write_text(text, encoding="utf-8")
        file.chmod(0o755)

    for name in ("gpu.sh", "common.sh"):
        put(f"ci/{name}", (HERE / name).read_text(encoding="utf-8"))
    put("ci/setup.sh", "#!/bin/sh\n")
    put("../tools/cmake", "#!/bin/sh\n")
    put("build/release/bin/skinlight_render_test", TESTS)
    put("build/release/bin/skinlight_render_bench", BENCH)
    put("build/release/bin/skinlight", PROGRAM)

    def run(*arguments, device=1, bad="nothing"):
        env = {**os.environ, "PATH": f"{tmp_path / 'tools'}:{os.environ['PATH']}", "PYTHON": sys.executable,
               "LOG": str(tmp_path / "log"), "DEVICE": str(device), "BAD": bad}
        return subprocess.run([root / "ci/gpu.sh", *arguments], env=env, capture_output=True, text=True, timeout=60)

    run.log, run.out = tmp_path / "log", root / "build/gpu"
    return run


def test_cells_tests_and_experiments_run_on_the_device(gpu):
    result = gpu()
    assert result.returncode == 0, result.stderr
    lines = gpu.log.read_text().splitlines()
    assert lines[:2] == ["--gtest_filter=*KernelCells*/auto", "--gtest_filter=*GpuSkinning*/auto"]
    assert lines[2:] == [*(f"reproduce {id} --renderer egl-device --out {gpu.out}"
                           for id in ("tarini2014/fig2_pill", "bittner2019/table2_fps")),
                         f"golden check --renderer egl-device --out {gpu.out}/golden", "frames by egl-device"]
    assert "renderer: made up" in result.stdout and "frames,60" in result.stdout
    assert "frame/lbs/deform/1000  17 us" in result.stdout and "3 mismatches" in result.stdout
    assert "pictures and frames per second" in (gpu.out / "log").read_text()


def test_software_is_asked_for_by_name(gpu):
    assert gpu("--software").returncode == 0
    text = gpu.log.read_text()
    assert "KernelCells*/egl_surfaceless" in text and "--renderer llvmpipe" in text and "frames by llvmpipe" in text and "auto" not in text


def test_without_a_device_it_says_so_and_runs_nothing_more(gpu):
    result = gpu(device=0)
    assert result.returncode == 2 and len(gpu.log.read_text().splitlines()) == 1
    assert result.stderr == "ci/gpu.sh: EGL offers no graphics processor, only software; --software tries the script on that\n"


@pytest.mark.parametrize("bad", ["KernelCells", "GpuSkinning", "tarini2014/fig2_pill", "golden", "frames"])
def test_a_failure_is_told_and_the_rest_is_run(gpu, bad):
    result = gpu(bad=bad)
    assert result.returncode == 1 and "FAILED" in result.stdout
    assert len(gpu.log.read_text().splitlines()) == 6


def test_wrong_command_lines_are_told(gpu):
    for arguments in (["--fast"], ["--out"]):
        result = gpu(*arguments)
        assert result.returncode == 2 and result.stderr.startswith("ci/gpu.sh: ") and len(result.stderr.splitlines()) == 1
