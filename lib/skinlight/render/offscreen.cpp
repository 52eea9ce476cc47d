#include "skinlight/render/offscreen.h"

#include <string>
#include <vector>

#include "skinlight/core/error.h"
#include "skinlight/render/detail/gl_draw.h"

namespace skinlight {

namespace {

// Locations in posed_draw.vert and mapped_draw.vert.
constexpr GLuint kPosition = 0, kNormal = 1, kTangent = 2, kBitangent = 3, kUv = 4;

void require_size(const char* element, std::size_t size, std::size_t wanted) {
  if (size != wanted)
    throw InputError("", element,
                     "has " + std::to_string(size) + " entries, the mesh needs " + std::to_string(wanted));
}

void check(const PosedMesh& mesh) {
  require_size("normals", mesh.n.size(), mesh.p.size());
  if (mesh.relief.map) {
    require_size("tangents", mesh.relief.t.size(), mesh.p.size());
    require_size("bitangents", mesh.relief.b.size(), mesh.p.size());
    require_size("uv", mesh.relief.uv.size(), mesh.p.size());
    if (mesh.relief.map->width < 1 || mesh.relief.map->height < 1)
      throw InputError("", "normal map", "is empty");
  }
  for (std::size_t f = 0; f < mesh.faces.size(); ++f)
    for (const int v : mesh.faces[f])
      if (v < 0 || static_cast<std::size_t>(v) >= mesh.p.size())
        throw InputError("", "face " + std::to_string(f), "vertex " + std::to_string(v) + " does not exist");
}

// The buffers of a mesh's attributes; they live as long as the drawing.
class Attributes {
 public:
  template <class T>
  void add(GLuint location, std::span<const T> values) {
    constexpr int kComponents = sizeof(T) / sizeof(float);
    buffers_.push_back(make_filled_buffer(GL_ARRAY_BUFFER, values));
    glEnableVertexAttribArray(location);
    glVertexAttribPointer(location, kComponents, GL_FLOAT, GL_FALSE, sizeof(T), nullptr);
  }

 private:
  std::vector<GlObject> buffers_;
};

// The map as texture 0: bytes as they are, smooth between texels, repeating.
GlObject upload(const Image8& map) {
  GlObject texture = make_texture();
  glActiveTexture(GL_TEXTURE0);
  glBindTexture(GL_TEXTURE_2D, texture.id());
  glPixelStorei(GL_UNPACK_ALIGNMENT, 1);
  glTexImage2D(GL_TEXTURE_2D, 0, GL_RGB8, map.width, map.height, 0, GL_RGB, GL_UNSIGNED_BYTE, map.rgb.data());
  glPixelStorei(GL_UNPACK_ALIGNMENT, 4);
  glTexParameteri(GL_TEXTURE_2D, GL_TEXTURE_MIN_FILTER, GL_LINEAR);
  glTexParameteri(GL_TEXTURE_2D, GL_TEXTURE_MAG_FILTER, GL_LINEAR);
  glTexParameteri(GL_TEXTURE_2D, GL_TEXTURE_WRAP_S, GL_REPEAT);
  glTexParameteri(GL_TEXTURE_2D, GL_TEXTURE_WRAP_T, GL_REPEAT);
  check_gl("uploading a normal map");
  return texture;
}

ImageF draw(const PosedMesh& mesh, const GlObject& program, const Camera& camera, int width, int height) {
  check(mesh);
  OffscreenTarget target(width, height);
  target.begin();
  set_view(program, camera);
  const GlObject arrays = make_vertex_array();
  glBindVertexArray(arrays.id());
  Attributes attributes;
  attributes.add(kPosition, mesh.p);
  attributes.add(kNormal, mesh.n);
  GlObject map;
  std::vector<Vec2f> uv;
  if (mesh.relief.map) {
    attributes.add(kTangent, mesh.relief.t);
    attributes.add(kBitangent, mesh.relief.b);
    uv = std::vector<Vec2f>(mesh.relief.uv.begin(), mesh.relief.uv.end());
    attributes.add(kUv, std::span<const Vec2f>(uv));
    map = upload(*mesh.relief.map);
    glUniform1i(uniform(program, "normal_map"), 0);
  }
  const GlObject faces = make_filled_buffer(GL_ELEMENT_ARRAY_BUFFER, mesh.faces);
  glDrawElements(GL_TRIANGLES, static_cast<GLsizei>(3 * mesh.faces.size()), GL_UNSIGNED_INT, nullptr);
  check_gl("drawing a posed mesh");
  glBindVertexArray(0);
  return target.read();
}

}  // namespace

struct OffscreenRenderer::Programs {
  GlObject normals = build_program({"programs/posed_draw.vert", fragment_program(Look::normals), {}, {}});
  GlObject shaded = build_program({"programs/posed_draw.vert", fragment_program(Look::shaded), {}, {}});
  GlObject mapped_normals =
      build_program({"programs/mapped_draw.vert", "programs/mapped_normal_buffer.frag", {}, {}});
  GlObject mapped_shaded =
      build_program({"programs/mapped_draw.vert", "programs/mapped_shaded.frag", {}, {}});
};

OffscreenRenderer::OffscreenRenderer() : programs_(std::make_unique<Programs>()) {}
OffscreenRenderer::~OffscreenRenderer() = default;

ImageF OffscreenRenderer::normals(const PosedMesh& mesh, const Camera& camera, int width, int height) {
  return draw(mesh, mesh.relief.map ? programs_->mapped_normals : programs_->normals, camera, width, height);
}

Image8 OffscreenRenderer::shaded(const PosedMesh& mesh, const Camera& camera, const PictureSize& size) {
  const int k = size.supersampling;
  const GlObject& program = mesh.relief.map ? programs_->mapped_shaded : programs_->shaded;
  return develop(draw(mesh, program, camera, size.width * k, size.height * k), k);
}

}  // namespace skinlight
