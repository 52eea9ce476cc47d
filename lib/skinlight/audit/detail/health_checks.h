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

// Adds a finding when the tally counted anything. `detail` is asked about the worst element.
void add(
    std::vector<Finding>& findings, std::string_view kind, Part part, const Tally& tally, int of,
    const std::function<std::string(int)>& name,
    const std::function<std::string(int)>& detail = [](int) { return std::string(); });

// weights-*, joints-duplicate: the weights as the file has them.
void check_weights(const RawAttributes& raw, std::vector<Finding>& findings);

// weights-jump: between the ends of edges.
void check_edges(const RiggedMesh& mesh, const RawAttributes& raw, std::vector<Finding>& findings);

// twins-split-weights, positions-split, hard-edges. Returns the number of positions.
int check_positions(const RiggedMesh& mesh, const RawAttributes& raw, std::vector<Finding>& findings);

// triangles-*, uv-*.
void check_triangles(const RiggedMesh& mesh, const RawAttributes& raw, std::vector<Finding>& findings);

// normals-missing, tangents-*.
void check_frames(const RiggedMesh& mesh, const RawAttributes& raw, std::vector<Finding>& findings);

// bones-unused, inverse-bind-missing, mesh-node-transform.
void check_skeleton(const Model& model, const RawAttributes& raw, std::vector<Finding>& findings);

double diagonal(const RiggedMesh& mesh);  // of the box around it

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

// bones-non-rigid, bones-mirrored.
void check_bones(const Subject& rig, const std::vector<PoseSample>& poses, std::vector<Finding>& findings);

// precision-lost.
void check_precision(const Subject& rig, const std::vector<PoseSample>& poses,
                     std::vector<Finding>& findings);

}  // namespace skinlight::health
