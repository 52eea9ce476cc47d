// The loops of SkinBatch for methods of rigid bones, for machines with AVX2: compiled with -mavx2 where the
// compiler knows it (CMakeLists.txt).
#ifdef __AVX2__

#include "skinlight/skinning/batch/detail/batch_loop.h"

namespace skinlight {

namespace {
struct Here;  // see core/pack.h
}

BlockLoop avx2_rigid(Method method, NormalMode mode, bool guarded, int slots) {
  return rigid_loop<Pack<8, Here>>(method, mode, guarded, slots);
}

}  // namespace skinlight

#else

#include "skinlight/skinning/batch/detail/batch_blocks.h"

namespace skinlight {
BlockLoop avx2_rigid(Method, NormalMode, bool, int) { return nullptr; }
}  // namespace skinlight

#endif
