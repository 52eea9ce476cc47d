# cmake -P check.cmake with BUILD_DIR, SOURCE_DIR, WORK_DIR, GENERATOR, C_COMPILER, CXX_COMPILER, CXX_FLAGS (of both
# languages), BUILD_TYPE, VERSION, NM:
# installs the build into WORK_DIR/prefix, builds the project in SOURCE_DIR against it and runs its program.

function(run)
  execute_process(COMMAND ${ARGV} COMMAND_ECHO STDOUT RESULT_VARIABLE result)
  if(NOT result EQUAL 0)
    message(FATAL_ERROR "failed (${result}): ${ARGV}")
  endif()
endfunction()

# From nothing, so that a file which is no longer installed is missed.
file(REMOVE_RECURSE "${WORK_DIR}")
run(${CMAKE_COMMAND} --install "${BUILD_DIR}" --prefix "${WORK_DIR}/prefix")
run(${CMAKE_COMMAND} -S "${SOURCE_DIR}" -B "${WORK_DIR}/build" -G "${GENERATOR}"
  "-DCMAKE_PREFIX_PATH=${WORK_DIR}/prefix" "-DCMAKE_BUILD_TYPE=${BUILD_TYPE}"
  "-DCMAKE_CXX_COMPILER=${CXX_COMPILER}" "-DCMAKE_CXX_FLAGS=${CXX_FLAGS}"
  "-DCMAKE_C_COMPILER=${C_COMPILER}" "-DCMAKE_C_FLAGS=${CXX_FLAGS}")
run(${CMAKE_COMMAND} --build "${WORK_DIR}/build")

execute_process(COMMAND "${WORK_DIR}/build/consumer" OUTPUT_VARIABLE printed RESULT_VARIABLE result)
message("${printed}")
# Standard normals are 43 degrees off, deform factors 0.4 at this resolution.
if(NOT result EQUAL 0 OR NOT printed MATCHES "^standard: largest error 4[0-9]\\.[0-9]+ degrees\ndeform: largest error 0\\.[0-9]+ degrees\n$")
  message(FATAL_ERROR "the consumer printed something else than expected (exit code ${result})")
endif()

# The rest normals that main.c hands in are named as such.
execute_process(COMMAND "${WORK_DIR}/build/consumer_c" OUTPUT_VARIABLE printed RESULT_VARIABLE result)
message("${printed}")
if(NOT result EQUAL 0 OR NOT printed STREQUAL "skinlight ${VERSION}: rest\n")
  message(FATAL_ERROR "the consumer in C printed something else than expected (exit code ${result})")
endif()

# The shared library gives away nothing but the functions of skinlight.h.
file(GLOB library "${WORK_DIR}/prefix/lib*/libskinlight_c.so" "${WORK_DIR}/prefix/lib/*/libskinlight_c.so")
execute_process(COMMAND "${NM}" -D --defined-only --format=posix ${library} OUTPUT_VARIABLE symbols
  RESULT_VARIABLE result)
string(REGEX REPLACE "skinlight_[a-z_]+ T [^\n]*\n" "" others "${symbols}")
if(NOT result EQUAL 0 OR symbols STREQUAL "" OR NOT others STREQUAL "")
  message(FATAL_ERROR "${library} exports more than skinlight.h declares (exit code ${result}):\n${others}")
endif()
