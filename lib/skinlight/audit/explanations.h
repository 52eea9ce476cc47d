// What a renderer's posed normals or tangents could be: the right ones, the usual approximation and the usual
// mistakes, each computed for the rig at hand. None of them runs through a skinning kernel but those that are
// its very normals.
#pragma once

#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "skinlight/character/clip_error.h"
#include "skinlight/truth/posed_truth.h"

namespace skinlight {

enum class ExplanationKind { correct, approximation, mistake };

// "correct", "approximation", "mistake"
std::string_view name(ExplanationKind kind);

struct Explanation {
  std::string id;  // stable: "rest", "transposed", ...
  ExplanationKind kind = ExplanationKind::mistake;
  std::string what;      // one line for people
  std::string advice;    // what to change; empty where nothing is wrong
  std::vector<Vec3d> v;  // #V by 3, as long as a program that forgets to normalise leaves it
};

// The ids of T n0: an approximation where bones turn and scale evenly, a mistake where they stretch.
inline constexpr std::string_view kStandard = "standard";
inline constexpr std::string_view kInverseTransposeMissing = "inverse-transpose-missing";

// A rig in its pose, with what all explanations need.
struct PosedRig {
  const ClipFrame& frame;
  Method method;
  const PosedTruth& truth;
  std::span<const int> first_bone;  // #V: the bone of the slot that comes first in the file, sorted or not

  const Character& character() const { return frame.character(); }
  const Pose& pose() const { return frame.pose(); }
  // What the bones move in engines: under the morph weights as the file says.
  const RiggedMesh& mesh() const { return frame.rest(NormalMode::standard); }
};

// In the order in which equally good ones are named: correct, approximation, mistake. theirs: #V by 3, nonzero;
// mistakes with a free number (a rotation, an offset) take the one that fits theirs best.
std::vector<Explanation> normal_explanations(const PosedRig& rig, std::span<const Vec3d> theirs);
std::vector<Explanation> tangent_explanations(const PosedRig& rig, std::span<const Vec3d> theirs);

// The right or standard ones of the list at other vertices, each of theirs given one near it; none where their set is
// another one. A last resort: so much freedom fits nearly anything a little.
std::vector<Explanation> shuffled(std::span<const Vec3d> theirs, std::span<const Explanation> explanations);

}  // namespace skinlight
