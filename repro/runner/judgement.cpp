#include "repro/runner/judgement.h"

#include <cmath>
#include <cstdio>

namespace skinlight::repro {

namespace {

bool holds(const Claim& claim, double value) {
  switch (claim.bound) {
    case Bound::within:
      return std::abs(value - claim.expected) <= claim.tolerance;
    case Bound::at_most:
      return value <= claim.expected;
    case Bound::at_least:
      return value >= claim.expected;
  }
  return false;
}

}  // namespace

std::string_view name(Verdict verdict) {
  switch (verdict) {
    case Verdict::reproduced:
      return "reproduced";
    case Verdict::deviates:
      return "deviates";
    case Verdict::failed:
      return "failed";
  }
  return "";
}

std::string_view name(Bound bound) {
  switch (bound) {
    case Bound::within:
      return "within";
    case Bound::at_most:
      return "at_most";
    case Bound::at_least:
      return "at_least";
  }
  return "";
}

Judgement judge(const Claim& claim, const Results& results) {
  const double value = claim.value(results);
  if (!std::isfinite(value) || !holds(claim, value)) return {&claim, value, Verdict::failed};
  return {&claim, value, claim.deviates ? Verdict::deviates : Verdict::reproduced};
}

Claim gpu_claim() {
  return {.name = "gpu_agrees_cpu",
          .statement =
              "The shaders compute what the library computes: largest difference, GPU against CPU in float",
          .expected = 1e-6,
          .bound = Bound::at_most,
          .value = [](const Results& r) { return r.gpu_cpu_difference; },
          .why = "Both compile the same kernels; what remains is rounding, in a figure a few units high."};
}

std::string metrics_csv(const std::vector<Measurement>& measurements) {
  std::string csv =
      "rig,family,resolution,vertices,pose,method,truth,weighting,mean_deg,rms_deg,p95_deg,p99_deg,max_deg,"
      "flips\n";
  for (const Measurement& m : measurements) {
    char numbers[160];
    std::snprintf(numbers, sizeof numbers, "%.9g,%.9g,%.9g,%.9g,%.9g,%d\n", m.error.mean, m.error.rms,
                  m.error.p95, m.error.p99, m.error.max, m.error.flips);
    const auto quoted = [](const std::string& text) {
      return text.find_first_of(",\"\n") == std::string::npos ? text : '"' + text + '"';
    };
    csv += quoted(m.rig) + ',' + quoted(m.family) + ',' + std::to_string(m.resolution) + ',' +
           std::to_string(m.vertices) + ',' + quoted(m.pose) + ',' + m.method + ',' + m.truth + ',' +
           quoted(m.error.weighting) + ',' + numbers;
  }
  return csv;
}

}  // namespace skinlight::repro
