// Whether a bake still belongs to its file, after edits as tools make them.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <algorithm>
#include <functional>
#include <map>
#include <numeric>

#include "skinlight/bake/bake.h"
#include "skinlight/bake/stale.h"
#include "testing/bake.h"

namespace skinlight {
namespace {

namespace fs = std::filesystem;
using gltf_test::Folder;
using test_baked::BakedFile;
using test_baked::bytes_of;
using test_baked::Json;
using test_baked::Rows;
using testing::HasSubstr;

constexpr std::size_t kWord = 4;  // the grid's vertices have floats and bytes, four of these

// A baked grid as a tool holds it: its JSON and its one buffer.
struct Edited {
  Json json;
  std::string data;

  explicit Edited(const fs::path& path) {
    BakedFile file(path);
    json = std::move(file.json);
    for (std::size_t b = 0; b < file.buffers.size(); ++b) {
      for (Json& view : json["bufferViews"])
        if (view["buffer"] == b) {
          view["buffer"] = 0;
          view["byteOffset"] = view.value("byteOffset", std::size_t{0}) + data.size();
        }
      data += file.buffers[b];
      data.resize((data.size() + 3) / 4 * 4);
    }
    json["buffers"] = Json::array({Json::object()});
  }
  std::string text() {
    json["buffers"][0] = {{"byteLength", data.size()},
                          {"uri", "data:application/octet-stream;base64," + gltf_test::base64(data)}};
    return json.dump();
  }
  Json& primitive() { return json["meshes"][0]["primitives"][0]; }
  // Where element `i` of an accessor begins, of a given size without a stride.
  char* element(std::size_t accessor, std::size_t i, std::size_t size) {
    const Json& a = json["accessors"][accessor];
    const Json& view = json["bufferViews"][a["bufferView"].get<std::size_t>()];
    return data.data() + view.value("byteOffset", std::size_t{0}) + a.value("byteOffset", std::size_t{0}) +
           i * view.value("byteStride", size);
  }
  std::size_t size_of(const Json& accessor) const {
    return static_cast<std::size_t>(accessor["type"].get<std::string>().back() - '0') *
           (accessor["componentType"] == gltf_test::kFloat ? kWord : 1);
  }
  // Swaps two vertices of one attribute.
  void swap(const std::string& attribute, std::size_t a, std::size_t b) {
    const auto accessor = primitive()["attributes"][attribute].get<std::size_t>();
    const std::size_t size = size_of(json["accessors"][accessor]);
    std::swap_ranges(element(accessor, a, size), element(accessor, a, size) + size,
                     element(accessor, b, size));
  }
  std::vector<std::uint16_t> corners() {
    const auto accessor = primitive()["indices"].get<std::size_t>();
    std::vector<std::uint16_t> all(json["accessors"][accessor]["count"].get<std::size_t>());
    std::memcpy(all.data(), element(accessor, 0, 2), 2 * all.size());
    return all;
  }
  void set_corners(const std::vector<std::uint16_t>& all) {
    std::memcpy(element(primitive()["indices"].get<std::size_t>(), 0, 2), all.data(), 2 * all.size());
  }
};

class StaleBakes : public testing::TestWithParam<RecordKind> {
 protected:
  const Folder folder{"stale_" + std::to_string(static_cast<int>(GetParam()))};
  const fs::path in = folder.write("grid.gltf", test_bake::text_of(test_bake::grid(9, 1, 9)));
  const fs::path baked = in.parent_path() / "baked.gltf";

