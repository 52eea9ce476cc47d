// Every threshold of verdicts has a case one per cent on either side, of directions made by hand: the constants are written
// here once more, so that none moves unnoticed.
#include "skinlight/audit/diagnosis.h"

#include <gtest/gtest.h>

#include <cmath>

#include "skinlight/audit/detail/posed_directions.h"
#include "skinlight/core/angle.h"

namespace skinlight {
namespace {

constexpr double kBelow = .99, kAbove = 1.01;

// The direction `degrees` off z, towards `azimuth`, radians.
Vec3d off_z(double degrees, double azimuth = 0) {
  const double angle = degrees / kDegrees;
  return {std::sin(angle) * std::cos(azimuth), std::sin(angle) * std::sin(azimuth), std::cos(angle)};
}

Explanation turned(const std::string& id, ExplanationKind kind, const std::vector<Vec3d>& v) {
  return {id, kind, id, "", v};
}

// Verdict on the direction z, given `degrees` that each explanation is off.
Verdict verdict(const std::vector<double>& degrees, double tolerance) {
  std::vector<Explanation> all;
  for (const double d : degrees)
    all.push_back(turned(std::to_string(all.size()), ExplanationKind::correct, {off_z(d)}));
  const std::vector<Vec3d> theirs = {Vec3d(0, 0, 1)};
  const std::vector<double> weights = {1};
  return diagnose({theirs, weights, {}, {}}, all, tolerance).verdict;
}

TEST(Diagnosis, AnExplanationFitsUpToTheTolerance) {
  for (const double tolerance : {.5, 2.}) {
    EXPECT_TRUE(verdict({kBelow * tolerance}, tolerance).explained);
    EXPECT_FALSE(verdict({kAbove * tolerance}, tolerance).explained);
  }
  EXPECT_EQ(kUsualTolerance, .5);
}

TEST(Diagnosis, AVerdictIsClearWhenTheNextIsThreeTimesAsFar) {
  const double best = .2, next = 3 * (best + .001);
  EXPECT_FALSE(verdict({best, kBelow * next}, .5).clear);
  EXPECT_TRUE(verdict({best, kAbove * next}, .5).clear);
  EXPECT_NEAR(verdict({best, kAbove * next}, .5).next, kAbove * next, 1e-9);
}

TEST(Diagnosis, AsGoodIsATenthFurtherOrAThousandthOfADegree) {
  for (const double best : {.2, 0.}) {
    const double other = 1.1 * best + .001;
    EXPECT_EQ(verdict({best, kBelow * other}, .5).same_here, std::vector<int>{1}) << best;
    EXPECT_EQ(verdict({best, kAbove * other}, .5).same_here, std::vector<int>{}) << best;
  }
}

TEST(Diagnosis, TangentsAreMadeOrthogonalWhereThatIsATenthBetter) {
  // The explanation leans towards the normal, y, by `lean`, which orthogonality takes away, and is `rest` off all the same.
  const auto orthogonal = [](double lean, double rest) {
    const Vec3d z = off_z(rest), leaning = z + Vec3d(0, 1, 0) * std::tan(lean / kDegrees);
    const std::vector<Vec3d> theirs = {Vec3d(0, 0, 1)}, normals = {Vec3d(0, 1, 0)};
    const std::vector<double> weights = {1};
    const std::vector<Explanation> all = {turned("one", ExplanationKind::correct, {leaning})};
    return diagnose({theirs, weights, {}, normals}, all, 5).fits[0].orthogonal;
  };
  // About as on a plane at these angles: together sqrt(lean^2 + rest^2).
  const double rest = .2, together = 1.1 * rest + .001;
  EXPECT_FALSE(orthogonal(std::sqrt(std::pow(kBelow * together, 2) - rest * rest), rest));
  EXPECT_TRUE(orthogonal(std::sqrt(std::pow(kAbove * together, 2) - rest * rest), rest));
}

// Faces of three vertices of their own; what is left over of each is `degrees` long, its directions `turn` apart.
struct Leftover {
  std::vector<Vec3d> theirs;
  std::vector<Face> faces;

