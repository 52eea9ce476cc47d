// What mutated sources include: which of the faults that are compiled in is on, by the environment.
#pragma once

#include <cstdlib>
#include <type_traits>

namespace skinlight_mutants {

inline const int active = [] {
  const char* id = std::getenv("SKINLIGHT_MUTANT");
  return id ? std::atoi(id) : 0;
}();

// Off while the compiler computes.
constexpr bool on(int id) { return !std::is_constant_evaluated() && active == id; }

}  // namespace skinlight_mutants
