// OpenGL's functions, owners of its objects, and the error check that ends every sequence of calls. Private
// to render.
#pragma once

#include <glad/gl.h>

#include <span>
#include <utility>

namespace skinlight {

// Throws InputError naming the step when a GL call since the last check failed.
void check_gl(const char* step);

// Owns one GL object. Its context must be current when it goes.
class GlObject {
 public:
  using Delete = void (*)(GLuint id);

  GlObject() = default;
  GlObject(GLuint id, Delete destroy) : id_(id), destroy_(destroy) {}
  GlObject(GlObject&& other) noexcept : id_(std::exchange(other.id_, 0)), destroy_(other.destroy_) {}
  GlObject& operator=(GlObject&& other) noexcept {
    std::swap(id_, other.id_);
    std::swap(destroy_, other.destroy_);
    return *this;
  }
  ~GlObject() {
    if (id_ != 0) destroy_(id_);
  }
  GLuint id() const { return id_; }
  // Whoever calls owns it from now on.
  GLuint release() { return std::exchange(id_, 0); }

 private:
  GLuint id_ = 0;
  Delete destroy_ = nullptr;
};

GlObject make_buffer();
GlObject make_vertex_array();
GlObject make_texture();
GlObject make_renderbuffer();
GlObject make_framebuffer();
GlObject make_query();

// A buffer bound to `target` and filled once.
template <class T>
GlObject make_filled_buffer(GLenum target, std::span<const T> values) {
  GlObject buffer = make_buffer();
  glBindBuffer(target, buffer.id());
  glBufferData(target, static_cast<GLsizeiptr>(values.size_bytes()), values.data(), GL_STATIC_DRAW);
  check_gl("filling a buffer");
  return buffer;
}

}  // namespace skinlight
