#include "skinlight/preprocess/deform_factors.h"

#include <algorithm>
#include <mutex>
#include <string>

#include "skinlight/core/error.h"
#include "skinlight/core/parallel.h"
#include "skinlight/preprocess/detail/vertex_slots.h"
#include "skinlight/preprocess/weight_gradients.h"

namespace skinlight {

namespace {

using Slots = VertexSlots<BoneGradient>;

// The bones of a one-ring by |a|. Without any area around, the weights are all that is known of it.
void gather(const RiggedMesh& mesh, int vertex, const std::vector<BoneGradient>& around, Slots& slots) {
  slots.gather(
      mesh, vertex, around, [](const BoneGradient& g) { return dot(g.a, g.a); },
      [](int bone, double weight) {
        return BoneGradient{bone, Vec3d(0.0), weight};
      });
}

// Closes the sums through slot 0: of gradients to 0 [Eq. 12], of weights to 1.
void close(Slots& slots) {
  Vec3d rest(0.0);
  double smooth_rest = 1;
  const auto take = [&](const BoneGradient& g) {
    rest += g.a;
    smooth_rest -= g.smooth_weight;
  };
  std::for_each(slots.own.begin() + 1, slots.own.end(), take);
  for (const Slots::Outside& one : slots.outside) take(one.of);
  slots.own[0].a = -rest;
  slots.own[0].smooth_weight = smooth_rest;
}

DeformFactors empty_factors(const RiggedMesh& mesh, int slots, Averaging averaging, bool derivatives) {
  DeformFactors factors;
  factors.slots = slots;
  factors.averaging = averaging;
  const std::size_t size = mesh.p0.size() * static_cast<std::size_t>(slots);
  factors.bone.resize(size);
  factors.weight.resize(size);
  factors.alpha.resize(size);
  factors.beta.resize(size);
  if (!derivatives) return factors;
  factors.gradient.resize(size);
  factors.smooth_weight.resize(size);
  return factors;
}

// alpha[s] = a[s] . t0, beta[s] = a[s] . b0 [TPS14 Eq. 11] of the gradients a[s] = gradient(s); slot 0 closes
// the sums to exactly 0 [Eq. 12].
template <class Gradient>
void project_gradients(const RiggedMesh& mesh, int vertex, Gradient gradient, DeformFactors& factors) {
  const auto v = static_cast<std::size_t>(vertex);
  double alpha = 0, beta = 0;
  for (int k = 1; k < factors.slots; ++k) {
    const std::size_t i = factors.at(vertex, k);
    const Vec3d a = gradient(k);
    alpha += factors.alpha[i] = dot(a, mesh.t0[v]);
    beta += factors.beta[i] = dot(a, mesh.b0[v]);
  }
  factors.alpha[factors.at(vertex, 0)] = -alpha;
  factors.beta[factors.at(vertex, 0)] = -beta;
}

// What a file vertex has of the slots of its surface vertex: with the weights of that one's first file
// vertex, so that twins move alike, and factors in its own tangent frame [TPS14 Eq. 11]; slot 0 closes their
// sums to exactly 0 [Eq. 12].
void write_slots(const RiggedMesh& mesh, int first, int vertex, const Slots& slots, DeformFactors& factors) {
  const auto v = static_cast<std::size_t>(vertex), own = slots.own.size();
  const Vec3d t = mesh.t0[v], b = mesh.b0[v];
  const double* const weights = mesh.weights_of(first).data();
  // Held here, for the compiler cannot know that factors do not overlay each other.
  const std::size_t begin = factors.at(vertex, 0), count = static_cast<std::size_t>(factors.slots);
  int* const bone = factors.bone.data() + begin;
  double* const weight = factors.weight.data() + begin;
  double* const alpha = factors.alpha.data() + begin;
  double* const beta = factors.beta.data() + begin;
  Vec3d* const gradient = factors.gradient.empty() ? nullptr : factors.gradient.data() + begin;
  double* const smooth_weight = gradient ? factors.smooth_weight.data() + begin : nullptr;
  const BoneGradient unused{slots.own[0].bone};
  double sum_alpha = 0, sum_beta = 0;
  for (std::size_t k = 0; k < count; ++k) {
    const BoneGradient& g = slots.at(static_cast<int>(k), unused);
    bone[k] = g.bone;
    weight[k] = k < own ? weights[k] : 0.0;
    if (k > 0) {
      sum_alpha += alpha[k] = dot(g.a, t);
      sum_beta += beta[k] = dot(g.a, b);
    }
    if (!gradient) continue;
    gradient[k] = g.a;
    smooth_weight[k] = g.smooth_weight;
  }
  alpha[0] = -sum_alpha;
  beta[0] = -sum_beta;
}

}  // namespace

DeformFactors deform_factors(const RiggedMesh& mesh, const Surface& surface,
                             const DeformFactorOptions& options) {
  const VertexGradients gradients(mesh, surface, options.averaging, options.threads);
  std::vector<BoneGradient> ring;
  const int slots = slot_count<BoneGradient>(mesh, surface, options.max_slots, [&](int v, Slots& of_vertex) {
    gradients.at(v, ring);
    gather(mesh, surface.representative(v), ring, of_vertex);
  });

  DeformFactors factors = empty_factors(mesh, slots, options.averaging, options.derivatives);
  const std::vector<int> next_twin = twin_lists(surface);
  std::mutex report;  // merging is commutative, so the report does not depend on the thread count

  // Once per surface vertex, written to each of its file vertices.
  parallel_for(surface.vertex_count(), options.threads, [&](int begin, int end) {
    std::vector<BoneGradient> around;
    Slots of_vertex;
    Overflow overflow;
    int flat = 0;
    for (int v = begin; v < end; ++v) {
      const int first = surface.representative(v);
      gradients.at(v, around);
      if (around.empty()) ++flat;
      gather(mesh, first, around, of_vertex);
      of_vertex.drop(slots, first, overflow);
      close(of_vertex);
      for (int twin = first; twin >= 0; twin = next_twin[static_cast<std::size_t>(twin)])
        write_slots(mesh, first, twin, of_vertex, factors);
    }
    const std::lock_guard lock(report);
    merge(overflow, factors.overflow);
    factors.flat_vertices += flat;
  });
  return factors;
}

DeformFactors deform_factors_from_gradients(const RiggedMesh& mesh, std::span<const Vec3d> gradient) {
  if (gradient.size() != mesh.bone.size())
    throw InputError("", "gradients",
                     "has " + std::to_string(gradient.size()) +
                         " entries, expected one per slot: " + std::to_string(mesh.bone.size()));
  DeformFactors factors = empty_factors(mesh, mesh.slots, Averaging::mixed_voronoi, true);
  factors.bone = mesh.bone;
  factors.weight = mesh.weight;
  factors.gradient.assign(gradient.begin(), gradient.end());
  factors.smooth_weight = mesh.weight;  // no one-ring to average over
  for (int v = 0; v < mesh.vertex_count(); ++v) {
    Vec3d rest(0.0);
    for (int k = 1; k < factors.slots; ++k) rest += factors.gradient[factors.at(v, k)];
    factors.gradient[factors.at(v, 0)] = -rest;
    project_gradients(
        mesh, v, [&](int k) { return factors.gradient[factors.at(v, k)]; }, factors);
  }
  return factors;
}

}  // namespace skinlight
