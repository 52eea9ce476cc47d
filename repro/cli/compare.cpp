#include <algorithm>
#include <cstdio>
#include <memory>
#include <nlohmann/json.hpp>

#include "repro/cli/commands.h"
#include "repro/measure.h"
#include "repro/studio.h"
#include "skinlight/asset/model_file.h"
#include "skinlight/core/error.h"
#include "skinlight/core/file.h"

namespace skinlight::cli {

namespace {

using Json = nlohmann::ordered_json;

struct Options {
  std::string model, clip, json, render, renderer = "auto", guard{row(kRecommendedGuard.guard).name};
  int frames = 24, threads = 0;
};

// Standard; deform factors; deform factors with the chosen guard.
std::vector<SkinOptions> ways_of(const Options& options) {
  const Guard guard = guard_from_name(options.guard);
  std::vector<SkinOptions> ways = {{.mode = NormalMode::standard}, {.mode = NormalMode::deform}};
  if (guard != Guard::none) ways.push_back({.mode = NormalMode::deform, .guard = row(guard).usual});
  return ways;
}

std::vector<std::string> guard_names() {
  std::vector<std::string> names;
  for (const GuardRow& guard : guards()) names.emplace_back(guard.name);
  return names;
}

std::string name_of(const SkinOptions& way) {
  const std::string mode(row(way.mode).name);
  return way.guard.guard == Guard::none ? mode : mode + ", " + std::string(row(way.guard.guard).name);
}

constexpr Truth kTruths[] = {Truth::transported, Truth::recomputed};

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

void print_rig(const Options& options, const repro::PreparedModel& m) {
  const Overflow& overflow = m.factors.overflow;
  std::printf("%s: %d vertices (%d welded), %zu faces, %d bones, %d influences per vertex\n",
              options.model.c_str(), m.model.mesh.vertex_count(), m.surface.vertex_count(),
              m.model.mesh.faces.size(), m.model.mesh.bone_count, m.model.mesh.slots);
  std::printf("deform factors: %d slots, mixed Voronoi averaging; ", m.factors.slots);
  if (overflow.vertices == 0)
    std::printf("every bone fits\n");
  else
    std::printf(
        "%d vertices touch more bones than fit, the largest gradient lost is %.0f %% of its vertex's (vertex "
        "%d)\n",
        overflow.vertices, 100 * overflow.largest_share, overflow.worst_vertex);
}

void print_clip(const ClipError& clip, bool first) {
  if (first)
    std::printf(
        "\nErrors in degrees over all frames, weighted by deformed area\n%-22s %-21s %-12s %7s %7s %7s %7s "
        "%7s  %s\n",
        "clip", "normals", "truth", "mean", "RMS", "p95", "max", "flips", "worst frame (mean)");
  for (const ClipModeError& m : clip.modes)
    std::printf("%-22s %-21s %-12s %7.2f %7.2f %7.2f %7.2f %7d  %.2f s (%.2f)\n", clip.clip.c_str(),
                name_of(m.options).c_str(), std::string(name(m.truth)).c_str(), m.error.mean, m.error.rms,
                m.error.p95, m.error.max, m.error.flips, clip.times[static_cast<std::size_t>(m.worst_frame)],
                m.worst_mean);
}

// The means of all clips, each counting alike.
void print_summary(const std::vector<ClipError>& clips, const std::vector<SkinOptions>& ways) {
  if (clips.size() < 2) return;
  std::printf("\nMean over %zu clips\n", clips.size());
  for (std::size_t way = 0; way < ways.size(); ++way)
    for (Truth truth : kTruths) {
      double sum = 0;
      int flips = 0;
      for (const ClipError& clip : clips) {
        sum += clip.of(way, truth).error.mean;
        flips += clip.of(way, truth).error.flips;
      }
      std::printf("%-22s %-21s %-12s %7.2f %31d\n", "all clips", name_of(ways[way]).c_str(),
                  std::string(name(truth)).c_str(), sum / static_cast<double>(clips.size()), flips);
    }
}

Json clip_json(const ClipError& clip) {
  Json json;
  json["clip"] = clip.clip;
  json["frames"] = clip.times.size();
  json["errors"] = Json::array();
  for (const ClipModeError& m : clip.modes)
    json["errors"].push_back({{"normals", row(m.options.mode).name},
                              {"guard", row(m.options.guard.guard).name},
                              {"truth", name(m.truth)},
                              {"weighting", m.error.weighting},
                              {"mean_deg", m.error.mean},
                              {"rms_deg", m.error.rms},
                              {"p95_deg", m.error.p95},
                              {"p99_deg", m.error.p99},
                              {"max_deg", m.error.max},
                              {"flips", m.error.flips},
                              {"worst_frame", m.worst_frame},
                              {"worst_frame_seconds", clip.times[static_cast<std::size_t>(m.worst_frame)]},
                              {"worst_frame_mean_deg", m.worst_mean}});
  return json;
}

Json model_json(const Options& options, const repro::PreparedModel& m, const std::vector<ClipError>& clips) {
  const Overflow& overflow = m.factors.overflow;
  Json json;
  json["model"] = options.model;
  json["vertices"] = m.model.mesh.vertex_count();
  json["welded_vertices"] = m.surface.vertex_count();
  json["faces"] = m.model.mesh.faces.size();
  json["bones"] = m.model.mesh.bone_count;
  json["influences"] = m.model.mesh.slots;
  json["deform_factors"] = {{"slots", m.factors.slots},
                            {"averaging", name(m.factors.averaging)},
                            {"overflow_vertices", overflow.vertices},
                            {"overflow_bones", overflow.bones},
                            {"overflow_largest_share", overflow.largest_share},
                            {"overflow_worst_vertex", overflow.worst_vertex}};
  json["warnings"] = Json::array();
  for (const Warning& w : m.model.warnings)
    json["warnings"].push_back({{"element", w.element}, {"reason", w.reason}, {"count", w.count}});
  json["clips"] = Json::array();
  for (const ClipError& clip : clips) json["clips"].push_back(clip_json(clip));
  return json;
}

// A clip's name as part of a file name.
std::string file_part(std::string name) {
  std::replace_if(
      name.begin(), name.end(), [](unsigned char c) { return !std::isalnum(c) && c != '-' && c != '_'; },
      '_');
  return name;
}

void render_worst_frames(const Options& options, const repro::PreparedModel& m,
                         const std::vector<Clip>& clips, const std::vector<ClipError>& errors,
                         ProgressLine& line) {
  repro::Studio studio(renderer_from_name(options.renderer));
  for (std::size_t c = 0; c < clips.size(); ++c) {
    line.show("drawing " + clips[c].name);
    const double time = repro::worst_frame({errors[c]}).time;
    const auto path =
        std::filesystem::path(options.render) / (m.model.name + "_" + file_part(clips[c].name) + ".png");
    write_png(path, repro::frame_row(m, clips[c], time, repro::Shot{}, studio, options.threads));
    line.clear();
    std::printf("wrote %s (%.2f s)\n", path.string().c_str(), time);
  }
}

int compare_model(const Options& options) {
  require_other_file(options.json, options.model);
  const std::vector<SkinOptions> ways = ways_of(options);
  ProgressLine line;
  line.show("reading " + options.model);
  const repro::PreparedModel m(read_model(options.model), options.threads);
  const std::vector<Clip> clips = chosen_clips(m.model, options.model, options.clip);
  line.clear();
  for (const Warning& w : m.model.warnings)
    std::fprintf(stderr, "warning: %s: %s: %s (%d)\n", options.model.c_str(), w.element.c_str(),
                 w.reason.c_str(), w.count);
  print_rig(options, m);

  std::vector<ClipError> errors;
  for (const Clip& clip : clips) {
    line.show("measuring clip " + clip.name + " (" + std::to_string(errors.size() + 1) + "/" +
              std::to_string(clips.size()) + ")");
    errors.push_back(clip_error(m.model.mesh, m.surface, m.data(), m.model.skeleton, clip,
                                clip.channels.empty() ? 1 : options.frames, ways, options.threads));
    line.clear();
    print_clip(errors.back(), errors.size() == 1);
  }
  print_summary(errors, ways);
  if (!options.json.empty()) write_file(options.json, model_json(options, m, errors).dump(2) + "\n");
  if (!options.render.empty()) render_worst_frames(options, m, clips, errors, line);
  return 0;
}

// Errors of the rig itself do not know the file they came from.
int compare(const Options& options) {
  try {
    return compare_model(options);
  } catch (const InputError& e) {
    throw e.in_file(options.model);
  }
}

}  // namespace

Command add_compare(CLI::App& app) {
  CLI::App* parser = app.add_subcommand(
      "compare", "Tell how wrong a character's skinned normals are, standard and with deform factors");
  auto options = std::make_shared<Options>();
  parser->add_option("MODEL", options->model, "A rig: glTF 2.0 (.gltf, .glb), FBX, Collada, MD5 or X")
      ->required();
  parser->add_option("--clip", options->clip, "Measure this animation clip only");
  parser->add_option("--frames", options->frames, "Frames per clip, evenly spaced")
      ->check(CLI::PositiveNumber)
      ->capture_default_str();
  parser
      ->add_option("--guard", options->guard,
                   "Guard against flipped normals to measure beside plain deform factors: clamp, joint, "
                   "test-then-fix, or none")
      ->check(CLI::IsMember(guard_names()))
      ->capture_default_str();
  parser->add_option("--json", options->json, "Write the numbers to this file");
  parser->add_option(
      "--render", options->render,
      "Write into this folder, per clip, standard | deform factors | truth | heat maps at the frame where "
      "the standard normals are worst");
  parser->add_option("--renderer", options->renderer, "auto, llvmpipe, egl-device, egl-surfaceless or osmesa")
      ->capture_default_str();
  parser->add_option("--threads", options->threads, "Threads; 0 uses all cores")
      ->check(CLI::NonNegativeNumber)
      ->capture_default_str();
  return {parser, [options] { return compare(*options); }};
}

}  // namespace skinlight::cli
