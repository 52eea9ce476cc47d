#include "repro/runner/claim_file.h"

#include <gmock/gmock.h>

#include <nlohmann/json.hpp>
#include <regex>
#include <set>

#include "repro/runner/data_file.h"
#include "repro/runner/registry.h"
#include "skinlight/core/error.h"

namespace skinlight::repro {
namespace {

using Json = nlohmann::json;
using ::testing::HasSubstr;

Json complete() {
  return {{"name", "one"},      {"kind", "printed"},          {"statement", "It is one."},
          {"place", "Table 1"}, {"paper_value", 1},           {"expected", 1},
          {"bound", "within"},  {"tolerance", 0.5},           {"oracle", "by hand"},
          {"why", "Rounding."}, {"fails_when", "It is two."}, {"verdict", "reproduced"}};
}

std::vector<Claim> read(const Json& entry) {
  return read_claims("a.claims.json", Json{{"claims", {entry}}}.dump());
}

std::string complaint(const Json& entry) {
  try {
    read(entry);
  } catch (const InputError& e) {
    EXPECT_EQ(e.file(), "a.claims.json");
    return e.element() + ": " + e.reason();
  }
  return "";
}

Json with(const char* field, const Json& value) {
  Json entry = complete();
  entry[field] = value;
  return entry;
}

TEST(ClaimFile, EveryFieldIsReadAndNoneMayBeMissing) {
  const Claim claim = read(with("model", "fox")).at(0);
  EXPECT_EQ(claim.name, "one");
  EXPECT_EQ(claim.kind, ClaimKind::printed);
  EXPECT_EQ(claim.statement, "It is one.");
  EXPECT_EQ(claim.place, "Table 1");
  EXPECT_EQ(claim.paper_value, 1);
  EXPECT_EQ(claim.expected, 1);
  EXPECT_EQ(claim.bound, Bound::within);
  EXPECT_EQ(claim.tolerance, 0.5);
  EXPECT_EQ(claim.oracle, "by hand");
  EXPECT_EQ(claim.fails_when, "It is two.");
  EXPECT_EQ(claim.why, "Rounding.");
  EXPECT_EQ(claim.verdict, Verdict::reproduced);
  EXPECT_EQ(claim.model, "fox");
  const Json whole = complete();
  for (const auto& [field, value] : whole.items()) {
    Json entry = whole;
    entry.erase(field);
    EXPECT_THAT(complaint(entry), HasSubstr("has no '" + field + "'"));
  }
}

TEST(ClaimFile, WordsThatSayNothingOrContradictEachOtherAreNamed) {
  EXPECT_EQ(complaint(complete()), "");
  EXPECT_THAT(complaint(with("note", "x")), HasSubstr("one: has an unknown field 'note'"));
  EXPECT_THAT(complaint(with("kind", "guess")), HasSubstr("'kind' cannot be 'guess'"));
  EXPECT_THAT(complaint(with("bound", "near")), HasSubstr("'bound' cannot be 'near'"));
  EXPECT_THAT(complaint(with("verdict", "failed")), HasSubstr("'verdict' cannot be 'failed'"));
  EXPECT_THAT(complaint(with("verdict", "not-run")), HasSubstr("'verdict' cannot be 'not-run'"));
  EXPECT_THAT(complaint(with("oracle", "")), HasSubstr("has an empty 'oracle'"));
  EXPECT_THAT(complaint(with("fails_when", "")), HasSubstr("has an empty 'fails_when'"));
  EXPECT_THAT(complaint(with("expected", "1")), HasSubstr("'expected' is no finite number"));
  EXPECT_THAT(complaint(with("paper_value", nullptr)), HasSubstr("paper_value if and only if"));
  EXPECT_THAT(complaint(with("kind", "statement")), HasSubstr("paper_value if and only if"));
  EXPECT_THAT(complaint(with("place", "")), HasSubstr("empty place if and only if"));
  EXPECT_THAT(complaint(with("tolerance", -1)), HasSubstr("tolerance that its bound does not allow"));
  EXPECT_THAT(complaint(with("bound", "at_most")), HasSubstr("tolerance that its bound does not allow"));

  Json own = with("kind", "own");
  own["place"] = "";
  own["paper_value"] = nullptr;
  EXPECT_EQ(complaint(own), "");
  for (const char* verdict : {"deviates", "differs-by-design"}) {
    own["verdict"] = verdict;
    EXPECT_THAT(complaint(own), HasSubstr("cannot deviate"));
    Json silent = with("verdict", verdict);
    EXPECT_EQ(complaint(silent), "");
    silent["why"] = "";
    EXPECT_THAT(complaint(silent), HasSubstr("must say in 'why'"));
  }
}

TEST(ClaimFile, AnEntryWithRowsStandsForOneClaimEach) {
  Json entry = complete();
  entry["name"] = "lbs_{n}";
  entry["statement"] = "{method}, N = {n}, on the {model}";
  entry["each"] = {{{"n", "2"}, {"model", "fox"}, {"expected", 12}}, {{"n", "3"}, {"model", "wolf"}}};
  const Json file = {{"words", {{"method", "LBS"}}}, {"claims", {entry}}};
  const std::vector<Claim> claims = read_claims("a", file.dump());
  ASSERT_EQ(claims.size(), 2);
  EXPECT_EQ(claims[0].name, "lbs_2");
  EXPECT_EQ(claims[0].statement, "LBS, N = 2, on the fox");
  EXPECT_EQ(claims[0].expected, 12);
  EXPECT_EQ(claims[1].name, "lbs_3");
  EXPECT_EQ(claims[1].expected, 1);
  EXPECT_EQ(claims[1].model, "wolf");
}

TEST(ClaimFile, PlaceholdersAndTheirTextsBelongTogether) {
  EXPECT_THAT(complaint(with("why", "As {nobody} says.")), HasSubstr("has no text for {nobody}"));
  EXPECT_THAT(complaint(with("why", "As {nobody says.")), HasSubstr("brace that does not close"));
  EXPECT_THAT(complaint(with("each", {{{"n", "2"}}})), HasSubstr("no text uses 'n'"));
  EXPECT_THAT(complaint(with("each", {{{"n", 2}}})), HasSubstr("'n' is no text"));
  const Json unused = {{"words", {{"smooth", "x"}}}, {"claims", {complete()}}};
  EXPECT_THROW(read_claims("a", unused.dump()), InputError);
  const Json twice = {{"claims", {complete(), complete()}}};
  EXPECT_THROW(read_claims("a", twice.dump()), InputError);
  for (const char* broken :
       {"{", "[]", R"({"claims": 1})", R"({"claims": [1]})", R"({"claims": [], "more": 1})"})
    EXPECT_THROW(read_claims("a", broken), InputError) << broken;
}

TEST(ClaimFile, BothHalvesOfEveryClaimMustBeThere) {
  const std::vector<Claim> words = read(complete());
  const Finding one = {"one", [](const Results&) { return 1.25; }};
  const std::vector<Claim> joined = join_claims("a", {one}, words, {});
  ASSERT_EQ(joined.size(), 1);
  EXPECT_EQ(joined[0].value({}), 1.25);
  EXPECT_EQ(join_claims("a", {one}, {}, words).size(), 1);
  EXPECT_TRUE(join_claims("a", {}, {}, words).empty());
  EXPECT_THROW(join_claims("a", {}, words, {}), InputError);
  EXPECT_THROW(join_claims("a", {one}, {}, {}), InputError);
  EXPECT_THROW(join_claims("a", {one, one}, words, {}), InputError);
}

// The claims of the project.

TEST(Experiments, ClaimsAreWholeSentencesAboutWhatIsHere) {
  // Sources that nobody who reads this repository can look up.
  const std::regex elsewhere("prototype|numerics", std::regex::icase);
  for (const Experiment& e : experiments())
    for (const Claim& claim : e.claims) {
      EXPECT_EQ(claim.fails_when.back(), '.') << e.id << ", " << claim.name;
      for (const std::string* text :
           {&claim.statement, &claim.place, &claim.oracle, &claim.fails_when, &claim.why})
        EXPECT_FALSE(std::regex_search(*text, elsewhere)) << e.id << ", " << claim.name << ": " << *text;
    }
}

TEST(Experiments, ClaimsAboutModelsNameThoseOfTheExperiment) {
  for (const Experiment& e : experiments())
    for (const Claim& claim : e.claims) {
      if (claim.model.empty()) continue;
      std::set<std::string> models;
      for (const ModelCase& m : e.models) models.insert(m.name);
      EXPECT_EQ(models.count(claim.model), 1) << e.id << ", " << claim.name << ": " << claim.model;
    }
}

TEST(Experiments, CommonWordsAreUsed) {
  for (const Claim& claim : read_claims("common", data_file("common.claims.json"))) {
    int used = 0;
    for (const Experiment& e : experiments())
      for (const Claim& c : e.claims) used += c.name == claim.name && c.why == claim.why;
    EXPECT_GT(used, 1) << claim.name;
  }
}

TEST(Experiments, IdsAndCitationsComeFromTheTableOfPapers) {
  EXPECT_EQ(experiment("tarini2014/fig2_pill").paper, "Tarini, Panozzo, Sorkine-Hornung 2014, Fig. 2");
  EXPECT_EQ(experiment("beyond/exact_crs").paper, "Beyond Le, Hodgins 2016 and Bittner et al. 2019");
  EXPECT_EQ(experiment("beyond/exact_dqs").paper, "Beyond Tarini, Panozzo, Sorkine-Hornung 2014, Sec. 4.5");
  EXPECT_THROW(experiment("tarini2014/fig9"), InputError);
}

}  // namespace
}  // namespace skinlight::repro
