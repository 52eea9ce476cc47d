// A rig without defects, and what plants one in it.
#pragma once

#include <cmath>
#include <functional>
#include <set>
#include <stdexcept>
#include <string>
#include <vector>

#include "skinlight/audit/health.h"
#include "skinlight/core/detail/at.h"
#include "skinlight/samples/procedural.h"

namespace skinlight::test_health {

using Kinds = std::set<std::string>;

inline Mat4x3d moved(Vec3d t) { return {Vec3d(1, 0, 0), Vec3d(0, 1, 0), Vec3d(0, 0, 1), t}; }

// A pill on two bones, the upper one at z = 2, the lower one, its child, at z = -.5, before repairs.
inline Model pill_model() {
  Model model;
  model.mesh = pill({.segments = 24}).mesh;
  Node upper, lower;
  upper.name = "upper";
  upper.translation = {0, 0, 2};
  lower.name = "lower";
  lower.parent = 0;
  lower.translation = {0, 0, -2.5};
  model.skeleton = {{upper, lower}, {0, 1}, {moved({0, 0, -2}), moved({0, 0, .5})}};
  return model;
}

// What a reader does.
inline Health health_of(Model model, const std::function<void(RawAttributes&)>& change_raw = {},
                        const HealthOptions& options = {}, int threads = 0) {
  RawAttributes raw = raw_attributes(model.mesh);
  if (change_raw) change_raw(raw);
  std::vector<Warning> repairs;  // findings tell more of them
  normalize_weights(model.mesh, repairs);
  return check_health(Character(std::move(model), {}, threads), raw, options);
}

inline Kinds kinds(const Health& health) {
  Kinds found;
  for (const Finding& f : health.findings) found.emplace(f.kind->id);
  return found;
}

inline const Finding& finding(const Health& health, const std::string& kind) {
  for (const Finding& f : health.findings)
    if (f.kind->id == kind) return f;
  throw std::out_of_range("no finding " + kind);
}

inline const Kinds kNothingWrong = {"positions-split", "tangents-missing", "standard-normals-off"};

inline Kinds with(Kinds kinds, const std::string& more) {
  kinds.insert(more);
  return kinds;
}

// A vertex that only bone 0 moves, far from the seam of the texture.
inline int rigid_vertex(const RiggedMesh& mesh) {
  for (int v = 0; v < mesh.vertex_count(); ++v)
    if (mesh.p0[at(v)].z > 1.7 && mesh.p0[at(v)].x < -.5 && mesh.weights_of(v)[0] == 1) return v;
  return -1;
}

// A vertex on the seam with twins at its position, rigid too.
inline int seam_vertex(const RiggedMesh& mesh) {
  for (int v = 0; v < mesh.vertex_count(); ++v)
    for (int w = 0; w < v; ++w)
      if (mesh.p0[at(v)] == mesh.p0[at(w)] && mesh.p0[at(v)].z > 1.7) return v;
  return -1;
}

inline void set_weights(RiggedMesh& mesh, int v, std::vector<int> bones, std::vector<double> weights) {
  for (std::size_t k = 0; k < bones.size(); ++k) {
    mesh.bone[at(v) * at(mesh.slots) + k] = bones[k];
    mesh.weight[at(v) * at(mesh.slots) + k] = weights[k];
  }
}

// Appends a triangle that is not connected to the rest, bound to bone 0.
inline int append_triangle(RiggedMesh& mesh, Vec3d p, Vec3d q, Vec3d r, std::vector<Vec2d> uv) {
  const int first = mesh.vertex_count();
  mesh.faces.push_back({first, first + 1, first + 2});
  for (const Vec3d& corner : {p, q, r}) {
    mesh.p0.push_back(corner);
    mesh.n0.push_back(normalize(cross(q - p, r - p)));
    mesh.bone.insert(mesh.bone.end(), at(mesh.slots), 0);
    mesh.weight.push_back(1);
    mesh.weight.insert(mesh.weight.end(), at(mesh.slots) - 1, 0.0);
  }
  mesh.uv.insert(mesh.uv.end(), uv.begin(), uv.end());
  compute_tangent_frames(mesh);
  return first;
}

inline const std::vector<Vec2d> kUnwrapped = {{0, 0}, {1, 0}, {0, 1}};

inline Clip clip_of(int node, Path path, std::vector<double> value) {
  Channel channel;
  channel.node = node;
  channel.path = path;
  channel.times = {0, 1};
  channel.values = value;
  channel.values.insert(channel.values.end(), value.begin(), value.end());
  return {"test", 1, {channel}};
}

// As clip_of(), but without a clip that bends, standard normals are right.
inline const Kinds kNothingWrongUnbent = {"positions-split", "tangents-missing"};

// The pill with a third bone in the place of the second, its child, which moves nothing yet.
inline Model three_bones() {
  Model model = pill_model();
  model.skeleton.nodes.push_back({.name = "third", .parent = 1});
  model.skeleton.bone_node.push_back(2);
  model.skeleton.inverse_bind.push_back(moved({0, 0, .5}));
  RiggedMesh& mesh = model.mesh;
  mesh.bone_count = mesh.slots = 3;
  std::vector<int> bone;
  std::vector<double> weight;
  for (std::size_t v = 0; v < mesh.p0.size(); ++v) {
    bone.insert(bone.end(), {mesh.bone[2 * v], mesh.bone[2 * v + 1], 2});
    weight.insert(weight.end(), {mesh.weight[2 * v], mesh.weight[2 * v + 1], 0});
  }
  mesh.bone = bone;
  mesh.weight = weight;
  return model;
}

inline Clip named(std::string name, Clip clip) {
  clip.name = std::move(name);
  return clip;
}

// Nothing moves.
inline Clip at_rest() { return named("calm", clip_of(1, Path::rotation, {0, 0, 0, 1})); }

// The rig in another unit: 100 of it are one of before.
inline Model enlarged(Model model) {
  for (Vec3d& p : model.mesh.p0) p = p * 100;
  for (Node& node : model.skeleton.nodes) node.translation = node.translation * 100;
  for (Mat4x3d& m : model.skeleton.inverse_bind) m[3] = m[3] * 100;
  return model;
}

}  // namespace skinlight::test_health
