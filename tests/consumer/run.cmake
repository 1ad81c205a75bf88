# cmake -DBUILD=build tree -DSOURCE=source tree -DCXX=compiler -P run.cmake
# Installs glproc into a folder of its build tree and builds and runs the consumer against that. The folder is moved
# after installing, so that nothing that names it can go unnoticed.
set(work "${BUILD}/consumer")
set(prefix "${work}/prefix")
file(REMOVE_RECURSE "${work}")

function(run)
  execute_process(COMMAND ${ARGN} RESULT_VARIABLE status OUTPUT_VARIABLE text ERROR_VARIABLE text)
  if(NOT status EQUAL 0)
    list(JOIN ARGN " " call)
    message(FATAL_ERROR "${call}\n${text}")
  endif()
endfunction()

run(${CMAKE_COMMAND} --install "${BUILD}" --prefix "${work}/first")
file(RENAME "${work}/first" "${prefix}")
file(GLOB_RECURSE pc "${prefix}/glproc.pc")
get_filename_component(pc_dir "${pc}" DIRECTORY)
set(ENV{PKG_CONFIG_PATH} "${pc_dir}")
run(${CMAKE_COMMAND} -G Ninja -S "${SOURCE}/tests/consumer" -B "${work}/build" -DCMAKE_PREFIX_PATH=${prefix}
    -DCMAKE_CXX_COMPILER=${CXX} "-DCMAKE_CXX_FLAGS=-O1 -Wall -Wextra -Werror")
run(${CMAKE_COMMAND} --build "${work}/build")

foreach(file share/man/man1/glproc.1.gz share/man/man1/glproc-blur.1.gz share/bash-completion/completions/glproc
             share/fish/vendor_completions.d/glproc.fish share/zsh/site-functions/_glproc)
  if(NOT EXISTS "${prefix}/${file}")
    message(FATAL_ERROR "${file} is not installed")
  endif()
endforeach()

set(picture "${SOURCE}/data/sample.png")
run("${work}/build/by_cmake" "${picture}" "${work}/by_cmake.png")
run("${work}/build/by_pkgconfig" "${picture}" "${work}/by_pkgconfig.png")
run("${prefix}/bin/glproc" blur "${picture}" "${work}/by_program.png" --sigma 2 -q)
foreach(other by_pkgconfig by_program)
  run(${CMAKE_COMMAND} -E compare_files "${work}/by_cmake.png" "${work}/${other}.png")
endforeach()
