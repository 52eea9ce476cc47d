// Baking the largest of the real models, 55,784 vertices and 163 joints, read and written as a file: the
// project asks for less than 2 s, and for less memory than 6 times the decoded model. Needs SKINLIGHT_MODELS.
#include "skinlight/bake/bake.h"

#include <benchmark/benchmark.h>

#include "testing/bench_memory.h"
#include "testing/models_folder.h"

namespace skinlight {
namespace {

namespace fs = std::filesystem;

void bake_body(benchmark::State& state, RecordKind kind) {
  const fs::path in = test_models::folder() / "makehuman-body/mh_body_sub1_4inf.glb";
  if (!fs::exists(in)) {
    state.SkipWithError("SKINLIGHT_MODELS names no folder with makehuman-body");
    return;
  }
  const fs::path out = fs::temp_directory_path() / "skinlight_bake_bench.glb";
  for (auto _ : state) {
    const BakeReport report =
        bake_gltf(in, out, {.kind = kind, .format = NumberFormat::snorm16, .threads = 1});
    bench::count_memory(state, report.character.mesh());
  }
  fs::remove(out);
}
// The memory of each is right where a process runs no other before it, as --benchmark_filter makes sure.
BENCHMARK_CAPTURE(bake_body, factors, RecordKind::deform_factors)
    ->Name("bake/makehuman_body")
    ->Unit(benchmark::kMillisecond);
BENCHMARK_CAPTURE(bake_body, vectors, RecordKind::deform_vectors)
    ->Name("bake/makehuman_body_vectors")
    ->Unit(benchmark::kMillisecond);

}  // namespace
}  // namespace skinlight
