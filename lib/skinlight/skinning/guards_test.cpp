// The guards of [TPS14 Sec. 4.4] and ours on random tangents: against Eigen, by what they promise, in every
// scalar.
#include <gtest/gtest.h>

#include <Eigen/Dense>
#include <bit>
#include <cmath>
#include <cstdint>
#include <limits>

#include "skinlight/core/counted.h"
#include "skinlight/core/pack.h"
#include "skinlight/core/random.h"
#include "skinlight/core/vulkan_float.h"
#include "skinlight/skinning/kernel_table.h"
#include "testing/rigs.h"

namespace skinlight {
namespace {

using K = Kernels<double, 4>;
using Terms = K::TangentTerms;

constexpr double kRounding = 1e-12;  // some ten operations on values below 100, in double

// Tangents of a vertex whose bones turn by up to `angle` and scale by `scale`; second terms up to `reach`
// times that. Half of the frames are left-handed, t0 and b0 need not be orthogonal.
Terms random_terms(Random& random, double angle, double reach, double scale = 1) {
  double w[4], sum = 0;
  for (double& x : w) sum += x = random.uniform();
  Mat3d T(Vec3d(0.0), Vec3d(0.0), Vec3d(0.0));
  for (const double x : w) {
    const Vec3d axis = random.direction();
    T = T + test_rigs::rotation(axis, random.uniform(-angle, angle)) * (x / sum * scale);
  }
  const Vec3d n = random.direction(), t = normalize(cross(n, random.direction()));
  const double side = random.below(2) == 0 ? 1.0 : -1.0;
  const Vec3d b = normalize(cross(n, t) * side + t * random.uniform(-.5, .5));
  return {
      random.in_cube(1), T * t, T * b, T * n, random.in_cube(reach * scale), random.in_cube(reach * scale)};
}

Vec3d normal(const Terms& k) { return cross(k.Tt + k.d, k.Tb + k.e); }
// What is left of the standard normal's height: along T t0 x T b0, along T n0.
double share_against_pair(const Terms& k) {
  const Vec3d standard = cross(k.Tt, k.Tb);
  return dot(normal(k), standard) / dot(standard, standard);
}
double share_against_normal(const Terms& k) { return dot(normal(k), k.Tn) / dot(cross(k.Tt, k.Tb), k.Tn); }

void expect_first_terms_kept(const Terms& before, const Terms& after) {
  EXPECT_EQ(after.p, before.p);
  EXPECT_EQ(after.Tt, before.Tt);
  EXPECT_EQ(after.Tb, before.Tb);
  EXPECT_EQ(after.Tn, before.Tn);
}

// The paper's clamp.

TEST(Clamp, BoundsBothTermsAndKeepsTheirDirection_Sec4_4) {
  Random random(12);
  int clamped = 0, untouched = 0;
  for (int round = 0; round < 1000; ++round) {
    const Terms before = random_terms(random, 1, random.uniform(.01, 3));
    const double limit = random.uniform(.2, 2);
    const Terms after = K().guard_clamp(before, limit);
    expect_first_terms_kept(before, after);
    for (const auto& [x, y] : {std::pair{before.d, after.d}, {before.e, after.e}}) {
      if (length(x) <= limit) {
        EXPECT_EQ(y, x);
        ++untouched;
      } else {
        EXPECT_NEAR(length(y), limit, kRounding);
        EXPECT_LT(length(y - x * (limit / length(x))), kRounding);
        ++clamped;
      }
    }
  }
  EXPECT_GT(clamped, 100);
  EXPECT_GT(untouched, 100);
}

// n . n_std of a rigid T whose second terms are clamped to c.
double side_after_clamp(Vec3d d, Vec3d e, double c) {
  return share_against_normal(K().guard_clamp({Vec3d(0.0), {1, 0, 0}, {0, 1, 0}, {0, 0, 1}, d, e}, c));
}

// The paper's c = 0.9 does not exclude flips: d = e = -c (1, 1) / sqrt 2 leaves n . n_std = 1 - sqrt(2) c.
TEST(Clamp, PapersLimitCanFlipWhileOneOverRootTwoCannot) {
  const Vec3d worst(-10, -10, 0);
  for (const double c : {.5, .6, .7, .9})
    EXPECT_NEAR(side_after_clamp(worst, worst, c), 1 - std::sqrt(2) * c, kRounding);
  EXPECT_LT(side_after_clamp(worst, worst, .9), 0);
  EXPECT_GE(side_after_clamp(worst, worst, 1 / std::sqrt(2)), -kRounding);
  Random random(13);
  double smallest = 1, smallest_paper = 1;
  for (int round = 0; round < 200000; ++round) {
    const Vec3d d = random.in_cube(5), e = random.in_cube(5);
    smallest = std::min(smallest, side_after_clamp(d, e, 1 / std::sqrt(2)));
    smallest_paper = std::min(smallest_paper, side_after_clamp(d, e, .9));
  }
  EXPECT_GT(smallest, 0);
  EXPECT_LT(smallest_paper, -.1);
}

TEST(Clamp, NoLimitIsSafeForBlendedRotations) {
  Random random(14);
  for (const double c : {.9, .7, .5, .1}) {
    int flips = 0;
    for (int round = 0; round < 20000; ++round)
      flips += share_against_pair(K().guard_clamp(random_terms(random, M_PI, 5), c)) < 0;
    EXPECT_GT(flips, 20) << c;
  }
}

// Both terms by one factor.

double eigen_smaller_singular_value(Vec3d a, Vec3d b) {
  Eigen::Matrix<double, 3, 2> m;
  m << a.x, b.x, a.y, b.y, a.z, b.z;
  return m.jacobiSvd().singularValues()(1);
}

TEST(Joint, SmallerSingularValueEqualsEigen) {
  Random random(15);
  for (int round = 0; round < 2000; ++round) {
    const Vec3d a = random.in_cube(2);
    // Down to nearly parallel vectors.
    const double along = random.uniform(-2, 2), off = std::pow(10, random.uniform(-6, 0));
    const Vec3d b = a * along + random.in_cube(off);
    const double expected = eigen_smaller_singular_value(a, b);
    EXPECT_NEAR(std::sqrt(K().smaller_singular_value_squared(a, b)), expected, 1e-9 * expected + 1e-15);
  }
  EXPECT_EQ(K().smaller_singular_value_squared(Vec3d(1, 2, 3), Vec3d(2, 4, 6)), 0);
  EXPECT_EQ(K().smaller_singular_value_squared(Vec3d(0.0), Vec3d(0.0)), 0);
}

TEST(Joint, ScalesBothTermsToTheSmallerSingularValue) {
  Random random(16);
  int scaled = 0, untouched = 0;
  for (int round = 0; round < 2000; ++round) {
    const double reach = random.uniform(.01, 2), scale = random.uniform(.01, 100);
    const Terms before = random_terms(random, 2, reach, scale);
    const double c = random.uniform(.1, .99);
    const Terms after = K().guard_joint(before, c);
    expect_first_terms_kept(before, after);
    const double size = std::sqrt(dot(before.d, before.d) + dot(before.e, before.e));
    const double limit = c * eigen_smaller_singular_value(before.Tt, before.Tb);
    if (size <= limit) {
      EXPECT_EQ(after.d, before.d);
      EXPECT_EQ(after.e, before.e);
      ++untouched;
    } else {
      EXPECT_LT(length(after.d - before.d * (limit / size)), 1e-9 * limit);
      EXPECT_LT(length(after.e - before.e * (limit / size)), 1e-9 * limit);
      ++scaled;
    }
  }
  EXPECT_GT(scaled, 100);
  EXPECT_GT(untouched, 100);
}

// det(I + X) >= (1 - c^2) / 2 for |X| <= c in the Frobenius norm.
TEST(Joint, NeverFlipsAgainstTheTransformedPair) {
  Random random(17);
  for (const double c : {.5, .9, .99}) {
    double smallest = 1;
    for (int round = 0; round < 150000; ++round)
      smallest = std::min(smallest, share_against_pair(K().guard_joint(random_terms(random, M_PI, 5), c)));
    EXPECT_GE(smallest, (1 - c * c) / 2);
    EXPECT_LT(smallest, (1 - c * c) / 2 + .2);  // the cases come near the bound
  }
  // The case that attains it: X = [-1/2 x; x -1/2] with 2 (1/4 + x^2) = c^2.
  const double c = .9, x = std::sqrt(c * c / 2 - .25);
  const Terms worst{Vec3d(0.0), {1, 0, 0}, {0, 1, 0}, {0, 0, 1}, Vec3d(-.5, x, 0), Vec3d(x, -.5, 0)};
  EXPECT_NEAR(share_against_pair(K().guard_joint(worst, c)), (1 - c * c) / 2, kRounding);
}

// Clamp, test, fix.

double infinity() { return std::numeric_limits<double>::infinity(); }

TEST(TestThenFix, TouchesOnlyWhatFlipsAndKeepsExactlyTheShare) {
  Random random(18);
  int fixed = 0, clamped_only = 0;
  for (int round = 0; round < 4000; ++round) {
    const Terms before = random_terms(random, 1, random.uniform(.1, 3));
    const double limit = random.below(2) == 0 ? random.uniform(.5, 2) : infinity();
    const double kept = random.uniform(0, .9);
    const Terms clamped = K().guard_clamp(before, limit);
    const Terms after = K().guard_test_then_fix(before, limit, kept);
    expect_first_terms_kept(before, after);
    if (share_against_normal(clamped) >= kept) {
      EXPECT_EQ(after.d, clamped.d);
      EXPECT_EQ(after.e, clamped.e);
      ++clamped_only;
      continue;
    }
    ++fixed;
    EXPECT_NEAR(share_against_normal(after), kept, 1e-10);
    // One factor for both, below 1, and the first one on the way from 0 that leaves so little.
    const double factor = length(after.d) / length(clamped.d);
    EXPECT_GT(factor, 0);
    EXPECT_LT(factor, 1);
    EXPECT_LT(length(after.d - clamped.d * factor), kRounding);
    EXPECT_LT(length(after.e - clamped.e * factor), kRounding);
    for (int i = 0; i < 20; ++i) {
      Terms shorter = clamped;
      shorter.d *= factor * i / 20;
      shorter.e *= factor * i / 20;
      EXPECT_GT(share_against_normal(shorter), kept);
    }
  }
  EXPECT_GT(fixed, 500);
  EXPECT_GT(clamped_only, 500);
}

TEST(TestThenFix, NeverFlipsAgainstTheTransformedNormal) {
  Random random(19);
  double smallest = 1, smallest_float = 1;
  for (int round = 0; round < 200000; ++round) {
    const Terms k = random_terms(random, M_PI, 5);
    smallest = std::min(smallest, share_against_normal(K().guard_test_then_fix(k, infinity(), .1)));
    using F = Kernels<float, 4>;
    const F::TangentTerms narrow = F().guard_test_then_fix(
        {Vec3f(k.p), Vec3f(k.Tt), Vec3f(k.Tb), Vec3f(k.Tn), Vec3f(k.d), Vec3f(k.e)}, .9f, .1f);
    // Where T itself is nearly flat, rounding of T alone decides.
    if (std::abs(dot(cross(k.Tt, k.Tb), k.Tn)) > 1e-3)
      smallest_float = std::min(
          smallest_float, share_against_normal({k.p, Vec3d(narrow.Tt), Vec3d(narrow.Tb), Vec3d(narrow.Tn),
                                                Vec3d(narrow.d), Vec3d(narrow.e)}));
  }
  EXPECT_NEAR(smallest, .1, 1e-6);
  EXPECT_NEAR(smallest_float, .1, .01);
}

// Opposite rotations blend to almost a line: T t0, T b0 and T n0 are parallel but for parts of size `across`. Their triple
// product, of size across^2, then has the relative error that rounding leaves in those parts, against Eigen in double.
TEST(TestThenFix, HeightOfTheStandardNormalIsKnownWhereRotationsCancel) {
  using KF = Kernels<float, 4>;
  constexpr double kRoundings = 16;  // on the way, each at the size of the vectors
  Random random(24);
  for (const double across : {1e-1, 1e-3, 1e-5})
    for (int round = 0; round < 2000; ++round) {
      const Vec3d axis = random.direction();
      const auto nearly_parallel = [&] {
        const double along = random.uniform(-1, 1);
        return Vec3f(axis * along + random.in_cube(across));
      };
      const Vec3f a = nearly_parallel(), b = nearly_parallel(), c = nearly_parallel();
      Eigen::Matrix3d m;
      for (int i = 0; i < 3; ++i) m.row(i) << double(a[i]), double(b[i]), double(c[i]);
      const double epsilon = std::numeric_limits<float>::epsilon();
      EXPECT_NEAR(KF().triple_product(a, b, c), m.determinant(), kRoundings * epsilon * across) << across;
    }
}

TEST(TestThenFix, HandednessAndScaleChangeNothing) {
  Random random(20);
  for (int round = 0; round < 1000; ++round) {
    const Terms k = random_terms(random, 2, 2);
    const Terms expected = K().guard_test_then_fix(k, .9, .1);
    const Terms swapped = K().guard_test_then_fix({k.p, k.Tb, k.Tt, k.Tn, k.e, k.d}, .9, .1);
    EXPECT_LT(length(swapped.e - expected.d), 1e-9);
    EXPECT_LT(length(swapped.d - expected.e), 1e-9);
    for (const double s : {1e-4, 351.9}) {
      const Terms scaled =
          K().guard_test_then_fix({k.p, k.Tt * s, k.Tb * s, k.Tn * s, k.d * s, k.e * s}, .9 * s, .1);
      EXPECT_LT(length(scaled.d - expected.d * s), 1e-9 * s);
      EXPECT_LT(length(scaled.e - expected.e * s), 1e-9 * s);
    }
  }
}

// All of them.

// visit(terms) with every choice of five among vectors that are zero, parallel, orthogonal, of equal length, tiny.
template <class Real, class Visit>
void for_each_degenerate_terms(Visit visit) {
  using V = Vec3<Real>;
  const auto vector = [](double x, double y, double z) { return V(Real(x), Real(y), Real(z)); };
  const V vectors[] = {vector(0, 0, 0),  vector(1, 0, 0),     vector(0, 1, 0), vector(0, 0, 1),
                       vector(-1, 0, 0), vector(1e-12, 0, 0), vector(1, 1, 0), vector(-3, 2, 1e-7)};
  for (const V& Tt : vectors)
    for (const V& Tb : vectors)
      for (const V& Tn : vectors)
        for (const V& d : vectors)
          for (const V& e : vectors)
            visit(typename Kernels<Real, 4>::TangentTerms{vector(0, 0, 0), Tt, Tb, Tn, d, e});
}

template <class Real>
void expect_finite_on_degenerate_terms() {
  using KR = Kernels<Real, 4>;
  for_each_degenerate_terms<Real>([](const typename KR::TangentTerms& k) {
    for (const auto& after :
         {KR().guard_clamp(k, Real(.9)), KR().guard_joint(k, Real(.9)),
          KR().guard_test_then_fix(k, Real(.9), Real(.1)), KR().guard_test_then_fix(k, Real(1e18), Real(0))})
      for (const auto& [x, y] : {std::pair{k.d, after.d}, {k.e, after.e}}) {
        ASSERT_TRUE(is_finite(Vec3d(y)));
        ASSERT_LE(length(y), length(x) * Real(1.0001));
      }
  });
}

TEST(Guards, DegenerateTermsStayFiniteAndNeverGrow) {
  expect_finite_on_degenerate_terms<float>();
  expect_finite_on_degenerate_terms<double>();
}

// Not even in a branch that is not taken: sqrt(0), 1 / 0 and inversesqrt(0) are what specifications leave open. A rigid
// motion's T t and T b are orthogonal and of one length, single bones leave d and e at 0: nothing here is rare.
TEST(Guards, NothingOnTheWayIsLeftOpenByTheSpecificationOfVulkan) {
  using KV = Kernels<VulkanFloat, 4>;
  const VulkanFloat limit(.9), kept(.1);
  std::uint64_t seed = 0;
  for_each_degenerate_terms<VulkanFloat>([&](const KV::TangentTerms& k) {
    VulkanFloat::seed(++seed);
    KV().guard_clamp(k, limit);
    ASSERT_FALSE(VulkanFloat::missed()) << "clamp " << seed;
    KV().guard_joint(k, limit);
    ASSERT_FALSE(VulkanFloat::missed()) << "joint " << seed;
    KV().guard_test_then_fix(k, limit, kept);
    ASSERT_FALSE(VulkanFloat::missed()) << "test-then-fix " << seed;
  });
}

// The functions that shaders call are the terms, the guard, and t x b.
TEST(Guards, DeformKernelsApplyTheGuardsToEq13) {
  Random random(21);
  int touched = 0;
  for (int round = 0; round < 300; ++round) {
    K::Influences x;
    K::DeformFactors f;
    double sum = 0;
    for (int s = 0; s < 4; ++s) {
      sum += x.w[s] = random.uniform(.1, 1);
      x.M[s] = test_rigs::random_affine(random, .8);
      f.alpha[s] = random.uniform(-2, 2);
      f.beta[s] = random.uniform(-2, 2);
    }
    for (double& w : x.w) w /= sum;
    const Vec3d n = random.direction(), t = normalize(cross(n, random.direction()));
    const K::RestVertex rest{random.in_cube(1), n, t, cross(n, t)};
    const Terms k = K().lbs_deform_terms(x, f, rest);
    EXPECT_LT(length(k.Tn - K().lbs_standard(x, rest).n), kRounding);
    const K::PosedVertex plain = K().lbs_deform(x, f, rest);
    for (const auto& [posed, terms] :
         {std::pair{K().joined(K().guard_clamp(K().lbs_deform_terms(x, f, rest), .9)),
                    K().guard_clamp(k, .9)},
          {K().joined(K().guard_joint(K().lbs_deform_terms(x, f, rest), .9)), K().guard_joint(k, .9)},
          {K().joined(K().guard_test_then_fix(K().lbs_deform_terms(x, f, rest), .9, .1)),
           K().guard_test_then_fix(k, .9, .1)}}) {
      EXPECT_EQ(posed.p, plain.p);
      EXPECT_LT(length(posed.t - (terms.Tt + terms.d)), kRounding);
      EXPECT_LT(length(posed.b - (terms.Tb + terms.e)), kRounding);
      EXPECT_LT(length(posed.n - normal(terms)), 10 * kRounding);
      touched += length(posed.n - plain.n) > .01;
    }
  }
  EXPECT_GT(touched, 300);
}

constexpr int kLanes = 8;
using P = Pack<kLanes>;
using KP = Kernels<P, 4>;
using KF = Kernels<float, 4>;

template <class Get>
Vec3<P> lanes(Get get) {
  Vec3<P> v;
  for (int c = 0; c < 3; ++c) {
    float values[kLanes];
    for (int i = 0; i < kLanes; ++i) values[i] = get(i)[c];
    v[c] = P::load(values);
  }
  return v;
}

TEST(Guards, PackEqualsFloatBitwise) {
  Random random(22);
  for (int round = 0; round < 200; ++round) {
    KF::TangentTerms one[kLanes];
    for (auto& k : one) {
      const Terms wide = random_terms(random, 2, 2);
      k = {Vec3f(wide.p), Vec3f(wide.Tt), Vec3f(wide.Tb), Vec3f(wide.Tn), Vec3f(wide.d), Vec3f(wide.e)};
    }
    one[1].Tb = one[1].Tt;  // degenerate lanes among the others
    one[3].d = one[3].e = Vec3f(0.0f);
    one[5].Tt = one[5].Tb = one[5].Tn = Vec3f(0.0f);
    const KP::TangentTerms eight{
        lanes([&](int i) { return one[i].p; }),  lanes([&](int i) { return one[i].Tt; }),
        lanes([&](int i) { return one[i].Tb; }), lanes([&](int i) { return one[i].Tn; }),
        lanes([&](int i) { return one[i].d; }),  lanes([&](int i) { return one[i].e; })};
    const auto expect = [&](const KP::TangentTerms& packed, const auto& guard) {
      for (int c = 0; c < 3; ++c) {
        float d[kLanes], e[kLanes];
        packed.d[c].store(d);
        packed.e[c].store(e);
        for (int i = 0; i < kLanes; ++i) {
          const KF::TangentTerms expected = guard(one[i]);
          EXPECT_EQ(std::bit_cast<std::uint32_t>(d[i]), std::bit_cast<std::uint32_t>(expected.d[c]))
              << "lane " << i;
          EXPECT_EQ(std::bit_cast<std::uint32_t>(e[i]), std::bit_cast<std::uint32_t>(expected.e[c]))
              << "lane " << i;
        }
      }
    };
    expect(KP().guard_clamp(eight, P(.9)), [](const auto& k) { return KF().guard_clamp(k, .9f); });
    expect(KP().guard_joint(eight, P(.9)), [](const auto& k) { return KF().guard_joint(k, .9f); });
    expect(KP().guard_test_then_fix(eight, P(.9), P(.1)),
           [](const auto& k) { return KF().guard_test_then_fix(k, .9f, .1f); });
  }
}

// What a guard adds to Eq. 13, by the rules of Table 1. All of them also part the terms of Eq. 13 (6
// additions more); test-then-fix needs T n0 (9).
TEST(Guards, Operations) {
  using KC = Kernels<Counted, 4>;
  using V = Vec3<Counted>;
  Random random(23);
  const Terms k = random_terms(random, 1, 1);
  const KC::TangentTerms in{V(k.p), V(k.Tt), V(k.Tb), V(k.Tn), V(k.d), V(k.e)};
  const auto operations = [&](auto guard) {
    Counted::reset();
    guard();
    return Counted::operations();
  };
  EXPECT_EQ(operations([&] { KC().guard_clamp(in, Counted(.9)); }), 18);
  EXPECT_EQ(operations([&] { KC().guard_joint(in, Counted(.9)); }), 45);
  EXPECT_EQ(operations([&] { KC().guard_test_then_fix(in, Counted(.9), Counted(.1)); }), 104);
}

}  // namespace
}  // namespace skinlight
