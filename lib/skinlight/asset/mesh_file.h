// Plain triangle meshes from OBJ and PLY files, read by OpenMesh (in single precision) in a process of its
// own.
#pragma once

#include <filesystem>
#include <vector>

#include "skinlight/core/glsl.h"
#include "skinlight/mesh/surface.h"

namespace skinlight {

struct PlainMesh {
  std::vector<Vec3d> p;     // #V by 3, the file's unit
  std::vector<Face> faces;  // #F by 3; larger polygons come as fans of triangles
  std::vector<Vec3d> n;     // #V by 3, unit; empty where the file has none
};

// The format follows from the extension, .obj or .ply (text or binary). Throws InputError naming the file and
// what is wrong with it: missing, another extension, damaged, without faces, numbers that are not finite.
PlainMesh read_mesh(const std::filesystem::path& path);

}  // namespace skinlight
