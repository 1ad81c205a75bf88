# Everything glproc rests on; on Debian 12 scripts/bootstrap installs it all.
find_package(PkgConfig REQUIRED)
find_package(fmt REQUIRED)
find_package(glm REQUIRED)
find_package(ZLIB REQUIRED)
find_package(JPEG REQUIRED)
find_package(CLI11 REQUIRED)
find_package(nlohmann_json REQUIRED)
if(GLPROC_TIFF)
  find_package(TIFF 4.5 REQUIRED) # the first whose messages stay with the file they are about
endif()
if(GLPROC_GLFW)
  find_package(glfw3 3.3 REQUIRED)
endif()

find_library(DEFLATE_LIBRARY NAMES deflate REQUIRED)
find_path(DEFLATE_INCLUDE_DIR NAMES libdeflate.h REQUIRED)
add_library(deflate UNKNOWN IMPORTED)
set_target_properties(deflate PROPERTIES IMPORTED_LOCATION "${DEFLATE_LIBRARY}"
                      INTERFACE_INCLUDE_DIRECTORIES "${DEFLATE_INCLUDE_DIR}")

find_path(STB_INCLUDE_DIR NAMES stb_image.h PATH_SUFFIXES stb REQUIRED)
add_library(stb INTERFACE)
target_include_directories(stb SYSTEM INTERFACE "${STB_INCLUDE_DIR}")

# The OpenGL and EGL loader: a package that brings one for both is taken first, else glad writes it at build time.
# Only what glproc uses is asked for. Nothing of OpenGL is linked: one binary starts on any machine.
find_package(glad 2 CONFIG QUIET)
if(TARGET glad::glad)
  add_library(glad INTERFACE)
  target_link_libraries(glad INTERFACE glad::glad)
else()
  find_program(GLAD_PROGRAM glad REQUIRED)
  set(glad_dir "${PROJECT_BINARY_DIR}/glad")
  set(glad_extensions
      GL_ARB_buffer_storage,GL_KHR_debug,GL_KHR_parallel_shader_compile,GL_KHR_shader_subgroup,EGL_EXT_platform_base,EGL_EXT_platform_device,EGL_EXT_device_base,EGL_EXT_device_enumeration,EGL_EXT_device_query,EGL_EXT_device_drm,EGL_MESA_platform_surfaceless,EGL_KHR_no_config_context,EGL_KHR_surfaceless_context,EGL_KHR_create_context)
  add_custom_command(
    OUTPUT "${glad_dir}/src/gl.c" "${glad_dir}/src/egl.c" "${glad_dir}/include/glad/gl.h" "${glad_dir}/include/glad/egl.h"
    COMMAND ${GLAD_PROGRAM} --reproducible --quiet --api gl:core=4.3,egl=1.5 --extensions ${glad_extensions}
            --out-path "${glad_dir}" c --loader
    COMMENT "Generating the OpenGL and EGL loader"
    VERBATIM)
  add_library(glad STATIC "${glad_dir}/src/gl.c" "${glad_dir}/src/egl.c")
  target_include_directories(glad SYSTEM PUBLIC "${glad_dir}/include")
  target_link_libraries(glad PUBLIC ${CMAKE_DL_LIBS})
endif()
