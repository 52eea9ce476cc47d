#include "skinlight/render/detail/gl.h"

#include <cstdio>
#include <string>

#include "skinlight/core/error.h"

namespace skinlight {

namespace {

const char* error_name(GLenum error) {
  switch (error) {
    case GL_INVALID_ENUM:
      return "invalid enum";
    case GL_INVALID_VALUE:
      return "invalid value";
    case GL_INVALID_OPERATION:
      return "invalid operation";
    case GL_INVALID_FRAMEBUFFER_OPERATION:
      return "invalid framebuffer operation";
    case GL_OUT_OF_MEMORY:
      return "out of memory";
    default:
      return "unknown error";
  }
}

}  // namespace

void check_gl(const char* step) {
  const GLenum error = glGetError();
  if (error == GL_NO_ERROR) return;
  // A lost context reports errors for ever; a few reads empty the queue of any other.
  for (int i = 0; i < 16 && glGetError() != GL_NO_ERROR; ++i) {
  }
  char code[16];
  std::snprintf(code, sizeof code, "0x%04x", error);
  throw InputError("OpenGL", step, std::string(error_name(error)) + " (" + code + ")");
}

GlObject make_buffer() {
  GLuint id = 0;
  glGenBuffers(1, &id);
  return {id, [](GLuint i) { glDeleteBuffers(1, &i); }};
}

GlObject make_vertex_array() {
  GLuint id = 0;
  glGenVertexArrays(1, &id);
  return {id, [](GLuint i) { glDeleteVertexArrays(1, &i); }};
}

GlObject make_texture() {
  GLuint id = 0;
  glGenTextures(1, &id);
  return {id, [](GLuint i) { glDeleteTextures(1, &i); }};
}

GlObject make_renderbuffer() {
  GLuint id = 0;
  glGenRenderbuffers(1, &id);
  return {id, [](GLuint i) { glDeleteRenderbuffers(1, &i); }};
}

GlObject make_framebuffer() {
  GLuint id = 0;
  glGenFramebuffers(1, &id);
  return {id, [](GLuint i) { glDeleteFramebuffers(1, &i); }};
}

GlObject make_query() {
  GLuint id = 0;
  glGenQueries(1, &id);
  return {id, [](GLuint i) { glDeleteQueries(1, &i); }};
}

}  // namespace skinlight
