# Unity groups: neighbouring sources of a target are compiled as one file, which reads their headers and instantiates their
# templates once. Only with CMAKE_UNITY_BUILD, as in the preset `release`; the presets `dev` and `tidy` compile each file
# alone, and so find includes that are missing.
#
# Files of one group share their anonymous namespaces, so files that declare the same name there get into different groups.
# The files are read for that when CMake runs.

set(GLPROC_UNITY_BYTES 60000) # of source in a group: more saves little, and makes an edit cost more

# The names that a source declares in anonymous namespaces: the last word before the first of ( = { ; in every line there
# that is not indented.
function(glproc_private_names source result)
  file(READ "${source}" text)
  string(REGEX REPLACE "[][;]" "@" text "${text}") # which mean something in lists of CMake
  set(names "")
  while(TRUE)
    string(FIND "${text}" "\nnamespace {\n" begin)
    if(begin EQUAL -1)
      break()
    endif()
    math(EXPR begin "${begin} + 12")
    string(SUBSTRING "${text}" ${begin} -1 text)
    string(FIND "${text}" "\n} // namespace\n" end)
    string(SUBSTRING "${text}" 0 ${end} inside)
    string(REGEX MATCHALL "\n[A-Za-z@][^\n(={]*" lines "${inside}")
    foreach(line IN LISTS lines)
      string(REGEX REPLACE "@@[a-z_]+@@|@.*| final.*| : .*" "" line "${line}")
      if(NOT line MATCHES "^\n(template|requires)" AND line MATCHES "([A-Za-z0-9_]+)[^A-Za-z0-9_]*$")
        list(APPEND names "${CMAKE_MATCH_1}")
      endif()
    endforeach()
  endwhile()
  list(REMOVE_DUPLICATES names)
  set(${result} "${names}" PARENT_SCOPE)
endfunction()

# Puts a target's C++ sources into groups, in their order; those with SKIP_UNITY_BUILD_INCLUSION stay alone.
function(glproc_unity target)
  if(NOT CMAKE_UNITY_BUILD)
    return()
  endif()
  set_target_properties(${target} PROPERTIES UNITY_BUILD_MODE GROUP)
  get_target_property(sources ${target} SOURCES)
  list(FILTER sources INCLUDE REGEX "\\.cpp$")
  get_target_property(folder ${target} SOURCE_DIR)
  set(groups 0)
  foreach(source IN LISTS sources)
    get_filename_component(path "${source}" ABSOLUTE BASE_DIR "${folder}")
    get_source_file_property(alone "${path}" TARGET_DIRECTORY ${target} SKIP_UNITY_BUILD_INCLUSION)
    if(alone OR NOT EXISTS "${path}") # or generated
      continue()
    endif()
    file(SIZE "${path}" bytes)
    glproc_private_names("${path}" names)
    set(group 0)
    while(group LESS groups)
      math(EXPR total "${bytes_of_${group}} + ${bytes}")
      set(shared ${names_of_${group}} ${names})
      list(LENGTH shared all)
      list(REMOVE_DUPLICATES shared)
      list(LENGTH shared distinct)
      if(total LESS_EQUAL GLPROC_UNITY_BYTES AND all EQUAL distinct)
        break()
      endif()
      math(EXPR group "${group} + 1")
    endwhile()
    if(group EQUAL groups)
      math(EXPR groups "${groups} + 1")
      set(bytes_of_${group} 0)
      set(names_of_${group} "")
    endif()
    math(EXPR bytes_of_${group} "${bytes_of_${group}} + ${bytes}")
    list(APPEND names_of_${group} ${names})
    set_source_files_properties("${source}" TARGET_DIRECTORY ${target} PROPERTIES UNITY_GROUP "${target}_${group}")
  endforeach()
endfunction()
