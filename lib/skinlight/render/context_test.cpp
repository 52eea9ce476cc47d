#include "skinlight/render/context.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <algorithm>
#include <cstdlib>
#include <iostream>

#include "skinlight/core/error.h"
#include "skinlight/render/detail/context_backends.h"
#include "skinlight/render/detail/context_cache.h"

namespace skinlight {
namespace {

using testing::AllOf;
using testing::HasSubstr;

class EveryContext : public testing::TestWithParam<Renderer> {};

// Draws nothing, but clears a texture and reads it back: the functions belong to the context that is current.
void expect_usable(const ContextInfo& info) {
  const GlObject texture = make_texture(), framebuffer = make_framebuffer();
  glBindTexture(GL_TEXTURE_2D, texture.id());
  glTexImage2D(GL_TEXTURE_2D, 0, GL_RGBA32F, 2, 2, 0, GL_RGBA, GL_FLOAT, nullptr);
  glBindFramebuffer(GL_FRAMEBUFFER, framebuffer.id());
  glFramebufferTexture2D(GL_FRAMEBUFFER, GL_COLOR_ATTACHMENT0, GL_TEXTURE_2D, texture.id(), 0);
  ASSERT_EQ(glCheckFramebufferStatus(GL_FRAMEBUFFER), static_cast<GLenum>(GL_FRAMEBUFFER_COMPLETE))
      << info.device;
  glClearColor(0.25f, -3.5f, 7, 1);
  glClear(GL_COLOR_BUFFER_BIT);
  float pixel[4] = {};
  glReadPixels(1, 1, 1, 1, GL_RGBA, GL_FLOAT, pixel);
  check_gl("reading a cleared pixel");
  EXPECT_THAT(pixel, testing::ElementsAre(0.25f, -3.5f, 7, 1));
}

TEST_P(EveryContext, IsACoreProfileThatDrawsToFloatTextures) {
  unsetenv("DISPLAY");
  const auto context = create_context(GetParam());
  const ContextInfo& info = context->info();
  EXPECT_EQ(info.renderer, GetParam());
  EXPECT_FALSE(info.vendor.empty());
  EXPECT_FALSE(info.device.empty());
  GLint profile = 0;
  glGetIntegerv(GL_CONTEXT_PROFILE_MASK, &profile);
  EXPECT_TRUE(profile & GL_CONTEXT_CORE_PROFILE_BIT);
  EXPECT_GE(std::stod(info.version), 3.3);
  expect_usable(info);
}

TEST_P(EveryContext, CanBeMadeAgainAfterItWasDestroyed) {
  for (int i = 0; i < 3; ++i) expect_usable(create_context(GetParam())->info());
}

TEST_P(EveryContext, LivesBesideAnotherOfItsKind) {
  const auto first = create_context(GetParam());
  {
    const auto second = create_context(GetParam());
    expect_usable(second->info());
    first->make_current();
    expect_usable(first->info());
  }
  first->make_current();
  expect_usable(first->info());
}

TEST_P(EveryContext, BuildsEachProgramOnce) {
  const auto first = create_context(GetParam());
  const ProgramSource plain{"programs/posed_draw.vert", "programs/shaded.frag", {}, {}};
  ProgramSource variant = plain;
  variant.defines.push_back({"NORMAL_MAP", "1"});
  const GLuint program = first->cache().program(plain).id(), other = first->cache().program(variant).id();
  EXPECT_NE(program, other);
  EXPECT_EQ(first->cache().program(plain).id(), program);
  EXPECT_EQ(first->cache().program(variant).id(), other);
  {
    // Programs of another context are its own, and go with it.
    const auto second = create_context(GetParam());
    EXPECT_FALSE(glIsProgram(program));
    EXPECT_TRUE(glIsProgram(second->cache().program(variant).id()));
  }
  first->make_current();
  EXPECT_TRUE(glIsProgram(first->cache().program(plain).id()));
  EXPECT_TRUE(glIsProgram(first->cache().program(variant).id()));
}

TEST_P(EveryContext, KeepsATargetWhileItsSizeStays) {
  const auto context = create_context(GetParam());
  const auto bound = [&](int width, int height) {
    context->cache().target(width, height).begin();
    GLint framebuffer = 0;
    glGetIntegerv(GL_DRAW_FRAMEBUFFER_BINDING, &framebuffer);
    return framebuffer;
  };
  const GLint first = bound(8, 4);
  glClearColor(1, 2, 3, 4);
  glClear(GL_COLOR_BUFFER_BIT);
  EXPECT_EQ(bound(8, 4), first);
  const ImageF emptied = context->cache().target(8, 4).read();
  EXPECT_EQ(emptied.width, 8);
  EXPECT_EQ(emptied.height, 4);
  EXPECT_THAT(emptied.rgba, testing::Each(0.0f));
  bound(4, 8);
  EXPECT_EQ(context->cache().target(4, 8).read().height, 8);
  EXPECT_THROW(bound(0, 8), InputError);
  bound(4, 8);
}

TEST_P(EveryContext, DoesNotKeepAProgramThatCannotBeBuilt) {
  const auto context = create_context(GetParam());
  for (int i = 0; i < 2; ++i)
    EXPECT_THROW(context->cache().program({"programs/nothing.vert", "", {}, {}}), InputError);
}

INSTANTIATE_TEST_SUITE_P(Kinds, EveryContext,
                         testing::Values(Renderer::egl_device, Renderer::egl_surfaceless, Renderer::osmesa),
                         [](const auto& kind) {
                           std::string text(name(kind.param));
                           std::replace(text.begin(), text.end(), '-', '_');
                           return text;
                         });

TEST(Context, AutomaticFindsOne) { expect_usable(create_context(Renderer::automatic)->info()); }

TEST(Context, LlvmpipeIsSoftware) {
  const auto context = create_context(Renderer::llvmpipe);
  EXPECT_TRUE(context->info().software);
  EXPECT_THAT(context->info().device, HasSubstr("llvmpipe"));
  // The first way is taken where it is software.
  if (create_context(Renderer::egl_surfaceless)->info().software) {
    EXPECT_EQ(context->info().renderer, Renderer::egl_surfaceless);
  }
}

TEST(Context, NamesAreInverse) {
  for (const Renderer r : {Renderer::automatic, Renderer::llvmpipe, Renderer::egl_device,
                           Renderer::egl_surfaceless, Renderer::osmesa})
    EXPECT_EQ(renderer_from_name(name(r)), r);
}

TEST(Context, UnknownNameIsAnErrorThatListsTheNames) {
  try {
    renderer_from_name("vulkan");
    FAIL();
  } catch (const InputError& error) {
    EXPECT_THAT(error.what(),
                AllOf(HasSubstr("vulkan"), HasSubstr("auto, llvmpipe, egl-device"), HasSubstr("osmesa")));
  }
}

// Without drivers libEGL has no platform. The variable is libglvnd's; it is read once, so in a process of its
// own.
void without_egl_drivers(Renderer renderer) {
  setenv("__EGL_VENDOR_LIBRARY_DIRS", "/nonexistent", 1);
  try {
    const auto context = create_context(renderer);
    std::cerr << "made by " << name(context->info().renderer) << '\n';
  } catch (const InputError& error) {
    std::cerr << error.what() << '\n';
  }
  std::exit(0);
}

TEST(ContextDeathTest, WithoutEglDriversAutomaticIsOsmesa) {
  testing::FLAGS_gtest_death_test_style = "threadsafe";
  EXPECT_EXIT(without_egl_drivers(Renderer::automatic), testing::ExitedWithCode(0), "made by osmesa");
}

TEST(ContextDeathTest, WithoutEglDriversAskingForEglNamesTheReason) {
  testing::FLAGS_gtest_death_test_style = "threadsafe";
  EXPECT_EXIT(
      without_egl_drivers(Renderer::egl_surfaceless), testing::ExitedWithCode(0),
      "renderer egl-surfaceless: no usable OpenGL 3.3 .egl-surfaceless: .*EGL_MESA_platform_surfaceless");
  EXPECT_EXIT(without_egl_drivers(Renderer::egl_device), testing::ExitedWithCode(0),
              "renderer egl-device: no usable OpenGL 3.3 .egl-device: .*device");
}

TEST(Context, AFailedCallIsAnErrorThatNamesTheStep) {
  const auto context = create_context(Renderer::llvmpipe);
  glBindBuffer(0x1234, 0);
  try {
    check_gl("binding nonsense");
    FAIL();
  } catch (const InputError& error) {
    EXPECT_STREQ(error.what(), "OpenGL: binding nonsense: invalid enum (0x0500)");
  }
  EXPECT_NO_THROW(check_gl("after the report"));
}

TEST(Context, AMissingLibraryIsAnErrorThatNamesIt) {
  EXPECT_THROW(
      try { const Library none("libskinlight-none.so.8"); } catch (const InputError& error) {
        EXPECT_THAT(error.what(), HasSubstr("libskinlight-none.so.8"));
        throw;
      },
      InputError);
}

}  // namespace
}  // namespace skinlight
