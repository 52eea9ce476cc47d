#include "skinlight/stability/record.h"

#include <algorithm>
#include <cmath>
#include <set>

#include "skinlight/core/error.h"
#include "skinlight/core/names.h"
#include "skinlight/stability/detail/digits.h"

namespace skinlight::stability {

namespace {

// Digits are kept to the third place after the point.
double rounded(double digits) { return std::round(digits * 1000) / 1000; }
Digits rounded(const CellDigits& c) { return {rounded(c.p50), rounded(c.p01)}; }

bool lower(const CellDigits& now, const Digits& then) {
  return then.p50 - now.p50 > kLossP50 || then.p01 - now.p01_beyond_chance > kLossP01;
}

Digits larger(const Digits& a, const Digits& b) { return {std::max(a.p50, b.p50), std::max(a.p01, b.p01)}; }

std::string input_name(const Regime& regime, int index) {
  return std::string(regime.name) + "#" + std::to_string(index);
}

bool keeps_inputs(const Cell& cell) {
  return cell.quantity == Quantity::normal && cell.scalar->name == "float";
}

double mean(const std::vector<double>& values) {
  double sum = 0;
  for (const double v : values) sum += v;
  return values.empty() ? 0 : sum / static_cast<double>(values.size());
}

void take_over(Record& record, RecordedCell& to, const CellDigits& from, const std::string& why) {
  to.digits = rounded(from);
  to.best = larger(to.best, to.digits);
  to.floor =
      larger(to.floor, {rounded(to.best.p50 - kFloorBelowBest), rounded(to.best.p01 - kFloorBelowBest)});
  to.seed = from.cell.regime->seed;
  to.why = why;
  if (!keeps_inputs(from.cell)) return;
  to.worst.clear();
  for (const int index : from.worst) {
    const std::string name = input_name(*from.cell.regime, index);
    to.worst.push_back(name);
    RecordedInput& input =
        record.inputs.try_emplace(name, RecordedInput{{false, false, false}, {}}).first->second;
    const bool lbs = from.cell.subject->method == Method::lbs,
               frames = from.cell.subject->mode == NormalMode::deform_frames;
    if ((lbs ? input.parts.matrices : input.parts.motions) && (!frames || input.parts.frames)) continue;
    (lbs ? input.parts.matrices : input.parts.motions) = true;
    input.parts.frames = input.parts.frames || frames;
    input.vertex = draw(*from.cell.regime, index);
  }
  to.worst_mean = rounded(mean(from.worst_digits));
}

void forget_unused_inputs(Record& record) {
  std::set<std::string> used;
  for (const RecordedCell& cell : record.cells) used.insert(cell.worst.begin(), cell.worst.end());
  std::erase_if(record.inputs, [&](const auto& input) { return !used.contains(input.first); });
}

RecordedCell empty_cell(const std::string& id) {
  RecordedCell cell;
  cell.id = id;
  const Digits none{kMissDigits, kMissDigits};
  cell.best = cell.floor = none;
  return cell;
}

std::string number(double x) {
  char text[32];
  std::snprintf(text, sizeof text, "%.2f", x);
  return text;
}

// What a machine is measured by: its own exception where there is one.
Digits expected(const RecordedCell& cell) {
  for (const RecordException& e : cell.exceptions)
    if (machine().starts_with(e.machine)) return e.digits;
  return cell.digits;
}

// The inputs that once were the worst are lower bounds: on average they must not get worse.
void compare_worst(const Record& record, const RecordedCell& cell, const CellDigits& now,
                   std::vector<Finding>& found) {
  std::vector<VertexCase> cases;
  for (const std::string& name : cell.worst) {
    const auto input = record.inputs.find(name);
    if (input == record.inputs.end())
      throw InputError("", "cell '" + cell.id + "'", "its input '" + name + "' is missing from the record");
    cases.push_back(input->second.vertex);
  }
  if (cases.empty()) return;
  const double worst = mean(measure_cases(now.cell, cases));
  if (cell.worst_mean - worst > kLossP01)
    found.push_back({Finding::Kind::loss, cell.id,
                     "its recorded worst inputs have " + number(worst) + " digits on average, of " +
                         number(cell.worst_mean) + " on record"});
}

}  // namespace

std::string machine() {
  std::string text;
#if defined(__clang__)
  text = "clang++ " + std::to_string(__clang_major__);
#elif defined(__GNUC__)
  text = "g++ " + std::to_string(__GNUC__);
#else
  text = "unknown";
#endif
#if defined(__x86_64__)
  return text + " x86_64";
#elif defined(__aarch64__)
  return text + " aarch64";
#else
  return text + " other";
#endif
}

std::vector<Finding> compare(const Record& record, const std::vector<CellDigits>& measured, bool complete) {
  std::vector<Finding> found;
  std::map<std::string, const RecordedCell*> recorded;
  for (const RecordedCell& cell : record.cells) recorded[cell.id] = &cell;
  for (const CellDigits& now : measured) {
    const std::string id = now.cell.id();
    const auto at = recorded.find(id);
    if (at == recorded.end()) {
      found.push_back({Finding::Kind::unrecorded, id, "has no cell in the record"});
      continue;
    }
    const RecordedCell& cell = *at->second;
    const Digits then = expected(cell);
    const auto tell = [&](Finding::Kind kind, const char* where, double before, double after, double best) {
      found.push_back({kind, id,
                       number(after) + " digits " + where + ", of " + number(before) + " on record (" +
                           (after < before ? "loses " : "gains ") + number(std::abs(after - before)) +
                           "; best ever " + number(best) + ")"});
    };
    if (then.p50 - now.p50 > kLossP50)
      tell(Finding::Kind::loss, "at the median", then.p50, now.p50, cell.best.p50);
    else if (now.p50 - then.p50 >= kGain)
      tell(Finding::Kind::gain, "at the median", then.p50, now.p50, cell.best.p50);
    if (then.p01 - now.p01_beyond_chance > kLossP01)
      tell(Finding::Kind::loss, "in the worst 1 %", then.p01, now.p01, cell.best.p01);
    else if (!now.cell.scalar->random && now.p01 - then.p01 >= kGain)
      tell(Finding::Kind::gain, "in the worst 1 %", then.p01, now.p01, cell.best.p01);
    compare_worst(record, cell, now, found);
    recorded.erase(at);
  }
  if (complete)
    for (const auto& [id, cell] : recorded)
      found.push_back({Finding::Kind::without_code, id, "is recorded, but nothing computes it any more"});
  std::stable_sort(found.begin(), found.end(),
                   [](const Finding& a, const Finding& b) { return a.kind < b.kind; });
  return found;
}

Record first_record(const std::vector<CellDigits>& measured, const std::string& why) {
  Record record;
  for (const CellDigits& now : measured) {
    RecordedCell cell = empty_cell(now.cell.id());
    take_over(record, cell, now, why);
    record.cells.push_back(std::move(cell));
  }
  return record;
}

std::vector<std::string> bless(Record& record, const std::vector<CellDigits>& measured, const std::string& id,
                               const std::string& why) {
  std::vector<const CellDigits*> chosen;
  std::vector<std::string> ids;
  for (const CellDigits& now : measured) {
    ids.push_back(now.cell.id());
    if (now.cell.id() == id || now.cell.subject->name == id) chosen.push_back(&now);
  }
  for (const Subject& s : subjects()) ids.push_back(s.name);
  if (chosen.empty())
    throw InputError("", "cell or kernel '" + id + "'", "unknown; did you mean '" + nearest(id, ids) + "'?");

  std::vector<std::string> lowered;
  for (const CellDigits* now : chosen) {
    const std::string name = now->cell.id();
    const auto cell = std::find_if(record.cells.begin(), record.cells.end(),
                                   [&](const RecordedCell& c) { return c.id == name; });
    if (cell == record.cells.end()) continue;
    const Digits digits = rounded(*now);
    if (digits.p50 < cell->floor.p50 || digits.p01 < cell->floor.p01)
      throw InputError("", "cell '" + name + "'",
                       number(digits.p50) + " digits at the median and " + number(digits.p01) +
                           " in the worst 1 % are below its floor of " + number(cell->floor.p50) + " and " +
                           number(cell->floor.p01) + ", which no blessing crosses");
    if (lower(*now, cell->digits)) lowered.push_back(name);
  }
  if (lowered.size() > 1)
    throw InputError("", "kernel '" + id + "'",
                     "loses digits in " + std::to_string(lowered.size()) + " cells, '" + lowered[0] +
                         "' and '" + lowered[1] +
                         "' among them; each needs a reason of its own: bless them one by one");
  if (!lowered.empty())
    for (const RecordedCell& cell : record.cells)
      if (cell.why == why && cell.id != lowered[0])
        throw InputError("", "cell '" + lowered[0] + "'",
                         "loses digits for the reason that cell '" + cell.id +
                             "' was blessed for; say what is true of "
                             "this one");

  for (const CellDigits* now : chosen) {
    const std::string name = now->cell.id();
    auto cell = std::find_if(record.cells.begin(), record.cells.end(),
                             [&](const RecordedCell& c) { return c.id == name; });
    if (cell == record.cells.end()) cell = record.cells.insert(cell, empty_cell(name));
    take_over(record, *cell, *now, why);
  }
  // What the kernel no longer has.
  std::erase_if(record.cells, [&](const RecordedCell& c) {
    return c.id == id && std::find(ids.begin(), ids.end(), id) == ids.end();
  });
  forget_unused_inputs(record);
  std::vector<std::string> changed;
  for (const CellDigits* now : chosen) changed.push_back(now->cell.id());
  return changed;
}

}  // namespace skinlight::stability
