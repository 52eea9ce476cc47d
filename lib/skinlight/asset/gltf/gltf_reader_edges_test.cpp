// Corners of the format that few files visit, read as the specification says.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <cstdint>
#include <filesystem>
#include <limits>

#include "skinlight/asset/gltf/detail/gltf_accessor.h"
#include "skinlight/asset/gltf/detail/gltf_compressed.h"
#include "skinlight/asset/gltf/detail/gltf_file.h"
#include "skinlight/asset/gltf/detail/gltf_morph.h"
#include "skinlight/asset/gltf/gltf.h"
#include "testing/gltf_draco.h"

namespace skinlight {
namespace {

namespace fs = std::filesystem;
using namespace gltf_test;
using testing::Each;
using testing::ElementsAre;
using testing::HasSubstr;

Model read(const std::string& bytes) { return parse_gltf(bytes, "", "strip"); }

void expect_error(const std::string& bytes, const std::string& element, const std::string& reason) {
  try {
    read(bytes);
    ADD_FAILURE() << "accepted, expected: " << element << ": " << reason;
  } catch (const InputError& e) {
    EXPECT_EQ(e.element(), element) << e.what();
    EXPECT_THAT(e.reason(), HasSubstr(reason));
  }
}

// The strip with more attributes, or others in their place.
File with_attributes(File file, const std::string& from, const std::string& to) {
  file.primitives[0] = replaced(file.primitives[0], from, to);
  return file;
}

// Rows for the strip's vertices, zero but for one.
std::vector<double> one_row(std::size_t vertex, const Vec3d& row) {
  std::vector<double> rows(24, 0.0);
  for (int i = 0; i < 3; ++i) rows[3 * vertex + static_cast<std::size_t>(i)] = row[i];
  return rows;
}

// Positions, normals and tangents move at vertices of their own.
File morphed_strip(const std::string& attributes) {
  File file = strip();
  std::vector<double> tangents;
  for (int v = 0; v < 8; ++v) tangents.insert(tangents.end(), {1, 0, 0, 1});
  const std::string tangent = file.add("VEC4", kFloat, tangents),
                    dp = file.add("VEC3", kFloat, one_row(1, {0, 0, 2})),
                    dn = file.add("VEC3", kFloat, one_row(4, {.5, 0, 0})),
                    dt = file.add("VEC3", kFloat, one_row(6, {0, .25, 0}));
  file.primitives[0] = R"({"attributes": {"POSITION": 0, "JOINTS_0": 3, "WEIGHTS_0": 4)" + attributes +
                       R"(}, "indices": 5, "targets": [{"POSITION": )" + dp + R"(, "NORMAL": )" + dn +
                       R"(, "TANGENT": )" + dt + "}]}";
  return file;
}

TEST(GltfReaderEdges, VerticesThatMoveOnlyInNormalOrTangentAreKept) {
  const Model model = read(morphed_strip(R"(, "NORMAL": 1, "TANGENT": 9)").gltf());
  ASSERT_EQ(model.morphs.size(), 1u);
  const MorphTarget& target = model.morphs[0];
  const Vec3d none(0.0);
  EXPECT_THAT(target.vertex, ElementsAre(1, 4, 6));
  EXPECT_THAT(target.dp, ElementsAre(Vec3d(0, 0, 2), none, none));
  EXPECT_THAT(target.dn, ElementsAre(none, Vec3d(.5, 0, 0), none));
  EXPECT_THAT(target.dt, ElementsAre(none, none, Vec3d(0, .25, 0)));
}

TEST(GltfReaderEdges, IndicesNameWhatIsThereAndNothingBeside) {
  const std::vector<int> list = {7, 8};
  EXPECT_EQ(gltf::named(list, 0), &list[0]);
  EXPECT_EQ(gltf::named(list, 1), &list[1]);
  for (const int none : {-1, 2, 3, std::numeric_limits<int>::min(), std::numeric_limits<int>::max()})
    EXPECT_EQ(gltf::named(list, none), nullptr) << none;
  EXPECT_EQ(gltf::named(std::vector<int>{}, 0), nullptr);
}

// Other programs' files may point anywhere, in primitives that are not skinned.
TEST(GltfReaderEdges, PrimitivesAreSplitWhereTheirPositionsWereDecodedForCorners) {
  tinygltf::Model file;
  file.accessors.resize(2);
  file.bufferViews.resize(2);
  file.buffers.resize(2);
  file.accessors[1].name = "corners of triangles";
  file.accessors[1].bufferView = 1;
  file.bufferViews[1].buffer = 1;
  file.buffers[1].name = gltf::kDecodedBuffer;
  tinygltf::Primitive primitive;
  EXPECT_FALSE(gltf::is_split(file, primitive));
  primitive.attributes["POSITION"] = 1;
  EXPECT_TRUE(gltf::is_split(file, primitive));
  for (int* const index :
       {&primitive.attributes["POSITION"], &file.accessors[1].bufferView, &file.bufferViews[1].buffer}) {
    for (const int other : {-1, 0, 2}) {
      *index = other;
      EXPECT_FALSE(gltf::is_split(file, primitive)) << other;
    }
    *index = 1;
  }
  file.accessors[1].name = "corners";
  EXPECT_FALSE(gltf::is_split(file, primitive));
}

TEST(GltfReaderEdges, ChangesOfNormalsAndTangentsThatTheFileLacksMeanNothing) {
  const MorphTarget bare = read(morphed_strip("").gltf()).morphs.at(0);
  EXPECT_THAT(bare.vertex, ElementsAre(1));
  EXPECT_TRUE(bare.dn.empty());
  EXPECT_TRUE(bare.dt.empty());
  const MorphTarget normals = read(morphed_strip(R"(, "NORMAL": 1)").gltf()).morphs.at(0);
  EXPECT_THAT(normals.vertex, ElementsAre(1, 4));
  EXPECT_EQ(normals.dn.size(), 2u);
  EXPECT_TRUE(normals.dt.empty());
}

// Ten million vertices of 16 numbers, with 20 million triangles, take 880 MB. Bake reads them twice, triangles three times.
TEST(GltfReaderEdges, NumbersThatMayBeReadGrowWithTheFileWhateverItsSize) {
  constexpr std::uint64_t kMega = 1u << 20, kVertices = 10'000'000;
  EXPECT_EQ(gltf::number_budget(0, 0), kMega);
  EXPECT_EQ(gltf::number_budget(1000, 0), kMega + 64 * 1000);
  EXPECT_EQ(gltf::number_budget(1000, 500), kMega + 64 * 1000 + 500);
  EXPECT_EQ(gltf::number_budget(8 * kMega, 0), 256 * kMega);
  EXPECT_EQ(gltf::number_budget(64 * kMega, 0), 256 * kMega);
  EXPECT_EQ(gltf::number_budget(kMega, 900 * kMega), 256 * kMega);
  EXPECT_EQ(gltf::number_budget(100 * kMega, 900 * kMega), 400 * kMega);
  EXPECT_GE(gltf::number_budget(88 * kVertices, 0), (2 * 16 + 3 * 6) * kVertices);
}

// JSON has no such numbers, but what parses it may change.
TEST(GltfReaderEdges, MorphWeightsThatAreNotFiniteAreNamed) {
  tinygltf::Model file;
  file.nodes.resize(1);
  file.meshes.resize(1);
  file.meshes[0].primitives.resize(1);
  file.meshes[0].primitives[0].targets.resize(2);
  for (const double bad : {std::numeric_limits<double>::infinity(), std::numeric_limits<double>::quiet_NaN()})
    for (const bool of_node : {false, true}) {
      file.meshes[0].weights = of_node ? std::vector<double>{} : std::vector<double>{0, bad};
      file.nodes[0].weights = of_node ? std::vector<double>{0, bad} : std::vector<double>{};
      gltf::Accessors accessors(file);
      gltf::MorphReader reader(file, accessors);
      try {
        reader.open(0, 0);
        ADD_FAILURE() << "accepted " << bad;
      } catch (const InputError& e) {
        EXPECT_EQ(e.element(), of_node ? "node 0" : "mesh 0");
        EXPECT_EQ(e.reason(), "a morph weight is not finite");
      }
    }
}

// The format's max(c / 32767, -1).
TEST(GltfReaderEdges, TheMostNegativeShortIsMinusOne) {
  File file = strip();
  std::vector<double> rows;
  for (int v = 0; v < 8; ++v) rows.insert(rows.end(), {-32768, -32767, v % 2 == 0 ? 32767. : 0., 0});
  const std::string position = file.add("VEC4", kI16, rows, true);
  file.accessors.back() = replaced(file.accessors.back(), "VEC4", "VEC3");
  file.views.back() = replaced(file.views.back(), R"("buffer": 0)", R"("buffer": 0, "byteStride": 8)");
  const Model model = read(with_attributes(file, R"("POSITION": 0)", R"("POSITION": )" + position).gltf());
  for (std::size_t v = 0; v < 8; ++v) EXPECT_EQ(model.mesh.p0[v], Vec3d(-1, -1, v % 2 == 0 ? 1 : 0));
}

TEST(GltfReaderEdges, AttributesWithMoreOrFewerRowsThanVerticesAreNamed) {
  for (const std::size_t rows : {7u, 9u}) {
    File file = strip();
    std::vector<double> normals;
    for (std::size_t v = 0; v < rows; ++v) normals.insert(normals.end(), {0, 0, 1});
    const std::string normal = file.add("VEC3", kFloat, normals);
    expect_error(with_attributes(file, R"("NORMAL": 1)", R"("NORMAL": )" + normal).gltf(),
                 "mesh 0 primitive 0 NORMAL", std::to_string(rows) + " elements for 8 vertices");
  }
}

// The sign of a tangent's w is all that counts; 0 has none.
TEST(GltfReaderEdges, TangentsWhoseWIsNoSignKeepTheirSideWithAWarning) {
  File file = strip();
  std::vector<double> rows;
  const double w[] = {1, -1, .5, -.5, 0, -3, 1, -1};
  for (const double sign : w) rows.insert(rows.end(), {1, 0, 0, sign});
  const std::string tangent = file.add("VEC4", kFloat, rows);
  const Model model =
      read(with_attributes(file, R"("NORMAL": 1)", R"("NORMAL": 1, "TANGENT": )" + tangent).gltf());
  EXPECT_THAT(model.mesh.handedness, ElementsAre(-1, 1, -1, 1, -1, 1, -1, 1));
  EXPECT_EQ(count_of(model, "has a tangent whose w is not 1 or -1"), 4);
}

TEST(GltfReaderEdges, LinesAreLeftOutAndWeightsWithoutJointsAreNamed) {
  for (const std::string mode : {"0", "1", "2", "3"}) {
    File file = strip();
    file.primitives.push_back(file.primitives[0]);
    file.primitives[1].insert(1, "\"mode\": " + mode + ", ");
    const Model model = read(file.gltf());
    EXPECT_EQ(model.mesh.faces.size(), 6u);
    EXPECT_EQ(count_of(model, "is not made of triangles"), 1);
  }
  expect_error(with_attributes(strip(), R"("JOINTS_0": 3, )", "").gltf(), "mesh 0 primitive 0",
               "has 0 sets of JOINTS and 1 of WEIGHTS");
  expect_error(with_attributes(strip(), R"(, "WEIGHTS_0": 4)", "").gltf(), "mesh 0 primitive 0",
               "has 1 sets of JOINTS and 0 of WEIGHTS");
}

std::string nested(const std::string& open, const std::string& close, int levels) {
  std::string text, end;
  for (int i = 0; i < levels; ++i) {
    text += open;
    end += close;
  }
  return text + "1" + end;
}

TEST(GltfReaderEdges, BracesNestedTooDeepAreRefusedWhateverTheyAre) {
  const auto with = [](const std::string& value) {
    File file = strip();
    file.extra = "\"extras\": " + value + ", ";
    return file;
  };
  for (const File& deep : {with(nested("{\"a\": ", "}", 250)), with(nested("[", "]", 250)),
                           with(nested("[{\"a\": ", "}]", 125))}) {
    expect_error(deep.gltf(), "JSON", "nested deeper than 200");
    expect_error(deep.glb(), "JSON", "nested deeper than 200");
  }
  for (const File& shallow : {with(nested("{\"a\": ", "}", 150)), with(nested("[{\"a\": ", "}]", 75))}) {
    EXPECT_EQ(read(shallow.gltf()).mesh.vertex_count(), 8);
    EXPECT_EQ(read(shallow.glb()).mesh.vertex_count(), 8);
  }
}

TEST(GltfReaderEdges, BracketsInStringsDoNotCount) {
  const std::string brackets(300, '[');
  File file = strip();
  // A quote that is escaped ends no string; one behind an escaped backslash does.
  file.extra = R"("extras": ["\")" + brackets + R"(", "\\\")" + brackets + R"(", "\\"], )";
  EXPECT_EQ(read(file.gltf()).mesh.vertex_count(), 8);
  file.extra = R"("extras": ["\\", )" + nested("[", "]", 250) + R"(, "\\"], )";
  expect_error(file.gltf(), "JSON", "nested deeper than 200");
}

