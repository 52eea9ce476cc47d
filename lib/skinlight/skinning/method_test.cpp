#include "skinlight/skinning/method.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <functional>

#include "skinlight/core/error.h"

namespace skinlight {
namespace {

using testing::HasSubstr;

TEST(Methods, NamesAndRowsAreInverse) {
  for (const MethodRow& m : methods()) {
    EXPECT_EQ(method_from_name(m.name), m.method);
    EXPECT_EQ(&row(m.method), &m);
    EXPECT_FALSE(m.modes.empty());
  }
  for (const NormalModeRow& m : normal_modes()) {
    EXPECT_EQ(normal_mode_from_name(m.name), m.mode);
    EXPECT_EQ(&row(m.mode), &m);
    EXPECT_FALSE(m.label.empty());
    EXPECT_FALSE(m.equation.empty());
  }
  // `exact` and `exact-fixed-centre` are no modes of LBS.
  EXPECT_EQ(row(Method::lbs).modes.size() + 2, normal_modes().size());
  EXPECT_EQ(row(Method::dqs).modes.size(), 4u);
  EXPECT_EQ(row(Method::crs).modes.size(), 4u);
  EXPECT_EQ(row(Method::lbs).name, "lbs");
  EXPECT_EQ(row(Method::dqs).name, "dqs");
  EXPECT_EQ(row(NormalMode::deform).name, "deform");
}

TEST(Methods, UnknownNamesListTheKnownOnes) {
  const auto error = [](const std::function<void()>& call) -> std::string {
    try {
      call();
    } catch (const InputError& e) {
      return e.what();
    }
    return "accepted";
  };
  EXPECT_EQ(error([] { method_from_name("dqs2"); }),
            "skinning method 'dqs2': unknown; choose one of lbs, dqs, crs, sbs, log");
  EXPECT_THAT(error([] { normal_mode_from_name("Deform"); }),
              HasSubstr("standard, inverse-transpose, cofactors, tangent-pair, deform-naive, deform, exact"));
}

}  // namespace
}  // namespace skinlight
