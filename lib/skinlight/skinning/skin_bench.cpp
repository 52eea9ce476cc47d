// What skinning costs on real characters (SKINLIGHT_MODELS), one thread. Every round runs the yardstick first, a plain palette
// loop in Eigen for positions, normals and tangents (palette_avx2_bench.h), then a plain copy of the bytes that the batch
// reads and writes, then the batch: `of_palette` and `of_copy` are medians of the ratios within rounds, which drift far
// less than times. Instructions per vertex:
//   valgrind --tool=callgrind --toggle-collect='*pose_blocks*' skinlight_skinning_bench --benchmark_filter=NAME
#include "skinlight/skinning/skin.h"

#include <benchmark/benchmark.h>

#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <filesystem>
#include <map>
#include <string>
#include <vector>

#include "skinlight/asset/model_file.h"
#include "skinlight/preprocess/centres/rotation_centres.h"
#include "skinlight/preprocess/deform_vectors.h"
#include "skinlight/skinning/batch/batch.h"
#include "skinlight/skinning/detail/palette_avx2_bench.h"
#include "testing/bench_times.h"

namespace skinlight {
namespace {

struct Character {
  RiggedMesh mesh;
  NormalRecord factors;
  NormalRecord vectors;
  RotationCentres centres;
  FrameRecord frames;
  Pose pose;

