// What check says of what only the file knows: weights that are no numbers, skins without matrices.
#include <gtest/gtest.h>

#include <cmath>

#include "skinlight/asset/gltf/gltf.h"
#include "testing/gltf_file.h"
#include "testing/health.h"

namespace skinlight {
namespace {

using gltf_test::File;
using gltf_test::kFloat;
using gltf_test::replaced;
using gltf_test::strip;
using test_health::finding;
using test_health::kinds;

Health health_of_file(const File& file) {
  RawAttributes raw;
  Model model = parse_gltf(file.gltf(), "", "strip",
                           {.max_influences = kAllInfluences, .raw = &raw, .keep_unusable_weights = true});
  return check_health(Character(std::move(model)), raw, {});
}

TEST(HealthOfFiles, OneWeightThatIsNotFiniteIsOneFindingAmongOthers) {
  for (const double bad : {std::nan(""), HUGE_VAL, -HUGE_VAL})
    for (const bool alone : {false, true}) {  // or the only influence of its vertex
      File file = strip();
      std::vector<double> weights;
      for (int v = 0; v < 8; ++v) {
        const bool is_bad = v == 3;
        weights.insert(weights.end(), {is_bad && alone ? 0 : .5, is_bad ? bad : .5, 0, 0});
      }
      const std::string stored = file.add("VEC4", kFloat, weights);
      file.primitives[0] =
          replaced(replaced(file.primitives[0], R"("WEIGHTS_0": 4)", R"("WEIGHTS_0": )" + stored),
                   R"("NORMAL": 1, )", "");
      const Health health = health_of_file(file);
      EXPECT_EQ(finding(health, "weights-not-finite").count, 1);
      EXPECT_EQ(finding(health, "weights-not-finite").name, "mesh 0 primitive 0 vertex 3");
      EXPECT_EQ(kinds(health).count("normals-missing"), 1u);
      EXPECT_THROW(parse_gltf(file.gltf(), "", "strip"), InputError);  // for all but check
    }
}

TEST(HealthOfFiles, InverseBindMatricesAreMissingWhereTheFileGivesNone) {
  const auto count = [](const File& file) {
    const Health health = health_of_file(file);
    return kinds(health).count("inverse-bind-missing") == 0 ? 0
                                                            : finding(health, "inverse-bind-missing").count;
  };
  EXPECT_EQ(count(strip()), 0);
  File identities = strip();
  std::vector<double> matrices;
  for (int i = 0; i < 32; ++i) matrices.push_back(i % 16 % 5 == 0 ? 1 : 0);
  identities.skins = {R"({"joints": [1, 2], "inverseBindMatrices": )" +
                      identities.add("MAT4", kFloat, matrices) + "}"};
  EXPECT_EQ(count(identities), 0);
  File none = strip();
  none.skins = {R"({"joints": [1, 2]})"};
  EXPECT_EQ(count(none), 2);
  none.nodes.push_back(R"({"mesh": 0, "skin": 1})");  // a second skin, which has them
  none.skins.push_back(R"({"joints": [1, 2], "inverseBindMatrices": 6})");
  EXPECT_EQ(count(none), 2);
}

}  // namespace
}  // namespace skinlight
