# The tests package.*: install once; then every installed header compiles, and the examples build and run with nothing but
# find_package(skinlight).
set(package_dir "${PROJECT_BINARY_DIR}/package")
set(package_flags "${CMAKE_CXX_FLAGS}")
if(SKINLIGHT_SANITIZE)
  string(APPEND package_flags " -fsanitize=${SKINLIGHT_SANITIZE}")
endif()

add_test(NAME package.install
  COMMAND ${CMAKE_COMMAND} "-DBUILD_DIR=${PROJECT_BINARY_DIR}" "-DPREFIX=${package_dir}/prefix"
    -P "${PROJECT_SOURCE_DIR}/ci/package/install.cmake")
set_tests_properties(package.install PROPERTIES TIMEOUT 300 FIXTURES_SETUP package)

# skinlight_package_test(NAME SOURCE_DIR [option ...]) builds a project against the installed package, and runs its
# tests.
function(skinlight_package_test name source_dir)
  add_test(NAME package.${name}
    COMMAND ${CMAKE_CTEST_COMMAND} --build-and-test "${source_dir}" "${package_dir}/${name}"
      --build-generator "${CMAKE_GENERATOR}" --build-noclean
      --build-options "-DCMAKE_PREFIX_PATH=${package_dir}/prefix" "-DCMAKE_BUILD_TYPE=${CMAKE_BUILD_TYPE}"
        "-DCMAKE_CXX_COMPILER=${CMAKE_CXX_COMPILER}" "-DCMAKE_CXX_FLAGS=${package_flags}"
        "-DCMAKE_C_COMPILER=${CMAKE_C_COMPILER}" "-DCMAKE_C_FLAGS=${package_flags}" ${ARGN})
  set_tests_properties(package.${name} PROPERTIES TIMEOUT 600 FIXTURES_REQUIRED package)
endfunction()

# Headers are compiled without optimising, through ccache where it is installed. (The library's launcher is a list, which
# the command line of a test cannot hold.)
set(package_launcher "")
if(SKINLIGHT_CCACHE)
  set(package_launcher "-DCMAKE_CXX_COMPILER_LAUNCHER=${SKINLIGHT_CCACHE}")
endif()
skinlight_package_test(headers "${PROJECT_SOURCE_DIR}/ci/package/headers"
  "-DHEADERS=${package_dir}/prefix/${CMAKE_INSTALL_INCLUDEDIR}" "-DCMAKE_BUILD_TYPE=" ${package_launcher})
skinlight_package_test(examples "${PROJECT_SOURCE_DIR}/lib/examples" --test-command ctest --output-on-failure)

# Components, pkg-config, and skinlight as a folder of another project.
add_test(NAME package.components
  COMMAND ${SKINLIGHT_PYTHON} -B -m pytest -q -p no:cacheprovider "${PROJECT_SOURCE_DIR}/ci/package_test.py")
set_tests_properties(package.components PROPERTIES TIMEOUT 300 FIXTURES_REQUIRED package ENVIRONMENT
  "SKINLIGHT_PREFIX=${package_dir}/prefix;SKINLIGHT_CMAKE_ARGUMENTS=-DCMAKE_BUILD_TYPE=${CMAKE_BUILD_TYPE}\\;-DCMAKE_CXX_COMPILER=${CMAKE_CXX_COMPILER}\\;-DCMAKE_CXX_FLAGS=${package_flags}\\;-DCMAKE_C_COMPILER=${CMAKE_C_COMPILER}\\;-DCMAKE_C_FLAGS=${package_flags}")
