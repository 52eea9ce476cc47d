#include <algorithm>
#include <cmath>

#include "skinlight/audit/detail/health_checks.h"
#include "skinlight/rig/mirrored_blend.h"
#include "skinlight/rig/rigid_pose.h"

namespace skinlight::health {

namespace {

// How far the linear part is from scale times a rotation or reflection: half the largest entry of
// A^T A / scale^2 - I, to first order the strain.
double strain(const Mat4x3d& m, double scale) {
  double largest = 0;
  for (int i = 0; i < 3; ++i)
    for (int j = 0; j < 3; ++j)
      largest = std::max(largest, std::abs(dot(m[i], m[j]) / (scale * scale) - (i == j ? 1 : 0)) / 2);
  return largest;
}

constexpr double kMirrored = 2;  // a reflection is off by this along one axis

}  // namespace

void check_skeleton(const Model& model, const RawAttributes& raw, std::vector<Finding>& findings) {
  Tally unused, unbound, moved;
  const std::vector<BoneReach> reach = bone_reach(model.mesh);
  for (std::size_t s = 0; s < reach.size(); ++s)
    if (!(reach[s].weight > 0)) unused.add(static_cast<int>(s), 0);
  for (const int s : raw.unbound) unbound.add(s, 0);
  for (const int n : raw.moved_meshes) moved.add(n, 0);

  const auto bone = [&](int s) { return bone_name(model.skeleton, s); };
  const auto node = [&](int n) {
    const std::string& name = model.skeleton.nodes[static_cast<std::size_t>(n)].name;
    return "node " + std::to_string(n) + (name.empty() ? "" : " (" + name + ")");
  };
  add(findings, "bones-unused", Part::bone, unused, model.mesh.bone_count, bone);
  add(findings, "inverse-bind-missing", Part::bone, unbound, model.mesh.bone_count, bone);
  add(findings, "mesh-node-transform", Part::node, moved, static_cast<int>(model.skeleton.nodes.size()),
      node);
}

void check_bones(const Subject& rig, const std::vector<PoseSample>& poses, std::vector<Finding>& findings) {
  const std::vector<BoneReach> reach = bone_reach(rig.all.mesh());
  std::vector<double> worst(reach.size(), 0.0);
  std::vector<std::string> worst_pose(reach.size());
  std::string mirrored_in;
  std::vector<double> crossing(static_cast<std::size_t>(rig.all.mesh().vertex_count()), 0.0);
  std::vector<std::string> crossing_in(crossing.size());
  for (const PoseSample& sample : poses) {
    const std::vector<double> shares = mirrored_share(rig.all.mesh(), sample.pose);
    for (std::size_t v = 0; v < shares.size(); ++v)
      if (shares[v] > crossing[v]) {
        crossing[v] = shares[v];
        crossing_in[v] = sample.name;
      }
    const CommonScale common = common_scale(sample.pose, reach);
    if (common.orientation < 0 && mirrored_in.empty()) mirrored_in = sample.name;
    const std::vector<CommonScale> islands = island_scales(sample.pose, reach);
    const RigidPose rigid = rigid_part(sample.pose, reach);
    if (rigid.warnings.empty()) continue;
    for (std::size_t s = 0; s < reach.size(); ++s) {
      if (!(reach[s].weight > 0)) continue;
      const Mat4x3d& m = sample.pose.M[s];
      const CommonScale& own = islands[static_cast<std::size_t>(reach[s].island)];
      const bool mirrors = own.orientation * determinant(Mat3d(m)) < 0;
      const double departure = mirrors ? kMirrored : strain(m, own.middle);
      if (departure > worst[s]) {
        worst[s] = departure;
        worst_pose[s] = sample.name;
      }
    }
  }
  Tally bent, mirrored, crossed;
  for (std::size_t v = 0; v < crossing.size(); ++v)
    if (crossing[v] > 0) crossed.add(static_cast<int>(v), crossing[v]);
  for (std::size_t s = 0; s < worst.size(); ++s)
    if (worst[s] > kRigidTolerance) bent.add(static_cast<int>(s), worst[s]);
  if (!mirrored_in.empty()) mirrored.add(-1, 0);
  const auto bone = [&](int s) { return bone_name(rig.all.model().skeleton, s); };
  add(findings, "bones-non-rigid", Part::bone, bent, rig.all.mesh().bone_count, bone,
      [&](int s) { return "in " + worst_pose[static_cast<std::size_t>(s)]; });
  add(
      findings, "bones-mirrored", Part::mesh, mirrored, 1, [](int) { return std::string("mesh"); },
      [&](int) { return "in " + mirrored_in; });
  add(
      findings, "blend-crosses-mirror", Part::vertex, crossed, rig.all.mesh().vertex_count(),
      [&](int v) { return vertex_name(rig.raw, v); },
      [&](int v) { return "in " + crossing_in[static_cast<std::size_t>(v)]; });
}

}  // namespace skinlight::health
