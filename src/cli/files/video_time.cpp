#include "cli/files/video_time.hpp"

namespace glproc::cli {

std::optional<double> seconds_of(std::string_view text) {
    if (text.ends_with('s')) {
        return number_of<double>(text.substr(0, text.size() - 1));
    }
    constexpr double sixty = 60;
    double seconds = 0;
    int parts = 0;
    for (bool more = true; more; ++parts) {
        const std::size_t colon = text.find(':');
        const std::optional<double> part = number_of<double>(text.substr(0, colon));
        if (!part || (parts > 0 && *part >= sixty)) {
            return std::nullopt;
        }
        seconds = sixty * seconds + *part;
        more = colon != std::string_view::npos;
        text.remove_prefix(more ? colon + 1 : text.size());
    }
    return parts == 2 || parts == 3 ? std::optional(seconds) : std::nullopt;
}

} // namespace glproc::cli
