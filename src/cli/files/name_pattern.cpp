#include "cli/files/name_pattern.hpp"

#include "glproc/base/error.hpp"

#include <algorithm>
#include <optional>

#include <fmt/format.h>

namespace glproc::cli {

namespace {

/// A number, with as many digits as the "04" of "n:04" asks for.
std::optional<std::string> with_digits(std::string_view digits, const std::string& number) {
    const bool is_number = digits.find_first_not_of("0123456789") == std::string_view::npos;
    if (digits.empty() || digits.size() > 2 || !is_number) {
        return std::nullopt;
    }
    return fmt::format("{:0>{}}", number, std::stoul(std::string(digits)));
}

/// What stands for a key; nothing for one that is unknown.
std::optional<std::string> value_of(std::string_view key, const std::map<std::string_view, std::string>& values) {
    const std::size_t colon = key.find(':');
    const std::string_view word = key.substr(0, colon);
    const auto value = values.find(word);
    const bool is_counted = word == "n" || word == "page";
    if (value == values.end() || (colon != std::string_view::npos && !is_counted)) {
        return std::nullopt;
    }
    return colon == std::string_view::npos ? value->second : with_digits(key.substr(colon + 1), value->second);
}

} // namespace

std::string filled_name(const std::string& pattern, const std::map<std::string_view, std::string>& values,
                        const std::string& told, const std::string& known) {
    std::string text;
    for (std::size_t at = 0; at < pattern.size();) {
        const std::size_t open = std::min(pattern.find('{', at), pattern.size());
        text += pattern.substr(at, open - at);
        if (open == pattern.size()) {
            break;
        }
        const std::size_t close = std::min(pattern.find('}', open), pattern.size());
        const auto value = value_of(std::string_view(pattern).substr(open + 1, close - open - 1), values);
        if (!value || close == pattern.size()) {
            throw Error(ErrorCode::usage, fmt::format("{}: {} is unknown", told, pattern.substr(open, close - open + 1)),
                        "known are " + known);
        }
        text += *value;
        at = close + 1;
    }
    return text;
}

} // namespace glproc::cli
