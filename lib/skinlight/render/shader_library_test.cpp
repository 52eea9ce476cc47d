#include "skinlight/render/shader_library.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <array>

#include "skinlight/core/error.h"
#include "skinlight/render/context.h"
#include "skinlight/render/detail/gl_program.h"

namespace skinlight {
namespace {

using testing::AllOf;
using testing::ElementsAre;
using testing::HasSubstr;

// A program whose second include fails at line 4 of its file, behind an include of its own.
ShaderFiles broken_in_an_include() {
  return {{"programs/a.vert",
           "#version 330 core\n"
           "#include \"kernels/good.glsl\"\n"
           "#include \"kernels/bad.glsl\"  // after good\n"
           "void main() { gl_Position = vec4(good() + bad()); }\n"},
          {"kernels/good.glsl", "float good() { return SCALE; }\n"},
          {"kernels/bad.glsl",
           "\n"
           "#include \"kernels/good.glsl\"\n"
           "float bad() {\n"
           "  return undeclared_name;\n"
           "}\n"}};
}

std::string compile_error(const ShaderFiles& library) {
  try {
    build_program({"programs/a.vert", "", {{"SCALE", "2.0"}}, {}}, library);
  } catch (const InputError& error) {
    return error.what();
  }
  return "compiled";
}

TEST(ShaderLibrary, HoldsTheFilesUnderShaders) {
  ASSERT_TRUE(shader_files().contains("include/kernel_prelude.glsl"));
  EXPECT_THAT(shader_files().at("include/kernel_prelude.glsl"), HasSubstr("#define real float"));
}

TEST(ShaderLibrary, IncludesOnceAndKeepsLineNumbers) {
  const ShaderFiles library = broken_in_an_include();
  const std::array<Define, 1> defines{{{"SCALE", "2.0"}}};
  const ShaderText shader = assemble_shader(library, "programs/a.vert", defines);
  EXPECT_THAT(shader.files, ElementsAre("programs/a.vert", "kernels/good.glsl", "kernels/bad.glsl"));
  EXPECT_EQ(shader.text,
            "#version 330 core\n"
            "#define SCALE 2.0\n"
            "#line 2 0\n"
            "#line 1 1\n"
            "float good() { return SCALE; }\n"
            "#line 3 0\n"
            "#line 1 2\n"
            "\n"
            "#line 3 2\n"
            "float bad() {\n"
            "  return undeclared_name;\n"
            "}\n"
            "#line 4 0\n"
            "void main() { gl_Position = vec4(good() + bad()); }\n");
}

TEST(ShaderLibrary, DriverErrorsNameTheIncludedFileAndLine) {
  for (const Renderer renderer : {Renderer::egl_surfaceless, Renderer::osmesa}) {
    const auto context = create_context(renderer);
    EXPECT_THAT(compile_error(broken_in_an_include()),
                AllOf(HasSubstr("shaders/programs/a.vert: does not compile: "),
                      HasSubstr("shaders/kernels/bad.glsl:4: error"), HasSubstr("undeclared_name")));
  }
}

TEST(ShaderLibrary, DriverErrorsAfterAnIncludeNameTheIncludingLine) {
  ShaderFiles library = broken_in_an_include();
  library["kernels/bad.glsl"] = "float bad() { return 1.0; }\n";
  const auto context = create_context(Renderer::llvmpipe);
  EXPECT_EQ(compile_error(library), "compiled");
  library["programs/a.vert"] += "float broken() { return other_name; }\n";
  EXPECT_THAT(compile_error(library), HasSubstr("shaders/programs/a.vert:5: error"));
}

TEST(ShaderLibrary, LinkErrorsNameThePrograms) {
  const ShaderFiles library{
      {"programs/a.vert", "#version 330 core\nfloat f();\nvoid main() { gl_Position = vec4(f()); }\n"}};
  const auto context = create_context(Renderer::llvmpipe);
  EXPECT_THAT(compile_error(library),
              AllOf(HasSubstr("shaders/programs/a.vert"), HasSubstr("does not link")));
}

TEST(ShaderLibrary, TranslatesTheLogsOfEveryVendor) {
  const std::array<std::string, 3> files{"programs/a.vert", "kernels/lbs.glsl", "kernels/sbs.glsl"};
  EXPECT_EQ(translate_log("1:12(5): error: `q' undeclared\n", files),
            "shaders/kernels/lbs.glsl:12: error: `q' undeclared");
  EXPECT_EQ(translate_log("2(7) : error C1008: undefined variable \"q\"\n", files),
            "shaders/kernels/sbs.glsl:7: error C1008: undefined variable \"q\"");
  EXPECT_EQ(translate_log("ERROR: 0:3: 'q' : undeclared identifier\nERROR: 1 compilation errors.\n", files),
            "shaders/programs/a.vert:3: ERROR: 'q' : undeclared identifier\nERROR: 1 compilation errors.");
  // Not the number of a file.
  EXPECT_EQ(translate_log("9:12(5): error", files), "9:12(5): error");
  EXPECT_EQ(translate_log("3:12(5): error", files), "3:12(5): error");
  EXPECT_EQ(translate_log("a line\n\n0:1(1): error", files), "a line\nshaders/programs/a.vert:1: error");
}

std::string assembly_error(const std::string& text) {
  try {
    assemble_shader({{"programs/a.vert", text}}, "programs/a.vert");
  } catch (const InputError& error) {
    return error.what();
  }
  return "assembled";
}

TEST(ShaderLibrary, MistakesInIncludesNameFileAndLine) {
  EXPECT_EQ(assembly_error("#version 330 core\n\n#include \"kernels/none.glsl\"\n"),
            "shaders/programs/a.vert:3: \"kernels/none.glsl\": no such file under shaders/");
  EXPECT_EQ(assembly_error("#version 330 core\n# include <kernels/none.glsl>\n"),
            "shaders/programs/a.vert:2: #include: expected a name in quotes or a define");
  EXPECT_EQ(
      assembly_error("#version 330 core\n#include KERNEL_FILE\n"),
      "shaders/programs/a.vert:2: #include: 'KERNEL_FILE' is no define that stands for a name in quotes");
  for (const char* value : {"\"\"", "\"", "", "\"open", "open\"", "plain"}) {
    const Define file{"FILE", value};
    try {
      assemble_shader({{"programs/a.vert", "#version 330 core\n#include FILE\n"}}, "programs/a.vert",
                      {&file, 1});
      ADD_FAILURE() << value;
    } catch (const InputError& error) {
      EXPECT_STREQ(
          error.what(),
          "shaders/programs/a.vert:2: #include: 'FILE' is no define that stands for a name in quotes");
    }
  }
  EXPECT_EQ(assembly_error("void main() {}\n"),
            "shaders/programs/a.vert:1: the first line of a program must be #version");
  // A file that includes itself is a file included once.
  EXPECT_EQ(assembly_error("#version 330 core\n#include \"programs/a.vert\"\n"), "assembled");
}

TEST(ShaderLibrary, AnIncludeMayNameADefine) {
  const ShaderFiles library{{"programs/a.vert", "#version 330 core\n#include FILE  // of a variant\n"},
                            {"kernels/one.glsl", "float one() { return 1.0; }\n"}};
  const Define file{"FILE", "\"kernels/one.glsl\""};
  const ShaderText shader = assemble_shader(library, "programs/a.vert", {&file, 1});
  EXPECT_THAT(shader.files, ElementsAre("programs/a.vert", "kernels/one.glsl"));
  EXPECT_THAT(shader.text, HasSubstr("float one()"));
  EXPECT_THAT(shader.text, testing::Not(HasSubstr("#define FILE")));  // GLSL has no strings
  const ShaderFiles short_name{{"programs/a.vert", "#version 330 core\n#include FILE\n"},
                               {"k", "float k;\n"}};
  const std::array<Define, 2> defines{{{"OTHER", "\"j\""}, {"FILE", "\"k\""}}};
  EXPECT_THAT(assemble_shader(short_name, "programs/a.vert", defines).files,
              ElementsAre("programs/a.vert", "k"));
}

TEST(ShaderLibrary, ThePreludeIsGlsl) {
  ShaderFiles library{{"programs/a.vert",
                       "#version 330 core\n"
                       "#include \"include/kernel_prelude.glsl\"\n"
                       "uniform vec3 v;\n"
                       "void main() {\n"
                       "  real x[INFLUENCES];\n"
                       "  x[0] = select(v.x > 0.0, 1.0, 2.0);\n"
                       "  boolean b = true;\n"
                       "  gl_Position = vec4(select(b, vec3(x[0]), v), x[0]);\n"
                       "}\n"}};
  library.insert(*shader_files().find("include/kernel_prelude.glsl"));
  const auto context = create_context(Renderer::llvmpipe);
  EXPECT_EQ(compile_error(library), "compiled");
}

}  // namespace
}  // namespace skinlight
