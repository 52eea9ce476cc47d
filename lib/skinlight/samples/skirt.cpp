#include "skinlight/samples/skirt.h"

#include <array>
#include <cmath>

#include "skinlight/rig/turn.h"

namespace skinlight {

namespace {

constexpr int kSegments = 24, kRings = 10, kFlaps = 6;
constexpr double kWaistRadius = 0.36, kHemRadius = 0.72, kHeight = 1.45;
constexpr double kHingeDepth = 0.06;  // of the flaps, below the waist
constexpr double kTilesPerHalf = 6;   // of the normal map, around half the skirt
constexpr double kSegmentsPerFlap = static_cast<double>(kSegments) / kFlaps;

double smoothstep(double low, double high, double x) {
  const double t = std::fmin(std::fmax((x - low) / (high - low), 0.0), 1.0);
  return t * t * (3 - 2 * t);
}

// Segment 0 is in front, at -y.
double angle_of(double segment, double count) { return 2 * M_PI * segment / count - M_PI / 2; }

// One vertex of the cone. segment runs around, ring from the waist down.
void add_vertex(int segment, int ring, double u, RiggedMesh& mesh) {
  const double angle = angle_of(segment % kSegments, kSegments), s = static_cast<double>(ring) / kRings;
  const double x = std::cos(angle), y = std::sin(angle);
  const double radius = kWaistRadius + (kHemRadius - kWaistRadius) * s;
  mesh.p0.emplace_back(radius * x, radius * y, -kHeight * s);
  mesh.n0.push_back(normalize(Vec3d(kHeight * x, kHeight * y, kHemRadius - kWaistRadius)));
  mesh.uv.emplace_back(u, s);

  // The hips hold the waist; below, the two nearest flaps share the cloth.
  const double cloth = smoothstep(0.0, 0.8, s), flap = (segment % kSegments) / kSegmentsPerFlap;
  const double next = smoothstep(0, 1, flap - std::floor(flap));
  const int first = static_cast<int>(flap);
  mesh.bone.insert(mesh.bone.end(), {0, 1 + first, 1 + (first + 1) % kFlaps});
  mesh.weight.insert(mesh.weight.end(), {1 - cloth, cloth * (1 - next), cloth * next});
}

// The faces between two columns of vertices that start at `left` and `right`, seen from outside.
void add_strip(int left, int right, RiggedMesh& mesh) {
  for (int ring = 0; ring < kRings; ++ring) {
    mesh.faces.push_back({left + ring, left + ring + 1, right + ring + 1});
    mesh.faces.push_back({left + ring, right + ring + 1, right + ring});
  }
}

// Where a flap is in the middle: the direction out of the skirt and its hinge.
Vec3d outwards(int flap) {
  const double angle = angle_of(flap, kFlaps);
  return {std::cos(angle), std::sin(angle), 0};
}

// Flaps swing out of the skirt by `open` and lag behind the hips by `lag`, turning about z. Radians.
Pose flaps(const std::array<double, kFlaps>& open, double lag, double hips) {
  const Vec3d z(0, 0, 1);
  const Mat4x3d whole = turn_about(Vec3d(0.0), z, hips);
  std::vector<Mat4x3d> M = {whole};
  for (int k = 0; k < kFlaps; ++k) {
    const Vec3d out = outwards(k), hinge = out * kWaistRadius - z * kHingeDepth;
    const Mat4x3d swing = turn_about(hinge, cross(out, z), open[static_cast<std::size_t>(k)]);
    M.push_back(compose(whole, compose(turn_about(Vec3d(0.0), z, lag), swing)));
  }
  return make_pose(std::move(M));
}

}  // namespace

ProceduralRig skirt() {
  ProceduralRig rig;
  RiggedMesh& mesh = rig.mesh;
  mesh.bone_count = 1 + kFlaps;
  mesh.slots = 3;
  constexpr int kHalf = kSegments / 2;
  for (const bool mirrored : {false, true}) {
    for (int i = 0; i <= kHalf; ++i) {
      const double share = static_cast<double>(i) / kHalf;
      // A whole tile further, so that seam vertices differ in uv although the map repeats.
      const double u = mirrored ? 1 + kTilesPerHalf * (2 - share) : kTilesPerHalf * share;
      for (int ring = 0; ring <= kRings; ++ring) add_vertex(i + (mirrored ? kHalf : 0), ring, u, mesh);
      const int column = mesh.vertex_count() - (kRings + 1);
      if (i > 0) add_strip(column - (kRings + 1), column, mesh);
    }
  }
  std::vector<Warning> ignored;
  normalize_weights(mesh, ignored);
  compute_tangent_frames(mesh);
  validate(mesh);
  return rig;
}

std::vector<NamedPose> skirt_poses() {
  // Flaps in order: front, left front, left back, back, right back, right front.
  return {{"step_left", flaps({0.30, 0.62, 0.00, 0.15, 0.45, -0.05}, 0, 0.20)},
          {"step_right", flaps({0.30, -0.05, 0.45, 0.15, 0.00, 0.62}, 0, -0.20)},
          {"twirl", flaps({0.60, 0.25, 0.60, 0.25, 0.60, 0.25}, -0.55, 0.70)},
          {"kneel", flaps({0.60, 0.95, 0.05, -0.10, 0.05, 0.95}, 0, 0)}};
}

Vec3d pleat_normal(Vec2d uv) {
  constexpr double kPleats = 2;  // per tile
  const double u = uv.x * kPleats - std::floor(uv.x * kPleats), v = uv.y - std::floor(uv.y);
  // Slope of the cloth along u: rises slowly, falls quickly, as far down as up.
  constexpr double kRise = 0.45, kFallFrom = 0.68, kFallTo = 0.94, kSoft = 0.10;
  const double falls = smoothstep(kFallFrom - kSoft / 2, kFallFrom + kSoft / 2, u) *
                       (1 - smoothstep(kFallTo - kSoft / 2, kFallTo + kSoft / 2, u));
  constexpr double kFall = kRise / (kFallTo - kFallFrom);  // of unit area, as `falls` has that width
  const double along_u = (0.35 + 0.65 * v) * (kRise - kFall * falls);
  // The band: a ridge whose slope changes sign in its middle.
  constexpr double kBand = 0.90, kBandHalf = 0.035;
  const double x = (v - kBand) / kBandHalf;
  const double along_v = std::abs(x) < 1 ? -0.8 * std::sin(M_PI * x) : 0;
  return normalize(Vec3d(-along_u, -along_v, 1));
}

}  // namespace skinlight
