"""Files: clips, comparison, health, judgement, baking; and the five lines of the README."""

import base64
import inspect
import json
import os
import re
from pathlib import Path

import numpy as np
import pytest
from conftest import ROOT, Tube
from formulas import angles

import skinlight
from skinlight import InputError


def test_a_file_has_clips_poses_and_counts(arm):
    rig = skinlight.read(arm)
    assert (rig.vertex_count, rig.bone_count) == (984, 2)
    assert rig.skeleton == [skinlight.Bone("lower", -1), skinlight.Bone("upper", 0)]
    assert rig.clips == [skinlight.Clip("bend", 2.0)]
    np.testing.assert_allclose(rig.pose(), np.stack([np.eye(4)[:3]] * 2), atol=1e-7)
    c, s = np.cos(np.radians(100)), np.sin(np.radians(100))
    bent = rig.pose("bend", 1.0)
    np.testing.assert_allclose(bent[1], [[1, 0, 0, 0], [0, c, -s, 0], [0, s, c, 0]], atol=1e-6)
    np.testing.assert_array_equal(bent, rig.pose(0, 1.0))
    assert rig.morphs == [] and rig.morph_weights().shape == (0,)
    for clip in ("no", 1, -1, 1.5):
        with pytest.raises(InputError):
            rig.pose(clip)


CORPUS = ROOT / "lib/skinlight/asset/fuzz/corpus"


def told_or_done(call):
    """What the call returns; None where it is told what is wrong, in words that can be printed."""
    try:
        return call()
    except InputError as e:
        str(e).encode()
        return None


@pytest.mark.parametrize("model", ["gltf/strip.gltf", "fbx/strip_text.fbx", "assimp_file/strip.dae",
                                   "assimp_file/strip.md5mesh", "assimp_file/strip.x"])
def test_names_may_be_any_bytes(model, tmp_path):
    random = np.random.default_rng(3)
    text, path = (CORPUS / model).read_bytes(), tmp_path / model.split("/")[1]
    for _ in range(4):
        given = text
        for name in (b"lower", b"upper", b"bend", b"strip", b"body"):
            given = given.replace(name, random.integers(128, 256, len(name), np.uint8).tobytes())
        path.write_bytes(given)
        rig = told_or_done(lambda: skinlight.read(path))
        if rig is not None:
            str((rig.clips, rig.skeleton, rig.warnings)).encode()
            told_or_done(lambda: rig.pose(0, np.nan))
        told_or_done(lambda: str(skinlight.compare(path, frames=2)).encode())
        told_or_done(lambda: "".join(map(str, skinlight.check(path))).encode())
        told_or_done(lambda: skinlight.bake(path, tmp_path / "baked.glb", force=True))


@pytest.mark.parametrize("as_given", [lambda name: name, os.fsdecode, lambda name: Path(os.fsdecode(name))])
def test_files_may_be_called_any_bytes(arm, tmp_path, as_given):
    folder = os.fsencode(tmp_path) + b"/\xff\xfe"
    os.mkdir(folder)
    name = folder + b"/arm\xe9.gltf"
    with open(name, "wb") as file:
        file.write(arm.read_bytes())
    path, out = as_given(name), as_given(folder + b"/baked\xe9.glb")
    assert skinlight.read(path).vertex_count == skinlight.read(arm).vertex_count
    assert skinlight.check(path) == skinlight.check(arm)
    str(skinlight.compare(path, frames=2)).encode()
    skinlight.bake(path, out)
    assert os.path.getsize(out) > 0
    with pytest.raises(InputError) as told:
        skinlight.read(as_given(folder + b"/none\xe9.gltf"))
    assert os.fsencode(told.value.file) == folder + b"/none\xe9.gltf"
    assert "none\ufffd.gltf" in str(told.value)
    with pytest.raises(InputError, match="no name that a file can have"):
        skinlight.read("\ud800.gltf")


def test_arrays_have_no_skeleton(rig):
    for ask in (lambda: rig.skeleton, lambda: rig.pose(), lambda: rig.uv):
        with pytest.raises(InputError):
            ask()


