# cmake -P check.cmake with BUILD_DIR, SOURCE_DIR, WORK_DIR, GENERATOR, CXX_COMPILER, CXX_FLAGS, BUILD_TYPE:
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
  "-DCMAKE_CXX_COMPILER=${CXX_COMPILER}" "-DCMAKE_CXX_FLAGS=${CXX_FLAGS}")
run(${CMAKE_COMMAND} --build "${WORK_DIR}/build")

execute_process(COMMAND "${WORK_DIR}/build/consumer" OUTPUT_VARIABLE printed RESULT_VARIABLE result)
message("${printed}")
# Standard normals are 43 degrees off, deform factors 0.4 at this resolution.
if(NOT result EQUAL 0 OR NOT printed MATCHES "^standard: largest error 4[0-9]\\.[0-9]+ degrees\ndeform: largest error 0\\.[0-9]+ degrees\n$")
  message(FATAL_ERROR "the consumer printed something else than expected (exit code ${result})")
endif()
