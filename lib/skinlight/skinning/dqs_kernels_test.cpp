// Dual quaternion kernels on random vertices: against autodiff of the position, against Eigen, in every
// scalar.
#include <gtest/gtest.h>

#include <Eigen/Dense>
#include <cmath>
#include <limits>

#include "skinlight/core/counted.h"
#include "skinlight/core/dual.h"
#include "skinlight/core/random.h"
#include "skinlight/skinning/kernel_table.h"
#include "testing/rigid_vertex.h"

namespace skinlight {
namespace {

using Eigen::Matrix3d;
using Eigen::Quaterniond;
using Eigen::Vector3d;
using test_rigid_vertex::Lanes;
using test_rigid_vertex::RandomVertex;

constexpr double kRounding = 1e-12;  // two orders of the same sums of values below 10, in double
constexpr int kRounds = 500;

// The exact mode of the kernels.
template <class K, class Input>
auto exact_tangents(K k, const Input& in) {
  return k.turned(k.dqs_exact(in.x, in.f, in.rest.p), in.rest);
}

struct Blend {
  Quaterniond c0, ce;  // [KCZO07 Eq. 4], written again
  Matrix3d R;
  Vector3d translation;
};

template <int N>
Blend eigen_blend(const RandomVertex<N>& v) {
  Eigen::Vector4d real(0, 0, 0, 0), dual(0, 0, 0, 0);
  for (int s = 0; s < N; ++s) {
    const double side = v.r[s].dot(v.r[0]) < 0 ? -1 : 1;
    real += v.w[s] * side * v.r[s].coeffs();
    dual += v.w[s] * side * v.dual_part(s).coeffs();
  }
  Blend blend{Quaterniond(real / real.norm()), Quaterniond(dual / real.norm()), {}, {}};
  blend.R = blend.c0.toRotationMatrix();
  blend.translation = 2 * (blend.ce * blend.c0.conjugate()).vec();
  return blend;
}

template <class Influences>
class DqsKernels : public testing::Test {};
template <int N>
using Count = std::integral_constant<int, N>;
using Counts = testing::Types<Count<1>, Count<2>, Count<3>, Count<4>, Count<8>>;
TYPED_TEST_SUITE(DqsKernels, Counts);

TYPED_TEST(DqsKernels, PositionIsTheBlendedMotion_KCZO07_Eq4) {
  constexpr int N = TypeParam::value;
  Random random(1);
  for (int round = 0; round < kRounds; ++round) {
    const RandomVertex<N> v(random);
    const Blend blend = eigen_blend(v);
    const Vector3d expected = blend.R * eigen(v.p) + blend.translation;
    const auto in = v.template as<double>();
    Kernels<double, N> k;
    EXPECT_LT((eigen(k.dqs_standard(in.x, in.rest).p) - expected).norm(), kRounding);
    EXPECT_LT((eigen(k.dqs_deform(in.x, in.f, in.rest).p) - expected).norm(), kRounding);
    EXPECT_LT((eigen(exact_tangents(k, in).p) - expected).norm(), kRounding);
  }
}

TYPED_TEST(DqsKernels, StandardTurnsTheFrameByTheBlendedRotation_TPS14_2_2) {
  constexpr int N = TypeParam::value;
  Random random(2);
  for (int round = 0; round < kRounds; ++round) {
    const RandomVertex<N> v(random);
    const Matrix3d R = eigen_blend(v).R;
    const auto in = v.template as<double>();
    const auto posed = Kernels<double, N>().dqs_standard(in.x, in.rest);
    EXPECT_LT((eigen(posed.n) - R * eigen(v.n)).norm(), kRounding);
    EXPECT_LT((eigen(posed.t) - R * eigen(v.t)).norm(), kRounding);
    EXPECT_LT((eigen(posed.b) - R * eigen(v.b)).norm(), kRounding);
  }
}

TYPED_TEST(DqsKernels, DeformAddsTheBonesMotionsToTheTurnedTangents_TPS14_4_5) {
  constexpr int N = TypeParam::value;
  Random random(3);
  for (int round = 0; round < kRounds; ++round) {
    const RandomVertex<N> v(random);
    const Matrix3d R = eigen_blend(v).R;
    Vector3d t = R * eigen(v.t), b = R * eigen(v.b);
    for (int s = 0; s < N; ++s) {
      t += v.alpha[s] * v.moved(s);
      b += v.beta[s] * v.moved(s);
    }
    const auto in = v.template as<double>();
    const auto posed = Kernels<double, N>().dqs_deform(in.x, in.f, in.rest);
    EXPECT_LT((eigen(posed.t) - t).norm(), kRounding);
    EXPECT_LT((eigen(posed.b) - b).norm(), kRounding);
    EXPECT_LT((eigen(posed.n) - t.cross(b)).norm(), 10 * kRounding);
  }
}

// Weights that change by alpha per step along t0 while the point itself moves along t0.
TYPED_TEST(DqsKernels, ExactTangentsAreDerivativesOfThePosition) {
  constexpr int N = TypeParam::value;
  using D = Dual<double>;
  Random random(4);
  for (int round = 0; round < kRounds; ++round) {
    const RandomVertex<N> v(random);
    const auto derivative = [&](const double* factor, Vec3d along) {
      auto in = v.template as<D>();
      for (int s = 0; s < N; ++s) in.x.w[s].d = factor[s];
      for (int i = 0; i < 3; ++i) in.rest.p[i].d = along[i];
      const Vec3<D> p = Kernels<D, N>().dqs_standard(in.x, in.rest).p;
      return Vector3d(p.x.d, p.y.d, p.z.d);
    };
    const Vector3d t = derivative(v.alpha, v.t), b = derivative(v.beta, v.b);
    const auto in = v.template as<double>();
    const auto posed = exact_tangents(Kernels<double, N>(), in);
    EXPECT_LT((eigen(posed.t) - t).norm(), kRounding);
    EXPECT_LT((eigen(posed.b) - b).norm(), kRounding);
    EXPECT_LT((eigen(posed.n) - t.cross(b)).norm(), 10 * kRounding);
  }
}

// q and -q are one motion: which of them a file or a conversion gives must not matter to a bit.
TYPED_TEST(DqsKernels, NegatingAnyDualQuaternionChangesNothing_KCZO07_4_1) {
  constexpr int N = TypeParam::value;
  Random random(5);
  for (int round = 0; round < kRounds; ++round) {
    const RandomVertex<N> v(random);
    for (int s = 0; s < N; ++s) {
      RandomVertex<N> negated = v;
      negated.sign[s] = -negated.sign[s];
      const auto a = v.template as<float>(), b = negated.template as<float>();
      Kernels<float, N> k;
      const auto expect_same = [](const auto& x, const auto& y) {
        EXPECT_EQ(x.p, y.p);
        EXPECT_EQ(x.t, y.t);
        EXPECT_EQ(x.b, y.b);
        EXPECT_EQ(x.n, y.n);
      };
      expect_same(k.dqs_standard(a.x, a.rest), k.dqs_standard(b.x, b.rest));
      expect_same(k.dqs_deform(a.x, a.f, a.rest), k.dqs_deform(b.x, b.f, b.rest));
      expect_same(exact_tangents(k, a), exact_tangents(k, b));
    }
  }
}

TYPED_TEST(DqsKernels, RigidMotionOfAllBonesIsExact) {
  constexpr int N = TypeParam::value;
  Random random(6);
  for (int round = 0; round < kRounds; ++round) {
    RandomVertex<N> v(random, 5);
    for (int s = 1; s < N; ++s) {
      v.r[s] = v.r[0];
      v.translation[s] = v.translation[0];
    }
    const Matrix3d R = v.r[0].toRotationMatrix();
    const auto in = v.template as<double>();
    Kernels<double, N> k;
    const double handedness = dot(cross(v.t, v.b), v.n) > 0 ? 1 : -1;
    const auto expect = [&](const auto& posed, double side) {
      EXPECT_LT((eigen(posed.p) - v.moved(0)).norm(), 10 * kRounding);
      EXPECT_LT((eigen(posed.t) - R * eigen(v.t)).norm(), 100 * kRounding);
      EXPECT_LT((eigen(posed.b) - R * eigen(v.b)).norm(), 100 * kRounding);
      EXPECT_LT((side * eigen(posed.n) - R * eigen(v.n)).norm(), 100 * kRounding);
    };
    expect(k.dqs_standard(in.x, in.rest), 1);
    expect(k.dqs_deform(in.x, in.f, in.rest), handedness);
    expect(exact_tangents(k, in), handedness);
  }
}

// N - 1 pairs of deform factors are stored.
TYPED_TEST(DqsKernels, FactorsOfSlotZeroAreNotRead_TPS14_Eq13) {
  constexpr int N = TypeParam::value;
  Random random(7);
  auto in = RandomVertex<N>(random).template as<double>();
  Kernels<double, N> k;
  const auto deform = k.dqs_deform(in.x, in.f, in.rest), exact = exact_tangents(k, in);
  in.f.alpha[0] = in.f.beta[0] = std::nan("");
  EXPECT_EQ(k.dqs_deform(in.x, in.f, in.rest).n, deform.n);
  EXPECT_EQ(exact_tangents(k, in).n, exact.n);
}

// Sums of up to 100 products of values below 10 in float, halved because roundings cancel.
constexpr double kFloat = 3e-5;

TYPED_TEST(DqsKernels, FloatFollowsDouble) {
  constexpr int N = TypeParam::value;
  Random random(8);
  for (int round = 0; round < kRounds; ++round) {
    const RandomVertex<N> v(random);
    const auto narrow = v.template as<float>();
    const auto wide = v.template as<double>();
    Kernels<float, N> f;
    Kernels<double, N> d;
    const auto expect = [&](const auto& in_float, const auto& in_double) {
      EXPECT_LT(length(Vec3d(in_float.p) - in_double.p), kFloat);
      EXPECT_LT(length(Vec3d(in_float.t) - in_double.t), kFloat * (1 + length(in_double.t)));
      EXPECT_LT(length(Vec3d(in_float.b) - in_double.b), kFloat * (1 + length(in_double.b)));
    };
    expect(f.dqs_standard(narrow.x, narrow.rest), d.dqs_standard(wide.x, wide.rest));
    expect(f.dqs_deform(narrow.x, narrow.f, narrow.rest), d.dqs_deform(wide.x, wide.f, wide.rest));
    expect(exact_tangents(f, narrow), exact_tangents(d, wide));
  }
}

TYPED_TEST(DqsKernels, PackEqualsFloatBitwise) {
  constexpr int N = TypeParam::value;
  using KP = typename Lanes<N>::KP;
  using KF = Kernels<float, N>;
  Random random(9);
  for (int round = 0; round < 50; ++round) {
    const Lanes<N> lanes(random);
    KP kp;
    KF kf;
    lanes.expect_equal(kp.dqs_standard(lanes.x, lanes.rest),
                       [&](auto& in) { return kf.dqs_standard(in.x, in.rest); });
    lanes.expect_equal(kp.dqs_deform(lanes.x, lanes.f, lanes.rest),
                       [&](auto& in) { return kf.dqs_deform(in.x, in.f, in.rest); });
    lanes.expect_equal(exact_tangents(kp, lanes), [&](auto& in) { return exact_tangents(kf, in); });
  }
}

// Operations as [TPS14 Table 1] counts them, the final normalisation left out.
template <int N, class Run>
long operations(Run run) {
  Random random(10);
  const auto in = RandomVertex<N>(random).template as<Counted>();
  Counted::reset();
  run(Kernels<Counted, N>(), in);
  return Counted::operations();
}

TYPED_TEST(DqsKernels, OperationsAreLinearInTheInfluences_Table1) {
  constexpr int N = TypeParam::value;
  const auto standard = operations<N>([](auto k, const auto&in) { k.dqs_standard(in.x, in.rest); }),
             deform = operations<N>([](auto k, const auto&in) { k.dqs_deform(in.x, in.f, in.rest); }),
             exact = operations<N>([](auto k, const auto&in) { exact_tangents(k, in); });
  EXPECT_EQ(standard, 20 * N + 59);
  EXPECT_EQ(deform, 56 * N + 47);
  EXPECT_EQ(exact, 36 * N + 164);
}

using K2 = Kernels<double, 2>;

K2::Quaternion kernel_quaternion(const Quaterniond& q) { return {q.w(), Vec3d(q.x(), q.y(), q.z())}; }
Quaterniond random_rotation(Random& random) {
  return Quaterniond(Eigen::AngleAxisd{random.uniform(-M_PI, M_PI), eigen(random.direction())});
}

TEST(QuaternionKernels, FollowEigen) {
  Random random(11);
  K2 k;
  for (int round = 0; round < kRounds; ++round) {
    const Quaterniond a = random_rotation(random), b = random_rotation(random);
    const Mat3d R = k.quaternion_matrix(kernel_quaternion(a));
    for (int c = 0; c < 3; ++c) EXPECT_LT((eigen(R[c]) - a.toRotationMatrix().col(c)).norm(), kRounding);
    EXPECT_LT((eigen(k.quaternion_vector_of_quotient(kernel_quaternion(a), kernel_quaternion(b))) -
               (a * b.conjugate()).vec())
                  .norm(),
              kRounding);
    EXPECT_NEAR(k.quaternion_dot(kernel_quaternion(a), kernel_quaternion(b)), a.dot(b), kRounding);
  }
}

TEST(QuaternionKernels, DualQuaternionMovesAPoint) {
  Random random(12);
  for (int round = 0; round < kRounds; ++round) {
    const RandomVertex<2> v(random);
    const auto in = v.as<double>();
    for (int s = 0; s < 2; ++s)
      EXPECT_LT((eigen(K2().dual_quaternion_point(in.x.q[s], v.p)) - v.moved(s)).norm(), kRounding);
  }
}

// Half a turn apart, both ways round are as long: any of them, but never a blend of length 0.
TEST(DqsBlend, OppositeRotationsStayFinite) {
  Random random(13);
  for (int round = 0; round < kRounds; ++round) {
    RandomVertex<2> v(random);
    v.r[1] = v.r[0] * Quaterniond(Eigen::AngleAxisd(M_PI, eigen(random.direction())));
    const auto in = v.as<float>();
    Kernels<float, 2> k;
    for (const auto& posed :
         {k.dqs_standard(in.x, in.rest), k.dqs_deform(in.x, in.f, in.rest), exact_tangents(k, in)})
      for (const Vec3f& x : {posed.p, posed.t, posed.b, posed.n}) EXPECT_TRUE(is_finite(Vec3d(x)));
  }
}

}  // namespace
}  // namespace skinlight
