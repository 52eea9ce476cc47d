// Skinning on the GPU, through the kernels that the CPU runs.
#pragma once

#include <memory>

#include "skinlight/render/camera.h"
#include "skinlight/render/image.h"
#include "skinlight/render/offscreen.h"
#include "skinlight/rig/pose.h"
#include "skinlight/rig/rigged_mesh.h"
#include "skinlight/skinning/skin.h"

namespace skinlight {

// A vertex has at least 16 attributes in OpenGL; rest frame, bones, weights and gradients of eight slots fill
// them.
inline constexpr int kGpuSlots = 8;

// A rig in GPU memory. Uses the context that is current when it is made, which must be current whenever it is
// used and destroyed. Bones may be as many as a buffer texture holds (21,845 at least).
class GpuSkin {
 public:
  // Copies what it needs. Throws InputError when the factors do not belong to the mesh or have more than
  // kGpuSlots slots.
  GpuSkin(const RiggedMesh& mesh, const SkinData& data);
  ~GpuSkin();

  // What skin<float>() computes, read back by transform feedback. options.threads is ignored.
  // Throws InputError when the pose lacks bones, the method lacks the normal mode or the guard has no
  // meaning.
  SkinnedMesh<float> capture(const Pose& pose, const SkinOptions& options);

  // Skinned and drawn in one pass; otherwise as OffscreenRenderer.
  ImageF normals(const Pose& pose, const SkinOptions& options, const Camera& camera, int width, int height);
  Image8 shaded(const Pose& pose, const SkinOptions& options, const Camera& camera, const PictureSize& size);

 private:
  struct Buffers;
  std::unique_ptr<Buffers> gpu_;
};

}  // namespace skinlight
