// Sparse accessors by value: every storage type, with the numbers they replace and without any.
#include <gtest/gtest.h>

#include <algorithm>
#include <string>
#include <vector>

#include "skinlight/asset/gltf/gltf.h"
#include "testing/gltf_file.h"

namespace skinlight {
namespace {

using namespace gltf_test;

struct Storage {
  int type;
  bool normalized;
  double unit;             // what the number 1 stands for is 1 / unit
  double base, low, high;  // numbers as stored
};

// glTF 2.0, section 3.11: c / 127 and so on, of signed ones at least -1.
double decoded(const Storage& storage, double stored) { return std::max(stored / storage.unit, -1.0); }

std::string index_of(File& file, int type, const std::vector<double>& values) {
  file.add("SCALAR", type, values);
  file.accessors.pop_back();
  return std::to_string(file.views.size() - 1);
}

// POSITION of the strip, 8 vertices: vertices 2 and 5 from the sparse entries, the others from the base.
std::vector<Vec3d> positions(const Storage& storage, bool with_base, int index_type) {
  File file = strip();
  const std::vector<double> base(24, storage.base);
  const std::string normal = storage.normalized ? R"(, "normalized": true)" : "";
  file.add("VEC3", storage.type, base, storage.normalized);
  const std::string view = std::to_string(file.views.size() - 1);
  const std::string indices = index_of(file, index_type, {2, 5});
  file.add("VEC3", storage.type,
           {storage.low, storage.high, storage.low, storage.high, storage.low, storage.high});
  file.accessors.pop_back();
  const std::string values = std::to_string(file.views.size() - 1);
  file.accessors.back() =
      std::string("{") + (with_base ? R"("bufferView": )" + view + ", " : "") + R"("componentType": )" +
      std::to_string(storage.type) + R"(, "type": "VEC3", "count": 8)" + normal +
      R"(, "sparse": {"count": 2, "indices": {"bufferView": )" + indices + R"(, "componentType": )" +
      std::to_string(index_type) + R"(}, "values": {"bufferView": )" + values + "}}}";
  const std::string accessor = std::to_string(file.accessors.size() - 1);
  file.primitives[0].replace(file.primitives[0].find("\"POSITION\": 0"), 13, "\"POSITION\": " + accessor);
  return parse_gltf(file.gltf(), ".", "strip").mesh.p0;
}

TEST(GltfSparse, EntriesReplaceNumbersOfEveryStorageType) {
  const Storage storages[] = {{kFloat, false, 1, .375, -.5, 2.25},
                              {kI8, true, 127, 55, -128, 127},
                              {kU8, true, 255, 55, 3, 255},
                              {kI16, true, 32767, 5555, -32768, 12345},
                              {kU16, true, 65535, 5555, 1, 54321}};
  for (const Storage& storage : storages)
    for (const bool with_base : {false, true})
      for (const int index_type : {kU8, kU16, kU32}) {
        SCOPED_TRACE(std::to_string(storage.type) + (with_base ? " over a base" : " over nothing"));
        const std::vector<Vec3d> p = positions(storage, with_base, index_type);
        const double low = storage.normalized ? decoded(storage, storage.low) : storage.low;
        const double high = decoded(storage, storage.high),
                     base = with_base ? decoded(storage, storage.base) : 0;
        ASSERT_EQ(p.size(), 8u);
        for (std::size_t v = 0; v < 8; ++v)
          EXPECT_EQ(p[v], v == 2   ? Vec3d(low, high, low)
                          : v == 5 ? Vec3d(high, low, high)
                                   : Vec3d(base, base, base))
              << v;
      }
}

}  // namespace
}  // namespace skinlight
