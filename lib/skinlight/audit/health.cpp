#include "skinlight/audit/health.h"

#include <algorithm>
#include <cstdio>
#include <utility>

#include "skinlight/audit/detail/health_checks.h"
#include "skinlight/core/error.h"

namespace skinlight {

namespace {

// Vertices times poses: a second on one core, at about .3 microseconds each.
constexpr int kWork = 3'000'000;
constexpr int kFewestPoses = 8, kMostPoses = 96;
constexpr int kBends = 8;

int most_poses(const RiggedMesh& mesh) {
  return std::clamp(kWork / std::max(mesh.vertex_count(), 1), kFewestPoses, kMostPoses);
}

int most_influences(const RiggedMesh& mesh) {
  int most = 0;
  for (int v = 0; v < mesh.vertex_count(); ++v) {
    const auto weights = mesh.weights_of(v);
    most = std::max(most, static_cast<int>(
                              std::count_if(weights.begin(), weights.end(), [](double w) { return w > 0; })));
  }
  return most;
}

// The character itself unless its influences are too many: a copy takes as much memory as all the rest here.
Character limited(const Character& character, int max_influences) {
  const Preparation how{.max_slots = max_influences, .gradients = false, .smooth_weights = false};
  if (character.mesh().slots <= max_influences) return character.with(how);
  Model model;
  model.mesh = character.mesh();
  model.morphs = character.model().morphs;
  limit_influences(model.mesh, max_influences);
  return Character(std::move(model), how, character.threads());
}

std::string counted(std::size_t count, const char* what) {
  return std::to_string(count) + " " + what + (count == 1 ? "" : "s");
}

}  // namespace

std::string health::vertex_name(const RawAttributes& raw, int v) {
  for (const RawPrimitive& p : raw.primitives)
    if (v >= p.first && v < p.first + p.count)
      return p.name + (p.of_corners ? " corner " : " vertex ") + std::to_string(v - p.first);
  return "vertex " + std::to_string(v);
}

std::string health::bone_name(const Skeleton& skeleton, int s) {
  const auto node = static_cast<std::size_t>(skeleton.bone_node[static_cast<std::size_t>(s)]);
  const std::string& name = skeleton.nodes[node].name;
  return "bone " + std::to_string(s) + (name.empty() ? "" : " (" + name + ")");
}

std::string health::printed(const char* format, double value) {
  char text[96];
  std::snprintf(text, sizeof text, format, value);
  return text;
}

void health::add(std::vector<Finding>& findings, std::string_view kind, Part part, const Tally& tally, int of,
                 const std::function<std::string(int)>& name, const std::function<std::string(int)>& detail) {
  if (tally.count == 0) return;
  const FindingKind& row = finding_kind(kind);
  findings.push_back({&row, part, tally.index, name(tally.index), tally.count, of,
                      row.unit.empty() ? 0.0 : tally.size, detail(tally.index)});
}

int Health::count(Severity severity) const {
  return static_cast<int>(std::count_if(findings.begin(), findings.end(),
                                        [&](const Finding& f) { return f.kind->severity == severity; }));
}

Health check_health(const Character& character, const RawAttributes& raw, const HealthOptions& options) {
  const Model& model = character.model();
  if (options.max_influences < 1 || options.max_influences > kMaxSlots)
    throw InputError("", "influences " + std::to_string(options.max_influences),
                     "must be 1 to " + std::to_string(kMaxSlots));
  const std::size_t vertices = model.mesh.p0.size();
  if (raw.normal.size() != vertices || raw.tangent.size() != vertices ||
      raw.tangent_sign.size() != vertices ||
      !(raw.normal_length.empty() || raw.normal_length.size() == vertices) ||
      raw.weight.size() != vertices * static_cast<std::size_t>(std::max(raw.slots, 0)) ||
      raw.bone.size() != raw.weight.size())
    throw InputError("", "raw attributes", "are not those of the model");
  Health health;
  health.vertices = model.mesh.vertex_count();
  health.triangles = static_cast<int>(model.mesh.faces.size());
  health.bones = model.mesh.bone_count;
  health.influences = most_influences(model.mesh);

  health::check_weights(model, raw, health.findings);
  health::check_edges(model.mesh, raw, health.findings);
  health.positions = health::check_positions(model, raw, health.findings);
  health::check_triangles(model.mesh, raw, health.findings);
  health::check_frames(model.mesh, raw, health.findings);
  health::check_directions(model.mesh, raw, health.findings);
  health::check_reading(model, raw, health.findings);
  health::check_skeleton(model, raw, health.findings);

  const health::Subject rig{character, raw, limited(character, options.max_influences), health.influences};
  health.predicted = predicted_normals(rig.kept);

  std::vector<PoseSample> poses = clip_samples(model, most_poses(model.mesh));
  health.posed_by = counted(model.clips.size(), "clip");
  if (poses.empty()) {
    poses = bend_samples(model, kBends);
    health.posed_by = "bends of 60 degrees";
  }
  health.poses = static_cast<int>(poses.size());

  health::check_influences(rig, poses, health.findings);
  health::check_normals(rig, poses, health.findings);
  health::check_overflow(rig, health.findings);
  health::check_bones(rig, poses, health.findings);
  health::check_precision(rig, poses, health.findings);

  std::stable_sort(health.findings.begin(), health.findings.end(), [](const Finding& a, const Finding& b) {
    return a.kind->severity != b.kind->severity ? a.kind->severity > b.kind->severity : a.kind < b.kind;
  });
  return health;
}

}  // namespace skinlight
