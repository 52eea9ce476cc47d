"""Shapes, types, strides, lifetimes and threads: what fits is read as it lies, what does not is told, nothing crashes."""

import gc
import io
import os
import pickle
import subprocess
import threading
import time
import timeit
import tracemalloc

import numpy as np
import pytest
from conftest import Tube
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st
from hypothesis.extra import numpy as hnp

import skinlight
from skinlight import InputError

QUIET = settings(max_examples=60, deadline=None, suppress_health_check=list(HealthCheck))


def layouts(array):
    """The same numbers in other types and orders of memory."""
    wide = np.zeros((*array.shape[:-1], array.shape[-1] + 3), array.dtype)
    wide[..., 1:-2] = array
    odd = np.zeros(array.nbytes + 1, np.uint8)[1:].view(array.dtype).reshape(array.shape)
    odd[...] = array
    return {"fortran": np.asfortranarray(array), "reversed": array[::-1].copy()[::-1], "sliced": wide[..., 1:-2],
            "every other": np.repeat(array, 2, axis=0)[::2], "big-endian": array.astype(array.dtype.newbyteorder(">")),
            "odd address": odd, "list": array.tolist(), "read-only": np.broadcast_to(array, array.shape)}


@pytest.mark.parametrize("layout", layouts(np.zeros((2, 2))))
def test_every_layout_is_the_same_rig(tube, rig, pose, layout):
    arrays = [layouts(np.ascontiguousarray(a))[layout] for a in (tube.positions, tube.faces, tube.bones, tube.weights)]
    other = skinlight.Rig(*arrays, normals=layouts(tube.normals)[layout])
    np.testing.assert_array_equal(other.skin(layouts(pose)[layout]).normals, rig.skin(pose).normals)


@pytest.mark.parametrize("dtype", ["i1", "u1", "i2", "u2", "i4", "u4", "i8", "u8"])
def test_indices_have_any_integer_type(dtype):
    p = np.eye(3)
    rig = skinlight.Rig(p, np.array([[0, 1, 2]], dtype), np.zeros((3, 1), dtype), np.ones((3, 1), np.float32))
    assert rig.faces.tolist() == [[0, 1, 2]]


def test_square_matrices_are_poses_when_their_last_rows_are(rig, pose):
    square = np.zeros((3, 4, 4))
    square[:, :3], square[:, 3, 3] = pose, 1
    for dtype in (np.float32, np.float64):
        np.testing.assert_array_equal(rig.skin(square.astype(dtype)).normals, rig.skin(pose.astype(dtype)).normals)
    square[1, 3, 0] = .5
    with pytest.raises(InputError, match="pose, bone 1: the last row is not 0 0 0 1"):
        rig.skin(square)


def test_out_is_filled_in_place_and_kept(rig, pose):
    vertices = np.zeros(rig.vertex_count, [("p", "f4", 3), ("pad", "f4"), ("n", "f4", 3)])
    vertices["pad"] = 7
    posed = skinlight.Posed(positions=vertices["p"], normals=vertices["n"])
    assert rig.skin(pose, out=posed) is posed
    single = rig.skin(pose, dtype=np.float32)
    np.testing.assert_array_equal(vertices["p"], single.positions)
    np.testing.assert_array_equal(vertices["n"], single.normals)
    assert (vertices["pad"] == 7).all()
    vertices["n"] = 0
    rig.batch().skin(pose, posed)
    np.testing.assert_allclose(vertices["n"], single.normals, atol=1e-6)


@pytest.mark.parametrize("bad, says", [
    (lambda v: np.zeros((v, 4)), "shape"), (lambda v: np.zeros((v - 1, 3)), "shape"),
    (lambda v: np.zeros((v, 3), "i4"), "dtype"), (lambda v: np.zeros((v, 3), ">f8"), "dtype"),
    (lambda v: np.zeros((v, 3), "f2"), "dtype"), (lambda v: [[0, 0, 0]] * v, "no numpy array"),
    (lambda v: np.broadcast_to(np.zeros(3), (v, 3)), "read-only"), (lambda v: np.zeros((v, 3))[::-1], "strides"),
    (lambda v: np.zeros((v, 3), order="F"), "strides"),
    (lambda v: np.lib.stride_tricks.as_strided(np.zeros(3 * v), (v, 3), (8, 8)), "strides")])
