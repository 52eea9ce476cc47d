#include "skinlight/bake/detail/gltf_baked.h"

namespace skinlight::gltf {

namespace {

std::size_t at(int i) { return static_cast<std::size_t>(i); }

bool is_zero(const DeformVector& tau) { return tau.w == 0 && tau.v == Vec3d(0.0); }

// The slots of the report's record.
struct Slots {
  const BakeReport& report;
  bool vectors = report.record == NormalRecord::deform_vectors;
  const std::vector<int>& bone = vectors ? report.vectors.bone : report.factors.bone;
  const std::vector<double>& weight = vectors ? report.vectors.weight : report.factors.weight;

  std::size_t at(int v, int s) const { return vectors ? report.vectors.at(v, s) : report.factors.at(v, s); }

  // Whether it changes nothing.
  bool is_unused(std::size_t i) const {
    if (weight[i] != 0) return false;
    if (vectors) return is_zero(report.vectors.along_t[i]) && is_zero(report.vectors.along_b[i]);
    const DeformFactors& f = report.factors;
    return f.alpha[i] == 0 && f.beta[i] == 0 && (f.smooth_weight.empty() || f.smooth_weight[i] == 0);
  }
};

// A number as a reader of the file gets it before `scale` and `offset` act.
double stored_value(const BakeOptions& options, double number, double scale) {
  const bool texcoord = options.layout == FactorLayout::texcoord;
  switch (options.format) {
    case NumberFormat::f32:
      return static_cast<float>(number);
    case NumberFormat::f16:
      return half_from(number / scale) / (texcoord ? 65535.0 : 1.0);
    case NumberFormat::snorm16:
    case NumberFormat::snorm8:
      break;
  }
  const int code = storage_code(options.format, number, scale), largest = row(options.format).largest_code;
  // Texture coordinates are unsigned: codes are moved up, and 1 stands for 2 largest + 1.
  return texcoord ? (code + largest + 1) / (2.0 * largest + 1) : static_cast<double>(code) / largest;
}

NewAttribute stored_attribute(const BakeOptions& options, int columns, std::vector<double> values) {
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

NamedAttributes baked_influences(const BakeReport& report, const PrimitiveVertices& vertices) {
  constexpr int kBytes = 256;
  const int component = vertices.skin.joint_count <= kBytes ? TINYGLTF_COMPONENT_TYPE_UNSIGNED_BYTE
                                                            : TINYGLTF_COMPONENT_TYPE_UNSIGNED_SHORT;
  const Slots slots{report};
  NamedAttributes attributes;
  for (int set = 0; 4 * set < report.slots(); ++set) {
    NewAttribute joints{component, false, 4, {}}, weights{TINYGLTF_COMPONENT_TYPE_FLOAT, false, 4, {}};
    for (int v = vertices.first; v < vertices.first + vertices.count; ++v)
      for (int s = 4 * set; s < 4 * set + 4; ++s) {
        const std::size_t i = slots.at(v, s);
        // Unused slots name joint 0 as the format wishes.
        joints.values.push_back(slots.is_unused(i) ? 0 : slots.bone[i] - vertices.skin.first_bone);
        weights.values.push_back(static_cast<float>(slots.weight[i]));
      }
    attributes.emplace_back("JOINTS_" + std::to_string(set), std::move(joints));
    attributes.emplace_back("WEIGHTS_" + std::to_string(set), std::move(weights));
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

NewAttribute baked_record(const BakeReport& report, const PrimitiveVertices& vertices,
                          const BakeOptions& options, const Scales& scales,
                          const RecordAttribute& attribute) {
  std::vector<double> values;
  values.reserve(at(vertices.count) * attribute.numbers.size());
  for (int v = vertices.first; v < vertices.first + vertices.count; ++v)
    for (const VertexNumber& n : attribute.numbers)
      values.push_back(stored_value(options, number_of(report, v, n), scales.of(n.quantity)));
  return stored_attribute(options, static_cast<int>(attribute.numbers.size()), std::move(values));
}

Decoding decoding(const BakeOptions& options, double scale) {
  const double largest = row(options.format).largest_code;
  if (options.layout == FactorLayout::attributes || largest == 0) return {scale, 0};
  return {scale * (2 * largest + 1) / largest, (largest + 1) / (2 * largest + 1)};
}

}  // namespace skinlight::gltf
