#include "skinlight/samples/capsules.h"

#include <algorithm>
#include <array>
#include <cmath>
#include <stdexcept>

#include "skinlight/rig/turn.h"

namespace skinlight {

namespace {

Vec3d nearest_on_axis(const Capsule& c, Vec3d p) {
  const Vec3d axis = c.b - c.a;
  const double t = dot(p - c.a, axis) / dot(axis, axis);
  return c.a + axis * std::fmin(std::fmax(t, 0.0), 1.0);
}

struct FieldSample {
  double value;  // about the signed distance, negative inside
  Vec3d gradient;
};

// The smooth union -k log sum exp(-d / k) of the capsules' distances d, and its gradient.
FieldSample sample(const CapsuleSkin& skin, Vec3d p) {
  double nearest = INFINITY;
  std::vector<FieldSample> parts;
  for (const Capsule& c : skin.capsules) {
    const Vec3d away = p - nearest_on_axis(c, p);
    const double distance = length(away);
    parts.push_back({distance - c.radius, distance > 0 ? away / distance : Vec3d(0.0)});
    nearest = std::fmin(nearest, parts.back().value);
  }
  double sum = 0;
  Vec3d gradient(0.0);
  for (const FieldSample& part : parts) {
    const double share = std::exp((nearest - part.value) / skin.blend);  // shifted: never overflows
    sum += share;
    gradient += part.gradient * share;
  }
  return {nearest - skin.blend * std::log(sum), gradient / sum};
}

// Newton's steps along the gradient, down to rounding.
Vec3d onto_surface(const CapsuleSkin& skin, Vec3d p) {
  for (int step = 0; step < 8; ++step) {
    const FieldSample f = sample(skin, p);
    p -= f.gradient * (f.value / dot(f.gradient, f.gradient));
  }
  return p;
}

// A regular grid around the capsules with the field's sign at its nodes.
class Grid {
 public:
  explicit Grid(const CapsuleSkin& skin) : h_(skin.spacing) {
    Vec3d low(INFINITY), high(-INFINITY);
    for (const Capsule& c : skin.capsules)
      for (const Vec3d end : {c.a, c.b})
        for (int i = 0; i < 3; ++i) {
          low[i] = std::fmin(low[i], end[i] - c.radius);
          high[i] = std::fmax(high[i], end[i] + c.radius);
        }
    // A free cell and room for the blend on each side; half a cell off, so that symmetric shapes keep clear
    // of the nodes.
    const double border = 1.5 * h_ + skin.blend;
    origin_ = low - Vec3d(border);
    for (int i = 0; i < 3; ++i)
      nodes_[static_cast<std::size_t>(i)] = static_cast<int>((high[i] - low[i] + 2 * border) / h_) + 2;
    for (int z = 0; z < nodes_[2]; ++z)
      for (int y = 0; y < nodes_[1]; ++y)
        for (int x = 0; x < nodes_[0]; ++x) value_.push_back(sample(skin, node({x, y, z})).value);
  }

  using Index = std::array<int, 3>;
  const Index& nodes() const { return nodes_; }
  std::size_t at(Index i) const {
    return (static_cast<std::size_t>(i[2]) * static_cast<std::size_t>(nodes_[1]) +
            static_cast<std::size_t>(i[1])) *
               static_cast<std::size_t>(nodes_[0]) +
           static_cast<std::size_t>(i[0]);
  }
  double value(Index i) const { return value_[at(i)]; }
  bool inside(Index i) const { return value(i) < 0; }
  Vec3d node(Index i) const { return origin_ + Vec3d(i[0], i[1], i[2]) * h_; }

  // Mean of the points where the surface crosses the cell's edges; false when it does not.
  bool crossing(Index cell, Vec3d& mean) const {
    int count = 0;
    mean = Vec3d(0.0);
    for (std::size_t axis = 0; axis < 3; ++axis)
      for (int side = 0; side < 4; ++side) {
        Index a = cell;
        a[(axis + 1) % 3] += side & 1;
        a[(axis + 2) % 3] += side >> 1;
        Index b = a;
        ++b[axis];
        if (inside(a) == inside(b)) continue;
        const double t = value(a) / (value(a) - value(b));
        mean += node(a) * (1 - t) + node(b) * t;
        ++count;
      }
    if (count > 0) mean = mean / count;
    return count > 0;
  }

