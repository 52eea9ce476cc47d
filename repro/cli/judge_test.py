"""`skinlight judge` as a person meets it: arrays made by numpy, mistakes planted by numpy."""

import json
import os
import re
import subprocess

import numpy
import pytest

from compare_test import ROWS, six_influences, strip

PROGRAM = os.environ["SKINLIGHT"]


def turn(axis, angle):
    """Rodrigues' formula."""
    k = numpy.cross(numpy.eye(3), axis / numpy.linalg.norm(axis))
    return numpy.eye(3) - numpy.sin(angle) * k + (1 - numpy.cos(angle)) * k @ k


def unit(v):
    return v / numpy.linalg.norm(v, axis=1, keepdims=True)


def tube():
    """A tube along z on two bones, the upper one bent and twisted; half of its texture mirrored."""
    around, rings = 24, 17
    angle, z = numpy.meshgrid(numpy.arange(around) * 2 * numpy.pi / around, numpy.linspace(-2, 2, rings))
    angle, z = angle.ravel(), z.ravel()
    normals = numpy.stack([numpy.cos(angle), numpy.sin(angle), 0 * z], 1)
    corner = numpy.arange(around * (rings - 1)).reshape(rings - 1, around)
    right = numpy.roll(corner, -1, 1)
    faces = numpy.stack([corner, right, right + around, corner, right + around, corner + around], -1).reshape(-1, 3)
    upper = numpy.clip((z + 1) / 2, 0, 1)
    pose = numpy.zeros((2, 3, 4))
    pose[0, :, :3] = numpy.eye(3)
    pose[1, :, :3] = turn(numpy.array([1.0, 0.4, 0.8]), 1.0)
    pose[1, :, 3] = [0.1, -0.2, 0.3]
    sides = numpy.where(normals[:, 0] < 0, -1.0, 1.0)
    rest_tangents = numpy.column_stack([numpy.tile([0.0, 0, 1], (len(z), 1)), sides])
    return {
        "positions": normals + numpy.outer(z, [0, 0, 1]),
        "faces": faces.astype(numpy.uint32),
        "bones": numpy.tile([0, 1], (len(z), 1)).astype(numpy.uint8),
        "weights": numpy.stack([1 - upper, upper], 1),
        "pose": pose,
        "rest-normals": normals,
        "rest-tangents": rest_tangents,
    }


def blended(arrays):
    linear = arrays["pose"][:, :3, :3]
    return numpy.einsum("vs,sij->vij", arrays["weights"], linear[arrays["bones"][0]])


def applied(matrices, vectors):
    return numpy.einsum("vij,vj->vi", matrices, vectors)


def judge(folder, arrays, *options):
    arguments = []
    for name, array in arrays.items():
        path = folder / f"{name}.npy"
        numpy.save(path, array)
        arguments += [f"--{name}", str(path)]
    return subprocess.run([PROGRAM, "judge", *arguments, *map(str, options)], capture_output=True, text=True, timeout=60)


@pytest.fixture
def arrays():
    result = tube()
    result["normals"] = unit(applied(blended(result), result["rest-normals"])).astype(numpy.float32)
    return result


@pytest.mark.parametrize("mistake", ["standard", "rest", "transposed", "one-bone", "twice", "handedness-lost-standard"])
@pytest.mark.parametrize("dtype", ["float32", "float16", "int8"])
def test_planted_mistakes_are_named(tmp_path, arrays, mistake, dtype):
    T, n0 = blended(arrays), arrays["rest-normals"]
    strongest = arrays["pose"][arrays["weights"].argmax(1), :, :3]
    planted = unit({
        "standard": lambda: applied(T, n0),
        "rest": lambda: n0,
        "transposed": lambda: applied(numpy.linalg.inv(T), n0),
        "one-bone": lambda: applied(strongest, n0),
        "twice": lambda: applied(T @ T, n0),
        "handedness-lost-standard": lambda: applied(T, n0) * arrays["rest-tangents"][:, 3:],
    }[mistake]())
    arrays["normals"] = (numpy.round(planted * 127) if dtype == "int8" else planted).astype(dtype)
    result = judge(tmp_path, arrays, "--json", tmp_path / "out.json")
    assert result.returncode == 0, result.stderr
    document = json.loads((tmp_path / "out.json").read_text())
    verdict = document["normals"]["verdict"]
    assert verdict["id"] == mistake, result.stdout
    assert verdict["kind"] == ("approximation" if mistake == "standard" else "mistake")
    assert verdict["kind"].upper() in result.stdout
    assert document["normals"]["lengths"]["finding"] == ("constant" if dtype == "int8" else "unit")


