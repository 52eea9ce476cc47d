// What normals cost on the CPU, one thread, in nanoseconds per vertex: every mode of skin<float>, a plain
// matrix-palette loop in Eigen (positions and normals as engines skin them) to compare with in the same run,
// SkinBatch in blocks and in the file's order with every instruction set, and the kernel alone over float and
// over four and eight lanes.
#include "skinlight/skinning/skin.h"

#include <benchmark/benchmark.h>

#include <Eigen/Dense>
#include <array>
#include <string>
#include <vector>

#include "skinlight/core/pack.h"
#include "skinlight/preprocess/centres/rotation_centres.h"
#include "skinlight/preprocess/deform_vectors.h"
#include "skinlight/samples/procedural.h"
#include "skinlight/skinning/batch/batch.h"
#include "skinlight/skinning/kernels.h"

namespace skinlight {
namespace {

constexpr int kSlots = 4;

struct Scene {
  RiggedMesh mesh = cylinder({}, {.segments = 300, .jitter = .2, .random_diagonals = true}).mesh;
  NormalRecord factors = deform_factors(mesh, Surface(mesh.faces, weld(mesh)), {.max_slots = kSlots});
  RotationCentres centres = rotation_centres(mesh, Surface(mesh.faces, weld(mesh)));
  NormalRecord vectors = deform_vectors(mesh, Surface(mesh.faces, weld(mesh)), {.max_slots = kSlots});
  Pose pose = cylinder_bend(.8);