def test_outputs_that_cannot_be_filled_are_refused(rig, pose, bad, says):
    with pytest.raises(InputError, match=says):
        rig.skin(pose, out=skinlight.Posed(normals=bad(rig.vertex_count)))
    with pytest.raises(InputError):
        rig.batch().skin(pose, skinlight.Posed(normals=bad(rig.vertex_count)))


def test_results_outlive_their_rig(tube, pose):
    rig = tube.rig()
    batch, posed = rig.batch(), rig.skin(pose)
    kept = posed.normals.copy()
    del rig
    gc.collect()
    np.testing.assert_array_equal(posed.normals, kept)
    np.testing.assert_allclose(batch.skin(pose).normals, kept, atol=1e-5)
    np.testing.assert_array_equal(batch.copy().skin(pose).normals, batch.skin(pose).normals)


def test_what_is_refused_names_array_and_entry(tube):
    p = tube.positions.copy()
    p[12, 1] = np.nan
    with pytest.raises(ValueError) as told:
        skinlight.Rig(p, tube.faces, tube.bones, tube.weights)
    error = told.value
    assert isinstance(error, InputError)
    assert (error.file, error.element) == ("", "positions, vertex 12")
    assert str(error) == f"positions, vertex 12: {error.reason}"
    again = pickle.loads(pickle.dumps(error))
    assert (again.element, again.reason, str(again)) == (error.element, error.reason, str(error))


@pytest.mark.parametrize("change, element", [
    (dict(weights=lambda w: -w), "weights, vertex 0"), (dict(weights=lambda w: w[:, :2]), "weights"),
    (dict(weights=lambda w: w * np.nan), "weights"), (dict(bones=lambda b: b - 1), "bones"),
    (dict(bones=lambda b: b * 1.0), "bones"), (dict(faces=lambda f: f + 10**6), "faces, face 0"),
    (dict(faces=lambda f: f[:, :2]), "faces"), (dict(faces=lambda f: f[:0]), "face_count"),
    (dict(positions=lambda p: p[:0]), "bones"), (dict(positions=lambda p: p + 1j), "positions"),
    (dict(positions=lambda p: None), "positions"), (dict(positions=lambda p: "p"), "positions"),
    (dict(positions=lambda p: [[1, 2], [3]]), "positions"), (dict(positions=lambda p: np.array(p, object)), "positions"),
    (dict(positions=lambda p: {}), "positions"), (dict(positions=lambda p: p > 0), "positions")])
def test_every_array_of_a_rig_is_checked(tube, change, element):
    arrays = dict(positions=tube.positions, faces=tube.faces, bones=tube.bones, weights=tube.weights)
    for name, edit in change.items():
        arrays[name] = edit(arrays[name])
    with pytest.raises(InputError) as told:
        skinlight.Rig(**arrays)
    assert told.value.element.startswith(element), told.value


@pytest.mark.parametrize("index", [-7, -2**40, 984, 2**31 - 1, 2**31, 5 * 10**9, 2**63, 2**64 - 1])
def test_an_index_that_does_not_exist_is_named_as_it_was_given(tube, index):
    kind = np.uint64 if index >= 2**63 else np.int64
    faces, bones = tube.faces.astype(kind), tube.bones.astype(kind)
    faces[5, 1] = bones[7, 2] = index
    for arrays, says in (((faces, tube.bones), f"faces, face 5: vertex {index} does not exist"),
                         ((tube.faces, bones), f"bones, vertex 7: bone {index} does not exist")):
        for given in ({}, {"bone_count": 3}):
            if index == 984 and not given:
                continue  # then there are as many bones
            with pytest.raises(InputError) as told:
                skinlight.Rig(tube.positions, arrays[0], arrays[1], tube.weights, **given)
            assert str(told.value) == says


