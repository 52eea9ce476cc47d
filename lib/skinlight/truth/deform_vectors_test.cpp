// Deform vectors and smooth weights against analytic and transported truth.
#include "skinlight/preprocess/deform_vectors.h"

#include <gtest/gtest.h>

#include <cmath>
#include <map>

#include "skinlight/mesh/normals.h"
#include "skinlight/samples/procedural.h"
#include "skinlight/skinning/skin.h"
#include "skinlight/truth/angular_error.h"
#include "skinlight/truth/posed_truth.h"
#include "skinlight/truth/truth.h"
#include "testing/rigs.h"

namespace skinlight {
namespace {

// RMS degrees of the three modes on a rig, against a truth.
using Errors = std::map<NormalMode, double>;

Errors errors(const RiggedMesh& mesh, const Pose& pose, const std::vector<Vec3d>* analytic) {
  const Surface surface(mesh.faces, weld(mesh));
  const NormalRecord factors = deform_factors(mesh, surface, {.max_slots = kAllSlots});
  const NormalRecord vectors = deform_vectors(mesh, surface, {.max_slots = kAllSlots});
  SkinData data = factors;
  data.vectors = &vectors;
  const PosedTruth truth = posed_truth(mesh, surface, data, pose);
  Errors result;
  for (const NormalMode mode :
       {NormalMode::standard, NormalMode::deform, NormalMode::smoothed, NormalMode::deform_vectors})
    result[mode] = angular_error(skin<double>(mesh, data, pose, {.mode = mode}).n,
                                 analytic ? *analytic : truth.transported, truth.areas, "deformed area")
                       .rms;
  return result;
}

// A bent tube: on the pill of Fig. 2 all bones keep their orientation, and then the three modes are one.
ProceduralRig tube(int segments) {
  return cylinder({.half_length = 2, .half_blend = 1.5, .ramp = Ramp::smootherstep}, {.segments = segments});
}
const Pose& bend() {
  static const Pose pose = cylinder_bend(.8);
  return pose;
}

Errors tube_errors(int segments) {
  const ProceduralRig rig = tube(segments);
  const std::vector<Vec3d> analytic = analytic_lbs_normals(rig, bend());
  return errors(rig.mesh, bend(), &analytic);
}

// On refined smooth meshes all three converge to the analytic normals, deform vectors at least as fast as the
// paper's factors.
TEST(DeformVectorTruth, ConvergeAsFastAsDeformFactorsOnABentTube) {
  Errors coarse = tube_errors(24), fine = tube_errors(96);
  const auto order = [&](NormalMode mode) { return std::log2(coarse[mode] / fine[mode]) / 2; };
  EXPECT_GT(coarse[NormalMode::deform_vectors], .01);
  EXPECT_GT(order(NormalMode::deform_vectors), 1.7);
  EXPECT_GT(order(NormalMode::deform_vectors), order(NormalMode::deform) - .1);
  EXPECT_GT(order(NormalMode::smoothed), 1.7);
  EXPECT_LT(order(NormalMode::standard), .1);
  EXPECT_LT(fine[NormalMode::deform_vectors], .1);
}

TEST(DeformVectorTruth, NormalsOfAllThreeBecomeOne) {
  const auto apart = [](int segments) {
    const RiggedMesh mesh = tube(segments).mesh;
    const Surface surface(mesh.faces, weld(mesh));
    const NormalRecord factors = deform_factors(mesh, surface, {.averaging = Averaging::area});
    const NormalRecord vectors = deform_vectors(mesh, surface);
    SkinData data = factors;
    data.vectors = &vectors;
    const auto normals = [&](NormalMode mode) { return skin<double>(mesh, data, bend(), {.mode = mode}).n; };
    const std::vector<double> areas = vertex_areas(surface, mesh.p0);
    const auto paper = normals(NormalMode::deform);
    return std::pair(angular_error(normals(NormalMode::deform_vectors), paper, areas, "area").rms,
                     angular_error(normals(NormalMode::smoothed), paper, areas, "area").rms);
  };
  const auto [vectors_24, smoothed_24] = apart(24);
  const auto [vectors_96, smoothed_96] = apart(96);
  EXPECT_GT(std::log2(vectors_24 / vectors_96) / 2, 1.7);
  EXPECT_GT(std::log2(smoothed_24 / smoothed_96) / 2, 1.7);
}

// Coarse meshes, whose weights change much along single edges: what the paper's factors are not made for.
TEST(DeformVectorTruth, FollowThePosedTrianglesOfCoarseMeshes) {
  Random random(1);
  for (int round = 0; round < 10; ++round) {
    const RiggedMesh mesh = test_rigs::bind(test_meshes::sphere(2), 6, 4, random);
    Errors e = errors(mesh, test_rigs::random_rigid_pose(6, random, .6, .2), nullptr);
    EXPECT_LT(e[NormalMode::deform_vectors], e[NormalMode::deform] / 3);
    EXPECT_LT(e[NormalMode::smoothed], .8 * e[NormalMode::deform]);
  }
}

}  // namespace
}  // namespace skinlight
