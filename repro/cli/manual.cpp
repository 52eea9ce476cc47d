#include "repro/cli/manual.h"

#include <sstream>

namespace skinlight::cli {

namespace {

// A line of text for roff: backslashes, hyphens that are to be copied, and dots and quotes that begin a line.
std::string roff(const std::string& text) {
  std::string out;
  bool begins = true;
  for (const char c : text) {
    if (begins && (c == '.' || c == '\'')) out += "\\&";
    if (c == '\\')
      out += "\\e";
    else if (c == '-')
      out += "\\-";
    else
      out += c;
    begins = c == '\n';
  }
  return out;
}

std::string joined(const std::vector<std::string>& parts, const std::string& between) {
  std::string text;
  for (const std::string& part : parts) {
    if (!text.empty()) text += between;
    text += part;
  }
  return text;
}

// What follows is set as it is written.
void write_as_it_is(const std::string& text, std::ostream& out) {
  if (!text.empty()) out << ".PP\n.nf\n" << roff(text) << "\n.fi\n";
}

// A description as a sentence.
std::string sentence(const std::string& help) {
  const bool ends = help.empty() || help.back() == '.' || help.back() == '\n';
  return roff(help) + (ends ? "" : ".");
}

void write_options(const DescribedCommand& command, std::ostream& out) {
  for (const DescribedOption& option : command.options) {
    const std::string names = roff(joined(option.names, ", "));
    out << ".TP\n";
    if (option.positional)
      out << "\\fI" << names << "\\fR\n";
    else
      out << "\\fB" << names << "\\fR" << (option.value.empty() ? "" : " \\fI" + roff(option.value) + "\\fR")
          << "\n";
    out << sentence(option.help) << "\n";
    if (!option.choices.empty()) out << "One of " << roff(joined(option.choices, ", ")) << ".\n";
    if (!option.usual.empty()) out << "Default: " << roff(option.usual) << ".\n";
  }
}

void write_command(const DescribedCommand& command, const std::string& parents, std::ostream& out) {
  const std::string name = parents + " " + command.name;
  out << ".SS " << roff(name) << "\n" << sentence(command.help) << "\n";
  write_options(command, out);
  write_as_it_is(command.footer, out);
  for (const DescribedCommand& own : command.commands) write_command(own, name, out);
}

// A word in single quotes, for any of the shells.
std::string shell_quoted(const std::string& word) {
  std::string out = "'";
  for (const char c : word) c == '\'' ? out += "'\\''" : out += c;
  return out + "'";
}

// Every command with the words that lead to it, the program itself first.
struct Place {
  const DescribedCommand* command;
  std::string path;  // "golden check"
};

void collect(const DescribedCommand& command, const std::string& path, std::vector<Place>& places) {
  places.push_back({&command, path});
  for (const DescribedCommand& own : command.commands)
    collect(own, path.empty() ? own.name : path + " " + own.name, places);
}

std::vector<Place> places_of(const DescribedCommand& program) {
  std::vector<Place> places;
  collect(program, "", places);
  return places;
}

std::vector<std::string> words_at(const DescribedCommand& command) {
  std::vector<std::string> words;
  for (const DescribedCommand& own : command.commands) words.push_back(own.name);
  for (const DescribedOption& option : command.options)
    if (!option.positional) words.insert(words.end(), option.names.begin(), option.names.end());
  return words;
}

std::string bash(const DescribedCommand& program) {
  std::ostringstream out;
  out << "# bash completion of skinlight: source it, or put it into the folder of completions.\n"
         "_skinlight() {\n"
         "  local word=${COMP_WORDS[COMP_CWORD]} previous=${COMP_WORDS[COMP_CWORD-1]} path= i\n"
         "  for ((i = 1; i < COMP_CWORD; ++i)); do\n"
         "    case \"$path ${COMP_WORDS[i]}\" in\n";
  const std::vector<Place> places = places_of(program);
  for (const Place& place : places)
    if (!place.path.empty())
      out << "      " << shell_quoted(" " + place.path) << ") path=" << shell_quoted(" " + place.path)
          << " ;;\n";
  out << "    esac\n"
         "  done\n"
         "  COMPREPLY=()\n"
         "  case \"$path $previous\" in\n";
  for (const Place& place : places)
    for (const DescribedOption& option : place.command->options) {
      if (option.positional || option.value.empty()) continue;
      for (const std::string& name : option.names) {
        out << "    " << shell_quoted((place.path.empty() ? "" : " " + place.path) + " " + name) << ") ";
        if (option.choices.empty())
          out << "COMPREPLY=($(compgen -f -- \"$word\"))";
        else
          out << "COMPREPLY=($(compgen -W " << shell_quoted(joined(option.choices, " ")) << " -- \"$word\"))";
        out << "; return ;;\n";
      }
    }
  out << "  esac\n"
         "  case \"$path\" in\n";
  for (const Place& place : places)
    out << "    " << shell_quoted(place.path.empty() ? "" : " " + place.path) << ") COMPREPLY=($(compgen -W "
        << shell_quoted(joined(words_at(*place.command), " ")) << " -- \"$word\")) ;;\n";
  out << "  esac\n"
         "  [[ $word == -* ]] || COMPREPLY+=($(compgen -f -- \"$word\"))\n"
         "}\n"
         "complete -o filenames -F _skinlight skinlight\n";
  return out.str();
}

// fish has a line per option.
std::string fish(const DescribedCommand& program) {
  std::ostringstream out;
  out << "# fish completion of skinlight.\n";
  for (const Place& place : places_of(program)) {
    std::string where = "__fish_use_subcommand";
    if (!place.path.empty()) {
      where.clear();
      std::istringstream path(place.path);
      for (std::string word; path >> word;)
        where += (where.empty() ? "" : "; and ") + ("__fish_seen_subcommand_from " + word);
    }
    for (const DescribedCommand& own : place.command->commands)
      out << "complete -c skinlight -n " << shell_quoted(where) << " -a " << shell_quoted(own.name) << " -d "
          << shell_quoted(own.help) << "\n";
    for (const DescribedOption& option : place.command->options) {
      if (option.positional) continue;
      out << "complete -c skinlight -n " << shell_quoted(where);
      for (const std::string& name : option.names)
        out << (name.rfind("--", 0) == 0 ? " -l " + name.substr(2) : " -s " + name.substr(1));
      if (!option.value.empty()) out << " -r";
      if (!option.choices.empty()) out << " -f -a " << shell_quoted(joined(option.choices, " "));
      out << " -d " << shell_quoted(option.help) << "\n";
    }
  }
  return out.str();
}

// zsh reads the script of bash.
std::string zsh(const DescribedCommand& program) {
  return "#compdef skinlight\nautoload -U +X bashcompinit && bashcompinit\n" + bash(program);
}

}  // namespace

std::string manual_page(const DescribedCommand& program, const std::string& version) {
  std::ostringstream out;
  out << ".TH SKINLIGHT 1 \"\" \"skinlight " << roff(version) << "\"\n"
      << ".SH NAME\nskinlight \\- normals of skinned meshes\n"
      << ".SH SYNOPSIS\n.B skinlight\n.I COMMAND\n[options]\n"
      << ".SH DESCRIPTION\n"
      << roff(program.help) << "\n.SH OPTIONS\n";
  write_options(program, out);
  out << ".SH COMMANDS\n";
  for (const DescribedCommand& command : program.commands) write_command(command, "skinlight", out);
  out << ".SH EXIT STATUS\n" << roff(program.footer) << "\n";
  return out.str();
}

const std::vector<std::string>& completed_shells() {
  static const std::vector<std::string> shells = {"bash", "zsh", "fish"};
  return shells;
}

std::string completion(const DescribedCommand& program, const std::string& shell) {
  return shell == "bash" ? bash(program) : shell == "zsh" ? zsh(program) : fish(program);
}

}  // namespace skinlight::cli
