// Optimised centres of rotation [LH16; BTGM19 Sec. 3.3, 4.1]: the point of the rest pose that moves with a
// vertex by LBS, around which the blended rotation turns it.
#pragma once

#include <functional>
#include <vector>

#include "skinlight/mesh/averaging.h"
#include "skinlight/mesh/surface.h"
#include "skinlight/rig/rigged_mesh.h"

namespace skinlight {

// How the sums of [BTGM19 Eq. 10] are found.
enum class CentreMethod {
  bone_pairs,     // exact: only triangles that share two bones with the vertex contribute; the default
  naive,          // exact: every triangle for every vertex; the reference
  breadth_first,  // the paper's search over the surface: an approximation, and some vertices get no centre
};

struct CentreOptions {
  CentreMethod method = CentreMethod::bone_pairs;
  double sigma = 0.1;    // of Eq. 6: which weights count as similar
  double cutoff = 1e-6;  // breadth_first: as SearchLimits
  double omega = 0.1;    // likewise
  // Before the sums, triangles are cut until no weights within a piece differ by more than this [paper: 0.1];
  // 0: as they are. Only the sums see the pieces: weighted_pieces(), for breadth_first those of
  // subdivide_by_weights().
  double subdivide_above = 0;
  Averaging averaging = Averaging::mixed_voronoi;  // of the derivative over the one-ring
  int threads = 0;                                 // 0: all cores; the result does not depend on it
  // Called from the caller's thread with the share done, ascending up to 1. What it throws stops the work.
  std::function<void(double share)> progress = {};
};

// Per file vertex; vertices welded into one surface vertex have the same centre.
struct RotationCentres {
  std::vector<Vec3d> centre;            // #V by 3, rest pose; p0 where there is none
  std::vector<Vec3d> along_t, along_b;  // #V by 3: (grad C) t0 and (grad C) b0; 0 where there is no centre
  std::vector<char> has_centre;         // #V
  int single_bone = 0;     // file vertices on one bone: Eq. 10 reads 0 / 0, and no centre moves them
  int limits = 0;          // of these, how many have the limit of Eq. 10 from a one-ring with other bones
  int triangles = 0;       // or pieces of them that were summed over
  int without_centre = 0;  // file vertices without a centre, on one bone or several
};

// The centre depends on the weights of a vertex only, not on where it is. Its gradient is averaged over the
// one-ring like those of the weights [numerics 5: dC]; corners without a centre count as having the vertex's
// own there. Throws InputError when `surface` was built from another mesh, and for a sigma that is not
// positive.
RotationCentres rotation_centres(const RiggedMesh& mesh, const Surface& surface,
                                 const CentreOptions& options = {});

}  // namespace skinlight
