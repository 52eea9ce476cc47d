// The steps of check_health(). Each appends to the findings.
#pragma once

#include <functional>
#include <string>
#include <vector>

#include "skinlight/asset/raw_attributes.h"
#include "skinlight/audit/detail/pose_samples.h"
#include "skinlight/audit/findings.h"
#include "skinlight/character/character.h"

namespace skinlight::health {

// Names as the file has them.
std::string vertex_name(const RawAttributes& raw, int v);
std::string bone_name(const Skeleton& skeleton, int s);

// A number in words of printf().
std::string printed(const char* format, double value);

// Adds a finding when the tally counted anything. `detail` is asked about the worst element.
void add(
    std::vector<Finding>& findings, std::string_view kind, Part part, const Tally& tally, int of,
    const std::function<std::string(int)>& name,
    const std::function<std::string(int)>& detail = [](int) { return std::string(); });

// weights-*, joints-duplicate: the weights as the file has them.
void check_weights(const Model& model, const RawAttributes& raw, std::vector<Finding>& findings);

// weights-jump: between the ends of edges.
void check_edges(const RiggedMesh& mesh, const RawAttributes& raw, std::vector<Finding>& findings);

// twins-split-weights, positions-split, hard-edges. Returns the number of positions.
int check_positions(const Model& model, const RawAttributes& raw, std::vector<Finding>& findings);

// triangles-*, uv-*.
void check_triangles(const RiggedMesh& mesh, const RawAttributes& raw, std::vector<Finding>& findings);

// normals-missing, uv-missing, tangents-missing, tangents-handedness.
void check_frames(const RiggedMesh& mesh, const RawAttributes& raw, std::vector<Finding>& findings);

// normals-inverted, winding-reversed, normals-off-faces, normals-against-faces, normals-not-unit, tangents-not-unit,
// tangents-off-plane: the directions that the file has, of whatever length.
void check_directions(const RiggedMesh& mesh, const RawAttributes& raw, std::vector<Finding>& findings);

// meshes-shared-by-skins, bake-stale, reader-repaired.
void check_reading(const Model& model, const RawAttributes& raw, std::vector<Finding>& findings);

// bones-unused, inverse-bind-missing, mesh-node-transform.
void check_skeleton(const Model& model, const RawAttributes& raw, std::vector<Finding>& findings);

double diagonal(const std::vector<Vec3d>& p);  // of the box around them

// Height over longest edge, below which a triangle counts as flat: float stores coordinates to 6e-8, and the
// difference of two has a few such errors.
inline constexpr double kFlat = 1e-6;

// Normals and tangents of signed bytes are off 1 by up to sqrt(3) / 2 of a step of 1 / 127.
inline constexpr double kUnitOfBytes = .00682;
// A normal this far from those of all its faces, in degrees, has little to do with them. Of the real characters at
// hand up to 6 % of the area has such normals, with shuffled or random ones 37 % or more.
inline constexpr double kOffFaces = 60;
inline constexpr double kOffShare = .15;  // of the area
// A mesh without normals that encloses less than minus this share of a ball is inside out: characters enclose .1 to .7,
// sheets nothing.
inline constexpr double kInsideOut = .05;
// Degrees out of the plane of the normal. Rounding to bytes makes half a degree.
inline constexpr double kOffPlane = 5;
// Of the size of the mesh: what an engine that does not normalise weights may displace a vertex by unseen.
inline constexpr double kUnseenShift = 1e-3;
// Off 1, per weight: rounding of floats as the Khronos validator allows it.
inline constexpr double kSumRounding = 2e-7;

struct Subject {
  Character all;             // with all its influences
  const RawAttributes& raw;  // for names
  Character kept;            // with those influences that are kept
  int influences = 0;        // most that a vertex has
};

// influences-over-limit: what dropping the weakest influences costs in these poses.
void check_influences(const Subject& rig, const std::vector<PoseSample>& poses,
                      std::vector<Finding>& findings);

// one-ring-overflow; one-ring-wider, where the rig uses fewer influences than are kept.
void check_overflow(const Subject& rig, std::vector<Finding>& findings);

// normals-flip, standard-normals-off, blend-collapses.
void check_normals(const Subject& rig, const std::vector<PoseSample>& poses, std::vector<Finding>& findings);

// bones-non-rigid, bones-mirrored, blend-crosses-mirror.
void check_bones(const Subject& rig, const std::vector<PoseSample>& poses, std::vector<Finding>& findings);

// precision-lost.
void check_precision(const Subject& rig, const std::vector<PoseSample>& poses,
                     std::vector<Finding>& findings);

}  // namespace skinlight::health
