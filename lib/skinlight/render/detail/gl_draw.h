// What posed and skinned meshes share when they are drawn. Private to render.
#pragma once

#include <optional>
#include <string>
#include <string_view>

#include "skinlight/render/camera.h"
#include "skinlight/render/detail/gl_program.h"
#include "skinlight/render/offscreen.h"

namespace skinlight {

// What a surface is drawn as: a fragment program, and the stripes of lines of reflection.
struct Look {
  std::string_view fragment;
  std::optional<Reflection> stripes = std::nullopt;
};
inline const Look kNormals{"programs/normal_buffer.frag"}, kShaded{"programs/shaded.frag"};
// Throws InputError when the axis has no direction or the stripes no width.
Look reflecting(const Reflection& stripes);

// `vertex`, as "programs/posed_draw.vert", with the fragment program of the look; through a normal map or not, on paint
// or clay.
ProgramSource drawing_program(const std::string& vertex, const Look& look, bool mapped, bool painted);

// A float colour texture with a depth buffer. One sample per pixel: drivers differ in where they put more.
class OffscreenTarget {
 public:
  // Throws InputError when the size is not positive or more than the renderer can draw.
  OffscreenTarget(int width, int height);
  // Binds and empties it.
  void begin();
  ImageF read() const;
  int width() const { return width_; }
  int height() const { return height_; }
  // Its objects are left to their context.
  void release();

 private:
  int width_, height_;
  GlObject colour_, depth_, framebuffer_;
};

// Makes the program current and sets what it needs of camera and look.
void use_program(const GlObject& program, const Camera& camera, const Look& look);

// A texture of the map: bytes as they are, smooth between texels, repeating. Throws InputError when the map is
// empty.
GlObject make_normal_map_texture(const Image8& map);
// Binds it where the program, which is current, looks for it.
void use_normal_map(const GlObject& program, const GlObject& texture);

// Paint in GPU memory; id 0: none.
struct PaintTextures {
  GlObject face_buffer, faces, picture;
};
// Throws InputError when the paint has not as many entries as the mesh has faces, or, where it has a picture, vertices.
PaintTextures make_paint(const Paint& paint, std::size_t faces, std::size_t vertices);
// Binds them where a painted program, which is current, looks for them.
void use_paint(const GlObject& program, const PaintTextures& paint);

// A picture of linear colours and coverage, drawn `supersampling` times larger: averaged, on a light
// background.
Image8 develop(const ImageF& drawn, int supersampling);

}  // namespace skinlight
