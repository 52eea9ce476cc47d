#include "skinlight/skinning/kernel_table.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <functional>
#include <stdexcept>
#include <string>

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
  EXPECT_EQ(row(Method::lbs).modes.size() + 3, normal_modes().size());
  EXPECT_EQ(row(Method::dqs).modes.size(), 5u);
  EXPECT_EQ(row(Method::crs).modes.size(), 5u);
  EXPECT_EQ(row(Method::lbs).name, "lbs");
  EXPECT_EQ(row(Method::dqs).name, "dqs");
  EXPECT_EQ(row(NormalMode::deform).name, "deform");
}

// Which kernels guards act on: those that add something of varying weights to T t0.
TEST(Kernels, GuardsActOnStableDerivatives) {
  std::string guarded;
  for (const KernelRow& k : kernel_rows())
    if (k.guards) guarded += std::string(row(k.method).name) + "/" + std::string(row(k.mode).name) + " ";
  EXPECT_EQ(
      guarded,
      "lbs/deform lbs/smoothed lbs/deform-vectors dqs/exact dqs/smoothed crs/exact-fixed-centre crs/exact "
      "crs/smoothed sbs/exact sbs/smoothed log/exact log/smoothed dib/exact dib/smoothed ");
}

TEST(Kernels, AreFoundByMethodAndMode) {
  for (const KernelRow& k : kernel_rows()) EXPECT_EQ(&kernel_row(k.method, k.mode), &k);
  EXPECT_THROW(kernel_row(Method::dqs, NormalMode::cofactors), InputError);
  EXPECT_THROW(kernel_row(Method::lbs, NormalMode::exact), InputError);
  EXPECT_THROW(kernel_row(Method::dib, NormalMode::deform_frames), InputError);
}

// [TPS14 Table 1]: what the standard method takes with affine transforms of N bones, 12 N + 36.
TEST(Kernels, OperationsAreThoseOfTheStandardMethod_Table1) {
  for (const int slots : {1, 2, 3, 4, 5, 6, 8})
    EXPECT_EQ(kernel_operations(Method::lbs, NormalMode::standard, slots), 12 * slots + 36) << slots;
  EXPECT_THROW(kernel_operations(Method::lbs, NormalMode::standard, 7), std::logic_error);
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
  EXPECT_EQ(
      error([] { method_from_name("dqs2"); }),
      "skinning method 'dqs2': unknown; did you mean 'dqs'? Choose one of lbs, dqs, crs, sbs, log, dib");
  EXPECT_THAT(
      error([] { normal_mode_from_name("Deform"); }),
      HasSubstr(
          "standard, inverse-transpose, cofactors, tangent-pair, deform-naive, deform-eq13, deform, exact"));
}

}  // namespace
}  // namespace skinlight
