// EXT_meshopt_compression: files made by the library's own encoders from plain ones must read the same.
#include <meshoptimizer.h>

#include "testing/gltf_document.h"

namespace skinlight {
namespace {

using namespace gltf_test;

// The accessor that fills a view alone and is a primitive's triangle indices, or -1.
int indices_of_view(const Json& json, std::size_t view) {
  int users = 0, indices = -1;
  for (std::size_t a = 0; a < json["accessors"].size(); ++a)
    if (json["accessors"][a].value("bufferView", -1) == static_cast<int>(view)) {
      ++users;
      for (const Json& mesh : json["meshes"])
        for (const Json& primitive : mesh["primitives"])
          if (primitive.value("indices", -1) == static_cast<int>(a) && primitive.value("mode", 4) == 4)
            indices = static_cast<int>(a);
    }
  return users == 1 ? indices : -1;
}

template <class Index>
std::vector<unsigned> widen(const std::string& bytes) {
  std::vector<unsigned> indices;
  for (std::size_t i = 0; i + sizeof(Index) <= bytes.size(); i += sizeof(Index)) {
    Index index;
    std::memcpy(&index, bytes.data() + i, sizeof index);
    indices.push_back(index);
  }
  return indices;
}

// Compresses every buffer view, into a buffer of its own beside a fallback without data; `sequences`: indices
// in mode INDICES rather than TRIANGLES.
Document with_meshopt(const Document& plain, bool sequences) {
  Document packed{plain.json, {}};
  for (std::size_t v = 0; v < plain.json["bufferViews"].size(); ++v) {
    Json& view = packed.json["bufferViews"][v];
    const std::string bytes = plain.bytes_of(v);
    const int indices = indices_of_view(plain.json, v);
    const std::size_t width =
        indices >= 0 && plain.json["accessors"][static_cast<std::size_t>(indices)]["componentType"] == kU16
            ? 2
            : 4;
    std::size_t stride = view.value("byteStride", 4);
    std::string mode = "ATTRIBUTES";
    std::vector<unsigned char> encoded;
    if (indices >= 0) {
      const std::vector<unsigned> wide =
          width == 2 ? widen<std::uint16_t>(bytes) : widen<std::uint32_t>(bytes);
      mode = sequences ? "INDICES" : "TRIANGLES";
      stride = width;
      const std::size_t vertices = 1 + *std::max_element(wide.begin(), wide.end());
      encoded.resize(std::max(meshopt_encodeIndexBufferBound(wide.size(), vertices),
                              meshopt_encodeIndexSequenceBound(wide.size(), vertices)));
      encoded.resize(
          sequences ? meshopt_encodeIndexSequence(encoded.data(), encoded.size(), wide.data(), wide.size())
                    : meshopt_encodeIndexBuffer(encoded.data(), encoded.size(), wide.data(), wide.size()));
    } else if (bytes.size() % stride == 0) {
      encoded.resize(meshopt_encodeVertexBufferBound(bytes.size() / stride, stride));
      encoded.resize(meshopt_encodeVertexBuffer(encoded.data(), encoded.size(), bytes.data(),
                                                bytes.size() / stride, stride));
    } else {
      view["byteOffset"] = packed.append(bytes);
      continue;
    }
    const std::string_view text(reinterpret_cast<const char*>(encoded.data()), encoded.size());
    view["buffer"] = 1;
    view["extensions"][gltf::kMeshopt] = {
        {"buffer", 0},          {"byteOffset", packed.append(text)}, {"byteLength", text.size()},
        {"byteStride", stride}, {"count", bytes.size() / stride},    {"mode", mode}};
  }
  packed.json["buffers"].push_back(
      {{"byteLength", plain.buffer.size()}, {"extensions", {{gltf::kMeshopt, {{"fallback", true}}}}}});
  packed.json["extensionsRequired"] = {gltf::kMeshopt};
  return packed;
}

TEST(Meshopt, CompressedBufferViewsReadTheSame) {
  for (const auto& [name, bytes] : files()) {
    SCOPED_TRACE(name);
    const Document plain = take_apart(bytes);
    for (const bool sequences : {false, true}) {
      const Document packed = with_meshopt(plain, sequences);
      expect_same_model(read(plain), read(packed));
      if (name != "strip") {
        EXPECT_LT(packed.buffer.size(), plain.buffer.size());
      }
    }
  }
}

// The strip with one view encoded by a filter. `components` floats per row.
void set_filtered(Document& document, std::size_t view, const std::string& filter, std::size_t stride,
                  const std::vector<unsigned char>& filtered) {
  std::vector<unsigned char> encoded(meshopt_encodeVertexBufferBound(filtered.size() / stride, stride));
  encoded.resize(meshopt_encodeVertexBuffer(encoded.data(), encoded.size(), filtered.data(),
                                            filtered.size() / stride, stride));
  const std::size_t offset = document.append({reinterpret_cast<const char*>(encoded.data()), encoded.size()});
  document.json["bufferViews"][view] = {{"buffer", 0},
                                        {"byteLength", filtered.size()},
                                        {"extensions",
                                         {{gltf::kMeshopt,
                                           {{"buffer", 0},
                                            {"byteOffset", offset},
                                            {"byteLength", encoded.size()},
                                            {"byteStride", stride},
                                            {"count", filtered.size() / stride},
                                            {"mode", "ATTRIBUTES"},
                                            {"filter", filter}}}}}};
}

TEST(Meshopt, FiltersAreUndoneWithinTheirPrecision) {
  Random random(1);
  Document document = take_apart(strip().glb());
  std::vector<Vec3d> normals, positions;
  std::vector<float> n4, p3;
  for (int v = 0; v < 8; ++v) {
    normals.push_back(random.direction());
    positions.push_back(random.in_cube(3));
    for (int i = 0; i < 3; ++i) {
      n4.push_back(static_cast<float>(normals.back()[i]));
      p3.push_back(static_cast<float>(positions.back()[i]));
    }
    n4.push_back(0);
  }
  const float half = std::sqrt(.5f);
  const float quaternions[] = {0, half, 0, half, half, 0, 0, half};
  std::vector<unsigned char> oct(8 * 4), exponential(8 * 12), quat(2 * 8);
  meshopt_encodeFilterOct(oct.data(), 8, 4, 8, n4.data());
  meshopt_encodeFilterExp(exponential.data(), 8, 12, 15, p3.data());
  meshopt_encodeFilterQuat(quat.data(), 2, 8, 16, quaternions);
  set_filtered(document, 0, "EXPONENTIAL", 12, exponential);
  set_filtered(document, 1, "OCTAHEDRAL", 4, oct);
  set_filtered(document, 8, "QUATERNION", 8, quat);
  document.json["accessors"][1].update({{"componentType", kI8}, {"normalized", true}});
  document.json["bufferViews"][1]["byteStride"] = 4;
  document.json["accessors"][8].update({{"componentType", kI16}, {"normalized", true}});
  const Model model = read(document);
  for (std::size_t v = 0; v < 8; ++v) {
    EXPECT_LT(length(model.mesh.p0[v] - positions[v]), 3 * std::ldexp(1, -13));
    EXPECT_LT(length(model.mesh.n0[v] - normals[v]), 2.0 / 127);
  }
  const std::vector<double>& q = model.clips[0].channels[0].values;
  ASSERT_EQ(q.size(), 8u);
  for (std::size_t k = 0; k < 2; ++k) {
    double cosine = 0;
    for (std::size_t i = 0; i < 4; ++i) cosine += q[4 * k + i] * static_cast<double>(quaternions[4 * k + i]);
    EXPECT_NEAR(std::abs(cosine), 1, 1e-3);
  }
}

// The extension that became part of glTF is the vendors' one with more kinds of streams and filters.
TEST(Meshopt, KhronosStreamsOfVersion0ReadTheSame) {
  for (const auto& [name, bytes] : files()) {
    SCOPED_TRACE(name);
    const Document plain = take_apart(bytes);
    Document packed = with_meshopt(plain, false);
    std::string text = packed.json.dump();
    for (std::size_t at = 0; (at = text.find("EXT_meshopt", at)) != std::string::npos;)
      text.replace(at, 3, "KHR");
    packed.json = Json::parse(text);
    expect_same_model(read(plain), read(packed));
  }
}

TEST(Meshopt, WhatOnlyTheKhronosExtensionHasIsNamed) {
  Document later = with_meshopt(take_apart(strip().glb()), false);
  const Json& stream = later.json["bufferViews"][0]["extensions"][gltf::kMeshopt];
  char& first = later.buffer[stream["byteOffset"].get<std::size_t>()];
  ASSERT_EQ(static_cast<unsigned char>(first), 0xa0);
  first = static_cast<char>(0xa1);
  expect_error(later, "buffer view 0 " + std::string(gltf::kMeshopt),
               "streams of version 1 are not supported");
  Document coloured = with_meshopt(take_apart(strip().glb()), false);
  coloured.json["bufferViews"][0]["extensions"][gltf::kMeshopt]["filter"] = "COLOR";
  expect_error(coloured, "buffer view 0 " + std::string(gltf::kMeshopt), "filter \"COLOR\" is not supported");
}

TEST(Meshopt, ContradictionsAreNamed) {
  const Document good = with_meshopt(take_apart(strip().glb()), false);
  const struct {
    std::size_t view;
    std::string key;
    Json value;
    std::string reason;
  } cases[] = {
      {0, "buffer", 7, "buffer 7, but the file has 2"},
      {0, "buffer", "x", "buffer is missing"},
      {0, "byteOffset", 1 << 30, "do not fit the buffer's"},
      {0, "byteOffset", -4, "byteOffset is missing or not a usable number"},
      {0, "byteLength", 1 << 30, "do not fit the buffer's"},
      {0, "byteLength", nullptr, "byteLength is missing"},
      {0, "byteLength", 20, "are damaged"},
      {0, "byteStride", 3, "byteStride 3 is not allowed for ATTRIBUTES"},
      {0, "byteStride", 260, "byteStride 260 is not allowed"},
      {0, "byteStride", 6, "byteStride 6 is not allowed for ATTRIBUTES"},
      {0, "byteStride", 0, "byteStride"},
      {0, "count", 2000000000, "more than"},
      {0, "count", 8, "are not the buffer view's 96"},
      {0, "count", 25, "are not the buffer view's 96"},
      {0, "mode", "WAVELETS", "unknown mode \"WAVELETS\""},
      {0, "filter", "QUATERNION", "filter \"QUATERNION\" is not allowed for ATTRIBUTES of byteStride 4"},
      {0, "filter", "MEDIAN", "filter \"MEDIAN\" is not allowed"},
      {5, "filter", "EXPONENTIAL", "is not allowed for TRIANGLES"},
      {5, "byteStride", 8, "byteStride 8 is not allowed for TRIANGLES"},
      {5, "count", 17, "17 indices do not make whole triangles"}};
  for (const auto& c : cases) {
    Document bad = good;
    bad.json["bufferViews"][c.view]["extensions"][gltf::kMeshopt][c.key] = c.value;
    expect_error(bad, "buffer view " + std::to_string(c.view) + " " + gltf::kMeshopt, c.reason);
  }
}

// Damaged data is told or decoded to something else, never worse.
TEST(Meshopt, DamagedBytesNeverCrash) {
  const Document plain = take_apart(strip().glb());
  damage_often(with_meshopt(plain, false), 0, 2000);
  damage_often(with_meshopt(plain, true), 0, 1000);
}

}  // namespace
}  // namespace skinlight
