// The loops of SkinBatch for methods of rigid bones, for any machine that the library runs on.
#include "skinlight/skinning/batch/detail/batch_loop.h"

namespace skinlight {

namespace {
struct Here;  // see core/pack.h
}

// Four lanes fit the registers that every x86-64 and ARM64 machine has.
BlockLoop portable_rigid(Method method, NormalMode mode, bool guarded, int slots) {
  return rigid_loop<Pack<4, Here>>(method, mode, guarded, slots);
}

}  // namespace skinlight
