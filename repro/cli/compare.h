// The parts of `skinlight compare`: what it was asked, what it found, and the forms in which it tells.
#pragma once

#include <optional>
#include <string>
#include <vector>

#include "repro/cli/commands.h"
#include "repro/cli/outputs.h"
#include "repro/study/recommendation.h"
#include "skinlight/asset/raw_attributes.h"
#include "skinlight/character/ring_errors.h"
#include "skinlight/skinning/way.h"

namespace skinlight::cli {

struct CompareOptions {
  std::string model, clip, method, guard;
  std::vector<std::string> normals;
  std::string missing_normals = "usual";
  std::string json, csv, plot, render, renderer = "auto";
  std::optional<double> fail_above;  // degrees
  int frames = kUsualFrames, influences = 4, threads = 0;
  bool rings = false;  // errors by what the one-rings look like, in the JSON
};

// A way to get normals. Its name is the mode's, with "+" and the guard's where it has one: on the command
// line and in every output.
struct Way {
  std::string name;
  std::string label;  // for people
  SkinOptions options;
};

inline constexpr Truth kTruths[] = {Truth::transported, Truth::recomputed};

// What was asked for, or else the usual: standard normals, those that deform factors give, also with a guard,
// and those for coarse meshes, as far as the method has them. Throws InputError naming the way that does not
// exist, and those that do.
std::vector<Way> ways_of(const CompareOptions& options);

// A paragraph of --help with every method, its modes and the guards.
std::string ways_help();

// What was measured. One entry of `errors` per clip; its ways are `ways`.
struct Comparison {
  CompareOptions options;
  Method method = Method::lbs;
  std::vector<Way> ways;
  RawAttributes raw;
  Character character;
  std::vector<Clip> clips;  // those of `errors`
  std::vector<ClipError> errors;
  std::vector<std::string> unmeasured = {};  // clips in whose frames the posed mesh has no area
  std::optional<RingErrors> rings;           // over all clips, where asked for
  std::vector<Warning> warnings;             // of the reader, and of poses that the method has to change

  const Model& model() const { return character.model(); }
};

// The bone that holds the largest share of a vertex.
struct Holder {
  int bone = -1;
  std::string name;  // of its node; "bone 3" where that has none
  double weight = 0;
};
Holder holder_of(const Model& model, int vertex);

// The clip whose mean against the transported truth is the largest.
std::size_t worst_clip(const Comparison& c, std::size_t way);

// Which normals to give the character, if standard ones were measured.
std::vector<repro::MeasuredWay> mean_errors(const Comparison& c);
std::optional<repro::Recommendation> recommendation(const Comparison& c);
// The command that follows it, for as many influences as were measured.
std::string next_command(const Comparison& c, const repro::Recommendation& best);

// To stdout.
void print_rig(const Comparison& c);
void print_clip(const Comparison& c, std::size_t clip);
void print_summary(const Comparison& c);

// To options.json.
void write_comparison(Outputs& outputs, const Comparison& c);
// Every frame of every clip: a header line, then a line per way and truth.
std::string comparison_csv(const Comparison& c);
// Mean error over time, a row of panels per clip, as SVG.
std::string comparison_plot(const Comparison& c);
// Draws into the folder options.render, per clip, all ways in the frame where the first one is worst.
void draw_worst_frames(const Comparison& c, ProgressLine& line);

}  // namespace skinlight::cli
