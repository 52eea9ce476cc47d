// Baked deform vectors against geometry alone: on flat-shaded meshes normals are those of the posed
// triangles.
#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <functional>
#include <limits>

#include "skinlight/bake/bake.h"
#include "skinlight/core/angle.h"
#include "testing/bake.h"

namespace skinlight {
namespace {

namespace fs = std::filesystem;
using gltf_test::File;
using gltf_test::Folder;
using test_bake::FileVectors;
using test_bake::half_step;
using test_bake::Tau;
using test_bake::text_of;
using test_baked::BakedFile;
using test_baked::Rows;

Vec3d in_box(Random& random, double half_width) {
  Vec3d v;
  for (const int axis : {2, 1, 0}) v[axis] = random.uniform(-half_width, half_width);
  return v;
}

// Triangles that share no vertices and have normals of their own. Every vertex hangs on all four bones, by weights that add
// up to `total`; those of less than 1 descend, as they do after baking.
File flat_shaded(std::uint64_t seed, double total = 1) {
  constexpr int kTriangles = 12, kBones = 4;
  Random random(seed);
  File file;
  std::vector<double> position, normal, joints, weights, inverse_bind;
  for (int f = 0; f < kTriangles; ++f) {
    Vec3d p[3];
    for (Vec3d& corner : p) corner = in_box(random, 1) + Vec3d(3.0 * f, 0, 0);
    const Vec3d n = normalize(cross(p[1] - p[0], p[2] - p[0]));
    for (const Vec3d& corner : p) {
      for (int c = 0; c < 3; ++c) position.push_back(static_cast<float>(corner[c]));
      for (int c = 0; c < 3; ++c) normal.push_back(n[c]);
      double sum = 0, weight[kBones];
      for (double& w : weight) sum += w = random.uniform(.05, 1);
      if (total < 1) std::sort(weight, weight + kBones, std::greater<>());
      for (int k = 0; k < kBones; ++k) {
        joints.push_back(k);
        weights.push_back(weight[k] / sum * total);
      }
    }
  }
  file.add("VEC3", gltf_test::kFloat, position);
  file.add("VEC3", gltf_test::kFloat, normal);
  file.add("VEC4", gltf_test::kU8, joints);
  file.add("VEC4", gltf_test::kFloat, weights);
  for (int b = 0; b < kBones; ++b)
    for (int i = 0; i < 16; ++i) inverse_bind.push_back(i % 5 == 0);
  file.add("MAT4", gltf_test::kFloat, inverse_bind);
  file.nodes = {R"({"mesh": 0, "skin": 0})", "{}", "{}", "{}", "{}"};
  file.primitives = {R"({"attributes": {"POSITION": 0, "NORMAL": 1, "JOINTS_0": 2, "WEIGHTS_0": 3}})"};
  file.skins = {R"({"joints": [1, 2, 3, 4], "inverseBindMatrices": 4})"};
  return file;
}

// M (v, w).
Vec3d moved(const Mat4x3d& M, Vec3d v, double w) { return M[0] * v.x + M[1] * v.y + M[2] * v.z + M[3] * w; }

// The normal t' x b' of a vertex from nothing but the file: t' = M[0] t + sum (M[s] - M[0]) tau[s], where a
// 4-vector tau = (v, w) measured from the vertex p is v + w p from the origin.
Vec3d normal_of(const BakedFile& file, const FileVectors& vectors, std::size_t v,
                const std::vector<Mat4x3d>& M) {
  const auto vec3 = [&](const char* name) {
    const auto row = file.attribute(0, 0, name)[v];
    return Vec3d(row[0], row[1], row[2]);
  };
  const std::vector<double> joints = file.attribute(0, 0, "JOINTS_0")[v];
  const double handedness = file.attribute(0, 0, "TANGENT")[v][3];
  const Vec3d p = vec3("POSITION"), n = normalize(vec3("NORMAL"));
  const Vec3d t = normalize(vec3("TANGENT") - n * dot(n, vec3("TANGENT"))), b = cross(n, t) * handedness;
  const auto along = [&](Vec3d tangent, const std::vector<Tau>& tau) {
    const Mat4x3d& first = M[static_cast<std::size_t>(joints[0])];
    Vec3d sum = moved(first, tangent, 0);
    for (std::size_t s = 1; s < 4; ++s) {
      const Tau& one = tau[s - 1];
      const Vec3d from_origin = one.v + p * one.w;
      sum += moved(M[static_cast<std::size_t>(joints[s])], from_origin, one.w) -
             moved(first, from_origin, one.w);
    }
    return sum;
  };
  return normalize(cross(along(t, vectors.t[v]), along(b, vectors.b[v])) * handedness);
}

TEST(BakeFlat, VectorsOfFlatShadedMeshesGiveTheNormalsOfThePosedTriangles) {
  const Folder folder("bake_flat");
  const fs::path in = folder.write("flat.gltf", text_of(flat_shaded(3)));
  const fs::path out = in.parent_path() / "out.glb";
  Random random(4);
  std::vector<Mat4x3d> M(4);
  for (Mat4x3d& m : M)
    for (int c = 0; c < 4; ++c) {
      m[c] = in_box(random, .3);
      if (c < 3) m[c][c] += 1;
    }
  for (const NumberFormatRow& format : kNumberFormats) {
    bake_gltf(in, out, {.kind = RecordKind::deform_vectors, .format = format.format});
    const BakedFile file(out);
    const FileVectors vectors(file);
    const Rows position = file.attribute(0, 0, "POSITION"), weight = file.attribute(0, 0, "WEIGHTS_0"),
               joint = file.attribute(0, 0, "JOINTS_0");
    std::vector<Vec3d> posed;
    for (std::size_t v = 0; v < position.size(); ++v) {
      Vec3d p(0.0);
      for (std::size_t k = 0; k < 4; ++k)
        p += weight[v][k] * transform_point(M[static_cast<std::size_t>(joint[v][k])],
                                            Vec3d(position[v][0], position[v][1], position[v][2]));
      posed.push_back(p);
    }
    double worst = 0;
    for (std::size_t v = 0; v < posed.size(); ++v) {
      const std::size_t f = v / 3 * 3;
      const Vec3d face = normalize(cross(posed[f + 1] - posed[f], posed[f + 2] - posed[f]));
      worst = std::max(worst, kDegrees * angle_between(normal_of(file, vectors, v, M), face));
    }
    // Exact but for rounding. A number that is off by x turns tangents by x radians; three bones, and
    // tangents that the pose brings nearer to each other and shortens, make it up to 17 times that.
    constexpr double kAmplified = 17;
    EXPECT_LT(worst, kAmplified * kDegrees * half_step(format.format, 1)) << format.name;
    if (format.format == NumberFormat::snorm8) {
      EXPECT_GT(worst, .1) << "too easy a test";
    }
  }
}

TEST(BakeFlat, WeightsThatAddUpToLessThanOneAreDividedByTheirSum) {
  const Folder folder("bake_flat_sums");
  const fs::path in = folder.write("flat.gltf", text_of(flat_shaded(5, .9)));
  const fs::path out = in.parent_path() / "out.glb";
  bake_gltf(in, out);
  for (const auto& weights : BakedFile(out).attribute(0, 0, "WEIGHTS_0"))
    EXPECT_NEAR(weights[0] + weights[1] + weights[2] + weights[3], 1,
                4 * std::numeric_limits<float>::epsilon());
}

}  // namespace
}  // namespace skinlight
