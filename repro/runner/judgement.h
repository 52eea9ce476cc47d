// Judging claims.
#pragma once

#include <string>
#include <utility>

#include "repro/experiment.h"

namespace skinlight::repro {

struct Judgement {
  const Claim* claim;
  double value;
  Verdict verdict;
  std::string not_run = {};  // why there is no value; of Verdict::not_run
};

// The claim's own verdict when the value is where it says; failed when it is not or is not a number.
Judgement judge(const Claim& claim, const Results& results);

// The claim that nothing could be measured for, and why.
Judgement unjudged(const Claim& claim, const std::string& why);

// What an experiment's own code found under that name, as Finding::value.
inline auto value_of(std::string name) {
  return [name = std::move(name)](const Results& results) { return results.value(name); };
}

// The shaders against the library, over the rig whose normals are written: the finding of every experiment
// that has one.
Finding gpu_finding();

}  // namespace skinlight::repro
