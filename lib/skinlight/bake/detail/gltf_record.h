// How the numbers that normals need are spread over vertex attributes: bake/bake.h says it in words.
#pragma once

#include <string>
#include <vector>

#include "skinlight/bake/bake.h"

namespace skinlight::gltf {

// One number of a vertex.
struct VertexNumber {
  Quantity quantity = Quantity::alpha;
  int slot = 0;
  int component = 0;  // of vectors
};

struct RecordAttribute {
  std::string name;
  std::vector<VertexNumber> numbers;  // one per column
};

// `first_texcoord`: the number of the first free set, of layout texcoord. Throws as record_cost().
std::vector<RecordAttribute> record_attributes(RecordKind kind, FactorLayout layout, int slots,
                                               int first_texcoord);

// "TEXCOORD_" and the set's number.
std::string texcoord_name(int set);

// How many texture coordinate sets so many slots take.
int texcoord_sets(RecordKind kind, int slots);

}  // namespace skinlight::gltf
