#include "skinlight/render/offscreen.h"

#include <string>

#include "skinlight/core/error.h"
#include "skinlight/render/gl_draw.h"

namespace skinlight {

namespace {

constexpr GLuint kPosition = 0, kNormal = 1;  // locations in posed_draw.vert

void check(const PosedMesh& mesh) {
  if (mesh.p.size() != mesh.n.size())
    throw InputError(
        "", "normals",
        "has " + std::to_string(mesh.n.size()) + " entries, the mesh needs " + std::to_string(mesh.p.size()));
  for (std::size_t f = 0; f < mesh.faces.size(); ++f)
    for (const int v : mesh.faces[f])
      if (v < 0 || static_cast<std::size_t>(v) >= mesh.p.size())
        throw InputError("", "face " + std::to_string(f), "vertex " + std::to_string(v) + " does not exist");
}

void attribute(GLuint location, const GlObject& buffer) {
  glBindBuffer(GL_ARRAY_BUFFER, buffer.id());
  glEnableVertexAttribArray(location);
  glVertexAttribPointer(location, 3, GL_FLOAT, GL_FALSE, sizeof(Vec3f), nullptr);
}

ImageF draw(const PosedMesh& mesh, const GlObject& program, const Camera& camera, int width, int height) {
  check(mesh);
  OffscreenTarget target(width, height);
  target.begin();
  set_view(program, camera);
  const GlObject arrays = make_vertex_array();
  glBindVertexArray(arrays.id());
  const GlObject p = make_filled_buffer(GL_ARRAY_BUFFER, mesh.p),
                 n = make_filled_buffer(GL_ARRAY_BUFFER, mesh.n);
  attribute(kPosition, p);
  attribute(kNormal, n);
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
};

OffscreenRenderer::OffscreenRenderer() : programs_(std::make_unique<Programs>()) {}
OffscreenRenderer::~OffscreenRenderer() = default;

ImageF OffscreenRenderer::normals(const PosedMesh& mesh, const Camera& camera, int width, int height) {
  return draw(mesh, programs_->normals, camera, width, height);
}

Image8 OffscreenRenderer::shaded(const PosedMesh& mesh, const Camera& camera, const PictureSize& size) {
  const int k = size.supersampling;
  return develop(draw(mesh, programs_->shaded, camera, size.width * k, size.height * k), k);
}

}  // namespace skinlight
