#include "repro/cli/judge.h"

#include <algorithm>
#include <cmath>
#include <cstdio>
#include <limits>

#include "repro/cli/commands.h"
#include "skinlight/asset/model_file.h"
#include "skinlight/audit/health.h"
#include "skinlight/core/names.h"
#include "skinlight/core/npy.h"

namespace skinlight::cli {

namespace {

NpyArray array_of(const JudgeOptions& options, Array which) { return read_npy_array(options.file[which]); }

[[noreturn]] void wrong_shape(const JudgeOptions& options, Array which, const NpyArray& array,
                              const std::string& expected) {
  throw InputError(options.file[which], kArrayOptions[which].name,
                   "has shape " + array.shape_text() + ", expected " + expected);
}

// An array of rows; `width` 0 takes any, and a plain list as one column.
NpyArray read_rows(const JudgeOptions& options, Array which, std::size_t width, const std::string& expected) {
  NpyArray array = array_of(options, which);
  if (width == 0 && array.shape.size() == 1) array.shape.push_back(1);
  if (array.shape.size() != 2 || (width != 0 && array.shape[1] != width))
    wrong_shape(options, which, array, expected);
  return array;
}

std::vector<Vec3d> vectors_of(const NpyArray& array) {
  std::vector<Vec3d> v;
  const std::size_t width = array.shape[1];
  for (std::size_t i = 0; i < array.values.size(); i += width)
    v.emplace_back(array.values[i], array.values[i + 1], array.values[i + 2]);
  return v;
}

std::vector<Vec3d> read_vectors(const JudgeOptions& options, Array which) {
  if (options.file[which].empty()) return {};
  return vectors_of(read_rows(options, which, 3, "(V, 3)"));
}

// Directions in unsigned integers would all point into one octant.
void require_signed(const JudgeOptions& options, Array which, const NpyArray& array) {
  if (array.type[1] == 'u')
    throw InputError(options.file[which], kArrayOptions[which].name,
                     "has type '" + array.type + "'; directions need a sign: decode them first");
}

// V x 3, or V x 4 with w.
void read_tangents(const JudgeOptions& options, Array which, std::vector<Vec3d>& t,
                   std::vector<double>& side) {
  if (options.file[which].empty()) return;
  const NpyArray array = array_of(options, which);
  if (array.shape.size() != 2 || (array.shape[1] != 3 && array.shape[1] != 4))
    wrong_shape(options, which, array, "(V, 3) or (V, 4)");
  require_signed(options, which, array);
  t = vectors_of(array);
  // In integers the scale of w is that of x, y, z.
  if (array.shape[1] == 4)
    for (std::size_t i = 3; i < array.values.size(); i += 4) {
      const double w = array.values[i];
      side.push_back(array.is_integer() && w != 0 ? std::copysign(1, w) : w);
    }
}

std::vector<int> indices_of(const JudgeOptions& options, Array which, const NpyArray& array) {
  if (!array.is_integer())
    throw InputError(options.file[which], kArrayOptions[which].name,
                     "has type '" + array.type + "', expected integers");
  std::vector<int> indices;
  for (std::size_t i = 0; i < array.values.size(); ++i) {
    if (array.values[i] < 0 || array.values[i] > std::numeric_limits<int>::max())
      throw InputError(
          options.file[which], kArrayOptions[which].name + (", row " + std::to_string(i / array.shape[1])),
          "index " + std::to_string(static_cast<long long>(array.values[i])) + " is out of range");
    indices.push_back(static_cast<int>(array.values[i]));
  }
  return indices;
}

std::vector<Mat4x3d> read_pose(const JudgeOptions& options) {
  const NpyArray array = array_of(options, pose);
  if (array.shape.size() != 3 || (array.shape[1] != 3 && array.shape[1] != 4) || array.shape[2] != 4)
    wrong_shape(options, pose, array, "(B, 3, 4) or (B, 4, 4)");
  std::vector<Mat4x3d> matrices;
  for (std::size_t b = 0; b < array.shape[0]; ++b) {
    const double* m = array.values.data() + b * array.shape[1] * 4;
    if (array.shape[1] == 4 && (m[12] != 0 || m[13] != 0 || m[14] != 0 || m[15] != 1))
      throw InputError(
          options.file[pose], "pose, bone " + std::to_string(b),
          "the last row is not 0 0 0 1: matrices act on columns, transpose those that act on rows");
    const auto column = [m](std::size_t c) { return Vec3d(m[c], m[4 + c], m[8 + c]); };
    matrices.emplace_back(column(0), column(1), column(2), column(3));
  }
  return matrices;
}

std::vector<MorphTarget> read_morphs(const JudgeOptions& options, std::size_t vertices) {
  if (options.file[morphs].empty()) return {};
  NpyArray array = array_of(options, morphs);
  if (array.shape.size() != 3 || array.shape[1] != vertices || array.shape[2] != 3)
    wrong_shape(options, morphs, array, "(M, " + std::to_string(vertices) + ", 3)");
  array.shape = {array.shape[0] * vertices, 3};
  return morph_targets(vectors_of(array), vertices);
}

void read_morph_weights(const JudgeOptions& options, JudgeInput& in) {
  if (options.file[morph_weights].empty()) return;
  const NpyArray array = array_of(options, morph_weights);
  if (array.shape.size() != 1 || array.shape[0] != in.morphs.size())
    wrong_shape(options, morph_weights, array,
                "(" + std::to_string(in.morphs.size()) + ",), one for each morph target of the rig");
  for (std::size_t i = 0; i < array.values.size(); ++i)
    if (!std::isfinite(array.values[i]))
      throw InputError(options.file[morph_weights],
                       kArrayOptions[morph_weights].name + (", target " + std::to_string(i)),
                       "is not finite");
  in.morph_weights = array.values;
}

void read_arrays(const JudgeOptions& options, JudgeInput& in) {
  in.rig.positions = read_vectors(options, positions);
  const std::vector<int> corners = indices_of(options, faces, read_rows(options, faces, 3, "(F, 3)"));
  for (std::size_t i = 0; i < corners.size(); i += 3)
    in.rig.faces.push_back({corners[i], corners[i + 1], corners[i + 2]});
  const NpyArray bone = read_rows(options, bones, 0, "(V, N)"),
                 weight = read_rows(options, weights, 0, "(V, N)");
  if (weight.shape != bone.shape) wrong_shape(options, weights, weight, bone.shape_text() + " as the bones");
  in.rig.influences = static_cast<int>(bone.shape[1]);
  in.rig.bones = indices_of(options, bones, bone);
  in.rig.weights = weight.values;
  in.pose = read_pose(options);
  in.rig.rest_normals = read_vectors(options, rest_normals);
  read_tangents(options, rest_tangents, in.rig.rest_tangents, in.rig.rest_sides);
  in.morphs = read_morphs(options, in.rig.positions.size());
  if (!options.file[uv].empty()) {
    const NpyArray array = read_rows(options, uv, 2, "(V, 2)");
    for (std::size_t i = 0; i < array.values.size(); i += 2)
      in.rig.uv.emplace_back(array.values[i], array.values[i + 1]);
  }
}

// The clip that was asked for; nullptr stands for the default pose.
const Clip* chosen_clip(const JudgeOptions& options, const Model& model) {
  if (options.clip.empty() && !options.time) return nullptr;
  if (options.clip.empty() && model.clips.size() == 1) return &model.clips[0];
  std::vector<std::string> names;
  for (const Clip& clip : model.clips) {
    if (clip.name == options.clip) return &clip;
    names.push_back(clip.name);
  }
  if (names.empty())
    throw InputError(options.model, "clips", "the file has none: leave out --clip and --time");
  if (options.clip.empty())
    throw InputError(options.model, "--time", "of which --clip? The file has " + listed(names));
  throw InputError(options.model, "clip '" + options.clip + "'", unknown_name(options.clip, names));
}

// Poses after the last key are those of the last key: whoever asks for one means another clip or unit.
double chosen_moment(const JudgeOptions& options, const Clip* clip) {
  const double seconds = options.time.value_or(0);
  constexpr double kRounding = 1e-3;  // of numbers printed for people
  if (clip != nullptr && seconds > clip->duration + kRounding) {
    char range[64];
    std::snprintf(range, sizeof range, "give seconds from 0 to %g", clip->duration);
    throw InputError(options.model, "--time of clip '" + clip->name + "'", range);
  }
  return seconds;
}

// Arrays of the model's vertices: those of its skinned primitives, one after another.
void require_rows(const JudgeOptions& options, Array which, std::size_t rows, const RawAttributes& raw,
                  std::size_t vertices) {
  if (options.file[which].empty() || rows == vertices) return;
  std::string of;
  for (const RawPrimitive& p : raw.primitives)
    of += (of.empty() ? ": " : ", ") + p.name + " (" + std::to_string(p.count) +
          (p.of_corners ? " corners, for flat normals)" : ")");
  throw InputError(options.file[which], kArrayOptions[which].name,
                   "has " + std::to_string(rows) + " entries, but " + options.model + " has " +
                       std::to_string(vertices) + " skinned vertices" + of);
}

// The rig and its pose from the model's file, with all its influences.
void read_model_rig(const JudgeOptions& options, JudgeInput& in, std::vector<Warning>& warnings) {
  for (const Array which : {positions, faces, bones, weights, pose, rest_normals, rest_tangents, uv, morphs})
    if (!options.file[which].empty())
      throw InputError("", kArrayOptions[which].flag, "cannot go with --model, which has the rig");
  RawAttributes raw;
  const Model model =
      read_model(options.model, {.max_influences = kAllInfluences,
                                 .raw = &raw,
                                 .missing_normals = missing_normals_from_name(options.missing_normals)});
  warnings = model.warnings;
  const Clip* clip = chosen_clip(options, model);
  const double seconds = chosen_moment(options, clip);
  in.pose = (clip ? pose_at(model.skeleton, *clip, seconds) : default_pose(model.skeleton)).M;
  const RiggedMesh& mesh = model.mesh;
  in.rig = rig_arrays(mesh);
  in.morphs = model.morphs;
  if (!model.morphs.empty())
    in.morph_weights = clip ? morph_weights_at(model.morph_weights, *clip, seconds) : model.morph_weights;
  // The reader sorts slots by weight.
  for (std::size_t i = 0; raw.slots > 0 && i < raw.bone.size(); i += static_cast<std::size_t>(raw.slots))
    in.first_bones.push_back(raw.bone[i]);
  const std::size_t vertices = mesh.p0.size();
  require_rows(options, normals, in.normals.size(), raw, vertices);
  require_rows(options, tangents, in.tangents.size(), raw, vertices);
  require_rows(options, posed_positions, in.posed.size(), raw, vertices);
}

void require_rig_arrays(const JudgeOptions& options) {
  if (!options.clip.empty() || options.time)
    throw InputError("", options.clip.empty() ? "--time" : "--clip", "needs --model");
  for (std::size_t i = 0; i < kArrays; ++i)
    if (kArrayOptions[i].required && options.file[i].empty())
      throw InputError("", kArrayOptions[i].flag,
                       "is missing: give the rig's arrays, or its file by --model");
  if (options.file[morphs].empty() != options.file[morph_weights].empty())
    throw InputError("", kArrayOptions[options.file[morphs].empty() ? morphs : morph_weights].flag,
                     "is missing: --morphs and --morph-weights go together");
}

// The pose of a model, as it was asked for.
std::string pose_name(const JudgeOptions& options) {
  if (options.clip.empty() && !options.time) return "default pose";
  char at[48];
  std::snprintf(at, sizeof at, "pose at %g s", options.time.value_or(0));
  return (options.clip.empty() ? "" : "clip '" + options.clip + "', ") + at;
}

}  // namespace

JudgeInput read_judge_input(const JudgeOptions& options, std::vector<Warning>& warnings) {
  JudgeInput in;
  if (options.model.empty()) require_rig_arrays(options);
  const NpyArray theirs = read_rows(options, normals, 3, "(V, 3)");
  require_signed(options, normals, theirs);
  in.normals = vectors_of(theirs);
  in.posed = read_vectors(options, posed_positions);
  read_tangents(options, tangents, in.tangents, in.sides);
  if (options.model.empty())
    read_arrays(options, in);
  else
    read_model_rig(options, in, warnings);
  read_morph_weights(options, in);
  in.method = method_from_name(options.method);
  in.influences = options.influences;
  in.slots = options.slots;
  in.tolerance = options.tolerance;
  in.threads = options.threads;
  return in;
}

// The error with the file whose array it names.
InputError in_its_file(const InputError& e, const JudgeOptions& options) {
  for (std::size_t i = 0; i < kArrays; ++i) {
    const std::string name = kArrayOptions[i].name;
    const bool of_array = e.element() == name || e.element().rfind(name + ",", 0) == 0;
    if (of_array && !options.file[i].empty()) return e.in_file(options.file[i]);
  }
  if (e.element() == kArrayOptions[pose].name && !options.model.empty())
    return InputError(options.model, pose_name(options), e.reason());
  return e.in_file(options.model);
}

}  // namespace skinlight::cli
