// OpenGL without a window or a display server. The libraries are looked for at run time, so that a machine
// that lacks one still runs with another.
#pragma once

#include <memory>
#include <ostream>
#include <string>
#include <string_view>

namespace skinlight {

enum class Renderer {
  automatic,        // the first hardware EGL device, else egl_surfaceless, else osmesa
  llvmpipe,         // Mesa's software renderer: egl_surfaceless, else a software EGL device, else osmesa
  egl_device,       // libEGL, EGL_EXT_platform_device; hardware first
  egl_surfaceless,  // libEGL, EGL_MESA_platform_surfaceless
  osmesa,           // libOSMesa
};

// "auto", "llvmpipe", "egl-device", "egl-surfaceless", "osmesa"
std::string_view name(Renderer renderer);

inline std::ostream& operator<<(std::ostream& out, Renderer renderer) { return out << name(renderer); }

// The inverse of name(). Throws InputError listing the names.
Renderer renderer_from_name(std::string_view name);

class ContextCache;

struct ContextInfo {
  Renderer renderer;                    // how it was made: egl_device, egl_surfaceless or osmesa
  std::string vendor, device, version;  // GL_VENDOR, GL_RENDERER, GL_VERSION
  bool software;                        // rendered by the CPU: bit-identical on machines alike
};

// A core-profile context, 4.5 where the driver has it, never below 3.3. Everything drawn goes to framebuffer
// objects. GL objects made in a context must be destroyed before it, while it is current.
class Context {
 public:
  Context();
  Context(const Context&) = delete;
  Context& operator=(const Context&) = delete;
  virtual ~Context();

  // Makes it the calling thread's context; create_context() returns a current one.
  virtual void make_current() = 0;
  const ContextInfo& info() const { return info_; }
  // What drawings leave for the next one. Private to render.
  ContextCache& cache() { return *cache_; }

 protected:
  ContextInfo info_;

 private:
  std::unique_ptr<ContextCache> cache_;
};

// Throws InputError that tells, for each way tried, why it does not work here.
std::unique_ptr<Context> create_context(Renderer renderer);

}  // namespace skinlight