def test_compare_prints_a_table_and_draws_a_plot(arm):
    comparison = skinlight.compare(arm, ["standard", "deform", "deform+test-then-fix"], frames=9)
    standard, of_faces, deform, *_ = comparison.rows
    assert [r.truth for r in comparison.rows] == 3 * ["transported", "recomputed"]
    alone = skinlight.compare(arm, ["standard"], frames=9, truth="recomputed").rows
    assert [(r.truth, r.errors) for r in alone] == [("recomputed", of_faces.errors)]
    assert standard.errors.mean > 2 * deform.errors.mean > 0
    assert standard.means.shape == (9,) and standard.seconds[-1] == 2
    # Frames count alike.
    assert standard.means.mean() == pytest.approx(standard.errors.mean)
    rig = skinlight.read(arm)
    pose = rig.pose("bend", standard.seconds[3])
    truth = rig.truth(pose)
    own = skinlight.angular_errors(rig.skin(pose, mode="standard").normals, truth.transported, truth.areas)
    assert standard.means[3] == pytest.approx(own.mean)
    lines = str(comparison).splitlines()
    assert lines[0] == "arm.gltf, lbs" and lines[4] == "bend: 9 frames, 2.00 s" and len(lines) == 12
    assert f"{standard.errors.mean:.2f}" in lines[6]
    assert "<td>deform+test-then-fix</td>" in comparison._repr_html_()
    matplotlib = pytest.importorskip("matplotlib")
    matplotlib.use("Agg")
    figure = comparison.plot()
    drawn = [line.get_ydata() for line in figure.axes[0].get_lines()]
    np.testing.assert_array_equal(drawn, [row.means for row in comparison.rows[::2]])


def test_compare_tells_when_and_where_normals_are_worst(arm):
    rig = skinlight.read(arm)
    for row in skinlight.compare(rig, frames=9).rows:
        pose = rig.pose(row.clip, row.max_seconds)
        truth, (mode, _, guard) = rig.truth(pose), row.normals.partition("+")
        errors = skinlight.angular_errors(rig.skin(pose, mode=mode, guard=guard or None).normals,
                                          getattr(truth, row.truth))
        assert errors.max == pytest.approx(row.errors.max)
        assert row.bone == rig.skeleton[rig.bones[row.errors.worst_vertex, 0]].name


def test_a_file_without_clips_stands_in_its_default_pose(arm, tmp_path):
    gltf = json.loads(arm.read_text())
    del gltf["animations"]
    still = tmp_path / "still.gltf"
    still.write_text(json.dumps(gltf))
    rows = skinlight.compare(still).rows
    assert {(r.clip, len(r.means)) for r in rows} == {("default pose", 1)}


def test_compare_refuses_what_does_not_exist(arm, rig):
    for options in (dict(normals=["deform+x"]), dict(normals=["+clamp"]), dict(normals=["deform+"]), dict(normals=[""]),
                    dict(normals=["standard+clamp"]), dict(normals=["deform", "deform"]), dict(normals=[5]), dict(normals=[]), dict(clips=["x"]), dict(frames=0),
                    dict(truth="analytic"), dict(method="sbs", normals=["deform"])):
        with pytest.raises(InputError):
            skinlight.compare(arm, **options)
    with pytest.raises(InputError):
        skinlight.compare(rig)  # without a skeleton


def test_normals_that_do_not_follow_morph_targets_are_named(arm, tmp_path):
    assert skinlight.compare(arm, ["tangent-pair"], frames=2).warnings == []
    gltf = json.loads(arm.read_text())
    primitive = gltf["meshes"][0]["primitives"][0]
    primitive["targets"] = [{"POSITION": primitive["attributes"]["NORMAL"]}]  # grows along its normals
    gltf["meshes"][0]["weights"] = [.5]
    morphed = tmp_path / "morphed.gltf"
    morphed.write_text(json.dumps(gltf))
    kinds = ["standard", "deform", "deform+clamp", "tangent-pair", "deform-vectors"]
    comparison = skinlight.compare(morphed, kinds, frames=2)
    assert [w.element for w in comparison.warnings] == ["normals 'tangent-pair'", "normals 'deform-vectors'"]
    assert str(comparison).startswith("warning: normals 'tangent-pair': read the rest shape's faces only")


def test_clips_that_hide_the_character_are_told_of_and_left_out(arm, tmp_path):
    gltf = json.loads(arm.read_text())
    keys = gltf["animations"][0]["samplers"][0]["input"]
    gltf["accessors"].append({"componentType": 5126, "type": "VEC3", "count": gltf["accessors"][keys]["count"]})  # all 0
    gltf["animations"].append({"name": "gone", "samplers": [{"input": keys, "output": len(gltf["accessors"]) - 1}],
                               "channels": [{"sampler": 0, "target": {"node": gltf["skins"][0]["joints"][0], "path": "scale"}}]})
    hidden = tmp_path / "hidden.gltf"
    hidden.write_text(json.dumps(gltf))
    comparison = skinlight.compare(hidden, frames=3)
    assert {row.clip for row in comparison.rows} == {gltf["animations"][0]["name"]}
    assert [(w.element, w.reason, w.count) for w in comparison.warnings] == [
        ("clip gone", "the posed mesh has no area in any frame: not measured", 3)]
    with pytest.raises(InputError, match="no area in any frame"):
        skinlight.compare(hidden, clips=["gone"])


