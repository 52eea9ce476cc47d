#include "repro/bake_error.h"

#include <algorithm>
#include <cmath>

#include "skinlight/core/angle.h"
#include "skinlight/core/random.h"
#include "skinlight/skinning/skin.h"

namespace skinlight::repro {

namespace {

constexpr int kVertexBudget = 400000;   // vertices to pose, for each format
constexpr int kFewest = 4, kMost = 24;  // poses
constexpr double kTurn = M_PI / 6;

// b, then a.
Quat product(const Quat& a, const Quat& b) {
  return {a[3] * b[0] + a[0] * b[3] + a[1] * b[2] - a[2] * b[1],
          a[3] * b[1] - a[0] * b[2] + a[1] * b[3] + a[2] * b[0],
          a[3] * b[2] + a[0] * b[1] - a[1] * b[0] + a[2] * b[3],
          a[3] * b[3] - a[0] * b[0] - a[1] * b[1] - a[2] * b[2]};
}

Pose random_pose(Skeleton skeleton, Random& random) {
  for (const int node : skeleton.bone_node) {
    Node& n = skeleton.nodes[static_cast<std::size_t>(node)];
    const Vec3d axis = random.direction();
    const double half = random.uniform(0, kTurn) / 2, s = std::sin(half);
    if (!n.has_matrix) n.rotation = product(n.rotation, {s * axis.x, s * axis.y, s * axis.z, std::cos(half)});
  }
  return default_pose(skeleton);
}

FormatError statistics(NumberFormat format, std::vector<float>& degrees) {
  FormatError error{format, 0, 0, 0};
  for (const float angle : degrees) {
    error.mean += angle;
    error.max = std::max<double>(error.max, angle);
  }
  error.mean /= static_cast<double>(degrees.size());
  const auto p99 = degrees.begin() + static_cast<std::ptrdiff_t>(99 * (degrees.size() - 1) / 100);
  std::nth_element(degrees.begin(), p99, degrees.end());
  error.p99 = *p99;
  return error;
}

}  // namespace

SamplePoses sample_poses(const Model& model) {
  const int count = std::clamp(kVertexBudget / model.mesh.vertex_count(), kFewest, kMost);
  const int clips = static_cast<int>(model.clips.size());
  SamplePoses sample;
  Random random(1);
  for (int i = 0; i < count; ++i) {
    if (clips == 0) {
      sample.poses.push_back(random_pose(model.skeleton, random));
      continue;
    }
    // Clip after clip, each at times that fill it evenly over the rounds.
    const Clip& clip = model.clips[static_cast<std::size_t>(i % clips)];
    const int rounds = (count + clips - 1) / clips;
    sample.poses.push_back(pose_at(model.skeleton, clip, clip.duration * (i / clips + .5) / rounds));
  }
  sample.description = std::to_string(count);
  if (clips == 0)
    sample.description += " random poses, since the file has no animation";
  else if (clips == 1)
    sample.description += " frames of its clip";
  else
    sample.description += " frames, spread over " + std::to_string(std::min(count, clips)) + " of its " +
                          std::to_string(clips) + " clips";
  return sample;
}

std::vector<FormatError> format_errors(const BakeReport& report, const std::vector<Pose>& poses,
                                       int threads) {
  const RiggedMesh& mesh = report.model.mesh;
  const SkinOptions options{.threads = threads};
  std::vector<std::vector<Vec3d>> exact;
  for (const Pose& pose : poses) exact.push_back(skin<double>(mesh, report.factors, pose, options).n);
  std::vector<FormatError> errors;
  std::vector<float> degrees;
  for (const NumberFormatRow& format : kNumberFormats) {
    const DeformFactors stored = stored_factors(report.factors, report.ranges, format.format);
    degrees.clear();
    for (std::size_t i = 0; i < poses.size(); ++i) {
      const std::vector<Vec3d> n = skin<double>(mesh, stored, poses[i], options).n;
      for (std::size_t v = 0; v < n.size(); ++v)
        degrees.push_back(static_cast<float>(angle_between(n[v], exact[i][v]) * kDegrees));
    }
    errors.push_back(statistics(format.format, degrees));
  }
  return errors;
}

}  // namespace skinlight::repro
