#include "skinlight/preprocess/deform_frames.h"

#include <Eigen/Core>
#include <algorithm>
#include <array>
#include <cmath>
#include <mutex>
#include <string>
#include <vector>

#include "skinlight/core/error.h"
#include "skinlight/core/parallel.h"
#include "skinlight/core/random.h"
#include "skinlight/preprocess/detail/bone_blend.h"
#include "skinlight/preprocess/detail/frame_candidates.h"
#include "skinlight/preprocess/detail/least_squares.h"
#include "skinlight/preprocess/detail/ring_slots.h"
#include "skinlight/preprocess/weight_gradients.h"

namespace skinlight {

namespace {

// Of the mean diagonal entry of the normal equations of a fit, as deform vectors have it.
constexpr double kFitRidge = 1e-3;

// A bone of a one-ring and what its weights there add to the tangents.
struct RingBone {
  int bone;
  double size = 0;
};
using RingBoneSlots = RingSlots<RingBone>;

struct Corner3 {
  int vertex;  // of the surface
  Vec3d g;     // averaged gradient of its hat function
};

// Two directions in the plane of the normal, which all twins share.
std::array<Vec3d, 2> plane_of(Vec3d n) {
  const Vec3d away = std::abs(n.x) < .6 ? Vec3d(1, 0, 0) : Vec3d(0, 1, 0);
  const Vec3d first = normalize(cross(n, away));
  return {first, cross(n, first)};
}

// A pose as the chooser needs it: the bones, and where they take every surface vertex.
struct PosedSurface {
  BoneBlend bones;
  std::vector<Vec3d> p;
};

// What a vertex does in a pose, along the two directions of its plane.
struct TrueTangents {
  RigidMotion own;
  std::array<Vec3d, 2> tangent;
};

class FrameChooser {
 public:
  FrameChooser(const RiggedMesh& mesh, const Surface& surface, const DeformFrameOptions& options)
      : mesh_(mesh),
        surface_(surface),
        options_(options),
        gradients_(mesh, surface, options.averaging, options.threads) {
    const std::vector<BoneReach> reach = bone_reach(mesh);
    std::vector<Pose> random;
    std::span<const Pose> choice = options.choice;
    if (choice.empty()) choice = random = random_bone_poses(mesh);
    for (const Pose& pose : choice) choice_.push_back(posed(pose, reach));
    for (const Pose& pose : options.typical) typical_.push_back(posed(pose, reach));
  }

  // The frames of one surface vertex.
  struct Vertex {
    std::vector<Corner3> ring;
    std::vector<RingBone> around;
    RingBoneSlots slots;
    std::vector<int> bones;  // of the slots
    std::array<Vec3d, 2> plane;
    FrameProblem problem;
    Frames frames;
  };

  // The bones of the one-ring. Returns false when it has no area.
  bool gather(int v, Vertex& of) const {
    const auto first = static_cast<std::size_t>(surface_.representative(v));
    of.plane = plane_of(mesh_.n0[first]);
    of.ring.clear();
    const double total = gradients_.visit(v, [&](int corner, Vec3d g, double) {
      const int j = surface_.vertex_of(corner);
      if (j == v) return;
      auto known =
          std::find_if(of.ring.begin(), of.ring.end(), [&](const Corner3& c) { return c.vertex == j; });
      if (known == of.ring.end()) known = of.ring.insert(known, {j, Vec3d(0.0)});
      known->g += g;
    });
    of.around.clear();
    const bool area = total != 0 && is_finite(mesh_.p0[first]);
    if (!area) of.ring.clear();
    std::erase_if(of.ring, [&](Corner3& c) {
      c.g = c.g / total;
      const double size = omega(of, c);
      return !(size > 0) || !std::isfinite(size) || !is_finite(p0(c.vertex));
    });
    const auto add = [&](int vertex, double size) {
      const auto bones = mesh_.bones_of(vertex);
      const auto weights = mesh_.weights_of(vertex);
      for (std::size_t k = 0; k < weights.size() && weights[k] > 0; ++k) {
        auto known = std::find_if(of.around.begin(), of.around.end(),
                                  [&](const RingBone& b) { return b.bone == bones[k]; });
        if (known == of.around.end()) known = of.around.insert(known, {bones[k]});
        known->size += size * weights[k];
      }
    };
    for (const Corner3& corner : of.ring) add(surface_.representative(corner.vertex), omega(of, corner));
    of.slots.gather(
        mesh_, surface_.representative(v), of.around, [](const RingBone& b) { return b.size * b.size; },
        [](int bone, double) { return RingBone{bone}; });
    return area;
  }