def test_check_finds_what_dropping_influences_costs(arm, tmp_path):
    assert not [f for f in skinlight.check(arm) if f.severity == "error"]
    dropped = [f for f in skinlight.check(arm, influences=1) if "influences" in f.kind]
    assert dropped and dropped[0].advice and dropped[0].kind in str(dropped[0])
    with pytest.raises(InputError) as told:
        skinlight.check(tmp_path / "none.gltf")
    assert told.value.file == str(tmp_path / "none.gltf")


def test_check_finds_weights_that_do_not_sum_to_one(arm, tmp_path):
    gltf = json.loads(arm.read_text())
    attributes = gltf["meshes"][0]["primitives"][0]["attributes"]
    view = gltf["bufferViews"][gltf["accessors"][attributes["WEIGHTS_0"]]["bufferView"]]
    data = bytearray(base64.b64decode(gltf["buffers"][0]["uri"].split(",")[1]))
    data[view["byteOffset"]:view["byteOffset"] + 4] = np.float32(.25).tobytes()
    gltf["buffers"][0]["uri"] = "data:application/octet-stream;base64," + base64.b64encode(data).decode()
    gltf["accessors"][attributes["WEIGHTS_0"]]["min"][0] = .25
    bad = tmp_path / "bad.gltf"
    bad.write_text(json.dumps(gltf))
    found = [f for f in skinlight.check(bad) if f.kind == "weights-unnormalised"]
    assert len(found) == 1 and (found[0].part, found[0].index, found[0].count) == ("vertex", 0, 1)


def test_judge_names_the_mistake(tube, rig, pose):
    rest = skinlight.judge(tube.positions, tube.faces, tube.bones, tube.weights, pose, tube.normals,
                           rest_normals=tube.normals)
    assert (rest.normals.kind, rest.normals.fit.id) == ("mistake", "rest")
    assert rest.tangents is None and "MISTAKE" in str(rest)
    ours = rig.skin(pose).normals
    right = skinlight.judge(tube.positions, tube.faces, tube.bones, tube.weights, pose, ours,
                            rest_normals=tube.normals)
    assert (right.normals.kind, right.normals.lengths) == ("correct", "unit")
    truth = rig.truth(pose)
    assert right.normals.errors.max == pytest.approx(angles(ours, truth.transported).max(), abs=1e-6)
    with pytest.raises(InputError, match="normals, vertex 3"):
        ours[3] = 0
        skinlight.judge(tube.positions, tube.faces, tube.bones, tube.weights, pose, ours)


def test_judge_moves_morph_targets_first(tube, pose):
    around = np.array([[0, -1, 0], [1, 0, 0], [0, 0, 1]])  # a quarter turn
    morphs = (tube.positions @ around.T - tube.positions)[None]
    still = np.repeat(np.eye(3, 4)[None], len(pose), 0)
    arrays = (tube.positions, tube.faces, tube.bones, tube.weights, still)
    turned = skinlight.judge(*arrays, tube.normals @ around.T, rest_normals=tube.normals, morphs=morphs, morph_weights=[1.0])
    assert turned.normals.kind == "correct" and turned.normals.errors.max < 1e-4
    unmoved = skinlight.judge(*arrays, tube.normals, rest_normals=tube.normals, morphs=morphs, morph_weights=[1.0])
    assert unmoved.normals.kind != "correct" and unmoved.normals.errors.max > 80
    at_rest = skinlight.judge(*arrays, tube.normals, rest_normals=tube.normals, morphs=morphs)
    assert at_rest.normals.errors.max < 1e-4
    for weights, what in (([1.0, 1.0], "morph_weights"), ([np.nan], "morph weight 0"), (1.0, "morph_weights")):
        with pytest.raises(InputError, match=what):
            skinlight.judge(*arrays, tube.normals, morphs=morphs, morph_weights=weights)
    with pytest.raises(InputError, match="no morph targets"):
        skinlight.judge(*arrays, tube.normals, morph_weights=[1.0])


