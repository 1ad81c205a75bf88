# Twins: the GLSL of operations a second time, as C++ by GLM (tools/twins.cpp, src/glproc/shader/as_cpp.hpp). A twin has the bits
# that every driver must give; see src/glproc/kinds/twin.hpp.
#
#   glproc_twins(TARGET KIND)    the files of glsl/ whose headers say "// Kind: KIND", compiled into TARGET
find_package(glm REQUIRED)

function(glproc_twins target kind)
  set(glsl "${PROJECT_SOURCE_DIR}/glsl")
  set(folder "${PROJECT_SOURCE_DIR}/src/glproc/kinds/twins")
  set(made "${PROJECT_BINARY_DIR}/generated/twins")
  file(MAKE_DIRECTORY "${made}")
  file(GLOB_RECURSE files CONFIGURE_DEPENDS "${glsl}/*.glsl")
  set(GLPROC_TWIN_KIND "${kind}")
  string(SUBSTRING "${kind}" 0 1 first)
  string(TOUPPER "${first}" first)
  string(SUBSTRING "${kind}" 1 -1 rest)
  set(GLPROC_TWIN_TYPE "${first}${rest}Twin")
  set(GLPROC_TWIN_DECLARATIONS "")
  set(GLPROC_TWIN_ROWS "")
  foreach(file IN LISTS files)
    file(STRINGS "${file}" is_of_kind REGEX "^// Kind: ${kind}$")
    file(RELATIVE_PATH operation "${glsl}" "${file}")
    if(NOT is_of_kind)
      continue()
    endif()
    string(REGEX REPLACE "[^A-Za-z0-9]" "_" name "${operation}")
    set(source "${made}/${kind}_${name}.cpp")
    add_custom_command(
      OUTPUT "${source}"
      COMMAND glproc_twins "${glsl}" "${folder}" ${kind} "${operation}" > "${source}"
      DEPENDS glproc_twins ${files} "${folder}/${kind}.glsl" "${folder}/${kind}.inl"
      COMMENT "Writing the twins of ${operation}"
      VERBATIM)
    target_sources(${target} PRIVATE "${source}")
    # GLSL has its own rules of conversion, which glslangValidator checks. Nothing of it changes a bit: no contractions.
    set_source_files_properties("${source}" TARGET_DIRECTORY ${target} PROPERTIES SKIP_UNITY_BUILD_INCLUSION ON
      SKIP_PRECOMPILE_HEADERS ON COMPILE_OPTIONS "-w;-O2;-ffp-contract=off;-fno-math-errno;-fno-trapping-math")
    string(APPEND GLPROC_TWIN_DECLARATIONS "extern const TwinFile<${GLPROC_TWIN_TYPE}> ${name};\n")
    string(APPEND GLPROC_TWIN_ROWS "        &twins::${name},\n")
  endforeach()
  configure_file("${PROJECT_SOURCE_DIR}/cmake/twins.cpp.in" "${made}/${kind}_twins.cpp" @ONLY)
  target_sources(${target} PRIVATE "${made}/${kind}_twins.cpp")
  target_link_libraries(${target} PRIVATE glm::glm)
endfunction()
