// Meshes posed by the kernels of deform frames vertex by vertex, without skin().
#pragma once

#include <limits>
#include <string_view>
#include <vector>

#include "skinlight/core/glsl.h"
#include "skinlight/preprocess/deform_frames.h"
#include "skinlight/rig/rigid_pose.h"
#include "skinlight/rig/twist.h"
#include "skinlight/skinning/kernel_table.h"
#include "skinlight/skinning/vertex_centre.h"

namespace skinlight::test_frames {

template <class Scalar, int Influences_>
using FrameKernels = Kernels<Scalar, Influences_>;

// What the kernels of one vertex read.
template <class K>
struct FrameInput {
  typename K::RestVertex rest;
  typename K::RigidInfluences y;
  typename K::TwistInfluences z;
  typename K::DeformFrames frames;
  typename K::vec3 centre;
};

template <class K>
typename K::PosedVertex posed(Method method, const FrameInput<K>& in) {
  switch (method) {
    case Method::dqs:
      return K().dqs_deform_frames(in.y, in.frames, in.rest);
    case Method::crs:
      return K().crs_deform_frames(in.y, in.frames, in.centre, in.rest);
    case Method::sbs:
      return K().sbs_deform_frames(in.y, in.frames, in.centre, in.rest);
    default:
      return K().turned(K().log_deform_frames(in.z, in.frames, in.rest), in.rest);
  }
}

template <class K>
void set_bone(FrameInput<K>& in, int slot, const DualQuat& q, double weight) {
  using real = typename K::real;
  using vec3 = typename K::vec3;
  const auto quaternion = [](const Quat& a) {
    return typename K::Quaternion{real(a[3]), vec3(real(a[0]), real(a[1]), real(a[2]))};
  };
  in.y.q[slot] = {quaternion(q.r), quaternion(q.d)};
  const Twist xi = log_of(q);
  in.z.xi[slot] = {vec3(xi.turn), vec3(xi.shift)};
  in.y.w[slot] = in.z.w[slot] = real(weight);
}

// What test-then-fix would make of the vertex under dual quaternions: of what frames add to the turned frame.
template <class K>
typename K::PosedVertex guarded(const FrameInput<K>& in, typename K::real kept) {
  using real = typename K::real;
  const typename K::PosedVertex free = posed(Method::dqs, in), turned = K().dqs_standard(in.y, in.rest);
  const typename K::TangentTerms terms = {free.p,   turned.t,          turned.b,
                                          turned.n, free.t - turned.t, free.b - turned.b};
  return K().joined(K().guard_test_then_fix(terms, real(std::numeric_limits<double>::max()), kept));
}

// Normals of a mesh, #V by 3, unit. Of all methods but SBS, whose centres belong to poses. centres: of CRS. kept: of the
// guard, under DQS; 0 without one.
template <class Real>
std::vector<Vec3d> frame_normals(const RiggedMesh& mesh, const FrameRecord& frames,
                                 const RotationCentres* centres, const Pose& pose, Method method,
                                 double kept = 0) {
  using K = FrameKernels<Real, kMaxSlots>;
  using vec3 = typename K::vec3;
  const RigidPose rigid = rigid_part(pose, bone_reach(mesh));
  const std::vector<double> orientation = orientations(mesh, pose);
  std::vector<Vec3d> normals;
  for (int v = 0; v < mesh.vertex_count(); ++v) {
    const auto i = static_cast<std::size_t>(v);
    FrameInput<K> in{};
    const typename K::RestVertex at_rest = {vec3(mesh.p0[i]), vec3(mesh.n0[i]), vec3(mesh.t0[i]),
                                            vec3(mesh.b0[i])};
    in.rest = K().rest_scaled(at_rest, Real(rigid.scale));
    if (method == Method::crs) in.centre = vec3(centre_of(mesh, *centres, v).c) * Real(rigid.scale);
    for (int s = 0; s < kMaxSlots; ++s) {
      const bool used = s < frames.slots;
      const std::size_t slot = frames.at(v, used ? s : 0);
      set_bone(in, s, rigid.bones[static_cast<std::size_t>(frames.bone[slot])],
               used ? frames.weight[slot] : 0);
      for (int k = 0; used && k < K::FRAMES; ++k)
        in.frames.w[K::INFLUENCES * k + s] = Real(frames.frame_offset[frames.at_offset(v, k, s)]);
    }
    for (int k = 0; k < K::FRAMES; ++k) {
      const std::size_t frame = frames.at_frame(v, k);
      in.frames.t[k] = vec3(frames.frame_t[frame]);
      in.frames.b[k] = vec3(frames.frame_b[frame]);
      in.frames.alpha[k] = Real(frames.frame_alpha[frame]);
      in.frames.beta[k] = Real(frames.frame_beta[frame]);
      if (!frames.frame_centre.empty()) in.frames.centre[k] = vec3(frames.frame_centre[frame]);
    }
    in.frames = K().frames_scaled(in.frames, Real(rigid.scale));
    const Real side = Real(mesh.handedness[i] * orientation[i]);
    normals.push_back(
        Vec3d(K().finish(kept > 0 ? guarded(in, Real(kept)) : posed(method, in), at_rest, side).n));
  }
  return normals;
}

}  // namespace skinlight::test_frames
