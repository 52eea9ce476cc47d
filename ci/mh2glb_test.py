"""ci/mh2glb.py on a made-up body: a box with a spine, an arm and an eye, whose numbers can be told by hand.

MakeHuman's own files are not here: that they give the file of repro/models.json is checked, by its SHA-256, wherever
ci/fetch_models.sh makes it.
"""

import json
import math
import struct
import subprocess
import sys
from pathlib import Path

import pytest

SCRIPT = Path(__file__).with_name("mh2glb.py")
CORNERS = [(x, y, z) for x in (-2, 2) for y in (-1, 1) for z in (-1, 1)]  # decimetres; corner 4x + 2y + z, each 0 or 1
QUADS = [(0, 1, 3, 2), (4, 6, 7, 5), (0, 4, 5, 1), (2, 3, 7, 6), (0, 2, 6, 4), (1, 5, 7, 3)]  # seen from outside
OBJ = ["# a box, and a helper that is left out", *(f"v {x} {y} {z}" for x, y, z in CORNERS), "v 0 5 0",
       "vt 0.25 0.75", "vt 0.5 0.75", "g body", *("f " + " ".join(f"{i + 1}/1" for i in quad) for quad in QUADS),
       "g helper", "f 1/1 2/2 9/2 3/1"]
SKELETON = {
    "bones": {"upperarm01.L": {"parent": "spine", "head": "top", "tail": "above"},
              "eye": {"parent": "spine", "head": "top", "tail": "above"},
              "spine": {"parent": None, "head": "bottom", "tail": "top"}},
    "joints": {"bottom": [0, 1, 4, 5], "top": [2, 3, 6, 7], "above": [8]}}
WEIGHTS = {"weights": {"spine": [[i, 1.0] for i in (0, 1, 4, 5)] + [[2, 0.5]], "upperarm01.L": [[i, 0.5] for i in (2, 3, 6, 7)]}}
BVH = ["HIERARCHY", "ROOT spine", "CHANNELS 6 Xposition Yposition Zposition Xrotation Yrotation Zrotation",
       "JOINT upperarm01.L", "CHANNELS 3 Xrotation Yrotation Zrotation", "JOINT eye",
       "CHANNELS 3 Xrotation Yrotation Zrotation", "MOTION", "Frames: 1", "Frame Time: 1",
       "0 0 0 0 90 0 90 0 90 0 0.0001 0"]


def write(folder, **changes):
    files = {"base.obj": "\n".join(OBJ), "rig.mhskel": json.dumps(SKELETON), "rig.mhw": json.dumps(WEIGHTS),
             "pose.bvh": "\n".join(BVH)}
    for name, text in {**files, **changes}.items():
        (folder / name).write_text(text, encoding="utf-8")
    return [str(folder / name) for name in files] + [str(folder / "out.glb")]


def run(arguments):
    return subprocess.run([sys.executable, "-B", str(SCRIPT), *arguments], capture_output=True, text=True, timeout=60)


class Model:
    def __init__(self, path):
        data = Path(path).read_bytes()
        length, = struct.unpack_from("<I", data, 12)
        self.json = json.loads(data[20:20 + length])
        self._binary = data[28 + length:]

    def rows(self, accessor):
        a = self.json["accessors"][accessor]
        width = {"SCALAR": 1, "VEC2": 2, "VEC3": 3, "VEC4": 4, "MAT4": 16}[a["type"]]
        form = {5126: "f", 5121: "B", 5123: "H"}[a["componentType"]]
        start = self.json["bufferViews"][a["bufferView"]]["byteOffset"]
        return list(struct.iter_unpack(f"<{width}{form}", self._binary[start:start + a["count"] * width * struct.calcsize(form)]))

    def vertices(self, name):
        return self.rows(self.json["meshes"][0]["primitives"][0]["attributes"][name])

    def clip(self, name):
        """{joint: rotation at the middle key}"""
        clip, = (clip for clip in self.json["animations"] if clip["name"] == name)
        return {self.json["nodes"][channel["target"]["node"]]["name"]:
                self.rows(clip["samplers"][channel["sampler"]]["output"])[1] for channel in clip["channels"]}


@pytest.fixture
def model(tmp_path):
    arguments = write(tmp_path)
    result = run(arguments)
    assert (result.returncode, result.stderr) == (0, "")
    return Model(arguments[-1])


