#include "repro/runner/papers.h"

#include <nlohmann/json.hpp>
#include <stdexcept>

#include "repro/runner/data_file.h"

namespace skinlight::repro {

const std::vector<Paper>& papers() {
  static const std::vector<Paper> all = [] {
    const nlohmann::json table = nlohmann::json::parse(data_file("papers.json"));
    std::vector<Paper> read;
    for (const nlohmann::json& json : table.at("papers")) read.push_back({json.at("id"), json.at("cited")});
    return read;
  }();
  return all;
}

const Paper& paper(const std::string& id) {
  for (const Paper& p : papers())
    if (p.id == id) return p;
  throw std::logic_error("repro/papers.json has no paper '" + id + "'");
}

}  // namespace skinlight::repro
