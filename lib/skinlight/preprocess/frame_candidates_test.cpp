#include "skinlight/preprocess/detail/frame_candidates.h"

#include <gtest/gtest.h>

#include <limits>
#include <vector>

namespace skinlight {
namespace {

Frames two_frames() {
  Frames frames;
  frames.count = 2;
  for (Frames::Frame& f : frames.frame) f.offset = SlotVector::Zero(3);
  return frames;
}

// Every number of a frame that is used.
std::vector<double*> numbers_of(Frames::Frame& f) {
  std::vector<double*> numbers;
  for (int s = 0; s < f.offset.size(); ++s) numbers.push_back(&f.offset[s]);
  for (int x = 0; x < 3; ++x) {
    numbers.push_back(&f.centre[x]);
    for (Vec3d& v : f.v) numbers.push_back(&v[x]);
  }
  for (double& alpha : f.alpha) numbers.push_back(&alpha);
  return numbers;
}

TEST(Frames, AreFiniteWhereEveryNumberInUseIs) {
  Frames frames = two_frames();
  EXPECT_TRUE(frames.is_finite());
  for (const double bad : {std::numeric_limits<double>::quiet_NaN(), std::numeric_limits<double>::infinity()})
    for (std::size_t k = 0; k < frames.frame.size(); ++k)
      for (double* number : numbers_of(frames.frame[k])) {
        *number = bad;
        EXPECT_EQ(frames.is_finite(), k >= static_cast<std::size_t>(frames.count)) << "frame " << k;
        *number = 1;
        EXPECT_TRUE(frames.is_finite());
      }
}

// Differences of weights up to 1e-9 are rounding.
TEST(FrameProblem, VariesWhereWeightsOfTheRingDifferByMoreThanRounding) {
  const auto varies = [](double difference) {
    FrameProblem problem;
    problem.own = SlotVector::Zero(3);
    problem.ring.resize(2);
    for (FrameProblem::Corner& corner : problem.ring) corner.D = SlotVector::Zero(3);
    problem.ring[1].D[2] = difference;
    return problem.varies();
  };
  EXPECT_FALSE(varies(0));
  EXPECT_FALSE(varies(.99e-9));
  EXPECT_FALSE(varies(1e-9));
  EXPECT_TRUE(varies(1.01e-9));
  EXPECT_TRUE(varies(-1.01e-9));
}

}  // namespace
}  // namespace skinlight
