// Batches, morph targets and comparisons of several ways, from C99 and with what the header does not allow.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <array>
#include <cmath>
#include <thread>
#include <vector>

#include "c_rig.h"
#include "skinlight/asset/model_file.h"
#include "skinlight/character/clip_error.h"
#include "testing/gltf_file.h"

namespace skinlight {
namespace {

using testing::HasSubstr;

TEST(CFrames, BatchesPoseAsSkinDoes) {
  std::array<float, 3 * C_VERTICES> normals{}, of_copy{};
  std::array<float, 4 * C_VERTICES> gaps{};
  gaps.fill(7);
  ASSERT_EQ(batch_from_c(normals.data(), gaps.data(), of_copy.data()), SKINLIGHT_OK)
      << skinlight_error_text();
  const Character character(strip(), {.max_slots = 3});
  const auto posed = skin<float>(character.mesh(), character.data(Method::lbs, NormalMode::deform), folded());
  EXPECT_EQ(normals, of_copy);
  for (std::size_t v = 0; v < C_VERTICES; ++v) {
    for (std::size_t c = 0; c < 3; ++c) {
      EXPECT_EQ(normals[3 * v + c], posed.n[v][static_cast<int>(c)]);
      EXPECT_EQ(gaps[4 * v + c], normals[3 * v + c]);
    }
    EXPECT_EQ(gaps[4 * v + 3], 7);
  }
}

// The last row is bound to the second bone alone: rest (x, 2, 1/2) goes where its quarter turn takes it.
TEST(CFrames, MorphTargetsMoveTheRestPoseBeforeBonesDo) {
  std::array<double, 3 * C_VERTICES> positions{}, truth{};
  std::size_t moved = 0;
  ASSERT_EQ(morph_from_c(positions.data(), truth.data(), &moved), SKINLIGHT_OK) << skinlight_error_text();
  EXPECT_EQ(moved, 2u);
  EXPECT_EQ(positions, truth);
  for (std::size_t v = 4; v < 6; ++v) {
    EXPECT_NEAR(positions[3 * v], static_cast<double>(v) - 4, 1e-12);
    EXPECT_NEAR(positions[3 * v + 1], 1 - .5, 1e-12);
    EXPECT_NEAR(positions[3 * v + 2], 2 - 1, 1e-12);
  }
  EXPECT_NEAR(positions[1], 0, 1e-12);
}

class Frames : public Rig {
 protected:
  Frames() { options_.struct_size = sizeof options_; }
  ~Frames() override { skinlight_batch_free(batch_); }
  skinlight_status skin_batch() {
    return skinlight_batch_skin(batch_, skinlight_doubles(pose_.data()), &out_);
  }