TEST(GltfReaderEdges, BytesBehindAContainerAreNoPartOfIt) {
  const std::string good = strip().glb();
  const Document plain = take_apart(good);
  for (const std::string& tail : {std::string("t"), std::string("trailing bytes, and more of them"),
                                  std::string("\4\0\0\0BIN\0abcd", 12), good})
    expect_same_model(read(good), read(good + tail));
  // Nor of one whose JSON is amended before it is parsed.
  const Document packed = with_draco(plain, good, true, 0);
  expect_same_model(read(good), read(packed.glb() + "trailing bytes"));
  Json json = packed.json;
  json["buffers"][0] = {{"byteLength", packed.buffer.size()},
                        {"uri", "data:application/octet-stream;base64," + base64(packed.buffer)}};
  std::string alone = json.dump(), header = "glTF";
  alone.resize((alone.size() + 3) / 4 * 4, ' ');
  append_number(header, kU32, 2);
  append_number(header, kU32, static_cast<double>(20 + alone.size()));
  append_number(header, kU32, static_cast<double>(alone.size()));
  expect_same_model(read(good), read(header + "JSON" + alone + "trailing bytes"));

  // Half a chunk header within the announced length is a mistake.
  std::string length, text = good.substr(0, 20 + 4 * ((strip().json("").size() + 3) / 4));
  append_number(length, kU32, static_cast<double>(text.size() + 4));
  text.replace(8, 4, length);
  expect_error(text + std::string(4, '\0'), "BIN chunk", "truncated");
  expect_error(text + std::string(4, '\0') + "BIN", "BIN chunk", "truncated");
}

