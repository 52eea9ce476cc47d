#include "repro/runner/pictures.h"

#include <gtest/gtest.h>
#include <unistd.h>

#include <string>
#include <vector>

#include "repro/study/tube_cases.h"
#include "skinlight/render/flip.h"
#include "skinlight/render/image_compare.h"

namespace skinlight::repro {
namespace {

namespace fs = std::filesystem;

// A tube whose linear and dual quaternion skins differ; the first method is linear.
Experiment two_skinnings() {
  Experiment e;
  e.id = "test/two_skinnings";
  e.rigs = {tube_case(12)};
  e.poses = {pose_case({MotionKind::bend, 90})};
  e.methods = {
      {"lbs", "linear", {.mode = NormalMode::standard}},
      {"dqs", "dual quaternions", {.method = Method::dqs, .mode = NormalMode::exact}, kExactGradients}};
  e.shot = tube_shot();
  e.shot.width = 60;
  e.shot.height = 80;
  const std::string rig = e.rigs[0].name, pose = e.poses[0].name;
  e.pictures = {{"first.png", "", PictureKind::truth, rig, pose, ""},
                {"lbs.png", "", PictureKind::truth, rig, pose, "lbs"},
                {"dqs.png", "", PictureKind::truth, rig, pose, "dqs"},
                {"exact.png", "", PictureKind::posed, rig, pose, "dqs"},
                {"stripes_lbs.png", "", PictureKind::reflection, rig, pose, "lbs"},
                {"stripes_dqs.png", "", PictureKind::reflection, rig, pose, "dqs"},
                {"stripes_truth.png", "", PictureKind::reflection, rig, pose, ""}};
  return e;
}

class Pictures : public testing::Test {
 protected:
  void SetUp() override {
    fs::create_directories(folder_);
    Studio studio(Renderer::llvmpipe);
    draw_pictures(
        two_skinnings(), {}, studio, 1, [](const std::string&) {}, folder_, outputs_);
  }
  void TearDown() override { fs::remove_all(folder_); }
  Image8 picture(const char* file) const { return read_png(folder_ / file); }

  std::vector<Output> outputs_;

 private:
  fs::path folder_ = fs::path(::testing::TempDir()) / ("skinlight_pictures_test_" + std::to_string(getpid()));
};

TEST_F(Pictures, TruthIsThatOfTheMethodNamedOrElseOfTheFirst) {
  EXPECT_EQ(picture("first.png").rgb, picture("lbs.png").rgb);
  EXPECT_NE(picture("first.png").rgb, picture("dqs.png").rgb);
  // Exact gradients: the method's normals are the truth, up to rounding to float.
  const ImageDifference d =
      compare_images(picture("dqs.png"), picture("exact.png"), {.channel = 1, .share = 0});
  EXPECT_TRUE(d.pass) << d.reason;
  EXPECT_EQ(outputs_.size(), 7u);
}

// Standard normals of a bent tube are degrees off.
TEST_F(Pictures, LinesOfReflectionShowTheMethodNamedOrElseTheTruth) {
  const double stripes = flip(picture("stripes_lbs.png"), picture("stripes_truth.png")).weighted_median;
  EXPECT_GT(stripes, 0.2);
  EXPECT_NE(picture("stripes_dqs.png").rgb, picture("stripes_truth.png").rgb);
}

}  // namespace
}  // namespace skinlight::repro
