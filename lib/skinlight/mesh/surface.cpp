#include "skinlight/mesh/surface.h"

#include <OpenMesh/Core/Mesh/TriMesh_ArrayKernelT.hh>
#include <algorithm>
#include <string>

#include "skinlight/core/error.h"

namespace skinlight {

namespace {

using OpenMeshSurface = OpenMesh::TriMesh_ArrayKernelT<>;
using Triple = std::array<OpenMesh::VertexHandle, 3>;

// Silences OpenMesh's own messages: a refused face is an answer here, not an error.
class QuietOpenMesh {
 public:
  QuietOpenMesh() { omerr().disable(); }
  ~QuietOpenMesh() { omerr().enable(); }
  QuietOpenMesh(const QuietOpenMesh&) = delete;
  QuietOpenMesh& operator=(const QuietOpenMesh&) = delete;
};

}  // namespace

Surface::Surface(std::span<const Face> faces, std::span<const int> weld)
    : faces_(faces.begin(), faces.end()), weld_(weld.begin(), weld.end()) {
  const auto at = [](int i) { return static_cast<std::size_t>(i); };
  const int count = weld_.empty() ? 0 : 1 + *std::max_element(weld_.begin(), weld_.end());
  multiplicity_.assign(at(count), 0);
  representative_.assign(at(count), -1);
  for (int v = 0; v < file_vertex_count(); ++v) {
    ++multiplicity_[at(vertex_of(v))];
    if (int& first = representative_[at(vertex_of(v))]; first < 0) first = v;
  }

  // Half-edges. A face that OpenMesh refuses (complex edge or vertex) goes on a sheet of its own, on copies
  // of its corners; `origin` maps copies back, so that a one-ring is the union over the sheets.
  OpenMeshSurface mesh;
  mesh.reserve(at(count), 3 * faces_.size(), faces_.size());
  std::vector<int> origin(at(count));
  for (int v = 0; v < count; ++v) {
    mesh.add_vertex({0, 0, 0});
    origin[at(v)] = v;
  }
  std::vector<int> face_of_handle;
  face_of_handle.reserve(faces_.size());
  const QuietOpenMesh quiet;
  for (int f = 0; f < face_count(); ++f) {
    Triple corner;
    for (int c = 0; c < 3; ++c) {
      const int v = face(f)[at(c)];
      if (v < 0 || v >= file_vertex_count())
        throw InputError("", "face " + std::to_string(f),
                         "vertex " + std::to_string(v) + " does not exist (the mesh has " +
                             std::to_string(file_vertex_count()) + ")");
      corner[at(c)] = mesh.vertex_handle(static_cast<unsigned>(vertex_of(v)));
    }
    if (corner[0] == corner[1] || corner[1] == corner[2] || corner[2] == corner[0]) {
      ++collapsed_;
      continue;
    }
    if (!mesh.add_face(corner[0], corner[1], corner[2]).is_valid()) {
      ++non_manifold_;
      for (OpenMesh::VertexHandle& v : corner) {
        origin.push_back(v.idx());
        v = mesh.add_vertex({0, 0, 0});
      }
      mesh.add_face(corner[0], corner[1], corner[2]);
    }
    face_of_handle.push_back(f);
  }

  // Flat one-rings: gather every sheet's circulation at its original vertex.
  std::vector<std::vector<int>> copies;
  if (non_manifold_ > 0) {
    copies.resize(at(count));
    for (std::size_t v = at(count); v < origin.size(); ++v)
      copies[at(origin[v])].push_back(static_cast<int>(v));
  }
  boundary_.assign(at(count), 0);
  offset_.assign(at(count) + 1, 0);
  ring_.reserve(3 * faces_.size());
  const auto gather = [&](int sheet_vertex, int surface_vertex) {
    const OpenMesh::VertexHandle v(sheet_vertex);
    if (mesh.is_boundary(v)) boundary_[at(surface_vertex)] = 1;
    for (auto it = mesh.cvf_iter(v); it.is_valid(); ++it) {
      const int f = face_of_handle[at(it->idx())];
      for (int c = 0; c < 3; ++c)
        if (vertex_of(face(f)[at(c)]) == surface_vertex) ring_.push_back({f, c});
    }
  };
  for (int v = 0; v < count; ++v) {
    gather(v, v);
    if (non_manifold_ > 0)
      for (int copy : copies[at(v)]) gather(copy, v);
    offset_[at(v) + 1] = static_cast<int>(ring_.size());
  }
}

}  // namespace skinlight
