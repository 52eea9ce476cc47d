#include "skinlight/render/text.h"

#include <gtest/gtest.h>

namespace skinlight {
namespace {

constexpr Rgb8 kWhite{255, 255, 255}, kBlack{0, 0, 0};

struct Ink {
  int left = 1 << 20, right = -1, top = 1 << 20, bottom = -1;
  long dark = 0, grey = 0;
};

Ink ink_of(const Image8& image) {
  Ink ink;
  for (int y = 0; y < image.height; ++y) {
    for (int x = 0; x < image.width; ++x) {
      const int value = image.at(x, y)[0];
      if (value == 255) continue;
      ++(value < 30 ? ink.dark : ink.grey);
      ink.left = std::min(ink.left, x);
      ink.right = std::max(ink.right, x);
      ink.top = std::min(ink.top, y);
      ink.bottom = std::max(ink.bottom, y);
    }
  }
  return ink;
}

Ink ink_of(std::string_view text, TextAlign align, float x) {
  Image8 image(300, 60, kWhite);
  draw_text(image, text, x, 10, align, 30, kBlack);
  return ink_of(image);
}

TEST(Text, IsAntiAliasedAndInsideItsBox) {
  const Ink ink = ink_of("deform", TextAlign::left, 20);
  EXPECT_GT(ink.dark, 100);
  EXPECT_GT(ink.grey, 100);
  EXPECT_GE(ink.left, 20);
  EXPECT_LE(ink.right, 20 + text_width("deform", 30));
  EXPECT_GE(ink.top, 10);
  EXPECT_LT(ink.bottom, 40);
}

TEST(Text, AlignsToItsPoint) {
  const float width = text_width("HOH", 30);
  const Ink left = ink_of("HOH", TextAlign::left, 150), centre = ink_of("HOH", TextAlign::centre, 150),
            right = ink_of("HOH", TextAlign::right, 150);
  EXPECT_NEAR(left.left - centre.left, width / 2, 1.5);
  EXPECT_NEAR(left.left - right.left, width, 1.5);
  EXPECT_NEAR(centre.left + centre.right, 300, 3);
}

TEST(Text, WidthGrowsWithTextAndSize) {
  EXPECT_EQ(text_width("", 20), 0);
  EXPECT_LT(text_width("i", 20), text_width("m", 20));
  EXPECT_NEAR(text_width("10", 40), 2 * text_width("10", 20), 1e-3);
}

TEST(Text, KnowsUtf8) {
  // One glyph each, and not the box of an unknown one.
  EXPECT_LT(text_width("\u00b0", 20), text_width("m", 20));
  EXPECT_GT(ink_of("\u2265", TextAlign::left, 20).dark, 10);
  EXPECT_NE(ink_of("\u2265", TextAlign::left, 20).dark, ink_of("\u00b0", TextAlign::left, 20).dark);
  // Broken sequences are drawn as unknown characters, not read past the end.
  EXPECT_GT(text_width("a\xe2\x89", 20), text_width("a", 20));
  EXPECT_GT(text_width("\xff", 20), 0);
}

TEST(Text, IsCutAtTheImage) {
  Image8 image(8, 8, kWhite);
  draw_text(image, "WWWW", -10, -10, TextAlign::left, 40, kBlack);
  EXPECT_GT(ink_of(image).dark, 0);
}

}  // namespace
}  // namespace skinlight
