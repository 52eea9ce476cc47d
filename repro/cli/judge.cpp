#include "repro/cli/judge.h"

#include <cstdio>
#include <memory>
#include <nlohmann/json.hpp>

#include "repro/cli/commands.h"
#include "repro/cli/outputs.h"
#include "skinlight/asset/model_file.h"

namespace skinlight::cli {

namespace {

using Json = nlohmann::ordered_json;

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
          {"noise", v.noisy},
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

int judge_files(const JudgeOptions& options) {
  std::vector<std::string> inputs(std::begin(options.file), std::end(options.file));
  inputs.push_back(options.model);
  Outputs outputs({options.json}, inputs);
  Judgement judgement;
  try {
    std::vector<Warning> of_reader;
    const JudgeInput input = read_judge_input(options, of_reader);
    judgement = judge(input);
    judgement.warnings.insert(judgement.warnings.begin(), of_reader.begin(), of_reader.end());
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
      "Arrays are .npy files as numpy.save writes them: V vertices, F faces, B bones, N influences per vertex,\n"
      "M morph targets; little-endian floats or integers. From Python:\n\n"
      "  numpy.save('normals.npy', my_normals)  # and the others\n"
      "  skinlight judge --positions positions.npy --faces faces.npy --bones bones.npy \\\n"
      "    --weights weights.npy --pose pose.npy --normals normals.npy\n\n"
      "Or with the rig's own file; V are then the vertices of its skinned primitives, in the order of the file:\n\n"
      "  skinlight judge --model hero.glb --clip Run --time .5 --normals normals.npy\n\n"
      "Choose a pose in which neighbouring bones bend and twist: in the rest pose every mistake looks right.\n"
      "Exit code: 0 judged, and within --fail-above; 1 above it; 2 bad input.");
  auto options = std::make_shared<JudgeOptions>();
  options->method = std::string(row(Method::lbs).name);
  for (std::size_t i = 0; i < kArrays; ++i) {
    const ArrayOption& array = kArrayOptions[i];
    Option option = parser.option(array.flag, options->file[i], array.help).called("FILE.npy");
    if (i == normals) option.required();
  }
  parser
      .option("--model", options->model, "The rig as a file, in the place of its arrays: " + model_formats())
      .called("FILE");
  parser.option("--clip", options->clip, "Of --model: the clip that poses it (otherwise its default pose)")
      .called("NAME");
  parser.option("--time", options->time, "Of --clip: the moment in seconds").not_negative().called("S");
  add_method(
      parser, options->method,
      "How your program skins positions; crs: about optimised centres of rotation, found from the rig");
  parser
      .option("--influences", options->influences,
              "Bones per vertex that your program keeps, the strongest (otherwise all that the rig has)")
      .within(1, kMaxSlots);
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
