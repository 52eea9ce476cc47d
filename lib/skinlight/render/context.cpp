#include "skinlight/render/context.h"

#include <dlfcn.h>
#include <glad/gl.h>

#include <algorithm>
#include <array>
#include <cctype>
#include <functional>

#include "skinlight/core/error.h"
#include "skinlight/render/detail/context_backends.h"
#include "skinlight/render/detail/context_cache.h"

namespace skinlight {

namespace {

struct RendererName {
  Renderer renderer;
  std::string_view name;
};
constexpr std::array<RendererName, 5> kNames{{{Renderer::automatic, "auto"},
                                              {Renderer::llvmpipe, "llvmpipe"},
                                              {Renderer::egl_device, "egl-device"},
                                              {Renderer::egl_surfaceless, "egl-surfaceless"},
                                              {Renderer::osmesa, "osmesa"}}};

struct Way {
  const char* name;
  std::function<std::unique_ptr<Context>()> create;
};

std::unique_ptr<Context> create_software_surfaceless() {
  auto context = create_egl_surfaceless();
  // On a machine with Mesa's hardware drivers this platform is the hardware.
  if (!context->info().software) throw InputError("", "", "is hardware here: " + context->info().device);
  return context;
}

std::vector<Way> ways(Renderer renderer) {
  const Way surfaceless{"egl-surfaceless", create_egl_surfaceless}, osmesa{"osmesa", create_osmesa};
  switch (renderer) {
    case Renderer::automatic:
      return {{"egl-device", [] { return create_egl_device(DeviceChoice::hardware); }}, surfaceless, osmesa};
    case Renderer::llvmpipe:
      return {{"egl-surfaceless", create_software_surfaceless},
              {"egl-device", [] { return create_egl_device(DeviceChoice::software); }},
              osmesa};
    case Renderer::egl_device:
      return {{"egl-device", [] { return create_egl_device(DeviceChoice::any); }}};
    case Renderer::egl_surfaceless:
      return {surfaceless};
    case Renderer::osmesa:
      return {osmesa};
  }
  return {};
}

std::string gl_string(GLenum which) {
  const auto* text = reinterpret_cast<const char*>(glGetString(which));
  return text ? text : "";
}

}  // namespace

Context::Context() : cache_(std::make_unique<ContextCache>()) {}
Context::~Context() = default;

std::string_view name(Renderer renderer) {
  return std::find_if(kNames.begin(), kNames.end(),
                      [&](const RendererName& n) { return n.renderer == renderer; })
      ->name;
}

Renderer renderer_from_name(std::string_view name) {
  std::string known;
  for (const RendererName& n : kNames) {
    if (n.name == name) return n.renderer;
    known += (known.empty() ? "" : ", ") + std::string(n.name);
  }
  throw InputError("", "renderer \"" + std::string(name) + "\"", "unknown; one of " + known);
}

std::unique_ptr<Context> create_context(Renderer renderer) {
  std::string reasons;
  for (const Way& way : ways(renderer)) {
    try {
      return way.create();
    } catch (const InputError& error) {
      reasons += (reasons.empty() ? "" : "; ") + std::string(way.name) + ": " + error.what();
    }
  }
  throw InputError("", "renderer " + std::string(name(renderer)), "no usable OpenGL 3.3 (" + reasons + ")");
}

Library::Library(const char* file) : file_(file), handle_(dlopen(file, RTLD_NOW | RTLD_LOCAL)) {
  if (!handle_) throw InputError("", "", dlerror());
}

void* Library::find(const char* name) const { return dlsym(handle_, name); }

bool lists(const std::string& extensions, const std::string& name) {
  return (" " + extensions + " ").find(" " + name + " ") != std::string::npos;
}

std::unique_ptr<Context> first_device(std::size_t count, DeviceChoice choice,
                                      const std::function<std::unique_ptr<Context>(std::size_t)>& create) {
  std::string reasons;
  const auto attempt = [&](bool software) -> std::unique_ptr<Context> {
    for (std::size_t i = 0; i < count; ++i) {
      std::string reason;
      try {
        auto context = create(i);
        if (context->info().software == software) return context;
        reason = "is rendered by " + context->info().device;
      } catch (const InputError& error) {
        reason = error.what();
      }
      reasons += "; device " + std::to_string(i) + ": " + reason;
    }
    return nullptr;
  };
  std::unique_ptr<Context> context;
  if (choice != DeviceChoice::software) context = attempt(false);
  if (!context && choice != DeviceChoice::hardware) context = attempt(true);
  if (context) return context;
  const char* kind = choice == DeviceChoice::hardware   ? "hardware"
                     : choice == DeviceChoice::software ? "software"
                                                        : "usable";
  throw InputError("", "", std::string("no ") + kind + " device among " + std::to_string(count) + reasons);
}

void load_gl(GlLoader loader) {
  const int version = gladLoadGL(loader);
  if (version < GLAD_MAKE_VERSION(3, 3))
    throw InputError("", "",
                     "OpenGL " + std::to_string(GLAD_VERSION_MAJOR(version)) + "." +
                         std::to_string(GLAD_VERSION_MINOR(version)) + ", 3.3 is needed");
}

ContextInfo describe_current(Renderer renderer) {
  ContextInfo info{renderer, gl_string(GL_VENDOR), gl_string(GL_RENDERER), gl_string(GL_VERSION), false};
  std::string device = info.device;
  for (char& c : device) c = static_cast<char>(std::tolower(static_cast<unsigned char>(c)));
  for (const char* software : {"llvmpipe", "softpipe", "swrast", "software rasterizer"})
    info.software = info.software || device.find(software) != std::string::npos;
  return info;
}

}  // namespace skinlight
