#include "skinlight/asset/bake.h"

#include <algorithm>
#include <array>
#include <bit>
#include <cmath>
#include <limits>
#include <map>
#include <set>
#include <utility>

#include "skinlight/asset/gltf_baked.h"
#include "skinlight/asset/gltf_file.h"
#include "skinlight/asset/gltf_model.h"
#include "skinlight/asset/reading.h"
#include "skinlight/core/file.h"

namespace skinlight {

using gltf::Json;
using gltf::PrimitiveVertices;

namespace {

namespace fs = std::filesystem;

constexpr std::array<std::string_view, 2> kLayouts = {"attributes", "texcoord"};

std::size_t at(int i) { return static_cast<std::size_t>(i); }

std::string element_of(int mesh, int primitive) {
  return "mesh " + std::to_string(mesh) + " primitive " + std::to_string(primitive);
}

// Of the skins that move a mesh, the one with the fewest joints: all its joints exist in the others too.
std::vector<PrimitiveVertices> one_skin_per_mesh(const std::vector<PrimitiveVertices>& primitives) {
  std::map<int, gltf::BoundSkin> chosen;
  for (const PrimitiveVertices& p : primitives) {
    const auto [known, is_new] = chosen.try_emplace(p.mesh, p.skin);
    if (!is_new && p.skin.joint_count < known->second.joint_count) known->second = p.skin;
  }
  std::map<std::pair<int, int>, PrimitiveVertices> kept;  // by mesh and primitive
  for (const PrimitiveVertices& p : primitives)
    if (chosen.at(p.mesh).skin == p.skin.skin) kept[{p.mesh, p.primitive}] = p;
  std::vector<PrimitiveVertices> result;
  for (const auto& [key, p] : kept) result.push_back(p);
  return result;
}

class Baker {
 public:
  Baker(fs::path in, fs::path out, const BakeOptions& options,
        std::function<void(const std::string&)> progress)
      : in_(std::move(in)),
        out_(std::move(out)),
        options_(options),
        progress_(std::move(progress)),
        bytes_(read_file(in_)),
        file_(gltf::open(bytes_, folder_of(in_))),
        accessors_(file_) {}

  BakeReport run();

 private:
  void tell(const std::string& text) const {
    if (progress_) progress_(text);
  }
  const tinygltf::Primitive& primitive(const PrimitiveVertices& p) const {
    return file_.meshes[at(p.mesh)].primitives[at(p.primitive)];
  }
  void choose_influences();
  void refuse_compressed() const;
  Json stamp() const;
  bool is_stamped(const std::vector<PrimitiveVertices>& primitives);
  std::string digest(const std::vector<PrimitiveVertices>& primitives);
  std::uint64_t hash_of(int accessor);
  void bake_mesh(const std::vector<PrimitiveVertices>& primitives);
  void bake_primitive(const PrimitiveVertices& p, double scale, int first_texcoord);
  bool has_frame(const PrimitiveVertices& p, const char* attribute);
  bool has_influences(const PrimitiveVertices& p, const gltf::NamedAttributes& wanted);
  void set(Json& attributes, const std::string& name, const PrimitiveVertices& p, double scale,
           const std::function<gltf::NewAttribute()>& make);
  Json& attributes_of(int mesh, int primitive);

