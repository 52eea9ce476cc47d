#include "skinlight/bake/detail/gltf_record.h"

#include <algorithm>

#include "skinlight/core/error.h"

namespace skinlight {

namespace gltf {

namespace {

// An attribute `prefix`n for slots 4 n .. 4 n + 3.
RecordAttribute four_slots(const char* prefix, Quantity quantity, int set) {
  RecordAttribute attribute{prefix + std::to_string(set), {}};
  for (int s = 4 * set; s < 4 * set + 4; ++s) attribute.numbers.push_back({quantity, s});
  return attribute;
}

// A vector with its fourth coordinate.
RecordAttribute one_vector(const char* prefix, Quantity vector, Quantity factor, int slot) {
  return {prefix + std::to_string(slot),
          {{vector, slot, 0}, {vector, slot, 1}, {vector, slot, 2}, {factor, slot}}};
}

std::vector<RecordAttribute> texcoord_attributes(NormalRecord record, int slots, int first) {
  std::vector<RecordAttribute> attributes;
  const auto add = [&](VertexNumber a, VertexNumber b) {
    const int set = first + static_cast<int>(attributes.size());
    attributes.push_back({"TEXCOORD_" + std::to_string(set), {a, b}});
  };
  for (int s = 1; s < slots; ++s) add({Quantity::alpha, s}, {Quantity::beta, s});
  if (record == NormalRecord::smoothed)
    for (int s = 1; s < slots; s += 2)
      add({Quantity::smooth_weight, s}, {Quantity::smooth_weight, (s + 1) % slots});
  return attributes;
}

}  // namespace

std::vector<RecordAttribute> record_attributes(NormalRecord record, FactorLayout layout, int slots,
                                               int first_texcoord) {
  const bool vectors = record == NormalRecord::deform_vectors;
  if (layout == FactorLayout::texcoord) {
    if (vectors)
      throw InputError("", "layout texcoord",
                       "holds no deform vectors: sets of texture coordinates have two numbers each, so they "
                       "would take " +
                           std::to_string(4 * (slots - 1)) +
                           ", and engines read 8 at most; use layout attributes");
    return texcoord_attributes(record, slots, first_texcoord);
  }
  std::vector<RecordAttribute> attributes;
  if (vectors) {
    for (int s = 1; s < slots; ++s) {
      attributes.push_back(one_vector("_DEFORM_TAU_T_", Quantity::along_t, Quantity::alpha, s));
      attributes.push_back(one_vector("_DEFORM_TAU_B_", Quantity::along_b, Quantity::beta, s));
    }
    return attributes;
  }
  for (int set = 0; 4 * set < slots; ++set) {
    attributes.push_back(four_slots("_DEFORM_ALPHA_", Quantity::alpha, set));
    attributes.push_back(four_slots("_DEFORM_BETA_", Quantity::beta, set));
    if (record == NormalRecord::smoothed)
      attributes.push_back(four_slots("_DEFORM_SMOOTH_", Quantity::smooth_weight, set));
  }
  return attributes;
}

int texcoord_sets(NormalRecord record, int slots) {
  return slots - 1 + (record == NormalRecord::smoothed ? slots / 2 : 0);
}

double number_of(const BakeReport& report, int vertex, VertexNumber number) {
  const bool vectors = report.record == NormalRecord::deform_vectors;
  const DeformFactors& factors = report.factors;
  const std::size_t i = vectors ? report.vectors.at(vertex, number.slot) : factors.at(vertex, number.slot);
  switch (number.quantity) {
    case Quantity::alpha:
      return vectors ? report.vectors.along_t[i].w : factors.alpha[i];
    case Quantity::beta:
      return vectors ? report.vectors.along_b[i].w : factors.beta[i];
    case Quantity::smooth_weight:
      return factors.smooth_weight[i];
    case Quantity::along_t:
      return report.vectors.along_t[i].v[number.component];
    case Quantity::along_b:
      break;
  }
  return report.vectors.along_b[i].v[number.component];
}

Scales scales_of(NumberFormat format, const StoredRange& range) {
  return {storage_scale(format, range.largest), storage_scale(format, range.largest_pure)};
}

}  // namespace gltf

RecordCost record_cost(NormalRecord record, FactorLayout layout, NumberFormat format, int slots) {
  constexpr int kAlignment = 4;  // glTF aligns the elements of vertex attributes
  RecordCost cost;
  for (const gltf::RecordAttribute& attribute : gltf::record_attributes(record, layout, slots, 0)) {
    const int bytes = static_cast<int>(attribute.numbers.size()) * row(format).bytes;
    cost.bytes += (bytes + kAlignment - 1) / kAlignment * kAlignment;
    ++cost.attributes;
  }
  return cost;
}

DeformFactors stored_factors(DeformFactors factors, std::span<const StoredRange> ranges,
                             NumberFormat format) {
  const bool smoothed = !factors.smooth_weight.empty();
  for (const StoredRange& range : ranges) {
    const gltf::Scales scales = gltf::scales_of(format, range);
    for (int v = range.first; v < range.first + range.count; ++v) {
      double alpha = 0, beta = 0, weight = 1;
      for (int s = 1; s < factors.slots; ++s) {
        const std::size_t i = factors.at(v, s);
        alpha += factors.alpha[i] = as_stored(format, factors.alpha[i], scales.factor);
        beta += factors.beta[i] = as_stored(format, factors.beta[i], scales.factor);
        if (smoothed)
          weight -= factors.smooth_weight[i] = as_stored(format, factors.smooth_weight[i], scales.pure);
      }
      factors.alpha[factors.at(v, 0)] = -alpha;
      factors.beta[factors.at(v, 0)] = -beta;
      if (smoothed) factors.smooth_weight[factors.at(v, 0)] = weight;
    }
  }
  return factors;
}

DeformVectors stored_vectors(DeformVectors vectors, const RiggedMesh& mesh,
                             std::span<const StoredRange> ranges, NumberFormat format) {
  for (const StoredRange& range : ranges) {
    const gltf::Scales scales = gltf::scales_of(format, range);
    const auto store = [&](std::vector<DeformVector>& tau, int v, Vec3d tangent) {
      DeformVector rest{tangent};
      for (int s = 1; s < vectors.slots; ++s) {
        DeformVector& one = tau[vectors.at(v, s)];
        for (int c = 0; c < 3; ++c) one.v[c] = as_stored(format, one.v[c], scales.pure);
        one.w = as_stored(format, one.w, scales.factor);
        rest.v -= one.v;
        rest.w -= one.w;
      }
      tau[vectors.at(v, 0)] = rest;
    };
    for (int v = range.first; v < range.first + range.count; ++v) {
      store(vectors.along_t, v, mesh.t0[static_cast<std::size_t>(v)]);
      store(vectors.along_b, v, mesh.b0[static_cast<std::size_t>(v)]);
    }
  }
  return vectors;
}

}  // namespace skinlight
