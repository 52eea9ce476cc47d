// The place that the program looks at from near.
#include "repro/study/insets.h"

#include <gtest/gtest.h>

namespace skinlight::repro {
namespace {

TEST(Insets, TheWindowIsWhereTheMapSumsUpToMost) {
  constexpr int kWidth = 40, kHeight = 50;
  std::vector<float> map(kWidth * kHeight, 0.0F);
  map[7 * kWidth + 3] = 1;  // alone, and larger than any of the others
  for (int y = 30; y < 35; ++y)
    for (int x = 20; x < 25; ++x) map[static_cast<std::size_t>(y * kWidth + x)] = 0.5F;
  const Window w = largest_window(map, kWidth, kHeight, 0.2);  // 10 by 10 pixels
  EXPECT_DOUBLE_EQ(w.width, 10.0 / kWidth);
  EXPECT_DOUBLE_EQ(w.height, 10.0 / kHeight);
  EXPECT_LE(w.left * kWidth, 20);
  EXPECT_GE((w.left + w.width) * kWidth, 25);
  EXPECT_LE(w.top * kHeight, 30);
  EXPECT_GE((w.top + w.height) * kHeight, 35);
  for (float& number : map) number *= 0.01F;  // wherever that is little altogether
  const Window same = largest_window(map, kWidth, kHeight, 0.2);
  EXPECT_EQ(same.width, w.width);
  EXPECT_EQ(same.top, w.top);
}

TEST(Insets, OfEqualWindowsTheFirstIsTaken) {
  const Window w = largest_window(std::vector<float>(30 * 20, 0.25F), 30, 20, 0.5);
  EXPECT_EQ(w.left, 0);
  EXPECT_EQ(w.top, 0);
}

TEST(Insets, AWindowNeverSticksOut) {
  std::vector<float> map(8 * 20, 0.0F);
  map.back() = 1;
  const Window w = largest_window(map, 8, 20, 0.9);  // 18 pixels high would be wider than the picture
  EXPECT_DOUBLE_EQ(w.width, 1);
  EXPECT_DOUBLE_EQ(w.top + w.height, 1);
}

}  // namespace
}  // namespace skinlight::repro
