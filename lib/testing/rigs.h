// Random rigs and poses for tests.
#pragma once

#include <algorithm>
#include <cmath>
#include <numeric>
#include <vector>

#include "skinlight/mesh/normals.h"
#include "skinlight/rig/pose.h"
#include "skinlight/rig/rigged_mesh.h"
#include "testing/meshes.h"

namespace skinlight::test_rigs {

// The mesh bound to `bones` bones around it with smooth weights; each vertex keeps its `slots` strongest.
inline RiggedMesh bind(const test_meshes::TriangleMesh& shape, int bones, int slots, Random& random) {
  RiggedMesh mesh;
  mesh.faces = shape.faces;
  mesh.p0 = shape.p;
  mesh.n0 = vertex_normals(Surface(shape.faces, shape.no_weld()), shape.p, Averaging::area);
  mesh.bone_count = mesh.slots = bones;
  double size = 0;
  for (const Vec3d& p : shape.p) size = std::max(size, length(p));
  std::vector<Vec3d> centre;
  for (int s = 0; s < bones; ++s) centre.push_back(random.in_cube(size));
  for (const Vec3d& p : shape.p)
    for (int s = 0; s < bones; ++s) {
      const Vec3d d = p - centre[static_cast<std::size_t>(s)];
      mesh.bone.push_back(s);
      mesh.weight.push_back(std::exp(-2 * dot(d, d) / (size * size)));
    }
  std::vector<Warning> warnings;
  normalize_weights(mesh, warnings);
  limit_influences(mesh, slots);
  compute_tangent_frames(mesh);
  return mesh;
}

// The mesh with weights that differ wildly from vertex to vertex.
inline RiggedMesh bind_jagged(const test_meshes::TriangleMesh& shape, int bones, int slots, Random& random) {
  RiggedMesh mesh = bind(shape, bones, slots, random);
  for (double& w : mesh.weight) w = random.below(4) == 0 ? 0 : random.uniform();
  for (int& s : mesh.bone) s = random.below(bones);
  std::vector<Warning> warnings;
  normalize_weights(mesh, warnings);
  return mesh;
}

inline Mat3d rotation(Vec3d axis, double angle) {
  const double c = std::cos(angle), s = std::sin(angle);
  const Vec3d a = axis, v = axis * (1 - c);
  return {Vec3d(c + v.x * a.x, v.x * a.y + s * a.z, v.x * a.z - s * a.y),
          Vec3d(v.y * a.x - s * a.z, c + v.y * a.y, v.y * a.z + s * a.x),
          Vec3d(v.z * a.x + s * a.y, v.z * a.y - s * a.x, c + v.z * a.z)};
}

inline Mat4x3d transform(const Mat3d& linear, Vec3d translation) {
  return {linear[0], linear[1], linear[2], translation};
}

// Turned by up to `angle` radians about a random axis and moved by up to `distance` per axis.
inline Mat4x3d random_rigid(Random& random, double angle, double distance) {
  const Vec3d translation = random.in_cube(distance);
  const double turn = random.uniform(-angle, angle);
  return transform(rotation(random.direction(), turn), translation);
}

// Any regular affine map near the identity: rotation, shear, scale.
inline Mat4x3d random_affine(Random& random, double amount) {
  Mat4x3d M = random_rigid(random, amount, amount);
  for (int c = 0; c < 3; ++c) M[c] += random.in_cube(.4 * amount);
  return M;
}

inline Pose random_rigid_pose(int bones, Random& random, double angle = .5, double distance = .3) {
  std::vector<Mat4x3d> M;
  for (int s = 0; s < bones; ++s) M.push_back(random_rigid(random, angle, distance));
  return make_pose(std::move(M));
}

inline Pose random_affine_pose(int bones, Random& random, double amount = .5) {
  std::vector<Mat4x3d> M;
  for (int s = 0; s < bones; ++s) M.push_back(random_affine(random, amount));
  return make_pose(std::move(M));
}

// The same pose seen in a mirror: every bone reflects x.
inline Pose mirrored(const Pose& pose) {
  std::vector<Mat4x3d> M = pose.M;
  for (Mat4x3d& m : M)
    for (int c = 0; c < 4; ++c) m[c].x = -m[c].x;
  return make_pose(std::move(M));
}

// The mesh in a mirrored texture: u runs backwards, so t0 turns round and handedness changes.
inline void mirror_uv(RiggedMesh& mesh) {
  for (std::size_t v = 0; v < mesh.p0.size(); ++v) {
    mesh.t0[v] = -mesh.t0[v];
    mesh.handedness[v] = -mesh.handedness[v];
  }
}

}  // namespace skinlight::test_rigs
