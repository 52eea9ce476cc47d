// Skinning about centres of rotation, CRS and SBS, by another route than the kernels: complex_step.h.
#include <algorithm>
#include <map>

#include "skinlight/core/detail/eigen.h"
#include "skinlight/truth/detail/complex_step.h"
#include "skinlight/truth/truth.h"

namespace skinlight {

using namespace complex_step;

namespace {

// R (p - c) + sum_s w[s] M[s] c
Vector3 moved_about(const std::vector<Motion>& bones, std::span<const int> bone,
                    const std::vector<Complex>& weight, const Vector3& c, const Vector3& p) {
  Vector3 sum = turned(blend(bones, bone, weight).r, p - c);
  for (std::size_t k = 0; k < bone.size(); ++k) {
    const Motion& q = bones[static_cast<std::size_t>(bone[k])];
    sum +=
        weight[k] * (turned(q.r.cast<Complex>(), c) + translation(q.r.cast<Complex>(), q.d.cast<Complex>()));
  }
  return sum;
}

// Directions in which bones turn apart by less radians than this are free (kParallelBones of the kernels'
// side).
constexpr double kParallel = 1e-3;

// The point nearest to `reach` whose images under the bones are closest: singular values of all pairs'
// differences, one below the other.
Eigen::Vector3d spherical_centre(const std::vector<Motion>& bones, const std::vector<int>& set,
                                 const Eigen::Vector3d& reach) {
  std::vector<Eigen::Matrix3d> R;
  std::vector<Eigen::Vector3d> t;
  for (const int s : set) {
    const Motion& q = bones[static_cast<std::size_t>(s)];
    R.push_back(Eigen::Quaterniond(q.r[0], q.r[1], q.r[2], q.r[3]).toRotationMatrix());
    t.emplace_back(translation(q.r.cast<Complex>(), q.d.cast<Complex>()).real());
  }
  if (set.size() < 2) return reach;
  const auto rows = static_cast<Eigen::Index>(3 * set.size() * (set.size() - 1) / 2);
  Eigen::MatrixXd D(rows, 3);
  Eigen::VectorXd rhs(rows);
  Eigen::Index row = 0;
  for (std::size_t i = 0; i < set.size(); ++i)
    for (std::size_t j = i + 1; j < set.size(); ++j, row += 3) {
      D.middleRows<3>(row) = R[i] - R[j];
      rhs.segment<3>(row) = t[j] - t[i] - (R[i] - R[j]) * reach;
    }
  const Eigen::JacobiSVD<Eigen::MatrixXd> svd(D, Eigen::ComputeThinU | Eigen::ComputeThinV);
  const Eigen::Array3d size = svd.singularValues(), along = (svd.matrixU().transpose() * rhs).array();
  const Eigen::Array3d steps = (size > kParallel).select(along / size, 0.0);
  return reach + svd.matrixV() * steps.matrix();
}

// Per vertex, in the scaled rest space.
std::vector<Eigen::Vector3d> spherical_centres_of(const RiggedMesh& mesh, const MotionsOfVertices& bones) {
  std::map<std::vector<int>, std::vector<int>> vertices;
  for (int v = 0; v < mesh.vertex_count(); ++v) {
    std::vector<int> set;
    for (std::size_t k = 0; k < static_cast<std::size_t>(mesh.slots); ++k)
      if (mesh.weights_of(v)[k] > 0) set.push_back(mesh.bones_of(v)[k]);
    std::sort(set.begin(), set.end());
    vertices[set].push_back(v);
  }
  std::vector<Eigen::Vector3d> centres(mesh.p0.size());
  for (const auto& [set, members] : vertices) {
    Eigen::Vector3d reach(0, 0, 0);
    for (const int v : members) reach += eigen(mesh.p0[static_cast<std::size_t>(v)]);
    for (const int v : members)
      centres[static_cast<std::size_t>(v)] =
          spherical_centre(bones.of(v), set, bones.scale(v) / static_cast<double>(members.size()) * reach);
  }
  return centres;
}

}  // namespace

std::vector<Vec3d> analytic_crs_normals(const ProceduralRig& rig, const Pose& pose,
                                        const CentreField& field) {
  const MotionsOfVertices bones(rig.mesh, pose);
  return normals(
      rig, pose, [&](int v, int axis, const std::vector<Complex>& weight, const Vector3& p) -> Vector3 {
        const auto i = static_cast<std::size_t>(v);
        Vector3 c = eigen(field.centre[i]).cast<Complex>();
        c += Complex(0, kStep) * eigen(field.gradient[i][axis]);
        return moved_about(bones.of(v), rig.mesh.bones_of(v), weight, bones.scale(v) * c, bones.scale(v) * p);
      });
}

std::vector<Vec3d> analytic_sbs_normals(const ProceduralRig& rig, const Pose& pose) {
  const MotionsOfVertices bones(rig.mesh, pose);
  const std::vector<Eigen::Vector3d> centres = spherical_centres_of(rig.mesh, bones);
  return normals(rig, pose, [&](int v, int, const std::vector<Complex>& weight, const Vector3& p) -> Vector3 {
    const Vector3 c = centres[static_cast<std::size_t>(v)].cast<Complex>();
    return moved_about(bones.of(v), rig.mesh.bones_of(v), weight, c, bones.scale(v) * p);
  });
}

}  // namespace skinlight
