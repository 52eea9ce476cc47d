#include "skinlight/skinning/morph.h"

#include <gtest/gtest.h>

#include <array>
#include <cmath>
#include <limits>

#include "skinlight/core/dual.h"
#include "skinlight/core/random.h"
#include "skinlight/mesh/normals.h"
#include "skinlight/samples/procedural.h"
#include "skinlight/skinning/kernel_table.h"
#include "skinlight/skinning/skin.h"
#include "testing/rigs.h"

namespace skinlight {
namespace {

constexpr double kDegrees = 180 / M_PI;

// Two displacements in closed form, as functions of the place at rest.
template <class Real>
Vec3<Real> bulge(Vec3<Real> p) {
  return {p.z * p.z * p.y * Real(.1), p.x * p.z * Real(-.08), p.x * p.y * Real(.12) + p.x * p.x * Real(.05)};
}
template <class Real>
Vec3<Real> swell(Vec3<Real> p) {
  const Real r = Real(.3) - p.z * Real(.1);
  return {p.x * r, p.y * r, p.z * p.x * Real(.1)};
}
constexpr std::array kWeights{.8, -.6};

template <class Real>
Vec3<Real> displaced(Vec3<Real> p) {
  return p + bulge(p) * Real(kWeights[0]) + swell(p) * Real(kWeights[1]);
}

using D = Dual<double>;
Vec3<D> along(Vec3d p, Vec3d t) { return {D(p.x, t.x), D(p.y, t.y), D(p.z, t.z)}; }
Vec3d derivative(Vec3<D> v) { return {v.x.d, v.y.d, v.z.d}; }

double angle(Vec3d a, Vec3d b) { return std::atan2(length(cross(a, b)), dot(a, b)); }

struct Morphs {
  std::vector<MorphTarget> targets;
  std::vector<MorphTangents> exact;  // by dual numbers
};

Morphs morphs_of(const RiggedMesh& mesh) {
  Morphs morphs{{{"bulge", {}, {}}, {"swell", {}, {}}}, std::vector<MorphTangents>(2)};
  for (int i = 0; i < mesh.vertex_count(); ++i) {
    const auto v = static_cast<std::size_t>(i);
    const Vec3d p = mesh.p0[v], t = mesh.t0[v], b = mesh.b0[v];
    const Vec3d dp[] = {bulge(p), swell(p)};
    const Vec3d dt[] = {derivative(bulge(along(p, t))), derivative(swell(along(p, t)))};
    const Vec3d db[] = {derivative(bulge(along(p, b))), derivative(swell(along(p, b)))};
    for (std::size_t k = 0; k < 2; ++k) {
      morphs.targets[k].vertex.push_back(i);
      morphs.targets[k].dp.push_back(dp[k]);
      // As an artist's tool would export it: the normal of the target at weight 1, minus that at rest.
      morphs.targets[k].dn.push_back(normalize(cross(t + dt[k], b + db[k]) * mesh.handedness[v]) -
                                     mesh.n0[v]);
      morphs.exact[k].vertex.push_back(i);
      morphs.exact[k].dt.push_back(dt[k]);
      morphs.exact[k].db.push_back(db[k]);
    }
  }
  return morphs;
}

// The normals of the morphed and skinned surface in closed form: the product rule with exact gradients of the
// weights and exact derivatives of the displacements.
std::vector<Vec3d> true_normals(const ProceduralRig& rig, const Pose& pose) {
  const RiggedMesh& mesh = rig.mesh;
  std::vector<Vec3d> n;
  for (std::size_t v = 0; v < mesh.p0.size(); ++v) {
    const auto posed_along = [&](Vec3d direction) {
      Vec3d sum(0.0);
      for (std::size_t k = 0; k < static_cast<std::size_t>(mesh.slots); ++k) {
        const std::size_t i = v * static_cast<std::size_t>(mesh.slots) + k;
        const Mat4x3d& M = pose.M[static_cast<std::size_t>(mesh.bone[i])];
        sum += transform_point(M, displaced(mesh.p0[v])) * dot(rig.gradient[i], direction);
        sum += Mat3d(M) * derivative(displaced(along(mesh.p0[v], direction))) * mesh.weight[i];
      }
      return sum;
    };
    n.push_back(normalize(cross(posed_along(mesh.t0[v]), posed_along(mesh.b0[v])) * mesh.handedness[v]));
  }
  return n;
}

struct Error {
  double rms = 0, max = 0;  // degrees, over deformed area
};

Error error(const RiggedMesh& mesh, const SkinnedMesh<double>& skinned, const std::vector<Vec3d>& truth) {
  const std::vector<double> areas = vertex_areas(Surface(mesh.faces, weld(mesh)), skinned.p);
  double sum = 0, total = 0;
  Error e;
  for (std::size_t v = 0; v < truth.size(); ++v) {
    const double degrees = angle(skinned.n[v], truth[v]) * kDegrees;
    sum += degrees * degrees * areas[v];
    total += areas[v];
    e.max = std::max(e.max, degrees);
  }
  e.rms = std::sqrt(sum / total);
  return e;
}

Pose bent_pose() {
  return make_pose({test_rigs::transform(test_rigs::rotation(Vec3d(1, 0, 0), .4), Vec3d(.3, 0, .2)),
                    test_rigs::transform(test_rigs::rotation(Vec3d(0, 1, 0), -.5), Vec3d(1.2, .1, 0))});
}

// The rest pose's factors, unchanged, are exact for the morphed surface.
TEST(Morph, DeformFactorsOfTheRestPoseGiveExactNormalsOfEveryMorph_Eq13) {
  const ProceduralRig rig = pill({.segments = 24});
  const Morphs morphs = morphs_of(rig.mesh);
  const NormalRecord factors = deform_factors_from_gradients(rig.mesh, rig.gradient);
  const RiggedMesh mesh = morphed(rig.mesh, morphs.targets, morphs.exact, kWeights);
  for (const NormalMode mode : {NormalMode::deform, NormalMode::deform_naive}) {
    const Error e = error(rig.mesh, skin<double>(mesh, factors, bent_pose(), {.mode = mode}),
                          true_normals(rig, bent_pose()));
    EXPECT_LT(e.max, 1e-9);
  }
  const Error unmorphed =
      error(rig.mesh, skin<double>(rig.mesh, factors, bent_pose()), true_normals(rig, bent_pose()));
  EXPECT_GT(unmorphed.rms, 5);
}

// All from the mesh: gradients and morph tangents averaged over one-rings. Second order, where engines'
// normals do not converge.
TEST(Morph, NormalsConvergeWithSecondOrderOnTheMesh_Eq13) {
  const auto errors_at = [](int segments) {
    const ProceduralRig rig = pill({.segments = segments});
    const Surface surface(rig.mesh.faces, weld(rig.mesh));
    const Morphs morphs = morphs_of(rig.mesh);
    const NormalRecord factors = deform_factors(rig.mesh, surface);
    const RiggedMesh mesh =
        morphed(rig.mesh, morphs.targets, morph_tangents(rig.mesh, surface, morphs.targets), kWeights);
    const RiggedMesh authored = morphed_as_authored(rig.mesh, morphs.targets, kWeights);
    const std::vector<Vec3d> truth = true_normals(rig, bent_pose());
    const SkinnedMesh<double> ours = skin<double>(mesh, factors, bent_pose());
    // Against the triangles too: they share no formula with us.
    SkinnedMesh<double> recomputed = ours;
    recomputed.n = vertex_normals(surface, ours.p, Averaging::mixed_voronoi);
    return std::array{
        error(rig.mesh, ours, truth).rms,
        error(rig.mesh, skin<double>(authored, factors, bent_pose(), {.mode = NormalMode::standard}), truth)
            .rms,
        error(rig.mesh, recomputed, truth).rms};
  };
  const auto coarse = errors_at(24), middle = errors_at(48), fine = errors_at(96);
  EXPECT_GT(std::log2(coarse[0] / middle[0]), 1.7);
  EXPECT_GT(std::log2(middle[0] / fine[0]), 1.7);
  EXPECT_LT(fine[0], .1);
  EXPECT_LT(fine[2], .5);
  EXPECT_GT(fine[1], 5);
  EXPECT_NEAR(fine[1], coarse[1], .05 * coarse[1]) << "no convergence";
  RecordProperty("rms_24_48_96",
                 std::to_string(coarse[0]) + " " + std::to_string(middle[0]) + " " + std::to_string(fine[0]));
  RecordProperty("authored_recomputed_96", std::to_string(fine[1]) + " " + std::to_string(fine[2]));
}

// Autodiff through morph and skinning kernels of any method: weights and displacements vary linearly along
// t0.
TEST(Morph, TangentsAreDerivativesOfTheMorphedAndSkinnedPosition_Eq13) {
  Random random(5);
  using K = Kernels<double, 3>;
  using KD = Kernels<D, 3>;
  for (int round = 0; round < 300; ++round) {
    const Vec3d p = random.in_cube(1), n = random.direction(), t = normalize(cross(n, random.direction())),
                b = cross(n, t), dp = random.in_cube(1), dt = random.in_cube(1), db = random.in_cube(1);
    const double m = random.uniform(-1, 1);
    K::Influences x;
    K::DeformFactors f;
    KD::Influences xd;
    double weights[] = {.5, .3, .2};
    f.alpha[0] = f.beta[0] = 0;
    for (int s = 2; s >= 0; --s) {
      x.M[s] = test_rigs::random_affine(random, 1);
      x.w[s] = weights[s];
      if (s > 0) {
        f.alpha[0] -= f.alpha[s] = random.uniform(-1, 1);
        f.beta[0] -= f.beta[s] = random.uniform(-1, 1);
      }
      xd.M[s] = Mat4x3<D>(x.M[s]);
      xd.w[s] = D(x.w[s], f.alpha[s]);
    }
    const K::RestVertex rest{p, n, t, b}, change{dp, Vec3d(0.0), dt, db};
    const K::RestVertex sum = K().morph_carried(K().morph_add(rest, change, m), rest, 1);
    const K::PosedVertex v = K().lbs_deform(x, f, sum);
    KD::RestVertex rest_d{along(p, t), Vec3<D>(n), Vec3<D>(t), Vec3<D>(b)};
    const KD::RestVertex change_d{along(dp, dt), Vec3<D>(D(0)), Vec3<D>(D(0)), Vec3<D>(D(0))};
    const Vec3<D> posed = KD().lbs_position(xd, KD().morph_add(rest_d, change_d, D(m)).p);
    EXPECT_LT(length(derivative(posed) - v.t), 1e-12);
    EXPECT_LT(length(sum.n - normalize(cross(t + dt * m, b + db * m))), 1e-12);
  }
}

TEST(Morph, WeightsOfZeroChangeNothingAndUntouchedVerticesStay) {
  const ProceduralRig rig = pill({.segments = 12});
  Morphs morphs = morphs_of(rig.mesh);
  const RiggedMesh same = morphed(rig.mesh, morphs.targets, morphs.exact, std::array{0., 0.});
  EXPECT_EQ(same.p0, rig.mesh.p0);
  EXPECT_EQ(same.n0, rig.mesh.n0);
  EXPECT_EQ(same.t0, rig.mesh.t0);
  morphs.targets.resize(1);
  morphs.targets[0] = {"one", {3}, {Vec3d(0, 0, .5)}};
  const Surface surface(rig.mesh.faces, weld(rig.mesh));
  const auto tangents = morph_tangents(rig.mesh, surface, morphs.targets);
  const RiggedMesh moved = morphed(rig.mesh, morphs.targets, tangents, std::array{2.});
  int changed = 0;
  for (std::size_t v = 0; v < moved.p0.size(); ++v) {
    EXPECT_EQ(moved.p0[v], rig.mesh.p0[v] + Vec3d(0, 0, v == 3 ? 1 : 0));
    changed += moved.n0[v] != rig.mesh.n0[v];
  }
  EXPECT_GT(changed, 3);
  EXPECT_LT(changed, 20);
}

TEST(Morph, AuthoredFramesAreOrthonormalOnBothSidesOfMirroredUv) {
  ProceduralRig rig = pill({.segments = 12});
  for (std::size_t v = 0; v < rig.mesh.p0.size(); v += 2) {
    rig.mesh.handedness[v] *= -1;
    rig.mesh.b0[v] = -rig.mesh.b0[v];
  }
  const Morphs morphs = morphs_of(rig.mesh);
  const RiggedMesh mesh = morphed_as_authored(rig.mesh, morphs.targets, kWeights);
  EXPECT_NO_THROW(validate(mesh));
  for (std::size_t v = 0; v < mesh.p0.size(); ++v) {
    const Vec3d sum =
        rig.mesh.n0[v] + morphs.targets[0].dn[v] * kWeights[0] + morphs.targets[1].dn[v] * kWeights[1];
    EXPECT_LT(length(mesh.n0[v] - normalize(sum)), 1e-12);
    EXPECT_LT(length(mesh.p0[v] - displaced(rig.mesh.p0[v])), 1e-12);
  }
  // And carried normals point outwards on both sides.
  const RiggedMesh carried = morphed(rig.mesh, morphs.targets, morphs.exact, kWeights);
  for (std::size_t v = 0; v < mesh.p0.size(); ++v) EXPECT_GT(dot(carried.n0[v], mesh.n0[v]), .5);
}

TEST(Morph, MismatchesAreNamed) {
  const ProceduralRig rig = pill({.segments = 12});
  Morphs morphs = morphs_of(rig.mesh);
  const auto element = [&](std::span<const double> weights) -> std::string {
    try {
      morphed(rig.mesh, morphs.targets, morphs.exact, weights);
    } catch (const InputError& e) {
      return e.element();
    }
    return "accepted";
  };
  EXPECT_EQ(element(kWeights), "accepted");
  EXPECT_EQ(element(std::array{1.}), "morph weights");
  EXPECT_EQ(element(std::array{1., std::nan("")}), "morph weight 1");
  morphs.targets[1].vertex[0] = -1;
  EXPECT_EQ(element(kWeights), "morph target 1");
  try {
    morphed(rig.mesh, morphs.targets, morphs.exact, kWeights);
  } catch (const InputError& e) {
    EXPECT_EQ(e.reason(),
              "vertex -1 does not exist (the mesh has " + std::to_string(rig.mesh.vertex_count()) + ")");
  }
  morphs.exact.pop_back();
  EXPECT_EQ(element(kWeights), "morph tangents");
}

}  // namespace
}  // namespace skinlight
