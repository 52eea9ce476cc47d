#include "skinlight/preprocess/deform_vectors.h"

#include <Eigen/Core>
#include <mutex>
#include <string>

#include "skinlight/core/error.h"
#include "skinlight/core/parallel.h"
#include "skinlight/preprocess/detail/least_squares.h"
#include "skinlight/preprocess/detail/ring_slots.h"
#include "skinlight/preprocess/weight_gradients.h"
#include "skinlight/rig/bone_reach.h"
#include "skinlight/rig/detail/influences.h"

namespace skinlight {

namespace {

using MapSlots = RingSlots<BoneMap>;
using Eigen::Index;

// Of the mean diagonal entry of the normal equations: directions that the typical poses hardly excite keep
// what they have instead of being blown up. Between 1e-4 and 1e-2 the models' errors differ by less than a
// tenth.
constexpr double kRidge = 1e-3;

Mat3d identity() { return {Vec3d(1, 0, 0), Vec3d(0, 1, 0), Vec3d(0, 0, 1)}; }

// A homogeneous 4-vector measured from the vertex.
struct DeformVector {
  Vec3d v;
  double w;
};

DeformVector along(const BoneMap& map, Vec3d tangent) { return {map.linear * tangent, dot(map.a, tangent)}; }

// (M[s] - M[0]) as it acts on 4-vectors measured from the vertex, in units of the bones' scale, CommonScale::mean. 3 by 4.
Eigen::Matrix<double, 3, 4> difference(const Pose& pose, double scale, int bone, int first, Vec3d p0) {
  const Mat4x3d &M = pose.M[static_cast<std::size_t>(bone)], &M0 = pose.M[static_cast<std::size_t>(first)];
  Eigen::Matrix<double, 3, 4> D;
  const auto set = [&](Index c, Vec3d v) { D.col(c) << v.x, v.y, v.z; };
  for (int c = 0; c < 3; ++c) set(c, M[c] - M0[c]);
  set(3, transform_point(M, p0) - transform_point(M0, p0));
  return D / scale;
}

// The map as a matrix: tangents to 4-vectors. 4 by 3.
Eigen::Matrix<double, 4, 3> matrix(const BoneMap& map) {
  Eigen::Matrix<double, 4, 3> m;
  for (int c = 0; c < 3; ++c) m.col(c) << map.linear[c].x, map.linear[c].y, map.linear[c].z, map.a[c];
  return m;
}

BoneMap bone_map(int bone, const Eigen::Matrix<double, 4, 3>& m) {
  BoneMap map{bone};
  for (int c = 0; c < 3; ++c) {
    map.linear[c] = Vec3d(m(0, c), m(1, c), m(2, c));
    map.a[c] = m(3, c);
  }
  return map;
}

// Chooses the slots of surface vertices.
class SlotChooser {
 public:
  SlotChooser(const RiggedMesh& mesh, const Surface& surface, const DeformVectorOptions& options)
      : mesh_(mesh),
        surface_(surface),
        typical_(options.typical),
        maps_(mesh, surface, options.averaging, options.threads, true) {
    for (const Pose& pose : typical_)
      if (pose.M.size() < static_cast<std::size_t>(mesh.bone_count))
        throw InputError("", "typical pose",
                         "has " + std::to_string(pose.M.size()) + " bones, the mesh needs " +
                             std::to_string(mesh.bone_count));
    const std::vector<BoneReach> reach = bone_reach(mesh);
    for (const Pose& pose : typical_) scale_.push_back(common_scale(pose, reach).mean);
  }

  // All bones of the one-ring. Returns false when it has no area; the vertex's own weights then stand for it.
  // `around` is for its own use, to keep its memory.
  bool gather(int v, std::vector<BoneMap>& around, MapSlots& slots) const {
    const int vertex = surface_.representative(v);
    maps_.maps_at(v, around);
    const int first = mesh_.bones_of(vertex)[0];
    slots.gather(
        mesh_, vertex, around, [&](const BoneMap& map) { return squared_size(map, vertex, first); },
        [](int bone, double weight) {
          return BoneMap{bone, identity() * weight};
        });
    return !around.empty();
  }

  // What is dropped is added to those kept such that, over the typical poses,
  //   sum_kept (M[s] - M[0]) X[s] = sum_dropped (M[s] - M[0]) map[s]   in the sense of least squares.
  void fit(int v, const std::vector<MapSlots::Outside>& dropped, MapSlots& slots) const {
    const int first = slots.own[0].bone;
    std::vector<BoneMap*> kept;
    for (std::size_t k = 1; k < slots.own.size(); ++k) kept.push_back(&slots.own[k]);
    for (MapSlots::Outside& one : slots.outside) kept.push_back(&one.of);
    if (kept.empty() || typical_.empty()) return;

    const Vec3d p0 = mesh_.p0[static_cast<std::size_t>(surface_.representative(v))];
    // The fourth coordinate counts in units of the one-ring's radius, so that the ridge is fair to all.
    const Eigen::Vector4d unit(1, 1, 1, 1 / radius(v));
    const auto unknowns = static_cast<Index>(4 * kept.size());
    LeastSquares equations(unknowns, 3);
    Eigen::MatrixXd A(3, unknowns);
    for (std::size_t i = 0; i < typical_.size(); ++i) {
      const auto moved = [&](int bone) { return difference(typical_[i], scale_[i], bone, first, p0); };
      Eigen::Matrix3d lost = Eigen::Matrix3d::Zero();
      for (const MapSlots::Outside& one : dropped) lost += moved(one.of.bone) * matrix(one.of);
      for (std::size_t k = 0; k < kept.size(); ++k)
        A.middleCols<4>(static_cast<Index>(4 * k)) = moved(kept[k]->bone) * unit.asDiagonal();
      equations.add(A, lost);
    }
    if (!equations.solve(kRidge)) return;  // the kept bones never move apart
    for (std::size_t k = 0; k < kept.size(); ++k)
      *kept[k] = bone_map(
          kept[k]->bone,
          matrix(*kept[k]) + unit.asDiagonal() * equations.x().middleRows<4>(static_cast<Index>(4 * k)));
  }

