// The welded surface: OpenMesh's half-edge structure behind flat arrays. Nothing above this header sees a
// handle.
#pragma once

#include <array>
#include <span>
#include <vector>

namespace skinlight {

using Face = std::array<int, 3>;

struct Corner {
  int face;
  int corner;  // 0, 1, 2 within the face
};

// Vertices exist twice: *file vertices* as stored (split at seams) and *surface vertices*, groups of file
// vertices that are one point. Faces keep their file order.
class Surface {
 public:
  // faces: #F by 3 file vertices; weld: #V, file vertex -> surface vertex (see weld_vertices).
  // Throws InputError naming the face when an index is out of range.
  Surface(std::span<const Face> faces, std::span<const int> weld);

  int vertex_count() const { return static_cast<int>(offset_.size()) - 1; }
  int face_count() const { return static_cast<int>(faces_.size()); }
  int file_vertex_count() const { return static_cast<int>(weld_.size()); }

  int vertex_of(int file_vertex) const { return weld_[static_cast<std::size_t>(file_vertex)]; }
  // How many file vertices share this surface vertex.
  int multiplicity(int vertex) const { return multiplicity_[static_cast<std::size_t>(vertex)]; }
  // The first file vertex of a surface vertex.
  int representative(int vertex) const { return representative_[static_cast<std::size_t>(vertex)]; }
  // Corners are file vertices.
  const Face& face(int f) const { return faces_[static_cast<std::size_t>(f)]; }
  // All incident face corners: the union of the one-rings of the vertex's manifold sheets, each in
  // circulation order.
  std::span<const Corner> one_ring(int vertex) const {
    const auto v = static_cast<std::size_t>(vertex);
    return {ring_.data() + offset_[v], static_cast<std::size_t>(offset_[v + 1] - offset_[v])};
  }
  bool on_boundary(int vertex) const { return boundary_[static_cast<std::size_t>(vertex)] != 0; }

  // Faces with two equal corners after welding: no area, in no one-ring.
  int collapsed_faces() const { return collapsed_; }
  // Faces on edges with more than two faces or on vertices where sheets meet: kept on sheets of their own.
  int non_manifold_faces() const { return non_manifold_; }

 private:
  std::vector<Face> faces_;
  std::vector<int> weld_, multiplicity_, representative_, offset_;
  std::vector<Corner> ring_;
  std::vector<char> boundary_;
  int collapsed_ = 0, non_manifold_ = 0;
};

}  // namespace skinlight
