#include "skinlight/render/offscreen.h"

#include <string>
#include <vector>

#include "skinlight/core/error.h"
#include "skinlight/render/detail/context_cache.h"

namespace skinlight {

namespace {

// Locations in posed_draw.vert.
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

}  // namespace

ImageF OffscreenRenderer::draw(const PosedMesh& mesh, const Look& look, const Camera& camera, int width,
                               int height) {
  check(mesh);
  const bool painted = !mesh.paint.face.empty() && look.fragment == kShaded.fragment;
  const GlObject& program = context_.cache().program(
      drawing_program("programs/posed_draw.vert", look, mesh.relief.map != nullptr, painted));
  const PaintTextures paint =
      painted ? make_paint(mesh.paint, mesh.faces.size(), mesh.p.size()) : PaintTextures();
  const GlObject map = mesh.relief.map ? make_normal_map_texture(*mesh.relief.map) : GlObject();
  OffscreenTarget& target = context_.cache().target(width, height);
  target.begin();
  use_program(program, camera, look);
  const GlObject arrays = make_vertex_array();
  glBindVertexArray(arrays.id());
  Attributes attributes;
  attributes.add(kPosition, mesh.p);
  attributes.add(kNormal, mesh.n);
  std::vector<Vec2f> uv;
  if (mesh.relief.map) {
    attributes.add(kTangent, mesh.relief.t);
    attributes.add(kBitangent, mesh.relief.b);
    use_normal_map(program, map);
  }
  if (painted) use_paint(program, paint);
  if (const std::span<const Vec2d> of = mesh.relief.map ? mesh.relief.uv : mesh.paint.uv; !of.empty()) {
    uv = std::vector<Vec2f>(of.begin(), of.end());
    attributes.add(kUv, std::span<const Vec2f>(uv));
  }
  const GlObject faces = make_filled_buffer(GL_ELEMENT_ARRAY_BUFFER, mesh.faces);
  glDrawElements(GL_TRIANGLES, static_cast<GLsizei>(3 * mesh.faces.size()), GL_UNSIGNED_INT, nullptr);
  check_gl("drawing a posed mesh");
  glBindVertexArray(0);
  return target.read();
}

ImageF OffscreenRenderer::normals(const PosedMesh& mesh, const Camera& camera, int width, int height) {
  return draw(mesh, kNormals, camera, width, height);
}

Image8 OffscreenRenderer::shaded(const PosedMesh& mesh, const Camera& camera, const PictureSize& size) {
  const int k = size.supersampling;
  return develop(draw(mesh, kShaded, camera, size.width * k, size.height * k), k);
}

Image8 OffscreenRenderer::reflection(const PosedMesh& mesh, const Camera& camera, const PictureSize& size,
                                     const Reflection& stripes) {
  const int k = size.supersampling;
  return develop(draw(mesh, reflecting(stripes), camera, size.width * k, size.height * k), k);
}

}  // namespace skinlight
