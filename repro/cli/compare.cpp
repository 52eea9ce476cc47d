#include "repro/cli/compare.h"

#include <algorithm>
#include <cstdio>
#include <memory>
#include <utility>

#include "skinlight/asset/model_file.h"
#include "skinlight/bake/bake.h"
#include "skinlight/core/names.h"
#include "skinlight/render/context.h"
#include "skinlight/rig/mirrored_blend.h"
#include "skinlight/rig/rigid_pose.h"
#include "skinlight/rig/torn_logarithms.h"

namespace skinlight::cli {

namespace {

constexpr const char* kNotBaked =
    "Bake does not write them: with a centre of rotation for each frame they are more than 16 attributes. "
    "Compute them where the character is loaded, by the library or its C interface.";

std::vector<Clip> chosen_clips(const Model& model, const std::string& file, const std::string& wanted) {
  std::vector<Clip> clips = clips_or_default_pose(model);
  if (wanted.empty()) return clips;
  for (const Clip& c : clips)
    if (c.name == wanted) return {c};
  throw InputError(file, "clip '" + wanted + "'", unknown_name(wanted, names_of(clips)));
}

bool moves(const Clip& clip) { return !clip.channels.empty() || !clip.morph_channels.empty(); }

// Modes that know the rest shape only are measured with morph targets all the same.
void warn_of_morphs(Comparison& c) {
  for (const Way& way : c.ways)
    if (const auto warning = morph_warning(c.model(), way.options)) c.warnings.push_back(*warning);
}

// What methods of rigid bones make of the clip's poses.
void warn_of_bones(Comparison& c, const Clip& clip, const ClipError& errors) {
  if (row(c.method).mover == Mover::matrices) return;
  const std::vector<BoneReach> reach = bone_reach(c.model().mesh);
  for (const double seconds : errors.times)
    for (const Warning& w : rigid_part(pose_at(c.model().skeleton, clip, seconds), reach).warnings) {
      const auto known = std::find_if(c.warnings.begin(), c.warnings.end(), [&](const Warning& other) {
        return other.element.ends_with(w.element) && other.reason == w.reason;
      });
      if (known == c.warnings.end())
        c.warnings.push_back({"clip " + clip.name + ", " + w.element, w.reason, w.count});
      else
        known->count = std::max(known->count, w.count);
    }
}

// Where linear blending passes through a flat matrix.
void warn_of_mirrors(Comparison& c, const Clip& clip, const ClipError& errors) {
  if (row(c.method).mover != Mover::matrices) return;
  int count = 0, worst = 0;
  double largest = 0;
  for (const double seconds : errors.times) {
    const std::vector<double> shares =
        mirrored_share(c.model().mesh, pose_at(c.model().skeleton, clip, seconds));
    count = std::max(count, static_cast<int>(std::count_if(shares.begin(), shares.end(),
                                                           [](double share) { return share > 0; })));
    const auto most = std::max_element(shares.begin(), shares.end());
    if (most == shares.end() || *most <= largest) continue;
    largest = *most;
    worst = static_cast<int>(most - shares.begin());
  }
  if (count > 0)
    c.warnings.push_back({"clip " + clip.name + ", vertex " + std::to_string(worst),
                          "is blended from bones that mirror and bones that do not", count});
}

// Where log-matrix blending takes the long way between bones.
void warn_of_tears(Comparison& c, const Clip& clip, const ClipError& errors) {
  if (row(c.method).mover != Mover::twists) return;
  if (const auto torn = torn_in(c.model(), clip, errors.times)) c.warnings.push_back(*torn);
}

Comparison prepared(const CompareOptions& options, std::vector<Way> ways, ProgressLine& line) {
  line.show("reading " + options.model);
  RawAttributes raw;
  const Character character(
      read_model(options.model, {.max_influences = options.influences,
                                 .raw = &raw,
                                 .missing_normals = missing_normals_from_name(options.missing_normals)}),
      {.max_slots = options.influences}, options.threads);
  Comparison c{
      options, method_from_name(options.method), std::move(ways), std::move(raw), character, {}, {}, {}, {},
      {}};
  line.show("computing deform factors");
  c.character.factors();
  if (row(c.method).centre == CentreKind::of_vertex) {
    line.show("finding centres of rotation");
    c.character.centres();
  }
  c.clips = chosen_clips(c.model(), options.model, options.clip);
  c.warnings = c.model().warnings;
  warn_of_morphs(c);
  line.clear();
  return c;
}

// Whether anything of the clip was measured.
bool keep_measured(Comparison& c, const Clip& clip, ClipError measured) {
  const int without = measured.frames_without_area();
  if (!measured.is_measured()) {
    c.unmeasured.push_back(clip.name);
    c.warnings.push_back(
        {"clip " + clip.name, "the posed mesh has no area in any frame: not measured", without});
    return false;
  }
  if (without > 0)
    c.warnings.push_back(
        {"clip " + clip.name, "the posed mesh has no area in some frames: they do not count", without});
  c.clips.push_back(clip);
  c.errors.push_back(std::move(measured));
  return true;
}

void measure(Comparison& c, ProgressLine& line) {
  std::vector<SkinOptions> ways;
  for (const Way& way : c.ways) ways.push_back(way.options);
  std::function<void(const ClipAngles&)> each;
  if (c.options.rings) {
    c.rings.emplace(c.character, ways.size());
    each = [&](const ClipAngles& angles) { c.rings->add(angles); };
  }
  const std::vector<Clip> clips = std::exchange(c.clips, {});
  for (std::size_t i = 0; i < clips.size(); ++i) {
    const Clip& clip = clips[i];
    const int frames = moves(clip) ? c.options.frames : 1;
    const std::string what = "measuring clip " + clip.name + " (" + std::to_string(i + 1) + "/" +
                             std::to_string(clips.size()) + ")";
    line.show(what);
    const auto progress = [&](int frame) {
      line.update(what + ", frame " + std::to_string(frame + 1) + "/" + std::to_string(frames));
    };
    const bool kept = keep_measured(c, clip, clip_error(c.character, clip, frames, ways, progress, each));
    line.clear();
    if (!kept) continue;
    print_clip(c, c.errors.size() - 1);
    warn_of_bones(c, clip, c.errors.back());
    warn_of_mirrors(c, clip, c.errors.back());
    warn_of_tears(c, clip, c.errors.back());
  }
  if (c.errors.empty())
    throw InputError("", clips.size() == 1 ? "clip '" + clips[0].name + "'" : "clips",
                     "the posed mesh has no area in any frame");
  print_summary(c);
}

void write_outputs(const Comparison& c, Outputs& outputs, ProgressLine& line) {
  const CompareOptions& options = c.options;
  write_comparison(outputs, c);
  if (!options.csv.empty()) outputs.write(options.csv, comparison_csv(c));
  if (!options.plot.empty()) outputs.write(options.plot, comparison_plot(c));
  if (!options.render.empty()) draw_worst_frames(c, line);
}

// The exit code of --fail-above.
int verdict_of(const Comparison& c) {
  const ClipError& worst = c.errors[worst_clip(c, 0)];
  return verdict(c.ways.front().name + ", clip " + worst.clip + ": ",
                 worst.of(0, Truth::transported).error.mean, " against the transported truth",
                 c.options.fail_above);
}

int compare_model(const CompareOptions& options, std::vector<Way> ways, Outputs& outputs) {
  ProgressLine line;
  Comparison c = prepared(options, std::move(ways), line);
  print_warnings(options.model, c.warnings);
  const std::size_t told = c.warnings.size();
  print_rig(c);
  measure(c, line);
  print_warnings(options.model, std::span(c.warnings).subspan(told));
  write_outputs(c, outputs, line);
  if (const auto best = recommendation(c)) {
    const std::string next = next_command(c, *best), needs = repro::next_needs(*best, c.options.model);
    std::printf("\n%s\n%s%s%s\n", repro::sentence(*best).c_str(), next.empty() ? kNotBaked : "Next: ",
                needs.empty() ? "" : ("export " + needs + "; then ").c_str(), next.c_str());
  }
  return verdict_of(c);
}

// Errors of the rig itself do not know the file they came from.
int compare(const CompareOptions& options) {
  std::vector<Way> ways = ways_of(options);
  renderer_from_name(options.renderer);  // a wrong name is told before the work, not after it
  Outputs outputs({options.json, options.csv, options.plot}, {options.model});
  outputs.add_folder(options.render);
  try {
    return compare_model(options, std::move(ways), outputs);
  } catch (const InputError& e) {
    throw e.in_file(options.model);
  }
}

void add_outputs(Parser parser, CompareOptions& options) {
  parser.option("--json", options.json, "Write all numbers per clip to this file; - is standard output")
      .called("FILE");
  parser.flag(
      "--rings", options.rings,
      "Also sort the errors by length of edges, change of weights along them, angles between faces and how little rigid the pose is: `rings` of --json");
  parser.option("--csv", options.csv, "Write all numbers per frame to this file").called("FILE");
  parser.option("--plot", options.plot, "Draw the mean error over time into this SVG file")
      .called("FILE.svg");
  parser
      .option(
          "--render", options.render,
          "Draw into this folder, per clip, every kind of normals with a heat map of its error, and the truth, at the frame where the first kind is worst")
      .called("FOLDER");
  parser
      .option("--renderer", options.renderer,
              "What draws: auto, llvmpipe, egl-device, egl-surfaceless or osmesa")
      .shows_default();
}

}  // namespace

Command add_compare(Parser program) {
  Parser parser = program.command(
      "compare", "Tell by how many degrees a character's skinned normals are wrong while it moves");
  auto options = std::make_shared<CompareOptions>();
  options->method = std::string(row(Method::lbs).name);
  options->guard = std::string(row(kRecommendedGuard.guard).name);
  add_model(parser, options->model);
  parser.option("--clip", options->clip, "Measure this animation clip only").called("NAME");
  parser.option("--frames", options->frames, "Frames per clip, evenly spaced").positive().shows_default();
  parser
      .option("--influences", options->influences,
              "Bones per vertex that are kept, and slots of what normals need: 4 or 8, as bake has it")
      .one_of(std::vector<int>{4, kMostInfluences})
      .shows_default();
  add_missing_normals(parser, options->missing_normals);
  add_method(parser, options->method, "How positions are skinned, see below");
  const Option normals =
      parser
          .option("--normals", options->normals,
                  "Which normals to measure side by side, see below (otherwise the usual ones)")
          .separated_by(',')
          .called("LIST");
  parser
      .option("--guard", options->guard,
              "Guard against flipped normals that is measured beside the unguarded ones, without --normals")
      .one_of(names_of(guards()))
      .excludes(normals)
      .shows_default();
  add_fail_above(
      parser, options->fail_above,
      "Exit with 1 when the first kind of normals is off by more than this many degrees on average (transported truth) in any clip");
  add_outputs(parser, *options);
  add_threads(parser, options->threads);
  parser.footer(
      "Every clip is played in evenly spaced frames from its first key to its last (a file without clips stands in its default pose). In each\n"
      "frame every kind of normals is compared with two truths: the rest normals carried along by the posed\n"
      "triangles (\"transported\") and the posed triangles' own normals, averaged (\"recomputed\").\n\n" +
      ways_help() +
      "Examples:\n"
      "  skinlight compare hero.glb --plot hero.svg --csv hero.csv\n"
      "  skinlight compare hero.glb --method dqs --normals standard,exact --clip Run --render pictures\n"
      "  skinlight compare hero.glb --normals deform+test-then-fix --fail-above 4\n"
      "Exit code: 0 measured, and within --fail-above; 1 above it; 2 bad input.");
  return {parser, [options] { return compare(*options); }};
}

}  // namespace skinlight::cli
