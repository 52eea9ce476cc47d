// Corner weights against constructions that share nothing with the code: angles by the law of cosines, areas
// by polygons around the circumcentre.
#include "skinlight/mesh/averaging.h"

#include <gtest/gtest.h>

#include <Eigen/Geometry>
#include <cmath>
#include <string>

#include "skinlight/core/detail/eigen.h"
#include "skinlight/core/error.h"
#include "skinlight/core/random.h"

namespace skinlight {
namespace {

// Weights of triangles with angles above 2 degrees lose at most four digits to cancellation.
constexpr double kRounding = 1e-10;

using Eigen::Vector3d;

struct Triangle {
  Vec3d p, q, r;
};

// The angle at a of the triangle (a, b, c).
double angle_at(Vec3d a, Vec3d b, Vec3d c) {
  const double ab = (eigen(b) - eigen(a)).norm(), ac = (eigen(c) - eigen(a)).norm(),
               bc = (eigen(c) - eigen(b)).norm();
  return std::acos((ab * ab + ac * ac - bc * bc) / (2 * ab * ac));
}

double heron(const Triangle& t) {
  const double a = (eigen(t.p) - eigen(t.q)).norm(), b = (eigen(t.q) - eigen(t.r)).norm(),
               c = (eigen(t.r) - eigen(t.p)).norm(), s = (a + b + c) / 2;
  return std::sqrt(s * (s - a) * (s - b) * (s - c));
}

// The signed area of the quadrilateral p, middle of pq, circumcentre, middle of pr.
double circumcentric(const Triangle& t) {
  const Vector3d p = eigen(t.p), q = eigen(t.q) - p, r = eigen(t.r) - p, n = q.cross(r);
  const Vector3d centre =
      (q.squaredNorm() * r.cross(n) + r.squaredNorm() * n.cross(q)) / (2 * n.squaredNorm());
  const Vector3d twice = (q / 2).cross(centre) + centre.cross(r / 2);
  return twice.dot(n.normalized()) / 2;
}

double expected_weight(Averaging scheme, const Triangle& t) {
  const double at_p = angle_at(t.p, t.q, t.r), at_q = angle_at(t.q, t.r, t.p), at_r = angle_at(t.r, t.p, t.q),
               area = heron(t);
  switch (scheme) {
    case Averaging::mixed_voronoi:
      if (at_p > M_PI / 2) return area / 2;
      if (at_q > M_PI / 2 || at_r > M_PI / 2) return area / 4;
      return circumcentric(t);
    case Averaging::area:
      return area;
    case Averaging::angle:
      return at_p;
    case Averaging::angle_area:
      return at_p * area;
    case Averaging::uniform:
      return 1;
    case Averaging::max1999:
      return std::sin(at_p) / ((eigen(t.q) - eigen(t.p)).norm() * (eigen(t.r) - eigen(t.p)).norm());
    case Averaging::cotangent:
      return 1 / std::tan(at_q) + 1 / std::tan(at_r);
    case Averaging::voronoi:
      return circumcentric(t);
  }
  return NAN;
}

// Random triangles of all shapes, among them obtuse ones, at different sizes.
Triangle random_triangle(Random& random) {
  for (;;) {
    const double size = std::pow(10, random.uniform(-2, 2));
    const Triangle t{random.in_cube(size), random.in_cube(size), random.in_cube(size)};
    const double smallest =
        std::min({angle_at(t.p, t.q, t.r), angle_at(t.q, t.r, t.p), angle_at(t.r, t.p, t.q)});
    if (smallest > .035) return t;
  }
}

Triangle rotated(const Triangle& t, const Eigen::Matrix3d& R) {
  const auto turn = [&](Vec3d v) {
    const Vector3d w = R * eigen(v);
    return Vec3d(w.x(), w.y(), w.z());
  };
  return {turn(t.p), turn(t.q), turn(t.r)};
}

double weight(Averaging scheme, const Triangle& t) { return corner_weight(scheme, t.p, t.q, t.r); }

class CornerWeight : public testing::TestWithParam<Averaging> {};

TEST_P(CornerWeight, EqualsClosedForm) {
  Random random(1);
  for (int round = 0; round < 2000; ++round) {
    const Triangle t = random_triangle(random);
    const double expected = expected_weight(GetParam(), t);
    EXPECT_NEAR(weight(GetParam(), t), expected, kRounding * (1 + std::abs(expected)));
  }
}

TEST_P(CornerWeight, DoesNotDependOnRotationOrWinding) {
  Random random(2);
  for (int round = 0; round < 500; ++round) {
    const Triangle t = random_triangle(random);
    const Eigen::Matrix3d R =
        Eigen::AngleAxisd{random.uniform(0, 6), eigen(random.direction())}.toRotationMatrix();
    const double expected = weight(GetParam(), t), bound = kRounding * (1 + std::abs(expected));
    EXPECT_NEAR(weight(GetParam(), rotated(t, R)), expected, bound);
    EXPECT_NEAR(weight(GetParam(), {t.p, t.r, t.q}), expected, bound);
  }
}

TEST_P(CornerWeight, IsZeroWithoutAreaAndForCornersThatAreNotFinite) {
  const Vec3d a(1, 2, 3), b(4, 5, 6);
  for (const Triangle& t : {Triangle{a, a, a}, {a, a, b}, {a, b, a}, {b, a, a}, {a, b, b * 2 - a}})
    EXPECT_EQ(weight(GetParam(), t), 0);
  for (const double bad : {std::nan(""), double{INFINITY}})
    for (int corner = 0; corner < 3; ++corner) {
      Vec3d c[3] = {{0, 0, 0}, {1, 0, 0}, {0, 1, 0}};
      c[corner].y = bad;
      EXPECT_EQ(weight(GetParam(), {c[0], c[1], c[2]}), 0);
    }
}

INSTANTIATE_TEST_SUITE_P(All, CornerWeight,
                         testing::ValuesIn(all_averagings().begin(), all_averagings().end()),
                         [](const auto& instance) {
                           std::string n(name(instance.param));
                           std::erase(n, '-');
                           return n;
                         });

TEST(MixedVoronoi, TilesEveryTriangleWithSharesThatAreNotNegative) {
  Random random(3);
  for (int round = 0; round < 5000; ++round) {
    Triangle t = random_triangle(random);
    if (round % 2 == 1) {  // slivers
      const Vec3d along = (t.q - t.p) * random.uniform(-1, 2);
      t.r = t.p + along + random.in_cube(1e-4);
    }
    const double shares[3] = {weight(Averaging::mixed_voronoi, t),
                              weight(Averaging::mixed_voronoi, {t.q, t.r, t.p}),
                              weight(Averaging::mixed_voronoi, {t.r, t.p, t.q})};
    for (const double share : shares) EXPECT_GE(share, 0);
    const double area = weight(Averaging::area, t);
    // The area of a sliver is a difference of products of its edges, which round.
    const double edges = dot(t.q - t.p, t.q - t.p) + dot(t.r - t.p, t.r - t.p);
    EXPECT_NEAR(shares[0] + shares[1] + shares[2], area, kRounding * area + 1e-15 * edges);
  }
}

TEST(MixedVoronoi, RightAnglesJoinBothCases) {
  const Triangle t{{0, 0, 0}, {2, 0, 0}, {0, 1, 0}};
  EXPECT_NEAR(weight(Averaging::mixed_voronoi, t), .5, kRounding);
  EXPECT_NEAR(weight(Averaging::mixed_voronoi, {t.q, t.r, t.p}), .25, kRounding);
  EXPECT_NEAR(weight(Averaging::mixed_voronoi, {t.r, t.p, t.q}), .25, kRounding);
}

TEST(Averaging, NamesAndSchemesAreInverse) {
  EXPECT_EQ(all_averagings().size(), 8u);
  for (const Averaging scheme : all_averagings()) EXPECT_EQ(averaging_from_name(name(scheme)), scheme);
  EXPECT_EQ(name(Averaging::mixed_voronoi), "mixed-voronoi");
  EXPECT_EQ(name(Averaging::voronoi), "voronoi");
}

TEST(Averaging, UnknownNameListsTheKnownOnes) {
  for (const char* wrong : {"", "Area", "mean"}) try {
      averaging_from_name(wrong);
      FAIL() << "accepted '" << wrong << "'";
    } catch (const InputError& e) {
      EXPECT_EQ(e.element(), "averaging '" + std::string(wrong) + "'");
      for (const Averaging scheme : all_averagings())
        EXPECT_NE(e.reason().find(name(scheme)), std::string::npos);
    }
}

TEST(Averaging, AllThreeCornersAreThoseOfEachToTheLastBit) {
  Random random(41);
  const auto same = [](double a, double b) { return a == b || (std::isnan(a) && std::isnan(b)); };
  for (int i = 0; i < 2000; ++i) {
    // Acute and obtuse ones; at times without area, or not finite.
    const Vec3d p = random.in_cube(1), q = random.in_cube(1);
    Vec3d r = random.in_cube(i % 2 ? 1 : 30);
    if (i % 100 == 0) r = p;
    if (i % 100 == 50) r.x = INFINITY;
    for (const Averaging scheme : all_averagings()) {
      const auto all = corner_weights(scheme, p, q, r);
      EXPECT_TRUE(same(all[0], corner_weight(scheme, p, q, r))) << name(scheme);
      EXPECT_TRUE(same(all[1], corner_weight(scheme, q, r, p))) << name(scheme);
      EXPECT_TRUE(same(all[2], corner_weight(scheme, r, p, q))) << name(scheme);
    }
  }
}

}  // namespace
}  // namespace skinlight
