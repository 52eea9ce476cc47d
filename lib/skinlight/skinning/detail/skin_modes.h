// Which kernels each method and normal mode is made of, over any scalar: what skin() runs vertex by vertex
// and SkinBatch over lanes. Internal to this room. Nothing here but templates over the kernels: files
// compiled for one instruction set include it (see core/pack.h).
#pragma once

#include "skinlight/skinning/guard.h"
#include "skinlight/skinning/kernels.h"
#include "skinlight/skinning/method.h"

namespace skinlight {

// What the kernels of linear blend skinning are given; a mode reads some of it.
template <class K>
struct LbsInput {
  typename K::RestVertex rest;
  typename K::Influences x;
  typename K::DeformFactors f;
  typename K::SmoothWeights averaged;
  typename K::WeightGradients g;
  typename K::DeformVectors tau;
};

// What the kernels of methods of rigid bones are given.
template <class K>
struct RigidInput {
  typename K::RestVertex rest;  // rest_scaled()
  typename K::RigidInfluences x;
  typename K::DeformFactors f;
  typename K::SmoothWeights averaged;
  typename K::Centre centre;  // CRS: centre_scaled(); SBS: of the set of bones, its derivatives unread
  typename K::TwistInfluences twists;  // LOG, in place of x
};

// The modes that guards act on: those whose tangents are T t0 and something that varying weights add.
constexpr bool takes_guard(Method method, NormalMode mode) {
  if (method == Method::lbs)
    return mode == NormalMode::deform || mode == NormalMode::smoothed || mode == NormalMode::deform_vectors;
  return mode == NormalMode::exact || mode == NormalMode::smoothed || mode == NormalMode::exact_fixed_centre;
}

template <class K>
typename K::PosedVertex unguarded(const LbsInput<K>& in, Method /*lbs*/, NormalMode mode) {
  switch (mode) {
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
    case NormalMode::smoothed:
      return K().lbs_smoothed(in.x, in.f, in.averaged, in.rest);
    case NormalMode::deform_vectors:
      return K().lbs_deform_vectors(in.x, in.tau, in.rest);
    case NormalMode::deform:
    case NormalMode::exact:
    case NormalMode::exact_fixed_centre:
      break;
  }
  return K().lbs_deform(in.x, in.f, in.rest);
}

// The tangents of a mode that takes guards, in the terms that guards act on.
template <class K>
typename K::TangentTerms terms(const LbsInput<K>& in, Method /*lbs*/, NormalMode mode) {
  if (mode == NormalMode::smoothed) return K().lbs_smoothed_terms(in.x, in.f, in.averaged, in.rest);
  if (mode == NormalMode::deform_vectors) return K().lbs_deform_vectors_terms(in.x, in.tau, in.rest);
  return K().lbs_deform_terms(in.x, in.f, in.rest);
}

template <class K>
typename K::Derivative derivative(const RigidInput<K>& in, Method method, NormalMode mode) {
  const bool smoothed = mode == NormalMode::smoothed;
  switch (method) {
    case Method::crs:
      if (smoothed) return K().crs_smoothed(in.x, in.f, in.averaged, in.centre, in.rest.p);
      if (mode == NormalMode::exact_fixed_centre)
        return K().crs_exact_fixed_centre(in.x, in.f, in.centre.c, in.rest.p);
      return K().crs_exact(in.x, in.f, in.centre, in.rest.p);
    case Method::sbs:
      if (smoothed) return K().sbs_smoothed(in.x, in.f, in.averaged, in.centre.c, in.rest.p);
      return K().sbs_exact(in.x, in.f, in.centre.c, in.rest.p);
    case Method::log:
      if (smoothed) return K().log_smoothed(in.twists, in.f, in.averaged, in.rest.p);
      return K().log_exact(in.twists, in.f, in.rest.p);
    case Method::lbs:
    case Method::dqs:
      break;
  }
  if (smoothed) return K().dqs_smoothed(in.x, in.f, in.averaged, in.rest.p);
  return K().dqs_exact(in.x, in.f, in.rest.p);
}

template <class K>
typename K::PosedVertex unguarded(const RigidInput<K>& in, Method method, NormalMode mode) {
  if (mode == NormalMode::standard) {
    if (method == Method::crs) return K().crs_standard(in.x, in.centre.c, in.rest);
    if (method == Method::sbs) return K().sbs_standard(in.x, in.centre.c, in.rest);
    if (method == Method::log) return K().log_standard(in.twists, in.rest);
    return K().dqs_standard(in.x, in.rest);
  }
  if (mode == NormalMode::deform) return K().dqs_deform(in.x, in.f, in.rest);
  return K().turned(derivative<K>(in, method, mode), in.rest);
}

template <class K>
typename K::TangentTerms terms(const RigidInput<K>& in, Method method, NormalMode mode) {
  return K().tangent_terms(derivative<K>(in, method, mode), in.rest);
}

// The tangents after a guard, which is not none, and their normal.
template <class K>
typename K::PosedVertex shortened(const typename K::TangentTerms& k, Guard guard, GuardInput with) {
  using real = typename K::real;
  if (guard == Guard::clamp) return K().joined(K().guard_clamp(k, real(with.limit)));
  if (guard == Guard::joint) return K().joined(K().guard_joint(k, real(with.limit)));
  return K().joined(K().guard_test_then_fix(k, real(with.limit), real(with.kept)));
}

}  // namespace skinlight
