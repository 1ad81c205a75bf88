#include "cli/words/magick_resize.hpp"

#include "cli/words/magick_geometry.hpp"
#include "cli/words/magick_names.hpp"

#include <algorithm>
#include <array>
#include <string_view>
#include <utility>

#include <fmt/format.h>

namespace glproc::cli {

namespace {

using Text = std::optional<std::string>;

std::string with_filter(std::string_view filter) {
    return filter.empty() ? "" : fmt::format(" --filter {}", filter);
}

/// "5000@" is so many pixels in all, which takes the size of the image. `filter` may be empty.
Text resize_by(std::string_view filter, const std::string& value, MagickState& state) {
    if (value.starts_with("0x")) {
        state.difference = fmt::format("ImageMagick makes one pixel of a width of 0; without it: -resize {}",
                                       value.substr(1));
        return std::nullopt;
    }
    if (value.ends_with('<')) {
        state.difference =
            "ImageMagick enlarges only images that are smaller there; resize makes each that size";
    }
    const std::optional<PixelSize> size = state.size ? resized(*state.size, value) : std::nullopt;
    if (value.ends_with('@') && !size) {
        state.difference = fmt::format(
            "ImageMagick makes an image of {} pixels in all there; resize takes a width, a height or percent",
            value.substr(0, value.size() - 1));
        return std::nullopt;
    }
    state.covers = value.ends_with('^') ? value.substr(0, value.size() - 1) : "";
    const std::optional<MagickPlace> sides =
        value.ends_with('!') ? place_in(value.substr(0, value.size() - 1)) : std::nullopt;
    const bool keeps_side = sides && !sides->is_percent && (sides->width == 0 || !sides->has_height);
    if (keeps_side && !size) {
        state.difference = "ImageMagick keeps the other side as it is there; its length is not known here";
        return std::nullopt;
    }
    state.size = size;
    const Text call = value.ends_with('@') || keeps_side
                          ? fmt::format("resize {}x{}", size->width, size->height)
                          : size_of("resize", value);
    return call ? Text(*call + with_filter(filter)) : std::nullopt;
}

} // namespace

Text filter_of(const std::string& value, MagickState& state) {
    constexpr std::array<MagickName, 9> known{{{"point", "nearest"},
                                               {"box", "box"},
                                               {"triangle", "linear"},
                                               {"bilinear", "linear"},
                                               {"catrom", "cubic"},
                                               {"cubic", "mitchell"},
                                               {"mitchell", "mitchell"},
                                               {"lanczos", "lanczos3"},
                                               {"lanczos3", "lanczos3"}}};
    state.filter = named(known, lower(value));
    return state.filter.empty() ? Text() : Text("");
}

/// ImageMagick enlarges, and resizes what has alpha, by Mitchell's filter.
Text resize_of(const std::string& value, MagickState& state) {
    const std::optional<PixelSize> before = state.size;
    const std::optional<PixelSize> after = before ? resized(*before, value) : std::nullopt;
    const bool is_larger =
        after && double{1} * after->width * after->height > double{1} * before->width * before->height;
    return resize_by(!state.filter.empty()          ? state.filter
                     : is_larger || state.has_alpha ? "mitchell"
                                                    : "",
                     value, state);
}

/// Repeats pixels, or takes the mean of whole ones.
Text scale_of(const std::string& value, MagickState& state) {
    const std::optional<PixelSize> before = state.size;
    const std::optional<PixelSize> after = before ? resized(*before, value) : std::nullopt;
    const auto divides = [](int a, int b) { return a % b == 0 || b % a == 0; };
    if (!after || !divides(before->width, after->width) || !divides(before->height, after->height)) {
        state.say("ImageMagick mixes pixels by the area that they cover there; box does for whole multiples");
    }
    return resize_by("box", value, state);
}

/// Where two pixels are equally near, ImageMagick takes the first and glproc the second: in the turned image
/// they change places.
Text sample_of(const std::string& value, MagickState& state) {
    const Text call = resize_by("nearest", value, state);
    return call ? Text(fmt::format("rotate 180 then {} then rotate 180", *call)) : std::nullopt;
}

Text adaptive_resize_of(const std::string& value, MagickState& state) {
    state.say("ImageMagick mixes the four nearest pixels alone there; resize takes all that count");
    return resize_by("", value, state);
}

Text interpolative_resize_of(const std::string& value, MagickState& state) {
    return resize_by("linear", value, state);
}

Text magnify_of(const std::string&, MagickState& state) {
    state.say("ImageMagick smooths some edges there");
    return resize_by("nearest", "200%", state);
}

Text geometry_of(const std::string& value, MagickState& state) {
    const std::optional<MagickPlace> place = place_in(value);
    if (state.composes && place) {
        state.offset = value;
        return place->has_size ? Text() : Text("");
    }
    const std::size_t end =
        std::min(value.find_first_of("+-"), value.size()); // a place is lost in files without a canvas
    return resize_of(value.substr(0, end), state);
}

} // namespace glproc::cli
