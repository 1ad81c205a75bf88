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
  set_property(GLOBAL APPEND PROPERTY GLPROC_MODULES ${name})
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
  set_property(GLOBAL APPEND PROPERTY GLPROC_MODULE_LIBRARIES ${${upper}_LINK_LIBRARIES})
endfunction()

# Sets `result` to "libheif.so.1=libheif1 ...": what a machine that lacks the library has to install. Of Debian and its like.
function(glproc_library_packages result)
  set(words "")
  find_program(GLPROC_DPKG_QUERY dpkg-query)
  mark_as_advanced(GLPROC_DPKG_QUERY)
  if(GLPROC_DPKG_QUERY AND ARGN)
    set(files "")
    foreach(library IN LISTS ARGN)
      file(REAL_PATH "${library}" file)
      list(APPEND files "${file}")
    endforeach()
    execute_process(COMMAND "${GLPROC_DPKG_QUERY}" -S ${files} OUTPUT_VARIABLE lines ERROR_QUIET)
    string(REGEX MATCHALL "[^\n]+" lines "${lines}")
    list(FILTER lines INCLUDE REGEX "^[^:, ]+(:[a-z0-9]+)?: .*/[^/]+\\.so\\.[0-9]+[^/]*$")
    list(TRANSFORM lines REPLACE "^([^:]+)[^/]*/.*/([^/]+\\.so\\.[0-9]+)[^/]*$" "\\2=\\1")
    list(REMOVE_DUPLICATES lines)
    list(JOIN lines " " words)
  endif()
  set(${result} "${words}" PARENT_SCOPE)
endfunction()

# Where the program looks for them.
function(glproc_find_modules_from target)
  target_compile_definitions(${target} PRIVATE GLPROC_MODULE_FOLDER="${glproc_module_folder}"
                             GLPROC_LIBDIR="${CMAKE_INSTALL_LIBDIR}" GLPROC_FULL_LIBDIR="${CMAKE_INSTALL_FULL_LIBDIR}")
  target_link_libraries(${target} PRIVATE ${CMAKE_DL_LIBS})
endfunction()

# After the last of them, what the program knows of each.
function(glproc_finish_modules target)
  get_property(built GLOBAL PROPERTY GLPROC_MODULES)
  if(with_tiff)
    list(APPEND built tiff)
  endif()
  list(JOIN built " " built)
  get_property(libraries GLOBAL PROPERTY GLPROC_MODULE_LIBRARIES)
  glproc_library_packages(packages ${libraries})
  glproc_find_modules_from(${target})
  target_compile_definitions(${target} PRIVATE GLPROC_MODULES_BUILT="${built}" GLPROC_PACKAGES="${packages}"
                             $<$<BOOL:${GLPROC_STATIC}>:GLPROC_LINKED_STATICALLY>)
endfunction()
