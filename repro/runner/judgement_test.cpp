#include "repro/runner/judgement.h"

#include <gtest/gtest.h>

#include <cmath>

#include "repro/runner/runner.h"

namespace skinlight::repro {
namespace {

Measurement measured(const std::string& family, int resolution, double rms) {
  Measurement m;
  m.rig = family + "_" + std::to_string(resolution);
  m.family = family;
  m.resolution = resolution;
  m.pose = "bent";
  m.method = "deform";
  m.truth = "analytic";
  m.error.weighting = "deformed area";
  m.error.rms = rms;
  return m;
}

Claim claim(Bound bound, double expected, double tolerance, double value) {
  Claim c;
  c.bound = bound;
  c.expected = expected;
  c.tolerance = tolerance;
  c.value = [value](const Results&) { return value; };
  return c;
}

Verdict verdict(const Claim& c) { return judge(c, Results()).verdict; }

TEST(Claims, WithinIsJudgedOnBothSidesByItsTolerance) {
  EXPECT_EQ(verdict(claim(Bound::within, 16.2, 0.05, 16.24)), Verdict::reproduced);
  EXPECT_EQ(verdict(claim(Bound::within, 16.2, 0.05, 16.26)), Verdict::failed);
  EXPECT_EQ(verdict(claim(Bound::within, 16.2, 0.05, 16.14)), Verdict::failed);
}

TEST(Claims, FivePerCentBeyondTheToleranceFails) {
  for (const double expected : {-3.0, 0.0, 1e-9, 16.2, 1e6}) {
    for (const double tolerance : {1e-12, 0.05, 40.0}) {
      for (const double side : {-1.0, 1.0}) {
        const auto at = [&](double share) {
          return verdict(claim(Bound::within, expected, tolerance, expected + side * share * tolerance));
        };
        if (tolerance < 1e-9 * std::abs(expected)) continue;  // beneath the rounding of the sum
        EXPECT_EQ(at(0.95), Verdict::reproduced) << expected << " +- " << tolerance;
        EXPECT_EQ(at(1.05), Verdict::failed) << expected << " +- " << tolerance;
      }
    }
  }
}

TEST(Claims, BoundsIncludeTheirEnd) {
  EXPECT_EQ(verdict(claim(Bound::at_most, 1, 0, 1)), Verdict::reproduced);
  EXPECT_EQ(verdict(claim(Bound::at_most, 1, 0, 1.001)), Verdict::failed);
  EXPECT_EQ(verdict(claim(Bound::at_least, 1, 0, 1)), Verdict::reproduced);
  EXPECT_EQ(verdict(claim(Bound::at_least, 1, 0, 0.999)), Verdict::failed);
}

TEST(Claims, NoNumberIsNeverAVerdictInFavour) {
  for (Bound bound : {Bound::within, Bound::at_most, Bound::at_least}) {
    EXPECT_EQ(verdict(claim(bound, 1, INFINITY, NAN)), Verdict::failed);
    EXPECT_EQ(verdict(claim(bound, 1, INFINITY, INFINITY)), Verdict::failed);
  }
}

TEST(Claims, ADeviationIsReportedAsSuchAndFailsWhenTheFindingMoves) {
  for (const Verdict differing : {Verdict::deviates, Verdict::differs_by_design}) {
    Claim c = claim(Bound::within, 3, 0.5, 3.2);
    c.verdict = differing;
    EXPECT_EQ(verdict(c), differing);
    c.value = [](const Results&) { return 4.0; };
    EXPECT_EQ(verdict(c), Verdict::failed);
  }
}

TEST(Claims, WhatCannotBeMeasuredIsNotRunWithTheReason) {
  const Claim c = claim(Bound::within, 3, 0.5, 3.2);
  const Judgement j = unjudged(c, "needs the fox");
  EXPECT_EQ(j.verdict, Verdict::not_run);
  EXPECT_EQ(j.not_run, "needs the fox");
  EXPECT_TRUE(std::isnan(j.value));
}

TEST(Results, OrderIsTheSlopeOfAPowerLaw) {
  Results results;
  for (int n : {12, 24, 48, 96}) {
    results.measurements.push_back(measured("structured", n, 7 * std::pow(n, -1.75)));
    results.measurements.push_back(measured("jittered", n, 5 / std::sqrt(n)));
  }
  constexpr double kRounding = 1e-12;
  EXPECT_NEAR(results.order("structured", "bent", "deform", Truth::analytic), 1.75, kRounding);
  EXPECT_NEAR(results.order("jittered", "bent", "deform", Truth::analytic), 0.5, kRounding);
  EXPECT_THROW(results.order("none", "bent", "deform", Truth::analytic), std::logic_error);
}

TEST(Results, RowsAreFoundByAllTheirNames) {
  Results results;
  results.measurements = {measured("a", 12, 1), measured("a", 24, 2)};
  EXPECT_EQ(results.error("a_24", "bent", "deform", Truth::analytic).rms, 2);
  EXPECT_THROW(results.error("a_24", "bent", "standard", Truth::analytic), std::logic_error);
  EXPECT_THROW(results.error("a_24", "bent", "deform", Truth::recomputed), std::logic_error);
}

// Every number another, so that no two columns can change places.
TEST(Metrics, EachColumnHoldsWhatItsHeadSays) {
  Measurement m;
  m.rig = "rig_1";
  m.family = "family_2";
  m.resolution = 3;
  m.vertices = 4;
  m.pose = "pose_5";
  m.method = "method_6";
  m.truth = "truth_7";
  m.error.weighting = "weighting_8";
  m.error.mean = 9.5;
  m.error.rms = 10.5;
  m.error.p95 = 11.5;
  m.error.p99 = 12.5;
  m.error.max = 13.5;
  m.error.flips = 14;
  EXPECT_EQ(
      metrics_csv({m}),
      "rig,family,resolution,vertices,pose,method,truth,weighting,mean_deg,rms_deg,p95_deg,p99_deg,max_deg,flips\n"
      "rig_1,family_2,3,4,pose_5,method_6,truth_7,weighting_8,9.5,10.5,11.5,12.5,13.5,14\n");
}

TEST(Metrics, NamesWithCommasAreQuoted) {
  Measurement m = measured("a", 12, 1.5);
  m.pose = "Run, left";
  m.error.weighting = "deformed area, frames alike";
  m.error.flips = 7;
  const std::string csv = metrics_csv({m});
  EXPECT_NE(
      csv.find("a_12,a,12,0,\"Run, left\",deform,analytic,\"deformed area, frames alike\",0,1.5,0,0,0,7\n"),
      std::string::npos)
      << csv;
}

// One claim that fails is enough, and none that merely deviates or has no value.
TEST(RunReport, FailsWithAClaim) {
  RunReport report;
  EXPECT_FALSE(report.failed());
  for (const Verdict verdict :
       {Verdict::reproduced, Verdict::deviates, Verdict::differs_by_design, Verdict::not_run}) {
    report.judgements.push_back({nullptr, 1, verdict});
    EXPECT_FALSE(report.failed());
  }
  report.judgements.insert(report.judgements.begin() + 1, {nullptr, 1, Verdict::failed});
  EXPECT_TRUE(report.failed());
}

}  // namespace
}  // namespace skinlight::repro
