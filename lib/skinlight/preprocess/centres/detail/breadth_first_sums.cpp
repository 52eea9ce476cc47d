// [BTGM19 Sec. 4.1, Alg. 4].
#include <algorithm>
#include <array>
#include <cmath>
#include <tuple>

#include "skinlight/core/detail/at.h"
#include "skinlight/core/parallel.h"
#include "skinlight/preprocess/centres/centre_sums.h"

namespace skinlight {

namespace {

constexpr int kSearchesPerTask = 64;

// Lists of integers, one after another.
struct Lists {
  std::vector<int> offset = {0};
  std::vector<int> entry;
  std::span<const int> of(int i) const {
    return {entry.data() + offset[at(i)], at(offset[at(i) + 1] - offset[at(i)])};
  }
};

// (list, entry) pairs as `count` lists.
Lists lists_of(std::vector<std::pair<int, int>> pairs, int count) {
  std::sort(pairs.begin(), pairs.end());
  pairs.erase(std::unique(pairs.begin(), pairs.end()), pairs.end());
  Lists lists;
  lists.offset.assign(at(count) + 1, 0);
  for (const auto& [list, entry] : pairs) {
    ++lists.offset[at(list) + 1];
    lists.entry.push_back(entry);
  }
  for (std::size_t i = 1; i < lists.offset.size(); ++i) lists.offset[i] += lists.offset[i - 1];
  return lists;
}

Lists faces_of_vertices(const WeightedSurface& surface) {
  std::vector<std::pair<int, int>> pairs;
  for (int f = 0; f < surface.face_count(); ++f)
    for (const int v : surface.faces[at(f)]) pairs.emplace_back(v, f);
  return lists_of(std::move(pairs), surface.vertex_count());
}

// Triangles that share an edge; on edges of more than two, each is a neighbour of the next.
Lists neighbours_of_faces(const WeightedSurface& surface) {
  std::vector<std::array<int, 3>> sides;  // edge's vertices ascending, face
  for (int f = 0; f < surface.face_count(); ++f)
    for (std::size_t c = 0; c < 3; ++c) {
      const auto [a, b] = std::minmax(surface.faces[at(f)][c], surface.faces[at(f)][(c + 1) % 3]);
      if (a != b) sides.push_back({a, b, f});
    }
  std::sort(sides.begin(), sides.end());
  std::vector<std::pair<int, int>> pairs;
  for (std::size_t i = 0; i < sides.size();) {
    std::size_t end = i;
    while (end < sides.size() && sides[end][0] == sides[i][0] && sides[end][1] == sides[i][1]) ++end;
    for (std::size_t a = i; a + 1 < end; ++a) {
      pairs.emplace_back(sides[a][2], sides[a + 1][2]);
      pairs.emplace_back(sides[a + 1][2], sides[a][2]);
    }
    i = end;
  }
  return lists_of(std::move(pairs), surface.face_count());
}

// Which vertices have similar weights.
class SimilarVertices {
 public:
  SimilarVertices(const WeightVectors& weights, double omega) : weights_(weights), omega_(omega) {
    for (int v = 0; v < weights.count(); ++v)
      for (std::size_t k = 0; k < weights.bones(v).size(); ++k)
        by_bone_.push_back({weights.bones(v)[k], weights.weights(v)[k], v});
    std::sort(by_bone_.begin(), by_bone_.end(), before);
  }

  // The vertices u with |w_u - w_v| < omega. Overwrites `similar`.
  void find(int v, std::vector<int>& similar) const {
    similar.clear();
    const auto weights = weights_.weights(v);
    if (weights.empty()) return;
    const auto strongest =
        static_cast<std::size_t>(std::max_element(weights.begin(), weights.end()) - weights.begin());
    const double w = weights[strongest];
    const auto consider = [&](int u) {
      if (squared_distance(weights_, v, weights_, u) < omega_ * omega_) similar.push_back(u);
    };
    // Similar vertices have the strongest bone too, with a weight at most omega away.
    if (w > omega_) {
      const int bone = weights_.bones(v)[strongest];
      const auto begin =
          std::lower_bound(by_bone_.begin(), by_bone_.end(), Entry{bone, w - omega_, 0}, before);
      for (auto e = begin; e != by_bone_.end() && e->bone == bone && e->weight <= w + omega_; ++e)
        consider(e->vertex);
    } else {
      for (int u = 0; u < weights_.count(); ++u) consider(u);
    }
  }

 private:
  struct Entry {
    int bone;
    double weight;
    int vertex;
  };
  static bool before(const Entry& a, const Entry& b) {
    return std::tie(a.bone, a.weight, a.vertex) < std::tie(b.bone, b.weight, b.vertex);
  }
  const WeightVectors& weights_;
  double omega_;
  std::vector<Entry> by_bone_;
};

// The queue and which triangles were visited by which target: nothing to clear between targets.
struct Search {
  std::vector<int> similar, queue, visited_by;
};

}  // namespace

std::vector<CentreSum> sum_breadth_first(const WeightedSurface& surface, const WeightedTriangles& triangles,
                                         const CentreTargets& targets, const SearchLimits& limits,
                                         const SumOptions& options) {
  const SimilarVertices vertices(surface.weights, limits.omega);
  const Lists incident = faces_of_vertices(surface), neighbours = neighbours_of_faces(surface);
  std::vector<CentreSum> sums(at(targets.count()));
  const auto search_one = [&](int i, Search& search) {
    const auto pairs = targets.pairs_of(i);
    if (pairs.empty()) return;
    vertices.find(targets.vertex[at(i)], search.similar);
    search.queue.clear();
    const auto enqueue = [&](int t) {
      if (search.visited_by[at(t)] == i) return;
      search.visited_by[at(t)] = i;
      search.queue.push_back(t);
    };
    for (const int u : search.similar)
      for (const int t : incident.of(u)) enqueue(t);
    CentreSum sum;
    // The queue grows on the way: no iterators. NOLINTNEXTLINE(modernize-loop-convert)
    for (std::size_t next = 0; next < search.queue.size(); ++next) {
      const int t = search.queue[next];
      const double s = similarity(pairs, triangles, t, options.sigma);
      if (s < limits.cutoff) continue;
      sum.weight += s * triangles.area[at(t)];
      sum.first += triangles.centroid[at(t)] * (s * triangles.area[at(t)]);
      for (const int neighbour : neighbours.of(t)) enqueue(neighbour);
    }
    sums[at(i)] = sum;
  };
  const int tasks = (targets.count() + kSearchesPerTask - 1) / kSearchesPerTask;
  parallel_tasks(
      tasks, options.threads,
      [&](int task) {
        Search search;
        search.visited_by.assign(at(surface.face_count()), -1);
        const int end = std::min(targets.count(), (task + 1) * kSearchesPerTask);
        for (int i = task * kSearchesPerTask; i < end; ++i) search_one(i, search);
      },
      options.progress);
  return sums;
}

}  // namespace skinlight
