#include "skinlight/core/names.h"

#include <gtest/gtest.h>

namespace skinlight {
namespace {

// Distances by hand: kitten -> sitting takes 3 letters, near -> nera one swap.
TEST(Names, TheNearestTakesTheFewestLetters) {
  EXPECT_EQ(nearest("sitting", {"sit", "kitten", "sailing-boat"}), "kitten");
  EXPECT_EQ(nearest("nera", {"far", "near", "none"}), "near");
  EXPECT_EQ(nearest("", {"abc", "ab"}), "ab");
  EXPECT_EQ(nearest("b", {}), "");
}

TEST(Names, AGuessIsMadeOnlyWhereItIsLikely) {
  const std::vector<std::string> names = {"lbs", "dqs", "crs"};
  EXPECT_EQ(unknown_name("dqs2", names), "unknown; did you mean 'dqs'? Choose one of lbs, dqs, crs");
  EXPECT_EQ(unknown_name("spline", names), "unknown; choose one of lbs, dqs, crs");
}

// One letter in three may be wrong, and one of a shorter rest.
TEST(Names, OneLetterInThreeMayBeWrong) {
  for (std::size_t letters = 1; letters <= 12; ++letters)
    for (std::size_t wrong = 1; wrong <= letters; ++wrong) {
      const std::string name = std::string(wrong, 'z') + std::string(letters - wrong, 'a');
      const bool meant =
          unknown_name(name, {std::string(letters, 'a')}).starts_with("unknown; did you mean 'a");
      EXPECT_EQ(meant, 3 * wrong < letters + 3) << wrong << " of " << letters;
    }
}

TEST(Names, ABeginningIsMeant) {
  const std::vector<std::string> names = {"merry2006", "bittner2019", "bittner2019/fig2"};
  EXPECT_EQ(unknown_name("bittner", names).find("unknown; did you mean 'bittner2019'? "), 0u);
  EXPECT_EQ(unknown_name("bi", names).find("unknown; choose one of "), 0u);
}

TEST(Names, ALongListIsNotAddedToAGuess) {
  std::vector<std::string> names;
  for (int i = 0; i < 40; ++i) names.push_back("paper/figure" + std::to_string(i));
  EXPECT_EQ(unknown_name("papers/figure17", names), "unknown; did you mean 'paper/figure17'?");
  EXPECT_NE(unknown_name("xyz", names).find("choose one of paper/figure0, "), std::string::npos);
}

TEST(Names, RowsAreFoundAndRefusedByName) {
  struct Row {
    std::string_view name;
    int value;
  };
  const std::vector<Row> rows = {{"one", 1}, {"two", 2}};
  EXPECT_EQ(row_named(rows, "two", "number").value, 2);
  try {
    row_named(rows, "tow", "number");
    FAIL();
  } catch (const InputError& e) {
    EXPECT_STREQ(e.what(), "number 'tow': unknown; did you mean 'two'? Choose one of one, two");
  }
}

}  // namespace
}  // namespace skinlight