  explicit Character(Model model) : mesh(std::move(model.mesh)) {
    limit_influences(mesh, 4);
    const Surface surface(mesh.faces, weld(mesh));
    factors = deform_factors(mesh, surface);
    vectors = deform_vectors(mesh, surface);
    centres = rotation_centres(mesh, surface);
    frames = deform_frames(mesh, surface, {.blend = FrameBlend::rotation_centres, .centres = &centres});
    pose = model.clips.empty() ? default_pose(model.skeleton)
                               : pose_at(model.skeleton, model.clips[0], model.clips[0].duration / 2);
  }
  SkinData data() const {
    SkinData all = factors;
    all.vectors = &vectors;
    all.centres = &centres;
    all.frames = &frames;
    return all;
  }
};

const Character& character(const std::string& file) {
  static std::map<std::string, Character> known;
  const auto found = known.find(file);
  if (found != known.end()) return found->second;
  return known.emplace(file, read_model(std::filesystem::path(std::getenv("SKINLIGHT_MODELS")) / file))
      .first->second;
}

bench::Palette palette_of(const Character& c) {
  bench::Palette palette;
  for (const Mat4x3d& m : c.pose.M)
    for (int col = 0; col < 4; ++col)
      for (int r = 0; r < 4; ++r)
        palette.matrices.push_back(r < 3 ? static_cast<float>(m[col][r]) : col < 3 ? 0.0f : 1.0f);
  for (int v = 0; v < c.mesh.vertex_count(); ++v)
    for (int s = 0; s < 4; ++s) {
      const bool used = s < c.mesh.slots;
      palette.bone.push_back(c.mesh.bones_of(v)[used ? static_cast<std::size_t>(s) : 0]);
      palette.weight.push_back(used ? static_cast<float>(c.mesh.weights_of(v)[static_cast<std::size_t>(s)])
                                    : 0.0f);
    }
  const auto put = [](const std::vector<Vec3d>& from, std::vector<float>& to) {
    for (const Vec3d& v : from)
      for (const double x : {v.x, v.y, v.z}) to.push_back(static_cast<float>(x));
  };
  put(c.mesh.p0, palette.p0);
  put(c.mesh.n0, palette.n0);
  put(c.mesh.t0, palette.t0);
  palette.p = palette.p0;
  palette.n = palette.n0;
  palette.t = palette.t0;
  return palette;
}

// bytes: read and written by a run of `work`.
void compare(benchmark::State& state, const Character& c, std::size_t bytes, const auto& work) {
  const bool has_yardstick = best_instruction_set() == InstructionSet::avx2;
  bench::Palette palette = palette_of(c);
  const std::vector<char> from(bytes / 2, 1);
  std::vector<char> to(from.size());
  std::vector<double> of_palette, of_copy, nanoseconds;
  for (auto _ : state) {
    const double yardstick = has_yardstick ? bench::seconds_of([&] { bench::pose_avx2(palette); }) : 1;
    const double copy = bench::seconds_of([&] { std::memcpy(to.data(), from.data(), from.size()); });
    const double ours = bench::seconds_of(work);
    state.SetIterationTime(ours);
    of_palette.push_back(ours / yardstick);
    of_copy.push_back(ours / copy);
    nanoseconds.push_back(1e9 * ours / c.mesh.vertex_count());
  }
  state.counters["ns_per_vertex"] = bench::median(nanoseconds);
  if (has_yardstick) state.counters["of_palette"] = bench::median(of_palette);
  state.counters["of_copy"] = bench::median(of_copy);
}

std::size_t bytes_of(const SkinBatch& batch, Outputs outputs, bool file_order) {
  const std::size_t written =
      12 * static_cast<std::size_t>(outputs) *
      static_cast<std::size_t>(file_order ? batch.vertex_count() : kBlockLanes * batch.block_count());
  return batch.rest_bytes() + written;
}

template <class Out>
void run_batch(benchmark::State& state, const std::string& file, const SkinOptions& options) {
  const Character& c = character(file);
  SkinBatch batch(c.mesh, c.data(), options);
  Out out;
  compare(state, c, bytes_of(batch, options.outputs, std::is_same_v<Out, SkinnedMesh<float>>),
          [&] { batch.skin(c.pose, out); });
  state.counters["padding"] =
      static_cast<double>(kBlockLanes * batch.block_count()) / batch.vertex_count() - 1;
}

template <class Real>
void run_skin(benchmark::State& state, const std::string& file, const SkinOptions& options) {
  const Character& c = character(file);
  compare(state, c, 24 * sizeof(Real) * c.mesh.p0.size(),
          [&] { skin<Real>(c.mesh, c.data(), c.pose, options); });
}

void add(const std::string& name, const auto& run, const std::string& file, const SkinOptions& options) {
  benchmark::RegisterBenchmark(name.c_str(), [=](benchmark::State& state) { run(state, file, options); })
      ->UseManualTime()
      ->Unit(benchmark::kMicrosecond);
}

void add_batch(const std::string& name, const std::string& file, const SkinOptions& options) {
  add(name + "/blocks", run_batch<PosedBlocks>, file, options);
  add(name + "/file order", run_batch<SkinnedMesh<float>>, file, options);
}

void add_character(const std::string& name, const std::string& file) {
  constexpr std::pair<Outputs, const char*> kOutputs[] = {{Outputs::positions, "P"},
                                                          {Outputs::normals, "P+N"},
                                                          {Outputs::tangents, "P+N+T"},
                                                          {Outputs::frame, "P+N+T+B"}};
  for (const auto& [outputs, label] : kOutputs)
    add_batch(name + "/lbs/deform/" + label, file, {.threads = 1, .outputs = outputs});
  for (const KernelRow& kernel : kernel_rows())
    if (kernel.method != Method::lbs || kernel.mode != NormalMode::deform)
      add_batch(name + "/" + std::string(row(kernel.method).name) + "/" + std::string(row(kernel.mode).name) +
                    "/P+N+T",
                file,
                {.method = kernel.method, .mode = kernel.mode, .threads = 1, .outputs = Outputs::tangents});
  for (const GuardRow& guard : guards())
    if (guard.guard != Guard::none)
      add_batch(name + "/lbs/deform, " + std::string(guard.name) + "/P+N+T", file,
                {.guard = guard.usual, .threads = 1, .outputs = Outputs::tangents});
  add(name + "/skin<float>/lbs/deform/P+N+T+B", run_skin<float>, file, {.threads = 1});
  add(name + "/skin<double>/lbs/deform/P+N+T+B", run_skin<double>, file, {.threads = 1});
}

const bool kRegistered = [] {
  if (!std::getenv("SKINLIGHT_MODELS")) {
    std::fprintf(stderr, "SKINLIGHT_MODELS is not set: no characters to skin\n");
    return false;
  }
  add_character("quaternius-formal", "quaternius-formal/Formal.gltf");
  add_character("cesium-man", "cesium-man/cesium_man.gltf");
  add_character("makehuman-body", "makehuman-body/mh_body_sub1_4inf.glb");
  return true;
}();

}  // namespace
}  // namespace skinlight
