#include "skinlight/truth/angular_error.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <functional>
#include <limits>

#include "skinlight/core/error.h"
#include "skinlight/core/random.h"

namespace skinlight {
namespace {

using testing::HasSubstr;

constexpr double kRounding = 1e-12;  // sums of a thousand angles below 180 degrees, relative

// b is a turned by `radians` about a random axis orthogonal to it.
Vec3d turned(Vec3d a, double radians, Random& random) {
  const Vec3d side = normalize(cross(a, random.direction()));
  return a * std::cos(radians) + side * std::sin(radians);
}

TEST(AngleBetween, IsAccurateAtEveryAngle) {
  Random random(1);
  for (const double angle :
       {0.0, 1e-12, 1e-9, 1e-6, 1e-3, .1, 1.0, M_PI / 2, 2.0, 3.0, M_PI - 1e-6, M_PI - 1e-9})
    for (int round = 0; round < 100; ++round) {
      const Vec3d a = random.direction();
      // The vectors themselves round by 1e-16; acos would lose half of the digits near 0 and pi.
      EXPECT_NEAR(angle_between(a, turned(a, angle, random)), angle, 1e-15);
    }
}

TEST(AngleBetween, DoesNotDependOnLengthOrOrder) {
  Random random(2);
  for (int round = 0; round < 100; ++round) {
    const Vec3d a = random.direction(), b = random.direction();
    const double angle = angle_between(a, b);
    EXPECT_NEAR(angle_between(b, a), angle, 1e-15);
    for (const double size : {1e-30, 1e30}) EXPECT_NEAR(angle_between(a * size, b), angle, 1e-14);
    EXPECT_NEAR(angle_between(-a, b), M_PI - angle, 1e-14);
  }
}

struct Sample {
  std::vector<Vec3d> normals, truth;
  std::vector<double> degrees, weights;

