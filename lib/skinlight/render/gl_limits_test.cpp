// What no renderer at hand says of itself: OpenGL's functions are replaced by ones that do.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <map>
#include <string>

#include "skinlight/core/error.h"
#include "skinlight/render/context.h"
#include "skinlight/render/detail/context_backends.h"
#include "skinlight/render/detail/context_cache.h"
#include "testing/error_of.h"
#include "testing/replaced.h"

namespace skinlight {
namespace {

using test_errors::error_of;

using test_replaced::Replaced;
using testing::ElementsAre;

class GlLimits : public testing::Test {
 protected:
  std::unique_ptr<Context> context_ = create_context(Renderer::llvmpipe);
};

// The limits of OffscreenTarget, and of what is not named here none.
std::map<GLenum, GLint> said_limits;
void GLAD_API_PTR say_limit(GLenum which, GLint* value) {
  *value = said_limits.contains(which) ? said_limits[which] : 0;
}

TEST_F(GlLimits, APictureIsAsLargeAsTheSmallerLimitAllows) {
  for (const auto& [texture, renderbuffer] : {std::pair(16, 24), std::pair(24, 16)}) {
    said_limits = {{GL_MAX_TEXTURE_SIZE, texture}, {GL_MAX_RENDERBUFFER_SIZE, renderbuffer}};
    const Replaced limits(glad_glGetIntegerv, &say_limit);
    const auto drawn = [](int width, int height) {
      return error_of([&] { OffscreenTarget(width, height).begin(); });
    };
    for (const auto& [width, height] :
         {std::pair(1, 1), std::pair(16, 1), std::pair(1, 16), std::pair(16, 16)})
      EXPECT_EQ(drawn(width, height), "accepted") << width << " " << height;
    for (const auto& [width, height] :
         {std::pair(17, 1), std::pair(1, 17), std::pair(0, 1), std::pair(1, 0), std::pair(-1, 3)})
      EXPECT_EQ(drawn(width, height), "picture of " + std::to_string(width) + " x " + std::to_string(height) +
                                          " pixels: the renderer draws 1 to 16 pixels each way");
  }
}

// Rows of any number, odd ones too, from the top to the bottom.
TEST_F(GlLimits, ATargetIsReadFromTheTop) {
  for (const int height : {1, 2, 3, 4}) {
    OffscreenTarget target(2, height);
    target.begin();
    glEnable(GL_SCISSOR_TEST);
    for (int row = 0; row < height; ++row)
      for (int column = 0; column < 2; ++column) {
        glScissor(column, row, 1, 1);
        glClearColor(static_cast<float>(row), static_cast<float>(column), 5, 6);
        glClear(GL_COLOR_BUFFER_BIT);
      }
    glDisable(GL_SCISSOR_TEST);
    const ImageF image = target.read();
    for (int y = 0; y < height; ++y)
      for (int x = 0; x < 2; ++x)
        EXPECT_THAT(std::vector<float>(image.at(x, y), image.at(x, y) + 4),
                    ElementsAre(static_cast<float>(height - 1 - y), static_cast<float>(x), 5, 6));
  }
}

TEST_F(GlLimits, TheCacheMakesATargetAnewWhenEitherSideChanges) {
  for (const auto& [width, height] : {std::pair(8, 4), std::pair(9, 4), std::pair(9, 5), std::pair(3, 5)}) {
    OffscreenTarget& target = context_->cache().target(width, height);
    EXPECT_EQ(target.width(), width);
    EXPECT_EQ(target.height(), height);
    target.begin();
    EXPECT_EQ(target.read().rgba.size(), static_cast<std::size_t>(4 * width * height));
  }
}

int errors_left = 0, errors_read = 0;
GLenum said_error = GL_NO_ERROR;
GLenum GLAD_API_PTR say_error() {
  ++errors_read;
  return errors_left-- > 0 ? said_error : static_cast<GLenum>(GL_NO_ERROR);
}

TEST_F(GlLimits, EveryErrorHasItsNameAndCode) {
  const Replaced errors(glad_glGetError, &say_error);
  for (const auto& [error, text] :
       {std::pair(0x0500, "invalid enum (0x0500)"), std::pair(0x0501, "invalid value (0x0501)"),
        std::pair(0x0502, "invalid operation (0x0502)"), std::pair(0x0505, "out of memory (0x0505)"),
        std::pair(0x0506, "invalid framebuffer operation (0x0506)"),
        std::pair(0x0507, "unknown error (0x0507)")}) {
    said_error = static_cast<GLenum>(error);
    errors_left = 1;
    EXPECT_EQ(error_of([] { check_gl("testing"); }), std::string("OpenGL: testing: ") + text);
  }
  errors_left = 0;
  EXPECT_EQ(error_of([] { check_gl("testing"); }), "accepted");
}

TEST_F(GlLimits, OneReportEmptiesTheQueueAndALostContextEndsIt) {
  const Replaced errors(glad_glGetError, &say_error);
  said_error = GL_INVALID_VALUE;
  errors_left = 5;
  EXPECT_NE(error_of([] { check_gl("testing"); }), "accepted");
  EXPECT_EQ(error_of([] { check_gl("testing"); }), "accepted");
  errors_left = 1 << 30;
  errors_read = 0;
  EXPECT_NE(error_of([] { check_gl("testing"); }), "accepted");
  EXPECT_EQ(errors_read, 1 + 16);
}

const char* said_device = nullptr;
const GLubyte* GLAD_API_PTR say_device(GLenum which) {
  const char* text = which == GL_RENDERER  ? said_device
                     : which == GL_VENDOR  ? "a vendor"
                     : which == GL_VERSION ? "4.5 (test)"
                                           : "";
  return reinterpret_cast<const GLubyte*>(text);
}

TEST_F(GlLimits, SoftwareIsToldByTheNameOfTheDevice) {
  const Replaced strings(glad_glGetString, &say_device);
  for (const auto& [device, software] :
       {std::pair("llvmpipe (LLVM 15.0.6, 256 bits)", true), std::pair("softpipe", true),
        std::pair("Mesa DRI swrast", true), std::pair("Software Rasterizer", true),
        std::pair("LLVMPIPE", true), std::pair("NVIDIA H200/PCIe/SSE2", false),
        std::pair("AMD Radeon (radeonsi)", false), std::pair("", false)}) {
    said_device = device;
    const ContextInfo info = describe_current(Renderer::egl_device);
    EXPECT_EQ(info.software, software) << device;
    EXPECT_EQ(info.device, device);
    EXPECT_EQ(info.renderer, Renderer::egl_device);
    EXPECT_EQ(info.vendor, "a vendor");
    EXPECT_EQ(info.version, "4.5 (test)");
  }
  said_device = nullptr;
  EXPECT_EQ(describe_current(Renderer::osmesa).device, "");
}

const char* said_version = nullptr;
const GLubyte* GLAD_API_PTR say_version(GLenum which) {
  return reinterpret_cast<const GLubyte*>(which == GL_VERSION ? said_version : "");
}
const GLubyte* GLAD_API_PTR say_no_extension(GLenum, GLuint) { return reinterpret_cast<const GLubyte*>(""); }

// Only what glad asks while it finds out the version.
GlFunction find_saying(const char* name) {
  const std::string wanted = name;
  if (wanted == "glGetString") return reinterpret_cast<GlFunction>(&say_version);
  if (wanted == "glGetStringi") return reinterpret_cast<GlFunction>(&say_no_extension);
  if (wanted == "glGetIntegerv") return reinterpret_cast<GlFunction>(&say_limit);
  return nullptr;
}

TEST_F(GlLimits, OpenGlIsOldBelow33) {
  said_limits = {{GL_NUM_EXTENSIONS, 1}};  // glad takes none for a failure
  for (const auto& [version, error] :
       {std::pair("3.2 (test)", "OpenGL 3.2, 3.3 is needed"),
        std::pair("2.1 (test)", "OpenGL 2.1, 3.3 is needed"), std::pair("3.3 (test)", "accepted"),
        std::pair("4.1 (test)", "accepted")}) {
    said_version = version;
    EXPECT_EQ(error_of([] { load_gl(&find_saying); }), error);
  }
  EXPECT_EQ(error_of([] { load_gl([](const char*) -> GlFunction { return nullptr; }); }),
            "OpenGL 0.0, 3.3 is needed");
  context_->make_current();
}

// A context that draws nothing, of a device of that name.
class NamedContext final : public Context {
 public:
  NamedContext(const std::string& device, bool software) {
    info_ = {Renderer::egl_device, "", device, "", software};
  }
  void make_current() override {}
};

struct FakeDevice {
  const char* name;  // nullptr: there is no context
  bool software;
};

std::string chosen(const std::vector<FakeDevice>& devices, DeviceChoice choice) {
  return [&]() -> std::string {
    try {
      return first_device(devices.size(), choice,
                          [&](std::size_t i) -> std::unique_ptr<Context> {
                            if (!devices.at(i).name)
                              throw InputError("", "eglInitialize", "EGL error 0x3001");
                            return std::make_unique<NamedContext>(devices[i].name, devices[i].software);
                          })
          ->info()
          .device;
    } catch (const InputError& error) {
      return error.what();
    }
  }();
}

TEST(Devices, TheFirstOfTheKindThatIsWantedIsTaken) {
  const std::vector<FakeDevice> devices{
      {"cpu 0", true}, {nullptr, false}, {"gpu 2", false}, {"cpu 3", true}, {"gpu 4", false}};
  EXPECT_EQ(chosen(devices, DeviceChoice::hardware), "gpu 2");
  EXPECT_EQ(chosen(devices, DeviceChoice::software), "cpu 0");
  EXPECT_EQ(chosen(devices, DeviceChoice::any), "gpu 2");
  const std::vector<FakeDevice> no_hardware{{nullptr, false}, {"cpu 1", true}};
  EXPECT_EQ(chosen(no_hardware, DeviceChoice::any), "cpu 1");
}

TEST(Devices, WhereNoneIsAsWantedEachSaysWhy) {
  const std::vector<FakeDevice> no_hardware{{nullptr, false}, {"cpu 1", true}},
      no_software{{"gpu 0", false}, {nullptr, true}};
  EXPECT_EQ(
      chosen(no_hardware, DeviceChoice::hardware),
      "no hardware device among 2; device 0: eglInitialize: EGL error 0x3001; device 1: is rendered by cpu 1");
  EXPECT_EQ(
      chosen(no_software, DeviceChoice::software),
      "no software device among 2; device 0: is rendered by gpu 0; device 1: eglInitialize: EGL error 0x3001");
  EXPECT_EQ(chosen({}, DeviceChoice::any), "no usable device among 0");
}

TEST(Devices, ExtensionsAreWholeWords) {
  for (const char* list : {"EGL_a EGL_b", "EGL_b EGL_a", "EGL_c EGL_a EGL_b", "EGL_a"})
    EXPECT_TRUE(lists(list, "EGL_a")) << list;
  for (const char* list : {"", "EGL_ab", "EGL_b xEGL_a", "EGL_b EGL_ab"})
    EXPECT_FALSE(lists(list, "EGL_a")) << list;
}

TEST(Libraries, AFunctionThatIsMissingIsNamedWithItsLibrary) {
  const Library library("libm.so.6");
  double (*root)(double) = nullptr;
  library.look_up("sqrt", root);
  EXPECT_EQ(root(9), 3);
  EXPECT_EQ(error_of([&] { library.look_up("skinlight_none", root); }), "libm.so.6: lacks skinlight_none");
}

}  // namespace
}  // namespace skinlight
