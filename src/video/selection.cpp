#include "video/selection.hpp"

#include "cli/files/film_command.hpp"
#include "glproc/base/error.hpp"

#include <algorithm>
#include <charconv>
#include <string>
#include <string_view>
#include <system_error>
#include <vector>

#include <fmt/format.h>

namespace glproc::video {

namespace {

Error usage(const std::string& what, const std::string& hint) {
    return {ErrorCode::usage, what, hint};
}

template <class T>
std::optional<T> number_of(std::string_view text) {
    T value{};
    const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), value);
    const bool whole = !text.empty() && error == std::errc{} && end == text.data() + text.size();
    return whole && value >= 0 && value <= T(1e15) ? std::optional(value) : std::nullopt;
}

/// "12.5s", "2:03", "1:02:03.5"
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

void read_range(std::string_view text, Selection& selection) {
    const std::size_t dots = text.find("..");
    const std::string_view first = text.substr(0, dots);
    const std::string_view last = dots == std::string_view::npos ? first : text.substr(dots + 2);
    const auto a = first.empty() ? std::optional<std::int64_t>(0) : number_of<std::int64_t>(first);
    const auto b = last.empty() ? std::nullopt : number_of<std::int64_t>(last);
    if (!a || (!last.empty() && !b) || (first.empty() && last.empty()) || (b && *b < *a)) {
        throw usage(fmt::format("--frames {} is not a range of frames", text),
                    "as 100..199, 100.. or ..99; the first frame is 0");
    }
    selection.first = *a;
    selection.last = b;
}

void read_one(const std::string& text, Selection& selection) {
    const std::optional<std::int64_t> number = number_of<std::int64_t>(text);
    selection.one = true;
    selection.first = number.value_or(0);
    selection.seconds = number ? std::nullopt : seconds_of(text);
    if (!number && !selection.seconds) {
        throw usage(fmt::format("--frame {} is neither a number nor a time", text),
                    "as 250, counted from 0, or 12.5s, or 1:02:03");
    }
}

} // namespace

std::int64_t Selection::count_of(std::int64_t count) const {
    const std::int64_t end = last ? std::min(*last + 1, count) : count;
    return one ? 1 : (std::max<std::int64_t>(end - first, 0) + every - 1) / every;
}

Selection read_selection(const cli::Arguments& arguments) {
    Selection selection;
    if (arguments.has("frames")) {
        read_range(arguments.value("frames"), selection);
    }
    if (arguments.has("every")) {
        selection.every = parse_integer({"every", "", cli::every_limit}, arguments.value("every"));
    }
    if (arguments.has("frame")) {
        if (arguments.has("frames") || arguments.has("every")) {
            throw usage("--frame writes one image, but --frames or --every write several",
                        "leave one of them out");
        }
        read_one(arguments.value("frame"), selection);
    }
    return selection;
}

} // namespace glproc::video
