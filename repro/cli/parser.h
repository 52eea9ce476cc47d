// The command line as commands describe it. CLI11 parses it (parser.cpp); its header takes seconds to compile, so that one
// file alone includes it.
#pragma once

#include <functional>
#include <span>
#include <string>
#include <vector>

namespace CLI {
class App;
class Option;
}  // namespace CLI

namespace skinlight::cli {

class Option {
 public:
  Option(CLI::Option* option, bool whole) : option_(option), whole_(whole) {}

  Option& required();
  Option& shows_default();  // the value that it has when the parser is made, in the help
  Option& one_of(const std::vector<std::string>& names);
  Option& one_of(const std::vector<int>& numbers);
  Option& within(int least, int most);
  Option& positive();
  Option& not_negative();
  Option& called(const std::string& what);  // its value, in the help: "FILE"
  Option& separated_by(char delimiter);     // of a list
  Option& excludes(const Option& other);

 private:
  CLI::Option* option_;
  bool whole_;  // its value is an int
};

// A command, or one of its own commands.
class Parser {
 public:
  explicit Parser(CLI::App* app) : app_(app) {}

  Parser command(const std::string& name, const std::string& help);
  void needs_command();
  // Value: std::string, int, double, std::optional<double> or std::vector<std::string>; it has to live as long as the
  // parser.
  template <class Value>
  Option option(const std::string& names, Value& value, const std::string& help);
  void flag(const std::string& name, bool& value, const std::string& help);
  void footer(const std::string& text);
  bool parsed() const;  // the command line names this command

 private:
  CLI::App* app_;
};

// What runs when the command line names the parser; returns the exit code.
struct Command {
  Parser parser;
  std::function<int()> run;
};

// Parses the command line of the program and runs the command that it names. Help is printed, and what is wrong with the
// command line: one line that names it and what is allowed. Returns the exit code.
int run_program(int argc, char** argv, std::span<Command (*const)(Parser)> commands);

}  // namespace skinlight::cli
