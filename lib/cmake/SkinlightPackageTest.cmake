# The test package.consumer: install, then build and run a project that only knows find_package(skinlight).
set(flags "${CMAKE_CXX_FLAGS}")
if(SKINLIGHT_SANITIZE)
  string(APPEND flags " -fsanitize=${SKINLIGHT_SANITIZE}")
endif()
add_test(NAME package.consumer
  COMMAND ${CMAKE_COMMAND} "-DBUILD_DIR=${PROJECT_BINARY_DIR}" "-DSOURCE_DIR=${PROJECT_SOURCE_DIR}/ci/consumer"
    "-DWORK_DIR=${PROJECT_BINARY_DIR}/consumer" "-DGENERATOR=${CMAKE_GENERATOR}" "-DCXX_COMPILER=${CMAKE_CXX_COMPILER}"
    "-DCXX_FLAGS=${flags}"
    "-DC_COMPILER=${CMAKE_C_COMPILER}" "-DVERSION=${PROJECT_VERSION}" "-DNM=${CMAKE_NM}" "-DBUILD_TYPE=${CMAKE_BUILD_TYPE}" -P "${PROJECT_SOURCE_DIR}/ci/consumer/check.cmake")
set_tests_properties(package.consumer PROPERTIES TIMEOUT 300)
