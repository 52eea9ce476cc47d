// KHR_draco_mesh_compression: files made by the library's own encoders from plain ones must read the same.
#include <array>

#include "testing/gltf_draco.h"

namespace skinlight {
namespace {

using namespace gltf_test;

TEST(Draco, SequentialMeshesReadTheSame) {
  for (const auto& [name, bytes] : files()) {
    SCOPED_TRACE(name);
    const Document plain = take_apart(bytes);
    expect_same_model(read(plain), read(with_draco(plain, bytes, true, 0)));
  }
}

// Corners of all faces as rows of numbers, sorted: free of any order.
using Corner8 = std::array<double, 8>;
std::vector<Corner8> corners(const RiggedMesh& mesh) {
  std::vector<Corner8> rows;
  for (const Face& f : mesh.faces)
    for (const int corner : f) {
      const auto v = static_cast<std::size_t>(corner);
      const Vec3d p = mesh.p0[v];
      double bones = 0;  // one number for the bones and their weights, in any order
      for (std::size_t k = 0; k < static_cast<std::size_t>(mesh.slots); ++k)
        bones += mesh.weights_of(corner)[k] * std::sqrt(2.0 + mesh.bones_of(corner)[k]);
      rows.push_back({p.x, p.y, p.z, bones, mesh.n0[v].x, mesh.n0[v].y, mesh.n0[v].z, 0});
    }
  std::sort(rows.begin(), rows.end());
  return rows;
}

TEST(Draco, EdgebreakerMeshesHaveTheSameCornersInAnotherOrder) {
  for (const auto& [name, bytes] : files()) {
    SCOPED_TRACE(name);
    const Document plain = take_apart(bytes);
    const Model before = read(plain), after = read(with_draco(plain, bytes, false, 0));
    if (count_of(before, "has no normal") > 0) continue;  // averaged ones round otherwise in another order
    const std::vector<Corner8> a = corners(before.mesh), b = corners(after.mesh);
    ASSERT_EQ(a.size(), b.size());
    for (std::size_t i = 0; i < a.size(); ++i)
      for (std::size_t k = 0; k < 8; ++k) ASSERT_NEAR(a[i][k], b[i][k], 1e-12) << "corner " << i;
  }
}

TEST(Draco, QuantisedMeshesAreWithinTheirStep) {
  for (const auto& [name, bytes] : files()) {
    SCOPED_TRACE(name);
    const Document plain = take_apart(bytes);
    const Model before = read(plain), after = read(with_draco(plain, bytes, true, 12));
    ASSERT_EQ(before.mesh.vertex_count(), after.mesh.vertex_count());
    Vec3d low = before.mesh.p0[0], high = low;
    for (const Vec3d& p : before.mesh.p0)
      for (int i = 0; i < 3; ++i) {
        low[i] = std::min(low[i], p[i]);
        high[i] = std::max(high[i], p[i]);
      }
    const double range = std::max({high.x - low.x, high.y - low.y, high.z - low.z}), step = range / 4095;
    double largest = 0;
    for (std::size_t v = 0; v < before.mesh.p0.size(); ++v) {
      for (int i = 0; i < 3; ++i)
        largest = std::max(largest, std::abs(before.mesh.p0[v][i] - after.mesh.p0[v][i]));
      if (count_of(before, "has no normal") == 0) {
        EXPECT_LT(length(before.mesh.n0[v] - after.mesh.n0[v]), 3e-3);
      }
    }
    EXPECT_LE(largest, .51 * step);
    EXPECT_GT(largest, name == "strip" ? -1 : .2 * step);
    EXPECT_EQ(before.mesh.weight, after.mesh.weight);
  }
}

TEST(Draco, ContradictionsAreNamed) {
  const std::string bytes = strip().glb();
  const Document good = with_draco(take_apart(bytes), bytes, true, 0);
  const std::string element = std::string("mesh 0 primitive 0 ") + gltf::kDraco;
  const auto with = [&](const char* pointer, const Json& value) {
    Document bad = good;
    bad.json[Json::json_pointer(pointer)] = value;
    return bad;
  };
  const std::string extension = "/meshes/0/primitives/0/extensions/KHR_draco_mesh_compression";
  const std::string views = std::to_string(good.json["bufferViews"].size());
  expect_error(with((extension + "/bufferView").c_str(), 99), element,
               "buffer view 99, but the file has " + views);
  expect_error(with((extension + "/bufferView").c_str(), "x"), element, "has no bufferView");
  expect_error(with((extension + "/attributes").c_str(), 5), element, "no attributes");
  expect_error(with((extension + "/attributes/POSITION").c_str(), 77), element + " POSITION",
               "attribute 77 is not in the compressed mesh");
  expect_error(with((extension + "/attributes/POSITION").c_str(), "x"), element + " POSITION",
               "is no attribute of the primitive");
  expect_error(with((extension + "/attributes/COLOR_0").c_str(), 1), element + " COLOR_0",
               "is no attribute of the primitive");
  expect_error(with("/meshes/0/primitives/0/mode", 6), element, "is not made of triangles");
  const std::string position =
      "/accessors/" + good.json["meshes"][0]["primitives"][0]["attributes"]["POSITION"].dump();
  expect_error(with((position + "/count").c_str(), 9), element + " POSITION",
               "8 vertices in the compressed mesh, 9");
  expect_error(with((position + "/count").c_str(), 2000000000), element + " POSITION",
               "more than a mesh of this size");
  expect_error(with((position + "/type").c_str(), "VEC2"), element + " POSITION",
               "another number in its accessor");
  const std::string indices = "/accessors/" + good.json["meshes"][0]["primitives"][0]["indices"].dump();
  expect_error(with((indices + "/count").c_str(), 15), element + " indices",
               "6 triangles in the compressed mesh, 15");
  expect_error(with((indices + "/count").c_str(), 21), element + " indices",
               "6 triangles in the compressed mesh, 21");
  const std::string joints =
      "/accessors/" + good.json["meshes"][0]["primitives"][0]["attributes"]["WEIGHTS_0"].dump();
  EXPECT_NO_THROW(read(with((joints + "/min").c_str(), Json::array({0}))));
  const std::string view = "/bufferViews/" + std::to_string(good.json["bufferViews"].size() - 1);
  expect_error(with((view + "/byteLength").c_str(), 30), element, "are damaged");
  expect_error(with((view + "/byteLength").c_str(), 1 << 30), element, "do not fit the buffer's");
  expect_error(with((view + "/byteOffset").c_str(), good.buffer.size() - 4), element,
               "do not fit the buffer's");
  expect_error(with((view + "/byteOffset").c_str(), 1 << 30), element, "do not fit the buffer's");
}

// Where a file brings its vertices uncompressed too, their accessors say how those are stored.
TEST(Draco, AccessorsOfTheFallbackDoNotMatter) {
  const std::string bytes = strip().glb();
  const Document plain = take_apart(bytes), packed = with_draco(plain, bytes, true, 0);
  Document both = packed;
  const Json& primitive = packed.json["meshes"][0]["primitives"][0];
  both.json["accessors"][primitive["attributes"]["POSITION"].get<std::size_t>()]["byteOffset"] = 12;
  both.json["accessors"][primitive["indices"].get<std::size_t>()]["byteOffset"] = 6;
  expect_same_model(read(plain), read(both));
  both.json["meshes"][0]["primitives"][0]["mode"] = 5;  // the fallback's strip; Draco has triangles
  expect_same_model(read(plain), read(both));
}

// Soon and without gigabytes: Draco runs under limits in a process of its own.
TEST(Draco, DamagedBytesNeverCrash) {
  const std::string bytes = strip().glb();
  const Document plain = take_apart(bytes);
  damage_often(with_draco(plain, bytes, true, 0), plain.buffer.size(), 200);
  damage_often(with_draco(plain, bytes, false, 10), plain.buffer.size(), 200);
}

}  // namespace
}  // namespace skinlight
