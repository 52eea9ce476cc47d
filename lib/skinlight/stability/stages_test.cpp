#include "skinlight/stability/stages.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <algorithm>

#include "skinlight/core/error.h"
#include "skinlight/stability/explain.h"

namespace skinlight::stability {
namespace {

double median(const char* id) {
  std::vector<double> digits = measure_stage(cell_from_id(id), 400, 1);
  const auto middle = digits.begin() + 200;
  std::nth_element(digits.begin(), middle, digits.end());
  return *middle;
}

// The truth inverts the Gram matrix of two edges, in 106 bits; the stage has cross products, in 53.
TEST(Stages, KeepNearlyAllDigitsOfDoubleOnPlainRings) {
  for (const StageRow& stage : stages())
    EXPECT_GT(median((stage.subject.name + "/ring/double").c_str()), 14.5) << stage.subject.name;
}

// Coordinates are given as they are rounded there; their differences are exact, and nothing is lost after that.
TEST(Stages, LoseNothingFarFromTheOrigin) {
  for (const char* stage : {"stage-gradients", "stage-averaging", "stage-factors", "stage-morph"})
    EXPECT_GT(median((std::string(stage) + "/ring-far/double").c_str()), 14.5) << stage;
}

// As an independent prototype measured: 8.9 digits at a height of 1e-8, where the Gram matrix in double leaves .7.
TEST(Stages, GradientsOfSliversKeepWhatTheirCoordinatesLeave) {
  EXPECT_NEAR(median("stage-gradients/ring-slivers/double"), 8.9, .5);
}

// A centre of rotation is stored where it is: differences of centres lose what 1e4 rounds in double, 1.8e-12, and no more.
TEST(Stages, CentresFarFromTheOriginKeepWhatTheirCoordinatesLeave) {
  EXPECT_NEAR(median("stage-centres/ring-far/double"), 11.1, .3);
}

TEST(Stages, HaveTheSameDigitsWhateverTheThreads) {
  const Cell cell = cell_from_id("stage-factors/ring-thin/double");
  EXPECT_EQ(measure_stage(cell, 50, 1), measure_stage(cell, 50, 2));
}

TEST(Stages, AreCellsBesideThoseOfKernels) {
  EXPECT_EQ(cells({{&subject_from_name("stage-angle")}, {}, {}, true}).size(), stage_inputs().size());
  EXPECT_EQ(cells({{}, {}, {&stage_scalar()}, true}).size(), stages().size() * stage_inputs().size());
  EXPECT_TRUE(cells({{&subject_from_name("stage-angle")}, {&regime_from_name("near")}, {}, true}).empty());
}

TEST(Stages, HaveNoOperationsToExplain) {
  EXPECT_THROW(explain(cell_from_id("stage-angle/ring/double")), InputError);
  EXPECT_THROW(cell_from_id("stage-angle/near/float"), InputError);
}

}  // namespace
}  // namespace skinlight::stability
