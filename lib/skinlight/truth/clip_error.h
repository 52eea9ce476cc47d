// How wrong a rig's skinned normals are over an animation.
#pragma once

#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "skinlight/mesh/surface.h"
#include "skinlight/preprocess/deform_factors.h"
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

  std::span<const Vec3d> normals(Truth truth) const;
};

PosedTruth posed_truth(const RiggedMesh& mesh, const Surface& surface, const DeformFactors& factors,
                       const Pose& pose, int threads = 0);

// One normal mode against one truth over all frames of a clip. Every frame counts alike, every vertex by its
// share of the frame's deformed area.
struct ClipModeError {
  NormalMode mode = NormalMode::standard;
  Truth truth = Truth::transported;
  NormalError error;      // worst_vertex is a vertex of the frame that holds `max`
  int worst_frame = 0;    // the frame of the largest mean
  double worst_mean = 0;  // degrees
};

struct ClipError {
  std::string clip;
  std::vector<double> times;  // seconds, one per frame
  std::vector<ClipModeError> modes;

  const ClipModeError& of(NormalMode mode, Truth truth) const;
};

// Poses the clip at `frames` times, evenly from its first to its last second, and measures each mode against
// the transported and the recomputed truth. frames >= 1.
ClipError clip_error(const RiggedMesh& mesh, const Surface& surface, const DeformFactors& factors,
                     const Skeleton& skeleton, const Clip& clip, int frames,
                     std::span<const NormalMode> modes, double clamp = 0, int threads = 0);

}  // namespace skinlight
