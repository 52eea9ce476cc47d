#include "skinlight/render/heat_map.h"

#include <algorithm>
#include <cmath>
#include <cstdio>

#include "skinlight/core/angle.h"
#include "skinlight/core/error.h"
#include "skinlight/render/detail/page_colours.h"
#include "skinlight/render/text.h"

namespace skinlight {

namespace {

constexpr std::array<float, 3> kBackground{0.80f, 0.80f, 0.80f};  // linear
constexpr std::array<float, 3> kUndefined{1, 0, 1};

struct Lab {
  double L, a, b;
};
constexpr std::array<Lab, 5> kPath{{{20, 30, -50}, {38, 55, -35}, {56, 55, 20}, {74, 22, 58}, {92, -8, 58}}};

// CIELAB (D65) to linear sRGB [IEC 61966-2-1]. Of the path only: that is all in gamut, and bright enough for the cube (the
// formula has another part where it is below (6 / 29)^3).
std::array<float, 3> linear_from_lab(Lab lab) {
  const auto inverse = [](double t) { return t * t * t; };
  const double fy = (lab.L + 16) / 116;
  const double X = 0.95047 * inverse(fy + lab.a / 500), Y = inverse(fy),
               Z = 1.08883 * inverse(fy - lab.b / 200);
  return {static_cast<float>(3.2404542 * X - 1.5371385 * Y - 0.4985314 * Z),
          static_cast<float>(-0.9692660 * X + 1.8760108 * Y + 0.0415560 * Z),
          static_cast<float>(0.0556434 * X - 0.2040259 * Y + 1.0572252 * Z)};
}

// Distance of ticks: 1, 2 or 5 times a power of ten, at most five intervals.
double tick_step(double maximum) {
  const double power = std::pow(10, std::floor(std::log10(maximum / 5)));
  for (const double factor : {1.0, 2.0, 5.0})
    if (maximum <= 5 * factor * power * (1 + 1e-9)) return factor * power;
  return 10 * power;
}

std::string degrees_text(double degrees) {
  char text[32];
  std::snprintf(text, sizeof text, "%g\u00b0", degrees);
  return text;
}

}  // namespace

std::array<float, 3> heat_colour(double t) {
  const double position = std::clamp(t, 0.0, 1.0) * (kPath.size() - 1);
  const std::size_t i = std::min(static_cast<std::size_t>(position), kPath.size() - 2);
  const double u = position - static_cast<double>(i);
  const auto mix = [&](double Lab::*c) { return (1 - u) * kPath[i].*c + u * kPath[i + 1].*c; };
  return linear_from_lab({mix(&Lab::L), mix(&Lab::a), mix(&Lab::b)});
}

ImageF heat_map(const ImageF& normals, const ImageF& truth, double max_degrees) {
  if (normals.width != truth.width || normals.height != truth.height)
    throw InputError("", "heat map", "the two normal buffers differ in size");
  ImageF map(normals.width, normals.height);
  for (int y = 0; y < map.height; ++y) {
    for (int x = 0; x < map.width; ++x) {
      const float *n = normals.at(x, y), *m = truth.at(x, y);
      if (n[3] <= 0 || m[3] <= 0) continue;
      const Vec3d a(n[0], n[1], n[2]), b(m[0], m[1], m[2]);
      const bool defined = is_finite(a) && is_finite(b) && dot(a, a) > 0 && dot(b, b) > 0;
      const auto colour = defined ? heat_colour(kDegrees * angle_between(a, b) / max_degrees) : kUndefined;
      std::copy(colour.begin(), colour.end(), map.at(x, y));
      map.at(x, y)[3] = 1;
    }
  }
  return map;
}

Image8 heat_map_picture(const ImageF& normals, const ImageF& truth, double max_degrees, int supersampling) {
  const ImageF map = downsample(heat_map(normals, truth, max_degrees), supersampling);
  const Image8 picture = srgb_from_linear(over(map, kBackground));
  const std::array<Image8, 2> parts{picture, heat_legend(picture.width, max_degrees)};
  return compose_column(parts);
}

Image8 heat_legend(int width, double max_degrees) {
  constexpr int kTop = 8, kBar = 12, kTick = 5, kHeight = 44;
  constexpr float kSize = 15;
  const int left = std::max(8, width / 10), right = width - left;
  Image8 legend(width, kHeight, kWhite);
  for (int x = left; x < right; ++x) {
    const auto colour = heat_colour((x - left) / std::max(1.0, right - left - 1.0));
    for (int y = kTop; y < kTop + kBar; ++y)
      for (std::size_t c = 0; c < 3; ++c) legend.at(x, y)[c] = srgb_from_linear(colour[c]);
  }
  const auto tick = [&](double degrees, const std::string& label) {
    const int x = left + static_cast<int>(std::lround(degrees / max_degrees * (right - left - 1)));
    for (int y = kTop + kBar; y < kTop + kBar + kTick; ++y)
      if (x >= 0 && x < width) std::copy(kInk.begin(), kInk.end(), legend.at(x, y));
    draw_text(legend, label, static_cast<float>(x) + 0.5f, kTop + kBar + kTick + 1, TextAlign::centre, kSize,
              kInk);
  };
  const double step = tick_step(max_degrees);
  for (int i = 0; i * step < max_degrees - 0.5 * step; ++i) tick(i * step, degrees_text(i * step));
  tick(max_degrees, "\u2265 " + degrees_text(max_degrees));
  return legend;
}

}  // namespace skinlight
