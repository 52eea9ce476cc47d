// Skins and blend shapes of a Geometry.
#pragma once

#include <map>
#include <string>
#include <vector>

#include "skinlight/asset/detail/part_merger.h"
#include "skinlight/asset/fbx/detail/fbx_document.h"
#include "skinlight/core/error.h"

namespace skinlight::fbx {

// What a bone moves, and where things stood when it was bound.
struct Cluster {
  const Object* object = nullptr;
  const Object* link = nullptr;  // the Model that moves it
  std::vector<std::uint32_t> points;
  std::vector<double> weights;
  // "Transform" and "TransformLink", where the file has them: from the mesh's node to the link, and from the
  // link to the scene.
  bool has_transform = false, has_link = false;
  Mat4x3d transform = identity_transform<double>(), link_transform = identity_transform<double>();
  bool keeps_rest = false;  // mode "Total1": what weights lack of 1 stays with the mesh
};

// The skin of a Geometry; empty when it has none, or one without clusters. Throws InputError naming the
// cluster: weights for a bone that no Model moves, additive clusters, matrices that are not affine, and for
// several skins on one mesh.
std::vector<Cluster> read_clusters(const Document& document, const Object& geometry,
                                   std::vector<Warning>& warnings);

// Transforms of Models in the scene when skins were bound, from the file's BindPoses.
std::map<const Object*, Mat4x3d> read_bind_poses(const Document& document);

// A shape of a blend shape channel. At full weight `full` (percent of the channel) it is reached, between two
// of them they are blended.
struct Shape {
  std::string name;
  const Object* channel = nullptr;
  std::vector<double> full;                     // of all shapes of the channel, ascending
  std::size_t index = 0;                        // of this one
  std::map<std::uint32_t, Vec3d> displacement;  // by point, in the mesh's space

  // Its weight where the channel stands at `percent`, and the weight's rate per percent.
  double weight(double percent) const;
  double slope(double percent) const;
};

// Throws InputError naming the shape: indices out of range or not as many as displacements, full weights that
// do not ascend.
std::vector<Shape> read_shapes(const Document& document, const Object& geometry, std::size_t points);

}  // namespace skinlight::fbx
