// Counts and numbers of elements are int, as OpenMesh's and glTF's are; containers count in size_t.
#pragma once

#include <cstddef>

namespace skinlight {

inline std::size_t at(int i) { return static_cast<std::size_t>(i); }

}  // namespace skinlight
