#include "skinlight/rig/bone_reach.h"

#include <algorithm>
#include <cmath>
#include <cstddef>
#include <numeric>
#include <string>

#include "skinlight/core/detail/at.h"
#include "skinlight/core/detail/eigen.h"
#include "skinlight/core/error.h"
#include "skinlight/rig/rigid_pose.h"

namespace skinlight {

namespace {

// 1, -1 or, of a bone without volume, 0.
double side_of(const Mat4x3d& m) {
  const double volume = determinant(Mat3d(m));
  return volume > 0 ? 1 : volume < 0 ? -1 : 0;
}

// Root mean square of the three singular values.
double scale_of(const Mat4x3d& m) { return eigen_linear(m).norm() / std::sqrt(3.0); }

// Of two in the middle the one nearer to 1. Changes their order.
double median(std::vector<double>& scales) {
  const auto middle = scales.begin() + static_cast<std::ptrdiff_t>(scales.size() / 2);
  std::nth_element(scales.begin(), middle, scales.end());
  const double high = *middle;
  const double low = scales.size() % 2 == 1 ? high : *std::max_element(scales.begin(), middle);
  return low * high >= 1 ? low : high;  // |log low| <= |log high|
}

// The representative of a bone's island; paths are halved on the way.
int root_of(std::vector<int>& parent, int bone) {
  while (parent[at(bone)] != bone) bone = parent[at(bone)] = parent[at(parent[at(bone)])];
  return bone;
}

using Islands = std::vector<std::vector<int>>;

// What the bones of these islands, which all move something, have in common. scales: memory to work in.
CommonScale common(const Pose& pose, std::span<const BoneReach> reach,
                   std::span<const std::vector<int>> islands, std::vector<double>& scales) {
  CommonScale found;
  scales.clear();
  double log_scale = 0, side = 0;
  int with_volume = 0;
  for (const std::vector<int>& island : islands)
    for (const int s : island) {
      const Mat4x3d& m = pose.M[at(s)];
      scales.push_back(scale_of(m));
      const double volume = std::abs(determinant(Mat3d(m)));
      if (volume == 0) continue;
      log_scale += std::log(volume) / 3;
      ++with_volume;
      side += side_of(m) * reach[at(s)].weight;
    }
  if (with_volume > 0) found.mean = std::exp(log_scale / with_volume);
  if (!scales.empty()) found.middle = median(scales);
  if (side < 0) found.orientation = -1;
  return found;
}

// The bones of each island that move something.
Islands islands_of(std::span<const BoneReach> reach) {
  Islands islands;
  for (std::size_t s = 0; s < reach.size(); ++s) {
    islands.resize(std::max(islands.size(), at(reach[s].island) + 1));
    if (reach[s].weight > 0) islands[at(reach[s].island)].push_back(static_cast<int>(s));
  }
  return islands;
}

// island_scales() where `all` is what all bones have in common. Bones that move nothing are alike.
void set_island_scales(const Pose& pose, std::span<const BoneReach> reach, const Islands& islands,
                       const CommonScale& all, std::vector<double>& memory, std::vector<CommonScale>& out) {
  const auto near = [](const CommonScale& a, const CommonScale& b) {
    return std::abs(a.middle - b.middle) <= kRigidTolerance * std::abs(b.middle);
  };
  const auto take = [](const CommonScale& from, CommonScale& to) {
    to.mean = from.mean;
    to.middle = from.middle;
  };
  out.clear();
  const auto moves = [](const std::vector<int>& island) { return !island.empty(); };
  if (std::count_if(islands.begin(), islands.end(), moves) <= 1) {
    out.assign(islands.size(), all);
    return;
  }
  bool alike = true;
  for (const std::vector<int>& island : islands) {
    out.push_back(island.empty() ? all : common(pose, reach, {&island, 1}, memory));
    CommonScale& own = out.back();
    alike = alike && near(own, all);
    for (std::size_t i = 0; i + 1 < out.size(); ++i)
      if (!island.empty() && !islands[i].empty() && near(own, out[i])) take(out[i], own);
  }
  for (CommonScale& own : out)
    if (alike) take(all, own);
}

void require_bones(const Pose& pose, std::size_t bones) {
  if (bones > pose.M.size())
    throw InputError(
        "", "pose",
        "has " + std::to_string(pose.M.size()) + " entries, the mesh needs " + std::to_string(bones));
}

// bone, weight: of a vertex, by slots. otherwise: where all its bones are flattened.
double orientation_of(std::span<const int> bone, std::span<const double> weight, const Pose& pose,
                      double otherwise) {
  double sum = 0, first = 0;
  for (std::size_t k = 0; k < bone.size(); ++k) {
    if (!(weight[k] > 0)) continue;
    const double side = side_of(pose.M[at(bone[k])]);
    sum += weight[k] * side;
    if (first == 0) first = side;
  }
  const double decisive = sum != 0 ? sum : first;
  return decisive == 0 ? otherwise : decisive < 0 ? -1 : 1;
}

}  // namespace

std::vector<BoneReach> bone_reach(const RiggedMesh& mesh) {
  std::vector<BoneReach> reach(at(mesh.bone_count));
  std::vector<int> parent(reach.size());
  std::iota(parent.begin(), parent.end(), 0);
  for (int v = 0; v < mesh.vertex_count(); ++v) {
    int first = -1;
    for (std::size_t k = 0; k < at(mesh.slots); ++k) {
      const int s = mesh.bones_of(v)[k];
      BoneReach& bone = reach[at(s)];
      bone.weight += mesh.weights_of(v)[k];
      bone.centre += mesh.p0[at(v)] * mesh.weights_of(v)[k];
      if (!(mesh.weights_of(v)[k] > 0)) continue;
      if (first >= 0)
        parent[at(root_of(parent, s))] = root_of(parent, first);
      else
        first = s;
    }
  }
  std::vector<int> island(reach.size(), -1);
  int islands = 0;
  for (std::size_t s = 0; s < reach.size(); ++s) {
    int& number = island[at(root_of(parent, static_cast<int>(s)))];
    if (number < 0) number = islands++;
    reach[s].island = number;
    if (reach[s].weight > 0) reach[s].centre = reach[s].centre / reach[s].weight;
  }
  return reach;
}

CommonScale common_scale(const Pose& pose, std::span<const BoneReach> reach) {
  require_bones(pose, reach.size());
  std::vector<double> scales;
  return common(pose, reach, islands_of(reach), scales);
}

std::vector<CommonScale> island_scales(const Pose& pose, std::span<const BoneReach> reach) {
  const CommonScale all = common_scale(pose, reach);
  std::vector<double> memory;
  std::vector<CommonScale> found;
  set_island_scales(pose, reach, islands_of(reach), all, memory, found);
  return found;
}

std::vector<double> orientations(const RiggedMesh& mesh, const Pose& pose) {
  const PoseGroups groups = pose_groups(binding_of(mesh), pose);
  std::vector<double> of_vertex;
  for (int v = 0; v < mesh.vertex_count(); ++v) of_vertex.push_back(groups.of(v).orientation);
  return of_vertex;
}

Binding binding_of(const RiggedMesh& mesh) {
  Binding binding{mesh.slots, mesh.bone, mesh.weight, bone_reach(mesh), {}};
  binding.islands = islands_of(binding.reach);
  return binding;
}

void group_pose(const Binding& binding, const Pose& pose, PoseGroups& out) {
  const std::vector<BoneReach>& reach = binding.reach;
  require_bones(pose, reach.size());
  const CommonScale all = common(pose, reach, binding.islands, out.scales);
  set_island_scales(pose, reach, binding.islands, all, out.scales, out.islands);
  bool alike = true;  // all vertices
  for (std::size_t i = 0; i < binding.islands.size(); ++i)
    for (const int s : binding.islands[i])
      alike = alike && side_of(pose.M[at(s)]) != -all.orientation && out.islands[i].mean == all.mean &&
              out.islands[i].middle == all.middle;
  out.groups.clear();
  out.of_vertex.clear();
  const std::size_t slots = at(binding.slots);
  for (std::size_t i = 0; !alike && i < binding.bone.size(); i += slots) {
    const std::span<const int> bone = std::span(binding.bone).subspan(i, slots);
    const std::span<const double> weight = std::span(binding.weight).subspan(i, slots);
    CommonScale own = all;
    for (std::size_t k = 0; k < slots; ++k)
      if (weight[k] > 0) own = out.islands[at(reach[at(bone[k])].island)];
    own.orientation = orientation_of(bone, weight, pose, all.orientation);
    const auto known = std::find(out.groups.begin(), out.groups.end(), own);
    out.of_vertex.push_back(static_cast<int>(known - out.groups.begin()));
    if (known == out.groups.end()) out.groups.push_back(own);
  }
  if (out.groups.empty()) out.groups.push_back(all);
}

PoseGroups pose_groups(const Binding& binding, const Pose& pose) {
  PoseGroups found;
  group_pose(binding, pose, found);
  return found;
}

}  // namespace skinlight
