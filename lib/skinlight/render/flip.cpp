#include "skinlight/render/flip.h"

#include <algorithm>
#include <array>
#include <cmath>
#include <functional>
#include <numeric>
#include <string>

#include "skinlight/core/error.h"
#include "skinlight/core/glsl.h"
#include "skinlight/render/detail/page_colours.h"

namespace skinlight {

namespace {

// Colours: linear light of the sRGB primaries, CIE XYZ, and two spaces of one lightness and two opponent
// channels.

// Columns: the primaries of IEC 61966-2-1 in XYZ, from their chromaticities and white at (0.3127, 0.3290).
constexpr Mat3d kXyzFromRgb{Vec3d{0.412390799266, 0.212639005872, 0.019330818716},
                            Vec3d{0.357584339384, 0.715168678768, 0.119194779795},
                            Vec3d{0.180480788402, 0.072192315361, 0.950532152250}};
constexpr Mat3d kRgbFromXyz{Vec3d{3.240969941905, -0.969243636281, 0.055630079697},
                            Vec3d{-1.537383177570, 1.875967501508, -0.203976958889},
                            Vec3d{-0.498610760293, 0.041555057407, 1.056971514243}};
constexpr Vec3d kWhitePoint{0.950455927052, 1, 1.089057750760};

double linear_from_srgb(std::uint8_t byte) {
  const double encoded = byte / 255.0;
  return encoded <= 0.04045 ? encoded / 12.92 : std::pow((encoded + 0.055) / 1.055, 2.4);
}

// XYZ relative to white to YyCxCz, a linear form of CIELAB, where filters may average.
Vec3d opponent(Vec3d xyz) {
  const double x = xyz.x / kWhitePoint.x, y = xyz.y, z = xyz.z / kWhitePoint.z;
  return {116 * y - 16, 500 * (x - y), 200 * (y - z)};
}

Vec3d xyz_from_opponent(Vec3d c) {
  const double y = (c.x + 16) / 116;
  return {(c.y / 500 + y) * kWhitePoint.x, y, (y - c.z / 200) * kWhitePoint.z};
}

// CIELAB, its chroma scaled by the lightness as the Hunt effect has it: dark colours look less colourful.
Vec3d hunt_lab(Vec3d rgb) {
  const auto f = [](double t) { return t > 216.0 / 24389 ? std::cbrt(t) : 841.0 / 108 * t + 4.0 / 29; };
  const Vec3d xyz = kXyzFromRgb * rgb;
  const double fx = f(xyz.x / kWhitePoint.x), fy = f(xyz.y), fz = f(xyz.z / kWhitePoint.z);
  const double L = 116 * fy - 16;
  return {L, 0.01 * L * 500 * (fx - fy), 0.01 * L * 200 * (fy - fz)};
}

// The HyAB distance, made for large differences of colour.
double hyab(Vec3d a, Vec3d b) { return std::abs(a.x - b.x) + std::hypot(a.y - b.y, a.z - b.z); }

// Filters: each is a sum of products of a kernel along x and one along y.

using Kernel = std::vector<double>;  // of odd length; its middle lies at 0

Kernel kernel(int radius, const std::function<double(double)>& value) {
  Kernel k;
  for (int i = -radius; i <= radius; ++i) k.push_back(value(i));
  return k;
}

double sum(const Kernel& k) { return std::accumulate(k.begin(), k.end(), 0.0); }

Kernel scaled(Kernel k, double factor) {
  for (double& value : k) value *= factor;
  return k;
}

// The positive values add up to 1, the negative ones to -1.
Kernel balanced(Kernel k) {
  double positive = 0, negative = 0;
  for (const double value : k) (value > 0 ? positive : negative) += value;
  for (double& value : k) value /= value > 0 ? positive : -negative;
  return k;
}

struct Plane {
  int width, height;
  std::vector<double> values;
  Plane(int w, int h)
      : width(w), height(h), values(static_cast<std::size_t>(w) * static_cast<std::size_t>(h)) {}
  double& at(int x, int y) { return values[index(x, y)]; }
  double at(int x, int y) const { return values[index(x, y)]; }

