// The field of centres against the library's sums and against differences.
#include "skinlight/truth/centre_field.h"

#include <gtest/gtest.h>

#include <cmath>

#include "skinlight/core/error.h"
#include "skinlight/samples/procedural.h"
#include "skinlight/samples/tail.h"

namespace skinlight {
namespace {

// Sums over some thousand triangles of size 1, in another order than the library's.
constexpr double kRounding = 1e-11;

std::vector<ProceduralRig> rigs() {
  return {cylinder({.ramp = Ramp::smootherstep}, {.segments = 16}), tail({.bones = 3}, {.segments = 12})};
}

TEST(CentreField, IsWhereTheLibraryFindsTheCentres) {
  for (const ProceduralRig& rig : rigs()) {
    const Surface surface(rig.mesh.faces, weld(rig.mesh));
    const RotationCentres centres = rotation_centres(rig.mesh, surface, {.method = CentreMethod::naive});
    const CentreField field = centre_field(rig);
    int compared = 0;
    for (int v = 0; v < rig.mesh.vertex_count(); ++v) {
      const auto i = static_cast<std::size_t>(v);
      if (!(rig.mesh.weights_of(v)[1] > 0)) continue;
      EXPECT_LT(length(field.centre[i] - centres.centre[i]), kRounding);
      ++compared;
    }
    EXPECT_GT(compared, 50);
  }
}

// Between two rings of a fine tube the centre moves along the axis as its derivative says.
TEST(CentreField, DerivativeIsThatOfCentresBetweenRings) {
  const ProceduralRig rig = cylinder({.half_blend = 2, .ramp = Ramp::smootherstep}, {.segments = 64});
  const CentreField field = centre_field(rig);
  int compared = 0;
  for (std::size_t i = 0; i < rig.mesh.p0.size(); ++i)
    for (std::size_t j = 0; j < i; ++j) {
      const Vec3d d = rig.mesh.p0[i] - rig.mesh.p0[j];
      const bool neighbours = std::hypot(d.x, d.y) < 1e-9 && std::abs(d.z) > 1e-6 && std::abs(d.z) < 0.15;
      if (!neighbours || std::abs(rig.mesh.p0[i].z) > 1.5 || rig.mesh.p0[i].x < 0.9) continue;
      const Vec3d mean = (field.gradient[i] * d + field.gradient[j] * d) * 0.5;
      // The trapezoidal rule over .1 units, which is .05 of the ramp: third derivatives of 6 x^5 - 15 x^4 +
      // ... leave 2e-3.
      EXPECT_LT(length(mean - (field.centre[i] - field.centre[j])), 3e-3 * length(d));
      EXPECT_GT(length(mean), 0.2 * length(d));
      EXPECT_LT(length(field.gradient[i][0]) + length(field.gradient[i][1]),
                kRounding);  // not around the tube
      ++compared;
    }
  EXPECT_GT(compared, 50);
  for (int v = 0; v < rig.mesh.vertex_count(); ++v) {
    if (rig.mesh.weights_of(v)[1] > 0) continue;  // of those on a single bone
    for (int axis = 0; axis < 3; ++axis)
      EXPECT_EQ(length(field.gradient[static_cast<std::size_t>(v)][axis]), 0);
  }
}

TEST(CentreField, GivesSkinningItsDerivativesAlongTheTangents) {
  const ProceduralRig rig = tail({.bones = 3}, {.segments = 12});
  const CentreField field = centre_field(rig);
  const RotationCentres centres = centres_of(rig, field);
  for (std::size_t i = 0; i < rig.mesh.p0.size(); ++i) {
    const Vec3d t = rig.mesh.t0[i];
    const Vec3d expected =
        field.gradient[i][0] * t.x + field.gradient[i][1] * t.y + field.gradient[i][2] * t.z;
    EXPECT_LT(length(centres.along_t[i] - expected), kRounding);
  }
  int single = 0;
  for (int v = 0; v < rig.mesh.vertex_count(); ++v) single += rig.mesh.weights_of(v)[1] == 0;
  EXPECT_EQ(centres.single_bone, single);
  EXPECT_GT(single, 0);
  ProceduralRig without = rig;
  without.gradient.clear();
  EXPECT_THROW(centre_field(without), InputError);
}

}  // namespace
}  // namespace skinlight
