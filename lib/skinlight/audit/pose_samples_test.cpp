// The poses that rigs are looked at in, against matrices of Eigen.
#include "skinlight/audit/detail/pose_samples.h"

#include <gtest/gtest.h>

#include <Eigen/Dense>
#include <cmath>
#include <string>

#include "skinlight/core/random.h"

namespace skinlight {
namespace {

constexpr double kRounding = 1e-12;

Eigen::Affine3d eigen(const Mat4x3d& m) {
  Eigen::Affine3d a = Eigen::Affine3d::Identity();
  for (int column = 0; column < 4; ++column)
    a.matrix().col(column).head<3>() << m[column].x, m[column].y, m[column].z;
  return a;
}

Eigen::Quaterniond eigen(const Quat& q) { return {q[3], q[0], q[1], q[2]}; }

Quat random_rotation(Random& random) {
  const Vec3d axis = random.direction();
  const double half = random.uniform(.2, 1.4);
  return {axis.x * std::sin(half), axis.y * std::sin(half), axis.z * std::sin(half), std::cos(half)};
}

// A chain of four bones with rotations and offsets of their own, each node a bone, no inverse bind.
Model random_chain(std::uint64_t seed) {
  Random random(seed);
  Model model;
  for (int n = 0; n < 4; ++n) {
    Node node;
    node.parent = n - 1;
    node.translation = random.in_cube(2);
    node.rotation = random_rotation(random);
    model.skeleton.nodes.push_back(node);
    model.skeleton.bone_node.push_back(n);
    model.skeleton.inverse_bind.push_back(identity_transform<double>());
  }
  return model;
}

// The transform of each node against its parent.
std::vector<Eigen::Affine3d> local_transforms(const Pose& pose) {
  std::vector<Eigen::Affine3d> local;
  for (std::size_t n = 0; n < pose.M.size(); ++n)
    local.push_back(n == 0 ? eigen(pose.M[0]) : eigen(pose.M[n - 1]).inverse() * eigen(pose.M[n]));
  return local;
}

TEST(BendSamples, TurnEveryBoneBy60DegreesWhereItIs) {
  for (std::uint64_t seed = 1; seed <= 4; ++seed) {
    const Model model = random_chain(seed);
    const std::vector<PoseSample> samples = bend_samples(model, 3);
    ASSERT_EQ(samples.size(), 3u);
    for (std::size_t i = 0; i < samples.size(); ++i) {
      EXPECT_EQ(samples[i].name, "bend " + std::to_string(i + 1));
      const std::vector<Eigen::Affine3d> local = local_transforms(samples[i].pose);
      for (std::size_t n = 0; n < local.size(); ++n) {
        const Node& node = model.skeleton.nodes[n];
        const Eigen::Matrix3d turn = eigen(node.rotation).conjugate() * local[n].linear();
        EXPECT_NEAR(turn.trace(), 1 + 2 * std::cos(M_PI / 3), kRounding);
        EXPECT_NEAR((turn.transpose() * turn - Eigen::Matrix3d::Identity()).norm(), 0, kRounding);
        EXPECT_NEAR(turn.determinant(), 1, kRounding);
        const Eigen::Vector3d place(node.translation.x, node.translation.y, node.translation.z);
        EXPECT_NEAR((local[n].translation() - place).norm(), 0, kRounding) << "bones do not come off";
      }
    }
  }
}

TEST(BendSamples, AreOtherTurnsForOtherBonesAndPoses) {
  const std::vector<PoseSample> samples = bend_samples(random_chain(5), 2);
  const Model model = random_chain(5);
  std::vector<Eigen::Matrix3d> turns;
  for (const PoseSample& sample : samples) {
    const std::vector<Eigen::Affine3d> local = local_transforms(sample.pose);
    for (std::size_t n = 0; n < local.size(); ++n)
      turns.push_back(eigen(model.skeleton.nodes[n].rotation).conjugate() * local[n].linear());
  }
  for (std::size_t a = 0; a < turns.size(); ++a)
    for (std::size_t b = 0; b < a; ++b) EXPECT_GT((turns[a] - turns[b]).norm(), .05) << a << " " << b;
}

// A file may give nodes by matrices in place of rotations: the same skeleton, hence the same poses.
TEST(BendSamples, DoNotDependOnHowNodesAreWritten) {
  const Model model = random_chain(6);
  Model written = model;
  for (Node& node : written.skeleton.nodes) {
    const Eigen::Matrix3d r = eigen(node.rotation).toRotationMatrix();
    node.has_matrix = true;
    for (int column = 0; column < 3; ++column)
      node.matrix[column] = {r(0, column), r(1, column), r(2, column)};
    node.matrix[3] = node.translation;
    node.translation = Vec3d(0.0);
    node.rotation = {0, 0, 0, 1};
  }
  const std::vector<PoseSample> expected = bend_samples(model, 4), actual = bend_samples(written, 4);
  for (std::size_t i = 0; i < expected.size(); ++i)
    for (std::size_t s = 0; s < expected[i].pose.M.size(); ++s)
      EXPECT_NEAR((eigen(actual[i].pose.M[s]).matrix() - eigen(expected[i].pose.M[s]).matrix()).norm(), 0,
                  kRounding);
}

// Clips in which the only bone moves by 1 along x a second.
Model walking(int clips, double duration) {
  Model model = random_chain(7);
  for (int c = 0; c < clips; ++c) {
    Channel channel;
    channel.node = 0;
    channel.times = {0, duration};
    channel.values = {0, 0, 0, duration, 0, 0};
    model.clips.push_back({"Walk " + std::to_string(c), duration, {channel}});
  }
  return model;
}

TEST(ClipSamples, AreEvenlySpacedUpToTheEnd) {
  const std::vector<PoseSample> samples = clip_samples(walking(2, 2.5), 10);
  ASSERT_EQ(samples.size(), 10u);
  for (std::size_t i = 0; i < samples.size(); ++i) {
    const double time = .5 * static_cast<double>(i % 5 + 1);
    EXPECT_NEAR(samples[i].pose.M[0][3].x, time, kRounding);
    const std::string clip = i < 5 ? "Walk 0" : "Walk 1", half = i % 2 == (i < 5 ? 0u : 1u) ? ".50" : ".00";
    EXPECT_EQ(samples[i].name, clip + " at " + std::to_string(static_cast<int>(time)) + half + " s");
  }
}

TEST(ClipSamples, ShareTheirNumberButEachClipIsSeenTwiceAtLeast) {
  struct Share {
    int clips, most;
    std::size_t samples;
  };
  for (const Share& share : {Share{1, 96, 8}, Share{1, 5, 5}, Share{12, 96, 96}, Share{13, 96, 91},
                             Share{24, 96, 96}, Share{60, 96, 120}, Share{2, 0, 4}, Share{0, 96, 0}})
    EXPECT_EQ(clip_samples(walking(share.clips, 1), share.most).size(), share.samples)
        << share.clips << " clips, " << share.most;
}

}  // namespace
}  // namespace skinlight
