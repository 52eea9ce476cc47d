// A small experiment run into a folder: what is written there, and what happens where a model is missing.
#include "repro/runner/runner.h"

#include <gmock/gmock.h>
#include <unistd.h>

#include <cstdlib>
#include <nlohmann/json.hpp>

#include "repro/runner/registry.h"
#include "skinlight/core/error.h"
#include "skinlight/core/file.h"
#include "skinlight/samples/procedural.h"
#include "testing/environment.h"

namespace skinlight::repro {
namespace {

namespace fs = std::filesystem;
using ::testing::HasSubstr;
using Json = nlohmann::json;

const Progress kNoWords = [](const std::string&) {};

Claim claim_of(const std::string& name, double expected, double tolerance, double value) {
  Claim c;
  c.name = name;
  c.statement = name + " says";
  c.expected = expected;
  c.tolerance = tolerance;
  c.oracle = name + " oracle";
  c.fails_when = name + " fails when";
  c.why = name + " why";
  c.value = [value](const Results&) { return value; };
  return c;
}

Experiment of_a_pill() {
  Experiment e;
  e.id = "test/of_a_pill";
  e.paper = "Somebody 1999, Fig. 7";
  e.title = "A pill";
  e.says = "It moves.";
  e.rigs = {{"pill", "pill", 8, [] { return pill({.segments = 8}); }}};
  e.poses = {{"rest", [] { return rest_pose(2); }}, {"moved", [] { return cylinder_bend(.7); }}};
  e.methods = {{"standard", "standard normals", {.mode = NormalMode::standard}},
               {"deform", "deform factors", {.mode = NormalMode::deform}}};
  e.npy_rig = "pill";
  e.shot.width = 40;
  e.shot.height = 50;
  e.pictures = {{"shown.png", "It is shown", PictureKind::posed, "pill", "moved", "deform"}};
  e.extra = [](Workbench& bench) {
    bench.write_table("own.csv", "An own table", "a,b\n1,2\n");
    bench.write_image("own.png", "An own picture", Image8(3, 2, {1, 2, 3}));
    bench.write_model_image("hero.png", "A model", "fox", Image8(5, 4, {4, 5, 6}));
    const std::vector<Vec3f> normals = {{1, 2, 3}, {4, 5, 6}};
    bench.write_normals("own.npy", "Own normals", normals);
    bench.results.values["found"] = 17.25;
  };
  Claim found = claim_of("found", 17.25, 0, 0);
  found.value = [](const Results& r) { return r.value("found"); };
  found.paper_value = 17;
  found.kind = ClaimKind::printed;
  Claim agrees = claim_of("agrees", 1e-4, 0, 0);
  agrees.bound = Bound::at_most;
  agrees.value = [](const Results& r) { return r.gpu_cpu_difference; };
  Claim rows = claim_of("rows", 0, 0, 0);
  rows.value = [](const Results& r) { return static_cast<double>(r.measurements.size()); };
  e.claims = {found, agrees, rows, claim_of("no number", 1, 1, std::nan(""))};
  return e;
}

class Runner : public testing::Test {
 protected:
  Runner() : folder_(fs::path(testing::TempDir()) / ("skinlight_runner_test_" + std::to_string(getpid()))) {
    fs::remove_all(folder_);
  }
  ~Runner() override { fs::remove_all(folder_); }
  RunReport run_it(const Experiment& e) { return run(e, studio_, {.out = folder_, .threads = 1}, kNoWords); }
  std::string written(const Experiment& e, const std::string& file) const {
    return read_file(folder_ / e.id / file);
  }
  Json run_json(const Experiment& e) const { return Json::parse(written(e, "run.json")); }

