"""ci/reproduce.sh in a checkout of its own, with a program that writes made-up runs in the place of a build."""

import json
import os
import stat
import subprocess
import sys
from pathlib import Path

import pytest

HERE = Path(__file__).parent
PAPERS = {"papers": [{"id": "tarini2014", "experiments": ["fig2_pill", "fig6_lbs"]},
                     {"id": "merry2006", "experiments": ["normals"]},
                     {"id": "slides", "experiments": ["log_blending"]},
                     {"id": "le2016", "experiments": []}]}
ALL = ["tarini2014/fig2_pill", "tarini2014/fig6_lbs", "merry2006/normals", "slides/log_blending"]
PROGRAM = """#!/bin/sh
# What `skinlight reproduce ID --out DIR` leaves: a run and a line per claim. The experiment named in BAD fails.
id=$2 out=$4
if [ "$1" = stability ]; then
  shift 4
  echo "$@" > "$2"
  echo "12 cells: $LOST lost digits"
  [ "$LOST" = 0 ]; exit
fi
[ "$id" != "$BAD" ] || { echo "skinlight: $id: no such device" >&2; exit 2; }
mkdir -p "$out/$id"
echo "$*" > "$out/$id/run.json"
printf '%-24s %-24s %-17s %.6g\\n' "$id" a_claim reproduced 1
"""
FIGURE = """import pathlib, sys
out = pathlib.Path(sys.argv[1])
(out / "tarini2014/fig2_pill/figure.png").write_text((out / "tarini2014/fig2_pill/run.json").read_text())
"""
REPORT = """import pathlib, sys
out = pathlib.Path(sys.argv[1])
print("page of", *sorted(path.parent.relative_to(out).as_posix() for path in out.rglob("run.json")))
"""


class Checkout:
    def __init__(self, folder):
        self.root, self.tools, self.out = folder / "checkout", folder / "tools", folder / "out"
        for name in ("reproduce.sh", "common.sh"):
            self.put(f"ci/{name}", (HERE / name).read_text(encoding="utf-8"))
        self.put("ci/setup.sh", '#!/bin/sh\necho "setup $*" >> "$LOG"\n')
        self.put("ci/fetch_models.sh", '#!/bin/sh\necho fetch >> "$LOG"\necho "cannot download it" >&2\nexit 2\n')
        self.put("repro/papers.json", json.dumps(PAPERS))
        self.put("build/release/bin/skinlight", PROGRAM)
        self.put("paper_figures/tarini2014/fig2_pill.py", FIGURE)
        self.put("paper_figures/report.py", REPORT)
        self.put("../tools/cmake", '#!/bin/sh\necho "cmake $*" >> "$LOG"\n')
        self.log = folder / "log"

    def put(self, path, text):
        file = self.root / path
        file.parent.mkdir(parents=True, exist_ok=True)
        file.write_text(text, encoding="utf-8")
        file.chmod(file.stat().st_mode | stat.S_IXUSR)

    def reproduce(self, *arguments, models="", bad="", lost=0):
        env = {**os.environ, "PATH": f"{self.tools}:{os.environ['PATH']}", "PYTHON": sys.executable, "LOG": str(self.log),
               "SKINLIGHT_MODELS": models, "BAD": bad, "LOST": str(lost)}
        return subprocess.run([self.root / "ci/reproduce.sh", *arguments, "--out", self.out], env=env, capture_output=True,
                              text=True, timeout=60)

    def done(self):
        """What was installed, fetched and built, one word each."""
        return [line.split()[0] for line in self.log.read_text().splitlines()] if self.log.exists() else []


@pytest.fixture
def checkout(tmp_path):
    (tmp_path / "checkout").mkdir()
    return Checkout(tmp_path)


def runs(out):
    return sorted(path.parent.relative_to(out).as_posix() for path in out.rglob("run.json"))


def test_everything_is_built_once_run_drawn_and_reported(checkout):
    result = checkout.reproduce(models="/somewhere")
    assert result.returncode == 0, result.stderr
    assert checkout.done() == ["setup", "cmake", "cmake"]
    assert "--target skinlight" in checkout.log.read_text()
    assert runs(checkout.out) == sorted(ALL)
    assert (checkout.out / "tarini2014/fig2_pill/figure.png").exists()
    for id in ALL:
        assert any(line.split("]")[1].split()[:3] == [id, "1", "claims"] for line in result.stdout.splitlines()
                   if line.startswith("["))
    assert result.stdout.splitlines()[-1].startswith("page of merry2006/normals")


