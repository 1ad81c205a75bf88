# Parts of glproc that need libraries which not every machine has. Each has an option, GLPROC_<NAME>, of three values: ON, OFF,
# or AUTO, which builds the part where its libraries are. AUTO is asked anew at each configuration, so that a library that has
# been installed since is found, and one that is gone is not missed by the build.
#
#   glproc_find_libraries(NAME pkg-config-names...)           sets <NAME>_FOUND, and makes PkgConfig::<NAME>
#   glproc_part(name "what it is" "its libraries" found)      sets with_<name>
#   glproc_forget_missing(VARIABLE file)                      before find_path() and find_library(), which keep a file that is gone
find_package(PkgConfig REQUIRED)

macro(glproc_find_libraries prefix)
  unset("__pkg_config_checked_${prefix}" CACHE) # CMake asks only once for what is there
  get_cmake_property(cached CACHE_VARIABLES)
  list(FILTER cached INCLUDE REGEX "^pkgcfg_lib_${prefix}_")
  foreach(library IN LISTS cached)
    unset("${library}" CACHE)
  endforeach()
  pkg_check_modules(${prefix} QUIET IMPORTED_TARGET GLOBAL ${ARGN})
endmacro()

function(glproc_forget_missing variable file)
  if(NOT EXISTS "${file}")
    unset(${variable} CACHE)
  endif()
endfunction()

function(glproc_part name title libraries found)
  string(TOUPPER "GLPROC_${name}" option)
  get_property(type CACHE ${option} PROPERTY TYPE)
  get_property(words CACHE ${option} PROPERTY HELPSTRING)
  if(type STREQUAL "BOOL" AND NOT words MATCHES "command line")
    unset(${option} CACHE) # earlier versions kept what they had found first as if it had been asked for
  endif()
  set(${option} AUTO CACHE STRING "${title}: ON, OFF, or AUTO, where there is ${libraries}")
  set_property(CACHE ${option} PROPERTY STRINGS AUTO ON OFF)
  set(with "${${option}}")
  if(with STREQUAL "AUTO")
    set(with "${found}")
  elseif(with AND NOT found)
    message(FATAL_ERROR "${option}=${with} needs ${libraries}")
  endif()
  set(with_${name} "${with}" PARENT_SCOPE)
endfunction()
