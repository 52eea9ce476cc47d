#include "skinlight/mesh/weld.h"

#include <array>
#include <cmath>
#include <cstdint>
#include <unordered_map>

namespace skinlight {

namespace {

using Cell = std::array<std::int64_t, 3>;

struct CellHash {
  std::size_t operator()(const Cell& cell) const {
    std::uint64_t h = 0;
    for (std::int64_t i : cell) {
      h ^= static_cast<std::uint64_t>(i);
      h *= 0x9e3779b97f4a7c15u;
      h ^= h >> 29;
    }
    return h;
  }
};

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
// reaches (mostly one).
class Groups {
 public:
  Groups(std::span<const Vec3d> p, const std::function<bool(int, int)>& same)
      : p_(p), same_(same), tolerance_(tolerance_of(p)), cell_size_(tolerance_ > 0 ? 4 * tolerance_ : 1) {
    last_in_cell_.reserve(p.size());
  }

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
        for (const std::int64_t z : zs) {
          const auto entry = last_in_cell_.find({x, y, z});
          for (int g = entry == last_in_cell_.end() ? -1 : entry->second; g >= 0;
               g = earlier_[static_cast<std::size_t>(g)]) {
            const int leader = leader_[static_cast<std::size_t>(g)];
            if ((found < 0 || g < found) && length(at(leader) - q) <= tolerance_ && same_(leader, v))
              found = g;
          }
        }
    return found;
  }

  int add(int v) {
    const int g = static_cast<int>(leader_.size());
    leader_.push_back(v);
    earlier_.push_back(-1);
    if (is_finite(at(v))) {
      const auto [entry, is_new] =
          last_in_cell_.try_emplace({cell(at(v).x), cell(at(v).y), cell(at(v).z)}, g);
      if (!is_new) {
        earlier_.back() = entry->second;
        entry->second = g;
      }
    }
    return g;
  }

  std::span<const Vec3d> p_;
  const std::function<bool(int, int)>& same_;
  double tolerance_, cell_size_;
  std::unordered_map<Cell, int, CellHash> last_in_cell_;
  std::vector<int> leader_, earlier_;  // per group: first member, the group before it in the same cell
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
