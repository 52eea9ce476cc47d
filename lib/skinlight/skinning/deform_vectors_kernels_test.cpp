// The kernels of deform vectors and smooth weights on random vertices: against Eigen, in every scalar.
#include <gtest/gtest.h>

#include <Eigen/Dense>
#include <bit>
#include <cmath>
#include <cstdint>

#include "skinlight/core/counted.h"
#include "skinlight/core/detail/eigen.h"
#include "skinlight/core/pack.h"
#include "skinlight/core/random.h"
#include "skinlight/skinning/kernel_table.h"
#include "testing/rigs.h"

namespace skinlight {
namespace {

using Eigen::Matrix3d;
using Eigen::Vector3d;

constexpr double kRounding = 1e-12;  // two orders of the same sums of values below 10, in double
constexpr int kRounds = 300;

// One random vertex with any affine transforms, deform vectors and factors that need not belong together.
template <int N>
struct RandomVertex {
  double w[N], smooth[N], alpha[N], beta[N];
  Vec3d t[N], b[N];
  Mat4x3d M[N];
  Vec3d p, n, t0, b0;

  explicit RandomVertex(Random& random) {
    for (double* weights : {w, smooth}) {
      double sum = 0;
      for (int s = 0; s < N; ++s) sum += weights[s] = random.uniform(.05, 1);
      for (int s = 0; s < N; ++s) weights[s] /= sum;
    }
    for (Mat4x3d& m : M) m = test_rigs::random_affine(random, 1.2);
    for (int s = 0; s < N; ++s) {
      t[s] = random.in_cube(.7);
      b[s] = random.in_cube(.7);
      alpha[s] = random.uniform(-.5, .5);
      beta[s] = random.uniform(-.5, .5);
    }
    p = random.in_cube(2);
    n = random.direction();
    t0 = normalize(cross(n, random.direction()));
    const double side = random.below(2) == 0 ? 1.0 : -1.0;
    b0 = normalize(cross(n, t0) * side + t0 * random.uniform(-.5, .5));
  }

