// What the studies of exact normals share: their table against loops of this test's own, and what claims look up in it, on
// tables made up with numbers that are all different.
#include "repro/study/exact.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <stdexcept>

#include "repro/runner/csv.h"
#include "repro/runner/model_catalogue.h"
#include "repro/study/kept_bench.h"
#include "skinlight/mesh/normals.h"
#include "skinlight/render/image_compare.h"
#include "skinlight/samples/cuboid.h"

namespace skinlight::repro {
namespace {

// Two ways of linear blend skinning, one of dual quaternions.
ExactStudy three_ways() {
  ExactStudy study;
  study.methods = {{"plain", "plain normals", {.mode = NormalMode::standard}},
                   {"better", "deform factors", {.mode = NormalMode::deform}},
                   {"turned", "dual quaternions", {.method = Method::dqs, .mode = NormalMode::standard}}};
  study.table = {study.methods[2], study.methods[0]};
  study.shown = {"plain", "better", "turned"};
  study.shown_on_models = {"turned", "plain"};
  study.drawn = {{MotionKind::twist, 120}, {MotionKind::bend, 60}};
  study.models = {wolf()};
  study.frames = {{"howl", "quaternius-wolf", "Howl", 1.5}};
  return study;
}

double moved_apart(const Pose& a, const Pose& b) {
  double largest = a.M.size() == b.M.size() ? 0 : 1e9;
  for (std::size_t bone = 0; bone < a.M.size(); ++bone)
    for (int column = 0; column < 4; ++column)
      largest = std::fmax(largest, length(a.M[bone][column] - b.M[bone][column]));
  return largest;
}

TEST(ExactStudy, MeasuresTheTubeOfFourSizesInSixMotions) {
  const Experiment e = exact_experiment(three_ways());
  ASSERT_EQ(e.rigs.size(), 4u);
  const int segments[] = {12, 24, 48, 96};
  for (std::size_t i = 0; i < 4; ++i) {
    EXPECT_EQ(e.rigs[i].name, "cylinder_" + std::to_string(segments[i]));
    EXPECT_EQ(e.rigs[i].family, "cylinder");
    EXPECT_EQ(e.rigs[i].resolution, segments[i]);
    const RiggedMesh mesh = e.rigs[i].make().mesh;
    const RiggedMesh right =
        cylinder({.half_length = 3, .half_blend = 2, .ramp = Ramp::smootherstep}, {.segments = segments[i]})
            .mesh;
    ASSERT_EQ(mesh.vertex_count(), right.vertex_count());
    for (std::size_t v = 0; v < mesh.p0.size(); ++v) ASSERT_EQ(length(mesh.p0[v] - right.p0[v]), 0);
    EXPECT_EQ(mesh.weight, right.weight);
  }
  const std::pair<const char*, Pose> motions[] = {
      {"twist_60", cylinder_twist(M_PI / 3)},        {"twist_120", cylinder_twist(2 * M_PI / 3)},
      {"twist_170", cylinder_twist(17 * M_PI / 18)}, {"bend_30", cylinder_bend(M_PI / 6)},
      {"bend_60", cylinder_bend(M_PI / 3)},          {"bend_90", cylinder_bend(M_PI / 2)}};
  ASSERT_EQ(e.poses.size(), std::size(motions));
  for (std::size_t i = 0; i < e.poses.size(); ++i) {
    EXPECT_EQ(e.poses[i].name, motions[i].first);
    EXPECT_LT(moved_apart(e.poses[i].make(), motions[i].second), 1e-12) << motions[i].first;
  }
  EXPECT_EQ(e.methods.size(), 3u);
  EXPECT_EQ(e.npy_rig, e.rigs[0].name);
  EXPECT_EQ(e.models.size(), 1u);
  EXPECT_EQ(e.frames, 4);
}

// From the side, along no axis, as wide as three of them fit beside each other.
TEST(ExactStudy, TubesAreSeenFromTheSide) {
  const Shot shot = exact_experiment(three_ways()).shot;
  EXPECT_EQ(length(shot.view.towards_eye - Vec3d(1, -.35, .15)), 0);
  EXPECT_EQ(length(shot.view.up - Vec3d(0, 0, 1)), 0);
  EXPECT_EQ(shot.view.fov_degrees, 0);
  EXPECT_EQ(shot.width, 260);
  EXPECT_EQ(shot.height, 330);
  EXPECT_EQ(shot.error_max_degrees, 30);
}

TEST(ExactStudy, MotionsAreNamedInFilesAndForPeople) {
  const TubeMotion bend{MotionKind::bend, 30}, twist{MotionKind::twist, 170};
  EXPECT_EQ(bend.name(), "bend_30");
  EXPECT_EQ(bend.words(), "30 degrees, bend");
  EXPECT_EQ(twist.name(), "twist_170");
  EXPECT_EQ(twist.words(), "170 degrees, twist");
  EXPECT_EQ(there_and_back(0), 0);
  EXPECT_NEAR(there_and_back(1. / 6), .25, 1e-15);
  EXPECT_NEAR(there_and_back(.5), 1, 1e-15);
  EXPECT_NEAR(there_and_back(.75), .5, 1e-15);
  EXPECT_NEAR(there_and_back(1), 0, 1e-15);
}

// Every way with its error, and the truth of each skinning once, behind the first way that has it.
TEST(ExactStudy, TheTruthOfEachSkinningIsDrawnOnce) {
  const Experiment e = exact_experiment(three_ways());
  const struct {
    const char *file, *caption;
    PictureKind kind;
    const char* method;
  } expected[] = {
      {"twist_120_plain.png", "120 degrees, twist: plain normals", PictureKind::posed, "plain"},
      {"twist_120_error_plain.png", "120 degrees, twist: error of plain normals", PictureKind::error,
       "plain"},
      {"twist_120_truth_lbs.png", "120 degrees, twist: truth, lbs", PictureKind::truth, "plain"},
      {"twist_120_better.png", "120 degrees, twist: deform factors", PictureKind::posed, "better"},
      {"twist_120_error_better.png", "120 degrees, twist: error of deform factors", PictureKind::error,
       "better"},
      {"twist_120_turned.png", "120 degrees, twist: dual quaternions", PictureKind::posed, "turned"},
      {"twist_120_error_turned.png", "120 degrees, twist: error of dual quaternions", PictureKind::error,
       "turned"},
      {"twist_120_truth_dqs.png", "120 degrees, twist: truth, dqs", PictureKind::truth, "turned"},
      {"bend_60_plain.png", "60 degrees, bend: plain normals", PictureKind::posed, "plain"},
      {"bend_60_error_plain.png", "60 degrees, bend: error of plain normals", PictureKind::error, "plain"},
      {"bend_60_truth_lbs.png", "60 degrees, bend: truth, lbs", PictureKind::truth, "plain"},
      {"bend_60_better.png", "60 degrees, bend: deform factors", PictureKind::posed, "better"},
      {"bend_60_error_better.png", "60 degrees, bend: error of deform factors", PictureKind::error, "better"},
      {"bend_60_turned.png", "60 degrees, bend: dual quaternions", PictureKind::posed, "turned"},
      {"bend_60_error_turned.png", "60 degrees, bend: error of dual quaternions", PictureKind::error,
       "turned"},
      {"bend_60_truth_dqs.png", "60 degrees, bend: truth, dqs", PictureKind::truth, "turned"},
      {"howl_turned.png", "quaternius-wolf, Howl: dual quaternions", PictureKind::posed, "turned"},
      {"howl_error_turned.png", "quaternius-wolf, Howl: error of dual quaternions", PictureKind::error,
       "turned"},
      {"howl_truth_dqs.png", "quaternius-wolf, Howl: truth, dqs", PictureKind::truth, "turned"},
      {"howl_plain.png", "quaternius-wolf, Howl: plain normals", PictureKind::posed, "plain"},
      {"howl_error_plain.png", "quaternius-wolf, Howl: error of plain normals", PictureKind::error, "plain"},
      {"howl_truth_lbs.png", "quaternius-wolf, Howl: truth, lbs", PictureKind::truth, "plain"}};
  ASSERT_EQ(e.pictures.size(), std::size(expected));
  for (std::size_t i = 0; i < e.pictures.size(); ++i) {
    const Picture& picture = e.pictures[i];
    EXPECT_EQ(picture.file, expected[i].file);
    EXPECT_EQ(picture.caption, expected[i].caption);
    EXPECT_EQ(picture.kind, expected[i].kind) << picture.file;
    EXPECT_EQ(picture.method, expected[i].method) << picture.file;
    const bool of_model = picture.file.starts_with("howl");
    EXPECT_EQ(picture.rig, of_model ? "quaternius-wolf" : "cylinder_96") << picture.file;
    EXPECT_EQ(picture.pose,
              of_model ? "Howl" : picture.file.substr(0, picture.file.find('_', picture.file.find('_') + 1)));
    EXPECT_EQ(picture.time, of_model ? 1.5 : 0) << picture.file;
  }
}

struct TableErrors {
  double mean = 0, rest_mean = 0, max = 0;
};

// What the table has to say, by area at rest and posed.
TableErrors table_errors(const Character& rig, const MethodCase& method, const Pose& pose) {
  const SkinnedMesh<double> posed =
      skin<double>(rig.mesh(), rig.data(method.options.method, method.options.mode), pose, method.options);
  const std::vector<Vec3d> truth = rig.analytic_normals(pose, method.options.method);
  const std::vector<double> areas = vertex_areas(rig.surface(), posed.p),
                            rest_areas = vertex_areas(rig.surface(), rig.mesh().p0);
  TableErrors e;
  double area = 0, rest_area = 0;
  for (std::size_t v = 0; v < truth.size(); ++v) {
    const double degrees = std::acos(std::clamp(dot(posed.n[v], truth[v]), -1., 1.)) * 180 / M_PI;
    e.mean += areas[v] * degrees;
    e.rest_mean += rest_areas[v] * degrees;
    e.max = std::max(e.max, degrees);
    area += areas[v];
    rest_area += rest_areas[v];
  }
  e.mean /= area;
  e.rest_mean /= rest_area;
  return e;
}

class ExactTable : public testing::Test {
 protected:
  static void SetUpTestSuite() {
    kept_ = new test_bench::KeptBench;
    Workbench bench = kept_->bench();
    exact_experiment(three_ways()).extra(bench);
  }
  static void TearDownTestSuite() { delete kept_; }
  static test_bench::KeptBench* kept_;
};
test_bench::KeptBench* ExactTable::kept_ = nullptr;

TEST_F(ExactTable, HasTheErrorsOfBothBodiesInEveryMotionByEveryMethod) {
  constexpr double kAcos = 2e-6;  // degrees: what acos of a rounded cosine loses near zero
  const ExactStudy study = three_ways();
  const Character tube(tube_case(96).make(), {}, 1), block(cuboid({.shared = true}), {}, 1);
  std::string csv = "body,motion,method,mean_deg,rest_mean_deg,max_deg\n";
  EXPECT_EQ(kept_->results.values.size(), 2u * 6u * 2u * 3u);
  for (const bool of_tube : {true, false})
    for (const TubeMotion& motion : kMotions) {
      const bool twists = motion.kind == MotionKind::twist;
      const Pose pose =
          of_tube ? motion.pose() : cuboid_pose(twists ? motion.degrees : 0, twists ? 0 : motion.degrees);
      for (const MethodCase& method : study.table) {
        const std::string body = of_tube ? "tube" : "cuboid";
        const TableErrors right = table_errors(of_tube ? tube : block, method, pose);
        const auto found = [&](TableFigure figure) {
          return table(kept_->results, body, motion, method.name, figure);
        };
        EXPECT_NEAR(found(TableFigure::mean), right.mean, kAcos) << body << motion.name() << method.name;
        EXPECT_NEAR(found(TableFigure::rest_mean), right.rest_mean, kAcos)
            << body << motion.name() << method.name;
        EXPECT_NEAR(found(TableFigure::max), right.max, kAcos) << body << motion.name() << method.name;
        csv += csv_row({body, motion.name(), method.name},
                       {found(TableFigure::mean), found(TableFigure::rest_mean), found(TableFigure::max)});
      }
    }
  ASSERT_EQ(kept_->tables.size(), 1u);
  EXPECT_EQ(kept_->tables["errors.csv"].second, csv);
}

TEST_F(ExactTable, ComesWithPicturesOfTheCuboidTwistedAndBent) {
  const std::pair<const char*, const char*> expected[] = {
      {"cuboid_better.png", "deform factors"},
      {"cuboid_error_better.png", "error of deform factors"},
      {"cuboid_error_plain.png", "error of plain normals"},
      {"cuboid_error_turned.png", "error of dual quaternions"},
      {"cuboid_plain.png", "plain normals"},
      {"cuboid_truth_dqs.png", "truth, dqs"},
      {"cuboid_truth_lbs.png", "truth, lbs"},
      {"cuboid_turned.png", "dual quaternions"}};
  ASSERT_EQ(kept_->pictures.size(), std::size(expected));
  for (const auto& [file, words] : expected) {
    ASSERT_TRUE(kept_->pictures.contains(file)) << file;
    EXPECT_EQ(kept_->pictures[file].caption,
              std::string("Cuboid, twist of 120 and bend of 60 degrees: ") + words);
  }
  // The same, posed by the CPU.
  const Character block(cuboid({.shared = true}), {}, 1);
  const Pose pose = cuboid_pose(120, 60);
  const auto posed = skin<double>(block.mesh(), block.data(Method::lbs, NormalMode::standard), pose,
                                  {.mode = NormalMode::standard});
  const auto turned = skin<double>(block.mesh(), block.data(Method::dqs, NormalMode::standard), pose,
                                   {.method = Method::dqs, .mode = NormalMode::standard});
  const Framing framing = framing_of(tube_shot(), {to_float(posed.p)});
  constexpr double kUnseen = .5;  // of 255, on average: rounding at edges
  const auto apart = [&](const char* file, const Image8& right) {
    const Image8& image = kept_->pictures[file].image;
    EXPECT_EQ(image.rgb.size(), right.rgb.size());
    double sum = 0;
    for (std::size_t i = 0; i < right.rgb.size(); ++i) sum += std::abs(image.rgb[i] - right.rgb[i]);
    return sum / static_cast<double>(right.rgb.size());
  };
  Studio& studio = kept_->studio;
  const std::vector<Face>& faces = block.mesh().faces;
  const auto truth = to_float(block.analytic_normals(pose, Method::lbs)),
             turned_truth = to_float(block.analytic_normals(pose, Method::dqs));
  const auto drawn = [&](const auto& mesh) {
    return studio.shaded(faces, to_float(mesh.p), to_float(mesh.n), framing);
  };
  EXPECT_LT(apart("cuboid_plain.png", drawn(posed)), kUnseen);
  EXPECT_LT(apart("cuboid_turned.png", drawn(turned)), kUnseen);
  EXPECT_GT(apart("cuboid_turned.png", drawn(posed)), 2 * kUnseen) << "too easy a test";
  EXPECT_LT(apart("cuboid_error_plain.png",
                  studio.error_map(faces, to_float(posed.p), to_float(posed.n), truth, framing, 30)),
            kUnseen);
  EXPECT_LT(apart("cuboid_error_turned.png",
                  studio.error_map(faces, to_float(turned.p), to_float(turned.n), turned_truth, framing, 30)),
            kUnseen);
}

// Values of a table, each its own.
Results made_up_table() {
  Results r;
  double next = 1;
  for (const char* body : {"cuboid", "tube"})
    for (const TubeMotion& motion : kMotions)
      for (const char* method : {"plain", "deform-factors"})
        for (const char* figure : {"mean", "rest_mean", "max"})
          r.values[std::string(body) + "/" + motion.name() + "/" + method + "/" + figure] = next++;
  return r;
}

// Six numbers of a motion; the cuboid has 1 .. 36, the tube 37 .. 72.
TEST(ExactFindings, LookUpOneNumberOfTheTable) {
  const Results r = made_up_table();
  EXPECT_EQ(table(r, "cuboid", kMotions[0], "plain", TableFigure::mean), 1);
  EXPECT_EQ(table(r, "cuboid", kMotions[5], "deform-factors", TableFigure::rest_mean), 35);
  EXPECT_EQ(table(r, "tube", kMotions[2], "plain", TableFigure::max), 36 + 12 + 3);
  const Finding finding = tube_finding(kMotions[4], "deform-factors");
  EXPECT_EQ(finding.claim, "tube_deform_factors_bend_60");
  EXPECT_EQ(finding.value(r), 36 + 24 + 5);
  EXPECT_THROW(table(r, "cuboid", kMotions[0], "none", TableFigure::mean), std::logic_error);
}

TEST(ExactFindings, TheLargestIsOverTheMotionsOfOneKind) {
  Results r = made_up_table();
  EXPECT_EQ(largest(r, "cuboid", MotionKind::twist, "plain", TableFigure::mean), 13);
  EXPECT_EQ(largest(r, "cuboid", MotionKind::bend, "deform-factors", TableFigure::max), 36);
  EXPECT_EQ(largest(r, "tube", MotionKind::twist, "deform-factors", TableFigure::rest_mean), 36 + 12 + 5);
  r.values["cuboid/twist_60/plain/mean"] = 1000;
  EXPECT_EQ(largest(r, "cuboid", MotionKind::twist, "plain", TableFigure::mean), 1000);
  for (auto& [key, value] : r.values) value *= 1e-3;
  EXPECT_DOUBLE_EQ(largest(r, "tube", MotionKind::twist, "plain", TableFigure::mean), (36 + 13) * 1e-3);
}

// By three last digits below, by two above.
TEST(ExactFindings, MaximaMoveUpAndDownInUnitsOfTheirLastDigit) {
  const Results r = made_up_table();
  const double first = table(r, "tube", kMotions[0], "plain", TableFigure::max),
               second = table(r, "tube", kMotions[3], "deform-factors", TableFigure::max);
  const auto moved = [&](double by_first, double by_second) {
    const Finding finding = maxima_finding({{kMotions[0], "plain", first + by_first, .5},
                                            {kMotions[3], "deform-factors", second + by_second, .01}});
    EXPECT_EQ(finding.claim, "tube_maxima");
    return finding.value(r);
  };
  constexpr double kRounding = 1e-10;
  EXPECT_EQ(moved(0, 0), 0);
  EXPECT_NEAR(moved(1.5, 0), 3, kRounding);
  EXPECT_NEAR(moved(-1, 0), 2, kRounding);
  EXPECT_NEAR(moved(-.1, .07), 7, kRounding);
  EXPECT_NEAR(moved(.1, -.004), .4, kRounding);
}

TEST(ExactFindings, ModelsAreComparedByTheirMeansOverClips) {
  Results r;
  const auto add = [&](const char* rig, const char* pose, const char* method, Truth truth, double mean) {
    Measurement m{rig, "model", 0, 5, pose, method, std::string(name(truth)), {}};
    m.error.mean = mean;
    r.measurements.push_back(m);
  };
  add("quaternius-wolf", "run", "sbs-exact", Truth::transported, 1);
  add("quaternius-wolf", "walk", "sbs-exact", Truth::transported, 4);
  add("quaternius-wolf", "run", "plain", Truth::transported, 8);
  add("quaternius-wolf", "walk", "plain", Truth::transported, 12);
  add("quaternius-wolf", "run", "sbs-exact", Truth::recomputed, 100);
  add("quaternius-wolf", "run", "plain", Truth::recomputed, 300);
  const Finding finding = model_finding("quaternius-wolf", "sbs-exact", "plain");
  EXPECT_EQ(finding.claim, "quaternius_wolf_sbs_exact");
  EXPECT_DOUBLE_EQ(finding.value(r), .25);
}

TEST(ExactFindings, TheOrderIsThatOfTheTubeBentBy60AgainstTheAnalyticTruth) {
  Results r;
  for (const char* pose : {"bend_60", "bend_90"})
    for (const char* method : {"plain", "better"})
      for (const Truth truth : {Truth::analytic, Truth::transported})
        for (const int segments : {12, 24, 48, 96}) {
          Measurement m{"", "cylinder", segments, 5, pose, method, std::string(name(truth)), {}};
          const bool wanted =
              std::string(pose) == "bend_60" && std::string(method) == "better" && truth == Truth::analytic;
          m.error.rms = std::pow(segments, wanted ? -2 : -1);
          m.error.mean = 1;
          r.measurements.push_back(m);
        }
  EXPECT_NEAR(order(r, "better"), 2, 1e-12);
  EXPECT_NEAR(order(r, "plain"), 1, 1e-12);
}

// Figures show them from where these numbers say: another view is another picture.
TEST(ExactStudy, ModelsAreOfTheCatalogueAndSeenFromTheirViews) {
  const struct {
    ModelCase of;
    const char* name;
    Vec3d towards_eye, up;
  } expected[] = {{wolf(), "quaternius-wolf", {1, .35, .7}, {0, 1, 0}},
                  {trex(), "trex", {1, .35, .7}, {0, 1, 0}},
                  {velociraptor(), "velociraptor", {1, .35, .7}, {0, 1, 0}},
                  {hand(), "xr-hand-poses", {.3, 1, .3}, {0, 0, -1}}};  // from above, the fingers upwards
  for (const auto& e : expected) {
    EXPECT_EQ(e.of.name, e.name);
    EXPECT_EQ(model(e.of.name).name, e.name);
    ASSERT_TRUE(e.of.view) << e.name;
    EXPECT_EQ(length(e.of.view->towards_eye - e.towards_eye), 0) << e.name;
    EXPECT_EQ(length(e.of.view->up - e.up), 0) << e.name;
  }
}

}  // namespace
}  // namespace skinlight::repro
