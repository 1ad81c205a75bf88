// Names as ImageMagick takes them, in any case, and what each is here.
#pragma once

#include <algorithm>
#include <array>
#include <cctype>
#include <cstddef>
#include <string>
#include <string_view>
#include <utility>

namespace glproc::cli {

inline std::string lower(std::string text) {
    std::transform(text.begin(), text.end(), text.begin(),
                   [](unsigned char c) { return static_cast<char>(std::tolower(c)); });
    return text;
}

/// ImageMagick's name, and ours.
using MagickName = std::pair<std::string_view, std::string_view>;

/// What a name means here; empty where it means nothing.
template <std::size_t Size>
std::string_view named(const std::array<MagickName, Size>& names, std::string_view name) {
    const auto found =
        std::find_if(names.begin(), names.end(), [&](const MagickName& row) { return row.first == name; });
    return found == names.end() ? std::string_view() : found->second;
}

} // namespace glproc::cli
