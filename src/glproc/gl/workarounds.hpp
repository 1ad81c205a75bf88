// What drivers get wrong, by name. The list documents them; the code that copes mentions the name.
#pragma once

#include <span>
#include <string_view>

namespace glproc {

struct Workaround {
    std::string_view name;
    std::string_view renderer; ///< part of GL_RENDERER or GL_VENDOR, lower case
    std::string_view why;
};

/// Every known one.
std::span<const Workaround> workarounds();

/// True for debug messages that speak of no mistake of ours although they come with medium severity.
bool is_harmless_message(unsigned type, unsigned id, std::string_view message);

} // namespace glproc
