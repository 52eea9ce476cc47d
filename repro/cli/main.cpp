#include <cstdio>
#include <exception>
#include <vector>

#include "repro/cli/commands.h"
#include "skinlight/core/error.h"

namespace {

constexpr int kBadInput = 2;

int run(int argc, char** argv) {
  CLI::App app("Normals of skinned meshes: replicates the papers, measures real characters.");
  app.name("skinlight");
  app.set_version_flag("--version", SKINLIGHT_VERSION);
  app.require_subcommand(1);
  app.footer(
      "Exit code: 0 fine; 1 a claim failed, a golden reference does not match, a rig is not healthy or an error is above the limit given; 2 bad input.");
  const std::vector<skinlight::cli::Command> commands = {
      skinlight::cli::add_list(app),   skinlight::cli::add_reproduce(app), skinlight::cli::add_compare(app),
      skinlight::cli::add_judge(app),  skinlight::cli::add_check(app),     skinlight::cli::add_bake(app),
      skinlight::cli::add_golden(app), skinlight::cli::add_stability(app)};
  try {
    app.parse(argc, argv);
  } catch (const CLI::ParseError& e) {
    const int code = app.exit(e);  // prints help or the reason
    if (code == 0) return 0;
    std::fprintf(stderr, "\n%s", app.help().c_str());  // of the subcommand when one was given
    return kBadInput;
  }
  for (const skinlight::cli::Command& command : commands)
    if (command.parser->parsed()) return command.run();
  return 0;
}

}  // namespace

int main(int argc, char** argv) {
  try {
    return run(argc, argv);
  } catch (const skinlight::InputError& e) {
    std::fprintf(stderr, "skinlight: %s\n", e.what());
  } catch (const std::exception& e) {
    std::fprintf(stderr, "skinlight: internal error: %s\n", e.what());
  }
  return kBadInput;
}
