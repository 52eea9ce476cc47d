// The rig of c_groups.c, once as the library has it and once to call with.
#pragma once

#include <gtest/gtest.h>

#include <vector>

#include "c_groups.h"
#include "skinlight/rig/pose.h"
#include "skinlight/rig/rigged_mesh.h"

namespace skinlight {

// The rig and the pose of c_groups.c.
inline RiggedMesh strip() {
  RiggedMesh mesh;
  for (int v = 0; v < C_VERTICES; ++v) {
    mesh.p0.emplace_back(v % 2, v / 2, 0);
    mesh.n0.emplace_back(0, 0, 1);
    const double w = v < 2 ? 0 : v < 4 ? .5 : 1;
    mesh.bone.insert(mesh.bone.end(), {0, 1});
    mesh.weight.insert(mesh.weight.end(), {1 - w, w});
  }
  mesh.faces = {{0, 1, 2}, {2, 1, 3}, {2, 3, 4}, {4, 3, 5}};
  mesh.bone_count = mesh.slots = 2;
  std::vector<Warning> warnings;
  normalize_weights(mesh, warnings);
  compute_tangent_frames(mesh);
  return mesh;
}

inline Pose folded() {
  return make_pose({Mat4x3d({1, 0, 0}, {0, 1, 0}, {0, 0, 1}, {0, 0, 0}),
                    Mat4x3d({1, 0, 0}, {0, 0, 1}, {0, -1, 0}, {0, 1, -1})});
}

// A rig in double, to call with.
class Rig : public testing::Test {
 protected:
  Rig() {
    for (int v = 0; v < C_VERTICES; ++v) {
      for (const double x :
           {mesh_.p0[static_cast<std::size_t>(v)].x, mesh_.p0[static_cast<std::size_t>(v)].y, 0.})
        positions_.push_back(x);
    }
    arrays_.struct_size = sizeof arrays_;
    arrays_.vertex_count = C_VERTICES;
    arrays_.face_count = mesh_.faces.size();
    arrays_.bone_count = arrays_.influences = 2;
    arrays_.positions = skinlight_doubles(positions_.data());
    arrays_.faces = {mesh_.faces.data(), 0, SKINLIGHT_I32};
    arrays_.bones = {mesh_.bone.data(), 0, SKINLIGHT_I32};
    arrays_.weights = skinlight_doubles(mesh_.weight.data());
    pose_ = {1, 0, 0, 0, 0, 1, 0, 0, 0, 0, 1, 0, 1, 0, 0, 0, 0, 0, -1, 1, 0, 1, 0, -1};
    out_.struct_size = sizeof out_;
    out_.normals = skinlight_double_output(normals_.data());
    EXPECT_EQ(skinlight_rig_create(&arrays_, nullptr, &rig_), SKINLIGHT_OK) << skinlight_error_text();
  }
  ~Rig() override { skinlight_rig_free(rig_); }

  skinlight_status skin(skinlight_skin_options options = {}) {
    options.struct_size = sizeof options;
    return skinlight_skin(rig_, skinlight_doubles(pose_.data()), &options, &out_);
  }

  RiggedMesh mesh_ = strip();
  std::vector<double> positions_, pose_, normals_ = std::vector<double>(3 * C_VERTICES);
  skinlight_rig_arrays arrays_ = {};
  skinlight_skin_output out_ = {};
  skinlight_rig* rig_ = nullptr;
};

}  // namespace skinlight
