#include "skinlight/core/npy.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <unistd.h>

#include <cmath>
#include <cstdint>
#include <filesystem>

#include "skinlight/core/error.h"
#include "skinlight/core/file.h"

namespace skinlight {
namespace {

namespace fs = std::filesystem;
using testing::ElementsAre;
using testing::HasSubstr;

class Npy : public testing::Test {
 protected:
  Npy() {
    std::string pattern = (fs::temp_directory_path() / "skinlight-npy-XXXXXX").string();
    file_ = fs::path(mkdtemp(pattern.data())) / "a.npy";
  }
  ~Npy() override { fs::remove_all(file_.parent_path()); }

  NpyArray read(const std::string& bytes) {
    write_file(file_, bytes);
    return read_npy_array(file_);
  }
  InputError error_of(const std::string& bytes) {
    try {
      read(bytes);
    } catch (const InputError& e) {
      return e;
    }
    ADD_FAILURE() << "no error";
    return {"", "", ""};
  }
  fs::path file_;
};

// Written by hand after the format's description, not by the code under test.
std::string npy(const std::string& type, const std::string& shape, const std::string& data,
                const char* fortran = "False", char version = 1) {
  const std::string header =
      "{'descr': '" + type + "', 'fortran_order': " + fortran + ", 'shape': " + shape + ", }\n";
  std::string bytes = "\x93NUMPY";
  bytes += version;
  bytes += '\0';
  bytes += static_cast<char>(header.size() & 0xff);
  bytes += static_cast<char>(header.size() >> 8);
  if (version > 1) bytes.append(2, '\0');
  return bytes + header + data;
}

template <class T>
std::string data_of(std::initializer_list<T> values) {
  return {reinterpret_cast<const char*>(values.begin()), values.size() * sizeof(T)};
}

TEST_F(Npy, EveryTypeKeepsItsValues) {
  EXPECT_THAT(read(npy("<f4", "(2,)", data_of<float>({.5f, -3}))).values, ElementsAre(.5, -3));
  EXPECT_THAT(read(npy("<f8", "(2,)", data_of<double>({.1, 1e300}))).values, ElementsAre(.1, 1e300));
  EXPECT_THAT(read(npy("<f2", "(2,)", data_of<std::uint16_t>({0x3c00, 0xc100}))).values,
              ElementsAre(1, -2.5));
  EXPECT_THAT(read(npy("|i1", "(2,)", data_of<std::int8_t>({-127, 5}))).values, ElementsAre(-127, 5));
  EXPECT_THAT(read(npy("|u1", "(2,)", data_of<std::uint8_t>({255, 5}))).values, ElementsAre(255, 5));
  EXPECT_THAT(read(npy("<i2", "(1,)", data_of<std::int16_t>({-300}))).values, ElementsAre(-300));
  EXPECT_THAT(read(npy("<u2", "(1,)", data_of<std::uint16_t>({65535}))).values, ElementsAre(65535));
  EXPECT_THAT(read(npy("<i4", "(1,)", data_of<std::int32_t>({-70000}))).values, ElementsAre(-70000));
  EXPECT_THAT(read(npy("<u4", "(1,)", data_of<std::uint32_t>({4294967295u}))).values,
              ElementsAre(4294967295.0));
  EXPECT_THAT(read(npy("<i8", "(1,)", data_of<std::int64_t>({-5000000000}))).values, ElementsAre(-5e9));
  EXPECT_THAT(read(npy("<u8", "(1,)", data_of<std::uint64_t>({5000000000}))).values, ElementsAre(5e9));
  EXPECT_TRUE(std::isnan(read(npy("<f4", "(1,)", data_of<float>({NAN}))).values[0]));
}

TEST_F(Npy, ShapesOfAllDimensionsAreRead) {
  EXPECT_THAT(read(npy("<f4", "()", data_of<float>({7}))).shape, ElementsAre());
  EXPECT_THAT(read(npy("<f4", "(3,)", data_of<float>({1, 2, 3}))).shape, ElementsAre(3));
  EXPECT_THAT(read(npy("<f4", "(0, 3)", "")).shape, ElementsAre(0, 3));
  EXPECT_THAT(read(npy("<f4", "(1, 2, 1, 2)", data_of<float>({1, 2, 3, 4}))).shape, ElementsAre(1, 2, 1, 2));
  EXPECT_EQ(read(npy("<f4", "(3,)", data_of<float>({1, 2, 3}))).shape_text(), "(3,)");
  EXPECT_EQ(read(npy("<f4", "(1, 3)", data_of<float>({1, 2, 3}))).shape_text(), "(1, 3)");
}

// numpy.save(numpy.asfortranarray(a)) of a = [[[0, 1], [2, 3], [4, 5]], [[6, 7], [8, 9], [10, 11]]].
TEST_F(Npy, FortranOrderBecomesCOrder) {
  const NpyArray a =
      read(npy("<f4", "(2, 3, 2)", data_of<float>({0, 6, 2, 8, 4, 10, 1, 7, 3, 9, 5, 11}), "True"));
  EXPECT_THAT(a.values, ElementsAre(0, 1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11));
}

TEST_F(Npy, LaterVersionsHaveLongerHeaders) {
  EXPECT_THAT(read(npy("<f4", "(1,)", data_of<float>({7}), "False", 2)).values, ElementsAre(7));
  EXPECT_THAT(read(npy("<f4", "(1,)", data_of<float>({7}), "False", 3)).values, ElementsAre(7));
  EXPECT_THAT(error_of(npy("<f4", "(1,)", data_of<float>({7}), "False", 4)).reason(), HasSubstr("version 4"));
}

// Types that numpy has, but no numbers, and orders of elements that it does not write.
TEST_F(Npy, HeadersOfOtherThingsAreShown) {
  for (const std::string& type :
       {std::string("<M8[25us]"), std::string("[('x','<f4')]"), std::string(60000, 'f')}) {
    const InputError e = error_of(npy(type, "(1,)", std::string(8, '\0')));
    EXPECT_EQ(e.element(), "header");
    EXPECT_THAT(e.reason(), HasSubstr("expected an array of numbers"));
    EXPECT_LT(e.reason().size(), 200u);
  }
  for (const char* order : {"Maybe", "", "true"})
    EXPECT_EQ(error_of(npy("<f4", "(1,)", data_of<float>({7}), order)).element(), "header") << order;
  EXPECT_THAT(error_of(npy("<M8[25us]", "(1,)", std::string(8, '\0'))).reason(), HasSubstr("<M8[25us]"));
}

TEST_F(Npy, OtherTypesAreNamed) {
  for (const char* type : {">f4", "|O", "<c8", "|b1", "<f16", "<U3"})
    EXPECT_THAT(error_of(npy(type, "(1,)", std::string(8, '\0'))).reason(), HasSubstr(type));
}

TEST_F(Npy, EveryTruncationIsAnError) {
  const std::string good = npy("<f4", "(2, 3)", data_of<float>({1, 2, 3, 4, 5, 6}));
  for (std::size_t size = 0; size < good.size(); ++size)
    EXPECT_EQ(error_of(good.substr(0, size)).file(), file_.string()) << size;
  EXPECT_EQ(error_of(good + "x").element(), "data");
}

TEST_F(Npy, HostileShapesAreRefused) {
  for (const char* shape : {"(,)", "(1, 1, 1, 1, 1)", "(-1,)", "(1e3,)", "(99999999999,)", "[3]", "(3", ""})
    EXPECT_EQ(error_of(npy("<f4", shape, std::string(12, '\0'))).element(), "header") << shape;
  for (const char* shape : {"(999999999, 999999999, 999999999)", "(4,)", "(0,)", "(0, 999999999)"})
    EXPECT_EQ(error_of(npy("<f4", shape, std::string(12, '\0'))).element(), "data") << shape;
  EXPECT_EQ(error_of(npy("<f4", "(" + std::string(60000, ' ') + "x)", "")).element(), "header");
}

}  // namespace
}  // namespace skinlight
