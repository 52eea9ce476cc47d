#include "skinlight/rig/rigged_mesh.h"

#include <algorithm>
#include <cmath>

#include "skinlight/mesh/weld.h"
#include "skinlight/rig/detail/influences.h"

namespace skinlight {

namespace {

std::string vertex_name(int v) { return "vertex " + std::to_string(v); }

void require_size(std::size_t actual, std::size_t expected, const char* what) {
  if (actual != expected)
    throw InputError("", what,
                     "has " + std::to_string(actual) + " entries, expected " + std::to_string(expected));
}

void validate_frame(const RiggedMesh& mesh, int v) {
  const auto i = static_cast<std::size_t>(v);
  if (!is_finite(mesh.p0[i])) throw InputError("", vertex_name(v), "position is not finite");
  const auto require_unit = [&](Vec3d a, const char* what) {
    if (!(std::abs(length(a) - 1) <= kUnitTolerance))
      throw InputError("", vertex_name(v),
                       std::string(what) + " has length " + std::to_string(length(a)) + ", not 1");
  };
  require_unit(mesh.n0[i], "normal");
  require_unit(mesh.t0[i], "tangent");
  require_unit(mesh.b0[i], "bitangent");
  if (std::abs(dot(mesh.t0[i], mesh.n0[i])) > kUnitTolerance ||
      std::abs(dot(mesh.b0[i], mesh.n0[i])) > kUnitTolerance)
    throw InputError("", vertex_name(v), "tangents are not orthogonal to the normal");
  if (std::abs(mesh.handedness[i]) != 1 ||
      !(mesh.handedness[i] * dot(cross(mesh.t0[i], mesh.b0[i]), mesh.n0[i]) > 0))
    throw InputError("", vertex_name(v), "handedness does not match (t0 x b0) . n0");
}

// One line per kind of repair, with the first vertex and the number of vertices.
class Repairs {
 public:
  explicit Repairs(std::vector<Warning>& warnings) : warnings_(warnings) {}
  // Vertices come in ascending order; a vertex repaired twice for one reason counts once.
  void add(int vertex, const std::string& reason) {
    auto known =
        std::find_if(mine_.begin(), mine_.end(), [&](const Repair& r) { return r.reason == reason; });
    if (known == mine_.end()) known = mine_.insert(known, {reason, vertex, vertex, 0});
    if (known->count == 0 || known->last != vertex) ++known->count;
    known->last = vertex;
  }
  ~Repairs() {
    for (const Repair& r : mine_) warnings_.push_back({vertex_name(r.first), r.reason, r.count});
  }
  Repairs(const Repairs&) = delete;
  Repairs& operator=(const Repairs&) = delete;

