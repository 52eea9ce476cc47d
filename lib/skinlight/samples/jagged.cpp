#include <array>
#include <cmath>
#include <string>

#include "skinlight/core/random.h"
#include "skinlight/samples/procedural.h"

namespace skinlight {

namespace {

constexpr int kJaggedBones = 4;
constexpr double kBoneWidth = 0.8;  // of the Gaussian weights
constexpr std::array kBoneZ = {-2.2, -2.2 / 3, 2.2 / 3, 2.2};

using Weights = std::array<double, kJaggedBones>;

Weights near_bones(double z) {
  Weights w{};
  for (std::size_t s = 0; s < kJaggedBones; ++s) {
    const double x = (z - kBoneZ[s]) / kBoneWidth;
    w[s] = std::exp(-x * x / 2);
  }
  return w;
}

Weights any(Random& random) {
  Weights w{};
  for (double& x : w) x = random.uniform();
  return w;
}

Mat3d rotation(Vec3d axis, double radians) {
  const double c = std::cos(radians), s = std::sin(radians);
  const auto turned = [&](Vec3d v) { return v * c + cross(axis, v) * s + axis * (dot(axis, v) * (1 - c)); };
  return {turned({1, 0, 0}), turned({0, 1, 0}), turned({0, 0, 1})};
}

}  // namespace

ProceduralRig jagged_capsule(const JaggedCapsule& shape) {
  if (!(shape.random_share >= 0 && shape.random_share <= 1))
    throw InputError("", "share of random weights " + std::to_string(shape.random_share),
                     "must lie in [0, 1]");
  ProceduralRig rig{pill(shape.tessellation).mesh, {}};
  RiggedMesh& mesh = rig.mesh;
  const std::vector<int> surface_vertex = weld(mesh);
  Random random(shape.tessellation.seed);
  std::vector<Weights> weights;  // per surface vertex, in the order of their first file vertices
  mesh.bone_count = mesh.slots = kJaggedBones;
  mesh.bone.clear();
  mesh.weight.clear();
  for (std::size_t v = 0; v < mesh.p0.size(); ++v) {
    const auto i = static_cast<std::size_t>(surface_vertex[v]);
    if (i == weights.size())
      weights.push_back(random.uniform() < shape.random_share ? any(random) : near_bones(mesh.p0[v].z));
    for (int s = 0; s < kJaggedBones; ++s) mesh.bone.push_back(s);
    mesh.weight.insert(mesh.weight.end(), weights[i].begin(), weights[i].end());
  }
  std::vector<Warning> warnings;  // weights are normalised by intent
  normalize_weights(mesh, warnings);
  validate(mesh);
  return rig;
}

Pose jagged_capsule_pose(double radians, std::uint64_t seed) {
  constexpr double kMove = 0.2;
  Random random(seed);
  std::vector<Mat4x3d> M;
  for (const double z : kBoneZ) {
    const Mat3d R = rotation(random.direction(), radians);
    const Vec3d centre(0, 0, z);
    M.push_back({R[0], R[1], R[2], centre - R * centre + random.in_cube(kMove)});
  }
  return make_pose(std::move(M));
}

}  // namespace skinlight
