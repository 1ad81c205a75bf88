# Formats through libraries that not every machine has: each a module of its own, loaded when such a file is met.
#
#   glproc_module(NAME TITLE text LIBRARIES pkg-config-names...)    src/glproc/files/modules/NAME.cpp, NAME_*.cpp
#
# Each is a part (glproc_part.cmake) with the option GLPROC_<NAME>. With GLPROC_STATIC a module is part of the program.
include(GNUInstallDirs)

set(glproc_module_folder "glproc-${PROJECT_VERSION}") # so that no program meets another version's modules

function(glproc_module name)
  cmake_parse_arguments(module "" "TITLE" "LIBRARIES" ${ARGN})
  string(TOUPPER "${name}" upper)
  glproc_find_libraries(${upper} ${module_LIBRARIES})
  list(JOIN module_LIBRARIES ", " libraries)
  glproc_part(${name} "${module_TITLE}, in a module of its own" "${libraries}" "${${upper}_FOUND}")
  set(with_${name} "${with_${name}}" PARENT_SCOPE)
  if(NOT with_${name})
    return()
  endif()
  set(start "${PROJECT_SOURCE_DIR}/src/glproc/files/modules/${name}")
  file(GLOB sources CONFIGURE_DEPENDS "${start}.cpp" "${start}_*.cpp")
  target_compile_definitions(glproc_files PRIVATE GLPROC_WITH_${upper})
  if(GLPROC_STATIC)
    target_sources(glproc_files PRIVATE ${sources})
    set_source_files_properties(${sources} PROPERTIES COMPILE_DEFINITIONS GLPROC_MODULE_NAME=glproc_module_${name})
    target_compile_definitions(glproc_files PRIVATE GLPROC_BUILT_IN_${upper})
    glproc_link_static(glproc_files PRIVATE ${module_LIBRARIES})
    return()
  endif()
  set(target glproc_module_${name})
  add_library(${target} MODULE ${sources})
  target_include_directories(${target} PRIVATE "${PROJECT_SOURCE_DIR}/src")
  target_link_libraries(${target} PRIVATE PkgConfig::${upper})
  set_target_properties(${target} PROPERTIES PREFIX "" OUTPUT_NAME "${name}" CXX_VISIBILITY_PRESET hidden
                        LIBRARY_OUTPUT_DIRECTORY "${PROJECT_BINARY_DIR}/${glproc_module_folder}")
  glproc_ours(${target})
  install(TARGETS ${target} LIBRARY DESTINATION "${CMAKE_INSTALL_LIBDIR}/${glproc_module_folder}")
  add_dependencies(glproc_files ${target}) # not linked, but part of it
endfunction()

# Where the program looks for them.
function(glproc_find_modules_from target)
  target_compile_definitions(${target} PRIVATE GLPROC_MODULE_FOLDER="${glproc_module_folder}"
                             GLPROC_LIBDIR="${CMAKE_INSTALL_LIBDIR}" GLPROC_FULL_LIBDIR="${CMAKE_INSTALL_FULL_LIBDIR}")
  target_link_libraries(${target} PRIVATE ${CMAKE_DL_LIBS})
endfunction()