 private:
  struct Repair {
    std::string reason;
    int first, last, count;
  };
  std::vector<Warning>& warnings_;
  std::vector<Repair> mine_;
};

struct Slot {
  int bone;
  double weight;
};

void merge_equal_bones(std::vector<Slot>& slots, int vertex, Repairs& repairs) {
  for (std::size_t a = 0; a < slots.size(); ++a)
    for (std::size_t b = a + 1; b < slots.size(); ++b)
      if (slots[a].bone == slots[b].bone && slots[a].weight != 0 && slots[b].weight != 0) {
        slots[a].weight += slots[b].weight;
        slots[b].weight = 0;
        repairs.add(vertex, "has one bone in two slots; the weights were added");
      }
}

void make_convex(std::vector<Slot>& slots, int vertex, Repairs& repairs) {
  double sum = 0;
  for (Slot& s : slots) {
    if (s.weight < 0) {
      repairs.add(vertex, "has a negative weight; it was set to 0");
      s.weight = 0;
    }
    sum += s.weight;
  }
  if (!std::isfinite(sum)) throw InputError("", vertex_name(vertex), "sum of weights is not finite");
  if (!(sum > 0)) {
    repairs.add(vertex, "has no positive weight; it was bound to the bone of its first slot");
    slots[0].weight = sum = 1;
  }
  if (std::abs(sum - 1) > kWeightSumTolerance)
    repairs.add(vertex, "has weights that do not sum to 1; they were normalised");
  for (Slot& s : slots) s.weight /= sum;
}

void sort_by_weight(std::vector<Slot>& slots) {
  std::stable_sort(slots.begin(), slots.end(),
                   [](const Slot& a, const Slot& b) { return a.weight > b.weight; });
  for (Slot& s : slots)
    if (s.weight == 0) s.bone = slots[0].bone;  // unused slots name a bone that exists
}

constexpr double kSameNormal = 1e-5;  // squared distance, 0.2 degrees: file rounding, far below any hard edge

bool same_point(const RiggedMesh& mesh, int a, int b) {
  const Vec3d na = mesh.n0[static_cast<std::size_t>(a)], nb = mesh.n0[static_cast<std::size_t>(b)];
  if (dot(na - nb, na - nb) > kSameNormal) return false;
  constexpr double kSameWeight = 1e-6;  // float rounding of normalised weights
  const auto weight_of = [&](int v, int bone) {
    double sum = 0;
    for (int k = 0; k < mesh.slots; ++k)
      if (mesh.bones_of(v)[static_cast<std::size_t>(k)] == bone)
        sum += mesh.weights_of(v)[static_cast<std::size_t>(k)];
    return sum;
  };
  for (int v : {a, b})
    for (int bone : mesh.bones_of(v))
      if (std::abs(weight_of(a, bone) - weight_of(b, bone)) > kSameWeight) return false;
  return true;
}

// How many more of a vertex's corners lie in faces that turn counter-clockwise in the texture too than clockwise: #V,
// or empty without uv.
std::vector<int> uv_turns(const RiggedMesh& mesh) {
  std::vector<int> turns(mesh.uv.size(), 0);
  if (mesh.uv.empty()) return turns;
  const auto uv = [&](int v) { return mesh.uv[static_cast<std::size_t>(v)]; };
  for (const Face& f : mesh.faces) {
    const Vec2d a = uv(f[1]) - uv(f[0]), b = uv(f[2]) - uv(f[0]);
    const double area = a.x * b.y - b.x * a.y;
    for (const int v : f) turns[static_cast<std::size_t>(v)] += (area > 0) - (area < 0);
  }
  return turns;
}

// Vertices that share a tangent frame: equal position, normal and uv, on one side of a seam where the texture is
// mirrored.
std::vector<int> frame_groups(const RiggedMesh& mesh, std::span<const int> turns) {
  return weld_vertices(mesh.p0, [&](int a, int b) {
    const auto i = static_cast<std::size_t>(a), j = static_cast<std::size_t>(b);
    const Vec3d d = mesh.n0[i] - mesh.n0[j];
    return dot(d, d) <= kSameNormal &&
           (mesh.uv.empty() || (mesh.uv[i] == mesh.uv[j] && (turns[i] < 0) == (turns[j] < 0)));
  });
}

}  // namespace

void require_influences(int bone_count, int slots, std::span<const int> bones,
                        std::span<const double> weights) {
  const auto count = static_cast<std::size_t>(slots);
  for (std::size_t v = 0; v * count < bones.size(); ++v) {
    const auto fail = [&](const std::string& reason) {
      throw InputError("", vertex_name(static_cast<int>(v)), reason);
    };
    double sum = 0, previous = INFINITY;
    for (std::size_t i = v * count; i < (v + 1) * count; ++i) {
      if (bones[i] < 0 || bones[i] >= bone_count)
        fail("bone " + std::to_string(bones[i]) + " does not exist (the rig has " +
             std::to_string(bone_count) + ")");
      if (!std::isfinite(weights[i])) fail("weight is not finite");
      if (weights[i] < 0) fail("weight is negative");
      if (weights[i] > previous) fail("weights are not in descending order");
      previous = weights[i];
      sum += weights[i];
    }
    if (!(sum > 0)) fail("has no positive weight");
    if (!(std::abs(sum - 1) <= kWeightSumTolerance))
      fail("weights sum to " + std::to_string(sum) + ", not 1");
  }
}

void validate(const RiggedMesh& mesh) {
  const std::size_t count = mesh.p0.size(), slots = count * static_cast<std::size_t>(std::max(mesh.slots, 0));
  if (count == 0) throw InputError("", "mesh", "has no vertices");
  if (mesh.faces.empty()) throw InputError("", "mesh", "has no faces");
  if (mesh.slots < 1) throw InputError("", "mesh", "has no influence slots");
  if (mesh.bone_count < 1) throw InputError("", "mesh", "has no bones");
  require_size(mesh.n0.size(), count, "normals");
  require_size(mesh.t0.size(), count, "tangents");
  require_size(mesh.b0.size(), count, "bitangents");
  require_size(mesh.handedness.size(), count, "handedness");
  require_size(mesh.frame_source.size(), count, "frame sources");
  if (!mesh.uv.empty()) require_size(mesh.uv.size(), count, "uv");
  require_size(mesh.bone.size(), slots, "bone slots");
  require_size(mesh.weight.size(), slots, "weight slots");
  for (std::size_t f = 0; f < mesh.faces.size(); ++f)
    for (int v : mesh.faces[f])
      if (v < 0 || v >= mesh.vertex_count())
        throw InputError("", "face " + std::to_string(f), "vertex " + std::to_string(v) + " does not exist");
  for (int v = 0; v < mesh.vertex_count(); ++v) validate_frame(mesh, v);
  require_influences(mesh.bone_count, mesh.slots, mesh.bone, mesh.weight);
}

void normalize_weights(RiggedMesh& mesh, std::vector<Warning>& warnings) {
  if (mesh.slots < 1) throw InputError("", "mesh", "has no influence slots");
  require_size(mesh.bone.size(), mesh.p0.size() * static_cast<std::size_t>(mesh.slots), "bone slots");
  require_size(mesh.weight.size(), mesh.bone.size(), "weight slots");
  Repairs repairs(warnings);
  std::vector<Slot> slots(static_cast<std::size_t>(mesh.slots));
  for (int v = 0; v < mesh.vertex_count(); ++v) {
    const std::size_t base = static_cast<std::size_t>(v) * slots.size();
    for (std::size_t k = 0; k < slots.size(); ++k) {
      slots[k] = {mesh.bone[base + k], mesh.weight[base + k]};
      if (!std::isfinite(slots[k].weight)) throw InputError("", vertex_name(v), "weight is not finite");
      if (slots[k].bone < 0 || slots[k].bone >= mesh.bone_count)
        throw InputError("", vertex_name(v),
                         "bone " + std::to_string(slots[k].bone) + " does not exist (the rig has " +
                             std::to_string(mesh.bone_count) + ")");
    }
    merge_equal_bones(slots, v, repairs);
    make_convex(slots, v, repairs);
    sort_by_weight(slots);
    for (std::size_t k = 0; k < slots.size(); ++k) {
      mesh.bone[base + k] = slots[k].bone;
      mesh.weight[base + k] = slots[k].weight;
    }
  }
}

double limit_influences(RiggedMesh& mesh, int slots) {
  if (slots < 1) throw InputError("", "influence limit " + std::to_string(slots), "must be at least 1");
  if (slots >= mesh.slots) return 0;
  double worst = 0;
  const auto kept = static_cast<std::size_t>(slots), all = static_cast<std::size_t>(mesh.slots);
  std::vector<int> bone(mesh.p0.size() * kept);
  std::vector<double> weight(mesh.p0.size() * kept);
  for (std::size_t v = 0; v < mesh.p0.size(); ++v) {
    double sum = 0, dropped = 0;
    for (std::size_t k = 0; k < all; ++k) (k < kept ? sum : dropped) += mesh.weight[v * all + k];
    worst = std::max(worst, dropped);
    for (std::size_t k = 0; k < kept; ++k) {
      bone[v * kept + k] = mesh.bone[v * all + k];
      weight[v * kept + k] = mesh.weight[v * all + k] / sum;
    }
  }
  mesh.bone = std::move(bone);
  mesh.weight = std::move(weight);
  mesh.slots = slots;
  return worst;
}

std::vector<int> weld(const RiggedMesh& mesh) {
  return weld_vertices(mesh.p0, [&](int a, int b) { return same_point(mesh, a, b); });
}

TangentFrames posed_tangent_frames(const RiggedMesh& mesh, std::span<const Vec3d> p,
                                   std::span<const Vec3d> n) {
  return tangent_frames(mesh.faces, p, n, mesh.uv, frame_groups(mesh, uv_turns(mesh)),
                        TangentConvention::orthonormal);
}

void compute_tangent_frames(RiggedMesh& mesh, TangentConvention convention) {
  const std::vector<int> turns = uv_turns(mesh);
  TangentFrames frames =
      tangent_frames(mesh.faces, mesh.p0, mesh.n0, mesh.uv, frame_groups(mesh, turns), convention);
  // MikkTSpace, by which glTF has tangents computed, asks faces for the side, not normals: that differs where normals
  // point to the inside of their faces, and where a vertex belongs to both sides of a mirrored texture.
  if (convention == TangentConvention::orthonormal)
    for (std::size_t v = 0; v < turns.size(); ++v)
      if (frames.source[v] == FrameSource::uv && turns[v] * frames.handedness[v] < 0) {
        frames.handedness[v] = -frames.handedness[v];
        frames.b0[v] = -frames.b0[v];
      }
  mesh.t0 = std::move(frames.t0);
  mesh.b0 = std::move(frames.b0);
  mesh.handedness = std::move(frames.handedness);
  mesh.frame_source = std::move(frames.source);
}

}  // namespace skinlight
