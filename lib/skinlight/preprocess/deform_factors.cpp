#include "skinlight/preprocess/deform_factors.h"

#include <algorithm>
#include <mutex>
#include <string>

#include "skinlight/core/error.h"
#include "skinlight/core/parallel.h"
#include "skinlight/preprocess/weight_gradients.h"

namespace skinlight {

namespace {

// |a| below this share of the vertex's largest is rounding of gradients that cancel exactly, not an
// influence.
constexpr double kNegligibleShare = 1e-12;

// The slots of one surface vertex: the mesh's own set, then the one-ring's other bones by descending |a|.
struct VertexSlots {
  std::vector<BoneGradient> own, outside;
  double largest = 0;  // |a|

  void gather(const RiggedMesh& mesh, int vertex, const std::vector<BoneGradient>& gradients) {
    own.clear();
    outside.clear();
    largest = 0;
    const auto bones = mesh.bones_of(vertex);
    const auto weights = mesh.weights_of(vertex);
    // Without any area around, the weights are all that is known of their neighbourhood.
    for (std::size_t k = 0; k < weights.size() && weights[k] > 0; ++k)
      own.push_back({bones[k], Vec3d(0.0), gradients.empty() ? weights[k] : 0.0});
    if (own.empty())
      throw InputError("", "vertex " + std::to_string(vertex),
                       "has no positive weight; normalise the weights first");
    for (const BoneGradient& g : gradients) largest = std::max(largest, length(g.a));
    for (const BoneGradient& g : gradients) {
      const auto mine =
          std::find_if(own.begin(), own.end(), [&](const BoneGradient& o) { return o.bone == g.bone; });
      if (mine != own.end())
        *mine = g;
      else if (length(g.a) > kNegligibleShare * largest)
        outside.push_back(g);
    }
    std::sort(outside.begin(), outside.end(), [](const BoneGradient& a, const BoneGradient& b) {
      const double la = dot(a.a, a.a), lb = dot(b.a, b.a);
      return la != lb ? la > lb : a.bone < b.bone;
    });
  }
  int size() const { return static_cast<int>(own.size() + outside.size()); }
};

// Drops what does not fit and closes the sums through slot 0: of gradients to 0 [Eq. 12], of weights to 1.
void fit(VertexSlots& slots, int max_slots, int file_vertex, Overflow& overflow) {
  const auto room = static_cast<std::size_t>(max_slots) - slots.own.size();
  if (slots.outside.size() > room) {
    ++overflow.vertices;
    overflow.bones += static_cast<int>(slots.outside.size() - room);
    const double lost = length(slots.outside[room].a), share = lost / slots.largest;
    overflow.largest = std::max(overflow.largest, lost);
    if (share > overflow.largest_share) {
      overflow.largest_share = share;
      overflow.worst_vertex = file_vertex;
    }
    slots.outside.resize(room);
  }
  Vec3d rest(0.0);
  double smooth_rest = 1;
  const auto take = [&](const BoneGradient& g) {
    rest += g.a;
    smooth_rest -= g.smooth_weight;
  };
  std::for_each(slots.own.begin() + 1, slots.own.end(), take);
  std::for_each(slots.outside.begin(), slots.outside.end(), take);
  slots.own[0].a = -rest;
  slots.own[0].smooth_weight = smooth_rest;
}

void merge(const Overflow& part, Overflow& whole) {
  whole.vertices += part.vertices;
  whole.bones += part.bones;
  whole.largest = std::max(whole.largest, part.largest);
  const bool worse = part.largest_share > whole.largest_share ||
                     (part.largest_share == whole.largest_share && part.worst_vertex < whole.worst_vertex);
  if (part.worst_vertex >= 0 && worse) {
    whole.largest_share = part.largest_share;
    whole.worst_vertex = part.worst_vertex;
  }
}

int widest_set(const RiggedMesh& mesh, const Surface& surface, const VertexGradients& gradients) {
  VertexSlots slots;
  std::vector<BoneGradient> around;
  int widest = mesh.slots;
  for (int v = 0; v < surface.vertex_count(); ++v) {
    gradients.at(v, around);
    slots.gather(mesh, surface.representative(v), around);
    widest = std::max(widest, slots.size());
  }
  return std::min(widest, kMaxSlots);
}

DeformFactors empty_factors(const RiggedMesh& mesh, int slots, Averaging averaging) {
  DeformFactors factors;
  factors.slots = slots;
  factors.averaging = averaging;
  const std::size_t size = mesh.p0.size() * static_cast<std::size_t>(slots);
  factors.bone.resize(size);
  factors.weight.resize(size);
  factors.alpha.resize(size);
  factors.beta.resize(size);
  factors.gradient.resize(size);
  factors.smooth_weight.resize(size);
  return factors;
}

// alpha[s] = a[s] . t0, beta[s] = a[s] . b0 [TPS14 Eq. 11]; slot 0 closes the sums to exactly 0 [Eq. 12].
void project_gradients(const RiggedMesh& mesh, int vertex, DeformFactors& factors) {
  const auto v = static_cast<std::size_t>(vertex);
  double alpha = 0, beta = 0;
  for (int k = 1; k < factors.slots; ++k) {
    const std::size_t i = factors.at(vertex, k);
    alpha += factors.alpha[i] = dot(factors.gradient[i], mesh.t0[v]);
    beta += factors.beta[i] = dot(factors.gradient[i], mesh.b0[v]);
  }
  factors.alpha[factors.at(vertex, 0)] = -alpha;
  factors.beta[factors.at(vertex, 0)] = -beta;
}

void write_slots(const RiggedMesh& mesh, int vertex, const VertexSlots& slots, DeformFactors& factors) {
  const auto weights = mesh.weights_of(vertex);
  for (int k = 0; k < factors.slots; ++k) {
    const auto slot = static_cast<std::size_t>(k);
    const std::size_t i = factors.at(vertex, k), own = slots.own.size();
    const BoneGradient unused{slots.own[0].bone, Vec3d(0.0)};
    const BoneGradient& g = slot < own                          ? slots.own[slot]
                            : slot - own < slots.outside.size() ? slots.outside[slot - own]
                                                                : unused;
    factors.bone[i] = g.bone;
    factors.weight[i] = slot < own ? weights[slot] : 0.0;
    factors.gradient[i] = g.a;
    factors.smooth_weight[i] = g.smooth_weight;
  }
}

void copy_slots(int from, int to, DeformFactors& factors) {
  for (int k = 0; k < factors.slots; ++k) {
    const std::size_t i = factors.at(from, k), j = factors.at(to, k);
    factors.bone[j] = factors.bone[i];
    factors.weight[j] = factors.weight[i];
    factors.gradient[j] = factors.gradient[i];
    factors.smooth_weight[j] = factors.smooth_weight[i];
  }
}

}  // namespace

DeformFactors deform_factors(const RiggedMesh& mesh, const Surface& surface,
                             const DeformFactorOptions& options) {
  if (options.max_slots < 0 || options.max_slots > kMaxSlots)
    throw InputError("", "slot limit " + std::to_string(options.max_slots),
                     "must be 0 (all) to " + std::to_string(kMaxSlots));
  const VertexGradients gradients(mesh, surface, options.averaging, options.threads);
  const int slots = options.max_slots > 0 ? options.max_slots : widest_set(mesh, surface, gradients);
  if (mesh.slots > slots)
    throw InputError("", "mesh",
                     "has " + std::to_string(mesh.slots) + " influences per vertex, more than the " +
                         std::to_string(slots) + " slots; limit the influences first");

  DeformFactors factors = empty_factors(mesh, slots, options.averaging);
  std::mutex report;  // merging is commutative, so the report does not depend on the thread count

  // Once per surface vertex, written to its first file vertex ...
  parallel_for(surface.vertex_count(), options.threads, [&](int begin, int end) {
    std::vector<BoneGradient> around;
    VertexSlots of_vertex;
    Overflow overflow;
    int flat = 0;
    for (int v = begin; v < end; ++v) {
      const int first = surface.representative(v);
      gradients.at(v, around);
      if (around.empty()) ++flat;
      of_vertex.gather(mesh, first, around);
      fit(of_vertex, slots, first, overflow);
      write_slots(mesh, first, of_vertex, factors);
    }
    const std::lock_guard lock(report);
    merge(overflow, factors.overflow);
    factors.flat_vertices += flat;
  });

  // ... then once per file vertex, in its own tangent frame.
  parallel_for(surface.file_vertex_count(), options.threads, [&](int begin, int end) {
    for (int v = begin; v < end; ++v) {
      const int first = surface.representative(surface.vertex_of(v));
      if (first != v) copy_slots(first, v, factors);
      project_gradients(mesh, v, factors);
    }
  });
  return factors;
}

DeformFactors deform_factors_from_gradients(const RiggedMesh& mesh, std::span<const Vec3d> gradient) {
  if (gradient.size() != mesh.bone.size())
    throw InputError("", "gradients",
                     "has " + std::to_string(gradient.size()) +
                         " entries, expected one per slot: " + std::to_string(mesh.bone.size()));
  DeformFactors factors = empty_factors(mesh, mesh.slots, Averaging::mixed_voronoi);
  factors.bone = mesh.bone;
  factors.weight = mesh.weight;
  factors.gradient.assign(gradient.begin(), gradient.end());
  factors.smooth_weight = mesh.weight;  // no one-ring to average over
  for (int v = 0; v < mesh.vertex_count(); ++v) {
    Vec3d rest(0.0);
    for (int k = 1; k < factors.slots; ++k) rest += factors.gradient[factors.at(v, k)];
    factors.gradient[factors.at(v, 0)] = -rest;
    project_gradients(mesh, v, factors);
  }
  return factors;
}

}  // namespace skinlight
