// Costs of normals, by hand.
#include "repro/study/costs.h"

#include <gtest/gtest.h>

namespace skinlight::repro {
namespace {

constexpr NumberFormat kFloats = NumberFormat::f32, kHalves = NumberFormat::f16,
                       kBytes = NumberFormat::snorm8;

// [TPS14 Table 1] prints 12, 30 and 48 on top of the standard method; the shipped kernel takes the bones' translations apart
// first, which takes three more for each slot.
TEST(Costs, OperationsAreThoseOfTheTable) {
  EXPECT_EQ(operations(NormalMode::standard, 2), 60);
  EXPECT_EQ(operations(NormalMode::standard, 3), 72);
  EXPECT_EQ(operations(NormalMode::standard, 4), 84);
  EXPECT_EQ(operations(NormalMode::deform, 2), 60 + 12 + 3 * 2);
  EXPECT_EQ(operations(NormalMode::deform, 3), 72 + 30 + 3 * 3);
  EXPECT_EQ(operations(NormalMode::deform, 4), 84 + 48 + 3 * 4);
}

// Slot 0 is not stored: of 2, 3 and 8 numbers in each of the others.
TEST(Costs, BytesAreThoseOfTheNumbersOfTheOtherSlots) {
  for (const int slots : {1, 2, 4, 8}) {
    const int others = slots - 1;
    EXPECT_EQ(bytes(NormalMode::standard, slots, kFloats), 0);
    EXPECT_EQ(bytes(NormalMode::deform, slots, kFloats), 2 * others * 4) << slots;
    EXPECT_EQ(bytes(NormalMode::smoothed, slots, kHalves), 3 * others * 2) << slots;
    EXPECT_EQ(bytes(NormalMode::deform_vectors, slots, kBytes), 8 * others) << slots;
  }
  EXPECT_THROW(bytes(NormalMode::deform_frames, 4, kFloats), std::logic_error);
}

// Two frames of 5 slots: 4 changes of weights, two vectors, alpha and beta, which makes 12 numbers each, and 15 with a
// centre. What is stored in few bits has scales, floats.
TEST(Costs, FramesHaveChangesVectorsFactorsCentresAndScales) {
  EXPECT_EQ(frame_bytes(5, false, kFloats), 2 * 12 * 4);
  EXPECT_EQ(frame_bytes(5, true, kFloats), 2 * 15 * 4);
  EXPECT_EQ(frame_bytes(5, false, kHalves), 2 * 12 * 2 + 2 * 4);
  EXPECT_EQ(frame_bytes(5, true, kHalves), 2 * 15 * 2 + 3 * 4);
  EXPECT_EQ(frame_bytes(5, true, kBytes), 2 * 15 + 3 * 4);
  EXPECT_EQ(frame_bytes(8, false, kBytes), 2 * 15 + 2 * 4);
  EXPECT_EQ(frame_bytes(1, false, kBytes), 2 * 8 + 2 * 4);
}

}  // namespace
}  // namespace skinlight::repro
