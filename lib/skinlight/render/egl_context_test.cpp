// What EGL and OSMesa do not do on the machine at hand: their functions are replaced by ones that fail.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <string>
#include <utility>
#include <vector>

#include "skinlight/core/error.h"
#include "skinlight/render/context.h"
#include "skinlight/render/detail/context_backends.h"
#include "skinlight/render/detail/egl_api.h"
#include "skinlight/render/detail/osmesa_api.h"
#include "testing/replaced.h"

namespace skinlight {
namespace {

using test_replaced::Replaced;
using testing::ElementsAre;

std::string made(std::unique_ptr<Context> (*create)()) {
  try {
    return "made by " + std::string(name(create()->info().renderer));
  } catch (const InputError& error) {
    return error.what();
  }
}
std::string surfaceless() { return made(create_egl_surfaceless); }
std::string any_device() {
  return made([] { return create_egl_device(DeviceChoice::any); });
}

EGLint GLAD_API_PTR say_not_initialized() { return EGL_NOT_INITIALIZED; }

// Errors that EGL has no more to say of than its code.
class EglFailures : public testing::Test {
 protected:
  Replaced<PFNEGLGETERRORPROC> error_{egl().get_error, &say_not_initialized};
};

TEST_F(EglFailures, EachStepIsNamedWithTheCode) {
  ASSERT_EQ(surfaceless(), "made by egl-surfaceless");
  {
    const Replaced none(egl().get_platform_display, PFNEGLGETPLATFORMDISPLAYEXTPROC{nullptr});
    EXPECT_EQ(surfaceless(), "libEGL.so.1: lacks EGL_EXT_platform_base");
  }
  {
    const Replaced none(egl().get_platform_display,
                        PFNEGLGETPLATFORMDISPLAYEXTPROC{
                            [](EGLenum, void*, const EGLint*) -> EGLDisplay { return EGL_NO_DISPLAY; }});
    EXPECT_EQ(surfaceless(), "eglGetPlatformDisplay: EGL error 0x3001");
  }
  {
    const Replaced none(
        egl().initialize,
        PFNEGLINITIALIZEPROC{[](EGLDisplay, EGLint*, EGLint*) -> EGLBoolean { return EGL_FALSE; }});
    EXPECT_EQ(surfaceless(), "eglInitialize: EGL error 0x3001");
  }
  {
    const Replaced none(egl().bind_api, PFNEGLBINDAPIPROC{[](EGLenum) -> EGLBoolean { return EGL_FALSE; }});
    EXPECT_EQ(surfaceless(), "eglBindAPI: EGL error 0x3001");
  }
}

const char* said_extensions = "";
const char* GLAD_API_PTR say_extensions(EGLDisplay, EGLint) { return said_extensions; }

// Every context that is made, by its version and whether it asks for a core profile; those above a version fail.
struct Asked {
  EGLint major, minor, core;
  EGLConfig config;
};
std::vector<Asked> asked;
EGLint highest_major = 9;
PFNEGLCREATECONTEXTPROC real_create = nullptr;
EGLContext GLAD_API_PTR create_up_to(EGLDisplay display, EGLConfig config, EGLContext share,
                                     const EGLint* attributes) {
  Asked a{0, 0, 0, config};
  for (const EGLint* pair = attributes; *pair != EGL_NONE; pair += 2) {
    if (pair[0] == EGL_CONTEXT_MAJOR_VERSION) a.major = pair[1];
    if (pair[0] == EGL_CONTEXT_MINOR_VERSION) a.minor = pair[1];
    if (pair[0] == EGL_CONTEXT_OPENGL_PROFILE_MASK) a.core = pair[1];
  }
  asked.push_back(a);
  return a.major > highest_major ? EGLContext{EGL_NO_CONTEXT}
                                 : real_create(display, config, share, attributes);
}

std::vector<std::string> versions_asked() {
  std::vector<std::string> versions;
  for (const Asked& a : asked)
    versions.push_back(std::to_string(a.major) + "." + std::to_string(a.minor) +
                       (a.core == EGL_CONTEXT_OPENGL_CORE_PROFILE_BIT ? " core" : ""));
  return versions;
}

TEST_F(EglFailures, TheContextIs45Or33) {
  real_create = egl().create_context;
  const Replaced create(egl().create_context, &create_up_to);
  asked.clear();
  highest_major = 9;
  EXPECT_EQ(surfaceless(), "made by egl-surfaceless");
  EXPECT_THAT(versions_asked(), ElementsAre("4.5 core"));
  asked.clear();
  highest_major = 3;
  EXPECT_EQ(surfaceless(), "made by egl-surfaceless");
  EXPECT_THAT(versions_asked(), ElementsAre("4.5 core", "3.3 core"));
  asked.clear();
  highest_major = 0;
  EXPECT_EQ(surfaceless(), "eglCreateContext of an OpenGL 3.3 core profile: EGL error 0x3001");
  EXPECT_THAT(versions_asked(), ElementsAre("4.5 core", "3.3 core"));
}

TEST_F(EglFailures, WithoutContextsThatNeedNoConfigOneIsChosen) {
  real_create = egl().create_context;
  highest_major = 9;
  const Replaced create(egl().create_context, &create_up_to);
  const Replaced extensions(egl().query_string, &say_extensions);
  const auto config_asked = [](const char* list) {
    said_extensions = list;
    asked.clear();
    EXPECT_EQ(surfaceless(), "made by egl-surfaceless") << list;
    return !asked.empty() && asked[0].config != nullptr;
  };
  EXPECT_FALSE(config_asked("EGL_KHR_surfaceless_context EGL_KHR_no_config_context"));
  EXPECT_TRUE(config_asked("EGL_KHR_surfaceless_context"));
  said_extensions = "EGL_KHR_no_config_context EGL_KHR_surfaceless_context2";
  EXPECT_EQ(surfaceless(), "lacks EGL_KHR_surfaceless_context");
  said_extensions = nullptr;
  EXPECT_EQ(surfaceless(), "lacks EGL_KHR_surfaceless_context");

  said_extensions = "EGL_KHR_surfaceless_context";
  {
    const Replaced none(egl().choose_config, PFNEGLCHOOSECONFIGPROC{[](EGLDisplay, const EGLint*, EGLConfig*,
                                                                       EGLint, EGLint* count) -> EGLBoolean {
                          *count = 1;
                          return EGL_FALSE;
                        }});
    EXPECT_EQ(surfaceless(), "eglChooseConfig: EGL error 0x3001");
  }
  const Replaced none(egl().choose_config, PFNEGLCHOOSECONFIGPROC{[](EGLDisplay, const EGLint*, EGLConfig*,
                                                                     EGLint, EGLint* count) -> EGLBoolean {
                        *count = 0;
                        return EGL_TRUE;
                      }});
  EXPECT_EQ(surfaceless(), "eglChooseConfig: EGL error 0x3001");
}

int destroyed = 0, left = 0;
PFNEGLDESTROYCONTEXTPROC real_destroy = nullptr;
PFNEGLMAKECURRENTPROC real_make_current = nullptr;
EGLBoolean GLAD_API_PTR count_destroyed(EGLDisplay display, EGLContext context) {
  ++destroyed;
  return real_destroy(display, context);
}
EGLBoolean GLAD_API_PTR count_left(EGLDisplay display, EGLSurface draw, EGLSurface read, EGLContext context) {
  left += context == EGL_NO_CONTEXT;
  return real_make_current(display, draw, read, context);
}

// One that cannot be used is destroyed too.
TEST_F(EglFailures, AContextIsDestroyedOnceAndLeftWhereItIsCurrent) {
  real_destroy = egl().destroy_context;
  real_make_current = egl().make_current;
  const Replaced destroy(egl().destroy_context, &count_destroyed);
  destroyed = left = 0;
  {
    const Replaced make_current(egl().make_current, &count_left);
    const auto first = create_egl_surfaceless();
    {
      const auto second = create_egl_surfaceless();
      first->make_current();
    }
    EXPECT_EQ(destroyed, 1);
    EXPECT_EQ(left, 0) << "the other is current";
  }
  EXPECT_EQ(destroyed, 2);
  EXPECT_EQ(egl().get_current_context(), EGL_NO_CONTEXT);
  const Replaced none(egl().make_current,
                      PFNEGLMAKECURRENTPROC{[](EGLDisplay, EGLSurface, EGLSurface, EGLContext) -> EGLBoolean {
                        return EGL_FALSE;
                      }});
  EXPECT_EQ(surfaceless(), "eglMakeCurrent: EGL error 0x3001");
  EXPECT_EQ(destroyed, 3);
}

TEST_F(EglFailures, WhatIsNotBoundIsNotMadeCurrent) {
  const auto context = create_egl_surfaceless();
  const Replaced none(egl().bind_api, PFNEGLBINDAPIPROC{[](EGLenum) -> EGLBoolean { return EGL_FALSE; }});
  try {
    context->make_current();
    FAIL();
  } catch (const InputError& error) {
    EXPECT_STREQ(error.what(), "eglMakeCurrent: EGL error 0x3001");
  }
}

TEST_F(EglFailures, DevicesNeedBothExtensions) {
  const std::string lacks = "libEGL.so.1: lacks EGL_EXT_platform_device or EGL_EXT_device_enumeration";
  ASSERT_EQ(any_device(), "made by egl-device");
  {
    const Replaced none(egl().query_devices, PFNEGLQUERYDEVICESEXTPROC{nullptr});
    EXPECT_EQ(any_device(), lacks);
  }
  {
    const Replaced extensions(egl().client_extensions,
                              std::string("EGL_EXT_platform_base EGL_MESA_platform_surfaceless"));
    EXPECT_EQ(any_device(), lacks);
    EXPECT_EQ(surfaceless(), "made by egl-surfaceless");
  }
  {
    const Replaced extensions(egl().client_extensions, std::string("EGL_EXT_platform_device"));
    EXPECT_EQ(any_device(), "made by egl-device");
    EXPECT_EQ(surfaceless(), "libEGL.so.1: lacks EGL_MESA_platform_surfaceless");
  }
  const Replaced none(
      egl().query_devices,
      PFNEGLQUERYDEVICESEXTPROC{[](EGLint, EGLDeviceEXT*, EGLint*) -> EGLBoolean { return EGL_FALSE; }});
  EXPECT_EQ(any_device(), "eglQueryDevicesEXT: EGL error 0x3001");
}

// No more than the list of devices has are asked, and each by its own handle.
TEST_F(EglFailures, EveryDeviceIsAskedForItsDisplay) {
  const Replaced devices(egl().query_devices, PFNEGLQUERYDEVICESEXTPROC{[](EGLint room, EGLDeviceEXT* handles,
                                                                           EGLint* count) -> EGLBoolean {
                           static char storage[3];
                           for (int i = 0; i < 3 && i < room; ++i) handles[i] = storage + i;
                           *count = 3;
                           return EGL_TRUE;
                         }});
  static std::vector<void*> shown;
  shown.clear();
  const Replaced displays(
      egl().get_platform_display,
      PFNEGLGETPLATFORMDISPLAYEXTPROC{[](EGLenum platform, void* native, const EGLint*) -> EGLDisplay {
        if (platform == EGL_PLATFORM_DEVICE_EXT) shown.push_back(native);
        return EGL_NO_DISPLAY;
      }});
  const std::string why = "eglGetPlatformDisplay: EGL error 0x3001";
  try {
    create_egl_device(DeviceChoice::hardware);
    FAIL();
  } catch (const InputError& error) {
    EXPECT_EQ(error.what(),
              "no hardware device among 3; device 0: " + why + "; device 1: " + why + "; device 2: " + why);
  }
  ASSERT_EQ(shown.size(), 3u);
  EXPECT_EQ(static_cast<char*>(shown[1]) - static_cast<char*>(shown[0]), 1);
  EXPECT_EQ(static_cast<char*>(shown[2]) - static_cast<char*>(shown[1]), 1);
}

// The versions that OSMesa is asked for; those above a version fail.
std::vector<std::string> osmesa_asked;
int osmesa_highest = 9, osmesa_destroyed = 0;
decltype(Osmesa::create) real_osmesa_create = nullptr;
decltype(Osmesa::destroy) real_osmesa_destroy = nullptr;
OsmesaHandle create_osmesa_up_to(const int* attributes, OsmesaHandle share) {
  constexpr int kProfile = 0x33, kCore = 0x34, kMajor = 0x36, kMinor = 0x37;  // of GL/osmesa.h
  int major = 0, minor = 0;
  bool core = false;
  for (const int* pair = attributes; *pair != 0; pair += 2) {
    if (pair[0] == kMajor) major = pair[1];
    if (pair[0] == kMinor) minor = pair[1];
    core = core || (pair[0] == kProfile && pair[1] == kCore);
  }
  osmesa_asked.push_back(std::to_string(major) + "." + std::to_string(minor) + (core ? " core" : ""));
  return major > osmesa_highest ? nullptr : real_osmesa_create(attributes, share);
}
void count_osmesa_destroyed(OsmesaHandle handle) {
  ++osmesa_destroyed;
  real_osmesa_destroy(handle);
}

TEST(OsmesaFailures, TheContextIs45Or33AndDestroyedOnce) {
  real_osmesa_create = osmesa().create;
  real_osmesa_destroy = osmesa().destroy;
  const Replaced create(osmesa().create, &create_osmesa_up_to);
  const Replaced destroy(osmesa().destroy, &count_osmesa_destroyed);
  const auto made_up_to = [](int highest) {
    osmesa_asked.clear();
    osmesa_highest = highest;
    osmesa_destroyed = 0;
    return made(create_osmesa);
  };
  EXPECT_EQ(made_up_to(9), "made by osmesa");
  EXPECT_THAT(osmesa_asked, ElementsAre("4.5 core"));
  EXPECT_EQ(osmesa_destroyed, 1);
  EXPECT_EQ(made_up_to(3), "made by osmesa");
  EXPECT_THAT(osmesa_asked, ElementsAre("4.5 core", "3.3 core"));
  EXPECT_EQ(osmesa_destroyed, 1);
  EXPECT_EQ(made_up_to(0), "no core profile of OpenGL 3.3");
  EXPECT_EQ(osmesa_destroyed, 0);
  const Replaced none(
      osmesa().make_current, +[](OsmesaHandle, void*, GLenum, int, int) -> unsigned char { return 0; });
  EXPECT_EQ(made_up_to(9), "osmesa: the context cannot be made current");
  EXPECT_EQ(osmesa_destroyed, 1);
}

}  // namespace
}  // namespace skinlight
