// Random cases of guards: what is drawn, and what is counted of it.
#include "repro/study/random_guard_cases.h"

#include <gtest/gtest.h>

#include <Eigen/Dense>
#include <algorithm>
#include <cmath>

#include "repro/runner/csv.h"
#include "repro/study/kept_bench.h"
#include "skinlight/core/detail/eigen.h"

namespace skinlight::repro {
namespace {

constexpr double kRounding = 1e-12;
constexpr RandomBones kAllBones[] = {RandomBones::one_rotation, RandomBones::blend_to_60,
                                     RandomBones::blend_to_180};
constexpr const char* kBonesNames[] = {"one rotation", "4 rotations up to 60", "4 rotations up to 180"};

// The same draws again, through Eigen's rotations.
Eigen::Matrix3d blend_again(Random& random, RandomBones bones) {
  const double reach = bones == RandomBones::blend_to_60 ? M_PI / 3 : M_PI;
  Eigen::Vector4d w(1, 0, 0, 0);
  if (bones != RandomBones::one_rotation)
    for (double& x : w) x = random.uniform();
  w /= w.sum();
  Eigen::Matrix3d T = Eigen::Matrix3d::Zero();
  for (const double x : w) {
    const Vec3d axis = random.direction();
    T += x * Eigen::AngleAxisd(random.uniform(-reach, reach), eigen(axis)).toRotationMatrix();
  }
  return T;
}

TEST(RandomGuardCases, TermsAreABlendOfRotationsAndSecondTermsOfACube) {
  for (const RandomBones bones : kAllBones) {
    Random random(5), again(5);
    double largest = 0, apart = 0;
    for (int i = 0; i < 200; ++i) {
      const RandomTerms k = random_terms(random, bones);
      const Eigen::Matrix3d T = blend_again(again, bones);
      EXPECT_LT((eigen(k.Tt) - T.col(0)).norm(), kRounding);
      EXPECT_LT((eigen(k.Tb) - T.col(1)).norm(), kRounding);
      EXPECT_LT((eigen(k.Tn) - T.col(2)).norm(), kRounding);
      EXPECT_EQ(length(k.p), 0);
      const Vec3d d = again.in_cube(5);
      const Vec3d e = again.in_cube(5);
      EXPECT_EQ(length(k.d - d), 0);
      EXPECT_EQ(length(k.e - e), 0);
      largest = std::max({largest, std::abs(k.d.x), std::abs(k.e.z)});
      apart = std::max(apart, length(k.d - k.e));
    }
    EXPECT_GT(largest, 4.9);
    EXPECT_GT(apart, 5);
  }
}

// By hand: (1, 0, 0) + d = (1, 2, 3) and (0, 2, 0) + e = (-1, 5, 7) have the normal (-1, -10, 7), and 2 z is the standard one.
TEST(RandomGuardCases, TheShareLeftIsTheNormalsHeightOverTheStandardOne) {
  const RandomTerms k{Vec3d(9, 9, 9), {1, 0, 0}, {0, 2, 0}, {0, 0, 5}, {0, 2, 3}, {-1, 3, 7}};
  EXPECT_NEAR(share_left(k), (1 * 5 - 2 * -1) * 2 / 4., kRounding);
  const RandomTerms untouched{Vec3d(9, 9, 9), {1, 2, 0}, {0, 2, 1}, {0, 0, 5}, Vec3d(0.0), Vec3d(0.0)};
  EXPECT_NEAR(share_left(untouched), 1, kRounding);
}

struct Counted {
  int flips = 0;
  double smallest = 1, smallest_tangent = 1;
};

// What try_random_guard_cases() has to find, the guards' formulas written again.
Counted counted(RandomBones bones, int cases, bool joint, double c) {
  Random random(2014);
  Counted all;
  for (int i = 0; i < cases; ++i) {
    const RandomTerms k = random_terms(random, bones);
    const Eigen::Vector3d t = eigen(k.Tt), b = eigen(k.Tb);
    Eigen::Vector3d d = eigen(k.d), e = eigen(k.e);
    if (joint) {
      Eigen::Matrix<double, 3, 2> tangents, terms;
      tangents << t, b;
      terms << d, e;
      const double least = tangents.jacobiSvd().singularValues()(1);
      const double factor = std::min(1.0, c * least / terms.norm());
      d *= factor;
      e *= factor;
    } else {
      d *= std::min(1.0, c / d.norm());
      e *= std::min(1.0, c / e.norm());
    }
    const Eigen::Vector3d standard = t.cross(b);
    const double share = (t + d).cross(b + e).dot(standard) / standard.squaredNorm();
    all.flips += share < 0 ? 1 : 0;
    all.smallest = std::min(all.smallest, share);
    all.smallest_tangent = std::min(all.smallest_tangent, (t + d).dot(t) / t.squaredNorm());
  }
  return all;
}

TEST(RandomGuardCases, FlipsAndSharesAreCountedForEachBlendAndGuard) {
  constexpr int kCases = 3000;
  constexpr double kRelative = 1e-9;  // of shares, where T t0 x T b0 all but vanishes
  test_bench::KeptBench kept;
  Workbench bench = kept.bench();
  try_random_guard_cases(bench, kCases);
  std::string csv = "transform,guard,c,cases,flips,flipped_percent,smallest_share\n";
  int flips = 0;
  for (std::size_t b = 0; b < std::size(kAllBones); ++b)
    for (const auto& [joint, c] :
         {std::pair{false, .9}, {false, std::sqrt(.5)}, {false, .5}, {false, .1}, {true, .9}}) {
      const Counted right = counted(kAllBones[b], kCases, joint, c);
      const std::string guard = joint ? "joint" : "clamp",
                        key = std::string(kBonesNames[b]) + "/" + guard + " " + number_text(c);
      const double percent = 100. * right.flips / kCases;
      EXPECT_NEAR(kept.results.value(key + "/percent"), percent, kRounding) << key;
      const double smallest = kept.results.value(key + "/smallest");
      EXPECT_NEAR(smallest, right.smallest, kRelative * std::max(1., std::abs(right.smallest))) << key;
      EXPECT_NEAR(kept.results.value(key + "/smallest tangent"), right.smallest_tangent,
                  kRelative * std::max(1., std::abs(right.smallest_tangent)))
          << key;
      csv.append(kBonesNames[b]).append(",").append(guard).append(",").append(number_text(c));
      csv.append(",3000,").append(std::to_string(right.flips)).append(",").append(number_text(percent));
      csv.append(",").append(number_text(smallest)).append("\n");
      flips += right.flips;
    }
  EXPECT_GT(flips, 100);
  ASSERT_EQ(kept.tables.size(), 1u);
  EXPECT_EQ(kept.tables["random_cases.csv"].second, csv);
  // (1 - h)^2 - h^2 with h = .9 / sqrt(2): what each clamped term takes of either axis.
  EXPECT_NEAR(kept.results.value("by_hand"), 1 - .9 * std::sqrt(2.), kRounding);
}

}  // namespace
}  // namespace skinlight::repro
