#include <fnmatch.h>

#include <filesystem>
#include <set>

#include "repro/cli/check.h"
#include "skinlight/asset/model_file.h"
#include "skinlight/core/error.h"

namespace skinlight::cli {

namespace {

namespace fs = std::filesystem;

bool is_pattern(const std::string& text) { return text.find_first_of("*?[") != std::string::npos; }

using Parts = std::vector<std::string>;

// Files below `folder` that the parts from `part` on match. Hidden folders, and links to folders, are not entered by **.
void match(const fs::path& folder, const Parts& parts, std::size_t part, std::set<std::string>& found) {
  const bool last = part + 1 == parts.size(), any_depth = parts[part] == "**";
  if (!last && !is_pattern(parts[part])) {  // what is listed nowhere too: ..
    match(folder / parts[part], parts, part + 1, found);
    return;
  }
  if (any_depth && !last) match(folder, parts, part + 1, found);
  std::error_code unreadable;
  for (const fs::directory_entry& entry :
       fs::directory_iterator(folder.empty() ? fs::path(".") : folder, unreadable)) {
    const std::string name = entry.path().filename().string();
    const fs::path path = folder / name;
    const bool is_folder = entry.is_directory(unreadable);
    const bool hidden = name.front() == '.';
    if (any_depth && is_folder && !hidden && !entry.is_symlink(unreadable)) match(path, parts, part, found);
    if (any_depth && (is_folder || !last || hidden)) continue;
    if (!any_depth && fnmatch(parts[part].c_str(), name.c_str(), FNM_PERIOD) != 0) continue;
    if (!last && is_folder) match(path, parts, part + 1, found);
    if (last && !is_folder && is_model_name(path)) found.insert(path.string());
  }
}

std::set<std::string> matches(const std::string& pattern) {
  const fs::path path = fs::path(pattern).lexically_normal();
  Parts parts;
  for (const fs::path& part : path.relative_path()) parts.push_back(part.string());
  std::set<std::string> found;
  match(path.root_path(), parts, 0, found);
  return found;
}

}  // namespace

std::vector<std::string> model_files(const std::vector<std::string>& arguments) {
  std::vector<std::string> files;
  std::set<std::string> taken;
  const auto take = [&](const std::string& file) {
    if (taken.insert(fs::path(file).lexically_normal().string()).second) files.push_back(file);
  };
  for (const std::string& argument : arguments) {
    std::error_code unreadable;
    if (!is_pattern(argument) || fs::exists(argument, unreadable)) {
      take(argument);
      continue;
    }
    const std::set<std::string> found = matches(argument);
    if (found.empty()) throw InputError(argument, "", "matches no model");
    for (const std::string& file : found) take(file);
  }
  return files;
}

}  // namespace skinlight::cli
