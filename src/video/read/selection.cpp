#include "video/read/selection.hpp"

#include "cli/files/video_command.hpp"
#include "cli/files/video_time.hpp"
#include "glproc/base/covering.hpp"
#include "video/fail.hpp"
#include "video/read/video_reader.hpp"
#include "video/settings.hpp"

#include <algorithm>
#include <string>
#include <string_view>
#include <vector>

#include <fmt/format.h>

namespace glproc::video {

namespace {

using cli::number_of;
using cli::seconds_of;

/// One end of --frames: a number, or a time, which stands for the frames as with --from and --to. False where
/// it is neither.
bool read_end(std::string_view text, std::optional<std::int64_t>& number, std::optional<double>& seconds) {
    number = number_of<std::int64_t>(text);
    seconds = number ? std::nullopt : seconds_of(text);
    return text.empty() || number || seconds;
}

void read_range(std::string_view text, Selection& selection) {
    const std::size_t dots = text.find("..");
    const std::string_view first = text.substr(0, dots);
    const std::string_view last = dots == std::string_view::npos ? first : text.substr(dots + 2);
    std::optional<std::int64_t> a;
    const bool is_range = read_end(first, a, selection.from) && read_end(last, selection.last, selection.to);
    selection.first = a.value_or(0);
    const bool grows = (!selection.last || selection.from || *selection.last >= selection.first) &&
                       (!selection.to || *selection.to > selection.from.value_or(-1));
    const bool is_one_time = dots == std::string_view::npos && selection.from;
    if (!is_range || !grows || is_one_time || (first.empty() && last.empty())) {
        throw usage(fmt::format("--frames {} is not a range of frames", text),
                    "as 100..199, 100.. or ..99; the first frame is 0; or as 10s..20s or 0:30..1:10");
    }
}

/// "50%", or "last".
std::optional<double> share_of(std::string_view text) {
    if (text == "last") {
        return 1;
    }
    constexpr double whole = 100;
    const std::optional<double> percent =
        text.ends_with('%') ? number_of<double>(text.substr(0, text.size() - 1)) : std::nullopt;
    return percent && *percent <= whole ? std::optional(*percent / whole) : std::nullopt;
}

void read_one(const std::string& text, Selection& selection) {
    const std::optional<std::int64_t> number = number_of<std::int64_t>(text);
    selection.one = true;
    selection.first = number.value_or(0);
    selection.share = share_of(text);
    selection.seconds = number ? std::nullopt : seconds_of(text);
    if (!number && !selection.seconds && !selection.share) {
        throw usage(fmt::format("--frame {} is neither a number nor a time", text),
                    "as 250, counted from 0, or 12.5s, or 1:02:03, or 50%, or last");
    }
}

void read_times(const cli::Arguments& arguments, Selection& selection) {
    if (arguments.has("frame") && arguments.has("to") && !arguments.has("from") &&
        !seconds_of(arguments.value("to"))) {
        throw usage(
            fmt::format("--to {}: --to is a time here, and --frame writes what its file's name ends in",
                        arguments.value("to")),
            "glproc video in.mp4 frame.png --frame 3");
    }
    for (const char* other : {"frames", "frame"}) {
        if (arguments.has(other)) {
            throw usage(fmt::format("--from and --to name times, and --{} frames", other),
                        "leave one of them out");
        }
    }
    if (arguments.has("from")) {
        selection.from = read_time(arguments, "from");
    }
    if (arguments.has("to")) {
        selection.to = read_time(arguments, "to");
    }
    if (selection.to && *selection.to <= selection.from.value_or(0)) {
        throw usage(fmt::format("--to {} is not after --from", arguments.value("to")),
                    "as --from 3s --to 6s");
    }
}

} // namespace

double read_time(const cli::Arguments& arguments, const std::string& flag) {
    const std::string& text = arguments.value(flag);
    const std::optional<double> number = number_of<double>(text);
    const std::optional<double> seconds = number ? number : seconds_of(text);
    if (!seconds) {
        throw usage(fmt::format("--{} {} is not a time", flag, text), "as 3s, 12.5s or 1:02:03");
    }
    return *seconds;
}

Selection Selection::of_count(std::int64_t count) const {
    Selection found = *this;
    if (share) {
        found.first = std::llround(*share * static_cast<double>(count - 1));
        found.share.reset();
    }
    return found;
}

Selection by_numbers(Selection selection, VideoReader& video) {
    if (selection.share) {
        return selection.of_count(static_cast<std::int64_t>(video.frame_times().size()));
    }
    if (!selection.from && !selection.to) {
        return selection;
    }
    std::vector<double> times; // in order
    for (const std::int64_t time : video.frame_times()) {
        times.push_back(video.seconds_of(time));
    }
    constexpr double digits = 5e-7;             // times are given with a few; half a microsecond is no frame
    const auto begun_by = [&](double seconds) { // how many frames
        return std::upper_bound(times.begin(), times.end(), seconds) - times.begin();
    };
    if (selection.from) {
        if (times.empty() || *selection.from > times.back() + 1) {
            throw Error(ErrorCode::input,
                        fmt::format("{}: there is no frame at {:.2f} s", video.name(), *selection.from));
        }
        selection.first = std::max<std::int64_t>(begun_by(*selection.from + digits) - 1, 0);
    }
    if (selection.to) {
        const std::int64_t before = begun_by(*selection.to - digits);
        selection.last = std::max(before - 1, selection.first);
    }
    selection.from.reset();
    selection.to.reset();
    return selection;
}

std::int64_t Selection::count_of(std::int64_t count) const {
    const std::int64_t end = last ? std::min(*last + 1, count) : count;
    return one ? 1 : covering(std::max<std::int64_t>(end - first, 0), every);
}

Selection read_selection(const cli::Arguments& arguments) {
    Selection selection;
    if (arguments.has("frames")) {
        read_range(arguments.value("frames"), selection);
    }
    if (arguments.has("from") || arguments.has("to")) {
        read_times(arguments, selection);
    }
    selection.every = given<int>(arguments, "every", cli::every_limit).value_or(1);
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
