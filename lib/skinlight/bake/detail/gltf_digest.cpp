#include "skinlight/bake/detail/gltf_digest.h"

#include <algorithm>
#include <array>
#include <bit>
#include <numeric>
#include <string_view>

#include "skinlight/bake/detail/gltf_stamp.h"

namespace skinlight::gltf {

namespace {

constexpr std::string_view kInOrder = "fnv1a64:", kOfTriangles = "fnv1a64-of-triangles:";

// What normals depend on: POSITION, NORMAL, TANGENT, influences and records.
bool is_skinning_attribute(const std::string& name) {
  constexpr std::array kPrefixes = {"POSITION", "NORMAL",   "TANGENT", "TEXCOORD_",
                                    "JOINTS_",  "WEIGHTS_", "_DEFORM_"};
  return std::any_of(kPrefixes.begin(), kPrefixes.end(),
                     [&](const char* p) { return name.rfind(p, 0) == 0; });
}

// Sorted by name.
std::map<std::string, int> skinning_attributes(const Json& document, const PrimitiveVertices& p) {
  std::map<std::string, int> sorted;
  const Json& primitives = document["meshes"][static_cast<std::size_t>(p.mesh)]["primitives"];
  for (const auto& [name, accessor] : primitives[static_cast<std::size_t>(p.primitive)]["attributes"].items())
    if (is_skinning_attribute(name)) sorted[name] = accessor.get<int>();
  return sorted;
}

// FNV-1a, 64 bits (Fowler, Noll, Vo).
class Hash {
 public:
  void add(std::uint64_t word) {
    for (int byte = 0; byte < 8; ++byte) {
      state_ = (state_ ^ (word >> 8 * byte & 255)) * 0x100000001b3u;
    }
  }
  void add(double value) { add(std::bit_cast<std::uint64_t>(value + 0.0)); }  // -0 is 0
  void add(std::string_view text) {
    add(std::uint64_t{text.size()});
    for (const char c : text) add(std::uint64_t{static_cast<unsigned char>(c)});
  }
  std::uint64_t value() const { return state_; }

