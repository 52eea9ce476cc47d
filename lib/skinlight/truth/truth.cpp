#include "skinlight/truth/truth.h"

#include <Eigen/Dense>
#include <array>

#include "skinlight/mesh/normals.h"

namespace skinlight {

namespace {

Eigen::Vector3d eigen(Vec3d v) { return {v.x, v.y, v.z}; }

Eigen::Matrix3d eigen_linear(const Mat4x3d& m) {
  Eigen::Matrix3d a;
  a << eigen(m[0]), eigen(m[1]), eigen(m[2]);
  return a;
}

Eigen::Matrix3d eigen_cofactors(const Eigen::Matrix3d& a) {
  Eigen::Matrix3d c;
  c << a.col(1).cross(a.col(2)), a.col(2).cross(a.col(0)), a.col(0).cross(a.col(1));
  return c;
}

// Sum over the faces of a vertex, weighted, of the cofactors of each face's map applied to n0. With rest
// edges e1, e2, normal n, posed edges f1, f2 and m = extension n, the map is [f1 f2 m] [e1 e2 n]^-1, and its
// cofactors act as co([f1 f2 m]) [e1 e2 n]^T / det[e1 e2 n].
Vec3d transported_sum(const RiggedMesh& mesh, const Surface& surface, std::span<const Vec3d> p,
                      const Mat3d& extension, int surface_vertex, Averaging averaging) {
  const Vec3d n0 = mesh.n0[static_cast<std::size_t>(surface.representative(surface_vertex))];
  Vec3d sum(0.0);
  for (const Corner& corner : surface.one_ring(surface_vertex)) {
    const Face& face = surface.face(corner.face);
    std::array<Vec3d, 3> rest, posed;
    for (std::size_t c = 0; c < 3; ++c) {
      const auto v = static_cast<std::size_t>(face[(static_cast<std::size_t>(corner.corner) + c) % 3]);
      rest[c] = mesh.p0[v];
      posed[c] = p[v];
    }
    const double weight = corner_weight(averaging, rest[0], rest[1], rest[2]);
    if (weight == 0) continue;
    const Vec3d e1 = rest[1] - rest[0], e2 = rest[2] - rest[0], scaled_normal = cross(e1, e2);
    const double double_area = length(scaled_normal);
    const Vec3d n = scaled_normal / double_area;
    const Vec3d f1 = posed[1] - posed[0], f2 = posed[2] - posed[0], m = extension * n;
    const Vec3d carried =
        cross(f2, m) * dot(e1, n0) + cross(m, f1) * dot(e2, n0) + cross(f1, f2) * dot(n, n0);
    sum += carried * (weight / double_area);
  }
  return sum;
}

}  // namespace

std::vector<Vec3d> analytic_lbs_normals(const ProceduralRig& rig, const Pose& pose) {
  const RiggedMesh& mesh = rig.mesh;
  std::vector<Vec3d> normals(mesh.p0.size());
  for (int v = 0; v < mesh.vertex_count(); ++v) {
    const auto i = static_cast<std::size_t>(v);
    Eigen::Matrix3d J = Eigen::Matrix3d::Zero();
    for (std::size_t k = 0; k < static_cast<std::size_t>(mesh.slots); ++k) {
      const Mat4x3d& M = pose.M[static_cast<std::size_t>(mesh.bones_of(v)[k])];
      const Eigen::Vector3d q = eigen_linear(M) * eigen(mesh.p0[i]) + eigen(M[3]);
      const Eigen::Vector3d gradient = eigen(rig.gradient[i * static_cast<std::size_t>(mesh.slots) + k]);
      J += mesh.weights_of(v)[k] * eigen_linear(M) + q * gradient.transpose();
    }
    const Eigen::Vector3d n = (pose.orientation * (eigen_cofactors(J) * eigen(mesh.n0[i]))).normalized();
    normals[i] = Vec3d(n.x(), n.y(), n.z());
  }
  return normals;
}

std::vector<Vec3d> analytic_normals(const ProceduralRig& rig, const Pose& pose, Method method) {
  switch (method) {
    case Method::lbs:
      return analytic_lbs_normals(rig, pose);
    case Method::dqs:
      break;
  }
  return analytic_dqs_normals(rig, pose);
}

std::vector<Vec3d> analytic_pill_normals(const ProceduralRig& rig, Vec3d d) {
  const RiggedMesh& mesh = rig.mesh;
  std::vector<Vec3d> normals(mesh.p0.size());
  for (int v = 0; v < mesh.vertex_count(); ++v) {
    const auto i = static_cast<std::size_t>(v);
    const std::size_t lower = mesh.bones_of(v)[0] == 1 ? 0 : 1;
    const double slope = rig.gradient[i * static_cast<std::size_t>(mesh.slots) + lower].z;
    normals[i] = normalize(mesh.n0[i] * (1 + slope * d.z) - Vec3d(0, 0, dot(d, mesh.n0[i]) * slope));
  }
  return normals;
}

std::vector<Mat3d> blended_linear(const RiggedMesh& mesh, const Pose& pose) {
  std::vector<Mat3d> blended(mesh.p0.size());
  for (int v = 0; v < mesh.vertex_count(); ++v) {
    Mat3d T(Vec3d(0.0), Vec3d(0.0), Vec3d(0.0));
    for (std::size_t k = 0; k < static_cast<std::size_t>(mesh.slots); ++k)
      T = T + Mat3d(pose.M[static_cast<std::size_t>(mesh.bones_of(v)[k])]) * mesh.weights_of(v)[k];
    blended[static_cast<std::size_t>(v)] = T;
  }
  return blended;
}

std::vector<Vec3d> transported_normals(const RiggedMesh& mesh, const Surface& surface,
                                       std::span<const Vec3d> p, std::span<const Mat3d> extension,
                                       double orientation, Averaging averaging) {
  std::vector<Vec3d> of_surface(static_cast<std::size_t>(surface.vertex_count()));
  for (int v = 0; v < surface.vertex_count(); ++v) {
    const auto first = static_cast<std::size_t>(surface.representative(v));
    const Mat3d& T = extension[first];
    const Vec3d sum = transported_sum(mesh, surface, p, T, v, averaging);
    const double size = length(sum);
    const Vec3d fallback = T * mesh.n0[first];
    of_surface[static_cast<std::size_t>(v)] = size > 0               ? sum * (orientation / size)
                                              : length(fallback) > 0 ? normalize(fallback)
                                                                     : mesh.n0[first];
  }
  std::vector<Vec3d> normals(mesh.p0.size());
  for (int v = 0; v < mesh.vertex_count(); ++v)
    normals[static_cast<std::size_t>(v)] = of_surface[static_cast<std::size_t>(surface.vertex_of(v))];
  return normals;
}

std::vector<Vec3d> recomputed_normals(const Surface& surface, std::span<const Vec3d> p, double orientation,
                                      Averaging averaging) {
  std::vector<Vec3d> normals = vertex_normals(surface, p, averaging);
  for (Vec3d& n : normals) n = n * orientation;
  return normals;
}

}  // namespace skinlight
