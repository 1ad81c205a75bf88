# How the tree becomes targets.
#
#   glproc_layer(NAME LINK ... [EXCLUDE regex...])   library glproc_NAME from the sources below src/glproc/NAME/
#   glproc_ops(HEADING)           the operations that follow are listed under this heading
#   glproc_op(NAME [KIND KIND])   checks that the operation has all its files, and registers it; with KIND it adds
#                                 no kernels to those of its kind
#   glproc_finish_ops()           embeds the kernels and writes the registry's list of operations
#   glproc_tests(LAYER LABEL)     test program from tests/LAYER/*_test.cpp, one ctest entry a file
#   glproc_on_mesa(TEST)          how a test's kernels are compiled on software renderers

function(glproc_layer name)
  cmake_parse_arguments(layer "" "" "LINK;EXCLUDE" ${ARGN})
  file(GLOB_RECURSE sources CONFIGURE_DEPENDS "${PROJECT_SOURCE_DIR}/src/glproc/${name}/*.cpp")
  foreach(pattern "/modules/" ${layer_EXCLUDE}) # modules are libraries of their own: glproc_module()
    list(FILTER sources EXCLUDE REGEX "${pattern}")
  endforeach()
  add_library(glproc_${name} STATIC ${sources})
  target_include_directories(glproc_${name} PUBLIC "${PROJECT_SOURCE_DIR}/src")
  target_link_libraries(glproc_${name} PUBLIC ${layer_LINK})
  target_compile_features(glproc_${name} PUBLIC cxx_std_20)
  glproc_ours(glproc_${name})
  if(name STREQUAL shader)
    target_precompile_headers(glproc_shader PRIVATE ${GLPROC_PRECOMPILED})
  else()
    target_precompile_headers(glproc_${name} REUSE_FROM glproc_shader)
  endif()
endfunction()

set_property(GLOBAL PROPERTY GLPROC_OPS "")
set_property(GLOBAL PROPERTY GLPROC_OP_HEADING "")

function(glproc_ops heading)
  set_property(GLOBAL PROPERTY GLPROC_OP_HEADING "${heading}")
endfunction()

function(glproc_op name)
  cmake_parse_arguments(op "" "KIND" "" ${ARGN})
  foreach(file "src/glproc/ops/${name}.hpp" "src/glproc/ops/${name}.cpp" "tests/ops/${name}_test.cpp")
    if(NOT EXISTS "${PROJECT_SOURCE_DIR}/${file}")
      message(FATAL_ERROR "operation '${name}' lacks ${file}")
    endif()
  endforeach()
  file(GLOB kernels CONFIGURE_DEPENDS "${PROJECT_SOURCE_DIR}/glsl/${name}.glsl" "${PROJECT_SOURCE_DIR}/glsl/${name}.comp"
       "${PROJECT_SOURCE_DIR}/glsl/${name}/*.comp")
  if(NOT kernels AND NOT op_KIND)
    message(FATAL_ERROR "operation '${name}' lacks glsl/${name}.glsl, .comp or a folder of kernels")
  endif()
  set_property(GLOBAL APPEND PROPERTY GLPROC_OPS "${name}")
  get_property(heading GLOBAL PROPERTY GLPROC_OP_HEADING)
  set_property(GLOBAL PROPERTY GLPROC_HEADING_OF_${name} "${heading}")
endfunction()

function(glproc_finish_ops)
  # Kernels become string literals, so that the program needs no files at run time.
  file(GLOB_RECURSE glsl CONFIGURE_DEPENDS "${PROJECT_SOURCE_DIR}/glsl/*.comp" "${PROJECT_SOURCE_DIR}/glsl/*.glsl")
  set(embedded "${PROJECT_BINARY_DIR}/generated/embedded_glsl.cpp")
  add_custom_command(
    OUTPUT "${embedded}"
    COMMAND ${CMAKE_COMMAND} -DROOT=${PROJECT_SOURCE_DIR}/glsl -DOUT=${embedded} -P
            "${PROJECT_SOURCE_DIR}/cmake/embed_glsl.cmake"
    DEPENDS ${glsl} "${PROJECT_SOURCE_DIR}/cmake/embed_glsl.cmake"
    COMMENT "Embedding the kernels"
    VERBATIM)
  target_sources(glproc_shader PRIVATE "${embedded}")

  get_property(ops GLOBAL PROPERTY GLPROC_OPS)
  set(declarations "")
  set(entries "")
  set(includes "")
  foreach(op IN LISTS ops)
    string(APPEND includes "#include \"glproc/ops/${op}.hpp\"\n")
    string(APPEND declarations "const OpInfo& ${op}_info();\n")
    get_property(heading GLOBAL PROPERTY GLPROC_HEADING_OF_${op})
    string(APPEND entries "        {\"${heading}\", &${op}_info()},\n")
  endforeach()
  configure_file("${PROJECT_SOURCE_DIR}/cmake/operations.hpp.in" "${PROJECT_BINARY_DIR}/generated/glproc/operations.hpp" @ONLY)
  configure_file("${PROJECT_SOURCE_DIR}/cmake/registry.cpp.in" "${PROJECT_BINARY_DIR}/generated/registry.cpp" @ONLY)
  target_sources(glproc_ops PRIVATE "${PROJECT_BINARY_DIR}/generated/registry.cpp")
