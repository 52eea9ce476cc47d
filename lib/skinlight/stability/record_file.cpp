// How the record is written: one line a cell, so that a change of it can be read.
#include <algorithm>
#include <bit>
#include <charconv>
#include <cstdio>
#include <nlohmann/json.hpp>

#include "skinlight/core/error.h"
#include "skinlight/core/file.h"
#include "skinlight/stability/record.h"

namespace skinlight::stability {

namespace {

using nlohmann::json;
using nlohmann::ordered_json;

constexpr const char* kAbout =
    "How many decimal digits of each kernel's result are right: -log10 of the angle to the truth in radians (of the "
    "relative error for positions), p50 at the median of 2000 seeded inputs, p01 in the worst 1 %. 7.2 digits are 4e-6 "
    "degrees, 2 digits half a degree, and -1 is no number at all. A cell is kernel/regime/scalar: the formula, the kind "
    "of input, the arithmetic. ctest fails when a cell loses more than 0.15 digits at the median or 0.2 in the worst "
    "1 %. Written by `skinlight stability bless` alone; `skinlight stability explain CELL` tells where digits go.";

constexpr const char* kAboutInputs =
    "The worst inputs of the cells in stability.json, run again in every check: each float as eight hexadecimal digits "
    "(IEEE 754, most significant first), in the order of for_each_float() of stability/vertex_case.h; parts: what of an "
    "input the kernels of those cells read; frames: deform frames besides.";

constexpr const char* kAnew =
    "move it away and make a first record: skinlight stability bless --first --why TEXT (after reading what the old one "
    "says)";

// The eight hexadecimal digits of a float, as in memory of a big-endian machine.
std::string hex(float x) {
  char text[9];
  std::snprintf(text, sizeof text, "%08x", std::bit_cast<std::uint32_t>(x));
  return text;
}

std::filesystem::path inputs_beside(const std::filesystem::path& file) {
  return file.parent_path() / (file.stem().string() + "_inputs.json");
}

std::string hex(const RecordedInput& input) {
  std::string text;
  for_each_float(input.vertex, input.parts, [&](float x) { text += hex(x); });
  return text;
}

ordered_json to_json(const RecordedInput& input) {
  ordered_json j = {{"slots", input.vertex.slots}, {"seed", input.vertex.seed}};
  j["parts"] = input.parts.matrices && input.parts.motions ? "all"
               : input.parts.matrices                      ? "matrices"
                                                           : "motions";
  if (input.parts.frames) j["frames"] = true;
  j["floats"] = hex(input);
  return j;
}

RecordedInput input_from(const json& j) {
  RecordedInput input{{}, {}};
  input.vertex.slots = j.at("slots").get<int>();
  input.vertex.seed = j.at("seed").get<std::uint64_t>();
  const auto parts = j.at("parts").get<std::string>(), text = j.at("floats").get<std::string>();
  input.parts = {parts != "motions", parts != "matrices", j.value("frames", false)};
  const int slots = input.vertex.slots;
  bool good = slots == 4 || slots == 8 || slots == 16;
  std::size_t at = 0;
  if (good)
    for_each_float(input.vertex, input.parts, [&](float& x) {
      std::uint32_t bits = 0;
      const char* begin = text.data() + std::min(at, text.size());
      const char* end = text.data() + std::min(at + 8, text.size());
      const auto read = std::from_chars(begin, end, bits, 16);
      good = good && read.ec == std::errc() && read.ptr == begin + 8;
      x = std::bit_cast<float>(bits);
      at += 8;
    });
  if (!good || at != text.size()) throw InputError("", "", "is not the hexadecimal floats of a case");
  return input;
}

ordered_json pair(const Digits& d) { return {d.p50, d.p01}; }
Digits digits_from(const json& j) { return {j.at(0).get<double>(), j.at(1).get<double>()}; }

ordered_json to_json(const RecordedCell& cell) {
  ordered_json j = {{"id", cell.id},           {"p50", cell.digits.p50},    {"p01", cell.digits.p01},
                    {"best", pair(cell.best)}, {"floor", pair(cell.floor)}, {"seed", cell.seed},
                    {"why", cell.why}};
  if (!cell.worst.empty()) {
    j["worst"] = cell.worst;
    j["worst_mean"] = cell.worst_mean;
  }
  for (const RecordException& e : cell.exceptions)
    j["exceptions"].push_back(
        {{"machine", e.machine}, {"why", e.why}, {"p50", e.digits.p50}, {"p01", e.digits.p01}});
  return j;
}

RecordedCell cell_from(const json& j) {
  RecordedCell cell;
  cell.id = j.at("id").get<std::string>();
  cell.digits = {j.at("p50").get<double>(), j.at("p01").get<double>()};
  cell.best = digits_from(j.at("best"));
  cell.floor = digits_from(j.at("floor"));
  cell.seed = j.at("seed").get<std::uint64_t>();
  cell.why = j.at("why").get<std::string>();
  if (j.contains("worst")) {
    cell.worst = j.at("worst").get<std::vector<std::string>>();
    cell.worst_mean = j.at("worst_mean").get<double>();
  }
  if (j.contains("exceptions"))
    for (const json& e : j.at("exceptions"))
      cell.exceptions.push_back({e.at("machine").get<std::string>(),
                                 e.at("why").get<std::string>(),
                                 {e.at("p50").get<double>(), e.at("p01").get<double>()}});
  return cell;
}

void require_schema(const json& j) {
  const int schema = j.is_object() ? j.value("schema", 0) : 0;
  if (schema != kRecordSchema)
    throw InputError("", "schema " + std::to_string(schema),
                     "is not the one this program writes, " + std::to_string(kRecordSchema) + "; " + kAnew);
}

// What is wrong inside is told as the file's.
template <class Read>
auto reading(const std::filesystem::path& file, Read read) {
  try {
    const json j = json::parse(read_file(file));
    require_schema(j);
    return read(j);
  } catch (const json::exception& e) {
    throw InputError(file.string(), "",
                     std::string("is not a record of stability (") + e.what() + "); " + kAnew);
  } catch (const InputError& e) {
    throw e.in_file(file.string());
  }
}

}  // namespace

Record read_record(const std::filesystem::path& file) {
  Record record;
  if (!std::filesystem::exists(file))
    throw InputError(file.string(), "",
                     "there is no record; skinlight stability bless --first --why TEXT makes one");
  record.cells = reading(file, [](const json& j) {
    std::vector<RecordedCell> cells;
    for (const json& cell : j.at("cells")) cells.push_back(cell_from(cell));
    return cells;
  });
  record.inputs = reading(inputs_beside(file), [](const json& j) {
    std::map<std::string, RecordedInput> inputs;
    for (const auto& [name, input] : j.at("inputs").items()) try {
        inputs.emplace(name, input_from(input));
      } catch (const InputError& e) {
        throw InputError("", "input '" + name + "'", e.reason());
      }
    return inputs;
  });
  return record;
}

void write_record(const Record& record, const std::filesystem::path& file) {
  const auto begin = [](const char* about) {
    return "{\"schema\": " + std::to_string(kRecordSchema) + ",\n\"about\": " + json(about).dump() + ",\n";
  };
  std::string cells = begin(kAbout) + "\"cells\": [\n";
  for (const RecordedCell& cell : record.cells)
    cells += to_json(cell).dump() + (&cell == &record.cells.back() ? "\n" : ",\n");
  std::string inputs = begin(kAboutInputs) + "\"inputs\": {\n";
  std::size_t left = record.inputs.size();
  for (const auto& [name, input] : record.inputs) {
    inputs += json(name).dump() + ": " + to_json(input).dump() + (--left == 0 ? "\n" : ",\n");
  }
  write_file(inputs_beside(file), inputs + "}}\n");
  write_file(file, cells + "]}\n");
}

}  // namespace skinlight::stability
