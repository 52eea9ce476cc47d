// What bones make of directions, as renderers write it.
#pragma once

#include <algorithm>
#include <functional>
#include <span>
#include <vector>

#include "skinlight/audit/explanations.h"

namespace skinlight::explain {

using Vectors = std::vector<Vec3d>;

// Normals or tangents to explain. d0: their rest vectors, #V by 3.
struct Subject {
  const PosedRig& rig;
  std::span<const Vec3d> d0, theirs;

  Vec3d rest(int v) const { return d0[static_cast<std::size_t>(v)]; }
  const Mat3d& T(int v) const { return rig.truth.extension[static_cast<std::size_t>(v)]; }
  std::span<const double> weights() const { return rig.truth.areas; }
};

inline Vectors per_vertex(const PosedRig& rig, const std::function<Vec3d(int)>& f) {
  Vectors v;
  v.reserve(rig.mesh().p0.size());
  for (int i = 0; i < rig.mesh().vertex_count(); ++i) v.push_back(f(i));
  return v;
}

inline Mat3d linear_of(const PosedRig& rig, int bone) {
  return Mat3d(rig.pose().M[static_cast<std::size_t>(bone)]);
}

// sum_s w[s] f(s) over the slots of a vertex.
template <class Sum, class F>
Sum blended(const PosedRig& rig, int v, Sum sum, F f) {
  for (std::size_t k = 0; k < static_cast<std::size_t>(rig.mesh().slots); ++k)
    sum = sum + f(rig.mesh().bones_of(v)[k]) * rig.mesh().weights_of(v)[k];
  return sum;
}

inline const Mat3d kNoMatrix{Vec3d(0.0), Vec3d(0.0), Vec3d(0.0)};

// Mean angle in degrees, weighted.
double mean_degrees(std::span<const Vec3d> a, std::span<const Vec3d> b, std::span<const double> weights);

// Mistakes with a number that nobody tells: it is the one that fits theirs best. Each is left out where it does no
// better than without.
//
// One rotation or reflection, or swapped axes, of all vectors, on top of one of the `bases`.
void add_rotations(const Subject& subject, std::span<const Explanation> bases,
                   std::vector<Explanation>& list);
// A rotation or reflection of the rest vectors, which the bones then carry.
void add_rotation_before(const Subject& subject, std::vector<Explanation>& list);
// Bones one too high or too low.
void add_neighbouring_bones(const Subject& subject, std::vector<Explanation>& list);
// The vectors of one of the `bases` at vertices that are so many places further on, or in reverse order.
void add_shifted_order(const Subject& subject, std::span<const Explanation> bases,
                       std::vector<Explanation>& list);
// Quaternions blended without regard to their signs.
void add_long_way(const Subject& subject, std::vector<Explanation>& list);

}  // namespace skinlight::explain
