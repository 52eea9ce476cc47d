// True normals of a posed mesh, in the order in which they are trusted: analytic, transported, recomputed.
// None of them runs a skinning kernel: positions come in from outside or the formula is written again in
// Eigen.
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
// co(J) n0 with the exact weight gradients, in double, through Eigen. #V by 3, unit.
std::vector<Vec3d> analytic_lbs_normals(const ProceduralRig& rig, const Pose& pose);

// The same under dual quaternion skinning: the blended motion differentiated by the complex step, quaternions
// as 4x4 matrices. Bones that are not rigid as rigid_part() says.
std::vector<Vec3d> analytic_dqs_normals(const ProceduralRig& rig, const Pose& pose);

// Centres of rotation as a function of the rest surface.
struct CentreField {
  std::vector<Vec3d> centre;    // #V by 3
  std::vector<Mat3d> gradient;  // #V: column k the derivative along axis k of the rest space
};

// The same about centres of rotation that vary as given, about the centres of sets of bones (piecewise: the
// centre of a vertex is that of its own set all around it), by exponentials of blended logarithms, and by those of
// logarithms about the dual quaternion blend.
std::vector<Vec3d> analytic_crs_normals(const ProceduralRig& rig, const Pose& pose, const CentreField& field);
std::vector<Vec3d> analytic_sbs_normals(const ProceduralRig& rig, const Pose& pose);
std::vector<Vec3d> analytic_log_normals(const ProceduralRig& rig, const Pose& pose);
std::vector<Vec3d> analytic_dib_normals(const ProceduralRig& rig, const Pose& pose);

// The one that belongs to the method. Throws InputError for CRS without a field of centres.
std::vector<Vec3d> analytic_normals(const ProceduralRig& rig, const Pose& pose, Method method,
                                    const CentreField* field = nullptr);

// The pill of Fig. 2 in its pose by hand: under the lower bone's translation d, J = I + d w'(z) z^T, whose
// cofactors give n = (1 + w' d_z) n0 - w' (d . n0) z. The check of the check.
std::vector<Vec3d> analytic_pill_normals(const ProceduralRig& rig, Vec3d d);

// Linear part of sum_s w[s] M[s] per vertex, #V. What `transported_normals` extends faces by under LBS.
std::vector<Mat3d> blended_linear(const RiggedMesh& mesh, const Pose& pose);

// The blended rotation times what the vertex's bones have in common, scale and mirror, #V: the same under DQS, CRS and SBS.
std::vector<Mat3d> blended_rotation(const RiggedMesh& mesh, const Pose& pose);

// The same under log-matrix blending, and about the dual quaternion blend.
std::vector<Mat3d> blended_log_rotation(const RiggedMesh& mesh, const Pose& pose);
std::vector<Mat3d> blended_dib_rotation(const RiggedMesh& mesh, const Pose& pose);

// The one that belongs to the method.
std::vector<Mat3d> extension_of(const RiggedMesh& mesh, const Pose& pose, Method method);

// The rest normals carried by the maps that the posed triangles themselves define: per face the map from the
// rest to the posed edges, extended along the face normal by `extension` (#V, blended_linear or
// blended_rotation); its cofactors act on n0 and are averaged over the welded one-ring. Independent of weight
// gradients, valid for every skinning method, and it honours authored normals. p: #V by 3 posed positions.
// `averaging` weights the faces by their rest shape. orientation: orientations(), #V; empty: nothing mirrors. A vertex without any
// area around it gets the extension of n0. morphed: #V by 3, the positions that the bones move where morph
// targets moved p0 first, so that the extension acts on their faces' normals; empty: p0.
std::vector<Vec3d> transported_normals(const RiggedMesh& mesh, const Surface& surface,
                                       std::span<const Vec3d> p, std::span<const Mat3d> extension,
                                       std::span<const double> orientation = {},
                                       Averaging averaging = Averaging::area,
                                       std::span<const Vec3d> morphed = {});

// The tangents t0 carried by the same maps and averaged in the same way: true tangents of a frame that the
// texture does not leave [TPS14 Eq. 8]. #V by 3, unit; a vertex whose tangents cancel or that has no area
// around it gets the extension of t0.
std::vector<Vec3d> transported_tangents(const RiggedMesh& mesh, const Surface& surface,
                                        std::span<const Vec3d> p, std::span<const Mat3d> extension,
                                        Averaging averaging = Averaging::area);

// Normals of the posed triangles averaged into vertices [TPS14 Sec. 6]: the paper's ground truth. It forgets
// authored normals and is a discretisation itself. p: #V by 3. orientation: orientations(), #V; empty: nothing mirrors.
std::vector<Vec3d> recomputed_normals(const Surface& surface, std::span<const Vec3d> p,
                                      std::span<const double> orientation = {},
                                      Averaging averaging = Averaging::area);

}  // namespace skinlight
