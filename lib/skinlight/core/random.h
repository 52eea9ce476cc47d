// Seeded random numbers with the same sequence on every platform (std distributions differ between
// libraries).
#pragma once

#include <cmath>
#include <cstdint>

#include "skinlight/core/glsl.h"

namespace skinlight {

// SplitMix64 (Steele, Lea and Flood 2014): one 64-bit state, passes BigCrush. State: 64 bits, or lanes of them.
template <class State>
State split_mix(State& state) {
  State z = (state += 0x9e3779b97f4a7c15u);
  z = (z ^ (z >> 30)) * 0xbf58476d1ce4e5b9u;
  z = (z ^ (z >> 27)) * 0x94d049bb133111ebu;
  return z ^ (z >> 31);
}

class Random {
 public:
  explicit Random(std::uint64_t seed) : state_(seed) {}

  std::uint64_t bits() { return split_mix(state_); }
  // Uniform in [0, 1).
  double uniform() { return static_cast<double>(bits() >> 11) * 0x1p-53; }
  // Uniform in [low, high).
  double uniform(double low, double high) { return low + (high - low) * uniform(); }
  // Uniform in 0 .. n-1.
  int below(int n) { return static_cast<int>(uniform() * n); }
  // Uniform on the unit sphere.
  Vec3d direction() {
    const double z = uniform(-1, 1), phi = uniform(0, 2 * M_PI), r = std::sqrt(1 - z * z);
    return {r * std::cos(phi), r * std::sin(phi), z};
  }
  Vec3d in_cube(double half) { return {uniform(-half, half), uniform(-half, half), uniform(-half, half)}; }

 private:
  std::uint64_t state_;
};

}  // namespace skinlight
