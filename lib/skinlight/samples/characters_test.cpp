#include "skinlight/samples/characters.h"

#include <gtest/gtest.h>

#include <cmath>
#include <functional>
#include <ostream>
#include <set>
#include <utility>

#include "skinlight/mesh/normals.h"
#include "skinlight/rig/turn.h"
#include "skinlight/samples/quadruped.h"
#include "testing/rigs.h"

namespace skinlight {
namespace {

constexpr double kRounding = 1e-12;

struct Character {
  const char* name;
  std::function<ProceduralRig()> make;
  std::function<std::vector<NamedPose>()> poses;
  int slots, bones;
  int characteristic, boundary;  // V - E + F and boundary vertices of the welded surface
  double coarse_degrees;         // between exact and faceted normals on average
  Vec3d low, high;               // of the ends of its capsules, or the cone
};

void PrintTo(const Character& c, std::ostream* out) { *out << c.name; }

class Characters : public testing::TestWithParam<Character> {};

INSTANTIATE_TEST_SUITE_P(
    All, Characters,
    testing::Values(
        Character{"Skirt", skirt, skirt_poses, 3, 7, 0, 48, 3, {-.72, -.72, -1.45}, {.72, .72, 0}},
        Character{"Body",
                  branching_body,
                  branching_body_poses,
                  4,
                  11,
                  2,
                  0,
                  5,
                  {-1.5 - .13, -.34, .12 - .15},
                  {1.5 + .13, .34, 3.05 + .22}},
        Character{"Quadruped",
                  [] { return quadruped(); },
                  [] { return quadruped_poses(); },
                  4,
                  30,
                  2,
                  0,
                  9,
                  {-.19 - .11, -1.1 - .1, 0},
                  {.19 + .11, 1.2 + .07, 1.42 + .06}},
        Character{"Cactus",
                  cactus,
                  cactus_poses,
                  2,
                  4,
                  2,
                  0,
                  5,
                  {-.86 - .17, -.36, .3 - .36},
                  {.92 + .19, .36, 2.55 + .34}}),
    [](const auto& instance) { return instance.param.name; });

// Blends add up to this much, and the chords of faces take it away.
TEST_P(Characters, ReachAsFarAsTheirShapesDo) {
  constexpr double kBlend = .03;
  const RiggedMesh mesh = GetParam().make().mesh;
  Vec3d low(INFINITY), high(-INFINITY);
  for (const Vec3d& p : mesh.p0)
    for (int i = 0; i < 3; ++i) {
      low[i] = std::fmin(low[i], p[i]);
      high[i] = std::fmax(high[i], p[i]);
    }
  for (int i = 0; i < 3; ++i) {
    EXPECT_NEAR(low[i], GetParam().low[i], kBlend) << i;
    EXPECT_NEAR(high[i], GetParam().high[i], kBlend) << i;
  }
}

TEST_P(Characters, WeldToAManifold) {
  const RiggedMesh mesh = GetParam().make().mesh;
  const Surface surface(mesh.faces, weld(mesh));
  EXPECT_EQ(surface.collapsed_faces(), 0);
  EXPECT_EQ(surface.non_manifold_faces(), 0);
  std::set<std::pair<int, int>> edges;
  for (const Face& f : mesh.faces)
    for (std::size_t c = 0; c < 3; ++c)
      edges.insert(std::minmax(surface.vertex_of(f[c]), surface.vertex_of(f[(c + 1) % 3])));
  EXPECT_EQ(surface.vertex_count() - static_cast<int>(edges.size()) + surface.face_count(),
            GetParam().characteristic);
  int boundary = 0;
  for (int v = 0; v < surface.vertex_count(); ++v) boundary += surface.on_boundary(v);
  EXPECT_EQ(boundary, GetParam().boundary);
}

TEST_P(Characters, NormalsPointOutOfTheFaces) {
  const RiggedMesh mesh = GetParam().make().mesh;
  const Surface surface(mesh.faces, weld(mesh));
  const std::vector<Vec3d> faceted = vertex_normals(surface, mesh.p0, Averaging::angle);
  double sum = 0;
  for (std::size_t v = 0; v < mesh.p0.size(); ++v) {
    EXPECT_GT(dot(faceted[v], mesh.n0[v]), 0.5);
    sum += std::acos(std::fmin(dot(faceted[v], mesh.n0[v]), 1.0));
  }
  EXPECT_LT(sum / static_cast<double>(mesh.p0.size()) * 180 / M_PI, GetParam().coarse_degrees);
}

TEST_P(Characters, FacesAreNoSlivers) {
  const RiggedMesh mesh = GetParam().make().mesh;
  for (const Face& f : mesh.faces) {
    const Vec3d p = mesh.p0[static_cast<std::size_t>(f[0])], q = mesh.p0[static_cast<std::size_t>(f[1])],
                r = mesh.p0[static_cast<std::size_t>(f[2])];
    const double longest = std::max({length(q - p), length(r - q), length(p - r)});
    EXPECT_GT(length(cross(q - p, r - p)), 0.15 * longest * longest);
  }
}

TEST_P(Characters, EveryBoneHoldsSomeVerticesAndNoneHasTooMany) {
  const RiggedMesh mesh = GetParam().make().mesh;
  EXPECT_EQ(mesh.slots, GetParam().slots);
  EXPECT_EQ(mesh.bone_count, GetParam().bones);
  std::set<int> leading;
  for (int v = 0; v < mesh.vertex_count(); ++v) leading.insert(mesh.bones_of(v)[0]);
  EXPECT_EQ(static_cast<int>(leading.size()), GetParam().bones);
}

// Along an edge no weight jumps: what distinguishes these rigs from coarse game meshes.
TEST_P(Characters, WeightsAreSmooth) {
  const RiggedMesh mesh = GetParam().make().mesh;
  const auto weight_of = [&](int v, int bone) {
    for (std::size_t k = 0; k < static_cast<std::size_t>(mesh.slots); ++k)
      if (mesh.bones_of(v)[k] == bone && mesh.weights_of(v)[k] > 0) return mesh.weights_of(v)[k];
    return 0.0;
  };
  double largest = 0;
  for (const Face& f : mesh.faces)
    for (std::size_t c = 0; c < 3; ++c)
      for (int bone = 0; bone < mesh.bone_count; ++bone)
        largest = std::max(largest, std::abs(weight_of(f[c], bone) - weight_of(f[(c + 1) % 3], bone)));
  EXPECT_GT(largest, 0.1);
  EXPECT_LT(largest, 0.5);
}

TEST_P(Characters, PosesAreRigidMotionsThatDiffer) {
  const std::vector<NamedPose> poses = GetParam().poses();
  std::set<std::string> names;
  for (const NamedPose& p : poses) {
    names.insert(p.name);
    ASSERT_EQ(static_cast<int>(p.pose.M.size()), GetParam().bones);
    double moved = 0;
    for (const Mat4x3d& m : p.pose.M) {
      const Mat3d R(m);
      for (int a = 0; a < 3; ++a)
        for (int b = 0; b < 3; ++b) EXPECT_NEAR(dot(R[a], R[b]), a == b, kRounding);
      EXPECT_NEAR(determinant(R), 1, kRounding);
      moved = std::max(moved, std::abs(R[0].x - 1) + std::abs(R[1].y - 1) + std::abs(R[2].z - 1));
    }
    EXPECT_GT(moved, 0.1) << p.name;
  }
  EXPECT_EQ(names.size(), poses.size());
  EXPECT_GE(poses.size(), 3u);
}

TEST(Skirt, HasFourPoses) { EXPECT_GE(skirt_poses().size(), 4u); }

TEST(Skirt, UvIsMirroredOnTheRightHalf) {
  const RiggedMesh mesh = skirt().mesh;
  int left = 0, right = 0;
  for (std::size_t v = 0; v < mesh.p0.size(); ++v) {
    EXPECT_EQ(mesh.frame_source[v], FrameSource::uv);
    if (std::abs(mesh.p0[v].x) < 1e-9) continue;  // the seams belong to both
    EXPECT_EQ(mesh.handedness[v], mesh.p0[v].x > 0 ? mesh.handedness[1] : -mesh.handedness[1]);
    ++(mesh.p0[v].x > 0 ? left : right);
    // On both halves u runs away from the front, but for the mirror: t turns round.
    const double turn = mesh.p0[v].x * mesh.t0[v].y - mesh.p0[v].y * mesh.t0[v].x;
    EXPECT_EQ(turn > 0, mesh.p0[v].x > 0);
  }
  EXPECT_EQ(left, right);
}

TEST(Skirt, TheMapGoesOnAcrossItsSeams) {
  const RiggedMesh mesh = skirt().mesh;
  const std::vector<int> point = weld(mesh);
  int twins = 0;
  for (std::size_t v = 0; v < point.size(); ++v)
    for (std::size_t u = 0; u < v; ++u)
      if (point[u] == point[v]) {
        const double apart = mesh.uv[v].x - mesh.uv[u].x;
        EXPECT_NEAR(apart, std::round(apart), 1e-12);
        EXPECT_NE(std::round(apart), 0);
        EXPECT_NE(mesh.handedness[u], mesh.handedness[v]);
        ++twins;
      }
  EXPECT_EQ(twins, 2 * 11);
}

// Orthogonal to the line from the waist to the hem and to the circle.
TEST(Skirt, NormalsAreThoseOfTheCone) {
  const RiggedMesh mesh = skirt().mesh;
  for (std::size_t v = 0; v < mesh.p0.size(); ++v) {
    const Vec3d p = mesh.p0[v], n = mesh.n0[v];
    const double r = std::hypot(p.x, p.y);
    EXPECT_NEAR(r, .36 - .36 * p.z / 1.45, kRounding);
    EXPECT_NEAR(dot(n, Vec3d(.36 * p.x / r, .36 * p.y / r, -1.45)), 0, kRounding);
    EXPECT_NEAR(dot(n, Vec3d(-p.y, p.x, 0)), 0, kRounding);
    EXPECT_GT(dot(n, p), 0);
  }
}

// The hips let go over four fifths of the height; below, cloth passes from flap to flap, which are 60 degrees apart from the
// front on.
TEST(Skirt, WeightsPassFromTheHipsToTheFlapsAndFromFlapToFlap) {
  const auto smooth = [](double x) { return x < 1 ? 3 * x * x - 2 * x * x * x : 1; };
  const RiggedMesh mesh = skirt().mesh;
  for (int v = 0; v < mesh.vertex_count(); ++v) {
    const Vec3d p = mesh.p0[static_cast<std::size_t>(v)];
    const double cloth = smooth(-p.z / 1.45 / .8);
    double turn = std::atan2(p.x, -p.y) / (M_PI / 3);  // from the front over the left, in flaps
    if (turn < -kRounding) turn += 6;
    std::vector<double> expected(7, 0.0);
    expected[0] = 1 - cloth;
    for (int flap = 0; flap < 6; ++flap) {
      const double apart = std::abs(turn - flap), beside = std::fmin(apart, 6 - apart);
      expected[static_cast<std::size_t>(1 + flap)] = beside < 1 ? cloth * (1 - smooth(beside)) : 0;
    }
    std::vector<double> found(7, 0.0);
    for (std::size_t k = 0; k < 3; ++k)
      found[static_cast<std::size_t>(mesh.bones_of(v)[k])] += mesh.weights_of(v)[k];
    for (std::size_t bone = 0; bone < 7; ++bone)
      EXPECT_NEAR(found[bone], expected[bone], kRounding) << "vertex " << v << " bone " << bone;
  }
}

TEST(Skirt, FlapsSwingOutwards) {
  const RiggedMesh mesh = skirt().mesh;
  for (const NamedPose& p : skirt_poses()) {
    if (p.name != "kneel") continue;
    const Vec3d hem(0, -0.72, -1.45);  // in front
    const Vec3d moved = transform_point(p.pose.M[1], hem);
    EXPECT_LT(moved.y, hem.y - 0.3);
    EXPECT_GT(moved.z, hem.z + 0.1);
  }
}

// A height field of period 1: its slopes add up to nothing.
TEST(Skirt, PleatsRiseAsFarAsTheyFall) {
  for (const double v : {0.0, 0.3, 0.6, 0.99}) {
    double along_u = 0, steepest = 0;
    constexpr int kSamples = 20000;
    for (int i = 0; i < kSamples; ++i) {
      const Vec3d n = pleat_normal({(i + 0.5) / kSamples, v});
      EXPECT_NEAR(length(n), 1, kRounding);
      EXPECT_GT(n.z, 0.3);
      along_u += -n.x / n.z / kSamples;
      steepest = std::max(steepest, std::abs(n.x / n.z));
    }
    EXPECT_NEAR(along_u, 0, 1e-6);
    EXPECT_GT(steepest, 0.3);
  }
}

TEST(Quadruped, HasTheSizesOfThePapersAnimals) {
  EXPECT_EQ(kWolfShape.bones(), 30);
  EXPECT_EQ(kRaptorShape.bones(), 79);
  const ProceduralRig fine = quadruped(kRaptorShape);
  const RiggedMesh raptor = of_size(fine, 15005, 21959).mesh;
  EXPECT_EQ(raptor.vertex_count(), 15005);
  EXPECT_EQ(raptor.faces.size(), 21959u);
  EXPECT_EQ(raptor.bone_count, 79);
  // The same triangles, and every vertex in use.
  const std::size_t cut = fine.mesh.faces.size() - raptor.faces.size();
  EXPECT_LT(cut, 300u);
  std::set<int> used;
  for (std::size_t f = 0; f < raptor.faces.size(); ++f)
    for (std::size_t c = 0; c < 3; ++c) {
      used.insert(raptor.faces[f][c]);
      EXPECT_EQ(raptor.p0[static_cast<std::size_t>(raptor.faces[f][c])],
                fine.mesh.p0[static_cast<std::size_t>(fine.mesh.faces[f + cut][c])]);
    }
  EXPECT_EQ(used.size(), 15005u);
  EXPECT_THROW(of_size(fine, 15005, 100000), InputError);
  EXPECT_THROW(of_size(fine, 100, 21959), InputError);
  EXPECT_THROW(of_size(fine, 3 * 21959 + 1, 21959), InputError);
}

TEST(Quadruped, ShapesOutOfBoundsAreErrors) {
  for (const QuadrupedShape& bad : {QuadrupedShape{.spine = 0}, {.neck = 0}, {.tail = 0}, {.leg = 0}})
    EXPECT_THROW(quadruped(bad), InputError);
}

TEST(Quadruped, ItsSkinIsTheSameHoweverManyBonesMoveIt) {
  const RiggedMesh few = quadruped({.spine = 1, .neck = 2, .tail = 1, .leg = 1}).mesh,
                   wolf = quadruped().mesh;
  EXPECT_EQ(few.bone_count, 11);
  EXPECT_EQ(few.faces, wolf.faces);
  EXPECT_EQ(few.p0, wolf.p0);
}

TEST(Turn, IsTheRotationAboutTheLine) {
  Random random(3);
  for (int i = 0; i < 50; ++i) {
    const Vec3d pivot = random.in_cube(2), axis = random.direction(), p = random.in_cube(2);
    const double angle = random.uniform(-3, 3);
    const Vec3d expected = pivot + test_rigs::rotation(axis, angle) * (p - pivot);
    EXPECT_LT(length(transform_point(turn_about(pivot, axis, angle), p) - expected), kRounding);
  }
}

}  // namespace
}  // namespace skinlight
