// The real models that experiments use: where each comes from, whose it is, and whether a file is really it.
// The table is repro/models.json, embedded at build time; the files stay out of the repository.
#pragma once

#include <filesystem>
#include <string>
#include <vector>

#include "skinlight/rig/model.h"

namespace skinlight::repro {

struct ModelFile {
  std::string file;                      // below the folder of models
  std::string repository, commit, path;  // its public source, as github.com/<repository>
  std::string sha256;
  std::string converted;  // what was made of the source; empty when the file is the source, unaltered
};

struct ModelEntry {
  std::string name;
  std::string licence, attribution;
  std::vector<ModelFile> files;  // the first is the one that is read

  std::string source() const;  // for people: repository and commit of the first file
};

const std::vector<ModelEntry>& models();

// Throws std::logic_error when there is no such model: a mistake of the experiment.
const ModelEntry& model(const std::string& name);

// The folder of models: $SKINLIGHT_MODELS, empty when it is not set.
std::filesystem::path models_folder();

// Why a model cannot be read here and how to get it; empty when its first file is there.
std::string why_missing(const ModelEntry& entry);

// Reads a model's first file. Throws InputError when its SHA-256 is not that of the table, and as
// read_model() does.
Model load_model(const ModelEntry& entry);

}  // namespace skinlight::repro
