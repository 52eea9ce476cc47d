// Deform factors of a pill of about 100,000 vertices, one thread, welded surface given. The project asks for
// at least 2 million vertices per second.
#include "skinlight/preprocess/deform_factors.h"

#include <benchmark/benchmark.h>

#include "skinlight/samples/procedural.h"

namespace skinlight {
namespace {

constexpr int kSegments = 300;

void bench(benchmark::State& state, const DeformFactorOptions& options, const Tessellation& tessellation) {
  const RiggedMesh mesh = pill(tessellation).mesh;
  const Surface surface(mesh.faces, weld(mesh));
  for (auto _ : state) benchmark::DoNotOptimize(deform_factors(mesh, surface, options));
  state.SetItemsProcessed(state.iterations() * mesh.vertex_count());
  state.counters["vertices"] = mesh.vertex_count();
}

void structured(benchmark::State& state) {
  bench(state, {.max_slots = static_cast<int>(state.range(0)), .threads = 1}, {.segments = kSegments});
}
BENCHMARK(structured)->Name("deform_factors/pill/slots")->Arg(2)->Arg(4)->Unit(benchmark::kMillisecond);

void jittered(benchmark::State& state) {
  bench(state, {.max_slots = 4, .threads = 1},
        {.segments = kSegments, .jitter = .3, .random_diagonals = true});
}
BENCHMARK(jittered)->Name("deform_factors/jittered_pill")->Unit(benchmark::kMillisecond);

void all_cores(benchmark::State& state) {
  bench(state, {.max_slots = 4, .threads = 0}, {.segments = kSegments});
}
BENCHMARK(all_cores)->Name("deform_factors/pill/all_cores")->UseRealTime()->Unit(benchmark::kMillisecond);

}  // namespace
}  // namespace skinlight
