// What posed and skinned meshes share when they are drawn. Private to render.
#pragma once

#include "skinlight/render/camera.h"
#include "skinlight/render/detail/gl_program.h"
#include "skinlight/render/image.h"

namespace skinlight {

enum class Look { normals, shaded };

// "programs/normal_buffer.frag", "programs/shaded.frag"
const char* fragment_program(Look look);

// A float colour texture with a depth buffer. One sample per pixel: drivers differ in where they put more.
class OffscreenTarget {
 public:
  // Throws InputError when the size is not positive or more than the renderer can draw.
  OffscreenTarget(int width, int height);
  // Binds and empties it.
  void begin();
  ImageF read() const;

 private:
  int width_, height_;
  GlObject colour_, depth_, framebuffer_;
};

// Sets the uniforms of include/view.glsl in the program, which becomes current.
void set_view(const GlObject& program, const Camera& camera);

// A picture of linear colours and coverage, drawn `supersampling` times larger: averaged, on a light
// background.
Image8 develop(const ImageF& drawn, int supersampling);

}  // namespace skinlight
