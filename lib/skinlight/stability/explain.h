// Where the digits of a result go.
#pragma once

#include <string>
#include <vector>

#include "skinlight/stability/measure.h"

namespace skinlight::stability {

// One operation of a kernel, in the order in which they happen.
struct Operation {
  std::string formula;  // "10241.3 - 10240.9 = 0.390625"
  // Of the kernel's normal when all operations up to this one are rounded to float and all after it are not.
  double digits_left = 0;
};

struct Explanation {
  int index = 0;  // of the case in its regime
  VertexCase input;
  double digits = 0;              // of the cell's scalar
  double float_digits = 0;        // of the operations below, all rounded to float
  Vec3d result{0.0}, truth{0.0};  // unit normals
  int operations = 0;             // of the kernel
  // Those after which most digits are gone, the largest loss first, with what was left before.
  struct Loss {
    int number;  // 1 is the first operation
    Operation operation;
    double digits_before;
  };
  std::vector<Loss> losses;
};

// Of the worst of the cell's cases. Throws InputError when the cell is a rival's, whose operations nobody sees.
Explanation explain(const Cell& cell);

// Throws InputError naming the nearest kernel, regime or scalar.
Cell cell_from_id(const std::string& id);

}  // namespace skinlight::stability
