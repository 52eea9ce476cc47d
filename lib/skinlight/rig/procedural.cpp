#include "skinlight/rig/procedural.h"

#include <cmath>
#include <functional>
#include <string>

#include "skinlight/core/random.h"

namespace skinlight {

namespace {

// A curve (r, z) of arc length s that is turned about the z axis, with the outward normal (nr, nz).
struct ProfilePoint {
  double r, z, nr, nz;
};

struct Profile {
  double length;
  bool poles;  // r = 0 at both ends
  std::function<ProfilePoint(double s)> at;
  std::vector<int> rings;  // intervals per piece of the curve
  std::vector<double> piece_length;
};

// The lower bone's weight and its derivative, as functions of z.
struct WeightRamp {
  std::function<double(double z)> weight, derivative;
};

double clamp01(double x) { return std::fmin(std::fmax(x, 0.0), 1.0); }
double smoothstep(double x) { return x * x * (3 - 2 * x); }
double smoothstep_slope(double x) { return 6 * x * (1 - x); }
double smootherstep(double x) { return x * x * x * (10 + x * (6 * x - 15)); }
double smootherstep_slope(double x) { return 30 * x * x * (1 - x) * (1 - x); }

void require(bool ok, const std::string& element, const std::string& reason) {
  if (!ok) throw InputError("", element, reason);
}

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

// Two bones whose weights depend on z only.
ProceduralRig bind(RiggedMesh mesh, const WeightRamp& ramp) {
  ProceduralRig rig{std::move(mesh), {}};
  rig.mesh.bone_count = 2;
  rig.mesh.slots = 2;
  for (const Vec3d& p : rig.mesh.p0) {
    const double lower = ramp.weight(p.z);
    const Vec3d gradient(0, 0, ramp.derivative(p.z));
    const bool lower_first = lower > 0.5;
    rig.mesh.bone.insert(rig.mesh.bone.end(), {lower_first ? 1 : 0, lower_first ? 0 : 1});
    rig.mesh.weight.insert(rig.mesh.weight.end(),
                           {lower_first ? lower : 1 - lower, lower_first ? 1 - lower : lower});
    rig.gradient.insert(rig.gradient.end(),
                        {lower_first ? gradient : -gradient, lower_first ? -gradient : gradient});
  }
  compute_tangent_frames(rig.mesh);
  validate(rig.mesh);
  return rig;
}

Pose lower_bone_moves(const Mat4x3d& M) { return make_pose({identity_transform<double>(), M}); }

int intervals(double length, double radius, const Tessellation& t) {
  require(t.segments >= 8, "segments " + std::to_string(t.segments), "at least 8 are needed");
  require(t.aspect >= 0.01 && t.aspect <= 100, "aspect " + std::to_string(t.aspect),
          "must lie in [0.01, 100]");
  return std::max(1, static_cast<int>(std::lround(t.aspect * length / (2 * M_PI * radius / t.segments))));
}

}  // namespace

ProceduralRig pill(const Tessellation& tessellation) {
  constexpr double kHalfLength = 2, kRampStart = -1.5, kRampLength = 3, kCap = M_PI / 2;
  const int cap_rings = intervals(kCap, 1, tessellation);
  const int side_rings = intervals(2 * kHalfLength, 1, tessellation);
  const Profile profile{
      2 * kCap + 2 * kHalfLength,
      true,
      [](double s) -> ProfilePoint {
        const double upper = s - kCap - 2 * kHalfLength;
        if (s < kCap) return {std::sin(s), -kHalfLength - std::cos(s), std::sin(s), -std::cos(s)};
        if (upper > 0)
          return {std::cos(upper), kHalfLength + std::sin(upper), std::cos(upper), std::sin(upper)};
        return {1, s - kCap - kHalfLength, 1, 0};
      },
      {cap_rings, side_rings, cap_rings},
      {kCap, 2 * kHalfLength, kCap}};
  const auto x = [](double z) { return clamp01((z - kRampStart) / kRampLength); };
  return bind(Revolution(profile, tessellation).take(),
              {[x](double z) { return 1 - smootherstep(x(z)); },
               [x](double z) { return -smootherstep_slope(x(z)) / kRampLength; }});
}

Pose pill_pose() {
  Mat4x3d M = identity_transform<double>();
  M[3] = Vec3d(1.5, 0, 0);
  return lower_bone_moves(M);
}

ProceduralRig cylinder(const CylinderShape& shape, const Tessellation& tessellation) {
  require(shape.radius > 0 && shape.half_length > 0 && shape.half_blend > 0, "cylinder",
          "sizes must be positive");
  const double length = 2 * shape.half_length;
  const Profile profile{length,
                        false,
                        [&shape](double s) -> ProfilePoint {
                          return {shape.radius, s - shape.half_length, 1, 0};
                        },
                        {intervals(length, shape.radius, tessellation)},
                        {length}};
  const double half = shape.half_blend;
  const auto x = [half](double z) { return clamp01((z + half) / (2 * half)); };
  const auto ramp = shape.ramp == Ramp::smoothstep ? smoothstep : smootherstep;
  const auto slope = shape.ramp == Ramp::smoothstep ? smoothstep_slope : smootherstep_slope;
  return bind(Revolution(profile, tessellation).take(),
              {[x, ramp](double z) { return 1 - ramp(x(z)); },
               [x, half, slope](double z) { return -slope(x(z)) / (2 * half); }});
}

Pose cylinder_twist(double radians) {
  const double c = std::cos(radians), s = std::sin(radians);
  return lower_bone_moves({Vec3d(c, s, 0), Vec3d(-s, c, 0), Vec3d(0, 0, 1), Vec3d(0.0)});
}

Pose cylinder_bend(double radians) {
  const double c = std::cos(radians), s = std::sin(radians);
  return lower_bone_moves({Vec3d(1, 0, 0), Vec3d(0, c, s), Vec3d(0, -s, c), Vec3d(0.0)});
}

}  // namespace skinlight
