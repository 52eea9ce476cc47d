// Deform vectors: the differential of a skinned mesh along its own posed triangles, stored per vertex and
// bone.
//
// The paper's deform factors take weights as linear inside a face and apply the product rule at the vertex,
// which is right to first order in the length of the edges: on coarse meshes, where weights jump along single
// edges, it is not enough. The edges of a skinned triangle are themselves linear in the bones, sum_s M[s] (w1
// p1 - w0 p0), so the one-ring average of the exact maps from rest to posed triangles is one 4-vector per
// bone and tangent:
//   t' = sum_s M[s] tau[s],   sum_s tau[s] = (t0, 0).
// (In the animation space of Merry et al. 2006 a vertex is sum_s M[s] p[s] with a free 4-vector per bone;
// these are its derivatives along the surface.) Deform factors are the case tau[s] = w[s] (t0, 0) + alpha[s]
// p0.
#pragma once

#include <span>

#include "skinlight/mesh/averaging.h"
#include "skinlight/mesh/surface.h"
#include "skinlight/preprocess/normal_record.h"
#include "skinlight/rig/pose.h"
#include "skinlight/rig/rigged_mesh.h"

namespace skinlight {

struct DeformVectorOptions {
  // Faces by area: the normal t' x b' then agrees best with area-weighted normals of the posed mesh. Vertices
  // on hard edges or of flat-shaded meshes are exact whatever the weights.
  Averaging averaging = Averaging::area;
  int max_slots = 4;  // bones per vertex, at least the mesh's own, or kAllSlots
  // Where a one-ring touches more bones than there are slots, the vectors that are kept are fitted to those
  // dropped, by least squares over these poses (rig/typical_poses.h); the sum of all stays (t0, 0). Without
  // poses, what is dropped moves with slot 0. On the models tried six slots lose next to nothing; within
  // four, fitting to the model's clips takes half of the loss away, also on clips that were not shown
  // [experiment beyond/slots].
  std::span<const Pose> typical = {};
  int threads = 0;  // 0: all cores
};

// along_t and along_b with their fourth coordinates alpha and beta: v + alpha p0 from the origin. They are
// measured from the vertex because the linear part then is of the size of a weight wherever the mesh stands,
// and because M[s] p0 is at hand when a vertex is skinned. Bones rank by what they add to both tangents: with
// typical poses by its RMS over them, else by the length of the linear parts; a pure number either way.
// Twins of one surface vertex get the same map, each with vectors in its own frame, hence identical normals.
// Throws InputError when the mesh has more influences per vertex than max_slots (limit_influences first), or
// a typical pose fewer bones than the mesh.
NormalRecord deform_vectors(const RiggedMesh& mesh, const Surface& surface,
                            const DeformVectorOptions& options = {});

}  // namespace skinlight
