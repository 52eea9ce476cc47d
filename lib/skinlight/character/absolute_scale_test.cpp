// Normals have no unit: a character in metres and the same in centimetres, and bones that carry the scale of an
// exporter, give the same normals. Batches and the GPU are compared with skin(), so what is wrong here is wrong there.
#include <gtest/gtest.h>

#include <cmath>

#include "skinlight/character/character.h"
#include "skinlight/core/angle.h"
#include "skinlight/preprocess/deform_vectors.h"
#include "skinlight/skinning/skin.h"
#include "testing/meshes.h"
#include "testing/rigs.h"

namespace skinlight {
namespace {

// Both sides of one, far and near, and what files hold: inches, centimetres, millimetres.
constexpr double kScales[] = {1e-4, .001, .01, .0254, 100, 1e4};
// Radians. Scales that are no powers of two round differently: a few units in the last place, times what the
// worst-conditioned method makes of them.
constexpr double kDouble = 1e-9, kFloat = 3e-4;

RiggedMesh character_mesh() {
  Random random(20);
  return test_rigs::bind(test_meshes::bumpy_sphere(2, random), 4, 4, random);
}

Pose character_pose() {
  Random random(21);
  return test_rigs::random_rigid_pose(4, random, 1.0, .4);
}

RiggedMesh in_unit(RiggedMesh mesh, double unit) {
  for (Vec3d& p : mesh.p0) p *= unit;
  return mesh;
}

// The same motion of a character that is `unit` times as large.
Pose in_unit(const Pose& pose, double unit) {
  std::vector<Mat4x3d> M = pose.M;
  for (Mat4x3d& m : M) m[3] *= unit;
  return make_pose(std::move(M));
}

// The posed character `scale` times as large, by its bones.
Pose grown(const Pose& pose, double scale) {
  std::vector<Mat4x3d> M = pose.M;
  for (Mat4x3d& m : M)
    for (int c = 0; c < 4; ++c) m[c] *= scale;
  return make_pose(std::move(M));
}

template <class Real>
void expect_same(const Character& hero, const Pose& pose, const Character& other, const Pose& its_pose,
                 double size, double tolerance, const char* what) {
  for (const MethodRow& method : methods()) {
    for (const NormalMode mode : method.modes) {
      for (const GuardRow& guard : guards()) {
        const SkinOptions options = {method.method, mode, guard.usual, 1};
        const auto a = skin<Real>(hero.mesh(), hero.data(method.method, mode), pose, options);
        const auto b = skin<Real>(other.mesh(), other.data(method.method, mode), its_pose, options);
        double off = 0, shifted = 0;
        for (std::size_t v = 0; v < a.n.size(); ++v) {
          for (const auto& [x, y] : {std::pair(a.n[v], b.n[v]), {a.t[v], b.t[v]}, {a.b[v], b.b[v]}})
            off = std::fmax(off, angle_between(Vec3d(x), Vec3d(y)));
          shifted = std::fmax(shifted, length(Vec3d(a.p[v]) * size - Vec3d(b.p[v])) / size);
        }
        EXPECT_LT(off, tolerance) << what << " " << size << ", " << method.name << ", "
                                  << description(mode).name << ", " << guard.name;
        EXPECT_LT(shifted, tolerance) << what << " " << size << ", " << method.name;
      }
    }
  }
}

TEST(AbsoluteScale, TheUnitOfLengthChangesNoNormal) {
  const Character hero(character_mesh(), {}, 1);
  const Pose pose = character_pose();
  for (const double unit : kScales) {
    const Character other(in_unit(character_mesh(), unit), {}, 1);
    expect_same<double>(hero, pose, other, in_unit(pose, unit), unit, kDouble, "unit");
    expect_same<float>(hero, pose, other, in_unit(pose, unit), unit, kFloat, "unit");
  }
}

TEST(AbsoluteScale, TheScaleOfTheBonesChangesNoNormal) {
  const Character hero(character_mesh(), {}, 1);
  const Pose pose = character_pose();
  for (const double scale : kScales) {
    expect_same<double>(hero, pose, hero, grown(pose, scale), scale, kDouble, "bones");
    expect_same<float>(hero, pose, hero, grown(pose, scale), scale, kFloat, "bones");
  }
}

// The least squares that give back what dropped bones did have a ridge: relative, so without a unit.
TEST(AbsoluteScale, FittedDeformVectorsHaveNoUnit) {
  Random random(22);
  const RiggedMesh mesh = test_rigs::bind_jagged(test_meshes::bumpy_sphere(2, random), 7, 3, random);
  std::vector<Pose> poses;
  for (int i = 0; i < 6; ++i) poses.push_back(test_rigs::random_rigid_pose(7, random, .8, .3));
  const auto fitted = [&](double unit, double scale) {
    std::vector<Pose> typical;
    for (const Pose& pose : poses) typical.push_back(grown(in_unit(pose, unit), scale));
    const RiggedMesh sized = in_unit(mesh, unit);
    return deform_vectors(sized, Surface(sized.faces, weld(sized)), {.max_slots = 4, .typical = typical});
  };
  const NormalRecord once = fitted(1, 1);
  for (const double s : kScales) {
    for (const auto& [unit, scale] : {std::pair(s, 1.0), {1.0, s}}) {
      const NormalRecord again = fitted(unit, scale);
      ASSERT_EQ(again.bone, once.bone) << unit << " " << scale;
      for (std::size_t i = 0; i < once.along_t.size(); ++i) {
        EXPECT_LT(length(again.along_t[i] - once.along_t[i]), 1e-8) << unit << " " << scale;
        EXPECT_LT(length(again.along_b[i] - once.along_b[i]), 1e-8) << unit << " " << scale;
        EXPECT_NEAR(again.alpha[i] * unit, once.alpha[i], 1e-8) << unit << " " << scale;
        EXPECT_NEAR(again.beta[i] * unit, once.beta[i], 1e-8) << unit << " " << scale;
      }
    }
  }
}

}  // namespace
}  // namespace skinlight
