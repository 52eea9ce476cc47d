# cmake -P install.cmake with BUILD_DIR, PREFIX: installs the build into PREFIX for the tests package.*.

# The prefix starts empty, so that a file which is no longer installed is missed.
file(REMOVE_RECURSE "${PREFIX}")
execute_process(COMMAND ${CMAKE_COMMAND} --install "${BUILD_DIR}" --prefix "${PREFIX}" OUTPUT_QUIET
  COMMAND_ERROR_IS_FATAL ANY)
