#include "repro/runner/judgement.h"

#include <cmath>
#include <limits>

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

template <class Words, class Enum>
std::string_view name_in(const Words& words, Enum value) {
  for (const auto& word : words)
    if (word.value == value) return word.name;
  return "";
}

}  // namespace

std::string_view name(ClaimKind kind) { return name_in(kClaimKinds, kind); }
std::string_view name(Bound bound) { return name_in(kBounds, bound); }
std::string_view name(Verdict verdict) { return name_in(kVerdicts, verdict); }

Judgement judge(const Claim& claim, const Results& results) {
  const double value = claim.value(results);
  const bool met = std::isfinite(value) && holds(claim, value);
  return {&claim, value, met ? claim.verdict : Verdict::failed};
}

Judgement unjudged(const Claim& claim, const std::string& why) {
  return {&claim, std::numeric_limits<double>::quiet_NaN(), Verdict::not_run, why};
}

Finding gpu_finding() {
  return {"gpu_agrees_cpu", [](const Results& r) { return r.gpu_cpu_difference; }};
}

}  // namespace skinlight::repro
