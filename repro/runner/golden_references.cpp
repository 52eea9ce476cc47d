#include "repro/runner/golden_references.h"

#include <algorithm>
#include <cstdio>
#include <nlohmann/json.hpp>
#include <set>

#include "repro/runner/table_difference.h"
#include "skinlight/core/error.h"
#include "skinlight/core/file.h"
#include "skinlight/render/image_compare.h"

namespace skinlight::repro {

namespace fs = std::filesystem;
using Json = nlohmann::ordered_json;

namespace {

constexpr const char* kNormalsWhy =
    "llvmpipe repeats its bytes on machines alike; other vector widths and CPUs round the last bits of a float differently";
constexpr const char* kImagesWhy =
    "llvmpipe on older CPU feature sets differs by 1/255 in a few pixels; edges may fall the other way in 0.1 % of them";

constexpr const char* kTablesWhy =
    "tables have nine digits, the same on machines alike; other C libraries round the last bit of a double differently";

Json parse(const fs::path& path) {
  Json json = Json::parse(read_file(path), nullptr, false);
  if (json.is_discarded()) throw InputError(path.string(), "", "is not JSON");
  return json;
}

Json read_manifest(const fs::path& golden) {
  const fs::path path = golden / "manifest.json";
  if (!fs::exists(path)) return Json{{"entries", Json::object()}};
  Json manifest = parse(path);
  if (!manifest.contains("entries") || !manifest["entries"].is_object())
    throw InputError(path.string(), "entries", "is missing");
  return manifest;
}

// Names of the files with `extension` in a folder that may not exist.
std::set<std::string> files_in(const fs::path& folder, const std::string& extension) {
  std::set<std::string> files;
  if (fs::exists(folder))
    for (const fs::directory_entry& entry : fs::directory_iterator(folder))
      if (entry.path().extension() == extension) files.insert(entry.path().filename().string());
  return files;
}

// The outputs of one kind of a run. Pictures of models are no references: models stay out of the repository.
std::set<std::string> outputs_of(const Json& run, const std::string& kind) {
  std::set<std::string> files;
  for (const Json& output : run.at("outputs"))
    if (output.at("kind") == kind && !output.contains("model"))
      files.insert(output.at("file").get<std::string>());
  return files;
}

bool misses_models(const Experiment& experiment) {
  return std::any_of(experiment.models.begin(), experiment.models.end(),
                     [](const ModelCase& m) { return !why_missing(model(m.name)).empty(); });
}

// Whether a rig of metrics.csv is a model that is missing, or what was made of one.
bool is_missing_model(const Experiment& experiment, const std::string& rig) {
  return std::any_of(experiment.models.begin(), experiment.models.end(), [&](const ModelCase& m) {
    return (rig == m.name || rig.starts_with(m.name + "_")) && !why_missing(model(m.name)).empty();
  });
}

class Comparison {
 public:
  Comparison(fs::path run, fs::path failures) : run_(std::move(run)), failures_(std::move(failures)) {
    std::error_code ignored;
    fs::remove_all(failures_, ignored);
  }

  void normals(const std::string& file, const fs::path& expected, double max_radians) {
    const NormalDifference difference =
        compare_normals(read_npy(run_ / file), read_npy(expected), max_radians);
    if (difference.pass) return;
    keep(file, expected, difference.reason);
  }
  void image(const std::string& file, const fs::path& expected, ImageTolerance tolerance) {
    const ImageDifference difference = compare_images(read_png(run_ / file), read_png(expected), tolerance);
    if (difference.pass) return;
    keep(file, expected, difference.reason);
    if (difference.picture.width > 0) write_png(failures_ / ("difference_" + file), difference.picture);
  }
  void table(const std::string& file, const fs::path& expected, TableTolerance tolerance,
             const std::vector<std::string>& times, const Experiment& experiment) {
    const std::string reason =
        table_difference(read_file(run_ / file), read_file(expected), tolerance, times,
                         [&](const std::string& rig) { return is_missing_model(experiment, rig); });
    if (!reason.empty()) keep(file, expected, reason);
  }
  void report(const std::string& file, const std::string& reason) { mismatches_.push_back({file, reason}); }

  std::vector<GoldenMismatch> finish() {
    if (!mismatches_.empty()) {
      std::string text;
      for (const GoldenMismatch& m : mismatches_) text += m.file + ": " + m.reason + "\n";
      write_file(failures_ / "numbers.txt", text);
    }
    return mismatches_;
  }

