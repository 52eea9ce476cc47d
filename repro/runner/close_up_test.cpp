#include "repro/runner/close_up.h"

#include <gtest/gtest.h>

#include <cmath>

#include "repro/study/tube_cases.h"
#include "skinlight/core/angle.h"
#include "skinlight/render/image_compare.h"

namespace skinlight::repro {
namespace {

Experiment bent_tube() {
  Experiment e;
  e.id = "test/bent_tube";
  e.rigs = {tube_case(24)};
  e.poses = {pose_case({MotionKind::bend, 60})};
  e.methods = {
      {"standard", "standard", {.mode = NormalMode::standard}},
      {"deform", "deform factors", {.mode = NormalMode::deform}, kExactGradients},
      {"dqs", "dual quaternions", {.method = Method::dqs, .mode = NormalMode::exact}, kExactGradients}};
  e.shot = tube_shot();
  return e;
}

// The frame of one vertex, turned about `axis` (t0 or b0) at rest.
void tilt(RiggedMesh& mesh, int vertex, double degrees, bool about_t) {
  const auto v = static_cast<std::size_t>(vertex);
  const double c = std::cos(degrees / kDegrees), s = std::sin(degrees / kDegrees);
  Vec3d& n = mesh.n0[v];
  Vec3d& other = about_t ? mesh.b0[v] : mesh.t0[v];
  const Vec3d turned_n = n * c + other * s, turned_other = other * c - n * s;
  n = turned_n;
  other = turned_other;
}

class CloseUp : public testing::Test {
 protected:
  Image8 drawn(double degrees, bool about_t) {
    RigCase rig = bent_tube().rigs[0];
    rig.make = [rig, degrees, about_t] {
      ProceduralRig tilted = rig.make();
      tilt(tilted.mesh, close_up_vertex(tilted.mesh), degrees, about_t);
      return tilted;
    };
    const Experiment experiment = bent_tube();
    const Subject subject = subject_of(rig, 1);
    return close_up(experiment, subject, experiment.poses[0].make(), studio_, 1);
  }
  // The square of one method.
  static Image8 square(const Image8& strip, int method) {
    Image8 image(kCloseUpPixels, kCloseUpPixels, {0, 0, 0});
    paste(strip, -method * kCloseUpPixels, 0, image);
    return image;
  }

  Studio studio_{Renderer::llvmpipe};
};

TEST_F(CloseUp, ATiltOfOneDegreeAtOneVertexIsAnotherPictureForEveryMethod) {
  const Image8 right = drawn(0, false);
  EXPECT_TRUE(compare_images(drawn(0, true), right).pass);
  for (const bool about_t : {false, true})
    for (const double degrees : {-1.0, 1.0}) {
      const Image8 tilted = drawn(degrees, about_t);
      for (int method = 0; method < 3; ++method)
        EXPECT_FALSE(compare_images(square(tilted, method), square(right, method)).pass)
            << degrees << (about_t ? " about t" : " about b") << ", method " << method;
      EXPECT_FALSE(compare_images(tilted, right).pass);
    }
}

TEST_F(CloseUp, ShadingForgivesTheTilt) {
  const Experiment experiment = bent_tube();
  const auto shaded = [&](double degrees) {
    RigCase rig = experiment.rigs[0];
    rig.make = [rig, degrees] {
      ProceduralRig tilted = rig.make();
      tilt(tilted.mesh, close_up_vertex(tilted.mesh), degrees, false);
      return tilted;
    };
    const Subject subject = subject_of(rig, 1);
    PosedSubject posed(experiment, subject, experiment.poses[0].make(), studio_, 1);
    return studio_.shaded(posed.posed("deform"), framing_of(experiment.shot, {posed.points()}));
  };
  EXPECT_TRUE(compare_images(shaded(1), shaded(0)).pass);
}

TEST(CloseUpVertex, IsTheFirstOfThoseThatBonesShareMostEvenly) {
  RiggedMesh mesh;
  mesh.p0.resize(5);
  mesh.slots = 2;
  mesh.bone_count = 2;
  mesh.bone.assign(10, 0);
  mesh.weight = {1, 0, .6, .4, .501, .499, .5, .5, .9, .1};
  EXPECT_EQ(close_up_vertex(mesh), 2);
  mesh.weight[4] = .52;
  mesh.weight[5] = .48;
  EXPECT_EQ(close_up_vertex(mesh), 3);
}

}  // namespace
}  // namespace skinlight::repro
