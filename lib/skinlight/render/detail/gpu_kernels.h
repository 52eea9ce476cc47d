// How a skinning method and normal mode run on the GPU: the call, centres and deform vectors. What a pose is turned
// into is PreparedPose (skinning/detail/pose_reader.h).
#pragma once

#include <vector>

#include "skinlight/preprocess/deform_frames.h"
#include "skinlight/preprocess/deform_vectors.h"
#include "skinlight/render/shader_library.h"
#include "skinlight/skinning/skin.h"
#include "skinlight/skinning/vertex_centre.h"

namespace skinlight {

// KERNEL and what else include/skinned_vertex.glsl wants to know of a variant.
std::vector<Define> kernel_defines(const SkinOptions& options);

// CRS: three texels per vertex, its centre and the derivatives of that along t0 and b0.
std::vector<float> centre_texels(const RiggedMesh& mesh, const RotationCentres& centres);

// The buffer `slot_vectors` of include/skinned_vertex.glsl: per vertex `slots` times three texels, (bone,
// weight, alpha, beta), t and b. Slots beyond those of the vectors add nothing.
std::vector<float> vector_texels(const NormalRecord& vectors, int slots);

// Per vertex as vertex_frames of include/skinned_vertex.glsl has it, padded to `slots`. Two frames.
std::vector<float> frame_texels(const FrameRecord& frames, int slots);

}  // namespace skinlight
