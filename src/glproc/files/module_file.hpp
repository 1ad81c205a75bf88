// Finds and loads modules: parts of the program that need libraries which not every machine has.
#pragma once

#include <string>
#include <string_view>

namespace glproc {

/// What a module exports.
struct LoadedModule {
    const void* symbol = nullptr;
    std::string problem; ///< why there is none
};

/// Loads on first use; a failure is final for the process.
const LoadedModule& loaded_module(std::string_view name);

} // namespace glproc