def test_a_tangent_transformed_like_a_normal_is_named_and_lost_signs_too(tmp_path, arrays):
    T = blended(arrays)
    tangents = unit(applied(numpy.linalg.inv(T).transpose(0, 2, 1), arrays["rest-tangents"][:, :3]))
    arrays["tangents"] = numpy.column_stack([tangents, numpy.ones(len(tangents))])
    result = judge(tmp_path, arrays, "--json", tmp_path / "out.json")
    assert result.returncode == 0, result.stderr
    document = json.loads((tmp_path / "out.json").read_text())
    assert document["tangents"]["verdict"]["id"] == "like-a-normal", result.stdout
    assert document["bitangent_signs"]["lost"] is True
    assert document["bitangent_signs"]["wrong"] == int((arrays["rest-tangents"][:, 3] < 0).sum())
    assert "handedness lost" in result.stdout


def test_only_the_required_arrays(tmp_path, arrays):
    del arrays["rest-normals"], arrays["rest-tangents"]
    result = judge(tmp_path, arrays)
    assert result.returncode == 0, result.stderr
    assert "Diagnosis of the normals" in result.stdout and "tangents" not in result.stdout


def test_fail_above_is_the_exit_code(tmp_path, arrays):
    result = judge(tmp_path, arrays, "--json", tmp_path / "out.json")
    mean = json.loads((tmp_path / "out.json").read_text())["normals"]["errors"][0]["mean_deg"]
    assert 1 < mean < 30
    assert judge(tmp_path, arrays, "--fail-above", mean + 0.01).returncode == 0
    failed = judge(tmp_path, arrays, "--fail-above", mean - 0.01)
    assert failed.returncode == 1 and "FAILED" in failed.stdout


def test_posed_positions_are_compared_with_the_method(tmp_path, arrays):
    p = numpy.column_stack([arrays["positions"], numpy.ones(len(arrays["positions"]))])
    arrays["posed-positions"] = numpy.einsum("vs,sij,vj->vi", arrays["weights"], arrays["pose"], p)
    result = judge(tmp_path, arrays, "--json", tmp_path / "out.json")
    assert json.loads((tmp_path / "out.json").read_text())["posed_positions"]["offset_per_diagonal"] < 1e-6
    arrays["posed-positions"][5] += 1
    result = judge(tmp_path, arrays)
    assert result.returncode == 0 and "vertex 5" in result.stdout and "That is far" in result.stdout


def test_layouts_that_numpy_writes_are_all_read(tmp_path, arrays):
    expected = judge(tmp_path, arrays).stdout
    four = numpy.zeros((2, 4, 4))
    four[:, :3], four[:, 3, 3] = arrays["pose"], 1
    arrays["pose"] = four
    arrays["faces"] = numpy.asfortranarray(arrays["faces"].astype(numpy.int64))
    arrays["positions"] = numpy.asfortranarray(arrays["positions"])
    assert judge(tmp_path, arrays).stdout == expected


