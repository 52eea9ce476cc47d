// What is true of a posed mesh, whatever kind of normals it is drawn with.
#pragma once

#include <span>
#include <string_view>
#include <vector>

#include "skinlight/mesh/surface.h"
#include "skinlight/skinning/skin.h"

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

// The same of positions that are given. p: #V by 3; `method` posed them. morphed: #V by 3, what it posed when
// morph targets had moved the mesh before; empty: p0.
PosedTruth truth_of_positions(const RiggedMesh& mesh, const Surface& surface, const Pose& pose,
                              std::vector<Vec3d> p, Method method = Method::lbs,
                              std::span<const Vec3d> morphed = {});

}  // namespace skinlight
