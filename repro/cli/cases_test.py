"""Small files that were once read, judged or baked wrongly, each with the right answer that comes with it: those of the
folder `cases` beside the models. Answers are computed here by numpy, or stand in the list that comes with the files."""

import base64
import json
import os
import pathlib
import struct
import subprocess

import numpy
import pytest

from bake_test import MODELS, codes, validate

PROGRAM = os.environ["SKINLIGHT"]
CASES = MODELS.parent / "cases"
DTYPES = {5120: "i1", 5121: "u1", 5122: "<i2", 5123: "<u2", 5125: "<u4", 5126: "<f4"}
WIDTHS = {"SCALAR": 1, "VEC2": 2, "VEC3": 3, "VEC4": 4, "MAT4": 16}
ROUNDING = 1e-6  # of floats about 1
PRINTED = 0.005  # the list prints two digits; four where it has them

pytestmark = pytest.mark.skipif(not CASES.is_dir() and os.environ.get("SKINLIGHT_REQUIRE_MODELS") != "1",
                                reason=f"no cases at {CASES}")


def run(*arguments):
    return subprocess.run([PROGRAM, *map(str, arguments)], capture_output=True, text=True, timeout=300)


def answer(command, path, *arguments):
    """What a command writes as JSON to standard output."""
    result = run(command, path, *arguments, "--json", "-")
    assert result.returncode in (0, 1), result.stderr
    return json.loads(result.stdout)


def case(name):
    path = CASES / name
    assert path.is_file(), f"{path} is missing"
    return path


def findings(name, *arguments):
    return {f["kind"]: f for f in answer("check", case(name), *arguments)["findings"]}


def means(path, *arguments, truth="transported"):
    """Mean degrees by kind of normals, over the first clip."""
    errors = answer("compare", path, *arguments)["clips"][0]["errors"]
    return {e["way"]: e["mean_deg"] for e in errors if e["truth"] == truth}


class Gltf:
    """A file's JSON and its accessors as numpy arrays."""

    def __init__(self, path):
        data = pathlib.Path(path).read_bytes()
        self.path, binary = pathlib.Path(path), b""
        if data[:4] == b"glTF":
            (size,) = struct.unpack("<I", data[12:16])
            binary, data = data[20 + size + 8:], data[20:20 + size]
        self.json = json.loads(data)
        self.buffers = [self.bytes_of(buffer, binary) for buffer in self.json["buffers"]]

    def bytes_of(self, buffer, binary):
        uri = buffer.get("uri")
        if uri is None:
            return binary
        return base64.b64decode(uri.split(",")[1]) if uri.startswith("data:") else (self.path.parent / uri).read_bytes()

    def array(self, index):
        accessor = self.json["accessors"][index]
        view = self.json["bufferViews"][accessor["bufferView"]]
        dtype, width = numpy.dtype(DTYPES[accessor["componentType"]]), WIDTHS[accessor["type"]]
        start = view.get("byteOffset", 0) + accessor.get("byteOffset", 0)
        rows = numpy.ndarray((accessor["count"], width), dtype, self.buffers[view["buffer"]], start,
                             (view.get("byteStride", dtype.itemsize * width), dtype.itemsize))
        rows = rows.astype(float)
        return rows / numpy.iinfo(dtype).max if accessor.get("normalized") else rows

    def attribute(self, name):
        return self.array(self.json["meshes"][0]["primitives"][0]["attributes"][name])

    def faces(self):
        primitive = self.json["meshes"][0]["primitives"][0]
        corners = self.array(primitive["indices"])[:, 0] if "indices" in primitive else numpy.arange(
            len(self.attribute("POSITION")))
        return corners.astype(int).reshape(-1, 3)

    def bones(self):
        """Matrices of the first skin's joints at the last key of the first clip."""
        local = []
        for node in self.json["nodes"]:
            local.append({p: node.get(p, d) for p, d in
                          [("translation", [0, 0, 0]), ("rotation", [0, 0, 0, 1]), ("scale", [1, 1, 1])]})
        animation = self.json["animations"][0]
        for channel in animation["channels"]:
            keys = self.array(animation["samplers"][channel["sampler"]]["output"])
            local[channel["target"]["node"]][channel["target"]["path"]] = keys[-1]
        parent = {child: n for n, node in enumerate(self.json["nodes"]) for child in node.get("children", [])}

        def world(n):
            own = matrix(**local[n])
            return world(parent[n]) @ own if n in parent else own

        skin = self.json["skins"][0]
        binds = self.array(skin["inverseBindMatrices"]).reshape(-1, 4, 4).transpose(0, 2, 1)
        return numpy.array([world(n) @ bind for n, bind in zip(skin["joints"], binds)])


