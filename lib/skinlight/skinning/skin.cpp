#include "skinlight/skinning/skin.h"

#include <string>

#include "skinlight/core/error.h"
#include "skinlight/core/parallel.h"
#include "skinlight/rig/rigid_pose.h"
#include "skinlight/skinning/kernels.h"

namespace skinlight {

namespace {

constexpr int kSlotCounts[] = {1, 2, 3, 4, 8, 16};

void require_match(const RiggedMesh& mesh, const DeformFactors& factors, const Pose& pose) {
  const auto expect = [](std::size_t actual, std::size_t expected, const char* what) {
    if (actual != expected)
      throw InputError(
          "", what, "has " + std::to_string(actual) + " entries, the mesh needs " + std::to_string(expected));
  };
  if (factors.slots < 1) throw InputError("", "deform factors", "have no slots");
  const std::size_t slots = mesh.p0.size() * static_cast<std::size_t>(factors.slots);
  expect(factors.bone.size(), slots, "bones of the deform factors");
  expect(factors.weight.size(), slots, "weights of the deform factors");
  expect(factors.alpha.size(), slots, "alpha of the deform factors");
  expect(factors.beta.size(), slots, "beta of the deform factors");
  expect(factors.gradient.size(), slots, "gradients of the deform factors");
  for (const int bone : factors.bone)
    if (bone < 0 || bone >= mesh.bone_count)
      throw InputError("", "deform factors",
                       "bone " + std::to_string(bone) + " does not exist (the mesh has " +
                           std::to_string(mesh.bone_count) + ")");
  if (pose.M.size() < static_cast<std::size_t>(mesh.bone_count))
    expect(pose.M.size(), static_cast<std::size_t>(mesh.bone_count), "pose");
}

// The pose as a method's kernels read it: matrices, or rigid motions and the scale of the rest mesh.
template <class Real>
struct Bones {
  std::vector<Mat4x3<Real>> M;
  std::vector<DualQuat> motion;
  Real scale = Real(1);
};

template <class Real>
Bones<Real> bones_of(const RiggedMesh& mesh, const Pose& pose, Method method) {
  Bones<Real> bones;
  if (row(method).rigid) {
    RigidPose rigid = rigid_part(pose, bone_reach(mesh));
    bones.motion = std::move(rigid.bones);
    bones.scale = Real(rigid.scale);
  } else {
    bones.M.reserve(pose.M.size());
    for (const Mat4x3d& m : pose.M) bones.M.emplace_back(m);
  }
  return bones;
}

template <class K>
struct VertexInput {
  typename K::RestVertex rest;
  typename K::Influences x;       // of methods that blend matrices
  typename K::RigidInfluences y;  // of methods that blend rotations
  typename K::RestVertex scaled;  // goes with y
  typename K::DeformFactors f;
  typename K::WeightGradients g;
};

template <class K>
typename K::Quaternion quaternion(const Quat& q) {
  return {typename K::real(q[3]), typename K::vec3(Vec3d(q[0], q[1], q[2]))};
}

// Slots beyond the factors' own are padded with weight 0 on the bone of slot 0: they add nothing.
template <class K>
VertexInput<K> gather(const RiggedMesh& mesh, const DeformFactors& factors,
                      const Bones<typename K::real>& bones, int vertex) {
  using real = typename K::real;
  const auto v = static_cast<std::size_t>(vertex);
  VertexInput<K> in;
  in.rest.p = typename K::vec3(mesh.p0[v]);
  in.rest.n = typename K::vec3(mesh.n0[v]);
  in.rest.t = typename K::vec3(mesh.t0[v]);
  in.rest.b = typename K::vec3(mesh.b0[v]);
  for (int s = 0; s < K::INFLUENCES; ++s) {
    const bool used = s < factors.slots;
    const std::size_t i = factors.at(vertex, used ? s : 0);
    const auto bone = static_cast<std::size_t>(factors.bone[i]);
    const real weight = used ? real(factors.weight[i]) : real(0);
    if (bones.motion.empty()) {
      in.x.M[s] = bones.M[bone];
      in.x.w[s] = weight;
    } else {
      in.y.q[s] = {quaternion<K>(bones.motion[bone].r), quaternion<K>(bones.motion[bone].d)};
      in.y.w[s] = weight;
    }
    in.f.alpha[s] = used ? real(factors.alpha[i]) : real(0);
    in.f.beta[s] = used ? real(factors.beta[i]) : real(0);
    in.g.a[s] = used ? typename K::vec3(factors.gradient[i]) : typename K::vec3(real(0));
  }
  if (!bones.motion.empty()) in.scaled = K().rest_scaled(in.rest, bones.scale);
  return in;
}

template <class K>
typename K::PosedVertex run_guarded(const VertexInput<K>& in, Guard guard, GuardInput with) {
  using real = typename K::real;
  switch (guard) {
    case Guard::none:
      break;
    case Guard::clamp:
      return K().lbs_deform_clamped(in.x, in.f, in.rest, real(with.limit));
    case Guard::joint:
      return K().lbs_deform_joint(in.x, in.f, in.rest, real(with.limit));
    case Guard::test_then_fix:
      return K().lbs_deform_test_then_fix(in.x, in.f, in.rest, real(with.limit), real(with.kept));
  }
  return K().lbs_deform(in.x, in.f, in.rest);
}

template <class K>
typename K::PosedVertex run_lbs(const VertexInput<K>& in, const SkinOptions& options, GuardInput guard) {
  switch (options.mode) {
    case NormalMode::standard:
      return K().lbs_standard(in.x, in.rest);
    case NormalMode::inverse_transpose:
      return K().lbs_exact_inverse_transpose(in.x, in.g, in.rest);
    case NormalMode::cofactors:
      return K().lbs_exact_cofactors(in.x, in.g, in.rest);
    case NormalMode::tangent_pair:
      return K().lbs_exact_tangent_pair(in.x, in.g, in.rest);
    case NormalMode::deform_naive:
      return K().lbs_deform_naive(in.x, in.f, in.rest);
    case NormalMode::deform:
    case NormalMode::exact:
      break;
  }
  return run_guarded(in, options.guard.guard, guard);
}

template <class K>
typename K::PosedVertex run_dqs(const VertexInput<K>& in, NormalMode mode) {
  if (mode == NormalMode::standard) return K().dqs_standard(in.y, in.scaled);
  if (mode == NormalMode::deform) return K().dqs_deform(in.y, in.f, in.scaled);
  return K().dqs_exact(in.y, in.f, in.scaled);
}

template <class Real, int Slots>
void skin_range(const RiggedMesh& mesh, const DeformFactors& factors, const Pose& pose,
                const SkinOptions& options, const Bones<Real>& bones, int begin, int end,
                SkinnedMesh<Real>& out) {
  using K = Kernels<Real, Slots>;
  const GuardInput guard = guard_input(options.guard, pose);
  for (int vertex = begin; vertex < end; ++vertex) {
    const auto v = static_cast<std::size_t>(vertex);
    const VertexInput<K> in = gather<K>(mesh, factors, bones, vertex);
    const double side = normal_side(options.mode, mesh.handedness[v], pose);
    const typename K::PosedVertex posed = K().finish(
        options.method == Method::dqs ? run_dqs<K>(in, options.mode) : run_lbs<K>(in, options, guard),
        in.rest, Real(side));
    out.p[v] = posed.p + Vec3<Real>(pose.pivot);
    out.t[v] = posed.t;
    out.b[v] = posed.b;
    out.n[v] = posed.n;
  }
}

}  // namespace

int kernel_slots(int slots) {
  for (int count : kSlotCounts)
    if (slots <= count) return count;
  throw InputError(
      "", "slots",
      std::to_string(slots) + " per vertex; at most " + std::to_string(kMaxSlots) + " are supported");
}

double normal_side(NormalMode mode, double handedness, const Pose& pose) {
  switch (row(mode).side) {
    case NormalSide::outward:
      return 1;
    case NormalSide::orientation:
      return pose.orientation;
    case NormalSide::frame:
      return pose.orientation * handedness;
  }
  return 1;
}

template <class Real>
SkinnedMesh<Real> skin(const RiggedMesh& mesh, const DeformFactors& factors, const Pose& pose,
                       const SkinOptions& options) {
  require_mode(options.method, options.mode);
  require_match(mesh, factors, pose);
  guard_input(options.guard, pose);  // refuses before any thread starts
  const std::size_t count = mesh.p0.size();
  SkinnedMesh<Real> out{std::vector<Vec3<Real>>(count), std::vector<Vec3<Real>>(count),
                        std::vector<Vec3<Real>>(count), std::vector<Vec3<Real>>(count)};
  const Bones<Real> bones = bones_of<Real>(mesh, pose, options.method);

  const int slots = kernel_slots(factors.slots);
  parallel_for(mesh.vertex_count(), options.threads, [&](int begin, int end) {
    switch (slots) {
      case 1:
        return skin_range<Real, 1>(mesh, factors, pose, options, bones, begin, end, out);
      case 2:
        return skin_range<Real, 2>(mesh, factors, pose, options, bones, begin, end, out);
      case 3:
        return skin_range<Real, 3>(mesh, factors, pose, options, bones, begin, end, out);
      case 4:
        return skin_range<Real, 4>(mesh, factors, pose, options, bones, begin, end, out);
      case 8:
        return skin_range<Real, 8>(mesh, factors, pose, options, bones, begin, end, out);
      default:
        return skin_range<Real, 16>(mesh, factors, pose, options, bones, begin, end, out);
    }
  });
  return out;
}

template SkinnedMesh<float> skin(const RiggedMesh&, const DeformFactors&, const Pose&, const SkinOptions&);
template SkinnedMesh<double> skin(const RiggedMesh&, const DeformFactors&, const Pose&, const SkinOptions&);

}  // namespace skinlight
