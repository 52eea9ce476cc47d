// How a skinning method and normal mode run on the GPU: the call and the bones. Internal to this room.
#pragma once

#include <span>
#include <vector>

#include "skinlight/render/shader_library.h"
#include "skinlight/rig/pose.h"
#include "skinlight/rig/rigid_pose.h"
#include "skinlight/skinning/skin.h"

namespace skinlight {

// KERNEL and what else include/skinned_vertex.glsl wants to know of a variant.
std::vector<Define> kernel_defines(const SkinOptions& options);

// The bones of a pose as the method's kernels read them.
struct BoneTexels {
  std::vector<float> texels;  // of the buffer `bones`, four floats each
  double rest_scale = 1;      // of methods of rigid bones
};

// reach: bone_reach() of the mesh.
BoneTexels bone_texels(const Pose& pose, Method method, std::span<const BoneReach> reach);

}  // namespace skinlight
