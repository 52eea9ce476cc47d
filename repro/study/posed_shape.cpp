#include "repro/study/posed_shape.h"

#include <algorithm>
#include <cmath>
#include <cstdlib>
#include <stdexcept>

#include <Eigen/LU>

#include "skinlight/core/error.h"

namespace skinlight::repro {

namespace {

NormalMode exact_mode(Method method) { return row(method).derivative; }

// Carries the methods for PosedSubject, which finds them by name.
const Experiment& all_methods() {
  static const Experiment experiment = [] {
    Experiment e;
    e.methods = exact_methods();
    return e;
  }();
  return experiment;
}

const MethodCase& case_of(Method method) {
  for (const MethodCase& m : all_methods().methods)
    if (m.options.method == method) return m;
  throw std::logic_error("a method without a row in kSkinnings");
}

double distance(Vec3d p, Vec3d a, Vec3d b) {
  const Vec3d along = b - a;
  const double square = dot(along, along);
  const double t = square > 0 ? std::clamp(dot(p - a, along) / square, 0.0, 1.0) : 0.0;
  return length(p - (a + along * t));
}

// The bone that the node moves, or the nearest one above it; -1: none.
int bone_above(const Skeleton& skeleton, int node) {
  for (std::size_t step = 0; node >= 0 && step <= skeleton.nodes.size(); ++step) {
    const auto found = std::find(skeleton.bone_node.begin(), skeleton.bone_node.end(), node);
    if (found != skeleton.bone_node.end()) return static_cast<int>(found - skeleton.bone_node.begin());
    node = skeleton.nodes[static_cast<std::size_t>(node)].parent;
  }
  return -1;
}

}  // namespace

std::vector<MethodCase> exact_methods(std::size_t count) {
  std::vector<MethodCase> all;
  for (const Skinning& s : std::span(kSkinnings).first(count))
    all.push_back({s.name, s.label, {.method = s.method, .mode = exact_mode(s.method)}});
  return all;
}

std::vector<Vec3d> Stage::points(const Pose& pose, Method method) const {
  const MethodCase& m = case_of(method);
  return skinlight::skin<double>(mesh(), data_of(subject_.character, m), pose,
                                 {.method = method, .mode = NormalMode::standard, .threads = bench_.threads})
      .p;
}

Image8 Stage::picture(const Pose& pose, const Skinning& skinning, const Framing& framing) const {
  const MethodCase& m = case_of(skinning.method);
  return bench_.studio.shaded(SkinnedRig{subject_.on_gpu(m, bench_.studio), pose, m.options}, framing);
}

Framing Stage::framing(const Shot& shot, std::span<const Pose> poses) const {
  std::vector<Vec3f> all;
  for (const Pose& pose : poses)
    for (const Skinning& s : kSkinnings) {
      const std::vector<Vec3f> p = to_float(points(pose, s.method));
      all.insert(all.end(), p.begin(), p.end());
    }
  return framing_of(shot, {all});
}

double Stage::gpu_difference(const Pose& pose) const {
  PosedSubject posed(all_methods(), subject_, pose, bench_.studio, bench_.threads);
  double largest = 0;
  for (const Skinning& s : kSkinnings) largest = std::fmax(largest, posed.difference_from_cpu(s.name));
  return largest;
}

double weight_of(const RiggedMesh& mesh, int vertex, int bone) {
  for (int k = 0; k < mesh.slots; ++k)
    if (mesh.bones_of(vertex)[static_cast<std::size_t>(k)] == bone)
      return mesh.weights_of(vertex)[static_cast<std::size_t>(k)];
  return 0;
}

double largest_distance(std::span<const Vec3d> a, std::span<const Vec3d> b) {
  double largest = 0;
  for (std::size_t v = 0; v < a.size(); ++v) largest = std::fmax(largest, length(a[v] - b[v]));
  return largest;
}

double enclosed_volume(std::span<const Face> faces, std::span<const Vec3d> p) {
  double six = 0;
  for (const Face& f : faces) {
    const auto corner = [&](int i) { return p[static_cast<std::size_t>(f[static_cast<std::size_t>(i)])]; };
    six += dot(corner(0), cross(corner(1), corner(2)));
  }
  return six / 6;
}

double section_area(std::span<const Vec3d> rest, std::span<const Vec3d> posed, double z) {
  constexpr double kSameHeight = 1e-9;  // heights of a ring's vertices agree up to rounding
  std::vector<std::pair<double, Vec3d>> ring;
  for (std::size_t v = 0; v < rest.size(); ++v)
    if (std::abs(rest[v].z - z) < kSameHeight) ring.emplace_back(std::atan2(rest[v].y, rest[v].x), posed[v]);
  if (ring.size() < 3) throw std::logic_error("no ring of vertices at this height");
  // Vertices in the same place add nothing, whatever their order.
  std::sort(ring.begin(), ring.end(), [](const auto& a, const auto& b) { return a.first < b.first; });
  const Vec3d origin = ring.front().second;
  Vec3d twice(0.0);
  for (std::size_t i = 1; i + 1 < ring.size(); ++i)
    twice += cross(ring[i].second - origin, ring[i + 1].second - origin);
  return length(twice) / 2;
}

std::vector<BoneLine> bones_along_z(std::span<const double> z) {
  std::vector<BoneLine> bones;
  for (std::size_t s = 0; s + 1 < z.size(); ++s)
    bones.push_back({Vec3d(0, 0, z[s]), Vec3d(0, 0, z[s + 1]), static_cast<int>(s)});
  return bones;
}

Vec3d joint_at_rest(const Skeleton& skeleton, int bone) {
  const Mat4x3d& M = skeleton.inverse_bind[static_cast<std::size_t>(bone)];
  Eigen::Matrix3d A;
  Eigen::Vector3d t;
  for (int i = 0; i < 3; ++i) {
    for (int column = 0; column < 3; ++column) A(i, column) = M[column][i];
    t[i] = M[3][i];
  }
  const Eigen::FullPivLU<Eigen::Matrix3d> lu(A);
  if (!lu.isInvertible())
    throw InputError("", "inverse bind matrix of bone " + std::to_string(bone), "is singular");
  const Eigen::Vector3d origin = lu.solve(-t);
  return {origin.x(), origin.y(), origin.z()};
}

std::vector<BoneLine> bones_of(const Skeleton& skeleton) {
  std::vector<BoneLine> bones;
  for (int b = 0; b < skeleton.bone_count(); ++b) {
    const auto i = static_cast<std::size_t>(b);
    const Node& node = skeleton.nodes[static_cast<std::size_t>(skeleton.bone_node[i])];
    const int parent = bone_above(skeleton, node.parent);
    if (parent < 0) continue;
    bones.push_back({joint_at_rest(skeleton, parent), joint_at_rest(skeleton, b), parent});
  }
  return bones;
}

double distance_to_bones(Vec3d p, std::span<const BoneLine> bones) {
  double least = INFINITY;
  for (const BoneLine& bone : bones) least = std::min(least, distance(p, bone.from, bone.to));
  return least;
}

std::vector<double> distance_gained(std::span<const Vec3d> rest, std::span<const Vec3d> posed,
                                    std::span<const BoneLine> bones, const Pose& pose) {
  std::vector<BoneLine> moved;
  for (const BoneLine& line : bones) {
    const Mat4x3d& M = pose.M[static_cast<std::size_t>(line.bone)];
    moved.push_back(
        {transform_point(M, line.from) + pose.pivot, transform_point(M, line.to) + pose.pivot, line.bone});
  }
  std::vector<double> gained;
  for (std::size_t v = 0; v < rest.size(); ++v)
    gained.push_back(distance_to_bones(posed[v], moved) - distance_to_bones(rest[v], bones));
  return gained;
}

double bulge(std::span<const Vec3d> rest, std::span<const Vec3d> posed, std::span<const BoneLine> bones,
             const Pose& pose) {
  const std::vector<double> gained = distance_gained(rest, posed, bones, pose);
  return *std::max_element(gained.begin(), gained.end());
}

}  // namespace skinlight::repro
