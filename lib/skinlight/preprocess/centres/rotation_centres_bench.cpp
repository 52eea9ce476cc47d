// Centres of rotation for a mesh of the size of the raptor in [BTGM19 Table 2]: 15,005 vertices, 21,959
// triangles, 79 bones. The project asks for the exact sum in less than 0.3 s on 2 threads. The naive loop
// runs over every 64th vertex: "all_vertices_s" is what it would take for all of them.
#include "skinlight/preprocess/centres/rotation_centres.h"

#include <benchmark/benchmark.h>
#include <sys/resource.h>

#include <algorithm>
#include <chrono>
#include <vector>

#include "skinlight/preprocess/centres/centre_sums.h"
#include "skinlight/samples/procedural.h"
#include "skinlight/samples/quadruped.h"

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

// A sheet of a million vertices on a grid of bones, four influences each, no two weights alike.
RiggedMesh sheet() {
  constexpr int kSide = 1000, kBones = 128;
  RiggedMesh mesh;
  mesh.bone_count = kBones * kBones;
  mesh.slots = 4;
  const auto cell_of = [](double x) { return std::clamp(static_cast<int>(x * kBones - 0.5), 0, kBones - 2); };
  for (int y = 0; y < kSide; ++y)
    for (int x = 0; x < kSide; ++x) {
      const double px = (x + 0.5) / kSide, py = (y + 0.5) / kSide;
      mesh.p0.emplace_back(px, py, 0);
      const int left = cell_of(px), low = cell_of(py);
      const double fx = std::clamp(px * kBones - 0.5 - left, 0.01, 0.99),
                   fy = std::clamp(py * kBones - 0.5 - low, 0.01, 0.99);
      for (const int bone : {0, 1, kBones, kBones + 1}) {
        mesh.bone.push_back(low * kBones + left + bone);
        mesh.weight.push_back((bone % kBones == 1 ? fx : 1 - fx) * (bone >= kBones ? fy : 1 - fy));
      }
    }
  for (int y = 0; y + 1 < kSide; ++y)
    for (int x = 0; x + 1 < kSide; ++x) {
      const int a = y * kSide + x;
      mesh.faces.push_back({a, a + 1, a + kSide + 1});
      mesh.faces.push_back({a, a + kSide + 1, a + kSide});
    }
  mesh.n0.assign(mesh.p0.size(), Vec3d(0, 0, 1));
  std::vector<Warning> none;
  normalize_weights(mesh, none);
  compute_tangent_frames(mesh);
  return mesh;
}

// The process's peak, the mesh and its surface included: run it alone. The project asks for less than 1000
// MB.
void memory(benchmark::State& state) {
  const RiggedMesh mesh = sheet();
  const Surface surface(mesh.faces, weld(mesh));
  for (auto _ : state) benchmark::DoNotOptimize(rotation_centres(mesh, surface));
  rusage used{};
  getrusage(RUSAGE_SELF, &used);
  state.counters["peak_MB"] = static_cast<double>(used.ru_maxrss) / 1024;
}
BENCHMARK(memory)
    ->Name("rotation_centres/million")
    ->Iterations(1)
    ->UseRealTime()
    ->Unit(benchmark::kMillisecond);

}  // namespace
}  // namespace skinlight
