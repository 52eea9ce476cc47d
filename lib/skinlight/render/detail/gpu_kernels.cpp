#include "skinlight/render/detail/gpu_kernels.h"

#include <string>

#include "skinlight/rig/twist.h"

namespace skinlight {

namespace {

// The kernel calls of the modes, in the names of include/skinned_vertex.glsl.

// The tangents of a derivative, and what a guard leaves of them.
std::string guarded(const std::string& derivative, Guard guard) {
  const std::string terms = "tangent_terms(" + derivative + ", scaled)";
  switch (guard) {
    case Guard::none:
      break;
    case Guard::clamp:
      return "joined(guard_clamp(" + terms + ", guard_limit))";
    case Guard::joint:
      return "joined(guard_joint(" + terms + ", guard_limit))";
    case Guard::test_then_fix:
      return "joined(guard_test_then_fix(" + terms + ", guard_limit, guard_kept))";
  }
  return "turned(" + derivative + ", scaled)";
}

std::string dqs_call(NormalMode mode, Guard guard) {
  if (mode == NormalMode::standard) return "dqs_standard(y, scaled)";
  if (mode == NormalMode::deform) return "dqs_deform(y, f, scaled)";
  if (mode == NormalMode::smoothed) return guarded("dqs_smoothed(y, f, mean, scaled.p)", guard);
  return guarded("dqs_exact(y, f, scaled.p)", guard);
}

std::string crs_call(NormalMode mode, Guard guard) {
  if (mode == NormalMode::standard) return "crs_standard(y, centre.c, scaled)";
  if (mode == NormalMode::exact_fixed_centre)
    return guarded("crs_exact_fixed_centre(y, f, centre.c, scaled.p)", guard);
  if (mode == NormalMode::smoothed) return guarded("crs_smoothed(y, f, mean, centre, scaled.p)", guard);
  return guarded("crs_exact(y, f, centre, scaled.p)", guard);
}

std::string sbs_call(NormalMode mode, Guard guard) {
  if (mode == NormalMode::standard) return "sbs_standard(y, r, scaled)";
  if (mode == NormalMode::smoothed) return guarded("sbs_smoothed(y, f, mean, r, scaled.p)", guard);
  return guarded("sbs_exact(y, f, r, scaled.p)", guard);
}

std::string log_call(NormalMode mode, Guard guard) {
  if (mode == NormalMode::standard) return "log_standard(x, scaled)";
  if (mode == NormalMode::smoothed) return guarded("log_smoothed(x, f, mean, scaled.p)", guard);
  return guarded("log_exact(x, f, scaled.p)", guard);
}

// A kernel of the modes that guards act on, or its `_terms`.
std::string lbs_guarded_call(NormalMode mode, const std::string& suffix) {
  if (mode == NormalMode::smoothed) return "lbs_smoothed" + suffix + "(x, f, mean, rest)";
  if (mode == NormalMode::deform_vectors) return "lbs_deform_vectors" + suffix + "(x, tau, rest)";
  return "lbs_deform" + suffix + "(x, f, rest)";
}

std::string lbs_call(NormalMode mode, Guard guard) {
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
    case NormalMode::smoothed:
    case NormalMode::exact_fixed_centre:
    case NormalMode::deform_vectors:
      break;
  }
  const std::string terms = lbs_guarded_call(mode, "_terms");
  switch (guard) {
    case Guard::none:
      break;
    case Guard::clamp:
      return "joined(guard_clamp(" + terms + ", guard_limit))";
    case Guard::joint:
      return "joined(guard_joint(" + terms + ", guard_limit))";
    case Guard::test_then_fix:
      return "joined(guard_test_then_fix(" + terms + ", guard_limit, guard_kept))";
  }
  return lbs_guarded_call(mode, "");
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

void append_texel(std::vector<float>& texels, Vec3d v) {
  for (const double value : {v.x, v.y, v.z, 0.0}) texels.push_back(static_cast<float>(value));
}

// turn and shift per bone.
std::vector<float> twists(const RigidPose& pose) {
  std::vector<float> texels;
  for (const DualQuat& q : pose.bones) {
    const Twist xi = log_of(q);
    append_texel(texels, xi.turn);
    append_texel(texels, xi.shift);
  }
  return texels;
}

std::string kernel_call(const SkinOptions& options) {
  const Guard guard = options.guard.guard;
  switch (options.method) {
    case Method::lbs:
      break;
    case Method::dqs:
      return dqs_call(options.mode, guard);
    case Method::crs:
      return crs_call(options.mode, guard);
    case Method::sbs:
      return sbs_call(options.mode, guard);
    case Method::log:
      return log_call(options.mode, guard);
  }
  return lbs_call(options.mode, guard);
}

}  // namespace

std::vector<Define> kernel_defines(const SkinOptions& options) {
  std::vector<Define> defines = {{"KERNEL", kernel_call(options)}};
  switch (options.method) {
    case Method::lbs:
      break;
    case Method::dqs:
      return {defines[0], {"RIGID_BONES", "1"}};
    case Method::crs:
      return {defines[0], {"RIGID_BONES", "1"}, {"VERTEX_CENTRES", "1"}};
    case Method::sbs:
      return {defines[0], {"RIGID_BONES", "1"}, {"SET_CENTRES", "1"}};
    case Method::log:
      return {defines[0], {"TWIST_BONES", "1"}};
  }
  if (options.mode == NormalMode::deform_vectors) defines.push_back({"DEFORM_VECTORS", "1"});
  return defines;
}

PoseTexels pose_texels(const Pose& pose, Method method, std::span<const BoneReach> reach,
                       const BoneSets& sets) {
  if (!row(method).rigid) return {matrix_rows(pose), {}, 1, pose.pivot};
  if (method == Method::log) {  // as log_range() of skin_log.cpp
    const RigidPose rigid = rigid_part(with_pivot(pose, -pose.pivot), reach);
    return {twists(rigid), {}, rigid.scale, Vec3d(0.0)};
  }
  const RigidPose rigid = rigid_part(pose, reach);
  PoseTexels texels{dual_quaternions(rigid), {}, rigid.scale, pose.pivot};
  if (method == Method::sbs)
    for (const Vec3d& r : spherical_centres(sets, rigid)) append_texel(texels.centres, r);
  return texels;
}

std::vector<float> centre_texels(const RiggedMesh& mesh, const RotationCentres& centres) {
  require_centres(mesh, &centres);
  std::vector<float> texels;
  for (int v = 0; v < mesh.vertex_count(); ++v) {
    const VertexCentre centre = centre_of(mesh, centres, v);
    for (const Vec3d& value : {centre.c, centre.along_t, centre.along_b}) append_texel(texels, value);
  }
  return texels;
}

std::vector<float> vector_texels(const NormalRecord& vectors, int slots) {
  const std::size_t vertices = vectors.bone.size() / static_cast<std::size_t>(vectors.slots);
  std::vector<float> texels;
  texels.reserve(vertices * static_cast<std::size_t>(slots) * 12);
  for (int v = 0; v < static_cast<int>(vertices); ++v)
    for (int s = 0; s < slots; ++s) {
      const bool used = s < vectors.slots;
      const std::size_t i = vectors.at(v, used ? s : 0);
      const Vec3d t = used ? vectors.along_t[i] : Vec3d(0.0), b = used ? vectors.along_b[i] : Vec3d(0.0);
      for (const double value :
           {double(vectors.bone[i]), used ? vectors.weight[i] : 0.0, used ? vectors.alpha[i] : 0.0,
            used ? vectors.beta[i] : 0.0, t.x, t.y, t.z, 0.0, b.x, b.y, b.z, 0.0})
        texels.push_back(static_cast<float>(value));
    }
  return texels;
}

}  // namespace skinlight
