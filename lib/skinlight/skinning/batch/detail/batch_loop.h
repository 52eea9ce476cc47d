// The loop over blocks, for one instruction set: included by the files that are compiled for one. `Lanes` is
// a pack whose tag belongs to that file alone (core/pack.h). Internal to this room.
#pragma once

#include "skinlight/core/pack.h"
#include "skinlight/skinning/batch/detail/batch_blocks.h"
#include "skinlight/skinning/batch/detail/batch_rows.h"

namespace skinlight {

template <class real>
real all_lanes(float x) {
  return real(typename real::Simd(x));
}

template <class real>
Vec3<real> all_lanes_of_vector(const float* v) {
  return {all_lanes<real>(v[0]), all_lanes<real>(v[1]), all_lanes<real>(v[2])};
}

template <class K>
void set_bones(LbsInput<K>& in, const BatchJob& job, const BatchRun& run, Method /*lbs*/) {
  for (int s = 0; s < K::INFLUENCES; ++s) {
    const float* M = job.bones + 12 * job.bone[run.bones + static_cast<std::size_t>(s)];
    for (int c = 0; c < 4; ++c) in.x.M[s][c] = all_lanes_of_vector<typename K::real>(M + 3 * c);
  }
}

template <class K>
void set_bones(RigidInput<K>& in, const BatchJob& job, const BatchRun& run, Method method) {
  using real = typename K::real;
  for (int s = 0; s < K::INFLUENCES; ++s) {
    const int bone = job.bone[run.bones + static_cast<std::size_t>(s)];
    if (method == Method::log) {
      const float* xi = job.twists + 6 * bone;
      in.twists.xi[s] = {all_lanes_of_vector<real>(xi), all_lanes_of_vector<real>(xi + 3)};
    } else {
      const float* q = job.bones + 8 * bone;
      in.x.q[s] = {{all_lanes<real>(q[0]), all_lanes_of_vector<real>(q + 1)},
                   {all_lanes<real>(q[4]), all_lanes_of_vector<real>(q + 5)}};
    }
  }
  if (method == Method::sbs) in.centre.c = all_lanes_of_vector<real>(job.centres + 3 * run.set);
}

// The input at rest becomes what the kernels of the method are given.
template <class K>
void scale_input(LbsInput<K>& /*in*/, const BatchJob& /*job*/, Method /*lbs*/) {}

template <class K>
void scale_input(RigidInput<K>& in, const BatchJob& job, Method method) {
  const auto scale = all_lanes<typename K::real>(job.scale);
  in.rest = K().rest_scaled(in.rest, scale);
  if (method == Method::crs) in.centre = K().centre_scaled(in.centre, scale);
  if (method == Method::log)
    for (int s = 0; s < K::INFLUENCES; ++s) in.twists.w[s] = in.x.w[s];
}

template <class K>
void store(const typename K::PosedVertex& v, float* to) {
  for (const typename K::vec3* vector : {&v.p, &v.t, &v.b, &v.n})
    for (int c = 0; c < 3; ++c, to += kBlockLanes) (*vector)[c].store(to);
}

// The lanes of `v` to their places in the file's order.
template <class K>
void scatter(const typename K::PosedVertex& v, const BatchJob& job, const int* vertex) {
  constexpr int kLanes = K::real::kLanes;
  float rows[12][kLanes];
  int row = 0;
  for (const typename K::vec3* vector : {&v.p, &v.t, &v.b, &v.n})
    for (int c = 0; c < 3; ++c) (*vector)[c].store(rows[row++]);
  for (int lane = 0; lane < kLanes && vertex[lane] >= 0; ++lane) {
    const std::ptrdiff_t at = 3 * std::ptrdiff_t(vertex[lane]);
    for (int c = 0; c < 3; ++c) {
      job.p[at + c] = rows[c][lane];
      job.t[at + c] = rows[3 + c][lane];
      job.b[at + c] = rows[6 + c][lane];
      job.n[at + c] = rows[9 + c][lane];
    }
  }
}

template <class K, template <class> class Input, Method method, NormalMode mode, bool guarded>
[[gnu::flatten]] void pose_blocks(const BatchJob& job, const BatchRun& run, int begin, int end) {
  using real = typename K::real;
  Input<K> in{};
  set_bones(in, job, run, method);
  const real side = all_lanes<real>(job.side);
  const typename K::vec3 pivot = all_lanes_of_vector<real>(job.pivot);
  std::size_t rows = 0;
  real handedness;
  visit_rows(in, handedness, method, mode, [&](real&) { ++rows; });
  const float* block = job.rest + run.rest + static_cast<std::size_t>(begin - run.begin) * rows * kBlockLanes;
  for (int i = begin; i < end; ++i, block += rows * kBlockLanes)
    for (int lane = 0; lane < kBlockLanes; lane += real::kLanes) {
      const float* at = block + lane;
      visit_rows(in, handedness, method, mode, [&](real& row) {
        row = real::load(at);
        at += kBlockLanes;
      });
      const typename K::RestVertex rest = in.rest;
      scale_input(in, job, method);
      typename K::PosedVertex v;
      if constexpr (guarded)
        v = shortened<K>(terms(in, method, mode), job.guard, job.with);
      else
        v = unguarded(in, method, mode);
      v = K().finish(v, rest, batch_reads<K>(method, mode).handedness ? side * handedness : side);
      v.p = v.p + pivot;
      if (job.vertex)
        scatter<K>(v, job, job.vertex + kBlockLanes * i + lane);
      else
        store<K>(v, job.blocks + static_cast<std::ptrdiff_t>(i) * 12 * kBlockLanes + lane);
    }
}

template <class Lanes, template <class> class Input, Method method, NormalMode mode, bool guarded>
BlockLoop loop_of_slots(int slots) {
  switch (slots) {
    case 1:
      return pose_blocks<Kernels<Lanes, 1>, Input, method, mode, guarded>;
    case 2:
      return pose_blocks<Kernels<Lanes, 2>, Input, method, mode, guarded>;
    case 3:
      return pose_blocks<Kernels<Lanes, 3>, Input, method, mode, guarded>;
    case 4:
      return pose_blocks<Kernels<Lanes, 4>, Input, method, mode, guarded>;
    case 8:
      return pose_blocks<Kernels<Lanes, 8>, Input, method, mode, guarded>;
    default:
      return pose_blocks<Kernels<Lanes, 16>, Input, method, mode, guarded>;
  }
}

template <class Lanes, template <class> class Input, Method method, NormalMode mode>
BlockLoop loop_of_mode(bool guarded, int slots) {
  if constexpr (takes_guard(method, mode))
    if (guarded) return loop_of_slots<Lanes, Input, method, mode, true>(slots);
  return loop_of_slots<Lanes, Input, method, mode, false>(slots);
}

template <class Lanes>
BlockLoop lbs_loop(NormalMode mode, bool guarded, int slots) {
  switch (mode) {
    case NormalMode::standard:
      return loop_of_mode<Lanes, LbsInput, Method::lbs, NormalMode::standard>(guarded, slots);
    case NormalMode::inverse_transpose:
      return loop_of_mode<Lanes, LbsInput, Method::lbs, NormalMode::inverse_transpose>(guarded, slots);
    case NormalMode::cofactors:
      return loop_of_mode<Lanes, LbsInput, Method::lbs, NormalMode::cofactors>(guarded, slots);
    case NormalMode::tangent_pair:
      return loop_of_mode<Lanes, LbsInput, Method::lbs, NormalMode::tangent_pair>(guarded, slots);
    case NormalMode::deform_naive:
      return loop_of_mode<Lanes, LbsInput, Method::lbs, NormalMode::deform_naive>(guarded, slots);
    case NormalMode::smoothed:
      return loop_of_mode<Lanes, LbsInput, Method::lbs, NormalMode::smoothed>(guarded, slots);
    case NormalMode::deform_vectors:
      return loop_of_mode<Lanes, LbsInput, Method::lbs, NormalMode::deform_vectors>(guarded, slots);
    case NormalMode::deform:
    case NormalMode::exact:
    case NormalMode::exact_fixed_centre:
      break;
  }
  return loop_of_mode<Lanes, LbsInput, Method::lbs, NormalMode::deform>(guarded, slots);
}

template <class Lanes, Method method>
BlockLoop rigid_loop_of(NormalMode mode, bool guarded, int slots) {
  if (mode == NormalMode::standard)
    return loop_of_mode<Lanes, RigidInput, method, NormalMode::standard>(guarded, slots);
  if (mode == NormalMode::smoothed)
    return loop_of_mode<Lanes, RigidInput, method, NormalMode::smoothed>(guarded, slots);
  if constexpr (method == Method::dqs)
    if (mode == NormalMode::deform)
      return loop_of_mode<Lanes, RigidInput, method, NormalMode::deform>(guarded, slots);
  if constexpr (method == Method::crs)
    if (mode == NormalMode::exact_fixed_centre)
      return loop_of_mode<Lanes, RigidInput, method, NormalMode::exact_fixed_centre>(guarded, slots);
  return loop_of_mode<Lanes, RigidInput, method, NormalMode::exact>(guarded, slots);
}

template <class Lanes>
BlockLoop rigid_loop(Method method, NormalMode mode, bool guarded, int slots) {
  switch (method) {
    case Method::crs:
      return rigid_loop_of<Lanes, Method::crs>(mode, guarded, slots);
    case Method::sbs:
      return rigid_loop_of<Lanes, Method::sbs>(mode, guarded, slots);
    case Method::log:
      return rigid_loop_of<Lanes, Method::log>(mode, guarded, slots);
    case Method::lbs:
    case Method::dqs:
      break;
  }
  return rigid_loop_of<Lanes, Method::dqs>(mode, guarded, slots);
}

}  // namespace skinlight
