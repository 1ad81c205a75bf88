// What this program can read and write, on this machine.
#pragma once

#include <string>
#include <string_view>
#include <vector>

namespace glproc {

struct FormatAbility {
    std::string_view title;              ///< "JPEG XL"
    std::vector<std::string> extensions; ///< without dots, the usual one first
    bool can_read = false;
    bool can_write = false;
    std::string_view module = {}; ///< which it needs: "jxl"; empty if none
};

/// Of every format that glproc knows. Loads the modules.
std::vector<FormatAbility> format_abilities();

/// Whether encode() and save() would accept an extension, had this build the module for it.
bool is_lacking(std::string_view extension);

struct ModuleAbility {
    std::string_view name;
    std::string_view title;
    std::string_view state; ///< "ready", "not built", "not installed" or "library missing"
    std::string problem;    ///< why it is not ready
    std::string hint;       ///< what mends that
};

std::vector<ModuleAbility> module_abilities();

} // namespace glproc
