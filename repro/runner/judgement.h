// Judging claims and writing what was found.
#pragma once

#include <string>
#include <utility>
#include <vector>

#include "repro/experiment.h"

namespace skinlight::repro {

enum class Verdict { reproduced, deviates, failed };

std::string_view name(Verdict verdict);
std::string_view name(Bound bound);

struct Judgement {
  const Claim* claim;
  double value;
  Verdict verdict;
};

// reproduced / deviates when the value is where the claim says (a claim marked so deviates); failed when it
// is not or is not a number.
Judgement judge(const Claim& claim, const Results& results);

// What an experiment's own code found under that name, as Claim::value.
inline auto value_of(std::string name) {
  return [name = std::move(name)](const Results& results) { return results.value(name); };
}

// The shaders against the library, over the rig whose normals are written: the claim of every experiment that
// has one.
Claim gpu_claim();

// metrics.csv: one row per measurement.
std::string metrics_csv(const std::vector<Measurement>& measurements);

}  // namespace skinlight::repro
