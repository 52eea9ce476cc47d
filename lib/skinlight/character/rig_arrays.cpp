#include "skinlight/character/rig_arrays.h"

#include <algorithm>
#include <cmath>

#include "skinlight/core/error.h"
#include "skinlight/mesh/normals.h"
#include "skinlight/mesh/weld.h"
#include "skinlight/preprocess/bitangent_side.h"
#include "skinlight/preprocess/slots.h"

namespace skinlight {

namespace {

// Beyond this, areas and determinants leave the range of double.
constexpr double kLargest = 1e60;

void require_arrays(const RigArrays& in) {
  const std::size_t count = in.positions.size();
  if (count == 0) throw InputError("", "positions", "are empty");
  if (in.faces.empty()) throw InputError("", "faces", "are empty");
  if (in.influences < 1) throw InputError("", "weights", "have no slots");
  const auto optional = [&](std::size_t size, const char* what) {
    if (size > 0) require_count(size, count, what);
  };
  require_count(in.bones.size(), count * static_cast<std::size_t>(in.influences), "bones");
  require_count(in.weights.size(), in.bones.size(), "weights");
  optional(in.rest_normals.size(), "rest normals");
  optional(in.rest_tangents.size(), "rest tangents");
  optional(in.rest_sides.size(), "rest tangents' w");
  optional(in.uv.size(), "uv");
  for (std::size_t f = 0; f < in.faces.size(); ++f)
    for (const int v : in.faces[f])
      if (v < 0 || static_cast<std::size_t>(v) >= count)
        throw InputError("", "faces, face " + std::to_string(f),
                         "vertex " + std::to_string(v) + " does not exist");
}

void require_values(const RigArrays& in, int bone_count) {
  require_finite(in.positions, "positions");
  require_directions(in.rest_normals, "rest normals");
  require_directions(in.rest_tangents, "rest tangents");
  require_sides(in.rest_sides, "rest tangents");
  const auto vertex = [&](std::size_t slot) {
    return ", vertex " + std::to_string(slot / static_cast<std::size_t>(in.influences));
  };
  for (std::size_t i = 0; i < in.bones.size(); ++i)
    if (in.bones[i] < 0 || in.bones[i] >= bone_count)
      throw InputError("", "bones" + vertex(i), "bone " + std::to_string(in.bones[i]) + " does not exist");
  // In files they are repaired; who hands over arrays can mend what made them.
  for (std::size_t i = 0; i < in.weights.size(); ++i)
    if (in.weights[i] < 0) throw InputError("", "weights" + vertex(i), "weight is negative");
  for (std::size_t v = 0; v < in.uv.size(); ++v)
    if (!std::isfinite(in.uv[v].x) || !std::isfinite(in.uv[v].y))
      throw InputError("", "uv, vertex " + std::to_string(v), "is not finite");
}

std::vector<Vec3d> normalized(std::vector<Vec3d> v) {
  for (Vec3d& a : v) a = a / length(a);
  return v;
}

// Rest tangents as they were given, made orthogonal to the normals.
void use_given_frames(const RigArrays& in, RiggedMesh& mesh) {
  for (std::size_t v = 0; v < mesh.p0.size(); ++v) {
    const Vec3d n = mesh.n0[v], flat = in.rest_tangents[v] - n * dot(in.rest_tangents[v], n);
    if (!(length(flat) > kUnitTolerance * length(in.rest_tangents[v])))
      throw InputError("", "rest tangents, vertex " + std::to_string(v), "is parallel to the rest normal");
    mesh.t0[v] = normalize(flat);
    if (!in.rest_sides.empty()) mesh.handedness[v] = handedness_of_w(in.rest_sides[v]);
    mesh.b0[v] = cross(n, mesh.t0[v]) * mesh.handedness[v];
    mesh.frame_source[v] = FrameSource::file;
  }
}

}  // namespace

void require_count(std::size_t actual, std::size_t expected, const std::string& what) {
  if (actual != expected)
    throw InputError("", what,
                     "has " + std::to_string(actual) + " entries, expected " + std::to_string(expected));
}

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

RiggedMesh rigged_mesh(const RigArrays& in, int bone_count, std::vector<Warning>& warnings) {
  require_arrays(in);
  require_values(in, bone_count);
  RiggedMesh mesh;
  mesh.faces = in.faces;
  mesh.p0 = in.positions;
  mesh.uv = in.uv;
  mesh.bone_count = bone_count;
  mesh.slots = in.influences;
  mesh.bone = in.bones;
  mesh.weight = in.weights;
  try {
    normalize_weights(mesh, warnings);
  } catch (const InputError& e) {
    throw InputError("", "weights, " + e.element(), e.reason());
  }
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

std::vector<MorphTarget> morph_targets(std::span<const Vec3d> rows, std::size_t vertices) {
  std::vector<MorphTarget> morphs;
  for (std::size_t first = 0; first < rows.size(); first += vertices) {
    const std::span<const Vec3d> own = rows.subspan(first, vertices);
    const std::string number = std::to_string(morphs.size());
    require_finite(own, "morphs, target " + number);
    MorphTarget& target = morphs.emplace_back();
    target.name = "morph " + number;
    for (std::size_t v = 0; v < vertices; ++v)
      if (dot(own[v], own[v]) > 0) {
        target.vertex.push_back(static_cast<int>(v));
        target.dp.push_back(own[v]);
      }
  }
  return morphs;
}

RigArrays rig_arrays(const RiggedMesh& mesh) {
  RigArrays arrays;
  arrays.positions = mesh.p0;
  arrays.faces = mesh.faces;
  arrays.influences = mesh.slots;
  arrays.bones = mesh.bone;
  arrays.weights = mesh.weight;
  arrays.rest_normals = mesh.n0;
  arrays.uv = mesh.uv;
  if (std::any_of(mesh.frame_source.begin(), mesh.frame_source.end(),
                  [](FrameSource source) { return source == FrameSource::file; })) {
    arrays.rest_tangents = mesh.t0;
    for (const double handedness : mesh.handedness) arrays.rest_sides.push_back(gltf_w(handedness));
  }
  return arrays;
}

}  // namespace skinlight
