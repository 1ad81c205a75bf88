# With GLPROC_STATIC the program contains all libraries but the C library, and so runs on machines that lack them: scripts/tar
# packs it. EGL is loaded at run time in any case.
#
# Left out is what Debian has no static libraries of: GLFW (contexts are EGL's), and the modules of HEIF, JPEG XL,
# OpenEXR, colour management and drawing.
set(CMAKE_FIND_LIBRARY_SUFFIXES .a)
foreach(without GLFW EXR JXL HEIF LCMS DRAW PYTHON VIDEO VIEW TESTS)
  set(GLPROC_${without} OFF)
endforeach()
add_compile_definitions(FMT_HEADER_ONLY) # of fmt there is only a shared library, too
add_link_options(-static-libstdc++ -static-libgcc -Wl,--as-needed)

# Links what the modules of pkg-config need in their static form, parts of the C library apart.
function(glproc_link_static target scope)
  find_package(PkgConfig REQUIRED)
  pkg_check_modules(static REQUIRED QUIET ${ARGN})
  set(names ${static_STATIC_LIBRARIES})
  list(REMOVE_ITEM names c dl m pthread)
  foreach(name IN LISTS names)
    find_library(GLPROC_STATIC_${name} NAMES ${name} REQUIRED)
    mark_as_advanced(GLPROC_STATIC_${name})
    target_link_libraries(${target} ${scope} "${GLPROC_STATIC_${name}}")
  endforeach()
endfunction()
