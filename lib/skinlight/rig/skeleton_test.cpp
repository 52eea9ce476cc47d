#include "skinlight/rig/skeleton.h"

#include <gtest/gtest.h>

#include <Eigen/Geometry>
#include <cmath>
#include <functional>
#include <limits>
#include <string>

#include "skinlight/core/detail/eigen.h"
#include "skinlight/core/error.h"
#include "skinlight/core/random.h"

namespace skinlight {
namespace {

// Products of up to eight transforms with entries up to 10, in double.
constexpr double kRounding = 1e-9;

using Eigen::Affine3d;
using Eigen::Quaterniond;
using Eigen::Vector3d;

Quaterniond eigen(const Quat& q) { return {q[3], q[0], q[1], q[2]}; }

Affine3d affine(const Mat4x3d& m) {
  Affine3d a = Affine3d::Identity();
  for (int c = 0; c < 4; ++c) a.matrix().col(c).head<3>() = eigen(m[c]);
  return a;
}

Affine3d eigen_local(const Node& node) {
  if (node.has_matrix) return affine(node.matrix);
  Affine3d a = Affine3d::Identity();
  a.translate(eigen(node.translation)).rotate(eigen(node.rotation).normalized()).scale(eigen(node.scale));
  return a;
}

Affine3d eigen_global(const Skeleton& skeleton, int n) {
  const Node& node = skeleton.nodes[static_cast<std::size_t>(n)];
  return node.parent < 0 ? eigen_local(node) : eigen_global(skeleton, node.parent) * eigen_local(node);
}

void expect_pose(const Pose& pose, const Skeleton& skeleton) {
  ASSERT_EQ(pose.M.size(), skeleton.bone_node.size());
  for (std::size_t s = 0; s < pose.M.size(); ++s) {
    const Affine3d expected =
        eigen_global(skeleton, skeleton.bone_node[s]) * affine(skeleton.inverse_bind[s]);
    EXPECT_LT((affine(pose.M[s]).matrix() - expected.matrix()).cwiseAbs().maxCoeff(), kRounding)
        << "bone " << s;
  }
}

Quat random_quaternion(Random& random) {
  const Vec3d axis = random.direction();
  const double half = random.uniform(-M_PI, M_PI);
  return {axis.x * std::sin(half), axis.y * std::sin(half), axis.z * std::sin(half), std::cos(half)};
}

Mat4x3d random_transform(Random& random) {
  return {random.in_cube(1), random.in_cube(1), random.in_cube(1), random.in_cube(5)};
}

// A forest of `count` nodes in shuffled order (parents often come later), all of them bones.
Skeleton random_skeleton(Random& random, int count) {
  std::vector<int> place(static_cast<std::size_t>(count));
  for (int i = 0; i < count; ++i) place[static_cast<std::size_t>(i)] = i;
  for (int i = count - 1; i > 0; --i)
    std::swap(place[static_cast<std::size_t>(i)], place[static_cast<std::size_t>(random.below(i + 1))]);
  Skeleton skeleton;
  skeleton.nodes.resize(place.size());
  for (int i = 0; i < count; ++i) {
    Node& node = skeleton.nodes[static_cast<std::size_t>(place[static_cast<std::size_t>(i)])];
    node.name = "n" + std::to_string(i);
    node.parent = i < 2 ? -1 : place[static_cast<std::size_t>(random.below(i))];
    node.translation = random.in_cube(2);
    node.rotation = random_quaternion(random);
    node.scale = {random.uniform(.5, 1.5), random.uniform(.5, 1.5), random.uniform(-1.5, -.5)};
    node.has_matrix = i % 5 == 4;
    node.matrix = random_transform(random);
  }
  for (int i = 0; i < count; ++i) {
    skeleton.bone_node.push_back((i * 7) % count);
    skeleton.inverse_bind.push_back(random_transform(random));
  }
  return skeleton;
}

Skeleton chain(int count) {
  Skeleton skeleton;
  skeleton.nodes.resize(static_cast<std::size_t>(count));
  for (int i = 0; i < count; ++i) skeleton.nodes[static_cast<std::size_t>(i)].parent = i - 1;
  skeleton.bone_node = {count - 1};
  skeleton.inverse_bind = {identity_transform<double>()};
  return skeleton;
}

std::string element_of_error(const std::function<void()>& call) {
  try {
    call();
  } catch (const InputError& e) {
    return e.element();
  }
  return "accepted";
}

TEST(Skeleton, DefaultPoseIsGlobalTimesInverseBind) {
  Random random(3);
  for (int round = 0; round < 50; ++round) {
    const Skeleton skeleton = random_skeleton(random, 8);
    expect_pose(default_pose(skeleton), skeleton);
  }
}

TEST(Skeleton, BindPoseIsTheIdentity) {
  Random random(4);
  Skeleton skeleton = random_skeleton(random, 8);
  for (std::size_t s = 0; s < skeleton.bone_node.size(); ++s) {
    const Affine3d inverse = eigen_global(skeleton, skeleton.bone_node[s]).inverse();
    for (int c = 0; c < 4; ++c) {
      const Vector3d column = inverse.matrix().col(c).head<3>();
      skeleton.inverse_bind[s][c] = {column.x(), column.y(), column.z()};
    }
  }
  for (const Mat4x3d& m : default_pose(skeleton).M)
    EXPECT_LT((affine(m).matrix() - Eigen::Matrix4d::Identity()).cwiseAbs().maxCoeff(), kRounding);
}

TEST(Skeleton, QuaternionsAreNormalised) {
  Random random(5);
  Skeleton skeleton = random_skeleton(random, 6);
  const Pose unit = default_pose(skeleton);
  for (Node& node : skeleton.nodes)
    for (double& q : node.rotation) q *= 3;
  const Pose tripled = default_pose(skeleton);
  for (std::size_t s = 0; s < unit.M.size(); ++s)
    EXPECT_LT((affine(unit.M[s]).matrix() - affine(tripled.M[s]).matrix()).cwiseAbs().maxCoeff(), kRounding);
}

TEST(Skeleton, DeepChainsDoNotRecurse) {
  Skeleton skeleton = chain(1000000);
  for (Node& node : skeleton.nodes) node.translation = {1, 0, 0};
  EXPECT_EQ(default_pose(skeleton).M[0][3], Vec3d(1000000, 0, 0));
}

TEST(Skeleton, CycleNamesANode) {
  Skeleton skeleton = chain(4);
  skeleton.nodes[1].parent = 3;
  skeleton.nodes[1].name = "hip";
  EXPECT_EQ(element_of_error([&] { default_pose(skeleton); }), "node 1 (hip)");
  skeleton.nodes[1].parent = 1;
  EXPECT_EQ(element_of_error([&] { default_pose(skeleton); }), "node 1 (hip)");
}

TEST(Skeleton, ParentOutOfRangeNamesTheNode) {
  for (const int parent : {3, -2, std::numeric_limits<int>::max(), std::numeric_limits<int>::min()}) {
    Skeleton skeleton = chain(3);
    skeleton.nodes[2].parent = parent;
    EXPECT_EQ(element_of_error([&] { default_pose(skeleton); }), "node 2");
  }
}

TEST(Skeleton, BoneWithoutNodeNamesTheBone) {
  for (const int node : {2, -1}) {
    Skeleton skeleton = chain(2);
    skeleton.bone_node[0] = node;
    EXPECT_EQ(element_of_error([&] { default_pose(skeleton); }), "bone 0");
  }
}

TEST(Skeleton, MissingInverseBindMatrixIsAnError) {
  Skeleton skeleton = chain(2);
  skeleton.inverse_bind.clear();
  EXPECT_EQ(element_of_error([&] { default_pose(skeleton); }), "skeleton");
}

TEST(Skeleton, RotationOfLengthZeroNamesTheNode) {
  Skeleton skeleton = chain(2);
  skeleton.nodes[1].rotation = {0, 0, 0, 0};
  EXPECT_EQ(element_of_error([&] { default_pose(skeleton); }), "node 1");
}

TEST(Skeleton, OverflowNamesTheBone) {
  Skeleton skeleton = chain(2);
  for (Node& node : skeleton.nodes) node.scale = Vec3d(1e200);
  EXPECT_EQ(element_of_error([&] { default_pose(skeleton); }), "bone 0");
}

// Interpolated values are compared with Eigen's slerp, with a plain blend, and for splines with de
// Casteljau's algorithm on the Bezier curve that a Hermite segment is.

const std::vector<double> kTimes = {.5, 1.25, 3, 3.5};
constexpr Path kPaths[] = {Path::translation, Path::rotation, Path::scale};

Channel random_channel(Random& random, Path path, Interpolation interpolation) {
  Channel channel{0, path, interpolation, kTimes, {}};
  const std::size_t rows = kTimes.size() * (interpolation == Interpolation::cubic_spline ? 3 : 1);
  for (std::size_t row = 0; row < rows; ++row) {
    if (path == Path::rotation) {
      const Quat q = random_quaternion(random);
      channel.values.insert(channel.values.end(), q.begin(), q.end());
    } else {
      const Vec3d v = random.in_cube(2);
      channel.values.insert(channel.values.end(), {v.x, v.y, v.z});
    }
  }
  return channel;
}

Eigen::VectorXd row_of(const Channel& channel, std::size_t row) {
  const long width = channel.path == Path::rotation ? 4 : 3;
  return Eigen::Map<const Eigen::VectorXd>(channel.values.data() + static_cast<long>(row) * width, width);
}

Eigen::VectorXd expected_value(const Channel& channel, std::size_t k, double u) {
  if (channel.interpolation == Interpolation::step) return row_of(channel, u == 1 ? k + 1 : k);
  if (channel.interpolation == Interpolation::linear) {
    const Eigen::VectorXd a = row_of(channel, k), b = row_of(channel, k + 1);
    if (channel.path != Path::rotation) return a + u * (b - a);
    return Quaterniond(Eigen::Vector4d(a)).slerp(u, Quaterniond(Eigen::Vector4d(b))).coeffs();
  }
  const double third = (kTimes[k + 1] - kTimes[k]) / 3;
  Eigen::VectorXd p[4] = {
      row_of(channel, 3 * k + 1), row_of(channel, 3 * k + 1) + third * row_of(channel, 3 * k + 2),
      row_of(channel, 3 * k + 4) - third * row_of(channel, 3 * k + 3), row_of(channel, 3 * k + 4)};
  for (int level = 3; level > 0; --level)
    for (int i = 0; i < level; ++i) p[i] = (1 - u) * p[i] + u * p[i + 1];
  return p[0];
}

// The pose of node 0 alone, from the expected value of its animated property.
Affine3d expected_local(Node node, Path path, const Eigen::VectorXd& value) {
  if (path == Path::translation) node.translation = {value[0], value[1], value[2]};
  if (path == Path::rotation) node.rotation = {value[0], value[1], value[2], value[3]};
  if (path == Path::scale) node.scale = {value[0], value[1], value[2]};
  return eigen_local(node);
}

class Animation : public testing::TestWithParam<Interpolation> {};

TEST_P(Animation, FollowsTheDefinitionBetweenKeys) {
  Random random(6);
  for (int round = 0; round < 200; ++round) {
    Skeleton skeleton = chain(1);
    skeleton.nodes[0].translation = random.in_cube(2);
    skeleton.nodes[0].rotation = random_quaternion(random);
    skeleton.nodes[0].scale = random.in_cube(2);
    const Path path = kPaths[round % 3];
    const Channel channel = random_channel(random, path, GetParam());
    const auto k = static_cast<std::size_t>(random.below(3));
    const double u = round % 10 == 0 ? (round % 20 == 0 ? 0 : 1) : random.uniform();
    const double time = u == 1 ? kTimes[k + 1] : kTimes[k] + u * (kTimes[k + 1] - kTimes[k]);
    const Pose pose = pose_at(skeleton, {"clip", kTimes.back(), {channel}}, time);
    const Affine3d expected = expected_local(skeleton.nodes[0], path, expected_value(channel, k, u));
    EXPECT_LT((affine(pose.M[0]).matrix() - expected.matrix()).cwiseAbs().maxCoeff(), kRounding)
        << "path " << static_cast<int>(path) << " key " << k << " u " << u;
  }
}

TEST_P(Animation, HoldsTheFirstAndLastKeyOutside) {
  Random random(7);
  for (const Path path : kPaths) {
    const Skeleton skeleton = chain(1);
    const Clip clip{"clip", kTimes.back(), {random_channel(random, path, GetParam())}};
    for (const auto& [outside, key] :
         {std::pair{-10.0, 0u}, {kTimes.front(), 0u}, {kTimes.back(), 3u}, {99.0, 3u}}) {
      const std::size_t row = GetParam() == Interpolation::cubic_spline ? 3 * key + 1 : key;
      const Affine3d expected = expected_local(skeleton.nodes[0], path, row_of(clip.channels[0], row));
      EXPECT_LT(
          (affine(pose_at(skeleton, clip, outside).M[0]).matrix() - expected.matrix()).cwiseAbs().maxCoeff(),
          kRounding);
    }
  }
}

TEST_P(Animation, SingleKeyIsConstant) {
  Channel channel{0, Path::translation, GetParam(), {2}, {1, 2, 3}};
  if (GetParam() == Interpolation::cubic_spline) channel.values = {9, 9, 9, 1, 2, 3, 9, 9, 9};
  for (const double time : {0.0, 2.0, 3.0})
    EXPECT_EQ(pose_at(chain(1), {"clip", 2, {channel}}, time).M[0][3], Vec3d(1, 2, 3));
}

INSTANTIATE_TEST_SUITE_P(All, Animation,
                         testing::Values(Interpolation::step, Interpolation::linear,
                                         Interpolation::cubic_spline));

TEST(Animation, RotationsTakeTheShortPathWhateverTheSigns) {
  Random random(8);
  for (int round = 0; round < 100; ++round) {
    Channel channel = random_channel(random, Path::rotation, Interpolation::linear);
    const Pose before = pose_at(chain(1), {"clip", 3.5, {channel}}, 2);
    for (std::size_t i = 4; i < 8; ++i) channel.values[i] *= -1;
    const Pose after = pose_at(chain(1), {"clip", 3.5, {channel}}, 2);
    EXPECT_LT((affine(before.M[0]).matrix() - affine(after.M[0]).matrix()).cwiseAbs().maxCoeff(), kRounding);
  }
}

// Such a key has no direction, and so nothing between it and the next one has.
TEST(Animation, RotationsWhoseLengthOverflowsNameTheNode) {
  for (const double large : {1e200, -1e300}) {
    const Channel channel{0, Path::rotation, Interpolation::linear, {0, 1}, {large, 0, 0, 0, 0, 0, 0, 1}};
    for (const double time : {0.0, .25, .75})
      EXPECT_EQ(element_of_error([&] { pose_at(chain(1), {"clip", 1, {channel}}, time); }), "node 0") << time;
  }
}

TEST(Animation, NearlyEqualRotationsInterpolateFinitely) {
  for (const double angle : {0.0, 1e-12, 1e-9, 1e-7, 1e-6, 1e-5, 1e-3}) {
    const Channel channel{0,
                          Path::rotation,
                          Interpolation::linear,
                          {0, 1},
                          {0, 0, 0, 1, std::sin(angle / 2), 0, 0, std::cos(angle / 2)}};
    const Pose pose = pose_at(chain(1), {"clip", 1, {channel}}, .25);
    EXPECT_NEAR(pose.M[0][1].z, std::sin(angle / 4), 1e-15 + 1e-9 * angle);
  }
}

TEST(Animation, ChildrenFollowAndOtherNodesKeepTheirTransform) {
  Random random(9);
  Skeleton skeleton = random_skeleton(random, 8);
  const int moved = skeleton.nodes[0].has_matrix ? 1 : 0;
  Channel channel = random_channel(random, Path::translation, Interpolation::linear);
  channel.node = moved;
  const Pose pose = pose_at(skeleton, {"clip", 3.5, {channel}}, 2);
  const Eigen::VectorXd value = expected_value(channel, 1, (2 - 1.25) / (3 - 1.25));
  skeleton.nodes[static_cast<std::size_t>(moved)].translation = {value[0], value[1], value[2]};
  expect_pose(pose, skeleton);
}

TEST(Animation, UnusableChannelsAreNamed) {
  const Channel good{0, Path::translation, Interpolation::linear, {0, 1}, {0, 0, 0, 1, 1, 1}};
  const auto error = [](const Channel& channel, const Skeleton& skeleton) {
    return element_of_error([&] { pose_at(skeleton, {"walk", 1, {channel}}, .5); });
  };
  EXPECT_EQ(error(good, chain(1)), "accepted");
  for (const int node : {-1, 1}) {
    Channel bad = good;
    bad.node = node;
    EXPECT_EQ(error(bad, chain(1)), "clip walk channel 0");
  }
  Channel bad = good;
  bad.values.pop_back();
  EXPECT_EQ(error(bad, chain(1)), "clip walk channel 0");
  bad = good;
  bad.interpolation = Interpolation::cubic_spline;
  EXPECT_EQ(error(bad, chain(1)), "clip walk channel 0");
  bad = {0, Path::translation, Interpolation::linear, {}, {}};
  EXPECT_EQ(error(bad, chain(1)), "clip walk channel 0");
  Skeleton fixed = chain(1);
  fixed.nodes[0].has_matrix = true;
  EXPECT_EQ(error(good, fixed), "clip walk channel 0");
  EXPECT_EQ(element_of_error([&] { pose_at(chain(1), {"walk", 1, {good}}, std::nan("")); }), "clip walk");
}

}  // namespace
}  // namespace skinlight
