// A Geometry of an FBX file: polygons, and what their corners carry.
#pragma once

#include <vector>

#include "skinlight/asset/detail/part_merger.h"
#include "skinlight/asset/fbx/detail/fbx_document.h"
#include "skinlight/core/error.h"

namespace skinlight::fbx {

// Points, corners and triangles of a Geometry; of several layers of normals, uv or tangents the first. Polygons
// of more than three corners are cut into triangles that stay inside where they are not convex. Throws
// InputError naming the geometry, the array and the corner: indices out of range, arrays that do not fit each
// other, numbers that are not finite. Attributes that are laid out in a way that is not read are a warning.
Part read_mesh(const Object& geometry, std::vector<Warning>& warnings);

// Triangles of a polygon with corners at `p`: indices into it, #p - 2 triangles.
std::vector<std::array<std::uint32_t, 3>> triangulate(const std::vector<Vec3d>& p);

// Numbers in threes. Throws InputError naming `where` and the child: not a multiple of three, not finite.
std::vector<Vec3d> vectors(const Element& element, std::string_view child, const std::string& where);

}  // namespace skinlight::fbx