 private:
  void keep(const std::string& file, const fs::path& expected, const std::string& reason) {
    report(file, reason);
    write_file(failures_ / ("actual_" + file), read_file(run_ / file));
    write_file(failures_ / ("expected_" + file), read_file(expected));
  }
  fs::path run_, failures_;
  std::vector<GoldenMismatch> mismatches_;
};

// Calls compare for files on both sides, and reports those on one side only.
template <class Compare>
void compare_sets(const std::set<std::string>& actual, const std::set<std::string>& expected,
                  Comparison& comparison, const Compare& compare) {
  for (const std::string& file : actual)
    if (expected.count(file) == 0)
      comparison.report(file, "has no golden reference");
    else
      compare(file);
  for (const std::string& file : expected)
    if (actual.count(file) == 0) comparison.report(file, "has a golden reference but was not written");
}

std::uintmax_t folder_bytes(const fs::path& folder) {
  std::uintmax_t bytes = 0;
  if (fs::exists(folder))
    for (const fs::directory_entry& entry : fs::recursive_directory_iterator(folder))
      if (entry.is_regular_file()) bytes += entry.file_size();
  return bytes;
}

void replace_folder(const fs::path& from, const std::set<std::string>& files, const fs::path& to) {
  fs::remove_all(to);
  for (const std::string& file : files) write_file(to / file, read_file(from / file));
}

}  // namespace

bool has_golden(const Experiment& experiment) {
  return !experiment.rigs.empty() || experiment.models.empty();
}

std::vector<GoldenMismatch> check_golden(const Experiment& experiment, const fs::path& run_folder,
                                         const fs::path& golden, const fs::path& failures) {
  Comparison comparison(run_folder, failures / experiment.id);
  const Json manifest = read_manifest(golden);
  if (!manifest["entries"].contains(experiment.id)) {
    comparison.report(experiment.id,
                      "has no golden references; look at its results, then run ci/bless.sh " + experiment.id);
    return comparison.finish();
  }
  const Json& entry = manifest["entries"][experiment.id];
  const Json run = parse(run_folder / "run.json");
  const fs::path normals = golden / "normals" / experiment.id, images = golden / "images" / experiment.id,
                 tables = golden / "tables" / experiment.id;
  try {
    const double max_radians = entry.at("normals").at("max_radians");
    const ImageTolerance tolerance{entry.at("images").at("channel"), entry.at("images").at("share")};
    compare_sets(outputs_of(run, "normals"), files_in(normals, ".npy"), comparison,
                 [&](const std::string& file) { comparison.normals(file, normals / file, max_radians); });
    compare_sets(outputs_of(run, "image"), files_in(images, ".png"), comparison,
                 [&](const std::string& file) { comparison.image(file, images / file, tolerance); });
    const Json& of_tables = entry.at("tables");
    const TableTolerance numbers{of_tables.at("share"), of_tables.at("number")};
    std::set<std::string> written = outputs_of(run, "table"), expected = files_in(tables, ".csv");
    // Without the models, of which other tables have rows and files under many names, metrics.csv is what can be compared.
    if (misses_models(experiment))
      for (std::set<std::string>* files : {&written, &expected})
        std::erase_if(*files, [](const std::string& file) { return file != "metrics.csv"; });
    compare_sets(written, expected, comparison, [&](const std::string& file) {
      comparison.table(file, tables / file, numbers, of_tables.at("times"), experiment);
    });
  } catch (const Json::exception& e) {
    throw InputError((golden / "manifest.json").string(), experiment.id, e.what());
  }
  return comparison.finish();
}

void bless_golden(const Experiment& experiment, const fs::path& run_folder, const fs::path& golden) {
  if (misses_models(experiment))
    throw InputError("", experiment.id,
                     "has models that are missing here, and their rows in its tables would be too");
  const Json run = parse(run_folder / "run.json");
  const fs::path normals = golden / "normals" / experiment.id, images = golden / "images" / experiment.id,
                 tables = golden / "tables" / experiment.id;
  std::uintmax_t bytes =
      folder_bytes(golden) - folder_bytes(normals) - folder_bytes(images) - folder_bytes(tables);
  for (const char* kind : {"normals", "image", "table"})
    for (const std::string& file : outputs_of(run, kind)) bytes += fs::file_size(run_folder / file);
  if (bytes > kGoldenBytes)
    throw InputError(golden.string(), "",
                     "would grow to " + std::to_string(bytes >> 20) + " MB; at most " +
                         std::to_string(kGoldenBytes >> 20) + " MB are allowed");

  replace_folder(run_folder, outputs_of(run, "normals"), normals);
  replace_folder(run_folder, outputs_of(run, "image"), images);
  replace_folder(run_folder, outputs_of(run, "table"), tables);
  Json manifest = read_manifest(golden);
  manifest["entries"][experiment.id] = {
      {"command", "skinlight reproduce " + experiment.id + " --renderer llvmpipe"},
      {"renderer", run.at("renderer")},
      {"normals", {{"max_radians", kGoldenNormalRadians}, {"why", kNormalsWhy}}},
      {"images", {{"channel", kChannelTolerance}, {"share", kPixelShare}, {"why", kImagesWhy}}},
      {"tables",
       {{"share", kTableShare}, {"number", kTableNumber}, {"times", experiment.times}, {"why", kTablesWhy}}}};
  write_file(golden / "manifest.json", manifest.dump(2) + "\n");
}

}  // namespace skinlight::repro
