// The bytes of written glTF files, taken apart by hand.
#include "skinlight/asset/gltf/detail/gltf_document.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <cstdint>
#include <cstring>

#include "skinlight/asset/gltf/detail/gltf_file.h"
#include "skinlight/bake/bake.h"
#include "testing/bake.h"
#include "testing/baked_file.h"
#include "testing/gltf_file.h"

namespace skinlight {
namespace {

namespace fs = std::filesystem;
using gltf::NewAttribute;
using gltf_test::File;
using gltf_test::Folder;
using gltf_test::kFloat;
using gltf_test::kI16;
using gltf_test::kI8;
using gltf_test::kU16;
using gltf_test::kU8;
using gltf_test::strip;
using test_baked::BakedFile;
using test_baked::bytes_of;
using test_baked::Json;
using testing::ElementsAre;
using testing::HasSubstr;
using testing::IsEmpty;

std::string text_with(const std::string& properties) {
  return R"({"asset": {"version": "2.0"})" + (properties.empty() ? "" : ", " + properties) + "}";
}

gltf::Document empty_document() { return gltf::parse_document(text_with(""), "model.gltf"); }

struct Written {
  std::vector<fs::path> files;
  std::vector<Warning> warnings;
};

// Reads `in`, adds the attributes and writes `out`.
Written write(const fs::path& in, const fs::path& out, const std::vector<NewAttribute>& attributes = {},
              bool force = false) {
  gltf::Document document = gltf::parse_document(bytes_of(in), in);
  for (const NewAttribute& attribute : attributes) gltf::add_attribute(document, attribute);
  Written written;
  const gltf::WriteOptions options{.force = force};
  written.files = gltf::write_document(document, gltf::open(in), out, gltf::claim_target(in, out, options),
                                       options, written.warnings);
  return written;
}

std::size_t word(const std::string& bytes, std::size_t at) {
  std::uint32_t value = 0;
  std::memcpy(&value, bytes.data() + at, sizeof value);
  return value;
}

// A container whose every length has been checked.
struct Container {
  Json json;
  std::string chunk;

