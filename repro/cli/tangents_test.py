"""Tangents that `skinlight bake` computes, before the judge that glTF names: MikkTSpace, through gltf-transform."""

import json
import os
import pathlib
import subprocess

import pytest

from bake_test import bake, models

# Baked w equal to MikkTSpace's on 99 % of the vertices, t within 2 degrees at the median.
EQUAL, DEGREES = 0.99, 2

# Where bake is not the one that made the tangents, or MikkTSpace makes none.
EXCEPTIONS = {
    "Formal": "its uv are one point: MikkTSpace's tangent is then (1, 0, 0), whatever the normal; w is equal",
    "tangent_wrong": "the file's own TANGENT, whose w is wrong: kept, and named by check",
    "normals_of_length_2": "the file's own TANGENT, whose w is wrong",
    "tangents_tilted_20deg": "the file's own TANGENT, whose w is wrong, and 20 degrees off",
}


def cases():
    return sorted(path for path in (models()[0].parents[2] / "cases").rglob("*.gltf"))


def judge(paths):
    result = subprocess.run(["node", pathlib.Path(__file__).with_name("tangents.mjs"), *map(str, paths)],
                            capture_output=True, text=True, timeout=600)
    if "Cannot find module" in result.stderr:
        pytest.fail("mikktspace or gltf-transform is missing; ci/setup.sh installs them into build/node")
    assert result.returncode == 0, result.stderr
    return json.loads(result.stdout)


def test_computed_tangents_are_those_of_mikktspace(tmp_path):
    baked = {}
    for path in [*models(), *cases()]:
        out = tmp_path / path.parent.name / (path.stem + ".glb")
        if "gltf-validator" not in path.parts and bake(path, "-o", out).returncode == 0:
            baked[out] = path
    judged = {}
    for report in judge(baked):
        if report["vertices"] == 0:  # no texture coordinates
            continue
        name = pathlib.Path(report["file"]).stem
        equal = report["equal"] / report["vertices"]
        judged[name] = equal >= EQUAL and report["degrees"] <= DEGREES
        if name == "Formal":
            assert equal >= EQUAL
        assert judged[name] != (name in EXCEPTIONS), report
    assert len(judged) >= 30
    assert judged["cesium_man"] and judged["mirrored_seam"] and judged["normal_uv1"] and judged["normals_inside_out"]


def test_a_mirrored_seam_keeps_two_frames(tmp_path):
    """Two halves with mirrored u, two vertices at each position of the seam, alike but for their triangles."""
    out = tmp_path / "seam.glb"
    source = models()[0].parents[2] / "cases" / "tangents" / "mirrored_seam.gltf"
    assert bake(source, "-o", out).returncode == 0
    (report,) = judge([out])
    assert report["equal"] == report["vertices"] == 20 and report["degrees"] < 0.01
