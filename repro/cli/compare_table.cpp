#include <algorithm>
#include <cstdio>

#include "repro/cli/compare.h"

namespace skinlight::cli {

namespace {

int width_of_names(const Comparison& c) {
  std::size_t width = std::string_view("normals").size();
  for (const Way& way : c.ways) width = std::max(width, way.name.size());
  return static_cast<int>(width);
}

void print_overflow(const NormalRecord& factors) {
  const Overflow& overflow = factors.overflow;
  std::printf("deform factors: %d slots, mixed Voronoi averaging; ", factors.slots);
  if (overflow.vertices == 0)
    std::printf("every bone fits\n");
  else
    std::printf(
        "%d vertices touch more bones than fit, the largest gradient lost is %.0f %% of its vertex's (vertex %d)\n",
        overflow.vertices, 100 * overflow.largest_share, overflow.worst_vertex);
}

}  // namespace

Holder holder_of(const Model& model, int vertex) {
  Holder holder;
  holder.bone = model.mesh.bones_of(vertex)[0];  // weights descend
  holder.weight = model.mesh.weights_of(vertex)[0];
  const auto node = static_cast<std::size_t>(model.skeleton.bone_node[static_cast<std::size_t>(holder.bone)]);
  holder.name = model.skeleton.nodes[node].name;
  if (holder.name.empty()) holder.name = "bone " + std::to_string(holder.bone);
  return holder;
}

std::size_t worst_clip(const Comparison& c, std::size_t way) {
  std::size_t worst = 0;
  for (std::size_t i = 1; i < c.errors.size(); ++i)
    if (c.errors[i].of(way, Truth::transported).error.mean >
        c.errors[worst].of(way, Truth::transported).error.mean)
      worst = i;
  return worst;
}

std::vector<repro::MeasuredWay> mean_errors(const Comparison& c) {
  std::vector<SkinOptions> ways;
  for (const Way& way : c.ways) ways.push_back(way.options);
  return repro::mean_errors(ways, c.errors);
}

std::optional<repro::Recommendation> recommendation(const Comparison& c) {
  return repro::recommend(mean_errors(c));
}

std::string next_command(const Comparison& c, const repro::Recommendation& best) {
  const int usual = CompareOptions().influences;
  const std::string command = repro::next_command(best, c.options.model);
  if (command.empty()) return command;
  return command +
         (c.options.influences == usual ? "" : " --influences " + std::to_string(c.options.influences)) +
         (c.options.missing_normals == CompareOptions().missing_normals
              ? ""
              : " --missing-normals " + c.options.missing_normals);
}

void print_rig(const Comparison& c) {
  const RiggedMesh& mesh = c.model().mesh;
  std::printf("%s: %d vertices (%d welded), %zu faces, %d bones, %d influences per vertex\n",
              c.options.model.c_str(), mesh.vertex_count(), c.character.surface().vertex_count(),
              mesh.faces.size(), mesh.bone_count, mesh.slots);
  std::printf("method: %s\n", std::string(row(c.method).label).c_str());
  print_overflow(c.character.factors());
  if (!c.model().morphs.empty())
    std::printf("morph targets: %zu, applied as the clips animate them\n", c.model().morphs.size());
}

void print_clip(const Comparison& c, std::size_t clip) {
  const ClipError& errors = c.errors[clip];
  const int width = width_of_names(c);
  if (clip == 0) std::printf("\nErrors in degrees over all frames of a clip, weighted by deformed area\n");
  std::printf("\n%s: %zu frame%s, %.2f s", errors.clip.c_str(), errors.times.size(),
              errors.times.size() == 1 ? "" : "s", errors.times.back());
  if (const int without = errors.frames_without_area(); without > 0)
    std::printf("; %d without area, which do not count", without);
  std::printf("\n");
  std::printf("  %-*s %-12s %6s %6s %6s %6s %6s  %-15s  %s\n", width, "normals", "truth", "mean", "RMS",
              "p95", "max", "flips", "worst frame", "worst vertex");
  for (std::size_t way = 0; way < c.ways.size(); ++way)
    for (const Truth truth : kTruths) {
      const ClipModeError& m = errors.of(way, truth);
      char frame[40];
      std::snprintf(frame, sizeof frame, "%.2f s (%.2f)",
                    errors.times[static_cast<std::size_t>(m.worst_frame)], m.worst_mean);
      std::printf("  %-*s %-12s %6.2f %6.2f %6.2f %6.2f %6d  %-15s  %d on %s, %.2f s\n", width,
                  c.ways[way].name.c_str(), std::string(name(truth)).c_str(), m.error.mean, m.error.rms,
                  m.error.p95, m.error.max, m.error.flips, frame, m.error.worst_vertex,
                  holder_of(c.model(), m.error.worst_vertex).name.c_str(),
                  errors.times[static_cast<std::size_t>(m.max_frame)]);
    }
}

// The means of all clips, each counting alike.
void print_summary(const Comparison& c) {
  if (c.errors.size() < 2) return;
  const int width = width_of_names(c);
  std::printf("\nAll %zu clips, each counting alike\n", c.errors.size());
  std::printf("  %-*s %-12s %6s %6s %6s  %s\n", width, "normals", "truth", "mean", "max", "flips",
              "worst clip (mean)");
  for (std::size_t way = 0; way < c.ways.size(); ++way)
    for (const Truth truth : kTruths) {
      double sum = 0, largest = 0, worst_mean = -1;
      int flips = 0;
      std::string worst;
      for (const ClipError& clip : c.errors) {
        const NormalError& error = clip.of(way, truth).error;
        sum += error.mean;
        largest = std::max(largest, error.max);
        flips += error.flips;
        if (error.mean > worst_mean) {
          worst_mean = error.mean;
          worst = clip.clip;
        }
      }
      std::printf("  %-*s %-12s %6.2f %6.2f %6d  %s (%.2f)\n", width, c.ways[way].name.c_str(),
                  std::string(name(truth)).c_str(), sum / static_cast<double>(c.errors.size()), largest,
                  flips, worst.c_str(), worst_mean);
    }
}

}  // namespace skinlight::cli
