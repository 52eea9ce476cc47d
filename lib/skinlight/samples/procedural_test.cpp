#include "skinlight/samples/procedural.h"

#include <gtest/gtest.h>

#include <cmath>
#include <cstring>
#include <functional>
#include <ostream>
#include <set>
#include <string>
#include <utility>

#include "skinlight/core/error.h"
#include "testing/rigs.h"

namespace skinlight {
namespace {

constexpr double kRounding = 1e-14;  // sines and cosines of angles up to 2 pi, in double

struct Shape {
  std::string name;
  std::function<ProceduralRig(const Tessellation&)> make;
  std::function<double(Vec3d)> distance;       // signed distance to the surface
  std::function<Vec3d(Vec3d)> normal;          // outward normal at a point of the surface
  std::function<double(double)> lower_weight;  // weight of bone 1 as a function of z
  bool closed;
};

void PrintTo(const Shape& shape, std::ostream* out) { *out << shape.name; }

double smoothstep(double x) { return x <= 0 ? 0 : x >= 1 ? 1 : 3 * x * x - 2 * x * x * x; }
double smootherstep(double x) {
  return x <= 0 ? 0 : x >= 1 ? 1 : 6 * std::pow(x, 5) - 15 * std::pow(x, 4) + 10 * std::pow(x, 3);
}

// The nearest point of the capsule's axis.
Vec3d on_axis(Vec3d p) { return {0, 0, std::fmin(std::fmax(p.z, -2), 2)}; }

const CylinderShape kTube{.radius = .7, .half_length = 2.5, .half_blend = .8};

const Shape kShapes[] = {
    {"Pill", pill, [](Vec3d p) { return length(p - on_axis(p)) - 1; },
     [](Vec3d p) { return normalize(p - on_axis(p)); },
     [](double z) { return 1 - smootherstep((z + 1.5) / 3); }, true},
    {"Cylinder", [](const Tessellation& t) { return cylinder(kTube, t); },
     [](Vec3d p) { return std::hypot(p.x, p.y) - .7; }, [](Vec3d p) { return normalize(Vec3d(p.x, p.y, 0)); },
     [](double z) { return 1 - smoothstep((z + .8) / 1.6); }, false},
};

const Tessellation kTessellations[] = {{.segments = 8},
                                       {.segments = 25},
                                       {.segments = 40, .jitter = .24, .random_diagonals = true},
                                       {.segments = 48, .jitter = .3, .random_diagonals = true},
                                       {.segments = 33, .jitter = .45, .random_diagonals = true, .seed = 7}};

class Procedural : public testing::TestWithParam<Shape> {
 protected:
  void each(const std::function<void(const ProceduralRig&, const Tessellation&)>& check) const {
    for (const Tessellation& t : kTessellations) {
      SCOPED_TRACE("segments " + std::to_string(t.segments));
      check(GetParam().make(t), t);
    }
  }
};

INSTANTIATE_TEST_SUITE_P(All, Procedural, testing::ValuesIn(kShapes),
                         [](const auto& instance) { return instance.param.name; });

TEST_P(Procedural, VerticesLieOnTheSurfaceEvenJittered) {
  each([&](const ProceduralRig& rig, const Tessellation&) {
    for (std::size_t v = 0; v < rig.mesh.p0.size(); ++v) {
      EXPECT_NEAR(GetParam().distance(rig.mesh.p0[v]), 0, kRounding);
      EXPECT_LT(length(rig.mesh.n0[v] - GetParam().normal(rig.mesh.p0[v])), 10 * kRounding);
    }
  });
}

// With a share j of jitter a corner's edges have a determinant of at least (1 - 2j)^2 - (2j)^2 = 1 - 4j in
// units of the spacing: nothing folds below a quarter, and little above.
TEST_P(Procedural, FacesWindOutwards) {
  each([&](const ProceduralRig& rig, const Tessellation& t) {
    int folded = 0;
    for (const Face& f : rig.mesh.faces) {
      const auto at = [&](std::size_t c) { return rig.mesh.p0[static_cast<std::size_t>(f[c])]; };
      const Vec3d centre = (at(0) + at(1) + at(2)) / 3;
      folded += !(dot(cross(at(1) - at(0), at(2) - at(0)), GetParam().normal(centre)) > 0);
    }
    EXPECT_LE(folded, t.jitter < .25 ? 0 : static_cast<int>(rig.mesh.faces.size()) / 30);
  });
}

TEST_P(Procedural, WeightsFollowTheirFormula) {
  each([&](const ProceduralRig& rig, const Tessellation&) {
    EXPECT_EQ(rig.mesh.bone_count, 2);
    for (int v = 0; v < rig.mesh.vertex_count(); ++v) {
      double lower = 0;
      for (std::size_t k = 0; k < 2; ++k)
        if (rig.mesh.bones_of(v)[k] == 1) lower += rig.mesh.weights_of(v)[k];
      EXPECT_NEAR(lower, GetParam().lower_weight(rig.mesh.p0[static_cast<std::size_t>(v)].z), kRounding);
    }
    validate(rig.mesh);
  });
}

TEST_P(Procedural, GradientIsTheDerivativeOfTheWeights) {
  constexpr double kStep = 1e-5;        // central differences: error of third derivatives times step squared
  constexpr double kDifference = 1e-8;  // is below 1e-8, and so is rounding over the step
  each([&](const ProceduralRig& rig, const Tessellation&) {
    for (int v = 0; v < rig.mesh.vertex_count(); ++v)
      for (std::size_t k = 0; k < 2; ++k) {
        const double z = rig.mesh.p0[static_cast<std::size_t>(v)].z;
        if (std::abs(std::abs(z) - .8) < 2 * kStep) continue;  // smoothstep bends there
        const double slope =
            (GetParam().lower_weight(z + kStep) - GetParam().lower_weight(z - kStep)) / (2 * kStep);
        const double sign = rig.mesh.bones_of(v)[k] == 1 ? 1 : -1;
        EXPECT_LT(length(rig.gradient[static_cast<std::size_t>(2 * v) + k] - Vec3d(0, 0, sign * slope)),
                  kDifference);
      }
  });
}

// Closed: every edge has two faces and V - E + F = 2. Open at both ends: V - E + F = 0.
TEST_P(Procedural, WeldedSurfaceIsAManifoldOfTheRightKind) {
  each([&](const ProceduralRig& rig, const Tessellation& t) {
    const Surface surface(rig.mesh.faces, weld(rig.mesh));
    EXPECT_EQ(surface.collapsed_faces(), 0);
    EXPECT_EQ(surface.non_manifold_faces(), 0);
    std::set<std::pair<int, int>> edges;
    for (const Face& f : rig.mesh.faces)
      for (std::size_t c = 0; c < 3; ++c)
        edges.insert(std::minmax(surface.vertex_of(f[c]), surface.vertex_of(f[(c + 1) % 3])));
    const int characteristic = surface.vertex_count() - static_cast<int>(edges.size()) + surface.face_count();
    EXPECT_EQ(characteristic, GetParam().closed ? 2 : 0);
    int boundary = 0, seam = 0;
    for (int v = 0; v < surface.vertex_count(); ++v) {
      boundary += surface.on_boundary(v);
      seam += surface.multiplicity(v) - 1;
    }
    EXPECT_EQ(boundary, GetParam().closed ? 0 : 2 * t.segments);
    const int rings = (rig.mesh.vertex_count() - (GetParam().closed ? 2 : 0)) / (t.segments + 1);
    EXPECT_EQ(seam, rings);
  });
}

TEST_P(Procedural, RingsAreAsFarApartAsSegments) {
  for (const int segments : {8, 12, 24, 48, 96}) {
    const ProceduralRig rig = GetParam().make({.segments = segments});
    std::set<double> heights;
    for (const Vec3d& p : rig.mesh.p0) heights.insert(std::round(p.z * 1e9));
    // On the straight part rings are equally far apart.
    const double radius =
        std::hypot(rig.mesh.p0[rig.mesh.p0.size() / 2].x, rig.mesh.p0[rig.mesh.p0.size() / 2].y);
    const auto near_middle = heights.lower_bound(0);
    ASSERT_NE(near_middle, heights.begin());
    const double spacing = (*near_middle - *std::prev(near_middle)) * 1e-9;
    const double around = 2 * M_PI * radius / segments;
    EXPECT_LT(std::abs(spacing / around - 1), .15) << segments << " segments";  // a whole number of rings
  }
}

TEST_P(Procedural, JitterMovesVerticesButNotBeyondItsShare) {
  const Tessellation still{.segments = 48}, moved{.segments = 48, .jitter = .3};
  const ProceduralRig a = GetParam().make(still), b = GetParam().make(moved);
  ASSERT_EQ(a.mesh.faces, b.mesh.faces);
  const double spacing =
      2 * M_PI * std::hypot(a.mesh.p0[a.mesh.p0.size() / 2].x, a.mesh.p0[a.mesh.p0.size() / 2].y) / 48;
  double largest = 0;
  for (std::size_t v = 0; v < a.mesh.p0.size(); ++v)
    largest = std::max(largest, length(a.mesh.p0[v] - b.mesh.p0[v]));
  EXPECT_GT(largest, .3 * spacing);
  EXPECT_LT(largest, std::sqrt(2) * .3 * spacing * 1.15);
  if (!GetParam().closed) return;
  EXPECT_EQ(a.mesh.p0.front(), b.mesh.p0.front());  // no jitter at the poles
  EXPECT_EQ(a.mesh.p0.back(), b.mesh.p0.back());
}

TEST_P(Procedural, RandomDiagonalsRunBothWays) {
  const ProceduralRig a = GetParam().make({.segments = 48}),
                      b = GetParam().make({.segments = 48, .random_diagonals = true});
  ASSERT_EQ(a.mesh.faces.size(), b.mesh.faces.size());
  int changed = 0;
  for (std::size_t f = 0; f < a.mesh.faces.size(); ++f) changed += a.mesh.faces[f] != b.mesh.faces[f];
  const double share = static_cast<double>(changed) / static_cast<double>(a.mesh.faces.size());
  EXPECT_GT(share, .4);
  EXPECT_LT(share, .6);
}

TEST_P(Procedural, SeedsDecideEverything) {
  const auto with_seed = [&](std::uint64_t seed) {
    return GetParam().make({.segments = 24, .jitter = .3, .random_diagonals = true, .seed = seed}).mesh;
  };
  const RiggedMesh a = with_seed(1), b = with_seed(1), c = with_seed(2);
  EXPECT_EQ(a.faces, b.faces);
  EXPECT_EQ(std::memcmp(a.p0.data(), b.p0.data(), a.p0.size() * sizeof(Vec3d)), 0);
  EXPECT_NE(std::memcmp(a.p0.data(), c.p0.data(), a.p0.size() * sizeof(Vec3d)), 0);
}

TEST_P(Procedural, TangentsRunAroundWithU) {
  const RiggedMesh mesh = GetParam().make({.segments = 48}).mesh;
  int checked = 0;
  for (std::size_t v = 0; v < mesh.p0.size(); ++v) {
    const double r = std::hypot(mesh.p0[v].x, mesh.p0[v].y);
    // u has no direction at the poles: frames there are any, and have the side that glTF's w = 1 stands for.
    const bool pole = r < 1e-12;
    EXPECT_EQ(mesh.frame_source[v], pole ? FrameSource::arbitrary : FrameSource::uv);
    EXPECT_EQ(mesh.handedness[v], pole ? -1 : 1);
    if (r < .5) continue;
    EXPECT_GT(dot(mesh.t0[v], Vec3d(-mesh.p0[v].y / r, mesh.p0[v].x / r, 0)), .99);
    ++checked;
  }
  EXPECT_GT(checked, 500);
}

TEST_P(Procedural, AspectIsWidthOverHeightOfTheQuads) {
  for (const double aspect : {.25, 1.0, 6.0}) {
    const Tessellation t{.segments = 48, .aspect = aspect};
    const RiggedMesh mesh = GetParam().make(t).mesh;
    std::set<double> heights;
    double radius = 0;
    for (const Vec3d& p : mesh.p0) {
      heights.insert(std::round(p.z * 1e9));
      radius = std::max(radius, std::hypot(p.x, p.y));
    }
    const auto near_middle = heights.lower_bound(0);
    const double spacing = (*near_middle - *std::prev(near_middle)) * 1e-9;
    EXPECT_LT(std::abs(2 * M_PI * radius / t.segments / spacing / aspect - 1), .1) << aspect;
  }
}

TEST_P(Procedural, BadTessellationsAreErrors) {
  for (const Tessellation& bad : {Tessellation{.segments = 7},
                                  {.segments = 0},
                                  {.segments = -8},
                                  {.segments = 48, .jitter = .5},
                                  {.segments = 48, .jitter = -.1},
                                  {.segments = 48, .jitter = std::nan("")},
                                  {.segments = 48, .aspect = 0},
                                  {.segments = 48, .aspect = -1},
                                  {.segments = 48, .aspect = 1e9},
                                  {.segments = 48, .aspect = std::nan("")}})
    EXPECT_THROW(GetParam().make(bad), InputError);
}

TEST(Cylinder, BadSizesAreErrors) {
  for (const CylinderShape& bad : {CylinderShape{.radius = 0},
                                   {.radius = -1},
                                   {.half_length = 0},
                                   {.half_blend = 0},
                                   {.radius = std::nan("")},
                                   {.half_length = std::nan("")},
                                   {.half_blend = std::nan("")},
                                   {.radius = INFINITY},
                                   {.half_length = INFINITY}})
    EXPECT_THROW(cylinder(bad, {.segments = 8}), InputError);
}

// Its caps begin where it turns inwards: both ends of the straight side still have a radius of 1 and no slope, to the last bit.
TEST(Pill, TheStraightSideEndsWithItsRings) {
  for (const int segments : {8, 12, 24, 48}) {
    const RiggedMesh mesh = pill({.segments = segments}).mesh;
    int lower = 0, upper = 0;
    for (std::size_t v = 0; v < mesh.p0.size(); ++v) {
      if (std::abs(mesh.p0[v].z) > 2) continue;
      EXPECT_EQ(mesh.n0[v].z, 0);
      EXPECT_NEAR(std::hypot(mesh.p0[v].x, mesh.p0[v].y), 1, kRounding);
      lower += mesh.p0[v].z == -2;
      upper += mesh.p0[v].z == 2;
    }
    EXPECT_EQ(lower, segments + 1);
    EXPECT_EQ(upper, segments + 1);
  }
}

TEST(Pill, PoseMovesTheLowerBoneAlongX) {
  const Pose pose = pill_pose();
  ASSERT_EQ(pose.M.size(), 2u);
  EXPECT_EQ(transform_point(pose.M[0], Vec3d(1, 2, 3)), Vec3d(1, 2, 3));
  EXPECT_EQ(transform_point(pose.M[1], Vec3d(1, 2, 3)), Vec3d(2.5, 2, 3));
}

TEST(Cylinder, PosesTurnTheLowerBoneAboutTheirAxis) {
  for (const double angle : {-.5, .3, 1.7}) {
    const Pose twist = cylinder_twist(angle), bend = cylinder_bend(angle);
    const Mat3d about_z = test_rigs::rotation({0, 0, 1}, angle),
                about_x = test_rigs::rotation({1, 0, 0}, angle);
    const Vec3d p(1, 2, 3);
    EXPECT_LT(length(transform_point(twist.M[1], p) - about_z * p), kRounding);
    EXPECT_LT(length(transform_point(bend.M[1], p) - about_x * p), kRounding);
    EXPECT_EQ(transform_point(twist.M[0], p), p);
    EXPECT_EQ(transform_point(bend.M[0], p), p);
  }
}

}  // namespace
}  // namespace skinlight
