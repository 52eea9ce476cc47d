// Scales of packed normals cover all numbers that a record holds; records that contradict themselves are
// errors.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <functional>

#include "skinlight/core/error.h"
#include "skinlight/skinning/packed_normals.h"

namespace skinlight {
namespace {

// Two slots of one vertex, the first the remainder.
DeformFactors one_vertex(double alpha, double beta) {
  DeformFactors f;
  f.slots = 2;
  f.bone = {0, 1};
  f.weight = f.smooth_weight = {.5, .5};
  f.alpha = {-alpha, alpha};
  f.beta = {-beta, beta};
  return f;
}

DeformVectors one_vertex_of_vectors(const DeformVector& t, const DeformVector& b) {
  DeformVectors f;
  f.slots = 2;
  f.bone = {0, 1};
  f.weight = {.5, .5};
  f.along_t = {DeformVector{}, t};
  f.along_b = {DeformVector{}, b};
  return f;
}

RiggedMesh one_frame() {
  RiggedMesh mesh;
  mesh.t0 = {Vec3d(1, 0, 0)};
  mesh.b0 = {Vec3d(0, 1, 0)};
  return mesh;
}

std::string error_of(const std::function<void()>& call) {
  try {
    call();
  } catch (const InputError& e) {
    return e.what();
  }
  return "accepted";
}

constexpr double kCodes = 127;  // of 8 bits, to one side

TEST(PackedNormalsRange, EitherFactorMayBeTheLargestWhateverItsSign) {
  for (const auto& [alpha, beta] : {std::pair{1.0, 40.0}, {1.0, -40.0}, {40.0, 1.0}, {-40.0, 1.0}}) {
    DeformFactors f = one_vertex(alpha, beta);
    unpack_normals(packed_normals(f, NormalRecord::deform_factors, NumberFormat::snorm8), f);
    EXPECT_NEAR(f.alpha[1], alpha, 40 / kCodes);
    EXPECT_NEAR(f.beta[1], beta, 40 / kCodes);
  }
}

TEST(PackedNormalsRange, PartsOfDeformVectorsHaveScalesOfTheirOwn) {
  for (const double sign : {1.0, -1.0}) {
    const DeformVector t{Vec3d(.1, sign * 90, 0), .02}, b{Vec3d(0, .2, 1), sign * 30};
    DeformVectors f = one_vertex_of_vectors(t, b);
    unpack_normals(packed_normals(f, NumberFormat::snorm8), one_frame(), f);
    EXPECT_LT(length(f.along_t[1].v - t.v), std::sqrt(3.) * 90 / kCodes);
    EXPECT_LT(length(f.along_b[1].v - b.v), std::sqrt(3.) * 90 / kCodes);
    EXPECT_NEAR(f.along_t[1].w, t.w, 30 / kCodes);
    EXPECT_NEAR(f.along_b[1].w, b.w, 30 / kCodes);
  }
}

TEST(PackedNormalsRange, EveryArrayOfAnotherSizeIsNamed) {
  const auto pack = [](const DeformFactors& f) {
    return error_of([&] { packed_normals(f, NormalRecord::deform_factors, NumberFormat::f32); });
  };
  DeformFactors f = one_vertex(1, 2);
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

  DeformVectors vectors = one_vertex_of_vectors({}, {});
  const PackedNormals packed = packed_normals(vectors, NumberFormat::f16);
  RiggedMesh mesh = one_frame();
  mesh.t0.clear();
  EXPECT_THAT(error_of([&] { unpack_normals(packed, mesh, vectors); }),
              testing::HasSubstr("tangents of the mesh: has 0"));
  mesh = one_frame();
  mesh.b0.clear();
  EXPECT_THAT(error_of([&] { unpack_normals(packed, mesh, vectors); }),
              testing::HasSubstr("bitangents of the mesh: has 0"));
  vectors.along_t.pop_back();
  EXPECT_THAT(error_of([&] { packed_normals(vectors, NumberFormat::f32); }),
              testing::HasSubstr("along t: has 1"));
}

}  // namespace
}  // namespace skinlight
