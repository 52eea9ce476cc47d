// DQS, CRS, SBS and LOG against normals differentiated by another route, with exact gradients; and the figures of
// an independent implementation: a tube of radius 1, half-length 3, weights changing by smootherstep over |z|
// < 2.
#include <gtest/gtest.h>

#include <array>
#include <cmath>

#include "skinlight/core/dual.h"
#include "skinlight/core/error.h"
#include "skinlight/preprocess/centres/rotation_centres.h"
#include "skinlight/samples/cuboid.h"
#include "skinlight/skinning/skin.h"
#include "skinlight/truth/angular_error.h"
#include "skinlight/truth/posed_truth.h"
#include "skinlight/truth/truth.h"
#include "testing/rigs.h"

namespace skinlight {
namespace {

constexpr double kExact = 1e-9;  // degrees; rounding leaves 1e-13
constexpr double kHalfLength = 3, kHalfBlend = 2, kSigma = .1;
double radians(double degrees) { return degrees * M_PI / 180; }

template <class Real>
Real upper_weight(Real z) {
  const Real x = (z + Real(kHalfBlend)) / Real(2 * kHalfBlend);
  if (!(x > Real(0))) return Real(0);
  if (!(x < Real(1))) return Real(1);
  return x * x * x * (Real(10) + x * (Real(6) * x - Real(15)));
}

// The centre of rotation of the continuous tube at height z [BTGM19 Eq. 6, 10]: on its axis, at the mean
// height weighted by similarity. With two bones similarity is w (1-w) v (1-v) exp(-((w (1-v) - (1-w) v) /
// sigma)^2) = w (1-w) v (1-v) exp(-((w - v) / sigma)^2). Simpson's rule.
template <class Real>
Real centre_height(Real z) {
  using std::exp;
  constexpr int kSteps = 4000;
  const Real own = upper_weight(z);
  Real sum(0), moment(0);
  for (int i = 0; i <= kSteps; ++i) {
    const double y = -kHalfLength + 2 * kHalfLength * i / kSteps, v = upper_weight(y);
    const double simpson = i == 0 || i == kSteps ? 1 : i % 2 == 1 ? 4 : 2;
    const Real x = (own - Real(v)) * Real(1 / kSigma);
    // exp of a dual number by hand: value and chain rule.
    const Real q = x * x;
    Real e;
    if constexpr (std::is_same_v<Real, double>)
      e = exp(-q);
    else
      e = Real(exp(-q.v), -q.d * exp(-q.v));
    const Real s = e * Real(simpson * v * (1 - v));
    sum = sum + s;
    moment = moment + s * Real(y);
  }
  return moment / sum;
}

struct Tube {
  ProceduralRig rig;
  Surface surface;
  NormalRecord analytic;
  RotationCentres centres;
  CentreField field;

