// The functions of libOSMesa. Private to render.
#pragma once

#include <glad/gl.h>

#include "skinlight/render/detail/context_backends.h"

namespace skinlight {

using OsmesaHandle = void*;

struct Osmesa {
  OsmesaHandle (*create)(const int* attributes, OsmesaHandle share);
  void (*destroy)(OsmesaHandle);
  unsigned char (*make_current)(OsmesaHandle, void* buffer, GLenum type, int width, int height);
  GlLoader get_function;
};

// Of the library that is here. Throws InputError when there is none. Tests put other functions into it.
Osmesa& osmesa();

}  // namespace skinlight
