// A node's transform to its parent, as FBX takes it together:
//   T Roff Rp Rpre R Rpost^-1 Rp^-1 Soff Sp S Sp^-1
// [FBX SDK, "Computing transformation matrices"], and how it inherits its parent's scale.
#pragma once

#include <string>
#include <vector>

#include "skinlight/asset/fbx/detail/fbx_document.h"
#include "skinlight/asset/fbx/detail/fbx_layers.h"
#include "skinlight/asset/fbx/detail/fbx_track.h"
#include "skinlight/rig/skeleton.h"

namespace skinlight::fbx {

// What becomes of the parent's scale, in the order in which rotations R, r and scales S, s of parent and child
// apply.
enum class Inherit {
  rrss,  // R r S s: the parent's scale acts along the child's own axes
  rsrs,  // R S r s: as matrices multiply
  rrs    // R r s: not that of the parent itself
};

struct Transform {
  Vec3d translation{0, 0, 0}, rotation{0, 0, 0}, scaling{1, 1, 1};  // Lcl; degrees
  Vec3d offset{0, 0, 0};                       // rotation offset and pivot: where the node turns
  Vec3d to_scaling{0, 0, 0};                   // from there to where it scales
  Vec3d from_scaling{0, 0, 0};                 // and from there to its origin
  Quat before{0, 0, 0, 1}, after{0, 0, 0, 1};  // PreRotation, inverse of PostRotation
  int order = 0;                               // RotationOrder
  Inherit inherit = Inherit::rrss;
};

// Of a Model. Throws InputError naming it for numbers that are not finite and rotation orders that do not
// exist; what is not read is a warning.
Transform read_transform(const Object& model, std::vector<Warning>& warnings);

// Geometric translation, rotation and scaling: from the mesh to its node, not inherited.
Mat4x3d geometric_transform(const Object& model);

// The rotation of Euler angles (degrees) in a RotationOrder: quaternion x, y, z, w, continuous in the angles.
Motion euler_turn(int order, const Moving& degrees);

// The rotation of a node whose own angles make `turn`: with what stands before and after.
Motion rotation_of(const Transform& transform, const Motion& turn);

Quat product(const Quat& a, const Quat& b);
Moving product(const Moving& a, const Moving& b);  // by axis

// The matrix that turns a vector by a unit quaternion.
Mat3d turn_of(const Quat& q);

}  // namespace skinlight::fbx