def matrix(translation, rotation, scale):
    x, y, z, w = numpy.array(rotation) / numpy.linalg.norm(rotation)
    k = numpy.array([[0, -z, y], [z, 0, -x], [-y, x, 0]])
    result = numpy.eye(4)
    result[:3, :3] = (numpy.eye(3) + 2 * w * k + 2 * k @ k) * numpy.array(scale)
    result[:3, 3] = translation
    return result


def unit(v):
    return v / numpy.linalg.norm(v, axis=-1, keepdims=True)


def baked(name, folder, *arguments):
    out = folder / "baked.glb"
    result = run("bake", case(name), "-o", out, "--force", *arguments)
    assert result.returncode == 0, result.stderr
    return Gltf(out)


def judged(name, normals, folder):
    """The mean error of these normals of the file at the end of its first clip, and the verdict's id."""
    numpy.save(folder / "normals.npy", normals)
    clip = Gltf(case(name)).json["animations"][0]["name"]
    result = run("judge", "--model", case(name), "--clip", clip, "--time", 1, "--normals", folder / "normals.npy",
                 "--json", "-")
    assert result.returncode == 0, result.stderr
    report = json.loads(result.stdout)["normals"]
    return report["errors"][0]["mean_deg"], report["verdict"]


# Mirrors.


def test_a_bone_that_moves_nothing_turns_no_truth_around(tmp_path):
    name = "mirror/one_mirrored_bone_plus_one_unused.gltf"
    ways = "standard,deform,deform-vectors,cofactors"
    for mean in means(case(name), "--normals", ways).values():
        assert mean < ROUNDING
    recomputed = means(case(name), "--normals", ways, truth="recomputed")
    assert max(recomputed.values()) < 8  # the prism's own normals are off those of its faces by 7.9 at most
    right = Gltf(case(name)).attribute("NORMAL") * [-1, 1, 1]  # M^-T n0
    assert judged(name, right, tmp_path)[0] < ROUNDING
    assert judged(name, -right, tmp_path)[0] == pytest.approx(180)


@pytest.mark.parametrize("pose", ["pose", "pose_without_unused"])
@pytest.mark.parametrize("side", [1, -1])
def test_judge_of_a_mirrored_rig(tmp_path, pose, side):
    folder = case(f"judge/mirrored/{pose}.npy").parent
    numpy.save(tmp_path / "normals.npy", side * numpy.load(folder / "right_normals.npy"))
    arrays = [argument for array in ["positions", "faces", "bones", "weights", "rest_normals"]
              for argument in (f"--{array.replace('_', '-')}", folder / f"{array}.npy")]
    result = run("judge", *arrays, "--pose", folder / f"{pose}.npy", "--normals", tmp_path / "normals.npy",
                 "--fail-above", 1, "--json", "-")
    assert result.returncode == (0 if side == 1 else 1)
    assert (json.loads(result.stdout)["normals"]["verdict"]["kind"] == "correct") == (side == 1)


# Tangents.


def test_tangents_have_the_side_of_the_format(tmp_path):
    assert baked("tangents/upright_quad.gltf", tmp_path).attribute("TANGENT") == pytest.approx(
        numpy.tile([1.0, 0, 0, 1], (4, 1)), abs=ROUNDING)
    own = baked("tangents/tangent_none.gltf", tmp_path).attribute("TANGENT")
    assert (own[:, 3] == Gltf(case("tangents/tangent_gltf.gltf")).attribute("TANGENT")[:, 3]).all()


@pytest.mark.parametrize("name, is_wrong", [("upright_quad_with_tangents", False), ("tangent_gltf", False),
                                            ("tangent_wrong", True)])
def test_only_wrong_tangents_are_called_wrong(name, is_wrong):
    assert ("tangents-handedness" in findings(f"tangents/{name}.gltf")) == is_wrong
    assert run("check", case(f"tangents/{name}.gltf")).returncode == int(is_wrong)


