#include "skinlight/character/ring_errors.h"

#include <gtest/gtest.h>

#include <cmath>

#include "skinlight/samples/procedural.h"

namespace skinlight {
namespace {

constexpr double kRounding = 1e-9;  // degrees, sums in another order
constexpr int kFrames = 4;

// A tube whose lower bone bends by up to 1.2 radians about x.
Character bending() {
  Model model;
  model.mesh = cylinder({}, {.segments = 24, .jitter = .2, .random_diagonals = true}).mesh;
  model.skeleton.nodes.resize(2);
  model.skeleton.bone_node = {0, 1};
  model.skeleton.inverse_bind.assign(2, identity_transform<double>());
  model.clips = {
      {"bend",
       1,
       {{1, Path::rotation, Interpolation::linear, {0, 1}, {0, 0, 0, 1, std::sin(.6), 0, 0, std::cos(.6)}}}}};
  return Character(model, {}, 1);
}

struct Measured {
  ClipError error;
  std::vector<std::vector<RingBin>> bins;
};

Measured measured_of(const Character& character, int times = 1) {
  const SkinOptions ways[] = {{.mode = NormalMode::standard}, {.mode = NormalMode::deform}};
  RingErrors rings(character, std::size(ways));
  Measured m;
  for (int i = 0; i < times; ++i)
    m.error = clip_error(character, character.model().clips[0], kFrames, ways, {},
                         [&](const ClipAngles& angles) { rings.add(angles); });
  m.bins = rings.bins();
  return m;
}
Measured measured(int times = 1) { return measured_of(bending(), times); }

// However the errors are sorted, all of them together are those of the clip.
TEST(RingErrors, AddUpToTheErrorOfTheClip) {
  const Measured m = measured();
  ASSERT_EQ(m.bins.size(), ring_properties().size());
  for (std::size_t p = 0; p < m.bins.size(); ++p) {
    SCOPED_TRACE(ring_properties()[p].name);
    EXPECT_EQ(m.bins[p].front().from, 0);
    EXPECT_FALSE(std::isfinite(m.bins[p].back().to));
    const std::span<const double> limits = ring_properties()[p].limits;
    ASSERT_EQ(m.bins[p].size(), limits.size() + 1);
    for (std::size_t b = 0; b < limits.size(); ++b) {
      EXPECT_EQ(m.bins[p][b].to, limits[b]);
      EXPECT_EQ(m.bins[p][b + 1].from, limits[b]);
    }
    double share = 0, mean[2] = {0, 0};
    for (const RingBin& bin : m.bins[p]) {
      share += bin.share;
      for (std::size_t way = 0; way < 2; ++way) mean[way] += bin.share * bin.mean_deg[way];
    }
    EXPECT_NEAR(share, 1, kRounding);
    for (std::size_t way = 0; way < 2; ++way)
      EXPECT_NEAR(mean[way], m.error.of(way, Truth::transported).error.mean, kRounding);
  }
}

// Where weights do not change the bones carry the surface as it is: nothing is wrong. Elsewhere standard normals are.
TEST(RingErrors, AreWhereWeightsChange) {
  const std::vector<RingBin> bins = measured().bins[1];
  EXPECT_EQ(ring_properties()[1].name, "weight-change");
  EXPECT_GT(bins[0].share, .3);
  EXPECT_LT(bins[0].mean_deg[0], .1);
  double largest = 0;
  for (const RingBin& bin : bins) largest = std::max(largest, bin.mean_deg[0]);
  EXPECT_GT(largest, 3);
}

// Weights are .6 and .4 above, 1 and 0 below: along the edges between them .4 changes bones, or nothing. The bin from .4 on
// begins with it.
TEST(RingErrors, AValueOnALimitIsInTheBinThatBeginsThere) {
  Model model = bending().model();
  RiggedMesh& mesh = model.mesh;
  ASSERT_EQ(mesh.slots, 2);
  for (int v = 0; v < mesh.vertex_count(); ++v) {
    const auto first = 2 * static_cast<std::size_t>(v);
    const bool above = mesh.p0[static_cast<std::size_t>(v)].z > 0;
    mesh.bone[first] = 0;
    mesh.bone[first + 1] = 1;
    mesh.weight[first] = above ? .6 : 1;
    mesh.weight[first + 1] = above ? .4 : 0;
  }
  const std::vector<RingBin> bins = measured_of(Character(model, {}, 1)).bins[1];
  for (const RingBin& bin : bins) {
    SCOPED_TRACE(bin.from);
    EXPECT_EQ(bin.share > 0, bin.from == 0 || bin.from == .4);
  }
}

// The rest pose is the first of four frames; no other frame is rigid where weights change.
TEST(RingErrors, KnowThePoseByItsNonRigidity) {
  const std::vector<RingBin> bins = measured().bins[3];
  EXPECT_EQ(ring_properties()[3].name, "non-rigidity");
  EXPECT_GT(bins[0].share, .25);
  EXPECT_LT(bins[0].mean_deg[0], .1);
}

TEST(RingErrors, CountEveryClipAlike) {
  const Measured once = measured(1), twice = measured(2);
  for (std::size_t p = 0; p < once.bins.size(); ++p)
    for (std::size_t b = 0; b < once.bins[p].size(); ++b) {
      EXPECT_NEAR(once.bins[p][b].share, twice.bins[p][b].share, kRounding);
      EXPECT_NEAR(once.bins[p][b].mean_deg[0], twice.bins[p][b].mean_deg[0], kRounding);
    }
}

}  // namespace
}  // namespace skinlight
