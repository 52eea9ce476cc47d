#include "skinlight/truth/clip_error.h"

#include <cassert>
#include <iterator>
#include <map>
#include <numeric>
#include <utility>

#include "skinlight/mesh/normals.h"
#include "skinlight/truth/truth.h"

namespace skinlight {

namespace {

constexpr Truth kClipTruths[] = {Truth::transported, Truth::recomputed};

// Angles of all frames so far, with weights that sum to 1 in each frame.
struct Pool {
  ClipModeError result;
  std::vector<double> degrees, weights;

  void add(std::span<const Vec3d> normals, std::span<const Vec3d> truth, std::span<const double> areas,
           int frame) {
    const std::vector<double> angles = angular_errors(normals, truth);
    const double area = std::accumulate(areas.begin(), areas.end(), 0.0);
    if (!(area > 0)) throw InputError("", "frame " + std::to_string(frame), "the posed mesh has no area");
    double mean = 0;
    for (std::size_t v = 0; v < angles.size(); ++v) {
      degrees.push_back(angles[v]);
      weights.push_back(areas[v] / area);
      mean += angles[v] * areas[v] / area;
    }
    if (frame == 0 || mean > result.worst_mean) {
      result.worst_mean = mean;
      result.worst_frame = frame;
    }
  }
};

double frame_time(const Clip& clip, int frame, int frames) {
  return frames > 1 ? clip.duration * frame / (frames - 1) : 0.0;
}

}  // namespace

std::string_view name(Truth truth) {
  switch (truth) {
    case Truth::analytic:
      return "analytic";
    case Truth::transported:
      return "transported";
    case Truth::recomputed:
      return "recomputed";
  }
  return "";
}

std::span<const Vec3d> PosedTruth::normals(Truth truth) const {
  assert(truth != Truth::analytic);
  return truth == Truth::transported ? transported : recomputed;
}

PosedTruth truth_of_positions(const RiggedMesh& mesh, const Surface& surface, const Pose& pose,
                              std::vector<Vec3d> p, Method method) {
  PosedTruth truth;
  truth.p = std::move(p);
  truth.extension = extension_of(mesh, pose, method);
  truth.transported = transported_normals(mesh, surface, truth.p, truth.extension, pose.orientation);
  truth.recomputed = recomputed_normals(surface, truth.p, pose.orientation);
  truth.areas = vertex_areas(surface, truth.p);
  return truth;
}

PosedTruth posed_truth(const RiggedMesh& mesh, const Surface& surface, const SkinData& data, const Pose& pose,
                       Method method, int threads) {
  const SkinOptions standard = {.method = method, .mode = NormalMode::standard, .threads = threads};
  return truth_of_positions(mesh, surface, pose, skin<double>(mesh, data, pose, standard).p, method);
}

const ClipModeError& ClipError::of(std::size_t way, Truth truth) const {
  const std::size_t index = way * std::size(kClipTruths) + (truth == Truth::recomputed ? 1 : 0);
  assert(index < modes.size() && modes[index].truth == truth);
  return modes[index];
}

ClipError clip_error(const RiggedMesh& mesh, const Surface& surface, const SkinData& data,
                     const Skeleton& skeleton, const Clip& clip, int frames,
                     std::span<const SkinOptions> ways, int threads) {
  if (frames < 1) throw InputError("", "frames " + std::to_string(frames), "at least 1 is needed");
  ClipError result;
  result.clip = clip.name;
  std::vector<Pool> pools;
  for (const SkinOptions& way : ways)
    for (Truth truth : kClipTruths) pools.push_back({{way, truth, {}, 0, 0}, {}, {}});

  for (int frame = 0; frame < frames; ++frame) {
    result.times.push_back(frame_time(clip, frame, frames));
    const Pose pose = pose_at(skeleton, clip, result.times.back());
    std::map<Method, PosedTruth> truths;
    std::size_t pool = 0;
    for (SkinOptions way : ways) {
      way.threads = threads;
      if (truths.count(way.method) == 0)
        truths[way.method] = posed_truth(mesh, surface, data, pose, way.method, threads);
      const PosedTruth& truth = truths[way.method];
      const auto posed = skin<double>(mesh, data, pose, way);
      for (Truth of : kClipTruths) pools[pool++].add(posed.n, truth.normals(of), truth.areas, frame);
    }
  }
  for (Pool& pool : pools) {
    pool.result.error = error_statistics(pool.degrees, pool.weights, "deformed area, frames alike");
    pool.result.error.worst_vertex %= mesh.vertex_count();
    result.modes.push_back(pool.result);
  }
  return result;
}

}  // namespace skinlight
