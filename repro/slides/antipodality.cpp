// [SLIDES] "Spherical Blending", "Dual Quaternion Blending": q and -q are one rotation, and blending must not
// care.
#include <array>
#include <cmath>
#include <string>

#include "repro/runner/judgement.h"
#include "repro/studio.h"
#include "repro/study/transformations.h"
#include "skinlight/core/angle.h"
#include "skinlight/core/random.h"
#include "skinlight/mesh/normals.h"
#include "skinlight/rig/rigid_pose.h"
#include "skinlight/skinning/kernel_table.h"
#include "skinlight/truth/truth.h"

namespace skinlight::repro::slides::antipodality {

namespace {

using Eigen::Quaterniond, Eigen::Vector3d;
using Eight = Eigen::Matrix<double, 8, 1>;  // a dual quaternion: r, d, each x, y, z, w

constexpr double kBend = 90;  // degrees, of the pictured tube

Eight eight(const DualQuat& q) {
  Eight v;
  for (Eigen::Index i = 0; i < 4; ++i) {
    v[i] = q.r[static_cast<std::size_t>(i)];
    v[i + 4] = q.d[static_cast<std::size_t>(i)];
  }
  return v;
}

Quaterniond quaternion(const Eigen::Vector4d& xyzw) { return {xyzw[3], xyzw[0], xyzw[1], xyzw[2]}; }

Vector3d moved(const Eight& sum, const Vector3d& p) {
  const double length = sum.head<4>().norm();
  const Quaterniond r = quaternion(sum.head<4>() / length), d = quaternion(sum.tail<4>() / length);
  return r * p + 2 * (d * r.conjugate()).vec();
}

// Dual quaternion skinning with the signs as they come.
std::vector<Vec3d> posed_without_choice(const RiggedMesh& mesh, const std::vector<Eight>& bones) {
  std::vector<Vec3d> posed;
  for (int v = 0; v < mesh.vertex_count(); ++v) {
    Eight sum = Eight::Zero();
    for (std::size_t k = 0; k < static_cast<std::size_t>(mesh.slots); ++k)
      sum += mesh.weights_of(v)[k] * bones[static_cast<std::size_t>(mesh.bones_of(v)[k])];
    const Vec3d p = mesh.p0[static_cast<std::size_t>(v)];
    const Vector3d q = moved(sum, {p.x, p.y, p.z});
    posed.emplace_back(q.x(), q.y(), q.z());
  }
  return posed;
}

// The tube with every combination of signs, through plain sums and through the library.
void tube(Workbench& bench) {
  const Character rig(cylinder({}, {.segments = 48}));
  const RiggedMesh& mesh = rig.mesh();
  const Surface& surface = rig.surface();
  const Pose pose = cylinder_bend(kBend / kDegrees);
  const SkinnedMesh<float> right = bench.studio.skin(mesh, rig.data(Method::dqs, NormalMode::exact), pose,
                                                     {.method = Method::dqs, .mode = NormalMode::exact});
  const RigidPose rigid = rigid_part(pose, bone_reach(mesh));
  std::vector<Eight> bones = {eight(rigid.bones[0]), eight(rigid.bones[1])};
  if (bones[0].head<4>().dot(bones[1].head<4>()) < 0) bones[1] = -bones[1];
  const std::vector<Vec3d> same_side = posed_without_choice(mesh, bones);
  bones[1] = -bones[1];
  const std::vector<Vec3d> opposite = posed_without_choice(mesh, bones);

  double agree = 0, apart = 0;
  for (std::size_t v = 0; v < right.p.size(); ++v) {
    agree = std::fmax(agree, length(Vec3d(right.p[v]) - same_side[v]));
    apart = std::fmax(apart, length(opposite[v] - same_side[v]));
  }
  bench.results.values["same_side_agree"] = agree;
  bench.results.values["opposite_apart"] = apart;

  const std::vector<Vec3f> torn = to_float(opposite),
                           torn_n = to_float(recomputed_normals(surface, opposite));
  const Shot shot{.view = {.towards_eye = {1, 0.2, 0.2}, .up = {0, 0, 1}}, .width = 420, .height = 420};
  const Framing framing = framing_of(shot, {right.p, torn});
  bench.write_image("chosen.png", "Every sign on the side of the heaviest bone's",
                    bench.studio.shaded(mesh.faces, right.p, right.n, framing));
  bench.write_image("as_they_come.png", "One bone's dual quaternion negated, signs as they come",
                    bench.studio.shaded(mesh.faces, torn, torn_n, framing));
}

// Half way between two bones that are `turn` apart.
void two_bones(Workbench& bench) {
  std::string table = "turn_deg,chosen_deg,as_they_come_deg,negated_deg\n";
  for (int turn = 0; turn <= 360; turn += 5) {
    const auto about_z = [](double degrees) {
      return Quaterniond(std::cos(0.5 * degrees / kDegrees), 0, 0, std::sin(0.5 * degrees / kDegrees));
    };
    // The signed angle of the normalised sum; NaN where the sum vanishes.
    const auto half_way = [](const Quaterniond& a, const Quaterniond& b) {
      const Eigen::Vector4d sum = a.coeffs() + b.coeffs();
      if (sum.norm() < 1e-9) return std::string();
      const double angle = 2 * kDegrees * std::atan2(sum[2], sum[3]);
      return std::to_string(std::remainder(angle, 360.0));
    };
    const Quaterniond a = about_z(0), b = about_z(turn), negated(-b.w(), -b.x(), -b.y(), -b.z());
    table += std::to_string(turn) + "," + half_way(a, a.dot(b) < 0 ? negated : b) + "," + half_way(a, b) +
             "," + half_way(a, negated) + "\n";
  }
  bench.write_table("two_bones.csv", "Angle half way between two bones", table);

  // Three bones a third of a turn apart, blended alike: the answer depends on whose side the others take.
  const auto third = [](int k) {
    return Quaterniond(Eigen::AngleAxisd(2 * M_PI / 3 * k, Vector3d::UnitZ()));
  };
  const auto blended_beside = [&](int pivot) {
    Eigen::Vector4d sum = Eigen::Vector4d::Zero();
    for (int k = 0; k < 3; ++k) sum += (third(k).dot(third(pivot)) < 0 ? -1.0 : 1.0) * third(k).coeffs();
    return Quaterniond(sum.normalized());
  };
  bench.results.values["three_bones_jump_deg"] =
      kDegrees * rotation_between(blended_beside(0), blended_beside(1));
}

using K = Kernels<double, 4>;

K::RigidInfluences random_influences(Random& random) {
  K::RigidInfluences y;
  double sum = 0;
  for (int s = 0; s < K::INFLUENCES; ++s) {
    const Vec3d axis = random.direction(), shift = random.in_cube(2);
    const double half = random.uniform(0, 1.2);
    y.q[s].r = {std::cos(half), axis * std::sin(half)};
    // d = (shift r) / 2
    y.q[s].d = {-0.5 * dot(shift, y.q[s].r.v), (shift * y.q[s].r.s + cross(shift, y.q[s].r.v)) * 0.5};
    y.w[s] = random.uniform(0.1, 1);
    sum += y.w[s];
  }
  for (double& w : y.w) w /= sum;
  return y;
}

// The library's kernels under every choice of signs.
void kernels(Workbench& bench) {
  Random random(1843);
  double largest = 0;
  for (int trial = 0; trial < 200; ++trial) {
    const K::RigidInfluences y = random_influences(random);
    K::DeformFactors f;
    for (int s = 0; s < K::INFLUENCES; ++s) {
      f.alpha[s] = random.uniform(-1, 1);
      f.beta[s] = random.uniform(-1, 1);
    }
    K::RestVertex rest;
    rest.p = random.in_cube(1);
    rest.n = Vec3d(0, 0, 1);
    rest.t = Vec3d(1, 0, 0);
    rest.b = Vec3d(0, 1, 0);
    const K::PosedVertex as_is = K().turned(K().dqs_exact(y, f, rest.p), rest);
    for (int signs = 1; signs < 16; ++signs) {
      K::RigidInfluences z = y;
      for (int s = 0; s < K::INFLUENCES; ++s)
        if (signs >> s & 1) z.q[s] = K().dual_quaternion_scaled(z.q[s], -1);
      const K::PosedVertex posed = K().turned(K().dqs_exact(z, f, rest.p), rest);
      for (const Vec3d& d : {posed.p - as_is.p, posed.t - as_is.t, posed.b - as_is.b, posed.n - as_is.n})
        largest = std::fmax(largest, length(d));
    }
  }
  bench.results.values["kernel_difference"] = largest;
}

void blend(Workbench& bench) {
  two_bones(bench);
  kernels(bench);
  tube(bench);
}

std::vector<Finding> findings() {
  return {
      {"kernels_do_not_care", value_of("kernel_difference")},
      {"library_takes_the_short_way", value_of("same_side_agree")},
      {"signs_as_they_come", value_of("opposite_apart")},
      {"side_of_whom", value_of("three_bones_jump_deg")},
  };
}

}  // namespace

Experiment make() {
  Experiment e;
  e.place = "Spherical Blending and Dual Quaternion Blending";
  e.title = "Two quaternions for one rotation";
  e.says =
      "Before quaternions are blended their signs are chosen so that scalar products with the first are positive.";
  e.extra = blend;
  e.findings = findings();
  return e;
}

}  // namespace skinlight::repro::slides::antipodality
