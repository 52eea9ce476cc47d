// Frames of animations and findings about them, on results made up with numbers that are all different.
#include "repro/study/frames.h"

#include <gtest/gtest.h>

#include <cmath>
#include <limits>
#include <stdexcept>

#include "repro/runner/model_catalogue.h"
#include "skinlight/rig/turn.h"

namespace skinlight::repro {
namespace {

constexpr double kRounding = 1e-12;  // of matrices of rotations by a few radians

Measurement mean_of(double mean, const std::string& rig, const std::string& pose, const std::string& method,
                    Truth truth = Truth::transported, int resolution = 0) {
  Measurement m{rig, "", resolution, 7, pose, method, std::string(name(truth)), {}};
  m.error.mean = mean;
  m.error.rms = 1000 * mean;
  m.error.max = 1e6 * mean;
  return m;
}

TEST(Frames, TheTwoMethodsDifferInTheirModeAlone) {
  const std::vector<MethodCase> methods = standard_and_deform(6);
  ASSERT_EQ(methods.size(), 2u);
  EXPECT_EQ(methods[0].name, "standard");
  EXPECT_EQ(methods[0].options.mode, NormalMode::standard);
  EXPECT_EQ(methods[1].name, "deform");
  EXPECT_EQ(methods[1].options.mode, NormalMode::deform);
  for (const MethodCase& method : methods) {
    EXPECT_EQ(method.options.method, Method::lbs);
    EXPECT_EQ(method.preparation.max_slots, 6);
  }
}

TEST(Frames, EachIsDrawnInBothWaysAndInTruth) {
  const std::vector<Picture> pictures =
      with_truth({{"still", "tube", "bend", 0}, {"run", "fox", "Run", 1.254}});
  const struct {
    const char *file, *caption, *rig, *pose, *method;
    PictureKind kind;
    double time;
  } expected[] = {
      {"still_standard.png", "tube, bend: standard normals", "tube", "bend", "standard", PictureKind::posed,
       0},
      {"still_deform.png", "tube, bend: deform factors", "tube", "bend", "deform", PictureKind::posed, 0},
      {"still_truth.png", "tube, bend: truth (transported normals)", "tube", "bend", "", PictureKind::truth,
       0},
      {"run_standard.png", "fox, Run at 1.25 s: standard normals", "fox", "Run", "standard",
       PictureKind::posed, 1.254},
      {"run_deform.png", "fox, Run at 1.25 s: deform factors", "fox", "Run", "deform", PictureKind::posed,
       1.254},
      {"run_truth.png", "fox, Run at 1.25 s: truth (transported normals)", "fox", "Run", "",
       PictureKind::truth, 1.254}};
  ASSERT_EQ(pictures.size(), std::size(expected));
  for (std::size_t i = 0; i < pictures.size(); ++i) {
    EXPECT_EQ(pictures[i].file, expected[i].file);
    EXPECT_EQ(pictures[i].caption, expected[i].caption);
    EXPECT_EQ(pictures[i].rig, expected[i].rig);
    EXPECT_EQ(pictures[i].pose, expected[i].pose);
    EXPECT_EQ(pictures[i].method, expected[i].method);
    EXPECT_EQ(pictures[i].kind, expected[i].kind);
    EXPECT_EQ(pictures[i].time, expected[i].time);
  }
}

// Figures show them from where these numbers say: another view is another picture.
TEST(Frames, CharactersAreOfTheCatalogueAndSeenFromTheirViews) {
  const ModelCase rolls = formal({"Roll", "Run"});
  EXPECT_EQ(rolls.clips, (std::vector<std::string>{"Roll", "Run"}));
  const struct {
    ModelCase of;
    const char* name;
    Vec3d towards_eye;
  } expected[] = {{rolls, "quaternius-formal", {.5, .25, 1}},
                  {cesium_man(), "cesium-man", {.5, .25, 1}},
                  {fox(), "fox", {1, .3, .7}},
                  {quaternius_cactus(), "quaternius-cactus", {.5, .25, 1}}};
  for (const auto& e : expected) {
    EXPECT_EQ(e.of.name, e.name);
    EXPECT_EQ(model(e.of.name).name, e.name);
    ASSERT_TRUE(e.of.view) << e.name;
    EXPECT_EQ(length(e.of.view->towards_eye - e.towards_eye), 0) << e.name;
    EXPECT_EQ(length(e.of.view->up - Vec3d(0, 1, 0)), 0) << e.name;
    EXPECT_FALSE(e.of.optional);
  }
}

TEST(Frames, NamesOfClaimsHaveNoHyphens) { EXPECT_EQ(identifier("-a-bc_d-"), "_a_bc_d_"); }

TEST(Frames, TheMeanErrorIsOverThePosesOfOneRigMethodAndTruth) {
  Results r;
  r.measurements = {
      mean_of(2, "fox", "Run", "deform"),     mean_of(100, "cat", "Run", "deform"),
      mean_of(200, "fox", "Run", "standard"), mean_of(400, "fox", "Run", "deform", Truth::recomputed),
      mean_of(5, "fox", "Walk", "deform"),    mean_of(800, "fox", "Run", "deform", Truth::transported, 1),
      mean_of(17, "fox", "Survey", "deform")};
  EXPECT_DOUBLE_EQ(mean_error(r, "fox", "deform", Truth::transported), 8);
  EXPECT_DOUBLE_EQ(mean_error(r, "fox", "deform", Truth::recomputed), 400);
  EXPECT_DOUBLE_EQ(mean_error(r, "cat", "deform", Truth::transported), 100);
  EXPECT_THROW(mean_error(r, "cat", "standard", Truth::transported), std::logic_error);
}

TEST(Frames, RatiosAreOfDeformFactorsOverTheStandardMethod) {
  Results r;
  r.measurements = {mean_of(3, "cesium-man", "a", "deform"),
                    mean_of(12, "cesium-man", "a", "standard"),
                    mean_of(7, "cesium-man", "a", "deform", Truth::recomputed),
                    mean_of(10, "cesium-man", "a", "standard", Truth::recomputed),
                    mean_of(9, "cesium-man_alike", "a", "deform", Truth::recomputed),
                    mean_of(15, "cesium-man_alike", "a", "standard", Truth::recomputed),
                    mean_of(1, "cesium-man_alike", "a", "deform"),
                    mean_of(50, "cesium-man_alike", "a", "standard")};
  const Finding transported = ratio_finding("cesium-man", Truth::transported),
                recomputed = ratio_finding("cesium-man", Truth::recomputed),
                alike = alike_finding("cesium-man");
  EXPECT_EQ(transported.claim, "cesium_man_ratio_transported");
  EXPECT_DOUBLE_EQ(transported.value(r), .25);
  EXPECT_EQ(recomputed.claim, "cesium_man_ratio_recomputed");
  EXPECT_DOUBLE_EQ(recomputed.value(r), .7);
  EXPECT_EQ(alike.claim, "cesium_man_ratio_alike");
  EXPECT_DOUBLE_EQ(alike.value(r), .6);
}

TEST(Frames, NotBetterCountsEqualMeansAndThoseThatAreNoNumber) {
  Results r;
  const Finding finding = not_better_finding("quaternius-cactus");
  EXPECT_EQ(finding.claim, "quaternius_cactus_not_better");
  const auto clip = [&](const char* pose, double standard, double deform,
                        const char* rig = "quaternius-cactus", Truth truth = Truth::transported) {
    r.measurements.push_back(mean_of(standard, rig, pose, "standard", truth));
    r.measurements.push_back(mean_of(deform, rig, pose, "deform", truth));
    r.measurements.push_back(mean_of(100, rig, pose, "smoothed", truth));
  };
  clip("better", 5, 4.9);
  EXPECT_EQ(finding.value(r), 0);
  clip("equal", 3, 3);
  EXPECT_EQ(finding.value(r), 1);
  clip("other rig", 3, 4, "fox");
  clip("other truth", 3, 4, "quaternius-cactus", Truth::recomputed);
  EXPECT_EQ(finding.value(r), 1);
  clip("worse", 3, 3.1);
  clip("none", 3, std::numeric_limits<double>::quiet_NaN());
  clip("better again", 2, 1);
  EXPECT_EQ(finding.value(r), 3);
}

// Two poses share the time: each is reached in the middle of its half, with no speed, and is left again.
TEST(Frames, ATakeGoesThroughItsPosesAndComesBackToRestBetweenThem) {
  const Vec3d pivot(1, 2, 3);
  const auto turned = [&](Vec3d axis, double radians) {
    return std::vector{turn_about(pivot, axis, radians), identity_transform<double>()};
  };
  const Vec3d first_axis(0, 0, 1), second_axis(.6, 0, .8);
  const Take take = through_poses(
      "All poses", "skirt",
      {{"first", make_pose(turned(first_axis, 1.2))}, {"second", make_pose(turned(second_axis, -2))}});
  EXPECT_EQ(take.title, "All poses");
  EXPECT_EQ(take.subject, "skirt");
  EXPECT_EQ(take.frames, 48);  // of 24 in a second, one second each
  EXPECT_EQ(take.clip, "");
  const struct {
    double time;
    Vec3d axis;
    double radians;
  } expected[] = {{0, first_axis, 0},
                  {1. / 12, first_axis, .25 * 1.2},  // a sixth of the way round: (1 - cos 60) / 2
                  {.125, first_axis, .5 * 1.2},
                  {.25, first_axis, 1.2},
                  {5. / 12, first_axis, .25 * 1.2},
                  {.5, second_axis, 0},
                  {.625, second_axis, .5 * -2},
                  {.75, second_axis, -2},
                  {11. / 12, second_axis, .25 * -2},
                  {1, second_axis, 0}};
  for (const auto& e : expected) {
    const Pose pose = take.pose(e.time);
    const Mat4x3d right = turn_about(pivot, e.axis, e.radians);
    ASSERT_EQ(pose.M.size(), 2u);
    for (int column = 0; column < 4; ++column)
      EXPECT_LT(length(pose.M[0][column] - right[column]), kRounding) << e.time << " " << column;
  }
}

}  // namespace
}  // namespace skinlight::repro
