#include <cstdio>

#include "repro/cli/commands.h"
#include "repro/runner/registry.h"

namespace skinlight::cli {

Command add_list(Parser program) {
  Parser parser = program.command("list", "List the experiments that can be reproduced");
  return {parser, [] {
            for (const repro::Experiment& e : repro::experiments())
              std::printf("%-24s %s (%s)\n", e.id.c_str(), e.title.c_str(), e.paper.c_str());
            return 0;
          }};
}

}  // namespace skinlight::cli
