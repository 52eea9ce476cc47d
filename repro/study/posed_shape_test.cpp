// What posed shapes are measured by, on shapes whose measures are known by hand.
#include "repro/study/posed_shape.h"

#include <gtest/gtest.h>

#include <cmath>
#include <stdexcept>

#include "repro/study/kept_bench.h"
#include "skinlight/core/error.h"
#include "skinlight/rig/turn.h"
#include "skinlight/samples/cuboid.h"
#include "skinlight/skinning/skin.h"

namespace skinlight::repro {
namespace {

constexpr double kRounding = 1e-12;  // of sums of numbers up to 10 in double

std::vector<Vec3d> scaled(const std::vector<Vec3d>& p, Vec3d s) {
  std::vector<Vec3d> all;
  for (const Vec3d& x : p) all.emplace_back(x.x * s.x, x.y * s.y, x.z * s.z);
  return all;
}

TEST(PosedShape, VolumeOfACuboidIsTheProductOfItsSidesWhereverItStands) {
  const RiggedMesh mesh = cuboid({.across = 2, .along = 5}).mesh;
  EXPECT_NEAR(enclosed_volume(mesh.faces, mesh.p0), 10, kRounding);
  std::vector<Vec3d> moved = scaled(mesh.p0, {2, 3, 0.5});
  for (Vec3d& x : moved) x += Vec3d(5, -7, 2);
  EXPECT_NEAR(enclosed_volume(mesh.faces, moved), 30, 1e-11);
  EXPECT_NEAR(enclosed_volume(mesh.faces, scaled(mesh.p0, {-1, 1, 1})), -10, kRounding);
}

TEST(PosedShape, SectionIsThatOfTheRingAtItsHeight) {
  const RiggedMesh mesh = cuboid({.across = 2, .along = 5}).mesh;
  EXPECT_NEAR(section_area(mesh.p0, mesh.p0, 4), 1, kRounding);
  // Only the ring at 4 is stretched and tilted, which makes it longer by 5 / 4 in y.
  std::vector<Vec3d> posed = mesh.p0;
  for (Vec3d& x : posed)
    if (x.z == 4) x = Vec3d(3 * x.x + 8, x.y, 4 + 0.75 * x.y);
  EXPECT_NEAR(section_area(mesh.p0, posed, 4), 3 * 1.25, kRounding);
  EXPECT_NEAR(section_area(mesh.p0, posed, 2), 1, kRounding);
  EXPECT_THROW(section_area(mesh.p0, posed, 3), std::logic_error);
}

TEST(PosedShape, SectionDoesNotDependOnTheOrderOfTheVertices) {
  // A regular hexagon of area 3 sqrt(3) / 2, its corners in no order.
  std::vector<Vec3d> rest;
  for (const int k : {0, 3, 1, 5, 2, 4}) rest.emplace_back(std::cos(k * M_PI / 3), std::sin(k * M_PI / 3), 7);
  EXPECT_NEAR(section_area(rest, scaled(rest, {2, 1, 5}), 7), 3 * std::sqrt(3.0), kRounding);
}

// Neither vertices at other heights count nor what lies behind those that were handed over, at the same one.
TEST(PosedShape, SectionIsOfTheVerticesAtItsHeightAlone) {
  constexpr double kSame = 1e-9;  // of heights that count as the same
  std::vector<Vec3d> rest = {{1, 0, .995 * kSame},    {0, 1, 0},
                             {-1, 0, -.995 * kSame},  {0, -3, 1.005 * kSame},
                             {0, -4, -1.005 * kSame}, {0, -2, 0}},
                     posed = {{4, 0, 1}, {0, 3, 1}, {-2, 0, 1}, {0, -9, 1}, {0, -9, 1}, {0, -5, 1}};
  EXPECT_NEAR(section_area(std::span(rest).first(5), std::span(posed).first(5), 0), 9,
              kRounding);  // 6 by 3, halved
  EXPECT_NEAR(section_area(rest, posed, 0), 24, kRounding);
}

TEST(PosedShape, WeightIsFoundBySlotAndZeroWithoutOne) {
  RiggedMesh mesh;
  mesh.slots = 2;
  mesh.bone = {3, 1, 2, 3};
  mesh.weight = {0.75, 0.25, 0.625, 0.375};
  EXPECT_EQ(weight_of(mesh, 0, 1), 0.25);
  EXPECT_EQ(weight_of(mesh, 1, 3), 0.375);
  EXPECT_EQ(weight_of(mesh, 1, 1), 0);
  EXPECT_EQ(weight_of(mesh, 0, 2), 0);  // which the next vertex has
}

TEST(PosedShape, LargestDistanceIsThatOfTheFarthestPair) {
  const std::vector<Vec3d> a = {{0, 0, 0}, {1, 1, 1}, {5, 0, 0}}, b = {{0, 1, 0}, {1, 4, 5}, {6, 0, 0}};
  EXPECT_EQ(largest_distance(a, b), 5);
  const std::span<const Vec3d> near_a = std::span(a).first(1), near_b = std::span(b).first(1);
  EXPECT_EQ(largest_distance(near_a, near_b), 1);  // whatever lies behind them
  EXPECT_EQ(largest_distance(a, a), 0);
}

TEST(PosedShape, DistanceCountsFromTheNearestPointOfTheNearestBone) {
  const double z[] = {0, 1, 3};
  const std::vector<BoneLine> bones = bones_along_z(z);
  ASSERT_EQ(bones.size(), 2u);
  EXPECT_NEAR(distance_to_bones({0.5, 0, 0.25}, bones), 0.5, kRounding);
  EXPECT_NEAR(distance_to_bones({3, 4, 2}, bones), 5, kRounding);
  EXPECT_NEAR(distance_to_bones({0, 3, 7}, bones), 5, kRounding);   // beyond the upper end
  EXPECT_NEAR(distance_to_bones({0, 0, -2}, bones), 2, kRounding);  // below the lower one
  const BoneLine slanted[] = {{{1, 1, 1}, {4, 5, 1}, 0}};
  EXPECT_NEAR(distance_to_bones({1 + .6 * 2 - .8 * 3, 1 + .8 * 2 + .6 * 3, 5}, slanted), 5,
              kRounding);  // 3 and 4 off it
  const BoneLine point[] = {{{1, 1, 1}, {1, 1, 1}, 0}};
  EXPECT_NEAR(distance_to_bones({1, 4, 5}, point), 5, kRounding);
  EXPECT_EQ(distance_to_bones({1, 4, 5}, {}), INFINITY);
}

TEST(PosedShape, DistanceIsGainedAgainstTheBonesWhereThePosePutsThem) {
  const double z[] = {0, 1, 3};
  const std::vector<BoneLine> bones = bones_along_z(z);
  const Mat4x3d turn = turn_about({0, 0, 1}, {1, 0, 0}, M_PI / 2);  // the upper bone ends at (0, -2, 1)
  const Pose pose = make_pose({identity_transform<double>(), turn});
  const std::vector<Vec3d> rest = {{0, 0.5, 2}, {0.25, 0, 0.5}, {0, 0.5, 2}};
  const std::vector<Vec3d> posed = {transform_point(turn, rest[0]), {0.5, 0, 0.5}, {0, -1, 1}};
  const std::vector<double> gained = distance_gained(rest, posed, bones, pose);
  ASSERT_EQ(gained.size(), 3u);
  EXPECT_NEAR(gained[0], 0, kRounding);     // rides on its bone
  EXPECT_NEAR(gained[1], 0.25, kRounding);  // pulled away
  EXPECT_NEAR(gained[2], -0.5, kRounding);  // pulled onto the bone
  EXPECT_NEAR(bulge(rest, posed, bones, pose), 0.25, kRounding);
  // The same seen from a pivot: positions include it.
  const Pose relative = with_pivot(pose, {10, 20, 30});
  EXPECT_NEAR(bulge(rest, posed, bones, relative), 0.25, 1e-11);
}

Skeleton three_bones() {
  Skeleton skeleton;
  for (const int parent : {-1, 0, 1, 2}) {
    Node node;
    node.parent = parent;
    skeleton.nodes.push_back(node);
  }
  skeleton.bone_node = {3, 0, 2};  // node 1 moves no bone
  const auto inverse_of = [](Vec3d joint) {
    Mat4x3d M = turn_about({0, 0, 0}, {0, 0, 1}, 0.3);
    M[3] = -(Mat3d(M) * joint);
    return M;
  };
  skeleton.inverse_bind = {inverse_of({0, 5, 1}), inverse_of({1, 2, 3}), inverse_of({4, 0, 0})};
  return skeleton;
}

TEST(PosedShape, BonesOfAModelRunFromJointToJointPastNodesWithoutBones) {
  const std::vector<BoneLine> bones = bones_of(three_bones());
  ASSERT_EQ(bones.size(), 2u);
  EXPECT_EQ(bones[0].bone, 2);
  EXPECT_LT(length(bones[0].from - Vec3d(4, 0, 0)) + length(bones[0].to - Vec3d(0, 5, 1)), kRounding);
  EXPECT_EQ(bones[1].bone, 1);
  EXPECT_LT(length(bones[1].from - Vec3d(1, 2, 3)) + length(bones[1].to - Vec3d(4, 0, 0)), kRounding);
}

TEST(PosedShape, SingularInverseBindMatrixIsNamed) {
  Skeleton skeleton = three_bones();
  skeleton.inverse_bind[2][1] = Vec3d(0.0);
  try {
    bones_of(skeleton);
    FAIL();
  } catch (const InputError& error) {
    EXPECT_NE(std::string(error.what()).find("bone 2: is singular"), std::string::npos) << error.what();
  }
}

TEST(PosedShape, MethodsHaveTheirOwnExactNormals) {
  const std::vector<MethodCase> all = exact_methods(), two = exact_methods(2);
  ASSERT_EQ(all.size(), kSkinnings.size());
  ASSERT_EQ(two.size(), 2u);
  EXPECT_EQ(two[1].name, "dqs");
  for (std::size_t i = 0; i < all.size(); ++i) {
    EXPECT_EQ(all[i].name, kSkinnings[i].name);
    EXPECT_EQ(all[i].label, kSkinnings[i].label);
    EXPECT_EQ(all[i].options.method, kSkinnings[i].method);
    EXPECT_EQ(all[i].options.mode,
              kSkinnings[i].method == Method::lbs ? NormalMode::deform : NormalMode::exact);
  }
}

TEST(PosedShape, AStagePosesByEveryMethodAndSeesThemAll) {
  constexpr double kFloat = 2e-5;  // of a cuboid 10 units long, on the GPU and on the CPU
  test_bench::KeptBench kept;
  Workbench bench = kept.bench();
  const Character block(cuboid({.across = 3, .along = 20, .shared = true}), {}, 1);
  const Stage stage(block, bench);
  EXPECT_EQ(stage.mesh().vertex_count(), block.mesh().vertex_count());
  const Pose poses[] = {cuboid_pose(170, 60), cuboid_pose(0, -100)};
  std::vector<Vec3f> all;
  std::vector<std::vector<Vec3d>> first;
  for (const Pose& pose : poses)
    for (const Skinning& s : kSkinnings) {
      const std::vector<Vec3d> p = stage.points(pose, s.method);
      const auto right = skin<double>(block.mesh(), block.data(s.method, NormalMode::standard), pose,
                                      {.method = s.method, .mode = NormalMode::standard})
                             .p;
      EXPECT_EQ(largest_distance(p, right), 0) << s.name;
      ASSERT_EQ(p.size(), right.size());
      if (&pose == &poses[0]) first.push_back(p);
      for (const Vec3f& x : to_float(p)) all.push_back(x);
    }
  for (std::size_t i = 0; i < kPaperSkinnings; ++i) {
    EXPECT_GT(largest_distance(first[i], first[(i + 1) % kPaperSkinnings]), 1e-3) << "too easy a test";
  }
  const Shot shot{.view = {.towards_eye = {-1, .25, .35}}, .width = 60, .height = 90};
  const Framing framing = stage.framing(shot, poses), right = framing_of(shot, {all});
  EXPECT_EQ(length(framing.camera.eye - right.camera.eye), 0);
  EXPECT_EQ(framing.width, 60);
  EXPECT_EQ(framing.height, 90);
  EXPECT_LT(stage.gpu_difference(poses[0]), kFloat);
  EXPECT_GT(stage.gpu_difference(poses[0]), 0);

  // Pictures are of the method's own surface with its own normals.
  constexpr double kUnseen = .1;  // of 255, on average: rounding at edges
  for (const Skinning& s : {kSkinnings[0], kSkinnings[1]}) {
    const NormalMode mode = s.method == Method::lbs ? NormalMode::deform : NormalMode::exact;
    const auto posed =
        skin<double>(block.mesh(), block.data(s.method, mode), poses[0], {.method = s.method, .mode = mode});
    const Image8 expected =
        kept.studio.shaded(block.mesh().faces, to_float(posed.p), to_float(posed.n), framing);
    for (const Skinning& other : {kSkinnings[0], kSkinnings[1]}) {
      const Image8 drawn = stage.picture(poses[0], other, framing);
      ASSERT_EQ(drawn.rgb.size(), expected.rgb.size());
      double apart = 0;
      for (std::size_t i = 0; i < drawn.rgb.size(); ++i) apart += std::abs(drawn.rgb[i] - expected.rgb[i]);
      apart /= static_cast<double>(drawn.rgb.size());
      if (other.method == s.method) {
        EXPECT_LT(apart, kUnseen) << s.name;
      } else {
        EXPECT_GT(apart, 2 * kUnseen) << s.name << " " << other.name;
      }
    }
  }
}

}  // namespace
}  // namespace skinlight::repro
