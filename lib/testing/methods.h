// Methods of the table, for tests that a new one has to pass as well.
#pragma once

#include <vector>

#include "skinlight/skinning/kernel_table.h"

namespace skinlight::test_methods {

// All but linear blending.
inline std::vector<Method> that_blend_rotations() {
  std::vector<Method> all;
  for (const MethodRow& method : methods())
    if (method.mover != Mover::matrices) all.push_back(method.method);
  return all;
}

}  // namespace skinlight::test_methods
