"""The recipes of lib/docs/ci by running their commands in a repository made for it: green as it is, red for what each is to find.

skinlight and its Python package have to be found: the environment names them (PATH, PYTHONPATH)."""

import json
import shutil
import subprocess
import sys
from pathlib import Path

import pytest

yaml = pytest.importorskip("yaml")
np = pytest.importorskip("numpy")
skinlight = pytest.importorskip("skinlight", reason="run by ctest with the package that it built, or in a clean root")

HERE = Path(__file__).resolve().parent
RECIPES = next(p for p in (HERE.parent / "lib/docs/ci", HERE / "recipes") if p.exists())
EXAMPLES = next(p for p in (HERE.parent / "lib/examples", HERE) if (p / "make_arm.py").exists())

METHOD = """import numpy as np


def normals(rig, pose):
    return rig.skin(pose, mode={mode!r}).normals
"""


def commands(host):
    """{job: its command lines}, without what installs."""
    jobs = yaml.safe_load((RECIPES / f"{host}.yml").read_text())
    if host == "github":
        return {name: [step["run"] for step in job["steps"] if "run" in step and step["name"] != "Install"]
                for name, job in jobs["jobs"].items()}
    return {name: job["script"] for name, job in jobs.items() if not name.startswith(".")}


def installing(host):
    jobs = yaml.safe_load((RECIPES / f"{host}.yml").read_text())
    if host == "gitlab":
        return set(jobs[".skinlight"]["before_script"])
    return {step["run"] for job in jobs["jobs"].values() for step in job["steps"] if step.get("name") == "Install"}


@pytest.fixture
def repository(tmp_path):
    """A repository that copied the recipes and has a character, an engine's output and a method."""
    for folder in ("ci", "assets", "engine"):
        (tmp_path / folder).mkdir()
    for script in RECIPES.glob("*.py"):
        shutil.copy(script, tmp_path / "ci")
    arm = tmp_path / "assets/arm.gltf"
    subprocess.run([sys.executable, EXAMPLES / "make_arm.py", arm], check=True)
    rig = skinlight.read(arm)
    pose = rig.pose("bend", .6)
    posed = rig.skin(pose)
    for name, array in dict(positions=rig.positions, faces=rig.faces, bones=rig.bones, weights=rig.weights, pose=pose,
                            normals=posed.normals).items():
        np.save(tmp_path / "engine" / name, array)
    (tmp_path / "ci/my_method.py").write_text(METHOD.format(mode="deform"))
    code, text = run(tmp_path,
                     "python3 ci/method_regression.py ci/my_method.py assets/arm.gltf ci/my_method.json --update")
    assert code == 0, text
    return tmp_path


def run(folder, command):
    told = subprocess.run(["bash", "-ec", command], cwd=folder, capture_output=True, text=True)
    return told.returncode, told.stdout + told.stderr


def run_job(repository, host, job):
    for command in commands(host)[job]:
        code, text = run(repository, command)
        if code:
            return code, text
    return 0, text


@pytest.mark.parametrize("host", ["github", "gitlab"])
@pytest.mark.parametrize("job", ["rig-health", "judge", "regression"])
def test_jobs_are_green(repository, host, job):
    code, text = run_job(repository, host, job)
    assert code == 0, text


@pytest.mark.parametrize("host", ["github", "gitlab"])
def test_rig_health_is_red_for_a_broken_rig_and_says_so_in_sarif(repository, host):
    broken = json.loads((repository / "assets/arm.gltf").read_text())
    attributes = broken["meshes"][0]["primitives"][0]["attributes"]
    attributes["WEIGHTS_0"], attributes["JOINTS_0"] = attributes["JOINTS_0"], attributes["WEIGHTS_0"]
    (repository / "assets/broken.gltf").write_text(json.dumps(broken))
    code, text = run_job(repository, host, "rig-health")
    assert code == 2 and "assets/broken.gltf" in text  # weights that are no weights cannot be read
    sarif = json.loads((repository / "rig_health.sarif").read_text())
    (only,) = sarif["runs"]
    found = {r["locations"][0]["physicalLocation"]["artifactLocation"]["uri"] for r in only["results"]
             if r["level"] == "error"}
    assert sarif["version"] == "2.1.0" and found == {"assets/broken.gltf"}
    assert {r["ruleId"] for r in only["results"]} <= {rule["id"] for rule in only["tool"]["driver"]["rules"]}
    if host == "gitlab":
        assert 'errors="1"' in (repository / "rig_health.xml").read_text()


