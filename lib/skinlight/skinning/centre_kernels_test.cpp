// What is particular to the methods that turn vertices about a centre: CRS and SBS.
#include <gtest/gtest.h>

#include <cmath>

#include "skinlight/core/random.h"
#include "skinlight/skinning/kernel_table.h"
#include "testing/rigid_vertex.h"

namespace skinlight {
namespace {

using Eigen::Quaterniond;
using Eigen::Vector3d;
using test_rigid_vertex::RandomVertex;

constexpr double kRounding = 1e-12;
constexpr int kRounds = 300;
using K4 = Kernels<double, 4>;

// The fallback for vertices without a centre of their own: linear blending and its exact tangents.
TEST(CrsKernel, WithTheVertexAsItsCentreIsLinearBlendSkinning_TPS14_Eq13) {
  Random random(1);
  for (int round = 0; round < kRounds; ++round) {
    RandomVertex<4> v(random);
    v.centre = v.p;
    v.centre_along_t = v.t;
    v.centre_along_b = v.b;
    Vector3d p(0, 0, 0), t(0, 0, 0), b(0, 0, 0);
    for (int s = 0; s < 4; ++s) {
      p += v.w[s] * v.moved(s);
      t += v.w[s] * (v.r[s] * eigen(v.t)) + v.alpha[s] * v.moved(s);
      b += v.w[s] * (v.r[s] * eigen(v.b)) + v.beta[s] * v.moved(s);
    }
    const auto in = v.as<double>();
    const auto posed = K4().turned(K4().crs_exact(in.x, in.f, in.centre, in.rest.p), in.rest);
    EXPECT_LT((eigen(posed.p) - p).norm(), kRounding);
    EXPECT_LT((eigen(posed.t) - t).norm(), kRounding);
    EXPECT_LT((eigen(posed.b) - b).norm(), kRounding);
    EXPECT_LT((eigen(K4().crs_standard(in.x, in.centre.c, in.rest).p) - p).norm(), kRounding);
  }
}

TEST(CrsKernel, ScaledCentresAreScaledInAllParts) {
  Random random(2);
  const auto in = RandomVertex<4>(random).as<double>();
  const auto scaled = K4().centre_scaled(in.centre, -3);
  EXPECT_EQ(scaled.c, in.centre.c * -3.0);
  EXPECT_EQ(scaled.along_t, in.centre.along_t * -3.0);
  EXPECT_EQ(scaled.along_b, in.centre.along_b * -3.0);
}

// Bones that turn about one axis through r, each by its own angle: there SBS and DQS are one method [KZ05].
TEST(SbsKernel, IsDualQuaternionSkinningAtHinges) {
  Random random(3);
  for (int round = 0; round < kRounds; ++round) {
    RandomVertex<4> v(random);
    const Vec3d axis = random.direction();
    for (int s = 0; s < 4; ++s) {
      v.r[s] = Eigen::AngleAxisd(random.uniform(-1.5, 1.5), eigen(axis));
      v.translation[s] = eigen(v.centre) - v.r[s] * eigen(v.centre);
    }
    const auto in = v.as<double>();
    const auto sbs = K4().turned(K4().sbs_exact(in.x, in.f, in.centre.c, in.rest.p), in.rest),
               dqs = K4().turned(K4().dqs_exact(in.x, in.f, in.rest.p), in.rest);
    EXPECT_LT(length(sbs.p - dqs.p), kRounding);
    EXPECT_LT(length(sbs.t - dqs.t), kRounding);
    EXPECT_LT(length(sbs.b - dqs.b), kRounding);
  }
}

// [SLIDES] print p' = R (p0 - r) + sum w M r + sum w t. Under a motion that all bones share the vertex must
// move like them: the kernel does, and the printed sum is off by exactly the translation.
TEST(SbsKernel, TranslationOfTheBonesCountsOnce_SLIDES) {
  Random random(4);
  for (int round = 0; round < kRounds; ++round) {
    RandomVertex<4> v(random);
    for (int s = 1; s < 4; ++s) {
      v.r[s] = v.r[0];
      v.translation[s] = v.translation[0];
    }
    Vector3d printed = v.r[0] * (eigen(v.p) - eigen(v.centre));
    for (int s = 0; s < 4; ++s) printed += v.w[s] * (v.moved(s, v.centre) + v.translation[s]);
    const auto in = v.as<double>();
    EXPECT_LT((eigen(K4().sbs_standard(in.x, in.centre.c, in.rest).p) - v.moved(0)).norm(), kRounding);
    EXPECT_LT((printed - v.moved(0) - v.translation[0]).norm(), kRounding);
  }
}

// Half a turn apart, both ways round are as long: any of them, but never a blend of length 0.
TEST(CrsKernel, OppositeRotationsStayFinite) {
  Random random(5);
  for (int round = 0; round < kRounds; ++round) {
    RandomVertex<2> v(random);
    v.w[0] = v.w[1] = .5;
    v.r[1] = v.r[0] * Quaterniond(Eigen::AngleAxisd(M_PI, eigen(random.direction())));
    const auto in = v.as<float>();
    Kernels<float, 2> k;
    for (const auto& posed : {k.crs_standard(in.x, in.centre.c, in.rest),
                              k.turned(k.crs_exact(in.x, in.f, in.centre, in.rest.p), in.rest)})
      for (const Vec3f& x : {posed.p, posed.t, posed.b, posed.n}) EXPECT_TRUE(is_finite(Vec3d(x)));
  }
}

}  // namespace
}  // namespace skinlight
