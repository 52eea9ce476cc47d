#include <algorithm>
#include <cmath>
#include <optional>
#include <utility>

#include "skinlight/audit/detail/health_checks.h"
#include "skinlight/character/clip_error.h"
#include "skinlight/core/angle.h"
#include "skinlight/core/detail/at.h"
#include "skinlight/rig/rigid_pose.h"
#include "skinlight/skinning/skin.h"
#include "skinlight/truth/angular_error.h"
#include "skinlight/truth/truth.h"

namespace skinlight::health {

namespace {

// The two second terms of [TPS14 Eq. 13], the larger length, in units of the scaled tangent.
double second_term(const RiggedMesh& mesh, const NormalRecord& factors, const Pose& pose, double scale,
                   int v) {
  Vec3d d(0.0), e(0.0);
  for (int k = 0; k < factors.slots; ++k) {
    const std::size_t slot = factors.at(v, k);
    const Vec3d p = transform_point(pose.M[at(factors.bone[slot])], mesh.p0[at(v)]);
    d += p * factors.alpha[slot];
    e += p * factors.beta[slot];
  }
  return std::max(length(d), length(e)) / scale;
}

// What linear blend skinning makes of one vertex.
struct Blended {
  Vec3d p{0.0}, n{0.0};
};

Blended blend(const RiggedMesh& mesh, const Pose& pose, int v) {
  Blended result;
  for (std::size_t k = 0; k < at(mesh.slots); ++k) {
    const Mat4x3d& m = pose.M[at(mesh.bones_of(v)[k])];
    result.p += transform_point(m, mesh.p0[at(v)]) * mesh.weights_of(v)[k];
    result.n += Mat3d(m) * mesh.n0[at(v)] * mesh.weights_of(v)[k];
  }
  return result;
}

// Per element, over poses: the worst size and the pose it occurs in.
class WorstOver {
 public:
  explicit WorstOver(int elements) : size_(at(elements), 0.0), pose_(at(elements), -1) {}
  void add(int element, double size, int pose) {
    if (pose_[at(element)] >= 0 && !(size > size_[at(element)])) return;
    size_[at(element)] = size;
    pose_[at(element)] = pose;
  }
  int pose_of(int element) const { return pose_[at(element)]; }
  Tally tally() const {
    Tally tally;
    for (std::size_t i = 0; i < size_.size(); ++i)
      if (pose_[i] >= 0) tally.add(static_cast<int>(i), size_[i]);
    return tally;
  }

 private:
  std::vector<double> size_;
  std::vector<int> pose_;
};

// How far a kind of normals is off in each pose, as compare has it: the mean over the surface against the transported truth.
class NormalErrors {
 public:
  void add(const std::vector<Vec3d>& normals, const PosedTruth& truth, int pose) {
    const std::vector<double> degrees = angular_errors(normals, truth.transported);
    const NormalError error = error_statistics(degrees, truth.areas, "deformed area");
    sum_ += error.mean;
    ++poses_;
    if (error.mean > worst_mean) {
      worst_mean = error.mean;
      worst_pose = pose;
    }
    if (error.max > max) {
      max = error.max;
      worst_vertex = error.worst_vertex;
    }
  }
  double mean() const { return poses_ > 0 ? sum_ / poses_ : 0; }  // of all poses alike

  double worst_mean = 0, max = -1;
  int worst_pose = 0, worst_vertex = 0;

