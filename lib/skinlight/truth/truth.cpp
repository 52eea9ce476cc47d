#include "skinlight/truth/truth.h"

#include <Eigen/Dense>
#include <array>

#include "skinlight/core/detail/eigen.h"
#include "skinlight/core/error.h"
#include "skinlight/mesh/normals.h"
#include "skinlight/rig/bone_reach.h"

namespace skinlight {

namespace {

Eigen::Matrix3d eigen_cofactors(const Eigen::Matrix3d& a) {
  Eigen::Matrix3d c;
  c << a.col(1).cross(a.col(2)), a.col(2).cross(a.col(0)), a.col(0).cross(a.col(1));
  return c;
}

// A face around a vertex, at rest and posed: the map from one to the other is [f1 f2 m] [e1 e2 n]^-1.
struct FaceMap {
  double weight;       // in the average around the vertex; 0: no area, nothing below is set
  Vec3d e1, e2, n;     // rest edges, unit normal
  double double_area;  // det [e1 e2 n]
  Vec3d f1, f2, m;     // posed edges, m = extension n
};

using Points = std::span<const Vec3d>;

// Of the corners of a face, the given one first.
std::array<Vec3d, 3> corners_of(const Surface& surface, const Corner& corner, Points p) {
  const Face& face = surface.face(corner.face);
  std::array<Vec3d, 3> points;
  for (std::size_t c = 0; c < 3; ++c)
    points[c] = p[static_cast<std::size_t>(face[(static_cast<std::size_t>(corner.corner) + c) % 3])];
  return points;
}

// The unit normal of a triangle, `otherwise` when it has no area.
Vec3d triangle_normal(const std::array<Vec3d, 3>& x, Vec3d otherwise) {
  const Vec3d normal = cross(x[1] - x[0], x[2] - x[0]);
  return length(normal) > 0 ? normalize(normal) : otherwise;
}

// morphed: what the bones move in place of the mesh's p0, or empty.
FaceMap face_map(const RiggedMesh& mesh, const Surface& surface, Points p, const Mat3d& extension,
                 const Corner& corner, Averaging averaging, Points morphed = {}) {
  const std::array<Vec3d, 3> rest = corners_of(surface, corner, mesh.p0),
                             posed = corners_of(surface, corner, p);
  FaceMap map;
  map.weight = corner_weight(averaging, rest[0], rest[1], rest[2]);
  if (map.weight == 0) return map;
  map.e1 = rest[1] - rest[0];
  map.e2 = rest[2] - rest[0];
  const Vec3d scaled_normal = cross(map.e1, map.e2);
  map.double_area = length(scaled_normal);
  map.n = scaled_normal / map.double_area;
  map.f1 = posed[1] - posed[0];
  map.f2 = posed[2] - posed[0];
  map.m =
      extension * (morphed.empty() ? map.n : triangle_normal(corners_of(surface, corner, morphed), map.n));
  return map;
}

// Sum over the faces of a vertex, weighted, of the cofactors of each face's map applied to n0: they act as
// co([f1 f2 m]) [e1 e2 n]^T / det[e1 e2 n].
Vec3d transported_sum(const RiggedMesh& mesh, const Surface& surface, Points p, const Mat3d& extension,
                      int surface_vertex, Averaging averaging, Points morphed) {
  const Vec3d n0 = mesh.n0[static_cast<std::size_t>(surface.representative(surface_vertex))];
  Vec3d sum(0.0);
  for (const Corner& corner : surface.one_ring(surface_vertex)) {
    const FaceMap k = face_map(mesh, surface, p, extension, corner, averaging, morphed);
    if (k.weight == 0) continue;
    const Vec3d carried = cross(k.f2, k.m) * dot(k.e1, n0) + cross(k.m, k.f1) * dot(k.e2, n0) +
                          cross(k.f1, k.f2) * dot(k.n, n0);
    sum += carried * (k.weight / k.double_area);
  }
  return sum;
}

// The same sum of the maps themselves applied to t0 = a e1 + b e2 + c n.
Vec3d transported_tangent_sum(const RiggedMesh& mesh, const Surface& surface, std::span<const Vec3d> p,
                              const Mat3d& extension, int vertex, Averaging averaging, Points morphed) {
  const Vec3d t0 = mesh.t0[static_cast<std::size_t>(vertex)];
  Vec3d sum(0.0);
  for (const Corner& corner : surface.one_ring(surface.vertex_of(vertex))) {
    const FaceMap k = face_map(mesh, surface, p, extension, corner, averaging, morphed);
    if (k.weight == 0) continue;
    const double a = dot(cross(t0, k.e2), k.n) / k.double_area, b = dot(cross(k.e1, t0), k.n) / k.double_area;
    sum += (k.f1 * a + k.f2 * b + k.m * dot(t0, k.n)) * k.weight;
  }
  return sum;
}

// Unit vector along `sum`, else along `fallback`, else `rest`.
Vec3d unit_of(Vec3d sum, Vec3d fallback, Vec3d rest) {
  if (length(sum) > 0) return sum / length(sum);
  return length(fallback) > 0 ? normalize(fallback) : rest;
}

}  // namespace

std::vector<Vec3d> analytic_lbs_normals(const ProceduralRig& rig, const Pose& pose) {
  const RiggedMesh& mesh = rig.mesh;
  const std::vector<double> orientation = orientations(mesh, pose);
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
    const Eigen::Vector3d n = (orientation[i] * (eigen_cofactors(J) * eigen(mesh.n0[i]))).normalized();
    normals[i] = Vec3d(n.x(), n.y(), n.z());
  }
  return normals;
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
                                       std::span<const double> orientation, Averaging averaging,
                                       Points morphed) {
  std::vector<Vec3d> of_surface(static_cast<std::size_t>(surface.vertex_count()));
  for (int v = 0; v < surface.vertex_count(); ++v) {
    const auto first = static_cast<std::size_t>(surface.representative(v));
    const Mat3d& T = extension[first];
    const double side = orientation.empty() ? 1 : orientation[first];
    of_surface[static_cast<std::size_t>(v)] =
        unit_of(transported_sum(mesh, surface, p, T, v, averaging, morphed) * side, T * mesh.n0[first],
                mesh.n0[first]);
  }
  std::vector<Vec3d> normals(mesh.p0.size());
  for (int v = 0; v < mesh.vertex_count(); ++v)
    normals[static_cast<std::size_t>(v)] = of_surface[static_cast<std::size_t>(surface.vertex_of(v))];
  return normals;
}

std::vector<Vec3d> transported_tangents(const RiggedMesh& mesh, const Surface& surface,
                                        std::span<const Vec3d> p, std::span<const Mat3d> extension,
                                        Averaging averaging, Points morphed) {
  std::vector<Vec3d> tangents(mesh.p0.size());
  for (int v = 0; v < mesh.vertex_count(); ++v) {
    const auto i = static_cast<std::size_t>(v);
    tangents[i] = unit_of(transported_tangent_sum(mesh, surface, p, extension[i], v, averaging, morphed),
                          extension[i] * mesh.t0[i], mesh.t0[i]);
  }
  return tangents;
}

std::vector<Vec3d> recomputed_normals(const Surface& surface, std::span<const Vec3d> p,
                                      std::span<const double> orientation, Averaging averaging) {
  std::vector<Vec3d> normals = vertex_normals(surface, p, averaging);
  for (std::size_t v = 0; v < normals.size() && !orientation.empty(); ++v)
    normals[v] = normals[v] * orientation[v];
  return normals;
}

}  // namespace skinlight
