#include "skinlight/character/clip_error.h"

#include <algorithm>
#include <cassert>
#include <iterator>
#include <map>
#include <numeric>
#include <utility>

#include "skinlight/character/clip_angles.h"
#include "skinlight/core/error.h"
#include "skinlight/rig/clip_times.h"
#include "skinlight/skinning/morph.h"

namespace skinlight {

namespace {

constexpr Truth kClipTruths[] = {Truth::transported, Truth::recomputed};

// Angles of all frames so far.
struct Pool {
  ClipModeError result;
  std::vector<double> degrees;
  std::vector<int> measured = {};  // frames

  // weights: each vertex's share of the frame's area. Returns the angles.
  std::vector<double> add(std::span<const Vec3d> normals, std::span<const Vec3d> truth,
                          std::span<const double> weights) {
    std::vector<double> angles = angular_errors(normals, truth);
    degrees.insert(degrees.end(), angles.begin(), angles.end());
    measured.push_back(static_cast<int>(result.frames.size()));
    result.frames.push_back(error_statistics(angles, weights, "deformed area"));
    return angles;
  }

  // A frame without area.
  void skip() { result.frames.emplace_back(); }

  // weights: of all frames with area, one after another.
  ClipModeError pooled(std::span<const double> weights, int vertices) && {
    if (measured.empty()) return std::move(result);
    result.error = error_statistics(degrees, weights, "deformed area, frames alike");
    result.max_frame = measured[static_cast<std::size_t>(result.error.worst_vertex / vertices)];
    result.error.worst_vertex %= vertices;
    for (const int f : measured)
      if (const double mean = result.frames[static_cast<std::size_t>(f)].mean;
          result.worst_frame < 0 || mean > result.worst_mean) {
        result.worst_mean = mean;
        result.worst_frame = f;
      }
    return std::move(result);
  }
};

// Each vertex's share of a frame's area; none where there is no area.
std::vector<double> shares_of(std::vector<double> areas) {
  const double area = std::accumulate(areas.begin(), areas.end(), 0.0);
  if (!(area > 0)) return {};
  for (double& share : areas) share /= area;
  return areas;
}

double frame_time(const Clip& clip, int frame, int frames) {
  return time_within(clip, frames > 1 ? static_cast<double>(frame) / (frames - 1) : 0.0);
}

}  // namespace

ClipFrame::ClipFrame(const Character& character, const Clip& clip, double seconds)
    : character_(character), pose_(pose_at(character.model().skeleton, clip, seconds)) {
  const Model& model = character.model();
  if (model.morphs.empty()) return;  // whatever the clip animates
  morph(morph_weights_at(model.morph_weights, clip, seconds));
}

ClipFrame::ClipFrame(const Character& character, Pose pose, std::span<const double> morph_weights)
    : character_(character), pose_(std::move(pose)) {
  morph(morph_weights);
}

void ClipFrame::morph(std::span<const double> weights) {
  if (std::all_of(weights.begin(), weights.end(), [](double w) { return w == 0; })) return;
  const Model& model = character_.model();
  as_authored_ = morphed_as_authored(model.mesh, model.morphs, weights);
  carried_ = morphed(model.mesh, model.morphs, character_.morph_tangents(), weights);
}

const RiggedMesh& ClipFrame::rest(NormalMode mode) const {
  if (!carried_) return character_.mesh();
  return mode == NormalMode::standard ? *as_authored_ : *carried_;
}

SkinnedMesh<double> ClipFrame::skinned(SkinOptions way) const {
  way.threads = character_.threads();
  return skin<double>(rest(way.mode), character_.data(way.method, way.mode), pose_, way);
}

std::vector<Vec3d> ClipFrame::normals(SkinOptions way) const {
  way.outputs = Outputs::normals;
  return skinned(way).n;
}

const PosedTruth& ClipFrame::truth(Method method) {
  const auto [entry, is_new] = truths_.try_emplace(method);
  if (is_new) {
    const SkinOptions way{.method = method, .mode = NormalMode::standard, .outputs = Outputs::positions};
    entry->second = truth_of(skinned(way).p, method);
  }
  return entry->second;
}

PosedTruth ClipFrame::truth_of(std::vector<Vec3d> p, Method method) const {
  std::span<const Vec3d> moved;
  if (carried_) moved = carried_->p0;
  return truth_of_positions(character_.mesh(), character_.surface(), pose_, std::move(p), method, moved);
}

PosedTruth posed_truth(const Character& character, const Pose& pose, Method method) {
  return posed_truth(character.mesh(), character.surface(), character.data(method, NormalMode::standard),
                     pose, method, character.threads());
}

const ClipModeError& ClipError::of(std::size_t way, Truth truth) const {
  const std::size_t index = way * std::size(kClipTruths) + (truth == Truth::recomputed ? 1 : 0);
  assert(index < modes.size() && modes[index].truth == truth);
  return modes[index];
}

int ClipModeError::measured_frames() const {
  return static_cast<int>(
      std::count_if(frames.begin(), frames.end(), [](const NormalError& e) { return e.worst_vertex >= 0; }));
}

bool ClipError::is_measured() const {
  return std::all_of(modes.begin(), modes.end(), [](const ClipModeError& m) { return m.worst_frame >= 0; });
}

int ClipError::frames_without_area() const {
  int most = 0;
  for (const ClipModeError& m : modes)
    most = std::max(most, static_cast<int>(m.frames.size()) - m.measured_frames());
  return most;
}

ClipError clip_error(const Character& character, const Clip& clip, int frames,
                     std::span<const SkinOptions> ways, const std::function<void(int frame)>& progress) {
  return clip_error(character, clip, frames, ways, progress, {});
}

ClipError clip_error(const Character& character, const Clip& clip, int frames,
                     std::span<const SkinOptions> ways, const std::function<void(int frame)>& progress,
                     const std::function<void(const ClipAngles&)>& each) {
  if (frames < 1) throw InputError("", "frames " + std::to_string(frames), "at least 1 is needed");
  ClipError result;
  result.clip = clip.name;
  std::vector<Pool> pools;
  for (const SkinOptions& way : ways)
    for (Truth truth : kClipTruths) pools.push_back({{.options = way, .truth = truth}, {}});

  std::map<Method, std::vector<double>> weights;  // of all frames so far: all ways of a method share them
  for (int frame = 0; frame < frames; ++frame) {
    if (progress) progress(frame);
    result.times.push_back(frame_time(clip, frame, frames));
    ClipFrame posed(character, clip, result.times.back());
    std::map<Method, std::vector<double>> shares;
    std::size_t pool = 0;
    for (std::size_t w = 0; w < ways.size(); ++w) {
      const SkinOptions& way = ways[w];
      const PosedTruth& truth = posed.truth(way.method);
      const auto [share, is_new] = shares.try_emplace(way.method);
      if (is_new) {
        share->second = shares_of(truth.areas);
        std::vector<double>& all = weights[way.method];
        all.insert(all.end(), share->second.begin(), share->second.end());
      }
      if (share->second.empty()) {
        for (std::size_t of = 0; of < std::size(kClipTruths); ++of) pools[pool++].skip();
        continue;
      }
      const std::vector<Vec3d> n = posed.normals(way);
      for (const Truth of : kClipTruths) {
        const std::vector<double> degrees = pools[pool++].add(n, truth.normals(of), share->second);
        if (each && of == Truth::transported) each({w, truth, degrees, share->second});
      }
    }
  }
  for (Pool& pool : pools) {
    const std::vector<double>& of_method = weights[pool.result.options.method];
    result.modes.push_back(std::move(pool).pooled(of_method, character.mesh().vertex_count()));
  }
  return result;
}

std::vector<Clip> clips_or_default_pose(const Model& model) {
  if (!model.clips.empty()) return model.clips;
  Clip still;
  still.name = "default pose";
  return {still};
}

}  // namespace skinlight
