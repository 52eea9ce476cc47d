# OpenGL's and EGL's declarations and GL's function pointers, generated at configure time by Debian's python3-glad from
# the registry files it ships: nothing is fetched.

set(glad_egl_extensions
  EGL_EXT_device_drm EGL_EXT_device_enumeration EGL_EXT_device_query EGL_EXT_platform_base EGL_EXT_platform_device
  EGL_KHR_create_context EGL_KHR_no_config_context EGL_KHR_surfaceless_context EGL_MESA_platform_surfaceless)

# Sets `found` to a Python interpreter that can import glad 2, or to a false value.
function(skinlight_find_glad found)
  foreach(candidate IN ITEMS "${SKINLIGHT_GLAD_PYTHON}" "${Python3_EXECUTABLE}" /usr/bin/python3 python3)
    if(candidate)
      execute_process(COMMAND "${candidate}" -c "import glad.__main__" RESULT_VARIABLE failed OUTPUT_QUIET ERROR_QUIET)
      if(NOT failed)
        set(SKINLIGHT_GLAD_PYTHON "${candidate}" CACHE FILEPATH "Python interpreter that can import glad 2")
        set(${found} "${candidate}" PARENT_SCOPE)
        return()
      endif()
    endif()
  endforeach()
  set(${found} FALSE PARENT_SCOPE)
endfunction()

# Defines the target skinlight_glad. Call skinlight_find_glad() before.
function(skinlight_generate_glad)
  set(glad_dir "${PROJECT_BINARY_DIR}/glad")
  list(JOIN glad_egl_extensions "," glad_extension_list)
  set(glad_arguments --reproducible --quiet --api gl:core=4.5,egl=1.5 --extensions "${glad_extension_list}"
    --out-path "${glad_dir}" c)
  set(glad_stamp "${glad_dir}/arguments.txt")
  set(glad_previous "")
  if(EXISTS "${glad_stamp}")
    file(READ "${glad_stamp}" glad_previous)
  endif()
  if(NOT "${glad_previous}" STREQUAL "${glad_arguments}")
    execute_process(COMMAND "${SKINLIGHT_GLAD_PYTHON}" -m glad ${glad_arguments}
      RESULT_VARIABLE glad_failed OUTPUT_VARIABLE glad_output ERROR_VARIABLE glad_output)
    if(glad_failed OR NOT EXISTS "${glad_dir}/src/gl.c" OR NOT EXISTS "${glad_dir}/include/glad/egl.h")
      message(FATAL_ERROR "glad (python3-glad, version 2 is needed) could not generate the OpenGL loader:\n${glad_output}")
    endif()
    file(WRITE "${glad_stamp}" "${glad_arguments}")
  endif()

  # EGL is declared only: the few functions that contexts need are looked up in the library that dlopen finds.
  add_library(skinlight_glad OBJECT "${glad_dir}/src/gl.c")
  set_target_properties(skinlight_glad PROPERTIES POSITION_INDEPENDENT_CODE ON)
  target_include_directories(skinlight_glad SYSTEM PUBLIC "${glad_dir}/include")
endfunction()
