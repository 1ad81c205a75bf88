// Names of outputs that are made of a pattern, such as "{stem}-{page:03}.{ext}".
#pragma once

#include <map>
#include <string>
#include <string_view>

namespace glproc::cli {

/// The pattern with its words in place of them; {n:04} is a number with four digits. `told` is what the user calls the pattern,
/// and `known` lists the words. Throws Error(usage) for a word that has no value.
std::string filled_name(const std::string& pattern, const std::map<std::string_view, std::string>& values,
                        const std::string& told, const std::string& known);

} // namespace glproc::cli
