// The parts of `skinlight check`: what it was asked, what it found in each file, and the forms in which it tells.
#pragma once

#include <nlohmann/json_fwd.hpp>
#include <optional>
#include <span>
#include <string>
#include <vector>

#include "repro/cli/commands.h"
#include "skinlight/audit/health.h"

namespace skinlight::cli {

struct CheckOptions {
  std::vector<std::string> models;  // files and patterns
  std::string json, sarif, junit;
  std::string missing_normals = "usual";
  bool strict = false;
  HealthOptions health;
  int threads = 0;
};

// What was found in one file.
struct Checked {
  std::string file;
  Health health;
  std::vector<Warning> of_reader;        // what it repaired or left out
  std::optional<InputError> unreadable;  // nothing else holds then

  // Whether a finding of this severity makes the rig unhealthy.
  static bool fails(Severity severity, bool strict) {
    return severity == Severity::error || (strict && severity == Severity::warning);
  }
  bool healthy(bool strict) const;
};

// What is found, of its worst element, and what to do: "Mesh 0 primitive 0 vertex 3 has ...".
std::string sentence(const Finding& finding);

// To stdout.
void print_checked(const Checked& checked, bool strict);

// Of one file: an object.
nlohmann::ordered_json health_json(const Checked& checked, const CheckOptions& options);

// SARIF 2.1.0 (OASIS), a result per finding, as code hosts show it beside the changes.
nlohmann::ordered_json sarif(std::span<const Checked> all);

// JUnit XML as GitLab, GitHub's actions and Jenkins read it: a suite per file, a test per kind of finding.
std::string junit(std::span<const Checked> all, bool strict);

// The files that arguments name, in their order, each once. What no file has as its name is a pattern: * and ? within a
// name, [...] one character of it, ** any number of folders; of what it matches, models are taken, sorted. Throws
// InputError for a pattern that matches none.
std::vector<std::string> model_files(const std::vector<std::string>& arguments);

}  // namespace skinlight::cli
