// The ways to make a context, and what they share. Private to render.
#pragma once

#include <functional>
#include <memory>
#include <string>

#include "skinlight/core/error.h"
#include "skinlight/render/context.h"

namespace skinlight {

using GlFunction = void (*)();
using GlLoader = GlFunction (*)(const char* name);

// A shared library opened at run time and never closed: Mesa's drivers leave threads behind.
class Library {
 public:
  // Throws InputError naming the library and the loader's reason.
  explicit Library(const char* file);
  // nullptr when the library does not export `name`.
  void* find(const char* name) const;
  // The same as a function of that type. Throws InputError where there is none.
  template <class F>
  void look_up(const char* name, F& function) const {
    function = reinterpret_cast<F>(find(name));
    if (!function) throw InputError("", file_, std::string("lacks ") + name);
  }

 private:
  const char* file_;
  void* handle_;
};

enum class DeviceChoice { hardware, software, any };  // any: hardware first

// The first of `count` devices whose context is as wanted. create(i) may throw InputError. Throws InputError that tells of
// each device why it is not.
std::unique_ptr<Context> first_device(std::size_t count, DeviceChoice choice,
                                      const std::function<std::unique_ptr<Context>(std::size_t)>& create);

// Whether `name` is a word of a space-separated list.
bool lists(const std::string& extensions, const std::string& name);

// Each throws InputError with the reason when it does not work here.
std::unique_ptr<Context> create_egl_device(DeviceChoice choice);
std::unique_ptr<Context> create_egl_surfaceless();
std::unique_ptr<Context> create_osmesa();

// Looks GL's functions up for the current context. Throws InputError when it is older than 3.3.
void load_gl(GlLoader loader);
// Vendor, device, version and software of the current context.
ContextInfo describe_current(Renderer renderer);

}  // namespace skinlight
