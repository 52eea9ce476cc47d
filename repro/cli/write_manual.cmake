# cmake -P write_manual.cmake with PROGRAM, OUTPUT: what the program says of itself, into a folder.
file(MAKE_DIRECTORY "${OUTPUT}")
execute_process(COMMAND "${PROGRAM}" --man OUTPUT_FILE "${OUTPUT}/skinlight.1" COMMAND_ERROR_IS_FATAL ANY)
foreach(shell IN ITEMS bash zsh fish)
  execute_process(COMMAND "${PROGRAM}" --completion ${shell} OUTPUT_FILE "${OUTPUT}/${shell}"
    COMMAND_ERROR_IS_FATAL ANY)
endforeach()
