#include "skinlight/bake/bake.h"

#include <algorithm>
#include <cstdio>
#include <memory>

#include "repro/cli/commands.h"
#include "repro/cli/outputs.h"
#include "repro/study/bake_error.h"
#include "repro/study/recommendation.h"
#include "skinlight/character/predicted_normals.h"
#include "skinlight/core/error.h"
#include "skinlight/rig/torn_logarithms.h"
#include "skinlight/skinning/packed_normals.h"

namespace skinlight::cli {

namespace {

// Vertex attributes that OpenGL, WebGL and Vulkan all promise; Direct3D and Metal take about 30.
// Each, of up to four numbers, occupies one location.
constexpr int kLocations = 16;

struct BakeCommandOptions {
  std::string model, out;
  std::string normals{row(NormalMode::deform).name}, method, layout = "attributes", format = "f32", averaging,
                                                             missing_normals = "usual";
  BakeOptions bake;
  Method skinning = Method::lbs;  // by which the engine moves vertices
};

// Kinds of normals are called as `compare --normals` calls them.
std::string normals_name(RecordKind kind) { return std::string(row(mode_reading(kind)).name); }

std::vector<std::string> normals_names() {
  std::vector<std::string> names;
  for (const RecordKindRow& record : kRecordKinds) names.push_back(normals_name(record.kind));
  names.emplace_back(row(NormalMode::deform_frames).name);
  return names;
}

// The normals that read what was written, under the method that poses the vertices.
NormalMode mode_of(const BakeCommandOptions& options, const BakeReport& report) {
  if (report.frames) return NormalMode::deform_frames;
  const NormalMode mode = mode_reading(report.kind);
  return mode == NormalMode::deform ? row(options.skinning).derivative : mode;
}

RecordCost cost_of(const BakeCommandOptions& options, const BakeReport& report, NumberFormat format) {
  return report.frames ? frame_cost(format, report.record().slots)
                       : record_cost(report.kind, options.bake.layout, format, report.record().slots);
}

std::string label_of(Method method) {
  std::string label(row(method).label);
  label[0] = static_cast<char>(std::tolower(static_cast<unsigned char>(label[0])));
  return label;
}

std::vector<std::string> averaging_names() {
  std::vector<std::string> names;
  for (const Averaging a : all_averagings()) names.emplace_back(name(a));
  return names;
}

void print_rig(const BakeCommandOptions& options, const BakeReport& report) {
  const RiggedMesh& mesh = report.character.mesh();
  std::printf("%s: %d vertices (%d welded) in %s, %d bones; %d influences per vertex\n",
              options.model.c_str(), mesh.vertex_count(), report.character.surface().vertex_count(),
              counted(report.primitives, "primitive").c_str(), mesh.bone_count, report.record().slots);
  const auto written = [&](const char* what, int count) {
    if (count > 0) std::printf("%s: written to %s\n", what, counted(count, "primitive").c_str());
  };
  written("NORMAL, missing or unusable", report.normals);
  written("TANGENT, missing or unusable", report.tangents);
  written("JOINTS and WEIGHTS, largest weight first, with the neighbours' bones", report.influences);
  const Overflow& overflow = report.record().overflow;
  if (overflow.vertices > 0)
    std::printf(
        "%d welded vertices touch more bones than fit; the largest %s lost is %.0f %% of its vertex's (vertex %d)\n",
        overflow.vertices,
        report.frames                               ? "weight around"
        : report.kind == RecordKind::deform_vectors ? "vector"
                                                    : "gradient",
        100 * overflow.largest_share, overflow.worst_vertex);
}

void print_attributes(const BakeCommandOptions& options, const BakeReport& report) {
  const RecordCost cost = cost_of(options, report, options.bake.format);
  std::printf(
      "%d attributes more, %d bytes per vertex; together a vertex has up to %d (every GPU takes %d)\n",
      cost.attributes, cost.bytes, report.attributes, kLocations);
  if (report.attributes > kLocations)
    std::fprintf(
        stderr,
        "warning: %s: %d vertex attributes are more than the %d that OpenGL and WebGL promise: read them from a buffer or texture, or bake with --influences %d\n",
        options.out.c_str(), report.attributes, kLocations, report.frames ? kFrameSlots : 4);
}

// The file is written by now: an animation that cannot be posed takes nothing from it.
void print_costs(const BakeCommandOptions& options, const BakeReport& report, ProgressLine& line) {
  line.show("measuring what the formats cost");
  repro::SamplePoses poses;
  std::vector<repro::FormatError> errors;
  try {
    poses = repro::sample_poses(report.character.model());
    errors = repro::format_errors(report, poses.poses, options.bake.threads);
  } catch (const InputError& e) {
    line.clear();
    std::fprintf(stderr, "warning: %s: what the formats cost was not measured: %s\n", options.model.c_str(),
                 e.what());
    return;
  }
  line.clear();
  std::printf(
      "\n"
      "What storing the %s costs: degrees between the normals of stored and of exact ones,\n"
      "%s, %s\n"
      "  %-8s %12s %9s %9s %9s\n",
      report.frames                               ? "frames"
      : report.kind == RecordKind::deform_vectors ? "vectors"
                                                  : "factors",
      poses.description.c_str(), label_of(report.frames.value_or(Method::lbs)).c_str(), "format",
      "bytes/vertex", "mean", "99 %", "max");
  for (const repro::FormatError& e : errors)
    std::printf("%c %-8s %12d %9.5f %9.5f %9.5f\n", e.format == options.bake.format ? '>' : ' ',
                std::string(row(e.format).name).c_str(), cost_of(options, report, e.format).bytes, e.mean,
                e.p99, e.max);
  std::printf("\n");
}

// Standard normals, those that bake can write for the method, and what it wrote with the guard that is usual.
std::vector<SkinOptions> ways_of(Method method, NormalMode written) {
  std::vector<SkinOptions> ways;
  for (const NormalMode mode : repro::modes_by_cost(method))
    if (repro::bake_writes(method, mode)) ways.push_back({.method = method, .mode = mode});
  if (kernel_row(method, written).guards)
    ways.push_back({.method = method, .mode = written, .guard = kRecommendedGuard});
  return ways;
}

// Vertices times frames of all clips, each way: a second or two at most.
constexpr int kMeasured = 150000;
constexpr int kFewestFrames = 2, kMostFrames = 24;  // of one clip

struct Measured {
  std::vector<ClipError> errors;
  std::vector<Warning>
      warnings;  // where log-matrix blending takes the long way between bones, or nothing has area
};

// `used` of its clips, evenly.
Measured measured(const Character& character, std::span<const SkinOptions> ways, std::size_t used,
                  int frames) {
  const Model& model = character.model();
  const bool may_tear = row(ways.front().method).mover == Mover::twists;
  Measured all;
  for (std::size_t i = 0; i < used; ++i) {
    const Clip& clip = model.clips[i * model.clips.size() / used];
    ClipError error = clip_error(character, clip, frames, ways);
    if (const int without = error.frames_without_area(); without > 0)
      all.warnings.push_back(
          {"clip " + clip.name, "the posed mesh has no area in these frames, which do not count", without});
    if (!error.is_measured()) continue;
    if (may_tear)
      if (auto torn = torn_in(model, clip, error.times)) all.warnings.push_back(std::move(*torn));
    all.errors.push_back(std::move(error));
  }
  if (all.errors.empty()) throw InputError("", "clips", "the posed mesh has no area in any frame");
  return all;
}

// Over the file's own clips; numbers as they are before they are stored.
void print_gain(const BakeCommandOptions& options, const BakeReport& report, ProgressLine& line) {
  const Model& model = report.character.model();
  const int clips = static_cast<int>(model.clips.size());
  if (clips == 0) {
    std::printf(
        "\nThe file has no clips in which the normals could be measured: try poses with skinlight judge.\n");
    if (options.skinning == Method::lbs)  // which is what the prediction was found for
      std::printf("Likely to pay, by the weights around its vertices: --normals %s\n",
                  std::string(row(predicted_normals(report.character)).name).c_str());
    return;
  }
  line.show("measuring what the normals gain");
  const NormalMode mine = mode_of(options, report);
  const std::vector<SkinOptions> ways = ways_of(options.skinning, mine);
  const int poses = std::max(1, kMeasured / model.mesh.vertex_count());
  const int used = std::clamp(poses / kFewestFrames, 1, clips);
  const int frames = std::clamp(poses / used, kFewestFrames, kMostFrames);
  const Character character = report.character.with(
      {.max_slots = report.record().slots,
       .averaging = options.averaging.empty()
                        ? std::optional<Averaging>()
                        : std::optional<Averaging>(averaging_from_name(options.averaging)),
       .gradients = false});
  std::vector<repro::MeasuredWay> means;
  std::vector<Warning> warnings;
  try {
    Measured all = measured(character, ways, static_cast<std::size_t>(used), frames);
    means = repro::mean_errors(ways, all.errors);
    warnings = std::move(all.warnings);
  } catch (const InputError& e) {
    line.clear();
    std::fprintf(stderr, "warning: %s: what the normals gain was not measured: %s\n", options.model.c_str(),
                 e.what());
    return;
  }
  line.clear();
  print_warnings(options.model, warnings);
  std::printf("\nHow far normals are off, degrees: mean over %s of %s, %s\n",
              counted(frames, "frame").c_str(),
              used < clips ? (std::to_string(used) + " of its " + std::to_string(clips) + " clips").c_str()
                           : counted(clips, "clip").c_str(),
              label_of(options.skinning).c_str());
  double written = 0;
  for (const repro::MeasuredWay& way : means) {
    const bool guarded = way.options.guard.guard != Guard::none;
    std::string name(row(way.options.mode).name);
    if (guarded) name.append("+").append(row(way.options.guard.guard).name);
    std::printf("%c %-27s %6.2f\n", way.options.mode == mine && !guarded ? '>' : ' ', name.c_str(), way.mean);
    if (way.options.mode == mine && !guarded) written = way.mean;
  }
  const auto best = repro::recommend(means);
  if (written > best->standard_mean)
    std::fprintf(stderr,
                 "warning: %s: %s makes normals worse than standard ones: %.2f instead of %.2f degrees\n",
                 options.model.c_str(), options.normals.c_str(), written, best->standard_mean);
  std::printf("%s\n", repro::sentence(*best).c_str());
  if (best->gains() && best->choice.mode != mine)
    std::printf("Better: %s\n", repro::bake_flags(best->choice.method, best->choice.mode).c_str());
}

// What the option's own list of numbers cannot say: it goes with the kind of normals.
void require_influences(int influences, bool frames) {
  const bool right = frames ? influences != 4 : influences == 0 || influences == 4 || influences == 8;
  if (!right)
    throw InputError("", "--influences " + std::to_string(influences),
                     frames ? "must be 5 to 8 for deform-frames" : "must be 4 or 8");
}

int bake(BakeCommandOptions options) {
  options.out = output_name(options.out);
  if (options.out == kStandardOutput) reserve_standard_output();
  options.bake.layout = factor_layout_from_name(options.layout);
  options.bake.format = number_format_from_name(options.format);
  for (const RecordKindRow& record : kRecordKinds)
    if (normals_name(record.kind) == options.normals) options.bake.kind = record.kind;
  const bool frames = options.normals == row(NormalMode::deform_frames).name;
  options.skinning =
      options.method.empty() ? frames ? Method::dqs : Method::lbs : method_from_name(options.method);
  require_influences(options.bake.influences, frames);
  if (frames) options.bake.frames = options.skinning;
  if (!frames && options.bake.kind == RecordKind::deform_vectors && options.skinning != Method::lbs)
    throw InputError("", "normals 'deform-vectors'",
                     "are of linear blend skinning; of " + std::string(row(options.skinning).name) +
                         " that is what deform-frames are for");
  if (!options.averaging.empty()) options.bake.averaging = averaging_from_name(options.averaging);
  options.bake.missing_normals = missing_normals_from_name(options.missing_normals);
  ProgressLine line;
  line.show("reading " + options.model);
  const BakeReport report =
      bake_gltf(options.model, options.out, options.bake, [&](const std::string& text) { line.show(text); });
  line.clear();
  print_warnings(options.model, report.warnings);
  if (report.unchanged) {
    std::printf("%s was baked with these options already: copied as it is\n", options.model.c_str());
  } else {
    print_rig(options, report);
    print_attributes(options, report);
    print_gain(options, report, line);
    print_costs(options, report, line);
  }
  for (const auto& path : report.written) std::printf("wrote %s\n", path.string().c_str());
  return 0;
}

}  // namespace

Command add_bake(Parser program) {
  Parser parser =
      program.command("bake", "Add what right normals need to a character's glTF file, as vertex attributes");
  auto options = std::make_shared<BakeCommandOptions>();
  parser.option("MODEL", options->model, "A skinned glTF 2.0 file, .gltf, .glb or .vrm").required();
  parser
      .option(
          "-o,--out", options->out,
          "The file to write: .glb holds everything; .gltf puts its new data into a .bin file of the same name; - is standard output, as .glb")
      .required();
  parser
      .option(
          "--normals", options->normals,
          "deform: deform factors; smoothed: smooth weights besides; deform-vectors: what is best on coarse meshes; deform-frames: the same where --method blends rotations. "
          "Named as in compare --normals")
      .one_of(normals_names())
      .shows_default();
  parser
      .option(
          "--method", options->method,
          "How the engine skins, by which normals are measured; whose deform-frames are written. Default: lbs, of deform-frames dqs")
      .one_of(names_of(methods()));
  parser
      .option(
          "--layout", options->layout,
          "attributes: _DEFORM_ALPHA_n and so on beside JOINTS_n; texcoord: free TEXCOORD_n, for engines that drop attributes with an underscore (not for deform-vectors and deform-frames: too many)")
      .one_of(std::vector<std::string>{"attributes", "texcoord"})
      .shows_default();
  parser
      .option("--format", options->format,
              "How the numbers are stored. What each costs in degrees is printed")
      .one_of(names_of(kNumberFormats))
      .shows_default();
  parser
      .option(
          "--influences", options->bake.influences,
          "Bones per vertex, 4 or 8; of deform-frames 5 to 8. Default: 4 (5) if the file has no more, else 8")
      .within(4, 8);
  parser
      .option(
          "--averaging", options->averaging,
          "How faces are weighted around a vertex. Default: mixed-voronoi; of deform-vectors and deform-frames area")
      .one_of(averaging_names());
  add_missing_normals(parser, options->missing_normals);
  parser.flag("--force", options->bake.force, "Replace MODEL itself, or files that no earlier bake wrote");
  add_threads(parser, options->bake.threads);
  parser.footer(
      "What --normals adds to 4 influences:              attributes  bytes per vertex in f32\n"
      "  deform          _DEFORM_ALPHA_0, _DEFORM_BETA_0           2  32\n"
      "  smoothed        these and _DEFORM_SMOOTH_0                3  48\n"
      "  deform-vectors  _DEFORM_TAU_T_s, _DEFORM_TAU_B_s,         6  96\n"
      "                  s = 1, 2, 3\n"
      "  deform-frames   _DEFORM_FRAME_W_n, _DEFORM_FRAME_T_k,     6  96, with a fifth bone\n"
      "                  _DEFORM_FRAME_B_k, n, k = 0, 1\n"
      "With 8 influences deform-vectors are 14 attributes, which together with position, normal and the rest\n"
      "are more than the 16 that OpenGL and WebGL promise: read them from a buffer or texture there.\n\n"
      "All else in the file survives, and baking twice changes nothing. A shader turns what it reads into the\n"
      "numbers by scale * (value - offset), both in meshes[].extras.skinlight; see README.md.");
  return {parser, [options] { return bake(*options); }};
}

}  // namespace skinlight::cli
