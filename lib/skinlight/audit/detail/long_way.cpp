// Blends of quaternions whose signs nobody made agree: q and -q turn alike, but a blend of q and -p takes the long way
// round.
#include <cmath>
#include <map>
#include <numeric>
#include <utility>

#include "skinlight/audit/detail/posed_directions.h"
#include "skinlight/core/angle.h"
#include "skinlight/rig/rigid_pose.h"

namespace skinlight::explain {

namespace {

double dot(const Quat& a, const Quat& b) { return a[0] * b[0] + a[1] * b[1] + a[2] * b[2] + a[3] * b[3]; }

// v turned by a quaternion of any length, as long as v.
Vec3d turned(const Quat& q, Vec3d v) {
  const double norm = dot(q, q);
  const Vec3d u(q[0], q[1], q[2]);
  const Vec3d w = cross(u, v) * 2.0;
  return norm > 0 ? v + (w * q[3] + cross(u, w)) / norm : v;
}

class Blend {
 public:
  explicit Blend(const Subject& subject)
      : subject_(subject),
        binding_(binding_of(subject.rig.mesh())),
        groups_(pose_groups(binding_, subject.rig.pose())) {
    for (const CommonScale& common : groups_.groups)
      rigid_.push_back(rigid_part(subject.rig.pose(), binding_.reach, common));
  }

  // sign(k): of slot k against what the quaternion is.
  template <class Sign>
  Vec3d of(int v, Sign sign) const {
    const RiggedMesh& mesh = subject_.rig.mesh();
    Quat sum = {0, 0, 0, 0};
    for (std::size_t k = 0; k < static_cast<std::size_t>(mesh.slots); ++k)
      for (std::size_t c = 0; c < 4; ++c)
        sum[c] += sign(k) * mesh.weights_of(v)[k] * rotation(v, mesh.bones_of(v)[k])[c];
    return turned(sum, subject_.rest(v)) * groups_.of(v).orientation;
  }
  // +1 where the two bones of these slots already agree.
  double agreement(int v, std::size_t a, std::size_t b) const {
    const auto bones = subject_.rig.mesh().bones_of(v);
    return dot(rotation(v, bones[a]), rotation(v, bones[b])) < 0 ? -1.0 : 1.0;
  }

 private:
  const Quat& rotation(int v, int bone) const {
    return rigid_[groups_.group_of(v)].bones[static_cast<std::size_t>(bone)].r;
  }

