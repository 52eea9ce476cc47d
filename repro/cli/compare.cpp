#include "repro/cli/compare.h"

#include <algorithm>
#include <cstdio>
#include <filesystem>
#include <memory>

#include "skinlight/asset/model_file.h"
#include "skinlight/core/error.h"
#include "skinlight/core/file.h"
#include "skinlight/preprocess/morph_tangents.h"
#include "skinlight/render/context.h"
#include "skinlight/rig/rigid_pose.h"

namespace skinlight::cli {

namespace {

std::vector<std::string> guard_names() {
  std::vector<std::string> names;
  for (const GuardRow& guard : guards()) names.emplace_back(guard.name);
  return names;
}

// Neither the model nor each other.
void require_separate_outputs(const CompareOptions& options) {
  const std::string* outputs[] = {&options.json, &options.csv, &options.plot, &options.render};
  for (const std::string* output : outputs) {
    require_other_file(*output, options.model);
    for (const std::string* other : outputs)
      if (output != other && !output->empty() &&
          std::filesystem::path(*output).lexically_normal() ==
              std::filesystem::path(*other).lexically_normal())
        throw InputError(*output, "", "is named for two outputs; write each to a file of its own");
  }
}

std::vector<Clip> chosen_clips(const Model& model, const std::string& file, const std::string& wanted) {
  std::vector<Clip> clips = repro::clips_or_default_pose(model);
  if (wanted.empty()) return clips;
  std::string known;
  for (const Clip& c : clips) {
    if (c.name == wanted) return {c};
    known += (known.empty() ? "" : ", ") + c.name;
  }
  throw InputError(file, "clip '" + wanted + "'", "unknown; the file has " + known);
}

bool moves(const Clip& clip) { return !clip.channels.empty() || !clip.morph_channels.empty(); }

// Modes that know the rest shape only are measured with morph targets all the same.
bool follows_morphs(const SkinOptions& way) {
  const KernelReads& reads = kernel_row(way.method, way.mode).traits.reads;
  return !reads.gradients && !reads.vectors;
}

void warn_of_morphs(Comparison& c) {
  if (c.model().morphs.empty()) return;
  for (const Way& way : c.ways)
    if (!follows_morphs(way.options))
      c.warnings.push_back(
          {"normals '" + way.name + "'",
           "read the rest shape's faces only, which morph targets change: they count as wrong", 1});
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

Comparison prepared(const CompareOptions& options, std::vector<Way> ways, ProgressLine& line) {
  line.show("reading " + options.model);
  RawAttributes raw;
  Model model = read_model(options.model, {.raw = &raw});
  line.show("computing deform factors");
  Comparison c{options,
               method_from_name(options.method),
               std::move(ways),
               std::move(raw),
               repro::PreparedModel(std::move(model), options.threads),
               {},
               {},
               {},
               {}};
  if (row(c.method).centre == CentreKind::of_vertex) {
    line.show("finding centres of rotation");
    c.prepared.find_centres(options.threads);
  }
  c.morph_tangents = morph_tangents(c.model().mesh, c.prepared.surface, c.model().morphs,
                                    Averaging::mixed_voronoi, options.threads);
  c.clips = chosen_clips(c.model(), options.model, options.clip);
  c.warnings = c.model().warnings;
  warn_of_morphs(c);
  line.clear();
  return c;
}

void measure(Comparison& c, ProgressLine& line) {
  std::vector<SkinOptions> ways;
  for (const Way& way : c.ways) ways.push_back(way.options);
  for (const Clip& clip : c.clips) {
    const int frames = moves(clip) ? c.options.frames : 1;
    const std::string what = "measuring clip " + clip.name + " (" + std::to_string(c.errors.size() + 1) +
                             "/" + std::to_string(c.clips.size()) + ")";
    line.show(what);
    const auto progress = [&](int frame) {
      line.update(what + ", frame " + std::to_string(frame + 1) + "/" + std::to_string(frames));
    };
    c.errors.push_back(clip_error(c.model().mesh, c.prepared.surface, c.prepared.data(), c.model().skeleton,
                                  clip, frames, ways, c.options.threads, {c.morphs(), progress}));
    line.clear();
    print_clip(c, c.errors.size() - 1);
    warn_of_bones(c, clip, c.errors.back());
  }
  print_summary(c);
}

void print_warnings(const Comparison& c, std::size_t first) {
  for (std::size_t i = first; i < c.warnings.size(); ++i)
    std::fprintf(stderr, "warning: %s: %s: %s (%d)\n", c.options.model.c_str(), c.warnings[i].element.c_str(),
                 c.warnings[i].reason.c_str(), c.warnings[i].count);
}

void write_outputs(const Comparison& c, ProgressLine& line) {
  const CompareOptions& options = c.options;
  using Json = nlohmann::ordered_json;
  // Names in files may be no UTF-8.
  if (!options.json.empty())
    write_file(options.json, comparison_json(c).dump(2, ' ', false, Json::error_handler_t::replace) + "\n");
  if (!options.csv.empty()) write_file(options.csv, comparison_csv(c));
  if (!options.plot.empty()) write_file(options.plot, comparison_plot(c));
  if (!options.render.empty()) draw_worst_frames(c, line);
}

// The exit code of --fail-above.
int verdict(const Comparison& c) {
  if (!c.options.fail_above) return 0;
  const ClipError& worst = c.errors[worst_clip(c, 0)];
  const double mean = worst.of(0, Truth::transported).error.mean;
  const bool failed = !(mean <= *c.options.fail_above);
  std::printf("\n%s: %s, clip %s: mean error %.3g degrees against the transported truth, limit %.3g\n",
              failed ? "FAILED" : "passed", c.ways.front().name.c_str(), worst.clip.c_str(), mean,
              *c.options.fail_above);
  return failed ? 1 : 0;
}

int compare_model(const CompareOptions& options, std::vector<Way> ways) {
  ProgressLine line;
  Comparison c = prepared(options, std::move(ways), line);
  print_warnings(c, 0);
  const std::size_t told = c.warnings.size();
  print_rig(c);
  measure(c, line);
  print_warnings(c, told);
  write_outputs(c, line);
  return verdict(c);
}

// Errors of the rig itself do not know the file they came from.
int compare(const CompareOptions& options) {
  require_separate_outputs(options);
  std::vector<Way> ways = ways_of(options);
  renderer_from_name(options.renderer);  // a wrong name is told before the work, not after it
  try {
    return compare_model(options, std::move(ways));
  } catch (const InputError& e) {
    throw e.in_file(options.model);
  }
}

void add_outputs(CLI::App& parser, CompareOptions& options) {
  parser.add_option("--json", options.json, "Write all numbers per clip to this file")->type_name("FILE");
  parser.add_option("--csv", options.csv, "Write all numbers per frame to this file")->type_name("FILE");
  parser.add_option("--plot", options.plot, "Draw the mean error over time into this SVG file")
      ->type_name("FILE.svg");
  parser
      .add_option(
          "--render", options.render,
          "Draw into this folder, per clip, every kind of normals with a heat map of its error, and the truth, at the frame where the first kind is worst")
      ->type_name("FOLDER");
  parser
      .add_option("--renderer", options.renderer,
                  "What draws: auto, llvmpipe, egl-device, egl-surfaceless or osmesa")
      ->capture_default_str();
}

}  // namespace

Command add_compare(CLI::App& app) {
  CLI::App* parser = app.add_subcommand(
      "compare", "Tell by how many degrees a character's skinned normals are wrong while it moves");
  auto options = std::make_shared<CompareOptions>();
  options->method = std::string(row(Method::lbs).name);
  options->guard = std::string(row(kRecommendedGuard.guard).name);
  parser->add_option("MODEL", options->model, "A rig: glTF 2.0 (.gltf, .glb), FBX, Collada, MD5 or X")
      ->required();
  parser->add_option("--clip", options->clip, "Measure this animation clip only")->type_name("NAME");
  parser->add_option("--frames", options->frames, "Frames per clip, evenly spaced")
      ->check(CLI::PositiveNumber)
      ->capture_default_str();
  parser->add_option("--method", options->method, "How positions are skinned, see below")
      ->check(CLI::IsMember(method_names()))
      ->capture_default_str();
  CLI::Option* normals =
      parser
          ->add_option("--normals", options->normals,
                       "Which normals to measure side by side, see below (otherwise the usual ones)")
          ->delimiter(',')
          ->type_name("LIST");
  parser
      ->add_option(
          "--guard", options->guard,
          "Guard against flipped normals that is measured beside the unguarded ones, without --normals")
      ->check(CLI::IsMember(guard_names()))
      ->excludes(normals)
      ->capture_default_str();
  parser
      ->add_option(
          "--fail-above", options->fail_above,
          "Exit with 1 when the first kind of normals is off by more than this many degrees on average (transported truth) in any clip")
      ->check(CLI::NonNegativeNumber)
      ->type_name("DEG");
  add_outputs(*parser, *options);
  parser->add_option("--threads", options->threads, "Threads; 0 uses all cores")
      ->check(CLI::NonNegativeNumber)
      ->capture_default_str();
  parser->footer(
      "Every clip is played in evenly spaced frames (a file without clips stands in its default pose). In each\n"
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
