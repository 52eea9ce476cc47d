// Units and spaces: what scales and moves a mesh before its joints do.
#include <gtest/gtest.h>

#include <string>
#include <tuple>

#include "skinlight/asset/gltf/gltf.h"
#include "testing/gltf_file.h"

namespace skinlight {
namespace {

using namespace gltf_test;

constexpr double kFloatRounding = 1e-5;  // numbers below 10 stored as float, composed

Model read(const File& file) { return parse_gltf(file.gltf(), "", "strip"); }

void expect_near(Vec3d a, Vec3d b) {
  EXPECT_LE(length(a - b), kFloatRounding)
      << "(" << a.x << " " << a.y << " " << a.z << ") against (" << b.x << " " << b.y << " " << b.z << ")";
}

// Everything above the joints moves them, named as the skin's skeleton or not.
TEST(GltfSpace, TransformsAboveTheRootOfTheSkeletonMoveTheBones) {
  for (const std::string skeleton : {"", R"(, "skeleton": 1)"}) {
    File file = strip();
    file.nodes.push_back(
        R"({"children": [1], "translation": [5, 0, 0], "rotation": [0, 0, 1, 0], "scale": [2, 2, 2]})");
    file.skins[0] = replaced(file.skins[0], R"("joints": [1, 2])", R"("joints": [1, 2])" + skeleton);
    const Model model = read(file);
    const std::vector<Vec3d> p = posed(model.mesh, default_pose(model.skeleton));
    expect_near(p[7], {5 - 2, -6, 0});
  }
}

// Positions in thousandths as 16-bit integers, normals as bytes; the inverse bind matrices undo the scale.
TEST(GltfSpace, QuantisedVerticesPoseAsTheOthers_KHR_mesh_quantization) {
  File file = strip();
  std::vector<double> position, normal;
  for (int row = 0; row < 4; ++row)
    for (int column = 0; column < 2; ++column) {
      position.insert(position.end(), {1000.0 * column, 1000.0 * row, 0, 0});
      normal.insert(normal.end(), {0, 0, 127, 0});
    }
  for (const auto& [type, component, values, normalized] :
       {std::tuple{"POSITION", kU16, position, false}, {"NORMAL", kI8, normal, true}}) {
    const std::size_t accessor = std::stoul(file.add("VEC4", component, values, normalized));
    file.accessors[accessor] = replaced(file.accessors[accessor], "VEC4", "VEC3");
    file.views[accessor] =
        replaced(file.views[accessor], R"("buffer": 0)",
                 R"("buffer": 0, "byteStride": )" + std::string(component == kU16 ? "8" : "4"));
    const std::string old = std::string("\"") + type + "\": " + (component == kU16 ? "0" : "1");
    file.primitives[0] =
        replaced(file.primitives[0], old, std::string("\"") + type + "\": " + std::to_string(accessor));
  }
  const std::string matrices =
      file.add("MAT4", kFloat, {.001, 0, 0, 0, 0, .001, 0, 0, 0, 0, .001, 0, 0, 0,  0, 1,  //
                                .001, 0, 0, 0, 0, .001, 0, 0, 0, 0, .001, 0, 0, -1, 0, 1});
  file.skins[0] =
      replaced(file.skins[0], R"("inverseBindMatrices": 6)", R"("inverseBindMatrices": )" + matrices);
  file.extra =
      R"("extensionsRequired": ["KHR_mesh_quantization"], "extensionsUsed": ["KHR_mesh_quantization"],)";
  const Model plain = read(strip()), quantised = read(file);
  const std::vector<Vec3d> p = posed(plain.mesh, pose_at(plain.skeleton, plain.clips[0], .3)),
                           q = posed(quantised.mesh, pose_at(quantised.skeleton, quantised.clips[0], .3));
  for (std::size_t v = 0; v < p.size(); ++v) {
    expect_near(p[v], q[v]);
    expect_near(quantised.mesh.n0[v], {0, 0, 1});
  }
}

}  // namespace
}  // namespace skinlight