  // The weights and vectors of the frames, for slots that have been chosen.
  void choose(int v, Vertex& of) const {
    set_problem(v, of);
    of.frames = no_frames(of.problem);
    if (of.problem.ring.empty() || !of.problem.varies()) return;
    const std::vector<Frames> candidates = frame_candidates(of.problem);
    of.frames = candidates.front();
    if (candidates.size() > 1) {
      std::vector<TrueTangents> truth;
      for (const PosedSurface& pose : choice_) truth.push_back(true_tangents(v, of, pose));
      double least = INFINITY;
      for (const Frames& candidate : candidates) {
        double error = 0;  // which only grows: what is behind already is not posed to its end
        for (std::size_t i = 0; i < truth.size() && error < least; ++i)
          error += squared_error(v, of, candidate, choice_[i], truth[i]);
        if (error < least) {
          least = error;
          of.frames = candidate;
        }
      }
    }
    if (!typical_.empty()) fit(v, of);
    if (!of.frames.is_finite()) of.frames = no_frames(of.problem);
  }

 private:
  double omega(const Vertex& of, const Corner3& corner) const {
    return std::hypot(dot(corner.g, of.plane[0]), dot(corner.g, of.plane[1]));
  }
  const Vec3d& p0(int v) const { return mesh_.p0[static_cast<std::size_t>(surface_.representative(v))]; }
  // A vertex without a centre is its own.
  Vec3d centre_of(int v) const {
    const auto i = static_cast<std::size_t>(surface_.representative(v));
    if (options_.blend != FrameBlend::rotation_centres || !options_.centres->has_centre[i])
      return mesh_.p0[i];
    return options_.centres->centre[i];
  }

  PosedSurface posed(const Pose& pose, std::span<const BoneReach> reach) const {
    if (pose.M.size() < static_cast<std::size_t>(mesh_.bone_count))
      throw InputError("", "pose for deform frames",
                       "has " + std::to_string(pose.M.size()) + " bones, the mesh needs " +
                           std::to_string(mesh_.bone_count));
    PosedSurface of{{pose, reach, options_.blend},
                    std::vector<Vec3d>(static_cast<std::size_t>(surface_.vertex_count()))};
    parallel_for(surface_.vertex_count(), options_.threads, [&](int begin, int end) {
      for (int v = begin; v < end; ++v) {
        const int i = surface_.representative(v);
        of.p[static_cast<std::size_t>(v)] =
            of.bones.at(mesh_.bones_of(i), mesh_.weights_of(i).data(), centre_of(v))(p0(v));
      }
    });
    return of;
  }

  void set_problem(int v, Vertex& of) const {
    of.bones.clear();
    for (int k = 0; k < of.slots.size() && k < options_.max_slots; ++k)
      of.bones.push_back(of.slots.at(k, {}).bone);
    const auto slots = static_cast<Eigen::Index>(of.bones.size());
    // A vertex's weights on the slots; false where it has none there.
    const auto restricted = [&](int vertex, SlotVector& w) {
      w = SlotVector::Zero(slots);
      const auto bones = mesh_.bones_of(vertex);
      const auto weights = mesh_.weights_of(vertex);
      for (std::size_t k = 0; k < weights.size() && weights[k] > 0; ++k) {
        const auto slot = std::find(of.bones.begin(), of.bones.end(), bones[k]);
        if (slot != of.bones.end()) w[slot - of.bones.begin()] += weights[k];
      }
      const double sum = w.sum();
      if (sum > 0) w /= sum;
      return sum > 0;
    };
    FrameProblem& problem = of.problem;
    problem.frames = options_.frames;
    restricted(surface_.representative(v), problem.own);
    problem.ring.clear();
    for (const Corner3& corner : of.ring) {
      FrameProblem::Corner c;
      SlotVector w;
      c.D = restricted(surface_.representative(corner.vertex), w) ? SlotVector(w - problem.own)
                                                                  : SlotVector::Zero(slots);
      c.edge = p0(corner.vertex) - p0(v);
      c.centre = centre_of(corner.vertex) - centre_of(v);
      c.along = {dot(corner.g, of.plane[0]), dot(corner.g, of.plane[1])};
      problem.ring.push_back(c);
    }
  }