  explicit Tube(int segments)
      : rig(cylinder({.half_length = kHalfLength, .half_blend = kHalfBlend, .ramp = Ramp::smootherstep},
                     {.segments = segments})),
        surface(rig.mesh.faces, weld(rig.mesh)),
        analytic(deform_factors_from_gradients(rig.mesh, rig.gradient)) {
    for (std::size_t v = 0; v < rig.mesh.p0.size(); ++v) {
      const double z = rig.mesh.p0[v].z, w = upper_weight(z);
      const bool any = w > 0 && w < 1;
      const Dual<double> h = any ? centre_height(Dual<double>(z, 1)) : Dual<double>(z);
      const Vec3d slope(0, 0, h.d);
      centres.centre.push_back(any ? Vec3d(0, 0, h.v) : rig.mesh.p0[v]);
      centres.along_t.push_back(slope * rig.mesh.t0[v].z);
      centres.along_b.push_back(slope * rig.mesh.b0[v].z);
      centres.has_centre.push_back(any);
      field.centre.push_back(centres.centre.back());
      field.gradient.emplace_back(Vec3d(0.0), Vec3d(0.0), slope);
    }
  }
  SkinData data() const {
    SkinData all(analytic);
    all.centres = &centres;
    return all;
  }
  NormalError error(const Pose& pose, Method method, NormalMode mode) const {
    return angular_error(skin<double>(rig.mesh, data(), pose, {.method = method, .mode = mode}).n,
                         analytic_normals(rig, pose, method, &field), vertex_areas(surface, rig.mesh.p0),
                         "rest area");
  }
};

std::vector<Pose> scaled_and_mirrored(Pose pose) {
  std::vector<Pose> all = {pose, test_rigs::mirrored(pose)};
  for (Mat4x3d& M : pose.M)
    for (int c = 0; c < 3; ++c) M[c] = M[c] * 3.0;
  all.push_back(make_pose(pose.M));
  all.push_back(test_rigs::mirrored(make_pose(pose.M)));
  all.push_back(with_pivot(all[0], {1, 2, 3}));
  return all;
}

TEST(RigidTruth, ExactModesAreTheAnalyticNormalsForEveryScaleAndMirror) {
  const Tube tube(24);
  for (const Pose& plain : {cylinder_twist(2), cylinder_bend(.5), cylinder_bend(1)})
    for (const Pose& pose : scaled_and_mirrored(plain))
      for (const Method method : {Method::crs, Method::sbs, Method::log, Method::dib}) {
        SCOPED_TRACE(row(method).name);
        EXPECT_LT(tube.error(pose, method, NormalMode::exact).max, kExact);
      }
}

// The same for bones that do not share a joint or axis, and rigs of several bones.
TEST(RigidTruth, ExactModesAreTheAnalyticNormalsUnderRandomMotions) {
  Random random(1);
  const Tube tube(24);
  for (int round = 0; round < 10; ++round) {
    const Pose pose = test_rigs::random_rigid_pose(2, random, 1, .3);
    for (const Method method : {Method::dqs, Method::crs, Method::sbs, Method::log, Method::dib})
      EXPECT_LT(tube.error(pose, method, NormalMode::exact).max, 1e2 * kExact) << row(method).name;
  }
}

// Five bones, vertices on one or two of them, each set with its own centre.
TEST(RigidTruth, ExactModesAreTheAnalyticNormalsOnSeveralBones) {
  Random random(2);
  const ProceduralRig rig = cuboid({.across = 4, .along = 40});
  const NormalRecord f = deform_factors_from_gradients(rig.mesh, rig.gradient);
  for (int round = 0; round < 3; ++round) {
    const Pose pose = test_rigs::random_rigid_pose(rig.mesh.bone_count, random, 1, .3);
    for (const Method method : {Method::dqs, Method::sbs, Method::log, Method::dib})
      EXPECT_LT(
          angular_error(skin<double>(rig.mesh, f, pose, {.method = method, .mode = NormalMode::exact}).n,
                        analytic_normals(rig, pose, method), std::vector<double>(rig.mesh.p0.size(), 1),
                        "vertices")
              .max,
          1e2 * kExact)
          << row(method).name;
  }
}

struct Expected {
  double mean, max;
};

// Mean and largest error in degrees, rest-area weights, as an independent implementation found them.
TEST(CrsTube, ErrorsAreThoseOfTheIndependentImplementation) {
  const struct {
    const char* name;
    Pose pose;
    Expected standard, fixed_centre;
  } rows[] = {{"twist 60", cylinder_twist(radians(60)), {0, 0}, {0, 0}},
              {"twist 120", cylinder_twist(radians(120)), {0, 0}, {0, 0}},
              {"twist 170", cylinder_twist(radians(170)), {0, 0}, {0, 0}},
              {"bend 30", cylinder_bend(radians(30)), {2.0, 9.3}, {.05, .4}},
              {"bend 60", cylinder_bend(radians(60)), {3.9, 23}, {.41, 5.0}},
              {"bend 90", cylinder_bend(radians(90)), {7.6, 180}, {2.9, 180}}};
  const Tube tube(96);
  for (const auto& r : rows) {
    SCOPED_TRACE(r.name);
    const NormalError standard = tube.error(r.pose, Method::crs, NormalMode::standard),
                      fixed_centre = tube.error(r.pose, Method::crs, NormalMode::exact_fixed_centre);
    EXPECT_LT(tube.error(r.pose, Method::crs, NormalMode::exact).max, 1e2 * kExact);
    for (const auto& [error, expected] :
         {std::pair{standard, r.standard}, std::pair{fixed_centre, r.fixed_centre}}) {
      if (expected.mean == 0) {
        EXPECT_LT(error.max, kExact);
        continue;
      }
      EXPECT_NEAR(error.mean, expected.mean, .05 * expected.mean + .005);
      EXPECT_NEAR(error.max, expected.max, .05 * expected.max + .05);
    }
  }
}

// What preprocessing computes on the mesh comes close to the continuous tube.
TEST(CrsTube, CentresOfTheMeshConvergeToTheExactNormals) {
  const Pose pose = cylinder_bend(radians(60));
  std::array<double, 2> mean{};
  for (std::size_t i = 0; i < 2; ++i) {
    const Tube tube(i == 0 ? 24 : 48);
    const NormalRecord f = deform_factors(tube.rig.mesh, tube.surface, {.max_slots = 2});
    const RotationCentres centres = rotation_centres(tube.rig.mesh, tube.surface);
    SkinData data(f);
    data.centres = &centres;
    const auto n =
        skin<double>(tube.rig.mesh, data, pose, {.method = Method::crs, .mode = NormalMode::exact}).n;
    mean[i] = angular_error(n, analytic_normals(tube.rig, pose, Method::crs, &tube.field),
                            vertex_areas(tube.surface, tube.rig.mesh.p0), "rest area")
                  .mean;
  }
  EXPECT_LT(mean[1], .2);
  EXPECT_GT(mean[0] / mean[1], 2.5);
}

TEST(RigidTruth, TransportedNormalsFollowTheMethod) {
  const Tube tube(48);
  const Pose pose = cylinder_bend(radians(60));
  for (const Method method : {Method::crs, Method::sbs, Method::log, Method::dib}) {
    SCOPED_TRACE(row(method).name);
    const PosedTruth truth = posed_truth(tube.rig.mesh, tube.surface, tube.data(), pose, method);
    for (const Mat3d& r : truth.extension) EXPECT_NEAR(determinant(r), 1, 1e-12);
    const auto rms = [&](Method of) {
      return angular_error(truth.transported, analytic_normals(tube.rig, pose, of, &tube.field), truth.areas,
                           "area")
          .rms;
    };
    EXPECT_LT(rms(method), .3);
    EXPECT_GT(rms(Method::lbs), .8);  // the linear truth is another surface
  }
}

// Two bones that turn about one axis, by 0 and nearly by half a turn: the blend turns by the weighted mean, to rounding.
// Without its last terms the logarithm is 1e-11 off there.
TEST(ExtensionOf, DibIsTheMeanTurnAboutACommonAxis) {
  RiggedMesh mesh;
  mesh.p0 = {{0, 0, 0}, {1, 0, 0}, {0, 1, 0}};
  mesh.faces = {{0, 1, 2}};
  mesh.bone_count = 2;
  mesh.slots = 2;
  mesh.bone = {0, 1, 0, 1, 0, 1};
  mesh.weight = {.9, .1, .5, .5, .6, .4};
  const Vec3d axis = normalize(Vec3d(1, 2, 2));
  const auto turned = [&](double angle) { return test_rigs::rotation(axis, angle); };
  const Mat3d a = turned(0), b = turned(3);
  const std::vector<Mat3d> blended = extension_of(
      mesh, make_pose({Mat4x3d(a[0], a[1], a[2], Vec3d(0.0)), Mat4x3d(b[0], b[1], b[2], Vec3d(0.0))}),
      Method::dib);
  for (int v = 0; v < 3; ++v) {
    const Mat3d wanted = turned(3 * mesh.weights_of(v)[1]);
    for (int c = 0; c < 3; ++c)
      EXPECT_LT(length(blended[static_cast<std::size_t>(v)][c] - wanted[c]), 1e-12) << v;
  }
}

TEST(RigidTruth, CrsWithoutAFieldOfCentresIsAnError) {
  const Tube tube(12);
  EXPECT_THROW(analytic_normals(tube.rig, cylinder_bend(1), Method::crs), InputError);
}

}  // namespace
}  // namespace skinlight