@pytest.mark.parametrize("name, spoil, words", [
    ("positions", lambda a: a[:, :2], ["shape (408, 2)", "(V, 3)"]),
    ("positions", lambda a: numpy.where(a == a[7], numpy.nan, a), ["positions, vertex", "finite"]),
    ("faces", lambda a: a.astype(float), ["<f8", "integers"]),
    ("faces", lambda a: a + 1, ["faces, face", "vertex 408 does not exist"]),
    ("faces", lambda a: a.astype(int) - 1, ["faces, row 0", "index -1"]),
    ("bones", lambda a: a + 1, ["bones, vertex", "bone 2 does not exist"]),
    ("weights", lambda a: a[:, :1], ["shape (408, 1)", "(408, 2) as the bones"]),
    ("weights", lambda a: a * numpy.nan, ["weights, vertex 0", "not finite"]),
    ("pose", lambda a: a.reshape(2, 12), ["shape (2, 12)", "(B, 3, 4)"]),
    ("pose", lambda a: numpy.concatenate([a, numpy.ones((2, 1, 4))], 1), ["bone 0", "transpose"]),
    ("normals", lambda a: a[1:], ["407 entries, expected 408"]),
    ("normals", lambda a: a * 0, ["normals, vertex 0", "no length"]),
    ("normals", lambda a: (a * 127 + 128).astype(numpy.uint8), ["|u1", "sign"]),
    ("normals", lambda a: a.astype(">f4"), [">f4", "little-endian"]),
    ("normals", lambda a: a.astype(object), ["|O"]),
    ("rest-tangents", lambda a: a * [1, 1, 1, 0], ["rest tangents, vertex 0", "neither 1 nor -1"]),
])
def test_bad_arrays_are_named_with_their_file(tmp_path, arrays, name, spoil, words):
    arrays[name] = spoil(arrays[name])
    result = judge(tmp_path, arrays)
    assert result.returncode == 2 and result.stdout == ""
    lines = result.stderr.strip().splitlines()
    assert len(lines) == 1 and lines[0].startswith("skinlight: ")
    assert all(word in lines[0] for word in words), lines[0]
    assert f"{name}.npy" in lines[0]


def test_missing_and_foreign_files(tmp_path, arrays):
    result = judge(tmp_path, arrays, "--uv", tmp_path / "none.npy")
    assert result.returncode == 2 and "none.npy" in result.stderr
    (tmp_path / "text.npy").write_text("hello")
    result = judge(tmp_path, arrays, "--uv", tmp_path / "text.npy")
    assert result.returncode == 2 and "not a .npy file" in result.stderr


def test_help_explains_the_arrays():
    result = subprocess.run([PROGRAM, "judge", "--help"], capture_output=True, text=True, timeout=60)
    assert result.returncode == 0
    for word in ("--positions", "--pose", "B x 3 x 4", "--normals", "--fail-above", "numpy.save"):
        assert word in result.stdout


def grown(folder, far=3.0):
    """A model whose tip grows along x by `far` in 2 s, with normals that lean along x; what T n0 makes of them after 1 s."""
    path = strip(folder, clips=[("Grow", "scale", far), ("Lift", "translation", 1.0)], tilted=True)
    weights = numpy.repeat(numpy.arange(ROWS) / (ROWS - 1), 2)
    normals = numpy.tile([0.6, 0, 0.8], (2 * ROWS, 1))
    normals[:, 0] *= 1 + weights * (far - 1) / 2
    return path, unit(normals)


def judge_model(folder, model, normals, *options):
    numpy.save(folder / "normals.npy", normals)
    return subprocess.run([PROGRAM, "judge", "--model", str(model), "--normals", str(folder / "normals.npy"), *map(str, options)],
                          capture_output=True, text=True, timeout=60)


def test_vertices_without_area_have_no_error(tmp_path):
    """What stands at the loose vertex, the opposite of the truth, counts nowhere."""
    model = strip(tmp_path / "m", tilted=True, loose=True)
    normals = numpy.tile([0.6, 0, 0.8], (2 * ROWS + 1, 1))
    normals[-1] *= -1
    told = judge_model(tmp_path, model, -normals * [1, 1, -1], "--json", tmp_path / "out.json")
    assert told.returncode == 0, told.stderr
    off = 2 * numpy.degrees(numpy.arctan2(0.6, 0.8))
    for error in json.loads((tmp_path / "out.json").read_text())["normals"]["errors"]:
        expected = off if error["truth"] == "transported" else off / 2
        assert (error["mean_deg"], error["max_deg"]) == pytest.approx((expected, expected), abs=1e-4)
        assert error["flips"] == 0 and error["worst_vertex"] < 2 * ROWS


