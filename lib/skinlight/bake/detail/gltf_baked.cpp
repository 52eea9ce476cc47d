#include "skinlight/bake/detail/gltf_baked.h"

#include <cmath>

#include "skinlight/bake/detail/gltf_frames.h"
#include "skinlight/bake/detail/gltf_own_joints.h"
#include "skinlight/core/detail/at.h"
#include "skinlight/preprocess/bitangent_side.h"

namespace skinlight::gltf {

namespace {

// glTF's normalised integers are shares of the largest one that their bytes hold, which codes need not reach.
double largest_integer(const NumberFormatRow& format) { return std::ldexp(1, 8 * format.bytes - 1) - 1; }

}  // namespace

double stored_value(NumberFormat format, FactorLayout layout, double number, double scale) {
  const bool texcoord = layout == FactorLayout::texcoord;
  const NumberFormatRow& f = row(format);
  switch (f.stored) {
    case Stored::floats:
      return stored_number(format, stored_bits(format, number, scale), scale);
    case Stored::bits:
      return stored_bits(format, number, scale) / (texcoord ? std::ldexp(1, 8 * f.bytes) - 1 : 1.0);
    case Stored::codes:
      break;
  }
  const double code = storage_code(format, number, scale), largest = largest_integer(f);
  // Texture coordinates are unsigned: codes are moved up, and 1 stands for 2 largest + 1.
  return texcoord ? (code + largest + 1) / (2 * largest + 1) : code / largest;
}

NewAttribute stored_attribute(NumberFormat format, FactorLayout layout, int columns,
                              std::vector<double> values) {
  const bool texcoord = layout == FactorLayout::texcoord;
  const NumberFormatRow& f = row(format);
  if (f.stored == Stored::floats) return {TINYGLTF_COMPONENT_TYPE_FLOAT, false, columns, std::move(values)};
  const bool codes = f.stored == Stored::codes, is_signed = codes && !texcoord, byte = f.bytes == 1;
  const int component = is_signed ? byte ? TINYGLTF_COMPONENT_TYPE_BYTE : TINYGLTF_COMPONENT_TYPE_SHORT
                        : byte    ? TINYGLTF_COMPONENT_TYPE_UNSIGNED_BYTE
                                  : TINYGLTF_COMPONENT_TYPE_UNSIGNED_SHORT;
  return {component, codes || texcoord, columns, std::move(values)};
}

NamedAttributes baked_influences(const BakeReport& report, const PrimitiveVertices& vertices) {
  constexpr int kBytes = 256;
  const int component = vertices.skin.joint_count() <= kBytes ? TINYGLTF_COMPONENT_TYPE_UNSIGNED_BYTE
                                                              : TINYGLTF_COMPONENT_TYPE_UNSIGNED_SHORT;
  const NormalRecord& record = report.record();
  const FrameRecord* frames = report.frames ? &report.frame_record() : nullptr;
  const std::vector<int> joint = joints_of_bones(vertices.skin, report.character.mesh().bone_count);
  // Unused slots name joint 0 as the format wishes.
  const auto unused = [&](int v, int s) {
    return s >= record.slots ||
           (frames ? is_unused(*frames, v, s)
                   : skinlight::is_unused(record, record.at(v, s), row(report.kind).columns));
  };
  NamedAttributes attributes;
  for (int set = 0; 4 * set < record.slots; ++set) {
    NewAttribute joints{component, false, 4, {}}, weights{TINYGLTF_COMPONENT_TYPE_FLOAT, false, 4, {}};
    for (NewAttribute* attribute : {&joints, &weights}) attribute->values.reserve(4 * at(vertices.count));
    for (int v = vertices.first; v < vertices.first + vertices.count; ++v)
      for (int s = 4 * set; s < 4 * set + 4; ++s) {
        const bool none = unused(v, s);
        joints.values.push_back(none ? 0 : joint[at(record.bone[record.at(v, s)])]);
        weights.values.push_back(none ? 0 : static_cast<float>(record.weight[record.at(v, s)]));
      }
    attributes.emplace_back("JOINTS_" + std::to_string(set), std::move(joints));
    attributes.emplace_back("WEIGHTS_" + std::to_string(set), std::move(weights));
  }
  return attributes;
}

NewAttribute baked_normals(const RiggedMesh& mesh, const PrimitiveVertices& vertices) {
  NewAttribute attribute{TINYGLTF_COMPONENT_TYPE_FLOAT, false, 3, {}};
  attribute.values.reserve(3 * at(vertices.count));
  for (int v = vertices.first; v < vertices.first + vertices.count; ++v)
    for (int c = 0; c < 3; ++c) attribute.values.push_back(static_cast<float>(mesh.n0[at(v)][c]));
  return attribute;
}

NewAttribute baked_tangents(const RiggedMesh& mesh, const PrimitiveVertices& vertices) {
  NewAttribute attribute{TINYGLTF_COMPONENT_TYPE_FLOAT, false, 4, {}};
  attribute.values.reserve(4 * at(vertices.count));
  for (int v = vertices.first; v < vertices.first + vertices.count; ++v) {
    for (int c = 0; c < 3; ++c) attribute.values.push_back(static_cast<float>(mesh.t0[at(v)][c]));
    attribute.values.push_back(gltf_w(mesh.handedness[at(v)]));
  }
  return attribute;
}

NewAttribute baked_record(const BakeReport& report, const PrimitiveVertices& vertices,
                          const BakeOptions& options, const PerUnit& scale,
                          const RecordAttribute& attribute) {
  const NormalRecord& record = report.record();
  std::vector<double> values;
  values.reserve(at(vertices.count) * attribute.numbers.size());
  for (int v = vertices.first; v < vertices.first + vertices.count; ++v)
    for (const VertexNumber& n : attribute.numbers)
      values.push_back(stored_value(
          options.format, options.layout,
          file_side(n.quantity) * number_of(record, n.quantity, record.at(v, n.slot), n.component),
          scale.of(row(n.quantity).unit)));
  return stored_attribute(options.format, options.layout, static_cast<int>(attribute.numbers.size()),
                          std::move(values));
}

double scale_of_integers(NumberFormat format, double scale) {
  const NumberFormatRow& f = row(format);
  return f.stored == Stored::codes ? scale * (largest_integer(f) / f.largest_code) : scale;
}

Decoding decoding(const BakeOptions& options, double scale) {
  const NumberFormatRow& f = row(options.format);
  if (options.layout == FactorLayout::attributes || f.stored != Stored::codes)
    return {scale_of_integers(options.format, scale), 0};
  const double largest = largest_integer(f);
  return {scale * (2 * largest + 1) / f.largest_code, (largest + 1) / (2 * largest + 1)};
}

}  // namespace skinlight::gltf
