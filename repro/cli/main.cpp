#include <cstdio>
#include <exception>

#include "repro/cli/commands.h"
#include "skinlight/core/error.h"

int main(int argc, char** argv) {
  using namespace skinlight::cli;
  static constexpr Command (*kCommands[])(Parser) = {add_list,  add_reproduce, add_compare, add_judge,
                                                     add_check, add_bake,      add_golden,  add_stability};
  try {
    return run_program(argc, argv, kCommands);
  } catch (const skinlight::InputError& e) {
    std::fprintf(stderr, "skinlight: %s\n", e.what());
  } catch (const std::exception& e) {
    std::fprintf(stderr, "skinlight: internal error: %s\n", e.what());
  }
  return kBadInput;
}
