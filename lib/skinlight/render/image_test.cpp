#include "skinlight/render/image.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <algorithm>
#include <array>
#include <cmath>
#include <filesystem>
#include <limits>
#include <span>
#include <string>

#include "skinlight/core/error.h"
#include "skinlight/core/file.h"
#include "skinlight/core/random.h"
#include "skinlight/render/text.h"

namespace skinlight {
namespace {

namespace fs = std::filesystem;
using testing::ElementsAre;
using testing::HasSubstr;

constexpr Rgb8 kWhite{255, 255, 255};

fs::path scratch(const char* file) {
  const auto* test = testing::UnitTest::GetInstance()->current_test_info();
  return fs::path(testing::TempDir()) / "skinlight_image_test" / test->name() / file;
}

Image8 random_image(int width, int height, std::uint64_t seed) {
  Random random(seed);
  Image8 image(width, height, kWhite);
  for (std::uint8_t& value : image.rgb) value = static_cast<std::uint8_t>(random.below(256));
  return image;
}

TEST(Png, ReadsWhatItWrote) {
  const Image8 image = random_image(31, 7, 1);
  write_png(scratch("a.png"), image);
  const Image8 back = read_png(scratch("a.png"));
  EXPECT_EQ(back.width, 31);
  EXPECT_EQ(back.height, 7);
  EXPECT_EQ(back.rgb, image.rgb);
}

TEST(Png, WritesTheSameBytesAgain) {
  write_png(scratch("a.png"), random_image(64, 64, 2));
  write_png(scratch("b.png"), random_image(64, 64, 2));
  EXPECT_EQ(read_file(scratch("a.png")), read_file(scratch("b.png")));
}

std::string reading_error(const fs::path& path) {
  try {
    read_png(path);
  } catch (const InputError& error) {
    return error.what();
  }
  return "read";
}

TEST(Png, DamagedFilesAreErrorsThatNameTheFile) {
  write_png(scratch("a.png"), random_image(64, 64, 3));
  const std::string bytes = read_file(scratch("a.png"));
  write_file(scratch("half.png"), bytes.substr(0, bytes.size() / 2));
  write_file(scratch("text.png"), "not an image");
  write_file(scratch("empty.png"), "");
  for (const char* file : {"half.png", "text.png", "empty.png", "none.png"})
    EXPECT_THAT(reading_error(scratch(file)), HasSubstr(file)) << file;
}

TEST(Png, AnImageWithoutPixelsIsAnError) { EXPECT_THROW(write_png(scratch("a.png"), Image8()), InputError); }

TEST(Image, DownsamplingAveragesBlocksInLinearLight) {
  ImageF image(4, 2);
  for (int y = 0; y < 2; ++y)
    for (int x = 0; x < 4; ++x) image.at(x, y)[0] = static_cast<float>(x + 4 * y);
  const ImageF small = downsample(image, 2);
  ASSERT_EQ(small.width, 2);
  ASSERT_EQ(small.height, 1);
  EXPECT_FLOAT_EQ(small.at(0, 0)[0], (0 + 1 + 4 + 5) / 4.0f);
  EXPECT_FLOAT_EQ(small.at(1, 0)[0], (2 + 3 + 6 + 7) / 4.0f);
  EXPECT_THROW(downsample(image, 3), InputError);
}

TEST(Image, SrgbEncodesKnownValues) {
  EXPECT_EQ(srgb_from_linear(0.0f), 0);
  EXPECT_EQ(srgb_from_linear(1.0f), 255);
  EXPECT_EQ(srgb_from_linear(0.002f), 7);        // linear part: 12.92 * .002 * 255 = 6.59
  EXPECT_EQ(srgb_from_linear(0.2158605f), 128);  // 128 / 255, decoded
  EXPECT_EQ(srgb_from_linear(0.5f), 188);
  EXPECT_EQ(srgb_from_linear(-3.0f), 0);
  EXPECT_EQ(srgb_from_linear(7.0f), 255);
  EXPECT_EQ(srgb_from_linear(std::nanf("")), 0);
}

TEST(Image, OverBlendsByCoverage) {
  ImageF image(1, 1);
  for (const float v : {0.25f}) std::fill_n(image.at(0, 0), 4, v);  // a quarter covered by white
  const ImageF result = over(image, {0.0f, 1.0f, 0.5f});
  EXPECT_FLOAT_EQ(result.at(0, 0)[0], 0.25f);
  EXPECT_FLOAT_EQ(result.at(0, 0)[1], 1.0f);
  EXPECT_FLOAT_EQ(result.at(0, 0)[2], 0.625f);
}

TEST(Image, PasteCutsWhatSticksOut) {
  const Image8 source = random_image(5, 4, 4);
  Image8 target(6, 6, kWhite);
  paste(source, 3, -1, target);
  for (int y = 0; y < 6; ++y)
    for (int x = 0; x < 6; ++x)
      for (int c = 0; c < 3; ++c)
        EXPECT_EQ(target.at(x, y)[c], x >= 3 && y < 3 ? source.at(x - 3, y + 1)[c] : 255) << x << " " << y;
  paste(source, 20, 20, target);
  paste(source, -20, 0, target);
}

TEST(Image, ComposedRowsHoldEveryPanelUnderItsCaption) {
  const std::vector<Panel> panels{{random_image(40, 30, 5), "standard"},
                                  {random_image(50, 20, 6), "a caption wider than it"}};
  const Image8 page = compose_row(panels);
  // Find each panel by its pixels.
  for (const Panel& p : panels) {
    int found = 0;
    for (int y = 0; y + p.image.height <= page.height; ++y) {
      for (int x = 0; x + p.image.width <= page.width; ++x) {
        bool equal = true;
        for (int row = 0; equal && row < p.image.height; ++row)
          equal = std::equal(p.image.at(0, row), p.image.at(0, row) + 3 * p.image.width, page.at(x, y + row));
        if (equal) ++found;
      }
    }
    EXPECT_EQ(found, 1) << p.label;
  }
}

TEST(Image, ComposedColumnsStack) {
  const std::vector<Image8> images{random_image(4, 3, 7), random_image(6, 2, 8)};
  const Image8 page = compose_column(images);
  ASSERT_EQ(page.width, 6);
  ASSERT_EQ(page.height, 5);
  EXPECT_EQ(page.at(3, 2)[1], images[0].at(3, 2)[1]);
  EXPECT_EQ(page.at(5, 4)[2], images[1].at(5, 1)[2]);
  EXPECT_THAT(std::vector<int>(page.at(5, 0), page.at(5, 0) + 3), ElementsAre(255, 255, 255));
}

// 8 by 8 pixels, the left half (200, 40, 40), the right half (40, 60, 220), written by Pillow.
constexpr unsigned char kJpeg[] = {
    255, 216, 255, 224, 0,   16,  74,  70,  73,  70, 0,   1,   1,  0,  0,  1,   0,   1,  0,  0,  255, 219,
    0,   67,  0,   3,   2,   2,   3,   2,   2,   3,  3,   3,   3,  4,  3,  3,   4,   5,  8,  5,  5,   4,
    4,   5,   10,  7,   7,   6,   8,   12,  10,  12, 12,  11,  10, 11, 11, 13,  14,  18, 16, 13, 14,  17,
    14,  11,  11,  16,  22,  16,  17,  19,  20,  21, 21,  21,  12, 15, 23, 24,  22,  20, 24, 18, 20,  21,
    20,  255, 219, 0,   67,  1,   3,   4,   4,   5,  4,   5,   9,  5,  5,  9,   20,  13, 11, 13, 20,  20,
    20,  20,  20,  20,  20,  20,  20,  20,  20,  20, 20,  20,  20, 20, 20, 20,  20,  20, 20, 20, 20,  20,
    20,  20,  20,  20,  20,  20,  20,  20,  20,  20, 20,  20,  20, 20, 20, 20,  20,  20, 20, 20, 20,  20,
    20,  20,  20,  20,  255, 192, 0,   17,  8,   0,  8,   0,   8,  3,  1,  17,  0,   2,  17, 1,  3,   17,
    1,   255, 196, 0,   20,  0,   1,   0,   0,   0,  0,   0,   0,  0,  0,  0,   0,   0,  0,  0,  0,   0,
    8,   255, 196, 0,   24,  16,  0,   2,   3,   0,  0,   0,   0,  0,  0,  0,   0,   0,  0,  0,  0,   0,
    0,   5,   67,  130, 193, 255, 196, 0,   20,  1,  1,   0,   0,  0,  0,  0,   0,   0,  0,  0,  0,   0,
    0,   0,   0,   0,   7,   255, 196, 0,   25,  17, 0,   2,   3,  1,  0,  0,   0,   0,  0,  0,  0,   0,
    0,   0,   0,   0,   0,   7,   68,  131, 195, 69, 255, 218, 0,  12, 3,  1,   0,   2,  17, 3,  17,  0,
    63,  0,   63,  189, 130, 216, 37,  166, 250, 21, 104, 38,  55, 96, 89, 153, 255, 217};

std::string bytes_of(std::span<const unsigned char> bytes) { return {bytes.begin(), bytes.end()}; }

TEST(DecodeImage, AJpegHasTheColoursThatItWasMadeOf) {
  constexpr int kLossy = 12;  // of 255, what quality 90 leaves beside an edge
  const Image8 image = decode_image(bytes_of(kJpeg));
  ASSERT_EQ(image.width, 8);
  ASSERT_EQ(image.height, 8);
  for (int y = 0; y < 8; ++y)
    for (int x = 0; x < 8; ++x) {
      const Rgb8 made = x < 4 ? Rgb8{200, 40, 40} : Rgb8{40, 60, 220};
      for (int c = 0; c < 3; ++c) EXPECT_NEAR(image.at(x, y)[c], made[static_cast<std::size_t>(c)], kLossy);
    }
}

TEST(DecodeImage, APngIsWhatLibpngReads) {
  const Image8 image = random_image(7, 5, 21);
  const fs::path file = scratch("picture.png");
  write_png(file, image);
  const Image8 again = decode_image(read_file(file));
  EXPECT_EQ(again.width, 7);
  EXPECT_EQ(again.height, 5);
  EXPECT_EQ(again.rgb, image.rgb);
}

TEST(DecodeImage, WhatIsNoPictureIsAnError) {
  const std::string whole = bytes_of(kJpeg);
  for (const std::string& bytes : {std::string(), std::string("no picture"), whole.substr(0, 60)}) {
    try {
      decode_image(bytes);
      ADD_FAILURE() << bytes.size() << " bytes were decoded";
    } catch (const InputError& e) {
      EXPECT_THAT(e.what(), HasSubstr("is no PNG or JPEG that can be read"));
    }
  }
}

// Every byte begins where the standard's inverse says, half a step below it [IEC 61966-2-1].
TEST(Image, SrgbRoundsToTheNearestByte) {
  constexpr double kFloat = 1e-6;  // relative
  for (int byte = 1; byte < 256; ++byte) {
    const double at = (byte - 0.5) / 255;
    const double begins = at <= 0.04045 ? at / 12.92 : std::pow((at + 0.055) / 1.055, 2.4);
    EXPECT_EQ(srgb_from_linear(static_cast<float>(begins * (1 - kFloat))), byte - 1);
    EXPECT_EQ(srgb_from_linear(static_cast<float>(begins * (1 + kFloat))), byte);
  }
}

// Wider than high, and the other way round, every channel apart.
TEST(Image, PicturesAreEncodedAndLaidOverPixelByPixel) {
  constexpr int kSizes[][2] = {{5, 3}, {3, 5}};
  for (const auto& [width, height] : kSizes) {
    Random random(31);
    ImageF image(width, height);
    for (float& value : image.rgba) value = static_cast<float>(random.uniform(0, 1));
    const std::array<float, 3> ground{0.1f, 0.5f, 0.9f};
    const ImageF laid = over(image, ground);
    const Image8 bytes = srgb_from_linear(image);
    ASSERT_EQ(bytes.width, width);
    ASSERT_EQ(bytes.height, height);
    ASSERT_EQ(laid.rgba.size(), image.rgba.size());
    for (int y = 0; y < height; ++y)
      for (int x = 0; x < width; ++x) {
        for (std::size_t c = 0; c < 3; ++c) {
          EXPECT_EQ(bytes.at(x, y)[c], srgb_from_linear(image.at(x, y)[c]));
          EXPECT_FLOAT_EQ(laid.at(x, y)[c], image.at(x, y)[c] + (1 - image.at(x, y)[3]) * ground[c]);
        }
        EXPECT_EQ(laid.at(x, y)[3], 1);
      }
  }
}

TEST(Image, DownsamplingHasEveryChannelOfEveryBlock) {
  constexpr int kWidth = 2, kHeight = 3, kFactor = 3;
  Random random(32);
  ImageF image(kFactor * kWidth, kFactor * kHeight);
  for (float& value : image.rgba) value = static_cast<float>(random.uniform(0, 1));
  const ImageF small = downsample(image, kFactor);
  ASSERT_EQ(small.width, kWidth);
  ASSERT_EQ(small.height, kHeight);
  for (int y = 0; y < kHeight; ++y)
    for (int x = 0; x < kWidth; ++x)
      for (int c = 0; c < 4; ++c) {
        double sum = 0;
        for (int i = 0; i < kFactor * kFactor; ++i)
          sum += static_cast<double>(image.at(kFactor * x + i % kFactor, kFactor * y + i / kFactor)[c]);
        EXPECT_NEAR(small.at(x, y)[c], sum / (kFactor * kFactor), 1e-6);
      }
  EXPECT_EQ(downsample(image, 1).rgba, image.rgba);
  for (const int factor : {0, -3, 2, 9}) {
    try {
      downsample(image, factor);
      ADD_FAILURE() << factor;
    } catch (const InputError& error) {
      EXPECT_EQ(error.what(),
                "image: its size is no multiple of the supersampling factor " + std::to_string(factor));
    }
  }
}

TEST(Image, IsFilledWithItsColour) {
  const Image8 image(3, 2, {1, 2, 3});
  EXPECT_THAT(image.rgb, ElementsAre(1, 2, 3, 1, 2, 3, 1, 2, 3, 1, 2, 3, 1, 2, 3, 1, 2, 3));
}

// At any place, also where nothing of it is left or it is larger than what it is pasted into.
TEST(Image, PasteChangesWhatItCoversOnly) {
  const Image8 large = random_image(9, 7, 33), small = random_image(4, 2, 34);
  for (const auto* source : {&large, &small})
    for (int top = -8; top <= 6; ++top)
      for (int left = -10; left <= 7; ++left) {
        Image8 target = random_image(6, 5, 35);
        const Image8 before = target;
        paste(*source, left, top, target);
        for (int y = 0; y < 5; ++y)
          for (int x = 0; x < 6; ++x) {
            const bool covered =
                x >= left && x < left + source->width && y >= top && y < top + source->height;
            const std::uint8_t* wanted = covered ? source->at(x - left, y - top) : before.at(x, y);
            EXPECT_TRUE(std::equal(wanted, wanted + 3, target.at(x, y))) << left << " " << top;
          }
      }
}

// 12 pixels around and between the panels; 26 more above them where one has a caption, ceil(1.4 * 18). A panel has as
// much room as the wider of picture and caption, and both are in the middle of it.
TEST(Image, PanelsHaveRoomForTheirCaptions) {
  const std::string wide = "a caption wider than it";
  const int room = static_cast<int>(std::ceil(text_width(wide, 18)));
  ASSERT_GT(room, 100);
  const std::vector<Panel> panels{
      {random_image(90, 30, 36), "narrow"}, {random_image(21, 44, 37), wide}, {random_image(5, 9, 38), ""}};
  const Image8 page = compose_row(panels);
  ASSERT_EQ(page.width, 12 + 90 + 12 + room + 12 + 5 + 12);
  ASSERT_EQ(page.height, 12 + 26 + 44 + 12);
  Image8 wanted(page.width, page.height, kWhite);
  const Rgb8 ink{40, 40, 40};
  draw_text(wanted, "narrow", 12 + 45, 12, TextAlign::centre, 18, ink);
  draw_text(wanted, wide, 114 + 0.5f * static_cast<float>(room), 12, TextAlign::centre, 18, ink);
  paste(panels[0].image, 12, 38, wanted);
  paste(panels[1].image, 114 + (room - 21) / 2, 38, wanted);
  paste(panels[2].image, 114 + room + 12, 38, wanted);
  EXPECT_EQ(page.rgb, wanted.rgb);
}

TEST(Image, PanelsWithoutCaptionsHaveNoRoomForThem) {
  const std::vector<Panel> panels{{random_image(4, 3, 39), ""}, {random_image(2, 6, 40), ""}};
  const Image8 page = compose_row(panels);
  Image8 wanted(12 + 4 + 12 + 2 + 12, 12 + 6 + 12, kWhite);
  paste(panels[0].image, 12, 12, wanted);
  paste(panels[1].image, 28, 12, wanted);
  EXPECT_EQ(page.width, wanted.width);
  EXPECT_EQ(page.rgb, wanted.rgb);
}

TEST(Image, ColumnsAreWhiteWhereAPictureIsNarrower) {
  const std::vector<Image8> images{random_image(4, 3, 41), random_image(6, 2, 42), random_image(5, 1, 43)};
  const Image8 page = compose_column(images);
  Image8 wanted(6, 6, kWhite);
  paste(images[0], 0, 0, wanted);
  paste(images[1], 0, 3, wanted);
  paste(images[2], 0, 5, wanted);
  EXPECT_EQ(page.width, 6);
  EXPECT_EQ(page.rgb, wanted.rgb);
}

TEST(Png, WhatCannotBeReadOrWrittenSaysWhy) {
  write_file(scratch("text.png"), "not an image");
  EXPECT_THAT(reading_error(scratch("text.png")), HasSubstr("text.png: is not a PNG image: "));
  write_png(scratch("a.png"), random_image(64, 64, 3));
  const std::string bytes = read_file(scratch("a.png"));
  write_file(scratch("half.png"), bytes.substr(0, bytes.size() / 2));
  EXPECT_THAT(reading_error(scratch("half.png")), HasSubstr("half.png: is a damaged PNG image: "));
  try {
    write_png(scratch("none.png"), Image8());
    FAIL();
  } catch (const InputError& error) {
    EXPECT_THAT(error.what(), HasSubstr("none.png: cannot be encoded as PNG: "));
  }
}

// A length alone: of what is too long not a byte is read, and of a longest one no more than shows that it is no picture.
TEST(DecodeImage, MoreThanTwoGigabytesAreAnError) {
  const std::string start(1 << 16, 'x');
  const auto error_of = [&](std::size_t size) -> std::string {
    try {
      decode_image(std::string_view(start.data(), size));
    } catch (const InputError& error) {
      return error.what();
    }
    return "decoded";
  };
  const auto limit = static_cast<std::size_t>(std::numeric_limits<int>::max());
  EXPECT_EQ(error_of(limit + 1), "picture: is larger than 2 GiB");
  EXPECT_THAT(error_of(limit), HasSubstr("picture: is no PNG or JPEG that can be read: "));
  EXPECT_THAT(error_of(start.size()), HasSubstr("picture: is no PNG or JPEG that can be read: "));
}

}  // namespace
}  // namespace skinlight
