// A claim: something that a paper says, or that we found, which the machine checks on every run. Its words are
// data (see claim_file.h), its number comes from the experiment's code.
#pragma once

#include <functional>
#include <optional>
#include <string>
#include <string_view>

namespace skinlight::repro {

struct Results;

enum class ClaimKind {
  printed,    // the paper prints the number
  statement,  // the paper says it without a number
  own,        // ours, on something that the paper does not speak of
};

enum class Bound { within, at_most, at_least };  // |value - expected| <= tolerance; value <= / >= expected

enum class Verdict {
  reproduced,         // the value is where the claim expects it; of an own result: unchanged
  deviates,           // likewise, and what the paper says does not hold
  differs_by_design,  // likewise, and ours differs because we chose otherwise, not because the paper errs
  failed,             // the value is elsewhere, or no number
  not_run,            // there is no value: a model is missing
};

struct Claim {
  std::string name;
  ClaimKind kind = ClaimKind::own;
  std::string statement;
  std::string place;                  // in the paper: "Table 1", "Sec. 4.4"; empty for our own
  std::optional<double> paper_value;  // of printed claims only
  double expected = 0;
  Bound bound = Bound::within;
  double tolerance = 0;                   // of Bound::within
  std::string oracle;                     // what outside the code under test stands behind `expected`
  std::string fails_when;                 // a change that would make it fail
  std::string why;                        // the number and its tolerance explained; the first sentence says
                                          // what does not hold, where something does not
  Verdict verdict = Verdict::reproduced;  // when the value is where it is expected
  std::string model;                      // the model it is about: left out where that is missing
  std::function<double(const Results&)> value;
};

// The words of one meaning, as run.json, the claim files and people have them.
template <class Enum>
struct Word {
  Enum value;
  std::string_view name;
};

struct ClaimKindWord : Word<ClaimKind> {
  std::string_view plural;  // for people
};
inline constexpr ClaimKindWord kClaimKinds[] = {
    {{ClaimKind::printed, "printed"}, "numbers that the papers print"},
    {{ClaimKind::statement, "statement"}, "statements of the papers"},
    {{ClaimKind::own, "own"}, "our own results"}};
inline constexpr Word<Bound> kBounds[] = {
    {Bound::within, "within"}, {Bound::at_most, "at_most"}, {Bound::at_least, "at_least"}};

struct VerdictWord : Word<Verdict> {
  bool of_claims;  // a claim file may say that this is the verdict when the value is where it is expected
};
inline constexpr VerdictWord kVerdicts[] = {{{Verdict::reproduced, "reproduced"}, true},
                                            {{Verdict::deviates, "deviates"}, true},
                                            {{Verdict::differs_by_design, "differs-by-design"}, true},
                                            {{Verdict::failed, "failed"}, false},
                                            {{Verdict::not_run, "not-run"}, false}};

std::string_view name(ClaimKind kind);
std::string_view name(Bound bound);
std::string_view name(Verdict verdict);

}  // namespace skinlight::repro
