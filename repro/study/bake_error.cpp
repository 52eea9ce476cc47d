#include "repro/study/bake_error.h"

#include <algorithm>
#include <cmath>
#include <utility>

#include "skinlight/core/angle.h"
#include "skinlight/rig/typical_poses.h"
#include "skinlight/skinning/packed_normals.h"
#include "skinlight/skinning/skin.h"

namespace skinlight::repro {

namespace {

constexpr int kVertexBudget = 400000;   // vertices to pose, for each format
constexpr int kFewest = 4, kMost = 24;  // poses
constexpr double kTurn = M_PI / 6;      // radians, the largest of a random pose
constexpr std::uint64_t kSeed = 1;
constexpr int kPartVertices = 2048;  // posed at a time

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

// Vertices first .. first + count - 1 of what a bake has, so that no second copy of all is needed.
struct Part {
  RiggedMesh mesh;  // without faces
  NormalRecord record;
  std::vector<StoredRange> ranges;
};

template <class T>
std::vector<T> part_of(const std::vector<T>& all, int first, int count, int per_vertex = 1) {
  if (all.empty()) return {};
  const auto begin = all.begin() + static_cast<std::ptrdiff_t>(first) * per_vertex;
  return {begin, begin + static_cast<std::ptrdiff_t>(count) * per_vertex};
}

Part part_of(const BakeReport& report, int first, int count) {
  Part part;
  const RiggedMesh& mesh = report.character.mesh();
  part.mesh.bone_count = mesh.bone_count;
  part.mesh.slots = mesh.slots;
  for (const auto field : {&RiggedMesh::p0, &RiggedMesh::n0, &RiggedMesh::t0, &RiggedMesh::b0})
    part.mesh.*field = part_of(mesh.*field, first, count);
  part.mesh.handedness = part_of(mesh.handedness, first, count);
  part.mesh.bone = part_of(mesh.bone, first, count, mesh.slots);
  part.mesh.weight = part_of(mesh.weight, first, count, mesh.slots);
  const NormalRecord& all = report.record();
  part.record.slots = all.slots;
  part.record.bone = part_of(all.bone, first, count, all.slots);
  part.record.weight = part_of(all.weight, first, count, all.slots);
  for (const ColumnRow& column : kColumns)
    if (column.vectors)
      part.record.*column.vectors = part_of(all.*column.vectors, first, count, all.slots);
    else
      part.record.*column.numbers = part_of(all.*column.numbers, first, count, all.slots);
  for (StoredRange range : report.ranges) {
    const int begin = std::max(range.first, first);
    range.count = std::min(range.first + range.count, first + count) - begin;
    range.first = begin - first;
    if (range.count > 0) part.ranges.push_back(range);
  }
  return part;
}

std::vector<Vec3d> normals_of(const Part& part, const Pose& pose, const SkinOptions& options) {
  if (options.mode != NormalMode::deform_vectors)
    return skin<double>(part.mesh, part.record, pose, options).n;
  SkinData data;
  data.vectors = &part.record;
  return skin<double>(part.mesh, data, pose, options).n;
}

}  // namespace

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

namespace {

// Every vertex has scales of its own, so no part of the mesh needs another.
std::vector<FormatError> frame_format_errors(const BakeReport& report, const std::vector<Pose>& poses,
                                             int threads) {
  const RiggedMesh& mesh = report.character.mesh();
  const FrameRecord& exact = report.frame_record();
  const SkinOptions options{.method = *report.frames, .mode = NormalMode::deform_frames, .threads = threads};
  const auto normals = [&](const FrameRecord& frames, const Pose& pose) {
    SkinData data;
    data.frames = &frames;
    return skin<double>(mesh, data, pose, options).n;
  };
  std::vector<FormatError> errors;
  std::vector<std::vector<float>> degrees(kNumberFormats.size());
  std::vector<FrameRecord> stored;
  for (const NumberFormatRow& format : kNumberFormats) stored.push_back(stored_frames(exact, format.format));
  for (const Pose& pose : poses) {
    const std::vector<Vec3d> expected = normals(exact, pose);
    for (std::size_t f = 0; f < stored.size(); ++f) {
      const std::vector<Vec3d> n = normals(stored[f], pose);
      for (std::size_t v = 0; v < n.size(); ++v)
        degrees[f].push_back(static_cast<float>(angle_between(n[v], expected[v]) * kDegrees));
    }
  }
  for (std::size_t f = 0; f < stored.size(); ++f)
    errors.push_back(statistics(kNumberFormats[f].format, degrees[f]));
  return errors;
}

}  // namespace

std::vector<FormatError> format_errors(const BakeReport& report, const std::vector<Pose>& poses,
                                       int threads) {
  if (report.frames) return frame_format_errors(report, poses, threads);
  const int vertices = report.character.mesh().vertex_count();
  const SkinOptions options{.mode = mode_reading(report.kind), .threads = threads};
  std::vector<FormatError> errors;
  std::vector<float> degrees;
  for (const NumberFormatRow& format : kNumberFormats) {
    degrees.clear();
    for (int first = 0; first < vertices; first += kPartVertices) {
      const Part exact = part_of(report, first, std::min(kPartVertices, vertices - first));
      Part stored = exact;
      stored.record = stored_record(std::move(stored.record), exact.mesh, exact.ranges, format.format);
      for (const Pose& pose : poses) {
        const std::vector<Vec3d> expected = normals_of(exact, pose, options);
        const std::vector<Vec3d> n = normals_of(stored, pose, options);
        for (std::size_t v = 0; v < n.size(); ++v)
          degrees.push_back(static_cast<float>(angle_between(n[v], expected[v]) * kDegrees));
      }
    }
    errors.push_back(statistics(format.format, degrees));
  }
  return errors;
}

}  // namespace skinlight::repro
