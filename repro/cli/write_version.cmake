# cmake -P write_version.cmake with SOURCE_DIR, VERSION, FLAGS, OUTPUT: writes the definitions of version.h, and only if
# they changed.
set(version "${VERSION}")
find_package(Git QUIET)
if(GIT_FOUND)
  execute_process(COMMAND "${GIT_EXECUTABLE}" -C "${SOURCE_DIR}" describe --always --exclude=* --abbrev=7 --dirty=.dirty
    RESULT_VARIABLE failed OUTPUT_VARIABLE commit OUTPUT_STRIP_TRAILING_WHITESPACE ERROR_QUIET)
  if(NOT failed)
    string(APPEND version "+g${commit}")
  endif()
endif()
file(CONFIGURE OUTPUT "${OUTPUT}" @ONLY CONTENT "// Generated from the repository's state.
#include \"repro/cli/version.h\"

const char* skinlight::cli::build_version() { return \"@version@\"; }
const char* skinlight::cli::build_flags() { return \"@FLAGS@\"; }
")