  fs::path in_, out_;
  BakeOptions options_;
  std::function<void(const std::string&)> progress_;
  std::string bytes_;  // of the input, until both of its views are parsed
  tinygltf::Model file_;
  gltf::Accessors accessors_;
  gltf::Document document_;
  BakeReport report_;
  // Accessors made, by first vertex, scale and attribute: primitives that shared theirs go on doing so.
  std::map<std::tuple<int, double, std::string>, int> made_;
  std::map<int, std::uint64_t> hashes_;  // of accessors
};

// Numbers of texture coordinate sets that an earlier bake took in each primitive of a mesh: first and count.
std::pair<int, int> earlier_sets(const Json& mesh, std::size_t primitive) {
  const Json extras = mesh.value("extras", Json());
  if (!extras.is_object() || !extras.contains("skinlight") || !extras["skinlight"].is_object()) return {0, 0};
  const Json& mark = extras["skinlight"];
  const auto first = mark.find("first_texcoord");
  const auto influences = mark.find("influences");
  if (first == mark.end() || !first->is_array() || primitive >= first->size() ||
      !(*first)[primitive].is_number_unsigned() || influences == mark.end() ||
      !influences->is_number_unsigned())
    return {0, 0};
  const auto number = (*first)[primitive].get<std::uint64_t>(), slots = influences->get<std::uint64_t>();
  if (number > 1000 || slots < 1 || slots > at(kMaxSlots)) return {0, 0};
  return {static_cast<int>(number), gltf::texcoord_sets(static_cast<int>(slots))};
}

// Texture coordinate sets that a primitive has of its own.
int own_texcoords(const Json& attributes) {
  int sets = 0;
  while (attributes.contains("TEXCOORD_" + std::to_string(sets))) ++sets;
  return sets;
}

bool starts_with(const std::string& text, std::string_view prefix) { return text.rfind(prefix, 0) == 0; }

// What normals depend on: POSITION, NORMAL, TANGENT, influences and factors.
bool is_skinning_attribute(const std::string& name) {
  constexpr std::array kPrefixes = {"POSITION", "NORMAL",   "TANGENT", "TEXCOORD_",
                                    "JOINTS_",  "WEIGHTS_", "_DEFORM_"};
  return std::any_of(kPrefixes.begin(), kPrefixes.end(), [&](const char* p) { return starts_with(name, p); });
}

// FNV-1a, 64 bits (Fowler, Noll, Vo).
class Hash {
 public:
  explicit Hash(std::uint64_t state = 0xcbf29ce484222325u) : state_(state) {}
  void add(std::uint64_t word) {
    for (int byte = 0; byte < 8; ++byte) {
      state_ = (state_ ^ (word >> 8 * byte & 255)) * 0x100000001b3u;
    }
  }
  void add(std::string_view text) {
    add(text.size());
    for (const char c : text) add(static_cast<unsigned char>(c));
  }
  std::uint64_t value() const { return state_; }

