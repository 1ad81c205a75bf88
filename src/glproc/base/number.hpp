// Numbers as people type them.
#pragma once

#include <charconv>
#include <string_view>

namespace glproc {

/// As std::from_chars(), but a plus sign may stand before the number: +0.5.
template <class T>
std::from_chars_result read_number(std::string_view text, T& value) {
    const bool has_plus = text.size() > 1 && text[0] == '+' && text[1] != '-';
    text.remove_prefix(has_plus ? 1 : 0);
    return std::from_chars(text.data(), text.data() + text.size(), value);
}

} // namespace glproc
