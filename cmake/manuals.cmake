# cmake -DPROGRAM=… -DGZIP=… -DFOLDER=… -P manuals.cmake: glproc(1), and a page for each command.
execute_process(COMMAND "${PROGRAM}" --describe commands OUTPUT_VARIABLE commands COMMAND_ERROR_IS_FATAL ANY)
string(REGEX MATCHALL "[^\n]+" commands "${commands}")
file(REMOVE_RECURSE "${FOLDER}")
file(MAKE_DIRECTORY "${FOLDER}")
foreach(command IN LISTS commands)
  execute_process(COMMAND "${PROGRAM}" --describe manual "${command}" OUTPUT_FILE "${FOLDER}/glproc-${command}.1"
                  COMMAND_ERROR_IS_FATAL ANY)
endforeach()
execute_process(COMMAND "${PROGRAM}" --describe manual OUTPUT_FILE "${FOLDER}/glproc.1" COMMAND_ERROR_IS_FATAL ANY)
file(GLOB pages "${FOLDER}/*.1")
execute_process(COMMAND "${GZIP}" -9 -n -f ${pages} COMMAND_ERROR_IS_FATAL ANY)
