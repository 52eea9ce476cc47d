// The forms that continuous integration reads: SARIF and JUnit.
#include <algorithm>
#include <filesystem>
#include <map>
#include <nlohmann/json.hpp>

#include "repro/cli/check.h"
#include "repro/cli/version.h"

namespace skinlight::cli {

namespace {

using Json = nlohmann::ordered_json;

constexpr std::string_view kUnreadable = "unreadable";  // the rule of files that are none

// A path as a reference to a URI (RFC 3986, section 2.1): relative ones stay so.
std::string uri_of(const std::string& file) {
  constexpr std::string_view kPlain = "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789-._~/",
                             kHex = "0123456789ABCDEF";
  const bool absolute = file.starts_with('/');
  std::string uri = absolute ? "file://" : "";
  for (const char c : absolute ? file : std::filesystem::path(file).lexically_normal().string()) {
    const auto byte = static_cast<unsigned char>(c);
    if (kPlain.find(c) != std::string_view::npos)
      uri += c;
    else
      uri.append("%").append(1, kHex[byte >> 4]).append(1, kHex[byte & 15]);
  }
  return uri;
}

Json rule(std::string_view id, std::string_view says, std::string_view advice, std::string_view level) {
  // GitHub shows no rule without a full description.
  return {{"id", id},
          {"shortDescription", {{"text", says}}},
          {"fullDescription", {{"text", std::string("What the result names ").append(says).append(".")}}},
          {"help", {{"text", advice}}},
          {"defaultConfiguration", {{"level", level}}}};
}

// Code hosts show no result without a line.
Json location(const std::string& file, const std::string& element) {
  Json json = {
      {"physicalLocation", {{"artifactLocation", {{"uri", uri_of(file)}}}, {"region", {{"startLine", 1}}}}}};
  if (!element.empty()) json["logicalLocations"] = Json::array({{{"fullyQualifiedName", element}}});
  return json;
}

// As text and attributes of XML 1.0 may have it: control characters are no part of it.
std::string escaped(const std::string& text) {
  std::string xml;
  for (const char c : as_utf8(text)) switch (c) {
      case '&':
        xml += "&amp;";
        break;
      case '<':
        xml += "&lt;";
        break;
      case '>':
        xml += "&gt;";
        break;
      case '"':
        xml += "&quot;";
        break;
      default:
        xml += static_cast<unsigned char>(c) < 32 ? ' ' : c;
    }
  return xml;
}

std::string attribute(const char* key, const std::string& value) {
  return std::string(" ").append(key).append("=\"").append(escaped(value)).append("\"");
}

std::string counts(std::size_t tests, std::size_t failures, std::size_t errors) {
  return attribute("tests", std::to_string(tests)) + attribute("failures", std::to_string(failures)) +
         attribute("errors", std::to_string(errors));
}

// The tests of one file, and how many they are.
struct Suite {
  std::size_t tests = 0, failures = 0, errors = 0;
  std::string xml;
};

Suite suite_of(const Checked& checked, bool strict) {
  Suite suite;
  const auto test = [&](std::string_view kind, const std::string& content) {
    ++suite.tests;
    suite.xml.append("    <testcase")
        .append(attribute("classname", checked.file))
        .append(attribute("name", std::string(kind)))
        .append(attribute("file", checked.file))
        .append(content.empty() ? "/>\n" : ">" + content + "</testcase>\n");
  };
  if (checked.unreadable) {
    ++suite.errors;
    test("readable", "<error" + attribute("message", checked.unreadable->what()) + "/>");
    return suite;
  }
  test("readable", "");
  for (const FindingKind& kind : finding_kinds()) {
    std::string told;
    for (const Finding& f : checked.health.findings)
      if (f.kind == &kind) told.append(told.empty() ? "" : " ").append(sentence(f));
    const bool failed = !told.empty() && Checked::fails(kind.severity, strict);
    suite.failures += failed ? 1 : 0;
    if (failed)
      told = "<failure" + attribute("type", std::string(name(kind.severity))) + attribute("message", told) +
             "/>";
    else if (!told.empty())
      told = "<system-out>" + escaped(std::string(name(kind.severity)) + ": " + told) + "</system-out>";
    test(kind.id, told);
  }
  return suite;
}

}  // namespace

Json sarif(std::span<const Checked> all) {
  Json rules = Json::array(), results = Json::array();
  std::map<std::string_view, std::size_t> index;
  for (const FindingKind& kind : finding_kinds()) {
    index[kind.id] = rules.size();
    rules.push_back(rule(kind.id, kind.says, kind.advice, name(kind.severity)));
  }
  index[kUnreadable] = rules.size();
  rules.push_back(rule(kUnreadable, "cannot be read as a rig", "Export the file again.", "error"));
  const auto result = [&](std::string_view id, std::string_view level, const std::string& text, Json where) {
    results.push_back({{"ruleId", id},
                       {"ruleIndex", index.at(id)},
                       {"level", level},
                       {"message", {{"text", as_utf8(text)}}},
                       {"locations", Json::array({std::move(where)})}});
  };
  bool complete = true;
  for (const Checked& checked : all) {
    if (checked.unreadable) {
      complete = false;
      result(kUnreadable, "error", checked.unreadable->what(),
             location(checked.file, checked.unreadable->element()));
    }
    for (const Finding& f : checked.health.findings)
      result(f.kind->id, name(f.kind->severity), sentence(f), location(checked.file, f.name));
  }
  const Json driver = {{"name", "skinlight"}, {"version", build_version()}, {"rules", rules}};
  return {{"$schema", "https://json.schemastore.org/sarif-2.1.0.json"},
          {"version", "2.1.0"},
          {"runs", Json::array({{{"tool", {{"driver", driver}}},
                                 {"invocations", Json::array({{{"executionSuccessful", complete}}})},
                                 {"results", results}}})}};
}

std::string junit(std::span<const Checked> all, bool strict) {
  Suite total;
  for (const Checked& checked : all) {
    const Suite suite = suite_of(checked, strict);
    total.tests += suite.tests;
    total.failures += suite.failures;
    total.errors += suite.errors;
    total.xml.append("  <testsuite")
        .append(attribute("name", checked.file))
        .append(counts(suite.tests, suite.failures, suite.errors))
        .append(">\n")
        .append(suite.xml)
        .append("  </testsuite>\n");
  }
  return "<?xml version=\"1.0\" encoding=\"UTF-8\"?>\n<testsuites" + attribute("name", "skinlight check") +
         counts(total.tests, total.failures, total.errors) + ">\n" + total.xml + "</testsuites>\n";
}

}  // namespace skinlight::cli
