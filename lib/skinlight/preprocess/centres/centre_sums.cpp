#include "skinlight/preprocess/centres/centre_sums.h"

#include <algorithm>
#include <cmath>
#include <tuple>

#include "skinlight/core/detail/at.h"
#include "skinlight/core/parallel.h"

namespace skinlight {

namespace {

constexpr int kTargetsPerTask = 64;

struct RingWeight {
  int vertex, bone;
  double weight;
};

// For every vertex on a single bone: the weights of other bones at the other corners of its faces, ascending
// by (vertex, bone).
std::vector<RingWeight> weights_around_single_bones(const WeightedSurface& surface) {
  const WeightVectors& w = surface.weights;
  std::vector<RingWeight> around;
  for (const Face& f : surface.faces)
    for (const int v : f) {
      if (w.bones(v).size() != 1) continue;
      for (const int other : f)
        for (std::size_t k = 0; k < w.bones(other).size(); ++k)
          if (w.bones(other)[k] != w.bones(v)[0])
            around.push_back({v, w.bones(other)[k], w.weights(other)[k]});
    }
  std::stable_sort(around.begin(), around.end(), [](const RingWeight& a, const RingWeight& b) {
    return std::tie(a.vertex, a.bone) < std::tie(b.vertex, b.bone);
  });
  return around;
}

// d/dw of the pair's product at w = 0 takes the product's place; the ring's weights stand for the direction.
BonePair limit_pair(int own, int other, double direction) {
  return own < other ? BonePair{own, other, direction, 1, 0} : BonePair{other, own, direction, 0, 1};
}

}  // namespace

CentreTargets centre_targets(const WeightedSurface& surface) {
  CentreTargets targets;
  const WeightVectors& w = surface.weights;
  const std::vector<RingWeight> around = weights_around_single_bones(surface);
  std::vector<int> ring_corners(at(surface.vertex_count()), 0);
  for (const Face& f : surface.faces)
    for (const int v : f) ring_corners[at(v)] += 2;

  std::size_t count = around.size();  // at most
  for (int v = 0; v < surface.vertex_count(); ++v) count += w.bones(v).size() * (w.bones(v).size() - 1) / 2;
  targets.pairs.reserve(count);  // millions: growing would hold them twice

  std::size_t next = 0;  // in `around`
  for (int v = 0; v < surface.vertex_count(); ++v) {
    const auto bones = w.bones(v);
    const auto weights = w.weights(v);
    for (std::size_t j = 0; j < bones.size(); ++j)
      for (std::size_t k = j + 1; k < bones.size(); ++k)
        targets.pairs.push_back({bones[j], bones[k], weights[j] * weights[k], weights[j], weights[k]});
    targets.vertex.push_back(v);
    const auto first = static_cast<std::ptrdiff_t>(targets.pairs.size());
    while (next < around.size() && around[next].vertex == v) {
      const int other = around[next].bone;
      double sum = 0;
      for (; next < around.size() && around[next].vertex == v && around[next].bone == other; ++next)
        sum += around[next].weight;
      targets.pairs.push_back(limit_pair(bones[0], other, sum / ring_corners[at(v)]));
    }
    std::sort(targets.pairs.begin() + first, targets.pairs.end(),
              [](const BonePair& a, const BonePair& b) { return std::tie(a.j, a.k) < std::tie(b.j, b.k); });
    targets.offset.push_back(static_cast<int>(targets.pairs.size()));
  }
  return targets;
}

CentreTargets every_nth(const CentreTargets& targets, int n) {
  CentreTargets some;
  for (int i = 0; i < targets.count(); i += n) {
    some.vertex.push_back(targets.vertex[at(i)]);
    const auto pairs = targets.pairs_of(i);
    some.pairs.insert(some.pairs.end(), pairs.begin(), pairs.end());
    some.offset.push_back(static_cast<int>(some.pairs.size()));
  }
  return some;
}

double similarity(std::span<const BonePair> pairs, const WeightedTriangles& triangles, int t, double sigma) {
  const auto bones = triangles.weights.bones(t);
  const auto weights = triangles.weights.weights(t);
  const auto weight_of = [&](int bone) {
    const auto i = std::lower_bound(bones.begin(), bones.end(), bone);
    return i != bones.end() && *i == bone ? weights[static_cast<std::size_t>(i - bones.begin())] : 0.0;
  };
  double sum = 0;
  for (const BonePair& pair : pairs) {
    const double t_j = weight_of(pair.j), t_k = weight_of(pair.k);
    if (t_j == 0 || t_k == 0) continue;
    const double difference = (pair.w_j * t_k - pair.w_k * t_j) / sigma;
    sum += pair.product * t_j * t_k * std::exp(-std::min(difference * difference, kLargestExponent));
  }
  return 2 * sum;  // (j, k) and (k, j)
}

std::vector<CentreSum> sum_naively(const WeightedTriangles& triangles, const CentreTargets& targets,
                                   const SumOptions& options) {
  std::vector<CentreSum> sums(at(targets.count()));
  const int tasks = (targets.count() + kTargetsPerTask - 1) / kTargetsPerTask;
  const auto sum_one = [&](int i) {
    const auto pairs = targets.pairs_of(i);
    CentreSum sum;
    for (int t = 0; t < triangles.count(); ++t) {
      const double share = triangles.area[at(t)] * similarity(pairs, triangles, t, options.sigma);
      sum.weight += share;
      sum.first += triangles.centroid[at(t)] * share;
    }
    sums[at(i)] = sum;
  };
  parallel_tasks(
      tasks, options.threads,
      [&](int task) {
        const int end = std::min(targets.count(), (task + 1) * kTargetsPerTask);
        for (int i = task * kTargetsPerTask; i < end; ++i) sum_one(i);
      },
      options.progress);
  return sums;
}

}  // namespace skinlight
