// Pictures of posed meshes.
#pragma once

#include <cstdint>
#include <span>

#include "skinlight/core/glsl.h"
#include "skinlight/mesh/surface.h"
#include "skinlight/render/camera.h"
#include "skinlight/render/context.h"
#include "skinlight/render/image.h"

namespace skinlight {

struct Look;

struct PictureSize {
  int width = 480, height = 480;
  int supersampling = 3;  // pictures are drawn so many times larger and averaged
};

// Lines of reflection: stripes, by turns light and dark, of the angle between the reflected ray and an axis.
struct Reflection {
  Vec3d axis{0, 1, 0};         // eye space, as camera.h has it: x right, y up, z towards the eye; any length
  double stripe_degrees = 30;  // how wide a stripe is
};

// What lies finer than the mesh: a tangent-space normal map (normal_map.h) and the frames that it is lit
// through.
struct Relief {
  std::span<const Vec3f> t,
      b;  // #V by 3, posed; b tells the handedness: it lies on the other side of mirrored uv
  std::span<const Vec2d> uv;    // #V by 2
  const Image8* map = nullptr;  // repeats in u and v
};

// What colours a surface has besides clay's. Shading shows them; normals and lines of reflection do not.
struct Paint {
  std::span<const Vec3f> face;             // #F by 3, linear; empty: clay
  std::span<const std::uint8_t> textured;  // #F: whether the picture is a factor besides; empty: nowhere
  std::span<const Vec2d> uv;               // #V by 2, where in the picture: v runs down it
  const Image8* picture = nullptr;         // repeats in u and v
};

// A mesh to look at. faces: #F by 3; p, n: #V by 3, n need not be unit vectors.
struct PosedMesh {
  std::span<const Face> faces;
  std::span<const Vec3f> p, n;
  Relief relief = {};  // without a map: none
  Paint paint = {};
};

// Draws in a context, which must be current and outlive it. Drawing throws InputError when faces and arrays do
// not belong together or the picture is too large for the renderer.
class OffscreenRenderer {
 public:
  explicit OffscreenRenderer(Context& context) : context_(context) {}

  // RGBA32F of width x height: interpolated unit normals in mesh space as the mesh gives them (never turned
  // towards the eye), under the normal map if there is one, and w = 1; zeros where nothing is.
  ImageF normals(const PosedMesh& mesh, const Camera& camera, int width, int height);

  // Clay, or the paint, in studio light that moves with the camera, on a light background.
  Image8 shaded(const PosedMesh& mesh, const Camera& camera, const PictureSize& size);

  // A mirror in a striped room on the same background. A wrong normal shows twice: where a stripe lies and, at a
  // crease, as its kink. Throws InputError when the axis has no direction or the stripes no width.
  Image8 reflection(const PosedMesh& mesh, const Camera& camera, const PictureSize& size,
                    const Reflection& stripes = {});

 private:
  ImageF draw(const PosedMesh& mesh, const Look& look, const Camera& camera, int width, int height);

  Context& context_;
};

}  // namespace skinlight
