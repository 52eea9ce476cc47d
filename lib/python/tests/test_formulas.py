"""What the package computes against the papers' formulas in numpy, and against normals in closed form."""

import numpy as np
import pytest
import skinlight
from conftest import Tube
from formulas import angles, apply, blend, dqs_deform_frames, dqs_positions, lbs_deform, lbs_positions, lbs_standard, unit

ALL = ("positions", "normals", "tangents", "bitangents")


def closed_form_normals(tube, pose):
    """Of the tube posed by linear blending, from the derivatives of its weights."""
    x, y, z = tube.positions.T
    h = 1e-6
    slope = (tube.weights_at(y + h) - tube.weights_at(y - h)) / (2 * h)
    blended = np.einsum("vs,sij->vij", tube.weights, pose[:, :, :3])
    moved = np.einsum("sij,vj->vsi", pose[:, :, :3], tube.positions) + pose[:, :, 3]
    around = np.einsum("vij,vj->vi", blended, np.stack([-z, 0 * x, x], axis=-1))
    along = blended[:, :, 1] + np.einsum("vs,vsi->vi", slope, moved)
    return unit(np.cross(along, around))


def test_positions_and_standard_normals_are_the_blend(tube, rig, pose):
    posed = rig.skin(pose, mode="standard")
    np.testing.assert_allclose(posed.positions, lbs_positions(pose, tube.bones, tube.weights, tube.positions),
                               atol=1e-12)
    np.testing.assert_allclose(posed.normals, lbs_standard(pose, tube.bones, tube.weights, tube.normals), atol=1e-12)


def test_deform_normals_are_equation_13_of_the_factors(rig, pose):
    factors = rig.factors()
    t = rig.tangents
    b = np.cross(rig.normals, t[:, :3]) * t[:, 3:]
    expected = lbs_deform(pose, factors.bones, factors.weights, factors.alpha, factors.beta, rig.positions, t[:, :3], b)
    posed = rig.skin(pose, mode="deform", outputs=ALL)
    np.testing.assert_allclose(posed.normals * t[:, 3:], expected, atol=1e-12)
    np.testing.assert_allclose(np.linalg.norm(posed.tangents, axis=1), 1, atol=1e-12)


def test_normals_of_the_jacobian_are_those_of_its_inverse_transpose(tube, rig, pose):
    """[TPS14 Eq. 2, 7], with the gradients that the record has."""
    factors = rig.factors()
    moved = apply(pose[factors.bones], tube.positions[:, None])
    jacobian = blend(pose, tube.bones, tube.weights)[..., :3] + np.einsum("vsi,vsj->vij", moved, factors.gradient)
    expected = unit(np.einsum("vji,vj->vi", np.linalg.inv(jacobian), tube.normals))
    np.testing.assert_allclose(rig.skin(pose, mode="inverse-transpose").normals, expected, atol=1e-12)
    np.testing.assert_allclose(rig.skin(pose, mode="cofactors").normals,
                               expected * np.sign(np.linalg.det(jacobian))[:, None], atol=1e-12)


def test_factors_are_derivatives_of_the_weights(tube):
    """On a tube of many rings alpha and beta are the weights' slope along the tangents, whose y says how much of it."""
    fine = Tube(96, 129)
    rig = fine.rig()
    factors = rig.factors()
    inner = np.abs(fine.positions[:, 1]) < 1.9
    h = 1e-6
    y = fine.positions[:, 1]
    slope = (fine.weights_at(y + h) - fine.weights_at(y - h)) / (2 * h)
    slope = np.take_along_axis(slope, factors.bones[:, :3], axis=1)
    t = rig.tangents
    b = np.cross(rig.normals, t[:, :3]) * t[:, 3:]
    np.testing.assert_allclose(factors.alpha[inner, :3], (slope * t[:, 1:2])[inner], atol=3e-3)
    np.testing.assert_allclose(factors.beta[inner, :3], (slope * b[:, 1:2])[inner], atol=3e-3)
    assert np.abs(slope).max() > .4
    np.testing.assert_allclose(factors.alpha.sum(axis=1), 0, atol=1e-12)  # [TPS14 Eq. 12]


def test_deform_normals_converge_to_the_closed_form(pose):
    inner_error = []
    for around, along in ((24, 33), (48, 65), (96, 129)):
        tube = Tube(around, along)
        inner = np.abs(tube.positions[:, 1]) < 1.8
        error = angles(tube.rig().skin(pose).normals, closed_form_normals(tube, pose))[inner]
        inner_error.append(error.mean())
    assert inner_error[1] < .35 * inner_error[0]
    assert inner_error[2] < .35 * inner_error[1]
    assert inner_error[2] < .05


def test_truths_are_near_the_closed_form_and_standard_normals_are_not(pose):
    tube = Tube(96, 129)
    rig = tube.rig()
    inner = np.abs(tube.positions[:, 1]) < 1.8
    expected = closed_form_normals(tube, pose)[inner]
    truth = rig.truth(pose)
    assert angles(truth.transported[inner], expected).max() < .3
    assert angles(truth.recomputed[inner], expected).max() < .3
    assert angles(rig.skin(pose, mode="standard").normals[inner], expected).mean() > 3
    np.testing.assert_allclose(truth.positions, rig.skin(pose).positions, atol=1e-12)


def test_areas_sum_to_that_of_the_posed_triangles(tube, rig, pose):
    truth = rig.truth(pose)
    corners = truth.positions[tube.faces]
    area = np.linalg.norm(np.cross(corners[:, 1] - corners[:, 0], corners[:, 2] - corners[:, 0]), axis=1).sum() / 2
    assert truth.areas.sum() == pytest.approx(area, rel=1e-12)


