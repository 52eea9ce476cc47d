// The list of all experiments, and how it is asked.
#include "repro/runner/registry.h"

#include <gmock/gmock.h>

#include <set>

#include "repro/runner/papers.h"
#include "skinlight/core/error.h"
#include "testing/error_of.h"

namespace skinlight::repro {
namespace {

using test_errors::error_of;

using ::testing::HasSubstr;

std::vector<std::string> chosen(const std::vector<std::string>& ids) {
  std::vector<std::string> names;
  for (const Experiment* e : experiments_of(ids)) names.push_back(e->id);
  return names;
}

TEST(Registry, HasEveryExperimentOnceInTheOrderOfItsTableWithAFindingForEachClaim) {
  ASSERT_EQ(experiments().size(), registered().size());
  std::set<std::string> ids;
  for (std::size_t i = 0; i < experiments().size(); ++i) {
    const Experiment& e = experiments()[i];
    EXPECT_EQ(e.id, std::string(registered()[i].paper) + "/" + registered()[i].name);
    EXPECT_TRUE(ids.insert(e.id).second) << e.id;
    EXPECT_FALSE(e.claims.empty()) << e.id;
    for (const Claim& claim : e.claims) EXPECT_TRUE(claim.value) << e.id << " " << claim.name;
    EXPECT_EQ(&experiment(e.id), &e);
  }
}

TEST(Registry, SaysWhichPapersAnExperimentIsOfOrGoesBeyond) {
  EXPECT_EQ(experiment("tarini2014/fig2_pill").paper, "Tarini, Panozzo, Sorkine-Hornung 2014, Fig. 2");
  EXPECT_EQ(experiment("beyond/slots").paper, "Beyond Tarini, Panozzo, Sorkine-Hornung 2014");
  EXPECT_EQ(experiment("beyond/exact_crs").paper, "Beyond Le, Hodgins 2016 and Bittner et al. 2019");
  for (const Paper& p : papers()) EXPECT_EQ(&paper(p.id), &p);
  EXPECT_THROW(paper("nobody1999"), std::logic_error);
}

TEST(Registry, IdsChooseEachOnceInTheOrderOfTheReport) {
  const std::vector<std::string> two = {"tarini2014/fig2_pill", "tarini2014/fig5_flips"};
  EXPECT_EQ(chosen({two[1], two[0], two[1]}), two);
  EXPECT_EQ(chosen({}).size(), experiments().size());
  std::vector<std::string> of_paper;
  for (const Experiment& e : experiments())
    if (e.id.rfind("tarini2014/", 0) == 0) of_paper.push_back(e.id);
  ASSERT_GT(of_paper.size(), 2u);
  ASSERT_LT(of_paper.size(), experiments().size());
  EXPECT_EQ(chosen({two[0], "tarini2014"}), of_paper);
}

TEST(Registry, WhatDoesNotExistIsToldWithTheNearest) {
  EXPECT_THAT(error_of([] { experiment("tarini2014/fig2_pil"); }), HasSubstr("tarini2014/fig2_pill"));
  EXPECT_THAT(error_of([] {
                chosen({"tarini2014", "tarini2014/fig2_pil"});
              }),
              HasSubstr("tarini2014/fig2_pill"));
  EXPECT_THAT(error_of([] { chosen({"tarini201"}); }), HasSubstr("tarini2014"));
  EXPECT_EQ(error_of([] { chosen({"tarini2014"}); }), "accepted");
}

}  // namespace
}  // namespace skinlight::repro
