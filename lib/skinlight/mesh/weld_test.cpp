#include "skinlight/mesh/weld.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <cmath>
#include <limits>

#include "skinlight/core/random.h"

namespace skinlight {
namespace {

using testing::ElementsAre;

bool always(int, int) { return true; }

TEST(Weld, EqualPositionsAreOneGroupInOrderOfAppearance) {
  const std::vector<Vec3d> p = {{1, 0, 0}, {2, 0, 0}, {1, 0, 0}, {0, 0, 0}, {2, 0, 0}, {1, 0, 0}};
  EXPECT_THAT(weld_vertices(p, always), ElementsAre(0, 1, 0, 2, 1, 0));
}

TEST(Weld, NegativeZeroIsZero) {
  const std::vector<Vec3d> p = {{0, 0, 0}, {-0.0, 0, 0}, {0, -0.0, 0}, {0, 0, -0.0}, {-0.0, -0.0, -0.0}};
  EXPECT_THAT(weld_vertices(p, always), ElementsAre(0, 0, 0, 0, 0));
}

// Two points of a unit diagonal, the second `apart` from the first along each axis in turn, on both sides of
// a cell's edge.
TEST(Weld, RoundingIsOnePlaceAndMoreIsNot) {
  Random random(3);
  for (int round = 0; round < 300; ++round) {
    const Vec3d corner = random.in_cube(.1),  // near the origin
        q = corner + Vec3d{random.uniform(), random.uniform(), random.uniform()};
    const Vec3d away = random.direction();
    const std::vector<Vec3d> p = {corner, corner + Vec3d(1, 1, 1), q,
                                  q + away * (0.9 * kSamePlace * std::sqrt(3.0)),
                                  q + away * (1.1 * kSamePlace * std::sqrt(3.0))};
    const std::vector<int> group = weld_vertices(p, always);
    EXPECT_EQ(group[2], group[3]) << "round " << round;
    EXPECT_NE(group[2], group[4]) << "round " << round;
  }
}

// A small mesh far from the origin: the two sides of its seams are apart by single steps of the floats of the file, which
// are more there than its size would allow.
TEST(Weld, StepsOfFloatsFarFromTheOriginAreOnePlace) {
  for (const float far : {10.0f, -10.0f, 16.0f, 15.999f, 1000.0f, -1e6f})
    for (int axis = 0; axis < 3; ++axis) {
      const auto at = [&](float x) {
        Vec3d p(.25, .5, .75);
        p[axis] = static_cast<double>(x);
        return p;
      };
      const float step = std::nextafter(far, 2 * far), two = std::nextafter(step, 2 * far);
      float twenty = two;
      for (int i = 0; i < 18; ++i) twenty = std::nextafter(twenty, 2 * far);
      const std::vector<int> group =
          weld_vertices(std::vector{at(far), at(step), at(two), at(twenty)}, always);
      EXPECT_THAT(group, ElementsAre(0, 0, 0, 1)) << far << " along " << axis;
    }
}

// Along a line the steps of floats allow 2^-22 of the farther end, a fifth more than its length does. Either end may be the one
// that lies at the origin.
TEST(Weld, TheFarthestCoordinateCountsOnBothSidesOfTheOrigin) {
  for (const double end : {1.0, -1.0, 64.0, -64.0, -3.7})
    for (int axis = 0; axis < 3; ++axis) {
      const auto at = [&](double x) {
        Vec3d p(0.0);
        p[axis] = x;
        return p;
      };
      const double tolerance = 0x1p-22 * std::abs(end), middle = end / 3;
      const std::vector<int> group =
          weld_vertices(std::vector{at(0), at(end), at(middle), at(middle + .98 * tolerance),
                                    at(middle - .98 * tolerance), at(middle + 1.02 * tolerance)},
                        always);
      EXPECT_THAT(group, ElementsAre(0, 1, 2, 2, 2, 3)) << end << " along " << axis;
    }
}

TEST(Weld, PredicateSplitsAPositionIntoGroups) {
  const std::vector<Vec3d> p(6, Vec3d(1, 2, 3));
  const std::vector<int> color = {7, 8, 7, 9, 8, 7};
  const auto same = [&](int a, int b) {
    return color[static_cast<std::size_t>(a)] == color[static_cast<std::size_t>(b)];
  };
  EXPECT_THAT(weld_vertices(p, same), ElementsAre(0, 1, 0, 2, 1, 0));
}

TEST(Weld, PredicateIsAskedAgainstTheFirstMember) {
  // A chain of neighbours one step apart: 0 and 2 are not the same, so 2 starts a group that 3 joins.
  const std::vector<Vec3d> p(4, Vec3d(0.0));
  EXPECT_THAT(weld_vertices(p, [](int a, int b) { return std::abs(a - b) <= 1; }), ElementsAre(0, 0, 1, 1));
}

TEST(Weld, NotANumberIsNeverEqual) {
  const Vec3d bad(std::nan(""), 0, 0);
  EXPECT_THAT(weld_vertices(std::vector<Vec3d>{bad, bad}, always), ElementsAre(0, 1));
}

TEST(Weld, NothingWeldsToNothing) { EXPECT_TRUE(weld_vertices({}, always).empty()); }

TEST(Weld, EqualsQuadraticSearchOnRandomPositions) {
  Random random(1);
  for (int round = 0; round < 50; ++round) {
    std::vector<Vec3d> p;
    std::vector<int> color;
    for (int v = 0; v < 200; ++v) {
      p.push_back({random.below(4) - 1.0, random.below(4) - 1.0, -1.0 * random.below(4)});
      color.push_back(random.below(3));
    }
    const auto same = [&](int a, int b) {
      return color[static_cast<std::size_t>(a)] == color[static_cast<std::size_t>(b)];
    };
    std::vector<int> leaders, expected;
    for (int v = 0; v < 200; ++v) {
      int group = 0;
      while (group < static_cast<int>(leaders.size())) {
        const int leader = leaders[static_cast<std::size_t>(group)];
        if (p[static_cast<std::size_t>(leader)] == p[static_cast<std::size_t>(v)] && same(leader, v)) break;
        ++group;
      }
      if (group == static_cast<int>(leaders.size())) leaders.push_back(v);
      expected.push_back(group);
    }
    EXPECT_EQ(weld_vertices(p, same), expected);
  }
}

// Points within a tolerance of the borders of cells, which are four tolerances wide, and of their corners, at negative and
// positive coordinates.
TEST(Weld, EqualsQuadraticSearchAtTheBordersOfCells) {
  Random random(5);
  int joined = 0, apart = 0;
  for (int round = 0; round < 60; ++round) {
    const double size = std::ldexp(1, random.below(120) - 60);
    const Vec3d low = Vec3d(-1, -.5, -.25) * size, high = Vec3d(.25, 1, .125) * size;
    const double tolerance = std::fmax(kSamePlace * length(high - low), 0x1p-22 * size);
    const int x = random.below(7) - 3, y = random.below(7) - 3, z = random.below(7) - 3;
    const Vec3d corner(x, y, z);  // in cells
    std::vector<Vec3d> p = {low, high};
    for (int v = 0; v < 60; ++v) {
      const Vec3d beside = random.in_cube(1.5);
      p.push_back((corner * 4 + beside) * tolerance);
    }
    std::vector<std::size_t> leaders;
    std::vector<int> expected;
    for (std::size_t v = 0; v < p.size(); ++v) {
      std::size_t group = 0;
      while (group < leaders.size() && length(p[leaders[group]] - p[v]) > tolerance) ++group;
      joined += group < leaders.size();
      if (group == leaders.size()) {
        leaders.push_back(v);
        ++apart;
      }
      expected.push_back(static_cast<int>(group));
    }
    EXPECT_EQ(weld_vertices(p, always), expected) << "round " << round;
  }
  EXPECT_GT(joined, 500);
  EXPECT_GT(apart, 500);
}

// Coordinates that no integer can count in tolerances, by a common offset and by their spread.
TEST(Weld, WorksAnyDistanceFromTheOrigin) {
  const auto any = [](int, int) { return true; };
  const std::vector<Vec3d> apart = {{1e30, 0, 0}, {1e30, 0, 0}, {1e30, 0, 0}};
  EXPECT_EQ(weld_vertices(apart, any), (std::vector<int>{0, 0, 0}));
  const std::vector<Vec3d> wide = {{1.7e308, 0, 0}, {-1.7e308, 0, 0}, {1.7e308, 0, 0}, {-1.6e308, 0, 0}};
  EXPECT_EQ(weld_vertices(wide, any), (std::vector<int>{0, 1, 0, 2}));
  // A tolerance beyond these leaves the range of double; the square of one between those is below it.
  constexpr double kLargest = std::numeric_limits<double>::max(), kSmall = 0x1p-500;
  const std::vector<Vec3d> largest = {
      {-kLargest, kLargest, 0}, {kLargest, -kLargest, 0}, {-kLargest, kLargest, 0}, {kLargest, kLargest, 0}};
  EXPECT_EQ(weld_vertices(largest, any), (std::vector<int>{0, 1, 0, 2}));
  const std::vector<Vec3d> small = {
      {0, 0, 0}, {-kSmall, 0, 0}, {kSmall, 0, 0}, {0, 0, -0.0}, {-kSmall, 0, 0}};
  EXPECT_EQ(weld_vertices(small, any), (std::vector<int>{0, 1, 2, 0, 1}));
}

}  // namespace
}  // namespace skinlight
