// How a skinning method and normal mode run on the GPU: the call and the bones. Internal to this room.
#pragma once

#include <span>
#include <vector>

#include "skinlight/preprocess/deform_vectors.h"
#include "skinlight/render/shader_library.h"
#include "skinlight/rig/pose.h"
#include "skinlight/rig/rigid_pose.h"
#include "skinlight/skinning/skin.h"
#include "skinlight/skinning/spherical_centres.h"
#include "skinlight/skinning/vertex_centre.h"

namespace skinlight {

// KERNEL and what else include/skinned_vertex.glsl wants to know of a variant.
std::vector<Define> kernel_defines(const SkinOptions& options);

// What the method's kernels read of a pose, in buffers of texels of four floats each.
struct PoseTexels {
  std::vector<float> bones;
  std::vector<float> centres;  // SBS: one per set of bones
  double rest_scale = 1;       // of methods of rigid bones
  Vec3d pivot{0.0};            // what the posed vertices are measured from
};

// reach: bone_reach() of the mesh; sets: its bone_sets().
PoseTexels pose_texels(const Pose& pose, Method method, std::span<const BoneReach> reach,
                       const BoneSets& sets);

// CRS: three texels per vertex, its centre and the derivatives of that along t0 and b0.
std::vector<float> centre_texels(const RiggedMesh& mesh, const RotationCentres& centres);

// The buffer `slot_vectors` of include/skinned_vertex.glsl: per vertex `slots` times three texels, (bone,
// weight, alpha, beta), t and b. Slots beyond those of the vectors add nothing.
std::vector<float> vector_texels(const NormalRecord& vectors, int slots);

}  // namespace skinlight