  fs::path folder_;
  const test_environment::Variable models_{"SKINLIGHT_MODELS", folder_ / "no_models"},
      required_{"SKINLIGHT_REQUIRE_MODELS"};
  Studio studio_{Renderer::llvmpipe};
};

TEST_F(Runner, WritesWhatItMeasuredDrewAndJudged) {
  const Experiment e = of_a_pill();
  const RunReport report = run_it(e);
  EXPECT_TRUE(report.failed());
  EXPECT_EQ(report.not_run, "");
  EXPECT_TRUE(report.left_out.empty());
  ASSERT_EQ(report.judgements.size(), 4u);
  EXPECT_EQ(report.judgements[0].verdict, Verdict::reproduced);
  EXPECT_EQ(report.judgements[1].verdict, Verdict::reproduced);
  EXPECT_GT(report.judgements[1].value, 0);
  EXPECT_EQ(report.judgements[2].value,
            2 * (2 * 3 + 1));  // poses, methods against three truths, one truth against another
  EXPECT_EQ(report.judgements[3].verdict, Verdict::failed);

  const Json json = run_json(e);
  EXPECT_EQ(json["id"], "test/of_a_pill");
  EXPECT_EQ(json["order"], experiments().size());  // it is not in the list
  EXPECT_EQ(json["paper"], "Somebody 1999, Fig. 7");
  EXPECT_EQ(json["title"], "A pill");
  EXPECT_EQ(json["says"], "It moves.");
  EXPECT_EQ(json["renderer"]["name"], studio_.renderer_name());
  EXPECT_EQ(json["renderer"]["version"], studio_.renderer_version());
  EXPECT_GT(json["seconds"], 0);
  EXPECT_LT(json["seconds"], 600);
  for (const char* absent : {"not_run", "left_out", "attributions"})
    EXPECT_FALSE(json.contains(absent)) << absent;
  ASSERT_EQ(json["claims"].size(), 4u);
  const Json& found = json["claims"][0];
  EXPECT_EQ(found["name"], "found");
  EXPECT_EQ(found["kind"], "printed");
  EXPECT_EQ(found["statement"], "found says");
  EXPECT_EQ(found["paper_value"], 17);
  EXPECT_EQ(found["expected"], 17.25);
  EXPECT_EQ(found["value"], 17.25);
  EXPECT_EQ(found["tolerance"], 0);
  EXPECT_EQ(found["bound"], "within");
  EXPECT_EQ(found["verdict"], "reproduced");
  EXPECT_EQ(found["oracle"], "found oracle");
  EXPECT_EQ(found["fails_when"], "found fails when");
  EXPECT_EQ(found["why"], "found why");
  EXPECT_FALSE(found.contains("not_run"));
  EXPECT_EQ(json["claims"][1]["bound"], "at_most");
  EXPECT_TRUE(json["claims"][1]["paper_value"].is_null());
  EXPECT_TRUE(json["claims"][3]["value"].is_null());
  EXPECT_EQ(json["claims"][3]["verdict"], "failed");

  const std::vector<std::array<std::string, 4>> outputs = {
      {"normals_pill_rest_standard.npy", "normals", "Normals captured from the GPU: standard normals", ""},
      {"normals_pill_rest_deform.npy", "normals", "Normals captured from the GPU: deform factors", ""},
      {"normals_pill_moved_standard.npy", "normals", "Normals captured from the GPU: standard normals", ""},
      {"normals_pill_moved_deform.npy", "normals", "Normals captured from the GPU: deform factors", ""},
      {"shown.png", "image", "It is shown", ""},
      {"close_up.png", "image",
       "Lines of reflection around one vertex, stripes of 6 degrees, moved; from left to right: standard normals, deform factors",
       ""},
      {"live.json", "live", "", ""},
      {"own.csv", "table", "An own table", ""},
      {"own.png", "image", "An own picture", ""},
      {"hero.png", "image", "A model", "fox"},
      {"own.npy", "normals", "Own normals", ""},
      {"metrics.csv", "table", "Every measurement", ""}};
  ASSERT_EQ(json["outputs"].size(), outputs.size());
  for (std::size_t i = 0; i < outputs.size(); ++i) {
    const Json& output = json["outputs"][i];
    EXPECT_EQ(output["file"], outputs[i][0]);
    EXPECT_EQ(output["kind"], outputs[i][1]);
    if (outputs[i][0] != "live.json") {
      EXPECT_EQ(output["caption"], outputs[i][2]);
    }
    EXPECT_EQ(output.value("model", ""), outputs[i][3]);
    EXPECT_EQ(report.outputs[i].file, outputs[i][0]);
    EXPECT_TRUE(fs::exists(folder_ / e.id / outputs[i][0])) << outputs[i][0];
  }
  EXPECT_EQ(written(e, "own.csv"), "a,b\n1,2\n");
  EXPECT_EQ(read_png(folder_ / e.id / "own.png").width, 3);
  EXPECT_EQ(read_png(folder_ / e.id / "hero.png").width, 5);
  EXPECT_NE(written(e, "normals_pill_moved_standard.npy"), written(e, "normals_pill_moved_deform.npy"));
  EXPECT_NE(written(e, "normals_pill_moved_deform.npy"), written(e, "normals_pill_rest_deform.npy"));
  EXPECT_EQ(written(e, "normals_pill_rest_standard.npy").size() % 16,
            (pill({.segments = 8}).mesh.p0.size() * 12) % 16);
  EXPECT_THAT(written(e, "metrics.csv"), HasSubstr("pill,pill,8,"));
}

TEST_F(Runner, TellsThePlaceInTheList) {
  Experiment e = of_a_pill();
  e.id = experiments()[3].id;
  run_it(e);
  EXPECT_EQ(run_json(e)["order"], 3);
}

TEST_F(Runner, WithRigsLeavesOutWhatAMissingModelIsFor) {
  Experiment e = of_a_pill();
  e.models = {{"fox"}, {.name = "cesium-man", .optional = true}};
  e.claims.resize(1);
  e.claims[0].model = "fox";
  e.claims.push_back(claim_of("own", 3, 0, 3));
  const RunReport report = run_it(e);
  EXPECT_FALSE(report.failed());
  ASSERT_EQ(report.left_out.size(), 1u);
  EXPECT_THAT(report.left_out[0], HasSubstr("fox"));
  EXPECT_EQ(report.judgements[0].verdict, Verdict::not_run);
  EXPECT_EQ(report.judgements[1].verdict, Verdict::reproduced);
  const Json json = run_json(e);
  EXPECT_EQ(json["left_out"][0], report.left_out[0]);
  EXPECT_FALSE(json.contains("not_run"));
  EXPECT_THAT(json["claims"][0]["not_run"].get<std::string>(), HasSubstr("fox"));
  EXPECT_TRUE(json["claims"][0]["value"].is_null());
  ASSERT_EQ(json["attributions"].size(), 1u);  // of what it would have shown, but for what it can do without
  const ModelEntry& fox = model("fox");
  EXPECT_EQ(json["attributions"][0]["model"], "fox");
  EXPECT_EQ(json["attributions"][0]["attribution"], fox.attribution);
  EXPECT_EQ(json["attributions"][0]["licence"], fox.licence);
  EXPECT_EQ(json["attributions"][0]["source"], fox.source());
}

TEST_F(Runner, WithoutRigsDoesNotRunWhereAModelIsMissing) {
  Experiment e = of_a_pill();
  e.rigs.clear();
  e.pictures.clear();
  e.npy_rig = "";
  e.models = {{"fox"}};
  const RunReport report = run_it(e);
  EXPECT_FALSE(report.failed());
  EXPECT_THAT(report.not_run, HasSubstr("fox"));
  EXPECT_TRUE(report.left_out.empty());
  EXPECT_TRUE(report.outputs.empty());
  ASSERT_EQ(report.judgements.size(), 4u);
  for (const Judgement& j : report.judgements) EXPECT_EQ(j.verdict, Verdict::not_run);
  EXPECT_EQ(run_json(e)["not_run"], report.not_run);
  EXPECT_FALSE(fs::exists(folder_ / e.id / "metrics.csv"));
}

TEST_F(Runner, AMissingModelIsAnErrorWhereModelsAreRequired) {
  Experiment e = of_a_pill();
  e.models = {{.name = "cesium-man", .optional = true}};
  required_.set("1");
  EXPECT_NO_THROW(run_it(e));
  e.models.push_back({"fox"});
  EXPECT_THROW(run_it(e), InputError);
  required_.set("0");
  EXPECT_NO_THROW(run_it(e));
}

TEST_F(Runner, FilmsWhatHasTakesAndKeepsTheFramesWhereNothingEncodesThem) {
  Experiment e = of_a_pill();
  const test_environment::Variable path("PATH", folder_);
  const auto filmed = [&] {
    return run(e, studio_, {.out = folder_, .threads = 1, .video = true}, kNoWords);
  };
  EXPECT_EQ(filmed().note, "");  // without takes
  e.video = {{.title = "pill", .subject = "pill", .pose = [](double) { return pill_pose(); }, .frames = 2}};
  const RunReport report = filmed();
  EXPECT_THAT(report.note, HasSubstr("no video: "));
  EXPECT_THAT(report.note, HasSubstr("its 2 frames are kept as pictures in video/"));
  EXPECT_TRUE(fs::exists(folder_ / e.id / "video/0002.png"));
  const Output& frames = report.outputs[report.outputs.size() - 2];
  EXPECT_EQ(frames.file, "video/0001.png");
  EXPECT_EQ(frames.kind, "frames");
  EXPECT_THAT(frames.caption, HasSubstr("The first of 2 frames"));
  EXPECT_EQ(run_it(e).note, "");  // nobody asked for a video
}

}  // namespace
}  // namespace skinlight::repro
