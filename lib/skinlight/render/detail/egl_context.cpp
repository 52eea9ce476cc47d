// Contexts of libEGL, on the surfaceless platform or on a device. No display server: the default display,
// which would look for one, is never asked for.

#include <array>
#include <cstdio>
#include <vector>

#include "skinlight/core/error.h"
#include "skinlight/render/detail/context_backends.h"
#include "skinlight/render/detail/egl_api.h"

namespace skinlight {

namespace {

std::string text(const char* string) { return string ? string : ""; }

}  // namespace

Egl& egl() {
  static Egl api = [] {
    const Library library("libEGL.so.1");
    Egl found;
    library.look_up("eglGetProcAddress", found.get_function);
    library.look_up("eglQueryString", found.query_string);
    library.look_up("eglGetError", found.get_error);
    library.look_up("eglInitialize", found.initialize);
    library.look_up("eglBindAPI", found.bind_api);
    library.look_up("eglChooseConfig", found.choose_config);
    library.look_up("eglCreateContext", found.create_context);
    library.look_up("eglDestroyContext", found.destroy_context);
    library.look_up("eglMakeCurrent", found.make_current);
    library.look_up("eglGetCurrentContext", found.get_current_context);
    const auto extension = [&](const char* name) { return found.get_function(name); };
    found.get_platform_display =
        reinterpret_cast<PFNEGLGETPLATFORMDISPLAYEXTPROC>(extension("eglGetPlatformDisplayEXT"));
    found.query_devices = reinterpret_cast<PFNEGLQUERYDEVICESEXTPROC>(extension("eglQueryDevicesEXT"));
    found.client_extensions = text(found.query_string(EGL_NO_DISPLAY, EGL_EXTENSIONS));
    return found;
  }();
  return api;
}

namespace {

[[noreturn]] void fail(const char* step) {
  char code[16];
  std::snprintf(code, sizeof code, "0x%04x", egl().get_error());
  throw InputError("", step, std::string("EGL error ") + code);
}

// An initialised display. EGL has one per platform and device for all contexts of the process, so none of
// them terminates it.
EGLDisplay display_of(EGLenum platform, void* native) {
  if (!egl().get_platform_display) throw InputError("", "libEGL.so.1", "lacks EGL_EXT_platform_base");
  EGLDisplay display = egl().get_platform_display(platform, native, nullptr);
  if (display == EGL_NO_DISPLAY) fail("eglGetPlatformDisplay");
  if (!egl().initialize(display, nullptr, nullptr)) fail("eglInitialize");
  return display;
}

class EglContext final : public Context {
 public:
  EglContext(Renderer renderer, EGLenum platform, void* native) : display_(display_of(platform, native)) {
    const std::string extensions = text(egl().query_string(display_, EGL_EXTENSIONS));
    if (!lists(extensions, "EGL_KHR_surfaceless_context"))
      throw InputError("", "", "lacks EGL_KHR_surfaceless_context");
    if (!egl().bind_api(EGL_OPENGL_API)) fail("eglBindAPI");
    EGLConfig config = nullptr;  // EGL_NO_CONFIG_KHR
    if (!lists(extensions, "EGL_KHR_no_config_context")) config = any_config();
    for (const auto& [major, minor] : {std::array{4, 5}, std::array{3, 3}}) {
      const EGLint attributes[] = {EGL_CONTEXT_MAJOR_VERSION,
                                   major,
                                   EGL_CONTEXT_MINOR_VERSION,
                                   minor,
                                   EGL_CONTEXT_OPENGL_PROFILE_MASK,
                                   EGL_CONTEXT_OPENGL_CORE_PROFILE_BIT,
                                   EGL_NONE};
      handle_ = egl().create_context(display_, config, EGL_NO_CONTEXT, attributes);
      if (handle_ != EGL_NO_CONTEXT) break;
    }
    if (handle_ == EGL_NO_CONTEXT) fail("eglCreateContext of an OpenGL 3.3 core profile");
    try {
      make_current();
      info_ = describe_current(renderer);
    } catch (...) {
      destroy();
      throw;
    }
  }
  ~EglContext() override { destroy(); }

  void make_current() override {
    if (!egl().bind_api(EGL_OPENGL_API) ||
        !egl().make_current(display_, EGL_NO_SURFACE, EGL_NO_SURFACE, handle_))
      fail("eglMakeCurrent");
    load_gl(egl().get_function);
  }

 private:
  EGLConfig any_config() const {
    const EGLint wanted[] = {EGL_RENDERABLE_TYPE, EGL_OPENGL_BIT, EGL_SURFACE_TYPE, 0, EGL_NONE};
    EGLConfig config = nullptr;
    EGLint count = 0;
    if (!egl().choose_config(display_, wanted, &config, 1, &count) || count == 0) fail("eglChooseConfig");
    return config;
  }
  void destroy() {
    if (egl().get_current_context() == handle_)
      egl().make_current(display_, EGL_NO_SURFACE, EGL_NO_SURFACE, EGL_NO_CONTEXT);
    egl().destroy_context(display_, handle_);
  }

  EGLDisplay display_;
  EGLContext handle_ = EGL_NO_CONTEXT;
};

std::vector<EGLDeviceEXT> devices() {
  if (!egl().query_devices || !lists(egl().client_extensions, "EGL_EXT_platform_device"))
    throw InputError("", "libEGL.so.1", "lacks EGL_EXT_platform_device or EGL_EXT_device_enumeration");
  std::vector<EGLDeviceEXT> found(32);
  EGLint count = 0;
  if (!egl().query_devices(static_cast<EGLint>(found.size()), found.data(), &count))
    fail("eglQueryDevicesEXT");
  found.resize(static_cast<std::size_t>(count));
  return found;
}

}  // namespace

std::unique_ptr<Context> create_egl_surfaceless() {
  if (!lists(egl().client_extensions, "EGL_MESA_platform_surfaceless"))
    throw InputError("", "libEGL.so.1", "lacks EGL_MESA_platform_surfaceless");
  return std::make_unique<EglContext>(Renderer::egl_surfaceless, EGL_PLATFORM_SURFACELESS_MESA, nullptr);
}

std::unique_ptr<Context> create_egl_device(DeviceChoice choice) {
  const std::vector<EGLDeviceEXT> found = devices();
  return first_device(found.size(), choice, [&](std::size_t i) {
    return std::make_unique<EglContext>(Renderer::egl_device, EGL_PLATFORM_DEVICE_EXT, found[i]);
  });
}

}  // namespace skinlight
