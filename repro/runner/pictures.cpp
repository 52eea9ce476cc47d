#include "repro/runner/pictures.h"

#include <algorithm>
#include <functional>

#include "repro/subject.h"

namespace skinlight::repro {

namespace {

// `first`: the experiment's first method, which stands in where a picture names none.
Image8 draw(const Picture& picture, const std::string& first, PosedSubject& subject, const Framing& framing,
            const Shot& shot, Studio& studio) {
  switch (picture.kind) {
    case PictureKind::rest:
      return studio.shaded(subject.rest(), framing);
    case PictureKind::posed:
      return studio.shaded(subject.posed(picture.method), framing);
    case PictureKind::truth:
      return studio.shaded(subject.truth(picture.method.empty() ? first : picture.method), framing);
    case PictureKind::reflection:
      return studio.reflection(picture.method.empty() ? subject.truth(first) : subject.posed(picture.method),
                               framing, shot.stripes);
    case PictureKind::error:
      break;
  }
  const Sight against =
      picture.against.empty() ? subject.truth(picture.method) : subject.posed(picture.against);
  return studio.error_map(subject.posed(picture.method), against, framing, shot.error_max_degrees);
}

const ModelCase* find_model(const Experiment& experiment, const std::string& model) {
  for (const ModelCase& m : experiment.models)
    if (m.name == model) return &m;
  return nullptr;
}

// The pictures of one rig or model.
void draw_subject(const Experiment& experiment, const std::string& name, const Subject& subject,
                  const std::function<Pose(const Picture&)>& pose_of, Studio& studio, int threads,
                  const Progress& progress, const std::filesystem::path& folder,
                  std::vector<Output>& outputs) {
  const ModelCase* model = find_model(experiment, name);
  const Shot shot = shot_of(experiment, model);
  const std::vector<Vec3f> rest = model ? std::vector<Vec3f>() : to_float(subject.mesh().p0);
  std::map<std::pair<std::string, double>, PosedSubject> posed;
  std::vector<Vec3f> all_poses;
  for (const Picture& picture : experiment.pictures) {
    if (picture.rig != name) continue;
    const auto [entry, is_new] = posed.try_emplace({picture.pose, picture.time}, experiment, subject,
                                                   pose_of(picture), studio, threads);
    if (!is_new || !shot.one_camera) continue;
    const std::vector<Vec3f>& p = entry->second.points();
    all_poses.insert(all_poses.end(), p.begin(), p.end());
  }
  for (const Picture& picture : experiment.pictures) {
    if (picture.rig != name) continue;
    progress("drawing " + picture.file);
    PosedSubject& here = posed.at({picture.pose, picture.time});
    const Framing framing =
        shot.one_camera ? framing_of(shot, {all_poses}) : framing_of(shot, {rest, here.points()});
    write_png(folder / picture.file,
              draw(picture, experiment.methods.front().name, here, framing, shot, studio));
    outputs.push_back({picture.file, "image", picture.caption, model ? name : ""});
  }
}

}  // namespace

Shot shot_of(const Experiment& experiment, const ModelCase* model) {
  Shot shot = experiment.shot;
  if (model && model->view) shot.view = *model->view;
  return shot;
}

void draw_pictures(const Experiment& experiment, const Models& models, Studio& studio, int threads,
                   const Progress& progress, const std::filesystem::path& folder,
                   std::vector<Output>& outputs) {
  std::vector<std::string> subjects;  // in the order of their first picture
  for (const Picture& picture : experiment.pictures)
    if (std::find(subjects.begin(), subjects.end(), picture.rig) == subjects.end())
      subjects.push_back(picture.rig);
  for (const std::string& name : subjects) {
    if (find_model(experiment, name)) {
      const auto model = models.find(name);
      if (model == models.end()) continue;  // left out
      const auto pose_of = [&](const Picture& picture) {
        return pose_at(model->second.model().skeleton, clip_named(model->second.model(), picture.pose),
                       picture.time);
      };
      draw_subject(experiment, name, {model->second}, pose_of, studio, threads, progress, folder, outputs);
    } else {
      const auto pose_of = [&](const Picture& picture) {
        return named(experiment.poses, picture.pose).make();
      };
      draw_subject(experiment, name, subject_of(named(experiment.rigs, name), threads), pose_of, studio,
                   threads, progress, folder, outputs);
    }
  }
}

}  // namespace skinlight::repro
