#include "skinlight/mesh/weld.h"

#include <bit>
#include <cstdint>
#include <unordered_map>

namespace skinlight {

namespace {

struct PositionHash {
  std::size_t operator()(const Vec3d& p) const {
    std::uint64_t h = 0;
    for (double x : {p.x, p.y, p.z}) {
      h ^= std::bit_cast<std::uint64_t>(x + 0.0);  // + 0.0: -0 and 0 are one place
      h *= 0x9e3779b97f4a7c15u;
      h ^= h >> 29;
    }
    return h;
  }
};

}  // namespace

std::vector<int> weld_vertices(std::span<const Vec3d> p, const std::function<bool(int, int)>& same) {
  std::unordered_map<Vec3d, int, PositionHash> first_at;  // position -> first group there
  std::vector<int> next_group, leader, group(p.size());   // groups at one position form a list
  first_at.reserve(p.size());
  for (int v = 0; v < static_cast<int>(p.size()); ++v) {
    const auto [entry, inserted] =
        first_at.try_emplace(p[static_cast<std::size_t>(v)], static_cast<int>(leader.size()));
    int g = inserted ? -1 : entry->second, last = -1;
    while (g >= 0 && !same(leader[static_cast<std::size_t>(g)], v)) {
      last = g;
      g = next_group[static_cast<std::size_t>(g)];
    }
    if (g < 0) {
      g = static_cast<int>(leader.size());
      leader.push_back(v);
      next_group.push_back(-1);
      if (last >= 0) next_group[static_cast<std::size_t>(last)] = g;
    }
    group[static_cast<std::size_t>(v)] = g;
  }
  return group;
}

}  // namespace skinlight