@pytest.mark.parametrize("host", ["github", "gitlab"])
def test_judge_is_red_for_rest_normals(repository, host):
    np.save(repository / "engine/normals.npy", skinlight.read(repository / "assets/arm.gltf").normals)
    code, text = run_job(repository, host, "judge")
    assert code == 1 and "MISTAKE" in text


@pytest.mark.parametrize("host", ["github", "gitlab"])
def test_regression_is_red_for_a_worse_method(repository, host):
    (repository / "ci/my_method.py").write_text(METHOD.format(mode="standard"))
    code, text = run_job(repository, host, "regression")
    assert code == 1 and "WORSE" in text


REGRESSION = "python3 ci/method_regression.py ci/my_method.py assets/arm.gltf ci/my_method.json"


def change(file, edit):
    content = json.loads(file.read_text())
    edit(content)
    file.write_text(json.dumps(content))


@pytest.mark.parametrize("option", ["", " --update"])
def test_regression_says_of_a_model_without_clips_that_there_is_nothing_to_measure(repository, option):
    before = (repository / "ci/my_method.json").read_text()
    change(repository / "assets/arm.gltf", lambda model: model.pop("animations"))
    code, text = run(repository, REGRESSION + option)
    assert code == 2 and "assets/arm.gltf has no clips" in text
    assert (repository / "ci/my_method.json").read_text() == before


def test_regression_notices_a_clip_that_is_gone(repository):
    change(repository / "ci/my_method.json", lambda record: record.update(wave=1.))
    code, text = run(repository, REGRESSION)
    assert code == 2 and "wave is recorded and no clip of the model any more" in text


@pytest.mark.parametrize("record, says", [("{}", "records no clip"), ("[]", "records no clip"), ("{", "is no record"),
                                          (None, "cannot be read: No such file")])
def test_regression_wants_a_record(repository, record, says):
    file = repository / "ci/my_method.json"
    if record is None:
        file.unlink()
    else:
        file.write_text(record)
    code, text = run(repository, REGRESSION)
    assert code == 2 and f"ci/my_method.json {says}" in text


@pytest.mark.parametrize("tolerance", ["inf", "nan", "-1", "1000"])
def test_regression_takes_no_tolerance_that_passes_everything(repository, tolerance):
    (repository / "ci/my_method.py").write_text(METHOD.format(mode="standard"))
    code, text = run(repository, f"{REGRESSION} --tolerance={tolerance}")
    assert code == 2 and f"{tolerance} is no angle" in text


@pytest.mark.parametrize("method, says", [("", "does not define normals"), ("import numpy\n\n\ndef normals(rig, pose):\n"
                                           "    return numpy.full(rig.normals.shape, numpy.nan)\n", "")])
def test_regression_wants_a_method_that_gives_normals(repository, method, says):
    (repository / "ci/my_method.py").write_text(method)
    code, text = run(repository, REGRESSION)
    assert code == 2 and says in text and "Traceback" not in text


def test_findings_are_uploaded_from_private_repositories_too():
    jobs = yaml.safe_load((RECIPES / "github.yml").read_text())["jobs"]
    assert jobs["rig-health"]["permissions"] == {"contents": "read", "actions": "read", "security-events": "write"}


@pytest.mark.parametrize("host", ["github", "gitlab"])
def test_every_job_installs_the_packages(host):
    assert installing(host) == {"apt-get update && apt-get install -y --no-install-recommends ./packages/*.deb"}