def test_all_influences_of_the_file_are_judged_unless_told_otherwise(tmp_path):
    model = six_influences(tmp_path / "m")
    count = int(re.search(r"(\d+) vertices", subprocess.run([PROGRAM, "compare", model, "--frames", "1", "--normals", "standard"],
                                                            capture_output=True, text=True, timeout=60).stdout)[1])
    normals = numpy.tile([0, 0, 1.0], (count, 1))
    told = judge_model(tmp_path, model, normals, "--json", tmp_path / "out.json")
    assert told.returncode == 0, told.stderr
    document = json.loads((tmp_path / "out.json").read_text())
    assert document["influences"] == 8 and not [w for w in document["warnings"] if "influences" in w["reason"]]
    assert "four-strongest" in [e["id"] for e in document["normals"]["explanations"]]
    told = judge_model(tmp_path, model, normals, "--influences", 4, "--json", tmp_path / "out.json")
    document = json.loads((tmp_path / "out.json").read_text())
    assert document["influences"] == 4
    assert "four-strongest" not in [e["id"] for e in document["normals"]["explanations"]]


def test_repairs_are_told_once(tmp_path):
    """Weights whose sum is 2, which the reader divides."""
    model = strip(tmp_path / "m", tilted=True)
    document = json.loads(model.read_text())
    accessor = document["accessors"][document["meshes"][0]["primitives"][0]["attributes"]["WEIGHTS_0"]]
    start = document["bufferViews"][accessor["bufferView"]]["byteOffset"]
    data = bytearray((model.parent / "data.bin").read_bytes())
    weights = numpy.frombuffer(data, "<f4", 8 * ROWS, start) * 2
    data[start:start + 4 * len(weights)] = weights.astype("<f4").tobytes()
    (model.parent / "data.bin").write_bytes(data)
    told = judge_model(tmp_path, model, numpy.tile([0.6, 0, 0.8], (2 * ROWS, 1)), "--json", tmp_path / "out.json")
    assert told.returncode == 0, told.stderr
    warnings = json.loads((tmp_path / "out.json").read_text())["warnings"]
    assert len(warnings) == 1 and told.stdout.count("warning:") == 1, warnings


def test_a_pose_without_area_is_named(tmp_path):
    clips = [("Vanish", "scale", 0.0), ("Lift", "translation", 1.0)]
    model = strip(tmp_path / "m", weights=[1] * ROWS, clips=clips, tilted=True)
    told = judge_model(tmp_path, model, numpy.tile([0.6, 0, 0.8], (2 * ROWS, 1)), "--clip", "Vanish", "--time", 2)
    assert told.returncode == 2 and "clip 'Vanish', pose at 2 s" in told.stderr and "no area" in told.stderr


def test_the_true_normals_of_morphed_rigs_are_those_that_compare_has(tmp_path):
    """Rest normals that lean out of the strip's plane. A morph target that has no normals tilts the strip about x by 45
    degrees: x stays, y goes to (0, 1, 1), and the plane's normal z to (0, -1, 1) / sqrt(2). The cofactors of that map take
    (nx, 0, nz) to (sqrt(2) nx, -nz, nz)."""
    model = strip(tmp_path / "m", morph=True, clips=[("Tilt", "weights", 1.0)], tilted=True)
    rest = numpy.tile([0.6, 0, 0.8], (2 * ROWS, 1))
    true = unit(numpy.column_stack([numpy.sqrt(2) * rest[:, 0], -rest[:, 2], rest[:, 2]]))
    angle = numpy.degrees(numpy.arccos((rest * true).sum(1)))
    assert angle.min() > 30
    compared = subprocess.run([PROGRAM, "compare", model, "--frames", "2", "--normals", "standard", "--json", tmp_path / "c.json"],
                              capture_output=True, text=True, timeout=60)
    assert compared.returncode == 0, compared.stderr
    errors = json.loads((tmp_path / "c.json").read_text())["clips"][0]["errors"]
    for normals, off in ((true, 0), (rest, angle.mean())):
        for at, expected in ((1, off), (0, angle.mean() - off)):
            told = judge_model(tmp_path, model, normals, "--time", 2 * at, "--json", tmp_path / "out.json")
            assert told.returncode == 0, told.stderr
            document = json.loads((tmp_path / "out.json").read_text())["normals"]
            assert document["errors"][0]["mean_deg"] == pytest.approx(expected, abs=1e-4)
            if at == 1 and off > 0:
                assert errors[0]["worst_frame_mean_deg"] == pytest.approx(expected, abs=1e-4)
            if at == 1:
                assert document["verdict"]["id"] == ("standard" if off else "transported")


