// The bones that the meshes of a file hang on, whichever mesh or skin names them.
#pragma once

#include <array>
#include <map>
#include <utility>

#include "skinlight/rig/skeleton.h"

namespace skinlight {

class BoneTable {
 public:
  // The skeleton must outlive this.
  explicit BoneTable(Skeleton& skeleton) : skeleton_(skeleton) {}

  // One bone per node and bind pose, appended to the skeleton where it is met first: meshes that were split by material,
  // or have a skin each, are one surface only if what moves their seam is the same. Finite matrices.
  int bone_of(int node, const Mat4x3d& inverse_bind);

  int count() const { return skeleton_.bone_count(); }

 private:
  Skeleton& skeleton_;
  std::map<std::pair<int, std::array<double, 12>>, int> bones_;  // by node and inverse bind matrix
};

}  // namespace skinlight
