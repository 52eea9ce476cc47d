// Which explanation fits directions that somebody else computed, and how surely.
#pragma once

#include <span>
#include <string>
#include <vector>

#include "skinlight/audit/explanations.h"
#include "skinlight/mesh/surface.h"

namespace skinlight {

// Below this, degrees, nobody could tell two sets of directions apart: unit vectors in float are off by 4e-6,
// skinned ones on large coordinates by 1e-4.
inline constexpr double kAngleFloor = 1e-3;

// An explanation fits when its mean distance is at most this, degrees, or when what it leaves over is noise.
// Normals in 8 bits a component are .2 off on average, in 10 bits .05.
inline constexpr double kUsualTolerance = 0.5;

// Degrees of mean distance that may be noise. Where more is left, nobody can say what is beneath.
inline constexpr double kMostNoise = 5;

struct Fit {
  std::string id, what, advice;
  ExplanationKind kind = ExplanationKind::mistake;
  int order = 0;                      // among the explanations: of equally good ones the first is named
  double mean = 0, p95 = 0, max = 0;  // distance from theirs, degrees, weighted as the errors are
  double share = 0;                   // of the weight that is within the tolerance
  bool orthogonal = false;            // of tangents: after they were made orthogonal to their normals
};

struct Verdict {
  // No explanation fits: kind has no meaning, and fits[0] is merely the nearest.
  bool explained = false;
  // What the nearest one leaves over looks like noise: it has no pattern over the surface.
  bool noisy = false;
  ExplanationKind kind = ExplanationKind::mistake;
  // The fit that the verdict names, of those equally good the most favourable; the nearest when none fits.
  int named = 0;
  // Others that fit as well on this pose, so that nobody could tell.
  std::vector<int> same_here;
  bool undecided = false;  // one of those is of another kind
  double next = 0;         // mean distance of the first fit that can be told apart, degrees; 0: there is none
  bool clear = false;      // `next` is more than three times as far as the nearest
};

struct Diagnosis {
  std::vector<Fit> fits;  // best first
  Verdict verdict;
};

// Vectors that another program made, and where they stand.
struct Directions {
  std::span<const Vec3d> v;         // #V by 3, nonzero, any length
  std::span<const double> weights;  // #V
  std::span<const Face> faces;  // the surface over which noise has no pattern; without any nothing is noise
  std::span<const Vec3d> normals;  // theirs, to make tangents orthogonal to; empty for normals themselves
};

Diagnosis diagnose(const Directions& theirs, std::span<const Explanation> explanations, double tolerance);

enum class LengthFinding {
  unit,            // 1 as it should be
  constant,        // one other length: the units of an integer format, or a scale
  not_normalised,  // that of a transformed vector that nobody normalised
  unexplained,     // they vary for another reason
};

struct Lengths {
  LengthFinding finding = LengthFinding::unit;
  double min = 0, mean = 0, max = 0;
  std::string like;  // not_normalised: the id of the explanation whose lengths they have
  // Whether lengths could have told: false where T n0, or T t0, has length 1 everywhere by itself.
  bool telling = true;
};

// Vertices alike.
Lengths judge_lengths(std::span<const Vec3d> theirs, std::span<const Explanation> explanations);

}  // namespace skinlight
