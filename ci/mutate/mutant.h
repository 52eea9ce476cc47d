// What mutated sources include: which of the faults that are compiled in is on, by the environment.
#pragma once

#include <atomic>
#include <cstdio>
#include <cstdlib>
#include <type_traits>

namespace skinlight_mutants {

inline const int active = [] {
  const char* id = std::getenv("SKINLIGHT_MUTANT");
  return id ? std::atoi(id) : 0;
}();

// With the number -1 no fault is on; whose places the program comes by is appended to the file SKINLIGHT_MUTANTS_PASSED.
struct Passed {
  static constexpr int kMost = 4096;
  inline static constinit std::atomic<bool> seen[kMost] = {};

  static bool by(int id) {
    seen[id % kMost].store(true, std::memory_order_relaxed);
    return false;
  }
  ~Passed() {
    const char* name = std::getenv("SKINLIGHT_MUTANTS_PASSED");
    std::FILE* file = active < 0 && name ? std::fopen(name, "a") : nullptr;
    for (int id = 0; file && id < kMost; ++id) {
      if (seen[id]) std::fprintf(file, "%d\n", id);
    }
    if (file) std::fclose(file);
  }
};
inline const Passed passed;

// Never asked by the compiler: what has it in its initial value gets that as the program starts.
inline bool on_at_start(int id) { return active == id || (active < 0 && Passed::by(id)); }

// Off while the compiler computes.
constexpr bool on(int id) { return !std::is_constant_evaluated() && on_at_start(id); }

}  // namespace skinlight_mutants
