// The functions of libEGL. Private to render.
#pragma once

#include <glad/egl.h>

#include <string>

namespace skinlight {

struct Egl {
  PFNEGLGETPROCADDRESSPROC get_function;
  PFNEGLQUERYSTRINGPROC query_string;
  PFNEGLGETERRORPROC get_error;
  PFNEGLINITIALIZEPROC initialize;
  PFNEGLBINDAPIPROC bind_api;
  PFNEGLCHOOSECONFIGPROC choose_config;
  PFNEGLCREATECONTEXTPROC create_context;
  PFNEGLDESTROYCONTEXTPROC destroy_context;
  PFNEGLMAKECURRENTPROC make_current;
  PFNEGLGETCURRENTCONTEXTPROC get_current_context;
  PFNEGLGETPLATFORMDISPLAYEXTPROC get_platform_display;
  PFNEGLQUERYDEVICESEXTPROC query_devices;  // nullptr without EGL_EXT_device_enumeration
  std::string client_extensions;
};

// Of the library that is here. Throws InputError when there is none. Tests put other functions into it.
Egl& egl();

}  // namespace skinlight