@pytest.mark.parametrize("lost", (0, 2))
def test_digits_are_measured_for_the_page_where_all_is_run_and_lost_ones_are_a_failure(checkout, lost):
    result = checkout.reproduce(models="/somewhere", lost=lost)
    assert result.returncode == (1 if lost else 0), result.stderr
    assert f"12 cells: {lost} lost digits" in result.stdout
    assert (checkout.out / "stability.json").read_text() == f"--json {checkout.out}/stability.json\n"


def test_digits_are_not_measured_for_single_figures(checkout):
    assert checkout.reproduce("merry2006", models="/somewhere", lost=2).returncode == 0
    assert not (checkout.out / "stability.json").exists()


def test_a_wrong_name_is_told_before_anything_is_installed_or_built(checkout):
    result = checkout.reproduce("tarini2014/fig2_pil")
    assert result.returncode == 2
    assert result.stderr == ("ci/reproduce.sh: there is no experiment 'tarini2014/fig2_pil'; the nearest is "
                             "'tarini2014/fig2_pill'\n")
    assert checkout.done() == []


def test_a_paper_names_all_of_its_own_and_options_go_on_to_the_program(checkout):
    assert checkout.reproduce("tarini2014", "--threads", "3", models="/somewhere").returncode == 0
    assert runs(checkout.out) == ALL[:2]
    assert (checkout.out / ALL[0] / "run.json").read_text().endswith("--threads 3\n")


def test_where_nothing_is_built_a_few_experiments_get_a_program_of_their_own(checkout):
    (checkout.root / "build/release/bin/skinlight").unlink()
    checkout.put("build/figures/bin/skinlight", PROGRAM)
    assert checkout.reproduce("tarini2014", models="/somewhere").returncode == 0
    assert runs(checkout.out) == ALL[:2]
    configured = [line for line in checkout.log.read_text().splitlines() if "--preset release" in line]
    assert len(configured) == 1 and f" -DSKINLIGHT_EXPERIMENTS={ALL[0]};{ALL[1]} " in configured[0]
    # Kernels that are inlined take the compiler long and give the same numbers.
    assert " -DSKINLIGHT_INLINE_KERNELS=OFF " in configured[0]
    # All of them want the whole program, which is not there yet: nothing runs with the other one.
    assert checkout.reproduce(models="/somewhere").returncode == 2
    whole = [line for line in checkout.log.read_text().splitlines() if line.startswith("cmake --preset release")][-1]
    assert whole.endswith(" -DSKINLIGHT_UNITY=12 -DSKINLIGHT_INLINE_KERNELS=OFF")


def test_quick_runs_a_few_that_exist_and_need_no_models(checkout):
    assert checkout.reproduce("--quick", models="/somewhere").returncode == 0
    quick = runs(checkout.out)
    assert quick == sorted(set(ALL) - {"tarini2014/fig6_lbs"})
    papers = json.loads((HERE.parent / "repro/papers.json").read_text(encoding="utf-8"))["papers"]
    assert set(quick) <= {f"{paper['id']}/{name}" for paper in papers for name in paper["experiments"]}
    for id in quick:
        assert "e.models" not in (HERE.parent / f"repro/{id}.cpp").read_text(encoding="utf-8")


def test_offline_nothing_is_installed_or_fetched(checkout):
    result = checkout.reproduce("merry2006", "--offline")
    assert result.returncode == 0
    assert checkout.done() == ["cmake", "cmake"]
    assert "no folder of real models" in result.stderr


def test_models_that_cannot_be_fetched_are_told_and_the_rest_goes_on(checkout):
    result = checkout.reproduce("merry2006")
    assert result.returncode == 0
    assert checkout.done() == ["setup", "cmake", "cmake", "fetch"]
    assert "models could not be fetched: cannot download it" in result.stderr
    assert runs(checkout.out) == ["merry2006/normals"]


def test_an_experiment_that_cannot_run_is_named_at_the_end_and_the_others_are_kept(checkout):
    result = checkout.reproduce(models="/somewhere", bad="merry2006/normals")
    assert result.returncode == 2
    assert runs(checkout.out) == sorted(set(ALL) - {"merry2006/normals"})
    assert result.stderr.count("merry2006/normals could not be run:\nskinlight: merry2006/normals: no such device") == 2


def test_a_figure_that_cannot_be_drawn_is_named(checkout):
    checkout.put("paper_figures/merry2006/normals.py", "import sys\nsys.exit('normals.csv: is missing')\n")
    result = checkout.reproduce("merry2006", models="/somewhere")
    assert result.returncode == 2 and "normals.csv: is missing" in result.stderr


def test_help_and_wrong_command_lines(checkout):
    assert "usage: ci/reproduce.sh" in checkout.reproduce("--help").stdout
    wrong = subprocess.run([checkout.root / "ci/reproduce.sh", "--out"], capture_output=True, text=True)
    assert (wrong.returncode, wrong.stderr) == (2, "ci/reproduce.sh: --out needs a value\n")
