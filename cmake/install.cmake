# What `cmake --install` and `cpack` put where: the program, one shared library with the public headers, and how
# CMake and pkg-config find them.
include(GNUInstallDirs)
include(CMakePackageConfigHelpers)

# Sets `result` to every header of ours that those in the list `begin` need, themselves among them, relative to src/.
function(glproc_headers_of begin result)
  set(found "")
  set(open "${begin}")
  while(open)
    list(POP_FRONT open next)
    list(APPEND found "${next}")
    file(STRINGS "${PROJECT_SOURCE_DIR}/src/${next}" includes REGEX "^#include \"glproc/")
    list(TRANSFORM includes REPLACE "^#include \"(.*)\".*" "\\1")
    list(APPEND open ${includes})
    list(REMOVE_DUPLICATES open)
    list(REMOVE_ITEM open ${found} "glproc/operations.hpp") # that one is generated
  endwhile()
  set(${result} "${found}" PARENT_SCOPE)
endfunction()

set_target_properties(glproc PROPERTIES VERSION ${PROJECT_VERSION} SOVERSION ${PROJECT_VERSION_MAJOR})
install(TARGETS glproc_cli COMPONENT program) # by scripts/tar alone; without a component everything is installed
install(TARGETS glproc EXPORT glproc INCLUDES DESTINATION "${CMAKE_INSTALL_INCLUDEDIR}")
get_property(ops GLOBAL PROPERTY GLPROC_OPS)
list(TRANSFORM ops REPLACE "(.+)" "glproc/ops/\\1.hpp" OUTPUT_VARIABLE op_headers)
glproc_headers_of("glproc/glproc.hpp;${op_headers}" headers)
install(FILES "${PROJECT_BINARY_DIR}/generated/glproc/operations.hpp" DESTINATION "${CMAKE_INSTALL_INCLUDEDIR}/glproc")
foreach(header IN LISTS headers)
  file(STRINGS "${PROJECT_SOURCE_DIR}/src/${header}" foreign REGEX "^#include <(fmt|glad|GLFW|nlohmann)/")
  if(foreign)
    message(FATAL_ERROR "${header} is a public header and asks its users for a library: ${foreign}")
  endif()
  get_filename_component(folder "${header}" DIRECTORY)
  install(FILES "${PROJECT_SOURCE_DIR}/src/${header}" DESTINATION "${CMAKE_INSTALL_INCLUDEDIR}/${folder}")
endforeach()

# find_package(glproc) gives glproc::glproc. The library contains all it needs, so the package has no dependencies.
set(package_dir "${CMAKE_INSTALL_LIBDIR}/cmake/glproc")
install(EXPORT glproc NAMESPACE glproc:: FILE glprocConfig.cmake DESTINATION "${package_dir}")
write_basic_package_version_file("${PROJECT_BINARY_DIR}/glprocConfigVersion.cmake" COMPATIBILITY SameMinorVersion)
install(FILES "${PROJECT_BINARY_DIR}/glprocConfigVersion.cmake" DESTINATION "${package_dir}")

# The folders are relative to glproc.pc itself, so that an installed tree can be moved.
file(RELATIVE_PATH pc_to_prefix "/${CMAKE_INSTALL_LIBDIR}/pkgconfig" "/")
configure_file("${PROJECT_SOURCE_DIR}/cmake/glproc.pc.in" "${PROJECT_BINARY_DIR}/glproc.pc" @ONLY)
install(FILES "${PROJECT_BINARY_DIR}/glproc.pc" DESTINATION "${CMAKE_INSTALL_LIBDIR}/pkgconfig")
install(FILES "${PROJECT_SOURCE_DIR}/LICENSE" DESTINATION "${CMAKE_INSTALL_DOCDIR}" RENAME copyright COMPONENT program)

# The man pages and the completions, all derived from the program's own description of its commands.
find_program(GLPROC_GZIP gzip REQUIRED)
set(manuals "${PROJECT_BINARY_DIR}/man")
add_custom_command(
  OUTPUT "${manuals}/glproc.1.gz"
  COMMAND ${CMAKE_COMMAND} "-DPROGRAM=$<TARGET_FILE:glproc_cli>" "-DGZIP=${GLPROC_GZIP}" "-DFOLDER=${manuals}"
          -P "${PROJECT_SOURCE_DIR}/cmake/manuals.cmake"
  DEPENDS glproc_cli "${PROJECT_SOURCE_DIR}/cmake/manuals.cmake"
  COMMENT "Writing the man pages"
  VERBATIM)
add_custom_target(glproc_manual ALL DEPENDS "${manuals}/glproc.1.gz")
# Those of the programs that glproc starts belong to their packages.
install(DIRECTORY "${manuals}/" DESTINATION "${CMAKE_INSTALL_MANDIR}/man1" COMPONENT program FILES_MATCHING
        PATTERN "*.1.gz" PATTERN "glproc-video.1.gz" EXCLUDE PATTERN "glproc-view.1.gz" EXCLUDE)
foreach(program video view)
  if(with_${program})
    install(FILES "${manuals}/glproc-${program}.1.gz" DESTINATION "${CMAKE_INSTALL_MANDIR}/man1"
            COMPONENT ${program} EXCLUDE_FROM_ALL)
  endif()
endforeach()
set(completions "${PROJECT_SOURCE_DIR}/tools/completions")
install(FILES "${completions}/glproc.bash" DESTINATION "${CMAKE_INSTALL_DATADIR}/bash-completion/completions"
        RENAME glproc COMPONENT program)
