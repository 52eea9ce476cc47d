#include "skinlight/samples/detail/revolution.h"

#include <cmath>

#include "skinlight/core/random.h"

namespace skinlight {

namespace {

double clamp01(double x) { return std::fmin(std::fmax(x, 0.0), 1.0); }

// Builds rings of vertices with a uv seam; every vertex lies exactly on the surface, jittered or not.
class Revolution {
 public:
  Revolution(const Profile& profile, const Tessellation& t) : profile_(profile), t_(t), random_(t.seed) {
    require(t.jitter >= 0 && t.jitter < 0.5, "jitter " + std::to_string(t.jitter), "must lie in [0, 0.5)");
    add_vertices();
    add_faces();
  }
  RiggedMesh take() { return std::move(mesh_); }

 private:
  std::vector<double> ring_positions() const {
    std::vector<double> s = {0};
    for (std::size_t piece = 0; piece < profile_.rings.size(); ++piece) {
      const double start = s.back();
      for (int i = 1; i <= profile_.rings[piece]; ++i)
        s.push_back(start + profile_.piece_length[piece] * i / profile_.rings[piece]);
    }
    return s;
  }

  void add_vertex(double s, double angle, double u) {
    const ProfilePoint c = profile_.at(s);
    const double x = std::cos(angle), y = std::sin(angle);
    mesh_.p0.emplace_back(c.r * x, c.r * y, c.z);
    mesh_.n0.emplace_back(c.nr * x, c.nr * y, c.nz);
    mesh_.uv.emplace_back(u, s / profile_.length);
  }

  void add_vertices() {
    const std::vector<double> s = ring_positions();
    ring_count_ = static_cast<int>(s.size());
    for (int ring = 0; ring < ring_count_; ++ring) {
      first_.push_back(mesh_.vertex_count());
      const bool end = ring == 0 || ring == ring_count_ - 1;
      if (end && profile_.poles) {
        add_vertex(s[static_cast<std::size_t>(ring)], 0, 0.5);
        continue;
      }
      for (int j = 0; j < t_.segments; ++j) {
        const double ds = end ? 0 : random_.uniform(-1, 1) * t_.jitter,
                     dj = random_.uniform(-1, 1) * t_.jitter;
        const auto i = static_cast<std::size_t>(ring);
        const double spacing = ds < 0 ? s[i] - s[i - 1] : end ? 0 : s[i + 1] - s[i];
        const double turn = (j + dj) / t_.segments;
        add_vertex(s[i] + ds * spacing, 2 * M_PI * turn, turn);
      }
      // The seam: the first vertex once more, with u one turn further.
      mesh_.p0.push_back(mesh_.p0[static_cast<std::size_t>(first_.back())]);
      mesh_.n0.push_back(mesh_.n0[static_cast<std::size_t>(first_.back())]);
      const Vec2d uv = mesh_.uv[static_cast<std::size_t>(first_.back())];
      mesh_.uv.emplace_back(uv.x + 1, uv.y);
    }
  }

  bool is_pole(int ring) const { return profile_.poles && (ring == 0 || ring == ring_count_ - 1); }
  int index(int ring, int j) const {
    return first_[static_cast<std::size_t>(ring)] + (is_pole(ring) ? 0 : j);
  }

  // Counter-clockwise seen from outside: angle to the right, s upwards.
  void add_faces() {
    for (int ring = 0; ring + 1 < ring_count_; ++ring)
      for (int j = 0; j < t_.segments; ++j) {
        const int a = index(ring, j), b = index(ring, j + 1), c = index(ring + 1, j + 1),
                  d = index(ring + 1, j);
        if (is_pole(ring)) {
          mesh_.faces.push_back({a, c, d});
        } else if (is_pole(ring + 1)) {
          mesh_.faces.push_back({a, b, c});
        } else if (t_.random_diagonals && random_.below(2) == 1) {
          mesh_.faces.push_back({a, b, d});
          mesh_.faces.push_back({b, c, d});
        } else {
          mesh_.faces.push_back({a, b, c});
          mesh_.faces.push_back({a, c, d});
        }
      }
  }

  const Profile& profile_;
  const Tessellation& t_;
  Random random_;
  RiggedMesh mesh_;
  std::vector<int> first_;  // first vertex of each ring
  int ring_count_ = 0;
};

}  // namespace

void require(bool ok, const std::string& element, const std::string& reason) {
  if (!ok) throw InputError("", element, reason);
}

RiggedMesh revolve(const Profile& profile, const Tessellation& tessellation) {
  return Revolution(profile, tessellation).take();
}

int intervals(double length, double radius, const Tessellation& t) {
  require(t.segments >= 8, "segments " + std::to_string(t.segments), "at least 8 are needed");
  require(t.aspect >= 0.01 && t.aspect <= 100, "aspect " + std::to_string(t.aspect),
          "must lie in [0.01, 100]");
  return std::max(1, static_cast<int>(std::lround(t.aspect * length / (2 * M_PI * radius / t.segments))));
}

double rise(Ramp ramp, double x) {
  const double y = clamp01(x);
  return ramp == Ramp::smoothstep ? y * y * (3 - 2 * y) : y * y * y * (10 + y * (6 * y - 15));
}

double rise_slope(Ramp ramp, double x) {
  const double y = clamp01(x);
  return ramp == Ramp::smoothstep ? 6 * y * (1 - y) : 30 * y * y * (1 - y) * (1 - y);
}

ProceduralRig bind_chain(RiggedMesh mesh, std::span<const double> joint_z, double half_blend, Ramp ramp) {
  ProceduralRig rig{std::move(mesh), {}};
  rig.mesh.bone_count = static_cast<int>(joint_z.size()) + 1;
  rig.mesh.slots = 2;
  for (const Vec3d& p : rig.mesh.p0) {
    // The joint whose blend the vertex is in, or the last one below it.
    std::size_t joint = 0;
    while (joint + 1 < joint_z.size() && p.z > joint_z[joint + 1] - half_blend) ++joint;
    const double x = (p.z - joint_z[joint] + half_blend) / (2 * half_blend);
    const double upper = rise(ramp, x);
    const Vec3d gradient(0, 0, rise_slope(ramp, x) / (2 * half_blend));
    const int lower_bone = static_cast<int>(joint);
    const bool upper_first = upper > 0.5;
    const double strong = upper_first ? upper : 1 - upper;
    rig.mesh.bone.insert(rig.mesh.bone.end(), {lower_bone + upper_first, lower_bone + !upper_first});
    rig.mesh.weight.insert(rig.mesh.weight.end(), {strong, 1 - strong});
    rig.gradient.insert(rig.gradient.end(),
                        {upper_first ? gradient : -gradient, upper_first ? -gradient : gradient});
  }
  compute_tangent_frames(rig.mesh);
  validate(rig.mesh);
  return rig;
}

}  // namespace skinlight