  const Subject& subject_;
  Binding binding_;
  PoseGroups groups_;
  std::vector<RigidPose> rigid_;  // #groups
};

// Turns single signs over while that brings the vertices of their bone nearer to theirs.
void polish(const Subject& subject, const Blend& blend, std::vector<double>& sign) {
  constexpr int kSweeps = 4;
  const RiggedMesh& mesh = subject.rig.mesh();
  std::vector<std::vector<int>> moved(sign.size());
  for (int v = 0; v < mesh.vertex_count(); ++v)
    for (std::size_t k = 0; k < static_cast<std::size_t>(mesh.slots); ++k)
      if (mesh.weights_of(v)[k] > 0) moved[static_cast<std::size_t>(mesh.bones_of(v)[k])].push_back(v);
  const auto cost = [&](std::size_t bone) {
    double sum = 0;
    for (const int v : moved[bone])
      sum +=
          subject.weights()[static_cast<std::size_t>(v)] *
          angle_between(
              blend.of(v, [&](std::size_t k) { return sign[static_cast<std::size_t>(mesh.bones_of(v)[k])]; }),
              subject.theirs[static_cast<std::size_t>(v)]);
    return sum;
  };
  bool changed = true;
  for (int sweep = 0; sweep < kSweeps && changed; ++sweep) {
    changed = false;
    for (std::size_t bone = 0; bone < sign.size(); ++bone) {
      const double before = cost(bone);
      sign[bone] = -sign[bone];
      if (cost(bone) < before)
        changed = true;
      else
        sign[bone] = -sign[bone];
    }
  }
}

// For each bone the sign of its quaternion, as theirs tell: every pair of bones that share vertices says whether it
// looks blended the short way or the long one, and the pairs that are surest are believed first.
std::vector<double> fitted_signs(const Subject& subject, const Blend& blend) {
  const RiggedMesh& mesh = subject.rig.mesh();
  std::map<std::pair<int, int>, double> for_equal;  // degrees by which equal signs are better
  if (mesh.slots > 1)
    for (int v = 0; v < mesh.vertex_count(); ++v) {
      if (!(mesh.weights_of(v)[1] > 0)) continue;
      const auto degrees = [&](double second) {
        const Vec3d d = blend.of(v, [&](std::size_t k) { return k == 0 ? 1.0 : k == 1 ? second : 0.0; });
        return angle_between(d, subject.theirs[static_cast<std::size_t>(v)]) * kDegrees;
      };
      const auto [least, most] = std::minmax(mesh.bones_of(v)[0], mesh.bones_of(v)[1]);
      for_equal[{least, most}] += subject.weights()[static_cast<std::size_t>(v)] * (degrees(-1) - degrees(1));
    }
  std::vector<std::pair<double, std::pair<int, int>>> pairs;
  for (const auto& [pair, gain] : for_equal) pairs.emplace_back(gain, pair);
  std::sort(pairs.begin(), pairs.end(),
            [](const auto& a, const auto& b) { return std::abs(a.first) > std::abs(b.first); });
  // Bones whose signs hang together share a group; joining two may turn one of them over.
  std::vector<int> group(static_cast<std::size_t>(mesh.bone_count));
  std::iota(group.begin(), group.end(), 0);
  std::vector<double> sign(group.size(), 1.0);
  for (const auto& [gain, pair] : pairs) {
    const auto a = static_cast<std::size_t>(pair.first), b = static_cast<std::size_t>(pair.second);
    if (group[a] == group[b]) continue;
    const double turn = sign[a] * sign[b] * (gain < 0 ? -1.0 : 1.0);
    const int from = group[b], to = group[a];
    for (std::size_t s = 0; s < group.size(); ++s)
      if (group[s] == from) {
        group[s] = to;
        sign[s] *= turn;
      }
  }
  polish(subject, blend, sign);
  return sign;
}

// Signs that were fitted explain something only if they do much better than signs that agree wherever they differ.
bool are_better(const Subject& subject, const Vectors& of_bones, const Vectors& short_way) {
  constexpr double kDiffer = 1 / kDegrees, kBetter = .5;
  double with = 0, without = 0;
  for (std::size_t v = 0; v < of_bones.size(); ++v) {
    if (angle_between(of_bones[v], short_way[v]) < kDiffer) continue;
    with += subject.weights()[v] * angle_between(of_bones[v], subject.theirs[v]);
    without += subject.weights()[v] * angle_between(short_way[v], subject.theirs[v]);
  }
  return with < kBetter * without;
}

}  // namespace

void add_long_way(const Subject& subject, std::vector<Explanation>& list) {
  const Blend blend(subject);
  const RiggedMesh& mesh = subject.rig.mesh();
  const std::vector<double> sign = fitted_signs(subject, blend);
  const auto blended_by = [&](const std::function<double(int, std::size_t)>& sign_of) {
    return per_vertex(subject.rig,
                      [&](int v) { return blend.of(v, [&](std::size_t k) { return sign_of(v, k); }); });
  };
  Vectors of_bones =
      blended_by([&](int v, std::size_t k) { return sign[static_cast<std::size_t>(mesh.bones_of(v)[k])]; });
  // Every bone against the strongest one.
  Vectors of_slots =
      blended_by([&](int v, std::size_t k) { return k == 0 ? 1.0 : -blend.agreement(v, 0, k); });
  const auto mean = [&](const Vectors& v) { return mean_degrees(v, subject.theirs, subject.weights()); };
  const Vectors short_way = blended_by([&](int v, std::size_t k) { return blend.agreement(v, 0, k); });
  const bool fitted = mean(of_bones) < mean(of_slots) && are_better(subject, of_bones, short_way);
  Vectors& nearest = fitted ? of_bones : of_slots;
  list.push_back({"quaternion-long-way", ExplanationKind::mistake,
                  "quaternions blended the long way round: their signs do not agree",
                  "before blending, negate every quaternion whose dot product with the first one is negative",
                  std::move(nearest)});
}

}  // namespace skinlight::explain
