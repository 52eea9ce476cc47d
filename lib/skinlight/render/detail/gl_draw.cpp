#include "skinlight/render/detail/gl_draw.h"

#include <algorithm>
#include <array>
#include <cmath>
#include <string>
#include <vector>

#include "skinlight/core/angle.h"
#include "skinlight/core/error.h"

namespace skinlight {

Look reflecting(const Reflection& stripes) {
  const double length2 = dot(stripes.axis, stripes.axis);
  if (!(length2 > 0) || !std::isfinite(length2))
    throw InputError("", "lines of reflection", "their axis has no direction");
  if (!(stripes.stripe_degrees > 0) || !std::isfinite(stripes.stripe_degrees))
    throw InputError("", "lines of reflection", "the width of a stripe must be positive");
  return {"programs/reflection.frag", stripes};
}

ProgramSource drawing_program(const std::string& vertex, const Look& look, bool mapped, bool painted) {
  ProgramSource source{vertex, std::string(look.fragment), {}, {}};
  if (mapped) source.defines.push_back({"NORMAL_MAP", "1"});
  if (painted && look.fragment == kShaded.fragment) source.defines.push_back({"BASE_COLOUR", "1"});
  return source;
}

OffscreenTarget::OffscreenTarget(int width, int height) : width_(width), height_(height) {
  GLint texture_limit = 0, renderbuffer_limit = 0;
  glGetIntegerv(GL_MAX_TEXTURE_SIZE, &texture_limit);
  glGetIntegerv(GL_MAX_RENDERBUFFER_SIZE, &renderbuffer_limit);
  const int limit = std::min(texture_limit, renderbuffer_limit);
  if (width < 1 || height < 1 || width > limit || height > limit)
    throw InputError("", "picture of " + std::to_string(width) + " x " + std::to_string(height) + " pixels",
                     "the renderer draws 1 to " + std::to_string(limit) + " pixels each way");
  colour_ = make_texture();
  glBindTexture(GL_TEXTURE_2D, colour_.id());
  glTexImage2D(GL_TEXTURE_2D, 0, GL_RGBA32F, width, height, 0, GL_RGBA, GL_FLOAT, nullptr);
  glTexParameteri(GL_TEXTURE_2D, GL_TEXTURE_MIN_FILTER, GL_NEAREST);
  depth_ = make_renderbuffer();
  glBindRenderbuffer(GL_RENDERBUFFER, depth_.id());
  glRenderbufferStorage(GL_RENDERBUFFER, GL_DEPTH_COMPONENT32F, width, height);
  framebuffer_ = make_framebuffer();
  glBindFramebuffer(GL_FRAMEBUFFER, framebuffer_.id());
  glFramebufferTexture2D(GL_FRAMEBUFFER, GL_COLOR_ATTACHMENT0, GL_TEXTURE_2D, colour_.id(), 0);
  glFramebufferRenderbuffer(GL_FRAMEBUFFER, GL_DEPTH_ATTACHMENT, GL_RENDERBUFFER, depth_.id());
  const GLenum status = glCheckFramebufferStatus(GL_FRAMEBUFFER);
  check_gl("making a framebuffer");
  if (status != GL_FRAMEBUFFER_COMPLETE)
    throw InputError("OpenGL", "making a framebuffer", "incomplete, status " + std::to_string(status));
}

void OffscreenTarget::begin() {
  glBindFramebuffer(GL_FRAMEBUFFER, framebuffer_.id());
  glViewport(0, 0, width_, height_);
  glEnable(GL_DEPTH_TEST);
  glDepthFunc(GL_LESS);
  glDisable(GL_BLEND);
  glDisable(GL_CULL_FACE);
  glClearColor(0, 0, 0, 0);
  glClearDepth(1);
  glClear(GL_COLOR_BUFFER_BIT | GL_DEPTH_BUFFER_BIT);
  check_gl("clearing the framebuffer");
}

ImageF OffscreenTarget::read() const {
  ImageF image(width_, height_);
  glBindFramebuffer(GL_READ_FRAMEBUFFER, framebuffer_.id());
  glReadPixels(0, 0, width_, height_, GL_RGBA, GL_FLOAT, image.rgba.data());
  check_gl("reading the framebuffer");
  // GL's first row is the lowest.
  for (int y = 0; y < height_ / 2; ++y)
    std::swap_ranges(image.at(0, y), image.at(0, y) + 4 * width_, image.at(0, height_ - 1 - y));
  return image;
}

void OffscreenTarget::release() {
  for (GlObject* object : {&colour_, &depth_, &framebuffer_}) object->release();
}

void use_program(const GlObject& program, const Camera& camera, const Look& look) {
  glUseProgram(program.id());
  const Mat4x3f view(view_matrix(camera));
  std::vector<float> columns;
  for (int c = 0; c < 4; ++c)
    for (int r = 0; r < 3; ++r) columns.push_back(view[c][r]);
  glUniformMatrix4x3fv(uniform(program, "view"), 1, GL_FALSE, columns.data());
  std::array<float, 16> projection;
  std::ranges::transform(projection_matrix(camera), projection.begin(),
                         [](double v) { return static_cast<float>(v); });
  glUniformMatrix4fv(uniform(program, "projection"), 1, GL_FALSE, projection.data());
  if (look.stripes) {
    const Vec3f axis(normalize(look.stripes->axis));
    glUniform3f(uniform(program, "stripe_axis"), axis.x, axis.y, axis.z);
    glUniform1f(uniform(program, "stripe_radians"),
                static_cast<float>(look.stripes->stripe_degrees / kDegrees));
  }
  check_gl("setting the view");
}

namespace {

// Smooth between texels, repeating. format: GL_RGB8, or GL_SRGB8 for colours that are read as linear ones.
GlObject make_repeating_texture(const Image8& image, GLint format, const char* what) {
  if (image.width < 1 || image.height < 1) throw InputError("", what, "is empty");
  GlObject texture = make_texture();
  glBindTexture(GL_TEXTURE_2D, texture.id());
  glPixelStorei(GL_UNPACK_ALIGNMENT, 1);
  glTexImage2D(GL_TEXTURE_2D, 0, format, image.width, image.height, 0, GL_RGB, GL_UNSIGNED_BYTE,
               image.rgb.data());
  glPixelStorei(GL_UNPACK_ALIGNMENT, 4);
  glTexParameteri(GL_TEXTURE_2D, GL_TEXTURE_MIN_FILTER, GL_LINEAR);
  glTexParameteri(GL_TEXTURE_2D, GL_TEXTURE_MAG_FILTER, GL_LINEAR);
  glTexParameteri(GL_TEXTURE_2D, GL_TEXTURE_WRAP_S, GL_REPEAT);
  glTexParameteri(GL_TEXTURE_2D, GL_TEXTURE_WRAP_T, GL_REPEAT);
  check_gl("uploading a texture");
  return texture;
}

// Behind the buffers of skinned meshes.
constexpr GLint kNormalMapUnit = 3, kFaceColoursUnit = 4, kBasePictureUnit = 5;

void bind_texture(const GlObject& program, GLint unit, GLenum target, const GlObject& texture,
                  const char* sampler) {
  glActiveTexture(GL_TEXTURE0 + static_cast<GLenum>(unit));
  glBindTexture(target, texture.id());
  glUniform1i(uniform(program, sampler), unit);
  check_gl("binding a texture");
}

}  // namespace

GlObject make_normal_map_texture(const Image8& map) {
  return make_repeating_texture(map, GL_RGB8, "normal map");
}

void use_normal_map(const GlObject& program, const GlObject& texture) {
  bind_texture(program, kNormalMapUnit, GL_TEXTURE_2D, texture, "normal_map");
}

PaintTextures make_paint(const Paint& paint, std::size_t faces, std::size_t vertices) {
  const auto require = [](const char* element, std::size_t size, std::size_t wanted, const char* of) {
    if (size != wanted)
      throw InputError(
          "", element,
          "has " + std::to_string(size) + " entries, the mesh has " + std::to_string(wanted) + of);
  };
  PaintTextures made;
  if (paint.face.empty()) return made;
  require("paint", paint.face.size(), faces, " faces");
  if (!paint.textured.empty()) require("paint, textured", paint.textured.size(), faces, " faces");
  if (paint.picture) require("uv", paint.uv.size(), vertices, " vertices");
  std::vector<float> texels;
  for (std::size_t f = 0; f < faces; ++f) {
    const bool textured = paint.picture && !paint.textured.empty() && paint.textured[f] != 0;
    texels.insert(texels.end(), {paint.face[f].x, paint.face[f].y, paint.face[f].z, textured ? 1.0f : 0.0f});
  }
  made.face_buffer = make_filled_buffer(GL_TEXTURE_BUFFER, std::span<const float>(texels));
  made.faces = make_texture();
  glBindTexture(GL_TEXTURE_BUFFER, made.faces.id());
  glTexBuffer(GL_TEXTURE_BUFFER, GL_RGBA32F, made.face_buffer.id());
  made.picture = make_repeating_texture(paint.picture ? *paint.picture : Image8(1, 1, {255, 255, 255}),
                                        GL_SRGB8, "picture of the paint");
  check_gl("uploading paint");
  return made;
}

void use_paint(const GlObject& program, const PaintTextures& paint) {
  bind_texture(program, kFaceColoursUnit, GL_TEXTURE_BUFFER, paint.faces, "face_colours");
  bind_texture(program, kBasePictureUnit, GL_TEXTURE_2D, paint.picture, "base_picture");
}

Image8 develop(const ImageF& drawn, int supersampling) {
  constexpr float kTop = 0.92f, kBottom = 0.72f;  // linear grey of the background
  ImageF picture = downsample(drawn, supersampling);
  for (int y = 0; y < picture.height; ++y) {
    const float t = (static_cast<float>(y) + 0.5f) / static_cast<float>(picture.height);
    const float background = kTop + (kBottom - kTop) * t;
    for (int x = 0; x < picture.width; ++x) {
      float* pixel = picture.at(x, y);
      for (int c = 0; c < 3; ++c) pixel[c] += (1 - pixel[3]) * background;
    }
  }
  return srgb_from_linear(picture);
}

}  // namespace skinlight
