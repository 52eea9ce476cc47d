// The place that the program looks at from near.
#include "repro/study/insets.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <set>

#include "repro/runner/csv.h"
#include "repro/study/kept_bench.h"
#include "repro/study/tube_cases.h"
#include "skinlight/core/random.h"
#include "skinlight/render/flip.h"

namespace skinlight::repro {
namespace {

TEST(Insets, TheWindowIsWhereTheMapSumsUpToMost) {
  constexpr int kWidth = 40, kHeight = 50;
  std::vector<float> map(kWidth * kHeight, 0.0F);
  map[7 * kWidth + 3] = 1;  // alone, and larger than any of the others
  for (int y = 30; y < 35; ++y)
    for (int x = 20; x < 25; ++x) map[static_cast<std::size_t>(y * kWidth + x)] = 0.5F;
  const Window w = largest_window(map, kWidth, kHeight, 0.2);  // 10 by 10 pixels
  EXPECT_DOUBLE_EQ(w.width, 10.0 / kWidth);
  EXPECT_DOUBLE_EQ(w.height, 10.0 / kHeight);
  EXPECT_LE(w.left * kWidth, 20);
  EXPECT_GE((w.left + w.width) * kWidth, 25);
  EXPECT_LE(w.top * kHeight, 30);
  EXPECT_GE((w.top + w.height) * kHeight, 35);
  for (float& number : map) number *= 0.01F;  // wherever that is little altogether
  const Window same = largest_window(map, kWidth, kHeight, 0.2);
  EXPECT_EQ(same.width, w.width);
  EXPECT_EQ(same.top, w.top);
}

TEST(Insets, OfEqualWindowsTheFirstIsTaken) {
  const Window w = largest_window(std::vector<float>(30 * 20, 0.25F), 30, 20, 0.5);
  EXPECT_EQ(w.left, 0);
  EXPECT_EQ(w.top, 0);
}

TEST(Insets, AWindowNeverSticksOut) {
  std::vector<float> map(8 * 20, 0.0F);
  map.back() = 1;
  const Window w = largest_window(map, 8, 20, 0.9);  // 18 pixels high would be wider than the picture
  EXPECT_DOUBLE_EQ(w.width, 1);
  EXPECT_DOUBLE_EQ(w.top + w.height, 1);
}

// By sums of every window, on maps whose windows are all different; of some the largest is in a corner.
TEST(Insets, TheWindowIsTheOneOfAllThatALoopFinds) {
  Random random(7);
  const struct {
    int width, height;
    double share;
    int side;  // pixels
  } cases[] = {{9, 7, .43, 3}, {5, 11, .3, 3}, {6, 6, .01, 1}, {4, 12, .5, 4}, {13, 5, 1, 5}, {7, 8, .44, 4}};
  std::set<std::pair<bool, bool>> at_ends;  // where the window touches the right side, the bottom
  for (const auto& c : cases)
    for (int trial = 0; trial < 30; ++trial) {
      std::vector<float> map(static_cast<std::size_t>(c.width * c.height));
      for (float& number : map)
        number = static_cast<float>(1 + .1 * random.uniform());  // sums differ by little
      double most = -1;
      int left = 0, top = 0;
      for (int y = 0; y + c.side <= c.height; ++y)
        for (int x = 0; x + c.side <= c.width; ++x) {
          double sum = 0;
          for (int i = 0; i < c.side * c.side; ++i)
            sum += static_cast<double>(
                map[static_cast<std::size_t>((y + i / c.side) * c.width + x + i % c.side)]);
          if (sum <= most) continue;
          most = sum;
          left = x;
          top = y;
        }
      const Window w = largest_window(map, c.width, c.height, c.share);
      EXPECT_DOUBLE_EQ(w.left * c.width, left);
      EXPECT_DOUBLE_EQ(w.top * c.height, top);
      EXPECT_DOUBLE_EQ(w.width * c.width, c.side);
      EXPECT_DOUBLE_EQ(w.height * c.height, c.side);
      at_ends.emplace(left + c.side == c.width, top + c.side == c.height);
    }
  EXPECT_EQ(at_ends.size(), 4u);
  EXPECT_THROW(largest_window(std::vector<float>(11, 1), 3, 4, .5), std::out_of_range);
}

TEST(Insets, RoundingDoesNotDecideBetweenEquals) {
  std::vector<float> map(20 * 10, 0.0F);
  map[0] = 1;
  map[199] = std::nextafter(1.0F, 2.0F);  // more by 1e-7 in all: that decides
  EXPECT_EQ(largest_window(map, 20, 10, .2).left * 20, 18);
  // Sums of tenths of floats in another order: less than 1e-9 apart.
  Random random(3);
  std::vector<float> row(20);
  for (float& number : row) number = static_cast<float>(random.uniform());
  for (std::size_t y = 0; y < 10; ++y)
    std::copy(row.begin(), row.end(), map.begin() + static_cast<std::ptrdiff_t>(20 * y));
  EXPECT_EQ(largest_window(map, 20, 10, .2).top, 0);
}

// A camera of this test's own at (0, 0, 10) that looks down z, 40 degrees wide.
Framing from_above(bool perspective) {
  Framing whole;
  whole.camera.eye = {0, 0, 10};
  whole.camera.right = {1, 0, 0};
  whole.camera.up = {0, 1, 0};
  whole.camera.back = {0, 0, 1};
  whole.camera.perspective = perspective;
  whole.camera.half_width = perspective ? .5 : 5;
  whole.camera.half_height = perspective ? .25 : 2.5;
  whole.width = 400;
  whole.height = 200;
  return whole;
}

void expect_camera(const Framing& found, const Shot& shot, const std::vector<Vec3f>& seen) {
  View view = shot.view;
  view.margin = 0;
  const Camera right = frame(std::span<const Vec3f>(seen), view, 1);
  EXPECT_EQ(found.width, kInsetPixels);
  EXPECT_EQ(found.height, kInsetPixels);
  EXPECT_EQ(length(found.camera.eye - right.eye), 0);
  EXPECT_EQ(length(found.camera.back - right.back), 0);
  EXPECT_EQ(found.camera.half_width, right.half_width);
  EXPECT_EQ(found.camera.half_height, right.half_height);
}

// At z = 0 the picture is 10 by 5, at z = 5 in perspective half of that. Points stand a little inside of the window's sides
// and a little outside.
TEST(Insets, TheCloserCameraSeesThePointsOfTheWindow) {
  const Shot shot{
      .view = {.towards_eye = {.2, .1, 1}, .fov_degrees = 30, .margin = .3}, .width = 400, .height = 200};
  const Window window{.5, .2, .2, .4};  // x from 0 to 2, y from 1.5 down to -.5
  for (const bool perspective : {true, false}) {
    const float depth = perspective ? .5F : 1.F;  // what is half as far looks twice as large
    const std::vector<Vec3f> inside = {{.01F, 1.49F, 0},
                                       {1.99F, -.49F, 0},
                                       {1, .5F, 0},
                                       {depth * 1.98F, depth * 1.48F, 5}},
                             outside = {{-.01F, .5F, 0}, {2.01F, .5F, 0},          {1, 1.51F, 0},
                                        {1, -.51F, 0},   {depth * 2.02F, 0.1F, 5}, {.1F, depth * 1.52F, 5}};
    std::vector<Vec3f> all = outside;
    all.insert(all.begin() + 2, inside.begin(), inside.end());
    expect_camera(look_closer(from_above(perspective), window, all, shot), shot, inside);
  }
}

// Windows with fewer than three points grow by half about their middle.
TEST(Insets, TheWindowGrowsUntilThreePointsAreInIt) {
  const Shot shot{.view = {.towards_eye = {0, 0, 1}}};
  const Window window{.5, .4, .2,
                      .4};  // x from 0 to 2, y from .5 to -1.5; half as large again: -.5 to 2.5, 1 to -2
  const std::vector<Vec3f> seen = {
      {.1F, 0, 0}, {1.9F, -.1F, 0}, {-.49F, -.2F, 0}, {2.49F, -1.99F, 0}, {2.2F, .99F, 0}};
  std::vector<Vec3f> all = seen;
  all.insert(all.begin(), {{-.51F, 0, 0}, {2.51F, 0, 0}, {1, 1.01F, 0}, {1, -2.01F, 0}});
  expect_camera(look_closer(from_above(true), window, all, shot), shot, seen);
  // Two are too few, three are enough.
  std::vector<Vec3f> three = {{.1F, 0, 0}, {1.9F, -.1F, 0}, {1, .2F, 0}};
  all.push_back(three[2]);
  expect_camera(look_closer(from_above(true), window, all, shot), shot, three);
}

TEST(Insets, AWholeFrameIsAsLargeAsItIs) {
  const Shot shot =
      whole_shot({.view = {.towards_eye = {1, 2, 3}}, .width = 12, .height = 34, .error_max_degrees = 5});
  EXPECT_EQ(shot.width, 400);
  EXPECT_EQ(shot.height, 560);
  EXPECT_EQ(shot.error_max_degrees, 5);
  EXPECT_EQ(shot.view.towards_eye.y, 2);
}

// A tube bent and twisted in two frames, three ways.
TEST(Insets, AreDrawnInEveryWayWhereTheFirstIsMostVisiblyOff) {
  Experiment e;
  e.rigs = {tube_case(24)};
  e.poses = {pose_case({MotionKind::bend, 90}), pose_case({MotionKind::twist, 120})};
  e.methods = {{"deform", "deform factors", {.mode = NormalMode::deform}},
               {"standard", "plain normals", {.mode = NormalMode::standard}},
               {"smooth", "smooth weights", {.mode = NormalMode::smoothed}}};
  e.shot = tube_shot();
  const Ways ways = {"standard", "smooth"};
  test_bench::KeptBench kept;
  Workbench bench = kept.bench();
  draw_insets(e, {{"one", "cylinder_24", "bend_90"}, {"two", "cylinder_24", "twist_120"}}, bench, ways);

  std::string table =
      "stem,left,top,width,height,lines_standard,shaded_standard,lines_smooth,shaded_smooth\n";
  const std::pair<const char*, const char*> frames[] = {{"one", "bend_90"}, {"two", "twist_120"}};
  EXPECT_EQ(kept.pictures.size(), 2u * (1 + 2 + 2 * 3));
  const Subject subject = subject_of(e.rigs[0], 1);
  for (const auto& [name, pose] : frames) {
    const std::string stem(name);
    const auto image = [&](const std::string& what, const std::string& words) -> const Image8& {
      const std::string file = stem + "_" + what + ".png";
      EXPECT_TRUE(kept.pictures.contains(file)) << file;
      EXPECT_EQ(kept.pictures[file].caption, stem + ": " + words);
      EXPECT_EQ(kept.pictures[file].model, "");
      return kept.pictures[file].image;
    };
    // The whole frame again, and where it is off.
    PosedSubject posed(e, subject, named(e.poses, pose).make(), kept.studio, 1);
    const Framing whole = framing_of(whole_shot(e.shot), {posed.points("standard")});
    const FlipDifference seen = flip(kept.studio.reflection(posed.posed("standard"), whole),
                                     kept.studio.reflection(posed.truth("standard"), whole));
    const Window window = largest_window(seen.map, seen.width, seen.height, kInsetShare);
    const Framing near = look_closer(whole, window, posed.points("standard"), whole_shot(e.shot));
    EXPECT_EQ(image("whole", "plain normals").rgb, kept.studio.shaded(posed.posed("standard"), whole).rgb);
    EXPECT_EQ(image("shaded_smooth", "smooth weights").rgb,
              kept.studio.shaded(posed.posed("smooth"), near).rgb);
    EXPECT_EQ(image("lines_smooth", "smooth weights, lines of reflection").rgb,
              kept.studio.reflection(posed.posed("smooth"), near).rgb);
    EXPECT_EQ(
        image("off_smooth", "smooth weights, off the truth").rgb,
        kept.studio.error_map(posed.posed("smooth"), posed.truth("smooth"), near, kInsetErrorDegrees).rgb);
    EXPECT_EQ(
        image("off_standard", "plain normals, off the truth").rgb,
        kept.studio.error_map(posed.posed("standard"), posed.truth("standard"), near, kInsetErrorDegrees)
            .rgb);
    EXPECT_EQ(image("shaded_truth", "truth").rgb, kept.studio.shaded(posed.truth("standard"), near).rgb);

    const Image8 &true_lines = image("lines_truth", "truth, lines of reflection"),
                 &true_shading = image("shaded_truth", "truth");
    const double
        standard_lines =
            flip(image("lines_standard", "plain normals, lines of reflection"), true_lines).weighted_median,
        standard_shading = flip(image("shaded_standard", "plain normals"), true_shading).weighted_median,
        lines =
            flip(image("lines_smooth", "smooth weights, lines of reflection"), true_lines).weighted_median,
        shading = flip(image("shaded_smooth", "smooth weights"), true_shading).weighted_median;
    EXPECT_EQ(kept.results.value(stem + "_lines_standard"), standard_lines);
    EXPECT_EQ(kept.results.value(stem + "_shaded_standard"), standard_shading);
    EXPECT_EQ(kept.results.value(stem + "_lines_smooth"), lines);
    EXPECT_EQ(kept.results.value(stem + "_shaded_smooth"), shading);
    const std::set<double> different = {std::round(50 * standard_lines), std::round(50 * standard_shading),
                                        std::round(50 * lines), std::round(50 * shading)};
    EXPECT_EQ(different.size(), 4u) << "too easy a test";
    table += csv_row({stem}, {window.left, window.top, window.width, window.height, standard_lines,
                              standard_shading, lines, shading});
  }
  ASSERT_EQ(kept.tables.size(), 1u);
  EXPECT_EQ(kept.tables["insets.csv"].second, table);
}

TEST(Insets, FindingsAreHowVisibleStandardNormalsAreAndHowMuchLessTheOthers) {
  Results r;
  r.values = {{"roll_lines_standard", .5}, {"roll_shaded_standard", .4}, {"roll_lines_smooth", .3},
              {"roll_shaded_smooth", .1},  {"roll_lines_deform", .25},   {"roll_shaded_deform", .3}};
  std::vector<Finding> findings;
  add_inset_findings({"roll", "hero", "Roll", 2}, findings, "smooth");
  add_inset_findings({"roll", "hero", "Roll", 2}, findings);
  ASSERT_EQ(findings.size(), 4u);
  EXPECT_EQ(findings[0].claim, "roll_visible");
  EXPECT_EQ(findings[0].value(r), .5);
  EXPECT_EQ(findings[1].claim, "roll_seen_ratio");
  EXPECT_DOUBLE_EQ(findings[1].value(r), .25);
  EXPECT_EQ(findings[3].claim, "roll_seen_ratio");
  EXPECT_DOUBLE_EQ(findings[3].value(r), .75);
}

}  // namespace
}  // namespace skinlight::repro
