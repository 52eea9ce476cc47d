#include "skinlight/mesh/weld.h"

#include <array>
#include <bit>
#include <cmath>
#include <cstdint>
#include <utility>

namespace skinlight {

namespace {

// Or within this share of the largest coordinate: two to four steps of single precision there, which is more than the
// above where a mesh stands many times its size from the origin.
constexpr double kFloatSteps = 0x1p-22;

double tolerance_of(std::span<const Vec3d> p) {
  Vec3d low(INFINITY), high(-INFINITY);
  for (const Vec3d& q : p)
    for (int i = 0; i < 3 && is_finite(q); ++i) {
      low[i] = std::fmin(low[i], q[i]);
      high[i] = std::fmax(high[i], q[i]);
    }
  // Scaled before it is squared: the diagonal of finite points may leave the range of double.
  const Vec3d scaled = high * kSamePlace - low * kSamePlace;
  double farthest = 0;
  for (int i = 0; i < 3; ++i) farthest = std::fmax(farthest, std::fmax(-low[i], high[i]));
  return is_finite(scaled) ? std::fmax(std::hypot(scaled.x, scaled.y, scaled.z), kFloatSteps * farthest) : 0;
}

// Groups by place: each leader lies in one cell of four tolerances, each query looks into the cells that its tolerance
// reaches (mostly one). Cells that share a bucket need no telling apart: what is in reach is in one of those.
class Groups {
 public:
  Groups(std::span<const Vec3d> p, const std::function<bool(int, int)>& same)
      : p_(p),
        same_(same),
        tolerance_(tolerance_of(p)),
        cell_size_(tolerance_ > 0 ? 4 * tolerance_ : 1),
        last_in_bucket_(std::bit_ceil(2 * p.size()), -1) {}

  int group_of(int v) {
    const int known = find(v);
    return known >= 0 ? known : add(v);
  }

 private:
  Vec3d at(int v) const { return p_[static_cast<std::size_t>(v)]; }
  // A tolerance is 2^-22 of the largest coordinate at least: a few million cells either way. That at 0 is twice as wide.
  std::int64_t cell(double x, double beside = 0) const {
    return static_cast<std::int64_t>(x / cell_size_ + beside);
  }

  std::size_t bucket(std::int64_t x, std::int64_t y, std::int64_t z) const {
    std::uint64_t h = 0;
    for (const std::int64_t i : {x, y, z}) {
      h ^= static_cast<std::uint64_t>(i);
      h *= 0x9e3779b97f4a7c15u;
      h ^= h >> 29;
    }
    return h & (last_in_bucket_.size() - 1);
  }

  // Those that the tolerance reaches: one or two.
  struct Cells {
    std::array<std::int64_t, 2> index;
    std::size_t count;
    const std::int64_t* begin() const { return index.data(); }
    const std::int64_t* end() const { return index.data() + count; }
  };
  Cells cells_around(double x) const {
    constexpr double kReach = .3;  // in cells: a quarter, and more than the quotients round by
    const std::int64_t below = cell(x, -kReach), above = cell(x, kReach);
    return {{below, above}, below == above ? std::size_t{1} : std::size_t{2}};
  }

  // The first group, in order of appearance, that v belongs to; -1 when there is none.
  int find(int v) const {
    const Vec3d q = at(v);
    int found = -1;
    if (!is_finite(q)) return found;
    const Cells xs = cells_around(q.x), ys = cells_around(q.y), zs = cells_around(q.z);
    for (const std::int64_t x : xs)
      for (const std::int64_t y : ys)
        for (const std::int64_t z : zs)
          for (int g = last_in_bucket_[bucket(x, y, z)]; g >= 0;) {
            const auto [leader, earlier] = groups_[static_cast<std::size_t>(g)];
            if ((found < 0 || g < found) && length(at(leader) - q) <= tolerance_ && same_(leader, v))
              found = g;
            g = earlier;
          }
    return found;
  }

  int add(int v) {
    const int g = static_cast<int>(groups_.size());
    groups_.push_back({v, -1});
    if (const Vec3d q = at(v); is_finite(q))
      groups_.back().earlier = std::exchange(last_in_bucket_[bucket(cell(q.x), cell(q.y), cell(q.z))], g);
    return g;
  }

  std::span<const Vec3d> p_;
  const std::function<bool(int, int)>& same_;
  double tolerance_, cell_size_;
  struct Group {
    int leader, earlier;  // its first member, the group before it in the same bucket
  };
  std::vector<int> last_in_bucket_;
  std::vector<Group> groups_;
};

}  // namespace

std::vector<int> weld_vertices(std::span<const Vec3d> p, const std::function<bool(int, int)>& same) {
  Groups groups(p, same);
  std::vector<int> group(p.size());
  for (int v = 0; v < static_cast<int>(p.size()); ++v)
    group[static_cast<std::size_t>(v)] = groups.group_of(v);
  return group;
}

}  // namespace skinlight
