#include "skinlight/audit/judge.h"

#include <cmath>
#include <cstdio>
#include <limits>
#include <memory>
#include <nlohmann/json.hpp>

#include "repro/cli/commands.h"
#include "repro/cli/outputs.h"
#include "skinlight/core/npy.h"

namespace skinlight::cli {

namespace {

using Json = nlohmann::ordered_json;

// One .npy file on the command line. `name` is how judge() calls the array in its errors.
struct ArrayOption {
  const char* flag;
  const char* name;
  bool required;
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
  kArrays
};

constexpr ArrayOption kArrayOptions[kArrays] = {
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
};

struct Options {
  std::string file[kArrays];
  std::string method = "lbs", json;
  double tolerance = kUsualTolerance;
  std::optional<double> fail_above;
  int slots = 4, threads = 0;
};

NpyArray read(const Options& options, Array which) { return read_npy_array(options.file[which]); }

[[noreturn]] void wrong_shape(const Options& options, Array which, const NpyArray& array,
                              const std::string& expected) {
  throw InputError(options.file[which], kArrayOptions[which].name,
                   "has shape " + array.shape_text() + ", expected " + expected);
}

// An array of rows; `width` 0 takes any, and a plain list as one column.
NpyArray read_rows(const Options& options, Array which, std::size_t width, const std::string& expected) {
  NpyArray array = read(options, which);
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

std::vector<Vec3d> read_vectors(const Options& options, Array which) {
  if (options.file[which].empty()) return {};
  return vectors_of(read_rows(options, which, 3, "(V, 3)"));
}

// Directions in unsigned integers would all point into one octant.
void require_signed(const Options& options, Array which, const NpyArray& array) {
  if (array.type[1] == 'u')
    throw InputError(options.file[which], kArrayOptions[which].name,
                     "has type '" + array.type + "'; directions need a sign: decode them first");
}

// V x 3, or V x 4 with w.
void read_tangents(const Options& options, Array which, std::vector<Vec3d>& t, std::vector<double>& side) {
  if (options.file[which].empty()) return;
  const NpyArray array = read(options, which);
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

std::vector<int> indices_of(const Options& options, Array which, const NpyArray& array) {
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

std::vector<Mat4x3d> read_pose(const Options& options) {
  const NpyArray array = read(options, pose);
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

void read_rig(const Options& options, JudgeInput& in) {
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
}

JudgeInput read_input(const Options& options) {
  JudgeInput in;
  read_rig(options, in);
  const NpyArray theirs = read_rows(options, normals, 3, "(V, 3)");
  require_signed(options, normals, theirs);
  in.normals = vectors_of(theirs);
  in.rig.rest_normals = read_vectors(options, rest_normals);
  in.posed = read_vectors(options, posed_positions);
  read_tangents(options, tangents, in.tangents, in.sides);
  read_tangents(options, rest_tangents, in.rig.rest_tangents, in.rig.rest_sides);
  if (!options.file[uv].empty()) {
    const NpyArray array = read_rows(options, uv, 2, "(V, 2)");
    for (std::size_t i = 0; i < array.values.size(); i += 2)
      in.rig.uv.emplace_back(array.values[i], array.values[i + 1]);
  }
  in.method = method_from_name(options.method);
  in.slots = options.slots;
  in.tolerance = options.tolerance;
  in.threads = options.threads;
  return in;
}

// The error with the file whose array it names.
InputError in_its_file(const InputError& e, const Options& options) {
  for (std::size_t i = 0; i < kArrays; ++i) {
    const std::string name = kArrayOptions[i].name;
    if (e.element() == name || e.element().rfind(name + ",", 0) == 0) return e.in_file(options.file[i]);
  }
  return e;
}

Json errors_json(const char* truth, const NormalError& e) {
  return {{"truth", truth},   {"weighting", e.weighting}, {"mean_deg", e.mean},
          {"rms_deg", e.rms}, {"p95_deg", e.p95},         {"p99_deg", e.p99},
          {"max_deg", e.max}, {"flips", e.flips},         {"worst_vertex", e.worst_vertex}};
}

const char* word(LengthFinding finding) {
  switch (finding) {
    case LengthFinding::unit:
      return "unit";
    case LengthFinding::constant:
      return "constant";
    case LengthFinding::not_normalised:
      return "not-normalised";
    case LengthFinding::unexplained:
      break;
  }
  return "unexplained";
}

Json verdict_json(const Diagnosis& d) {
  const Verdict& v = d.verdict;
  Json same = Json::array();
  for (const int i : v.same_here) same.push_back(d.fits[static_cast<std::size_t>(i)].id);
  return {{"kind", v.explained ? std::string(name(v.kind)) : "unexplained"},
          {"id", v.explained ? Json(d.fits[static_cast<std::size_t>(v.named)].id) : Json(nullptr)},
          {"same_here", same},
          {"undecided", v.undecided},
          {"clear", v.clear},
          {"next_deg", v.next}};
}

Json judged_json(const Judged& judged, bool with_recomputed) {
  Json json;
  json["errors"] = Json::array({errors_json("transported", judged.transported)});
  if (with_recomputed) json["errors"].push_back(errors_json("recomputed", judged.recomputed));
  json["verdict"] = verdict_json(judged.diagnosis);
  json["lengths"] = {{"finding", word(judged.lengths.finding)},
                     {"min", judged.lengths.min},
                     {"mean", judged.lengths.mean},
                     {"max", judged.lengths.max},
                     {"like", judged.lengths.like},
                     {"telling", judged.lengths.telling}};
  json["explanations"] = Json::array();
  for (const Fit& f : judged.diagnosis.fits)
    json["explanations"].push_back({{"id", f.id},
                                    {"kind", name(f.kind)},
                                    {"what", f.what},
                                    {"advice", f.advice},
                                    {"mean_deg", f.mean},
                                    {"p95_deg", f.p95},
                                    {"max_deg", f.max},
                                    {"share", f.share},
                                    {"orthogonalised", f.orthogonal}});
  return json;
}

Json judgement_json(const Judgement& j) {
  Json json;
  json["vertices"] = j.vertices;
  json["welded_vertices"] = j.welded;
  json["faces"] = j.faces;
  json["bones"] = j.bones;
  json["influences"] = j.influences;
  json["method"] = row(j.method).name;
  json["tolerance_deg"] = j.tolerance;
  if (j.position_offset >= 0)
    json["posed_positions"] = {{"offset_per_diagonal", j.position_offset},
                               {"worst_vertex", j.position_offset_vertex}};
  json["warnings"] = warnings_json(j.warnings);
  json["normals"] = judged_json(j.normals, true);
  if (j.has_tangents) json["tangents"] = judged_json(j.tangents, false);
  if (j.has_sides)
    json["bitangent_signs"] = {{"wrong", j.sides.wrong},
                               {"mirrored", j.sides.mirrored},
                               {"lost", j.sides.lost},
                               {"reversed", j.sides.reversed}};
  return json;
}

int judge_files(const Options& options) {
  Outputs outputs({options.json}, {std::begin(options.file), std::end(options.file)});
  Judgement judgement;
  try {
    judgement = judge(read_input(options));
  } catch (const InputError& e) {
    throw in_its_file(e, options);
  }
  std::fputs(judgement_text(judgement).c_str(), stdout);
  outputs.write_json(options.json, judgement_json(judgement));
  double worst = judgement.normals.transported.mean;
  if (judgement.has_tangents) worst = std::max(worst, judgement.tangents.transported.mean);
  return verdict("", worst, "", options.fail_above);
}

}  // namespace

Command add_judge(Parser program) {
  Parser parser = program.command(
      "judge", "Tell how wrong the skinned normals of another program are, and which mistake it made");
  parser.footer(
      "Arrays are .npy files as numpy.save writes them: V vertices, F faces, B bones, N influences per vertex;\n"
      "little-endian floats or integers. From Python:\n\n"
      "  numpy.save('normals.npy', my_normals)  # and the others\n"
      "  skinlight judge --positions positions.npy --faces faces.npy --bones bones.npy \\\n"
      "    --weights weights.npy --pose pose.npy --normals normals.npy\n\n"
      "Choose a pose in which neighbouring bones bend and twist: in the rest pose every mistake looks right.\n"
      "Exit code: 0 judged, and within --fail-above; 1 above it; 2 bad input.");
  auto options = std::make_shared<Options>();
  for (std::size_t i = 0; i < kArrays; ++i) {
    const ArrayOption& array = kArrayOptions[i];
    Option option = parser.option(array.flag, options->file[i], array.help).called("FILE.npy");
    if (array.required) option.required();
  }
  add_method(
      parser, options->method,
      "How your program skins positions; crs: about optimised centres of rotation, found from the rig");
  parser.option("--slots", options->slots, "Bones per vertex that the deform factors may use")
      .within(1, kMaxSlots)
      .shows_default();
  parser
      .option("--tolerance", options->tolerance, "Degrees of mean distance within which an explanation fits")
      .not_negative()
      .shows_default();
  add_fail_above(
      parser, options->fail_above,
      "Exit with 1 when the mean error against the transported truth, of normals or tangents, is above this many degrees");
  parser.option("--json", options->json, "Write all numbers to this file; - is standard output");
  add_threads(parser, options->threads);
  return {parser, [options] { return judge_files(*options); }};
}

}  // namespace skinlight::cli
