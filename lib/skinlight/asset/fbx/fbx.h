// Characters in FBX files, binary and text, version 7.
#pragma once

#include <filesystem>
#include <string>
#include <string_view>

#include "skinlight/asset/read_options.h"
#include "skinlight/rig/model.h"

namespace skinlight {

// Whether the bytes begin as an FBX file does.
bool is_fbx(std::string_view bytes);

// Reads every polygon of every mesh that has a skin into one model, as read_gltf() gives it.
//  - Positions are those of the scene when the skins were bound, in the file's own unit and axes (no metres, no
//  turn upright). Corners that agree in position, normal, uv, tangent and all weights are one vertex.
//  - A node's transform is all that FBX makes it of: pivots, offsets, pre- and post-rotation, rotation order,
//  InheritType; one FBX node may become up to three of the skeleton's. Geometric transforms act on the mesh
//  alone. Objects are found by their ids; where two have one name, the second is called "name (2)".
//  - A bone moves the mesh from its cluster's matrices; where those are missing, from the bind pose. A vertex
//  without weight stays with its mesh's node. In files of Maya a mesh follows its own node as well, as there.
//  - uv turn to glTF's direction, v downwards, and tangent frames with them.
//  - A clip is an animation stack with all its layers; its time 0 is the stack's LocalStart, keys outside of its range are cut.
//  Channels follow the curves within 1e-8 between keys; angles become quaternions.
//  - Blend shapes are morph targets, each shape between others one of its own, moved by the clips.
//  - Not read: meshes without bones, points and lines, constraints, caches of vertices, materials, cameras,
//  lights.
// Each repair and each omission is one of the model's warnings, and so is a default pose that is not where the
// mesh was bound.
//
// Throws InputError naming the element ("Deformer 12 (Arm) weight 5") and the reason.
Model parse_fbx(std::string_view bytes, const std::string& name, const ReadOptions& options = {});

// The same for a file, whose name the error tells.
Model read_fbx(const std::filesystem::path& path, const ReadOptions& options = {});

}  // namespace skinlight
