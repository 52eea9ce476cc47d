// Poses of the characters against turns that are written down once more, bone by bone, and joined in Eigen.
#include <gtest/gtest.h>

#include <Eigen/Geometry>
#include <map>
#include <string>
#include <vector>

#include "skinlight/core/detail/at.h"
#include "skinlight/core/detail/eigen.h"
#include "skinlight/samples/characters.h"
#include "skinlight/samples/quadruped.h"

namespace skinlight {
namespace {

constexpr double kJoined = 1e-13;  // a chain of twenty turns of lengths about 1, in double

using Turn = Eigen::Affine3d;

struct Bone {
  int parent;  // -1: none
  Vec3d joint;
  Eigen::Vector3d axis = Eigen::Vector3d::UnitX();
  double degrees = 0;
};

Turn about(Vec3d joint, const Eigen::Vector3d& axis, double degrees) {
  return Eigen::Translation3d(eigen(joint)) * Eigen::AngleAxisd(degrees * M_PI / 180, axis) *
         Eigen::Translation3d(-eigen(joint));
}

void expect_bone(const Pose& pose, int bone, const Turn& expected) {
  for (const Vec3d p : {Vec3d(0.0), Vec3d(1, 0, 0), Vec3d(0, 1, 0), Vec3d(0, 0, 1)}) {
    const Eigen::Vector3d moved = expected * eigen(p);
    EXPECT_LT((eigen(transform_point(pose.M[at(bone)], p)) - moved).norm(), kJoined) << "bone " << bone;
  }
}

const Eigen::Vector3d kAboutX = Eigen::Vector3d::UnitX(), kAboutY = Eigen::Vector3d::UnitY(),
                      kAboutZ = Eigen::Vector3d::UnitZ();

// Turns of a bone, in their order.
using Turns = std::multimap<int, std::pair<Eigen::Vector3d, double>>;

void expect_pose(const NamedPose& posed, const std::vector<Bone>& bones, const Turns& turns) {
  SCOPED_TRACE(posed.name);
  ASSERT_EQ(posed.pose.M.size(), bones.size());
  std::vector<Turn> whole;
  for (int b = 0; b < static_cast<int>(bones.size()); ++b) {
    const Bone& bone = bones[at(b)];
    whole.push_back(bone.parent < 0 ? Turn::Identity() : whole[at(bone.parent)]);
    const auto [first, last] = turns.equal_range(b);
    for (auto turn = first; turn != last; ++turn)
      whole.back() = whole.back() * about(bone.joint, turn->second.first, turn->second.second);
    expect_bone(posed.pose, b, whole.back());
  }
}

// A part of the quadruped: its bones, the bone it hangs on, its line.
struct PartOfIt {
  int first, count, parent;
  std::vector<Vec3d> line;
};

Vec3d point_of(const std::vector<Vec3d>& line, double share) {
  std::vector<double> until = {0};
  for (std::size_t i = 1; i < line.size(); ++i) until.push_back(until.back() + length(line[i] - line[i - 1]));
  const double wanted = share * until.back();
  std::size_t i = 1;
  while (until[i] < wanted) ++i;
  return line[i - 1] + (line[i] - line[i - 1]) * ((wanted - until[i - 1]) / (until[i] - until[i - 1]));
}

enum { kBack, kNeckOfIt, kTailOfIt, kFrontL, kHindL, kFrontR, kHindR, kEarL, kEarR, kJawOfIt, kPartsOfIt };

std::vector<PartOfIt> parts_of(const QuadrupedShape& shape) {
  const std::vector<int> counts = {shape.spine, shape.neck, shape.tail, shape.leg, shape.leg,
                                   shape.leg,   shape.leg,  1,          1,         1};
  std::vector<PartOfIt> parts;
  int first = 0;
  for (const int count : counts) {
    parts.push_back({first, count, -1, {}});
    first += count;
  }
  const int shoulders = shape.spine - 1, hips = 0, head = shape.spine + shape.neck - 1;
  const auto mirrored = [](std::vector<Vec3d> line) {
    for (Vec3d& p : line) p.x = -p.x;
    return line;
  };
  parts[kBack].line = {{0, .5, .82}, {0, .05, .85}, {0, -.4, .84}};
  parts[kNeckOfIt].line = {{0, -.46, .92}, {0, -.74, 1.18}, {0, -1.1, 1.14}};
  parts[kTailOfIt].line = {{0, .62, .88}, {0, .9, .8}, {0, 1.2, .6}};
  parts[kFrontL].line = {{.19, -.4, .74}, {.19, -.34, .46}, {.19, -.37, .2}, {.19, -.46, .07}};
  parts[kHindL].line = {{.19, .48, .76}, {.19, .36, .48}, {.19, .56, .26}, {.19, .46, .07}};
  parts[kEarL].line = {{.11, -.74, 1.28}, {.17, -.7, 1.42}};
  parts[kJawOfIt].line = {{0, -.8, 1.04}, {0, -1.04, .9}};
  parts[kFrontR].line = mirrored(parts[kFrontL].line);
  parts[kHindR].line = mirrored(parts[kHindL].line);
  parts[kEarR].line = mirrored(parts[kEarL].line);
  for (const int part : {kNeckOfIt, kFrontL, kFrontR}) parts[at(part)].parent = shoulders;
  for (const int part : {kTailOfIt, kHindL, kHindR}) parts[at(part)].parent = hips;
  for (const int part : {kEarL, kEarR, kJawOfIt}) parts[at(part)].parent = head;
  return parts;
}

// Bends of whole parts.
using Bends = std::map<int, std::pair<Eigen::Vector3d, double>>;

TEST(QuadrupedPoses, PartsBendByTheirAnglesInEqualSharesOfTheirBones) {
  const std::vector<std::pair<std::string, Bends>> expected = {{"walk",
                                                                {{kFrontL, {kAboutX, -35}},
                                                                 {kFrontR, {kAboutX, 25}},
                                                                 {kHindL, {kAboutX, 30}},
                                                                 {kHindR, {kAboutX, -35}},
                                                                 {kNeckOfIt, {kAboutX, 15}},
                                                                 {kTailOfIt, {kAboutZ, 40}}}},
                                                               {"attack",
                                                                {{kBack, {kAboutX, -35}},
                                                                 {kNeckOfIt, {kAboutX, 30}},
                                                                 {kJawOfIt, {kAboutX, 30}},
                                                                 {kFrontL, {kAboutX, -70}},
                                                                 {kFrontR, {kAboutX, -50}},
                                                                 {kHindL, {kAboutX, 60}},
                                                                 {kHindR, {kAboutX, 45}},
                                                                 {kTailOfIt, {kAboutX, -50}}}},
                                                               {"sit",
                                                                {{kBack, {kAboutX, -30}},
                                                                 {kNeckOfIt, {kAboutX, 40}},
                                                                 {kFrontL, {kAboutX, 25}},
                                                                 {kFrontR, {kAboutX, 25}},
                                                                 {kHindL, {kAboutX, -60}},
                                                                 {kHindR, {kAboutX, -60}},
                                                                 {kTailOfIt, {kAboutZ, 90}},
                                                                 {kEarL, {kAboutX, 30}}}}};
  for (const QuadrupedShape& shape :
       {kWolfShape, kRaptorShape, QuadrupedShape{.spine = 1, .neck = 1, .tail = 2, .leg = 3}}) {
    const std::vector<PartOfIt> parts = parts_of(shape);
    std::vector<Bone> bones;
    for (const PartOfIt& part : parts)
      for (int b = 0; b < part.count; ++b)
        bones.push_back({b > 0 ? part.first + b - 1 : part.parent,
                         point_of(part.line, static_cast<double>(b) / part.count)});
    ASSERT_EQ(static_cast<int>(bones.size()), shape.bones());
    const std::vector<NamedPose> poses = quadruped_poses(shape);
    ASSERT_EQ(poses.size(), expected.size());
    for (std::size_t i = 0; i < poses.size(); ++i) {
      EXPECT_EQ(poses[i].name, expected[i].first);
      Turns turns;
      for (const auto& [part, bend] : expected[i].second)
        for (int b = 0; b < parts[at(part)].count; ++b)
          turns.insert({parts[at(part)].first + b, {bend.first, bend.second / parts[at(part)].count}});
      expect_pose(poses[i], bones, turns);
    }
  }
}

TEST(BranchingBodyPoses, EveryBoneTurnsAboutItsJointByItsAngles) {
  enum { pelvis, chest, head, arm_l, forearm_l, arm_r, forearm_r, thigh_l, shin_l, thigh_r, shin_r };
  const std::vector<Bone> bones = {
      {-1, {0, 0, 1.6}},          {pelvis, {0, 0, 1.95}},      {chest, {0, .02, 2.72}},
      {chest, {.4, 0, 2.52}},     {arm_l, {.98, .06, 2.34}},   {chest, {-.4, 0, 2.52}},
      {arm_r, {-.98, .06, 2.34}}, {pelvis, {.25, 0, 1.58}},    {thigh_l, {.32, -.06, .86}},
      {pelvis, {-.25, 0, 1.58}},  {thigh_r, {-.32, -.06, .86}}};
  const std::vector<std::pair<std::string, Turns>> expected = {{"stride",
                                                                {{chest, {kAboutZ, 20}},
                                                                 {thigh_l, {kAboutX, -45}},
                                                                 {shin_l, {kAboutX, 25}},
                                                                 {thigh_r, {kAboutX, 30}},
                                                                 {shin_r, {kAboutX, 45}},
                                                                 {arm_l, {kAboutY, 60}},
                                                                 {arm_l, {kAboutX, 35}},
                                                                 {arm_r, {kAboutY, -60}},
                                                                 {arm_r, {kAboutX, -40}},
                                                                 {forearm_l, {kAboutZ, -30}},
                                                                 {forearm_r, {kAboutZ, 60}}}},
                                                               {"throw",
                                                                {{chest, {kAboutY, -20}},
                                                                 {chest, {kAboutZ, -35}},
                                                                 {head, {kAboutZ, 30}},
                                                                 {arm_l, {kAboutY, -50}},
                                                                 {forearm_l, {kAboutY, -70}},
                                                                 {arm_r, {kAboutY, -35}},
                                                                 {forearm_r, {kAboutZ, 50}},
                                                                 {thigh_l, {kAboutY, -25}},
                                                                 {thigh_r, {kAboutX, -50}},
                                                                 {shin_r, {kAboutX, 60}}}},
                                                               {"crouch",
                                                                {{pelvis, {kAboutX, 20}},
                                                                 {chest, {kAboutX, 40}},
                                                                 {head, {kAboutX, -35}},
                                                                 {thigh_l, {kAboutX, -90}},
                                                                 {thigh_r, {kAboutX, -90}},
                                                                 {shin_l, {kAboutX, 95}},
                                                                 {shin_r, {kAboutX, 95}},
                                                                 {arm_l, {kAboutZ, -50}},
                                                                 {arm_r, {kAboutZ, 50}},
                                                                 {forearm_l, {kAboutZ, -60}},
                                                                 {forearm_r, {kAboutZ, 60}}}}};
  const std::vector<NamedPose> poses = branching_body_poses();
  ASSERT_EQ(poses.size(), expected.size());
  for (std::size_t i = 0; i < poses.size(); ++i) {
    EXPECT_EQ(poses[i].name, expected[i].first);
    expect_pose(poses[i], bones, expected[i].second);
  }
}

TEST(CactusPoses, EveryBoneTurnsAboutItsJointByItsAngles) {
  enum { trunk, top, left, right };
  const std::vector<Bone> bones = {
      {-1, {0, 0, 0}}, {trunk, {0, 0, 1.85}}, {trunk, {.34, 0, .88}}, {trunk, {-.34, 0, 1.22}}};
  const std::vector<std::pair<std::string, Turns>> expected = {
      {"sway", {{top, {kAboutY, 40}}, {left, {kAboutY, -15}}, {right, {kAboutY, 30}}}},
      {"wave", {{top, {kAboutX, 20}}, {left, {kAboutY, -50}}, {right, {kAboutX, 45}}}},
      {"dance",
       {{top, {kAboutZ, 70}}, {top, {kAboutY, -30}}, {left, {kAboutX, 50}}, {right, {kAboutX, -60}}}}};
  const std::vector<NamedPose> poses = cactus_poses();
  ASSERT_EQ(poses.size(), expected.size());
  for (std::size_t i = 0; i < poses.size(); ++i) {
    EXPECT_EQ(poses[i].name, expected[i].first);
    expect_pose(poses[i], bones, expected[i].second);
  }
}

// The hips turn about z; a flap lags behind them and swings about its hinge, .06 below the waist of radius .36.
TEST(SkirtPoses, FlapsSwingAboutTheirHingesByTheirAngles) {
  struct Swings {
    std::string name;
    std::vector<double> open;  // radians, from the front over the left
    double lag, hips;
  };
  const std::vector<Swings> expected = {{"step_left", {.3, .62, 0, .15, .45, -.05}, 0, .2},
                                        {"step_right", {.3, -.05, .45, .15, 0, .62}, 0, -.2},
                                        {"twirl", {.6, .25, .6, .25, .6, .25}, -.55, .7},
                                        {"kneel", {.6, .95, .05, -.1, .05, .95}, 0, 0}};
  const std::vector<NamedPose> poses = skirt_poses();
  ASSERT_EQ(poses.size(), expected.size());
  for (std::size_t i = 0; i < poses.size(); ++i) {
    SCOPED_TRACE(poses[i].name);
    EXPECT_EQ(poses[i].name, expected[i].name);
    ASSERT_EQ(poses[i].pose.M.size(), 7u);
    const Turn hips(Eigen::AngleAxisd(expected[i].hips, kAboutZ)),
        flap = hips * Eigen::AngleAxisd(expected[i].lag, kAboutZ);
    expect_bone(poses[i].pose, 0, hips);
    for (int k = 0; k < 6; ++k) {
      // In the place of the front flap, which swings towards -y and up.
      const Turn place(Eigen::AngleAxisd(k * M_PI / 3, kAboutZ));
      const Turn swing = about({0, -.36, -.06}, kAboutX, -expected[i].open[at(k)] * 180 / M_PI);
      expect_bone(poses[i].pose, 1 + k, flap * place * swing * place.inverse());
    }
  }
}

}  // namespace
}  // namespace skinlight