 private:
  std::size_t index(int x, int y) const {
    return static_cast<std::size_t>(y) * static_cast<std::size_t>(width) + static_cast<std::size_t>(x);
  }
};

// Beyond its border a picture goes on as it ends.
Plane convolved(const Plane& p, const Kernel& along_x, const Kernel& along_y) {
  const int radius_x = static_cast<int>(along_x.size() / 2), radius_y = static_cast<int>(along_y.size() / 2);
  Plane rows(p.width, p.height), result(p.width, p.height);
  for (int y = 0; y < p.height; ++y)
    for (int x = 0; x < p.width; ++x)
      for (int i = -radius_x; i <= radius_x; ++i)
        rows.at(x, y) +=
            along_x[static_cast<std::size_t>(i + radius_x)] * p.at(std::clamp(x + i, 0, p.width - 1), y);
  for (int y = 0; y < p.height; ++y)
    for (int i = -radius_y; i <= radius_y; ++i) {
      const double weight = along_y[static_cast<std::size_t>(i + radius_y)];
      const int row = std::clamp(y + i, 0, p.height - 1);
      for (int x = 0; x < p.width; ++x) result.at(x, y) += weight * rows.at(x, row);
    }
  return result;
}

using Planes = std::array<Plane, 3>;

// How much detail of a channel the eye still sees: contrast sensitivity as a sum of Gaussians of the distance r
// in degrees, a sqrt(pi / b) exp(-pi^2 r^2 / b) [ANAM20, spatial filtering].
struct Gaussian {
  double a, b;
};
struct Sensitivity {
  std::vector<Gaussian> terms;
};
const std::array<Sensitivity, 3> kSensitivity{
    {{{{1, 0.0047}}}, {{{1, 0.0053}}}, {{{34.1, 0.04}, {13.5, 0.025}}}}};

Plane seen(const Plane& channel, const Sensitivity& sensitivity, double pixels_per_degree) {
  constexpr double kWidest = 0.04;  // the largest b: all channels have one radius
  const int radius =
      static_cast<int>(std::ceil(3 * std::sqrt(kWidest / (2 * M_PI * M_PI)) * pixels_per_degree));
  std::vector<Kernel> kernels;
  double total = 0;
  for (const Gaussian& g : sensitivity.terms) {
    kernels.push_back(kernel(radius, [&](double i) {
      const double r = i / pixels_per_degree;
      return std::sqrt(g.a * std::sqrt(M_PI / g.b)) * std::exp(-M_PI * M_PI * r * r / g.b);
    }));
    total += sum(kernels.back()) * sum(kernels.back());
  }
  Plane result(channel.width, channel.height);
  for (const Kernel& k : kernels) {
    const Plane part = convolved(channel, scaled(k, 1 / total), k);
    for (std::size_t i = 0; i < part.values.size(); ++i) result.values[i] += part.values[i];
  }
  return result;
}

// The colour that is left of each pixel at this distance, in Hunt-adjusted CIELAB.
std::vector<Vec3d> seen_colours(const Planes& opponents, double pixels_per_degree) {
  std::array<Plane, 3> filtered = opponents;
  for (std::size_t c = 0; c < 3; ++c) filtered[c] = seen(opponents[c], kSensitivity[c], pixels_per_degree);
  std::vector<Vec3d> colours;
  for (std::size_t i = 0; i < filtered[0].values.size(); ++i) {
    Vec3d rgb = kRgbFromXyz *
                xyz_from_opponent({filtered[0].values[i], filtered[1].values[i], filtered[2].values[i]});
    for (int c = 0; c < 3; ++c) rgb[c] = std::clamp(rgb[c], 0.0, 1.0);
    colours.push_back(hunt_lab(rgb));
  }
  return colours;
}

// The difference of colours in 0 .. 1 [ANAM20, redistribution of errors]: most of the scale for differences up to kSmall of the
// largest one, that between green and blue.
double colour_error(Vec3d a, Vec3d b) {
  constexpr double kPower = 0.7, kSmall = 0.4, kShare = 0.95;
  static const double largest = std::pow(hyab(hunt_lab({0, 1, 0}), hunt_lab({0, 0, 1})), kPower);
  const double error = std::pow(hyab(a, b), kPower), small = kSmall * largest;
  if (error < small) return kShare * error / small;
  return kShare + (1 - kShare) * (error - small) / (largest - small);
}

// How much of an edge, and of a point or line, there is at each pixel [ANAM20, feature detection].
struct Features {
  Plane edges, points;
};

Features features(const Plane& opponent_lightness, double pixels_per_degree) {
  constexpr double kWidth = 0.082;  // of the filter that finds edges in the eye, degrees
  const double deviation = 0.5 * kWidth * pixels_per_degree;
  const int radius = static_cast<int>(std::ceil(3 * deviation));
  const auto bell = [&](double i) { return std::exp(-i * i / (2 * deviation * deviation)); };
  const Kernel plain = kernel(radius, bell), smooth = scaled(plain, 1 / sum(plain));
  const Kernel slope = balanced(kernel(radius, [&](double i) { return -i * bell(i); }));
  const Kernel bend =
      balanced(kernel(radius, [&](double i) { return (i * i / (deviation * deviation) - 1) * bell(i); }));
  Plane lightness = opponent_lightness;
  for (double& value : lightness.values) value = (value + 16) / 116;
  const auto strength = [&](const Kernel& k) {
    Plane along_x = convolved(lightness, k, smooth);
    const Plane along_y = convolved(lightness, smooth, k);
    for (std::size_t i = 0; i < along_x.values.size(); ++i)
      along_x.values[i] = std::hypot(along_x.values[i], along_y.values[i]);
    return along_x;
  };
  return {strength(slope), strength(bend)};
}

Planes opponents_of(const Image8& image) {
  std::array<double, 256> linear;
  for (std::size_t byte = 0; byte < 256; ++byte)
    linear[byte] = linear_from_srgb(static_cast<std::uint8_t>(byte));
  const Plane empty(image.width, image.height);
  Planes planes{empty, empty, empty};
  for (int y = 0; y < image.height; ++y)
    for (int x = 0; x < image.width; ++x) {
      const std::uint8_t* p = image.at(x, y);
      const Vec3d c = opponent(kXyzFromRgb * Vec3d(linear[p[0]], linear[p[1]], linear[p[2]]));
      for (int i = 0; i < 3; ++i) planes[static_cast<std::size_t>(i)].at(x, y) = c[i];
    }
  return planes;
}

}  // namespace

FlipDifference flip(const Image8& a, const Image8& b, double pixels_per_degree) {
  if (a.width != b.width || a.height != b.height || a.rgb.empty())
    throw InputError("", "pictures of " + size_text(a) + " and " + size_text(b) + " pixels",
                     "FLIP compares two of one size, of at least one pixel");
  if (!(pixels_per_degree > 0) || !std::isfinite(pixels_per_degree))
    throw InputError("", "pixels per degree", "must be positive");
  const Planes of_a = opponents_of(a), of_b = opponents_of(b);
  const std::vector<Vec3d> colours_a = seen_colours(of_a, pixels_per_degree),
                           colours_b = seen_colours(of_b, pixels_per_degree);
  const Features features_a = features(of_a[0], pixels_per_degree),
                 features_b = features(of_b[0], pixels_per_degree);
  FlipDifference result{a.width, a.height, {}, 0, 0};
  result.map.reserve(colours_a.size());
  for (std::size_t i = 0; i < colours_a.size(); ++i) {
    const double edge = std::abs(features_a.edges.values[i] - features_b.edges.values[i]);
    const double point = std::abs(features_a.points.values[i] - features_b.points.values[i]);
    const double feature = std::min(1.0, std::sqrt(std::max(edge, point) / M_SQRT2));
    const double colour = colour_error(colours_a[i], colours_b[i]);
    result.map.push_back(static_cast<float>(std::pow(colour, 1 - feature)));  // features enlarge what is seen
  }
  result.mean =
      std::accumulate(result.map.begin(), result.map.end(), 0.0) / static_cast<double>(result.map.size());
  result.weighted_median = weighted_median(result.map);
  return result;
}

double weighted_median(std::span<const float> values) {
  std::vector<float> sorted(values.begin(), values.end());
  std::sort(sorted.begin(), sorted.end());
  const double half = std::accumulate(sorted.begin(), sorted.end(), 0.0) / 2;
  double below = 0;
  for (const float value : sorted) {
    below += static_cast<double>(value);
    if (below >= half) return static_cast<double>(value);
  }
  return 0;
}

}  // namespace skinlight
