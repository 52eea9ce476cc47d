#include "repro/study/mode_sheet.h"

#include <array>

#include "skinlight/character/clip_error.h"

namespace skinlight::repro {

WorstPose worst_pose(const Character& model, int frames, Method method) {
  WorstPose worst;
  const SkinOptions standard{.method = method, .mode = NormalMode::standard};
  for (const Clip& clip : model.model().clips) {
    const ClipError error = clip_error(model, clip, frames, std::span(&standard, 1));
    const ClipModeError& e = error.of(0, Truth::transported);
    if (e.worst_mean > worst.mean)  // of no frame with area it is 0
      worst = {clip.name, error.times[static_cast<std::size_t>(e.worst_frame)], e.worst_mean};
  }
  return worst;
}

Image8 mode_sheet(const Character& model, const SkinData& data, Method method,
                  std::span<const SheetMode> modes, const Pose& pose, Studio& studio) {
  const RiggedMesh& mesh = model.mesh();
  const PosedTruth truth = posed_truth(model, pose, method);
  const std::vector<Vec3f> true_normals = to_float(truth.transported), p = to_float(truth.p);
  const Shot shot{.view = {.towards_eye = {0.8, 0.35, 1}, .up = {0, 1, 0}},
                  .width = 250,
                  .height = 270,
                  .error_max_degrees = 20};
  const Framing framing = framing_of(shot, {p});
  const GpuSkin rig(studio.context(), mesh, data);
  const Sight right = PosedMesh{mesh.faces, p, true_normals};
  std::vector<Panel> shaded, errors;
  for (const auto& [mode, label] : modes) {
    const Sight sight = SkinnedRig{rig, pose, {.method = method, .mode = mode}};
    shaded.push_back({studio.shaded(sight, framing), label});
    errors.push_back(
        {studio.error_map(sight, right, framing, shot.error_max_degrees), std::string("error of ") + label});
  }
  shaded.push_back({studio.shaded(right, framing), "truth (transported)"});
  const std::array rows = {compose_row(shaded), compose_row(errors)};
  return compose_column(rows);
}

}  // namespace skinlight::repro
