// True normals of a posed mesh, in the order in which they are trusted: analytic, transported, recomputed.
// None of them runs a skinning kernel: positions come in from outside or the formula is written again.
#pragma once

#include <span>
#include <vector>

#include "skinlight/mesh/averaging.h"
#include "skinlight/mesh/surface.h"
#include "skinlight/rig/pose.h"
#include "skinlight/rig/procedural_rig.h"
#include "skinlight/rig/rigged_mesh.h"
#include "skinlight/skinning/kernel_table.h"

namespace skinlight {

// Normals of the surface that linear blend skinning makes of a procedural rig, differentiated in closed form:
// co(J)^T n0 with the exact weight gradients, in double, through Eigen. #V by 3, unit.
std::vector<Vec3d> analytic_lbs_normals(const ProceduralRig& rig, const Pose& pose);

// Centres of rotation as a function of the rest surface.
struct CentreField {
  std::vector<Vec3d> centre;    // #V by 3
  std::vector<Mat3d> gradient;  // #V: column k the derivative along axis k of the rest space
};

// The same under any method: the posed point differentiated along the surface by the chain rule, the motion written from
// its definition. Bones that are not rigid as rigid_part() says. About centres of rotation that vary as given, or about
// those of sets of bones (piecewise: the centre of a vertex is that of its own set all around it). Throws InputError for CRS
// without a field of centres.
std::vector<Vec3d> analytic_normals(const ProceduralRig& rig, const Pose& pose, Method method,
                                    const CentreField* field = nullptr);

// The pill of Fig. 2 in its pose by hand: under the lower bone's translation d, J = I + d w'(z) z^T, whose
// cofactors give n = (1 + w' d_z) n0 - w' (d . n0) z. The check of the check.
std::vector<Vec3d> analytic_pill_normals(const ProceduralRig& rig, Vec3d d);

// Linear part of sum_s w[s] M[s] per vertex, #V. What `transported_normals` extends faces by under LBS.
std::vector<Mat3d> blended_linear(const RiggedMesh& mesh, const Pose& pose);

// What a method does to directions at fixed weights, #V: the same, or the blended rotation times what the vertex's bones have
// in common, scale and mirror.
std::vector<Mat3d> extension_of(const RiggedMesh& mesh, const Pose& pose, Method method);

// The rest normals carried by the maps that the posed triangles themselves define: per face the map from the
// rest to the posed edges, extended along the face normal by `extension` (#V, extension_of());
// its cofactors act on n0 and are averaged over the welded one-ring. Independent of weight
// gradients, valid for every skinning method, and it honours authored normals. p: #V by 3 posed positions.
// `averaging` weights the faces by their rest shape. orientation: orientations(), #V; empty: nothing mirrors. A vertex without any
// area around it, at rest or posed, gets the extension of n0: nothing carries its normal, so that this is what standard
// normals are, no truth; such a vertex has no weight in vertex_areas() of the posed surface. morphed: #V by 3, the positions that the bones move where morph
// targets moved p0 first, so that the extension acts on their faces' normals; empty: p0.
std::vector<Vec3d> transported_normals(const RiggedMesh& mesh, const Surface& surface,
                                       std::span<const Vec3d> p, std::span<const Mat3d> extension,
                                       std::span<const double> orientation = {},
                                       Averaging averaging = Averaging::area,
                                       std::span<const Vec3d> morphed = {});

// The tangents t0 carried by the same maps and averaged in the same way: true tangents of a frame that the
// texture does not leave [TPS14 Eq. 8]. #V by 3, unit; a vertex whose tangents cancel or that has no area
// around it gets the extension of t0. morphed: as above.
std::vector<Vec3d> transported_tangents(const RiggedMesh& mesh, const Surface& surface,
                                        std::span<const Vec3d> p, std::span<const Mat3d> extension,
                                        Averaging averaging = Averaging::area,
                                        std::span<const Vec3d> morphed = {});

// Normals of the posed triangles averaged into vertices [TPS14 Sec. 6]: the paper's ground truth. It forgets
// authored normals and is a discretisation itself. p: #V by 3. orientation: orientations(), #V; empty: nothing mirrors.
// A vertex without any posed area gets (0, 0, 1), which means nothing: it has no weight in vertex_areas().
std::vector<Vec3d> recomputed_normals(const Surface& surface, std::span<const Vec3d> p,
                                      std::span<const double> orientation = {},
                                      Averaging averaging = Averaging::area);

}  // namespace skinlight
