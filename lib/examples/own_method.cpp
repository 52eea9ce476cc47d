// A skinning method of one's own, with right normals, from outside the library.
//
// The method sharpens the weights: w becomes w^2 over the sum of all w^2, so that joints bend in less space. A kernel is a
// struct that says what it reads and how one vertex is posed, over any scalar: the library's loop runs it in SIMD lanes on
// all cores, as it runs its own kernels.
#include <cstdio>

#include "skinlight/preprocess/deform_factors.h"
#include "skinlight/samples/procedural.h"
#include "skinlight/skinning/skin_with.h"
#include "skinlight/truth/angular_error.h"
#include "skinlight/truth/posed_truth.h"

using namespace skinlight;

struct SharpWeights {
  // Deform factors are the derivatives of the weights along both tangents; slot 0, which other kernels do without, too.
  static constexpr KernelTraits traits = {.reads = {.factors = true, .factors_of_slot_0 = true}};

  template <class K>
  static typename K::PosedVertex run(const KernelInput<K>& in) {
    using real = typename K::real;
    typename K::Influences x = in.x;
    typename K::DeformFactors f = in.f;
    real sum(0), along_t(0), along_b(0);  // of the squares, and its derivatives
    for (int s = 0; s < K::INFLUENCES; ++s) {
      sum = sum + x.w[s] * x.w[s];
      along_t = along_t + real(2) * x.w[s] * f.alpha[s];
      along_b = along_b + real(2) * x.w[s] * f.beta[s];
    }
    for (int s = 0; s < K::INFLUENCES; ++s) {
      const real w = x.w[s];
      x.w[s] = w * w / sum;
      f.alpha[s] = (real(2) * w * f.alpha[s] - x.w[s] * along_t) / sum;  // the rule for quotients
      f.beta[s] = (real(2) * w * f.beta[s] - x.w[s] * along_b) / sum;
    }
    return K().lbs_deform(x, f, in.rest);
  }
};

// The same, but with the deform factors of the weights as they were: a normal that does not follow its surface.
struct Careless {
  static constexpr KernelTraits traits = SharpWeights::traits;

  template <class K>
  static typename K::PosedVertex run(const KernelInput<K>& in) {
    typename K::PosedVertex posed = SharpWeights::run(in);
    posed.n = K().lbs_deform(in.x, in.f, in.rest).n;
    return posed;
  }
};

template <class Kernel>
void measure(const char* name, const RiggedMesh& mesh, const Pose& pose) {
  const Surface surface(mesh.faces, weld(mesh));
  const NormalRecord factors = deform_factors(mesh, surface);
  const SkinnedMesh<double> posed = skin_with<Kernel, double>(mesh, factors, pose);
  // The truth of any positions, whoever computed them: normals averaged from the posed triangles.
  const PosedTruth truth = truth_of_positions(mesh, surface, pose, posed.p);
  std::printf("%s: %.2f degrees off on average\n", name,
              angular_error(posed.n, truth.recomputed, truth.areas, "area").mean);
}

int main() {
  const ProceduralRig tube = cylinder({}, {.segments = 96});
  const Pose pose = cylinder_bend(1.2);
  measure<SharpWeights>("sharp weights", tube.mesh, pose);
  measure<Careless>("with the derivatives of other weights", tube.mesh, pose);
}
