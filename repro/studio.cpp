#include "repro/studio.h"

#include <array>

#include "skinlight/render/heat_map.h"

namespace skinlight::repro {

namespace {

constexpr int kSupersampling = 3;

}  // namespace

struct Studio::Parts {
  explicit Parts(Renderer renderer) : context(create_context(renderer)), offscreen(*context) {}
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

Context& Studio::context() { return *parts_->context; }

SkinnedMesh<float> Studio::skin(const RiggedMesh& mesh, const SkinData& data, const Pose& pose,
                                const SkinOptions& options) {
  return GpuSkin(context(), mesh, data).capture(pose, options);
}

Image8 Studio::shaded(const Sight& sight, const Framing& framing) {
  const PictureSize size{framing.width, framing.height, kSupersampling};
  if (const auto* skinned = std::get_if<SkinnedRig>(&sight))
    return skinned->rig.shaded(skinned->pose, skinned->options, framing.camera, size);
  return parts_->offscreen.shaded(std::get<PosedMesh>(sight), framing.camera, size);
}

Image8 Studio::reflection(const Sight& sight, const Framing& framing, const Reflection& stripes) {
  const PictureSize size{framing.width, framing.height, kSupersampling};
  if (const auto* skinned = std::get_if<SkinnedRig>(&sight))
    return skinned->rig.reflection(skinned->pose, skinned->options, framing.camera, size, stripes);
  return parts_->offscreen.reflection(std::get<PosedMesh>(sight), framing.camera, size, stripes);
}

Image8 Studio::shaded(std::span<const Face> faces, std::span<const Vec3f> p, std::span<const Vec3f> n,
                      const Framing& framing) {
  return shaded(PosedMesh{faces, p, n}, framing);
}

Image8 Studio::error_map(const Sight& sight, const Sight& truth, const Framing& framing, double max_degrees) {
  const int width = framing.width * kSupersampling, height = framing.height * kSupersampling;
  const auto normals = [&](const Sight& seen) {
    if (const auto* skinned = std::get_if<SkinnedRig>(&seen))
      return skinned->rig.normals(skinned->pose, skinned->options, framing.camera, width, height);
    return parts_->offscreen.normals(std::get<PosedMesh>(seen), framing.camera, width, height);
  };
  return heat_map_picture(normals(sight), normals(truth), max_degrees, kSupersampling);
}

Image8 Studio::error_map(std::span<const Face> faces, std::span<const Vec3f> p, std::span<const Vec3f> n,
                         std::span<const Vec3f> truth, const Framing& framing, double max_degrees) {
  return error_map(PosedMesh{faces, p, n}, PosedMesh{faces, p, truth}, framing, max_degrees);
}

Image8 frame_row(const Character& model, const Dress& dress, const Clip& clip, double time, const Shot& shot,
                 Studio& studio) {
  const RiggedMesh& mesh = model.mesh();
  const Pose pose = pose_at(model.model().skeleton, clip, time);
  const PosedTruth truth = posed_truth(model, pose);
  const std::vector<Vec3f> p = to_float(truth.p), true_normals = to_float(truth.transported);
  const GpuSkin rig(studio.context(), mesh, model.data(Method::lbs, NormalMode::deform), nullptr,
                    dress.on(mesh));
  const Sight standard = SkinnedRig{rig, pose, {.mode = NormalMode::standard}},
              deform = SkinnedRig{rig, pose, {.mode = NormalMode::deform}},
              right = PosedMesh{mesh.faces, p, true_normals, {}, dress.on(mesh)};
  const Framing framing = framing_of(shot, {p});
  const double top = shot.error_max_degrees;
  const std::array panels = {Panel{studio.shaded(standard, framing), "standard"},
                             Panel{studio.shaded(deform, framing), "deform factors"},
                             Panel{studio.shaded(right, framing), "truth (transported)"},
                             Panel{studio.error_map(standard, right, framing, top), "error of standard"},
                             Panel{studio.error_map(deform, right, framing, top), "error of deform factors"}};
  return compose_row(panels);
}

}  // namespace skinlight::repro
