// libFuzzer's entry of the target that SKINLIGHT_FUZZ_TARGET names.
#include <pthread.h>
#include <sanitizer/common_interface_defs.h>

#include <cstdint>
#include <cstdio>
#include <cstdlib>
#include <exception>
#include <string_view>

#include "skinlight/asset/fuzz/targets.h"

// libFuzzer stores an input when the process dies. A reader's child may die: that is what it is for.
static const int child_dies_quietly =
    pthread_atfork(nullptr, nullptr, [] { __sanitizer_set_death_callback([] {}); });

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  if (child_dies_quietly != 0) std::abort();
  static const skinlight::fuzz::Target run = [] {
    for (const skinlight::fuzz::NamedTarget& target : skinlight::fuzz::targets())
      if (std::string_view(target.name) == SKINLIGHT_FUZZ_TARGET) return target.run;
    std::abort();
  }();
  try {
    run({reinterpret_cast<const char*>(data), size});
  } catch (const std::exception& e) {
    std::fprintf(stderr, "not an input error: %s\n", e.what());
    std::abort();
  }
  return 0;
}
