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

// The normal of a vertex from nothing but the file, and how far rounding should turn it.
struct FileNormal {
  Vec3d n;
  double expected_square;  // radians
};

// Of a number in a float format of that many bits.
double half_step_of_float(double x, int bits) {
  int exponent = 0;
  std::frexp(x, &exponent);
  return std::ldexp(1.0, exponent - 1 - bits);
}

// Half the distance of stored numbers: of formats of floats at their own size, of others at that of the largest.
class Steps {
 public:
  Steps(NumberFormat format, const FileVectors& vectors) : format_(format) {
    for (const auto* of : {&vectors.t, &vectors.b})
      for (const std::vector<Tau>& row : *of)
        for (const Tau& tau : row) {
          for (int c = 0; c < 3; ++c) vector_ = std::max(vector_, std::abs(tau.v[c]));
          fourth_ = std::max(fourth_, std::abs(tau.w));
        }
  }
  // c: component of tau, 3 is the fourth one.
  double of(const Tau& tau, int c) const {
    const double x = c < 3 ? tau.v[c] : tau.w, largest = c < 3 ? vector_ : fourth_;
    if (format_ != NumberFormat::f32 && format_ != NumberFormat::f16) return half_step(format_, largest);
    return half_step_of_float(x, format_ == NumberFormat::f32 ? 24 : 11);
  }

 private:
  NumberFormat format_;
  double vector_ = 0, fourth_ = 0;  // the largest
};

// t' x b' with t' = M[0] t + sum (M[s] - M[0]) tau[s], where a 4-vector tau = (v, w) measured from the vertex p is v + w p
// from the origin. A number that is off by d moves t' by d times a column of (M[s] - M[0]), and what of that is across the
// normal turns it. Roundings are independent, of a mean square of a third of half the distance, squared.
FileNormal normal_of(const BakedFile& file, const FileVectors& vectors, std::size_t v,
                     const std::vector<Mat4x3d>& M, const Steps& steps) {
  const auto vec3 = [&](const char* name) {
    const auto row = file.attribute(0, 0, name)[v];
    return Vec3d(row[0], row[1], row[2]);
  };
  const std::vector<double> joints = file.attribute(0, 0, "JOINTS_0")[v];
  const double handedness = file.attribute(0, 0, "TANGENT")[v][3];
  const Vec3d p = vec3("POSITION"), n = normalize(vec3("NORMAL"));
  const Vec3d t = normalize(vec3("TANGENT") - n * dot(n, vec3("TANGENT"))), b = cross(n, t) * handedness;
  const Mat4x3d& first = M[static_cast<std::size_t>(joints[0])];
  const auto along = [&](Vec3d tangent, const std::vector<Tau>& tau) {
    Vec3d sum = moved(first, tangent, 0);
    for (std::size_t s = 1; s < 4; ++s) {
      const Tau& one = tau[s - 1];
      const Vec3d from_origin = one.v + p * one.w;
      sum += moved(M[static_cast<std::size_t>(joints[s])], from_origin, one.w) -
             moved(first, from_origin, one.w);
    }
    return sum;
  };
  const Vec3d posed_t = along(t, vectors.t[v]), posed_b = along(b, vectors.b[v]),
              posed = cross(posed_t, posed_b);
  const Vec3d out = normalize(posed);
  double square = 0;
  for (std::size_t s = 1; s < 4; ++s) {
    const Mat4x3d& other = M[static_cast<std::size_t>(joints[s])];
    Vec3d column[4];
    for (int c = 0; c < 3; ++c) column[c] = other[c] - first[c];
    column[3] = transform_point(other, p) - transform_point(first, p);
    for (int c = 0; c < 4; ++c)
      for (const bool of_t : {true, false}) {
        const Vec3d by = of_t ? cross(column[c], posed_b) : cross(posed_t, column[c]),
                    across = by - out * dot(out, by);
        const double step = steps.of(of_t ? vectors.t[v][s - 1] : vectors.b[v][s - 1], c);
        square += step * step / 3 * dot(across, across) / dot(posed, posed);
      }
  }
  return {out * handedness, square};
}

