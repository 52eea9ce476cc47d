#include "skinlight/render/image_compare.h"

#include <algorithm>
#include <cmath>
#include <cstdio>
#include <cstdlib>

#include "skinlight/core/angle.h"
#include "skinlight/render/detail/page_colours.h"

namespace skinlight {

namespace {

std::string number(double value) {
  char text[32];
  std::snprintf(text, sizeof text, "%.3g", value);
  return text;
}

void paint_difference(const std::uint8_t* expected, int difference, int tolerance, std::uint8_t* pixel) {
  const int grey = (expected[0] + expected[1] + expected[2]) / 3;
  const auto pale = static_cast<std::uint8_t>(191 + grey / 4);
  const Rgb8 colour = difference == 0           ? Rgb8{pale, pale, pale}
                      : difference <= tolerance ? Rgb8{255, 220, 60}
                                                : Rgb8{220, 20, 20};
  std::copy(colour.begin(), colour.end(), pixel);
}

}  // namespace

ImageDifference compare_images(const Image8& actual, const Image8& expected, ImageTolerance tolerance) {
  ImageDifference result;
  if (actual.width != expected.width || actual.height != expected.height || expected.rgb.empty()) {
    result.reason = "size " + size_text(actual) + ", expected " + size_text(expected);
    return result;
  }
  result.picture = expected;
  for (int y = 0; y < expected.height; ++y) {
    for (int x = 0; x < expected.width; ++x) {
      int difference = 0;
      for (int c = 0; c < 3; ++c)
        difference = std::max(difference, std::abs(actual.at(x, y)[c] - expected.at(x, y)[c]));
      if (difference > tolerance.channel) ++result.pixels;
      if (difference > result.largest) {
        result.largest = difference;
        result.x = x;
        result.y = y;
      }
      paint_difference(expected.at(x, y), difference, tolerance.channel, result.picture.at(x, y));
    }
  }
  result.share = static_cast<double>(result.pixels) / (static_cast<double>(expected.width) * expected.height);
  result.pass = result.share <= tolerance.share;
  if (!result.pass)
    result.reason = std::to_string(result.pixels) + " pixels (" + number(100 * result.share) +
                    " %) differ by more than " + std::to_string(tolerance.channel) + "/255, at most " +
                    number(100 * tolerance.share) + " % may; worst " + std::to_string(result.largest) +
                    "/255 at (" + std::to_string(result.x) + ", " + std::to_string(result.y) + ")";
  return result;
}

NormalDifference compare_normals(std::span<const Vec3f> actual, std::span<const Vec3f> expected,
                                 double max_radians) {
  NormalDifference result;
  if (actual.size() != expected.size() || expected.empty()) {
    result.reason = std::to_string(actual.size()) + " normals, expected " + std::to_string(expected.size());
    return result;
  }
  double squares = 0;
  long vectors = 0;
  for (std::size_t i = 0; i < expected.size(); ++i) {
    const Vec3d a(actual[i]), e(expected[i]);
    if (!is_finite(a) || !is_finite(e)) {
      result.worst = static_cast<long>(i);
      result.reason = std::string(is_finite(e) ? "actual" : "expected") + " normal " + std::to_string(i) +
                      " is not finite";
      return result;
    }
    const bool has_a = dot(a, a) > 0, has_e = dot(e, e) > 0;
    if (!has_a && !has_e) continue;
    const double angle = has_a != has_e ? M_PI : angle_between(a, e);
    if (angle > max_radians) ++result.above;
    if (angle > result.largest || result.worst < 0) {
      result.largest = angle;
      result.worst = static_cast<long>(i);
    }
    squares += angle * angle;
    ++vectors;
  }
  if (vectors > 0) result.rms = std::sqrt(squares / static_cast<double>(vectors));
  result.pass = result.above == 0;
  if (!result.pass)
    result.reason = std::to_string(result.above) + " of " + std::to_string(vectors) +
                    " normals are off by more than " + number(max_radians) + " rad; worst " +
                    number(result.largest) + " rad at " + std::to_string(result.worst);
  return result;
}

}  // namespace skinlight
