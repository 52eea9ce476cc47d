// Where log-matrix blending tears a surface: exp(sum w log M) goes from one bone to another along the difference of their
// logarithms, and these know of each bone only how far it is from rest. Bones that are close to each other, but turned past
// half a turn from rest on different sides, have logarithms up to a whole turn apart, and what they share flies.
#pragma once

#include <optional>
#include <span>
#include <string>

#include "skinlight/core/error.h"
#include "skinlight/rig/model.h"
#include "skinlight/rig/pose.h"
#include "skinlight/rig/rigged_mesh.h"

namespace skinlight {

struct TornLogarithms {
  int vertices = 0;             // moved by bones whose logarithms are more than half a turn apart
  int first = -1, second = -1;  // the bones farthest apart of those
  double apart = 0;             // their logarithms, radians: above pi, up to 2 pi
};

// Throws InputError when the pose has too few bones.
TornLogarithms torn_logarithms(const RiggedMesh& mesh, const Pose& pose);

// What to say of `bones`, such as "bones 3 and 7", where some vertex is torn.
Warning torn_warning(const TornLogarithms& torn, std::string bones);

// The same of a clip at these times (seconds), of the pose with the most such vertices; nothing where there are none.
std::optional<Warning> torn_in(const Model& model, const Clip& clip, std::span<const double> times);

}  // namespace skinlight
