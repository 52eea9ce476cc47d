#include "repro/studio.h"

#include <array>

#include "skinlight/render/gpu_skin.h"
#include "skinlight/render/heat_map.h"
#include "skinlight/render/offscreen.h"
#include "skinlight/truth/truth.h"

namespace skinlight::repro {

namespace {

constexpr int kSupersampling = 3;

}  // namespace

struct Studio::Parts {
  explicit Parts(Renderer renderer) : context(create_context(renderer)) {}
  std::unique_ptr<Context> context;  // destroyed last
  OffscreenRenderer offscreen;
};

std::vector<Vec3f> to_float(std::span<const Vec3d> v) {
  std::vector<Vec3f> f;
  f.reserve(v.size());
  for (const Vec3d& x : v) f.emplace_back(x);
  return f;
}

Framing framing_of(const Shot& shot, std::initializer_list<std::span<const Vec3f>> shapes) {
  std::vector<Vec3f> all;
  for (std::span<const Vec3f> shape : shapes) all.insert(all.end(), shape.begin(), shape.end());
  const double aspect = static_cast<double>(shot.width) / shot.height;
  return {frame(std::span<const Vec3f>(all), shot.view, aspect), shot.width, shot.height};
}

Studio::Studio(Renderer renderer) : parts_(std::make_unique<Parts>(renderer)) {}
Studio::~Studio() = default;

std::string Studio::renderer_name() const { return std::string(name(parts_->context->info().renderer)); }
std::string Studio::renderer_version() const {
  const ContextInfo& info = parts_->context->info();
  return info.device + ", OpenGL " + info.version;
}

SkinnedMesh<float> Studio::skin(const RiggedMesh& mesh, const SkinData& data, const Pose& pose,
                                const SkinOptions& options) {
  return GpuSkin(mesh, data).capture(pose, options);
}

Image8 Studio::shaded(const PosedMesh& mesh, const Framing& framing) {
  return parts_->offscreen.shaded(mesh, framing.camera, {framing.width, framing.height, kSupersampling});
}

Image8 Studio::shaded(std::span<const Face> faces, std::span<const Vec3f> p, std::span<const Vec3f> n,
                      const Framing& framing) {
  return shaded({faces, p, n}, framing);
}

Image8 Studio::error_map(const PosedMesh& mesh, const PosedMesh& truth, const Framing& framing,
                         double max_degrees) {
  const int width = framing.width * kSupersampling, height = framing.height * kSupersampling;
  const ImageF ours = parts_->offscreen.normals(mesh, framing.camera, width, height);
  const ImageF right = parts_->offscreen.normals(truth, framing.camera, width, height);
  return heat_map_picture(ours, right, max_degrees, kSupersampling);
}

Image8 Studio::error_map(std::span<const Face> faces, std::span<const Vec3f> p, std::span<const Vec3f> n,
                         std::span<const Vec3f> truth, const Framing& framing, double max_degrees) {
  return error_map({faces, p, n}, {faces, p, truth}, framing, max_degrees);
}

Image8 frame_row(const PreparedModel& model, const Clip& clip, double time, const Shot& shot, Studio& studio,
                 int threads) {
  const RiggedMesh& mesh = model.model.mesh;
  const Pose pose = pose_at(model.model.skeleton, clip, time);
  const PosedTruth truth = posed_truth(mesh, model.surface, model.data(), pose, Method::lbs, threads);
  const std::vector<Vec3f> true_normals = to_float(truth.transported);
  const SkinnedMesh<float> standard = studio.skin(mesh, model.data(), pose, {.mode = NormalMode::standard});
  const SkinnedMesh<float> deform = studio.skin(mesh, model.data(), pose, {.mode = NormalMode::deform});
  const Framing framing = framing_of(shot, {standard.p});
  const double top = shot.error_max_degrees;
  const std::array panels = {
      Panel{studio.shaded(mesh.faces, standard.p, standard.n, framing), "standard"},
      Panel{studio.shaded(mesh.faces, deform.p, deform.n, framing), "deform factors"},
      Panel{studio.shaded(mesh.faces, standard.p, true_normals, framing), "truth (transported)"},
      Panel{studio.error_map(mesh.faces, standard.p, standard.n, true_normals, framing, top),
            "error of standard"},
      Panel{studio.error_map(mesh.faces, deform.p, deform.n, true_normals, framing, top),
            "error of deform factors"}};
  return compose_row(panels);
}

}  // namespace skinlight::repro
