// The C interface as a caller meets it, mistakes included.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <cmath>
#include <cstring>
#include <limits>
#include <string>
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
  skinlight_judge_input in = {};

  Strip() {
    constexpr std::uint32_t kRows = 9;
    for (std::uint32_t y = 0; y < kRows; ++y)
      for (std::uint32_t x = 0; x < 2; ++x) {
        const float w = static_cast<float>(y) / (kRows - 1);
        positions.insert(positions.end(), {static_cast<float>(x), 4 * w, 0});
        uv.insert(uv.end(), {static_cast<float>(x), w});
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
    in.struct_size = sizeof in;
    in.vertex_count = 2 * kRows;
    in.face_count = faces.size() / 3;
    in.bone_count = 2;
    in.influences = 2;
    in.positions = positions.data();
    in.faces = faces.data();
    in.bones = bones.data();
    in.weights = weights.data();
    in.pose = pose.data();
    in.normals = normals.data();
  }
};

class CInterface : public testing::Test {
 protected:
  ~CInterface() override { skinlight_report_free(report_); }
  skinlight_status judge() {
    skinlight_report_free(report_);
    return skinlight_judge(&strip_.in, &report_, message_, sizeof message_);
  }
  void refuses(const char* what) {
    EXPECT_EQ(judge(), SKINLIGHT_BAD_INPUT) << what;
    EXPECT_EQ(report_, nullptr);
    EXPECT_THAT(message_, HasSubstr(what));
    strip_ = Strip();
  }

  Strip strip_;
  skinlight_report* report_ = nullptr;
  char message_[200] = "";
};

TEST_F(CInterface, WorksFromStrictC) {
  double max_error = 0;
  char id[32] = "";
  EXPECT_EQ(judge_from_c(&max_error, id, sizeof id), SKINLIGHT_OK);
  EXPECT_GT(max_error, 45);
  EXPECT_STREQ(id, "rest");
}

TEST_F(CInterface, ReportsErrorsFitsAndVerdict) {
  ASSERT_EQ(judge(), SKINLIGHT_OK) << message_;
  EXPECT_STREQ(message_, "");
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

  strip_.in.uv = strip_.uv.data();
  strip_.tangents[7] = -1;
  strip_.in.tangents = strip_.tangents.data();
  ASSERT_EQ(judge(), SKINLIGHT_OK) << message_;
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
  for (const auto& [member, what] : {std::pair{&skinlight_judge_input::positions, "positions"},
                                     {&skinlight_judge_input::weights, "weights"},
                                     {&skinlight_judge_input::pose, "pose"},
                                     {&skinlight_judge_input::normals, "normals"}}) {
    strip_.in.*member = nullptr;
    refuses(what);
  }
  strip_.in.faces = nullptr;
  refuses("faces");
  strip_.in.bones = nullptr;
  refuses("bones");
}

TEST_F(CInterface, CountsOutOfRangeAreErrors) {
  constexpr std::size_t kHuge = std::numeric_limits<std::size_t>::max();
  for (const std::size_t count : {std::size_t{0}, kHuge, kHuge / 12}) {
    strip_.in.vertex_count = count;
    refuses("vertex_count");
    strip_.in.face_count = count;
    refuses("face_count");
    strip_.in.bone_count = count;
    refuses("bone_count");
    strip_.in.influences = count;
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

TEST_F(CInterface, BrokenCallsAreTold) {
  EXPECT_EQ(skinlight_judge(nullptr, &report_, message_, sizeof message_), SKINLIGHT_BAD_CALL);
  EXPECT_THAT(message_, HasSubstr("input is NULL"));
  EXPECT_EQ(skinlight_judge(&strip_.in, nullptr, message_, sizeof message_), SKINLIGHT_BAD_CALL);
  EXPECT_THAT(message_, HasSubstr("report is NULL"));
  EXPECT_EQ(skinlight_judge(&strip_.in, nullptr, nullptr, 0), SKINLIGHT_BAD_CALL);
  strip_.in.struct_size = 0;
  EXPECT_EQ(judge(), SKINLIGHT_BAD_CALL);
  EXPECT_THAT(message_, HasSubstr("struct_size"));

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

TEST_F(CInterface, MessagesAreCutToFit) {
  strip_.in.normals = nullptr;
  char small[8];
  std::memset(small, 'x', sizeof small);
  EXPECT_EQ(skinlight_judge(&strip_.in, &report_, small, 5), SKINLIGHT_BAD_INPUT);
  EXPECT_STREQ(small, "norm");
  EXPECT_EQ(small[5], 'x');
  EXPECT_EQ(skinlight_judge(&strip_.in, &report_, nullptr, 0), SKINLIGHT_BAD_INPUT);
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

// What programs in other languages have written down. Only additions at the end may change these.
TEST_F(CInterface, LayoutIsThatOfTheFirstVersion) {
  static_assert(sizeof(void*) == 8, "layouts below are those of 64-bit machines");
  EXPECT_EQ(offsetof(skinlight_judge_input, positions), 40u);
  EXPECT_EQ(offsetof(skinlight_judge_input, normals), 112u);
  EXPECT_EQ(offsetof(skinlight_judge_input, tolerance), 136u);
  EXPECT_EQ(offsetof(skinlight_errors, flips), 56u);
  EXPECT_EQ(offsetof(skinlight_fit, share), 64u);
  EXPECT_EQ(offsetof(skinlight_verdict, wrong_signs), 56u);
}

TEST_F(CInterface, VersionIsTheProjects) { EXPECT_THAT(skinlight_version(), HasSubstr(".")); }

}  // namespace
