// The random bits of scalars that round by chance. They come from what an operation is and what it is given, not from
// when it runs: C++ leaves the order of evaluation of operands open, and a sequence of draws would give every compiler
// digits of its own. The same operation on the same numbers rounds in the same way, as it does on a machine.
#pragma once

#include <bit>
#include <cstdint>

#include "skinlight/core/random.h"

namespace skinlight {

enum class Operation : std::uint64_t {
  sum = 1,
  product,
  quotient,
  square_root,
  inverse_square_root,
  comparison
};

// For one seed, other operands have other bits: they are permuted. x, y: the bits of floats; or lanes of all.
template <class Long>
Long mixed_operands(const Long& seed, Operation operation, const Long& x, const Long& y) {
  constexpr std::uint64_t kApart = 0xd1342543de82ef95u;  // odd: no two operations share a key
  Long state = (x << 32 | y) ^ (seed + static_cast<std::uint64_t>(operation) * kApart);
  return split_mix(state);
}

inline std::uint64_t operation_bits(std::uint64_t seed, Operation operation, float x, float y) {
  return mixed_operands(seed, operation, std::uint64_t{std::bit_cast<std::uint32_t>(x)},
                        std::uint64_t{std::bit_cast<std::uint32_t>(y)});
}

}  // namespace skinlight