  explicit Container(const fs::path& path) {
    const std::string bytes = bytes_of(path);
    EXPECT_EQ(bytes.substr(0, 4), "glTF");
    EXPECT_EQ(word(bytes, 4), 2u);
    EXPECT_EQ(word(bytes, 8), bytes.size());
    const std::size_t json_size = word(bytes, 12);
    EXPECT_EQ(json_size % 4, 0u);
    EXPECT_EQ(bytes.substr(16, 4), "JSON");
    json = Json::parse(bytes.substr(20, json_size));
    const std::size_t chunk_size = word(bytes, 20 + json_size);
    EXPECT_EQ(chunk_size % 4, 0u);
    EXPECT_EQ(bytes.substr(24 + json_size, 4), std::string("BIN\0", 4));
    EXPECT_EQ(28 + json_size + chunk_size, bytes.size());
    chunk = bytes.substr(28 + json_size);
  }
};

std::string little_endian(int component_type, const std::vector<double>& numbers) {
  std::string bytes;
  for (const double number : numbers) gltf_test::append_number(bytes, component_type, number);
  return bytes;
}

const NewAttribute kOneRow{kFloat, false, 4, {1, -2, .5, 8}};

TEST(GltfDocument, StoredIntegersAreTheNearestCodes) {
  const struct {
    int type;
    std::vector<double> codes;
    double largest;
  } cases[] = {{kI8, {-127, -101, -1, 0, 1, 100, 126, 127}, 127},
               {kU8, {0, 1, 2, 127, 128, 200, 254, 255}, 255},
               {kI16, {-32767, -20001, -1, 0, 1, 255, 256, 32767}, 32767},
               {kU16, {0, 1, 255, 256, 32767, 32768, 65534, 65535}, 65535}};
  for (const auto& c : cases)
    for (const double off : {-.4, 0., .4}) {
      NewAttribute normalized{c.type, true, 4, {}}, plain{c.type, false, 4, {}};
      for (const double code : c.codes) {
        normalized.values.push_back((code + off) / c.largest);
        plain.values.push_back(code + off);
      }
      for (const NewAttribute& attribute : {normalized, plain}) {
        gltf::Document document = empty_document();
        EXPECT_EQ(gltf::add_attribute(document, attribute), 0);
        EXPECT_EQ(document.added, little_endian(c.type, c.codes)) << c.type << " " << off;
        const Json& accessor = document.json["accessors"][0];
        EXPECT_EQ(accessor["componentType"], c.type);
        EXPECT_EQ(accessor.value("normalized", false), attribute.normalized);
        EXPECT_EQ(accessor["count"], 2);
        EXPECT_EQ(accessor["type"], "VEC4");
      }
    }
}

TEST(GltfDocument, RowsAndViewsBeginAtMultiplesOfFourBytes) {
  gltf::Document document = empty_document();
  gltf::add_attribute(document, {kU8, false, 3, {1, 2, 3, 4, 5, 6}});
  gltf::add_attribute(document, {kI16, false, 3, {7, 8, 9}});
  gltf::add_attribute(document, {kU8, false, 2, {10, 11, 12, 13, 14, 15}});
  gltf::add_attribute(document, {kU8, false, 4, {16, 17, 18, 19}});
  EXPECT_EQ(document.added, std::string("\1\2\3\0\4\5\6\0"
                                        "\7\0\10\0\11\0\0\0"
                                        "\12\13\0\0\14\15\0\0\16\17\0\0"
                                        "\20\21\22\23",
                                        32));
  const Json& views = document.json["bufferViews"];
  const std::size_t offsets[] = {0, 8, 16, 28}, lengths[] = {8, 8, 12, 4}, strides[] = {4, 8, 4, 0};
  for (std::size_t i = 0; i < 4; ++i) {
    EXPECT_EQ(views[i]["byteOffset"], offsets[i]);
    EXPECT_EQ(views[i]["byteLength"], lengths[i]);
    EXPECT_EQ(views[i].value("byteStride", 0u), strides[i]) << "only where elements do not touch";
  }
}

TEST(GltfDocument, AddedDataStandsBehindThePaddedChunkThatTheBufferCounts) {
  const Folder folder("document_chunk");
  folder.write("five.bin", "abcde");
  const fs::path in = folder.write(
      "in.gltf", text_with(R"("buffers": [{"uri": "five.bin", "byteLength": 5, "name": "kept"}])"));
  const std::string numbers = little_endian(kFloat, kOneRow.values);
  const auto expect_added = [&](const Json& json, const std::string& data) {
    ASSERT_EQ(json["buffers"].size(), 1u);
    EXPECT_EQ(json["buffers"][0]["byteLength"], 24);
    EXPECT_EQ(json["buffers"][0]["name"], "kept");
    EXPECT_EQ(json["bufferViews"][0]["buffer"], 0);
    EXPECT_EQ(json["bufferViews"][0]["byteOffset"], 8);
    EXPECT_EQ(json["bufferViews"][0]["byteLength"], 16);
    EXPECT_EQ(data, std::string("abcde\0\0\0", 8) + numbers);
  };
  const fs::path glb = in.parent_path() / "a.glb", plain = in.parent_path() / "b.glb";
  EXPECT_THAT(write(in, glb, {kOneRow}).files, ElementsAre(glb));
  expect_added(Container(glb).json, Container(glb).chunk);
  EXPECT_FALSE(Container(glb).json["buffers"][0].contains("uri"));

  // Only the container changes: the buffer is as long as before.
  write(in, plain);
  EXPECT_EQ(Container(plain).json["buffers"], Json::parse(R"([{"byteLength": 5, "name": "kept"}])"));
  EXPECT_EQ(Container(plain).chunk, std::string("abcde\0\0\0", 8));

  // From the container, into a container and out of it.
  const fs::path again = in.parent_path() / "c.glb", text = in.parent_path() / "d.gltf",
                 bin = in.parent_path() / "d.bin";
  write(plain, again, {kOneRow});
  expect_added(Container(again).json, Container(again).chunk);
  EXPECT_THAT(write(plain, text, {kOneRow}).files, ElementsAre(bin, text));
  expect_added(Json::parse(bytes_of(text)), bytes_of(bin));
  EXPECT_EQ(Json::parse(bytes_of(text))["buffers"][0]["uri"], "d.bin");
  write(plain, text, {}, true);
  EXPECT_EQ(bytes_of(bin), "abcde");
  EXPECT_EQ(Json::parse(bytes_of(text))["buffers"][0]["byteLength"], 5);
}

// glTF 2.0, section 4.4.3: a container may have more of them, by extensions.
TEST(GltfDocument, FurtherChunksOfAContainerStayOrAreNamed) {
  const Folder folder("document_further_chunks");
  const auto chunk = [](const std::string& type, const std::string& data) {
    return little_endian(gltf_test::kU32, {static_cast<double>(data.size())}) + type + data;
  };
  const auto container = [&](const std::string& chunks) {
    const std::string size = little_endian(gltf_test::kU32, {static_cast<double>(12 + chunks.size())});
    return "glTF" + little_endian(gltf_test::kU32, {2}) + size + chunks;
  };
  std::string text = text_with(R"("buffers": [{"byteLength": 4}])");
  text.resize((text.size() + 3) / 4 * 4, ' ');
  const std::string binary = chunk("JSON", text) + chunk(std::string("BIN\0", 4), "abcd"),
                    theirs = chunk("ABCD", "theirs..") + chunk("EFGH", "") + chunk("IJKL", "more");
  const fs::path in = folder.write("in.glb", container(binary + theirs) + "behind the container"),
                 out = in.parent_path() / "out.glb", text_out = in.parent_path() / "out.gltf";
  const auto ends_with = [&](const std::string& end) {
    const std::string bytes = bytes_of(out);
    EXPECT_EQ(word(bytes, 8), bytes.size());
    EXPECT_EQ(word(bytes, 20 + word(bytes, 12)), 20u) << "the binary chunk";
    return bytes.substr(20 + word(bytes, 12) + 8 + 20) == end;
  };
  EXPECT_TRUE(write(in, out, {kOneRow}).warnings.empty());
  EXPECT_TRUE(ends_with(theirs));
  const Written plain = write(in, text_out, {kOneRow});
  ASSERT_EQ(plain.warnings.size(), 1u);
  EXPECT_THAT(plain.warnings[0].reason, HasSubstr("chunks behind its binary one"));
  EXPECT_EQ(bytes_of(in.parent_path() / "out.bin").substr(0, 4), "abcd");

  // None, and one that is cut short.
  folder.write("in.glb", container(binary));
  EXPECT_TRUE(write(in, text_out, {kOneRow}, true).warnings.empty());
  write(in, out, {kOneRow});
  EXPECT_TRUE(ends_with(""));
  folder.write("in.glb", container(binary + theirs + chunk("MNOP", "cut short").substr(0, 12)));
  write(in, out, {kOneRow});
  EXPECT_TRUE(ends_with(theirs));
}

// Digits and padding of RFC 4648, section 10.
TEST(GltfDocument, BuffersAfterTheFirstBecomeDataUrisInAContainer) {
  const Folder folder("document_data_uris");
  const std::string words[] = {"first", "f", "fo", "foo", "foob", "\xfb\xef\xff"};
  std::string buffers;
  for (const std::string& name : words) {
    const std::string file = std::to_string(&name - words) + ".bin";
    folder.write(file, name);
    buffers += R"({"uri": ")" + file + R"(", "byteLength": )" + std::to_string(name.size()) + "}, ";
  }
  const std::string embedded = "data:application/gltf-buffer;base64,Zm9vYg==";
  const fs::path in = folder.write("in.gltf", text_with("\"buffers\": [" + buffers + R"({"uri": ")" +
                                                        embedded + R"(", "byteLength": 4}])"));
  const fs::path out = in.parent_path() / "elsewhere" / "out.glb";
  EXPECT_THAT(write(in, out, {kOneRow}).files, ElementsAre(out));
  const Container container(out);
  const std::string prefix = "data:application/octet-stream;base64,";
  const Json& written = container.json["buffers"];
  ASSERT_EQ(written.size(), 7u);
  EXPECT_FALSE(written[0].contains("uri"));
  EXPECT_EQ(container.chunk.substr(0, 8), std::string("first\0\0\0", 8));
  EXPECT_EQ(written[1]["uri"], prefix + "Zg==");
  EXPECT_EQ(written[2]["uri"], prefix + "Zm8=");
  EXPECT_EQ(written[3]["uri"], prefix + "Zm9v");
  EXPECT_EQ(written[4]["uri"], prefix + "Zm9vYg==");
  EXPECT_EQ(written[5]["uri"], prefix + "++//");
  EXPECT_EQ(written[6]["uri"], embedded) << "as it was";
  for (std::size_t i = 1; i < 6; ++i) EXPECT_EQ(written[i]["byteLength"], words[i].size());
}

