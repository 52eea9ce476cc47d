// Skinning on the GPU, through the kernels that the CPU runs.
#pragma once

#include <cstddef>
#include <memory>

#include "skinlight/render/camera.h"
#include "skinlight/render/context.h"
#include "skinlight/render/image.h"
#include "skinlight/render/offscreen.h"
#include "skinlight/rig/pose.h"
#include "skinlight/rig/rigged_mesh.h"
#include "skinlight/skinning/skin.h"

namespace skinlight {

// A vertex has at least 16 attributes in OpenGL; rest frame, bones, weights and gradients of eight slots fill
// them.
inline constexpr int kGpuSlots = 8;

// Bytes in GPU memory, as the driver counts them.
struct GpuBytes {
  std::size_t bones = 0;    // of a pose, without what all its bones have in common
  std::size_t centres = 0;  // of methods that have some
  std::size_t normals = 0;  // at rest, with what fills their fourth component
};

// A rig in GPU memory, of a context that must outlive it and be current whenever it is made, used and destroyed.
// Bones may be as many as a buffer texture holds (21,845 at least).
class GpuSkin {
 public:
  // Copies what it needs. With a tangent-space normal map (normal_map.h) it is drawn through that; `paint`, whose uv are the
  // mesh's, colours it. Throws InputError when the data do not belong to the mesh or have more than kGpuSlots slots, the mesh
  // has no uv for the map or the picture, or the paint does not belong to it.
  GpuSkin(Context& context, const RiggedMesh& mesh, const SkinData& data, const Image8* normal_map = nullptr,
          const Paint& paint = {});
  ~GpuSkin();

  // What skin<float>() computes, read back by transform feedback. options.threads is ignored.
  // Throws InputError as skin() does for what is missing, the pose, the normal mode and the guard.
  SkinnedMesh<float> capture(const Pose& pose, const SkinOptions& options) const;

  // What the shaders read for that pose and method. Throws as capture().
  GpuBytes bytes(const Pose& pose, const SkinOptions& options) const;

  // Skinned and drawn in one pass; otherwise as OffscreenRenderer.
  ImageF normals(const Pose& pose, const SkinOptions& options, const Camera& camera, int width,
                 int height) const;
  Image8 shaded(const Pose& pose, const SkinOptions& options, const Camera& camera,
                const PictureSize& size) const;
  Image8 reflection(const Pose& pose, const SkinOptions& options, const Camera& camera,
                    const PictureSize& size, const Reflection& stripes = {}) const;

 private:
  struct Buffers;
  std::unique_ptr<Buffers> gpu_;
};

}  // namespace skinlight