endfunction()

# How Mesa's software renderer compiles for a test, which is most of what a test costs: without LLVM's optimisation and for
# vectors of 128 bits where only the result matters (39 % and 14 % less time to compile), and never the same program twice.
# Tests of arithmetic and of bits are optimised and take the processor's full width, so that both ways are seen, and so are those
# of few kernels that run for long: distance_metrics takes 87 s of a processor instead of 136 (llvmpipe of Mesa 22.3.6 on a
# server's processor, 2026-11-28).
#
# Test programs have debug contexts, in which a compiler's warning is a failure, and a program from a cache gives no warning.
# So their cache holds only what they compiled themselves, and is emptied when one of them fails (tests/support/fixture.cpp).
# Tests that run glproc have another. Mesa's key to a program does not tell vectors of 128 bits from wider ones, so each width
# has a cache of its own.
set(GLPROC_OPTIMISED_TESTS ^gl\\. ^kinds\\.separable_bits$ ^kinds\\.box_strips$ ^ops\\.equalize$ ^ops\\.sobel$
    ^ops\\.distance ^ops\\.guided$ ^ops\\.denoise_frames$ ^op\\.tiles$
    ^gpu_codecs\\.jpeg_neighbour$ ^gpu_codecs\\.jpeg_decode$)
set(GLPROC_TEST_CACHE "${PROJECT_BINARY_DIR}" CACHE PATH
    "Where the tests keep compiled kernels; a folder outside of the build keeps them for the next one")
function(glproc_on_mesa test)
  set(cache mesa-of-glproc)
  if(test MATCHES "^(gl|op|kinds|arrays|ops|video|view|gpu_codecs)\\.")
    set(cache mesa-of-tests)
  elseif(test MATCHES "^mutants\\.") # whose tests shall fail
    set(cache mesa-of-mutants)
  endif()
  set(variables GALLIVM_PERF=nopt LP_NATIVE_VECTOR_WIDTH=128)
  foreach(pattern IN LISTS GLPROC_OPTIMISED_TESTS)
    if(test MATCHES "${pattern}")
      set(variables "")
      string(APPEND cache -optimised)
    endif()
  endforeach()
  set(cache "${GLPROC_TEST_CACHE}/${cache}")
  file(MAKE_DIRECTORY "${cache}")
  list(APPEND variables "MESA_SHADER_CACHE_DIR=${cache}")
  set_tests_properties(${test} PROPERTIES ENVIRONMENT "${variables}")
endfunction()

function(glproc_tests layer label)
  cmake_parse_arguments(tests "" "" "LINK" ${ARGN})
  file(GLOB sources CONFIGURE_DEPENDS "${PROJECT_SOURCE_DIR}/tests/${layer}/*_test.cpp")
  set(target glproc_test_${layer})
  glproc_test_groups(${target} "${sources}" compiled)
  set(CMAKE_UNITY_BUILD OFF) # they are groups already
  add_executable(${target} ${compiled})
  target_link_libraries(${target} PRIVATE ${tests_LINK} glproc_test_support)
  # Catch's macros take the optimiser a third of the build's time and give it nothing to do. The references, whose loops do
  # profit, are in glproc_test_support.
  target_compile_options(${target} PRIVATE ${GLPROC_OPTIMISED_LESS})
  glproc_ours(${target})
  if(layer STREQUAL shader)
    target_precompile_headers(${target} PRIVATE ${GLPROC_PRECOMPILED} ${GLPROC_CATCH})
  else()
    target_precompile_headers(${target} REUSE_FROM glproc_test_shader)
  endif()
  foreach(source IN LISTS sources)
    get_filename_component(name "${source}" NAME_WE)
    string(REPLACE "_test" "" name "${name}")
    # "-#": Catch tags every test with its file's name, so one entry runs one file. Checks of speed, which only a machine
    # without other work passes, have the tag [.clock] and are bench/clocks' to run.
    add_test(NAME ${layer}.${name} COMMAND ${target} "-#" "[#${name}_test]~[clock]")
    set_tests_properties(${layer}.${name} PROPERTIES LABELS ${label})
    glproc_on_mesa(${layer}.${name})
  endforeach()
endfunction()
