// The loops of SkinBatch for linear blending, for any machine that the library runs on.
#include "skinlight/skinning/batch/detail/batch_loop.h"

namespace skinlight {

namespace {
struct Here;  // see core/pack.h
}

// Four lanes fit the registers that every x86-64 and ARM64 machine has.
BlockLoop portable_lbs(NormalMode mode, bool guarded, int slots) {
  return lbs_loop<Pack<4, Here>>(mode, guarded, slots);
}

}  // namespace skinlight