 private:
  double sum_ = 0;
  int poses_ = 0;
};

bool has_area(const PosedTruth& truth) {
  return std::any_of(truth.areas.begin(), truth.areas.end(), [](double area) { return area > 0; });
}

// Of the other normals that bake writes.
double mean_error(const Character& character, NormalMode mode, const std::vector<PoseSample>& poses) {
  NormalErrors errors;
  for (const auto& [name, pose, morph_weights] : poses) {
    ClipFrame frame(character, pose, morph_weights);
    const PosedTruth& truth = frame.truth(Method::lbs);
    if (has_area(truth)) errors.add(frame.normals({.mode = mode}), truth, 0);
  }
  return errors.mean();
}

// The cheapest kind of normals that bake writes and that is better than standard ones, with its error; none where compare
// says that standard ones will do.
std::optional<std::pair<NormalMode, double>> better_than(double standard, double deform, const Subject& rig,
                                                         const std::vector<PoseSample>& poses) {
  // As near as this, relative or in degrees, the cheaper ones are as good: what compare recommends by.
  constexpr double kAsGood = .1, kAsGoodDegrees = .05;
  const auto is_better = [&](double mean) {
    return standard > std::max(mean * (1 + kAsGood), mean + kAsGoodDegrees);
  };
  if (is_better(deform)) return std::pair(NormalMode::deform, deform);
  const Character character =
      rig.kept.with({.max_slots = rig.kept.factors().slots, .gradients = false, .smooth_weights = true});
  for (const NormalMode mode : {NormalMode::smoothed, NormalMode::deform_vectors})
    if (const double mean = mean_error(character, mode, poses); is_better(mean)) return std::pair(mode, mean);
  return std::nullopt;
}

}  // namespace

void check_influences(const Subject& rig, const std::vector<PoseSample>& poses,
                      std::vector<Finding>& findings) {
  const RiggedMesh& all = rig.all.mesh();
  const RiggedMesh& kept = rig.kept.mesh();
  if (all.slots <= kept.slots) return;
  WorstOver degrees(all.vertex_count());
  double most_lost = 0, farthest = 0;
  const std::vector<BoneReach> reach = bone_reach(all);
  std::vector<int> losing;
  for (int v = 0; v < all.vertex_count(); ++v) {
    double lost = 0;
    for (std::size_t k = at(kept.slots); k < at(all.slots); ++k) lost += all.weights_of(v)[k];
    if (!(lost > 0)) continue;
    most_lost = std::max(most_lost, lost);
    losing.push_back(v);
  }
  for (std::size_t i = 0; i < poses.size(); ++i) {
    const auto& [name, pose, morph_weights] = poses[i];
    const ClipFrame whole(rig.all, pose, morph_weights), limited(rig.kept, pose, morph_weights);
    const RiggedMesh &from = whole.rest(NormalMode::standard), &to = limited.rest(NormalMode::standard);
    const double scale = common_scale(pose, reach).mean;
    for (const int v : losing) {
      const Blended full = blend(from, pose, v), cut = blend(to, pose, v);
      degrees.add(v, kDegrees * angle_between(full.n, cut.n), static_cast<int>(i));
      farthest = std::max(farthest, length(full.p - cut.p) / scale);
    }
  }
  add(
      findings, "influences-over-limit", Part::vertex, degrees.tally(), all.vertex_count(),
      [&](int v) { return vertex_name(rig.raw, v); },
      [&](int v) {
        return "normal in " + poses[at(degrees.pose_of(v))].name + "; at most " +
               printed("%.1f %% of a vertex's weight is lost", 100 * most_lost) +
               printed(" and positions move by %.2g %% of the size", 100 * farthest / diagonal(all.p0));
      });
}

void check_overflow(const Subject& rig, std::vector<Finding>& findings) {
  const auto report = [&](std::string_view kind, const NormalRecord& factors) {
    const Overflow& overflow = factors.overflow;
    Tally lost;
    if (overflow.vertices > 0) {
      lost.add(overflow.worst_vertex, 100 * overflow.largest_share);
      lost.count = overflow.vertices;
    }
    add(
        findings, kind, Part::vertex, lost, rig.kept.surface().vertex_count(),
        [&](int v) { return vertex_name(rig.raw, v); },
        [&](int) {
          return std::to_string(overflow.bones) + " bones lost over all vertices with " +
                 std::to_string(factors.slots) + " slots";
        });
  };
  report("one-ring-overflow", rig.kept.factors());
  if (rig.influences >= rig.kept.factors().slots) return;
  RiggedMesh own = rig.kept.mesh();
  limit_influences(own, rig.influences);
  report("one-ring-wider", deform_factors(own, rig.kept.surface(),
                                          {.max_slots = rig.influences, .threads = rig.kept.threads()}));
}

void check_normals(const Subject& rig, const std::vector<PoseSample>& poses, std::vector<Finding>& findings) {
  // Below this share of the volume that its bones keep, a vertex is squashed: bones of equal weight turned by
  // 160 degrees against each other keep cos^2(80 degrees).
  constexpr double kCollapsed = 0.03;
  constexpr double kNoticeable = 1;  // degrees, mean over the surface: seen side by side
  const RiggedMesh& mesh = rig.kept.mesh();
  const NormalRecord& factors = rig.kept.factors();
  const int vertices = mesh.vertex_count();
  const Binding binding = binding_of(mesh);
  WorstOver flips(vertices), squashed(vertices);
  NormalErrors of_standard, of_deform;
  for (int i = 0; i < static_cast<int>(poses.size()); ++i) {
    const Pose& pose = poses[at(i)].pose;
    ClipFrame frame(rig.kept, pose, poses[at(i)].morph_weights);
    const RiggedMesh& moved = frame.rest(NormalMode::deform);
    const PosedTruth& truth = frame.truth(Method::lbs);
    const std::vector<Vec3d> deform = frame.normals({.mode = NormalMode::deform});
    const std::vector<Vec3d> standard = frame.normals({.mode = NormalMode::standard});
    if (has_area(truth)) {
      of_standard.add(standard, truth, i);
      of_deform.add(deform, truth, i);
    }
    // Guards compare with what the bones make of the surface that the morph targets moved.
    const SkinOptions own{
        .mode = NormalMode::standard, .threads = rig.kept.threads(), .outputs = Outputs::normals};
    const bool is_authored = &moved == &frame.rest(NormalMode::standard);
    const std::vector<Vec3d> unflipped = is_authored ? standard : skin<double>(moved, factors, pose, own).n;
    const std::vector<Mat3d> T = blended_linear(mesh, pose);
    const PoseGroups groups = pose_groups(binding, pose);
    std::vector<double> volume;  // of each bone
    for (const Mat4x3d& m : pose.M) volume.push_back(std::abs(determinant(Mat3d(m))));
    for (int v = 0; v < vertices; ++v) {
      if (truth.areas[at(v)] > 0 && dot(unflipped[at(v)], deform[at(v)]) < 0)
        flips.add(v, second_term(moved, factors, pose, groups.of(v).mean, v), i);
      double smallest = INFINITY;
      for (std::size_t k = 0; k < at(mesh.slots); ++k)
        if (mesh.weights_of(v)[k] > 0) smallest = std::min(smallest, volume[at(mesh.bones_of(v)[k])]);
      const double left = groups.of(v).orientation * determinant(T[at(v)]) / smallest;
      if (smallest > 0 && left < kCollapsed) squashed.add(v, 1 - left, i);
    }
  }
  const auto vertex = [&](int v) { return vertex_name(rig.raw, v); };
  const auto in_pose = [&](const WorstOver& worst) {
    return [&](int v) { return "in " + poses[at(worst.pose_of(v))].name; };
  };
  add(findings, "normals-flip", Part::vertex, flips.tally(), vertices, vertex, in_pose(flips));
  const auto better = of_standard.worst_mean >= kNoticeable
                          ? better_than(of_standard.mean(), of_deform.mean(), rig, poses)
                          : std::nullopt;
  if (better) {
    Tally all;
    for (int v = 0; v < vertices; ++v) all.add(v, 0);
    all.size = of_standard.worst_mean;
    all.index = of_standard.worst_vertex;
    add(findings, "standard-normals-off", Part::vertex, all, vertices, vertex, [&](int) {
      return "on average in " + poses[at(of_standard.worst_pose)].name +
             printed("; over all poses by %.2f degrees", of_standard.mean()) + ", those of " +
             std::string(row(better->first).name) + printed(" by %.2f", better->second) +
             printed("; the worst vertex, over all poses, by %.0f degrees", of_standard.max);
    });
  }
  Tally collapsed = squashed.tally();
  collapsed.size = 100 * (1 - collapsed.size);  // share left
  add(findings, "blend-collapses", Part::vertex, collapsed, vertices, vertex, in_pose(squashed));
}

// The pose farthest from the origin in float, as a GPU computes it, against double. The share that is judged
// leaves out vertices on folded faces, whose normals are rounding in any case.
void check_precision(const Subject& rig, const std::vector<PoseSample>& poses,
                     std::vector<Finding>& findings) {
  constexpr double kVisible = 0.1;  // degrees: specular highlights start to sparkle
  const RiggedMesh& mesh = rig.kept.mesh();
  const NormalRecord& factors = rig.kept.factors();
  const std::vector<BoneReach> reach = bone_reach(mesh);
  double farthest = 0;
  const PoseSample* far = nullptr;
  for (const PoseSample& sample : poses)
    for (std::size_t s = 0; s < reach.size(); ++s)
      if (reach[s].weight > 0) {
        const double distance = length(transform_point(sample.pose.M[s], reach[s].centre)) /
                                common_scale(sample.pose, reach).mean;
        if (distance > farthest) {
          farthest = distance;
          far = &sample;
        }
      }
  if (far == nullptr) return;
  const SkinOptions options{.threads = rig.kept.threads()};
  const std::vector<Vec3d> exact = skin<double>(mesh, factors, far->pose, options).n;
  const auto rounding = [&](const Pose& pose) {
    std::vector<Vec3d> n;
    for (const Vec3f& single : skin<float>(mesh, factors, pose, options).n) n.emplace_back(single);
    const std::vector<double> degrees = angular_errors(n, exact);
    return error_statistics(degrees, std::vector<double>(degrees.size(), 1.0), "vertices").p99;
  };
  const double as_is = rounding(far->pose);
  if (!(as_is > kVisible)) return;
  Tally lost;
  lost.add(-1, as_is);
  add(
      findings, "precision-lost", Part::mesh, lost, 1, [](int) { return std::string("mesh"); },
      [&](int) {
        return "99 % of the normals are that good in " + far->name +
               printed("; %.3g times its own size", farthest / diagonal(mesh.p0)) + " from the origin; " +
               printed("%.2g degrees with centred()", rounding(centred(far->pose)));
      });
}

}  // namespace skinlight::health