@pytest.mark.parametrize("of, truth, weights, says", [
    ([[1, 0, 0], [0, np.nan, 1]], None, None, "directions, vertex 1: is no direction"),
    ([[1, 0, 0], [0, 0, 0]], None, None, "directions, vertex 1: is no direction"),
    (None, [[np.inf, 0, 0], [0, 1, 0]], None, "truth, vertex 0: is no direction"),
    (None, None, [1, -1], "weights, vertex 1: is negative"), (None, None, [np.inf, 1], "weights, vertex 0: is negative, or not"),
    (None, None, [0, 0], "weights: sum to 0")])
def test_angular_errors_name_array_and_entry(of, truth, weights, says):
    good = [[1.0, 0, 0], [0, 1, 0]]
    with pytest.raises(InputError, match=says):
        skinlight.angular_errors(good if of is None else of, good if truth is None else truth, weights)


@pytest.mark.parametrize("options, says", [
    (dict(method="lbz"), "method: 'lbz' is none of lbs, dqs"), (dict(mode="exact"), "has no normal mode 'exact'"),
    (dict(guard="clamp", guard_c=1.0), "come together"), (dict(guard="clamp", guard_c=np.nan, guard_k=.1), "guard"),
    (dict(mode="standard", guard="clamp"), "guard 'clamp': guards do not act on mode 'standard' of method 'lbs'"),
    (dict(method="dqs", mode="deform", guard="joint"), "guards do not act"), (dict(mode=""), "mode: '' is none of"),
    (dict(guard=""), "guard: '' is none of"), (dict(guard_c=np.nan, guard_k=0.0), "guard: is none"),
    (dict(morph_weights=[1.0]), "no morph targets"), (dict(outputs=()), "nothing is wanted"),
    (dict(outputs=("normal",)), "is none of"), (dict(mode=["deform"]), "unhashable")])
def test_options_that_do_not_exist_are_told(rig, pose, options, says):
    with pytest.raises(InputError, match=says):
        rig.skin(pose, **options)


@pytest.mark.parametrize("path, error", [("no/such.glb", InputError), ("a\0b", InputError), (5, TypeError),
                                         (None, TypeError), (io.StringIO(), TypeError), ("x" * 5000, InputError)])
def test_files_that_cannot_be_read_are_told(path, error):
    for read in (skinlight.read, skinlight.check, skinlight.compare):
        with pytest.raises(error):
            read(path)


def test_closed_files_are_no_paths(tmp_path):
    with open(tmp_path / "a", "wb") as file:
        pass
    with pytest.raises(TypeError):
        skinlight.read(file)


ANY_ARRAY = hnp.arrays(
    st.sampled_from(["f4", "f8", ">f8", "f2", "i4", "u1", "i8", "?", "c16", "U3", "M8[s]"]),
    hnp.array_shapes(min_dims=0, max_dims=4, min_side=0, max_side=5))


@QUIET
@given(positions=ANY_ARRAY, faces=ANY_ARRAY, bones=ANY_ARRAY, weights=ANY_ARRAY, other=ANY_ARRAY)
def test_no_array_crashes_a_rig(positions, faces, bones, weights, other):
    for options in ({}, {"normals": other}, {"tangents": other}, {"uv": other}, {"morphs": other}):
        try:
            skinlight.Rig(positions, faces, bones, weights, threads=1, **options)
        except InputError as e:
            assert e.reason


@QUIET
@given(pose=ANY_ARRAY, out=ANY_ARRAY, weights=ANY_ARRAY)
def test_no_array_crashes_skinning(pose, out, weights):
    rig, good = small_rig()
    for call in (lambda: rig.skin(pose), lambda: rig.skin(good, out=skinlight.Posed(out)),
                 lambda: rig.skin(good, morph_weights=weights), lambda: rig.truth(pose),
                 lambda: skinlight.angular_errors(pose, out, weights)):
        try:
            call()
        except InputError as e:
            assert e.reason


