// skinlight stability: how many digits of the kernels are right, and a record that nothing may worsen unnoticed.
#include <cstdio>
#include <memory>
#include <nlohmann/json.hpp>

#include "repro/cli/commands.h"
#include "repro/cli/outputs.h"
#include "repro/cli/version.h"
#include "skinlight/core/error.h"
#include "skinlight/stability/explain.h"
#include "skinlight/stability/record.h"
#include "skinlight/stability/stages.h"

namespace skinlight::cli {

namespace {

using namespace stability;

struct StabilityOptions {
  std::vector<std::string> kernels, regimes, scalars;
  std::string record = "golden/stability.json", json, id, why;
  int threads = 0;
  bool first = false;
};

constexpr const char* kAbout =
    "How many decimal digits of the normals are right, and whether they were more before.\n"
    "\n"
    "Normals are computed in 32-bit floats, of which every operation rounds the seventh digit. How many digits of the\n"
    "result are left depends on the formula (the kernel), on what goes in (the regime: a character far from the\n"
    "origin, steep weights, bones that nearly cancel ...) and on the arithmetic (the scalar: floats, floats as\n"
    "compilers for GPUs fuse them, half precision ...). Each combination is a cell, kernel/regime/scalar. Its digits\n"
    "are -log10 of the angle in radians to the truth, which is computed in 106 bits from the same floats: 7.2 digits\n"
    "are 4 millionths of a degree, 2 digits are half a degree. p50 is the median of 2000 seeded inputs, p01 what 99 %\n"
    "of them exceed. What comes before and after the kernels has cells too, stage/input/double: relative errors.\n"
    "\n"
    "golden/stability.json records all cells. `check` measures again, on the same inputs, and fails when a cell has\n"
    "lost more than 0.15 digits at the median or 0.2 in the worst 1 %.";

Selection selection(const StabilityOptions& options) {
  Selection s;
  for (const std::string& name : options.kernels) s.subjects.push_back(&subject_from_name(name));
  for (const std::string& name : options.regimes) s.regimes.push_back(&regime_from_name(name));
  for (const std::string& name : options.scalars) s.scalars.push_back(&scalar_from_name(name));
  return s;
}

bool complete(const StabilityOptions& options) {
  return options.kernels.empty() && options.regimes.empty() && options.scalars.empty();
}

std::vector<CellDigits> measured(const StabilityOptions& options, const Selection& chosen) {
  ProgressLine line;
  return stability::measure(chosen, kCases, options.threads, [&](int done, int of) {
    line.update("stability: " + std::to_string(done) + " of " + std::to_string(of) + " regimes");
  });
}

template <class Rows>
nlohmann::ordered_json labels(const Rows& rows) {
  nlohmann::ordered_json j = nlohmann::ordered_json::object();
  for (const auto& row : rows) j[std::string(row.name)] = row.label;
  return j;
}

nlohmann::ordered_json json_of(const std::vector<CellDigits>& cells) {
  nlohmann::ordered_json j = {
      {"schema", kRecordSchema},     {"machine", machine()}, {"flags", build_flags()},
      {"version", build_version()},  {"cases", kCases},      {"regimes", labels(regimes())},
      {"scalars", labels(scalars())}};
  for (const StageInput& input : stage_inputs())
    j["regimes"][std::string(input.regime.name)] = input.regime.label;
  for (const CellDigits& c : cells) {
    j["cells"].push_back({{"id", c.cell.id()}, {"p50", c.p50}, {"p01", c.p01}, {"worst_cases", c.worst}});
  }
  return j;
}

int measure_command(const StabilityOptions& options) {
  Outputs outputs({options.json}, {});
  const std::vector<CellDigits> cells = measured(options, selection(options));
  std::printf("%-64s %6s %6s\n", "cell: kernel/regime/scalar (digits of the normal)", "p50", "p01");
  for (const CellDigits& c : cells) std::printf("%-64s %6.2f %6.2f\n", c.cell.id().c_str(), c.p50, c.p01);
  outputs.write_json(options.json, json_of(cells));
  return 0;
}

int check_command(const StabilityOptions& options) {
  const Record record = read_record(options.record);
  Outputs outputs({options.json}, {options.record});
  const std::vector<CellDigits> cells = measured(options, selection(options));
  nlohmann::ordered_json json = json_of(cells);
  json["losses"] = json["gains"] = nlohmann::ordered_json::array();
  int losses = 0, gains = 0;
  for (const stability::Finding& f : compare(record, cells, complete(options))) {
    const bool gain = f.kind == stability::Finding::Kind::gain;
    std::printf("%s %s: %s\n", gain ? "gain:" : "LOSS:", f.id.c_str(), f.says.c_str());
    json[gain ? "gains" : "losses"].push_back({{"id", f.id}, {"says", f.says}});
    ++(gain ? gains : losses);
  }
  std::printf("%zu cells on %s: %d lost digits or do not match the record, %d gained\n", cells.size(),
              machine().c_str(), losses, gains);
  if (losses > 0)
    std::printf(
        "Where digits go: skinlight stability explain CELL. A loss that cannot be helped is recorded with its reason, one cell at a time: skinlight stability bless CELL --why TEXT\n");
  if (gains > 0)
    std::printf(
        "Gains that are not recorded can be lost again unnoticed: skinlight stability bless KERNEL --why TEXT\n");
  outputs.write_json(options.json, json);
  return losses > 0 ? 1 : 0;
}

int bless_command(const StabilityOptions& options) {
  if (options.first) {
    if (!options.id.empty()) throw InputError("", "bless --first", "takes no cell or kernel: it records all");
    if (std::filesystem::exists(options.record))
      throw InputError(options.record, "", "there is a record; bless a cell or a kernel of it");
    write_record(first_record(measured(options, {}), options.why), options.record);
    std::printf("first record written to %s\n", options.record.c_str());
    return 0;
  }
  if (options.id.empty()) throw InputError("", "bless", "name a cell (kernel/regime/scalar) or a kernel");
  Record record = read_record(options.record);
  Selection chosen;
  if (options.id.find('/') != std::string::npos) {
    const Cell cell = cell_from_id(options.id);
    chosen = {{cell.subject}, {cell.regime}, {cell.scalar}, true};
  } else {
    chosen.subjects = {&subject_from_name(options.id)};
  }
  for (const std::string& id : bless(record, measured(options, chosen), options.id, options.why))
    std::printf("%s\n", id.c_str());
  write_record(record, options.record);
  return 0;
}

int explain_command(const StabilityOptions& options) {
  const Cell cell = cell_from_id(options.id);
  const stability::Explanation e = explain(cell);
  std::printf("%s\n", options.id.c_str());
  std::printf("  kernel   %s: %s, normals %s%s%s\n", cell.subject->name.c_str(),
              row(cell.subject->method).label.data(), row(cell.subject->mode).label.data(),
              cell.subject->guard == Guard::none ? "" : ", guard ",
              cell.subject->guard == Guard::none ? "" : row(cell.subject->guard).label.data());
  std::printf("  regime   %s: %s\n", cell.regime->name.data(), cell.regime->label.data());
  std::printf("  scalar   %s: %s\n", cell.scalar->name.data(), cell.scalar->label.data());
  std::printf("\nThe worst of its %d inputs, number %d, has %.2f digits.\n", kCases, e.index, e.digits);
  std::printf("  normal in float  %.9f %.9f %.9f\n", e.result.x, e.result.y, e.result.z);
  std::printf("  truth            %.9f %.9f %.9f\n", e.truth.x, e.truth.y, e.truth.z);
  std::printf(
      "\nThe kernel has %d operations. Rounded to float one after the other, they leave %.2f digits. Those that add most\n"
      "to the error (each rounds its result to 24 bits; what follows is exact):\n",
      e.operations, e.float_digits);
  for (const stability::Explanation::Loss& loss : e.losses)
    std::printf("  operation %4d   %-60s %.2f digits before, %.2f after\n", loss.number,
                loss.operation.formula.c_str(), loss.digits_before, loss.operation.digits_left);
  const auto floats = [](const char* name, const Vec3f& v) {
    std::printf("  %-8s %a %a %a\n", name, static_cast<double>(v.x), static_cast<double>(v.y),
                static_cast<double>(v.z));
  };
  std::printf("\nInput, as hexadecimal floats:\n");
  floats("p", e.input.p);
  floats("n", e.input.n);
  floats("t", e.input.t);
  floats("b", e.input.b);
  for (int s = 0; s < e.input.slots; ++s) {
    std::printf("  slot %-3d weight %a alpha %a beta %a\n", s, static_cast<double>(e.input.weight[s]),
                static_cast<double>(e.input.alpha[s]), static_cast<double>(e.input.beta[s]));
    for (int i = 0; i < 4; ++i) floats(i < 3 ? "  column" : "  moved", e.input.bone[s][i]);
  }
  return 0;
}

}  // namespace

Command add_stability(Parser program) {
  Parser parser =
      program.command("stability", "How many digits of the normals are right; fail when some are lost");
  parser.needs_command();
  parser.footer(kAbout);
  auto options = std::make_shared<StabilityOptions>();
  Parser measure = parser.command("measure", "Measure cells and print their digits");
  Parser check =
      parser.command("check", "Measure cells and compare them with the record: exit code 1 on a loss");
  Parser bless =
      parser.command("bless", "Take what is measured now into the record, of one cell or one kernel");
  Parser explain = parser.command("explain", "Show where the worst input of a cell loses its digits");
  for (Parser sub : {measure, check}) {
    sub.option("--kernels", options->kernels,
               "Kernels, as lbs-deform,crs-exact+clamp; all when none is given")
        .separated_by(',');
    sub.option("--regimes", options->regimes, "Regimes, as near,far-1e4; all when none is given")
        .separated_by(',');
    sub.option("--scalars", options->scalars, "Scalars, as float,vulkan; all when none is given")
        .separated_by(',');
    sub.option("--json", options->json, "File for the digits of every cell; - is standard output");
  }
  for (Parser sub : {measure, check, bless})
    sub.option("--threads", options->threads, "Threads; 0: all cores").shows_default();
  for (Parser sub : {check, bless}) sub.option("--record", options->record, "The record").shows_default();
  bless.option("ID", options->id, "Cell (kernel/regime/scalar) or kernel");
  bless.option("--why", options->why, "The reason, which the record keeps").required();
  bless.flag("--first", options->first, "All cells, when there is no record yet");
  explain.option("CELL", options->id, "kernel/regime/scalar").required();
  for (Parser sub : {measure, check, bless, explain}) sub.footer(kAbout);
  return {parser, [=] {
            if (measure.parsed()) return measure_command(*options);
            if (check.parsed()) return check_command(*options);
            if (bless.parsed()) return bless_command(*options);
            return explain_command(*options);
          }};
}

}  // namespace skinlight::cli
