# That files compiled for AVX2 define nothing that the linker could take for the rest of a program, which must run
# without: only what is named after it. NM, ARCHIVE: the tool, the static library.
execute_process(COMMAND "${NM}" --defined-only "${ARCHIVE}" OUTPUT_VARIABLE symbols COMMAND_ERROR_IS_FATAL ANY)
string(REPLACE "\n" ";" lines "${symbols}")
set(member "")
set(found 0)
foreach(line IN LISTS lines)
  if(line MATCHES "^([A-Za-z_0-9.]+)\\.cpp\\.o(bj)?:$")
    set(member "${CMAKE_MATCH_1}")
  elseif(member MATCHES "avx2" AND line MATCHES " ([A-Zuvw]) (.*)$")
    # Upper case: seen by the linker; u, v, w: weak or unique.
    set(type "${CMAKE_MATCH_1}")
    set(name "${CMAKE_MATCH_2}")
    if(type MATCHES "^[TRD]$" AND name MATCHES "^_ZN9skinlight([0-9]+[a-z]+)?[0-9]+[a-z_]*avx2[a-z_0-9]*E")
      math(EXPR found "${found} + 1")
    elseif(NOT name STREQUAL "DW.ref.__gxx_personality_v0")  # a pointer, no code
      message(SEND_ERROR "${member}.cpp defines ${name} for everybody")
    endif()
  endif()
endforeach()
if(found EQUAL 0)
  message(SEND_ERROR "${ARCHIVE} has nothing for AVX2")
endif()
