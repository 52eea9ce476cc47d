#include "skinlight/audit/judge.h"

#include <algorithm>
#include <cmath>

#include "skinlight/character/clip_error.h"
#include "skinlight/mesh/normals.h"
#include "skinlight/preprocess/bitangent_side.h"
#include "skinlight/rig/bone_reach.h"
#include "skinlight/rig/torn_logarithms.h"

namespace skinlight {

namespace {

void require_arrays(const JudgeInput& in) {
  const std::size_t count = in.rig.positions.size();
  if (!(in.tolerance >= 0) || !std::isfinite(in.tolerance))
    throw InputError("", "tolerance", "must be an angle in degrees, at least 0");
  const auto optional = [&](std::size_t size, const char* what) {
    if (size > 0) require_count(size, count, what);
  };
  require_count(in.normals.size(), count, "normals");
  optional(in.posed.size(), "posed positions");
  optional(in.tangents.size(), "tangents");
  optional(in.sides.size(), "tangents' w");
  optional(in.first_bones.size(), "first bones");
  require_finite(in.posed, "posed positions");
  require_directions(in.normals, "normals");
  require_directions(in.tangents, "tangents");
  require_sides(in.sides, "tangents");
  if (!in.tangents.empty() && in.rig.rest_tangents.empty() && in.rig.uv.empty())
    throw InputError("", "tangents", "can only be judged with the rest tangents, or the uv that they follow");
}

// What fails inside is told as an error of that array.
template <class F>
auto as_error_of(const std::string& what, F f) {
  try {
    return f();
  } catch (const InputError& e) {
    throw InputError("", what + ", " + e.element(), e.reason());
  }
}

std::vector<int> first_bones(const JudgeInput& in) {
  std::vector<int> first = in.first_bones;
  if (!first.empty()) return first;
  for (std::size_t i = 0; i < in.rig.bones.size(); i += static_cast<std::size_t>(in.rig.influences))
    first.push_back(in.rig.bones[i]);
  return first;
}

double diagonal(std::span<const Vec3d> p) {
  Vec3d low = p[0], high = p[0];
  for (const Vec3d& a : p)
    for (int c = 0; c < 3; ++c) {
      low[c] = std::min(low[c], a[c]);
      high[c] = std::max(high[c], a[c]);
    }
  return length(high - low);
}

void measure_positions(std::span<const Vec3d> theirs, std::span<const Vec3d> ours, Judgement& out) {
  double worst = -1;
  for (std::size_t v = 0; v < theirs.size(); ++v)
    if (const double d = length(theirs[v] - ours[v]); d > worst) {
      worst = d;
      out.position_offset_vertex = static_cast<int>(v);
    }
  const double size = diagonal(ours);
  out.position_offset = size > 0 ? worst / size : worst;
}

bool any_area(std::span<const double> areas) {
  return std::any_of(areas.begin(), areas.end(), [](double area) { return area > 0; });
}

// A posed frame's sign is the rest frame's, changed where the bones mirror.
SideFinding judge_sides(std::span<const double> theirs, const RiggedMesh& mesh,
                        std::span<const double> orientation) {
  SideFinding found;
  int positive = 0, count = mesh.vertex_count();
  for (int v = 0; v < count; ++v) {
    const auto i = static_cast<std::size_t>(v);
    const double right = gltf_w(mesh.handedness[i]) * orientation[i];
    if (theirs[i] != right) ++found.wrong;
    if (right < 0) ++found.mirrored;
    if (theirs[i] > 0) ++positive;
  }
  const bool both = found.mirrored > 0 && found.mirrored < count;
  found.reversed = found.wrong == count;
  found.lost = both && (positive == 0 || positive == count);
  return found;
}

// What nothing explains may be right, but at the wrong vertices.
Diagnosis explained_by(const Directions& theirs, std::vector<Explanation> explanations, double tolerance) {
  Diagnosis diagnosis = diagnose(theirs, explanations, tolerance);
  if (diagnosis.verdict.explained) return diagnosis;
  std::vector<Explanation> more = shuffled(theirs.v, explanations);
  if (more.empty()) return diagnosis;
  explanations.insert(explanations.end(), std::move_iterator(more.begin()), std::move_iterator(more.end()));
  return diagnose(theirs, explanations, tolerance);
}

}  // namespace

Judgement judge(const JudgeInput& in) {
  Judgement out;
  if (in.pose.empty()) throw InputError("", "pose", "has no bones");
  RiggedMesh given = rigged_mesh(in.rig, static_cast<int>(in.pose.size()), out.warnings);
  require_arrays(in);
  if (in.influences < 0) throw InputError("", "influences", "must be at least 1, or 0 for all");
  if (in.influences > 0) limit_influences(given, in.influences);
  const Preparation how{.max_slots = std::clamp(in.slots, given.slots, kMaxSlots)};
  Model model;
  model.mesh = std::move(given);
  model.morphs = in.morphs;
  const Character character(std::move(model), how, in.threads);
  const RiggedMesh& mesh = character.mesh();
  const Surface& surface = character.surface();
  const Pose pose = as_error_of("pose", [&] { return make_pose(in.pose); });
  require_count(in.morph_weights.size(), in.morphs.size(), "morph weights");
  ClipFrame frame(character, pose, in.morph_weights);
  if (row(in.method).mover == Mover::twists)
    if (const TornLogarithms torn = torn_logarithms(mesh, pose); torn.vertices > 0)
      out.warnings.push_back(
          torn_warning(torn, "bones " + std::to_string(torn.first) + " and " + std::to_string(torn.second)));
  PosedTruth truth = frame.truth(in.method);
  if (!in.posed.empty()) {
    measure_positions(in.posed, truth.p, out);
    truth = frame.truth_of(in.posed, in.method);
  }
  if (!any_area(truth.areas)) {
    if (!any_area(vertex_areas(surface, mesh.p0))) throw InputError("", "faces", "have no area");
    throw InputError("", in.posed.empty() ? "pose" : "posed positions",
                     "no area is left of the faces: there is nothing to weigh errors by");
  }

  out.vertices = mesh.vertex_count();
  out.welded = surface.vertex_count();
  out.faces = surface.face_count();
  out.bones = mesh.bone_count;
  out.influences = mesh.slots;
  out.method = in.method;
  out.tolerance = in.tolerance;

  const std::vector<int> first = first_bones(in);
  for (std::size_t v = 0; v < first.size(); ++v)
    if (first[v] < 0 || first[v] >= mesh.bone_count)
      throw InputError("", "first bones, vertex " + std::to_string(v),
                       "bone " + std::to_string(first[v]) + " does not exist");
  const PosedRig rig{frame, in.method, truth, first};
  const std::string weighting = "deformed area";
  std::vector<Explanation> of_normals = normal_explanations(rig, in.normals);
  out.normals.transported = angular_error(in.normals, truth.transported, truth.areas, weighting);
  out.normals.recomputed = angular_error(in.normals, truth.recomputed, truth.areas, weighting);
  out.normals.lengths = judge_lengths(in.normals, of_normals);
  out.normals.diagnosis =
      explained_by({in.normals, truth.areas, mesh.faces, {}}, std::move(of_normals), in.tolerance);
  if (!in.tangents.empty()) {
    std::vector<Explanation> of_tangents = tangent_explanations(rig, in.tangents);
    out.has_tangents = true;
    out.tangents.transported = angular_error(in.tangents, of_tangents.front().v, truth.areas, weighting);
    out.tangents.lengths = judge_lengths(in.tangents, of_tangents);
    out.tangents.diagnosis = explained_by({in.tangents, truth.areas, mesh.faces, in.normals},
                                          std::move(of_tangents), in.tolerance);
  }
  if (!in.sides.empty()) {
    out.has_sides = true;
    out.sides = judge_sides(in.sides, mesh, orientations(mesh, pose));
  }
  return out;
}

}  // namespace skinlight
