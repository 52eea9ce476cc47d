// What the readers of all formats share: the steps from the vertices of a file to a mesh that validate()
// accepts.
#pragma once

#include <filesystem>
#include <set>
#include <span>
#include <string>
#include <vector>

#include "skinlight/asset/read_options.h"
#include "skinlight/core/error.h"
#include "skinlight/rig/rigged_mesh.h"
#include "skinlight/rig/skeleton.h"

namespace skinlight {

// The extension of a file's name in lower case, as ".fbx".
std::string extension_of(const std::filesystem::path& path);

// A mesh as collected from a file.
struct CollectedMesh {
  RiggedMesh mesh;  // without t0, b0, handedness, frame_source; n0 is 0 where the file has no normal; weights
                    // in any order and of any sum
  std::vector<Vec3d> tangent;         // #V by 3; 0 where the file has none
  std::vector<double> tangent_sign;   // #V: +1 or -1, b0 = sign n0 x t0, along rising v
  std::vector<double> normal_length;  // #V: of the file's normal, before it was made unit
};

// Weights normalised and limited to the strongest `max_influences`, normals where the file lacks them, a
// tangent frame on every vertex. Repairs and losses are warnings. Throws as normalize_weights() and
// limit_influences() do. options.raw, when given, receives the attributes as collected.
RiggedMesh complete(CollectedMesh collected, const ReadOptions& options, std::vector<Warning>& warnings);

// A transform given as 16 numbers by column. Throws InputError unless all are finite and the last row is (0,
// 0, 0, 1).
Mat4x3d affine(std::span<const double> m, const std::string& element);

// Of an animation channel's keys. Throws InputError naming the key: times that are not finite or descend,
// values that are not finite. Equal times are a warning.
void require_keys(const std::vector<double>& times, const std::vector<double>& values,
                  const std::string& element, std::vector<Warning>& warnings);

// Unnamed things of a `kind` are called "clip 0", ...; further ones of one name get " (2)", ... `Named` has a
// member `name`.
template <class Named>
void make_names_distinct(std::vector<Named>& things, const std::string& kind) {
  std::set<std::string> taken;
  for (std::size_t i = 0; i < things.size(); ++i) {
    const std::string base = things[i].name.empty() ? kind + " " + std::to_string(i) : things[i].name;
    things[i].name = base;
    for (int copy = 2; !taken.insert(things[i].name).second; ++copy)
      things[i].name = base + " (" + std::to_string(copy) + ")";
  }
}

// One warning per reason, counting.
void warn(std::vector<Warning>& warnings, const std::string& element, const std::string& reason);

}  // namespace skinlight
