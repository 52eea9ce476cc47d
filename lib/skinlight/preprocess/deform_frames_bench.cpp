// Deform frames of real models, one thread, welded surface given, in the same run as deform factors, each
// with its own averaging. Twenty times the time at most: the counter `ratio`, and an error above it. Needs SKINLIGHT_MODELS.
#include "skinlight/preprocess/deform_frames.h"

#include <benchmark/benchmark.h>

#include <algorithm>
#include <ctime>
#include <vector>

#include "skinlight/asset/gltf/gltf.h"
#include "skinlight/preprocess/deform_factors.h"
#include "testing/models_folder.h"

namespace skinlight {
namespace {

constexpr double kMostRatio = 20;

template <class Call>
double processor_seconds(Call call) {
  const std::clock_t start = std::clock();
  call();
  return static_cast<double>(std::clock() - start) / CLOCKS_PER_SEC;
}

// Processor time of both in turn, so that a machine that others use slows both alike; the least of each is what
// counts.
void bench(benchmark::State& state, const char* file) {
  const std::filesystem::path path = test_models::folder() / file;
  if (!std::filesystem::exists(path)) {
    state.SkipWithError("SKINLIGHT_MODELS names no folder that holds the model");
    return;
  }
  const RiggedMesh mesh = read_gltf(path).mesh;
  const Surface surface(mesh.faces, weld(mesh));
  double factors = 1e9, frames = 1e9;
  for (auto _ : state) {
    factors = std::min(factors, processor_seconds([&] {
                         benchmark::DoNotOptimize(deform_factors(mesh, surface, {.threads = 1}));
                       }));
    frames = std::min(frames, processor_seconds([&] {
                        benchmark::DoNotOptimize(deform_frames(mesh, surface, {.threads = 1}));
                      }));
  }
  state.counters["vertices"] = mesh.vertex_count();
  state.counters["factors_ns/vertex"] = 1e9 * factors / mesh.vertex_count();
  state.counters["frames_ns/vertex"] = 1e9 * frames / mesh.vertex_count();
  state.counters["ratio"] = frames / factors;
  if (frames > kMostRatio * factors)
    state.SkipWithError("deform frames take more than twenty times as long as deform factors");
}
BENCHMARK_CAPTURE(bench, formal, "quaternius-formal/Formal.gltf")->Unit(benchmark::kMillisecond);
BENCHMARK_CAPTURE(bench, body, "makehuman-body/mh_body_sub1_4inf.glb")->Unit(benchmark::kMillisecond);
BENCHMARK_CAPTURE(bench, fox, "fox/Fox.glb")->Unit(benchmark::kMillisecond);

}  // namespace
}  // namespace skinlight
