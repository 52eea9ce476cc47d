#include "skinlight/render/detail/gl_program.h"

#include "skinlight/core/error.h"

namespace skinlight {

namespace {

GlObject compile(GLenum stage, const std::string& file, const ProgramSource& source,
                 const ShaderFiles& library) {
  const ShaderText shader = assemble_shader(library, file, source.defines);
  GlObject object(glCreateShader(stage), [](GLuint id) { glDeleteShader(id); });
  const char* text = shader.text.c_str();
  glShaderSource(object.id(), 1, &text, nullptr);
  glCompileShader(object.id());
  GLint compiled = GL_FALSE, length = 0;
  glGetShaderiv(object.id(), GL_COMPILE_STATUS, &compiled);
  if (!compiled) {
    glGetShaderiv(object.id(), GL_INFO_LOG_LENGTH, &length);
    std::string log(static_cast<std::size_t>(length), '\0');
    glGetShaderInfoLog(object.id(), length, &length, log.data());
    log.resize(static_cast<std::size_t>(length));
    throw InputError("shaders/" + file, "does not compile", translate_log(log, shader.files));
  }
  check_gl("compiling a shader");
  return object;
}

}  // namespace

GlObject build_program(const ProgramSource& source, const ShaderFiles& library) {
  GlObject program(glCreateProgram(), [](GLuint id) { glDeleteProgram(id); });
  const GlObject vertex = compile(GL_VERTEX_SHADER, source.vertex, source, library);
  GlObject fragment;
  glAttachShader(program.id(), vertex.id());
  if (!source.fragment.empty()) {
    fragment = compile(GL_FRAGMENT_SHADER, source.fragment, source, library);
    glAttachShader(program.id(), fragment.id());
  }
  if (!source.captured.empty()) {
    std::vector<const char*> captured;
    for (const std::string& output : source.captured) captured.push_back(output.c_str());
    glTransformFeedbackVaryings(program.id(), static_cast<GLsizei>(captured.size()), captured.data(),
                                GL_INTERLEAVED_ATTRIBS);
  }
  glLinkProgram(program.id());
  GLint linked = GL_FALSE, length = 0;
  glGetProgramiv(program.id(), GL_LINK_STATUS, &linked);
  if (!linked) {
    glGetProgramiv(program.id(), GL_INFO_LOG_LENGTH, &length);
    std::string log(static_cast<std::size_t>(length), '\0');
    glGetProgramInfoLog(program.id(), length, &length, log.data());
    log.resize(static_cast<std::size_t>(length));
    throw InputError("shaders/" + source.vertex + " + " + source.fragment, "does not link", log);
  }
  check_gl("linking a program");
  return program;
}

GLint uniform(const GlObject& program, const char* name) {
  const GLint location = glGetUniformLocation(program.id(), name);
  if (location < 0) throw InputError("OpenGL", std::string("uniform ") + name, "not used by the program");
  return location;
}

}  // namespace skinlight
