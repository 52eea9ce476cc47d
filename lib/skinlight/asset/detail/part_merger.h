// Skinned meshes of a scene, merged into one: for readers of formats whose corners carry normals and uv, and
// whose nodes place their meshes.
#pragma once

#include <array>
#include <cstdint>
#include <string>
#include <vector>

#include "skinlight/asset/detail/bone_table.h"
#include "skinlight/asset/detail/reading.h"
#include "skinlight/core/error.h"
#include "skinlight/rig/skeleton.h"

namespace skinlight {

struct PartBone {
  int node = -1;                                  // of the skeleton
  Mat4x3d offset = identity_transform<double>();  // part -> bone at rest
  std::vector<std::uint32_t> points;
  std::vector<double> weights;
  std::string element;  // for errors
};

// One mesh in a space of its own.
struct Part {
  std::vector<Vec3d> points;                            // #points by 3
  std::vector<std::uint32_t> kind;                      // #points or empty: those of other kinds stay apart
  std::vector<std::uint32_t> point;                     // #corners: the point that each stands on
  std::vector<Vec3d> normal, tangent, bitangent;        // #corners by 3, or empty
  std::vector<Vec2d> uv;                                // #corners by 2, or empty; v upwards
  std::vector<std::array<std::uint32_t, 3>> triangles;  // of corners
  std::vector<PartBone> bones;
  bool normals_are_made = false;  // not of the file: they only keep corners apart
};

Mat4x3d inverse(const Mat4x3d& m);

// Whether a placement can be undone: its columns span a millionth of the volume that they could, at least.
bool is_regular(const Mat4x3d& m);

class PartMerger {
 public:
  // All must outlive this.
  PartMerger(Skeleton& skeleton, const ReadOptions& options, std::vector<Warning>& warnings)
      : bones_(skeleton), options_(options), warnings_(warnings) {}

  // Appends a part, whose indices of points and corners are in range. `placement` maps it to the scene at
  // rest; points without weight follow `node`, in whose space `to_node` puts the part. Bones join the
  // skeleton. Corners that agree in everything are one vertex. Throws InputError naming the weight that is out
  // of range or not finite. Returns the points of the new vertices, which stand after those of earlier parts.
  std::vector<std::uint32_t> append(const Part& part, const std::string& element, int node,
                                    const Mat4x3d& placement,
                                    const Mat4x3d& to_node = identity_transform<double>());

  // The merged mesh, completed.
  RiggedMesh finish();

 private:
  struct Influences {                // of the points of one part, those of point p from first[p] on
    std::vector<std::size_t> first;  // #points + 1
    std::vector<int> bone;
    std::vector<double> weight;
    std::vector<bool> is_loose;  // #points: no bone of the file moves it
  };
  Influences read_influences(const Part& part, int node, const Mat4x3d& to_part, const Mat4x3d& to_node);
  static std::vector<std::uint32_t> equal_corners(const Part& part, const Influences& influences);
  void append_vertex(const Part& part, std::size_t corner, const Mat4x3d& placement);

  BoneTable bones_;
  const ReadOptions& options_;
  std::vector<Warning>& warnings_;
  CollectedMesh collected_;
  std::vector<std::size_t> first_;  // #V + 1: of the influences of each vertex
  std::vector<int> bone_;
  std::vector<double> weight_;
  bool has_uv_ = false;
};

}  // namespace skinlight