def test_every_quadrangle_is_four_in_metres(model):
    positions = model.vertices("POSITION")
    assert len(positions) == 8 + 12 + 6
    assert {round(10 * x, 6) for row in positions for x in row} == {-2, -1, 0, 1, 2}
    triangles = [i for row in model.rows(model.json["meshes"][0]["primitives"][0]["indices"]) for i in row]
    assert len(triangles) == 6 * 4 * 2 * 3
    volume = 0
    for a, b, c in zip(*[iter(triangles)] * 3):
        (ax, ay, az), (bx, by, bz), (cx, cy, cz) = (positions[i] for i in (a, b, c))
        volume += (ax * (by * cz - bz * cy) + ay * (bz * cx - bx * cz) + az * (bx * cy - by * cx)) / 6
    assert volume == pytest.approx(0.4 * 0.2 * 0.2)  # closed, and counterclockwise from outside
    assert set(model.vertices("TEXCOORD_0")) == {(0.25, 0.25)}  # glTF's v runs down


def test_normals_are_means_by_area(model):
    for position, normal in zip(model.vertices("POSITION"), model.vertices("NORMAL")):
        away = [round(10 * x / half) for x, half in zip(position, (2, 1, 1))]  # 1 or -1 along each side that the point is on
        if sum(map(abs, away)) < 3:  # at a corner the sides have one or two triangles each
            by_area = [x * area for x, area in zip(away, (4, 8, 8))]
            length = math.sqrt(sum(x * x for x in by_area))
            assert normal == pytest.approx([x / length for x in by_area], abs=1e-6)


def test_weights_are_means_that_sum_to_1(model):
    names = [node["name"] for node in model.json["nodes"]]
    assert names == ["spine", "upperarm01.L", "eye", "body"]  # parents first
    for position, joints, weights in zip(model.vertices("POSITION"), model.vertices("JOINTS_0"), model.vertices("WEIGHTS_0")):
        assert sum(weights) == pytest.approx(1)
        spine = sum(weight for joint, weight in zip(joints, weights) if names[joint] == "spine")
        if round(10 * position[1]) == -1:
            assert spine == 1
        if [round(10 * x) for x in position] == [2, 0, 1]:  # between corners of weights 1 and .5, another joint's
            assert spine == pytest.approx(1 / 1.5)
        if [round(10 * x) for x in position] == [-2, 1, -1]:
            assert spine == pytest.approx(0.5)


def test_joints_stand_at_the_means_of_their_vertices(model):
    spine, arm, _, _ = model.json["nodes"]
    assert spine["translation"] == pytest.approx([0, -0.1, 0]) and spine["children"] == [1, 2]
    assert arm["translation"] == pytest.approx([0, 0.2, 0])
    assert model.rows(model.json["skins"][0]["inverseBindMatrices"])[1] == pytest.approx(
        [1, 0, 0, 0, 0, 1, 0, 0, 0, 0, 1, 0, 0, -0.1, 0, 1])


def test_clips_are_the_pose_turned_from_z_to_y_upwards_and_a_twist(model):
    # The file's z is our y, its y our -z, and its turns follow each other from the left; an eye that hardly turns has none.
    half = math.sqrt(0.5)
    assert model.clip("benchmark") == {"spine": pytest.approx([0, 0, -half, half]),
                                       "upperarm01.L": pytest.approx([0.5, 0.5, 0.5, 0.5])}
    assert model.clip("twist") == {"upperarm01.L": pytest.approx([0, half, 0, half])}
    assert model.rows(model.json["animations"][0]["samplers"][0]["input"]) == [(0,), (1,), (2,)]


def test_bytes_are_the_same_every_time(tmp_path):
    arguments = write(tmp_path)
    first, second = (run(arguments).returncode or Path(arguments[-1]).read_bytes() for _ in range(2))
    assert first == second


@pytest.mark.parametrize("changes, words", [
    ({"base.obj": "g body\nf 1/1 2/1 3/1"}, "a face of 3 corners"), ({"base.obj": "v 1 2 x"}, "cannot be converted"),
    ({"rig.mhskel": "{"}, "rig.mhskel: cannot be converted"), ({"rig.mhskel": "{}"}, "KeyError 'bones'"),
    ({"rig.mhw": '{"weights": {}}'}, "KeyError"), ({"rig.mhw": '{"weights": {"spine": [[0, 1]], "elbow": []}}'}, "KeyError")])
def test_what_cannot_be_converted_is_one_line(tmp_path, changes, words):
    arguments = write(tmp_path, **changes)
    result = run(arguments)
    assert (result.returncode, len(result.stderr.splitlines())) == (2, 1)
    assert words in result.stderr and not Path(arguments[-1]).exists()


def test_missing_files_and_wrong_command_lines(tmp_path):
    arguments = write(tmp_path)
    result = run(["no_such_file", *arguments[1:]])
    assert (result.returncode, result.stderr) == (2, "no_such_file: No such file or directory\n")
    assert run(arguments[:3]).returncode == 2 and "usage: mh2glb.py" in run(["--help"]).stdout
