// The record of how many digits are right, golden/stability.json, and what may be written into it.
#pragma once

#include <filesystem>
#include <map>
#include <string>
#include <vector>

#include "skinlight/stability/measure.h"

namespace skinlight::stability {

inline constexpr int kRecordSchema = 1;
// Digits that a cell may lose before a check fails, at the median and in the worst 1 %: what kernels that are the same
// but for the order of a few roundings differ by stays below.
inline constexpr double kLossP50 = .15, kLossP01 = .2;
// Digits that a cell gains before a check asks for a blessing, so that they are not lost again unnoticed.
inline constexpr double kGain = .3;
// A floor lies this far below the best value ever. No blessing goes below it.
inline constexpr double kFloorBelowBest = .5;

struct Digits {
  double p50 = 0, p01 = 0;
};

// What one machine gives instead, and why.
struct RecordException {
  std::string machine;  // the beginning of machine()
  std::string why;
  Digits digits;
};

struct RecordedCell {
  std::string id;
  Digits digits, best, floor;
  std::uint64_t seed = 0;  // of the regime
  std::string why;         // of the last blessing
  // Cells of normals in float: the worst inputs when it was blessed, and the mean of their digits. They are run again in
  // every check, whatever becomes of the seed.
  std::vector<std::string> worst;
  double worst_mean = 0;
  std::vector<RecordException> exceptions;
};

// An input that cells name as one of their worst, and what of it their kernels read.
struct RecordedInput {
  CaseParts parts;
  VertexCase vertex;  // the other parts are not kept
};

struct Record {
  std::vector<RecordedCell> cells;
  std::map<std::string, RecordedInput> inputs;  // by name, "near#12"
};

// The compiler and the processor of this build, "g++ 12 x86_64".
std::string machine();

// `file` and, beside it, the inputs: stability.json and stability_inputs.json. Throws InputError when they cannot be read
// or have another schema, with how to begin anew.
Record read_record(const std::filesystem::path& file);
void write_record(const Record& record, const std::filesystem::path& file);

// How one cell compares with the record.
struct Finding {
  enum class Kind {
    loss,          // red
    gain,          // asks for a blessing
    unrecorded,    // red: a kernel, regime or scalar without a cell
    without_code,  // red: a cell of which nothing is left
  };
  Kind kind;
  std::string id;
  std::string says;  // in words
};

// All findings, losses first. `measured` are all cells (of the selection; then nothing is said of others).
std::vector<Finding> compare(const Record& record, const std::vector<CellDigits>& measured, bool complete);

// A record of what was measured, when there is none.
Record first_record(const std::vector<CellDigits>& measured, const std::string& why);

// Takes over what was measured of one cell or, when `id` names a kernel, of all its cells. Cells that lose need a reason
// of their own each: throws InputError when the blessing would lower more than one cell, for a reason that another
// lowered cell has, or below a floor. Returns the ids of the cells that changed.
std::vector<std::string> bless(Record& record, const std::vector<CellDigits>& measured, const std::string& id,
                               const std::string& why);

}  // namespace skinlight::stability
