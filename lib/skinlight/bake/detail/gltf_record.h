// How the numbers that normals need are spread over vertex attributes: bake/bake.h says it in words.
#pragma once

#include <string>
#include <vector>

#include "skinlight/bake/bake.h"

namespace skinlight::gltf {

enum class Quantity { alpha, beta, smooth_weight, along_t, along_b };

// One number of a vertex.
struct VertexNumber {
  Quantity quantity = Quantity::alpha;
  int slot = 0;
  int component = 0;  // of along_t and along_b
};

struct RecordAttribute {
  std::string name;
  std::vector<VertexNumber> numbers;  // one per column
};

// `first_texcoord`: the number of the first free set, of layout texcoord. Throws as record_cost().
std::vector<RecordAttribute> record_attributes(NormalRecord record, FactorLayout layout, int slots,
                                               int first_texcoord);

// How many texture coordinate sets so many slots take.
int texcoord_sets(NormalRecord record, int slots);

// What a report holds at a vertex.
double number_of(const BakeReport& report, int vertex, VertexNumber number);

// What numbers are divided by before they are stored.
struct Scales {
  double factor = 1;  // alpha, beta
  double pure = 1;    // smooth weights, vectors

  double of(Quantity quantity) const {
    return quantity == Quantity::alpha || quantity == Quantity::beta ? factor : pure;
  }
};
Scales scales_of(NumberFormat format, const StoredRange& range);

}  // namespace skinlight::gltf