TEST(GltfReaderEdges, WeightsThatAreNotFiniteAreNamedByTheirVertexWhereTheyAreKept) {
  File file = strip();
  std::vector<double> weights;
  for (int v = 0; v < 8; ++v)
    for (const double w : {.5, v == 3 ? std::numeric_limits<double>::quiet_NaN() : .5, 0., 0.})
      weights.push_back(w);
  const std::string accessor = file.add("VEC4", kFloat, weights);
  const Model model =
      parse_gltf(with_attributes(file, "\"WEIGHTS_0\": 4", "\"WEIGHTS_0\": " + accessor).gltf(), "", "strip",
                 {.keep_unusable_weights = true});
  const auto named = std::find_if(model.warnings.begin(), model.warnings.end(), [](const Warning& w) {
    return w.reason.find("not finite") != std::string::npos;
  });
  ASSERT_NE(named, model.warnings.end());
  EXPECT_EQ(named->element, "vertex 3");
  EXPECT_EQ(named->count, 1);
}

// Runs `act` with another working directory.
template <class Act>
void run_in(const fs::path& folder, const Act& act) {
  struct Back {
    fs::path to = fs::current_path();
    ~Back() {
      std::error_code ignored;
      fs::current_path(to, ignored);
    }
  } const back;
  fs::current_path(folder);
  act();
}

TEST(GltfReaderEdges, WithoutAFolderExternalBuffersAreNowhereNotEvenInTheWorkingDirectory) {
  const Folder folder("reader_nowhere");
  const fs::path beside = folder.write("strip.bin", strip().buffer).parent_path();
  const std::string text = strip().json(R"("uri": "strip.bin", )");
  run_in(beside, [&] {
    EXPECT_EQ(parse_gltf(text, beside, "strip").mesh.vertex_count(), 8);
    expect_error(text, "JSON", "File not found");
  });
}

}  // namespace
}  // namespace skinlight
