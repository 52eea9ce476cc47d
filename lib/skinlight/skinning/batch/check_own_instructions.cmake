# That files compiled for AVX2 define nothing that the linker could take for the rest of a program, which must run
# without: only the functions that SkinBatch asks for. NM, ARCHIVE: the tool, the static library.
execute_process(COMMAND "${NM}" --defined-only "${ARCHIVE}" OUTPUT_VARIABLE symbols COMMAND_ERROR_IS_FATAL ANY)
string(REPLACE "\n" ";" lines "${symbols}")
set(member "")
set(found 0)
foreach(line IN LISTS lines)
  if(line MATCHES "^([a-z_0-9.]+)\\.cpp\\.o(bj)?:$")
    set(member "${CMAKE_MATCH_1}")
  elseif(member MATCHES "^batch_avx2_" AND line MATCHES " ([A-Zuvw]) (.*)$")
    # Upper case: seen by the linker; u, v, w: weak or unique.
    set(type "${CMAKE_MATCH_1}")
    set(name "${CMAKE_MATCH_2}")
    if(type STREQUAL "T" AND name MATCHES "^_ZN9skinlight(8avx2_lbs|10avx2_rigid)E")
      math(EXPR found "${found} + 1")
    elseif(NOT name STREQUAL "DW.ref.__gxx_personality_v0")  # a pointer, no code
      message(SEND_ERROR "${member}.cpp defines ${name} for everybody")
    endif()
  endif()
endforeach()
if(NOT found EQUAL 2)
  message(SEND_ERROR "${ARCHIVE}: ${found} of the 2 loops for AVX2")
endif()
