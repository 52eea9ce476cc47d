// Inputs that broke a reader once, and those that fuzzing starts from: every reader takes all of its own.
#include <gtest/gtest.h>

#include <filesystem>

#include "skinlight/asset/fuzz/targets.h"
#include "skinlight/core/file.h"

namespace skinlight {
namespace {

namespace fs = std::filesystem;

fs::path corpus() { return fs::path(SKINLIGHT_SOURCE_DIR) / "lib/skinlight/asset/fuzz/corpus"; }

class FuzzReplay : public testing::TestWithParam<fuzz::NamedTarget> {};

TEST_P(FuzzReplay, NothingOfTheCorpusBreaksTheReader) {
  int files = 0;
  for (const fs::directory_entry& entry : fs::directory_iterator(corpus() / GetParam().name)) {
    ++files;
    try {
      GetParam().run(read_file(entry.path()));
    } catch (const std::exception& e) {
      ADD_FAILURE() << entry.path().filename() << ": " << e.what();
    }
  }
  EXPECT_GT(files, 0);
}

INSTANTIATE_TEST_SUITE_P(Readers, FuzzReplay,
                         testing::ValuesIn(fuzz::targets().begin(), fuzz::targets().end()),
                         [](const auto& test) { return std::string(test.param.name); });

TEST(FuzzReplay, EveryFolderOfTheCorpusHasItsTarget) {
  for (const fs::directory_entry& entry : fs::directory_iterator(corpus())) {
    bool found = false;
    for (const fuzz::NamedTarget& target : fuzz::targets())
      found = found || entry.path().filename() == target.name;
    EXPECT_TRUE(found) << entry.path();
  }
}

}  // namespace
}  // namespace skinlight