def test_dual_quaternions_move_points_as_kavan_says(tube, rig, pose):
    # In the library's order of slots: the first one says in which hemisphere the others lie.
    expected = dqs_positions(pose, rig.bones, rig.weights, tube.positions)
    np.testing.assert_allclose(rig.skin(pose, method="dqs").positions, expected, atol=1e-12)


def test_deform_frames_are_further_blends_with_vectors_of_their_own(tube, pose):
    # Tangents across the rings of the tube, which have one weight each: frames add to both.
    around = np.cross(tube.normals, [0, 1, 0])
    rig = tube.rig(tangents=np.c_[.8 * around + [0, .6, 0], np.ones(len(around))])
    frames = rig.frames("dqs")
    np.testing.assert_allclose(frames.offset.sum(axis=2), 0, atol=1e-12)
    assert np.abs(frames.alpha).max() > 1 and np.abs(frames.beta).max() > 1
    assert frames.bones.shape == (rig.vertex_count, 5) and frames.centre is None
    t = rig.tangents
    b = np.cross(rig.normals, t[:, :3]) * t[:, 3:]
    expected = dqs_deform_frames(pose, frames, rig.positions, t[:, :3], b)
    posed = rig.skin(pose, method="dqs", mode="deform-frames")
    np.testing.assert_allclose(posed.normals * t[:, 3:], expected, atol=1e-11)
    truth = rig.truth(pose, method="dqs").transported
    near, off = (angles(n, truth).mean() for n in (posed.normals, rig.skin(pose, method="dqs", mode="standard").normals))
    assert near < .1 * off
    single = rig.batch(method="dqs", mode="deform-frames").skin(pose).normals
    np.testing.assert_allclose(single, posed.normals, atol=1e-5)
    for method in ("crs", "sbs", "log"):
        other = rig.frames(method)
        assert (other.centre is not None) == (method == "crs")
        assert angles(rig.skin(pose, method=method, mode="deform-frames").normals,
                      rig.truth(pose, method=method).transported).mean() < .2 * off
    with pytest.raises(skinlight.InputError, match="'lbs' is none of dqs, crs, sbs, log"):
        rig.frames("lbs")


def test_deform_vectors_are_the_differentials_of_the_triangles():
    """On a flat mesh: each face maps rest edges to posed ones; a vertex takes the mean of its faces' by rest area."""
    random = np.random.default_rng(6)
    positions = np.array([[x, y, 0.0] for y in range(5) for x in range(4)])
    positions[:, :2] += random.uniform(-.3, .3, (20, 2))
    faces = np.array([f for y in range(4) for x in range(3) for a in [4 * y + x]
                      for f in ([a, a + 1, a + 4], [a + 4, a + 1, a + 5])])
    weights = random.dirichlet([1, 1], 20)
    rig = skinlight.Rig(positions, faces, np.tile([0, 1], (20, 1)), weights)
    pose = Tube.pose(3)[:2]
    posed = lbs_positions(pose, np.tile([0, 1], (20, 1)), weights, positions)

    def edges(p):
        corners = p[faces]
        return np.stack([corners[:, 1] - corners[:, 0], corners[:, 2] - corners[:, 0]], axis=-1)

    rest = edges(positions)[:, :2]
    differential = edges(posed) @ np.linalg.inv(rest)
    area = np.abs(np.linalg.det(rest)) / 2
    mean = np.zeros((20, 3, 2))
    for f, corners in enumerate(faces):
        mean[corners] += area[f] * differential[f]
    expected = unit(np.cross(mean[:, :, 0], mean[:, :, 1]))
    assert angles(rig.skin(pose, mode="deform-vectors").normals, expected).max() < 1e-6
    assert angles(rig.skin(pose, mode="standard").normals, expected).max() > 1


def test_errors_are_weighted_statistics_of_angles(pose, rig):
    random = np.random.default_rng(4)
    a, b, w = random.normal(size=(500, 3)), random.normal(size=(500, 3)), random.uniform(0, 2, 500)
    degrees = angles(a, b)
    errors = skinlight.angular_errors(a, b, w)
    assert errors.mean == pytest.approx(np.average(degrees, weights=w))
    assert errors.rms == pytest.approx(np.sqrt(np.average(degrees ** 2, weights=w)))
    assert errors.max == pytest.approx(degrees.max())
    assert errors.worst_vertex == degrees.argmax()
    assert errors.flips == (degrees > 90).sum()
    order = np.argsort(degrees)
    covered = np.cumsum(w[order]) / w.sum()
    assert errors.p95 == pytest.approx(degrees[order][np.searchsorted(covered, .95)])


def test_morph_targets_move_the_rest_pose_first(tube, pose):
    random = np.random.default_rng(5)
    morphs = random.normal(size=(2, len(tube.positions), 3)) * .1
    rig = tube.rig(morphs=morphs)
    weights = [.3, -.5]
    moved = tube.positions + np.tensordot(weights, morphs, 1)
    expected = lbs_positions(pose, tube.bones, tube.weights, moved)
    np.testing.assert_allclose(rig.skin(pose, morph_weights=weights).positions, expected, atol=1e-12)
    np.testing.assert_allclose(rig.truth(pose, morph_weights=weights).positions, expected, atol=1e-12)
    batch = rig.batch(morph_weights=weights)
    np.testing.assert_allclose(batch.skin(pose).positions, expected, atol=1e-5)
