# cmake -P install.cmake with BUILD_DIR, PREFIX, NM: installs the build into PREFIX for the tests package.*, and looks at
# the shared library there.

# The prefix starts empty, so that a file which is no longer installed is missed.
file(REMOVE_RECURSE "${PREFIX}")
execute_process(COMMAND ${CMAKE_COMMAND} --install "${BUILD_DIR}" --prefix "${PREFIX}" OUTPUT_QUIET
  COMMAND_ERROR_IS_FATAL ANY)

# The shared library gives away nothing but the functions of skinlight.h.
file(GLOB library "${PREFIX}/lib*/libskinlight_c.so" "${PREFIX}/lib/*/libskinlight_c.so")
execute_process(COMMAND "${NM}" -D --defined-only --format=posix ${library} OUTPUT_VARIABLE symbols
  RESULT_VARIABLE result)
string(REGEX REPLACE "skinlight_[a-z_]+ T [^\n]*\n" "" others "${symbols}")
if(NOT result EQUAL 0 OR symbols STREQUAL "" OR NOT others STREQUAL "")
  message(FATAL_ERROR "${library} exports more than skinlight.h declares (exit code ${result}):\n${others}")
endif()