TEST(GltfDocument, AContainerWithoutBuffersGetsADataUri) {
  const Folder folder("document_no_buffer");
  const fs::path in = folder.write("in.gltf", text_with("")), out = in.parent_path() / "out.glb";
  write(in, out, {kOneRow});
  const BakedFile file(out);
  EXPECT_EQ(file.buffers[0], little_endian(kFloat, kOneRow.values));
  EXPECT_THAT(file.accessor(0), ElementsAre(kOneRow.values));
}

TEST(GltfDocument, ImagesAreCopiedByTheFilesTheirUrisName) {
  const Folder folder("document_images");
  // Escapes are bytes, what is no escape stands for itself; a colon behind a slash ends no scheme.
  const std::vector<std::pair<std::string, std::string>> named = {{"skin%20map.png", "skin map.png"},
                                                                  {"%C3%A4.png", "\xc3\xa4.png"},
                                                                  {"5%2.png", "5%2.png"},
                                                                  {"%zz.png", "%zz.png"},
                                                                  {"%2", "%2"},
                                                                  {"maps/a:b.png", "maps/a:b.png"}};
  std::string images;
  for (const auto& [uri, file] : named) {
    folder.write("in/" + file, "content of " + file);
    images += R"({"uri": ")" + uri + "\"}, ";
  }
  folder.write("a.png", "outside");
  folder.write("in/scheme:x.png", "a file whose name looks like a scheme");
  const fs::path in =
      folder.write("in/model.gltf",
                   text_with("\"images\": [" + images +
                             R"({"uri": "scheme:x.png"}, {"uri": "data:image/png;base64,AAAA"}, )"
                             R"({"uri": "https://host/a.png"}, {"uri": "/nowhere/absolute.png"}, )"
                             R"({"uri": "../a.png"}, {"uri": "maps/../../a.png"}, {"uri": "gone.png"}])"));
  const fs::path out = in.parent_path().parent_path() / "far" / "deep" / "model.gltf";
  const Written written = write(in, out);
  std::vector<fs::path> expected;
  for (const auto& [uri, file] : named) {
    expected.push_back(out.parent_path() / file);
    EXPECT_EQ(bytes_of(out.parent_path() / file), "content of " + file) << uri;
  }
  expected.push_back(out);
  EXPECT_EQ(written.files, expected);
  EXPECT_FALSE(fs::exists(out.parent_path().parent_path() / "a.png")) << "outside the folder";
  ASSERT_EQ(written.warnings.size(), 3u);
  EXPECT_THAT(written.warnings[0].reason, HasSubstr("refers to ../a.png, outside"));
  EXPECT_THAT(written.warnings[1].reason, HasSubstr("refers to maps/../../a.png, outside"));
  EXPECT_THAT(written.warnings[2].reason, HasSubstr("refers to gone.png, which is not there"));
  EXPECT_EQ(written.warnings[2].element, "image 12");
  EXPECT_EQ(bytes_of(out), bytes_of(in)) << "nothing changed, so not a byte does";
}