 private:
  std::uint64_t state_;
};

std::uint64_t hash_values(const std::vector<double>& values) {
  Hash hash;
  hash.add(values.size());
  for (const double value : values) hash.add(std::bit_cast<std::uint64_t>(value + 0.0));  // -0 is 0
  return hash.value();
}

const gltf::Format kAny = {{TINYGLTF_TYPE_SCALAR, TINYGLTF_TYPE_VEC2, TINYGLTF_TYPE_VEC3, TINYGLTF_TYPE_VEC4},
                           {TINYGLTF_COMPONENT_TYPE_BYTE, TINYGLTF_COMPONENT_TYPE_UNSIGNED_BYTE,
                            TINYGLTF_COMPONENT_TYPE_SHORT, TINYGLTF_COMPONENT_TYPE_UNSIGNED_SHORT,
                            TINYGLTF_COMPONENT_TYPE_UNSIGNED_INT, TINYGLTF_COMPONENT_TYPE_FLOAT}};

std::uint64_t Baker::hash_of(int accessor) {
  const auto known = hashes_.find(accessor);
  if (known != hashes_.end()) return known->second;
  const gltf::Table table = accessors_.read(accessor, kAny, "accessor " + std::to_string(accessor));
  return hashes_[accessor] = hash_values(table.values);
}

// Of all numbers that the factors depend on or are, as a reader of the document gets them.
std::string Baker::digest(const std::vector<PrimitiveVertices>& primitives) {
  Hash hash;
  for (const PrimitiveVertices& p : primitives) {
    const Json& attributes = attributes_of(p.mesh, p.primitive);
    std::map<std::string, int> sorted;
    for (const auto& [name, accessor] : attributes.items())
      if (is_skinning_attribute(name)) sorted[name] = accessor.get<int>();
    if (primitive(p).indices != -1) sorted["indices"] = primitive(p).indices;
    hash.add(static_cast<std::uint64_t>(primitive(p).mode));
    for (const auto& [name, accessor] : sorted) {
      hash.add(name);
      hash.add(hash_of(accessor));
    }
  }
  constexpr char kHex[] = "0123456789abcdef";
  std::string text = "fnv1a64:";
  for (int shift = 60; shift >= 0; shift -= 4) text += kHex[hash.value() >> shift & 15];
  return text;
}

// What extras.skinlight says about how a mesh was baked.
Json Baker::stamp() const {
  return {{"version", SKINLIGHT_VERSION},
          {"method", "deform-factors"},
          {"influences", options_.influences},
          {"averaging", name(options_.averaging)},
          {"guard", "none"},
          {"tangents", "orthonormal"},
          {"layout", name(options_.layout)},
          {"format", row(options_.format).name}};
}

bool Baker::is_stamped(const std::vector<PrimitiveVertices>& primitives) {
  Json wanted = stamp();
  wanted["digest"] = digest(primitives);
  std::set<int> meshes;
  for (const PrimitiveVertices& p : primitives) meshes.insert(p.mesh);
  return std::all_of(meshes.begin(), meshes.end(), [&](int mesh) {
    const Json extras = document_.json["meshes"][at(mesh)].value("extras", Json());
    if (!extras.is_object()) return false;
    const Json mark = extras.value("skinlight", Json());
    return mark.is_object() &&
           std::all_of(wanted.items().begin(), wanted.items().end(), [&](const auto& item) {
             return mark.contains(item.key()) && mark[item.key()] == item.value();
           });
  });
}

Json& Baker::attributes_of(int mesh, int primitive) {
  return document_.json["meshes"][at(mesh)]["primitives"][at(primitive)]["attributes"];
}

void Baker::choose_influences() {
  if (options_.influences == 0) {
    options_.influences = 4;
    for (const tinygltf::Mesh& mesh : file_.meshes)
      for (const tinygltf::Primitive& p : mesh.primitives)
        if (p.attributes.count("JOINTS_1") != 0) options_.influences = 8;
  }
  if (options_.influences != 4 && options_.influences != 8)
    throw InputError("", "influences " + std::to_string(options_.influences), "must be 4 or 8");
}

// Draco orders vertices as it likes and lists the attributes it holds: neither survives new ones.
void Baker::refuse_compressed() const {
  for (std::size_t m = 0; m < file_.meshes.size(); ++m)
    for (std::size_t p = 0; p < file_.meshes[m].primitives.size(); ++p) {
      const tinygltf::Primitive& primitive = file_.meshes[m].primitives[p];
      if (primitive.extensions.count("KHR_draco_mesh_compression") != 0 &&
          primitive.attributes.count("JOINTS_0") != 0)
        throw InputError("", element_of(static_cast<int>(m), static_cast<int>(p)),
                         "is compressed by KHR_draco_mesh_compression; decompress the file before baking");
    }
}

bool Baker::has_frame(const PrimitiveVertices& p, const char* attribute) {
  const auto found = primitive(p).attributes.find(attribute);
  if (found == primitive(p).attributes.end()) return false;
  if (std::string_view(attribute) == "TANGENT") {
    const auto first = report_.model.mesh.frame_source.begin() + p.first;
    return std::all_of(first, first + p.count, [](FrameSource s) { return s == FrameSource::file; });
  }
  const gltf::Table normals =
      accessors_.read(found->second, kAny, element_of(p.mesh, p.primitive) + " NORMAL");
  for (std::size_t v = 0; v < normals.rows; ++v)
    if (std::all_of(normals.row(v).begin(), normals.row(v).end(), [](double x) { return x == 0; }))
      return false;
  return true;
}

// Whether the file's joints and weights are those wanted already: dividing by a sum of 1 may move a weight's
// last bit.
bool Baker::has_influences(const PrimitiveVertices& p, const gltf::NamedAttributes& wanted) {
  const auto& attributes = primitive(p).attributes;
  std::size_t present = 0;
  for (const auto& [name, accessor] : attributes)
    if (starts_with(name, "JOINTS_") || starts_with(name, "WEIGHTS_")) ++present;
  return present == wanted.size() && std::all_of(wanted.begin(), wanted.end(), [&](const auto& attribute) {
           const auto found = attributes.find(attribute.first);
           if (found == attributes.end()) return false;
           const std::vector<double> present_values =
               accessors_.read(found->second, kAny, attribute.first).values;
           return std::equal(present_values.begin(), present_values.end(), attribute.second.values.begin(),
                             attribute.second.values.end(), [](double a, double b) {
                               return std::abs(a - b) <= std::numeric_limits<float>::epsilon();
                             });
         });
}

void Baker::set(Json& attributes, const std::string& name, const PrimitiveVertices& p, double scale,
                const std::function<gltf::NewAttribute()>& make) {
  const auto [known, is_new] = made_.try_emplace({p.first, scale, name});
  if (is_new) {
    const gltf::NewAttribute attribute = make();
    known->second = gltf::add_attribute(document_, attribute);
    hashes_[known->second] = hash_values(attribute.values);
  }
  attributes[name] = known->second;
}

void Baker::bake_primitive(const PrimitiveVertices& p, double scale, int first_texcoord) {
  Json& attributes = attributes_of(p.mesh, p.primitive);
  const RiggedMesh& mesh = report_.model.mesh;
  if (!has_frame(p, "NORMAL")) {
    set(attributes, "NORMAL", p, 0, [&] { return gltf::baked_normals(mesh, p); });
    ++report_.normals;
  }
  if (!has_frame(p, "TANGENT")) {
    set(attributes, "TANGENT", p, 0, [&] { return gltf::baked_tangents(mesh, p); });
    ++report_.tangents;
  }
  const gltf::NamedAttributes influences = gltf::baked_influences(report_.factors, p);
  if (!has_influences(p, influences)) {
    for (auto item = attributes.begin(); item != attributes.end();)
      item = starts_with(item.key(), "JOINTS_") || starts_with(item.key(), "WEIGHTS_")
                 ? attributes.erase(item)
                 : std::next(item);
    for (const auto& named : influences) set(attributes, named.first, p, 0, [&] { return named.second; });
    ++report_.influences;
  }
  for (const auto& named : gltf::baked_factors(report_.factors, p, options_, scale, first_texcoord))
    set(attributes, named.first, p, scale, [&] { return named.second; });
  ++report_.primitives;
}

// The primitives of one mesh share a scale, so that a shader needs one uniform.
void Baker::bake_mesh(const std::vector<PrimitiveVertices>& primitives) {
  const int m = primitives.front().mesh;
  Json& mesh = document_.json["meshes"][at(m)];
  if (mesh.contains("extras") && !mesh["extras"].is_object())
    throw InputError("", "mesh " + std::to_string(m) + " extras",
                     "is no object, so nothing can be added to it");
  if (mesh.contains("extras") && mesh["extras"].contains("skinlight"))
    warn(report_.model.warnings, "mesh " + std::to_string(m),
         "was baked before, with other options or before an edit; the earlier data stay in the file, unused");
  const DeformFactors& factors = report_.factors;
  double largest = 0;
  for (const PrimitiveVertices& p : primitives)
    for (std::size_t i = factors.at(p.first, 0); i < factors.at(p.first + p.count, 0); ++i)
      largest = std::max({largest, std::abs(factors.alpha[i]), std::abs(factors.beta[i])});
  if (!(largest <= std::numeric_limits<float>::max()))
    throw InputError("", "mesh " + std::to_string(m),
                     "is so small that its deform factors leave the range of float");
  const double scale = storage_scale(options_.format, largest);

  Json first_texcoords = Json::array();
  for (std::size_t p = 0; p < mesh["primitives"].size(); ++p) {
    Json& attributes = mesh["primitives"][p]["attributes"];
    const auto [first, count] = earlier_sets(mesh, p);
    for (int set = first; set < first + count; ++set) attributes.erase("TEXCOORD_" + std::to_string(set));
    for (const char* name : {"_DEFORM_ALPHA_0", "_DEFORM_BETA_0", "_DEFORM_ALPHA_1", "_DEFORM_BETA_1"})
      attributes.erase(name);
    const auto baked = std::find_if(primitives.begin(), primitives.end(), [&](const PrimitiveVertices& q) {
      return q.primitive == static_cast<int>(p);
    });
    if (baked == primitives.end()) {
      first_texcoords.push_back(nullptr);
      continue;
    }
    const int own = own_texcoords(attributes);
    first_texcoords.push_back(own);
    report_.ranges.push_back({baked->first, baked->count, largest});
    bake_primitive(*baked, scale, own);
  }
  Json mark = stamp();
  const gltf::Decoding decoding = gltf::decoding(options_, scale);
  mark["scale"] = decoding.scale;
  mark["offset"] = decoding.offset;
  if (options_.layout == FactorLayout::texcoord) mark["first_texcoord"] = first_texcoords;
  mesh["extras"]["skinlight"] = mark;
  ++report_.meshes;
}

BakeReport Baker::run() {
  const gltf::WriteOptions write{options_.force};
  gltf::require_target(in_, out_, write);
  choose_influences();
  refuse_compressed();
  document_ = gltf::parse_document(bytes_, in_);
  std::string().swap(bytes_);
  std::vector<PrimitiveVertices> all;
  report_.model = gltf::read_model(file_, in_.stem().string(), {.max_influences = options_.influences}, &all);
  const std::vector<PrimitiveVertices> primitives = one_skin_per_mesh(all);
  report_.unchanged = is_stamped(primitives);
  if (!report_.unchanged) {
    tell("computing deform factors");
    const Surface surface(report_.model.mesh.faces, weld(report_.model.mesh));
    report_.surface_vertices = surface.vertex_count();
    report_.factors = deform_factors(report_.model.mesh, surface,
                                     {options_.averaging, options_.influences, options_.threads, false});
    std::map<int, std::vector<PrimitiveVertices>> by_mesh;
    for (const PrimitiveVertices& p : primitives) by_mesh[p.mesh].push_back(p);
    for (const auto& [mesh, of_mesh] : by_mesh) bake_mesh(of_mesh);
    const std::string sum = digest(primitives);
    for (const auto& [mesh, of_mesh] : by_mesh)
      document_.json["meshes"][at(mesh)]["extras"]["skinlight"]["digest"] = sum;
  }
  tell("writing " + out_.string());
  report_.written = gltf::write_document(std::move(document_), file_, out_, write, report_.model.warnings);
  return std::move(report_);
}

}  // namespace

std::string_view name(FactorLayout layout) { return kLayouts[static_cast<std::size_t>(layout)]; }

FactorLayout factor_layout_from_name(std::string_view name) {
  for (std::size_t i = 0; i < kLayouts.size(); ++i)
    if (kLayouts[i] == name) return static_cast<FactorLayout>(i);
  throw InputError("", "layout '" + std::string(name) + "'", "unknown; there are attributes, texcoord");
}

NumberFormat number_format_from_name(std::string_view name) {
  std::string known;
  for (const NumberFormatRow& f : kNumberFormats) {
    if (f.name == name) return f.format;
    known += (known.empty() ? "" : ", ") + std::string(f.name);
  }
  throw InputError("", "format '" + std::string(name) + "'", "unknown; there are " + known);
}

int factor_bytes(FactorLayout layout, NumberFormat format, int slots) {
  const int bytes = row(format).bytes;
  if (layout == FactorLayout::attributes) return 2 * slots * bytes;
  return gltf::texcoord_sets(slots) * std::max(2 * bytes, 4);  // the format aligns elements to 4 bytes
}

BakeReport bake_gltf(const fs::path& in, const fs::path& out, const BakeOptions& options,
                     const std::function<void(const std::string&)>& progress) {
  try {
    return Baker(in, out, options, progress).run();
  } catch (const InputError& e) {
    throw e.in_file(in.string());
  } catch (const Json::exception& e) {
    throw InputError(in.string(), "JSON", e.what());
  }
}

DeformFactors stored_factors(DeformFactors factors, std::span<const StoredRange> ranges,
                             NumberFormat format) {
  for (const StoredRange& range : ranges) {
    const double scale = storage_scale(format, range.largest);
    for (int v = range.first; v < range.first + range.count; ++v) {
      double alpha = 0, beta = 0;
      for (int s = 1; s < factors.slots; ++s) {
        const std::size_t i = factors.at(v, s);
        alpha += factors.alpha[i] = as_stored(format, factors.alpha[i], scale);
        beta += factors.beta[i] = as_stored(format, factors.beta[i], scale);
      }
      factors.alpha[factors.at(v, 0)] = -alpha;
      factors.beta[factors.at(v, 0)] = -beta;
    }
  }
  return factors;
}

}  // namespace skinlight
