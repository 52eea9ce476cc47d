// The loop over vertices that every skinning on the CPU runs: skin() and SkinBatch with the kernels of the table, and
// skin_with() (skin_with.h) with one of your own. Vertices stand in blocks of eight, one row of numbers per quantity; a run
// of blocks is posed by the same bones, or every lane of its only block by bones of its own. Nothing here but templates
// over a pack of lanes and plain data: files compiled for one instruction set include it (core/pack.h).
#pragma once

#include <cstddef>
#include <type_traits>

#include "skinlight/core/pack.h"
#include "skinlight/skinning/guard.h"
#include "skinlight/skinning/kernel_table.h"

namespace skinlight {

inline constexpr int kBlockLanes = 8;  // vertices of a block

// Numbers per bone, in the layout of the GPU's textures: the rows of a matrix; r and d of a dual quaternion, vector parts
// first; turn and shift of a twist, each with a 0 behind.
constexpr int bone_numbers(Mover mover) { return mover == Mover::matrices ? 12 : 8; }
inline constexpr int kCentreNumbers = 4;  // of a set of bones: the centre and a 0

struct BlockRun {
  int begin, end;    // blocks
  std::size_t rest;  // of the first block in BlockJob::rest
  std::size_t
      bones;  // in BlockJob::bone: one number per slot and one for the set of bones; mixed: kBlockLanes of each
  int slots;   // one of kSlotCounts
  bool mixed;  // one block, whose lanes have their own bones
};

// One pose of a mesh.
template <class Real>
struct BlockJob {
  const Real* rest = nullptr;  // blocks at rest: the rows of visit_rows()
  const int* bone = nullptr;
  const Real *bones = nullptr, *centres = nullptr;
  Real scale = 1;  // of the rest vertex, for movers that are rigid
  Real side = 1;   // normal_side() of handedness +1
  Real pivot[3] = {0, 0, 0};
  Guard guard = Guard::none;
  Real limit = 0, kept = 0;  // GuardInput
  // Out, as far as asked for: p, n, t, b in this order; nothing behind a null. Either block after block, `stride` numbers
  // from one to the next, or, where `vertex` is not null, vertices of the file by 3.
  Real* out[4] = {};
  std::size_t stride = 0;
  const int* vertex = nullptr;  // #blocks by kBlockLanes; -1: padding, the last lanes of a block
};

// Poses the blocks begin .. end - 1 of a run.
template <class Real>
using BlockLoop = void (*)(const BlockJob<Real>& job, const BlockRun& run, int begin, int end);

// The loop of a kernel over runs of that many slots, one of kSlotCounts. Guards act on tangents: a loop with one asks for
// normals at least. It is a loop of its own where terms are more work than the posed vertex; a derivative is shared.
template <class Real>
using LoopOf = BlockLoop<Real> (*)(bool guarded, int slots);

// The numbers of slots that kernels are compiled for, on the CPU and on the GPU. Where code has to be small, two and three
// slots are skinned as four, of which the last have no weight and add exactly nothing.
#ifdef SKINLIGHT_SMALL
inline constexpr int kSlotCounts[] = {1, 4, 8, 16};
#else
inline constexpr int kSlotCounts[] = {1, 2, 3, 4, 8, 16};
#endif

// The weights of the influences that the mover reads.
template <class K>
auto& weights(KernelInput<K>& in, Mover mover) {
  return mover == Mover::matrices ? in.x.w : mover == Mover::dual_quaternions ? in.y.w : in.z.w;
}

template <class Vec, class Visit>
void visit_vector(Vec& v, Visit& visit) {
  visit(v.x);
  visit(v.y);
  visit(v.z);
}

// Calls visit(number) for every number of `in`, and for the handedness, that has a row in a block, in the order of the
// rows: in one place for who writes and who reads them.
template <class K, class Visit>
void visit_rows(const KernelTraits& traits, KernelInput<K>& in, typename K::real& handedness, int slots,
                Visit visit) {
  const KernelReads& reads = traits.reads;
  visit_vector(in.rest.p, visit);
  visit_vector(in.rest.n, visit);
  visit_vector(in.rest.t, visit);
  visit_vector(in.rest.b, visit);
  for (int s = 0; s < slots; ++s) visit(weights(in, traits.mover)[s]);
  if (reads.factors)
    for (int s = reads.factors_of_slot_0 ? 0 : 1; s < slots; ++s) {
      visit(in.f.alpha[s]);
      visit(in.f.beta[s]);
    }
  if (reads.smooth)
    for (int s = 1; s < slots; ++s) visit(in.mean.w[s]);
  if (reads.gradients)
    for (int s = 0; s < slots; ++s) visit_vector(in.g.a[s], visit);
  if (reads.vectors)
    for (int s = 1; s < slots; ++s) {
      visit_vector(in.tau.t[s], visit);
      visit_vector(in.tau.b[s], visit);
      visit(in.tau.alpha[s]);
      visit(in.tau.beta[s]);
    }
  if (reads.frames)
    for (int k = 0; k < K::FRAMES; ++k) {
      for (int s = 1; s < slots; ++s) visit(in.frames.w[K::INFLUENCES * k + s]);
      visit_vector(in.frames.t[k], visit);
      visit_vector(in.frames.b[k], visit);
      visit(in.frames.alpha[k]);
      visit(in.frames.beta[k]);
      if (reads.frame_centres) visit_vector(in.frames.centre[k], visit);
    }
  if (traits.centre == CentreKind::of_vertex) visit_vector(in.centre.c, visit);
  if (reads.centre_derivatives) {
    visit_vector(in.centre.along_t, visit);
    visit_vector(in.centre.along_b, visit);
  }
  if (traits.side == NormalSide::frame) visit(handedness);
}

template <class Kernel, class K>
typename K::PosedVertex unguarded(const KernelInput<K>& in) {
  if constexpr (gives_derivative<Kernel>)
    return K().turned(Kernel::derivative(in), in.rest);
  else
    return Kernel::run(in);
}

// The tangents after a guard, which is not none, and their normal.
template <class K>
typename K::PosedVertex shortened(const typename K::TangentTerms& terms, Guard guard, typename K::real limit,
                                  typename K::real kept) {
  if (guard == Guard::clamp) return K().joined(K().guard_clamp(terms, limit));
  if (guard == Guard::joint) return K().joined(K().guard_joint(terms, limit));
  return K().joined(K().guard_test_then_fix(terms, limit, kept));
}

// The same, compiled once for all loops that have it beside what is run without a guard: few ask for one.
template <class K>
[[gnu::noinline]] typename K::PosedVertex shortened_apart(const typename K::TangentTerms& terms, Guard guard,
                                                          typename K::real limit, typename K::real kept) {
  return shortened<K>(terms, guard, limit, kept);
}

// The posed vertex before finish(), its tangents shortened by the guard unless that is none.
template <class Kernel, class K>
typename K::PosedVertex posed(const KernelInput<K>& in, Guard guard, typename K::real limit,
                              typename K::real kept) {
  if constexpr (gives_derivative<Kernel>) {
    const auto derivative = Kernel::derivative(in);
    if (guard != Guard::none)
      return shortened_apart<K>(K().tangent_terms(derivative, in.rest), guard, limit, kept);
    return K().turned(derivative, in.rest);
  } else {
    return Kernel::run(in);
  }
}

// `count` records of `numbers` numbers, a multiple of 4, as numbers of all lanes: those that bone[0], bone[1] ... name for
// every lane.
template <class Lanes, class Real>
void spread_records(const Real* records, int numbers, const int* bone, int count, Lanes* to) {
  for (int s = 0; s < count; ++s)
    for (int k = 0; k < numbers; ++k)
      *to++ = Lanes(records[numbers * static_cast<std::ptrdiff_t>(bone[s]) + k]);
}

// The same where every lane has its own: bone[0 .. kLanes) for the first record, kBlockLanes behind for the next.
template <class Lanes, class Real>
[[gnu::noinline]] void gather_records(const Real* records, int numbers, const int* bone, int count,
                                      Lanes* to) {
  for (int s = 0; s < count; ++s, bone += kBlockLanes) {
    const Real* of[Lanes::kLanes];
    for (int l = 0; l < Lanes::kLanes; ++l) of[l] = records + numbers * static_cast<std::ptrdiff_t>(bone[l]);
    for (int k = 0; k < numbers; k += 4, to += 4) {
      Lanes four[4];
      Lanes::load_four(of, four);
      for (int i = 0; i < 4; ++i) to[i] = four[i];
      for (int l = 0; l < Lanes::kLanes; ++l) of[l] += 4;
    }
  }
}

// The outputs in the order of BlockJob::out, which is that of the rows at rest.
enum Output { kPosition, kNormal, kTangent, kBitangent };

// unit_or() of vertex.glsl. fallback: the row of its x; it is read where a lane needs it, which is hardly ever.
template <class K>
typename K::vec3 unit_or_row(const typename K::vec3& v, const typename K::real::Lane* fallback) {
  using Lanes = typename K::real;
  const Lanes l2 = dot(v, v);
  if (all(l2 > K::shortest_square() && l2 < K::longest_square())) [[likely]]
    return v * inversesqrt(l2);
  return K().unit_or(v, {Lanes::load(fallback), Lanes::load(fallback + kBlockLanes),
                         Lanes::load(fallback + 2 * kBlockLanes)});
}

// The bones of the lanes from `lane` on. slots: of the run; in those behind stands the bone of slot 0.
template <KernelTraits traits, class K, class Real>
void set_bones(KernelInput<K>& in, const BlockJob<Real>& job, const BlockRun& run, int slots, int lane) {
  using real = typename K::real;
  constexpr int N = K::INFLUENCES, kNumbers = bone_numbers(traits.mover);
  const auto set = [&](const real* bones) {
    for (int s = 0; s < N; ++s) {
      const real* v = bones + kNumbers * (s < slots ? s : 0);
      if constexpr (traits.mover == Mover::matrices)
        for (int c = 0; c < 4; ++c) in.x.M[s][c] = {v[c], v[4 + c], v[8 + c]};
      else if constexpr (traits.mover == Mover::dual_quaternions)
        in.y.q[s] = {{v[3], {v[0], v[1], v[2]}}, {v[7], {v[4], v[5], v[6]}}};
      else
        in.z.xi[s] = {{v[0], v[1], v[2]}, {v[4], v[5], v[6]}};
    }
  };
  const int* bone = job.bone + run.bones + (run.mixed ? lane : 0);
  const int* bone_set = bone + (run.mixed ? kBlockLanes : 1) * slots;
  real centre[kCentreNumbers];
  if (run.mixed) {
    real bones[N * kNumbers];
    gather_records(job.bones, kNumbers, bone, slots, bones);
    set(bones);
    if constexpr (traits.centre == CentreKind::of_bone_set)
      gather_records(job.centres, kCentreNumbers, bone_set, 1, centre);
  } else {
    real bones[N * kNumbers];
    spread_records(job.bones, kNumbers, bone, slots, bones);
    set(bones);
    if constexpr (traits.centre == CentreKind::of_bone_set)
      spread_records(job.centres, kCentreNumbers, bone_set, 1, centre);
  }
  if constexpr (traits.centre == CentreKind::of_bone_set) in.centre.c = {centre[0], centre[1], centre[2]};
}

// What a loop is for. To play: one for each of kSlotCounts, with the kernel inlined, much faster and as much longer to compile.
// To play few slots: none for kManySlots, which a slower set of loops has. To measure, and where few machines run it: one for
// all runs of up to N slots, of which those behind the run's own have no weight and add exactly nothing.
enum class LoopUse { play, play_few, measure };

template <class Kernel, class Lanes, int N, bool with_guard, LoopUse use, class Real>
void pose_blocks(const BlockJob<Real>& job, const BlockRun& run, int begin, int end) {
  using K = Kernels<Lanes, N>;
  using vec3 = typename K::vec3;
  static constexpr KernelTraits traits = Kernel::traits;
  const int slots = use == LoopUse::play ? N : run.slots;
  KernelInput<K> in{};
  Lanes handedness(1.0);
  std::size_t rows = 0;
  visit_rows(traits, in, handedness, slots, [&](Lanes&) { ++rows; });
  const Lanes job_side(job.side), scale(job.scale), limit(job.limit), kept(job.kept);
  const vec3 pivot(Lanes(job.pivot[0]), Lanes(job.pivot[1]), Lanes(job.pivot[2]));
  const std::size_t block_numbers = rows * kBlockLanes;
  for (int lane = 0; lane < kBlockLanes; lane += Lanes::kLanes) {
    set_bones<traits>(in, job, run, slots, lane);
    const Real* block =
        job.rest + run.rest + static_cast<std::size_t>(begin - run.begin) * block_numbers + lane;
    for (int i = begin; i < end; ++i, block += block_numbers) {
      const auto read = [&] {
        const Real* at = block;
        visit_rows(traits, in, handedness, slots, [&](Lanes& row) {
          row = Lanes::load(at);
          at += kBlockLanes;
        });
        if constexpr (traits.mover != Mover::matrices) in.rest = K().rest_scaled(in.rest, scale);
        if constexpr (traits.centre == CentreKind::of_vertex) in.centre = K().centre_scaled(in.centre, scale);
        if constexpr (traits.reads.frames) in.frames = K().frames_scaled(in.frames, scale);
      };
      const int* vertex =
          job.vertex ? job.vertex + static_cast<std::ptrdiff_t>(i) * kBlockLanes + lane : nullptr;
      int count = Lanes::kLanes;
      while (vertex && count > 0 && vertex[count - 1] < 0) --count;
      const auto write = [&](const vec3& value, Output which) {
        if (vertex) {
          Lanes::store_points(value.x, value.y, value.z, job.out[which], vertex, count);
        } else {
          Real* to = job.out[which] + static_cast<std::size_t>(i) * job.stride + lane;
          value.x.store(to);
          value.y.store(to + kBlockLanes);
          value.z.store(to + 2 * kBlockLanes);
        }
      };
      typename K::PosedVertex v;
      if constexpr (with_guard) {
        read();
        v = shortened<K>(Kernel::terms(in), job.guard, limit, kept);
      } else {
        if (!job.out[kNormal]) {  // a copy of the kernel that the compiler strips of all but positions
          read();
          write(unguarded<Kernel>(in).p + pivot, kPosition);
          continue;
        }
        read();
        v = posed<Kernel>(in, job.guard, limit, kept);
      }
      const auto write_unit = [&](const vec3& value, Output which) {
        write(unit_or_row<K>(value, block + 3 * kBlockLanes * which), which);
      };
      // As finish() of vertex.glsl, but nothing that is not asked for.
      write(v.p + pivot, kPosition);
      const Lanes side = traits.side == NormalSide::frame ? job_side * handedness : job_side;
      write_unit(v.n * side, kNormal);
      if (!job.out[kTangent]) continue;
      write_unit(v.t, kTangent);
      if (!job.out[kBitangent]) continue;
      write_unit(v.b, kBitangent);
    }
  }
}

template <class Kernel, class Lanes, int N, bool with_guard, class Real>
[[gnu::flatten]] void pose_blocks_inlined(const BlockJob<Real>& job, const BlockRun& run, int begin,
                                          int end) {
  pose_blocks<Kernel, Lanes, N, with_guard, LoopUse::play>(job, run, begin, end);
}

// So many slots are rare enough not to be inlined: with all bones of their one-rings no vertex of a real character has more
// than eight.
inline constexpr int kManySlots = 16;

template <class Kernel, class Lanes, int N, bool with_guard, LoopUse use, class Real>
constexpr BlockLoop<Real> loop_of_slots() {
  if constexpr (use == LoopUse::play_few && N == kManySlots)
    return nullptr;
  else if constexpr (use != LoopUse::measure && N < kManySlots)
    return pose_blocks_inlined<Kernel, Lanes, N, with_guard, Real>;
  else
    return pose_blocks<Kernel, Lanes, N, with_guard, LoopUse::measure, Real>;
}

// The loops of a kernel over the given lanes; null for what they are not compiled for.
template <class Kernel, class Lanes, class Real, LoopUse use = LoopUse::play>
BlockLoop<Real> loop_of(bool guarded, int slots) {
  const auto of_slots = [&]<bool with_guard>(std::bool_constant<with_guard>) -> BlockLoop<Real> {
    if constexpr (use != LoopUse::measure) {
      if (slots == 1) return loop_of_slots<Kernel, Lanes, 1, with_guard, use, Real>();
#ifndef SKINLIGHT_SMALL
      if (slots == 2) return loop_of_slots<Kernel, Lanes, 2, with_guard, use, Real>();
      if (slots == 3) return loop_of_slots<Kernel, Lanes, 3, with_guard, use, Real>();
#endif
    }
    // What is measured is measured in doubles, deform frames of five slots too.
    if constexpr (use != LoopUse::measure || std::is_same_v<Real, double>)
      if (slots == 8) return loop_of_slots<Kernel, Lanes, 8, with_guard, use, Real>();
    return slots <= 4 ? loop_of_slots<Kernel, Lanes, 4, with_guard, use, Real>()
                      : loop_of_slots<Kernel, Lanes, kManySlots, with_guard, use, Real>();
  };
  if constexpr (takes_guards<Kernel> && !gives_derivative<Kernel>)
    if (guarded) return of_slots(std::true_type());
  return of_slots(std::false_type());
}

}  // namespace skinlight
