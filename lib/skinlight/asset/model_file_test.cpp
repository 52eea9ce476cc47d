#include "skinlight/asset/model_file.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "skinlight/asset/gltf/gltf.h"
#include "testing/gltf_file.h"

namespace skinlight {
namespace {

using namespace gltf_test;
using testing::HasSubstr;

TEST(ModelFile, FormatIsKnownByContentWhateverTheName) {
  const Folder folder("model_file");
  for (const std::string name : {"strip.gltf", "strip.GLB", "strip.bin", "strip"}) {
    EXPECT_EQ(read_model(folder.write(name, strip().glb())).mesh.vertex_count(), 8) << name;
    EXPECT_EQ(read_model(folder.write(name, strip().gltf())).name, "strip") << name;
  }
}

TEST(ModelFile, NamesOfOtherFormatsGoToTheirReader) {
  const Folder folder("model_file");
  for (const std::string name : {"a.FBX", "a.dae", "a.md5mesh", "a.x"}) try {
      read_model(folder.write(name, "nonsense"));
      ADD_FAILURE() << "accepted " << name;
    } catch (const InputError& e) {
      EXPECT_THAT(e.file(), HasSubstr(name));
      EXPECT_THAT(e.reason(), testing::Not(HasSubstr("no known format")));
    }
}

// A pattern of the command line takes these, whatever the case.
TEST(ModelFile, NamesOfModelsAreThoseThatErrorsAndHelpName) {
  EXPECT_EQ(model_formats(),
            "glTF 2.0 (.gltf, .glb, .vrm), FBX (.fbx), Collada (.dae), MD5 (.md5mesh) and DirectX (.x)");
  for (const std::string name : {"a.gltf", "a.glb", "a.VRM", "a.fbx", "a.dae", "a.md5mesh", "a.x"})
    EXPECT_TRUE(is_model_name(name)) << name;
  for (const std::string name : {"a", "a.", "a.png", "glb", "a.glb.txt"})
    EXPECT_FALSE(is_model_name(name)) << name;
}

TEST(ModelFile, ContentCountsBeforeTheName) {
  const Folder folder("model_file");
  for (const std::string name : {"strip.fbx", "strip.dae", "strip.x"})
    EXPECT_EQ(read_model(folder.write(name, strip().glb())).mesh.vertex_count(), 8) << name;
  try {
    read_model(folder.write("a.glb", "; FBX 7.4.0 project file\n"));
    ADD_FAILURE() << "accepted a text without objects";
  } catch (const InputError& e) {
    EXPECT_THAT(e.reason(), testing::Not(HasSubstr("glTF")));
  }
}

TEST(ModelFile, OptionsReachTheReader) {
  const Folder folder("model_file");
  EXPECT_EQ(read_model(folder.write("strip.glb", strip().glb()), {1}).mesh.slots, 1);
}

TEST(ModelFile, ErrorsNameTheFile) {
  const Folder folder("model_file");
  const auto expect_error = [](const std::filesystem::path& path, const std::string& reason) {
    try {
      read_model(path);
      ADD_FAILURE() << "accepted " << path;
    } catch (const InputError& e) {
      EXPECT_EQ(e.file(), path.string());
      EXPECT_THAT(e.reason(), HasSubstr(reason));
    }
  };
  expect_error(folder.write("a.txt", "hello"), "of no known format");
  expect_error(folder.write("empty.txt", ""), "of no known format");
  expect_error(folder.write("empty.glb", ""), "is empty");
  expect_error(folder.write("a.glb", "glTF"), "truncated");
  expect_error(folder.write("x", "").parent_path() / "missing.glb", "no such file");
}

TEST(ParseGltf, ExternalBuffersComeFromTheFolderOrFromNowhere) {
  const Folder folder("parse_gltf");
  const std::filesystem::path buffer = folder.write("strip.bin", strip().buffer);
  const std::string text = strip().json(R"("uri": "strip.bin", )");
  EXPECT_EQ(parse_gltf(text, buffer.parent_path(), "strip").mesh.vertex_count(), 8);
  EXPECT_THROW(parse_gltf(text, "", "strip"), InputError);
  EXPECT_EQ(parse_gltf(strip().gltf(), "", "strip").mesh.vertex_count(), 8);
}

}  // namespace
}  // namespace skinlight