def test_morph_weights_are_those_of_the_model_unless_given(tmp_path):
    """The strip of the test before, in its default pose, whose weight is 0: as authored and tilted by the caller."""
    model = strip(tmp_path / "m", morph=True, clips=[("Tilt", "weights", 1.0)], tilted=True)
    rest = numpy.tile([0.6, 0, 0.8], (2 * ROWS, 1))
    true = unit(numpy.column_stack([numpy.sqrt(2) * rest[:, 0], -rest[:, 2], rest[:, 2]]))
    numpy.save(tmp_path / "w.npy", [1.0])
    for weights, right, wrong in (([], rest, true), (["--morph-weights", tmp_path / "w.npy"], true, rest)):
        for normals, expected in ((right, 0), (wrong, numpy.degrees(numpy.arccos((rest * true).sum(1))).mean())):
            told = judge_model(tmp_path, model, normals, *weights, "--json", tmp_path / "out.json")
            assert told.returncode == 0, told.stderr
            error = json.loads((tmp_path / "out.json").read_text())["normals"]["errors"][0]
            assert error["mean_deg"] == pytest.approx(expected, abs=1e-4)
    numpy.save(tmp_path / "w.npy", [1.0, 1.0])
    told = judge_model(tmp_path, model, rest, "--morph-weights", tmp_path / "w.npy")
    assert told.returncode == 2 and "w.npy" in told.stderr and "shape (2,), expected (1,)" in told.stderr
    told = judge_model(tmp_path, model, rest, "--morphs", tmp_path / "w.npy")
    assert told.returncode == 2 and "--morphs" in told.stderr and "--model" in told.stderr


def morphed(arrays):
    """The first target takes the tube twice as far as a quarter turn about z would, at half of its weight; the second moves it
    along."""
    turned = applied(turn(numpy.array([0, 0, 1.0]), numpy.pi / 2)[None], arrays["positions"])
    along = numpy.tile([3.0, 0, 1], (len(turned), 1))
    return arrays | {"morphs": numpy.stack([2 * (turned - arrays["positions"]), along]).astype(numpy.float32),
                     "morph-weights": numpy.array([0.5, -2])}


def test_morph_targets_move_the_rest_pose_first(tmp_path, arrays):
    arrays = morphed(arrays)
    arrays["pose"][1] = arrays["pose"][0]
    quarter = turn(numpy.array([0, 0, 1.0]), numpy.pi / 2)[None]
    for normals, expected in ((applied(quarter, arrays["rest-normals"]), 0), (arrays["rest-normals"], 90)):
        arrays["normals"] = normals
        result = judge(tmp_path, arrays, "--json", tmp_path / "out.json")
        assert result.returncode == 0, result.stderr
        error = json.loads((tmp_path / "out.json").read_text())["normals"]["errors"][0]
        assert error["mean_deg"] == pytest.approx(expected, abs=1e-4)