  skinlight_batch_options options_ = {};
  skinlight_batch* batch_ = nullptr;
  std::vector<float> single_ = std::vector<float>(3 * C_VERTICES);
};

TEST_F(Frames, BatchesRefuseWhatTheyDoNotComputeAndStayUsable) {
  options_.outputs = SKINLIGHT_ONLY_POSITIONS;
  ASSERT_EQ(skinlight_batch_create(rig_, &options_, &batch_), SKINLIGHT_OK) << skinlight_error_text();
  const auto refused = [&](skinlight_status got, skinlight_status status, const char* what) {
    EXPECT_EQ(got, status) << what;
    EXPECT_THAT(skinlight_error_text(), HasSubstr(what));
    EXPECT_EQ(single_, std::vector<float>(single_.size()));
  };
  refused(skin_batch(), SKINLIGHT_BAD_CALL, "poses in SKINLIGHT_F32");
  out_.normals = skinlight_float_output(single_.data());
  refused(skin_batch(), SKINLIGHT_BAD_CALL, "more than the batch computes");
  out_.normals = {};
  refused(skin_batch(), SKINLIGHT_BAD_CALL, "nothing is wanted");
  out_.positions = skinlight_float_output(single_.data());
  pose_[7] = NAN;
  refused(skin_batch(), SKINLIGHT_BAD_INPUT, "pose, bone 0");
  pose_[7] = 0;
  refused(skinlight_batch_skin(nullptr, skinlight_doubles(pose_.data()), &out_), SKINLIGHT_BAD_CALL, "batch");
  EXPECT_EQ(skin_batch(), SKINLIGHT_OK) << skinlight_error_text();
  EXPECT_EQ(single_[3], 1);
  skinlight_batch* none = batch_;
  options_.outputs = 4;
  EXPECT_EQ(skinlight_batch_create(rig_, &options_, &none), SKINLIGHT_BAD_INPUT);
  EXPECT_EQ(none, nullptr);
  EXPECT_EQ(skinlight_batch_create(nullptr, &options_, &none), SKINLIGHT_BAD_CALL);
  EXPECT_EQ(skinlight_batch_copy(nullptr, &none), SKINLIGHT_BAD_CALL);
  skinlight_batch_free(nullptr);
}

// Bytes at any address, as an interleaved vertex buffer may have them.
TEST_F(Frames, BatchesWriteAtOddAddresses) {
  ASSERT_EQ(skinlight_batch_create(rig_, nullptr, &batch_), SKINLIGHT_OK) << skinlight_error_text();
  std::vector<char> bytes(single_.size() * sizeof(float) + 1);
  out_.normals = {bytes.data() + 1, 0, SKINLIGHT_F32};
  ASSERT_EQ(skin_batch(), SKINLIGHT_OK) << skinlight_error_text();
  out_.normals = skinlight_float_output(single_.data());
  ASSERT_EQ(skin_batch(), SKINLIGHT_OK);
  EXPECT_EQ(std::memcmp(bytes.data() + 1, single_.data(), bytes.size() - 1), 0);
}

TEST_F(Frames, CopiesPoseAtTheSameTime) {
  ASSERT_EQ(skinlight_batch_create(rig_, nullptr, &batch_), SKINLIGHT_OK);
  std::vector<std::thread> threads;
  std::array<std::vector<float>, 4> got;
  for (std::vector<float>& normals : got)
    threads.emplace_back([this, &normals] {
      skinlight_batch* own = nullptr;
      ASSERT_EQ(skinlight_batch_copy(batch_, &own), SKINLIGHT_OK);
      normals.resize(3 * C_VERTICES);
      skinlight_skin_output out = {};
      out.struct_size = sizeof out;
      out.normals = skinlight_float_output(normals.data());
      for (int i = 0; i < 100; ++i)
        EXPECT_EQ(skinlight_batch_skin(own, skinlight_doubles(pose_.data()), &out), SKINLIGHT_OK);
      skinlight_batch_free(own);
    });
  for (std::thread& t : threads) t.join();
  for (const std::vector<float>& normals : got) EXPECT_EQ(normals, got[0]);
  EXPECT_NE(got[0], std::vector<float>(3 * C_VERTICES));
}

TEST_F(Frames, MorphsThatDoNotFitAreTold) {
  const double weight = 1;
  skinlight_skin_options options = {};
  options.morph_weights = skinlight_doubles(&weight);
  EXPECT_EQ(skin(options), SKINLIGHT_BAD_INPUT);
  EXPECT_STREQ(skinlight_error_text(), "morph weights: the rig has no morph targets");
  skinlight_rig_free(rig_);
  std::vector<double> morphs(3 * C_VERTICES, 0);
  morphs[7] = INFINITY;
  arrays_.morph_count = 1;
  EXPECT_EQ(skinlight_rig_create(&arrays_, nullptr, &rig_), SKINLIGHT_BAD_INPUT);
  EXPECT_STREQ(skinlight_error_text(), "morphs: is NULL");
  arrays_.morphs = skinlight_doubles(morphs.data());
  EXPECT_EQ(skinlight_rig_create(&arrays_, nullptr, &rig_), SKINLIGHT_BAD_INPUT);
  EXPECT_STREQ(skinlight_error_element(), "morphs, target 0, vertex 2");
  morphs[7] = 0;
  ASSERT_EQ(skinlight_rig_create(&arrays_, nullptr, &rig_), SKINLIGHT_OK) << skinlight_error_text();
  const double nan = NAN;
  options.morph_weights = skinlight_doubles(&nan);
  EXPECT_EQ(skin(options), SKINLIGHT_BAD_INPUT);
  skinlight_morph_info info = {};
  info.struct_size = sizeof info;
  EXPECT_EQ(skinlight_rig_get_morph(rig_, 1, &info), SKINLIGHT_BAD_CALL);
}

TEST(CFrames, ComparesWaysAsTheyAreMeasuredOneByOne) {
  const gltf_test::Folder folder("c_frames");
  const auto path = folder.write("strip.gltf", gltf_test::strip().gltf());
  std::array<double, C_FRAMES> seconds{};
  std::array<double, 2 * C_FRAMES> means{};
  double standard = -1, deform = -1;
  ASSERT_EQ(compare_from_c(path.c_str(), seconds.data(), means.data(), &standard, &deform), SKINLIGHT_OK)
      << skinlight_error_text();
  const Character character(read_model(path));
  const SkinOptions ways[] = {{.mode = NormalMode::standard}, {.mode = NormalMode::deform}};
  const ClipError expected = clip_error(character, character.model().clips[0], C_FRAMES, ways);
  EXPECT_EQ(std::vector<double>(seconds.begin(), seconds.end()), expected.times);
  EXPECT_EQ(standard, expected.of(0, Truth::transported).error.mean);
  EXPECT_EQ(deform, expected.of(1, Truth::transported).error.mean);
  for (std::size_t w = 0; w < 2; ++w)
    for (std::size_t f = 0; f < C_FRAMES; ++f)
      EXPECT_EQ(means[w * C_FRAMES + f], expected.of(w, Truth::transported).frames[f].mean);
}

// The root grows from nothing in the clip, or stays nothing.
TEST(CFrames, FramesWithoutAreaHaveNoMeanAndAClipOfNothingElseIsRefused) {
  const gltf_test::Folder folder("c_frames_without_area");
  for (const double last : {1., 0.}) {
    gltf_test::File file = gltf_test::strip();
    const std::string scales = file.add("VEC3", gltf_test::kFloat, {0, 0, 0, last, last, last});
    file.animations = {
        R"({"name": "grow", "channels": [{"sampler": 0, "target": {"node": 1, "path": "scale"}}],)"
        R"( "samplers": [{"input": 7, "output": )" +
        scales + "}]}"};
    const auto path = folder.write("strip.gltf", file.gltf());
    std::array<double, C_FRAMES> seconds{};
    std::array<double, 2 * C_FRAMES> means{};
    double standard = -1, deform = -1;
    const skinlight_status status =
        compare_from_c(path.c_str(), seconds.data(), means.data(), &standard, &deform);
    if (last == 0) {
      EXPECT_EQ(status, SKINLIGHT_BAD_INPUT);
      EXPECT_THAT(skinlight_error_text(), HasSubstr("clip 'grow': the posed mesh has no area in any frame"));
      continue;
    }
    ASSERT_EQ(status, SKINLIGHT_OK) << skinlight_error_text();
    EXPECT_LT(standard, 1e-6) << "all bones grow alike";
    for (std::size_t i = 0; i < means.size(); ++i) EXPECT_EQ(std::isnan(means[i]), i % C_FRAMES == 0) << i;
  }
}

TEST_F(Frames, ComparisonsOfARigWithoutSkeletonAreToldSo) {
  skinlight_comparison comparison = {};
  comparison.struct_size = sizeof comparison;
  comparison.frames = comparison.way_count = 1;
  EXPECT_EQ(skinlight_compare(rig_, &comparison), SKINLIGHT_BAD_CALL);
  EXPECT_STREQ(skinlight_error_text(), "clip 0 does not exist");
}

}  // namespace
}  // namespace skinlight
