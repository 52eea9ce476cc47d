#include "repro/runner/golden_references.h"

#include <gtest/gtest.h>
#include <unistd.h>

#include <fstream>

#include "skinlight/core/error.h"
#include "skinlight/core/file.h"
#include "testing/environment.h"

namespace skinlight::repro {
namespace {

namespace fs = std::filesystem;

// A finished run of a made-up experiment, blessed.
class Golden : public testing::Test {
 protected:
  Golden() {
    folder_ = fs::temp_directory_path() / ("skinlight_golden_test_" + std::to_string(getpid()));
    fs::remove_all(folder_);
    experiment_.id = "paper/figure";
    experiment_.times = {"seconds"};
    write_run({Vec3f(1, 0, 0), Vec3f(0, 1, 0)}, 100);
    bless_golden(experiment_, run(), golden());
  }
  ~Golden() override { fs::remove_all(folder_); }

  fs::path run() const { return folder_ / "run"; }
  fs::path golden() const { return folder_ / "golden"; }
  fs::path failures() const { return folder_ / "failures"; }

  void write_run(const std::vector<Vec3f>& normals, std::uint8_t grey) const {
    write_npy(run() / "n.npy", normals);
    write_png(run() / "p.png", Image8(8, 8, {grey, grey, grey}));
    write_table("5", "1");
    write_file(run() / "run.json",
               R"({"renderer":{"name":"osmesa","version":"1"},"outputs":[{"file":"n.npy","kind":"normals"},)"
               R"({"file":"p.png","kind":"image"},{"file":"metrics.csv","kind":"table"}]})");
  }
  void write_table(const std::string& error, const std::string& seconds) const {
    write_file(run() / "metrics.csv", "rig,error,seconds\npill," + error + "," + seconds + "\n");
  }
  std::vector<GoldenMismatch> check() const { return check_golden(experiment_, run(), golden(), failures()); }