  void SetUp() override { bake_gltf(in, baked, {.kind = GetParam()}); }
  std::vector<StaleBake> after(const std::function<void(Edited&)>& edit) {
    Edited file(baked);
    edit(file);
    return stale_bakes(folder.write("edited.gltf", file.text()));
  }
};

TEST_P(StaleBakes, ABakeIsFresh) {
  EXPECT_TRUE(stale_bakes(baked).empty());
  EXPECT_TRUE(after([](Edited&) {}).empty());
}

// Vertices renumbered, triangles in another order, each begun at another corner.
TEST_P(StaleBakes, TheSameSurfaceInAnotherOrderIsFresh) {
  EXPECT_TRUE(after([](Edited& file) {
                std::vector<std::uint16_t> corners = file.corners();
                for (const auto& [a, b] : std::map<std::size_t, std::size_t>{{0, 48}, {3, 17}, {5, 30}}) {
                  for (const auto& [name, accessor] : file.primitive()["attributes"].items())
                    file.swap(name, a, b);
                  for (std::uint16_t& corner : corners)
                    corner = static_cast<std::uint16_t>(corner == a ? b : corner == b ? a : corner);
                }
                for (std::size_t t = 0; t + 3 <= corners.size(); t += 3)
                  std::rotate(corners.begin() + static_cast<std::ptrdiff_t>(t),
                              corners.begin() + static_cast<std::ptrdiff_t>(t + 1 + t % 2),
                              corners.begin() + static_cast<std::ptrdiff_t>(t + 3));
                std::rotate(corners.begin(), corners.begin() + 3 * 7, corners.end());
                file.set_corners(corners);
              }).empty());
}

TEST_P(StaleBakes, AnotherSurfaceOrAnotherRecordIsStale) {
  const auto is_stale = [&](const std::function<void(Edited&)>& edit) {
    const std::vector<StaleBake> stale = after(edit);
    return stale.size() == 1 && stale[0].reason.find("before the file was edited") == 0;
  };
  // One triangle turned over, one left out for another.
  EXPECT_TRUE(is_stale([](Edited& file) {
    std::vector<std::uint16_t> corners = file.corners();
    std::swap(corners[3], corners[4]);
    file.set_corners(corners);
  }));
  EXPECT_TRUE(is_stale([](Edited& file) {
    std::vector<std::uint16_t> corners = file.corners();
    std::copy_n(corners.begin(), 3, corners.begin() + 3);
    file.set_corners(corners);
  }));
  // The same numbers, of each attribute, at other vertices.
  const BakedFile file(baked);
  for (const auto& [name, accessor] : file.attributes(0, 0).items()) {
    const Rows rows = file.attribute(0, 0, name);
    const auto other =
        std::find_if(rows.begin(), rows.end(), [&](const auto& row) { return row != rows[8]; });
    if (other == rows.end()) continue;  // the grid's normals
    EXPECT_TRUE(is_stale([&, attribute = name](Edited& edited) {
      edited.swap(attribute, 8, static_cast<std::size_t>(other - rows.begin()));
    })) << name;
  }
}

// A strip of vertices that no index names: each of them counts.
TEST_P(StaleBakes, VerticesWithoutIndicesAreLookedAt) {
  const std::string text =
      gltf_test::replaced(test_bake::text_of(test_bake::grid(9, 1, 9)), "\"indices\": 3", "\"mode\": 5");
  const fs::path from = folder.write("strip.gltf", text), to = from.parent_path() / "strip_baked.gltf";
  bake_gltf(from, to, {.kind = GetParam()});
  EXPECT_TRUE(stale_bakes(to).empty());
  Edited file(to);
  file.swap("POSITION", 8, 30);
  const std::vector<StaleBake> stale = stale_bakes(folder.write("edited.gltf", file.text()));
  ASSERT_EQ(stale.size(), 1u);
  EXPECT_THAT(stale[0].reason, HasSubstr("before the file was edited"));
}

// As gltfpack leaves a file: nothing of meshes but what it knows, but the asset's extras.
TEST_P(StaleBakes, ARecordThatIsGoneWithItsMarkIsNamed) {
  const auto strip = [](Edited& file) {
    file.json["meshes"][0].erase("extras");
    file.primitive().erase("extras");
    Json& attributes = file.primitive()["attributes"];
    for (auto item = attributes.begin(); item != attributes.end();)
      item = item.key().rfind("_DEFORM_", 0) == 0 ? attributes.erase(item) : std::next(item);
    file.json["asset"]["generator"] = "gltfpack 0.22";
  };
  const std::vector<StaleBake> stale = after(strip);
  ASSERT_EQ(stale.size(), 1u);
  EXPECT_EQ(stale[0].mesh, 0);
  EXPECT_THAT(stale[0].reason, HasSubstr("gltfpack 0.22"));
  // What was never baked is not stale.
  EXPECT_TRUE(after([&](Edited& file) {
                strip(file);
                file.json["asset"].erase("extras");
              }).empty());
}

// FNV-1a as published, 64 bits, of words with their low byte first.
struct Fnv {
  std::uint64_t state = 14695981039346656037u;
  void word(std::uint64_t value) {
    for (int i = 0; i < 8; ++i, value >>= 8) state = (state ^ (value & 255)) * 1099511628211u;
  }
};

// Files of before: a digest of all attributes with their vertices in order, indices among them.
TEST_P(StaleBakes, EarlierMarksAreRead) {
  const BakedFile file(baked);
  std::map<std::string, std::size_t> sorted = {
      {"indices", file.json["meshes"][0]["primitives"][0]["indices"].get<std::size_t>()}};
  for (const auto& [name, accessor] : file.attributes(0, 0).items())
    sorted[name] = accessor.get<std::size_t>();
  Fnv sum;
  sum.word(4);  // triangles
  for (const auto& [name, accessor] : sorted) {
    sum.word(name.size());
    for (const char c : name) sum.word(static_cast<unsigned char>(c));
    Fnv values;
    const Rows rows = file.accessor(accessor);
    std::size_t count = 0;
    for (const auto& row : rows) count += row.size();
    values.word(count);
    for (const auto& row : rows)
      for (const double x : row) {
        std::uint64_t bits = 0;
        const double positive = x == 0 ? 0 : x;
        std::memcpy(&bits, &positive, sizeof bits);
        values.word(bits);
      }
    sum.word(values.state);
  }
  char text[32];
  std::snprintf(text, sizeof text, "fnv1a64:%016llx", static_cast<unsigned long long>(sum.state));
  const auto earlier = [&](Edited& edited) {
    edited.json["meshes"][0]["extras"]["skinlight"]["digest"] = text;
    edited.json["asset"].erase("extras");
  };
  EXPECT_TRUE(after(earlier).empty());
  EXPECT_TRUE(
      bake_gltf(in.parent_path() / "edited.gltf", in.parent_path() / "again.gltf", {.kind = GetParam()})
          .unchanged);
  EXPECT_EQ(after([&](Edited& edited) {
              earlier(edited);
              edited.swap("POSITION", 8, 9);
            }).size(),
            1u);
}

INSTANTIATE_TEST_SUITE_P(Records, StaleBakes,
                         testing::Values(RecordKind::deform_factors, RecordKind::smoothed,
                                         RecordKind::deform_vectors));

}  // namespace
}  // namespace skinlight
