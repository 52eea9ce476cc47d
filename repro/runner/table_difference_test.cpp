#include "repro/runner/table_difference.h"

#include <gtest/gtest.h>

#include <vector>

namespace skinlight::repro {
namespace {

const std::string kReference = "rig,label,error,ms\nfox,\"a, b\",2,5\npill,c,nan,6\nfox_alike,d,-1,7\n";

std::string difference(std::string text, const std::string& from, const std::string& to) {
  const std::vector<std::string> times = {"ms"};
  text.replace(text.find(from), from.size(), to);
  return table_difference(text, kReference, {1e-3, 1e-4}, times);
}

TEST(TableDifference, NumbersAreHeldToTheirToleranceAndTextsAreEqual) {
  EXPECT_EQ(difference(kReference, "", ""), "");
  EXPECT_EQ(difference(kReference, ",2,", ",2.0019,"), "");
  EXPECT_EQ(difference(kReference, ",2,", ",2.0021,"),
            "row 1 (fox), column error: 2.0021, and 2 in its reference");
  EXPECT_EQ(difference(kReference, "a, b", "a, c"),
            "row 1 (fox), column label: a, c, and a, b in its reference");
  EXPECT_NE(difference(kReference, "nan", "0"), "");  // neither is a number like any other
  EXPECT_NE(difference(kReference, ",2,", ",nan,"), "");
  EXPECT_NE(difference(kReference, ",2,", ",,"), "");
}

TEST(TableDifference, NumbersNearZeroDifferByAnAmount) {
  const auto of = [](const char* a, const char* b) {
    return table_difference(std::string("x\n") + a + "\n", std::string("x\n") + b + "\n", {1e-3, 1e-4}, {});
  };
  EXPECT_EQ(of("0.00009", "0"), "");
  EXPECT_NE(of("0.00011", "0"), "");
}

TEST(TableDifference, TimesOnlyHaveToBeThere) {
  EXPECT_EQ(difference(kReference, ",5\n", ",50\n"), "");
  EXPECT_NE(difference(kReference, ",5\n", "\n"), "");
}

TEST(TableDifference, RowsAndColumnsAreThoseOfTheReference) {
  EXPECT_EQ(difference(kReference, "pill,c,nan,6\n", ""), "has 2 rows, its reference 3");
  EXPECT_EQ(difference(kReference, "error", "angle"), "has other columns than its reference");
  EXPECT_EQ(table_difference("", kReference, {}, {}), "has other columns than its reference");
}

TEST(TableDifference, RowsOfWhatIsAbsentAreNotMissed) {
  const auto fox = [](const std::string& rig) { return rig.starts_with("fox"); };
  EXPECT_EQ(table_difference("rig,label,error,ms\npill,c,nan,6\n", kReference, {}, {}, fox), "");
  EXPECT_NE(table_difference("rig,label,error,ms\npill,c,1,6\n", kReference, {}, {}, fox), "");
}

}  // namespace
}  // namespace skinlight::repro
