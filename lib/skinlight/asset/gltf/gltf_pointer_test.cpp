// KHR_animation_pointer: clips of files that are animated by pointers are those of their twins that are animated by nodes.
#include <gtest/gtest.h>

#include "skinlight/asset/gltf/gltf.h"
#include "testing/gltf_file.h"

namespace skinlight {
namespace {

using namespace gltf_test;

Model read(const std::string& text) { return parse_gltf(text, "", "strip"); }

std::string by_node(int node, const std::string& path) {
  return R"("target": {"node": )" + std::to_string(node) + R"(, "path": ")" + path + "\"}";
}
std::string by_pointer(const std::string& pointer) {
  return R"("target": {"path": "pointer", "extensions": {"KHR_animation_pointer": {"pointer": ")" + pointer +
         "\"}}}";
}

// The strip with two targets, shown by nodes 0 and 3; the latter has weights of its own.
File morphed() {
  File file = strip();
  const std::string up = file.add("VEC3", kFloat, std::vector<double>(24, 1)),
                    down = file.add("VEC3", kFloat, std::vector<double>(24, -1));
  file.primitives[0].pop_back();
  file.primitives[0] += R"(, "targets": [{"POSITION": )" + up + R"(}, {"POSITION": )" + down + "}]}";
  file.nodes.push_back(R"({"mesh": 0, "skin": 1, "weights": [0.5, 0.25]})");
  file.skins.push_back(R"({"joints": [2, 1]})");
  return file;
}

std::string animated(File file, const std::string& target, const std::string& type,
                     const std::vector<double>& keys) {
  const std::string output = file.add(type, kFloat, keys);
  file.animations = {R"({"name": "bend", "channels": [{"sampler": 0, )" + target +
                     R"(}], "samplers": [{"input": 7, "output": )" + output + "}]}"};
  return file.gltf();
}

void expect_same_clips(const std::string& a, const std::string& b) {
  const Model x = read(a), y = read(b);
  ASSERT_EQ(x.clips.size(), 1u);
  ASSERT_EQ(y.clips.size(), 1u);
  ASSERT_EQ(x.clips[0].channels.size() + x.clips[0].morph_channels.size(), 1u) << a;
  ASSERT_EQ(x.clips[0].channels.size(), y.clips[0].channels.size());
  EXPECT_EQ(x.clips[0].duration, y.clips[0].duration);
  for (const double time : {0.0, .3, 1.0}) {
    const std::vector<Vec3d> p = posed(x.mesh, pose_at(x.skeleton, x.clips[0], time)),
                             q = posed(y.mesh, pose_at(y.skeleton, y.clips[0], time));
    EXPECT_EQ(p, q);
    EXPECT_EQ(morph_weights_at(x.morph_weights, x.clips[0], time),
              morph_weights_at(y.morph_weights, y.clips[0], time));
  }
}

TEST(GltfPointer, TransformsOfNodesAreThoseOfChannels) {
  for (const int node : {1, 2}) {
    const std::string pointer = "/nodes/" + std::to_string(node) + "/";
    for (const std::string path : {"translation", "scale"})
      expect_same_clips(animated(strip(), by_pointer(pointer + path), "VEC3", {1, 2, 3, 4, 5, 6}),
                        animated(strip(), by_node(node, path), "VEC3", {1, 2, 3, 4, 5, 6}));
    expect_same_clips(animated(strip(), by_pointer(pointer + "rotation"), "VEC4", {0, 0, 0, 1, 0, .6, 0, .8}),
                      animated(strip(), by_node(node, "rotation"), "VEC4", {0, 0, 0, 1, 0, .6, 0, .8}));
  }
}

TEST(GltfPointer, WeightsOfNodesAreThoseOfChannels) {
  for (const int node : {0, 3})
    expect_same_clips(animated(morphed(), by_pointer("/nodes/" + std::to_string(node) + "/weights"), "SCALAR",
                               {0, .5, 1, .25}),
                      animated(morphed(), by_node(node, "weights"), "SCALAR", {0, .5, 1, .25}));
}

// A node with weights of its own does not heed the mesh's.
TEST(GltfPointer, WeightsOfAMeshMoveTheNodesWithoutTheirOwn) {
  expect_same_clips(animated(morphed(), by_pointer("/meshes/0/weights"), "SCALAR", {0, .5, 1, .25}),
                    animated(morphed(), by_node(0, "weights"), "SCALAR", {0, .5, 1, .25}));
  File both = morphed();
  both.nodes[3] = R"({"mesh": 0, "skin": 1})";
  const Model model = read(animated(both, by_pointer("/meshes/0/weights"), "SCALAR", {0, .5, 1, .25}));
  EXPECT_EQ(morph_weights_at(model.morph_weights, model.clips[0], 1), (std::vector<double>{1, .25, 1, .25}));
}

TEST(GltfPointer, ASingleWeightLeavesTheOthers) {
  for (const std::string pointer : {"/nodes/0/weights/1", "/meshes/0/weights/1"}) {
    const Model model = read(animated(morphed(), by_pointer(pointer), "SCALAR", {0, 1}));
    EXPECT_EQ(morph_weights_at(model.morph_weights, model.clips[0], .5),
              (std::vector<double>{0, .5, .5, .25}));
  }
  EXPECT_THROW(read(animated(morphed(), by_pointer("/nodes/0/weights/2"), "SCALAR", {0, 1})), InputError);
}

TEST(GltfPointer, WhatPosesDoNotDependOnIsLeftOutWithAWarning) {
  for (const std::string pointer :
       {"/materials/0/alphaCutoff", "/nodes/2", "/nodes/2/matrix", "/nodes/x/rotation", "/nodes/-1/rotation",
        "/nodes/99999999999/rotation", "/nodes/2/rotation/0", "/meshes/0/translation", "/meshes/7/weights",
        "", "/", "nodes/2/rotation", "/skins/0/weights", "/nodes/0/weights/1/2"}) {
    const Model model = read(animated(strip(), by_pointer(pointer), "VEC4", {0, 0, 0, 1, 0, .6, 0, .8}));
    EXPECT_TRUE(model.clips[0].channels.empty()) << pointer;
    EXPECT_EQ(count_of(model, "neither a node's transform nor morph targets"), 1) << pointer;
  }
}

TEST(GltfPointer, NodesThatDoNotExistAreNamed) {
  try {
    read(animated(strip(), by_pointer("/nodes/7/rotation"), "VEC4", {0, 0, 0, 1, 0, .6, 0, .8}));
    ADD_FAILURE() << "accepted";
  } catch (const InputError& e) {
    EXPECT_EQ(e.element(), "animation 0 (bend) channel 0");
    EXPECT_NE(e.reason().find("node 7"), std::string::npos) << e.reason();
  }
}

}  // namespace
}  // namespace skinlight
