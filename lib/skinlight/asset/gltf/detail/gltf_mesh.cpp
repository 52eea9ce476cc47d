#include "skinlight/asset/gltf/detail/gltf_mesh.h"

#include <algorithm>
#include <cmath>
#include <optional>

#include "skinlight/asset/detail/reading.h"
#include "skinlight/asset/gltf/detail/gltf_compressed.h"
#include "skinlight/asset/gltf/detail/gltf_file.h"
#include "skinlight/preprocess/bitangent_side.h"

namespace skinlight::gltf {

namespace {

const Format kVec2 = {{TINYGLTF_TYPE_VEC2}, kVertexComponents};
const Format kVec4 = {{TINYGLTF_TYPE_VEC4}, kVertexComponents};
const Format kWeights = {{TINYGLTF_TYPE_VEC4},
                         {TINYGLTF_COMPONENT_TYPE_FLOAT, TINYGLTF_COMPONENT_TYPE_UNSIGNED_BYTE,
                          TINYGLTF_COMPONENT_TYPE_UNSIGNED_SHORT}};
const Format kJoints = {{TINYGLTF_TYPE_VEC4},
                        {TINYGLTF_COMPONENT_TYPE_UNSIGNED_BYTE, TINYGLTF_COMPONENT_TYPE_UNSIGNED_SHORT},
                        true};
const Format kIndices = {{TINYGLTF_TYPE_SCALAR},
                         {TINYGLTF_COMPONENT_TYPE_UNSIGNED_BYTE, TINYGLTF_COMPONENT_TYPE_UNSIGNED_SHORT,
                          TINYGLTF_COMPONENT_TYPE_UNSIGNED_INT},
                         true};

constexpr int kNoUv = -1;  // no set of texture coordinates

bool has(const tinygltf::Primitive& primitive, const std::string& attribute) {
  return primitive.attributes.count(attribute) != 0;
}

Table read_attribute(Accessors& accessors, const tinygltf::Primitive& primitive, const std::string& attribute,
                     const Format& format, std::size_t vertices, const std::string& element) {
  return accessors.read_vertices(primitive.attributes.at(attribute), format, vertices,
                                 element + " " + attribute);
}

Vec3d vec3(std::span<const double> row) { return {row[0], row[1], row[2]}; }

// How many sets an attribute has: JOINTS_0, JOINTS_1, ... Throws InputError when one in between is missing.
int set_count(const tinygltf::Primitive& primitive, const std::string& prefix, const std::string& element) {
  int sets = 0;
  for (const auto& [name, accessor] : primitive.attributes)
    if (name.rfind(prefix, 0) == 0) ++sets;
  for (int set = 0; set < sets; ++set)
    if (!has(primitive, prefix + std::to_string(set)))
      throw InputError("", element,
                       "has no " + prefix + std::to_string(set) + " before its last " + prefix + "n");
  return sets;
}

// The set of texture coordinates that tangents follow: that of the material's normal texture (glTF 2.0, section
// 3.7.2.1), 0 without one. KHR_texture_transform may name another.
int normal_texture_set(const tinygltf::Model& file, const tinygltf::Primitive& primitive) {
  if (primitive.material == -1) return 0;
  require_reference(primitive.material, file.materials.size(), "material", "a primitive");
  const tinygltf::NormalTextureInfo& texture =
      file.materials[static_cast<std::size_t>(primitive.material)].normalTexture;
  if (texture.index == -1) return 0;
  const auto transform = texture.extensions.find("KHR_texture_transform");
  if (transform != texture.extensions.end() && transform->second.Has("texCoord") &&
      transform->second.Get("texCoord").IsInt())
    return transform->second.Get("texCoord").Get<int>();
  return texture.texCoord;
}

// What a bake wrote into sets of texture coordinates is no place on a texture: of a model that had none the first set is the
// record's. Sets of another type behind it are somebody's own.
bool holds_record(const tinygltf::Model& file, const tinygltf::Mesh& mesh, std::size_t primitive, int set) {
  if (!mesh.extras.Has("skinlight")) return false;
  const tinygltf::Value& mark = mesh.extras.Get("skinlight");
  if (!mark.Has("first_texcoord")) return false;
  const tinygltf::Value& of_primitives = mark.Get("first_texcoord");
  if (!of_primitives.IsArray() || primitive >= of_primitives.ArrayLen()) return false;
  const tinygltf::Value& first = of_primitives.Get(static_cast<int>(primitive));
  if (!first.IsInt() || set < first.Get<int>()) return false;
  const auto accessor = [&](int number) -> const tinygltf::Accessor* {
    const auto& attributes = mesh.primitives[primitive].attributes;
    const auto found = attributes.find("TEXCOORD_" + std::to_string(number));
    if (found == attributes.end() || found->second < 0) return nullptr;
    const auto index = static_cast<std::size_t>(found->second);
    return index < file.accessors.size() ? &file.accessors[index] : nullptr;
  };
  const tinygltf::Accessor *record = accessor(first.Get<int>()), *own = accessor(set);
  return record != nullptr && own != nullptr && record->componentType == own->componentType &&
         record->normalized == own->normalized;
}

}  // namespace

std::vector<Face> triangles(int mode, std::size_t corners, const std::string& element) {
  if (mode == TINYGLTF_MODE_TRIANGLES && corners % 3 != 0)
    throw InputError("", element, std::to_string(corners) + " corners do not make whole triangles");
  std::vector<Face> faces;
  faces.reserve(mode == TINYGLTF_MODE_TRIANGLES ? corners / 3 : corners);
  const int count = static_cast<int>(corners);
  if (mode == TINYGLTF_MODE_TRIANGLES)
    for (int i = 0; i + 2 < count; i += 3) faces.push_back({i, i + 1, i + 2});
  if (mode == TINYGLTF_MODE_TRIANGLE_STRIP)
    for (int i = 0; i + 2 < count; ++i) faces.push_back({i, i + 1 + i % 2, i + 2 - i % 2});
  if (mode == TINYGLTF_MODE_TRIANGLE_FAN)
    for (int i = 0; i + 2 < count; ++i) faces.push_back({i + 1, i + 2, 0});
  return faces;
}

void MeshReader::append(int mesh, const BoundSkin& skin, const MorphRange& targets) {
  const tinygltf::Mesh& from = file_.meshes[static_cast<std::size_t>(mesh)];
  for (std::size_t p = 0; p < from.primitives.size(); ++p) {
    const tinygltf::Primitive& primitive = from.primitives[p];
    const std::string element = "mesh " + std::to_string(mesh) + " primitive " + std::to_string(p);
    if (primitive.mode < TINYGLTF_MODE_POINTS || primitive.mode > TINYGLTF_MODE_TRIANGLE_FAN)
      throw InputError("", element, "unknown mode " + std::to_string(primitive.mode));
    if (primitive.mode < TINYGLTF_MODE_TRIANGLES) {
      warn(warnings_, element, "is not made of triangles; it was left out");
      continue;
    }
    if (!has(primitive, "JOINTS_0") && !has(primitive, "WEIGHTS_0")) {
      warn(warnings_, element, "has no joints and weights; it was left out");
      continue;
    }
    const int uv_set = normal_texture_set(file_, primitive);
    const Block& block =
        vertices_of(primitive, skin, targets, holds_record(file_, from, p, uv_set) ? kNoUv : uv_set, element);
    append_faces(primitive, block, element);
    primitives_.push_back({mesh, static_cast<int>(p), skin, block.first, block.count});
  }
}

const MeshReader::Block& MeshReader::vertices_of(const tinygltf::Primitive& primitive, const BoundSkin& skin,
                                                 const MorphRange& targets, int uv_set,
                                                 const std::string& element) {
  const auto [known, is_new] =
      blocks_.try_emplace({skin.skin, targets.first, uv_set, primitive.attributes, primitive.targets});
  Block& block = known->second;
  if (!is_new) return block;

  if (!has(primitive, "POSITION")) throw InputError("", element, "has no POSITION");
  const Table position = read_attribute(accessors_, primitive, "POSITION", kVec3, kAnyCount, element);
  const std::size_t count = position.rows, first = mesh_.p0.size();
  block.first = static_cast<int>(first);
  block.count = static_cast<int>(count);
  block.influences = read_influences(primitive, skin, count, element);
  mesh_.p0.reserve(first + count);
  for (std::size_t v = 0; v < count; ++v) mesh_.p0.push_back(vec3(position.row(v)));

  mesh_.n0.resize(first + count, Vec3d(0.0));
  normal_length_.resize(first + count, 1);
  if (has(primitive, "NORMAL")) {
    const Table normal = read_attribute(accessors_, primitive, "NORMAL", kVec3, count, element);
    for (std::size_t v = 0; v < count; ++v) {
      const Vec3d n = vec3(normal.row(v));
      const double norm = length(n);
      normal_length_[first + v] = norm;
      if (std::abs(norm - 1) > kUnitTolerance)
        warn(warnings_, numbered(element, "vertex", v), "has a normal that is not unit; it was normalised");
      if (norm > 0) mesh_.n0[first + v] = n / norm;
    }
  }
  mesh_.uv.resize(first + count, Vec2d(0, 0));
  if (const std::string name = "TEXCOORD_" + std::to_string(uv_set); has(primitive, name)) {
    const Table uv = read_attribute(accessors_, primitive, name, kVec2, count, element);
    for (std::size_t v = 0; v < count; ++v) mesh_.uv[first + v] = {uv.row(v)[0], uv.row(v)[1]};
    has_uv_ = true;
  }
  tangent_.resize(first + count, Vec3d(0.0));
  tangent_sign_.resize(first + count, 1);
  // Without normals the format has tangents ignored.
  const bool follows_tangents = has(primitive, "NORMAL") || options_.missing_normals != MissingNormals::flat;
  if (has(primitive, "TANGENT") && follows_tangents) {
    const Table tangent = read_attribute(accessors_, primitive, "TANGENT", kVec4, count, element);
    for (std::size_t v = 0; v < count; ++v) {
      tangent_[first + v] = vec3(tangent.row(v));
      const double sign = tangent.row(v)[3];
      if (std::abs(sign) != 1)
        warn(warnings_, numbered(element, "vertex", v),
             "has a tangent whose w is not 1 or -1; its sign was taken");
      tangent_sign_[first + v] = handedness_of_w(sign < 0 ? -1 : 1);
    }
  }
  morphs_.append(primitive, targets, block.first, count, element);
  return block;
}

MeshReader::Influences MeshReader::read_influences(const tinygltf::Primitive& primitive,
                                                   const BoundSkin& skin, std::size_t count,
                                                   const std::string& element) {
  Influences influences;
  influences.sets = set_count(primitive, "JOINTS_", element);
  const int weight_sets = set_count(primitive, "WEIGHTS_", element);
  if (influences.sets != weight_sets)
    throw InputError("", element,
                     "has " + std::to_string(influences.sets) + " sets of JOINTS and " +
                         std::to_string(weight_sets) + " of WEIGHTS");
  const std::size_t slots = 4 * static_cast<std::size_t>(influences.sets);
  influences.bone.resize(count * slots);
  influences.weight.resize(count * slots);
  for (int set = 0; set < influences.sets; ++set) {
    const std::string joints_name = "JOINTS_" + std::to_string(set);
    const Table joints = read_attribute(accessors_, primitive, joints_name, kJoints, count, element);
    const std::string weights_name = element + " WEIGHTS_" + std::to_string(set);
    const int weights_at = primitive.attributes.at("WEIGHTS_" + std::to_string(set));
    const Table weights = options_.keep_unusable_weights
                              ? accessors_.read_rows(weights_at, kWeights, count, weights_name)
                              : accessors_.read_vertices(weights_at, kWeights, count, weights_name);
    for (std::size_t v = 0; v < count; ++v)
      for (std::size_t k = 0; k < 4; ++k) {
        int joint = static_cast<int>(joints.row(v)[k]);
        const double weight = weights.row(v)[k];
        if (joint >= skin.joint_count() && weight != 0)
          throw InputError("", numbered(element + " " + joints_name, "vertex", v),
                           "joint " + std::to_string(joint) + ", but skin " + std::to_string(skin.skin) +
                               " has " + std::to_string(skin.joint_count()));
        if (joint >= skin.joint_count()) {
          warn(warnings_, numbered(element + " " + joints_name, "vertex", v),
               "names a joint that does not exist in an unused slot");
          joint = 0;
        }
        const std::size_t slot = v * slots + 4 * static_cast<std::size_t>(set) + k;
        influences.bone[slot] = skin.bones[static_cast<std::size_t>(joint)];
        influences.weight[slot] = weight;
      }
  }
  return influences;
}

void MeshReader::append_faces(const tinygltf::Primitive& primitive, const Block& block,
                              const std::string& element) {
  std::optional<Table> indices;
  if (primitive.indices != -1) indices = accessors_.read(primitive.indices, kIndices, element + " indices");
  const std::size_t corners = indices ? indices->rows : static_cast<std::size_t>(block.count);
  if (indices)
    for (std::size_t i = 0; i < corners; ++i)
      if (indices->values[i] >= block.count)
        throw InputError("", numbered(element, "indices element", i),
                         "vertex " + std::to_string(static_cast<long>(indices->values[i])) + " of " +
                             std::to_string(block.count));
  std::vector<Face> faces = triangles(primitive.mode, corners, element);
  for (Face& face : faces)
    for (int& corner : face) {
      if (indices) corner = static_cast<int>(indices->values[static_cast<std::size_t>(corner)]);
      corner += block.first;
    }
  mesh_.faces.insert(mesh_.faces.end(), faces.begin(), faces.end());
}

RiggedMesh MeshReader::finish(int bone_count) {
  if (mesh_.faces.empty()) throw InputError("", "", "has no triangle mesh with a skin");
  fill_slots(bone_count);
  if (!has_uv_) mesh_.uv.clear();
  if (options_.raw != nullptr) keep(*options_.raw);
  return complete(
      {std::move(mesh_), std::move(tangent_), std::move(tangent_sign_), std::move(normal_length_)}, options_,
      warnings_);
}

// What complete() does not know.
void MeshReader::keep(RawAttributes& raw) const {
  for (const PrimitiveVertices& p : primitives_) {
    const tinygltf::Primitive& primitive =
        file_.meshes[static_cast<std::size_t>(p.mesh)].primitives[static_cast<std::size_t>(p.primitive)];
    const tinygltf::Accessor& weights =
        file_.accessors[static_cast<std::size_t>(primitive.attributes.at("WEIGHTS_0"))];
    const bool all_alike =
        std::all_of(primitive.attributes.begin(), primitive.attributes.end(), [&](const auto& attribute) {
          const tinygltf::Accessor& other = file_.accessors[static_cast<std::size_t>(attribute.second)];
          return attribute.first.rfind("WEIGHTS_", 0) != 0 ||
                 (other.componentType == weights.componentType && other.normalized == weights.normalized);
        });
    const int unit = !all_alike                                                        ? 0
                     : weights.componentType == TINYGLTF_COMPONENT_TYPE_UNSIGNED_BYTE  ? 255
                     : weights.componentType == TINYGLTF_COMPONENT_TYPE_UNSIGNED_SHORT ? 65535
                                                                                       : 0;
    raw.primitives.push_back(
        {.name = "mesh " + std::to_string(p.mesh) + " primitive " + std::to_string(p.primitive),
         .first = p.first,
         .count = p.count,
         .mesh = p.mesh,
         .skin = p.skin.skin,
         .weight_unit = unit,
         .weights_lack_flag = unit != 0 && !weights.normalized,
         .of_corners = is_split(file_, primitive)});
  }
}

// All primitives get the slots of the one with most; further slots stay unused.
void MeshReader::fill_slots(int bone_count) {
  int sets = 1;
  for (const auto& [key, block] : blocks_) sets = std::max(sets, block.influences.sets);
  mesh_.bone_count = bone_count;
  mesh_.slots = 4 * sets;
  const auto slots = static_cast<std::size_t>(mesh_.slots);
  mesh_.bone.assign(mesh_.p0.size() * slots, 0);
  mesh_.weight.assign(mesh_.p0.size() * slots, 0.0);
  for (const auto& [key, block] : blocks_) {
    const auto from = 4 * static_cast<std::size_t>(block.influences.sets);
    for (std::size_t v = 0; v < static_cast<std::size_t>(block.count); ++v)
      for (std::size_t k = 0; k < from; ++k) {
        const std::size_t to = (static_cast<std::size_t>(block.first) + v) * slots + k;
        mesh_.bone[to] = block.influences.bone[v * from + k];
        mesh_.weight[to] = block.influences.weight[v * from + k];
      }
  }
}

}  // namespace skinlight::gltf