 private:
  double h_;
  Vec3d origin_;
  Index nodes_{};
  std::vector<double> value_;
};

using Quad = std::array<int, 4>;

// Surface nets [Gibson 1998]: a vertex per cell that the surface crosses, a quad per grid edge that it
// crosses.
std::vector<Quad> surface_nets(const Grid& grid, std::vector<Vec3d>& p) {
  const Grid::Index n = grid.nodes();
  std::vector<int> vertex(static_cast<std::size_t>(n[0] * n[1] * n[2]), -1);
  std::vector<Quad> quads;
  for (int z = 0; z + 1 < n[2]; ++z)
    for (int y = 0; y + 1 < n[1]; ++y)
      for (int x = 0; x + 1 < n[0]; ++x) {
        const Grid::Index cell{x, y, z};
        Vec3d mean;
        if (!grid.crossing(cell, mean)) continue;
        vertex[grid.at(cell)] = static_cast<int>(p.size());
        p.push_back(mean);
        // The edges that start at the cell's first node: all four cells around them are known by now.
        for (std::size_t axis = 0; axis < 3; ++axis) {
          Grid::Index end = cell;
          ++end[axis];
          if (grid.inside(cell) == grid.inside(end)) continue;
          Grid::Index u = cell, v = cell, uv = cell;
          --u[(axis + 1) % 3], --uv[(axis + 1) % 3];
          --v[(axis + 2) % 3], --uv[(axis + 2) % 3];
          Quad quad{vertex[grid.at(cell)], vertex[grid.at(u)], vertex[grid.at(uv)], vertex[grid.at(v)]};
          if (!grid.inside(cell)) std::swap(quad[1], quad[3]);
          quads.push_back(quad);
        }
      }
  return quads;
}

// Evens out the vertices: each moves towards the mean of its neighbours, within the surface.
void relax(const CapsuleSkin& skin, const std::vector<Quad>& quads, std::vector<Vec3d>& p) {
  constexpr int kRounds = 8;
  for (int round = 0; round < kRounds; ++round) {
    std::vector<Vec3d> sum(p.size(), Vec3d(0.0));
    std::vector<int> count(p.size(), 0);
    for (const Quad& q : quads)
      for (std::size_t c = 0; c < 4; ++c) {
        const auto v = static_cast<std::size_t>(q[c]);
        sum[v] += p[static_cast<std::size_t>(q[(c + 1) % 4])];
        ++count[v];
      }
    for (std::size_t v = 0; v < p.size(); ++v)
      p[v] = onto_surface(skin, (p[v] + sum[v] / static_cast<double>(count[v])) * 0.5);
  }
}

// Each quad along its shorter diagonal.
std::vector<Face> triangles(const std::vector<Quad>& quads, const std::vector<Vec3d>& p) {
  const auto distance = [&](int a, int b) {
    return length(p[static_cast<std::size_t>(a)] - p[static_cast<std::size_t>(b)]);
  };
  std::vector<Face> faces;
  for (const Quad& q : quads)
    if (distance(q[0], q[2]) <= distance(q[1], q[3]))
      faces.insert(faces.end(), {{q[0], q[1], q[2]}, {q[0], q[2], q[3]}});
    else
      faces.insert(faces.end(), {{q[0], q[1], q[3]}, {q[1], q[2], q[3]}});
  return faces;
}

void bind(const CapsuleSkin& skin, int bones, RiggedMesh& mesh) {
  const std::vector<Capsule>& binding = skin.binding.empty() ? skin.capsules : skin.binding;
  mesh.bone_count = mesh.slots = bones;
  for (const Vec3d& p : mesh.p0) {
    std::vector<double> power(static_cast<std::size_t>(bones), INFINITY);
    for (const Capsule& c : binding) {
      const Vec3d away = p - nearest_on_axis(c, p);
      double& of_bone = power[static_cast<std::size_t>(c.bone)];
      of_bone = std::fmin(of_bone, dot(away, away) - c.radius * c.radius);
    }
    for (int s = 0; s < bones; ++s) {
      mesh.bone.push_back(s);
      mesh.weight.push_back(
          std::exp(-power[static_cast<std::size_t>(s)] / (2 * skin.weight_reach * skin.weight_reach)));
    }
  }
  std::vector<Warning> ignored;
  normalize_weights(mesh, ignored);
  limit_influences(mesh, skin.slots);
}

}  // namespace

ProceduralRig capsule_character(const CapsuleSkin& skin, int bones) {
  ProceduralRig rig;
  RiggedMesh& mesh = rig.mesh;
  const std::vector<Quad> quads = surface_nets(Grid(skin), mesh.p0);
  relax(skin, quads, mesh.p0);
  mesh.faces = triangles(quads, mesh.p0);
  for (const Vec3d& p : mesh.p0) mesh.n0.push_back(normalize(sample(skin, p).gradient));
  bind(skin, bones, mesh);
  compute_tangent_frames(mesh);
  validate(mesh);
  if (Surface(mesh.faces, weld(mesh)).non_manifold_faces() > 0)
    throw std::logic_error("the capsules' mesh is not a manifold: choose a smaller spacing");
  return rig;
}

Pose pose_of(std::span<const Joint> joints, std::span<const JointTurn> turns) {
  std::vector<Mat4x3d> M;
  for (std::size_t s = 0; s < joints.size(); ++s) {
    const Joint& joint = joints[s];
    M.push_back(joint.parent < 0 ? identity_transform<double>() : M[static_cast<std::size_t>(joint.parent)]);
    for (const JointTurn& turn : turns)
      if (turn.bone == static_cast<int>(s))
        M.back() = compose(M.back(), turn_about(joint.pivot, turn.axis, turn.degrees * M_PI / 180));
  }
  return make_pose(std::move(M));
}

}  // namespace skinlight
