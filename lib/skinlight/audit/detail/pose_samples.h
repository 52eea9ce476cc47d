// Poses in which a rig is looked at.
#pragma once

#include <string>
#include <vector>

#include "skinlight/rig/model.h"

namespace skinlight {

struct PoseSample {
  std::string name;  // "Walk at 0.50 s", "bend 3"
  Pose pose;
  std::vector<double> morph_weights = {};  // of the model's targets, which move it before its bones do
};

inline constexpr double kBendDegrees = 60;

// Frames of all clips, evenly spaced, two at least of each and at most `most` in all where that allows it.
std::vector<PoseSample> clip_samples(const Model& model, int most);

// Poses in which each bone is turned by kBendDegrees against its parent about a random axis. The same on
// every platform.
std::vector<PoseSample> bend_samples(const Model& model, int count);

}  // namespace skinlight
