// Every file of the folder of real and malformed models through its reader: a sound model or an InputError.
#include <gtest/gtest.h>

#include <cmath>
#include <filesystem>
#include <iostream>
#include <set>

#include "skinlight/asset/assimp/assimp_file.h"
#include "skinlight/asset/assimp/detail/assimp_import.h"
#include "skinlight/asset/assimp/detail/isolate.h"
#include "skinlight/asset/detail/reading.h"
#include "skinlight/asset/model_file.h"
#include "testing/gltf_file.h"
#include "testing/real_models.h"

#if defined(__SANITIZE_ADDRESS__)
// Assimp 5.2 leaks a few bytes of its own, in a process that ends with its work.
extern "C" const char* __lsan_default_suppressions() {
  return "leak:libassimp";
}  // NOLINT: the sanitizer's name
#endif

namespace skinlight {
namespace {

namespace fs = std::filesystem;

// The default pose, and each clip at its ends and between: all vertices finite.
void expect_finite(const Model& model) {
  validate(model.mesh);
  const auto expect = [&](const Pose& pose) {
    for (const Vec3d p : gltf_test::posed(model.mesh, pose)) ASSERT_TRUE(is_finite(p));
  };
  expect(default_pose(model.skeleton));
  for (const Clip& clip : model.clips)
    for (const double share : {0.0, .37, 1.0}) expect(pose_at(model.skeleton, clip, share * clip.duration));
}

class AllModels : public test_models::RealModels {
 protected:
  static std::set<fs::path> files() {
    std::set<fs::path> found;
    for (const fs::directory_entry& entry : fs::recursive_directory_iterator(test_models::folder()))
      if (is_model_name(entry.path())) found.insert(entry.path());
    return found;
  }
};

TEST_F(AllModels, GiveSoundModelsOrClearErrors) {
  int valid = 0, refused = 0;
  for (const fs::path& file : files()) {
    SCOPED_TRACE(file.string());
    const std::string name = fs::relative(file, test_models::folder()).string();
    try {
      const Model model = read_model(file);
      expect_finite(model);
      ++valid;
      std::cout << "valid   " << name << ": " << model.mesh.vertex_count() << " vertices, "
                << model.mesh.bone_count << " bones, " << model.clips.size() << " clips, "
                << model.warnings.size() << " warnings\n";
    } catch (const InputError& e) {
      EXPECT_EQ(e.file(), file.string());
      EXPECT_FALSE(e.reason().empty());
      EXPECT_EQ(std::string(e.what()).find('\n'), std::string::npos) << e.what();
      ++refused;
      std::cout << "refused " << name << ": " << e.element() << ": " << e.reason() << "\n";
    }
  }
  // Which ones and why is in the tests of each format; here only that most files were found at all.
  EXPECT_GE(valid, 36);
  EXPECT_GE(refused, 20);
}

#if defined(__SANITIZE_ADDRESS__)
constexpr bool kSanitized = true;
#else
constexpr bool kSanitized = false;
#endif

// The importer's own process hides what a sanitizer says of it. Files that it survives are imported here too. Without a
// sanitizer Assimp 5.2 survives writing behind its arrays (valgrind shows it on one malformed file), and this process
// would pay for it later.
TEST_F(AllModels, ThatTheImporterReadsItReadsInThisProcessToo) {
  if (!kSanitized) GTEST_SKIP() << "needs the address sanitizer: ci/sanitize.sh";
  int compared = 0;
  for (const fs::path& file : files()) {
    if (!is_assimp_name(file)) continue;
    SCOPED_TRACE(file.string());
    std::string isolated;
    try {
      isolated = run_isolated([&] { return assimp::pack(assimp::import_scene(file, {})); }, {});
    } catch (const InputError&) {
      continue;
    }
    EXPECT_EQ(assimp::pack(assimp::import_scene(file, {})), isolated);
    ++compared;
  }
  EXPECT_GE(compared, 2);
}

}  // namespace
}  // namespace skinlight
