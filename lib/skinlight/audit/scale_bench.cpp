// Meshes of 1, 4 and 10 million vertices through all that the program does with a character: time and memory
// per vertex should stay what they are. One thread; a pill of two bones in a glTF file, bent by its clip. Each
// step counts the memory that it adds to what is there before: the numbers of the mesh take about 300 bytes
// per vertex, so that ten million vertices want a machine with 20 GB to themselves.
#include <benchmark/benchmark.h>

#include <cmath>
#include <filesystem>
#include <memory>
#include <optional>
#include <string>

#include "skinlight/asset/gltf/gltf.h"
#include "skinlight/bake/bake.h"
#include "skinlight/character/clip_error.h"
#include "skinlight/preprocess/deform_factors.h"
#include "skinlight/preprocess/deform_vectors.h"
#include "skinlight/samples/procedural.h"
#include "skinlight/skinning/batch/batch.h"
#include "testing/bench_memory.h"
#include "testing/gltf_file.h"

namespace skinlight {
namespace {

namespace fs = std::filesystem;

constexpr int kMillion = 1000000;

// A pill has about 1.04 vertices per square of its segments.
int segments_of(int millions) { return static_cast<int>(std::sqrt(millions * kMillion / 1.04)); }

std::vector<double> numbers(const std::vector<Vec3d>& vectors) {
  std::vector<double> all;
  all.reserve(3 * vectors.size());
  for (const Vec3d& v : vectors) all.insert(all.end(), {v.x, v.y, v.z});
  return all;
}

// The pill with its lower bone turned by 60 degrees over a second.
gltf_test::File pill_file(int millions) {
  const RiggedMesh mesh = pill({.segments = segments_of(millions)}).mesh;
  gltf_test::File file = gltf_test::strip();  // whose skin and clip stay
  std::vector<double> indices;
  for (const Face& face : mesh.faces) indices.insert(indices.end(), face.begin(), face.end());
  const std::string corners = file.add("SCALAR", gltf_test::kU32, indices);
  std::vector<double>().swap(indices);
  std::vector<double> joints, weights, uv;
  for (int v = 0; v < mesh.vertex_count(); ++v)
    for (std::size_t k = 0; k < 4; ++k) {
      const bool used = k < mesh.weights_of(v).size();
      joints.push_back(used ? mesh.bones_of(v)[k] : 0);
      weights.push_back(used ? mesh.weights_of(v)[k] : 0);
    }
  for (const Vec2d& at : mesh.uv) uv.insert(uv.end(), {at.x, at.y});
  file.primitives = {R"({"attributes": {"POSITION": )" +
                     file.add("VEC3", gltf_test::kFloat, numbers(mesh.p0)) + R"(, "NORMAL": )" +
                     file.add("VEC3", gltf_test::kFloat, numbers(mesh.n0)) + R"(, "TEXCOORD_0": )" +
                     file.add("VEC2", gltf_test::kFloat, uv) + R"(, "JOINTS_0": )" +
                     file.add("VEC4", gltf_test::kU8, joints) + R"(, "WEIGHTS_0": )" +
                     file.add("VEC4", gltf_test::kFloat, weights) + R"(}, "indices": )" + corners + "}"};
  return file;
}

// One size at a time, made when it is first asked for.
struct Subject {
  int millions;
  gltf_test::Folder folder{"scale"};
  fs::path file;
  Model model;
  std::optional<Surface> surface;

  explicit Subject(int m) : millions(m) {
    file = folder.write("pill.glb", pill_file(m).glb());
    model = read_gltf(file);
    surface.emplace(model.mesh.faces, weld(model.mesh));
  }
};

const Subject& subject(int millions) {
  static std::unique_ptr<Subject> known;
  if (!known || known->millions != millions) {
    known.reset();
    known = std::make_unique<Subject>(millions);
  }
  return *known;
}

template <class Step>
void run(benchmark::State& state, Step step) {
  const Subject& of = subject(static_cast<int>(state.range(0)));
  const double before = bench::forget_peak();
  for (auto _ : state) step(of);
  const double vertices = of.model.mesh.vertex_count();
  state.counters["vertices"] = vertices;
  state.counters["time/vertex"] = benchmark::Counter(
      vertices, benchmark::Counter::kIsIterationInvariantRate | benchmark::Counter::kInvert);
  state.counters["bytes/vertex"] = (bench::peak_mib() - before) * 1024 * 1024 / vertices;
}

void read(benchmark::State& state) {
  run(state, [](const Subject& s) { benchmark::DoNotOptimize(read_gltf(s.file)); });
}

void surface(benchmark::State& state) {
  run(state,
      [](const Subject& s) { benchmark::DoNotOptimize(Surface(s.model.mesh.faces, weld(s.model.mesh))); });
}

void factors(benchmark::State& state) {
  run(state, [](const Subject& s) {
    benchmark::DoNotOptimize(deform_factors(s.model.mesh, *s.surface, {.threads = 1}));
  });
}

void vectors(benchmark::State& state) {
  run(state, [](const Subject& s) {
    benchmark::DoNotOptimize(deform_vectors(s.model.mesh, *s.surface, {.threads = 1}));
  });
}

// Factors, a batch of them and one pose.
void skin_once(benchmark::State& state) {
  run(state, [](const Subject& s) {
    const NormalRecord record =
        deform_factors(s.model.mesh, *s.surface, {.threads = 1, .gradients = false, .smooth_weights = false});
    SkinBatch batch(s.model.mesh, record, {.threads = 1});
    SkinnedMesh<float> posed;
    batch.skin(pose_at(s.model.skeleton, s.model.clips[0], .5), posed);
    benchmark::DoNotOptimize(posed);
  });
}

// Standard normals and deform factors at two frames of the clip against both truths; a copy of the mesh counts too.
void compare(benchmark::State& state) {
  run(state, [](const Subject& s) {
    const SkinOptions ways[] = {{.mode = NormalMode::standard}, {.mode = NormalMode::deform}};
    const Character character(s.model, {.gradients = false, .smooth_weights = false}, 1);
    benchmark::DoNotOptimize(clip_error(character, s.model.clips[0], 2, ways));
  });
}

void bake(benchmark::State& state) {
  run(state, [](const Subject& s) {
    const fs::path out = s.file.parent_path() / "baked.glb";
    benchmark::DoNotOptimize(bake_gltf(s.file, out, {.format = NumberFormat::snorm16, .threads = 1}));
    fs::remove(out);
  });
}

// Ordered by size, so that each mesh is made once.
const bool registered = [] {
  for (const int millions : {1, 4, 10}) {
    const auto add = [&](const char* name, void (*step)(benchmark::State&)) {
      benchmark::RegisterBenchmark((std::string("scale/") + name).c_str(), step)
          ->Arg(millions)
          ->Iterations(1)
          ->Unit(benchmark::kSecond);
    };
    add("read", read);
    add("surface", surface);
    add("factors", factors);
    add("vectors", vectors);
    add("skin", skin_once);
    add("compare", compare);
    add("bake", bake);
  }
  return true;
}();

}  // namespace
}  // namespace skinlight
