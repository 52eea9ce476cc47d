"""Components, rooms left out, skinlight in somebody else's project: what is found, what is built, what is said.

The environment has SKINLIGHT_PREFIX, an installed library, and SKINLIGHT_CMAKE_ARGUMENTS, the compiler that built it."""

import os
import re
import subprocess
from pathlib import Path

import pytest

ROOT = Path(__file__).parent.parent
PREFIX = os.environ.get("SKINLIGHT_PREFIX", "")
ARGUMENTS = os.environ.get("SKINLIGHT_CMAKE_ARGUMENTS", "").split(";")
OF_MODELS = ["assimp", "draco", "TinyGLTF", "meshoptimizer", "ZLIB", "PNG"]

pytestmark = pytest.mark.skipif(not PREFIX, reason="run by ctest, after package.install")


def run(*command, environment=None):
    told = subprocess.run([str(word) for word in command], capture_output=True, text=True,
                          env={**os.environ, **(environment or {})})
    return told.returncode, re.sub(r"\s+", " ", told.stdout + told.stderr)


def configured(source, build, *options):
    return run("cmake", "-G", "Ninja", "-S", source, "-B", build, *ARGUMENTS, *options)


def with_component(tmp_path, component, without):
    return configured(ROOT / "ci/package/components", tmp_path, f"-DCMAKE_PREFIX_PATH={PREFIX}",
                      f"-DCOMPONENT={component}", f"-DWITHOUT={';'.join(without)}")


def test_skinning_links_without_the_packages_of_models(tmp_path):
    code, text = with_component(tmp_path, "skinning", [*OF_MODELS, "Eigen3"])
    assert code == 0, text
    assert "asset is there" not in text
    code, text = run("cmake", "--build", tmp_path)
    assert code == 0, text
    assert run(tmp_path / "uses_skinning")[0] == 0


@pytest.mark.parametrize("component, without, says", [
    ("asset", ["assimp"], "skinlight::asset needs assimp (on Debian: libassimp-dev)"),
    ("audit", ["assimp", "draco"], "skinlight::audit needs skinlight::asset"),
    ("skinning", ["OpenMesh"], "skinlight::mesh needs OpenMesh (on Debian: libopenmesh-dev)"),
    ("skining", [], "there is no component 'skining' among core, mesh, rig")])
def test_a_missing_component_says_why(tmp_path, component, without, says):
    code, text = with_component(tmp_path, component, without)
    assert code != 0
    assert says in text


def test_without_components_every_room_is_there_whose_packages_are(tmp_path):
    code, text = with_component(tmp_path, "", ["assimp"])
    assert code == 0, text
    assert "skinlight::asset needs assimp (on Debian: libassimp-dev)" in text and "asset is there" not in text
    code, text = with_component(tmp_path, "", [])
    assert code == 0 and "asset is there" in text


def test_a_project_around_builds_what_it_links(tmp_path):
    code, text = configured(ROOT / "ci/package/subproject", tmp_path, f"-DSKINLIGHT_SOURCE_DIR={ROOT}",
                            "-DCMAKE_DISABLE_FIND_PACKAGE_assimp=TRUE")
    assert code == 0, text
    assert "skinlight without asset, bake, audit, c, which need: assimp (on Debian: libassimp-dev)" in text
    code, planned = run("ninja", "-C", tmp_path, "-t", "commands", "all")
    assert code == 0
    rooms = set(re.findall(r"skinlight/lib/skinlight/(\w+)/", planned))
    assert rooms == {"core", "mesh", "rig"}


def test_missing_packages_are_named_all_at_once(tmp_path):
    without = ["-DCMAKE_DISABLE_FIND_PACKAGE_assimp=TRUE", "-DCMAKE_DISABLE_FIND_PACKAGE_PNG=TRUE"]
    code, text = configured(ROOT, tmp_path / "all", *without)
    assert code != 0
    assert "assimp (on Debian: libassimp-dev)" in text and "PNG (on Debian: libpng-dev)" in text
    code, text = configured(ROOT, tmp_path / "skinning", "-DSKINLIGHT_ROOMS=skinning", *without)
    assert code == 0, text
    code, text = configured(ROOT, tmp_path / "tests", "-DSKINLIGHT_ROOMS=skinning", "-DSKINLIGHT_BUILD_TESTS=ON")
    assert code != 0 and "SKINLIGHT_ROOMS leaves out" in text


def pkg_config(*arguments):
    return run("pkg-config", *arguments, environment={"PKG_CONFIG_PATH": f"{PREFIX}/lib/pkgconfig"})


def test_pkg_config_links_programs(tmp_path):
    options = dict(re.findall(r"-DCMAKE_(\w+)=(.*)", "\n".join(ARGUMENTS)))
    for language, name, source, expected in (
            ("C", "skinlight", ROOT / "lib/examples/judge_normals.c", "rest"),
            ("CXX", "skinlight-truth skinlight-samples", ROOT / "lib/examples/own_method.cpp", "sharp weights: 0")):
        code, flags = pkg_config("--cflags", "--libs", *name.split())
        assert code == 0, flags
        program = tmp_path / language
        code, text = run(options[f"{language}_COMPILER"], *options[f"{language}_FLAGS"].split(), source, "-o", program,
                         *flags.split())
        assert code == 0, text
        code, text = run(program, environment={"LD_LIBRARY_PATH": f"{PREFIX}/lib"})
        assert code == 0 and expected in text
