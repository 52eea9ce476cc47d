// Contexts of libOSMesa: Mesa's software renderer without EGL. It left Mesa in 25.1.

#include <array>

#include "skinlight/core/error.h"
#include "skinlight/render/detail/osmesa_api.h"

#ifdef __SANITIZE_ADDRESS__
// OSMesa never frees what belongs to a context's window.
extern "C" const char* __lsan_default_suppressions() { return "leak:libOSMesa.so"; }
#endif

namespace skinlight {

namespace {

// From GL/osmesa.h, which need not be installed.
constexpr int kFormat = 0x22, kDepthBits = 0x30, kProfile = 0x33, kCoreProfile = 0x34, kMajor = 0x36,
              kMinor = 0x37;

}  // namespace

Osmesa& osmesa() {
  static Osmesa api = [] {
    const Library library("libOSMesa.so.8");
    Osmesa found;
    library.look_up("OSMesaCreateContextAttribs", found.create);
    library.look_up("OSMesaDestroyContext", found.destroy);
    library.look_up("OSMesaMakeCurrent", found.make_current);
    library.look_up("OSMesaGetProcAddress", found.get_function);
    return found;
  }();
  return api;
}

namespace {

class OsmesaContext final : public Context {
 public:
  OsmesaContext() {
    for (const auto& [major, minor] : {std::array{4, 5}, std::array{3, 3}}) {
      const int attributes[] = {kFormat, GL_RGBA, kDepthBits, 24,    kProfile, kCoreProfile,
                                kMajor,  major,   kMinor,     minor, 0};
      handle_ = osmesa().create(attributes, nullptr);
      if (handle_) break;
    }
    if (!handle_) throw InputError("", "", "no core profile of OpenGL 3.3");
    try {
      make_current();
      info_ = describe_current(Renderer::osmesa);
    } catch (...) {
      osmesa().destroy(handle_);
      throw;
    }
  }
  ~OsmesaContext() override { osmesa().destroy(handle_); }

  void make_current() override {
    if (!osmesa().make_current(handle_, window_.data(), GL_UNSIGNED_BYTE, kSide, kSide))
      throw InputError("", "osmesa", "the context cannot be made current");
    load_gl(osmesa().get_function);
  }

 private:
  static constexpr int kSide = 16;  // OSMesa wants a default framebuffer; nothing is drawn to it
  OsmesaHandle handle_ = nullptr;
  std::array<unsigned char, 4 * kSide * kSide> window_{};
};

}  // namespace

std::unique_ptr<Context> create_osmesa() { return std::make_unique<OsmesaContext>(); }

}  // namespace skinlight