 private:
  double squared_size(const BoneMap& map, int vertex, int first) const {
    const auto i = static_cast<std::size_t>(vertex);
    const DeformVector t = along(map, mesh_.t0[i]), b = along(map, mesh_.b0[i]);
    if (typical_.empty()) return dot(t.v, t.v) + dot(b.v, b.v);
    double sum = 0;
    for (std::size_t n = 0; n < typical_.size(); ++n) {
      const auto D = difference(typical_[n], scale_[n], map.bone, first, mesh_.p0[i]);
      const auto moved = [&](const DeformVector& tau) {
        return (D * Eigen::Vector4d(tau.v.x, tau.v.y, tau.v.z, tau.w)).squaredNorm();
      };
      sum += moved(t) + moved(b);
    }
    return sum / static_cast<double>(typical_.size());
  }

  // The mean length of the edges at a surface vertex.
  double radius(int v) const {
    double sum = 0;
    int count = 0;
    for (const Corner& corner : surface_.one_ring(v)) {
      const Face& face = surface_.face(corner.face);
      const auto p = [&](int c) {
        return mesh_.p0[static_cast<std::size_t>(face[static_cast<std::size_t>((corner.corner + c) % 3)])];
      };
      for (const int c : {1, 2}) {
        sum += length(p(c) - p(0));
        ++count;
      }
    }
    return sum > 0 && std::isfinite(sum) ? sum / count : 1.0;
  }

  const RiggedMesh& mesh_;
  const Surface& surface_;
  std::span<const Pose> typical_;
  std::vector<double> scale_;  // CommonScale::mean of each
  VertexGradients maps_;
};

NormalRecord empty_vectors(const RiggedMesh& mesh, int slots, Averaging averaging) {
  NormalRecord vectors;
  vectors.slots = slots;
  vectors.averaging = averaging;
  const std::size_t size = mesh.p0.size() * static_cast<std::size_t>(slots);
  vectors.bone.resize(size);
  vectors.weight.resize(size);
  vectors.alpha.resize(size);
  vectors.beta.resize(size);
  vectors.along_t.resize(size);
  vectors.along_b.resize(size);
  return vectors;
}

// What a file vertex has of the maps of its surface vertex: vectors of its own tangents. Slot 0 is closed
// later.
void write_slots(const RiggedMesh& mesh, int vertex, const MapSlots& slots, NormalRecord& vectors) {
  const auto v = static_cast<std::size_t>(vertex);
  const auto weights = mesh.weights_of(vertex);
  const BoneMap unused{slots.own[0].bone};
  for (int k = 0; k < vectors.slots; ++k) {
    const auto slot = static_cast<std::size_t>(k);
    const std::size_t entry = vectors.at(vertex, k);
    const BoneMap& map = slots.at(k, unused);
    vectors.bone[entry] = map.bone;
    vectors.weight[entry] = slot < weights.size() ? weights[slot] : 0.0;
    const DeformVector t = along(map, mesh.t0[v]), b = along(map, mesh.b0[v]);
    vectors.along_t[entry] = t.v;
    vectors.alpha[entry] = t.w;
    vectors.along_b[entry] = b.v;
    vectors.beta[entry] = b.w;
  }
}

}  // namespace

NormalRecord deform_vectors(const RiggedMesh& mesh, const Surface& surface,
                            const DeformVectorOptions& options) {
  require_influences(mesh.bone_count, mesh.slots, mesh.bone, mesh.weight);
  const SlotChooser chooser(mesh, surface, options);
  std::vector<BoneMap> ring;
  const int slots = slot_count<BoneMap>(mesh, surface, options.max_slots, [&](int v, MapSlots& of_vertex) {
    chooser.gather(v, ring, of_vertex);
  });
  NormalRecord vectors = empty_vectors(mesh, slots, options.averaging);
  const std::vector<int> next_twin = twin_lists(surface);
  std::mutex report;  // merging is commutative, so the report does not depend on the thread count

  // The maps once per surface vertex, their vectors once per file vertex of it.
  parallel_for(surface.vertex_count(), options.threads, [&](int begin, int end) {
    std::vector<BoneMap> around;
    MapSlots of_vertex;
    Overflow overflow;
    int flat = 0;
    for (int v = begin; v < end; ++v) {
      const int first = surface.representative(v);
      if (!chooser.gather(v, around, of_vertex)) ++flat;
      const std::vector<MapSlots::Outside> dropped = of_vertex.drop(slots, first, overflow);
      if (!dropped.empty()) chooser.fit(v, dropped, of_vertex);
      for (int twin = first; twin >= 0; twin = next_twin[static_cast<std::size_t>(twin)])
        write_slots(mesh, twin, of_vertex, vectors);
    }
    const std::lock_guard lock(report);
    merge(overflow, vectors.overflow);
    vectors.flat_vertices += flat;
  });
  parallel_for(mesh.vertex_count(), options.threads,
               [&](int begin, int end) { close_sums(vectors, mesh, begin, end - begin); });
  return vectors;
}

}  // namespace skinlight