@pytest.mark.parametrize("name, spoil, words", [
    ("morphs", lambda a: a[0], ["shape (408, 3)", "(M, 408, 3)"]),
    ("morphs", lambda a: a[:, 1:], ["shape (2, 407, 3)", "(M, 408, 3)"]),
    ("morphs", lambda a: numpy.where(numpy.arange(408)[:, None] == 7, numpy.nan, a), ["morphs, target 0, vertex 7", "finite"]),
    ("morphs", lambda a: None, ["--morphs", "is missing"]),
    ("morph-weights", lambda a: None, ["--morph-weights", "is missing"]),
    ("morph-weights", lambda a: a[1:], ["shape (1,)", "expected (2,)"]),
    ("morph-weights", lambda a: a[:, None], ["shape (2, 1)", "expected (2,)"]),
    ("morph-weights", lambda a: a * [1, numpy.nan], ["morph weights, target 1", "not finite"]),
])
def test_bad_morph_targets_are_named_with_their_file(tmp_path, arrays, name, spoil, words):
    arrays = morphed(arrays)
    arrays[name] = spoil(arrays[name])
    told = judge(tmp_path, {key: array for key, array in arrays.items() if array is not None})
    assert told.returncode == 2 and told.stdout == "" and len(told.stderr.strip().splitlines()) == 1
    assert all(word in told.stderr for word in words), told.stderr
    if arrays[name] is not None:
        assert f"{name}.npy" in told.stderr


def test_a_model_poses_itself(tmp_path):
    model, normals = grown(tmp_path)
    told = judge_model(tmp_path, model, normals, "--clip", "Grow", "--time", 1, "--json", tmp_path / "out.json")
    assert told.returncode == 0, told.stderr
    verdict = json.loads((tmp_path / "out.json").read_text())["normals"]["verdict"]
    assert (verdict["id"], verdict["kind"]) == ("inverse-transpose-missing", "mistake"), told.stdout
    # At another time, in another clip and in the default pose they are something else.
    for options in (["--clip", "Grow", "--time", 2], ["--clip", "Lift", "--time", 1], []):
        other = judge_model(tmp_path, model, normals, *options, "--json", tmp_path / "out.json")
        assert other.returncode == 0, other.stderr
        verdict = json.loads((tmp_path / "out.json").read_text())["normals"]["verdict"]
        assert verdict["id"] != "inverse-transpose-missing" and not verdict["same_here"], other.stdout


@pytest.mark.parametrize("options, words", [
    (["--clip", "Run"], ["strip.gltf", "clip 'Run'", "Grow, Lift"]),
    (["--clip", "Gorw"], ["strip.gltf", "clip 'Gorw'", "did you mean 'Grow'?"]),
    (["--clip", "Grow", "--time", 2.1], ["strip.gltf", "--time of clip 'Grow'", "from 0 to 2"]),
    (["--time", 1], ["strip.gltf", "--clip", "Grow, Lift"]),
    (["--positions", "p.npy"], ["--positions", "--model"]),
])
def test_options_of_a_model_are_checked(tmp_path, options, words):
    model, normals = grown(tmp_path)
    told = judge_model(tmp_path, model, normals, *options)
    assert told.returncode == 2 and told.stdout == ""
    assert len(told.stderr.strip().splitlines()) == 1 and all(word in told.stderr for word in words), told.stderr


def test_normals_of_another_count_than_the_models_name_its_primitives(tmp_path):
    model, normals = grown(tmp_path)
    told = judge_model(tmp_path, model, normals[1:], "--clip", "Grow")
    assert told.returncode == 2
    assert all(word in told.stderr for word in ("normals.npy", "9 entries", "10 skinned vertices", "primitive 0 (10)")), told.stderr


def test_arrays_that_are_missing_are_named(tmp_path, arrays):
    del arrays["pose"]
    told = judge(tmp_path, arrays)
    assert told.returncode == 2 and "--pose" in told.stderr and "--model" in told.stderr
    arrays["pose"] = tube()["pose"]
    told = judge(tmp_path, arrays, "--time", 1)
    assert told.returncode == 2 and "--time" in told.stderr and "--model" in told.stderr


def test_noise_does_not_hide_a_mistake(tmp_path, arrays):
    random = numpy.random.default_rng(1)
    strongest = arrays["pose"][arrays["weights"].argmax(1), :, :3]
    planted = unit(applied(strongest, arrays["rest-normals"]))
    arrays["normals"] = unit(planted + random.normal(0, numpy.radians(2), planted.shape))
    result = judge(tmp_path, arrays, "--json", tmp_path / "out.json")
    verdict = json.loads((tmp_path / "out.json").read_text())["normals"]["verdict"]
    assert verdict["id"] == "one-bone" and verdict["noise"] is True, result.stdout
    assert "noise" in result.stdout
