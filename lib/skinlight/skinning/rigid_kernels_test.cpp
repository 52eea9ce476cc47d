// The kernels of all methods that blend rigid motions, on random vertices: positions against Eigen, exact
// tangents against autodiff of the position, invariances, every scalar.
#include <gtest/gtest.h>

#include <Eigen/Dense>
#include <cmath>
#include <unsupported/Eigen/MatrixFunctions>
#include <vector>

#include "skinlight/core/counted.h"
#include "skinlight/core/dual.h"
#include "skinlight/core/random.h"
#include "skinlight/skinning/kernel_table.h"
#include "testing/rigid_vertex.h"

namespace skinlight {
namespace {

using Eigen::Matrix3d;
using Eigen::Matrix4d;
using Eigen::Quaterniond;
using Eigen::Vector3d;
using test_rigid_vertex::Input;
using test_rigid_vertex::Lanes;
using test_rigid_vertex::RandomVertex;

constexpr double kRounding = 1e-12;  // two orders of the same sums of values below 10, in double
constexpr int kRounds = 300;

// x -> R x + translation, written again through Eigen.
struct Motion {
  Matrix3d R;
  Vector3d translation;
};

// The normalised sum of quaternions on the side of the first.
template <int N>
Matrix3d blended_rotation(const RandomVertex<N>& v) {
  Eigen::Vector4d sum(0, 0, 0, 0);
  for (int s = 0; s < N; ++s) sum += v.w[s] * (v.r[s].dot(v.r[0]) < 0 ? -1 : 1) * v.r[s].coeffs();
  return Quaterniond(sum.normalized()).toRotationMatrix();
}

template <int N>
Motion about(const RandomVertex<N>& v, Vec3d centre) {
  const Matrix3d R = blended_rotation(v);
  Vector3d moved(0, 0, 0);
  for (int s = 0; s < N; ++s) moved += v.w[s] * v.moved(s, centre);
  return {R, moved - R * eigen(centre)};
}

// How a method calls its kernels. operations_*: {per influence, besides} as [TPS14 Table 1] counts them.
struct Dqs {
  static constexpr double largest_angle = M_PI;
  static constexpr bool moves_centre = false;
  static constexpr long operations_standard[2] = {20, 59}, operations_exact[2] = {36, 164};
  static auto standard(auto k, const auto& in) { return k.dqs_standard(in.x, in.rest); }
  static auto exact(auto k, const auto& in) { return k.dqs_exact(in.x, in.f, in.rest.p); }
  static auto smoothed(auto k, const auto& in) { return k.dqs_smoothed(in.x, in.f, in.averaged, in.rest.p); }
  template <int N>
  static Motion expected(const RandomVertex<N>& v) {  // [KCZO07 Eq. 4]
    Eigen::Vector4d r(0, 0, 0, 0), d(0, 0, 0, 0);
    for (int s = 0; s < N; ++s) {
      const double w = v.w[s] * (v.r[s].dot(v.r[0]) < 0 ? -1 : 1);
      r += w * v.r[s].coeffs();
      d += w * v.dual_part(s).coeffs();
    }
    return {blended_rotation(v),
            2 * (Quaterniond(d / r.norm()) * Quaterniond(r / r.norm()).conjugate()).vec()};
  }
};

struct Crs {
  static constexpr double largest_angle = M_PI;
  static constexpr bool moves_centre = true;
  static constexpr long operations_standard[2] = {45, 45}, operations_exact[2] = {83, 138};
  static auto standard(auto k, const auto& in) { return k.crs_standard(in.x, in.centre.c, in.rest); }
  static auto exact(auto k, const auto& in) { return k.crs_exact(in.x, in.f, in.centre, in.rest.p); }
  static auto smoothed(auto k, const auto& in) {
    return k.crs_smoothed(in.x, in.f, in.averaged, in.centre, in.rest.p);
  }
  template <int N>
  static Motion expected(const RandomVertex<N>& v) {
    return about(v, v.centre);
  }
};

struct CrsFixedCentre : Crs {
  static constexpr bool moves_centre = false;
  static constexpr long operations_exact[2] = {59, 90};
  static auto exact(auto k, const auto& in) {
    return k.crs_exact_fixed_centre(in.x, in.f, in.centre.c, in.rest.p);
  }
  static auto smoothed(auto k, const auto& in) {
    return k.sbs_smoothed(in.x, in.f, in.averaged, in.centre.c, in.rest.p);
  }
};

struct Sbs : CrsFixedCentre {
  static auto standard(auto k, const auto& in) { return k.sbs_standard(in.x, in.centre.c, in.rest); }
  static auto exact(auto k, const auto& in) { return k.sbs_exact(in.x, in.f, in.centre.c, in.rest.p); }
};

struct Log {
  static constexpr double largest_angle = 3;  // Eigen's logarithm loses digits towards half a turn
  static constexpr bool moves_centre = false;
  static constexpr long operations_standard[2] = {12, 115}, operations_exact[2] = {24, 365};
  static auto standard(auto k, const auto& in) { return k.log_standard(in.twists, in.rest); }
  static auto exact(auto k, const auto& in) { return k.log_exact(in.twists, in.f, in.rest.p); }
  static auto smoothed(auto k, const auto& in) {
    return k.log_smoothed(in.twists, in.f, in.averaged, in.rest.p);
  }
  template <int N>
  static Motion expected(const RandomVertex<N>& v) {  // [Alexa02]: exp sum w log M, as 4x4 matrices
    Matrix4d sum = Matrix4d::Zero();
    for (int s = 0; s < N; ++s) {
      Matrix4d M = Matrix4d::Identity();
      M.topLeftCorner<3, 3>() = v.r[s].toRotationMatrix();
      M.topRightCorner<3, 1>() = v.translation[s];
      sum += v.w[s] * M.log();
    }
    const Matrix4d blend = sum.exp();
    return {blend.topLeftCorner<3, 3>(), blend.topRightCorner<3, 1>()};
  }
};

// The dual quaternion as the matrix by which it multiplies from the left.
using Matrix8d = Eigen::Matrix<double, 8, 8>;
Matrix8d left(const Quaterniond& r, const Quaterniond& d) {
  const auto block = [](const Quaterniond& q) {
    Matrix4d m;
    m << q.w(), -q.x(), -q.y(), -q.z(),  //
        q.x(), q.w(), -q.z(), q.y(),     //
        q.y(), q.z(), q.w(), -q.x(),     //
        q.z(), -q.y(), q.x(), q.w();
    return m;
  };
  Matrix8d m = Matrix8d::Zero();
  m.topLeftCorner<4, 4>() = m.bottomRightCorner<4, 4>() = block(r);
  m.bottomLeftCorner<4, 4>() = block(d);
  return m;
}

struct Dib {
  static constexpr double largest_angle = M_PI;
  static constexpr bool moves_centre = false;
  static constexpr long operations_standard[2] = {188, 194}, operations_exact[2] = {360, 504};
  static auto standard(auto k, const auto& in) { return k.dib_standard(in.x, in.rest); }
  static auto exact(auto k, const auto& in) { return k.dib_exact(in.x, in.f, in.rest.p); }
  static auto smoothed(auto k, const auto& in) { return k.dib_smoothed(in.x, in.f, in.averaged, in.rest.p); }
  template <int N>
  static Motion expected(const RandomVertex<N>& v) {  // [KCZO08]: c exp sum w log c* q, as 8x8 matrices
    std::vector<Matrix8d> q;
    Matrix8d blend = Matrix8d::Zero();
    for (int s = 0; s < N; ++s) {
      q.push_back((v.r[s].dot(v.r[0]) < 0 ? -1 : 1) * left(v.r[s], v.dual_part(s)));
      blend += v.w[s] * q.back();
    }
    // Over its length as a dual number, the square root of b* b.
    const Eigen::Vector4d r = blend.block<4, 1>(0, 0), d = blend.block<4, 1>(4, 0);
    const Eigen::Vector4d unit = r.normalized(), dual = (d - unit * unit.dot(d)) / r.norm();
    const auto quaternion = [](const Eigen::Vector4d& x) { return Quaterniond(x[0], x[1], x[2], x[3]); };
    const Matrix8d c = left(quaternion(unit), quaternion(dual)),
                   inverse = left(quaternion(unit).conjugate(), quaternion(dual).conjugate());
    Matrix8d step = Matrix8d::Zero();
    for (int s = 0; s < N; ++s) step += v.w[s] * (inverse * q[static_cast<std::size_t>(s)]).log();
    const Matrix8d m = c * step.exp();
    const Quaterniond R = quaternion(m.block<4, 1>(0, 0)), D = quaternion(m.block<4, 1>(4, 0));
    return {R.toRotationMatrix(), 2 * (D * R.conjugate()).vec()};
  }
};

template <class Method_, int N_>
struct Case {
  using Method = Method_;
  static constexpr int N = N_;
};
template <class C>
class RigidKernels : public testing::Test {
 protected:
  using Of = typename C::Method;
  static constexpr int kSlots = C::N;
  static RandomVertex<kSlots> vertex(Random& random, double steepness = .5) {
    return RandomVertex<kSlots>(random, steepness, Of::largest_angle);
  }
  template <class Real>
  static auto exact(const Input<Real, kSlots>& in) {
    Kernels<Real, kSlots> k;
    return k.turned(Of::exact(k, in), in.rest);
  }
  template <class Real>
  static auto smoothed(const Input<Real, kSlots>& in) {
    Kernels<Real, kSlots> k;
    return k.turned(Of::smoothed(k, in), in.rest);
  }
  template <class Real>
  static auto standard(const Input<Real, kSlots>& in) {
    return Of::standard(Kernels<Real, kSlots>(), in);
  }
};
// Dual quaternions have more tests of their own: dqs_kernels_test.cpp.
using Cases = testing::Types<Case<Dqs, 2>, Case<Dqs, 4>,                                             //
                             Case<Crs, 1>, Case<Crs, 2>, Case<Crs, 4>, Case<Crs, 8>, Case<Crs, 16>,  //
                             Case<CrsFixedCentre, 4>, Case<Sbs, 2>, Case<Sbs, 4>,                    //
                             Case<Log, 1>, Case<Log, 2>, Case<Log, 4>, Case<Log, 8>, Case<Log, 16>,  //
                             Case<Dib, 1>, Case<Dib, 2>, Case<Dib, 4>, Case<Dib, 8>, Case<Dib, 16>>;

struct CaseNames {
  template <class C>
  static std::string GetName(int) {
    using M = typename C::Method;
    const char* name = std::is_same_v<M, Dqs>              ? "Dqs"
                       : std::is_same_v<M, Crs>            ? "Crs"
                       : std::is_same_v<M, CrsFixedCentre> ? "CrsFixedCentre"
                       : std::is_same_v<M, Sbs>            ? "Sbs"
                       : std::is_same_v<M, Log>            ? "Log"
                                                           : "Dib";
    return name + std::to_string(C::N);
  }
};
TYPED_TEST_SUITE(RigidKernels, Cases, CaseNames);

TYPED_TEST(RigidKernels, PositionAndStandardFrameAreTheBlendedMotion) {
  Random random(1);
  for (int round = 0; round < kRounds; ++round) {
    const auto v = this->vertex(random);
    const Motion motion = TypeParam::Method::expected(v);
    const auto in = v.template as<double>();
    const auto posed = this->standard(in);
    const Vector3d p = motion.R * eigen(v.p) + motion.translation;
    EXPECT_LT((eigen(posed.p) - p).norm(), kRounding);
    EXPECT_LT((eigen(posed.t) - motion.R * eigen(v.t)).norm(), kRounding);
    EXPECT_LT((eigen(posed.b) - motion.R * eigen(v.b)).norm(), kRounding);
    EXPECT_LT((eigen(posed.n) - motion.R * eigen(v.n)).norm(), kRounding);
    EXPECT_LT((eigen(this->exact(in).p) - p).norm(), kRounding);
    EXPECT_LT((eigen(this->smoothed(in).p) - p).norm(), kRounding);  // at the vertex's own weights
  }
}

// The derivative of the position along `along`, where weights change by `factor` and the centre by `centre`.
template <class M, int N>
Vector3d derivative(const RandomVertex<N>& v, const double* weights, const double* factor, Vec3d along,
                    Vec3d centre) {
  using D = Dual<double>;
  auto in = v.template as<D>();
  for (int s = 0; s < N; ++s) in.x.w[s] = in.twists.w[s] = D(weights[s], factor[s]);
  for (int i = 0; i < 3; ++i) {
    in.rest.p[i].d = along[i];
    if (M::moves_centre) in.centre.c[i].d = centre[i];
  }
  const Vec3<D> p = M::standard(Kernels<D, N>(), in).p;
  return {p.x.d, p.y.d, p.z.d};
}

TYPED_TEST(RigidKernels, ExactTangentsAreDerivativesOfThePosition) {
  using M = typename TypeParam::Method;
  Random random(2);
  for (int round = 0; round < kRounds; ++round) {
    const auto v = this->vertex(random);
    const auto posed = this->exact(v.template as<double>());
    const Vector3d t = derivative<M>(v, v.w, v.alpha, v.t, v.centre_along_t),
                   b = derivative<M>(v, v.w, v.beta, v.b, v.centre_along_b);
    EXPECT_LT((eigen(posed.t) - t).norm(), kRounding * (1 + t.norm()));
    EXPECT_LT((eigen(posed.b) - b).norm(), kRounding * (1 + b.norm()));
    EXPECT_LT((eigen(posed.n) - t.cross(b)).norm(), kRounding * (1 + t.norm()) * (1 + b.norm()));
  }
}

// A small derivative would hide in the tolerance above.
TYPED_TEST(RigidKernels, VaryingWeightsTiltTheTangents) {
  if (TypeParam::N == 1) return;
  Random random(3);
  double largest = 0;
  for (int round = 0; round < 20; ++round) {
    const auto in = this->vertex(random).template as<double>();
    largest = std::max(largest, length(this->exact(in).t - this->standard(in).t));
  }
  EXPECT_GT(largest, .3);
}

TYPED_TEST(RigidKernels, SmoothedTangentsAreTheDerivativeAtTheAveragedWeights) {
  using M = typename TypeParam::Method;
  constexpr bool fixed = std::is_same_v<M, CrsFixedCentre>;
  using Moving = std::conditional_t<fixed, Sbs, M>;
  Random random(4);
  for (int round = 0; round < kRounds; ++round) {
    const auto v = this->vertex(random);
    const auto posed = this->smoothed(v.template as<double>());
    const Vector3d t = derivative<Moving>(v, v.averaged, v.alpha, v.t, v.centre_along_t),
                   b = derivative<Moving>(v, v.averaged, v.beta, v.b, v.centre_along_b);
    EXPECT_LT((eigen(posed.t) - t).norm(), kRounding * (1 + t.norm()));
    EXPECT_LT((eigen(posed.b) - b).norm(), kRounding * (1 + b.norm()));
  }
}

// q and -q are one motion: which of them a file or a conversion gives must not matter to a bit.
TYPED_TEST(RigidKernels, NegatingAnyQuaternionChangesNothing) {
  constexpr int N = TypeParam::N;
  Random random(5);
  for (int round = 0; round < kRounds / 10; ++round) {
    const auto v = this->vertex(random);
    for (int s = 0; s < N; ++s) {
      auto negated = v;
      negated.sign[s] = -negated.sign[s];
      const auto a = v.template as<float>(), b = negated.template as<float>();
      const auto expect_same = [](const auto& x, const auto& y) {
        EXPECT_EQ(x.p, y.p);
        EXPECT_EQ(x.t, y.t);
        EXPECT_EQ(x.b, y.b);
        EXPECT_EQ(x.n, y.n);
      };
      expect_same(this->standard(a), this->standard(b));
      expect_same(this->exact(a), this->exact(b));
      expect_same(this->smoothed(a), this->smoothed(b));
    }
  }
}

TYPED_TEST(RigidKernels, RigidMotionOfAllBonesIsExact) {
  constexpr int N = TypeParam::N;
  Random random(6);
  for (int round = 0; round < kRounds; ++round) {
    RandomVertex<N> v(random, 5);
    for (int s = 1; s < N; ++s) {
      v.r[s] = v.r[0];
      v.translation[s] = v.translation[0];
    }
    const Matrix3d R = v.r[0].toRotationMatrix();
    const auto in = v.template as<double>();
    const double handedness = dot(cross(v.t, v.b), v.n) > 0 ? 1 : -1;
    const auto expect = [&](const auto& posed, double side) {
      EXPECT_LT((eigen(posed.p) - v.moved(0)).norm(), 10 * kRounding);
      EXPECT_LT((eigen(posed.t) - R * eigen(v.t)).norm(), 100 * kRounding);
      EXPECT_LT((eigen(posed.b) - R * eigen(v.b)).norm(), 100 * kRounding);
      EXPECT_LT((side * eigen(posed.n) - R * eigen(v.n)).norm(), 100 * kRounding);
    };
    expect(this->standard(in), 1);
    expect(this->exact(in), handedness);
    expect(this->smoothed(in), handedness);
  }
}

// N - 1 pairs of deform factors are stored.
TYPED_TEST(RigidKernels, FactorsOfSlotZeroAreNotRead_TPS14_Eq13) {
  Random random(7);
  auto in = this->vertex(random).template as<double>();
  const auto exact = this->exact(in), smoothed = this->smoothed(in);
  in.f.alpha[0] = in.f.beta[0] = in.averaged.w[0] = std::nan("");
  EXPECT_EQ(this->exact(in).n, exact.n);
  EXPECT_EQ(this->smoothed(in).n, smoothed.n);
}

// Sums of up to 200 products of values below 10 in float, halved because roundings cancel. For LOG the error
// of the rotation vector is magnified by the length of the point.
TYPED_TEST(RigidKernels, FloatFollowsDouble) {
  constexpr double kFloat = 3e-5;
  Random random(8);
  for (int round = 0; round < kRounds; ++round) {
    const auto v = this->vertex(random);
    const auto narrow = v.template as<float>();
    const auto wide = v.template as<double>();
    const auto expect = [&](const auto& in_float, const auto& in_double) {
      EXPECT_LT(length(Vec3d(in_float.p) - in_double.p), kFloat);
      EXPECT_LT(length(Vec3d(in_float.t) - in_double.t), kFloat * (1 + length(in_double.t)));
      EXPECT_LT(length(Vec3d(in_float.b) - in_double.b), kFloat * (1 + length(in_double.b)));
    };
    expect(this->standard(narrow), this->standard(wide));
    expect(this->exact(narrow), this->exact(wide));
    expect(this->smoothed(narrow), this->smoothed(wide));
  }
}

TYPED_TEST(RigidKernels, PackEqualsFloatBitwise) {
  constexpr int N = TypeParam::N;
  Random random(9);
  for (int round = 0; round < 20; ++round) {
    const Lanes<N> lanes(random);
    lanes.expect_equal(this->standard(lanes), [&](auto& in) { return this->standard(in); });
    lanes.expect_equal(this->exact(lanes), [&](auto& in) { return this->exact(in); });
    lanes.expect_equal(this->smoothed(lanes), [&](auto& in) { return this->smoothed(in); });
  }
}

// Operations as [TPS14 Table 1] counts them, the final normalisation left out.
TYPED_TEST(RigidKernels, OperationsAreLinearInTheInfluences_Table1) {
  constexpr int N = TypeParam::N;
  using M = typename TypeParam::Method;
  Random random(10);
  const auto in = RandomVertex<N>(random).template as<Counted>();
  Counted::reset();
  this->standard(in);
  EXPECT_EQ(Counted::operations(), M::operations_standard[0] * N + M::operations_standard[1]);
  Counted::reset();
  this->exact(in);
  EXPECT_EQ(Counted::operations(), M::operations_exact[0] * N + M::operations_exact[1]);
}

// The terms that guards act on join to the same tangents.
TYPED_TEST(RigidKernels, TermsOfGuardsJoinToTheExactTangents) {
  constexpr int N = TypeParam::N;
  Random random(11);
  const auto in = this->vertex(random).template as<double>();
  Kernels<double, N> k;
  const auto terms = k.tangent_terms(TypeParam::Method::exact(k, in), in.rest);
  const auto exact = this->exact(in), standard = this->standard(in);
  EXPECT_EQ(k.joined(terms).p, exact.p);
  EXPECT_EQ(k.joined(terms).t, exact.t);
  EXPECT_EQ(k.joined(terms).b, exact.b);
  EXPECT_LT(length(terms.Tt - standard.t), kRounding);
  EXPECT_LT(length(terms.Tb - standard.b), kRounding);
  EXPECT_LT(length(terms.Tn - standard.n), kRounding);
}

}  // namespace
}  // namespace skinlight
