// The table of skinning methods and of the ways to get their normals. A row here gives a method its CPU
// instances, its GLSL variant, its tests and its names on the command line.
#pragma once

#include <span>
#include <string_view>

namespace skinlight {

enum class Method {
  lbs,  // linear blend skinning
  dqs,  // dual quaternion skinning [KCZO07]
  crs,  // optimised centres of rotation [LH16]: needs SkinData::centres
  sbs,  // spherical blend skinning [KZ05]
  log,  // log-matrix blending [Alexa02]
};

// How tangents and normals follow the positions.
enum class NormalMode {
  standard,           // T n0 [TPS14 Eq. 3]: what engines do
  inverse_transpose,  // J^-T n0 [TPS14 Eq. 2, 7]
  cofactors,          // co(J) n0 [MMG06 Eq. 3, 4]
  tangent_pair,       // (J t0) x (J b0) [TPS14 Eq. 8]
  deform_naive,       // deform factors as in [TPS14 Eq. 10]
  deform,             // deform factors, stable form [TPS14 Eq. 13, 14]; for DQS the approximation of Sec. 4.5
  exact,              // deform factors in the derivative of the blended motion; LBS has it as `deform`
  smoothed,           // the same at weights averaged over the one-ring; positions keep their own
  exact_fixed_centre,  // CRS as if centres were the same all around: no gradient of theirs is stored
  deform_vectors,      // LBS: the posed triangles' own maps, averaged over the one-ring
};

// Which sign a mode's normal still needs to point outwards.
enum class NormalSide {
  outward,      // none
  orientation,  // the pose's: bones that mirror turn cofactors inside out
  frame,        // the pose's orientation times the rest frame's handedness: t x b
};

struct NormalModeRow {
  NormalMode mode;
  std::string_view name;   // command line, CSV, plots
  std::string_view label;  // for people
  std::string_view equation;
  NormalSide side;
  bool needs_gradients;  // reads a[s] itself, not the deform factors
};

struct MethodRow {
  Method method;
  std::string_view name;   // "lbs"
  std::string_view label;  // "Linear blend skinning"
  std::span<const NormalMode> modes;
  bool rigid;  // blends rotations: poses go through rigid_part() of rig/rigid_pose.h first
};

std::span<const MethodRow> methods();
std::span<const NormalModeRow> normal_modes();

const MethodRow& row(Method method);
const NormalModeRow& row(NormalMode mode);

// Throws InputError listing the modes that the method has when `mode` is none of them.
void require_mode(Method method, NormalMode mode);

// Throw InputError listing the names that exist.
Method method_from_name(std::string_view name);
NormalMode normal_mode_from_name(std::string_view name);

}  // namespace skinlight
