#include "repro/runner/claim_file.h"

#include <algorithm>
#include <cmath>
#include <map>
#include <nlohmann/json.hpp>
#include <set>

#include "skinlight/core/error.h"

namespace skinlight::repro {

namespace {

constexpr std::string_view kFields[] = {"name",  "kind",   "statement",  "place", "paper_value", "expected",
                                        "bound", "oracle", "fails_when", "why",   "tolerance",   "verdict"};

std::string words_of(std::initializer_list<std::string_view> parts) {
  std::string text;
  for (const std::string_view part : parts) text.append(part);
  return text;
}

bool is_field(const std::string& key) {
  return key == "model" || std::find(std::begin(kFields), std::end(kFields), key) != std::end(kFields);
}

std::string name_of(const nlohmann::json& entry) {
  const auto name = entry.find("name");
  return name != entry.end() && name->is_string() ? name->get<std::string>() : "(no name)";
}

// Texts by placeholder, and which of them were asked for.
struct Texts {
  std::map<std::string, std::string> texts;
  std::set<std::string> used;
};

// One claim of a file: a JSON object that has all fields, and where placeholders are looked up.
class ClaimReader {
 public:
  ClaimReader(std::string file, const nlohmann::json& json, Texts& row, Texts& words)
      : file_(std::move(file)), json_(json), row_(row), words_(words) {
    name_ = name_of(json);
  }

  Claim read() {
    for (const std::string_view field : kFields)
      if (!json_.contains(field)) fail({"has no '", field, "'"});
    Claim claim;
    claim.name = name_ = text("name");
    claim.kind = word(kClaimKinds, "kind");
    claim.statement = text("statement");
    claim.place = text("place");
    if (!json_["paper_value"].is_null()) claim.paper_value = number("paper_value");
    claim.expected = number("expected");
    claim.bound = word(kBounds, "bound");
    claim.tolerance = number("tolerance");
    claim.oracle = text("oracle");
    claim.fails_when = text("fails_when");
    claim.why = text("why");
    claim.verdict = verdict();
    if (json_.contains("model")) claim.model = text("model");
    check(claim);
    return claim;
  }

 private:
  [[noreturn]] void fail(std::initializer_list<std::string_view> reason) const {
    throw InputError(file_, name_, words_of(reason));
  }

  void check(const Claim& claim) const {
    for (const auto& [field, value] : {std::pair("name", &claim.name),
                                       {"statement", &claim.statement},
                                       {"oracle", &claim.oracle},
                                       {"fails_when", &claim.fails_when}})
      if (value->empty()) fail({"has an empty '", field, "'"});
    if (claim.paper_value.has_value() != (claim.kind == ClaimKind::printed))
      fail({"has a paper_value if and only if its kind is 'printed'"});
    if (claim.place.empty() != (claim.kind == ClaimKind::own))
      fail({"has an empty place if and only if its kind is 'own'"});
    if (claim.kind == ClaimKind::own && claim.verdict != Verdict::reproduced)
      fail({"cannot deviate or differ from a paper: its kind is 'own'"});
    if (claim.verdict != Verdict::reproduced && claim.why.empty())
      fail({"must say in 'why' what does not hold"});
    if (claim.bound == Bound::within ? claim.tolerance < 0 : claim.tolerance != 0)
      fail({"has a tolerance that its bound does not allow"});
  }

  const std::string& filled(const std::string& placeholder) {
    for (Texts* source : {&row_, &words_})
      if (const auto found = source->texts.find(placeholder); found != source->texts.end()) {
        source->used.insert(placeholder);
        return found->second;
      }
    fail({"has no text for {", placeholder, "}"});
  }

  std::string text(std::string_view field) {
    if (!json_[field].is_string()) fail({"'", field, "' is no text"});
    const std::string raw = json_[field];
    std::string out;
    std::size_t from = 0;
    for (std::size_t open; (open = raw.find('{', from)) != std::string::npos;) {
      const std::size_t close = raw.find('}', open);
      if (close == std::string::npos) fail({"'", field, "' has a brace that does not close"});
      out += raw.substr(from, open - from) + filled(raw.substr(open + 1, close - open - 1));
      from = close + 1;
    }
    return out + raw.substr(from);
  }

  double number(std::string_view field) const {
    if (!json_[field].is_number() || !std::isfinite(json_[field].get<double>()))
      fail({"'", field, "' is no finite number"});
    return json_[field];
  }

