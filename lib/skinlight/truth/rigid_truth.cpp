// Normals and directions under methods that blend rotations, from the definitions: detail/rigid_blend.h over double.
#include <Eigen/Geometry>
#include <Eigen/LU>
#include <algorithm>
#include <map>
#include <span>
#include <utility>

#include "skinlight/core/detail/decompositions.h"
#include "skinlight/core/detail/eigen.h"
#include "skinlight/core/error.h"
#include "skinlight/mesh/tangent_frame.h"
#include "skinlight/rig/rigid_pose.h"
#include "skinlight/truth/detail/rigid_blend.h"
#include "skinlight/truth/truth.h"

namespace skinlight {

namespace {

using by_definition::BoneMotion;
using by_definition::RigidBlend;
using S = by_definition::Slopes<double>;

constexpr by_definition::Quaternion<double> quaternion_of(const Quat& q) {
  return {q[3], {q[0], q[1], q[2]}};
}

// The logarithm with the smallest angle. With W the cross product with `turn` the translation is (1 + b W + c W^2) shift, the
// integral of exp(s W) over s from 0 to 1: b = (1 - cos) / angle^2, c = (angle - sin) / angle^3.
void set_logarithm(BoneMotion<double>& bone) {
  const Eigen::AngleAxisd of(Eigen::Quaterniond(bone.r.s, bone.r.v.x, bone.r.v.y, bone.r.v.z));
  const Eigen::Vector3d turn = of.angle() * of.axis();
  Eigen::Matrix3d W;
  W << 0, -turn.z(), turn.y(), turn.z(), 0, -turn.x(), -turn.y(), turn.x(), 0;
  using Series = by_definition::AngleSeries<double>;
  const double x = turn.squaredNorm(), b = Series::evaluated(Series::cosine_series(), x),
               c = Series::evaluated(Series::sine_series(), x);
  const Eigen::Matrix3d V = Eigen::Matrix3d::Identity() + b * W + c * W * W;
  const Eigen::Vector3d shift = V.inverse() * eigen(by_definition::motion_of(bone.r, bone.d).shift);
  bone.turn = vec(turn);
  bone.shift = vec(shift);
}

// The bones as each vertex is moved by them, and what these have in common.
class BonesOfVertices {
 public:
  BonesOfVertices(const RiggedMesh& mesh, const Pose& pose)
      : mesh_(mesh), binding_(binding_of(mesh)), groups_(pose_groups(binding_, pose)) {
    for (const CommonScale& common : groups_.groups) {
      std::vector<BoneMotion<double>>& motions = motions_.emplace_back();
      for (const DualQuat& q : rigid_part(pose, binding_.reach, common).bones) {
        motions.push_back({quaternion_of(q.r), quaternion_of(q.d), {}, {}});
        set_logarithm(motions.back());
      }
    }
  }

  const BoneMotion<double>& of(int v, int bone) const {
    return motions_[groups_.group_of(v)][static_cast<std::size_t>(bone)];
  }
  RigidBlend<double> blend(int v) const {
    std::vector<BoneMotion<double>> slots;
    for (const int bone : mesh_.bones_of(v)) slots.push_back(of(v, bone));
    return RigidBlend<double>(std::move(slots));
  }
  // Negative where the vertex is mirrored.
  double scale(int v) const { return groups_.of(v).orientation * groups_.of(v).middle; }

