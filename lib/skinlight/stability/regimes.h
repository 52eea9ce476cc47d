// Regimes: named families of random vertices, each of which is hard in its own way or is what characters are like.
// The same seed gives the same floats on every compiler and machine.
#pragma once

#include <cstdint>
#include <span>
#include <string_view>

#include "skinlight/stability/vertex_case.h"

namespace skinlight::stability {

// Lengths are in units of the vertex's own surroundings: bones pivot within 2 of it.
struct Regime {
  std::string_view name;
  std::string_view label;  // for people
  std::uint64_t seed;
  int slots = 4;
  double distance = 0;             // of the posed character from the origin
  double offset = 1;               // of the bones' translations from each other
  double steepness = .5;           // largest component of the weights' gradients
  double least_angle = 0;          // of the bones' turns, radians
  double largest_angle = 3.14159;  // likewise
  double antipodal =
      0;  // > 0: half of the weight turns to one side and half to the other about one axis, apart by
          // half a turn less this angle
  double least_scale = 1, largest_scale = 1;
  double common_axis = 0;  // > 0: all bones turn about one axis, give or take this
  bool mirror = false;
  double sliver =
      1;  // < 1: smallest sine of the angle between t and b; gradients are steeper across by its inverse
  bool half = false;      // factors, smooth weights and deform vectors are stored in half precision
  bool morph = false;     // the rest vertex was morphed: t and b are neither unit nor orthogonal
  bool measured = false;  // distance and steepness as in real models (measured_shapes.h)
};

std::span<const Regime> regimes();

// Throws InputError naming the nearest one.
const Regime& regime_from_name(std::string_view name);

// Case `index` of the regime.
VertexCase draw(const Regime& regime, int index);

}  // namespace skinlight::stability