  void add(double degrees, double turn) {
    const int first = static_cast<int>(theirs.size());
    for (int k = 0; k < 3; ++k) theirs.push_back(off_z(degrees, k * turn));
    faces.push_back({first, first + 1, first + 2});
  }
  // Whether noise hides that the normals are z.
  bool is_noisy() const { return judged({std::vector<Vec3d>(theirs.size(), Vec3d(0, 0, 1))}).noisy; }
  Verdict judged(const std::vector<std::vector<Vec3d>>& explained) const {
    std::vector<Explanation> all;
    for (const auto& v : explained)
      all.push_back(turned(std::to_string(all.size()), ExplanationKind::correct, v));
    return diagnose({theirs, std::vector<double>(theirs.size(), 1.0), faces, {}}, all, .5).verdict;
  }
};

constexpr double kApart = 2 * M_PI / 3;  // three that sum to 0: as little pattern as there is

TEST(Diagnosis, NoiseIsUpToFiveDegrees) {
  for (const double share : {kBelow, kAbove}) {
    Leftover left;
    left.add(share * 5, kApart);
    EXPECT_EQ(left.is_noisy(), share < 1);
  }
}

TEST(Diagnosis, NoiseIsMoreThanAThousandthOfADegree) {
  for (const double share : {kBelow, kAbove}) {
    Leftover left;
    left.add(share * .001, kApart);
    EXPECT_EQ(left.is_noisy(), share > 1);
  }
}

TEST(Diagnosis, NoiseHasACorrelationBelowThreeTenths) {
  // Over the edges of a face the cosines are cos(turn), cos(turn) and cos(2 turn): solved for their mean.
  const auto turn_of = [](double correlation) {
    double low = 0, high = kApart;
    for (int step = 0; step < 60; ++step) {
      const double middle = (low + high) / 2;
      (2 * std::cos(middle) + std::cos(2 * middle) > 3 * correlation ? low : high) = middle;
    }
    return low;
  };
  for (const double share : {kBelow, kAbove}) {
    Leftover left;
    left.add(.1, turn_of(share * .3));
    EXPECT_EQ(left.is_noisy(), share < 1);
  }
}

TEST(Diagnosis, LargeLeftoversCountAsThreeTimesTheMedian) {
  // A hundred faces of one direction, far off, among `others` of no pattern: with k times the median their correlation is
  // (k^2 - others / 200) / (k^2 + others / 100), .3 for k = 3 at 787.5 others. A k off by 1 % moves that by 2 %.
  for (const int others : {780, 795})
    for (const int before : {0, others / 2, others}) {  // the far ones, wherever they stand
      Leftover left;
      for (int i = 0; i < before; ++i) left.add(.1, kApart);
      for (int i = 0; i < 100; ++i) left.add(2, 0);
      for (int i = before; i < others; ++i) left.add(.1, kApart);
      EXPECT_EQ(left.is_noisy(), others > 787) << others << ", " << before << " before";
    }
}

TEST(Diagnosis, UnderNoiseAsGoodIsFourStandardErrors) {
  const double spread = .3, error = 4 * spread / std::sqrt(600.) + .001;
  for (const double share : {kBelow, kAbove}) {
    Leftover left;
    std::vector<Vec3d> other;  // further off by share * error, more and less by turns
    for (int i = 0; i < 200; ++i) {
      left.add(1, kApart);
      for (int k = 0; k < 3; ++k)
        other.push_back(off_z(-(share * error + ((3 * i + k) % 2 ? spread : -spread)), k * kApart));
    }
    const Verdict verdict = left.judged({std::vector<Vec3d>(600, Vec3d(0, 0, 1)), other});
    ASSERT_TRUE(verdict.noisy);
    EXPECT_EQ(verdict.same_here.size(), share < 1 ? 1u : 0u);
  }
}

Lengths lengths(const std::vector<double>& theirs, const std::vector<double>& explained = {1, 1}) {
  std::vector<Vec3d> v, e;
  for (const double length : theirs) v.push_back(Vec3d(0, 0, length));
  for (const double length : explained) e.push_back(Vec3d(0, 0, length));
  return judge_lengths(
      v, std::vector<Explanation>{turned(std::string(kStandard), ExplanationKind::approximation, e)});
}

TEST(Diagnosis, LengthsAreUnitsWithinTwoPerCent) {
  for (const double sign : {1., -1.}) {
    const double in = 1 + sign * kBelow * .02, out = 1 + sign * kAbove * .02;
    EXPECT_EQ(lengths({in, in}).finding, LengthFinding::unit);
    EXPECT_EQ(lengths({out, out}).finding, LengthFinding::constant);
  }
}

TEST(Diagnosis, LengthsAreAlikeWithinTwoPerCentOfTheirMean) {
  for (const double size : {1., 10.})
    for (const double share : {kBelow, kAbove}) {
      const double off = share * .02 * size;
      const LengthFinding found = lengths({size - off, size + off}).finding;
      EXPECT_EQ(found, share > 1  ? LengthFinding::unexplained
                       : size > 1 ? LengthFinding::constant
                                  : LengthFinding::unit);
    }
}

TEST(Diagnosis, LengthsTellWhereTheyAreTwoPerCentOffOne) {
  // Of 1 + x and 1 - x the misfit is x / sqrt(1 + x^2).
  for (const double share : {kBelow, kAbove}) {
    const double x = share * .02 / std::sqrt(1 - std::pow(share * .02, 2));
    EXPECT_EQ(lengths({1, 1}, {1 - x, 1 + x}).telling, share > 1);
  }
}

TEST(Diagnosis, LengthsAreLikeThoseWithinTwoPerCent) {
  // Theirs as explained but for one part in 1 + x^2, x as above, at right angles to it in the space of lengths.
  for (const double share : {kBelow, kAbove}) {
    const double x = share * .02 / std::sqrt(1 - std::pow(share * .02, 2));
    const Lengths found = lengths({.5 - 1 * x, 1 + .5 * x}, {.5, 1});
    EXPECT_EQ(found.finding, share < 1 ? LengthFinding::not_normalised : LengthFinding::unexplained);
    EXPECT_EQ(found.like, share < 1 ? std::string(kStandard) : "");
  }
}

// What has no length is 90 degrees from anything.
TEST(Diagnosis, TheShareWithinTheToleranceIncludesIt) {
  const std::vector<Vec3d> theirs = {Vec3d(0, 0, 1), Vec3d(0, 0, 1)};
  const std::vector<double> weights = {1, 3};
  const std::vector<Explanation> all = {
      turned("one", ExplanationKind::correct, {Vec3d(0.0), Vec3d(0, 0, -1)})};
  EXPECT_EQ(diagnose({theirs, weights, {}, {}}, all, 90).fits[0].share, .25);
  EXPECT_EQ(diagnose({theirs, weights, {}, {}}, all, 89).fits[0].share, 0);
}

TEST(MeanDegrees, IsWeightedAndNoneWhereNothingHasWeight) {
  const std::vector<Vec3d> a = {Vec3d(0, 0, 1), Vec3d(0, 0, 1)}, b = {Vec3d(1, 0, 0), Vec3d(0, 0, 2)};
  EXPECT_NEAR(explain::mean_degrees(a, b, std::vector<double>{1, 3}), 22.5, 1e-12);
  EXPECT_EQ(explain::mean_degrees(a, b, std::vector<double>{0, 0}), 0);
}

}  // namespace
}  // namespace skinlight
