// The parts of `skinlight judge`: what it was given, as files.
#pragma once

#include <optional>
#include <string>

#include "skinlight/audit/judge.h"

namespace skinlight::cli {

// One .npy file on the command line. `name` is how judge() calls the array in its errors.
struct ArrayOption {
  const char* flag;
  const char* name;
  bool required;  // without a model
  const char* help;
};

enum Array {
  positions,
  faces,
  bones,
  weights,
  pose,
  normals,
  tangents,
  rest_normals,
  rest_tangents,
  uv,
  posed_positions,
  morphs,
  morph_weights,
  kArrays
};

inline constexpr ArrayOption kArrayOptions[kArrays] = {
    {"--positions", "positions", true, "Rest positions, V x 3"},
    {"--faces", "faces", true, "Triangles, F x 3 vertex indices, counter-clockwise seen from outside"},
    {"--bones", "bones", true, "Bone indices, V x N, in any order; unused slots have weight 0"},
    {"--weights", "weights", true, "Bone weights, V x N, sum 1"},
    {"--pose", "pose", true,
     "Rest-to-pose matrices, B x 3 x 4 or B x 4 x 4, acting on columns: posed world times inverse bind"},
    {"--normals", "normals", true, "YOUR posed normals, V x 3, floats or signed integers of any scale"},
    {"--tangents", "tangents", false,
     "YOUR posed tangents, V x 3, or V x 4 with the bitangent's sign in w (needs --rest-tangents or --uv)"},
    {"--rest-normals", "rest normals", false,
     "Rest normals, V x 3 (otherwise averaged from the faces by area)"},
    {"--rest-tangents", "rest tangents", false,
     "Rest tangents, V x 4 with w, or V x 3 (otherwise from --uv)"},
    {"--uv", "uv", false, "Texture coordinates, V x 2"},
    {"--posed-positions", "posed positions", false,
     "YOUR posed positions, V x 3 (otherwise posed by --method)"},
    {"--morphs", "morphs", false, "Morph targets, M x V x 3: what each adds to the positions at weight 1"},
    {"--morph-weights", "morph weights", false,
     "Of --morphs, M: how far each target moves the rest pose before the bones do; with --model, in the place of its own"},
};

struct JudgeOptions {
  std::string file[kArrays];
  std::string model, clip;  // in the place of the rig's arrays
  std::optional<double> time;
  std::string missing_normals = "usual";
  std::string method, json;
  double tolerance = kUsualTolerance;
  std::optional<double> fail_above;
  int influences = 0, slots = 4, threads = 0;
};

// Reads all of them. Throws InputError naming the file, and for options that do not go together.
JudgeInput read_judge_input(const JudgeOptions& options, std::vector<Warning>& warnings);

// The error with the file whose array it names.
InputError in_its_file(const InputError& e, const JudgeOptions& options);

}  // namespace skinlight::cli