def test_a_mirrored_texture_keeps_two_frames(tmp_path):
    t = baked("tangents/mirrored_seam.gltf", tmp_path).attribute("TANGENT")
    for left, right in [(0, 10), (1, 11)]:
        assert t[left, :3] == pytest.approx([-1, 0, 0], abs=ROUNDING)
        assert t[right, :3] == pytest.approx([1, 0, 0], abs=ROUNDING)
        assert t[left, 3] == -t[right, 3]


def test_tangents_follow_the_set_of_the_normal_texture(tmp_path):
    """dp/du of each vertex's faces along either set, by numpy."""
    file = baked("tangents/normal_uv1.gltf", tmp_path)
    t, n, p, faces = file.attribute("TANGENT")[:, :3], file.attribute("NORMAL"), file.attribute("POSITION"), file.faces()
    degrees = []
    for texture in [0, 1]:
        uv = file.attribute(f"TEXCOORD_{texture}")
        sums = numpy.zeros_like(p)
        for a, b, c in faces:
            (u1, v1), (u2, v2) = uv[b] - uv[a], uv[c] - uv[a]
            along = ((p[b] - p[a]) * v2 - (p[c] - p[a]) * v1) * numpy.sign(u1 * v2 - u2 * v1)
            for corner in (a, b, c):
                sums[corner] += along
        along = unit(sums - n * (sums * n).sum(1, keepdims=True))
        degrees.append(numpy.median(numpy.degrees(numpy.arccos(numpy.clip((t * along).sum(1), -1, 1)))))
    assert degrees[1] < 2 and degrees[0] > 80


# Normals.


def test_normals_that_are_wrong_are_found():
    inside_out = findings("normals/normals_inside_out.gltf")
    assert inside_out["normals-inverted"]["severity"] == "error"
    assert "normals-not-unit" in findings("normals/normals_of_length_2.gltf")
    assert "tangents-off-plane" in findings("normals/tangents_tilted_20deg.gltf")


@pytest.mark.parametrize("name", ["normals/normals_of_length_2.gltf", "normals/tangents_tilted_20deg.gltf"])
def test_the_documented_shader_gives_the_librarys_normals_from_any_frame(tmp_path, name):
    """README.md, "Bake": frame, record and Eq. 13 [TPS14] by numpy."""
    file = baked(name, tmp_path)
    n = unit(file.attribute("NORMAL"))
    t = file.attribute("TANGENT")
    w, t = t[:, 3:], unit(t[:, :3] - n * (n * t[:, :3]).sum(1, keepdims=True))
    b = w * numpy.cross(n, t)
    mark = file.json["meshes"][0]["extras"]["skinlight"]
    alpha = mark["scale"] * (file.attribute("_DEFORM_ALPHA_0") - mark["offset"])
    beta = mark["scale"] * (file.attribute("_DEFORM_BETA_0") - mark["offset"])
    bones, weights = file.attribute("JOINTS_0").astype(int), file.attribute("WEIGHTS_0")
    # Slot 0 closes the sums.
    for factors in (alpha, beta):
        factors[:, 0] = -factors[:, 1:].sum(1)
    matrices = file.bones()[bones]
    q = numpy.einsum("vkij,vj->vki", matrices, numpy.column_stack([file.attribute("POSITION"), numpy.ones(len(n))]))
    blend = numpy.einsum("vk,vkij->vij", weights, matrices)[:, :3, :3]
    posed_t = numpy.einsum("vij,vj->vi", blend, t) + numpy.einsum("vk,vki->vi", alpha, q[:, :, :3])
    posed_b = numpy.einsum("vij,vj->vi", blend, b) + numpy.einsum("vk,vki->vi", beta, q[:, :, :3])
    shaded = w * unit(numpy.cross(posed_t, posed_b))
    numpy.save(tmp_path / "shaded.npy", shaded)
    report = run("judge", "--model", case(name), "--clip", "clip", "--time", 1, "--normals", tmp_path / "shaded.npy",
                 "--json", "-")
    assert report.returncode == 0, report.stderr
    explanations = {e["id"]: e for e in json.loads(report.stdout)["normals"]["explanations"]}
    assert explanations["deform"]["max_deg"] < 0.01


