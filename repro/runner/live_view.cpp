#include "repro/runner/live_view.h"

#include <algorithm>
#include <nlohmann/json.hpp>

#include "repro/measure.h"
#include "repro/subject.h"
#include "skinlight/core/error.h"
#include "skinlight/core/file.h"
#include "skinlight/core/npy.h"
#include "skinlight/rig/partway.h"
#include "skinlight/skinning/skin.h"

namespace skinlight::repro {

namespace {

using Json = nlohmann::ordered_json;

// The standard one and a better one of the same skinning; null where there are not both.
struct Pair {
  const MethodCase *standard = nullptr, *better = nullptr;
};

Pair pair_of(const std::vector<MethodCase>& methods) {
  const auto first = [&](const auto& wanted) {
    const auto found = std::find_if(methods.begin(), methods.end(), wanted);
    return found == methods.end() ? nullptr : &*found;
  };
  const MethodCase* standard =
      first([](const MethodCase& m) { return m.options.mode == NormalMode::standard; });
  if (!standard) return {};
  const auto alike = [&](const MethodCase& m) { return m.options.method == standard->options.method; };
  const MethodCase* better =
      first([&](const MethodCase& m) { return alike(m) && m.options.mode == NormalMode::deform; });
  if (!better)
    better = first([&](const MethodCase& m) { return alike(m) && m.options.mode != NormalMode::standard; });
  return {standard, better};
}

// Poses from rest to `pose`; none when its bones are not rigid.
std::vector<Pose> way_to(const Pose& pose) {
  std::vector<Pose> way;
  try {
    for (int i = 0; i < kLiveFrames; ++i) way.push_back(partway(pose, i / (kLiveFrames - 1.0)));
  } catch (const InputError&) {
    return {};
  }
  return way;
}

// The one with the most vertices that is small enough; null where none is.
const RigCase* finest(const std::vector<RigCase>& rigs) {
  const RigCase* found = nullptr;
  int most = 0;
  for (const RigCase& rig : rigs) {
    const int vertices = rig.make().mesh.vertex_count();
    if (vertices > kMostLiveVertices || vertices <= most) continue;
    found = &rig;
    most = vertices;
  }
  return found;
}

}  // namespace

void write_live_view(const Experiment& experiment, int threads, const std::filesystem::path& folder,
                     std::vector<Output>& outputs) {
  const Pair pair = pair_of(experiment.methods);
  if (!pair.better || experiment.poses.empty()) return;
  const RigCase* rig = finest(experiment.rigs);
  if (!rig) return;
  const PoseCase& pose = experiment.poses.back();
  const std::vector<Pose> way = way_to(pose.make());
  if (way.empty()) return;
  const Subject subject = subject_of(*rig, threads);
  const RiggedMesh& mesh = subject.mesh();
  std::vector<Vec3f> positions, standard, better;
  for (const Pose& at : way) {
    const auto posed = [&](const MethodCase& method) {
      return skin<float>(mesh, data_of(subject.character, method), at, method.options);
    };
    const SkinnedMesh<float> usual = posed(*pair.standard), ours = posed(*pair.better);
    positions.insert(positions.end(), usual.p.begin(), usual.p.end());
    standard.insert(standard.end(), usual.n.begin(), usual.n.end());
    better.insert(better.end(), ours.n.begin(), ours.n.end());
  }
  std::filesystem::create_directory(folder / "live");
  write_npy(folder / "live/positions.npy", positions);
  write_npy(folder / "live/standard.npy", standard);
  write_npy(folder / "live/better.npy", better);
  const Vec3d eye = experiment.shot.view.towards_eye, up = experiment.shot.view.up;
  const Json json = {{"rig", rig->name},
                     {"pose", pose.name},
                     {"standard", pair.standard->label},
                     {"better", pair.better->label},
                     {"frames", kLiveFrames},
                     {"towards_eye", {eye.x, eye.y, eye.z}},
                     {"up", {up.x, up.y, up.z}},
                     {"faces", mesh.faces}};
  write_file(folder / kLiveFile, json.dump() + "\n");
  outputs.push_back(
      {kLiveFile, "live", "What the page shows in motion: " + rig->name + " from rest to " + pose.name});
}

}  // namespace skinlight::repro