  TrueTangents true_tangents(int v, const Vertex& of, const PosedSurface& pose) const {
    TrueTangents truth;
    truth.own = pose.bones.at(of.bones, of.problem.own.data(), centre_of(v));
    for (std::size_t a = 0; a < 2; ++a) truth.tangent[a] = truth.own.R * of.plane[a];
    const Vec3d here = pose.p[static_cast<std::size_t>(v)];
    for (std::size_t j = 0; j < of.ring.size(); ++j) {
      const FrameProblem::Corner& corner = of.problem.ring[j];
      const Vec3d more =
          pose.p[static_cast<std::size_t>(of.ring[j].vertex)] - here - truth.own.R * corner.edge;
      for (std::size_t a = 0; a < 2; ++a) truth.tangent[a] += more * corner.along[a];
    }
    return truth;
  }

  RigidMotion motion_of(int v, const Vertex& of, const Frames::Frame& frame, const PosedSurface& pose) const {
    const SlotVector w = of.problem.own + frame.offset;
    return pose.bones.at(of.bones, w.data(), centre_of(v) + frame.centre);
  }

  // Of the normal: the square of the distance between unit vectors. Poses that leave the vertex without a
  // normal tell nothing.
  double squared_error(int v, const Vertex& of, const Frames& frames, const PosedSurface& pose,
                       const TrueTangents& truth) const {
    std::array<Vec3d, 2> tangent = {truth.own.R * of.plane[0], truth.own.R * of.plane[1]};
    for (int k = 0; k < frames.count; ++k) {
      const Frames::Frame& frame = frames.frame[static_cast<std::size_t>(k)];
      const RigidMotion motion = motion_of(v, of, frame, pose);
      const Vec3d moved = motion(p0(v)) - truth.own(p0(v));
      for (std::size_t a = 0; a < 2; ++a)
        tangent[a] += motion.R * frame.v[a] - truth.own.R * frame.v[a] + moved * frame.alpha[a];
    }
    const Vec3d n = cross(tangent[0], tangent[1]), wanted = cross(truth.tangent[0], truth.tangent[1]);
    const double size = length(wanted);
    if (!(size > 0) || !std::isfinite(size)) return 0;
    const double got = length(n);
    if (!(got > 0) || !std::isfinite(got)) return 4;
    const Vec3d apart = n / got - wanted / size;
    return dot(apart, apart);
  }

  // Adds to the vectors what makes the tangents right over the typical poses, in the sense of least squares.
  void fit(int v, Vertex& of) const {
    Frames& frames = of.frames;
    const Eigen::Index unknowns = 4 * frames.count;
    const double radius = of.problem.radius();
    LeastSquares equations(unknowns, 2);
    Eigen::MatrixXd A(3, unknowns);
    for (const PosedSurface& pose : typical_) {
      const TrueTangents truth = true_tangents(v, of, pose);
      Eigen::Matrix<double, 3, 2> missing;
      for (std::size_t a = 0; a < 2; ++a) {
        const Vec3d m = truth.tangent[a] - truth.own.R * of.plane[a];
        missing.col(static_cast<Eigen::Index>(a)) << m.x, m.y, m.z;
      }
      for (int k = 0; k < frames.count; ++k) {
        const Frames::Frame& frame = frames.frame[static_cast<std::size_t>(k)];
        const RigidMotion motion = motion_of(v, of, frame, pose);
        const Vec3d moved = (motion(p0(v)) - truth.own(p0(v))) / radius;
        for (int c = 0; c < 3; ++c) {
          const Vec3d column = motion.R[c] - truth.own.R[c];
          A.col(4 * k + c) << column.x, column.y, column.z;
        }
        A.col(4 * k + 3) << moved.x, moved.y, moved.z;
        for (std::size_t a = 0; a < 2; ++a)
          missing.col(static_cast<Eigen::Index>(a)) -=
              A.middleCols<4>(4 * k) *
              Eigen::Vector4d(frame.v[a].x, frame.v[a].y, frame.v[a].z, frame.alpha[a] * radius);
      }
      if (A.allFinite() && missing.allFinite()) equations.add(A, missing);
    }
    if (!equations.solve(kFitRidge)) return;  // the frames never move apart
    const Eigen::MatrixXd& X = equations.x();
    for (int k = 0; k < frames.count; ++k)
      for (int a = 0; a < 2; ++a) {
        Frames::Frame& frame = frames.frame[static_cast<std::size_t>(k)];
        const auto i = static_cast<std::size_t>(a);
        frame.v[i] += Vec3d(X(4 * k, a), X(4 * k + 1, a), X(4 * k + 2, a));
        frame.alpha[i] += X(4 * k + 3, a) / radius;
      }
  }