  Sample(Random& random, int count) {
    for (int v = 0; v < count; ++v) {
      degrees.push_back(random.uniform(0, 180));
      truth.push_back(random.direction());
      const Vec3d normal = turned(truth.back(), degrees.back() * M_PI / 180, random);
      normals.push_back(normal * random.uniform(.5, 2));
      weights.push_back(random.below(5) == 0 ? 0 : random.uniform(0, 3));
    }
    weights[0] = 1;
  }
};

TEST(AngularError, StatisticsEqualBruteForce) {
  Random random(3);
  for (int round = 0; round < 100; ++round) {
    const Sample s(random, 1 + random.below(1000));
    const NormalError e = angular_error(s.normals, s.truth, s.weights, "by hand");
    double total = 0, sum = 0, squares = 0;
    int flips = 0;
    for (std::size_t v = 0; v < s.degrees.size(); ++v) {
      total += s.weights[v];
      sum += s.weights[v] * s.degrees[v];
      squares += s.weights[v] * s.degrees[v] * s.degrees[v];
      flips += s.degrees[v] > 90 && s.weights[v] > 0;
    }
    // The smallest angle such that at least this share of the weight has no larger one.
    const auto percentile = [&](double share) {
      double best = 180;
      for (const double x : s.degrees) {
        double covered = 0;
        for (std::size_t v = 0; v < s.degrees.size(); ++v)
          if (s.degrees[v] <= x) covered += s.weights[v];
        if (covered >= share * total) best = std::min(best, x);
      }
      return best;
    };
    std::size_t worst = 0;  // of those that weigh anything; the first does
    for (std::size_t v = 0; v < s.degrees.size(); ++v)
      if (s.weights[v] > 0 && s.degrees[v] > s.degrees[worst]) worst = v;
    EXPECT_EQ(e.weighting, "by hand");
    EXPECT_EQ(e.vertices, static_cast<int>(s.degrees.size()));
    EXPECT_NEAR(e.mean, sum / total, 180 * kRounding);
    EXPECT_NEAR(e.rms, std::sqrt(squares / total), 180 * kRounding);
    EXPECT_NEAR(e.p95, percentile(.95), 180 * kRounding);
    EXPECT_NEAR(e.p99, percentile(.99), 180 * kRounding);
    EXPECT_NEAR(e.max, s.degrees[worst], 180 * kRounding);
    EXPECT_EQ(e.worst_vertex, static_cast<int>(worst));
    EXPECT_EQ(e.flips, flips);
  }
}

// One per cent of the weight on either side of a percentile, with ties among the angles.
TEST(AngularError, PercentilesAreTheSmallestAngleThatCoversTheirShare) {
  const auto error =
      [](double small) {  // the share of the weight that is 1 degree off in ties; the rest is 5 and more
        const std::vector<double> degrees = {5, 1, 1, 7, 1},
                                  weights = {.6 * (1 - small), .2 * small, .5 * small, .4 * (1 - small),
                                             .3 * small};
        return error_statistics(degrees, weights, "");
      };
  EXPECT_EQ(error(1.01 * .95).p95, 1);
  EXPECT_EQ(error(.99 * .95).p95, 5);
  EXPECT_EQ(error(.99 * .95).p99, 7);
  EXPECT_EQ(error(.99 * .99).p99, 5);
  EXPECT_EQ(error(1 - .99 * .01).p99, 1);
  // Exactly the share suffices.
  std::vector<double> degrees(100, 1);
  std::fill_n(degrees.begin(), 5, 9);
  EXPECT_EQ(error_statistics(degrees, std::vector<double>(100, 1), "").p95, 1);
  degrees[5] = 9;
  EXPECT_EQ(error_statistics(degrees, std::vector<double>(100, 1), "").p95, 9);
}

TEST(AngularError, RightAnglesAreNoFlipsAndOfTiesTheFirstIsTheWorst) {
  const std::vector<double> degrees = {3, 90, 90.9, 89.1, 90.9}, weights(5, 1);
  const NormalError error = error_statistics(degrees, weights, "");
  EXPECT_EQ(error.flips, 2);
  EXPECT_EQ(error.worst_vertex, 2);
}

TEST(AngularError, AnglesAreInDegreesPerVertex) {
  Random random(4);
  const Sample s(random, 100);
  const std::vector<double> angles = angular_errors(s.normals, s.truth);
  ASSERT_EQ(angles.size(), 100u);
  for (std::size_t v = 0; v < 100; ++v) EXPECT_NEAR(angles[v], s.degrees[v], 180 * kRounding);
}

TEST(AngularError, WholeWeightsEqualRepetition) {
  Random random(5);
  Sample s(random, 50);
  std::vector<Vec3d> normals, truth;
  for (std::size_t v = 0; v < 50; ++v) {
    s.weights[v] = random.below(4) + (v == 0);
    for (int copy = 0; copy < s.weights[v]; ++copy) {
      normals.push_back(s.normals[v]);
      truth.push_back(s.truth[v]);
    }
  }
  const NormalError a = angular_error(s.normals, s.truth, s.weights, ""),
                    b = angular_error(normals, truth, std::vector<double>(normals.size(), 1.0), "");
  EXPECT_NEAR(a.mean, b.mean, 180 * kRounding);
  EXPECT_NEAR(a.rms, b.rms, 180 * kRounding);
  EXPECT_EQ(a.p95, b.p95);
}

TEST(AngularError, ExactNormalsHaveNone) {
  const std::vector<Vec3d> n(3, Vec3d(0, 0, 1));
  const NormalError e = angular_error(n, n, std::vector<double>{1, 1, 1}, "");
  EXPECT_EQ(e.rms, 0);
  EXPECT_EQ(e.max, 0);
  EXPECT_EQ(e.flips, 0);
  EXPECT_EQ(e.worst_vertex, 0);
}

// Powers of two round nothing: the angles are those of unit vectors, whatever lies between the ends of a double.
TEST(AngularError, DoesNotDependOnLengthsFromEndToEndOfDouble) {
  Random random(7);
  std::vector<Vec3d> a, b;
  for (int v = 0; v < 20; ++v) {
    a.push_back(random.direction());
    b.push_back(turned(a.back(), v < 10 ? .1 * v : M_PI - 1e-6 * v, random));
  }
  const std::vector<double> expected = angular_errors(a, b);
  const auto scaled = [](std::vector<Vec3d> v, int exponent) {
    for (Vec3d& one : v)
      one = {std::ldexp(one.x, exponent), std::ldexp(one.y, exponent), std::ldexp(one.z, exponent)};
    return v;
  };
  for (const int of_a : {-900, -540, -300, -170, 0, 170, 300, 520, 1000})
    for (const int of_b : {-900, -540, -300, -170, 0, 170, 300, 520, 1000}) {
      const std::vector<double> degrees = angular_errors(scaled(a, of_a), scaled(b, of_b));
      for (std::size_t v = 0; v < degrees.size(); ++v)
        EXPECT_NEAR(degrees[v], expected[v], 1e-12) << of_a << " " << of_b;
    }
  const double least = std::numeric_limits<double>::denorm_min(), most = std::numeric_limits<double>::max();
  for (const double length : {least, most}) {
    const std::vector<Vec3d> along_x = {{length, 0, 0}}, along_y = {{0, -length, 0}};
    EXPECT_EQ(angular_errors(along_x, along_y).at(0), angular_errors(along_y, along_x).at(0));
    EXPECT_NEAR(angular_errors(along_x, along_y).at(0), 90, 1e-12);
  }
}

TEST(AngularError, DependsOnRatiosOfWeightsOnly) {
  const std::vector<double> degrees = {1, 2, 3, 150, 5}, ratios = {.25, .5, .75, .125, .5};
  const NormalError expected = error_statistics(degrees, ratios, "");
  for (const int exponent : {-1070, -1000, -400, 0, 400, 1000, 1024}) {
    std::vector<double> weights = ratios;
    for (double& w : weights) w = std::ldexp(w, exponent);
    const NormalError error = error_statistics(degrees, weights, "");
    EXPECT_EQ(error.mean, expected.mean) << exponent;
    EXPECT_EQ(error.rms, expected.rms) << exponent;
    EXPECT_EQ(error.p95, expected.p95) << exponent;
    EXPECT_EQ(error.p99, expected.p99) << exponent;
  }
}

TEST(AngularError, UnusableInputNamesTheVertex) {
  const std::vector<Vec3d> good(3, Vec3d(0, 0, 1));
  const std::vector<double> ones(3, 1.0);
  const auto error = [](const std::vector<Vec3d>& n, const std::vector<Vec3d>& t,
                        const std::vector<double>& w) -> std::string {
    try {
      angular_error(n, t, w, "");
    } catch (const InputError& e) {
      return e.what();
    }
    return "accepted";
  };
  EXPECT_EQ(error(good, good, ones), "accepted");
  for (const Vec3d& bad : {Vec3d(0.0), Vec3d(NAN, 0, 1), Vec3d(0, INFINITY, 0)}) {
    std::vector<Vec3d> n = good;
    n[2] = bad;
    EXPECT_THAT(error(n, good, ones), HasSubstr("vertex 2: normal is not a direction"));
    EXPECT_THAT(error(good, n, ones), HasSubstr("vertex 2: true normal is not a direction"));
  }
  for (const double bad : {-1.0, double{NAN}, double{INFINITY}}) {
    std::vector<double> w = ones;
    w[1] = bad;
    EXPECT_THAT(error(good, good, w), HasSubstr("vertex 1: weight"));
  }
  EXPECT_THAT(error(good, good, {0, 0, 0}), HasSubstr("sum to 0"));
  EXPECT_THAT(error(good, good, {1, 1}), HasSubstr("weights: has 2 entries, expected 3"));
  EXPECT_THAT(error(good, {good[0]}, ones), HasSubstr("normals: has 3 entries, the truth 1"));
  EXPECT_THAT(error({}, {}, {}), HasSubstr("sum to 0"));
}

}  // namespace
}  // namespace skinlight
