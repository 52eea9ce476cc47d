// Random rigs with what a program would hand to judge(), and their bones in Eigen, for plants that owe
// nothing to the code under test.
#pragma once

#include <gtest/gtest.h>

#include <Eigen/Dense>
#include <algorithm>
#include <vector>

#include "skinlight/audit/judge.h"
#include "skinlight/core/detail/eigen.h"
#include "skinlight/preprocess/bitangent_side.h"
#include "testing/rigs.h"

namespace skinlight::test_judge {

struct Case {
  JudgeInput input;  // without normals
  RiggedMesh mesh;   // the same rig, slots sorted
  Pose pose;

  // After input.pose changed.
  void use_pose() { pose = make_pose(input.pose); }

  Eigen::Vector3d p0(int v) const { return eigen(input.rig.positions[static_cast<std::size_t>(v)]); }
  Eigen::Vector3d n0(int v) const { return eigen(input.rig.rest_normals[static_cast<std::size_t>(v)]); }
  Eigen::Vector3d t0(int v) const { return eigen(input.rig.rest_tangents[static_cast<std::size_t>(v)]); }
  double side(int v) const { return input.rig.rest_sides[static_cast<std::size_t>(v)]; }

  int slot(int v, int k) const {
    return input.rig.bones[static_cast<std::size_t>(v * input.rig.influences + k)];
  }
  double weight(int v, int k) const {
    return input.rig.weights[static_cast<std::size_t>(v * input.rig.influences + k)];
  }
  int strongest(int v) const {
    int best = 0;
    for (int k = 1; k < input.rig.influences; ++k)
      if (weight(v, k) > weight(v, best)) best = k;
    return slot(v, best);
  }
  Eigen::Matrix3d M(int bone) const {
    const Mat4x3d& m = input.pose[static_cast<std::size_t>(bone)];
    Eigen::Matrix3d a;
    a << eigen(m[0]), eigen(m[1]), eigen(m[2]);
    return a;
  }
  Eigen::Vector3d origin(int bone) const { return eigen(input.pose[static_cast<std::size_t>(bone)][3]); }
  Eigen::Matrix3d T(int v) const {
    Eigen::Matrix3d sum = Eigen::Matrix3d::Zero();
    for (int k = 0; k < input.rig.influences; ++k) sum += weight(v, k) * M(slot(v, k));
    return sum;
  }
  Eigen::Vector3d translation(int v) const {
    Eigen::Vector3d sum = Eigen::Vector3d::Zero();
    for (int k = 0; k < input.rig.influences; ++k) sum += weight(v, k) * origin(slot(v, k));
    return sum;
  }
  template <class F>
  std::vector<Vec3d> per_vertex(F f) const {
    std::vector<Vec3d> rows;
    for (int v = 0; v < mesh.vertex_count(); ++v) {
      const Eigen::Vector3d a = f(v);
      rows.emplace_back(a.x(), a.y(), a.z());
    }
    return rows;
  }
};

// 258 vertices, slots in random order; the tangent frames of one half are mirrored. Bones turn by up to 60 degrees, and
// with `rigid` do nothing but turn and move.
inline Case random_case(std::uint64_t seed, bool rigid, int bones = 4, int slots = 3) {
  Random random(seed);
  Case c;
  c.mesh = test_rigs::bind(test_meshes::bumpy_sphere(3, random), bones, slots, random);
  c.pose = rigid ? test_rigs::random_rigid_pose(bones, random, 1.0, .4)
                 : test_rigs::random_affine_pose(bones, random, .6);
  JudgeInput& in = c.input;
  in.rig.positions = c.mesh.p0;
  in.rig.faces = c.mesh.faces;
  in.rig.influences = slots;
  in.rig.bones = c.mesh.bone;
  in.rig.weights = c.mesh.weight;
  in.pose = c.pose.M;
  in.rig.rest_normals = c.mesh.n0;
  in.rig.rest_tangents = c.mesh.t0;
  in.rig.rest_sides = c.mesh.handedness;
  for (double& w : in.rig.rest_sides) w = gltf_w(w);
  for (std::size_t v = 0; v < in.rig.positions.size(); ++v) {
    const std::size_t first = v * static_cast<std::size_t>(slots),
                      other = first + static_cast<std::size_t>(random.below(slots));
    std::swap(in.rig.bones[first], in.rig.bones[other]);
    std::swap(in.rig.weights[first], in.rig.weights[other]);
    if (in.rig.positions[v].x > 0) continue;
    c.mesh.handedness[v] = -c.mesh.handedness[v];
    in.rig.rest_sides[v] = -in.rig.rest_sides[v];
    c.mesh.b0[v] = -c.mesh.b0[v];
  }
  return c;
}

// The explanation that the verdict names, or the nearest one.
inline const Fit& named(const Judged& judged) {
  EXPECT_TRUE(judged.diagnosis.verdict.explained);
  return judged.diagnosis.fits.at(static_cast<std::size_t>(std::max(judged.diagnosis.verdict.named, 0)));
}

// The ids of those that no test here could tell from the one named.
inline std::vector<std::string> same_here(const Judged& judged) {
  std::vector<std::string> ids;
  for (const int i : judged.diagnosis.verdict.same_here)
    ids.push_back(judged.diagnosis.fits[static_cast<std::size_t>(i)].id);
  return ids;
}

inline std::vector<Vec3d> unit(std::vector<Vec3d> v) {
  for (Vec3d& a : v) a = a / length(a);
  return v;
}

}  // namespace skinlight::test_judge
