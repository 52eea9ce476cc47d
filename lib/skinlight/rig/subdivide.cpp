#include "skinlight/rig/subdivide.h"

#include <algorithm>
#include <map>
#include <utility>

namespace skinlight {

namespace {

struct Influence {
  int bone;
  double weight;
};

void add_share(const RiggedMesh& mesh, int vertex, double share, std::vector<Influence>& sum) {
  const auto bones = mesh.bones_of(vertex);
  const auto weights = mesh.weights_of(vertex);
  for (std::size_t k = 0; k < weights.size() && weights[k] > 0; ++k) {
    auto known = std::find_if(sum.begin(), sum.end(), [&](const Influence& i) { return i.bone == bones[k]; });
    if (known == sum.end())
      sum.push_back({bones[k], weights[k] * share});
    else
      known->weight += weights[k] * share;
  }
}

class Bisection {
 public:
  explicit Bisection(const RiggedMesh& coarse) : coarse_(coarse) {
    fine_.p0 = coarse.p0;
    fine_.n0 = coarse.n0;
    fine_.uv = coarse.uv;
    fine_.bone_count = coarse.bone_count;
    influences_.resize(coarse.p0.size());
    for (int v = 0; v < coarse.vertex_count(); ++v)
      add_share(coarse, v, 1, influences_[static_cast<std::size_t>(v)]);
    for (const auto& [a, b, c] : coarse.faces) {
      const int ab = middle(a, b), bc = middle(b, c), ca = middle(c, a);
      fine_.faces.insert(fine_.faces.end(), {{a, ab, ca}, {b, bc, ab}, {c, ca, bc}, {ab, bc, ca}});
    }
    write_slots();
    compute_tangent_frames(fine_);
  }
  RiggedMesh take() { return std::move(fine_); }

 private:
  // The sum of two numbers does not depend on their order, so twins on both sides of a seam stay at one
  // place.
  int middle(int a, int b) {
    const auto [entry, is_new] = middle_.try_emplace(std::minmax(a, b), fine_.vertex_count());
    if (!is_new) return entry->second;
    const auto i = static_cast<std::size_t>(a), j = static_cast<std::size_t>(b);
    const Vec3d n = coarse_.n0[i] + coarse_.n0[j];
    fine_.p0.push_back((coarse_.p0[i] + coarse_.p0[j]) * 0.5);
    fine_.n0.push_back(length(n) > 0 ? normalize(n) : coarse_.n0[i]);
    if (!coarse_.uv.empty()) fine_.uv.push_back((coarse_.uv[i] + coarse_.uv[j]) * 0.5);
    influences_.emplace_back();
    add_share(coarse_, a, 0.5, influences_.back());
    add_share(coarse_, b, 0.5, influences_.back());
    return entry->second;
  }

  void write_slots() {
    std::size_t slots = 1;
    for (const auto& list : influences_) slots = std::max(slots, list.size());
    fine_.slots = static_cast<int>(slots);
    fine_.bone.reserve(influences_.size() * slots);
    fine_.weight.reserve(influences_.size() * slots);
    for (auto& list : influences_) {
      std::stable_sort(list.begin(), list.end(),
                       [](const Influence& a, const Influence& b) { return a.weight > b.weight; });
      list.resize(slots, {list.front().bone, 0.0});
      for (const Influence& i : list) {
        fine_.bone.push_back(i.bone);
        fine_.weight.push_back(i.weight);
      }
    }
  }

  const RiggedMesh& coarse_;
  RiggedMesh fine_;
  std::map<std::pair<int, int>, int> middle_;
  std::vector<std::vector<Influence>> influences_;
};

}  // namespace

RiggedMesh bisect_edges(const RiggedMesh& mesh) { return Bisection(mesh).take(); }

}  // namespace skinlight
