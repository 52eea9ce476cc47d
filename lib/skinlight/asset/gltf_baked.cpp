#include "skinlight/asset/gltf_baked.h"

#include <algorithm>

namespace skinlight::gltf {

namespace {

std::size_t at(int i) { return static_cast<std::size_t>(i); }

// The joint of a slot; unused ones, which change nothing, name joint 0 as the format wishes.
int joint_of(const DeformFactors& factors, std::size_t i, const BoundSkin& skin) {
  const bool unused = factors.weight[i] == 0 && factors.alpha[i] == 0 && factors.beta[i] == 0;
  return unused ? 0 : factors.bone[i] - skin.first_bone;
}

// The numbers of one attribute, `slots` of each vertex from slot `first` on.
template <class Value>
std::vector<double> gather(const PrimitiveVertices& vertices, const DeformFactors& factors, int first,
                           int slots, Value value) {
  std::vector<double> values;
  values.reserve(at(vertices.count) * at(slots));
  for (int v = vertices.first; v < vertices.first + vertices.count; ++v)
    for (int s = first; s < first + slots; ++s) value(values, factors.at(v, s));
  return values;
}

// A factor as a reader of the file gets it before `scale` and `offset` act.
double stored_value(const BakeOptions& options, double factor, double scale) {
  const bool texcoord = options.layout == FactorLayout::texcoord;
  switch (options.format) {
    case NumberFormat::f32:
      return static_cast<float>(factor);
    case NumberFormat::f16:
      return half_from(factor / scale) / (texcoord ? 65535.0 : 1.0);
    case NumberFormat::snorm16:
    case NumberFormat::snorm8:
      break;
  }
  const int code = storage_code(options.format, factor, scale), largest = row(options.format).largest_code;
  // Texture coordinates are unsigned: codes are moved up, and 1 stands for 2 largest + 1.
  return texcoord ? (code + largest + 1) / (2.0 * largest + 1) : static_cast<double>(code) / largest;
}

NewAttribute factor_attribute(const BakeOptions& options, int columns, std::vector<double> values) {
  const bool texcoord = options.layout == FactorLayout::texcoord;
  switch (options.format) {
    case NumberFormat::f32:
      return {TINYGLTF_COMPONENT_TYPE_FLOAT, false, columns, std::move(values)};
    case NumberFormat::f16:
      return {TINYGLTF_COMPONENT_TYPE_UNSIGNED_SHORT, texcoord, columns, std::move(values)};
    case NumberFormat::snorm16:
      return {texcoord ? TINYGLTF_COMPONENT_TYPE_UNSIGNED_SHORT : TINYGLTF_COMPONENT_TYPE_SHORT, true,
              columns, std::move(values)};
    case NumberFormat::snorm8:
      break;
  }
  return {texcoord ? TINYGLTF_COMPONENT_TYPE_UNSIGNED_BYTE : TINYGLTF_COMPONENT_TYPE_BYTE, true, columns,
          std::move(values)};
}

}  // namespace

NamedAttributes baked_influences(const DeformFactors& factors, const PrimitiveVertices& vertices) {
  constexpr int kBytes = 256;
  const int component = vertices.skin.joint_count <= kBytes ? TINYGLTF_COMPONENT_TYPE_UNSIGNED_BYTE
                                                            : TINYGLTF_COMPONENT_TYPE_UNSIGNED_SHORT;
  NamedAttributes attributes;
  for (int set = 0; 4 * set < factors.slots; ++set) {
    attributes.emplace_back(
        "JOINTS_" + std::to_string(set),
        NewAttribute{component, false, 4,
                     gather(vertices, factors, 4 * set, 4, [&](std::vector<double>& values, std::size_t i) {
                       values.push_back(joint_of(factors, i, vertices.skin));
                     })});
    attributes.emplace_back(
        "WEIGHTS_" + std::to_string(set),
        NewAttribute{TINYGLTF_COMPONENT_TYPE_FLOAT, false, 4,
                     gather(vertices, factors, 4 * set, 4, [&](std::vector<double>& values, std::size_t i) {
                       values.push_back(static_cast<float>(factors.weight[i]));
                     })});
  }
  return attributes;
}

NewAttribute baked_normals(const RiggedMesh& mesh, const PrimitiveVertices& vertices) {
  NewAttribute attribute{TINYGLTF_COMPONENT_TYPE_FLOAT, false, 3, {}};
  for (int v = vertices.first; v < vertices.first + vertices.count; ++v)
    for (int c = 0; c < 3; ++c) attribute.values.push_back(static_cast<float>(mesh.n0[at(v)][c]));
  return attribute;
}

NewAttribute baked_tangents(const RiggedMesh& mesh, const PrimitiveVertices& vertices) {
  NewAttribute attribute{TINYGLTF_COMPONENT_TYPE_FLOAT, false, 4, {}};
  for (int v = vertices.first; v < vertices.first + vertices.count; ++v) {
    for (int c = 0; c < 3; ++c) attribute.values.push_back(static_cast<float>(mesh.t0[at(v)][c]));
    attribute.values.push_back(mesh.handedness[at(v)]);
  }
  return attribute;
}

NamedAttributes baked_factors(const DeformFactors& factors, const PrimitiveVertices& vertices,
                              const BakeOptions& options, double scale, int first_texcoord) {
  NamedAttributes attributes;
  const auto add = [&](const std::string& name, int columns, std::vector<double> values) {
    attributes.emplace_back(name, factor_attribute(options, columns, std::move(values)));
  };
  const auto stored = [&](double factor) { return stored_value(options, factor, scale); };
  if (options.layout == FactorLayout::texcoord) {
    for (int s = 1; s < factors.slots; ++s)
      add("TEXCOORD_" + std::to_string(first_texcoord + s - 1), 2,
          gather(vertices, factors, s, 1, [&](std::vector<double>& values, std::size_t i) {
            values.push_back(stored(factors.alpha[i]));
            values.push_back(stored(factors.beta[i]));
          }));
    return attributes;
  }
  for (int set = 0; 4 * set < factors.slots; ++set)
    for (const bool alpha : {true, false})
      add((alpha ? "_DEFORM_ALPHA_" : "_DEFORM_BETA_") + std::to_string(set), 4,
          gather(vertices, factors, 4 * set, 4, [&](std::vector<double>& values, std::size_t i) {
            values.push_back(stored(alpha ? factors.alpha[i] : factors.beta[i]));
          }));
  return attributes;
}

Decoding decoding(const BakeOptions& options, double scale) {
  const double largest = row(options.format).largest_code;
  if (options.layout == FactorLayout::attributes || largest == 0) return {scale, 0};
  return {scale * (2 * largest + 1) / largest, (largest + 1) / (2 * largest + 1)};
}

int texcoord_sets(int slots) { return slots - 1; }

}  // namespace skinlight::gltf
