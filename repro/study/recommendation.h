// Which normals to give a character, by what was measured on it.
#pragma once

#include <optional>
#include <span>
#include <string>
#include <vector>

#include "skinlight/character/clip_error.h"

namespace skinlight::repro {

// A mean within this share of the smallest, or this many degrees, is as good: cheaper normals win then.
inline constexpr double kAsGood = .1;
inline constexpr double kAsGoodDegrees = .05;
// A guard is worth its cost when it takes this share of the mean error away.
inline constexpr double kGuardGain = .02;

// A kind of normals, over all clips alike.
struct MeasuredWay {
  SkinOptions options;
  double mean = 0;  // degrees from the transported truth
};

std::vector<MeasuredWay> mean_errors(std::span<const SkinOptions> ways, std::span<const ClipError> clips);

struct Recommendation {
  SkinOptions standard, choice;        // without guard
  double standard_mean = 0, mean = 0;  // degrees
  std::optional<SkinOptions> guarded;  // the choice with the guard that helps most, if one does
  double guarded_mean = 0;

  bool gains() const { return choice.mode != NormalMode::standard; }
};

// Of the usual normals of the method, the cheapest that is as good as the best. Nothing when standard normals were not
// measured, or none of the others.
std::optional<Recommendation> recommend(std::span<const MeasuredWay> ways);

// A kind of normals pays when it takes away this share of what the best one does, ...
inline constexpr double kWorth = .8;
// ... and none has to where standard normals are off by less, in degrees.
inline constexpr double kSlightDegrees = .1;

// Of the usual normals of the method, the cheapest that pays. Nothing where standard normals are right or the best, or where not all
// kinds were measured.
std::optional<NormalMode> cheapest_that_pays(std::span<const MeasuredWay> ways);

// The usual normals of a method, the cheapest first: by bytes, then by operations.
std::vector<NormalMode> modes_by_cost(Method method);

// Whether bake writes what these normals read: all but frames about centres of rotation.
bool bake_writes(Method method, NormalMode mode);

// What `bake` is to be told for normals that it can write: "--normals deform-frames --method dqs".
std::string bake_flags(Method method, NormalMode mode);

// "deform-vectors take the error of normals from 3.89 to 0.42 degrees on average."
std::string sentence(const Recommendation& recommendation);

// What to run for it: "skinlight bake hero.glb -o hero_baked.glb --normals deform-vectors". Empty where bake does not write
// what the choice reads. Of another format bake takes the glTF file of that name, ...
std::string next_command(const Recommendation& recommendation, const std::string& model);
// ... which it needs first: "the model as glTF, hero.glb"; otherwise empty.
std::string next_needs(const Recommendation& recommendation, const std::string& model);

}  // namespace skinlight::repro