  template <class Real>
  struct Input {
    using K = Kernels<Real, N>;
    typename K::Influences x;
    typename K::DeformFactors f;
    typename K::DeformVectors v;
    typename K::SmoothWeights smooth;
    typename K::RestVertex rest;
  };
  template <class Real>
  Input<Real> as() const {
    using V = Vec3<Real>;
    Input<Real> in;
    for (int s = 0; s < N; ++s) {
      in.x.w[s] = Real(w[s]);
      in.x.M[s] = Mat4x3<Real>(M[s]);
      in.f.alpha[s] = in.v.alpha[s] = Real(alpha[s]);
      in.f.beta[s] = in.v.beta[s] = Real(beta[s]);
      in.v.t[s] = V(t[s]);
      in.v.b[s] = V(b[s]);
      in.smooth.w[s] = Real(smooth[s]);
    }
    in.rest = {V(p), V(n), V(t0), V(b0)};
    return in;
  }
};

// sum_s M[s] tau[s] over homogeneous 4-vectors measured from the origin, tau[0] from the closed sum.
template <int N>
Vector3d expected_tangent(const RandomVertex<N>& v, const Vec3d* parts, const double* fourth, Vec3d rest) {
  Eigen::Vector4d first;
  first << eigen(rest), 0;
  Vector3d sum = Vector3d::Zero();
  for (int s = 1; s < N; ++s) {
    Eigen::Vector4d tau;
    tau << eigen(parts[s] + v.p * fourth[s]), fourth[s];
    sum += eigen(v.M[s]) * tau;
    first -= tau;
  }
  return sum + eigen(v.M[0]) * first;
}

template <int N>
Matrix3d expected_blend(const RandomVertex<N>& v, const double* w) {
  Matrix3d T = Matrix3d::Zero();
  double rest = 1;
  for (int s = 1; s < N; ++s) {
    T += w[s] * eigen(v.M[s]).template leftCols<3>();
    rest -= w[s];
  }
  return T + rest * eigen(v.M[0]).template leftCols<3>();
}

template <class Influences>
class VectorKernels : public testing::Test {};
template <int N>
using Count = std::integral_constant<int, N>;
using Counts = testing::Types<Count<1>, Count<2>, Count<3>, Count<4>, Count<8>, Count<16>>;
TYPED_TEST_SUITE(VectorKernels, Counts);

TYPED_TEST(VectorKernels, TangentsAreTheSumsOfTheBonesOverTheVectors) {
  constexpr int N = TypeParam::value;
  Random random(1);
  for (int round = 0; round < kRounds; ++round) {
    const RandomVertex<N> v(random);
    const auto in = v.template as<double>();
    const auto posed = Kernels<double, N>().lbs_deform_vectors(in.x, in.v, in.rest);
    const Vector3d t = expected_tangent(v, v.t, v.alpha, v.t0), b = expected_tangent(v, v.b, v.beta, v.b0);
    Vector3d p = eigen(v.M[0]) * eigen(v.p).homogeneous() * (1 - [&] {
                   double others = 0;
                   for (int s = 1; s < N; ++s) others += v.w[s];
                   return others;
                 }());
    for (int s = 1; s < N; ++s) p += v.w[s] * (eigen(v.M[s]) * eigen(v.p).homogeneous());
    EXPECT_LT((eigen(posed.p) - p).norm(), N * kRounding);
    EXPECT_LT((eigen(posed.t) - t).norm(), N * kRounding);
    EXPECT_LT((eigen(posed.b) - b).norm(), N * kRounding);
    EXPECT_LT((eigen(posed.n) - t.cross(b)).norm(), 100 * N * kRounding);
  }
}

TYPED_TEST(VectorKernels, DeformFactorsAreTheCaseOfWeightedTangents_Eq13) {
  constexpr int N = TypeParam::value;
  Random random(2);
  for (int round = 0; round < kRounds; ++round) {
    RandomVertex<N> v(random);
    const auto with = [&](const double* w) {
      for (int s = 0; s < N; ++s) {
        v.t[s] = v.t0 * w[s];
        v.b[s] = v.b0 * w[s];
      }
      return v.template as<double>();
    };
    Kernels<double, N> k;
    auto in = with(v.w);
    EXPECT_LT(length(k.lbs_deform_vectors(in.x, in.v, in.rest).n - k.lbs_deform(in.x, in.f, in.rest).n),
              100 * N * kRounding);
    in = with(v.smooth);
    EXPECT_LT(length(k.lbs_deform_vectors(in.x, in.v, in.rest).n -
                     k.lbs_smoothed(in.x, in.f, in.smooth, in.rest).n),
              100 * N * kRounding);
  }
}

TYPED_TEST(VectorKernels, SmoothWeightsBlendTheFirstTermOnly) {
  constexpr int N = TypeParam::value;
  Random random(3);
  for (int round = 0; round < kRounds; ++round) {
    const RandomVertex<N> v(random);
    const auto in = v.template as<double>();
    Kernels<double, N> k;
    const auto smoothed = k.lbs_smoothed(in.x, in.f, in.smooth, in.rest),
               plain = k.lbs_deform(in.x, in.f, in.rest);
    EXPECT_EQ(smoothed.p, plain.p);
    const Matrix3d change = expected_blend(v, v.smooth) - expected_blend(v, v.w);
    EXPECT_LT((eigen(smoothed.t - plain.t) - change * eigen(v.t0)).norm(), N * kRounding);
    EXPECT_LT((eigen(smoothed.b - plain.b) - change * eigen(v.b0)).norm(), N * kRounding);
    EXPECT_LT((eigen(smoothed.n) - eigen(smoothed.t).cross(eigen(smoothed.b))).norm(), 100 * kRounding);
  }
}

TYPED_TEST(VectorKernels, RigidMotionsAreExact) {
  constexpr int N = TypeParam::value;
  Random random(4);
  for (int round = 0; round < kRounds; ++round) {
    RandomVertex<N> v(random);
    const Vec3d axis = random.direction();
    const Mat3d R = test_rigs::rotation(axis, random.uniform(-3, 3));
    for (Mat4x3d& m : v.M) m = test_rigs::transform(R, Vec3d(1, 2, 3));
    const auto in = v.template as<double>();
    Kernels<double, N> k;
    const double side = dot(cross(v.t0, v.b0), v.n) > 0 ? 1 : -1;
    for (const auto& posed :
         {k.lbs_deform_vectors(in.x, in.v, in.rest), k.lbs_smoothed(in.x, in.f, in.smooth, in.rest)}) {
      const auto unit = k.finish(posed, in.rest, side);
      EXPECT_LT(length(unit.n - R * v.n), 100 * N * kRounding);
      EXPECT_LT(length(unit.t - R * v.t0), 10 * N * kRounding);
    }
  }
}

// Guards act on what the tangents have beyond their rigid part.
TYPED_TEST(VectorKernels, GuardsShortenTheNonRigidPart_TPS14_4_4) {
  constexpr int N = TypeParam::value;
  Random random(5);
  int clamped = 0, fixed = 0;
  for (int round = 0; round < kRounds; ++round) {
    RandomVertex<N> v(random);
    for (Mat4x3d& m : v.M) m = test_rigs::random_rigid(random, .8, .5);
    const auto in = v.template as<double>();
    Kernels<double, N> k;
    const auto check = [&](const Matrix3d& T, const auto& free, const auto& clamp, const auto& joint,
                           const auto& fix) {
      const Vector3d Tt = T * eigen(v.t0), Tb = T * eigen(v.b0), Tn = T * eigen(v.n);
      const Vector3d d = eigen(free.t) - Tt, e = eigen(free.b) - Tb;
      const auto shortened = [](const Vector3d& x, double limit) -> Vector3d {
        return x.norm() > limit ? Vector3d(x * (limit / x.norm())) : x;
      };
      EXPECT_LT((eigen(clamp.t) - Tt - shortened(d, .3)).norm(), 1e-10);
      EXPECT_LT((eigen(clamp.b) - Tb - shortened(e, .3)).norm(), 1e-10);
      clamped += d.norm() > .3;
      // joint: both by one factor.
      const Vector3d dj = eigen(joint.t) - Tt, ej = eigen(joint.b) - Tb;
      EXPECT_LT((dj * e.norm() - d * ej.norm()).norm(), 1e-9);
      EXPECT_LE(std::hypot(dj.norm(), ej.norm()), std::hypot(d.norm(), e.norm()) + 1e-9);
      // test-then-fix keeps the standard side of T n0.
      const double standard = Tt.cross(Tb).dot(Tn);
      if (std::abs(standard) > .05) {
        EXPECT_GE(eigen(fix.n).dot(Tn) / standard, .1 - 1e-6);
        fixed += eigen(free.n).dot(Tn) / standard < .1;
      }
      EXPECT_LT(length(clamp.p - free.p), N * kRounding);
      EXPECT_LT(length(fix.p - free.p), N * kRounding);
    };
    check(expected_blend(v, v.w), k.lbs_deform_vectors(in.x, in.v, in.rest),
          k.joined(k.guard_clamp(k.lbs_deform_vectors_terms(in.x, in.v, in.rest), .3)),
          k.joined(k.guard_joint(k.lbs_deform_vectors_terms(in.x, in.v, in.rest), .5)),
          k.joined(k.guard_test_then_fix(k.lbs_deform_vectors_terms(in.x, in.v, in.rest), 1e30, .1)));
    check(expected_blend(v, v.smooth), k.lbs_smoothed(in.x, in.f, in.smooth, in.rest),
          k.joined(k.guard_clamp(k.lbs_smoothed_terms(in.x, in.f, in.smooth, in.rest), .3)),
          k.joined(k.guard_joint(k.lbs_smoothed_terms(in.x, in.f, in.smooth, in.rest), .5)),
          k.joined(k.guard_test_then_fix(k.lbs_smoothed_terms(in.x, in.f, in.smooth, in.rest), 1e30, .1)));
  }
  if (N > 1) {
    EXPECT_GT(clamped, 50);
    EXPECT_GT(fixed, 5);
  }
}

TYPED_TEST(VectorKernels, SlotZeroIsNotRead) {
  constexpr int N = TypeParam::value;
  Random random(6);
  const RandomVertex<N> v(random);
  auto in = v.template as<double>();
  Kernels<double, N> k;
  const auto vectors = k.lbs_deform_vectors(in.x, in.v, in.rest),
             smoothed = k.lbs_smoothed(in.x, in.f, in.smooth, in.rest);
  in.v.alpha[0] = in.v.beta[0] = in.f.alpha[0] = in.f.beta[0] = in.smooth.w[0] = std::nan("");
  in.v.t[0] = in.v.b[0] = Vec3d(std::nan(""));
  EXPECT_EQ(k.lbs_deform_vectors(in.x, in.v, in.rest).n, vectors.n);
  EXPECT_EQ(k.lbs_smoothed(in.x, in.f, in.smooth, in.rest).n, smoothed.n);
}

template <int N, class Run>
long operations(Run run) {
  Random random(7);
  const auto in = RandomVertex<N>(random).template as<Counted>();
  Counted::reset();
  run(Kernels<Counted, N>(), in);
  return Counted::operations();
}

// As [TPS14 Table 1] counts, where the paper's factors take 30 N + 12 as printed, 33 N + 12 with translations first, and standard normals 12 N + 36.
TYPED_TEST(VectorKernels, OperationsAreLinearInTheSlots_Table1) {
  constexpr int N = TypeParam::value;
  EXPECT_EQ(operations<N>([](auto k, const auto& in) { k.lbs_deform_vectors(in.x, in.v, in.rest); }),
            48 * N - 12);
  EXPECT_EQ(operations<N>([](auto k, const auto& in) { k.lbs_smoothed(in.x, in.f, in.smooth, in.rest); }),
            34 * N + 11);
}

// Sums of up to 100 products of values below 10 in float, as in kernels_test.cpp.
constexpr double kFloat = 3e-5;

TYPED_TEST(VectorKernels, FloatFollowsDouble) {
  constexpr int N = TypeParam::value;
  Random random(8);
  for (int round = 0; round < kRounds; ++round) {
    const RandomVertex<N> v(random);
    const auto narrow = v.template as<float>();
    const auto wide = v.template as<double>();
    const auto expect = [](const auto& f, const auto& d) {
      EXPECT_LT(length(Vec3d(f.p) - d.p), kFloat);
      EXPECT_LT(length(Vec3d(f.t) - d.t), kFloat);
      EXPECT_LT(length(Vec3d(f.b) - d.b), kFloat);
      EXPECT_LT(length(Vec3d(f.n) - d.n), kFloat * 4 * (1 + length(d.t) + length(d.b)));
    };
    Kernels<float, N> f;
    Kernels<double, N> d;
    expect(f.lbs_deform_vectors(narrow.x, narrow.v, narrow.rest),
           d.lbs_deform_vectors(wide.x, wide.v, wide.rest));
    expect(f.lbs_smoothed(narrow.x, narrow.f, narrow.smooth, narrow.rest),
           d.lbs_smoothed(wide.x, wide.f, wide.smooth, wide.rest));
  }
}

constexpr int kLanes = 8;
using P = Pack<kLanes>;

template <class Get>
P gather(Get get) {
  float lanes[kLanes];
  for (int i = 0; i < kLanes; ++i) lanes[i] = get(i);
  return P::load(lanes);
}
template <class Get>
Vec3<P> gather_vec3(Get get) {
  return {gather([&](int i) { return get(i).x; }), gather([&](int i) { return get(i).y; }),
          gather([&](int i) { return get(i).z; })};
}

TYPED_TEST(VectorKernels, PackEqualsFloatBitwise) {
  constexpr int N = TypeParam::value;
  using KP = Kernels<P, N>;
  Random random(9);
  for (int round = 0; round < 20; ++round) {
    std::vector<typename RandomVertex<N>::template Input<float>> lane;
    for (int i = 0; i < kLanes; ++i) lane.push_back(RandomVertex<N>(random).template as<float>());
    const auto at = [&](int i) -> auto& { return lane[static_cast<std::size_t>(i)]; };
    typename KP::Influences x;
    typename KP::DeformFactors f;
    typename KP::DeformVectors v;
    typename KP::SmoothWeights smooth;
    for (int s = 0; s < N; ++s) {
      x.w[s] = gather([&](int i) { return at(i).x.w[s]; });
      for (int c = 0; c < 4; ++c) x.M[s][c] = gather_vec3([&](int i) { return at(i).x.M[s][c]; });
      f.alpha[s] = v.alpha[s] = gather([&](int i) { return at(i).v.alpha[s]; });
      f.beta[s] = v.beta[s] = gather([&](int i) { return at(i).v.beta[s]; });
      v.t[s] = gather_vec3([&](int i) { return at(i).v.t[s]; });
      v.b[s] = gather_vec3([&](int i) { return at(i).v.b[s]; });
      smooth.w[s] = gather([&](int i) { return at(i).smooth.w[s]; });
    }
    const typename KP::RestVertex rest = {
        gather_vec3([&](int i) { return at(i).rest.p; }), gather_vec3([&](int i) { return at(i).rest.n; }),
        gather_vec3([&](int i) { return at(i).rest.t; }), gather_vec3([&](int i) { return at(i).rest.b; })};
    const auto expect = [&](const Vec3<P>& eight, const auto& one) {
      for (int c = 0; c < 3; ++c) {
        float values[kLanes];
        eight[c].store(values);
        for (int i = 0; i < kLanes; ++i)
          EXPECT_EQ(std::bit_cast<std::uint32_t>(values[i]), std::bit_cast<std::uint32_t>(one(at(i)).n[c]));
      }
    };
    KP kp;
    Kernels<float, N> kf;
    expect(kp.lbs_deform_vectors(x, v, rest).n,
           [&](auto& in) { return kf.lbs_deform_vectors(in.x, in.v, in.rest); });
    expect(kp.joined(kp.lbs_deform_vectors_terms(x, v, rest)).n,
           [&](auto& in) { return kf.joined(kf.lbs_deform_vectors_terms(in.x, in.v, in.rest)); });
    expect(kp.lbs_smoothed(x, f, smooth, rest).n,
           [&](auto& in) { return kf.lbs_smoothed(in.x, in.f, in.smooth, in.rest); });
  }
}

}  // namespace
}  // namespace skinlight
