// Skinning by a kernel of your own, through the loop that the library's kernels run in: validated, in SIMD lanes, on all
// cores, in float or double, with guards where the kernel gives terms or a derivative. A kernel is a struct like those of
// kernel_table.h:
//
//   struct Mine {
//     static constexpr KernelTraits traits = {.reads = {.factors = true}};
//     template <class K>
//     static typename K::PosedVertex run(const KernelInput<K>& in) { ... }
//   };
//   const SkinnedMesh<float> posed = skin_with<Mine, float>(mesh, data, pose);
#pragma once

#include "skinlight/skinning/block_loop.h"
#include "skinlight/skinning/skin.h"

namespace skinlight {

// Poses by any loop; what skin() does once it has found the one of method and mode.
template <class Real>
SkinnedMesh<Real> skin_by(LoopOf<Real> loops, const KernelTraits& traits, const RiggedMesh& mesh,
                          const SkinData& data, const Pose& pose, const SkinOptions& options);

extern template SkinnedMesh<float> skin_by(LoopOf<float>, const KernelTraits&, const RiggedMesh&,
                                           const SkinData&, const Pose&, const SkinOptions&);
extern template SkinnedMesh<double> skin_by(LoopOf<double>, const KernelTraits&, const RiggedMesh&,
                                            const SkinData&, const Pose&, const SkinOptions&);

// As skin(); method and mode of the options are not looked at.
template <class Kernel, class Real>
SkinnedMesh<Real> skin_with(const RiggedMesh& mesh, const SkinData& data, const Pose& pose,
                            const SkinOptions& options = {}) {
  using Lanes = Pack<16 / sizeof(Real), Real>;  // fit the registers that every x86-64 and ARM64 machine has
  return skin_by<Real>(loop_of<Kernel, Lanes, Real>, Kernel::traits, mesh, data, pose, options);
}

}  // namespace skinlight
