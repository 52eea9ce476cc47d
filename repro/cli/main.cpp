#include <cstdio>
#include <exception>

#ifdef __GLIBC__
#include <malloc.h>
#endif

#include "repro/cli/commands.h"
#include "repro/cli/outputs.h"
#include "skinlight/core/error.h"

int main(int argc, char** argv) {
  using namespace skinlight::cli;
#ifdef SKINLIGHT_FIGURES_ONLY
  static constexpr Command (*kCommands[])(Parser) = {add_list, add_reproduce};
#else
  static constexpr Command (*kCommands[])(Parser) = {add_list,  add_reproduce, add_compare, add_judge,
                                                     add_check, add_bake,      add_golden,  add_stability};
#endif
#ifdef __GLIBC__
  // What one array of a large mesh gives back serves the next: glibc maps each above 32 MB anew, whose pages took two
  // thirds of the system time of a bake of 4 million vertices; for 5 % more memory.
  mallopt(M_MMAP_MAX, 0);
  mallopt(M_TRIM_THRESHOLD, -1);
#endif
  leave_nothing_behind();
  try {
    const int code = run_program(argc, argv, kCommands);
    if (std::fflush(stdout) == 0 && std::ferror(stdout) == 0) return code;
    std::fprintf(stderr, "skinlight: standard output: cannot be written\n");
  } catch (const skinlight::InputError& e) {
    std::fprintf(stderr, "skinlight: %s\n", e.what());
  } catch (const std::exception& e) {
    std::fprintf(stderr, "skinlight: internal error: %s\n", e.what());
  }
  return kBadInput;
}
