// The kernels on random vertices: against autodiff of the position, against Eigen, in every scalar.
#include "skinlight/core/detail/eigen.h"
#include "skinlight/skinning/kernel_table.h"

#include <gtest/gtest.h>

#include <Eigen/Dense>
#include <bit>
#include <cmath>
#include <cstdint>

#include "skinlight/core/counted.h"
#include "skinlight/core/dual.h"
#include "skinlight/core/pack.h"
#include "skinlight/core/random.h"
#include "testing/rigs.h"

namespace skinlight {
namespace {

using Eigen::Matrix3d;
using Eigen::Vector3d;

constexpr double kAutodiff = 1e-12;  // two orders of the same sums of values below 10, in double
constexpr double kAgree = 1e-9;      // radians between formulas, |n| above kLong
constexpr double kLong = .05;        // shorter normals lose digits for good reasons
constexpr int kRounds = 500;

// One random vertex: weights with the largest first, any affine transforms (rotations, shears, scales,
// mirrors), gradients that sum to 0, a tangent frame that need not be orthonormal.
template <int N>
struct RandomVertex {
  double w[N];
  Mat4x3d M[N];
  Vec3d a[N];
  double alpha[N], beta[N];
  Vec3d p, n, t, b;

  explicit RandomVertex(Random& random, double steepness = .5) {
    double sum = 0;
    for (double& x : w) sum += x = random.uniform(.05, 1);
    for (double& x : w) x /= sum;
    std::sort(w, w + N, std::greater<>());
    for (Mat4x3d& m : M) {
      m = test_rigs::random_affine(random, 1.2);
      if (random.below(4) == 0) m = m * random.uniform(-2, 2);
    }
    p = random.in_cube(2);
    n = random.direction();
    t = normalize(cross(n, random.direction()));
    const double side = random.below(2) == 0 ? 1.0 : -1.0;
    b = normalize(cross(n, t) * side + t * random.uniform(-.5, .5));
    Vec3d rest(0.0);
    for (int s = 1; s < N; ++s) rest += a[s] = random.in_cube(steepness);
    a[0] = -rest;
    for (int s = 0; s < N; ++s) {
      alpha[s] = dot(a[s], t);
      beta[s] = dot(a[s], b);
    }
  }

