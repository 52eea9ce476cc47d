// What formats cost, against the whole mesh stored and posed at once, and the poses that formats are judged by.
#include "repro/study/bake_error.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <numeric>

#include "skinlight/core/angle.h"
#include "skinlight/preprocess/deform_frames.h"
#include "skinlight/rig/typical_poses.h"
#include "skinlight/samples/procedural.h"
#include "skinlight/skinning/packed_normals.h"
#include "skinlight/skinning/skin.h"

namespace skinlight::repro {
namespace {

// Angles are kept as floats, of up to some ten degrees.
constexpr double kAsFloat = 1e-5;

double mean(const std::vector<double>& values) {
  return std::accumulate(values.begin(), values.end(), 0.) / static_cast<double>(values.size());
}

void add_angles(const std::vector<Vec3d>& a, const std::vector<Vec3d>& b, std::vector<double>& degrees) {
  for (std::size_t v = 0; v < a.size(); ++v)
    degrees.push_back(std::atan2(length(cross(a[v], b[v])), dot(a[v], b[v])) * 180 / M_PI);
}

void expect_statistics(const FormatError& error, NumberFormat format, std::vector<double> degrees) {
  std::sort(degrees.begin(), degrees.end());
  const std::string name(row(format).name);
  EXPECT_EQ(error.format, format);
  EXPECT_NEAR(error.mean, mean(degrees), kAsFloat) << name;
  EXPECT_NEAR(error.p99, degrees[99 * (degrees.size() - 1) / 100], kAsFloat) << name;
  EXPECT_NEAR(error.max, degrees.back(), kAsFloat) << name;
  if (format == NumberFormat::snorm8) {
    // So that none of them passes for another.
    EXPECT_GT(error.mean, 100 * kAsFloat) << name;
    EXPECT_GT(error.p99, 1.2 * error.mean) << name;
    EXPECT_GT(error.max, error.p99 + 10 * kAsFloat) << name;
  }
}

// More vertices than are posed at a time, in two ranges with scales of their own, whose border is within a part.
BakeReport report_of(RecordKind kind, int segments) {
  BakeReport report;
  report.character =
      Character(cylinder({}, {.segments = segments, .jitter = .2, .random_diagonals = true}), {}, 1);
  report.kind = kind;
  const int vertices = report.character.mesh().vertex_count();
  const int border = vertices / 3;
  report.ranges = {{0, border, {}}, {border, vertices - border, {}}};
  double larger = 1;
  for (StoredRange& range : report.ranges) {
    const NormalRecord& record = report.record();
    const std::size_t slots = static_cast<std::size_t>(record.slots);
    for (std::size_t i = static_cast<std::size_t>(range.first) * slots;
         i < static_cast<std::size_t>(range.first + range.count) * slots; ++i) {
      if (!record.alpha.empty())
        range.largest.per_length =
            std::max({range.largest.per_length, std::abs(record.alpha[i]), std::abs(record.beta[i])});
      range.largest.pure = 1.2;
    }
    range.largest.per_length *= larger;  // where it is coarser, it is so by its own scale
    larger = 1.7;
  }
  return report;
}

TEST(FormatErrors, AreThoseOfTheWholeMeshStoredInEachFormat) {
  const std::vector<Pose> poses = {cylinder_bend(1.1), cylinder_twist(.9)};
  for (const RecordKindRow& kind : kRecordKinds) {
    const BakeReport report = report_of(kind.kind, 72);
    const RiggedMesh& mesh = report.character.mesh();
    ASSERT_GT(mesh.vertex_count(), 2 * 2048);
    const std::vector<FormatError> errors = format_errors(report, poses, 1);
    ASSERT_EQ(errors.size(), kNumberFormats.size());
    const auto normals = [&](const NormalRecord& record, const Pose& pose) {
      SkinData data;
      (kind.kind == RecordKind::deform_vectors ? data.vectors : data.factors) = &record;
      return skin<double>(mesh, data, pose, {.mode = mode_reading(kind.kind)}).n;
    };
    for (std::size_t f = 0; f < errors.size(); ++f) {
      const NumberFormat format = kNumberFormats[f].format;
      const NormalRecord stored = stored_record(report.record(), mesh, report.ranges, format);
      std::vector<double> degrees;
      for (const Pose& pose : poses)
        add_angles(normals(stored, pose), normals(report.record(), pose), degrees);
      expect_statistics(errors[f], format, degrees);
    }
  }
}

TEST(FormatErrors, OfDeformFramesAreThoseOfTheMethodThatReadsThem) {
  const std::vector<Pose> poses = {cylinder_bend(1.1), cylinder_twist(.9)};
  BakeReport report;
  report.character = Character(cylinder({}, {.segments = 12, .jitter = .2, .random_diagonals = true}), {}, 1);
  report.frames = Method::dqs;
  const RiggedMesh& mesh = report.character.mesh();
  const std::vector<FormatError> errors = format_errors(report, poses, 1);
  ASSERT_EQ(errors.size(), kNumberFormats.size());
  const FrameRecord& exact = report.character.frames(Method::dqs);
  for (std::size_t f = 0; f < errors.size(); ++f) {
    const NumberFormat format = kNumberFormats[f].format;
    const FrameRecord stored = stored_frames(exact, format);
    std::vector<double> degrees;
    for (const Pose& pose : poses) {
      const auto normals = [&](const FrameRecord& frames) {
        SkinData data;
        data.frames = &frames;
        return skin<double>(mesh, data, pose, {.method = Method::dqs, .mode = NormalMode::deform_frames}).n;
      };
      add_angles(normals(stored), normals(exact), degrees);
    }
    expect_statistics(errors[f], format, degrees);
  }
}

// Two bones in a row; clip i turns the second by i + 1 tenths of a radian at its end.
Model model_of(int vertices, int clips) {
  Model model;
  model.mesh.p0.resize(static_cast<std::size_t>(vertices));
  model.skeleton.nodes.resize(2);
  model.skeleton.nodes[1].parent = 0;
  model.skeleton.bone_node = {0, 1};
  model.skeleton.inverse_bind.assign(2, identity_transform<double>());
  for (int i = 0; i < clips; ++i) {
    const double half = .05 * (i + 1);
    model.clips.push_back({std::to_string(i),
                           2,
                           {{1,
                             Path::rotation,
                             Interpolation::linear,
                             {0, 2},
                             {0, 0, 0, 1, 0, 0, std::sin(half), std::cos(half)}}}});
  }
  return model;
}

void expect_poses(const std::vector<Pose>& found, const std::vector<Pose>& expected) {
  ASSERT_EQ(found.size(), expected.size());
  for (std::size_t i = 0; i < found.size(); ++i)
    for (std::size_t bone = 0; bone < 2; ++bone)
      for (int column = 0; column < 4; ++column)
        EXPECT_EQ(length(found[i].M[bone][column] - expected[i].M[bone][column]), 0) << i;
}

// Of 400,000 vertices in all: 24 poses at most, 4 at least.
TEST(SamplePoses, AreFewerForLargeMeshes) {
  const std::pair<int, std::size_t> expected[] = {{8, 24},    {16666, 24}, {17000, 23}, {40000, 10},
                                                  {80001, 4}, {80000, 5},  {300000, 4}, {500000, 4}};
  for (const auto& [vertices, poses] : expected) {
    EXPECT_EQ(sample_poses(model_of(vertices, 0)).poses.size(), poses) << vertices;
    EXPECT_EQ(sample_poses(model_of(vertices, 1)).poses.size(), poses) << vertices;
  }
}

TEST(SamplePoses, OfAModelWithoutClipsAreRandomTurnsOfUpTo30Degrees) {
  const Model model = model_of(40000, 0);
  const SamplePoses sample = sample_poses(model);
  EXPECT_EQ(sample.description, "10 random poses, since the file has no animation");
  expect_poses(sample.poses, random_joint_poses(model.skeleton, 10, M_PI / 6, 1));
}

TEST(SamplePoses, OfOneClipAreAllOfIt) {
  const Model model = model_of(40000, 1);
  const SamplePoses sample = sample_poses(model);
  EXPECT_EQ(sample.description, "10 frames of its clip");
  expect_poses(sample.poses, clip_poses(model.skeleton, model.clips, 10));
}

TEST(SamplePoses, AreSpreadOverAllClipsOrOverSomeOfMany) {
  const Model few = model_of(40000, 3);  // ten poses: three of each
  EXPECT_EQ(sample_poses(few).description, "9 frames of 3 of its 3 clips");
  expect_poses(sample_poses(few).poses, clip_poses(few.skeleton, few.clips, 3));
  const Model two = model_of(40000, 2);
  EXPECT_EQ(sample_poses(two).description, "10 frames of 2 of its 2 clips");
  expect_poses(sample_poses(two).poses, clip_poses(two.skeleton, two.clips, 5));
  const Model many = model_of(100000, 11);  // four poses: of clips 0, 11 / 4, 22 / 4, 33 / 4
  const std::vector<Clip> some = {many.clips[0], many.clips[2], many.clips[5], many.clips[8]};
  EXPECT_EQ(sample_poses(many).description, "4 frames of 4 of its 11 clips");
  expect_poses(sample_poses(many).poses, clip_poses(many.skeleton, some, 1));
}

}  // namespace
}  // namespace skinlight::repro