  SkinData data() const {
    SkinData all = factors;
    all.centres = &centres;
    all.vectors = &vectors;
    return all;
  }
};

const Scene& scene() {
  static const Scene scene;
  return scene;
}

void report(benchmark::State& state, int vertices) {
  state.SetItemsProcessed(state.iterations() * vertices);
  state.counters["per vertex"] = benchmark::Counter(
      vertices, benchmark::Counter::kIsIterationInvariantRate | benchmark::Counter::kInvert);
}

void eigen_palette(benchmark::State& state) {
  const Scene& s = scene();
  using Map = Eigen::Matrix<float, 3, 4>;
  std::vector<Map> palette;
  for (const Mat4x3d& m : s.pose.M) {
    Map e;
    for (int c = 0; c < 4; ++c) e.col(c) = Eigen::Vector3f(Vec3f(m[c]).x, Vec3f(m[c]).y, Vec3f(m[c]).z);
    palette.push_back(e);
  }
  const auto count = static_cast<std::size_t>(s.mesh.vertex_count());
  std::vector<Eigen::Vector3f> p0, n0, p(count), n(count);
  std::vector<float> weight(s.factors.weight.begin(), s.factors.weight.end());
  for (std::size_t v = 0; v < count; ++v) {
    const Vec3f a(s.mesh.p0[v]), b(s.mesh.n0[v]);
    p0.emplace_back(a.x, a.y, a.z);
    n0.emplace_back(b.x, b.y, b.z);
  }
  for (auto _ : state) {
    for (std::size_t v = 0; v < count; ++v) {
      Map T = Map::Zero();
      for (std::size_t k = 0; k < kSlots; ++k)
        T += weight[v * kSlots + k] * palette[static_cast<std::size_t>(s.factors.bone[v * kSlots + k])];
      p[v] = T * p0[v].homogeneous();
      n[v] = (T.leftCols<3>() * n0[v]).normalized();
    }
    benchmark::DoNotOptimize(p.data());
    benchmark::DoNotOptimize(n.data());
    benchmark::ClobberMemory();
  }
  report(state, s.mesh.vertex_count());
}
BENCHMARK(eigen_palette)->Name("eigen_matrix_palette")->Unit(benchmark::kMillisecond);

void run_mode(benchmark::State& state, Method method, NormalMode mode, const GuardOptions& guard) {
  const Scene& s = scene();
  for (auto _ : state)
    benchmark::DoNotOptimize(skin<float>(s.mesh, s.data(), s.pose,
                                         {.method = method, .mode = mode, .guard = guard, .threads = 1}));
  report(state, s.mesh.vertex_count());
}

template <class Out>
void run_batch(benchmark::State& state, const SkinOptions& options, InstructionSet set) {
  const Scene& s = scene();
  SkinBatch batch(s.mesh, s.data(), options, set);
  Out out;
  for (auto _ : state) {
    batch.skin(s.pose, out);
    benchmark::ClobberMemory();
  }
  report(state, s.mesh.vertex_count());
}

void register_batch(const std::string& name, const SkinOptions& options) {
  for (const InstructionSet set : instruction_sets()) {
    const std::string prefix = "batch/" + std::string(name_of(set)) + "/" + name;
    benchmark::RegisterBenchmark((prefix + "/blocks").c_str(), [=](benchmark::State& state) {
      run_batch<PosedBlocks>(state, options, set);
    })->Unit(benchmark::kMillisecond);
    benchmark::RegisterBenchmark((prefix + "/file order").c_str(), [=](benchmark::State& state) {
      run_batch<SkinnedMesh<float>>(state, options, set);
    })->Unit(benchmark::kMillisecond);
  }
}

const bool kBatchRegistered = [] {
  for (const MethodRow& method : methods())
    for (const NormalMode mode : method.modes)
      register_batch(std::string(method.name) + "/" + std::string(row(mode).name),
                     {.method = method.method, .mode = mode, .threads = 1});
  for (const GuardRow& row : guards())
    if (row.guard != Guard::none)
      register_batch("lbs/deform, " + std::string(row.name), {.guard = row.usual, .threads = 1});
  return true;
}();

const bool kModesRegistered = [] {
  for (const MethodRow& method : methods())
    for (const NormalMode mode : method.modes)
      benchmark::RegisterBenchmark(
          ("skin/" + std::string(method.name) + "/" + std::string(row(mode).name)).c_str(),
          [m = method.method, mode](benchmark::State& state) { run_mode(state, m, mode, {}); })
          ->Unit(benchmark::kMillisecond);
  for (const GuardRow& row : guards())
    if (row.guard != Guard::none)
      benchmark::RegisterBenchmark(("skin/lbs/deform, " + std::string(row.name)).c_str(),
                                   [guard = row.usual](benchmark::State& state) {
                                     run_mode(state, Method::lbs, NormalMode::deform, guard);
                                   })
          ->Unit(benchmark::kMillisecond);
  return true;
}();

// The kernel's input as a vertex buffer holds it, transforms already looked up, so that only arithmetic
// counts.
template <class Real>
struct KernelInput {
  using K = Kernels<Real, kSlots>;
  typename K::Influences x;
  typename K::DeformFactors f;
  typename K::RestVertex rest;
};

KernelInput<float> input_at(const Scene& s, int vertex) {
  KernelInput<float> in;
  for (int k = 0; k < kSlots; ++k) {
    const std::size_t i = s.factors.at(vertex, k);
    in.x.w[k] = static_cast<float>(s.factors.weight[i]);
    in.x.M[k] = Mat4x3f(s.pose.M[static_cast<std::size_t>(s.factors.bone[i])]);
    in.f.alpha[k] = static_cast<float>(s.factors.alpha[i]);
    in.f.beta[k] = static_cast<float>(s.factors.beta[i]);
  }
  const auto v = static_cast<std::size_t>(vertex);
  in.rest = {Vec3f(s.mesh.p0[v]), Vec3f(s.mesh.n0[v]), Vec3f(s.mesh.t0[v]), Vec3f(s.mesh.b0[v])};
  return in;
}

// Inputs side by side. Inputs are plain arrays of scalars, so they transpose as such.
template <int Lanes>
KernelInput<Pack<Lanes>> side_by_side(const std::array<KernelInput<float>, Lanes>& lanes) {
  constexpr std::size_t kScalars = sizeof(KernelInput<float>) / sizeof(float);
  static_assert(sizeof(KernelInput<Pack<Lanes>>) == kScalars * sizeof(Pack<Lanes>));
  KernelInput<Pack<Lanes>> packed;
  for (std::size_t i = 0; i < kScalars; ++i) {
    float values[Lanes];
    for (std::size_t l = 0; l < Lanes; ++l) values[l] = reinterpret_cast<const float*>(&lanes[l])[i];
    reinterpret_cast<Pack<Lanes>*>(&packed)[i] = Pack<Lanes>::load(values);
  }
  return packed;
}

constexpr int kKernelVertices = 4096;  // inputs that stay in the second-level cache

template <class Real>
void run_kernel(benchmark::State& state, const std::vector<KernelInput<Real>>& inputs) {
  using K = Kernels<Real, kSlots>;
  std::vector<typename K::PosedVertex> out(inputs.size());
  for (auto _ : state) {
    for (std::size_t i = 0; i < inputs.size(); ++i)
      out[i] =
          K().finish(K().lbs_deform(inputs[i].x, inputs[i].f, inputs[i].rest), inputs[i].rest, Real(1.0));
    benchmark::DoNotOptimize(out.data());
    benchmark::ClobberMemory();
  }
  report(state, kKernelVertices);
}

void kernel_float(benchmark::State& state) {
  std::vector<KernelInput<float>> inputs;
  for (int v = 0; v < kKernelVertices; ++v) inputs.push_back(input_at(scene(), v));
  run_kernel(state, inputs);
}
BENCHMARK(kernel_float)->Name("lbs_deform kernel/float");

template <int Lanes>
void kernel_pack(benchmark::State& state) {
  std::vector<KernelInput<Pack<Lanes>>> inputs;
  for (int v = 0; v < kKernelVertices; v += Lanes) {
    std::array<KernelInput<float>, Lanes> lanes;
    for (int l = 0; l < Lanes; ++l) lanes[static_cast<std::size_t>(l)] = input_at(scene(), v + l);
    inputs.push_back(side_by_side<Lanes>(lanes));
  }
  run_kernel(state, inputs);
}
BENCHMARK(kernel_pack<4>)->Name("lbs_deform kernel/pack of 4");
BENCHMARK(kernel_pack<8>)->Name("lbs_deform kernel/pack of 8");

}  // namespace
}  // namespace skinlight
