#include "repro/runner/video.h"

#include <gmock/gmock.h>

#include <cmath>
#include <cstdlib>
#include <numbers>

#include "skinlight/core/file.h"
#include "testing/environment.h"

namespace skinlight::repro {
namespace {

namespace fs = std::filesystem;
using ::testing::HasSubstr;

class Video : public ::testing::Test {
 protected:
  Video() : folder_(fs::path(::testing::TempDir()) / ("skinlight_video_test_" + std::to_string(getpid()))) {
    fs::remove_all(folder_);
  }
  ~Video() override { fs::remove_all(folder_); }
  Image8 frame(const char* name) const { return read_png(folder_ / kFramesFolder / name); }
  fs::path folder_;
};

Pose to_the_side(double time) {
  std::vector<Mat4x3d> M = pill_pose().M;
  M[1][3] = M[1][3] * std::sin(2 * std::numbers::pi * time);
  return make_pose(std::move(M));
}

Experiment small_pill() {
  Experiment e;
  e.id = "test/pill";
  e.rigs = {{"pill", "pill", 12, [] { return pill({.segments = 12}); }}};
  e.methods = {{"standard", "standard", {.mode = NormalMode::standard}},
               {"deform", "deform factors", {.mode = NormalMode::deform}}};
  e.models = {{"fox"}};
  // An odd width, which the encoder would refuse.
  e.shot = {
      .view = {.towards_eye = {0, -1, 0}, .up = {0, 0, 1}, .fov_degrees = 0}, .width = 101, .height = 400};
  e.video = {{.title = "pill", .subject = "pill", .pose = to_the_side, .frames = 4}};
  return e;
}

const Progress kQuiet = [](const std::string&) {};

TEST_F(Video, FramesFollowTheMotionUnderOneCameraAndHaveEvenSizes) {
  Studio studio(Renderer::llvmpipe);
  EXPECT_EQ(draw_frames(small_pill(), {}, studio, 1, kQuiet, folder_), 4);
  const Image8 rest = frame("0001.png"), right = frame("0002.png"), back = frame("0003.png"),
               left = frame("0004.png");
  EXPECT_EQ(rest.width % 2, 0);
  EXPECT_EQ(rest.height % 2, 0);
  EXPECT_EQ(rest.rgb, back.rgb);  // the sine is zero again
  EXPECT_NE(rest.rgb, right.rgb);
  EXPECT_NE(right.rgb, left.rgb);
}

TEST_F(Video, TakesOfMissingModelsAreLeftOut) {
  Studio studio(Renderer::llvmpipe);
  Experiment e = small_pill();
  e.video = {{.title = "fox", .subject = "fox", .clip = "Run"}};
  EXPECT_EQ(draw_frames(e, {}, studio, 1, kQuiet, folder_), 0);
}

TEST_F(Video, TakesOfDifferentWidthAreAMistakeOfTheExperiment) {
  Studio studio(Renderer::llvmpipe);
  Experiment e = small_pill();
  e.video[0].frames = 1;
  e.video.push_back(e.video[0]);
  e.video[1].methods = {"standard"};
  EXPECT_THROW(draw_frames(e, {}, studio, 1, kQuiet, folder_), std::logic_error);
}

// Three frames of plain colours.
void write_frames(const fs::path& folder) {
  for (int i = 1; i <= 3; ++i)
    write_png(folder / kFramesFolder / ("000" + std::to_string(i) + ".png"),
              Image8(64, 48, {static_cast<std::uint8_t>(60 * i), 90, 120}));
}

TEST_F(Video, TheSameFramesGiveTheSameBytesAndAreRemoved) {
  std::string first;
  for (int i = 0; i < 2; ++i) {
    write_frames(folder_);
    ASSERT_EQ(encode_frames(folder_), "");
    EXPECT_FALSE(fs::exists(folder_ / kFramesFolder));
    const std::string bytes = read_file(folder_ / kVideoFile);
    EXPECT_THAT(bytes.substr(0, 40), HasSubstr("ftyp"));  // an MP4 file starts with its type
    EXPECT_THAT(bytes, HasSubstr("avc1"));                // that holds H.264
    if (i == 0) first = bytes;
    EXPECT_EQ(bytes, first);
  }
  EXPECT_EQ(std::distance(fs::directory_iterator(folder_), fs::directory_iterator()), 1);
}

TEST_F(Video, WithoutFfmpegTheFramesStay) {
  write_frames(folder_);
  const test_environment::Variable path("PATH", folder_);
  const std::string why_not = encode_frames(folder_);
  EXPECT_THAT(why_not, HasSubstr("ffmpeg"));
  EXPECT_THAT(why_not, HasSubstr("not installed"));
  EXPECT_FALSE(fs::exists(folder_ / kVideoFile));
  EXPECT_TRUE(fs::exists(folder_ / kFramesFolder / "0003.png"));
}

TEST_F(Video, WhatFfmpegSaysIsPassedOnAndTheFramesStay) {
  write_frames(folder_);
  write_file(folder_ / kFramesFolder / "0001.png", "not a picture");
  EXPECT_THAT(encode_frames(folder_), HasSubstr("ffmpeg failed: "));
  EXPECT_FALSE(fs::exists(folder_ / kVideoFile));
  EXPECT_TRUE(fs::exists(folder_ / kFramesFolder / "0003.png"));
}

}  // namespace
}  // namespace skinlight::repro