def test_judge_keeps_the_strongest_influences(tube, pose):
    strongest = np.eye(tube.weights.shape[1])[tube.weights.argmax(1)]
    kept = skinlight.Rig(tube.positions, tube.faces, tube.bones, strongest, normals=tube.normals)
    arrays = (tube.positions, tube.faces, tube.bones, tube.weights, pose, kept.skin(pose, mode="standard").normals)
    judged = skinlight.judge(*arrays, rest_normals=tube.normals, influences=1)
    assert judged.normals.fit.id == "standard" and judged.normals.fit.max < 1e-4
    assert skinlight.judge(*arrays, rest_normals=tube.normals).normals.fit.id != "standard"
    for influences in (0, -1):
        with pytest.raises(InputError, match="influences: .* out of range"):
            skinlight.judge(*arrays, influences=influences)


def test_bake_writes_and_says_what(arm, tmp_path):
    report = skinlight.bake(arm, tmp_path / "baked.glb", format="snorm16")
    assert not report.unchanged and (report.attributes, report.bytes) == (2, 16)
    again = skinlight.bake(tmp_path / "baked.glb", tmp_path / "again.glb", format="snorm16")
    assert again.unchanged
    assert (tmp_path / "baked.glb").read_bytes() == (tmp_path / "again.glb").read_bytes()
    with pytest.raises(InputError, match="format"):
        skinlight.bake(arm, tmp_path / "x.glb", format="f64")
    with pytest.raises(InputError, match="missing normals"):
        skinlight.read(arm, missing_normals="round")
    assert skinlight.names("missing normals") == ("usual", "flat", "smooth")
    with pytest.raises(InputError):
        skinlight.bake(arm, arm)


def test_deform_frames_are_baked_for_methods_that_blend_rotations(arm, tmp_path):
    baked = {}
    for method in (None, "dqs", "sbs", "log"):
        report = skinlight.bake(arm, tmp_path / "frames.glb", normals="deform-frames", method=method, format="snorm16",
                                force=True)
        assert (report.slots, report.attributes, report.bytes) == (5, 7, 56)
        baked[method] = (tmp_path / "frames.glb").read_bytes()
    assert baked[None] == baked["dqs"] and len({*baked.values()}) == 3
    assert b"_DEFORM_FRAME_SCALE" in baked["dqs"]
    for options, says in ((dict(normals="deform-frames", method="crs"), "centre of rotation for each frame"),
                          (dict(normals="deform-frames", method="lbs"), "no deform frames"),
                          (dict(normals="deform-frames", influences=4), "must be 5 to 8"),
                          (dict(normals="deform-vectors", method="dqs"), "that of deform frames")):
        with pytest.raises(InputError, match=says):
            skinlight.bake(arm, tmp_path / "x.glb", **options)


def test_names_are_those_of_the_program():
    assert skinlight.names("method") == ("lbs", "dqs", "crs", "sbs", "log", "dib")
    assert skinlight.names("mode")[:2] == ("usual", "standard")
    with pytest.raises(InputError):
        skinlight.names("modes")
    assert set(skinlight.names("guard")) == {"none", "clamp", "joint", "test-then-fix"}


def test_everything_public_is_documented():
    for name in skinlight.__all__:
        thing = getattr(skinlight, name)
        assert inspect.getdoc(thing), name
        if inspect.isclass(thing) and not issubclass(thing, tuple):
            for member, value in vars(thing).items():
                if not member.startswith("_"):
                    assert inspect.getdoc(value), f"{name}.{member}"


def test_stubs_list_what_the_module_has():
    stub = (ROOT / "lib/python/skinlight/_core.pyi").read_text()
    module, owner = skinlight._core, "module"
    listed = {"module": set()}
    for line in stub.splitlines():
        if found := re.match(r"class (\w+)", line):
            owner = found[1]
            listed["module"].add(owner)
            listed[owner] = set()
        elif found := re.match(r"def (\w+)", line):
            listed["module"].add(found[1])
        elif found := re.match(r"    def (\w+)", line):
            listed[owner].add(found[1])
    assert listed["module"] == {n for n in dir(module) if not n.startswith("_")}
    for owner, names in listed.items():
        if owner != "module":
            has = {n for n in dir(getattr(module, owner)) if not n.startswith("_")}
            assert names - {"__init__"} == has, owner


def test_five_lines_of_numpy_give_right_normals():
    text = (ROOT / "lib/python/README.md").read_text()
    lines = re.search(r"```python\n(.*?)```", text, re.S)[1].strip().splitlines()
    assert len(lines) == 5
    tube = Tube(96, 129)
    names = dict(positions=tube.positions, faces=tube.faces, bones=tube.bones, weights=tube.weights, pose=tube.pose())
    exec("\n".join(lines), names)
    truth = tube.rig().truth(tube.pose())
    assert angles(names["normals"], truth.transported)[np.abs(tube.positions[:, 1]) < 1.8].mean() < .1