  const RiggedMesh& mesh_;
  const Surface& surface_;
  const DeformFrameOptions& options_;
  VertexGradients gradients_;
  std::vector<PosedSurface> choice_, typical_;
};

FrameRecord empty_frames(const RiggedMesh& mesh, int slots, const DeformFrameOptions& options) {
  FrameRecord record;
  record.slots = slots;
  record.frames = options.frames;
  record.averaging = options.averaging;
  const std::size_t entries = mesh.p0.size() * static_cast<std::size_t>(slots),
                    frames = mesh.p0.size() * static_cast<std::size_t>(options.frames);
  record.bone.resize(entries);
  record.weight.resize(entries);
  record.frame_offset.resize(entries * static_cast<std::size_t>(options.frames));
  record.frame_t.resize(frames);
  record.frame_b.resize(frames);
  record.frame_alpha.resize(frames);
  record.frame_beta.resize(frames);
  if (options.blend == FrameBlend::rotation_centres) record.frame_centre.resize(frames);
  return record;
}

// Slot 0 of what a frame changes the weights by closes the sum.
void close_offsets(FrameRecord& record, int vertex, int frame) {
  double rest = 0;
  for (int s = 1; s < record.slots; ++s) rest -= record.frame_offset[record.at_offset(vertex, frame, s)];
  record.frame_offset[record.at_offset(vertex, frame, 0)] = rest;
}

// What a file vertex has of the frames of its surface vertex.
void write_frames(const RiggedMesh& mesh, int first, int vertex, const FrameChooser::Vertex& of,
                  FrameRecord& record) {
  const auto v = static_cast<std::size_t>(vertex);
  const auto weights = mesh.weights_of(first);
  for (int s = 0; s < record.slots; ++s) {
    const auto slot = static_cast<std::size_t>(s);
    record.bone[record.at(vertex, s)] = of.bones[slot < of.bones.size() ? slot : 0];
    record.weight[record.at(vertex, s)] = slot < of.slots.own.size() ? weights[slot] : 0.0;
  }
  const auto coordinates = [&](Vec3d tangent) {
    return std::array<double, 2>{dot(tangent, of.plane[0]), dot(tangent, of.plane[1])};
  };
  const std::array<double, 2> t = coordinates(mesh.t0[v]), b = coordinates(mesh.b0[v]);
  for (int k = 0; k < record.frames; ++k) {
    const Frames::Frame& frame = of.frames.frame[static_cast<std::size_t>(k)];
    const std::size_t i = record.at_frame(vertex, k);
    record.frame_t[i] = frame.v[0] * t[0] + frame.v[1] * t[1];
    record.frame_b[i] = frame.v[0] * b[0] + frame.v[1] * b[1];
    record.frame_alpha[i] = frame.alpha[0] * t[0] + frame.alpha[1] * t[1];
    record.frame_beta[i] = frame.alpha[0] * b[0] + frame.alpha[1] * b[1];
    if (!record.frame_centre.empty()) record.frame_centre[i] = frame.centre;
    for (std::size_t s = 1; s < of.bones.size(); ++s)
      record.frame_offset[record.at_offset(vertex, k, static_cast<int>(s))] =
          frame.offset[static_cast<Eigen::Index>(s)];
    close_offsets(record, vertex, k);
  }
}

// visit(number, its unit) for all that is stored of a vertex.
template <class Record, class Visit>
void visit_stored(Record& record, int vertex, Visit visit) {
  const auto visit_vector = [&](auto& x, Unit unit) {
    for (int c = 0; c < 3; ++c) visit(x[c], unit);
  };
  for (int k = 0; k < record.frames; ++k) {
    const std::size_t i = record.at_frame(vertex, k);
    for (int s = 1; s < record.slots; ++s)
      visit(record.frame_offset[record.at_offset(vertex, k, s)], Unit::pure);
    visit_vector(record.frame_t[i], Unit::pure);
    visit_vector(record.frame_b[i], Unit::pure);
    visit(record.frame_alpha[i], Unit::per_length);
    visit(record.frame_beta[i], Unit::per_length);
    if (!record.frame_centre.empty()) visit_vector(record.frame_centre[i], Unit::length);
  }
}

void require_usable(const RiggedMesh& mesh, const DeformFrameOptions& options) {
  if (options.frames < 1 || options.frames > kMaxFrames)
    throw InputError("", "number of frames " + std::to_string(options.frames),
                     "must be 1 to " + std::to_string(kMaxFrames));
  if (options.blend != FrameBlend::rotation_centres) return;
  if (!options.centres)
    throw InputError("", "deform frames about centres of rotation",
                     "need them; compute them with rotation_centres()");
  for (const std::size_t size : {options.centres->centre.size(), options.centres->has_centre.size()})
    if (size != mesh.p0.size())
      throw InputError(
          "", "rotation centres",
          "has " + std::to_string(size) + " entries, the mesh needs " + std::to_string(mesh.p0.size()));
}

}  // namespace

FrameRecord deform_frames(const RiggedMesh& mesh, const Surface& surface, const DeformFrameOptions& asked) {
  require_usable(mesh, asked);
  DeformFrameOptions options = asked;
  FrameChooser::Vertex probe;
  const FrameChooser chooser(mesh, surface, options);
  options.max_slots =
      slot_count<RingBone>(mesh, surface, options.max_slots, [&](int v, RingBoneSlots& slots) {
        chooser.gather(v, probe);
        slots = probe.slots;
      });
  FrameRecord record = empty_frames(mesh, options.max_slots, options);
  const std::vector<int> next_twin = twin_lists(surface);
  std::mutex report;  // merging is commutative, so the report does not depend on the thread count

  parallel_for(surface.vertex_count(), options.threads, [&](int begin, int end) {
    FrameChooser::Vertex of;
    Overflow overflow;
    int flat = 0;
    for (int v = begin; v < end; ++v) {
      const int first = surface.representative(v);
      if (!chooser.gather(v, of)) ++flat;
      of.slots.drop(options.max_slots, first, overflow);
      chooser.choose(v, of);
      for (int twin = first; twin >= 0; twin = next_twin[static_cast<std::size_t>(twin)])
        write_frames(mesh, first, twin, of, record);
    }
    const std::lock_guard lock(report);
    merge(overflow, record.overflow);
    record.flat_vertices += flat;
  });
  return record;
}

PerUnit largest_numbers(const FrameRecord& record, int vertex) {
  PerUnit largest;
  visit_stored(record, vertex,
               [&](double x, Unit unit) { largest.of(unit) = std::max(largest.of(unit), std::abs(x)); });
  return largest;
}

FrameRecord stored_frames(FrameRecord record, NumberFormat format) {
  const auto per_vertex = static_cast<std::size_t>(record.frames);
  const std::size_t vertices = per_vertex > 0 ? record.frame_t.size() / per_vertex : 0;
  for (int v = 0; v < static_cast<int>(vertices); ++v) {
    const PerUnit scale = storage_scales(format, largest_numbers(record, v));
    visit_stored(record, v, [&](double& x, Unit unit) { x = as_stored(format, x, scale.of(unit)); });
    for (int k = 0; k < record.frames; ++k) close_offsets(record, v, k);
  }
  return record;
}

std::vector<Pose> random_bone_poses(const RiggedMesh& mesh) {
  constexpr int kPoses = 16;
  constexpr double kTurn = 35 * M_PI / 180;
  const auto bones = static_cast<std::size_t>(mesh.bone_count);
  // Where a bone meets others, its weight is neither 0 nor 1.
  std::vector<double> meets(bones);
  std::vector<Vec3d> joint(bones, Vec3d(0.0));
  for (int v = 0; v < mesh.vertex_count(); ++v)
    for (std::size_t k = 0; k < static_cast<std::size_t>(mesh.slots); ++k) {
      const double w = mesh.weights_of(v)[k];
      const Vec3d p = mesh.p0[static_cast<std::size_t>(v)];
      if (!(w > 0) || !is_finite(p * (w * p.x))) continue;
      const auto bone = static_cast<std::size_t>(mesh.bones_of(v)[k]);
      meets[bone] += w * (1 - w);
      joint[bone] += p * (w * (1 - w));
    }
  Random random(15);
  std::vector<Pose> poses;
  for (int k = 0; k < kPoses; ++k) {
    std::vector<Mat4x3d> M;
    for (std::size_t s = 0; s < bones; ++s) {
      const Vec3d axis = random.direction();
      const double angle = random.uniform(-kTurn, kTurn);
      const Vec3d at = meets[s] > 0 ? joint[s] / meets[s] : Vec3d(0.0);
      const double c = std::cos(angle), sine = std::sin(angle);
      const auto turned = [&](Vec3d x) {
        return x * c + cross(axis, x) * sine + axis * (dot(axis, x) * (1 - c));
      };
      M.push_back({turned({1, 0, 0}), turned({0, 1, 0}), turned({0, 0, 1}), at - turned(at)});
    }
    poses.push_back(make_pose(std::move(M)));
  }
  return poses;
}

}  // namespace skinlight