TEST(GltfDocument, ASameNamedFileWithOtherBytesIsNotReplaced) {
  const Folder folder("document_in_the_way");
  folder.write("in/skin.png", "new skin");
  const fs::path in = folder.write("in/model.gltf", text_with(R"("images": [{"uri": "skin.png"}])"));
  const fs::path out = in.parent_path().parent_path() / "out" / "model.gltf";
  const fs::path there = folder.write("out/skin.png", "old skin");
  try {
    write(in, out);
    ADD_FAILURE() << "replaced " << there;
  } catch (const InputError& e) {
    EXPECT_EQ(e.file(), there.string());
    EXPECT_THAT(e.reason(), HasSubstr("in the way of a file that image 0 refers to"));
  }
  EXPECT_EQ(bytes_of(there), "old skin");
  EXPECT_FALSE(fs::exists(out));
  EXPECT_THAT(write(in, out, {}, true).files, ElementsAre(there, out)) << "by force";
  EXPECT_EQ(bytes_of(there), "new skin");
  EXPECT_THAT(write(in, out).files, ElementsAre(out)) << "the same bytes are in nobody's way";
}

// The strip faces +z; v runs down pictures. So it is the texture that grows up with the strip that is mirrored:
// glTF 2.0, section 3.7.2.1, and what MikkTSpace says of it once v is turned (see ci's mikktspace test).
TEST(GltfDocument, BakedTangentsKeepTheHandednessOfTheTexture) {
  const Folder folder("document_handedness");
  for (const double u : {1., -1.})
    for (const double v : {1., -1.}) {
      File file = strip();
      const std::string uv = file.add("VEC2", kFloat, [&] {
        std::vector<double> rows;
        for (int i = 0; i < 8; ++i) {
          rows.push_back(u * (i % 2));
          rows.push_back(v * (i / 2));
        }
        return rows;
      }());
      file.primitives[0] =
          gltf_test::replaced(file.primitives[0], "\"TEXCOORD_0\": 2", "\"TEXCOORD_0\": " + uv);
      const fs::path in = folder.write("in.gltf", file.gltf()), out = in.parent_path() / "out.glb";
      EXPECT_EQ(bake_gltf(in, out).tangents, 1);
      for (const std::vector<double>& row : BakedFile(out).attribute(0, 0, "TANGENT"))
        EXPECT_THAT(row, ElementsAre(u, 0, 0, -u * v));
    }
}

