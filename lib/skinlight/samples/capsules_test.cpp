// Skins of capsules against the formula of their smooth union, as it stands and without what keeps it in range.
#include "skinlight/samples/capsules.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <set>
#include <stdexcept>
#include <utility>

#include "skinlight/core/detail/at.h"
#include "skinlight/mesh/normals.h"

namespace skinlight {
namespace {

// The distance to the axis, whose nearest point is found by halving: it is a convex function along it.
double distance_to_axis(const Capsule& c, Vec3d p) {
  double low = 0, high = 1;
  for (int i = 0; i < 60; ++i) {
    const double middle = (low + high) / 2;
    (dot(c.a + (c.b - c.a) * middle - p, c.b - c.a) < 0 ? low : high) = middle;
  }
  return length(c.a + (c.b - c.a) * low - p);
}

// -k log sum exp(-d / k).
double smooth_union(const CapsuleSkin& skin, Vec3d p) {
  double sum = 0;
  for (const Capsule& c : skin.capsules) sum += std::exp((c.radius - distance_to_axis(c, p)) / skin.blend);
  return -skin.blend * std::log(sum);
}

// A trunk and two branches; the blend is wide, so that up to three capsules share a place.
const CapsuleSkin kBranches{.capsules = {{Vec3d(0, 0, 0), Vec3d(0, 0, 1), .3, 0},
                                         {Vec3d(0, 0, .9), Vec3d(.9, .2, 1.4), .22, 1},
                                         {Vec3d(0, .1, .8), Vec3d(-.7, .5, 1.2), .2, 2}},
                            .blend = .12,
                            .spacing = .08,
                            .weight_reach = .2,
                            .slots = 3};

CapsuleSkin with_slots(int slots) {
  CapsuleSkin skin = kBranches;
  skin.slots = slots;
  return skin;
}

// The same skin, moved by other bones than its capsules have.
CapsuleSkin bound_otherwise() {
  CapsuleSkin skin = kBranches;
  skin.binding = {{Vec3d(0, 0, -.2), Vec3d(0, 0, .4), .3, 3},
                  {Vec3d(0, 0, .4), Vec3d(0, 0, .9), .25, 1},
                  {Vec3d(0, 0, .9), Vec3d(.9, .2, 1.4), .22, 0},
                  {Vec3d(.1, 0, 1), Vec3d(-.7, .5, 1.2), .2, 2},
                  {Vec3d(-.7, .5, 1.2), Vec3d(-.7, .5, 1.4), .1, 2}};
  return skin;
}

TEST(CapsuleCharacter, VerticesLieOnTheSmoothUnionWithItsGradientAsNormal) {
  constexpr double kOnSurface = 1e-14;  // the distance of points of size 1, in double
  constexpr double kStep = 1e-5;        // central differences: error of third derivatives, about 1 / blend^2,
  constexpr double kDifference = 1e-7;  // times step squared
  const RiggedMesh mesh = capsule_character(kBranches, 3).mesh;
  double most_shared = 0;
  for (int v = 0; v < mesh.vertex_count(); ++v) {
    const Vec3d p = mesh.p0[at(v)];
    EXPECT_NEAR(smooth_union(kBranches, p), 0, kOnSurface);
    Vec3d slope;
    for (int i = 0; i < 3; ++i) {
      Vec3d step(0.0);
      step[i] = kStep;
      slope[i] = (smooth_union(kBranches, p + step) - smooth_union(kBranches, p - step)) / (2 * kStep);
    }
    EXPECT_LT(length(normalize(slope) - mesh.n0[at(v)]), kDifference);
    double nearest = INFINITY;
    for (const Capsule& c : kBranches.capsules)
      nearest = std::fmin(nearest, distance_to_axis(c, p) - c.radius);
    most_shared = std::fmax(most_shared, nearest);
  }
  // Where capsules meet the skin keeps well away from all of them: the blend is seen.
  EXPECT_GT(most_shared, .7 * kBranches.blend);
}

TEST(CapsuleCharacter, IsAClosedSphereOfTrianglesOfItsSpacing) {
  // Its volume by counting points inside; the chords of faces lose a little.
  constexpr double kStep = .05;
  double counted = 0;
  for (double x = -1.2; x < 1.5; x += kStep)
    for (double y = -.7; y < 1; y += kStep)
      for (double z = -.7; z < 2; z += kStep)
        if (smooth_union(kBranches, {x, y, z}) < 0) counted += kStep * kStep * kStep;
  for (const double spacing : {.08, .05}) {
    CapsuleSkin skin = kBranches;
    skin.spacing = spacing;
    const RiggedMesh mesh = capsule_character(skin, 3).mesh;
    const Surface surface(mesh.faces, weld(mesh));
    std::set<std::pair<int, int>> edges;
    double sum = 0, volume = 0;
    for (const Face& f : mesh.faces) {
      for (std::size_t c = 0; c < 3; ++c) {
        edges.insert(std::minmax(f[c], f[(c + 1) % 3]));
        sum += length(mesh.p0[at(f[c])] - mesh.p0[at(f[(c + 1) % 3])]);
      }
      volume += dot(mesh.p0[at(f[0])], cross(mesh.p0[at(f[1])], mesh.p0[at(f[2])])) / 6;
    }
    EXPECT_EQ(surface.vertex_count(), mesh.vertex_count());
    EXPECT_EQ(mesh.vertex_count() - static_cast<int>(edges.size()) + static_cast<int>(mesh.faces.size()), 2);
    EXPECT_EQ(edges.size() * 2, mesh.faces.size() * 3);
    // Two sides of a square and its diagonal are 1.14 times its side on average; nets cross their cells anywhere.
    EXPECT_NEAR(sum / (3. * static_cast<double>(mesh.faces.size())) / spacing, 1, .15);
    EXPECT_NEAR(volume / counted, 1, .03);
  }
}

// The strongest of exp(-(d^2 - r^2) / (2 reach^2)), over their sum.
TEST(CapsuleCharacter, WeightsFallWithTheDistanceFromTheNearestCapsuleOfTheBone) {
  constexpr double kRounding = 1e-12;
  for (const auto& [skin, bones] : {std::pair{kBranches, 3}, std::pair{with_slots(2), 3},
                                    std::pair{with_slots(1), 3}, std::pair{bound_otherwise(), 4}}) {
    const RiggedMesh mesh = capsule_character(skin, bones).mesh;
    EXPECT_EQ(mesh.bone_count, bones);
    EXPECT_EQ(mesh.slots, skin.slots);
    for (int v = 0; v < mesh.vertex_count(); ++v) {
      std::vector<std::pair<double, int>> strength;
      for (int bone = 0; bone < bones; ++bone) {
        double strongest = 0;
        for (const Capsule& c : skin.binding.empty() ? skin.capsules : skin.binding) {
          const double d = distance_to_axis(c, mesh.p0[at(v)]);
          if (c.bone == bone)
            strongest = std::fmax(strongest, std::exp(-(d * d - c.radius * c.radius) /
                                                      (2 * skin.weight_reach * skin.weight_reach)));
        }
        strength.emplace_back(strongest, bone);
      }
      std::sort(strength.rbegin(), strength.rend());
      double sum = 0;
      for (int k = 0; k < skin.slots; ++k) sum += strength[at(k)].first;
      for (int k = 0; k < skin.slots; ++k) {
        EXPECT_EQ(mesh.bones_of(v)[at(k)], strength[at(k)].second);
        EXPECT_NEAR(mesh.weights_of(v)[at(k)], strength[at(k)].first / sum, kRounding);
      }
    }
  }
}

// At this spacing a vertex of the net has two fans of faces.
TEST(CapsuleCharacter, SpacingsThatGiveNoManifoldAreRefused) {
  CapsuleSkin skin = kBranches;
  skin.spacing = .09;
  EXPECT_THROW(capsule_character(skin, 3), std::logic_error);
}

}  // namespace
}  // namespace skinlight
