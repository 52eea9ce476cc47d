// Pictures of posed meshes.
#pragma once

#include <memory>
#include <span>

#include "skinlight/core/glsl.h"
#include "skinlight/mesh/surface.h"
#include "skinlight/render/camera.h"
#include "skinlight/render/image.h"

namespace skinlight {

struct PictureSize {
  int width = 480, height = 480;
  int supersampling = 3;  // pictures are drawn so many times larger and averaged
};

// What lies finer than the mesh: a tangent-space normal map (normal_map.h) and the frames that it is lit
// through.
struct Relief {
  std::span<const Vec3f> t,
      b;  // #V by 3, posed; b tells the handedness: it lies on the other side of mirrored uv
  std::span<const Vec2d> uv;    // #V by 2
  const Image8* map = nullptr;  // repeats in u and v
};

// A mesh to look at. faces: #F by 3; p, n: #V by 3, n need not be unit vectors.
struct PosedMesh {
  std::span<const Face> faces;
  std::span<const Vec3f> p, n;
  Relief relief = {};  // without a map: none
};

// Draws in the context that is current when it is made, which must be current whenever it is used and
// destroyed. Drawing throws InputError when faces and arrays do not belong together or the picture is too
// large for the renderer.
class OffscreenRenderer {
 public:
  OffscreenRenderer();
  ~OffscreenRenderer();

  // RGBA32F of width x height: interpolated unit normals in mesh space as the mesh gives them (never turned
  // towards the eye), under the normal map if there is one, and w = 1; zeros where nothing is.
  ImageF normals(const PosedMesh& mesh, const Camera& camera, int width, int height);

  // Clay in studio light that moves with the camera, on a light background.
  Image8 shaded(const PosedMesh& mesh, const Camera& camera, const PictureSize& size);

 private:
  struct Programs;
  std::unique_ptr<Programs> programs_;
};

}  // namespace skinlight