install(FILES "${completions}/glproc.fish" DESTINATION "${CMAKE_INSTALL_DATADIR}/fish/vendor_completions.d" COMPONENT program)
# Debian's zsh looks for those of packages and those of /usr/local in folders of different names.
install(CODE "
  set(folder site-functions)
  if(CMAKE_INSTALL_PREFIX STREQUAL \"/usr\")
    set(folder vendor-completions)
  endif()
  file(INSTALL \"${completions}/_glproc\"
       DESTINATION \"\${CMAKE_INSTALL_PREFIX}/${CMAKE_INSTALL_DATADIR}/zsh/\${folder}\")" COMPONENT program)

# cpack: a package of Debian. What the binaries link is found by package_depends.cmake. OpenGL is loaded at run time,
# which it cannot see: libegl1 is needed, and Mesa's drivers serve machines without a driver of their own.
set(CPACK_GENERATOR DEB)
set(CPACK_PACKAGE_NAME glproc)
set(CPACK_PACKAGE_CONTACT "glproc <glproc@example.org>")
set(CPACK_PACKAGE_DESCRIPTION_SUMMARY "Image processing in OpenGL compute shaders")
set(CPACK_PACKAGE_DESCRIPTION
    "Blurs, histograms, equalisation, integral images and prefix sums as OpenGL 4.3
compute shaders: a command line and a C++20 library. Runs without a window or a
display on any driver with OpenGL 4.3, Mesa's software renderer included."
)
set(CPACK_STRIP_FILES ON)
set(CPACK_PACKAGING_INSTALL_PREFIX /usr)
set(CPACK_DEBIAN_FILE_NAME DEB-DEFAULT)
set(CPACK_DEBIAN_PACKAGE_SECTION graphics)
set(CPACK_PRE_BUILD_SCRIPTS "${PROJECT_SOURCE_DIR}/cmake/package_depends.cmake")
set(CPACK_DEBIAN_PACKAGE_GENERATE_SHLIBS ON)
set(CPACK_DEBIAN_PACKAGE_DEPENDS libegl1)
set(CPACK_DEBIAN_PACKAGE_RECOMMENDS "libgl1, libgl1-mesa-dri")

# Another package, with a configuration of its own: cpack --config CPackPythonConfig.cmake
function(glproc_package_python)
  set(CPACK_OUTPUT_CONFIG_FILE "${PROJECT_BINARY_DIR}/CPackPythonConfig.cmake")
  set(CPACK_INSTALL_CMAKE_PROJECTS "${PROJECT_BINARY_DIR};glproc;python;/")
  set(CPACK_PACKAGE_NAME python3-glproc)
  set(CPACK_PACKAGE_DESCRIPTION_SUMMARY "Image processing in OpenGL compute shaders, on NumPy arrays")
  set(CPACK_PACKAGE_DESCRIPTION
      "The operations of glproc as functions on NumPy arrays and on Dask arrays, and a
drop-in for functions of scipy.ndimage in two dimensions.
")
  string(REPLACE "." ";" version "${GLPROC_PYTHON_VERSION}")
  list(GET version 1 minor)
  math(EXPR next "${minor} + 1")
  set(CPACK_DEBIAN_PACKAGE_DEPENDS
      "libegl1, python3-numpy, python3 (>= ${GLPROC_PYTHON_VERSION}), python3 (<< 3.${next})")
  set(CPACK_DEBIAN_PACKAGE_SUGGESTS "python3-scipy, python3-dask, python3-distributed, python3-zarr")
  set(CPACK_DEBIAN_PACKAGE_SECTION python)
  set(CPACK_DEBIAN_PACKAGE_GENERATE_SHLIBS OFF)
  include(CPack)
endfunction()
if(with_python)
  glproc_package_python()
endif()

# The programs that glproc starts, each in a package of its own: cpack --config CPackVideoConfig.cmake, and View.
function(glproc_package_program component section summary description)
  string(SUBSTRING "${component}" 0 1 first)
  string(SUBSTRING "${component}" 1 -1 rest)
  string(TOUPPER "${first}" first)
  set(CPACK_OUTPUT_CONFIG_FILE "${PROJECT_BINARY_DIR}/CPack${first}${rest}Config.cmake")
  set(CPACK_INSTALL_CMAKE_PROJECTS "${PROJECT_BINARY_DIR};glproc;${component};/")
  set(CPACK_PACKAGE_NAME "glproc-${component}")
  set(CPACK_PACKAGE_DESCRIPTION_SUMMARY "${summary}")
  set(CPACK_PACKAGE_DESCRIPTION "${description}")
  set(CPACK_DEBIAN_PACKAGE_DEPENDS "libegl1${ARGN}")
  set(CPACK_DEBIAN_PACKAGE_RECOMMENDS "glproc, libgl1-mesa-dri")
  set(CPACK_DEBIAN_PACKAGE_SECTION "${section}")
  set(CPACK_DEBIAN_PACKAGE_GENERATE_SHLIBS OFF)
  include(CPack)
endfunction()
if(with_video)
  glproc_package_program(video video "Video processing with glproc"
"The program behind `glproc video`: runs a chain of operations on every frame of
a video, on the GPU. Sound, subtitles, times and metadata are copied. It uses
libavcodec, which Debian builds under the GPL.
")
endif()
if(with_view)
  glproc_package_program(view graphics "Interactive image processing with glproc"
"The program behind `glproc view`: a window that shows an image or a video, its
live histogram, and a control for every parameter of a chain of operations.
" ", libgl1, fonts-dejavu-core")
endif()
include(CPack)
