# Compiler settings. Warnings and clang-tidy apply to our targets only, through the interface target glproc_settings.
if(NOT CMAKE_BUILD_TYPE AND NOT CMAKE_CONFIGURATION_TYPES)
  set(CMAKE_BUILD_TYPE Release CACHE STRING "" FORCE)
endif()
set(CMAKE_CXX_EXTENSIONS OFF)
set(CMAKE_POSITION_INDEPENDENT_CODE ON)
set(CMAKE_RUNTIME_OUTPUT_DIRECTORY "${PROJECT_BINARY_DIR}")

add_library(glproc_settings INTERFACE)
target_compile_features(glproc_settings INTERFACE cxx_std_20)
# No fused multiply-add unless the source asks for it: CPU references must round as defined, with every compiler.
target_compile_options(glproc_settings INTERFACE -Wall -Wextra -Wpedantic -Wshadow -Wconversion -ffp-contract=off)
# Some libraries' packages ask for -pthread, and a precompiled header serves only targets that are compiled as it was.
target_compile_options(glproc_settings INTERFACE -pthread)
if(CMAKE_UNITY_BUILD)
  # A file must not be warned of what its neighbours declare, and g++ 12 sees faults in its own strings that are not there, now
  # here, now there, as sources share objects. `dev` warns of each file's own.
  target_compile_options(glproc_settings INTERFACE -Wno-shadow $<$<CXX_COMPILER_ID:GNU>:-Wno-subobject-linkage -Wno-restrict
                         -Wno-stringop-overread -Wno-stringop-overflow -Wno-array-bounds -Wno-maybe-uninitialized>)
endif()
target_compile_options(glproc_settings INTERFACE $<$<BOOL:${GLPROC_WERROR}>:-Werror>)

if(GLPROC_SANITIZE)
  target_compile_options(glproc_settings INTERFACE -fsanitize=${GLPROC_SANITIZE} -fno-omit-frame-pointer
                         -fno-sanitize-recover=all
                         # g++ 12 sees uninitialised members of std::regex through the instrumentation
                         $<$<CXX_COMPILER_ID:GNU>:-Wno-maybe-uninitialized>)
  target_link_options(glproc_settings INTERFACE -fsanitize=${GLPROC_SANITIZE})
endif()

if(GLPROC_FUZZ)
  target_compile_options(glproc_settings INTERFACE -fsanitize=fuzzer-no-link)
endif()

# Headers of others that most files need, compiled once for each kind of target. Only those: a header of ours in here
# would rebuild everything when it changes. The preset `tidy` goes without, and so finds includes that are missing.
set(GLPROC_PRECOMPILED <algorithm> <array> <cstdint> <filesystem> <functional> <map> <memory> <optional> <span> <string>
                       <string_view> <variant> <vector> <fmt/format.h> <fmt/ranges.h>)

# Applies the settings to one of our targets, which has all its sources by then.
function(glproc_ours target)
  glproc_unity(${target})
  target_link_libraries(${target} PRIVATE glproc_settings)
  if(GLPROC_TIDY)
    find_program(GLPROC_CLANG_TIDY NAMES clang-tidy clang-tidy-14 REQUIRED)
    set_target_properties(${target} PROPERTIES CXX_CLANG_TIDY "${GLPROC_CLANG_TIDY};--quiet")
  endif()
endfunction()
