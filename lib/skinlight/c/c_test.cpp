// The C interface as a caller meets it, mistakes included.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <cmath>
#include <cstring>
#include <limits>
#include <string>
#include <thread>
#include <vector>

#include "skinlight.h"

extern "C" skinlight_status judge_from_c(double* max_error, char* id, size_t id_size);

namespace {

using testing::HasSubstr;

// A strip of quads along y, bent by two bones that turn by +-30 degrees about x.
struct Strip {
  std::vector<float> positions, weights, normals, tangents, uv;
  std::vector<std::uint32_t> faces, bones;
  std::vector<float> pose;
  skinlight_rig_arrays rig = {};
  skinlight_judge_input in = {};  // without the rig

  Strip() {
    constexpr std::uint32_t kRows = 9;
    for (std::uint32_t y = 0; y < kRows; ++y)
      for (std::uint32_t x = 0; x < 2; ++x) {
        const float w = static_cast<float>(y) / (kRows - 1);
        positions.insert(positions.end(), {static_cast<float>(x), 4 * w, 0});
        uv.insert(uv.end(), {static_cast<float>(x), 1 - w});  // v runs down
        bones.insert(bones.end(), {0, 1});
        weights.insert(weights.end(), {1 - w, w});
        // T n0 of the blended bones, by hand.
        const float s = std::sin(.5236f) * (1 - 2 * w), c = std::cos(.5236f);
        normals.insert(normals.end(), {0, -s, c});
        tangents.insert(tangents.end(), {1, 0, 0, 1});
      }
    for (std::uint32_t y = 0; y + 1 < kRows; ++y) {
      const std::uint32_t a = 2 * y;
      faces.insert(faces.end(), {a, a + 1, a + 2, a + 2, a + 1, a + 3});
    }
    for (const float angle : {.5236f, -.5236f}) {
      const float s = std::sin(angle), c = std::cos(angle);
      pose.insert(pose.end(), {1, 0, 0, 0, 0, c, -s, 0, 0, s, c, 0});
    }
    rig.struct_size = sizeof rig;
    rig.vertex_count = 2 * kRows;
    rig.face_count = faces.size() / 3;
    rig.bone_count = 2;
    rig.influences = 2;
    rig.positions = skinlight_floats(positions.data());
    rig.faces = skinlight_indices(faces.data());
    rig.bones = skinlight_indices(bones.data());
    rig.weights = skinlight_floats(weights.data());
    in.struct_size = sizeof in;
    in.pose = skinlight_floats(pose.data());
    in.normals = skinlight_floats(normals.data());
  }
};

class CInterface : public testing::Test {
 protected:
  ~CInterface() override { skinlight_report_free(report_); }
  skinlight_status judge() {
    skinlight_report_free(report_);
    strip_.in.rig = &strip_.rig;
    return skinlight_judge(&strip_.in, &report_);
  }
  void refuses(const char* what) {
    EXPECT_EQ(judge(), SKINLIGHT_BAD_INPUT) << what;
    EXPECT_EQ(report_, nullptr);
    EXPECT_THAT(skinlight_error_text(), HasSubstr(what));
    strip_ = Strip();
  }