  template <class Real>
  struct Input {
    using K = Kernels<Real, N>;
    typename K::Influences x;
    typename K::DeformFactors f;
    typename K::WeightGradients g;
    typename K::RestVertex rest;
  };
  template <class Real>
  Input<Real> as() const {
    using V = Vec3<Real>;
    Input<Real> in;
    for (int s = 0; s < N; ++s) {
      in.x.w[s] = Real(w[s]);
      in.x.M[s] = Mat4x3<Real>(M[s]);
      in.f.alpha[s] = Real(alpha[s]);
      in.f.beta[s] = Real(beta[s]);
      in.g.a[s] = V(a[s]);
    }
    in.rest = {V(p), V(n), V(t), V(b)};
    return in;
  }
};

// [TPS14 Eq. 7], written again.
template <int N>
Matrix3d eigen_jacobian(const RandomVertex<N>& v) {
  Matrix3d J = Matrix3d::Zero();
  for (int s = 0; s < N; ++s) {
    const Vector3d q = eigen_linear(v.M[s]) * eigen(v.p) + eigen(v.M[s][3]);
    J += v.w[s] * eigen_linear(v.M[s]) + q * eigen(v.a[s]).transpose();
  }
  return J;
}

double angle(const Vector3d& a, const Vector3d& b) { return std::atan2(a.cross(b).norm(), a.dot(b)); }

// The tests run for 1, 2, 3, 4 and 8 influences.
template <class Influences>
class LbsKernels : public testing::Test {};
template <int N>
using Count = std::integral_constant<int, N>;
using Counts = testing::Types<Count<1>, Count<2>, Count<3>, Count<4>, Count<8>>;
TYPED_TEST_SUITE(LbsKernels, Counts);

TYPED_TEST(LbsKernels, PositionIsTheWeightedSum_Eq1) {
  constexpr int N = TypeParam::value;
  Random random(1);
  for (int round = 0; round < kRounds; ++round) {
    const RandomVertex<N> v(random);
    Vector3d expected = Vector3d::Zero();
    for (int s = 0; s < N; ++s) expected += v.w[s] * (eigen_linear(v.M[s]) * eigen(v.p) + eigen(v.M[s][3]));
    const auto in = v.template as<double>();
    Kernels<double, N> k;
    EXPECT_LT((eigen(k.lbs_position(in.x, in.rest.p)) - expected).norm(), kAutodiff);
    EXPECT_LT((eigen(k.lbs_standard(in.x, in.rest).p) - expected).norm(), kAutodiff);
    EXPECT_LT((eigen(k.lbs_exact_inverse_transpose(in.x, in.g, in.rest).p) - expected).norm(), kAutodiff);
    EXPECT_LT((eigen(k.lbs_exact_cofactors(in.x, in.g, in.rest).p) - expected).norm(), kAutodiff);
    EXPECT_LT((eigen(k.lbs_exact_tangent_pair(in.x, in.g, in.rest).p) - expected).norm(), kAutodiff);
    EXPECT_LT((eigen(k.lbs_deform_naive(in.x, in.f, in.rest).p) - expected).norm(), kAutodiff);
    EXPECT_LT((eigen(k.lbs_deform(in.x, in.f, in.rest).p) - expected).norm(), kAutodiff);  // Eq. 14
    EXPECT_LT(
        (eigen(k.joined(k.guard_clamp(k.lbs_deform_terms(in.x, in.f, in.rest), .9)).p) - expected).norm(),
        kAutodiff);
  }
}

// Weights that change by alpha per step along t0 while the point itself moves along t0.
TYPED_TEST(LbsKernels, TangentsAreDerivativesOfThePosition_Eq13) {
  constexpr int N = TypeParam::value;
  using D = Dual<double>;
  Random random(2);
  for (int round = 0; round < kRounds; ++round) {
    const RandomVertex<N> v(random);
    const auto derivative = [&](const double* factor, Vec3d along) {
      auto in = v.template as<D>();
      for (int s = 0; s < N; ++s) in.x.w[s].d = factor[s];
      for (int i = 0; i < 3; ++i) in.rest.p[i].d = along[i];
      const Vec3<D> p = Kernels<D, N>().lbs_position(in.x, in.rest.p);
      return Vector3d(p.x.d, p.y.d, p.z.d);
    };
    const Vector3d t = derivative(v.alpha, v.t), b = derivative(v.beta, v.b);
    const auto in = v.template as<double>();
    Kernels<double, N> k;
    for (const auto& posed :
         {k.lbs_deform(in.x, in.f, in.rest), k.lbs_deform_eq13(in.x, in.f, in.rest),
          k.lbs_deform_naive(in.x, in.f, in.rest), k.lbs_exact_tangent_pair(in.x, in.g, in.rest),
          k.lbs_exact_cofactors(in.x, in.g, in.rest), k.lbs_exact_inverse_transpose(in.x, in.g, in.rest),
          k.joined(k.guard_clamp(k.lbs_deform_terms(in.x, in.f, in.rest), 1e3))}) {
      EXPECT_LT((eigen(posed.t) - t).norm(), kAutodiff);
      EXPECT_LT((eigen(posed.b) - b).norm(), kAutodiff);
    }
    const Vector3d n = t.cross(b);
    for (const auto& posed :
         {k.lbs_deform(in.x, in.f, in.rest), k.lbs_deform_eq13(in.x, in.f, in.rest),
          k.lbs_deform_naive(in.x, in.f, in.rest), k.lbs_exact_tangent_pair(in.x, in.g, in.rest),
          k.joined(k.guard_clamp(k.lbs_deform_terms(in.x, in.f, in.rest), 1e3))})
      EXPECT_LT((eigen(posed.n) - n).norm(), 10 * kAutodiff);
  }
}

TYPED_TEST(LbsKernels, NormalsEqualTheEigenJacobian_Eq2_7_8_10_13_MMG06) {
  constexpr int N = TypeParam::value;
  Random random(3);
  int compared = 0;
  for (int round = 0; round < kRounds; ++round) {
    const RandomVertex<N> v(random);
    const Matrix3d J = eigen_jacobian(v);
    Matrix3d cofactors;
    cofactors << J.col(1).cross(J.col(2)), J.col(2).cross(J.col(0)), J.col(0).cross(J.col(1));
    const Vector3d truth = cofactors * eigen(v.n);
    if (truth.norm() < kLong || std::abs(J.determinant()) < kLong) continue;
    ++compared;
    const double handedness = dot(cross(v.t, v.b), v.n) > 0 ? 1 : -1;
    const auto in = v.template as<double>();
    Kernels<double, N> k;
    EXPECT_LT(angle(eigen(k.lbs_exact_cofactors(in.x, in.g, in.rest).n), truth), kAgree);
    EXPECT_LT(angle(eigen(k.lbs_exact_inverse_transpose(in.x, in.g, in.rest).n),
                    J.inverse().transpose() * eigen(v.n)),
              kAgree);
    for (const auto& posed :
         {k.lbs_exact_tangent_pair(in.x, in.g, in.rest), k.lbs_deform_naive(in.x, in.f, in.rest),
          k.lbs_deform(in.x, in.f, in.rest), k.lbs_deform_eq13(in.x, in.f, in.rest),
          k.joined(k.guard_clamp(k.lbs_deform_terms(in.x, in.f, in.rest), 1e3))})
      EXPECT_LT(angle(handedness * eigen(posed.n), truth), kAgree);
  }
  EXPECT_GT(compared, kRounds / 4);
}

TYPED_TEST(LbsKernels, StandardIsTheBlendedMatrix_Eq3) {
  constexpr int N = TypeParam::value;
  Random random(4);
  for (int round = 0; round < kRounds; ++round) {
    const RandomVertex<N> v(random);
    Matrix3d T = Matrix3d::Zero();
    for (int s = 0; s < N; ++s) T += v.w[s] * eigen_linear(v.M[s]);
    const auto in = v.template as<double>();
    const auto posed = Kernels<double, N>().lbs_standard(in.x, in.rest);
    EXPECT_LT((eigen(posed.n) - T * eigen(v.n)).norm(), kAutodiff);
    EXPECT_LT((eigen(posed.t) - T * eigen(v.t)).norm(), kAutodiff);
    EXPECT_LT((eigen(posed.b) - T * eigen(v.b)).norm(), kAutodiff);
  }
}

// Constant weights make J = T, and a rotation is its own inverse transpose: nothing is approximated then.
TYPED_TEST(LbsKernels, StandardIsExactForConstantWeightsAndARigidBlend_Eq3) {
  constexpr int N = TypeParam::value;
  Random random(5);
  for (int round = 0; round < kRounds; ++round) {
    RandomVertex<N> v(random, 0);
    const Vec3d axis = random.direction();
    const Mat3d R = test_rigs::rotation(axis, random.uniform(-3, 3));
    for (Mat4x3d& m : v.M) m = test_rigs::transform(R, random.in_cube(2));  // translations may differ
    const auto in = v.template as<double>();
    Kernels<double, N> k;
    const Vector3d n = eigen(k.lbs_standard(in.x, in.rest).n);
    EXPECT_LT((n - eigen(R * v.n)).norm(), kAutodiff);
    EXPECT_LT(angle(n, eigen(k.lbs_exact_cofactors(in.x, in.g, in.rest).n)), kAgree);
  }
}

// With every bone moving alike, weights do not matter: sum alpha q = q sum alpha = 0 [Eq. 12].
TYPED_TEST(LbsKernels, RigidMotionRotatesNormalsExactly) {
  constexpr int N = TypeParam::value;
  Random random(6);
  for (int round = 0; round < kRounds; ++round) {
    RandomVertex<N> v(random, 5);
    const Vec3d axis = random.direction();
    const Mat3d R = test_rigs::rotation(axis, random.uniform(-3, 3));
    const Mat4x3d rigid = test_rigs::transform(R, random.in_cube(2));
    for (Mat4x3d& m : v.M) m = rigid;
    const auto in = v.template as<double>();
    Kernels<double, N> k;
    const double handedness = dot(cross(v.t, v.b), v.n) > 0 ? 1 : -1;
    const auto expect = [&](const auto& posed, double side) {
      const auto unit = k.finish(posed, in.rest, side);
      EXPECT_LT(length(unit.n - R * v.n), 100 * kAutodiff);
      EXPECT_LT(length(unit.t - R * v.t), 100 * kAutodiff);
      EXPECT_LT(length(unit.b - R * v.b), 100 * kAutodiff);
    };
    expect(k.lbs_standard(in.x, in.rest), 1);
    expect(k.lbs_exact_inverse_transpose(in.x, in.g, in.rest), 1);
    expect(k.lbs_exact_cofactors(in.x, in.g, in.rest), 1);
    expect(k.lbs_exact_tangent_pair(in.x, in.g, in.rest), handedness);
    expect(k.lbs_deform_naive(in.x, in.f, in.rest), handedness);
    expect(k.lbs_deform_eq13(in.x, in.f, in.rest), handedness);
    expect(k.lbs_deform(in.x, in.f, in.rest), handedness);
    expect(k.joined(k.guard_clamp(k.lbs_deform_terms(in.x, in.f, in.rest), .9)), handedness);
  }
}

// Sums of up to 100 products of values below 10 in float: 100 * 6e-8 * 10, halved because roundings cancel.
constexpr double kFloatPosition = 3e-5;
constexpr double kFloatAngle = 2e-4;  // the same, over |n| > kLong after a cross product of lengths near 1

TYPED_TEST(LbsKernels, FloatFollowsDouble) {
  constexpr int N = TypeParam::value;
  Random random(7);
  for (int round = 0; round < kRounds; ++round) {
    const RandomVertex<N> v(random);
    const auto narrow = v.template as<float>();
    const auto wide = v.template as<double>();
    Kernels<float, N> f;
    Kernels<double, N> d;
    const auto expect = [&](const auto& in_float, const auto& in_double) {
      EXPECT_LT(length(Vec3d(in_float.p) - in_double.p), kFloatPosition);
      EXPECT_LT(length(Vec3d(in_float.t) - in_double.t), kFloatPosition);
      EXPECT_LT(length(Vec3d(in_float.b) - in_double.b), kFloatPosition);
      const double size = length(in_double.n);
      if (size > 10 * kLong) {
        EXPECT_LT(angle(eigen(Vec3d(in_float.n)), eigen(in_double.n)), kFloatAngle);
      }
    };
    expect(f.lbs_standard(narrow.x, narrow.rest), d.lbs_standard(wide.x, wide.rest));
    expect(f.lbs_exact_cofactors(narrow.x, narrow.g, narrow.rest),
           d.lbs_exact_cofactors(wide.x, wide.g, wide.rest));
    expect(f.lbs_exact_tangent_pair(narrow.x, narrow.g, narrow.rest),
           d.lbs_exact_tangent_pair(wide.x, wide.g, wide.rest));
    expect(f.lbs_deform_eq13(narrow.x, narrow.f, narrow.rest), d.lbs_deform_eq13(wide.x, wide.f, wide.rest));
    expect(f.lbs_deform_naive(narrow.x, narrow.f, narrow.rest),
           d.lbs_deform_naive(wide.x, wide.f, wide.rest));
    expect(f.lbs_deform(narrow.x, narrow.f, narrow.rest), d.lbs_deform(wide.x, wide.f, wide.rest));
    if (std::abs(eigen_jacobian(v).determinant()) > 10 * kLong)
      expect(f.lbs_exact_inverse_transpose(narrow.x, narrow.g, narrow.rest),
             d.lbs_exact_inverse_transpose(wide.x, wide.g, wide.rest));
  }
}

constexpr int kLanes = 8;
using P = Pack<kLanes>;

P pack(const float* lanes) { return P::load(lanes); }

// Lane i of the result of eight vertices at once.
template <class Get>
P gather(Get get) {
  float lanes[kLanes];
  for (int i = 0; i < kLanes; ++i) lanes[i] = get(i);
  return pack(lanes);
}
template <class Get>
Vec3<P> gather_vec3(Get get) {
  return {gather([&](int i) { return get(i).x; }), gather([&](int i) { return get(i).y; }),
          gather([&](int i) { return get(i).z; })};
}

TYPED_TEST(LbsKernels, PackEqualsFloatBitwise) {
  constexpr int N = TypeParam::value;
  using KP = Kernels<P, N>;
  using KF = Kernels<float, N>;
  Random random(8);
  for (int round = 0; round < 50; ++round) {
    std::vector<typename RandomVertex<N>::template Input<float>> lane;
    for (int i = 0; i < kLanes; ++i) lane.push_back(RandomVertex<N>(random).template as<float>());
    lane[3].rest.t = lane[3].rest.b;  // no normal: the fallback must not touch other lanes
    lane[3].f = {};
    const auto at = [&](int i) -> auto& { return lane[static_cast<std::size_t>(i)]; };
    typename KP::Influences x;
    typename KP::DeformFactors f;
    typename KP::WeightGradients g;
    for (int s = 0; s < N; ++s) {
      x.w[s] = gather([&](int i) { return at(i).x.w[s]; });
      for (int c = 0; c < 4; ++c) x.M[s][c] = gather_vec3([&](int i) { return at(i).x.M[s][c]; });
      f.alpha[s] = gather([&](int i) { return at(i).f.alpha[s]; });
      f.beta[s] = gather([&](int i) { return at(i).f.beta[s]; });
      g.a[s] = gather_vec3([&](int i) { return at(i).g.a[s]; });
    }
    const typename KP::RestVertex rest = {
        gather_vec3([&](int i) { return at(i).rest.p; }), gather_vec3([&](int i) { return at(i).rest.n; }),
        gather_vec3([&](int i) { return at(i).rest.t; }), gather_vec3([&](int i) { return at(i).rest.b; })};
    const auto expect = [&](const typename KP::PosedVertex& eight, const auto& one) {
      for (const auto& [lanes, member] : {std::pair{eight.p, &KF::PosedVertex::p},
                                          {eight.t, &KF::PosedVertex::t},
                                          {eight.b, &KF::PosedVertex::b},
                                          {eight.n, &KF::PosedVertex::n}})
        for (int c = 0; c < 3; ++c) {
          float values[kLanes];
          lanes[c].store(values);
          for (int i = 0; i < kLanes; ++i) {
            const float expected = (one(at(i)).*member)[c];
            EXPECT_EQ(std::bit_cast<std::uint32_t>(values[i]), std::bit_cast<std::uint32_t>(expected))
                << "lane " << i << ": " << values[i] << " against " << expected;
          }
        }
    };
    KP kp;
    KF kf;
    expect(kp.finish(kp.lbs_standard(x, rest), rest, P(-1)),
           [&](auto& in) { return kf.finish(kf.lbs_standard(in.x, in.rest), in.rest, -1); });
    expect(kp.lbs_exact_inverse_transpose(x, g, rest),
           [&](auto& in) { return kf.lbs_exact_inverse_transpose(in.x, in.g, in.rest); });
    expect(kp.lbs_exact_cofactors(x, g, rest),
           [&](auto& in) { return kf.lbs_exact_cofactors(in.x, in.g, in.rest); });
    expect(kp.lbs_exact_tangent_pair(x, g, rest),
           [&](auto& in) { return kf.lbs_exact_tangent_pair(in.x, in.g, in.rest); });
    expect(kp.lbs_deform_eq13(x, f, rest), [&](auto& in) { return kf.lbs_deform_eq13(in.x, in.f, in.rest); });
    expect(kp.lbs_deform_naive(x, f, rest),
           [&](auto& in) { return kf.lbs_deform_naive(in.x, in.f, in.rest); });
    expect(kp.finish(kp.lbs_deform(x, f, rest), rest, P(1)),
           [&](auto& in) { return kf.finish(kf.lbs_deform(in.x, in.f, in.rest), in.rest, 1); });
    expect(kp.joined(kp.guard_clamp(kp.lbs_deform_terms(x, f, rest), P(.3))), [&](auto& in) {
      return kf.joined(kf.guard_clamp(kf.lbs_deform_terms(in.x, in.f, in.rest), .3f));
    });
  }
}

// Operation counts of [TPS14 Table 1]: the final normalisation is not counted.

template <int N, class Run>
long operations(Run run) {
  Random random(9);
  const auto in = RandomVertex<N>(random).template as<Counted>();
  Counted::reset();
  run(Kernels<Counted, N>(), in);
  return Counted::operations();
}

template <int N>
long standard_operations() {
  return operations<N>([](auto k, const auto& in) { k.lbs_standard(in.x, in.rest); });
}
template <int N>
long deform_operations() {
  return operations<N>([](auto k, const auto& in) { k.lbs_deform(in.x, in.f, in.rest); });
}
template <int N>
long eq13_operations() {
  return operations<N>([](auto k, const auto& in) { k.lbs_deform_eq13(in.x, in.f, in.rest); });
}
template <int N>
long exact_operations() {
  return operations<N>([](auto k, const auto& in) { k.lbs_exact_inverse_transpose(in.x, in.g, in.rest); });
}

TYPED_TEST(LbsKernels, OperationsAreLinearInTheInfluences_Table1) {
  constexpr int N = TypeParam::value;
  EXPECT_EQ(standard_operations<N>(), 12 * N + 36);
  EXPECT_EQ(eq13_operations<N>(), 30 * N + 12);
  EXPECT_EQ(deform_operations<N>(), 33 * N + 12);  // translations first: three more per slot
  EXPECT_EQ(exact_operations<N>(), 30 * N + 67);
}

TEST(OperationCounts, OverheadsAreThoseOfTable1) {
  EXPECT_EQ(eq13_operations<2>() - standard_operations<2>(), 12);
  EXPECT_EQ(eq13_operations<3>() - standard_operations<3>(), 30);
  EXPECT_EQ(eq13_operations<4>() - standard_operations<4>(), 48);
  EXPECT_EQ(exact_operations<2>() - standard_operations<2>(), 67);
  EXPECT_EQ(exact_operations<3>() - standard_operations<3>(), 85);
  EXPECT_EQ(exact_operations<4>() - standard_operations<4>(), 103);
}

// The stable form does not read alpha[0] and beta[0] [TPS14 Sec. 4.3]: N - 1 pairs are stored.
TYPED_TEST(LbsKernels, StableFormDoesNotReadSlotZero_Eq13) {
  constexpr int N = TypeParam::value;
  Random random(10);
  const RandomVertex<N> v(random);
  auto in = v.template as<double>();
  Kernels<double, N> k;
  const auto before = k.lbs_deform(in.x, in.f, in.rest),
             guarded = k.joined(k.guard_clamp(k.lbs_deform_terms(in.x, in.f, in.rest), .9));
  in.f.alpha[0] = in.f.beta[0] = std::nan("");
  EXPECT_EQ(k.lbs_deform(in.x, in.f, in.rest).n, before.n);
  EXPECT_EQ(k.joined(k.guard_clamp(k.lbs_deform_terms(in.x, in.f, in.rest), .9)).n, guarded.n);
}

// Translations that bones have in common are gone before anything is rounded at their size. Bones are floats here, and so
// is what is added to their translations: the far frame holds the same motion exactly, and only evaluation can lose it.
template <class Kernel>
double lost_far_away(Kernel kernel) {
  Random random(11);
  double most = 0;
  for (int round = 0; round < kRounds; ++round) {
    RandomVertex<4> v(random);
    constexpr double kGrid = 1.0 / 1024, kFar = 4096;  // a float at 4096 is a multiple of 1/2048
    for (Mat4x3d& m : v.M) {
      m = test_rigs::random_rigid(random, .5, .3);
      for (int i = 0; i < 3; ++i) m[3][i] = std::round(m[3][i] / kGrid) * kGrid;
    }
    RandomVertex<4> far = v;
    for (Mat4x3d& m : far.M) m[3] += Vec3d(kFar, -kFar, kFar);
    const auto near_truth = v.as<double>();
    const auto far_float = far.as<float>();
    const Vec3d truth = Kernels<double, 4>().lbs_deform(near_truth.x, near_truth.f, near_truth.rest).t;
    most = std::max(most, length(Vec3d(kernel(Kernels<float, 4>(), far_float).t) - truth) / length(truth));
  }
  return most;
}

TEST(DeformKernel, FarTranslationsCostNoDigits) {
  constexpr double kRoundings = 1e-5;  // of floats near the origin, times factors of up to 10
  EXPECT_LT(lost_far_away([](auto k, const auto& in) { return k.lbs_deform(in.x, in.f, in.rest); }),
            kRoundings);
  EXPECT_LT(
      lost_far_away([](auto k, const auto& in) { return k.joined(k.lbs_deform_terms(in.x, in.f, in.rest)); }),
      kRoundings);
  // The forms of the paper lose hundreds of times as much: this test can fail.
  EXPECT_GT(lost_far_away([](auto k, const auto& in) { return k.lbs_deform_eq13(in.x, in.f, in.rest); }),
            30 * kRoundings);
  EXPECT_GT(lost_far_away([](auto k, const auto& in) { return k.lbs_deform_naive(in.x, in.f, in.rest); }),
            30 * kRoundings);
}

using K4 = Kernels<double, 4>;

// finish(): unit vectors, never NaN.

TEST(Finish, NormalisesAndTurnsTheNormalOnly) {
  Random random(14);
  K4 k;
  const K4::RestVertex rest = RandomVertex<4>(random).as<double>().rest;
  for (int round = 0; round < kRounds; ++round) {
    const K4::PosedVertex v{random.in_cube(5), random.in_cube(5), random.in_cube(5), random.in_cube(5)};
    for (const double side : {1.0, -1.0}) {
      const K4::PosedVertex unit = k.finish(v, rest, side);
      EXPECT_EQ(unit.p, v.p);
      EXPECT_LT(length(unit.t - v.t / length(v.t)), kAutodiff);
      EXPECT_LT(length(unit.b - v.b / length(v.b)), kAutodiff);
      EXPECT_LT(length(unit.n - v.n / length(v.n) * side), kAutodiff);
    }
  }
}

template <class Real>
void expect_always_unit() {
  using K = Kernels<Real, 4>;
  using V = Vec3<Real>;
  const typename K::RestVertex rest{V(Real(0)), V(Real(0), Real(0), Real(1)), V(Real(1), Real(0), Real(0)),
                                    V(Real(0), Real(1), Real(0))};
  const Real infinity = std::numeric_limits<Real>::infinity(), nan = std::numeric_limits<Real>::quiet_NaN();
  for (const Real x : {Real(0), Real(1e-30), Real(1e-20), Real(1e-10), Real(1), Real(1e10), Real(1e18),
                       Real(1e20), Real(1e37), std::numeric_limits<Real>::max(), infinity, -infinity, nan})
    for (const V v : {V(x, Real(0), Real(0)), V(x, x, x), V(x, -x, Real(1)), V(Real(0), Real(0), x)}) {
      const typename K::PosedVertex unit = K().finish({v, v, v, v}, rest, Real(-1));
      for (const V& u : {unit.t, unit.b, unit.n})
        EXPECT_NEAR(length(u), 1, 1e-6) << "of " << v.x << " " << v.y << " " << v.z;
    }
  const typename K::PosedVertex none =
      K().finish({V(Real(0)), V(Real(0)), V(Real(0)), V(Real(0))}, rest, Real(-1));
  EXPECT_EQ(none.n, rest.n);  // the fallback is the rest normal, not turned
  EXPECT_EQ(none.t, rest.t);
  EXPECT_EQ(none.b, rest.b);
}

TEST(Finish, IsUnitWhateverComesIn) {
  expect_always_unit<float>();
  expect_always_unit<double>();
}

}  // namespace
}  // namespace skinlight
