#include "skinlight/samples/characters.h"

#include "skinlight/samples/capsules.h"

namespace skinlight {

namespace {

// Bones of the body. Left is +x: the character looks towards -y.
enum BodyBone {
  kPelvis,
  kChest,
  kHead,
  kLeftArm,
  kLeftForearm,
  kRightArm,
  kRightForearm,
  kLeftThigh,
  kLeftShin,
  kRightThigh,
  kRightShin,
  kBodyBones
};

const Vec3d kWaistPoint(0, 0, 1.95), kNeckPoint(0, 0.02, 2.72);

Vec3d shoulder(double side) { return {side * 0.40, 0, 2.52}; }
Vec3d elbow(double side) { return {side * 0.98, 0.06, 2.34}; }
Vec3d hand(double side) { return {side * 1.50, -0.12, 2.28}; }
Vec3d hip(double side) { return {side * 0.25, 0, 1.58}; }
Vec3d knee(double side) { return {side * 0.32, -0.06, 0.86}; }
Vec3d foot(double side) { return {side * 0.36, 0.02, 0.12}; }

std::vector<Joint> body_joints() {
  return {{-1, Vec3d(0, 0, 1.6)}, {kPelvis, kWaistPoint}, {kChest, kNeckPoint},   {kChest, shoulder(1)},
          {kLeftArm, elbow(1)},   {kChest, shoulder(-1)}, {kRightArm, elbow(-1)}, {kPelvis, hip(1)},
          {kLeftThigh, knee(1)},  {kPelvis, hip(-1)},     {kRightThigh, knee(-1)}};
}

NamedPose body_pose(const char* name, std::vector<JointTurn> turns) {
  return {name, pose_of(body_joints(), turns)};
}

enum CactusBone { kTrunk, kTop, kLeftBranch, kRightBranch, kCactusBones };

const Vec3d kLeftElbow(0.84, 0, 0.92), kRightElbow(-0.80, 0, 1.26);

NamedPose cactus_pose(const char* name, std::vector<JointTurn> turns) {
  const std::vector<Joint> joints = {{-1, Vec3d(0.0)},
                                     {kTrunk, Vec3d(0, 0, 1.85)},
                                     {kTrunk, Vec3d(0.34, 0, 0.88)},
                                     {kTrunk, Vec3d(-0.34, 0, 1.22)}};
  return {name, pose_of(joints, turns)};
}

}  // namespace

ProceduralRig branching_body() {
  CapsuleSkin skin{.capsules = {{Vec3d(0, 0, 1.60), Vec3d(0, 0, 1.85), 0.30, kPelvis},
                                {Vec3d(0, 0, 2.05), Vec3d(0, 0, 2.40), 0.34, kChest},
                                {Vec3d(0, 0, 2.72), Vec3d(0, -0.04, 3.05), 0.22, kHead}},
                   .blend = 0.05,
                   .spacing = 0.09,
                   .weight_reach = 0.14,
                   .slots = 4};
  for (const double side : {1.0, -1.0}) {
    const bool left = side > 0;
    skin.capsules.push_back({shoulder(side), elbow(side), 0.15, left ? kLeftArm : kRightArm});
    skin.capsules.push_back({elbow(side), hand(side), 0.13, left ? kLeftForearm : kRightForearm});
    skin.capsules.push_back({hip(side), knee(side), 0.18, left ? kLeftThigh : kRightThigh});
    skin.capsules.push_back({knee(side), foot(side), 0.15, left ? kLeftShin : kRightShin});
  }
  return capsule_character(skin, kBodyBones);
}

std::vector<NamedPose> branching_body_poses() {
  return {body_pose("stride", {{kChest, kZ, 20},
                               {kLeftThigh, kX, -45},
                               {kLeftShin, kX, 25},
                               {kRightThigh, kX, 30},
                               {kRightShin, kX, 45},
                               {kLeftArm, kY, 60},
                               {kLeftArm, kX, 35},
                               {kRightArm, kY, -60},
                               {kRightArm, kX, -40},
                               {kLeftForearm, kZ, -30},
                               {kRightForearm, kZ, 60}}),
          body_pose("throw", {{kChest, kY, -20},
                              {kChest, kZ, -35},
                              {kHead, kZ, 30},
                              {kLeftArm, kY, -50},
                              {kLeftForearm, kY, -70},
                              {kRightArm, kY, -35},
                              {kRightForearm, kZ, 50},
                              {kLeftThigh, kY, -25},
                              {kRightThigh, kX, -50},
                              {kRightShin, kX, 60}}),
          body_pose("crouch", {{kPelvis, kX, 20},
                               {kChest, kX, 40},
                               {kHead, kX, -35},
                               {kLeftThigh, kX, -90},
                               {kRightThigh, kX, -90},
                               {kLeftShin, kX, 95},
                               {kRightShin, kX, 95},
                               {kLeftArm, kZ, -50},
                               {kRightArm, kZ, 50},
                               {kLeftForearm, kZ, -60},
                               {kRightForearm, kZ, 60}})};
}

ProceduralRig cactus() {
  return capsule_character({.capsules = {{Vec3d(0, 0, 0.30), Vec3d(0, 0, 1.70), 0.36, kTrunk},
                                         {Vec3d(0, 0, 2.00), Vec3d(0, 0, 2.55), 0.34, kTop},
                                         {Vec3d(0.34, 0, 0.88), kLeftElbow, 0.19, kLeftBranch},
                                         {kLeftElbow, Vec3d(0.92, 0, 1.60), 0.19, kLeftBranch},
                                         {Vec3d(-0.34, 0, 1.22), kRightElbow, 0.17, kRightBranch},
                                         {kRightElbow, Vec3d(-0.86, 0, 1.90), 0.17, kRightBranch}},
                            .blend = 0.05,
                            .spacing = 0.10,
                            .weight_reach = 0.16,
                            .slots = 2},
                           kCactusBones);
}

std::vector<NamedPose> cactus_poses() {
  return {cactus_pose("sway", {{kTop, kY, 40}, {kLeftBranch, kY, -15}, {kRightBranch, kY, 30}}),
          cactus_pose("wave", {{kTop, kX, 20}, {kLeftBranch, kY, -50}, {kRightBranch, kX, 45}}),
          cactus_pose("dance",
                      {{kTop, kZ, 70}, {kTop, kY, -30}, {kLeftBranch, kX, 50}, {kRightBranch, kX, -60}})};
}

}  // namespace skinlight