  Strip strip_;
  skinlight_report* report_ = nullptr;
};

TEST_F(CInterface, WorksFromStrictC) {
  double max_error = 0;
  char id[32] = "";
  EXPECT_EQ(judge_from_c(&max_error, id, sizeof id), SKINLIGHT_OK);
  EXPECT_GT(max_error, 45);
  EXPECT_STREQ(id, "rest");
}

TEST_F(CInterface, ReportsErrorsFitsAndVerdict) {
  ASSERT_EQ(judge(), SKINLIGHT_OK) << skinlight_error_text();
  skinlight_verdict verdict = {};
  verdict.struct_size = sizeof verdict;
  ASSERT_EQ(skinlight_report_verdict(report_, SKINLIGHT_NORMALS, &verdict), SKINLIGHT_OK);
  EXPECT_EQ(verdict.kind, SKINLIGHT_APPROXIMATION);
  EXPECT_EQ(verdict.lengths, SKINLIGHT_NOT_NORMALISED);  // cos at the middle row
  EXPECT_NEAR(verdict.min_length, std::cos(.5236), 1e-3);
  EXPECT_NEAR(verdict.max_length, 1, 1e-3);

  skinlight_fit fit = {};
  fit.struct_size = sizeof fit;
  ASSERT_EQ(skinlight_report_fit(report_, SKINLIGHT_NORMALS, verdict.fit, &fit), SKINLIGHT_OK);
  EXPECT_STREQ(fit.id, "standard");
  EXPECT_EQ(fit.kind, SKINLIGHT_APPROXIMATION);
  EXPECT_EQ(fit.same, 0);
  EXPECT_LT(fit.mean, 1e-4);
  EXPECT_EQ(fit.share, 1);
  double last = 0;
  for (std::size_t i = 0; i < skinlight_report_fit_count(report_, SKINLIGHT_NORMALS); ++i) {
    ASSERT_EQ(skinlight_report_fit(report_, SKINLIGHT_NORMALS, i, &fit), SKINLIGHT_OK);
    EXPECT_GE(fit.mean, last);
    EXPECT_NE(fit.what[0], '\0');
    last = fit.mean;
  }
  EXPECT_GT(last, 90);  // reversed ones

  skinlight_errors errors = {};
  errors.struct_size = sizeof errors;
  for (const int truth : {SKINLIGHT_TRANSPORTED, SKINLIGHT_RECOMPUTED}) {
    ASSERT_EQ(skinlight_report_errors(report_, SKINLIGHT_NORMALS, truth, &errors), SKINLIGHT_OK);
    EXPECT_GT(errors.mean, 1);
    EXPECT_GE(errors.rms, errors.mean);
    EXPECT_GE(errors.p99, errors.p95);
    EXPECT_GE(errors.max, errors.p99);
    EXPECT_LT(errors.worst_vertex, 18u);
    EXPECT_EQ(errors.flips, 0u);
  }
  EXPECT_THAT(skinlight_report_text(report_), HasSubstr("APPROXIMATION: the standard approximation"));
}

TEST_F(CInterface, TangentsAndTheirSignsAreJudgedWhenGiven) {
  skinlight_errors errors = {};
  errors.struct_size = sizeof errors;
  ASSERT_EQ(judge(), SKINLIGHT_OK);
  EXPECT_EQ(skinlight_report_errors(report_, SKINLIGHT_TANGENTS, SKINLIGHT_TRANSPORTED, &errors),
            SKINLIGHT_BAD_CALL);
  EXPECT_EQ(skinlight_report_fit_count(report_, SKINLIGHT_TANGENTS), 0u);

  strip_.rig.uv = skinlight_floats(strip_.uv.data());
  strip_.tangents[7] = -1;
  strip_.in.tangents = skinlight_floats(strip_.tangents.data());
  ASSERT_EQ(judge(), SKINLIGHT_OK) << skinlight_error_text();
  ASSERT_EQ(skinlight_report_errors(report_, SKINLIGHT_TANGENTS, SKINLIGHT_TRANSPORTED, &errors),
            SKINLIGHT_OK);
  EXPECT_LT(errors.max, .1);
  EXPECT_EQ(skinlight_report_errors(report_, SKINLIGHT_TANGENTS, SKINLIGHT_RECOMPUTED, &errors),
            SKINLIGHT_BAD_CALL);
  skinlight_verdict verdict = {};
  verdict.struct_size = sizeof verdict;
  ASSERT_EQ(skinlight_report_verdict(report_, SKINLIGHT_TANGENTS, &verdict), SKINLIGHT_OK);
  EXPECT_EQ(verdict.wrong_signs, 1u);
}

TEST_F(CInterface, NullsAreErrorsWithTheArraysName) {
  for (const auto& [member, what] : {std::pair{&skinlight_rig_arrays::positions, "positions"},
                                     {&skinlight_rig_arrays::faces, "faces"},
                                     {&skinlight_rig_arrays::bones, "bones"},
                                     {&skinlight_rig_arrays::weights, "weights"}}) {
    (strip_.rig.*member).data = nullptr;
    refuses(what);
  }
  strip_.in.pose.data = nullptr;
  refuses("pose");
  strip_.in.normals.data = nullptr;
  refuses("normals");
}

TEST_F(CInterface, CountsOutOfRangeAreErrors) {
  constexpr std::size_t kHuge = std::numeric_limits<std::size_t>::max();
  for (const std::size_t count : {std::size_t{0}, kHuge, kHuge / 12}) {
    strip_.rig.vertex_count = count;
    refuses("vertex_count");
    strip_.rig.face_count = count;
    refuses("face_count");
    strip_.rig.bone_count = count;
    refuses("bone_count");
    strip_.rig.influences = count;
    refuses("influences");
  }
}

TEST_F(CInterface, ValuesOutOfRangeAreErrors) {
  strip_.normals[4] = std::numeric_limits<float>::quiet_NaN();
  refuses("normals, vertex 1");
  strip_.positions[4] = std::numeric_limits<float>::infinity();
  refuses("positions, vertex 1");
  strip_.pose[4] = std::numeric_limits<float>::quiet_NaN();
  refuses("pose, bone 0");
  strip_.faces[4] = 18;
  refuses("faces, face 1: vertex 18 does not exist");
  strip_.faces[4] = 0xffffffffu;
  refuses("faces, face 1");
  strip_.bones[4] = 2;
  refuses("bone 2 does not exist");
  strip_.in.method = 7;
  refuses("method");
  strip_.in.threads = -1;
  refuses("threads");
  strip_.in.tolerance = -1;
  refuses("tolerance");
}

// As a rig has it: where influences are dropped is the caller's choice.
TEST_F(CInterface, FewerSlotsThanInfluencesAreErrors) {
  strip_.in.slots = 1;
  refuses("slots: 1 is less than the 2 influences per vertex");
  strip_.in.slots = 2;
  EXPECT_EQ(judge(), SKINLIGHT_OK) << skinlight_error_text();
}

TEST_F(CInterface, BrokenCallsAreTold) {
  EXPECT_EQ(skinlight_judge(nullptr, &report_), SKINLIGHT_BAD_CALL);
  EXPECT_THAT(skinlight_error_text(), HasSubstr("input is NULL"));
  EXPECT_EQ(skinlight_judge(&strip_.in, nullptr), SKINLIGHT_BAD_CALL);
  EXPECT_THAT(skinlight_error_text(), HasSubstr("report is NULL"));
  strip_.in.struct_size = 0;
  EXPECT_EQ(judge(), SKINLIGHT_BAD_CALL);
  EXPECT_THAT(skinlight_error_text(), HasSubstr("struct_size"));

  skinlight_errors errors = {};
  errors.struct_size = sizeof errors;
  EXPECT_EQ(skinlight_report_errors(nullptr, SKINLIGHT_NORMALS, SKINLIGHT_TRANSPORTED, &errors),
            SKINLIGHT_BAD_CALL);
  EXPECT_EQ(skinlight_report_text(nullptr), nullptr);
  EXPECT_EQ(skinlight_report_fit_count(nullptr, SKINLIGHT_NORMALS), 0u);
  skinlight_report_free(nullptr);
  strip_ = Strip();
  ASSERT_EQ(judge(), SKINLIGHT_OK);
  EXPECT_EQ(skinlight_report_errors(report_, 7, SKINLIGHT_TRANSPORTED, &errors), SKINLIGHT_BAD_CALL);
  EXPECT_EQ(skinlight_report_errors(report_, SKINLIGHT_NORMALS, 7, &errors), SKINLIGHT_BAD_CALL);
  EXPECT_EQ(skinlight_report_errors(report_, SKINLIGHT_NORMALS, SKINLIGHT_TRANSPORTED, nullptr),
            SKINLIGHT_BAD_CALL);
  errors.struct_size = 0;
  EXPECT_EQ(skinlight_report_errors(report_, SKINLIGHT_NORMALS, SKINLIGHT_TRANSPORTED, &errors),
            SKINLIGHT_BAD_CALL);
  skinlight_fit fit = {};
  fit.struct_size = sizeof fit;
  EXPECT_EQ(skinlight_report_fit(report_, SKINLIGHT_NORMALS, 1000, &fit), SKINLIGHT_BAD_CALL);
}

TEST_F(CInterface, ErrorsAreToldInPartsAndToTheirThreadOnly) {
  strip_.in.normals.data = nullptr;
  ASSERT_EQ(judge(), SKINLIGHT_BAD_INPUT);
  EXPECT_STREQ(skinlight_error_text(), "normals: is NULL");
  EXPECT_STREQ(skinlight_error_file(), "");
  EXPECT_STREQ(skinlight_error_element(), "normals");
  EXPECT_STREQ(skinlight_error_reason(), "is NULL");
  std::string elsewhere = "unset", of_file;
  std::thread([&] {
    elsewhere = skinlight_error_text();
    skinlight_rig* rig = nullptr;
    skinlight_rig_read("no/such/file.glb", nullptr, &rig);
    of_file = skinlight_error_file();
  }).join();
  EXPECT_EQ(elsewhere, "");
  EXPECT_EQ(of_file, "no/such/file.glb");
  EXPECT_STREQ(skinlight_error_element(), "normals");
}

// A caller of an older version has a shorter struct: nothing behind it is written.
TEST_F(CInterface, ShorterStructsOfOlderCallersAreRespected) {
  ASSERT_EQ(judge(), SKINLIGHT_OK);
  skinlight_errors errors;
  std::memset(&errors, 0x55, sizeof errors);
  errors.struct_size = offsetof(skinlight_errors, p95);
  double untouched;
  std::memset(&untouched, 0x55, sizeof untouched);
  ASSERT_EQ(skinlight_report_errors(report_, SKINLIGHT_NORMALS, SKINLIGHT_TRANSPORTED, &errors),
            SKINLIGHT_OK);
  EXPECT_GT(errors.mean, 0);
  EXPECT_EQ(errors.struct_size, offsetof(skinlight_errors, p95));
  EXPECT_EQ(std::memcmp(&errors.p95, &untouched, sizeof untouched), 0);
}

TEST_F(CInterface, VersionIsTheProjects) { EXPECT_THAT(skinlight_version(), HasSubstr(".")); }

}  // namespace
