// What a frame costs on the GPU, from the pose in CPU memory to the drawn picture, for every method and kind of normals on
// tubes of 1,000 to 1,000,000 vertices. Every round draws linear blending with standard normals first: `of_standard` is the
// median of the ratios within rounds. The picture is small: vertices are what is measured.
// SKINLIGHT_RENDERER names the renderer, as `skinlight reproduce --renderer` does (default: auto).
#include "skinlight/render/gpu_skin.h"

#include <benchmark/benchmark.h>

#include <algorithm>
#include <cmath>
#include <cstdlib>
#include <map>
#include <string>
#include <vector>

#include "skinlight/preprocess/centres/rotation_centres.h"
#include "skinlight/render/context.h"
#include "skinlight/samples/procedural.h"
#include "skinlight/skinning/kernel_table.h"
#include "testing/bench_times.h"
#include "testing/skin_data.h"

namespace skinlight {
namespace {

constexpr int kPicture = 64;  // pixels
constexpr int kVertices[] = {1000, 10'000, 100'000, 1'000'000};

Context& context() {
  static const std::unique_ptr<Context> made = [] {
    const char* wanted = std::getenv("SKINLIGHT_RENDERER");
    return create_context(renderer_from_name(wanted ? wanted : "auto"));
  }();
  return *made;
}

// Centres on the axis: what they are costs nothing on the GPU.
RotationCentres axis_centres(const RiggedMesh& mesh) {
  RotationCentres centres;
  for (const Vec3d& p : mesh.p0) centres.centre.push_back({0, 0, p.z});
  centres.along_t.assign(mesh.p0.size(), Vec3d(0.0));
  centres.along_b = centres.along_t;
  centres.has_centre.assign(mesh.p0.size(), 1);
  return centres;
}

// A tube of about so many vertices with all that any kernel reads, in GPU memory.
class Tube {
 public:
  explicit Tube(int vertices)
      : mesh_(cylinder({}, {.segments = segments_of(vertices)}).mesh),
        factors_(test_skin_data::factors_of(mesh_)),
        full_(mesh_, factors_),
        centres_(axis_centres(mesh_)),
        gpu_(context(), mesh_, data()) {}

  int vertex_count() const { return mesh_.vertex_count(); }
  void draw(const SkinOptions& options) const {
    benchmark::DoNotOptimize(gpu_.normals(pose_, options, camera_, kPicture, kPicture));
  }

 private:
  // Rings are as far apart as segments: a tube of radius 1 and length 6 has segments^2 6 / (2 pi) vertices.
  static int segments_of(int vertices) {
    return std::max(8, static_cast<int>(std::lround(std::sqrt(vertices * 3.14159265 / 3))));
  }
  SkinData data() const {
    SkinData all = full_;
    all.centres = &centres_;
    return all;
  }

  RiggedMesh mesh_;
  NormalRecord factors_;
  test_skin_data::Full full_;
  RotationCentres centres_;
  GpuSkin gpu_;
  Pose pose_ = cylinder_bend(1);
  Camera camera_ =
      frame(std::span<const Vec3d>(mesh_.p0), View{.towards_eye = {1, 0, 0}, .up = {0, 0, 1}}, 1);
};

const Tube& tube(int vertices) {
  static std::map<int, Tube> known;
  return known.try_emplace(vertices, vertices).first->second;
}

void draw(benchmark::State& state, int vertices, const SkinOptions& options) {
  const Tube& drawn = tube(vertices);
  const SkinOptions standard = {.mode = NormalMode::standard};
  drawn.draw(standard);  // programs are built at first sight
  drawn.draw(options);
  std::vector<double> ratios;
  for (auto _ : state) {
    const double yardstick = bench::seconds_of([&] { drawn.draw(standard); });
    const double ours = bench::seconds_of([&] { drawn.draw(options); });
    state.SetIterationTime(ours);
    ratios.push_back(ours / yardstick);
  }
  state.counters["vertices"] = drawn.vertex_count();
  state.counters["of_standard"] = bench::median(ratios);
  state.SetLabel(context().info().device);
}

const bool kRegistered = [] {
  for (const int vertices : kVertices)
    for (const KernelRow& kernel : kernel_rows()) {
      const std::string name = "frame/" + std::string(row(kernel.method).name) + "/" +
                               std::string(row(kernel.mode).name) + "/" + std::to_string(vertices);
      benchmark::RegisterBenchmark(name.c_str(),
                                   [=, &kernel](benchmark::State& state) {
                                     draw(state, vertices, {.method = kernel.method, .mode = kernel.mode});
                                   })
          ->UseManualTime()
          ->Unit(benchmark::kMicrosecond);
    }
  return true;
}();

}  // namespace
}  // namespace skinlight
