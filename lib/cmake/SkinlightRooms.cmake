# One CMake target per room of the house, so that an include from a wrong room does not link.
#
#   skinlight_room(NAME core DEPENDS Threads::Threads TEST_DEPENDS skinlight::rig ROOT lib/skinlight/core)
#
# takes every *.cpp of the folder and its subfolders: *_test.cpp into skinlight_<name>_test (one ctest test per case),
# *_bench.cpp into skinlight_<name>_bench, the rest into the library skinlight::<name>. Headers in a folder detail/ are
# for the library's own sources and not installed.

add_library(skinlight_options INTERFACE)
target_compile_features(skinlight_options INTERFACE cxx_std_20)
# -ffp-contract=off: the same bytes from every instruction set; fused multiply-adds would differ between machines.
target_compile_options(skinlight_options INTERFACE -Wall -Wextra -Wpedantic -Wshadow -ffp-contract=off
  $<$<BOOL:${SKINLIGHT_WARNINGS_AS_ERRORS}>:-Werror>)
if(SKINLIGHT_SANITIZE)
  target_compile_options(skinlight_options INTERFACE -fsanitize=${SKINLIGHT_SANITIZE} -fno-sanitize-recover=undefined
    -fno-omit-frame-pointer
    # GCC takes the sanitizers' own checks in <regex> for reads of uninitialised memory.
    $<$<CXX_COMPILER_ID:GNU>:-Wno-maybe-uninitialized>)
  target_link_options(skinlight_options INTERFACE -fsanitize=${SKINLIGHT_SANITIZE})
endif()
if(SKINLIGHT_FUZZ)
  target_compile_options(skinlight_options INTERFACE -fsanitize=fuzzer-no-link)
endif()

# Compiles the sources of a target together, as many as SKINLIGHT_UNITY says: headers are read once for all of them. Those
# with options of their own stay by themselves.
function(skinlight_unity target)
  if(SKINLIGHT_UNITY)
    set_target_properties(${target} PROPERTIES UNITY_BUILD ON UNITY_BUILD_BATCH_SIZE ${SKINLIGHT_UNITY})
    # A name of one source is no shadow of another's; GCC takes the unnamed namespaces of sources for those of headers.
    target_compile_options(${target} PRIVATE $<$<CXX_COMPILER_ID:GNU>:-Wno-shadow -Wno-subobject-linkage>)
  endif()
endfunction()

function(skinlight_room)
  cmake_parse_arguments(ROOM "" "NAME" "DEPENDS;PRIVATE_DEPENDS;TEST_DEPENDS;BENCH_DEPENDS" ${ARGN})
  file(GLOB_RECURSE sources CONFIGURE_DEPENDS "*.cpp")
  list(FILTER sources EXCLUDE REGEX "/fuzz/")
  set(tests ${sources})
  set(benches ${sources})
  list(FILTER tests INCLUDE REGEX "_test\\.cpp$")
  list(FILTER benches INCLUDE REGEX "_bench\\.cpp$")
  list(FILTER sources EXCLUDE REGEX "_(test|bench)\\.cpp$")
  if(NOT sources)
    return()
  endif()

  set(target skinlight_${ROOM_NAME})
  add_library(${target} STATIC ${sources})
  add_library(skinlight::${ROOM_NAME} ALIAS ${target})
  set_target_properties(${target} PROPERTIES EXPORT_NAME ${ROOM_NAME} POSITION_INDEPENDENT_CODE ON)
  target_include_directories(${target} PUBLIC
    $<BUILD_INTERFACE:${PROJECT_SOURCE_DIR}/lib>
    $<BUILD_INTERFACE:${PROJECT_SOURCE_DIR}/shaders>
    $<INSTALL_INTERFACE:${CMAKE_INSTALL_INCLUDEDIR}>
    $<INSTALL_INTERFACE:${CMAKE_INSTALL_DATADIR}/skinlight/shaders>)
  target_compile_features(${target} PUBLIC cxx_std_20)
  target_link_libraries(${target} PUBLIC ${ROOM_DEPENDS} PRIVATE ${ROOM_PRIVATE_DEPENDS}
    $<BUILD_INTERFACE:skinlight_options>)
  skinlight_unity(${target})
  set_property(GLOBAL APPEND PROPERTY SKINLIGHT_ROOMS ${target})

  if(tests AND SKINLIGHT_BUILD_TESTS)
    skinlight_test(NAME ${target}_test SOURCES ${tests} DEPENDS skinlight::${ROOM_NAME} ${ROOM_TEST_DEPENDS})
  endif()
  if(benches AND SKINLIGHT_BUILD_BENCHMARKS)
    add_executable(${target}_bench ${benches})
    target_link_libraries(${target}_bench PRIVATE skinlight::${ROOM_NAME} ${ROOM_TEST_DEPENDS} ${ROOM_BENCH_DEPENDS}
      skinlight_options benchmark::benchmark benchmark::benchmark_main)
  endif()
endfunction()

# Whether files can be compiled for AVX2.
set(SKINLIGHT_X86 OFF)
if(CMAKE_SYSTEM_PROCESSOR MATCHES "^(x86_64|AMD64|amd64)$" AND CMAKE_CXX_COMPILER_ID MATCHES "GNU|Clang")
  set(SKINLIGHT_X86 ON)
endif()

# A source of a room's library that is compiled for AVX2 where that exists, and chosen at run time
# (skinlight/core/cpu.h). Its name and what it defines for others say avx2; the test <room>.own_instructions holds that.
# In a release it is optimised whatever the rest is: what is not inlined would be AVX2 code that others may be linked with.
function(skinlight_avx2_source target source)
  if(NOT SKINLIGHT_X86)
    return()
  endif()
  set_property(SOURCE "${source}" APPEND PROPERTY COMPILE_OPTIONS -mavx2 $<$<CONFIG:Release>:-O3>)
  string(REPLACE skinlight_ "" room ${target})
  # Without optimisation inline functions are not inlined.
  if(SKINLIGHT_BUILD_TESTS AND CMAKE_BUILD_TYPE STREQUAL "Release" AND NOT TEST ${room}.own_instructions)
    add_test(NAME ${room}.own_instructions
      COMMAND ${CMAKE_COMMAND} "-DNM=${CMAKE_NM}" "-DARCHIVE=$<TARGET_FILE:${target}>"
        -P "${PROJECT_SOURCE_DIR}/lib/cmake/check_own_instructions.cmake")
  endif()
endfunction()

# skinlight_test(NAME skinlight_core_test SOURCES ... DEPENDS ...): a program of tests, one ctest test per case, labelled
# with the room (core).
function(skinlight_test)
  cmake_parse_arguments(TEST "" "NAME" "SOURCES;DEPENDS" ${ARGN})
  add_executable(${TEST_NAME} ${TEST_SOURCES})
  target_link_libraries(${TEST_NAME} PRIVATE ${TEST_DEPENDS} skinlight_options GTest::gmock GTest::gtest_main)
  string(REGEX REPLACE "^skinlight_(.*)_test$" "\\1" room "${TEST_NAME}")
  set(timeout 300)
  if(SKINLIGHT_SANITIZE)
    set(timeout 1800)
  endif()
  include(GoogleTest)
  gtest_discover_tests(${TEST_NAME} DISCOVERY_TIMEOUT 60 PROPERTIES TIMEOUT ${timeout} LABELS ${room})
endfunction()