@pytest.mark.parametrize("name", ["normals/box_without_normals.gltf", "seams/seam_one_ulp_at_10.gltf"])
def test_normals_that_the_file_lacks_are_flat(tmp_path, name):
    """glTF 2.0, section 3.7.2.1. The tube of the seam shares vertices between planes: every corner becomes one."""
    file = baked(name, tmp_path)
    p, n, faces = file.attribute("POSITION"), file.attribute("NORMAL"), file.faces()
    a, b, c = p[faces].transpose(1, 0, 2)
    assert n[faces] == pytest.approx(numpy.repeat(unit(numpy.cross(b - a, c - a))[:, None], 3, 1), abs=1e-4)  # slivers
    assert len(faces) == len(Gltf(case(name)).faces())
    assert "TANGENT" in file.json["meshes"][0]["primitives"][0]["attributes"]
    before, after = validate([case(name), tmp_path / "baked.glb"]).values()
    assert codes(after["errors"]) <= codes(before["errors"])
    assert findings(name)["normals-missing"]["severity"] == "warning"


def test_a_seam_that_rounding_split_is_one_surface(tmp_path):
    """Smooth normals of twins agree, a step of floats apart at x = 10."""
    file = baked("seams/seam_one_ulp_at_10.gltf", tmp_path, "--missing-normals", "smooth")
    p, n = file.attribute("POSITION"), file.attribute("NORMAL")
    assert len(p) == 825 and len(file.faces()) == 1536
    order = numpy.lexsort(numpy.round(p, 4).T)
    twins = [(i, j) for i, j in zip(order, order[1:]) if numpy.abs(p[i] - p[j]).max() < 1e-5]
    assert len(twins) == 33
    assert all(n[i] @ n[j] > 1 - 1e-6 for i, j in twins)
    assert answer("check", case("seams/seam_one_ulp_at_10.gltf"), "--missing-normals", "smooth")["rig"]["positions"] == 792


# Weights.


def test_weights_are_held_to_their_storage_and_place():
    of_shorts = findings("weights/unorm16_sum_65534.gltf")["weights-unnormalised"]
    assert of_shorts["severity"] == "error" and "65534 instead of 65535" in of_shorts["detail"]
    far = findings("weights/sum_0.9992_far.gltf")["weights-unnormalised"]
    assert "moves it by 8 at rest" in far["detail"]
    no_flag = findings("weights/weights_normalized_flag_missing.gltf")
    assert "normalized" in no_flag["weights-flag-missing"]["says"] and "weights-unnormalised" not in no_flag


def test_one_bad_weight_is_one_finding_among_others():
    found = findings("weights/nan_weight.gltf")
    assert found["weights-not-finite"]["element"]["name"] == "mesh 0 primitive 0 vertex 2"
    assert found["weights-not-finite"]["count"] == 1 and len(found) > 1
    assert run("check", case("weights/nan_weight.gltf")).returncode == 1
    result = run("compare", case("weights/nan_weight.gltf"))
    assert result.returncode == 2 and "WEIGHTS_0 vertex 2: is not finite" in result.stderr


# Seams.


def test_two_bodies_of_one_mesh_have_no_seam():
    assert "twins-split-weights" not in findings("seams/two_bodies.gltf")
    assert means(case("seams/two_bodies.gltf"))["standard"] == pytest.approx(0.6023, abs=5e-5)


def test_a_seam_with_other_weights_on_its_sides_is_torn():
    assert findings("seams/torn_seam_one_ulp_at_10.gltf")["twins-split-weights"]["count"] == 33
    for missing in ["flat", "smooth"]:
        assert "twins-split-weights" not in findings("seams/seam_one_ulp_at_10.gltf", "--missing-normals", missing)


# FBX, Collada, glTF's extensions.


@pytest.mark.parametrize("name, like, mean", [("prerot", "plain", 4.63), ("prerot_ronly", "plain", 4.63),
                                              ("samename", "plain_off", 2.46)])
def test_fbx_that_says_the_same_in_other_words(name, like, mean):
    """Rest turns in PreRotation, and a mesh node with a joint's name."""
    mine, plain = (answer("compare", case(f"fbx/{n}.fbx"))["clips"][0]["errors"] for n in (name, like))
    for a, b in zip(mine, plain):
        assert a["mean_deg"] == pytest.approx(b["mean_deg"], abs=1e-4)
    assert mine[0]["mean_deg"] == pytest.approx(mean, abs=PRINTED)


