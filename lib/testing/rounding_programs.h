// What packs of scalars that round in other ways than the machine are tested by: short programs over every operation, run
// over a scalar and over lanes of it. Nothing here but templates over the scalar (see skinlight/core/pack.h).
#pragma once

#include <cstddef>
#include <cstdint>

namespace skinlight::testing {

// Calls visit(result) for each program of four numbers, in a fixed order.
template <class S, class Visit>
void run_rounding_programs(const S& a, const S& b, const S& c, const S& d, Visit visit) {
  visit(a);
  visit(-a);
  visit(a + b);
  visit(a - b);
  visit(a * b);
  visit(a / b);
  visit(sqrt(a));
  visit(inversesqrt(a));
  visit(S(1.0) / c - S(.1));
  // Products that sums may take in without their rounding: on either side, on both, negated, chosen, and no longer products.
  visit(a * b + c);
  visit(c + a * b);
  visit(a * b - c);
  visit(c - a * b);
  visit(a * b + c * d);
  visit(a * b - c * d);
  visit(-(a * b) + c);
  visit((a + b) + c);
  visit(a / b + c);
  visit(sqrt(a) + inversesqrt(b));
  visit(select(a < b, a * c, d) + b);
  visit(select(a > b, d, a * c) + b);
  visit(b + select(a < b, a * c, d));
  visit(select(a < b, a * c, d) + select(c > d, b, b * d));
  visit(select(a < b && c < d, a, b));
  visit(select(a < b || c > d, a, b));
}

inline constexpr std::size_t kRoundingPrograms = 25;
inline constexpr std::size_t kProgramLanes = 8;

// Inputs and results of the programs, lane by lane.
struct RoundingLanes {
  float in[4][kProgramLanes];
  std::uint64_t seed[kProgramLanes];
  float out[kRoundingPrograms][kProgramLanes];
  bool missed[kRoundingPrograms][kProgramLanes];  // under Vulkan's rules; else not set
};

// Pack: a scalar of lanes. seed(seeds), missed(lane): of that scalar.
template <class Pack, class Seed, class Missed>
void run_programs_in_lanes(RoundingLanes& lanes, Seed seed, Missed missed) {
  constexpr std::size_t kLanes = Pack::kLanes;
  for (std::size_t begin = 0; begin < kProgramLanes; begin += kLanes) {
    std::uint64_t seeds[kLanes];
    for (std::size_t l = 0; l < kLanes; ++l) seeds[l] = lanes.seed[begin + l];
    seed(seeds);
    const auto number = [&](int i) { return Pack::load(lanes.in[i] + begin); };
    std::size_t program = 0;
    run_rounding_programs(number(0), number(1), number(2), number(3), [&](const Pack& r) {
      r.store(lanes.out[program] + begin);
      for (std::size_t l = 0; l < kLanes; ++l) lanes.missed[program][begin + l] = missed(static_cast<int>(l));
      ++program;
    });
  }
}

}  // namespace skinlight::testing
