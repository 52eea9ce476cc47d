#include "skinlight/asset/detail/bone_table.h"

namespace skinlight {

int BoneTable::bone_of(int node, const Mat4x3d& inverse_bind) {
  std::array<double, 12> numbers{};
  for (int column = 0; column < 4; ++column)
    for (int r = 0; r < 3; ++r) numbers[static_cast<std::size_t>(3 * column + r)] = inverse_bind[column][r];
  const auto [known, is_new] = bones_.try_emplace({node, numbers}, skeleton_.bone_count());
  if (is_new) {
    skeleton_.bone_node.push_back(node);
    skeleton_.inverse_bind.push_back(inverse_bind);
  }
  return known->second;
}

}  // namespace skinlight
