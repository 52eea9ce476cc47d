#include "skinlight/render/text.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <string>
#include <utility>

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

// Numbers of DejaVu Sans 2.37 as fontTools reads them, in units of the font, which is 1901 + 483 of these high: drawn at
// that size a unit is a pixel.
constexpr float kHigh = 1901 + 483;
constexpr int kUnknown = 2100;  // U+FFFD
constexpr int kMissing = 1229;  // of what the font does not have

TEST(Text, WidthsAreTheAdvancesOfTheFontWithItsKerning) {
  EXPECT_EQ(text_width("A", kHigh), 1401);
  EXPECT_EQ(text_width("H", kHigh), 1540);
  EXPECT_EQ(text_width("AV", kHigh), 1401 + 1401 - 131);
  EXPECT_EQ(text_width("To", kHigh), 1251 + 1253 - 348);
  EXPECT_EQ(text_width("HTo", kHigh), 1540 + 1251 + 1253 - 348);
  EXPECT_EQ(text_width("AV", kHigh / 8), (1401 + 1401 - 131) / 8.0f);
}

// The first and last bytes of every kind, and what stands between the kinds (Unicode, table 3-7).
TEST(Text, LeadsOfUtf8AreToldApartAtEveryBorder) {
  const auto width = [](std::string_view text) { return text_width(text, kHigh); };
  EXPECT_EQ(width("\x7f"), kMissing);
  for (const char* none : {"\x80", "\x81", "\xbf", "\xc0", "\xc1", "\xf5", "\xf8", "\xff"})
    EXPECT_EQ(width(none), kUnknown) << std::hex << (none[0] & 0xff);
  EXPECT_EQ(width("\xc0\xb0"), 2 * kUnknown);
  EXPECT_EQ(width("\xc1\xbf"), 2 * kUnknown);
  EXPECT_EQ(width("\xc2\xb0"), 1024);          // U+00B0
  EXPECT_EQ(width("\xdf\xba"), 739);           // U+07FA
  EXPECT_EQ(width("\xe0\xb8\xbf"), 1303);      // U+0E3F
  EXPECT_EQ(width("\xe2\x89\xa5"), 1716);      // U+2265
  EXPECT_EQ(width("\xef\xad\x8f"), 1288);      // U+FB4F
  EXPECT_EQ(width("\xf0\x90\x8c\x80"), 1550);  // U+10300
  EXPECT_EQ(width("\xf0\x9f\x99\x83"), 2135);  // U+1F643
  EXPECT_EQ(width("\xf4\x8f\xbf\xbf"), kMissing);
  EXPECT_EQ(width("\xf5\x80\x80\x80"), 4 * kUnknown);
  EXPECT_EQ(width("A\xc2\xb0H"), 1401 + 1024 + 1540);
}

// What breaks off is one unknown character, and what follows is read as if nothing had been; nothing is read behind the end.
TEST(Text, SequencesThatBreakOffAreOneUnknownCharacter) {
  const auto width = [](std::string_view text) { return text_width(text, kHigh); };
  for (const std::string_view whole : {"\xc2\xb0", "\xe2\x89\xa5", "\xf0\x9f\x98\x80"})
    for (std::size_t bytes = 1; bytes < whole.size(); ++bytes) {
      EXPECT_EQ(width(whole.substr(0, bytes)), kUnknown) << whole.size() << " " << bytes;
      EXPECT_EQ(width(std::string(whole.substr(0, bytes)) + "H"), kUnknown + 1540)
          << whole.size() << " " << bytes;
    }
  EXPECT_EQ(width("\xc2\xc2\xb0"), kUnknown + 1024);
}

// The outline of "l" is the rectangle (193, 0) .. (377, 1556), and its advance 569.
TEST(Text, GlyphsLieWhereTheirOutlinesSay) {
  constexpr int kLevels = 2;  // of 255, coverage is summed in floats
  constexpr float kSize = kHigh / 8;
  // From 10.25 + 193 / 8 = 34.375 to 57.375, and 71.125 further: 105.5 to 128.5. The baseline is the nearest row to
  // 9.9 + 1901 / 8 = 247.525, the top 194.5 above it.
  Image8 image(140, 260, kWhite);
  draw_text(image, "ll", 10.25f, 9.9f, TextAlign::left, kSize, kBlack);
  const auto expect_row = [&](int y, double covered) {
    const auto column_covered = [](int x) {
      switch (x) {
        case 34:
          return 0.625;
        case 57:
          return 0.375;
        case 105:
        case 128:
          return 0.5;
        default:
          return (x > 34 && x < 57) || (x > 105 && x < 128) ? 1.0 : 0.0;
      }
    };
    for (int x = 0; x < image.width; ++x)
      for (int c = 0; c < 3; ++c)
        EXPECT_NEAR(image.at(x, y)[c], 255 * (1 - covered * column_covered(x)), kLevels) << x << " " << y;
  };
  for (const int y : {0, 52, 248, 259}) expect_row(y, 0);
  expect_row(53, 0.5);
  for (const int y : {54, 150, 247}) expect_row(y, 1);

  const float width = 2 * 569 / 8.0f;
  for (const auto& [align, x] :
       {std::pair(TextAlign::centre, 10.25f + width / 2), std::pair(TextAlign::right, 10.25f + width)}) {
    Image8 aligned(140, 260, kWhite);
    draw_text(aligned, "ll", x, 9.9f, align, kSize, kBlack);
    EXPECT_EQ(aligned.rgb, image.rgb);
  }
}

// Black on white says how much of each pixel is covered; any other two colours are then mixed in that share.
TEST(Text, ColoursAreMixedByCoverage) {
  const auto drawn = [](Rgb8 ground, Rgb8 colour) {
    Image8 image(90, 40, ground);
    draw_text(image, "Sg&", 3.3f, 2, TextAlign::left, 32, colour);
    return image;
  };
  const Image8 black = drawn(kWhite, kBlack);
  for (const auto& [ground, colour] :
       {std::pair(Rgb8{10, 250, 128}, Rgb8{200, 40, 90}), std::pair(kBlack, Rgb8{255, 1, 2}),
        std::pair(Rgb8{7, 99, 254}, Rgb8{5, 201, 77})}) {
    const Image8 mixed = drawn(ground, colour);
    for (std::size_t i = 0; i < mixed.rgb.size(); ++i) {
      const double share = (255 - black.rgb[i]) / 255.0;
      EXPECT_EQ(mixed.rgb[i], std::lround((1 - share) * ground[i % 3] + share * colour[i % 3])) << i;
    }
  }
}

// Whatever part of it is in the picture, the text is the same.
TEST(Text, ACutTextIsThePartThatIsInThePicture) {
  Image8 whole(120, 80, kWhite);
  draw_text(whole, "gWj", 20.25f, 15, TextAlign::left, 40, kBlack);
  const Ink ink = ink_of(whole);
  constexpr int kSide = 14;
  for (int top = ink.top - kSide + 1; top <= ink.bottom; top += 5)
    for (int left = ink.left - kSide + 1; left <= ink.right; left += 3) {
      Image8 part(kSide, kSide, kWhite);
      draw_text(part, "gWj", 20.25f - static_cast<float>(left), 15 - static_cast<float>(top), TextAlign::left,
                40, kBlack);
      for (int y = 0; y < kSide; ++y)
        EXPECT_TRUE(std::equal(part.at(0, y), part.at(0, y) + 3 * kSide, whole.at(left, top + y)))
            << left << " " << top + y;
    }
}

}  // namespace
}  // namespace skinlight
