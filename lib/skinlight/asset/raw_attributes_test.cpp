#include "skinlight/asset/raw_attributes.h"

#include <gtest/gtest.h>

#include "skinlight/asset/gltf/gltf.h"
#include "skinlight/samples/procedural.h"
#include "testing/gltf_file.h"

namespace skinlight {
namespace {

using gltf_test::File;
using gltf_test::Folder;
using gltf_test::kFloat;
using gltf_test::replaced;
using gltf_test::strip;

TEST(RawAttributes, KeepWhatTheReaderRepairs) {
  File file = strip();
  // Vertex 0: negative and too much; vertex 1: nothing at all.
  const std::vector<double> planted = {1.5, -.25, 0, 0, 0, 0, 0, 0};
  std::vector<double> weights = planted;
  while (weights.size() < 32) weights.insert(weights.end(), {.25, .75, 0, 0});
  file.primitives[0] = replaced(file.primitives[0], R"("WEIGHTS_0": 4)",
                                R"("WEIGHTS_0": )" + file.add("VEC4", kFloat, weights));
  file.primitives[0] = replaced(file.primitives[0], R"("NORMAL": 1, )", "");
  file.nodes[0] = R"({"mesh": 0, "skin": 0, "translation": [1, 0, 0]})";

  RawAttributes raw;
  const Folder folder("raw_attributes");
  const Model model = read_gltf(folder.write("strip.gltf", file.gltf()), {.max_influences = 4, .raw = &raw});
  EXPECT_EQ(raw.slots, 4);
  EXPECT_EQ(raw.weight, weights);
  EXPECT_EQ(raw.bone[5], 1);
  EXPECT_EQ(raw.normal, std::vector<Vec3d>(8, Vec3d(0.0)));
  EXPECT_EQ(raw.tangent, std::vector<Vec3d>(8, Vec3d(0.0)));
  EXPECT_EQ(raw.moved_meshes, std::vector<int>{0});
  ASSERT_EQ(raw.primitives.size(), 1u);
  EXPECT_EQ(raw.primitives[0].name, "mesh 0 primitive 0");
  EXPECT_EQ(raw.primitives[0].first, 0);
  EXPECT_EQ(raw.primitives[0].count, 8);
  EXPECT_EQ(model.mesh.weights_of(0)[0], 1) << "the model itself is repaired";
}

TEST(RawAttributes, OfAMeshAreItsOwnWithoutComputedFrames) {
  const RiggedMesh mesh = pill({.segments = 12}).mesh;
  const RawAttributes raw = raw_attributes(mesh);
  EXPECT_EQ(raw.weight, mesh.weight);
  EXPECT_EQ(raw.normal, mesh.n0);
  EXPECT_EQ(raw.primitives.back().count, mesh.vertex_count());
  for (std::size_t v = 0; v < mesh.p0.size(); ++v)
    EXPECT_EQ(raw.tangent[v] == Vec3d(0.0), mesh.frame_source[v] != FrameSource::file);
}

}  // namespace
}  // namespace skinlight
