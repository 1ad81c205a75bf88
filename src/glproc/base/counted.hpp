// How many of something, in words.
#pragma once

#include <concepts>
#include <string>
#include <string_view>

#include <fmt/format.h>

namespace glproc {

/// "1 frame", "2 frames"; `many` where the plural has no s.
std::string counted(std::integral auto count, std::string_view one, std::string_view many = {}) {
    return count == 1     ? fmt::format("{} {}", count, one)
           : many.empty() ? fmt::format("{} {}s", count, one)
                          : fmt::format("{} {}", count, many);
}

} // namespace glproc
