// Scales of packed normals cover all numbers that a record holds; records that contradict themselves are
// errors.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "skinlight/core/error.h"
#include "skinlight/skinning/packed_normals.h"
#include "testing/error_of.h"

namespace skinlight {
namespace {

using test_errors::error_of;

// Two slots of one vertex, the first the remainder.
NormalRecord one_vertex(double alpha, double beta) {
  NormalRecord f;
  f.slots = 2;
  f.bone = {0, 1};
  f.weight = f.smooth_weight = {.5, .5};
  f.alpha = {-alpha, alpha};
  f.beta = {-beta, beta};
  return f;
}

NormalRecord one_vertex_of_vectors(Vec3d along_t, double alpha, Vec3d along_b, double beta) {
  NormalRecord f = one_vertex(alpha, beta);
  f.along_t = {Vec3d(0.0), along_t};
  f.along_b = {Vec3d(0.0), along_b};
  return f;
}

RiggedMesh one_frame() {
  RiggedMesh mesh;
  mesh.t0 = {Vec3d(1, 0, 0)};
  mesh.b0 = {Vec3d(0, 1, 0)};
  return mesh;
}

constexpr double kCodes = 127;  // of 8 bits, to one side

TEST(PackedNormalsRange, EitherFactorMayBeTheLargestWhateverItsSign) {
  for (const auto& [alpha, beta] : {std::pair{1.0, 40.0}, {1.0, -40.0}, {40.0, 1.0}, {-40.0, 1.0}}) {
    NormalRecord f = one_vertex(alpha, beta);
    unpack_normals(packed_normals(f, RecordKind::deform_factors, NumberFormat::snorm8), one_frame(), f);
    EXPECT_NEAR(f.alpha[1], alpha, 40 / kCodes);
    EXPECT_NEAR(f.beta[1], beta, 40 / kCodes);
  }
}

TEST(PackedNormalsRange, PartsOfDeformVectorsHaveScalesOfTheirOwn) {
  for (const double sign : {1.0, -1.0}) {
    const Vec3d t(.1, sign * 90, 0), b(0, .2, 1);
    const double alpha = .02, beta = sign * 30;
    NormalRecord f = one_vertex_of_vectors(t, alpha, b, beta);
    unpack_normals(packed_normals(f, RecordKind::deform_vectors, NumberFormat::snorm8), one_frame(), f);
    EXPECT_LT(length(f.along_t[1] - t), std::sqrt(3.) * 90 / kCodes);
    EXPECT_LT(length(f.along_b[1] - b), std::sqrt(3.) * 90 / kCodes);
    EXPECT_NEAR(f.alpha[1], alpha, 30 / kCodes);
    EXPECT_NEAR(f.beta[1], beta, 30 / kCodes);
  }
}

TEST(PackedNormalsRange, EveryArrayOfAnotherSizeIsNamed) {
  const auto pack = [](const NormalRecord& f) {
    return error_of([&] { packed_normals(f, RecordKind::deform_factors, NumberFormat::f32); });
  };
  NormalRecord f = one_vertex(1, 2);
  EXPECT_EQ(pack(f), "accepted");
  f.alpha.pop_back();
  EXPECT_THAT(pack(f), testing::HasSubstr("alpha: has 1 entries, expected 2"));
  f = one_vertex(1, 2);
  f.beta.push_back(0);
  EXPECT_THAT(pack(f), testing::HasSubstr("beta: has 3 entries, expected 2"));
  f = one_vertex(1, 2);
  f.slots = 3;
  EXPECT_THAT(pack(f), testing::HasSubstr("3 slots for 2 entries"));
  f.slots = kMaxSlots + 1;
  for (std::vector<double>* values : {&f.alpha, &f.beta}) values->assign(kMaxSlots + 1, 1);
  f.bone.assign(kMaxSlots + 1, 0);
  EXPECT_THAT(pack(f), testing::HasSubstr(std::to_string(kMaxSlots + 1) + " slots"));

  NormalRecord vectors = one_vertex_of_vectors(Vec3d(0.0), 0, Vec3d(0.0), 0);
  const PackedNormals packed = packed_normals(vectors, RecordKind::deform_vectors, NumberFormat::f16);
  RiggedMesh mesh = one_frame();
  mesh.t0.clear();
  EXPECT_THAT(error_of([&] { unpack_normals(packed, mesh, vectors); }),
              testing::HasSubstr("tangents of the mesh: has 0"));
  mesh = one_frame();
  mesh.b0.clear();
  EXPECT_THAT(error_of([&] { unpack_normals(packed, mesh, vectors); }),
              testing::HasSubstr("bitangents of the mesh: has 0"));
  vectors.along_t.pop_back();
  EXPECT_THAT(error_of([&] { packed_normals(vectors, RecordKind::deform_vectors, NumberFormat::f32); }),
              testing::HasSubstr("along t: has 1"));
}

}  // namespace
}  // namespace skinlight
