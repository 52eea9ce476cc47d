// A mesh bound to bones: the plain data that everything above works on.
#pragma once

#include <span>
#include <string>
#include <vector>

#include "skinlight/core/error.h"
#include "skinlight/core/glsl.h"
#include "skinlight/mesh/surface.h"
#include "skinlight/mesh/tangent_frame.h"

namespace skinlight {

// Vertices are those of the file (split at seams). Quantities carry the paper's superscript 0: rest pose.
struct RiggedMesh {
  std::vector<Face> faces;                // #F by 3
  std::vector<Vec3d> p0;                  // #V by 3, the file's unit
  std::vector<Vec3d> n0;                  // #V by 3, unit
  std::vector<Vec3d> t0, b0;              // #V by 3, unit, orthogonal to n0
  std::vector<double> handedness;         // #V, +1 or -1: n0 = handedness (t0 x b0) / |t0 x b0|
  std::vector<FrameSource> frame_source;  // #V
  std::vector<Vec2d> uv;                  // #V or empty

  int bone_count = 0;
  int slots = 0;               // influences per vertex
  std::vector<int> bone;       // #V by slots
  std::vector<double> weight;  // #V by slots, descending in each vertex, sum 1; unused slots 0

  int vertex_count() const { return static_cast<int>(p0.size()); }
  std::span<const int> bones_of(int v) const {
    return {bone.data() + at(v), static_cast<std::size_t>(slots)};
  }
  std::span<const double> weights_of(int v) const {
    return {weight.data() + at(v), static_cast<std::size_t>(slots)};
  }

 private:
  std::size_t at(int v) const { return static_cast<std::size_t>(v) * static_cast<std::size_t>(slots); }
};

// Bounds on data, each with its reason.
inline constexpr double kUnitTolerance =
    1e-3;  // |n0|: 16-bit normalised integers round by 3e-5, files by 1e-4
inline constexpr double kWeightSumTolerance =
    1e-3;  // of the sum of weights: 8-bit weights are off by up to 2e-3 each

// Throws InputError naming the first vertex, face or bone that is wrong: array sizes, indices out of range,
// values not finite, negative weights, weights not summing to 1, normals or tangents not unit or not
// orthogonal.
void validate(const RiggedMesh& mesh);

// What the readers and procedural rigs do with weights, in this order; every repair is a warning with the
// number of vertices it touched (sorting and sums within kWeightSumTolerance are no repairs).
//  - slots of equal bone are merged; negative weights are set to 0;
//  - a vertex without positive weight is bound rigidly to the bone of its first slot;
//  - sums other than 1 are divided out;
//  - slots are sorted by descending weight (slot 0 is s0, the one whose deform factors are not stored).
// Throws InputError naming the vertex of a weight or sum that is not finite or a bone out of range, and for
// arrays of the wrong size.
void normalize_weights(RiggedMesh& mesh, std::vector<Warning>& warnings);

// Keeps the `slots` strongest influences of each vertex and renormalises. Returns the largest weight sum
// dropped from one vertex (0: nothing lost). Needs normalised weights.
double limit_influences(RiggedMesh& mesh, int slots);

// Surface vertex of each file vertex: equal position, rest normal and weights [numerics: hard edges stay
// one-sided].
std::vector<int> weld(const RiggedMesh& mesh);

// The frames that the mesh's uv has on the surface with corners at p and unit normals n (#V by 3), vertices
// grouped as at rest: t along dp/du in the plane of n, b = handedness n x t.
TangentFrames posed_tangent_frames(const RiggedMesh& mesh, std::span<const Vec3d> p,
                                   std::span<const Vec3d> n);

// Fills t0, b0, handedness, frame_source from uv and n0. Orthonormal frames have the side that MikkTSpace gives.
void compute_tangent_frames(RiggedMesh& mesh, TangentConvention convention = TangentConvention::orthonormal);

}  // namespace skinlight
