#include "repro/bake_error.h"

#include <algorithm>
#include <cmath>

#include "skinlight/core/angle.h"
#include "skinlight/preprocess/deform_vectors.h"
#include "skinlight/rig/typical_poses.h"
#include "skinlight/skinning/skin.h"

namespace skinlight::repro {

namespace {

constexpr int kVertexBudget = 400000;   // vertices to pose, for each format
constexpr int kFewest = 4, kMost = 24;  // poses
constexpr double kTurn = M_PI / 6;      // radians, the largest of a random pose
constexpr std::uint64_t kSeed = 1;

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

std::vector<Vec3d> normals_of(const BakeReport& report, const DeformFactors& factors,
                              const DeformVectors& vectors, const Pose& pose, int threads) {
  SkinData data(factors);
  data.vectors = &vectors;
  return skin<double>(report.model.mesh, data, pose, {.mode = mode_of(report.record), .threads = threads}).n;
}

// skin() wants deform factors of every mesh, also where it does not read them.
DeformFactors without_factors(const RiggedMesh& mesh) {
  DeformFactors factors;
  factors.slots = mesh.slots;
  factors.bone = mesh.bone;
  factors.weight = mesh.weight;
  factors.alpha.assign(mesh.bone.size(), 0.0);
  factors.beta = factors.alpha;
  return factors;
}

}  // namespace

NormalMode mode_of(NormalRecord record) {
  switch (record) {
    case NormalRecord::deform_factors:
      return NormalMode::deform;
    case NormalRecord::smoothed:
      return NormalMode::smoothed;
    case NormalRecord::deform_vectors:
      break;
  }
  return NormalMode::deform_vectors;
}

SamplePoses sample_poses(const Model& model) {
  const int most = std::clamp(kVertexBudget / model.mesh.vertex_count(), kFewest, kMost);
  const int clips = static_cast<int>(model.clips.size());
  if (clips == 0)
    return {random_joint_poses(model.skeleton, most, kTurn, kSeed),
            std::to_string(most) + " random poses, since the file has no animation"};
  if (clips == 1)
    return {clip_poses(model.skeleton, model.clips, most), std::to_string(most) + " frames of its clip"};
  std::vector<Clip> some;
  const int used = std::min(clips, most);
  for (int i = 0; i < used; ++i) some.push_back(model.clips[static_cast<std::size_t>(i * clips / used)]);
  std::vector<Pose> poses = clip_poses(model.skeleton, some, most / used);
  const std::string count = std::to_string(poses.size());
  return {std::move(poses),
          count + " frames of " + std::to_string(used) + " of its " + std::to_string(clips) + " clips"};
}

std::vector<FormatError> format_errors(const BakeReport& report, const std::vector<Pose>& poses,
                                       int threads) {
  const RiggedMesh& mesh = report.model.mesh;
  const bool has_vectors = report.record == NormalRecord::deform_vectors;
  const DeformFactors none = has_vectors ? without_factors(mesh) : DeformFactors();
  const DeformFactors& exact = has_vectors ? none : report.factors;
  std::vector<FormatError> errors;
  std::vector<float> degrees;
  for (const NumberFormatRow& format : kNumberFormats) {
    DeformFactors factors;
    DeformVectors vectors;
    if (has_vectors)
      vectors = stored_vectors(report.vectors, mesh, report.ranges, format.format);
    else
      factors = stored_factors(report.factors, report.ranges, format.format);
    degrees.clear();
    for (const Pose& pose : poses) {  // the exact normals again each time: they would take much memory
      const std::vector<Vec3d> expected = normals_of(report, exact, report.vectors, pose, threads);
      const std::vector<Vec3d> n = normals_of(report, has_vectors ? none : factors, vectors, pose, threads);
      for (std::size_t v = 0; v < n.size(); ++v)
        degrees.push_back(static_cast<float>(angle_between(n[v], expected[v]) * kDegrees));
    }
    errors.push_back(statistics(format.format, degrees));
  }
  return errors;
}

}  // namespace skinlight::repro
