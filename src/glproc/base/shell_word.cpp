#include "glproc/base/shell_word.hpp"

#include <algorithm>
#include <cctype>
#include <string_view>

namespace glproc {

std::string shell_word(const std::string& word) {
    const bool is_plain = !word.empty() && std::all_of(word.begin(), word.end(), [](unsigned char c) {
        return std::isalnum(c) != 0 || c > 127 ||
               std::string_view("_-./,:=+@%").find(static_cast<char>(c)) != std::string_view::npos;
    });
    if (is_plain) {
        return word;
    }
    std::string quoted;
    for (const char c : word) {
        quoted += c == '\'' ? std::string("'\\''") : std::string(1, c);
    }
    return "'" + quoted + "'";
}

} // namespace glproc
