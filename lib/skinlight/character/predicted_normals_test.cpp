#include "skinlight/character/predicted_normals.h"

#include <gtest/gtest.h>

#include "skinlight/samples/procedural.h"

namespace skinlight {
namespace {

RingSummary blending(double upper_quartile) {
  RingSummary rest;
  rest.blended = .5;
  rest.weight_change = {0, upper_quartile / 2, upper_quartile, 1};
  return rest;
}

TEST(PredictedNormals, GoByTheUpperQuartileOfTheChangeOfWeight) {
  EXPECT_EQ(predicted_normals(RingSummary{}), NormalMode::standard);
  EXPECT_EQ(predicted_normals(blending(.99 * kFactorsUpTo)), NormalMode::deform);
  EXPECT_EQ(predicted_normals(blending(kFactorsUpTo)), NormalMode::smoothed);
  EXPECT_EQ(predicted_normals(blending(1.01 * kFactorsUpTo)), NormalMode::smoothed);
  EXPECT_EQ(predicted_normals(blending(.99 * kSmoothedUpTo)), NormalMode::smoothed);
  EXPECT_EQ(predicted_normals(blending(kSmoothedUpTo)), NormalMode::deform_vectors);
  EXPECT_EQ(predicted_normals(blending(1.01 * kSmoothedUpTo)), NormalMode::deform_vectors);
}

// The same tube, ever coarser: a blend over many edges, or over one.
TEST(PredictedNormals, OfATubeGoFromFactorsToVectorsAsItGetsCoarser) {
  const auto of = [](int segments) {
    return predicted_normals(Character(cylinder({.half_blend = .3}, {.segments = segments}).mesh, {}, 1));
  };
  EXPECT_EQ(of(96), NormalMode::deform);
  EXPECT_EQ(of(9), NormalMode::deform_vectors);
}

// Robots: each vertex goes with one bone, and no edge joins two.
TEST(PredictedNormals, AreStandardWhereNothingBlends) {
  RiggedMesh mesh = cylinder({}, {.segments = 16}).mesh;
  mesh.slots = 1;
  mesh.bone.assign(mesh.p0.size(), 0);
  mesh.weight.assign(mesh.p0.size(), 1);
  EXPECT_EQ(predicted_normals(Character(std::move(mesh), {}, 1)), NormalMode::standard);
}

}  // namespace
}  // namespace skinlight
