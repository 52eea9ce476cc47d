// A pose and where it goes, as the loops over blocks take them.
#pragma once

#include "skinlight/skinning/block_loop.h"
#include "skinlight/skinning/detail/pose_reader.h"
#include "skinlight/skinning/skin.h"

namespace skinlight {

// The guard that acts: they do not move positions, nor deform frames (KernelRow::guards).
inline Guard acting_guard(const SkinOptions& options, const KernelTraits& traits) {
  if (options.outputs == Outputs::positions || traits.reads.frames) return Guard::none;
  return options.guard.guard;
}

// Of a group of vertices. Refers to the pose; what is read at rest and written is for the caller to fill in.
template <class Real>
BlockJob<Real> block_job(const PreparedPose<Real>& pose, std::size_t group, const KernelTraits& traits,
                         Guard guard) {
  const PreparedGroup<Real>& of = pose.groups[group];
  BlockJob<Real> job;
  job.bones = of.bones.data();
  job.centres = of.centres.data();
  job.scale = static_cast<Real>(of.scale);
  job.side = static_cast<Real>(normal_side(traits.side, 1, of.orientation));
  for (int c = 0; c < 3; ++c) job.pivot[c] = static_cast<Real>(pose.pivot[c]);
  job.guard = guard;
  job.limit = static_cast<Real>(of.guard.limit);
  job.kept = static_cast<Real>(of.guard.kept);
  return job;
}

// Makes the arrays that are asked for as large as the mesh, the others empty, and lets the job write to them.
template <class Real>
void put_outputs(SkinnedMesh<Real>& to, std::size_t vertices, Outputs outputs, BlockJob<Real>& job) {
  int i = 0;
  for (std::vector<Vec3<Real>>* values : {&to.p, &to.n, &to.t, &to.b}) {
    values->resize(i < static_cast<int>(outputs) ? vertices : 0);
    job.out[i++] = values->empty() ? nullptr : &values->front().x;
  }
}

}  // namespace skinlight