@QUIET
@given(st.integers(1, 40), st.integers(1, 6), st.integers(1, 5), st.data())
def test_every_number_of_vertices_slots_and_bones_poses_alike(triangles, slots, bones, data):
    random = np.random.default_rng(data.draw(st.integers(0, 2**32 - 1)))
    vertices = 3 * triangles
    weights = random.uniform(size=(vertices, slots))
    weights /= weights.sum(axis=1, keepdims=True)
    indices = random.integers(0, bones, (vertices, slots))
    positions = random.normal(size=(vertices, 3))
    rig = skinlight.Rig(positions, np.arange(vertices).reshape(-1, 3), indices, weights, bone_count=bones, threads=1)
    pose = random.normal(size=(bones, 3, 4))
    blended = np.einsum("vs,vsij->vij", weights, pose[indices])
    expected = np.einsum("vij,vj->vi", blended[..., :3], positions) + blended[..., 3]
    np.testing.assert_allclose(rig.skin(pose).positions, expected, atol=1e-10)
    np.testing.assert_allclose(rig.batch(threads=1).skin(pose).positions, expected, atol=1e-4)


def small_rig():
    p = np.array([[0, 0, 0], [1, 0, 0], [0, 1, 0]], float)
    pose = np.stack([np.eye(4)[:3]] * 2)
    return skinlight.Rig(p, [[0, 1, 2]], [[0, 1]] * 3, [[1, 0], [.5, .5], [0, 1]], threads=1), pose


def test_threads_that_call_at_once_get_what_one_gets(tube, rig):
    poses = [Tube.pose(seed) for seed in range(4)]
    batch = rig.batch()
    expected = [(rig.skin(p, method="dqs").normals, batch.skin(p).normals.copy()) for p in poses]
    wrong = []

    def work(i):
        for _ in range(20):
            alone, together = rig.skin(poses[i], method="dqs").normals, batch.skin(poses[i]).normals
            if not np.array_equal(alone, expected[i][0]) or not np.array_equal(together, expected[i][1]):
                wrong.append(i)

    threads = [threading.Thread(target=work, args=(i,)) for i in range(4)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    assert not wrong


def test_the_gil_is_free_while_the_library_works():
    big = Tube(400, 400)
    done = threading.Event()
    thread = threading.Thread(target=lambda: (big.rig(threads=1).vectors(), done.set()))
    thread.start()
    turns = 0
    while not done.wait(.001):
        turns += 1
    thread.join()
    assert turns > 20


def test_python_keeps_nothing_but_the_outputs():
    tube = Tube(100, 200)
    rig, pose = tube.rig(), tube.pose()
    outputs = 2 * 3 * 8 * rig.vertex_count
    tracemalloc.start()
    posed = rig.skin(pose)
    assert tracemalloc.get_traced_memory()[1] < outputs + 20000
    tracemalloc.reset_peak()
    before = tracemalloc.get_traced_memory()[0]
    rig.skin(pose, out=posed)
    assert tracemalloc.get_traced_memory()[1] - before < 20000
    batch = rig.batch()
    posed = batch.skin(pose)
    tracemalloc.reset_peak()
    before = tracemalloc.get_traced_memory()[0]
    batch.skin(pose, posed)
    assert tracemalloc.get_traced_memory()[1] - before < 20000
    tracemalloc.stop()


# Python's own time in a call, on one triangle with the outputs given.
CALL_SECONDS = 5e-6


def seconds_of(call):
    return min(timeit.repeat(call, number=2000, repeat=9, timer=time.process_time)) / 2000


def test_a_call_of_a_batch_costs_microseconds():
    """C++ included."""
    rig, pose = small_rig()
    batch = rig.batch(threads=1)
    out = batch.skin(pose)
    assert seconds_of(lambda: batch.skin(pose, out)) < CALL_SECONDS


@pytest.mark.skipif("SKINLIGHT_C_CALL_TIME" not in os.environ, reason="run by ctest, with the program that times C")
def test_a_call_costs_microseconds_more_than_in_c():
    """The smallest of three rounds, C and Python in turn: the machine may be busy."""
    rig, pose = small_rig()
    out = rig.skin(pose)
    rounds = []
    for _ in range(3):
        in_c = 1e-6 * float(subprocess.run([os.environ["SKINLIGHT_C_CALL_TIME"]], check=True, capture_output=True).stdout)
        rounds.append(seconds_of(lambda: rig.skin(pose, out=out)) - in_c)
    print(f"Rig.skin(): {1e6 * min(rounds):.2f} microseconds more than C")
    assert min(rounds) < CALL_SECONDS
