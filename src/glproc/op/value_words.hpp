// Words that mean the same as the name of a value.
#pragma once

#include <string>
#include <string_view>
#include <vector>

namespace glproc {

/// The choice that other tools, or the other spelling of English, call `word`; empty if none of them does.
std::string choice_called(std::string_view word, const std::vector<std::string>& choices);

} // namespace glproc
