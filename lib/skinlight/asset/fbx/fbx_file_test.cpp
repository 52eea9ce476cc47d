// The two encodings of an FBX file: what is written is read, and damaged bytes are errors.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <limits>
#include <string>

#include "skinlight/asset/fbx/detail/fbx_document.h"
#include "skinlight/asset/fbx/fbx.h"
#include "skinlight/core/random.h"
#include "testing/fbx_file.h"

namespace skinlight {
namespace {

using namespace fbx_test;
using fbx::Element;
using testing::HasSubstr;

const std::string kHeader = "FBXHeaderExtension: {\n FBXVersion: 7400\n}\n";

Element text_of(const std::string& text) { return fbx::parse_text(kHeader + text).root.children.at(1); }

void expect_equal(const Element& a, const Element& b) {
  EXPECT_EQ(a.name, b.name);
  EXPECT_EQ(a.values, b.values) << a.name;
  ASSERT_EQ(a.children.size(), b.children.size()) << a.name;
  for (std::size_t c = 0; c < a.children.size(); ++c) expect_equal(a.children[c], b.children[c]);
}

TEST(FbxText, ValuesAreReadAsTheyStand) {
  const Element e = text_of(
      "; a comment\nNode: 17, -2.5e3, \"a &quot;b&quot; ; c\", T, N, Word, +4,.5 { ; another\n\tOne:  {\n\t}\n\tTwo: "
      ",\n\t\t\"x\"\n Three: \n Four: 1 }\n");
  EXPECT_EQ(e.name, "Node");
  EXPECT_EQ(e.values,
            (std::vector<fbx::Value>{std::int64_t{17}, -2500.0, std::string("a \"b\" ; c"), std::int64_t{1},
                                     std::int64_t{0}, std::string("Word"), std::int64_t{4}, .5}));
  ASSERT_EQ(e.children.size(), 4u);
  EXPECT_EQ(e.child("Two")->values, (std::vector<fbx::Value>{std::string(), std::string("x")}));
  EXPECT_TRUE(e.child("Three")->values.empty());
  EXPECT_EQ(fbx::integer(*e.child("Four"), 0), 1);
  EXPECT_EQ(e.child("Five"), nullptr);
}

TEST(FbxText, ArraysOfIntegersStayExactAndOthersAreReal) {
  const Element e = text_of(
      "N: {\n A: *3 {\n a: 9007199254740993,\n-1,2\n}\n B: *2 {\n a: 1,2.5\n}\n C: *0 {\n a: \n}\n}\n");
  EXPECT_EQ(fbx::integers(e, "A", ""), (std::vector<std::int64_t>{9007199254740993, -1, 2}));
  EXPECT_EQ(fbx::reals(e, "B", ""), (std::vector<double>{1, 2.5}));
  EXPECT_THROW(fbx::integers(e, "B", ""), InputError);
  EXPECT_TRUE(fbx::reals(e, "C", "").empty());
  EXPECT_TRUE(fbx::reals(e, "D", "").empty());
}

TEST(FbxText, MistakesNameTheirLine) {
  const auto expect_error = [](const std::string& text, const std::string& reason) {
    try {
      fbx::parse_text(kHeader + text);
      ADD_FAILURE() << "accepted: " << text;
    } catch (const InputError& e) {
      EXPECT_EQ(e.element(), "line 5") << text;
      EXPECT_THAT(e.reason(), HasSubstr(reason));
    }
  };
  expect_error("\n}", "without its '{'");
  expect_error("\nA: 1, {", "value is expected");
  expect_error("\nA: 12x", "\"12x\" is not a number");
  expect_error("\nA: \"x", "closing");
  expect_error("\nA 1", "':' are expected");
  expect_error("\nA: *2 { a: 1 }", "1 numbers, not as many");
  expect_error("\nA: *1 { b: 1 }", "an array is expected");
  expect_error("\nA: *x { a: 1 }", "length of an array");
  expect_error("\nA: *1 { a: x }", "a number is expected");
  expect_error("\nA: { B: 1", "'}' is missing");
  std::string deep = "\n";
  for (int i = 0; i < 100000; ++i) deep += "A: {";
  expect_error(deep, "nested too deep");
  EXPECT_THROW(fbx::parse_text("A: 1"), InputError) << "no version";
}

TEST(FbxBinary, IsWhatWasWritten) {
  const Element root = fbx::parse_text(Strip().text()).root;
  for (const std::uint32_t version : {7100u, 7499u, 7500u, 7700u})
    for (const bool deflates : {false, true}) {
      const std::string bytes = BinaryWriter(version, deflates).write(root);
      EXPECT_TRUE(fbx::is_binary(bytes));
      Element read = fbx::parse_binary(bytes).root;
      // Text holds the bits of these; and names stand before their class.
      const std::function<void(Element&)> adapt = [&](Element& e) {
        for (Element& c : e.children) adapt(c);
        for (fbx::Value& v : e.values)
          if (auto* name = std::get_if<std::string>(&v))
            if (const std::size_t mark = name->find(std::string("\0\1", 2)); mark != std::string::npos)
              *name = name->substr(mark + 2) + "::" + name->substr(0, mark);
        if (e.name == "KeyAttrDataFloat") e.values.clear();
      };
      Element expected = root;
      adapt(read);
      adapt(expected);
      expect_equal(read, expected);
    }
}

TEST(FbxBinary, FilesThatEndAnywhereAreErrorsOrWhole) {
  for (const std::uint32_t version : {7400u, 7700u}) {
    const std::string bytes = binary(Strip().text(), version);
    for (std::size_t size = 0; size + 170 < bytes.size(); size += 7)
      EXPECT_THROW(parse_fbx(bytes.substr(0, size), ""), InputError) << size;
  }
}

// What libFuzzer does at length: any byte changed, the reader answers or throws InputError.
TEST(FbxBinary, DamagedBytesAreErrorsOrOtherModels) {
  Random random(20261128);
  int accepted = 0;
  for (const bool deflates : {false, true}) {
    const std::string bytes = binary(Strip().text(), 7400, deflates);
    for (int i = 0; i < 3000; ++i) {
      std::string damaged = bytes;
      for (int k = 0; k < 1 + i % 3; ++k)
        damaged[static_cast<std::size_t>(random.uniform(0, 1) * static_cast<double>(bytes.size() - 1))] =
            static_cast<char>(random.uniform(0, 256));
      try {
        parse_fbx(damaged, "");
        ++accepted;
      } catch (const InputError& e) {
        EXPECT_EQ(std::string(e.what()).find('\n'), std::string::npos) << e.what();
      }
    }
  }
  EXPECT_GT(accepted, 100);
}

TEST(FbxBinary, LiesAboutSizesAreFoundBeforeMemoryIsAskedFor) {
  Element array;
  array.name = "A";
  array.values.emplace_back(std::vector<double>(1000, 0.0));
  Element root;
  root.children = {array};
  std::string bytes = BinaryWriter(7400, true).write(root);
  const std::uint32_t huge = std::numeric_limits<std::uint32_t>::max();
  const std::size_t count = bytes.find("Ad") + 2;
  std::memcpy(&bytes[count], &huge, sizeof huge);
  try {
    fbx::parse_binary(bytes);
    FAIL() << "accepted";
  } catch (const InputError& e) {
    EXPECT_THAT(e.reason(), HasSubstr("longer than its compressed bytes can give"));
  }
}

}  // namespace
}  // namespace skinlight