 private:
  std::uint64_t state_ = 0xcbf29ce484222325u;
};

std::string text_of(std::string_view kind, std::uint64_t value) {
  constexpr char kHex[] = "0123456789abcdef";
  std::string text(kind);
  for (int shift = 60; shift >= 0; shift -= 4) text += kHex[value >> shift & 15];
  return text;
}

std::vector<std::uint64_t> elements(const std::vector<double>& values, std::size_t columns) {
  std::vector<std::uint64_t> sums;
  sums.reserve(values.size() / columns);
  for (std::size_t i = 0; i + columns <= values.size(); i += columns) {
    Hash hash;
    for (std::size_t c = 0; c < columns; ++c) hash.add(values[i + c]);
    sums.push_back(hash.value());
  }
  return sums;
}

// Whichever corner it begins with; turned over it is another.
std::uint64_t triangle(std::array<std::uint64_t, 3> corners) {
  std::array<std::uint64_t, 3> least = corners;
  for (int turn = 0; turn < 2; ++turn) {
    std::rotate(corners.begin(), corners.begin() + 1, corners.end());
    least = std::min(least, corners);
  }
  Hash hash;
  for (const std::uint64_t corner : least) hash.add(corner);
  return hash.value();
}

}  // namespace

void Digest::add_accessor(int index, const NewAttribute& attribute) {
  elements_[index] = elements(attribute.values, static_cast<std::size_t>(attribute.columns));
}

const std::vector<std::uint64_t>& Digest::elements_of(int accessor) {
  const auto [known, is_new] = elements_.try_emplace(accessor);
  if (is_new) {
    const Table table = accessors_.read(accessor, kVertexData, "accessor " + std::to_string(accessor));
    known->second = elements(table.values, table.columns);
  }
  return known->second;
}

const std::vector<std::uint64_t>& Digest::vertices_of(const std::map<std::string, int>& attributes) {
  if (attributes == attributes_ && !vertices_.empty()) return vertices_;
  std::vector<Hash> hashes;
  for (const auto& [name, accessor] : attributes) {
    const std::vector<std::uint64_t>& sums = elements_of(accessor);
    Hash of_name;
    of_name.add(name);
    hashes.resize(std::max(hashes.size(), sums.size()));
    for (std::size_t v = 0; v < sums.size(); ++v) {
      hashes[v].add(of_name.value());
      hashes[v].add(sums[v]);
    }
  }
  attributes_ = attributes;
  vertices_.clear();
  vertices_.reserve(hashes.size());
  for (const Hash& hash : hashes) vertices_.push_back(hash.value());
  return vertices_;
}

// A sum of the triangles' sums, so that none of them comes first.
std::string Digest::of_mesh(int mesh, const Json& document,
                            const std::vector<PrimitiveVertices>& primitives) {
  std::uint64_t sum = 0;
  for (const PrimitiveVertices& p : primitives) {
    if (p.mesh != mesh) continue;
    const std::string element =
        "mesh " + std::to_string(p.mesh) + " primitive " + std::to_string(p.primitive);
    const tinygltf::Primitive& primitive =
        file_.meshes[static_cast<std::size_t>(p.mesh)].primitives[static_cast<std::size_t>(p.primitive)];
    const std::vector<std::uint64_t>& vertices = vertices_of(skinning_attributes(document, p));
    std::vector<double> corners;
    if (primitive.indices != -1) {
      corners = accessors_.read(primitive.indices, kVertexData, element + " indices").values;
    } else {
      corners.resize(vertices.size());
      std::iota(corners.begin(), corners.end(), 0.0);
    }
    const auto at = [&](int corner) {
      return vertices.at(static_cast<std::size_t>(corners[static_cast<std::size_t>(corner)]));
    };
    for (const Face& face : triangles(primitive.mode, corners.size(), element))
      sum += triangle({at(face[0]), at(face[1]), at(face[2])});
  }
  return text_of(kOfTriangles, sum);
}

std::string Digest::in_order(const Json& document, const std::vector<PrimitiveVertices>& primitives) {
  if (!in_order_.empty()) return in_order_;
  std::map<int, std::uint64_t> known;
  const auto values_of = [&](int accessor) {
    const auto found = known.find(accessor);
    if (found != known.end()) return found->second;
    const std::vector<double> values =
        accessors_.read(accessor, kVertexData, "accessor " + std::to_string(accessor)).values;
    Hash hash;
    hash.add(std::uint64_t{values.size()});
    for (const double value : values) hash.add(value);
    return known[accessor] = hash.value();
  };
  Hash hash;
  for (const PrimitiveVertices& p : primitives) {
    const tinygltf::Primitive& primitive =
        file_.meshes[static_cast<std::size_t>(p.mesh)].primitives[static_cast<std::size_t>(p.primitive)];
    std::map<std::string, int> sorted = skinning_attributes(document, p);
    if (primitive.indices != -1) sorted["indices"] = primitive.indices;
    hash.add(static_cast<std::uint64_t>(primitive.mode));
    for (const auto& [name, accessor] : sorted) {
      hash.add(name);
      hash.add(values_of(accessor));
    }
  }
  return in_order_ = text_of(kInOrder, hash.value());
}

bool Digest::holds(int mesh, const Json& document, const std::vector<PrimitiveVertices>& primitives) {
  const Json digest = mark_of(document["meshes"][static_cast<std::size_t>(mesh)]).value("digest", Json());
  if (!digest.is_string()) return false;
  const auto then = digest.get<std::string>();
  return then.rfind(kInOrder, 0) == 0 ? then == in_order(document, primitives)
                                      : then == of_mesh(mesh, document, primitives);
}

}  // namespace skinlight::gltf
