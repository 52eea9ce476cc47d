// Meshes of an imported scene, checked.
#pragma once

#include <map>
#include <string>
#include <vector>

#include "skinlight/asset/assimp/detail/assimp_scene.h"
#include "skinlight/asset/detail/part_merger.h"
#include "skinlight/core/error.h"

namespace skinlight::assimp {

// "mesh 3 (Body)"; names are cut short and hold no control characters, so that an error stays one line.
std::string label(const char* kind, std::size_t index, const std::string& name);

// Throws InputError unless all numbers are finite and the last row is (0, 0, 0, 1).
Mat4x3d affine(const Matrix& m, const std::string& element);

// `node_of`: the first node of each name, which bones are bound by. Throws InputError naming the mesh and the
// vertex or bone.
Part read_part(const SceneMesh& mesh, const std::string& element, const std::map<std::string, int>& node_of,
               std::vector<Warning>& warnings);

}  // namespace skinlight::assimp
