// What the page shows in motion begins at rest and ends in the pose, with the normals of the two methods.
#include "repro/runner/live_view.h"

#include <gtest/gtest.h>

#include <cstring>
#include <fstream>
#include <iterator>
#include <nlohmann/json.hpp>

#include "skinlight/preprocess/deform_factors.h"
#include "skinlight/samples/procedural.h"
#include "skinlight/truth/truth.h"

namespace skinlight::repro {
namespace {

namespace fs = std::filesystem;

std::string bytes_of(const fs::path& path) {
  std::ifstream in(path, std::ios::binary);
  return {std::istreambuf_iterator<char>(in), {}};
}

// The rows of an .npy file of version 1.
std::vector<Vec3f> rows_of(const fs::path& path) {
  const std::string bytes = bytes_of(path);
  const std::size_t start =
      10 + static_cast<unsigned char>(bytes.at(8)) + 256u * static_cast<unsigned char>(bytes.at(9));
  std::vector<Vec3f> rows((bytes.size() - start) / sizeof(Vec3f));
  std::memcpy(static_cast<void*>(rows.data()), bytes.data() + start, rows.size() * sizeof(Vec3f));
  return rows;
}

Experiment experiment_of(std::vector<MethodCase> methods) {
  Experiment experiment;
  experiment.rigs = {{"coarse", "", 8, [] { return pill({.segments = 8}); }},
                     {"fine", "", 16, [] { return pill({.segments = 16}); }},
                     {"large", "", 96, [] { return pill({.segments = 96}); }}};
  experiment.poses = {{"posed", pill_pose}};
  experiment.methods = std::move(methods);
  return experiment;
}

const MethodCase kStandard{"standard", "standard", {.mode = NormalMode::standard}},
    kDeform{"deform", "deform factors", {.mode = NormalMode::deform}};

class LiveView : public testing::Test {
 protected:
  void SetUp() override {
    folder_ = fs::temp_directory_path() / (std::string("skinlight_live_") +
                                           testing::UnitTest::GetInstance()->current_test_info()->name());
    fs::remove_all(folder_);
    fs::create_directories(folder_);
  }
  void TearDown() override { fs::remove_all(folder_); }
  fs::path folder_;
};

TEST_F(LiveView, GoesFromRestToThePoseOfTheFinestRigThatIsSmallEnough) {
  const Experiment experiment = experiment_of({kDeform, kStandard});
  ASSERT_GT(pill({.segments = 96}).mesh.vertex_count(), kMostLiveVertices);
  std::vector<Output> outputs;
  write_live_view(experiment, 1, folder_, outputs);
  ASSERT_EQ(outputs.size(), 1u);
  EXPECT_EQ(outputs[0].kind, "live");
  const auto json = nlohmann::json::parse(bytes_of(folder_ / outputs[0].file));
  EXPECT_EQ(json["rig"], "fine");
  EXPECT_EQ(json["standard"], "standard");
  EXPECT_EQ(json["better"], "deform factors");
  const RiggedMesh mesh = pill({.segments = 16}).mesh;
  ASSERT_EQ(json["faces"].size(), mesh.faces.size());
  const auto positions = rows_of(folder_ / "live/positions.npy");
  const auto standard = rows_of(folder_ / "live/standard.npy"), better = rows_of(folder_ / "live/better.npy");
  const std::size_t vertices = mesh.p0.size(), last = (kLiveFrames - 1) * vertices;
  ASSERT_EQ(positions.size(), kLiveFrames * vertices);
  ASSERT_EQ(standard.size(), positions.size());
  ASSERT_EQ(better.size(), positions.size());
  constexpr double kFloat = 1e-6;  // the pill is a few units long
  double apart = 0, sheared = 0;
  for (std::size_t v = 0; v < vertices; ++v) {
    EXPECT_LE(length(Vec3d(positions[v]) - mesh.p0[v]), kFloat);
    EXPECT_LE(length(Vec3d(standard[v]) - Vec3d(better[v])), kFloat);  // nothing is deformed
    apart = std::max(apart, length(Vec3d(standard[last + v]) - Vec3d(better[last + v])));
    sheared = std::max(sheared, length(Vec3d(positions[last + v]) - mesh.p0[v]));
    // Both bones stay at their height: the pose only shears.
    EXPECT_LE(std::abs(positions[last + v].z - mesh.p0[v].z), kFloat);
  }
  EXPECT_GT(apart, .2);
  EXPECT_GT(sheared, .5);
}

TEST_F(LiveView, IsNotWrittenWithoutTwoMethodsOfOneSkinning) {
  for (const std::vector<MethodCase>& methods :
       {std::vector{kStandard}, std::vector{kDeform},
        std::vector{kStandard,
                    MethodCase{"dqs", "dqs", {.method = Method::dqs, .mode = NormalMode::deform}}}}) {
    std::vector<Output> outputs;
    write_live_view(experiment_of(methods), 1, folder_, outputs);
    EXPECT_TRUE(outputs.empty());
    EXPECT_FALSE(fs::exists(folder_ / kLiveFile));
  }
}

}  // namespace
}  // namespace skinlight::repro