// One byte holds joints up to 255.
TEST(GltfDocument, BakedJointsOfManyBonesFitTheirType) {
  const Folder folder("document_joints");
  for (const int count : {256, 257}) {
    File file = strip();
    std::string joints = "1";
    for (int j = 1; j + 1 < count; ++j) {
      joints += ", " + std::to_string(file.nodes.size());
      file.nodes.push_back("{\"name\": \"n\"}");
    }
    const int last = count - 1;
    file.skins = {R"({"joints": [)" + joints + ", 2]}"};
    std::vector<double> rows;
    for (int i = 0; i < 8; ++i) rows.insert(rows.end(), {0, 1.0 * last, 0, 0});
    file.primitives[0] = gltf_test::replaced(file.primitives[0], "\"JOINTS_0\": 3",
                                             "\"JOINTS_0\": " + file.add("VEC4", kU16, rows));
    const fs::path in = folder.write("in.gltf", file.gltf()), out = in.parent_path() / "out.glb";
    bake_gltf(in, out);
    const BakedFile baked(out);
    const std::size_t accessor = baked.attributes(0, 0)["JOINTS_0"];
    EXPECT_EQ(baked.json["accessors"][accessor]["componentType"], count == 256 ? kU8 : kU16);
    const test_baked::Rows joint = baked.attribute(0, 0, "JOINTS_0"),
                           weight = baked.attribute(0, 0, "WEIGHTS_0");
    for (std::size_t v = 0; v < 8; ++v) {
      double lower = 0, upper = 0;
      for (std::size_t s = 0; s < 4; ++s) {
        (joint[v][s] == last ? upper : lower) += weight[v][s];
        EXPECT_TRUE(joint[v][s] == 0 || joint[v][s] == last) << joint[v][s];
      }
      EXPECT_EQ(upper, static_cast<double>(v / 2) / 4) << count << " vertex " << v;
      EXPECT_EQ(lower, 1 - upper);
    }
  }
}

// Bones of the second skin stand behind those of the first, which must not show in its unused slots.
TEST(GltfDocument, UnusedSlotsOfEverySkinNameJointZero) {
  const Folder folder("document_unused");
  File file = strip();
  file.skins.push_back(file.skins[0]);
  file.nodes.push_back(R"({"mesh": 1, "skin": 1})");
  Json json = Json::parse(file.gltf());
  json["meshes"].push_back(json["meshes"][0]);
  const fs::path in = folder.write("in.gltf", json.dump()), out = in.parent_path() / "out.glb";
  bake_gltf(in, out);
  const BakedFile baked(out);
  for (const std::size_t mesh : {0u, 1u}) {
    const test_baked::Rows joint = baked.attribute(mesh, 0, "JOINTS_0");
    ASSERT_EQ(joint.size(), 8u);
    for (std::size_t v = 0; v < 8; ++v) {
      EXPECT_LE(joint[v][0] + joint[v][1], 1) << "mesh " << mesh << " vertex " << v;
      EXPECT_EQ(joint[v][2], 0) << "mesh " << mesh << " vertex " << v;
      EXPECT_EQ(joint[v][3], 0) << "mesh " << mesh << " vertex " << v;
    }
  }
}

}  // namespace
}  // namespace skinlight
