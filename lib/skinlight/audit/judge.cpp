#include "skinlight/audit/judge.h"

#include <algorithm>
#include <cmath>

#include "skinlight/mesh/normals.h"
#include "skinlight/mesh/weld.h"
#include "skinlight/preprocess/centres/rotation_centres.h"
#include "skinlight/preprocess/deform_vectors.h"
#include "skinlight/skinning/skin.h"

namespace skinlight {

namespace {

void require_count(std::size_t actual, std::size_t expected, const std::string& what) {
  if (actual != expected)
    throw InputError("", what,
                     "has " + std::to_string(actual) + " entries, expected " + std::to_string(expected));
}

// Beyond this, areas and determinants leave the range of double.
constexpr double kLargest = 1e60;

void require_finite(std::span<const Vec3d> rows, const std::string& what) {
  for (std::size_t v = 0; v < rows.size(); ++v)
    if (!is_finite(rows[v]) || !(dot(rows[v], rows[v]) < kLargest * kLargest))
      throw InputError("", what + ", vertex " + std::to_string(v), "is not finite, or too large");
}

void require_directions(std::span<const Vec3d> rows, const std::string& what) {
  require_finite(rows, what);
  for (std::size_t v = 0; v < rows.size(); ++v)
    if (!(length(rows[v]) > 0)) throw InputError("", what + ", vertex " + std::to_string(v), "has no length");
}

void require_sides(std::span<const double> sides, const std::string& what) {
  for (std::size_t v = 0; v < sides.size(); ++v)
    if (sides[v] != 1 && sides[v] != -1)
      throw InputError("", what + ", vertex " + std::to_string(v), "w is neither 1 nor -1");
}

void require_arrays(const JudgeInput& in) {
  const std::size_t count = in.positions.size();
  if (count == 0) throw InputError("", "positions", "are empty");
  if (in.faces.empty()) throw InputError("", "faces", "are empty");
  if (in.pose.empty()) throw InputError("", "pose", "has no bones");
  if (in.influences < 1) throw InputError("", "weights", "have no slots");
  if (!(in.tolerance >= 0) || !std::isfinite(in.tolerance))
    throw InputError("", "tolerance", "must be an angle in degrees, at least 0");
  const auto optional = [&](std::size_t size, const char* what) {
    if (size > 0) require_count(size, count, what);
  };
  require_count(in.bones.size(), count * static_cast<std::size_t>(in.influences), "bones");
  require_count(in.weights.size(), in.bones.size(), "weights");
  require_count(in.normals.size(), count, "normals");
  optional(in.rest_normals.size(), "rest normals");
  optional(in.rest_tangents.size(), "rest tangents");
  optional(in.rest_sides.size(), "rest tangents' w");
  optional(in.uv.size(), "uv");
  optional(in.posed.size(), "posed positions");
  optional(in.tangents.size(), "tangents");
  optional(in.sides.size(), "tangents' w");
  for (std::size_t f = 0; f < in.faces.size(); ++f)
    for (const int v : in.faces[f])
      if (v < 0 || static_cast<std::size_t>(v) >= count)
        throw InputError("", "faces, face " + std::to_string(f),
                         "vertex " + std::to_string(v) + " does not exist");
}

void require_values(const JudgeInput& in) {
  require_finite(in.positions, "positions");
  require_finite(in.posed, "posed positions");
  require_directions(in.rest_normals, "rest normals");
  require_directions(in.rest_tangents, "rest tangents");
  require_directions(in.normals, "normals");
  require_directions(in.tangents, "tangents");
  require_sides(in.rest_sides, "rest tangents");
  require_sides(in.sides, "tangents");
  for (std::size_t v = 0; v < in.uv.size(); ++v)
    if (!std::isfinite(in.uv[v].x) || !std::isfinite(in.uv[v].y))
      throw InputError("", "uv, vertex " + std::to_string(v), "is not finite");
  if (!in.tangents.empty() && in.rest_tangents.empty() && in.uv.empty())
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

std::vector<Vec3d> normalized(std::vector<Vec3d> v) {
  for (Vec3d& a : v) a = a / length(a);
  return v;
}

// Rest tangents as they were given, made orthogonal to the normals.
void use_given_frames(const JudgeInput& in, RiggedMesh& mesh) {
  for (std::size_t v = 0; v < mesh.p0.size(); ++v) {
    const Vec3d n = mesh.n0[v], flat = in.rest_tangents[v] - n * dot(in.rest_tangents[v], n);
    if (!(length(flat) > kUnitTolerance * length(in.rest_tangents[v])))
      throw InputError("", "rest tangents, vertex " + std::to_string(v), "is parallel to the rest normal");
    mesh.t0[v] = normalize(flat);
    mesh.handedness[v] = in.rest_sides.empty() ? 1 : in.rest_sides[v];
    mesh.b0[v] = cross(n, mesh.t0[v]) * mesh.handedness[v];
    mesh.frame_source[v] = FrameSource::file;
  }
}

RiggedMesh rigged_mesh(const JudgeInput& in, std::vector<Warning>& warnings) {
  RiggedMesh mesh;
  mesh.faces = in.faces;
  mesh.p0 = in.positions;
  mesh.uv = in.uv;
  mesh.bone_count = static_cast<int>(in.pose.size());
  mesh.slots = in.influences;
  mesh.bone = in.bones;
  mesh.weight = in.weights;
  as_error_of("bones and weights", [&] { normalize_weights(mesh, warnings); });
  if (in.rest_normals.empty()) {
    const std::vector<int> alike = weld_vertices(mesh.p0, [](int, int) { return true; });
    mesh.n0 = vertex_normals(Surface(mesh.faces, alike), mesh.p0, Averaging::area);
  } else {
    mesh.n0 = normalized(in.rest_normals);
  }
  compute_tangent_frames(mesh);
  if (!in.rest_tangents.empty()) use_given_frames(in, mesh);
  if (const double dropped = limit_influences(mesh, kMaxSlots); dropped > 0)
    warnings.push_back({"weights", "more than " + std::to_string(kMaxSlots) +
                                       " influences per vertex; the smallest were dropped, weights up to " +
                                       std::to_string(dropped)});
  validate(mesh);
  return mesh;
}

std::vector<int> first_bones(const JudgeInput& in) {
  std::vector<int> first;
  for (std::size_t i = 0; i < in.bones.size(); i += static_cast<std::size_t>(in.influences))
    first.push_back(in.bones[i]);
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

// A posed frame's sign is the rest frame's, changed where the bones mirror.
SideFinding judge_sides(std::span<const double> theirs, const RiggedMesh& mesh, double orientation) {
  SideFinding found;
  int positive = 0, count = mesh.vertex_count();
  for (int v = 0; v < count; ++v) {
    const auto i = static_cast<std::size_t>(v);
    const double right = mesh.handedness[i] * orientation;
    if (theirs[i] != right) ++found.wrong;
    if (right < 0) ++found.mirrored;
    if (theirs[i] > 0) ++positive;
  }
  const bool both = found.mirrored > 0 && found.mirrored < count;
  found.reversed = found.wrong == count;
  found.lost = both && (positive == 0 || positive == count);
  return found;
}

}  // namespace

Judgement judge(const JudgeInput& in) {
  require_arrays(in);
  require_values(in);
  Judgement out;
  const RiggedMesh mesh = rigged_mesh(in, out.warnings);
  const Surface surface(mesh.faces, weld(mesh));
  const int slots = std::clamp(in.slots, mesh.slots, kMaxSlots);
  const NormalRecord factors = deform_factors(mesh, surface, {.max_slots = slots, .threads = in.threads});
  const NormalRecord vectors = deform_vectors(mesh, surface, {.max_slots = slots, .threads = in.threads});
  SkinData data(factors);
  data.vectors = &vectors;
  RotationCentres centres;
  if (in.method == Method::crs) {
    centres = rotation_centres(mesh, surface, {.threads = in.threads});
    data.centres = &centres;
  }
  const Pose pose = as_error_of("pose", [&] { return make_pose(in.pose); });
  PosedTruth truth = posed_truth(mesh, surface, data, pose, in.method, in.threads);
  if (!in.posed.empty()) {
    measure_positions(in.posed, truth.p, out);
    truth = truth_of_positions(mesh, surface, pose, in.posed, in.method);
  }
  if (!(std::any_of(truth.areas.begin(), truth.areas.end(), [](double a) { return a > 0; })))
    throw InputError("", "faces", "have no area when posed");

  out.vertices = mesh.vertex_count();
  out.welded = surface.vertex_count();
  out.faces = surface.face_count();
  out.bones = mesh.bone_count;
  out.influences = mesh.slots;
  out.method = in.method;
  out.tolerance = in.tolerance;

  const std::vector<int> first = first_bones(in);
  const PosedRig rig{mesh, surface, data, pose, in.method, truth, first};
  const std::string weighting = "deformed area";
  const std::vector<Explanation> of_normals = normal_explanations(rig);
  out.normals.transported = angular_error(in.normals, truth.transported, truth.areas, weighting);
  out.normals.recomputed = angular_error(in.normals, truth.recomputed, truth.areas, weighting);
  out.normals.diagnosis = diagnose(in.normals, of_normals, truth.areas, {}, in.tolerance);
  out.normals.lengths = judge_lengths(in.normals, of_normals);
  if (!in.tangents.empty()) {
    const std::vector<Explanation> of_tangents = tangent_explanations(rig);
    out.has_tangents = true;
    out.tangents.transported = angular_error(in.tangents, of_tangents.front().v, truth.areas, weighting);
    out.tangents.diagnosis = diagnose(in.tangents, of_tangents, truth.areas, in.normals, in.tolerance);
    out.tangents.lengths = judge_lengths(in.tangents, of_tangents);
  }
  if (!in.sides.empty()) {
    out.has_sides = true;
    out.sides = judge_sides(in.sides, mesh, pose.orientation);
  }
  return out;
}

}  // namespace skinlight
