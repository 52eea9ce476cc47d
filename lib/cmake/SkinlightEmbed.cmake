# Files inside the library, so that an installed one needs no path.
#
#   skinlight_embed(skinlight_render FUNCTION shader_bytes BASE ${PROJECT_SOURCE_DIR}/shaders FILES a.glsl b.glsl)
#
# adds a source to the target that defines `std::span<const EmbeddedFile> skinlight::embedded::shader_bytes()` (see
# render/detail/embedded.h), names relative to BASE, regenerated when a file changes.

set(skinlight_embed_script "${CMAKE_CURRENT_LIST_DIR}/embed_files.cmake")

function(skinlight_embed target)
  cmake_parse_arguments(EMBED "" "FUNCTION;BASE" "FILES" ${ARGN})
  set(output "${CMAKE_CURRENT_BINARY_DIR}/${EMBED_FUNCTION}.cpp")
  set(list_file "${CMAKE_CURRENT_BINARY_DIR}/${EMBED_FUNCTION}.list")
  list(JOIN EMBED_FILES "\n" lines)
  file(CONFIGURE OUTPUT "${list_file}" CONTENT "${lines}\n" @ONLY)
  add_custom_command(OUTPUT "${output}"
    COMMAND "${CMAKE_COMMAND}" "-DFUNCTION=${EMBED_FUNCTION}" "-DBASE=${EMBED_BASE}" "-DLIST=${list_file}"
      "-DOUTPUT=${output}" -P "${skinlight_embed_script}"
    DEPENDS ${EMBED_FILES} "${list_file}" "${skinlight_embed_script}"
    COMMENT "Embedding ${EMBED_FUNCTION}" VERBATIM)
  # Alone: made anew with its files, which concern no other source.
  set_source_files_properties("${output}" PROPERTIES SKIP_UNITY_BUILD_INCLUSION ON)
  target_sources(${target} PRIVATE "${output}")
endfunction()
