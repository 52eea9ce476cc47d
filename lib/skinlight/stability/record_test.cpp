#include "skinlight/stability/record.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <fstream>
#include <set>

#include "skinlight/core/error.h"
#include "skinlight/core/file.h"
#include "skinlight/stability/explain.h"
#include "testing/error_of.h"

namespace skinlight::stability {
namespace {

using test_errors::error_of;

using testing::HasSubstr;
using testing::IsEmpty;

constexpr const char* kId = "lbs-deform-eq13/near/float";

// What was measured of a few cells, said by hand.
struct Measured {
  std::vector<CellDigits> cells;

  Measured() {
    for (const char* id :
         {"lbs-deform-eq13/near/float", "lbs-deform-eq13/far-1e4/float", "dqs-exact/near/vulkan"}) {
      CellDigits c{cell_from_id(id), 7, 6, 6, {}, {}};
      for (int i = 0; i < kWorst; ++i) c.worst.push_back(i);
      c.worst_digits = measure_cases(c.cell, cases(c));
      cells.push_back(c);
    }
  }
  static std::vector<VertexCase> cases(const CellDigits& c) {
    std::vector<VertexCase> all;
    for (const int i : c.worst) all.push_back(draw(*c.cell.regime, i));
    return all;
  }
};

TEST(StabilityRecord, SaysNothingOfWhatIsUnchanged) {
  const Measured m;
  EXPECT_THAT(compare(first_record(m.cells, "first"), m.cells, true), IsEmpty());
}

TEST(StabilityRecord, LossesBeyondTheLimitsAreRedAndBelowAreNot) {
  const Measured then;
  const Record record = first_record(then.cells, "first");
  for (const auto& [p50, p01, red] :
       {std::tuple{.14, 0., false}, {.16, 0., true}, {0., .19, false}, {0., .21, true}}) {
    Measured now;
    now.cells[1].p50 -= p50;
    now.cells[1].p01 = now.cells[1].p01_beyond_chance -= p01;
    const std::vector<Finding> found = compare(record, now.cells, true);
    ASSERT_EQ(found.size(), red ? 1u : 0u);
    if (!red) continue;
    EXPECT_EQ(found[0].kind, Finding::Kind::loss);
    EXPECT_EQ(found[0].id, "lbs-deform-eq13/far-1e4/float");
  }
}

TEST(StabilityRecord, ATailThatIsDrawnAnewIsRedOnlyBeyondChance) {
  const Measured then;
  const Record record = first_record(then.cells, "first");
  Measured now;
  now.cells[2].p01 = -1;  // vulkan: 21 misses of 2000 in place of 19
  EXPECT_THAT(compare(record, now.cells, true), IsEmpty());
  now.cells[2].p01_beyond_chance = 5.7;
  EXPECT_EQ(compare(record, now.cells, true).size(), 1u);
}

TEST(StabilityRecord, GainsAskForABlessing) {
  const Measured then;
  Measured now;
  now.cells[0].p50 += .31;
  const std::vector<Finding> found = compare(first_record(then.cells, "first"), now.cells, true);
  ASSERT_EQ(found.size(), 1u);
  EXPECT_EQ(found[0].kind, Finding::Kind::gain);
  EXPECT_EQ(found[0].id, kId);
}

TEST(StabilityRecord, CellsWithoutCodeAndCodeWithoutCellsAreRed) {
  const Measured m;
  Record record = first_record(m.cells, "first");
  record.cells[0].id = "lbs-gone/near/float";
  const std::vector<Finding> found = compare(record, m.cells, true);
  ASSERT_EQ(found.size(), 2u);
  EXPECT_EQ(found[0].kind, Finding::Kind::unrecorded);
  EXPECT_EQ(found[1].kind, Finding::Kind::without_code);
  EXPECT_EQ(found[1].id, "lbs-gone/near/float");
  EXPECT_EQ(compare(record, m.cells, false).size(), 1u);  // of a selection nothing is said of other cells
}

// The inputs of the record count, not those that the seed draws now.
TEST(StabilityRecord, RecordedWorstInputsAreRunAgain) {
  const Measured m;
  Record record = first_record(m.cells, "first");
  record.inputs.at("near#3").vertex =
      draw(regime_from_name("far-1e6"), 0);  // a digit or two in place of seven: -.5 on average
  const std::vector<Finding> found = compare(record, m.cells, true);
  ASSERT_EQ(found.size(), 1u);
  EXPECT_EQ(found[0].kind, Finding::Kind::loss);
  EXPECT_THAT(found[0].says, HasSubstr("recorded worst inputs"));
}

TEST(StabilityRecord, AnExceptionHoldsOnItsMachineAlone) {
  const Measured then;
  Record record = first_record(then.cells, "first");
  Measured now;
  now.cells[0].p50 -= 1;
  record.cells[0].exceptions = {{machine(), "a reason", {6, 6}}};
  EXPECT_THAT(compare(record, now.cells, true), IsEmpty());
  record.cells[0].exceptions[0].machine = "another";
  EXPECT_EQ(compare(record, now.cells, true).size(), 1u);
}

TEST(StabilityRecord, ABlessingTakesOneCellOrOneKernel) {
  const Measured then;
  Record record = first_record(then.cells, "first");
  Measured now;
  for (CellDigits& c : now.cells) c.p50 += .4;
  EXPECT_EQ(bless(record, now.cells, kId, "better").size(), 1u);
  EXPECT_EQ(record.cells[0].digits.p50, 7.4);
  EXPECT_EQ(record.cells[0].best.p50, 7.4);
  EXPECT_EQ(record.cells[0].floor.p50, 7.4 - kFloorBelowBest);
  EXPECT_EQ(record.cells[1].digits.p50, 7);
  EXPECT_EQ(bless(record, now.cells, "lbs-deform-eq13", "better").size(), 2u);
  EXPECT_EQ(record.cells[1].digits.p50, 7.4);
  EXPECT_EQ(record.cells[2].digits.p50, 7);
  EXPECT_THAT(error_of([&] { bless(record, now.cells, "lbs-defrom", "better"); }),
              HasSubstr("did you mean 'lbs-deform'?"));
}

TEST(StabilityRecord, EveryLossNeedsAReasonOfItsOwn) {
  const Measured then;
  Record record = first_record(then.cells, "first");
  Measured now;
  now.cells[0].p50 -= .3;
  now.cells[1].p50 -= .3;
  EXPECT_THAT(error_of([&] { bless(record, now.cells, "lbs-deform-eq13", "cheaper"); }),
              HasSubstr("one by one"));
  bless(record, now.cells, kId, "cheaper near the origin");
  EXPECT_EQ(record.cells[0].digits.p50, 6.7);
  EXPECT_EQ(record.cells[0].best.p50, 7);  // stays
  EXPECT_THAT(
      error_of([&] { bless(record, now.cells, "lbs-deform-eq13/far-1e4/float", "cheaper near the origin"); }),
      HasSubstr("say what is true of this one"));
  EXPECT_EQ(bless(record, now.cells, "lbs-deform-eq13/far-1e4/float", "cheaper far away").size(), 1u);
}

TEST(StabilityRecord, NoBlessingCrossesTheFloor) {
  const Measured then;
  Record record = first_record(then.cells, "first");
  Measured now;
  now.cells[0].p50 -= .51;
  EXPECT_THAT(error_of([&] { bless(record, now.cells, kId, "cheaper"); }),
              HasSubstr("below its floor of 6.50"));
  // Nor do two blessings of which each is small.
  now.cells[0].p50 = 6.7;
  bless(record, now.cells, kId, "cheaper");
  now.cells[0].p50 = 6.4;
  EXPECT_THAT(error_of([&] { bless(record, now.cells, kId, "cheaper again"); }),
              HasSubstr("no blessing crosses"));
}

TEST(StabilityRecord, ComesBackFromItsFilesAsItWas) {
  const Measured m;
  Record record = first_record(m.cells, "first \"of\" all");
  record.cells[1].exceptions = {{"g++ 12 aarch64", "a reason", {6.5, 5}}};
  const std::filesystem::path file = testing::TempDir() + "stability/stability.json";
  write_record(record, file);
  const Record back = read_record(file);
  ASSERT_EQ(back.cells.size(), record.cells.size());
  for (std::size_t i = 0; i < back.cells.size(); ++i) {
    EXPECT_EQ(back.cells[i].id, record.cells[i].id);
    EXPECT_EQ(back.cells[i].digits.p50, record.cells[i].digits.p50);
    EXPECT_EQ(back.cells[i].best.p01, record.cells[i].best.p01);
    EXPECT_EQ(back.cells[i].floor.p01, record.cells[i].floor.p01);
    EXPECT_EQ(back.cells[i].why, record.cells[i].why);
    EXPECT_EQ(back.cells[i].worst, record.cells[i].worst);
    EXPECT_EQ(back.cells[i].exceptions.size(), record.cells[i].exceptions.size());
  }
  EXPECT_EQ(back.inputs.size(), 2u * kWorst);  // of the cells in float
  for (const auto& [name, input] : record.inputs) {
    const RecordedInput& other = back.inputs.at(name);
    EXPECT_TRUE(other.parts.matrices && !other.parts.motions && !other.parts.frames)
        << name;  // of linear blend skinning alone
    std::vector<float> then, now;
    for_each_float(input.vertex, input.parts, [&](float x) { then.push_back(x); });
    for_each_float(other.vertex, other.parts, [&](float x) { now.push_back(x); });
    EXPECT_EQ(now, then) << name;
    EXPECT_EQ(other.vertex.seed, input.vertex.seed);
  }
  EXPECT_THAT(compare(back, m.cells, true), IsEmpty());
}

TEST(StabilityRecord, AnotherSchemaOrDamageIsRefusedWithHowToBeginAnew) {
  const std::filesystem::path file = testing::TempDir() + "stability_bad/stability.json";
  write_record(first_record(Measured().cells, "first"), file);
  const std::string good = read_file(file),
                    inputs_file = testing::TempDir() + "stability_bad/stability_inputs.json";
  const std::string good_inputs = read_file(inputs_file);
  const auto with = [&](const std::string& text, const std::string& inputs) {
    write_file(file, text);
    write_file(inputs_file, inputs);
    return error_of([&] { read_record(file); });
  };
  const auto replaced = [](std::string text, const std::string& a, const std::string& b) {
    return text.replace(text.find(a), a.size(), b);
  };
  EXPECT_THAT(with(replaced(good, "\"schema\": 1", "\"schema\": 2"), good_inputs),
              AllOf(HasSubstr("stability.json: schema 2"), HasSubstr("bless --first")));
  EXPECT_THAT(with("[]", good_inputs), HasSubstr("schema 0"));
  EXPECT_THAT(with("{", good_inputs), AllOf(HasSubstr("not a record"), HasSubstr("bless --first")));
  EXPECT_THAT(with(replaced(good, "\"p01\"", "\"p02\""), good_inputs), HasSubstr("not a record"));
  EXPECT_THAT(with(good, replaced(good_inputs, "\"floats\":\"", "\"floats\":\"x")),
              HasSubstr("input 'far-1e4#0'"));
  EXPECT_THAT(error_of([&] { read_record(file.parent_path() / "none.json"); }),
              HasSubstr("there is no record"));
}

TEST(StabilityCells, AreOneForEveryMethodModeAndGuard) {
  std::set<std::string> names;
  for (const Subject& s : subjects()) EXPECT_TRUE(names.insert(s.name).second) << s.name;
  for (const MethodRow& method : methods())
    for (const NormalMode mode : method.modes)
      EXPECT_TRUE(names.contains(std::string(method.name) + "-" + std::string(row(mode).name)));
  for (const char* guarded :
       {"lbs-deform+clamp", "lbs-deform-vectors+joint", "crs-exact-fixed-centre+test-then-fix"})
    EXPECT_TRUE(names.contains(guarded)) << guarded;
  EXPECT_FALSE(names.contains("lbs-standard+clamp"));
}

TEST(StabilityCells, UnknownIdsAreAnsweredWithTheNearestName) {
  EXPECT_THAT(error_of([] { cell_from_id("lbs-deform"); }), HasSubstr("kernel/regime/scalar"));
  EXPECT_THAT(error_of([] { cell_from_id("lbs-deforms/near/float"); }),
              HasSubstr("did you mean 'lbs-deform'?"));
  EXPECT_THAT(error_of([] { cell_from_id("lbs-deform/nera/float"); }), HasSubstr("did you mean 'near'?"));
  EXPECT_THAT(error_of([] { cell_from_id("lbs-deform/near/floats"); }), HasSubstr("did you mean 'float'?"));
  EXPECT_THAT(error_of([] { cell_from_id("lbs-deform:tangent/near/float"); }),
              HasSubstr("did you mean ':tangents'?"));
  EXPECT_THAT(error_of([] { cell_from_id("lbs-deform:position/near/half"); }), HasSubstr("does not exist"));
  EXPECT_EQ(cell_from_id("lbs-deform:position/near/float").id(), "lbs-deform:position/near/float");
}

TEST(StabilityExplain, NamesTheRoundingsThatCostMostFarFromTheOrigin) {
  const Explanation e = explain(cell_from_id("lbs-deform-eq13/far-1e4/float"));
  ASSERT_FALSE(e.losses.empty());
  // The sum of a bone's translation, 1e4 from the origin: 24 bits of that are 1e-3 units.
  EXPECT_THAT(e.losses[0].operation.formula, HasSubstr(" + "));
  EXPECT_GT(e.losses[0].digits_before - e.losses[0].operation.digits_left, .2);
  EXPECT_NEAR(e.float_digits, e.digits, 1e-3);  // rounded one after the other, all make the float run
  EXPECT_GT(e.operations, 100);
  EXPECT_THAT(error_of([] { explain(cell_from_id("rival-eigen-loop/near/float")); }), HasSubstr("rival"));
}

}  // namespace
}  // namespace skinlight::stability
