#include "repro/study/clip_study.h"

#include "repro/study/frames.h"

#include <algorithm>
#include <array>
#include <cmath>
#include <iterator>
#include <map>
#include <numeric>
#include <stdexcept>

namespace skinlight::repro {

namespace {

// Angles of all frames of a clip, each frame counting alike, each vertex by its share of the deformed area.
struct Pool {
  std::vector<double> degrees, weights;

  void add(std::span<const Vec3d> normals, std::span<const Vec3d> truth, std::span<const double> areas) {
    const std::vector<double> angles = angular_errors(normals, truth);
    const double area = std::accumulate(areas.begin(), areas.end(), 0.0);
    degrees.insert(degrees.end(), angles.begin(), angles.end());
    for (const double a : areas) weights.push_back(a / area);
  }
};

constexpr Truth kTruths[] = {Truth::transported, Truth::recomputed};

}  // namespace

void measure_poses(const std::string& name, const std::string& pose_name, const Character& model,
                   std::span<const Pose> poses, std::span<const NormalSource> sources, Results& results) {
  std::vector<std::array<Pool, std::size(kTruths)>> pools(sources.size());
  for (const Pose& pose : poses) {
    // All sources of a method have the same positions, hence the same truths.
    std::map<Method, PosedTruth> truths;
    for (std::size_t w = 0; w < sources.size(); ++w) {
      SkinOptions options = sources[w].options;
      options.threads = model.threads();
      auto truth = truths.find(options.method);
      if (truth == truths.end())
        truth = truths.emplace(options.method, posed_truth(model, pose, options.method)).first;
      const std::vector<Vec3d> n = skin<double>(model.mesh(), sources[w].data, pose, options).n;
      for (std::size_t t = 0; t < std::size(kTruths); ++t)
        pools[w][t].add(n, truth->second.normals(kTruths[t]), truth->second.areas);
    }
  }
  for (std::size_t w = 0; w < sources.size(); ++w)
    for (std::size_t t = 0; t < std::size(kTruths); ++t)
      results.measurements.push_back(
          {name, "model", 0, model.mesh().vertex_count(), pose_name, sources[w].method,
           std::string(skinlight::name(kTruths[t])),
           error_statistics(pools[w][t].degrees, pools[w][t].weights, "deformed area, frames alike")});
}

void measure_clips(const std::string& name, const Character& model, std::span<const Clip> clips, int frames,
                   std::span<const NormalSource> sources, Results& results) {
  for (const Clip& clip : clips) {
    std::vector<Pose> poses;
    for (int frame = 0; frame < frames; ++frame)
      poses.push_back(pose_at(model.model().skeleton, clip, clip.duration * frame / std::max(1, frames - 1)));
    measure_poses(name, clip.name, model, poses, sources, results);
  }
}

std::vector<ClipRatio> clip_ratios(const Results& results, const std::string& over, const std::string& under,
                                   Truth truth) {
  std::map<std::pair<std::string, std::string>, double> below;
  for (const Measurement& m : results.measurements)
    if (m.method == under && m.truth == name(truth)) below[{m.rig, m.pose}] = m.error.mean;
  std::vector<ClipRatio> ratios;
  for (const Measurement& m : results.measurements)
    if (m.method == over && m.truth == name(truth))
      ratios.push_back({m.rig, m.pose, m.error.mean / below.at({m.rig, m.pose})});
  return ratios;
}

double typical_ratio(const Results& results, std::span<const char* const> models, const std::string& over,
                     const std::string& under, Truth truth) {
  double sum = 0;
  for (const char* model : models)
    sum += std::log(mean_error(results, model, over, truth) / mean_error(results, model, under, truth));
  return std::exp(sum / static_cast<double>(models.size()));
}

}  // namespace skinlight::repro
