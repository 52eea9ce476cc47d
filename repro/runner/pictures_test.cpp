#include "repro/runner/pictures.h"

#include <gtest/gtest.h>
#include <unistd.h>

#include <algorithm>
#include <cstdlib>

#include "repro/study/tube_cases.h"
#include "skinlight/render/image.h"

namespace skinlight::repro {
namespace {

namespace fs = std::filesystem;

// A tube whose linear and dual quaternion skins differ; the first method is linear.
Experiment two_skinnings() {
  Experiment e;
  e.id = "test/two_skinnings";
  e.rigs = {tube_case(12)};
  e.poses = {pose_case({MotionKind::bend, 90})};
  e.methods = {{"lbs", "linear", {.mode = NormalMode::standard}},
               {"dqs", "dual quaternions", {.method = Method::dqs, .mode = NormalMode::exact}, true}};
  e.shot = tube_shot();
  e.shot.width = 60;
  e.shot.height = 80;
  const std::string rig = e.rigs[0].name, pose = e.poses[0].name;
  e.pictures = {{"first.png", "", PictureKind::truth, rig, pose, ""},
                {"lbs.png", "", PictureKind::truth, rig, pose, "lbs"},
                {"dqs.png", "", PictureKind::truth, rig, pose, "dqs"},
                {"exact.png", "", PictureKind::posed, rig, pose, "dqs"}};
  return e;
}

TEST(Pictures, TruthIsThatOfTheMethodNamedOrElseOfTheFirst) {
  const fs::path folder =
      fs::path(::testing::TempDir()) / ("skinlight_pictures_test_" + std::to_string(getpid()));
  fs::create_directories(folder);
  Studio studio(Renderer::llvmpipe);
  std::vector<Output> outputs;
  draw_pictures(
      two_skinnings(), {}, studio, 1, [](const std::string&) {}, folder, outputs);
  const auto pixels = [&](const char* file) { return read_png(folder / file).rgb; };
  EXPECT_EQ(pixels("first.png"), pixels("lbs.png"));
  EXPECT_NE(pixels("first.png"), pixels("dqs.png"));
  // Exact gradients: the method's normals are the truth, up to rounding to float.
  int largest = 0;
  const auto truth = pixels("dqs.png"), exact = pixels("exact.png");
  ASSERT_EQ(truth.size(), exact.size());
  for (std::size_t i = 0; i < truth.size(); ++i)
    largest = std::max(largest, std::abs(static_cast<int>(truth[i]) - static_cast<int>(exact[i])));
  EXPECT_LE(largest, 1);
  EXPECT_EQ(outputs.size(), 4u);
  fs::remove_all(folder);
}

}  // namespace
}  // namespace skinlight::repro
