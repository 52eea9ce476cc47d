// Damaged files: whatever the bytes, the reader returns a sound model or throws InputError.
#include <gtest/gtest.h>

#include "skinlight/asset/gltf/gltf.h"
#include "skinlight/core/random.h"
#include "testing/gltf_file.h"

namespace skinlight {
namespace {

using namespace gltf_test;

// A strip that uses every part of the reader: tangents, sparse entries, two sets, two skins, all
// interpolations.
File rich_strip() {
  File file = strip();
  std::vector<double> tangents, joints(32, 1), weights(32, .1);
  for (int v = 0; v < 8; ++v) tangents.insert(tangents.end(), {1, 0, 0, 1});
  const std::string t = file.add("VEC4", kFloat, tangents), j = file.add("VEC4", kU16, joints),
                    w = file.add("VEC4", kU8, weights, true), s = file.add("SCALAR", kU8, {3}),
                    spline = file.add("VEC3", kFloat, std::vector<double>(18, .5));
  file.accessors[0].back() = ',';
  file.accessors[0] += R"("sparse": {"count": 1, "indices": {"bufferView": )" + s +
                       R"(, "componentType": 5121}, "values": {"bufferView": 1}}})";
  file.primitives[0] =
      replaced(file.primitives[0], R"("NORMAL": 1)",
               R"("NORMAL": 1, "TANGENT": )" + t + R"(, "JOINTS_1": )" + j + R"(, "WEIGHTS_1": )" + w);
  file.primitives.push_back(R"({"attributes": {"POSITION": 0, "JOINTS_0": 3, "WEIGHTS_0": 4}, "mode": 5})");
  file.nodes.push_back(R"({"mesh": 0, "skin": 1, "matrix": [1,0,0,0, 0,1,0,0, 0,0,1,0, 0,0,0,1]})");
  file.skins.push_back(R"({"joints": [2, 1], "skeleton": 1})");
  file.animations.push_back(R"({"channels": [{"sampler": 0, "target": {"node": 1, "path": "translation"}}, )"
                            R"({"sampler": 1, "target": {"node": 2, "path": "rotation"}}], "samplers": )"
                            R"([{"input": 7, "interpolation": "CUBICSPLINE", "output": )" +
                            spline + R"(}, {"input": 7, "interpolation": "STEP", "output": 8}]})");
  return file;
}

// True when the model was accepted. Anything but a sound model or an InputError fails the test.
bool accepted(const std::filesystem::path& path) {
  try {
    const Model model = read_gltf(path);
    validate(model.mesh);
    for (const Clip& clip : model.clips)
      for (const double time : {0.0, .3, 1.0}) pose_at(model.skeleton, clip, time);
    return true;
  } catch (const InputError& e) {
    EXPECT_FALSE(e.reason().empty());
    return false;
  } catch (const std::exception& e) {
    ADD_FAILURE() << e.what();
    return false;
  }
}

// One to four damages: a byte changed, a bit flipped, a digit changed, bytes removed or doubled, the end cut
// off.
std::string damaged(std::string bytes, Random& random) {
  const auto place = [&] { return static_cast<std::size_t>(random.below(static_cast<int>(bytes.size()))); };
  for (int damage = random.below(4); damage >= 0 && bytes.size() > 1; --damage) {
    const std::size_t at = place();
    switch (random.below(12)) {
      case 0:
        bytes.resize(at);
        break;
      case 1:
        bytes.erase(at, 1 + static_cast<std::size_t>(random.below(8)));
        break;
      case 2:
        bytes.insert(at, bytes.substr(at, 1 + static_cast<std::size_t>(random.below(8))));
        break;
      case 3:
        bytes[at] = static_cast<char>(random.below(256));
        break;
      case 4:
      case 5:
        bytes[at] = static_cast<char>(bytes[at] ^ 1 << random.below(8));
        break;
      default: {  // the next number of the text: most of what can point out of range
        const std::size_t digit = bytes.find_first_of("0123456789", at);
        if (digit != std::string::npos) bytes[digit] = static_cast<char>("0123456789-.e"[random.below(13)]);
      }
    }
  }
  return bytes;
}

void damage_often(const std::string& name, const std::string& bytes, int rounds, std::uint64_t seed) {
  const Folder folder("gltf_fuzz");
  ASSERT_TRUE(accepted(folder.write(name, bytes)));
  Random random(seed);
  int kept = 0;
  for (int round = 0; round < rounds; ++round) {
    kept += accepted(folder.write(name, damaged(bytes, random)));
    if (testing::Test::HasFailure()) {
      FAIL() << "round " << round << " of seed " << seed;
    }
  }
  // Both outcomes must be common, or the damage is too small or too large to test anything.
  EXPECT_GT(kept, rounds / 50);
  EXPECT_LT(kept, rounds * 9 / 10);
}

TEST(GltfFuzz, DamagedTextNeverCrashes) { damage_often("strip.gltf", rich_strip().gltf(), 2000, 1); }
TEST(GltfFuzz, DamagedBinaryNeverCrashes) { damage_often("strip.glb", rich_strip().glb(), 2000, 2); }

TEST(GltfFuzz, DamagedNumbersNeverCrash) {
  // Only the buffer: positions, weights, indices and matrices of any bits at all.
  const Folder folder("gltf_fuzz_numbers");
  Random random(3);
  int kept = 0;
  for (int round = 0; round < 1000; ++round) {
    File file = rich_strip();
    for (int damage = random.below(3); damage >= 0; --damage)
      file.buffer[static_cast<std::size_t>(random.below(static_cast<int>(file.buffer.size())))] =
          static_cast<char>(random.below(256));
    kept += accepted(folder.write("strip.glb", file.glb()));
  }
  EXPECT_GT(kept, 20);
  EXPECT_LT(kept, 980);
}

}  // namespace
}  // namespace skinlight