 private:
  const RiggedMesh& mesh_;
  Binding binding_;
  PoseGroups groups_;
  std::vector<std::vector<BoneMotion<double>>> motions_;  // #groups by #bones
};

// Logarithms are those of the bones as they are, whatever pivot they are measured from.
Pose as_blended(const Pose& pose, Method method) {
  return RigidBlend<double>::blending(method) == by_definition::kExponential ? with_pivot(pose, -pose.pivot)
                                                                             : pose;
}

// Directions in which bones turn apart by less radians than this are free (kParallelBones of the kernels' side).
constexpr double kParallel = 1e-3;

// The point nearest to `reach` whose images under the bones are closest: least squares over all pairs of bones.
Vec3d spherical_centre(const BonesOfVertices& bones, int v, const std::vector<int>& set, Vec3d reach) {
  std::vector<by_definition::Motion<double>> motions;
  for (const int s : set) motions.push_back(by_definition::motion_of(bones.of(v, s).r, bones.of(v, s).d));
  Eigen::Matrix3d normal = Eigen::Matrix3d::Zero();
  Eigen::Vector3d right = Eigen::Vector3d::Zero();
  for (std::size_t i = 0; i < motions.size(); ++i)
    for (std::size_t j = i + 1; j < motions.size(); ++j) {
      const Eigen::Matrix3d D = eigen(motions[i].turn) - eigen(motions[j].turn);
      const Vec3d apart =
          by_definition::moved_by(motions[j], reach) - by_definition::moved_by(motions[i], reach);
      normal += D.transpose() * D;
      right += D.transpose() * eigen(apart);
    }
  const auto [squares, axes] = symmetric_eigen(normal);
  const Eigen::Array3d steps = (squares.array() > kParallel * kParallel)
                                   .select((axes.transpose() * right).array() / squares.array(), 0.0);
  return reach + vec(axes * steps.matrix());
}

// Per vertex, in the scaled rest space.
std::vector<Vec3d> spherical_centres_of(const RiggedMesh& mesh, const BonesOfVertices& bones) {
  std::map<std::vector<int>, std::vector<int>> vertices;
  for (int v = 0; v < mesh.vertex_count(); ++v) {
    std::vector<int> set;
    for (std::size_t k = 0; k < static_cast<std::size_t>(mesh.slots); ++k)
      if (mesh.weights_of(v)[k] > 0) set.push_back(mesh.bones_of(v)[k]);
    std::sort(set.begin(), set.end());
    vertices[set].push_back(v);
  }
  std::vector<Vec3d> centres(mesh.p0.size());
  for (const auto& [set, members] : vertices) {
    Vec3d reach(0.0);
    for (const int v : members) reach += mesh.p0[static_cast<std::size_t>(v)];
    for (const int v : members)
      centres[static_cast<std::size_t>(v)] =
          spherical_centre(bones, v, set, reach * (bones.scale(v) / static_cast<double>(members.size())));
  }
  return centres;
}

// Two directions across the normal of a vertex, and its weights as they change along them.
struct Patch {
  Vec3d t, b;
  std::vector<S> weights;

  Patch(const ProceduralRig& rig, int v)
      : t(any_tangent(rig.mesh.n0[static_cast<std::size_t>(v)])),
        b(cross(rig.mesh.n0[static_cast<std::size_t>(v)], t)) {
    const std::span<const double> w = rig.mesh.weights_of(v);
    const Vec3d* gradient = &rig.gradient[static_cast<std::size_t>(v) * w.size()];
    for (std::size_t k = 0; k < w.size(); ++k)
      weights.emplace_back(w[k], dot(gradient[k], t), dot(gradient[k], b));
  }
};

}  // namespace

std::vector<Vec3d> analytic_normals(const ProceduralRig& rig, const Pose& given, Method method,
                                    const CentreField* field) {
  if (method == Method::lbs) return analytic_lbs_normals(rig, given);
  const CentreKind kind = description(method).centre;
  if (kind == CentreKind::of_vertex && !field)
    throw InputError("", "analytic normals",
                     "of method '" + std::string(row(method).name) + "' need a field of centres");
  const RiggedMesh& mesh = rig.mesh;
  const Pose pose = as_blended(given, method);
  const BonesOfVertices bones(mesh, pose);
  const std::vector<Vec3d> of_sets =
      kind == CentreKind::of_bone_set ? spherical_centres_of(mesh, bones) : std::vector<Vec3d>();
  const std::vector<double> orientation = orientations(mesh, pose);
  std::vector<Vec3d> normals;
  for (int v = 0; v < mesh.vertex_count(); ++v) {
    const auto i = static_cast<std::size_t>(v);
    const Patch at(rig, v);
    const RigidBlend<double> blend = bones.blend(v);
    const by_definition::Motion<S> motion = blend.motion<S>(RigidBlend<double>::blending(method), at.weights);
    const double scale = bones.scale(v);
    const auto scaled = [&](Vec3d x, const Mat3d& slope) {
      return by_definition::running(x * scale, slope * at.t * scale, slope * at.b * scale);
    };
    const Vec3<S> p = scaled(mesh.p0[i], Mat3d(identity_transform<double>()));
    Vec3<S> moved;
    if (kind == CentreKind::none)
      moved = by_definition::moved_by(motion, p);
    else
      moved = by_definition::moved_about(motion, blend.centre_map<S>(at.weights), p,
                                         kind == CentreKind::of_vertex
                                             ? scaled(field->centre[i], field->gradient[i])
                                             : by_definition::running(of_sets[i], Vec3d(0.0), Vec3d(0.0)));
    const Vec3d t(moved.x.t, moved.y.t, moved.z.t), b(moved.x.b, moved.y.b, moved.z.b);
    normals.push_back(normalize(cross(t, b) * orientation[i]));
  }
  return normals;
}

std::vector<Mat3d> extension_of(const RiggedMesh& mesh, const Pose& given, Method method) {
  if (method == Method::lbs) return blended_linear(mesh, given);
  const BonesOfVertices bones(mesh, as_blended(given, method));
  std::vector<Mat3d> rotations;
  for (int v = 0; v < mesh.vertex_count(); ++v)
    rotations.push_back(
        bones.blend(v).motion<double>(RigidBlend<double>::blending(method), mesh.weights_of(v)).turn *
        bones.scale(v));
  return rotations;
}

}  // namespace skinlight
