#include "cli/words/magick_sizes.hpp"

#include "cli/words/magick_geometry.hpp"

#include <algorithm>
#include <utility>

#include <fmt/format.h>

namespace glproc::cli {

namespace {

using Text = std::optional<std::string>;

void say_enlarges(const std::string& value, MagickState& state) {
    if (value.ends_with('<')) {
        state.difference =
            "ImageMagick enlarges only images that are smaller there; resize makes each that size";
    }
}

/// "5000@" is so many pixels in all, which takes the size of the image.
Text resize_by(const std::string& operation, const std::string& value, MagickState& state) {
    say_enlarges(value, state);
    const std::optional<PixelSize> size = state.size ? resized(*state.size, value) : std::nullopt;
    if (value.ends_with('@') && !size) {
        state.difference = fmt::format("ImageMagick makes an image of {} pixels in all there; resize takes a width, a height or percent",
                                       value.substr(0, value.size() - 1));
        return std::nullopt;
    }
    state.covers = value.ends_with('^') ? value.substr(0, value.size() - 1) : "";
    state.size = size;
    return value.ends_with('@') ? fmt::format("{} {}x{}", operation, size->width, size->height) : size_of(operation, value);
}

} // namespace

/// "WxH+X+Y" counts from where gravity says. Without X and Y it cuts the image into tiles.
Text crop_of(const std::string& value, MagickState& state) {
    const std::optional<Geometry> g = geometry_in(value);
    const std::size_t plus = value.find('+');
    if (g && g->numbers.size() == 2) {
        state.difference = fmt::format("ImageMagick cuts tiles of {0} there; -crop {0}+0+0 is the one at the top left", value);
    }
    if (!g || g->numbers.size() != 4 || plus == std::string::npos) {
        return std::nullopt;
    }
    const std::vector<double>& n = g->numbers;
    const bool is_shifted = n[2] != 0 || n[3] != 0;
    if ((!state.gravity.empty() && is_shifted) || n[2] < 0 || n[3] < 0) {
        return std::nullopt;
    }
    const std::string size =
        g->is_percent ? fmt::format("{:.6g}%x{:.6g}%", n[0], n[1]) : fmt::format("{:.0f}x{:.0f}", n[0], n[1]);
    const std::optional<PixelSize> image = std::exchange(state.size, std::nullopt);
    if (state.gravity.empty()) {
        return fmt::format("crop {}+{:.0f}+{:.0f}", size, n[2], n[3]);
    }
    return g->is_percent ? fmt::format("crop {} --gravity {}", size, state.gravity)
                         : crop_to(image, {static_cast<int>(n[0]), static_cast<int>(n[1])}, state.gravity);
}

/// Where the image is larger it is cut, where it is smaller it gets a margin.
Text extent_of(const std::string& value, MagickState& state) {
    const std::optional<PixelSize> box = box_in(value);
    if (!box) {
        return std::nullopt;
    }
    const std::string gravity = state.gravity.empty() ? "northwest" : state.gravity;
    if (state.covers == value) {
        return crop_to(state.size, *box, gravity);
    }
    const std::optional<PixelSize> image = std::exchange(state.size, box);
    if (!image) {
        return fmt::format("pad --size {} --gravity {} --background {}", value, gravity, state.background);
    }
    const PixelSize kept{std::min(image->width, box->width), std::min(image->height, box->height)};
    const std::string crop = kept == *image ? "" : crop_to(image, kept, gravity);
    const std::string pad = kept == *box ? "" : pad_to(kept, *box, gravity, state.background);
    return crop.empty() || pad.empty() ? crop + pad : fmt::format("{} then {}", crop, pad);
}

Text resize_of(const std::string& value, MagickState& state) {
    return resize_by("resize", value, state);
}

Text adaptive_resize_of(const std::string& value, MagickState& state) {
    state.remark = "ImageMagick mixes the four nearest pixels alone there; resize takes all that count";
    return resize_by("resize", value, state);
}

/// Where two pixels are equally near, ImageMagick takes the first and glproc the second: in the turned image they change places.
Text sample_of(const std::string& value, MagickState& state) {
    const Text call = resize_by("resize --filter nearest", value, state);
    return call ? Text(fmt::format("rotate 180 then {} then rotate 180", *call)) : std::nullopt;
}

} // namespace glproc::cli
