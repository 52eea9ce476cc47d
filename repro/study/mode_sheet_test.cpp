// The sheet of normal modes, and the pose that it shows.
#include "repro/study/mode_sheet.h"

#include <gtest/gtest.h>

#include <cmath>

#include "skinlight/character/clip_error.h"
#include "skinlight/render/flip.h"
#include "skinlight/samples/procedural.h"

namespace skinlight::repro {
namespace {

// A tube that bends by some radians in the middle of each clip, and not at its ends.
Model tube_that_bends(const std::vector<std::pair<std::string, double>>& clips) {
  Model model;
  model.mesh = cylinder({}, {.segments = 16, .jitter = .2, .random_diagonals = true}).mesh;
  model.skeleton.nodes.resize(2);
  model.skeleton.bone_node = {0, 1};
  model.skeleton.inverse_bind.assign(2, identity_transform<double>());
  for (const auto& [name, radians] : clips)
    model.clips.push_back({name,
                           3,
                           {{1,
                             Path::rotation,
                             Interpolation::linear,
                             {0, 1, 3},
                             {0, 0, 0, 1, std::sin(radians / 2), 0, 0, std::cos(radians / 2), 0, 0, 0, 1}}}});
  return model;
}

TEST(ModeSheet, TheWorstPoseIsThatOfTheLargestMeanOfStandardNormals) {
  constexpr double kSumsDiffer = 1e-10;  // degrees
  const Character model(tube_that_bends({{"slight", .3}, {"strong", 1.2}, {"same", 1.2}, {"some", .8}}), {},
                        1);
  for (const Method method : {Method::lbs, Method::dqs}) {
    const WorstPose worst = worst_pose(model, 7, method);  // every half second: one frame is at the bend
    EXPECT_EQ(worst.clip, "strong");                       // the first of equals
    EXPECT_EQ(worst.time, 1);
    const Pose pose = pose_at(model.model().skeleton, model.model().clips[1], 1);
    const PosedTruth truth = posed_truth(model, pose, method);
    const SkinOptions standard{.method = method, .mode = NormalMode::standard};
    const std::vector<Vec3d> n =
        skin<double>(model.mesh(), model.data(method, NormalMode::standard), pose, standard).n;
    EXPECT_NEAR(worst.mean, angular_error(n, truth.transported, truth.areas, "").mean, kSumsDiffer);
    EXPECT_GT(worst.mean, 1);
  }
}

TEST(ModeSheet, ModesStandSideBySideWithTheTruthAndTheirErrorsBelow) {
  constexpr double kUnseen = 2e-3;  // mean FLIP of what the CPU's and the GPU's rounding make
  const Character model(tube_that_bends({{"bend", 1.2}}), {}, 1);
  const Pose pose = pose_at(model.model().skeleton, model.model().clips[0], 1);
  Studio studio(Renderer::llvmpipe);
  const SheetMode modes[] = {{NormalMode::standard, "standard"}, {NormalMode::deform, "deform factors"}};
  SkinData data(model.factors());
  const Image8 sheet = mode_sheet(model, data, Method::lbs, modes, pose, studio);

  // The same of vertices that the CPU posed.
  const PosedTruth truth = posed_truth(model, pose);
  const std::vector<Vec3f> p = to_float(truth.p), right = to_float(truth.transported);
  const Framing framing =
      framing_of({.view = {.towards_eye = {.8, .35, 1}, .up = {0, 1, 0}}, .width = 250, .height = 270}, {p});
  std::vector<Panel> above, below;
  for (const auto& [mode, label] : modes) {
    const std::vector<Vec3f> n = to_float(skin<double>(model.mesh(), data, pose, {.mode = mode}).n);
    above.push_back({studio.shaded(model.mesh().faces, p, n, framing), label});
    below.push_back(
        {studio.error_map(model.mesh().faces, p, n, right, framing, 20), std::string("error of ") + label});
  }
  above.push_back({studio.shaded(model.mesh().faces, p, right, framing), "truth (transported)"});
  const std::array rows = {compose_row(above), compose_row(below)};
  const Image8 expected = compose_column(rows);
  ASSERT_EQ(sheet.width, expected.width);
  ASSERT_EQ(sheet.height, expected.height);
  EXPECT_LT(flip(sheet, expected).mean, kUnseen);
  std::swap(above[0], above[1]);
  const std::array swapped = {compose_row(above), rows[1]};
  EXPECT_GT(flip(sheet, compose_column(swapped)).mean, 3 * kUnseen) << "too easy a test";
}

}  // namespace
}  // namespace skinlight::repro
