// How wrong a rig's skinned normals are over an animation.
#pragma once

#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "skinlight/mesh/surface.h"
#include "skinlight/rig/model.h"
#include "skinlight/skinning/skin.h"
#include "skinlight/truth/angular_error.h"

namespace skinlight {

enum class Truth { analytic, transported, recomputed };

std::string_view name(Truth truth);

// A posed mesh with the truths that its positions define.
struct PosedTruth {
  std::vector<Vec3d> p;                        // #V by 3
  std::vector<Vec3d> transported, recomputed;  // #V by 3, unit
  std::vector<double> areas;                   // #V, of the deformed surface: the weighting of all means
  std::vector<Mat3d> extension;                // #V, what the method does to directions at fixed weights

  std::span<const Vec3d> normals(Truth truth) const;
};

// The truth depends on how positions are skinned: on the method, not on a normal mode.
PosedTruth posed_truth(const RiggedMesh& mesh, const Surface& surface, const SkinData& data, const Pose& pose,
                       Method method = Method::lbs, int threads = 0);

// The same of positions that are given. p: #V by 3; `method` posed them.
PosedTruth truth_of_positions(const RiggedMesh& mesh, const Surface& surface, const Pose& pose,
                              std::vector<Vec3d> p, Method method = Method::lbs);

// One way to skin against one truth over all frames of a clip. Every frame counts alike, every vertex by its
// share of the frame's deformed area.
struct ClipModeError {
  SkinOptions options;
  Truth truth = Truth::transported;
  NormalError error;      // worst_vertex is a vertex of the frame that holds `max`
  int worst_frame = 0;    // the frame of the largest mean
  double worst_mean = 0;  // degrees
};

struct ClipError {
  std::string clip;
  std::vector<double> times;         // seconds, one per frame
  std::vector<ClipModeError> modes;  // for each way to skin, against the transported and the recomputed truth

  // `way` counts the ways to skin that clip_error() was given.
  const ClipModeError& of(std::size_t way, Truth truth) const;
};

// Poses the clip at `frames` times, evenly from its first to its last second, and measures each way to skin
// against the transported and the recomputed truth of its method. frames >= 1. The thread counts of `ways`
// are not used.
ClipError clip_error(const RiggedMesh& mesh, const Surface& surface, const SkinData& data,
                     const Skeleton& skeleton, const Clip& clip, int frames,
                     std::span<const SkinOptions> ways, int threads = 0);

}  // namespace skinlight
