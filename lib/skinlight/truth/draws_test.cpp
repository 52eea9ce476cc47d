// The random inputs of the tests are the same whatever compiler and machine draws them.
#include <gtest/gtest.h>

#include <cmath>
#include <span>
#include <string>

#include "skinlight/core/random.h"
#include "skinlight/core/sha256.h"
#include "testing/meshes.h"
#include "testing/rigid_vertex.h"
#include "testing/rigs.h"

namespace skinlight {
namespace {

// Draws pass through sines and exponentials, whose last bits are each library's own.
constexpr double kSteps = 1e9;

class Digest {
 public:
  void add(double x) { text_ += std::to_string(std::llround(x * kSteps)) + " "; }
  void add(const Vec3d& v) {
    for (const double x : {v.x, v.y, v.z}) add(x);
  }
  void add(std::span<const Vec3d> all) {
    for (const Vec3d& v : all) add(v);
  }
  void add(std::span<const double> all) {
    for (const double x : all) add(x);
  }
  void add(const Pose& pose) {
    for (const Mat4x3d& m : pose.M)
      for (int c = 0; c < 4; ++c) add(m[c]);
  }
  std::string text() const { return sha256(text_); }

 private:
  std::string text_;
};

TEST(Draws, OfMeshesRigsAndPosesAreTheSameEverywhere) {
  Random random(29);
  Digest digest;
  for (const test_meshes::TriangleMesh& mesh : test_meshes::manifold_families(random)) {
    digest.add(mesh.p);
    digest.add(test_rigs::bind(mesh, 6, 4, random).weight);
    digest.add(test_rigs::bind_jagged(mesh, 6, 4, random).weight);
  }
  digest.add(test_meshes::tangle(20, 30, random).p);
  digest.add(test_rigs::random_rigid_pose(6, random));
  digest.add(test_rigs::random_affine_pose(6, random));
  EXPECT_EQ(digest.text(), "a56d5994c3375dacfd603fb160ad6ca1eb9d909854dd26de5bd44674786f4d8e");
}

TEST(Draws, OfVerticesAreTheSameEverywhere) {
  Random random(30);
  Digest digest;
  for (int i = 0; i < 100; ++i) {
    const test_rigid_vertex::RandomVertex<4> v(random);
    digest.add(v.w);
    digest.add(v.alpha);
    digest.add(v.beta);
    for (int s = 0; s < 4; ++s) {
      for (const double x : {v.r[s].w(), v.r[s].x(), v.r[s].y(), v.r[s].z(), v.sign[s]}) digest.add(x);
      digest.add(Vec3d(v.translation[s].x(), v.translation[s].y(), v.translation[s].z()));
    }
    for (const Vec3d& x : {v.p, v.n, v.t, v.b, v.centre, v.centre_along_t, v.centre_along_b}) digest.add(x);
  }
  EXPECT_EQ(digest.text(), "421d4b1eb5fbe46d5f63f175e50febcc97fdb9a976351b26f713deb69c9f2ce6");
}

}  // namespace
}  // namespace skinlight
