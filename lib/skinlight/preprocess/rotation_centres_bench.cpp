// Centres of rotation for a mesh of the size of the raptor in [BTGM19 Table 2]: 15,005 vertices, 21,959
// triangles, 79 bones. The project asks for the exact sum in less than 0.3 s on 2 threads. The naive loop
// runs over every 64th vertex: "all_vertices_s" is what it would take for all of them.
#include "skinlight/preprocess/rotation_centres.h"

#include <benchmark/benchmark.h>

#include <chrono>

#include "skinlight/preprocess/centre_sums.h"
#include "skinlight/rig/procedural.h"
#include "skinlight/rig/procedural_quadruped.h"

namespace skinlight {
namespace {

const RiggedMesh& raptor() {
  static const RiggedMesh mesh = of_size(quadruped(kRaptorShape), 15005, 21959).mesh;
  return mesh;
}

void exact(benchmark::State& state) {
  const RiggedMesh& mesh = raptor();
  const Surface surface(mesh.faces, weld(mesh));
  for (auto _ : state)
    benchmark::DoNotOptimize(rotation_centres(mesh, surface, {.threads = static_cast<int>(state.range(0))}));
  state.counters["vertices"] = mesh.vertex_count();
}
BENCHMARK(exact)
    ->Name("rotation_centres/raptor/bone_pairs/threads")
    ->Arg(1)
    ->Arg(2)
    ->UseRealTime()
    ->Unit(benchmark::kMillisecond);

void breadth_first(benchmark::State& state) {
  const RiggedMesh& mesh = raptor();
  const Surface surface(mesh.faces, weld(mesh));
  for (auto _ : state)
    benchmark::DoNotOptimize(rotation_centres(
        mesh, surface, {.method = CentreMethod::breadth_first, .threads = static_cast<int>(state.range(0))}));
}
BENCHMARK(breadth_first)
    ->Name("rotation_centres/raptor/breadth_first/threads")
    ->Arg(2)
    ->UseRealTime()
    ->Iterations(1)
    ->Unit(benchmark::kMillisecond);

void naive(benchmark::State& state) {
  constexpr int kStride = 64;
  const RiggedMesh& mesh = raptor();
  const WeightedSurface surface = weighted_surface(mesh, Surface(mesh.faces, weld(mesh)));
  const WeightedTriangles triangles = weighted_triangles(surface);
  const CentreTargets sample = every_nth(centre_targets(surface), kStride);
  double seconds = 0;
  for (auto _ : state) {
    const auto start = std::chrono::steady_clock::now();
    benchmark::DoNotOptimize(sum_naively(triangles, sample, {.threads = static_cast<int>(state.range(0))}));
    seconds += std::chrono::duration<double>(std::chrono::steady_clock::now() - start).count();
  }
  state.counters["all_vertices_s"] =
      seconds / static_cast<double>(state.iterations()) * mesh.vertex_count() / sample.count();
}
BENCHMARK(naive)
    ->Name("rotation_centres/raptor/naive_sample/threads")
    ->Arg(2)
    ->UseRealTime()
    ->Unit(benchmark::kMillisecond);

}  // namespace
}  // namespace skinlight