  template <class Row, std::size_t N>
  decltype(Row::value) word(const Row (&words)[N], std::string_view field) {
    const std::string wanted = text(field);
    for (const Row& row : words)
      if (row.name == wanted) return row.value;
    fail({"'", field, "' cannot be '", wanted, "'"});
  }

  Verdict verdict() {
    const Verdict verdict = word(kVerdicts, "verdict");
    for (const VerdictWord& w : kVerdicts)
      if (w.value == verdict && !w.of_claims) fail({"'verdict' cannot be '", w.name, "'"});
    return verdict;
  }

  std::string file_, name_;
  const nlohmann::json& json_;
  Texts &row_, &words_;
};

void check_used(const std::string& file, const std::string& element, const Texts& texts) {
  for (const auto& [name, text] : texts.texts)
    if (texts.used.count(name) == 0) throw InputError(file, element, words_of({"no text uses '", name, "'"}));
}

// The claims that one entry stands for.
void add_entry(const std::string& file, const nlohmann::json& entry, Texts& words,
               std::vector<Claim>& claims) {
  const std::string name = name_of(entry);
  for (const auto& [key, value] : entry.items())
    if (!is_field(key) && key != "each")
      throw InputError(file, name, words_of({"has an unknown field '", key, "'"}));
  const nlohmann::json rows = entry.value("each", nlohmann::json::array({nlohmann::json::object()}));
  if (!rows.is_array()) throw InputError(file, name, "'each' is no list");
  for (const nlohmann::json& row : rows) {
    if (!row.is_object()) throw InputError(file, name, "'each' holds something that is no row");
    nlohmann::json whole = entry;
    whole.erase("each");
    Texts texts;
    for (const auto& [key, value] : row.items()) {
      if (is_field(key)) {
        whole[key] = value;
        texts.used.insert(key);  // a field of the row may stand in texts as well: {model}
      } else if (!value.is_string()) {
        throw InputError(file, name, words_of({"'", key, "' is no text"}));
      }
      if (value.is_string()) texts.texts[key] = value;
    }
    claims.push_back(ClaimReader(file, whole, texts, words).read());
    check_used(file, claims.back().name, texts);
  }
}

}  // namespace

std::vector<Claim> read_claims(const std::string& file, std::string_view text) {
  const nlohmann::json json = nlohmann::json::parse(text, nullptr, false);
  if (json.is_discarded()) throw InputError(file, "", "is not JSON");
  if (!json.is_object() || !json.contains("claims") || !json["claims"].is_array())
    throw InputError(file, "claims", "is missing");
  for (const auto& [key, value] : json.items())
    if (key != "claims" && key != "words")
      throw InputError(file, "", words_of({"has an unknown field '", key, "'"}));
  Texts words;
  const nlohmann::json texts = json.value("words", nlohmann::json::object());
  for (const auto& [name, word] : texts.items()) {
    if (!word.is_string()) throw InputError(file, "words", words_of({"'", name, "' is no text"}));
    words.texts[name] = word;
  }
  std::vector<Claim> claims;
  for (const nlohmann::json& entry : json["claims"]) {
    if (!entry.is_object()) throw InputError(file, "claims", "holds something that is no claim");
    add_entry(file, entry, words, claims);
  }
  check_used(file, "words", words);
  std::set<std::string> names;
  for (const Claim& claim : claims)
    if (!names.insert(claim.name).second) throw InputError(file, claim.name, "comes twice");
  return claims;
}

std::vector<Claim> join_claims(const std::string& file, const std::vector<Finding>& findings,
                               const std::vector<Claim>& own, const std::vector<Claim>& common) {
  std::vector<Claim> joined;
  std::set<std::string> names;
  std::string halves;
  const auto complain = [&](const std::string& name, const char* what) {
    halves += words_of({halves.empty() ? "" : ", ", name, " (", what, ")"});
  };
  for (const Finding& finding : findings) {
    if (!names.insert(finding.claim).second) complain(finding.claim, "found twice");
    const auto is_it = [&](const Claim& claim) { return claim.name == finding.claim; };
    auto words = std::find_if(own.begin(), own.end(), is_it);
    if (words == own.end()) {
      words = std::find_if(common.begin(), common.end(), is_it);
      if (words == common.end()) {
        complain(finding.claim, "no words");
        continue;
      }
    }
    joined.push_back(*words);
    joined.back().value = finding.value;
  }
  for (const Claim& claim : own)
    if (names.count(claim.name) == 0) complain(claim.name, "no finding");
  if (!halves.empty()) throw InputError(file, "claims", words_of({"one half is missing: ", halves}));
  return joined;
}

}  // namespace skinlight::repro
