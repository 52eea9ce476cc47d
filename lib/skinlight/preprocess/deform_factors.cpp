#include "skinlight/preprocess/deform_factors.h"

#include <array>
#include <mutex>
#include <string>

#include "skinlight/core/error.h"
#include "skinlight/core/parallel.h"
#include "skinlight/preprocess/detail/ring_slots.h"
#include "skinlight/preprocess/weight_gradients.h"
#include "skinlight/rig/detail/influences.h"

namespace skinlight {

namespace {

using GradientSlots = RingSlots<BoneGradient>;

// The bones of a one-ring by |a|. Without any area around, the weights are all that is known of it.
void gather(const RiggedMesh& mesh, int vertex, const std::vector<BoneGradient>& around,
            GradientSlots& slots) {
  slots.gather(
      mesh, vertex, around, [](const BoneGradient& g) { return dot(g.a, g.a); },
      [](int bone, double weight) {
        return BoneGradient{bone, Vec3d(0.0), weight};
      });
}

NormalRecord empty_factors(const RiggedMesh& mesh, int slots, Averaging averaging, bool gradients,
                           bool smooth_weights) {
  NormalRecord factors;
  factors.slots = slots;
  factors.averaging = averaging;
  const std::size_t size = mesh.p0.size() * static_cast<std::size_t>(slots);
  factors.bone.resize(size);
  factors.weight.resize(size);
  factors.alpha.resize(size);
  factors.beta.resize(size);
  if (gradients) factors.gradient.resize(size);
  if (smooth_weights) factors.smooth_weight.resize(size);
  return factors;
}

// What a file vertex has of the slots of its surface vertex: with the weights of that one's first file
// vertex, so that twins move alike, and factors in its own tangent frame, alpha[s] = a[s] . t0, beta[s] =
// a[s] . b0 [TPS14 Eq. 11]. Slot 0 is closed later.
void write_slots(const RiggedMesh& mesh, int first, int vertex, const GradientSlots& slots,
                 NormalRecord& factors) {
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
  double* const smooth_weight =
      factors.smooth_weight.empty() ? nullptr : factors.smooth_weight.data() + begin;
  const BoneGradient unused{slots.own[0].bone};
  for (std::size_t k = 0; k < count; ++k) {
    const BoneGradient& g = slots.at(static_cast<int>(k), unused);
    bone[k] = g.bone;
    weight[k] = k < own ? weights[k] : 0.0;
    alpha[k] = dot(g.a, t);
    beta[k] = dot(g.a, b);
    if (gradient) gradient[k] = g.a;
    if (smooth_weight) smooth_weight[k] = g.smooth_weight;
  }
}

}  // namespace

NormalRecord deform_factors(const RiggedMesh& mesh, const Surface& surface,
                            const DeformFactorOptions& options) {
  require_influences(mesh.bone_count, mesh.slots, mesh.bone, mesh.weight);
  const VertexGradients gradients(mesh, surface, options.averaging, options.threads);
  std::vector<BoneGradient> ring;
  const int slots =
      slot_count<BoneGradient>(mesh, surface, options.max_slots, [&](int v, GradientSlots& of_vertex) {
        gradients.at(v, ring);
        gather(mesh, surface.representative(v), ring, of_vertex);
      });

  NormalRecord factors =
      empty_factors(mesh, slots, options.averaging, options.gradients, options.smooth_weights);
  const std::vector<int> next_twin = twin_lists(surface);
  std::mutex report;  // merging is commutative, so the report does not depend on the thread count

  // Once per surface vertex, written to each of its file vertices.
  parallel_for(surface.vertex_count(), options.threads, [&](int begin, int end) {
    std::vector<BoneGradient> around;
    GradientSlots of_vertex;
    Overflow overflow;
    int flat = 0;
    for (int v = begin; v < end; ++v) {
      const int first = surface.representative(v);
      gradients.at(v, around);
      if (around.empty()) ++flat;
      gather(mesh, first, around, of_vertex);
      of_vertex.drop(slots, first, overflow);
      for (int twin = first; twin >= 0; twin = next_twin[static_cast<std::size_t>(twin)])
        write_slots(mesh, first, twin, of_vertex, factors);
    }
    const std::lock_guard lock(report);
    merge(overflow, factors.overflow);
    factors.flat_vertices += flat;
  });
  parallel_for(mesh.vertex_count(), options.threads,
               [&](int begin, int end) { close_sums(factors, mesh, begin, end - begin); });
  return factors;
}

NormalRecord deform_factors_from_gradients(const RiggedMesh& mesh, std::span<const Vec3d> gradient) {
  if (gradient.size() != mesh.bone.size())
    throw InputError("", "gradients",
                     "has " + std::to_string(gradient.size()) +
                         " entries, expected one per slot: " + std::to_string(mesh.bone.size()));
  require_influences(mesh.bone_count, mesh.slots, mesh.bone, mesh.weight);
  NormalRecord factors = empty_factors(mesh, mesh.slots, Averaging::mixed_voronoi, true, true);
  factors.bone = mesh.bone;
  factors.weight = mesh.weight;
  factors.gradient.assign(gradient.begin(), gradient.end());
  factors.smooth_weight = mesh.weight;  // no one-ring to average over
  constexpr std::array kProjected = {Quantity::gradient, Quantity::alpha, Quantity::beta};
  for (int v = 0; v < mesh.vertex_count(); ++v) {
    for (int k = 1; k < factors.slots; ++k) {
      const std::size_t i = factors.at(v, k);
      factors.alpha[i] = dot(gradient[i], mesh.t0[static_cast<std::size_t>(v)]);
      factors.beta[i] = dot(gradient[i], mesh.b0[static_cast<std::size_t>(v)]);
    }
  }
  close_sums(factors, mesh, 0, mesh.vertex_count(), kProjected);
  return factors;
}

}  // namespace skinlight
