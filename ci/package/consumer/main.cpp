// Skins the pill of [TPS14 Fig. 2] with the installed library and prints the largest error of its normals.
#include <cstdio>

#include "skinlight/preprocess/deform_factors.h"
#include "skinlight/samples/procedural.h"
#include "skinlight/skinning/batch/batch.h"
#include "skinlight/skinning/skin.h"
#include "skinlight/truth/angular_error.h"
#include "skinlight/truth/truth.h"

int main() {
  using namespace skinlight;
  const ProceduralRig rig = pill({.segments = 48});
  const Surface surface(rig.mesh.faces, weld(rig.mesh));
  const Pose pose = pill_pose();
  const NormalRecord factors = deform_factors(rig.mesh, surface);

  const std::vector<Vec3d> truth = analytic_lbs_normals(rig, pose);
  const std::vector<double> equal(truth.size(), 1.0);
  for (const NormalMode mode : {NormalMode::standard, NormalMode::deform}) {
    const SkinnedMesh<double> posed = skin<double>(rig.mesh, factors, pose, {.mode = mode});
    const NormalError error = angular_error(posed.n, truth, equal, "vertex");
    std::printf("%.*s: largest error %.2f degrees\n", static_cast<int>(row(mode).name.size()),
                row(mode).name.data(), error.max);
  }

  // For many frames of one mesh: the same values, faster.
  const SkinOptions options{.guard = kRecommendedGuard};
  SkinBatch batch(rig.mesh, factors, options);
  SkinnedMesh<float> posed;
  batch.skin(pose, posed);
  const SkinnedMesh<float> expected = skin<float>(rig.mesh, factors, pose, options);
  std::printf("SkinBatch: %s\n", posed.p == expected.p && posed.n == expected.n ? "the same values" : "differs");
}
