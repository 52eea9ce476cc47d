// The acceptance figures of dual quaternion skinning [TPS14 Fig. 8, Sec. 4.5], measured on an independent
// implementation: a tube of radius 1, half-length 3, weights changing by smootherstep over |z| < 2, mean and
// largest error in degrees, rest-area weights.
#include <gtest/gtest.h>

#include <array>
#include <cmath>

#include "skinlight/mesh/normals.h"
#include "skinlight/rig/bone_reach.h"
#include "skinlight/samples/procedural.h"
#include "skinlight/truth/angular_error.h"
#include "skinlight/truth/posed_truth.h"
#include "skinlight/truth/truth.h"
#include "testing/rigs.h"

namespace skinlight {
namespace {

constexpr double kExact = 1e-9;  // degrees; rounding leaves 1e-13

struct PosedTube {
  ProceduralRig rig;
  Surface surface;
  NormalRecord of_mesh, analytic;

  explicit PosedTube(int segments, double half_length = 3)
      : rig(cylinder({.half_length = half_length, .half_blend = 2, .ramp = Ramp::smootherstep},
                     {.segments = segments})),
        surface(rig.mesh.faces, weld(rig.mesh)),
        of_mesh(deform_factors(rig.mesh, surface, {.max_slots = 2})),
        analytic(deform_factors_from_gradients(rig.mesh, rig.gradient)) {}

