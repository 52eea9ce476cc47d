// Deform frames: tangents of the posed triangles for methods that blend rotations, from a few further blends
// of the vertex's bones.
//
// Under linear blending an edge of a posed triangle is linear in the bones, which is what deform vectors
// store. Dual quaternions, centres of rotation and logarithms are not linear; but the corners of a one-ring
// move, to second order, like the vertex under one of a few blends w[1] .. w[K] of its bones. With M[k] the
// method's motion at the weights w[k], R[k] its rotation and M[0] the vertex's own,
//   t' = R[0] (t0 - sum_k v[k]) + sum_k ( R[k] v[k] + alpha[k] (M[k] p0 - M[0] p0) ),
// and b' with vectors of its own: deform vectors whose bones are blends. Rigid motions are exact whatever is
// stored. Nothing published does this; derivation, costs and limits are in repro/beyond/README.md.
#pragma once

#include <span>
#include <vector>

#include "skinlight/core/number_format.h"
#include "skinlight/mesh/averaging.h"
#include "skinlight/mesh/surface.h"
#include "skinlight/preprocess/centres/rotation_centres.h"
#include "skinlight/preprocess/normal_record.h"
#include "skinlight/rig/pose.h"
#include "skinlight/rig/rigged_mesh.h"

namespace skinlight {

inline constexpr int kMaxFrames = 3;

// How bones are blended.
enum class FrameBlend {
  dual_quaternions,  // DQS; also what frames for SBS are chosen by, whose centres belong to the pose
  rotation_centres,  // CRS, with a centre per frame
  logarithms,        // log-matrix blending
};

// A record of bones and weights, whose other columns are empty, and of what frames add per file vertex.
struct FrameRecord : NormalRecord {
  int frames = 0;
  std::vector<double> frame_offset;     // #V by frames by slots: its weights less the vertex's own. Sum 0
  std::vector<Vec3d> frame_t, frame_b;  // v[k] of t0 and of b0. #V by frames, pure numbers
  std::vector<double> frame_alpha, frame_beta;  // alpha[k] likewise. #V by frames, per unit of length
  // #V by frames, the file's unit: the frame's centre of rotation, measured from the vertex's own. Empty but for
  // FrameBlend::rotation_centres.
  std::vector<Vec3d> frame_centre;

  std::size_t at_frame(int vertex, int frame) const {
    return static_cast<std::size_t>(vertex) * static_cast<std::size_t>(frames) +
           static_cast<std::size_t>(frame);
  }
  std::size_t at_offset(int vertex, int frame, int slot) const {
    return at_frame(vertex, frame) * static_cast<std::size_t>(slots) + static_cast<std::size_t>(slot);
  }
};

struct DeformFrameOptions {
  FrameBlend blend = FrameBlend::dual_quaternions;
  const RotationCentres* centres = nullptr;  // of FrameBlend::rotation_centres
  Averaging averaging = Averaging::area;     // as DeformVectorOptions
  int frames = 2;                            // 1 to kMaxFrames
  int max_slots = 5;                         // bones per vertex, at least the mesh's own
  // Poses over which each vertex chooses its candidate; none: random_bone_poses(), others for a mesh joined to another.
  std::span<const Pose> choice = {};
  // Where given, the vectors of the frames are fitted to these poses by least squares; none: closed form.
  std::span<const Pose> typical = {};
  int threads = 0;  // 0: all cores
};

// Slots are the mesh's own bones, then the one-ring's others by what they weigh there; weights of the ring
// outside of them are lost, and counted as overflow. Vertices whose one-ring has no area (flat_vertices) or
// that have nothing to add have frames that add nothing. Twins of one surface vertex get the same map, each
// with vectors of its own frame. Same bytes whatever the thread count. Throws InputError as deform_vectors(),
// for a number of frames out of range and for centres that are missing or of another mesh.
FrameRecord deform_frames(const RiggedMesh& mesh, const Surface& surface,
                          const DeformFrameOptions& options = {});

// The largest sizes of a vertex's numbers: of what frames change weights by and of v; of alpha; of centres.
PerUnit largest_numbers(const FrameRecord& record, int vertex);

// The record as it comes back from storage in few bits, with two scales per vertex, of pure numbers and of those per
// unit of length (and a third, of centres): where faces are tiny, alpha is huge, and one scale for a mesh loses all
// others. Slot 0 closes the sums again.
FrameRecord stored_frames(FrameRecord record, NumberFormat format);

// Sixteen poses of a mesh without a skeleton: every bone turned by up to 35 degrees about where it meets others.
std::vector<Pose> random_bone_poses(const RiggedMesh& mesh);

}  // namespace skinlight
