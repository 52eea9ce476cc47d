#include "repro/runner/model_catalogue.h"

#include <gmock/gmock.h>

#include <cstdlib>
#include <optional>
#include <regex>
#include <set>

#include "repro/runner/registry.h"
#include "skinlight/core/error.h"
#include "skinlight/core/file.h"

namespace skinlight::repro {
namespace {

namespace fs = std::filesystem;
using ::testing::HasSubstr;

// SKINLIGHT_MODELS as a test wants it, restored afterwards.
class Models : public ::testing::Test {
 protected:
  Models() : folder_(fs::path(::testing::TempDir()) / ("skinlight_models_test_" + std::to_string(getpid()))) {
    if (const char* value = std::getenv("SKINLIGHT_MODELS")) before_ = value;
    fs::create_directories(folder_);
    setenv("SKINLIGHT_MODELS", folder_.c_str(), 1);
  }
  ~Models() override {
    fs::remove_all(folder_);
    if (before_)
      setenv("SKINLIGHT_MODELS", before_->c_str(), 1);
    else
      unsetenv("SKINLIGHT_MODELS");
  }
  fs::path folder_;
  std::optional<std::string> before_;
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
  unsetenv("SKINLIGHT_MODELS");
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
  if (!before_) GTEST_SKIP() << "SKINLIGHT_MODELS is not set";
  setenv("SKINLIGHT_MODELS", before_->c_str(), 1);
  for (const char* name : {"fox", "rigged-simple"})
    EXPECT_GT(load_model(model(name)).mesh.vertex_count(), 0) << name;
}

}  // namespace
}  // namespace skinlight::repro
