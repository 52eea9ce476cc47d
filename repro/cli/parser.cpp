#include "repro/cli/parser.h"

#include <CLI/CLI.hpp>
#include <cstdio>
#include <optional>

#include "repro/cli/commands.h"

namespace skinlight::cli {

Option& Option::required() {
  option_->required();
  return *this;
}

Option& Option::shows_default() {
  option_->capture_default_str();
  return *this;
}

Option& Option::one_of(const std::vector<std::string>& names) {
  option_->check(CLI::IsMember(names));
  return *this;
}

Option& Option::one_of(const std::vector<int>& numbers) {
  option_->check(CLI::IsMember(numbers));
  return *this;
}

Option& Option::within(int least, int most) {
  option_->check(CLI::Range(least, most));
  return *this;
}

Option& Option::positive() {
  option_->check(CLI::PositiveNumber);
  return *this;
}

Option& Option::not_negative() {
  option_->check(CLI::NonNegativeNumber);
  return *this;
}

Option& Option::called(const std::string& what) {
  option_->type_name(what);
  return *this;
}

Option& Option::separated_by(char delimiter) {
  option_->delimiter(delimiter);
  return *this;
}

Option& Option::excludes(const Option& other) {
  option_->excludes(other.option_);
  return *this;
}

Parser Parser::command(const std::string& name, const std::string& help) {
  return Parser(app_->add_subcommand(name, help));
}

void Parser::needs_command() { app_->require_subcommand(1); }

template <class Value>
Option Parser::option(const std::string& names, Value& value, const std::string& help) {
  return Option(app_->add_option(names, value, help));
}

template Option Parser::option(const std::string&, std::string&, const std::string&);
template Option Parser::option(const std::string&, int&, const std::string&);
template Option Parser::option(const std::string&, double&, const std::string&);
template Option Parser::option(const std::string&, std::optional<double>&, const std::string&);
template Option Parser::option(const std::string&, std::vector<std::string>&, const std::string&);

void Parser::flag(const std::string& name, bool& value, const std::string& help) {
  app_->add_flag(name, value, help);
}

void Parser::footer(const std::string& text) { app_->footer(text); }

bool Parser::parsed() const { return app_->parsed(); }

int run_program(int argc, char** argv, std::span<Command (*const)(Parser)> commands) {
  CLI::App app("Normals of skinned meshes: replicates the papers, measures real characters.");
  app.name("skinlight");
  app.set_version_flag("--version", SKINLIGHT_VERSION);
  app.require_subcommand(1);
  app.footer(
      "Exit code: 0 fine; 1 a claim failed, a golden reference does not match, a rig is not healthy or an error is above the limit given; 2 bad input.");
  std::vector<Command> added;
  for (const auto& add : commands) added.push_back(add(Parser(&app)));
  try {
    app.parse(argc, argv);
  } catch (const CLI::ParseError& e) {
    const int code = app.exit(e);  // prints help or the reason
    if (code == 0) return 0;
    std::fprintf(stderr, "\n%s", app.help().c_str());  // of the subcommand when one was given
    return kBadInput;
  }
  for (const Command& command : added)
    if (command.parser.parsed()) return command.run();
  return 0;
}

}  // namespace skinlight::cli
