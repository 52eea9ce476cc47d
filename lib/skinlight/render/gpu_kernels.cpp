#include "skinlight/render/gpu_kernels.h"

namespace skinlight {

namespace {

// The kernel call of a mode, in the names of include/skinned_vertex.glsl.
const char* dqs_call(NormalMode mode) {
  if (mode == NormalMode::standard) return "dqs_standard(y, scaled)";
  if (mode == NormalMode::deform) return "dqs_deform(y, f, scaled)";
  return "dqs_exact(y, f, scaled)";
}

const char* lbs_call(NormalMode mode, Guard guard) {
  switch (mode) {
    case NormalMode::standard:
      return "lbs_standard(x, rest)";
    case NormalMode::inverse_transpose:
      return "lbs_exact_inverse_transpose(x, g, rest)";
    case NormalMode::cofactors:
      return "lbs_exact_cofactors(x, g, rest)";
    case NormalMode::tangent_pair:
      return "lbs_exact_tangent_pair(x, g, rest)";
    case NormalMode::deform_naive:
      return "lbs_deform_naive(x, f, rest)";
    case NormalMode::deform:
    case NormalMode::exact:
      break;
  }
  switch (guard) {
    case Guard::none:
      break;
    case Guard::clamp:
      return "lbs_deform_clamped(x, f, rest, guard_limit)";
    case Guard::joint:
      return "lbs_deform_joint(x, f, rest, guard_limit)";
    case Guard::test_then_fix:
      return "lbs_deform_test_then_fix(x, f, rest, guard_limit, guard_kept)";
  }
  return "lbs_deform(x, f, rest)";
}

// Three rows of a matrix per bone.
std::vector<float> matrix_rows(const Pose& pose) {
  std::vector<float> texels;
  for (const Mat4x3d& m : pose.M)
    for (int r = 0; r < 3; ++r)
      for (int c = 0; c < 4; ++c) texels.push_back(static_cast<float>(m[c][r]));
  return texels;
}

// A rigid motion's r and d per bone.
std::vector<float> dual_quaternions(const RigidPose& pose) {
  std::vector<float> texels;
  for (const DualQuat& q : pose.bones)
    for (const Quat& part : {q.r, q.d})
      for (const double value : part) texels.push_back(static_cast<float>(value));
  return texels;
}

std::string kernel_call(const SkinOptions& options) {
  switch (options.method) {
    case Method::lbs:
      break;
    case Method::dqs:
      return dqs_call(options.mode);
  }
  return lbs_call(options.mode, options.guard.guard);
}

}  // namespace

std::vector<Define> kernel_defines(const SkinOptions& options) {
  std::vector<Define> defines = {{"KERNEL", kernel_call(options)}};
  if (row(options.method).rigid) defines.push_back({"RIGID_BONES", "1"});
  return defines;
}

BoneTexels bone_texels(const Pose& pose, Method method, std::span<const BoneReach> reach) {
  if (!row(method).rigid) return {matrix_rows(pose)};
  const RigidPose rigid = rigid_part(pose, reach);
  return {dual_quaternions(rigid), rigid.scale};
}

}  // namespace skinlight
