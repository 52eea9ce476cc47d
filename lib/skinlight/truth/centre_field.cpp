#include "skinlight/truth/centre_field.h"

#include <Eigen/Dense>
#include <complex>
#include <map>

#include "skinlight/core/detail/eigen.h"
#include "skinlight/core/error.h"

namespace skinlight {

namespace {

using Complex = std::complex<double>;

constexpr double kWeightStep = 1e-40;

// a_t, v_t and w_t of Eq. 10.
struct Triangle {
  double area;
  Eigen::Vector3d centroid;
  Eigen::VectorXd weight;  // #bones
};

std::vector<Triangle> triangles_of(const RiggedMesh& mesh) {
  std::vector<Triangle> triangles;
  for (const Face& face : mesh.faces) {
    Triangle t{0, Eigen::Vector3d::Zero(), Eigen::VectorXd::Zero(mesh.bone_count)};
    std::array<Eigen::Vector3d, 3> p;
    for (std::size_t c = 0; c < 3; ++c) {
      p[c] = eigen(mesh.p0[static_cast<std::size_t>(face[c])]);
      t.centroid += p[c] / 3;
      for (std::size_t k = 0; k < static_cast<std::size_t>(mesh.slots); ++k)
        t.weight[mesh.bones_of(face[c])[k]] += mesh.weights_of(face[c])[k] / 3;
    }
    t.area = 0.5 * (p[1] - p[0]).cross(p[2] - p[0]).norm();
    triangles.push_back(std::move(t));
  }
  return triangles;
}

using Influences = std::vector<std::pair<int, double>>;  // bone, weight

// Eq. 10 with the step in the weight of one slot.
Eigen::Vector3cd centre(const std::vector<Triangle>& triangles, const Influences& x, std::size_t stepped,
                        double sigma) {
  Eigen::Vector3cd sum = Eigen::Vector3cd::Zero();
  Complex total = 0;
  const auto weight = [&](std::size_t k) { return Complex(x[k].second, k == stepped ? kWeightStep : 0); };
  for (const Triangle& t : triangles) {
    Complex similarity = 0;
    for (std::size_t j = 0; j < x.size(); ++j)
      for (std::size_t k = j + 1; k < x.size(); ++k) {
        const double tj = t.weight[x[j].first], tk = t.weight[x[k].first];
        if (tj == 0 || tk == 0) continue;
        const Complex apart = (weight(j) * tk - weight(k) * tj) / sigma;
        similarity += weight(j) * weight(k) * tj * tk * std::exp(-apart * apart);
      }
    total += t.area * similarity;
    sum += t.area * similarity * t.centroid.cast<Complex>();
  }
  return sum / total;
}

struct Centre {
  Eigen::Vector3d c;
  std::vector<Eigen::Vector3d> by_weight;  // dC / dw of every influence
};

Centre centre_and_derivatives(const std::vector<Triangle>& triangles, const Influences& x, double sigma) {
  Centre result;
  for (std::size_t k = 0; k < x.size(); ++k) {
    const Eigen::Vector3cd c = centre(triangles, x, k, sigma);
    result.c = c.real();
    result.by_weight.emplace_back(c.imag() / kWeightStep);
  }
  return result;
}

}  // namespace

CentreField centre_field(const ProceduralRig& rig, double sigma) {
  const RiggedMesh& mesh = rig.mesh;
  if (rig.gradient.empty()) throw InputError("", "rig", "has no exact gradients of its weights");
  const std::vector<Triangle> triangles = triangles_of(mesh);
  std::map<Influences, Centre> known;
  CentreField field{mesh.p0, std::vector<Mat3d>(mesh.p0.size(), Mat3d(Vec3d(0.0), Vec3d(0.0), Vec3d(0.0)))};
  for (int v = 0; v < mesh.vertex_count(); ++v) {
    Influences x;
    for (std::size_t k = 0; k < static_cast<std::size_t>(mesh.slots) && mesh.weights_of(v)[k] > 0; ++k)
      x.emplace_back(mesh.bones_of(v)[k], mesh.weights_of(v)[k]);
    if (x.size() < 2) continue;
    const auto [entry, is_new] = known.try_emplace(x);
    if (is_new) entry->second = centre_and_derivatives(triangles, x, sigma);
    const Centre& c = entry->second;
    const auto i = static_cast<std::size_t>(v);
    field.centre[i] = Vec3d(c.c.x(), c.c.y(), c.c.z());
    for (std::size_t k = 0; k < x.size(); ++k) {
      const Vec3d g = rig.gradient[i * static_cast<std::size_t>(mesh.slots) + k];
      const Vec3d d(c.by_weight[k].x(), c.by_weight[k].y(), c.by_weight[k].z());
      for (int axis = 0; axis < 3; ++axis) field.gradient[i][axis] += d * g[axis];
    }
  }
  return field;
}

RotationCentres centres_of(const ProceduralRig& rig, const CentreField& field) {
  RotationCentres centres;
  centres.centre = field.centre;
  for (int v = 0; v < rig.mesh.vertex_count(); ++v) {
    const auto i = static_cast<std::size_t>(v);
    centres.along_t.push_back(field.gradient[i] * rig.mesh.t0[i]);
    centres.along_b.push_back(field.gradient[i] * rig.mesh.b0[i]);
    const bool single = rig.mesh.slots == 1 || !(rig.mesh.weights_of(v)[1] > 0);
    centres.has_centre.push_back(1);
    centres.single_bone += single;
  }
  return centres;
}

}  // namespace skinlight
