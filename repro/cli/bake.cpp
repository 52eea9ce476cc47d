#include "skinlight/asset/bake.h"

#include <cstdio>
#include <memory>

#include "repro/bake_error.h"
#include "repro/cli/commands.h"
#include "skinlight/core/error.h"

namespace skinlight::cli {

namespace {

struct Options {
  std::string model, out, layout = "attributes", format = "f32", averaging{name(Averaging::mixed_voronoi)};
  BakeOptions bake;
};

std::vector<std::string> averaging_names() {
  std::vector<std::string> names;
  for (const Averaging a : all_averagings()) names.emplace_back(name(a));
  return names;
}

std::vector<std::string> format_names() {
  std::vector<std::string> names;
  for (const NumberFormatRow& f : kNumberFormats) names.emplace_back(f.name);
  return names;
}

void print_warnings(const Options& options, const BakeReport& report) {
  for (const Warning& w : report.model.warnings)
    std::fprintf(stderr, "warning: %s: %s: %s (%d)\n", options.model.c_str(), w.element.c_str(),
                 w.reason.c_str(), w.count);
}

const char* plural(int count) { return count == 1 ? "" : "s"; }

void print_rig(const Options& options, const BakeReport& report) {
  const RiggedMesh& mesh = report.model.mesh;
  std::printf("%s: %d vertices (%d welded) in %d primitive%s, %d bones; %d influences per vertex\n",
              options.model.c_str(), mesh.vertex_count(), report.surface_vertices, report.primitives,
              plural(report.primitives), mesh.bone_count, report.factors.slots);
  const auto written = [&](const char* what, int count) {
    if (count > 0) std::printf("%s: written to %d primitive%s\n", what, count, plural(count));
  };
  written("NORMAL, missing or unusable", report.normals);
  written("TANGENT, missing or unusable", report.tangents);
  written("JOINTS and WEIGHTS, largest weight first, with the neighbours' bones", report.influences);
  const Overflow& overflow = report.factors.overflow;
  if (overflow.vertices > 0)
    std::printf(
        "%d welded vertices touch more bones than fit; the largest gradient lost is %.0f %% of its vertex's "
        "(vertex %d)\n",
        overflow.vertices, 100 * overflow.largest_share, overflow.worst_vertex);
}

// The file is written by now: an animation that cannot be posed takes nothing from it.
void print_costs(const Options& options, const BakeReport& report, ProgressLine& line) {
  line.show("measuring what the formats cost");
  repro::SamplePoses poses;
  std::vector<repro::FormatError> errors;
  try {
    poses = repro::sample_poses(report.model);
    errors = repro::format_errors(report, poses.poses, options.bake.threads);
  } catch (const InputError& e) {
    line.clear();
    std::fprintf(stderr, "warning: %s: what the formats cost was not measured: %s\n", options.model.c_str(),
                 e.what());
    return;
  }
  line.clear();
  std::printf(
      "\nWhat storing the factors costs: degrees between the normals of stored and of exact factors,\n"
      "%s, linear blend skinning\n  %-8s %12s %9s %9s %9s\n",
      poses.description.c_str(), "format", "bytes/vertex", "mean", "99 %", "max");
  for (const repro::FormatError& e : errors)
    std::printf("%c %-8s %12d %9.5f %9.5f %9.5f\n", e.format == options.bake.format ? '>' : ' ',
                std::string(row(e.format).name).c_str(),
                factor_bytes(options.bake.layout, e.format, report.factors.slots), e.mean, e.p99, e.max);
  std::printf("\n");
}

int bake(Options options) {
  options.bake.layout = factor_layout_from_name(options.layout);
  options.bake.format = number_format_from_name(options.format);
  options.bake.averaging = averaging_from_name(options.averaging);
  ProgressLine line;
  line.show("reading " + options.model);
  const BakeReport report =
      bake_gltf(options.model, options.out, options.bake, [&](const std::string& text) { line.show(text); });
  line.clear();
  print_warnings(options, report);
  if (report.unchanged) {
    std::printf("%s was baked with these options already: copied as it is\n", options.model.c_str());
  } else {
    print_rig(options, report);
    print_costs(options, report, line);
  }
  for (const auto& path : report.written) std::printf("wrote %s\n", path.string().c_str());
  return 0;
}

}  // namespace

Command add_bake(CLI::App& app) {
  CLI::App* parser =
      app.add_subcommand("bake", "Add deform factors to a character's glTF file, as vertex attributes");
  auto options = std::make_shared<Options>();
  parser->add_option("MODEL", options->model, "A skinned glTF 2.0 file, .gltf or .glb")->required();
  parser
      ->add_option(
          "-o,--out", options->out,
          "The file to write: .glb holds everything; .gltf puts its new data into a .bin file of the "
          "same name")
      ->required();
  parser
      ->add_option(
          "--layout", options->layout,
          "attributes: _DEFORM_ALPHA_n and _DEFORM_BETA_n beside JOINTS_n; texcoord: free TEXCOORD_n, for "
          "engines that drop attributes with an underscore")
      ->check(CLI::IsMember({"attributes", "texcoord"}))
      ->capture_default_str();
  parser
      ->add_option(
          "--format", options->format,
          "How the factors are stored: f32, f16, snorm16 or snorm8. What each costs in degrees is printed")
      ->check(CLI::IsMember(format_names()))
      ->capture_default_str();
  parser
      ->add_option("--influences", options->bake.influences,
                   "Bones per vertex, 4 or 8. Default: 4 if the file has no more, else 8")
      ->check(CLI::IsMember({4, 8}));
  parser->add_option("--averaging", options->averaging, "How faces are weighted around a vertex")
      ->check(CLI::IsMember(averaging_names()))
      ->capture_default_str();
  parser->add_flag("--force", options->bake.force, "Replace MODEL itself, or files in the way");
  parser->add_option("--threads", options->bake.threads, "Threads; 0 uses all cores")
      ->check(CLI::NonNegativeNumber)
      ->capture_default_str();
  parser->footer(
      "All else in the file survives, and baking twice changes nothing. A shader turns the numbers into\n"
      "factors by scale * (value - offset), both in meshes[].extras.skinlight; see README.md.");
  return {parser, [options] { return bake(*options); }};
}

}  // namespace skinlight::cli
