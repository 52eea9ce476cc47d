// The words of claims: repro/<paper>/<stem>.claims.json beside each experiment's .cpp, and what several
// experiments share in repro/common.claims.json. All are embedded at build time.
//
//   {"words": {"coarse": "..."},                       optional: texts that several claims of the file use
//    "claims": [{"name": "lbs_{n}", "kind": "printed", "statement": "...", "place": "Table 1",
//                "expected": 12, ..., "each": [{"n": "2", "paper_value": 12}, {"n": "3", "paper_value": 30}]}]}
//
// Every claim has all fields of struct Claim (but for `value`, and for `model` where there is none). An entry
// with `each` stands for one claim per row: a row gives fields of its own, and texts for the placeholders in
// braces, which may also name what is in `words`.
#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "repro/experiment.h"

namespace skinlight::repro {

// The claims of one file, in its order and without values. Throws InputError that names `file`, the claim and
// what is wrong: a field that is missing, unknown or contradicts another, a placeholder without a text or a
// text without a placeholder, a name that comes twice.
std::vector<Claim> read_claims(const std::string& file, std::string_view text);

// Findings with their words, in the findings' order. `own`: of the experiment's file, all of which must have a
// finding; `common`: those to look among otherwise. Throws InputError naming `file` and all claims of which
// one half is missing.
std::vector<Claim> join_claims(const std::string& file, const std::vector<Finding>& findings,
                               const std::vector<Claim>& own, const std::vector<Claim>& common);

}  // namespace skinlight::repro
