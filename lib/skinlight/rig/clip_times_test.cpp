#include "skinlight/rig/clip_times.h"

#include <gtest/gtest.h>

namespace skinlight {
namespace {

Channel from(double first, double last) {
  Channel channel;
  channel.times = {first, last};
  return channel;
}

TEST(ClipTimes, BeginWithTheFirstKeyOfAnyChannel) {
  Clip clip{"late", 14, {from(12, 13), from(10, 14)}};
  EXPECT_EQ(first_key(clip), 10);
  EXPECT_EQ(time_within(clip, 0), 10);
  EXPECT_EQ(time_within(clip, .25), 11);
  EXPECT_EQ(time_within(clip, 1), 14);
  clip.morph_channels = {{.first = 0, .count = 1, .times = {9, 11}, .values = {0, 1}}};
  EXPECT_EQ(first_key(clip), 9);
}

TEST(ClipTimes, WithoutKeysThereIsNoTime) {
  EXPECT_EQ(first_key({}), 0);
  EXPECT_EQ(first_key({"empty", 0, {Channel{}}}), 0);
}

}  // namespace
}  // namespace skinlight
