#include "repro/cli/parser.h"

#include <CLI/CLI.hpp>
#include <charconv>
#include <cmath>
#include <cstdio>
#include <limits>
#include <optional>

#include "repro/cli/commands.h"
#include "repro/cli/manual.h"
#include "repro/cli/version.h"
#include "skinlight/core/names.h"

namespace skinlight::cli {

namespace {

constexpr const char* kNumber = "number";  // the validator that every number has

// A number as the command line has it: decimal, finite.
template <class Number>
std::optional<Number> number_in(const std::string& text) {
  Number value{};
  const char *first = text.data(), *last = first + text.size();
  const auto [end, failed] = std::from_chars(first, last, value);
  if (failed != std::errc() || end != last) return std::nullopt;
  if constexpr (std::is_floating_point_v<Number>)
    if (!std::isfinite(value)) return std::nullopt;
  return value;
}

// A value in quotes and what is allowed in its place.
std::string refused(const std::string& text, const std::string& allowed) {
  return std::string("'").append(text).append("' is not allowed; give ").append(allowed);
}

template <class Number>
CLI::Validator number_validator(const std::string& allowed, const std::function<bool(Number)>& fits) {
  const auto validate = [allowed, fits](std::string& text) {
    const std::optional<Number> value = number_in<Number>(text);
    if (!value || !fits(*value)) return refused(text, allowed);
    if constexpr (std::is_integral_v<Number>) text = std::to_string(*value);  // CLI11 takes 010 for 8
    return std::string();
  };
  return CLI::Validator(validate, "", kNumber);
}

// Help whose descriptions of options are broken into lines, beside their names.
class LinesOfHelp : public CLI::Formatter {
 public:
  std::string make_option_desc(const CLI::Option* option) const override {
    constexpr std::size_t kLongest = 110;
    const std::size_t longest = kLongest - get_column_width();
    std::string text = option->get_description();
    std::size_t begin = 0;
    for (std::size_t at = 0, space = 0; at < text.size(); ++at) {
      if (text[at] == ' ') space = at;
      if (at - begin < longest || space <= begin) continue;
      text[space] = '\n';
      begin = space + 1;
    }
    return text;
  }
};

std::vector<std::string> names_of_commands(const CLI::App& app) {
  std::vector<std::string> names;
  for (const CLI::App* command : app.get_subcommands({})) names.push_back(command->get_name());
  return names;
}

std::vector<std::string> names_of_options(const CLI::App& app) {
  std::vector<std::string> names;
  for (const CLI::Option* option : app.get_options()) {
    for (const std::string& name : option->get_lnames()) names.push_back("--" + name);
    for (const std::string& name : option->get_snames()) names.push_back("-" + name);
  }
  return names;
}

// The command that the line names, as far as it does: "skinlight golden check".
const CLI::App& named_command(const CLI::App& app) {
  const std::vector<CLI::App*> named = app.get_subcommands();
  return named.empty() ? app : named_command(*named.front());
}

std::string full_name(const CLI::App& app) {
  return app.get_parent() ? full_name(*app.get_parent()) + " " + app.get_name() : app.get_name();
}

DescribedOption described(const CLI::Option& option) {
  DescribedOption own;
  own.positional = option.get_positional();
  if (own.positional) own.names = {option.get_name(true)};
  for (const std::string& name : option.get_snames()) own.names.push_back("-" + name);
  for (const std::string& name : option.get_lnames()) own.names.push_back("--" + name);
  // "TEXT:{a,b}" or "INT:[1 to 16]"
  const std::string type = option.get_type_name();
  if (option.get_items_expected_max() > 0) own.value = type.substr(0, type.find(':'));
  if (const std::size_t begin = type.find('{'); begin != std::string::npos) {
    std::string all = type.substr(begin + 1, type.find('}') - begin - 1);
    for (std::size_t at; (at = all.find(" or ")) != std::string::npos;) all.replace(at, 4, ",");
    own.choices = CLI::detail::split(all, ',');
  }
  own.usual = option.get_default_str();
  own.help = option.get_description();
  return own;
}

DescribedCommand described(const CLI::App& app) {
  DescribedCommand own{app.get_name(), app.get_description(), app.get_footer(), {}, {}};
  for (const CLI::Option* option : app.get_options()) own.options.push_back(described(*option));
  for (const CLI::App* command : app.get_subcommands({})) own.commands.push_back(described(*command));
  // Commands without a footer of their own inherit the program's.
  for (DescribedCommand& command : own.commands)
    if (command.footer == own.footer) command.footer.clear();
  return own;
}

// Options that print a text and end the program.
void add_texts(CLI::App& app) {
  app.set_version_flag("--version", build_version());
  app.add_flag_callback(
      "--man", [&app] { throw CLI::CallForVersion(manual_page(described(app), build_version()), 0); },
      "Print the manual page, as man(1) reads it");
  CLI::Option* shell = app.add_option_function<std::string>(
      "--completion",
      [&app](const std::string& name) { throw CLI::CallForVersion(completion(described(app), name), 0); },
      "Print a script that completes command lines of a shell");
  Option(shell, false).one_of(completed_shells()).called("SHELL");
}

// What is wrong with the command line, one line: a word that is not known before what is missing.
std::string complaint(const CLI::App& program, const CLI::ParseError& error) {
  const CLI::App& command = named_command(program);
  const std::vector<std::string> commands = names_of_commands(command), unknown = program.remaining(true);
  std::string text;
  if (!unknown.empty()) {
    const std::string& word = unknown.front();
    if (word.size() > 1 && word.front() == '-') {
      const std::string name = word.substr(0, word.find('='));
      text.append("option '")
          .append(name)
          .append("': ")
          .append(unknown_name(name, names_of_options(command)));
    } else if (!commands.empty()) {
      text.append("command '").append(word).append("': ").append(unknown_name(word, commands));
    } else {
      text.append("'").append(word).append("' is one argument too many");
    }
  } else if (!commands.empty() && error.get_name() == "RequiredError") {
    text.append("name a command: ").append(listed(commands));
  } else {
    text = error.what();
  }
  for (char& c : text)
    if (c == '\n') c = ' ';
  return full_name(command)
      .append(": ")
      .append(text)
      .append(" (")
      .append(full_name(command))
      .append(" --help)");
}

}  // namespace

Option& Option::required() {
  option_->required();
  return *this;
}

Option& Option::shows_default() {
  option_->capture_default_str();
  return *this;
}

Option& Option::one_of(const std::vector<std::string>& names) {
  const auto validate = [names](const std::string& text) {
    if (std::find(names.begin(), names.end(), text) != names.end()) return std::string();
    return std::string("'").append(text).append("': ").append(unknown_name(text, names));
  };
  option_->check(CLI::Validator(validate, "{" + CLI::detail::join(names) + "}"));
  return *this;
}

Option& Option::one_of(const std::vector<int>& numbers) {
  const std::string allowed = CLI::detail::join(numbers, " or ");
  const auto fits = [numbers](int value) {
    return std::find(numbers.begin(), numbers.end(), value) != numbers.end();
  };
  *option_->get_validator(kNumber) = number_validator<int>(allowed, fits).description("{" + allowed + "}");
  return *this;
}

Option& Option::within(int least, int most) {
  const std::string allowed = std::to_string(least) + " to " + std::to_string(most);
  const auto fits = [=](int value) { return value >= least && value <= most; };
  *option_->get_validator(kNumber) =
      number_validator<int>("a whole number from " + allowed, fits).description("[" + allowed + "]");
  return *this;
}

Option& Option::positive() {
  const auto fits = [](int value) { return value > 0; };
  *option_->get_validator(kNumber) =
      number_validator<int>("a whole number from 1 on", fits).description("[1 and more]");
  return *this;
}

Option& Option::not_negative() {
  CLI::Validator& validator = *option_->get_validator(kNumber);
  if (whole_)
    validator = number_validator<int>("a whole number from 0 on", [](int value) { return value >= 0; });
  else
    validator = number_validator<double>("a number from 0 on", [](double value) { return value >= 0; });
  validator.description("[0 and more]");
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
  CLI::Option* option = app_->add_option(names, value, help);
  constexpr bool whole = std::is_same_v<Value, int>;
  if (whole)
    option->check(number_validator<int>("a whole number", [](int) { return true; }));
  else if (std::is_same_v<Value, double> || std::is_same_v<Value, std::optional<double>>)
    option->check(number_validator<double>("a number", [](double) { return true; }));
  return Option(option, whole);
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
  app.formatter(std::make_shared<LinesOfHelp>());
  app.name("skinlight");
  add_texts(app);
  app.require_subcommand(1);
  app.footer(
      "Exit code: 0 fine; 1 a claim failed, a golden reference does not match, a rig is not healthy or an error is above\nthe limit given; 2 bad input.");
  std::vector<Command> added;
  for (const auto& add : commands) added.push_back(add(Parser(&app)));
  try {
    app.parse(argc, argv);
  } catch (const CLI::ParseError& e) {
    if (e.get_exit_code() == 0) return app.exit(e);  // prints help
    std::fprintf(stderr, "%s\n", complaint(app, e).c_str());
    return kBadInput;
  }
  for (const Command& command : added)
    if (command.parser.parsed()) return command.run();
  return 0;
}

}  // namespace skinlight::cli
