// What the loops of SkinBatch over blocks of vertices work on, for every instruction set. Internal to this
// room.
#pragma once

#include <cstddef>

#include "skinlight/skinning/guard.h"
#include "skinlight/skinning/method.h"

namespace skinlight {

inline constexpr int kBlockLanes = 8;  // vertices of a block

// Blocks whose vertices share their bones, slot by slot. A block is rows of kBlockLanes floats.
struct BatchRun {
  int begin, end;     // blocks
  std::size_t rest;   // of the first block in BatchJob::rest, floats
  std::size_t bones;  // of slot 0 in BatchJob::bone
  int slots;          // that its kernels are compiled for
  int set;            // of SBS
};

// One call of SkinBatch::skin(). Only plain data: nothing that another file compiles must be compiled here
// for one instruction set.
struct BatchJob {
  const float* rest = nullptr;  // blocks at rest: the rows of batch_rows.h
  const int* bone = nullptr;    // per run and slot
  // The pose: per bone 12 (the columns of M) or 8 (a dual quaternion, scalar parts first), 6 of its twist for
  // LOG, per set of bones the centre for SBS.
  const float *bones = nullptr, *twists = nullptr, *centres = nullptr;
  float scale = 1;  // of the rest vertex, for methods of rigid bones
  float side = 1;   // normal_side() of handedness +1
  float pivot[3] = {0, 0, 0};
  Guard guard = Guard::none;
  GuardInput with;
  // Out: 12 rows per block, p, t, b, n; or, where `vertex` is not null, vertices of the file by 3.
  float* blocks = nullptr;
  const int* vertex = nullptr;  // #blocks by kBlockLanes; -1: padding, at the end of a run
  float *p = nullptr, *t = nullptr, *b = nullptr, *n = nullptr;
};

// Poses the blocks begin .. end - 1 of a run.
using BlockLoop = void (*)(const BatchJob& job, const BatchRun& run, int begin, int end);

// The loop of a method and mode over runs of that many slots; null where this build lacks the instruction
// set.
BlockLoop portable_lbs(NormalMode mode, bool guarded, int slots);
BlockLoop portable_rigid(Method method, NormalMode mode, bool guarded, int slots);
BlockLoop avx2_lbs(NormalMode mode, bool guarded, int slots);
BlockLoop avx2_rigid(Method method, NormalMode mode, bool guarded, int slots);

}  // namespace skinlight
