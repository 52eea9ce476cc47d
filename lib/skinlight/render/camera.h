// Cameras that fill the picture with what they are shown.
#pragma once

#include <array>
#include <span>

#include "skinlight/core/glsl.h"

namespace skinlight {

// Where one looks from and how.
struct View {
  Vec3d towards_eye{0.5, 0.3, 1};  // from the mesh; any length
  Vec3d up{0, 1, 0};               // not along towards_eye
  double fov_degrees = 25;         // vertical; 0: orthographic
  double margin = 0.06;            // free border as a share of the picture's half width and height
};

struct Camera {
  Vec3d eye;
  Vec3d right, up, back;  // orthonormal; back points from the scene to the eye
  bool perspective;
  double half_width,
      half_height;   // of the picture: tangents of the half angles, or lengths when orthographic
  double near, far;  // distances in front of the eye
};

// The camera of a picture of aspect = width / height, placed so that all points (#V by 3) just fit into it.
// Throws InputError when there are no points, one is not finite, or the view has no direction.
Camera frame(std::span<const Vec3d> points, const View& view, double aspect);
Camera frame(std::span<const Vec3f> points, const View& view, double aspect);

// Mesh space to eye space.
Mat4x3d view_matrix(const Camera& camera);

// Eye space to OpenGL's clip space, column by column.
std::array<double, 16> projection_matrix(const Camera& camera);

}  // namespace skinlight
