#include "skinlight/bake/detail/gltf_frames.h"

#include "skinlight/core/detail/at.h"
#include "skinlight/preprocess/bitangent_side.h"

namespace skinlight::gltf {

namespace {

constexpr const char* kPrefix = "_DEFORM_FRAME_";

// Four offsets each, frame after frame, slots 1, 2, ...
int offset_attributes(int frames, int slots) { return (frames * (slots - 1) + 3) / 4; }

}  // namespace

std::vector<FrameAttribute> frame_attributes(int frames, int slots, NumberFormat format) {
  std::vector<FrameAttribute> attributes;
  for (int n = 0; n < offset_attributes(frames, slots); ++n)
    attributes.push_back({kPrefix + std::string("W_") + std::to_string(n)});
  for (int k = 0; k < frames; ++k)
    for (const char* along : {"T_", "B_"})
      attributes.push_back({kPrefix + std::string(along) + std::to_string(k)});
  if (row(format).stored != Stored::floats) attributes.push_back({kPrefix + std::string("SCALE"), 2, true});
  return attributes;
}

NamedAttributes baked_frames(const FrameRecord& record, const PrimitiveVertices& vertices,
                             NumberFormat format) {
  NamedAttributes attributes;
  for (const FrameAttribute& attribute : frame_attributes(record.frames, record.slots, format)) {
    attributes.emplace_back(attribute.name,
                            stored_attribute(attribute.scales ? NumberFormat::f32 : format,
                                             FactorLayout::attributes, attribute.columns, {}));
    attributes.back().second.values.reserve(at(attribute.columns) * at(vertices.count));
  }
  const int offsets = offset_attributes(record.frames, record.slots);
  const double side_of_b = file_side(Quantity::beta);
  for (int v = vertices.first; v < vertices.first + vertices.count; ++v) {
    const PerUnit scales = storage_scales(format, largest_numbers(record, v));
    const auto put = [&](int attribute, double number, double scale) {
      attributes[static_cast<std::size_t>(attribute)].second.values.push_back(
          stored_value(format, FactorLayout::attributes, number, scale));
    };
    int next = 0;  // offset
    for (int k = 0; k < record.frames; ++k)
      for (int s = 1; s < record.slots; ++s)
        put(next++ / 4, record.frame_offset[record.at_offset(v, k, s)], scales.pure);
    for (; next < 4 * offsets; ++next) put(next / 4, 0, scales.pure);
    for (int k = 0; k < record.frames; ++k) {
      const std::size_t i = record.at_frame(v, k);
      const int t = offsets + 2 * k, b = t + 1;
      for (int c = 0; c < 3; ++c) put(t, record.frame_t[i][c], scales.pure);
      put(t, record.frame_alpha[i], scales.per_length);
      for (int c = 0; c < 3; ++c) put(b, side_of_b * record.frame_b[i][c], scales.pure);
      put(b, side_of_b * record.frame_beta[i], scales.per_length);
    }
    if (row(format).stored != Stored::floats)
      for (const double scale : {scales.pure, scales.per_length})
        attributes.back().second.values.push_back(static_cast<float>(scale_of_integers(format, scale)));
  }
  return attributes;
}

bool is_unused(const FrameRecord& record, int vertex, int slot) {
  if (record.weight[record.at(vertex, slot)] != 0) return false;
  for (int k = 0; k < record.frames; ++k)
    if (record.frame_offset[record.at_offset(vertex, k, slot)] != 0) return false;
  return true;
}

}  // namespace skinlight::gltf

namespace skinlight {

RecordCost frame_cost(NumberFormat format, int slots) {
  RecordCost cost;
  for (const gltf::FrameAttribute& attribute :
       gltf::frame_attributes(DeformFrameOptions().frames, slots, format)) {
    cost.bytes += attribute.columns * (attribute.scales ? row(NumberFormat::f32).bytes : row(format).bytes);
    ++cost.attributes;
  }
  return cost;
}

}  // namespace skinlight