// A corner of a posed face, with where every bone moves it and by what weight.
struct PosedCorner {
  Vec3d p{0.0}, by_bone[4];
  double weight[4];
};

// How far roundings of the weights, which are floats in every file, turn the normal of a posed face.
double expected_square_by_weights(const PosedCorner* corner) {
  const Vec3d normal = cross(corner[1].p - corner[0].p, corner[2].p - corner[0].p), out = normalize(normal);
  double square = 0;
  for (int c = 0; c < 3; ++c)
    for (int k = 0; k < 4; ++k) {
      const Vec3d by = cross(corner[c].by_bone[k], corner[(c + 2) % 3].p - corner[(c + 1) % 3].p),
                  across = by - out * dot(out, by);
      const double step = half_step_of_float(corner[c].weight[k], 24);
      square += step * step / 3 * dot(across, across) / dot(normal, normal);
    }
  return square;
}

// Of the mean square of 108 normals over what roundings make of each: a tenth is its standard deviation, and weights of the
// three corners of a face are the same for each of them. In f32 the frame counts too, and weights that went through float
// before they were baked: 4.8 here.
constexpr double kLeast = .6, kMost = 1.5, kMostInFloat = 8;
// And of the one that is farthest off: once in a million normals by chance.
constexpr double kFarthest = 14;

TEST(BakeFlat, VectorsOfFlatShadedMeshesGiveTheNormalsOfThePosedTrianglesUpToRounding) {
  const Folder folder("bake_flat");
  for (const NumberFormatRow& format : kNumberFormats) {
    double sum = 0, farthest = 0, worst = 0;
    int count = 0;
    for (const std::uint64_t seed : {3u, 13u, 23u}) {
      const fs::path in = folder.write("flat.gltf", text_of(flat_shaded(seed)));
      const fs::path out = in.parent_path() / "out.glb";
      Random random(seed + 1);
      std::vector<Mat4x3d> M(4);
      for (Mat4x3d& m : M)
        for (int c = 0; c < 4; ++c) {
          m[c] = in_box(random, .3);
          if (c < 3) m[c][c] += 1;
        }
      bake_gltf(in, out, {.kind = RecordKind::deform_vectors, .format = format.format});
      const BakedFile file(out);
      const FileVectors vectors(file);
      const Steps steps(format.format, vectors);
      const Rows position = file.attribute(0, 0, "POSITION"), weight = file.attribute(0, 0, "WEIGHTS_0"),
                 joint = file.attribute(0, 0, "JOINTS_0");
      std::vector<PosedCorner> posed(position.size());
      for (std::size_t v = 0; v < position.size(); ++v)
        for (std::size_t k = 0; k < 4; ++k) {
          posed[v].weight[k] = weight[v][k];
          posed[v].by_bone[k] = transform_point(M[static_cast<std::size_t>(joint[v][k])],
                                                Vec3d(position[v][0], position[v][1], position[v][2]));
          posed[v].p += posed[v].by_bone[k] * weight[v][k];
        }
      for (std::size_t v = 0; v < posed.size(); ++v) {
        const PosedCorner* corner = &posed[v / 3 * 3];
        const Vec3d face = cross(corner[1].p - corner[0].p, corner[2].p - corner[0].p);
        const FileNormal found = normal_of(file, vectors, v, M, steps);
        const double angle = angle_between(found.n, face);
        const double share = angle * angle / (found.expected_square + expected_square_by_weights(corner));
        sum += share;
        farthest = std::max(farthest, share);
        worst = std::max(worst, kDegrees * angle);
        ++count;
      }
    }
    const bool in_float = format.format == NumberFormat::f32;
    EXPECT_GT(sum / count, kLeast) << format.name;
    EXPECT_LT(sum / count, in_float ? kMostInFloat : kMost) << format.name;
    EXPECT_LT(farthest, kFarthest * (in_float ? kMostInFloat : 1)) << format.name;
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
