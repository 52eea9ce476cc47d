// The health of a rig: what will look wrong, where, how much, and what to do about it.
#pragma once

#include <string>
#include <vector>

#include "skinlight/asset/raw_attributes.h"
#include "skinlight/audit/findings.h"
#include "skinlight/character/character.h"
#include "skinlight/character/predicted_normals.h"

namespace skinlight {

struct HealthOptions {
  int max_influences = 4;  // kept per vertex, and slots of the deform factors: 1 .. kMaxSlots
};

struct Health {
  int vertices = 0, positions = 0, triangles = 0, bones = 0;
  int influences = 0;    // most per vertex
  int poses = 0;         // looked at
  std::string posed_by;  // "3 clips" or "bends of 60 degrees"
  NormalMode predicted =
      NormalMode::standard;       // which normals will pay, told by the one-rings: predicted_normals()
  std::vector<Finding> findings;  // errors first, in the order of finding_kinds()

  int count(Severity severity) const;
};

// As many influences as a file may have: a model to be checked is read with them all.
inline constexpr int kAllInfluences = 1 << 20;

// Checks a character that was read with kAllInfluences, and what its file said before repairs. Findings over
// poses look at the model's clips, or, without any, at bends of 60 degrees in every bone at once.
// Throws InputError for options out of range and for clips that cannot be posed.
Health check_health(const Character& character, const RawAttributes& raw, const HealthOptions& options = {});

}  // namespace skinlight
