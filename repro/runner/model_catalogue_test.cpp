#include "repro/runner/model_catalogue.h"

#include <gmock/gmock.h>

#include <cstdlib>
#include <optional>
#include <regex>
#include <set>

#include "repro/runner/registry.h"
#include "skinlight/core/error.h"
#include "skinlight/core/file.h"
#include "testing/environment.h"

namespace skinlight::repro {
namespace {

namespace fs = std::filesystem;
using ::testing::HasSubstr;

class Models : public ::testing::Test {
 protected:
  Models() : folder_(fs::path(::testing::TempDir()) / ("skinlight_models_test_" + std::to_string(getpid()))) {
    fs::create_directories(folder_);
  }
  ~Models() override { fs::remove_all(folder_); }
  const fs::path folder_;
  const test_environment::Variable named_{"SKINLIGHT_MODELS", folder_};
};

TEST_F(Models, EveryFileHasAPublicSourceADigestAndAnOwner) {
  const std::regex digest("[0-9a-f]{64}"), commit("[0-9a-f]{40}"), repository("[^/ ]+/[^/ ]+");
  std::set<std::string> names, files;
  for (const ModelEntry& entry : models()) {
    EXPECT_TRUE(names.insert(entry.name).second) << entry.name;
    EXPECT_FALSE(entry.licence.empty() || entry.attribution.empty() || entry.files.empty()) << entry.name;
    for (const ModelFile& file : entry.files) {
      EXPECT_TRUE(files.insert(file.file).second) << file.file;
      EXPECT_FALSE(file.path.empty()) << file.file;
      EXPECT_TRUE(std::regex_match(file.sha256, digest)) << file.file;
      EXPECT_TRUE(std::regex_match(file.commit, commit)) << file.file;
      EXPECT_TRUE(std::regex_match(file.repository, repository)) << file.file;
    }
  }
}

TEST_F(Models, ExperimentsUseModelsOfTheTable) {
  for (const Experiment& e : experiments())
    for (const ModelCase& m : e.models) EXPECT_EQ(model(m.name).name, m.name);
  EXPECT_THROW(model("unicorn"), std::logic_error);
}

TEST_F(Models, AMissingModelSaysWhatIsMissingAndHowToGetIt) {
  for (const char* words : {"fox", "fox/Fox.glb", "ci/fetch_models.sh", "bevyengine/bevy"})
    EXPECT_THAT(why_missing(model("fox")), HasSubstr(words));
  named_.set({});
  EXPECT_THAT(why_missing(model("fox")), HasSubstr("SKINLIGHT_MODELS"));
}

TEST_F(Models, AnotherFileOfThatNameIsRefusedByName) {
  const ModelEntry& fox = model("fox");
  write_file(folder_ / fox.files.front().file, "not the fox");
  EXPECT_EQ(why_missing(fox), "");
  try {
    load_model(fox);
    FAIL() << "a wrong file was read";
  } catch (const InputError& e) {
    EXPECT_EQ(e.file(), (folder_ / "fox/Fox.glb").string());
    EXPECT_EQ(e.element(), "fox");
    EXPECT_THAT(e.reason(), HasSubstr(fox.files.front().sha256));
  }
}

TEST_F(Models, TheRightFilesAreRead) {
  if (!named_.before()) GTEST_SKIP() << "SKINLIGHT_MODELS is not set";
  named_.set(named_.before());
  for (const char* name : {"fox", "rigged-simple"})
    EXPECT_GT(load_model(model(name)).mesh.vertex_count(), 0) << name;
}

}  // namespace
}  // namespace skinlight::repro
