// What the one-rings of a rig look like before anything is posed, and how little rigid a pose is there: what the
// errors of normals depend on.
#pragma once

#include <span>
#include <vector>

#include "skinlight/rig/rigged_mesh.h"

namespace skinlight {

// Per file vertex, over the edges and faces around its surface vertex; 0 where there are none.
struct OneRings {
  std::vector<double> edge_length;  // #V, mean, over the size of the mesh: the diagonal of its box
  std::vector<double>
      weight_change;  // #V, largest along an edge: the share of the weight that goes to other bones, 0 to 1
  std::vector<double> dihedral;  // #V, largest between neighbouring faces, degrees: 0 is flat
};

// surface: mesh.faces and weld(mesh).
OneRings one_rings(const RiggedMesh& mesh, const Surface& surface);

// A change of weight that one looks at: floats and files round by less.
inline constexpr double kBlends = 1e-3;

struct Quartiles {
  double q1 = 0, median = 0, q3 = 0, max = 0;
};

// Of the rest area where weights change by more than kBlends along an edge; elsewhere every kind of normals is right.
struct RingSummary {
  double blended = 0;  // share of the area, 0 to 1
  Quartiles edge_length, weight_change, dihedral;
};

RingSummary summary(const OneRings& rings, const RiggedMesh& mesh, const Surface& surface);

// How much longer or shorter the edges around a vertex become: the mean of |posed / rest - 1|. 0 where the
// surface moves rigidly; edges without length do not count. rest, posed: #V by 3. Returns #V.
std::vector<double> non_rigidity(const Surface& surface, std::span<const Vec3d> rest,
                                 std::span<const Vec3d> posed);

}  // namespace skinlight