def test_the_bind_pose_has_no_error(tmp_path):
    for name in ["plain", "prerot", "prerot_ronly", "samename"]:
        run("compare", case(f"fbx/{name}.fbx"), "--csv", tmp_path / "frames.csv")
        lines = [line.split(",") for line in (tmp_path / "frames.csv").read_text().splitlines()]
        frame, mean = lines[0].index("frame"), lines[0].index("mean_deg")
        assert all(float(line[mean]) < 1e-4 for line in lines[1:] if line[frame] == "0" and "transported" in line)


def test_collada_without_geometry_is_refused():
    result = run("check", case("collada/nomesh.dae"))
    assert result.returncode == 2 and "no triangle mesh with a skin" in result.stderr


def test_pointers_animate():
    assert means(case("gltf/pointer.gltf")) == means(case("gltf/plain.gltf"))
    assert means(case("gltf/pointer.gltf"))["standard"] == pytest.approx(0.4447, abs=5e-5)


def test_extensions_around_the_skin_may_be_required():
    files = sorted((CASES / "gltf").glob("req_*.gltf"))
    assert len(files) >= 8
    for file in files:
        assert means(file)["standard"] == pytest.approx(0.4447, abs=5e-5), file


def test_what_is_left_out_is_told_by_every_command(tmp_path):
    name = "gltf/lines_points.gltf"
    assert findings(name)["reader-repaired"]["count"] == 2
    for arguments in [("check", case(name)), ("compare", case(name)), ("bake", case(name), "-o", tmp_path / "out.glb")]:
        assert "is not made of triangles; it was left out" in run(*arguments).stderr
    assert answer("check", case(name))["reader_warnings"]


@pytest.mark.parametrize("name, missing", [("identity_inverse_bind", False), ("no_inverse_bind_one_joint", True)])
def test_inverse_bind_matrices_are_missing_where_the_file_has_none(name, missing):
    assert ("inverse-bind-missing" in findings(f"gltf/{name}.gltf")) == missing


# Messages.


def test_the_bone_that_is_scaled_is_named():
    result = run("compare", case("messages/bone1_of_two_scaled.gltf"), "--method", "dqs")
    assert "bone 1: is scaled" in result.stderr and "bone 0" not in result.stderr


def test_a_key_that_is_no_rotation_is_named():
    result = run("compare", case("messages/zero_quaternion_key.gltf"))
    assert result.returncode == 2
    assert "animation 0 (clip) channel 0 key 1: the rotation is 0, 0, 0, 0" in result.stderr


# Rules without a file of their own, from plain.gltf.


@pytest.mark.parametrize("scale", [0.01, 100, -1])
def test_joints_that_move_nothing_change_no_result(tmp_path, scale):
    plain = Gltf(case("gltf/plain.gltf")).json
    for n in range(30):
        plain["nodes"].append({"name": f"idle {n}", "scale": [scale, 1, 1] if n % 2 else [scale] * 3})
        plain["scenes"][0]["nodes"].append(len(plain["nodes"]) - 1)
    skin = plain["skins"][0]
    idle = list(range(len(plain["nodes"]) - 30, len(plain["nodes"])))
    binds = Gltf(case("gltf/plain.gltf")).array(skin["inverseBindMatrices"])
    data = numpy.vstack([binds, numpy.tile(numpy.eye(4).ravel(), (30, 1))]).astype("<f4").tobytes()
    plain["buffers"].append({"byteLength": len(data), "uri": "data:application/octet-stream;base64," +
                             base64.b64encode(data).decode()})
    plain["bufferViews"].append({"buffer": 1, "byteLength": len(data)})
    plain["accessors"].append({"bufferView": len(plain["bufferViews"]) - 1, "componentType": 5126, "count": 32,
                               "type": "MAT4"})
    skin["joints"] += idle
    skin["inverseBindMatrices"] = len(plain["accessors"]) - 1
    file = tmp_path / "idle.gltf"
    file.write_text(json.dumps(plain))
    for method in ["lbs", "dqs", "sbs", "log"]:
        assert means(file, "--method", method) == means(case("gltf/plain.gltf"), "--method", method)


def test_no_file_of_the_folder_is_left_out():
    """Each is named above."""
    text = pathlib.Path(__file__).read_text()
    for file in CASES.rglob("*.*"):
        if file.name != "README.md" and file.parent.name != "mirrored" and not file.name.startswith("req_"):
            assert file.stem in text, file
