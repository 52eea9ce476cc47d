// The files that a command writes.
#pragma once

#include <map>
#include <nlohmann/json_fwd.hpp>
#include <string>
#include <string_view>
#include <vector>

#include "skinlight/core/output_file.h"

namespace skinlight::cli {

// Files claimed before the work that fills them. "-" and /dev/stdout are standard output: what the command prints goes to
// standard error then.
class Outputs {
 public:
  // Of `files`, empty ones are none. Throws InputError when one is also an input or named twice, when it cannot be written,
  // and when another run writes it.
  Outputs(const std::vector<std::string>& files, std::vector<std::string> inputs);
  // The same of a folder.
  void add_folder(const std::string& folder);

  // Writes nothing when `file` is empty, else one of `files`.
  void write(const std::string& file, std::string_view bytes);
  // Text is made UTF-8.
  void write_json(const std::string& file, const nlohmann::ordered_json& json);

 private:
  void require_new(const std::string& output) const;

  std::vector<std::string> inputs_;
  std::map<std::string, OutputFile> files_;  // by the name given
  std::vector<OutputFolder> folders_;
};

// "-" where the file is standard output, else the file.
std::string output_name(const std::string& file);

// From here on a signal that ends the program (Ctrl-C, say) also removes what was begun and is not complete.
void leave_nothing_behind();

}  // namespace skinlight::cli
