#include "repro/runner/model_catalogue.h"

#include <cstdlib>
#include <nlohmann/json.hpp>
#include <stdexcept>

#include "repro/runner/data_file.h"
#include "skinlight/asset/model_file.h"
#include "skinlight/core/error.h"
#include "skinlight/core/file.h"
#include "skinlight/core/sha256.h"

namespace skinlight::repro {

namespace fs = std::filesystem;

namespace {

ModelFile file_of(const nlohmann::json& json) {
  return {json.at("file"), json.at("repository"), json.at("commit"),
          json.at("path"), json.at("sha256"),     json.value("converted", "")};
}

ModelEntry entry_of(const nlohmann::json& json) {
  ModelEntry entry{json.at("name"), json.at("licence"), json.at("attribution"), {}};
  for (const nlohmann::json& file : json.at("files")) entry.files.push_back(file_of(file));
  return entry;
}

std::vector<ModelEntry> read_table() {
  const nlohmann::json table = nlohmann::json::parse(data_file("models.json"));
  std::vector<ModelEntry> all;
  for (const nlohmann::json& json : table.at("models")) all.push_back(entry_of(json));
  return all;
}

}  // namespace

std::string ModelEntry::source() const {
  const ModelFile& first = files.front();
  return "https://github.com/" + first.repository + ", commit " + first.commit.substr(0, 10) + ", " +
         first.path + (first.converted.empty() ? "" : "; " + first.converted);
}

const std::vector<ModelEntry>& models() {
  static const std::vector<ModelEntry> all = read_table();
  return all;
}

const ModelEntry& model(const std::string& name) {
  for (const ModelEntry& entry : models())
    if (entry.name == name) return entry;
  throw std::logic_error("repro/models.json has no model '" + name + "'");
}

fs::path models_folder() {
  const char* folder = std::getenv("SKINLIGHT_MODELS");
  return folder ? fs::path(folder) : fs::path();
}

std::string why_missing(const ModelEntry& entry) {
  const std::string& file = entry.files.front().file;
  const fs::path folder = models_folder();
  if (!folder.empty() && fs::exists(folder / file)) return "";
  const std::string where = folder.empty()
                                ? "SKINLIGHT_MODELS, the folder that would hold " + file + ", is not set"
                                : file + " is not in the folder that SKINLIGHT_MODELS names";
  return "needs " + entry.name + ": " + where + "; ci/fetch_models.sh gets it (" + entry.source() + ")";
}

Model load_model(const ModelEntry& entry) {
  const ModelFile& first = entry.files.front();
  const fs::path path = models_folder() / first.file;
  const std::string bytes = read_file(path);
  if (const std::string found = sha256(bytes); found != first.sha256)
    throw InputError(path.string(), entry.name,
                     "is another file: its SHA-256 is " + found + ", expected " + first.sha256 +
                         "; get it anew with ci/fetch_models.sh");
  try {
    return parse_model(bytes, path, {.missing_normals = MissingNormals::smooth});  // shows rigs best
  } catch (const InputError& e) {
    throw e.in_file(path.string());
  }
}

}  // namespace skinlight::repro