  NormalError error(const NormalRecord& f, const Pose& pose, Method method, NormalMode mode) const {
    return angular_error(skin<double>(rig.mesh, f, pose, {.method = method, .mode = mode}).n,
                         analytic_normals(rig, pose, method), vertex_areas(surface, rig.mesh.p0),
                         "rest area");
  }
};

double radians(double degrees) { return degrees * M_PI / 180; }

struct Expected {
  double mean, max;
};

// Expected figures have two digits.
void expect_near(const NormalError& e, Expected x, const char* what) {
  SCOPED_TRACE(what);
  EXPECT_NEAR(e.mean, x.mean, .05 * x.mean);
  EXPECT_NEAR(e.max, x.max, .035 * x.max);
}

TEST(DqsTube, ErrorsAreThoseOfTheIndependentImplementation_TPS14_4_5) {
  const struct {
    const char* name;
    Pose pose;
    Expected linear, standard, approximation;
  } rows[] = {{"twist 60", cylinder_twist(radians(60)), {2.5, 6.8}, {0, 0}, {2.4, 6.6}},
              {"twist 120", cylinder_twist(radians(120)), {9.1, 24.5}, {0, 0}, {7.9, 21.3}},
              {"twist 170", cylinder_twist(radians(170)), {15, 40}, {0, 0}, {11.7, 31.5}},
              {"bend 30", cylinder_bend(radians(30)), {2.1, 11}, {2.0, 9.5}, {.30, 1.7}},
              {"bend 60", cylinder_bend(radians(60)), {4.6, 29}, {4.1, 23}, {.94, 6.4}},
              {"bend 90", cylinder_bend(radians(90)), {8, 67}, {6.7, 44}, {1.9, 12.8}}};
  const PosedTube tube(96);
  for (const auto& r : rows) {
    SCOPED_TRACE(r.name);
    const auto error = [&](Method method, NormalMode mode) {
      return tube.error(tube.analytic, r.pose, method, mode);
    };
    expect_near(error(Method::lbs, NormalMode::standard), r.linear, "linear, standard");
    expect_near(error(Method::dqs, NormalMode::deform), r.approximation, "approximation");
    EXPECT_LT(error(Method::dqs, NormalMode::exact).max, kExact);
    if (r.standard.mean > 0)
      expect_near(error(Method::dqs, NormalMode::standard), r.standard, "standard");
    else
      EXPECT_LT(error(Method::dqs, NormalMode::standard).max, kExact);
  }
}

// The convergence study was made on a tube of half-length 2.5. At 12 segments the error depends on where the
// ten or so rings lie.
TEST(DqsTube, ExactConvergesWithSecondOrderWhereTheApproximationStalls) {
  constexpr std::array kSegments = {24, 48, 96};
  constexpr std::array kExpected = {.138, .035, .009};
  const Pose pose = cylinder_bend(radians(60));
  std::array<double, 3> mean{};
  for (std::size_t i = 0; i < 3; ++i) {
    const PosedTube tube(kSegments[i], 2.5);
    mean[i] = tube.error(tube.of_mesh, pose, Method::dqs, NormalMode::exact).mean;
    EXPECT_NEAR(mean[i], kExpected[i], .05 * kExpected[i]) << kSegments[i];
    EXPECT_NEAR(tube.error(tube.of_mesh, pose, Method::dqs, NormalMode::standard).mean, 4.9, .15);
    EXPECT_NEAR(tube.error(tube.of_mesh, pose, Method::dqs, NormalMode::deform).mean, 1.1, .07);
  }
  EXPECT_GT(std::log2(mean[0] / mean[2]) / 2, 1.8);
}

// The posed tube as a function of angle and z, through the library's positions, differentiated numerically.
TEST(AnalyticDqsNormals, EqualFiniteDifferencesOfThePosedTube) {
  constexpr double kStep = 1e-5, kDifference = 1e-7;
  const CylinderShape shape{.radius = .8, .half_length = 2.5, .half_blend = 1.2, .ramp = Ramp::smootherstep};
  const ProceduralRig rig = cylinder(shape, {.segments = 24, .jitter = .3, .random_diagonals = true});
  for (const double scale : {1.0, 3.0})
    for (Pose pose : {cylinder_twist(2.0), cylinder_bend(.3), cylinder_bend(1.2)}) {
      for (Mat4x3d& M : pose.M) M = M * scale;
      for (const Pose& turned : {make_pose(pose.M), test_rigs::mirrored(make_pose(pose.M))}) {
        // A mesh of one vertex, wherever it is on the tube.
        const auto surface = [&](double angle, double z) {
          RiggedMesh point;
          point.p0 = {{shape.radius * std::cos(angle), shape.radius * std::sin(angle), z}};
          point.n0 = {{1, 0, 0}};
          point.bone_count = point.slots = 2;
          const double x = std::fmin(std::fmax((z + shape.half_blend) / (2 * shape.half_blend), 0), 1);
          const double upper = x * x * x * (10 + x * (6 * x - 15));
          point.bone = {0, 1};
          point.weight = {upper, 1 - upper};
          std::vector<Warning> warnings;
          normalize_weights(point, warnings);
          compute_tangent_frames(point);
          return skin<double>(point, deform_factors_from_gradients(point, std::vector<Vec3d>(2, Vec3d(0.0))),
                              turned, {.method = Method::dqs, .mode = NormalMode::standard, .threads = 1})
              .p[0];
        };
        const std::vector<Vec3d> normals = analytic_normals(rig, turned, Method::dqs);
        const std::vector<double> orientation = orientations(rig.mesh, turned);
        for (std::size_t v = 0; v < normals.size(); v += 7) {
          const double angle = std::atan2(rig.mesh.p0[v].y, rig.mesh.p0[v].x), z = rig.mesh.p0[v].z;
          const Vec3d around = surface(angle + kStep, z) - surface(angle - kStep, z),
                      along = surface(angle, z + kStep) - surface(angle, z - kStep);
          EXPECT_LT(angle_between(normals[v], cross(around, along) * orientation[v]), kDifference);
        }
      }
    }
}

TEST(PosedTruth, OfDqsTransportsByTheBlendedRotation) {
  const PosedTube tube(48);
  for (const Pose& pose : {cylinder_twist(radians(120)), cylinder_bend(radians(60))}) {
    const PosedTruth truth = posed_truth(tube.rig.mesh, tube.surface, tube.of_mesh, pose, Method::dqs);
    const std::vector<Mat3d> R = extension_of(tube.rig.mesh, pose, Method::dqs);
    for (const Mat3d& r : R) EXPECT_NEAR(determinant(r), 1, 1e-12);
    EXPECT_EQ(truth.transported, transported_normals(tube.rig.mesh, tube.surface, truth.p, R,
                                                     orientations(tube.rig.mesh, pose)));
    const std::vector<double> areas = vertex_areas(tube.surface, truth.p);
    EXPECT_LT(
        angular_error(truth.transported, analytic_normals(tube.rig, pose, Method::dqs), areas, "area").rms,
        .2);
    // The linear truth is another surface.
    EXPECT_GT(angular_error(truth.transported, analytic_lbs_normals(tube.rig, pose), areas, "area").rms, .8);
  }
}

}  // namespace
}  // namespace skinlight