  fs::path folder_;
  Experiment experiment_;
};

TEST_F(Golden, TheBlessedRunMatches) {
  EXPECT_TRUE(check().empty());
  EXPECT_FALSE(fs::exists(failures() / experiment_.id));
}

TEST_F(Golden, PicturesOfModelsAreNoReferences) {
  const auto with_model_picture = [&](const char* model) {
    write_png(run() / "fox.png", Image8(8, 8, {1, 2, 3}));
    write_file(
        run() / "run.json",
        std::string(
            R"({"renderer":{"name":"osmesa","version":"1"},"outputs":[{"file":"n.npy","kind":"normals"},)"
            R"({"file":"p.png","kind":"image"},{"file":"metrics.csv","kind":"table"},{"file":"fox.png","kind":"image")") +
            model + "}]}");
  };
  with_model_picture(R"(,"model":"fox")");
  EXPECT_TRUE(check().empty());
  bless_golden(experiment_, run(), golden());
  EXPECT_FALSE(fs::exists(golden() / "images/paper/figure/fox.png"));
  with_model_picture("");
  ASSERT_EQ(check().size(), 1u);
  EXPECT_EQ(check()[0].file, "fox.png");
}

TEST_F(Golden, ATurnedNormalLeavesActualExpectedAndNumbers) {
  write_run({Vec3f(1, 0, 0), Vec3f(0, 1, 2e-5F)}, 100);
  const auto found = check();
  ASSERT_EQ(found.size(), 1u);
  EXPECT_EQ(found[0].file, "n.npy");
  EXPECT_EQ(read_npy(failures() / "paper/figure/actual_n.npy")[1].z, 2e-5F);
  EXPECT_EQ(read_npy(failures() / "paper/figure/expected_n.npy")[1].z, 0.0F);
  EXPECT_NE(read_file(failures() / "paper/figure/numbers.txt").find("n.npy"), std::string::npos);
}

TEST_F(Golden, AnotherPictureLeavesADifferenceToo) {
  write_run({Vec3f(1, 0, 0), Vec3f(0, 1, 0)}, 110);
  const auto found = check();
  ASSERT_EQ(found.size(), 1u);
  EXPECT_EQ(found[0].file, "p.png");
  for (const char* file : {"actual_p.png", "expected_p.png", "difference_p.png"})
    EXPECT_EQ(read_png(failures() / "paper/figure" / file).width, 8) << file;
}

// The manifest that a blessing writes is as strict as it says: tried five per cent within each tolerance and beyond.
TEST_F(Golden, NormalsAreHeldToTheirTolerance) {
  write_run({Vec3f(1, 0, 0), Vec3f(0, 1, 0.95e-5F)}, 100);
  EXPECT_TRUE(check().empty());
  write_run({Vec3f(1, 0, 0), Vec3f(0, 1, 1.05e-5F)}, 100);
  EXPECT_EQ(check().size(), 1u);
}

TEST_F(Golden, PicturesAreHeldToTheirTolerances) {
  const auto found_with = [&](int channel, int by, int pixels) {
    Image8 picture(100, 30, {100, 110, 120});
    write_png(run() / "p.png", picture);
    bless_golden(experiment_, run(), golden());
    for (int i = 0; i < pixels; ++i) picture.at(i % 100, i / 100)[channel] += static_cast<std::uint8_t>(by);
    write_png(run() / "p.png", picture);
    return check().size();
  };
  for (int channel = 0; channel < 3; ++channel) {
    EXPECT_EQ(found_with(channel, 2, 500), 0u);
    EXPECT_EQ(found_with(channel, 3, 3), 0u);  // 3 of 3000 pixels: a thousandth
    EXPECT_EQ(found_with(channel, 3, 4), 1u);
  }
}

TEST_F(Golden, TablesAreHeldToTheirTolerancesAndTimesToNone) {
  for (const auto& [error, seconds, same] : {std::tuple{"5.0000047", "1", true},
                                             {"5.0000053", "1", false},
                                             {"5", "100", true},
                                             {"", "1", false}}) {
    write_table(error, seconds);
    const auto found = check();
    ASSERT_EQ(found.size(), same ? 0u : 1u) << error;
    if (same) continue;
    EXPECT_EQ(found[0].file, "metrics.csv");
    EXPECT_NE(found[0].reason.find("row 1 (pill), column error"), std::string::npos) << found[0].reason;
    EXPECT_TRUE(fs::exists(failures() / "paper/figure/expected_metrics.csv"));
  }
  fs::remove(golden() / "tables/paper/figure/metrics.csv");
  EXPECT_EQ(check().size(), 1u);
}

// Whoever has no models compares what needs none.
TEST_F(Golden, RowsOfMissingModelsAreNotMissedAndNotBlessedAway) {
  const test_environment::Variable models("SKINLIGHT_MODELS", folder_ / "none");
  write_file(golden() / "tables/paper/figure/metrics.csv",
             "rig,error,seconds\nfox,3,1\npill,5,1\nfox_alike,2,1\n");
  EXPECT_EQ(check().size(), 1u);
  experiment_.models = {{.name = "fox", .optional = true}};
  EXPECT_TRUE(check().empty());
  write_table("6", "1");
  EXPECT_EQ(check().size(), 1u);
  EXPECT_THROW(bless_golden(experiment_, run(), golden()), InputError);
}

TEST_F(Golden, AMissingReferenceFails) {
  fs::remove(golden() / "normals/paper/figure/n.npy");
  const auto found = check();
  ASSERT_EQ(found.size(), 1u);
  EXPECT_EQ(found[0].reason, "has no golden reference");
}

TEST_F(Golden, AnOutputThatIsNoLongerWrittenFails) {
  write_npy(golden() / "normals/paper/figure/old.npy", std::vector<Vec3f>{Vec3f(1, 0, 0)});
  const auto found = check();
  ASSERT_EQ(found.size(), 1u);
  EXPECT_EQ(found[0].file, "old.npy");
}

TEST_F(Golden, AnExperimentWithoutEntryFails) {
  experiment_.id = "paper/other";
  EXPECT_EQ(check().size(), 1u);
}

TEST_F(Golden, ADamagedReferenceOrManifestIsAnError) {
  std::ofstream(golden() / "normals/paper/figure/n.npy") << "damaged";
  EXPECT_THROW(check(), InputError);
  std::ofstream(golden() / "manifest.json") << "{";
  EXPECT_THROW(check(), InputError);
}

TEST_F(Golden, BlessingKeepsOtherEntriesAndRecordsHow) {
  experiment_.id = "paper/other";
  bless_golden(experiment_, run(), golden());
  const std::string manifest = read_file(golden() / "manifest.json");
  for (const char* part :
       {"paper/figure", "paper/other", "skinlight reproduce paper/other --renderer llvmpipe", "max_radians",
        "osmesa", "why"})
    EXPECT_NE(manifest.find(part), std::string::npos) << part;
}

TEST_F(Golden, BlessingRefusesToGrowBeyondTheLimit) {
  fs::create_directories(golden() / "normals/big");
  std::ofstream(golden() / "normals/big/hole.npy").put('x');
  fs::resize_file(golden() / "normals/big/hole.npy", kGoldenBytes);
  EXPECT_THROW(bless_golden(experiment_, run(), golden()), InputError);
  EXPECT_TRUE(fs::exists(golden() / "normals/paper/figure/n.npy"));
}

}  // namespace
}  // namespace skinlight::repro
