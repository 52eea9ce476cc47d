// Morph targets of glTF files, from the file to the posed normals.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <limits>

#include "skinlight/asset/gltf/gltf.h"
#include "skinlight/preprocess/morph_tangents.h"
#include "skinlight/skinning/morph.h"
#include "skinlight/skinning/skin.h"
#include "testing/gltf_file.h"

namespace skinlight {
namespace {

using namespace gltf_test;
using testing::ElementsAre;
using testing::HasSubstr;

// Rows of three for the strip's eight vertices, zero but for the last two: the upper edge.
std::vector<double> upper_edge(double x, double y, double z) {
  std::vector<double> rows(24, 0.0);
  for (const std::size_t v : {6u, 7u}) {
    rows[3 * v] = x;
    rows[3 * v + 1] = y;
    rows[3 * v + 2] = z;
  }
  return rows;
}

// The strip with two targets: "bow" moves the upper edge to +z and turns its normals, the unnamed one widens
// vertex 7.
struct MorphedStrip {
  File file = strip();
  std::string mesh =
      R"("weights": [0.25, 0.5], "extras": {"targetNames": ["bow", 3]})";  // further properties

  MorphedStrip() {
    const std::string bow = file.add("VEC3", kFloat, upper_edge(0, 0, 2)),
                      turn = file.add("VEC3", kFloat, upper_edge(0, -.5, 0)),
                      index = file.add("SCALAR", kU8, {7}), value = file.add("VEC3", kFloat, {3, 0, 0});
    file.accessors.push_back(R"({"componentType": 5126, "type": "VEC3", "count": 8, "sparse": {"count": 1, )"
                             R"("indices": {"bufferView": )" +
                             index + R"(, "componentType": 5121}, "values": {"bufferView": )" + value +
                             "}}}");
    set_targets(R"([{"POSITION": )" + bow + R"(, "NORMAL": )" + turn + R"(}, {"POSITION": )" +
                std::to_string(file.accessors.size() - 1) + "}]");
  }
  void set_targets(const std::string& targets) {
    const std::size_t at = file.primitives[0].find(", \"targets\"");
    file.primitives[0].resize(at == std::string::npos ? file.primitives[0].size() - 1 : at);
    file.primitives[0] += R"(, "targets": )" + targets + "}";
  }
  void animate(const std::string& times, const std::string& weights, const std::string& interpolation) {
    file.animations.push_back(R"({"name": "bow", "channels": [{"sampler": 0, "target": {"node": 0, "path": )"
                              R"("weights"}}], "samplers": [{"input": )" +
                              times + R"(, "output": )" + weights + R"(, "interpolation": ")" +
                              interpolation + "\"}]}");
  }
  std::string gltf() const {
    return replaced(file.gltf(), R"("meshes": [{)", R"("meshes": [{)" + mesh + ", ");
  }
};

Model read(const std::string& text) { return parse_gltf(text, "", "strip"); }

void expect_error(const std::string& text, const std::string& element, const std::string& reason) {
  try {
    read(text);
    ADD_FAILURE() << "accepted, expected: " << element << ": " << reason;
  } catch (const InputError& e) {
    EXPECT_EQ(e.element(), element) << e.what();
    EXPECT_THAT(e.reason(), HasSubstr(reason));
  }
}

TEST(GltfMorph, TargetsKeepWhatTheyMove) {
  const Model model = read(MorphedStrip().gltf());
  ASSERT_EQ(model.morphs.size(), 2u);
  EXPECT_EQ(model.morphs[0].name, "bow");
  EXPECT_THAT(model.morphs[0].vertex, ElementsAre(6, 7));
  EXPECT_THAT(model.morphs[0].dp, ElementsAre(Vec3d(0, 0, 2), Vec3d(0, 0, 2)));
  EXPECT_THAT(model.morphs[0].dn, ElementsAre(Vec3d(0, -.5, 0), Vec3d(0, -.5, 0)));
  EXPECT_TRUE(model.morphs[0].dt.empty());
  EXPECT_EQ(model.morphs[1].name, "target 1");
  EXPECT_THAT(model.morphs[1].vertex, ElementsAre(7));
  EXPECT_THAT(model.morphs[1].dp, ElementsAre(Vec3d(3, 0, 0)));
  EXPECT_TRUE(model.morphs[1].dn.empty());
  EXPECT_THAT(model.morph_weights, ElementsAre(.25, .5));
  EXPECT_TRUE(model.warnings.empty());
}

TEST(GltfMorph, WeightsOfTheNodeGoBeforeThoseOfTheMesh) {
  MorphedStrip strip;
  strip.file.nodes[0] = R"({"mesh": 0, "skin": 0, "weights": [1, -2]})";
  EXPECT_THAT(read(strip.gltf()).morph_weights, ElementsAre(1, -2));
  strip.file.nodes[0] = R"({"mesh": 0, "skin": 0})";
  strip.mesh = R"("name": "m")";
  EXPECT_THAT(read(strip.gltf()).morph_weights, ElementsAre(0, 0));
}

TEST(GltfMorph, WeightsAreAnimatedInEveryInterpolation) {
  MorphedStrip strip;
  strip.animate("7", strip.file.add("SCALAR", kFloat, {0, 1, 1, 3}), "LINEAR");
  strip.animate("7", strip.file.add("SCALAR", kU8, {0, 255, 255, 51}, true), "STEP");
  strip.animate("7", strip.file.add("SCALAR", kFloat, {9, 9, 0, 1, 4, 0, 0, 0, 1, 3, 9, 9}), "CUBICSPLINE");
  const Model model = read(strip.gltf());
  ASSERT_EQ(model.clips.size(), 4u);
  const auto at = [&](std::size_t clip, double time) {
    return morph_weights_at(model.morph_weights, model.clips[clip], time);
  };
  EXPECT_THAT(at(0, .5), ElementsAre(.25, .5)) << "another clip";
  EXPECT_THAT(at(1, .25), ElementsAre(.25, 1.5));
  EXPECT_THAT(at(2, .9), ElementsAre(0, 1));
  EXPECT_THAT(at(2, 1), ElementsAre(1, testing::DoubleEq(.2)));
  // Halfway: the mean of the values and an eighth of the difference of the tangents.
  EXPECT_THAT(at(3, .5), ElementsAre(.5 + 4. / 8, 2));
  EXPECT_EQ(model.clips[1].duration, 1);
}

TEST(GltfMorph, TargetsOfSeveralMeshesAndPrimitivesStandApart) {
  MorphedStrip strip;
  // A second primitive over its own positions, and the mesh once more under another skin.
  const std::string position = strip.file.add("VEC3", kFloat, std::vector<double>(24, .5)),
                    bow = strip.file.add("VEC3", kFloat, upper_edge(1, 0, 0));
  strip.file.primitives.push_back(
      R"({"attributes": {"POSITION": )" + position +
      R"(, "JOINTS_0": 3, "WEIGHTS_0": 4}, "indices": 5, "targets": [{"POSITION": )" + bow + "}, {}]}");
  strip.file.skins.push_back(R"({"joints": [2, 1]})");
  strip.file.nodes.push_back(R"({"mesh": 0, "skin": 1, "weights": [0, 7]})");
  const std::string weights = strip.file.add("SCALAR", kFloat, {0, 0, 1, 1});
  strip.animate("7", weights, "LINEAR");
  strip.file.animations.back() = replaced(strip.file.animations.back(), R"("node": 0)", R"("node": 3)");
  const Model model = read(strip.gltf());
  ASSERT_EQ(model.morphs.size(), 4u);
  EXPECT_THAT(model.morphs[0].vertex, ElementsAre(6, 7, 14, 15));
  EXPECT_EQ(model.morphs[0].dp[2], Vec3d(1, 0, 0));
  EXPECT_EQ(model.morphs[0].dn[2], Vec3d(0.0));
  EXPECT_THAT(model.morphs[1].vertex, ElementsAre(7));
  EXPECT_THAT(model.morphs[2].vertex, ElementsAre(22, 23, 30, 31));
  EXPECT_EQ(model.morphs[2].name, "bow (2)");
  EXPECT_THAT(model.morph_weights, ElementsAre(.25, .5, 0, 7));
  EXPECT_THAT(morph_weights_at(model.morph_weights, model.clips[1], 1), ElementsAre(.25, .5, 1, 1));
}

TEST(GltfMorph, QuantisedDisplacementsAreDecoded) {
  MorphedStrip strip;
  std::vector<double> rows(32, 0.0);
  rows[4 * 7] = 16384;
  rows[4 * 7 + 1] = -32767;
  const std::size_t accessor = std::stoul(strip.file.add("VEC4", kI16, rows, true));
  strip.file.accessors[accessor] = replaced(strip.file.accessors[accessor], "VEC4", "VEC3");
  strip.file.views.back() =
      replaced(strip.file.views.back(), R"("buffer": 0)", R"("buffer": 0, "byteStride": 8)");
  strip.set_targets(R"([{"POSITION": )" + std::to_string(accessor) + "}, {}]");
  const Model model = read(strip.gltf());
  EXPECT_THAT(model.morphs[0].dp, ElementsAre(Vec3d(16384. / 32767, -1, 0)));
}

// The strip is bowed into the third dimension by a clip and then bent by another: normals follow.
TEST(GltfMorph, NormalsFollowTheMorphOfAClip) {
  MorphedStrip strip;
  std::vector<double> rows;
  for (int row = 0; row < 4; ++row)
    for (int column = 0; column < 2; ++column) rows.insert(rows.end(), {0, 0, 1.0 * row});
  strip.set_targets(R"([{"POSITION": )" + strip.file.add("VEC3", kFloat, rows) + "}, {}]");
  strip.animate("7", strip.file.add("SCALAR", kFloat, {0, 0, 1, 0}), "LINEAR");
  const Model model = read(strip.gltf());
  const Surface surface(model.mesh.faces, weld(model.mesh));
  const std::vector<double> weights = morph_weights_at(model.morph_weights, model.clips[1], 1);
  const RiggedMesh mesh =
      morphed(model.mesh, model.morphs, morph_tangents(model.mesh, surface, model.morphs), weights);
  const SkinnedMesh<double> s =
      skin<double>(mesh, deform_factors(model.mesh, surface), default_pose(model.skeleton));
  for (std::size_t v = 0; v < s.p.size(); ++v) {
    EXPECT_LT(length(s.p[v] - (model.mesh.p0[v] + Vec3d(0, 0, model.mesh.p0[v].y))), 1e-6);
    EXPECT_LT(length(s.n[v] - normalize(Vec3d(0, -1, 1))), 1e-6);
  }
}

TEST(GltfMorph, BrokenTargetsAreNamed) {
  const std::string element = "mesh 0 primitive 0 target 0 POSITION";
  MorphedStrip strip;
  strip.set_targets(R"([{"POSITION": 99}, {}])");
  expect_error(strip.gltf(), element, "accessor 99");
  strip.set_targets(R"([{"POSITION": 6}, {}])");
  expect_error(strip.gltf(), element, "type that is not allowed");
  strip.set_targets(R"([{"POSITION": )" + strip.file.add("VEC3", kFloat, {0, 0, 0}) + "}, {}]");
  expect_error(strip.gltf(), element, "1 elements for 8 vertices");
  strip.set_targets(
      R"([{"POSITION": )" +
      strip.file.add("VEC3", kFloat, upper_edge(0, std::numeric_limits<double>::quiet_NaN(), 0)) + "}, {}]");
  expect_error(strip.gltf(), element + " vertex 6", "not finite");

  MorphedStrip unequal;
  unequal.file.primitives.push_back(
      R"({"attributes": {"POSITION": 0, "JOINTS_0": 3, "WEIGHTS_0": 4}, "indices": 5, "targets": [{}]})");
  expect_error(unequal.gltf(), "mesh 0 primitive 1", "has 1 morph targets, the mesh's first primitive has 2");
  MorphedStrip weights;
  weights.mesh = R"("weights": [1])";
  expect_error(weights.gltf(), "mesh 0", "1 morph weights for 2 targets");
  weights = MorphedStrip();
  weights.file.nodes[0] = R"({"mesh": 0, "skin": 0, "weights": [1, 2, 3]})";
  expect_error(weights.gltf(), "node 0", "3 morph weights for 2 targets");
  MorphedStrip keys;
  keys.animate("7", "7", "LINEAR");
  expect_error(keys.gltf(), "animation 1 (bow) channel 0", "2 values, but its keys need 4");
}

// Targets cost a few bytes of JSON each, times the skins that a mesh is shown with.
TEST(GltfMorph, ManyEmptyTargetsOfManySkinsAreRefused) {
  MorphedStrip strip;
  std::string targets = "[{}";
  for (int k = 1; k < 2000; ++k) targets += ",{}";
  strip.set_targets(targets + "]");
  strip.mesh = R"("name": "m")";
  for (int s = 1; s < 300; ++s) {
    strip.file.skins.push_back(R"({"joints": [1, 2]})");
    strip.file.nodes.push_back(R"({"mesh": 0, "skin": )" + std::to_string(s) + "}");
  }
  expect_error(strip.gltf(), "mesh 0 targets", "more than a file of this size can hold");
}

}  // namespace
}  // namespace skinlight
