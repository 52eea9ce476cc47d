#include "skinlight/asset/gltf/base_colours.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <string>

#include "skinlight/asset/gltf/gltf.h"
#include "testing/gltf_file.h"

namespace skinlight {
namespace {

using namespace gltf_test;
using testing::Each;
using testing::ElementsAre;
using testing::HasSubstr;

const std::string kPicture = "not even a picture: bytes as they are";

// The strip in two primitives of one face and five, with a material each; `second`: of the second one's
// pbrMetallicRoughness.
File two_materials(const std::string& second) {
  File file = strip();
  const std::string one = replaced(file.primitives[0], R"("indices": 5)",
                                   R"("material": 0, "indices": )" + file.add("SCALAR", kU16, {0, 1, 2}));
  const std::string p =
      file.add("VEC3", kFloat, {0, 0, 0, 1, 0, 0, 0, 1, 0, 1, 1, 0, 0, 2, 0, 1, 2, 0, 0, 3, 0, 1, 3, 0});
  const std::string rest =
      replaced(replaced(file.primitives[0], R"("POSITION": 0)", R"("POSITION": )" + p), R"("indices": 5)",
               R"("material": 1, "indices": )" +
                   file.add("SCALAR", kU16, {2, 1, 3, 2, 3, 4, 4, 3, 5, 4, 5, 6, 6, 5, 7}));
  file.primitives = {one, rest};
  file.extra = R"("materials": [{"pbrMetallicRoughness": {"baseColorFactor": [0.5, 0.25, 0.125, 1]}},
    {"pbrMetallicRoughness": )" +
               second + R"(}], "textures": [{"source": 0}, {"source": 1}],
    "images": [{"uri": "first.png"}, {"uri": "data:image/png;base64,)" +
               base64(kPicture) + R"("}], )";
  return file;
}

BaseColours colours_of(const File& file, const std::string& beside = "") {
  const Folder folder("base_colours_test");
  if (!beside.empty()) folder.write("first.png", beside);
  return read_base_colours(folder.write("strip.gltf", file.gltf()));
}

TEST(BaseColours, FacesHaveTheFactorOfTheirMaterial) {
  const BaseColours colours = colours_of(two_materials(R"({"baseColorFactor": [1, 0, 0.75, 0.5]})"));
  const Vec3f first(0.5f, 0.25f, 0.125f), second(1.0f, 0.0f, 0.75f);
  EXPECT_THAT(colours.face, ElementsAre(first, second, second, second, second, second));
  EXPECT_THAT(colours.textured, Each(0));
  EXPECT_EQ(colours.picture, "");
}

TEST(BaseColours, WithoutMaterialsFacesAreWhite) {
  EXPECT_THAT(colours_of(strip()).face,
              ElementsAre(Vec3f(1.0f), Vec3f(1.0f), Vec3f(1.0f), Vec3f(1.0f), Vec3f(1.0f), Vec3f(1.0f)));
}

TEST(BaseColours, APictureInTheFileComesAsItIs) {
  const BaseColours colours =
      colours_of(two_materials(R"({"baseColorFactor": [1, 0, 0.75, 1], "baseColorTexture": {"index": 1}})"));
  EXPECT_EQ(colours.picture, kPicture);
  EXPECT_THAT(colours.textured, ElementsAre(0, 1, 1, 1, 1, 1));
  EXPECT_EQ(colours.face[1], Vec3f(1.0f, 0.0f, 0.75f)) << "the factor stays a factor";
}

TEST(BaseColours, APictureBesideTheFileIsReadAndAMissingOneIsNone) {
  const File file = two_materials(R"({"baseColorTexture": {"index": 0}})");
  EXPECT_EQ(colours_of(file, kPicture).picture, kPicture);
  const BaseColours without = colours_of(file);
  EXPECT_EQ(without.picture, "");
  EXPECT_THAT(without.textured, Each(0));
  EXPECT_EQ(without.face[3], Vec3f(1.0f));
}

// One picture is drawn: that of the first primitive that has one.
TEST(BaseColours, OfTwoPicturesTheFirstIsTakenAndTheOtherPrimitiveKeepsItsColour) {
  const std::string other = "another picture, beside the file";
  File file = two_materials(R"({"baseColorFactor": [1, 0, 0.75, 1], "baseColorTexture": {"index": 1}})");
  file.extra = replaced(file.extra, R"("baseColorFactor": [0.5, 0.25, 0.125, 1])",
                        R"("baseColorFactor": [0.5, 0.25, 0.125, 1], "baseColorTexture": {"index": 0})");
  const BaseColours first = colours_of(file, other);
  EXPECT_EQ(first.picture, other);
  EXPECT_THAT(first.textured, ElementsAre(1, 0, 0, 0, 0, 0));
  EXPECT_EQ(first.face[1], Vec3f(1.0f, 0.0f, 0.75f));
  const BaseColours second = colours_of(file);  // the first one cannot be had
  EXPECT_EQ(second.picture, kPicture);
  EXPECT_THAT(second.textured, ElementsAre(0, 1, 1, 1, 1, 1));
}

TEST(BaseColours, WhatMaterialsReferToHasToBeThere) {
  const auto reason = [](const std::string& second, const std::string& from,
                         const std::string& to) -> std::string {
    File file = two_materials(second);
    file.extra = replaced(file.extra, from, to);
    const Folder folder("base_colours_test");
    try {
      read_base_colours(folder.write("strip.gltf", file.gltf()));
    } catch (const InputError& e) {
      return e.what();
    }
    return "";
  };
  EXPECT_THAT(reason(R"({"baseColorTexture": {"index": 7}})", "first.png", "first.png"),
              HasSubstr("material 1: refers to texture 7, but the file has 2"));
  EXPECT_THAT(reason(R"({"baseColorTexture": {"index": 1}})", R"({"source": 1})", R"({"source": 4})"),
              HasSubstr("texture 1: refers to image 4, but the file has 2"));
}

TEST(BaseColours, PrimitivesThatShareVerticesHaveTheColoursOfTheFirst) {
  File file = two_materials(R"({"baseColorFactor": [1, 0, 0.75, 1]})");
  file.primitives[1] = replaced(file.primitives[0], R"("material": 0)", R"("material": 1)");
  EXPECT_THAT(colours_of(file).face, Each(Vec3f(0.5f, 0.25f, 0.125f)));
}

}  // namespace
}  // namespace skinlight
