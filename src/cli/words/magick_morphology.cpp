// -morphology METHOD[:COUNT] KERNEL[:RADIUS].
#include "cli/words/magick_filters.hpp"
#include "cli/words/magick_geometry.hpp"
#include "cli/words/magick_names.hpp"
#include "cli/words/magick_settings.hpp"

#include <algorithm>
#include <array>
#include <cmath>
#include <sstream>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include <fmt/format.h>
#include <fmt/ranges.h>

namespace glproc::cli {

namespace {

using Text = std::optional<std::string>;

/// "dilate:2" as "dilate" and "2".
std::pair<std::string, std::string> parts_of(const std::string& word) {
    const std::size_t colon = word.find(':');
    return {lower(word.substr(0, colon)), colon == std::string::npos ? "" : word.substr(colon + 1)};
}

/// A whole number from 1 to `most`; `otherwise` for an empty word, 0 where it is anything else.
int count_in(const std::string& word, int otherwise, int most) {
    const std::optional<MagickPlace> place =
        word.empty() ? MagickPlace{.width = double(otherwise)} : place_in(word);
    const bool is_count = place && !place->has_height && !place->has_place && place->width >= 1 &&
                          place->width <= most && place->width == std::floor(place->width);
    return is_count ? static_cast<int>(place->width) : 0;
}

using Shapes = std::vector<std::string>;

/// Shapes that, one after another, do what ImageMagick's kernel does; none where nothing here does. A diamond
/// is crosses of radius 1; an octagon has a box behind them.
Shapes shapes_of(const std::string& kernel, const std::string& size) {
    constexpr int many = 127;
    constexpr int few = 6; // steps that a line of words may have
    const std::string cross = "--radius 1 --shape cross";
    const auto one = [](int radius, const char* shape) {
        return radius == 0 ? Shapes{} : Shapes{fmt::format("--radius {}{}", radius, shape)};
    };
    if (kernel == "square") {
        return one(count_in(size, 1, many), "");
    }
    if (kernel == "plus") {
        return one(count_in(size, 2, many), " --shape cross");
    }
    if (kernel == "disk") {
        return size.empty() || size == "4.3" ? Shapes{"--radius 3 --shape disk", "--radius 1"}
                                             : one(count_in(size, 1, many), " --shape disk");
    }
    if (kernel == "diamond") {
        return Shapes(static_cast<std::size_t>(count_in(size, 1, few)), cross);
    }
    if (kernel == "octagon") {
        const int radius = count_in(size, 2, few);
        Shapes shapes(static_cast<std::size_t>((radius + 1) / 2), cross);
        if (radius > 1) {
            shapes.push_back(fmt::format("--radius {}", radius / 2));
        }
        return shapes;
    }
    const std::optional<MagickPlace> box = kernel == "rectangle" ? place_in(size) : std::nullopt;
    const bool is_odd =
        box && !box->has_place && std::fmod(box->width, 2) == 1 && std::fmod(box->height, 2) == 1;
    return is_odd ? Shapes{fmt::format("--radius {:.0f},{:.0f}", (box->width - 1) / 2, (box->height - 1) / 2)}
                  : Shapes{};
}

/// 100 of 65535 for each pixel.
Text distance_of(const std::string& kernel, MagickState& state) {
    constexpr std::array<MagickName, 3> known{
        {{"euclidean", ""}, {"chebyshev", " --metric chessboard"}, {"manhattan", " --metric taxicab"}}};
    const auto found =
        std::find_if(known.begin(), known.end(), [&](const MagickName& row) { return row.first == kernel; });
    if (found == known.end()) {
        return std::nullopt;
    }
    state.say("of black and white images alone both are the same");
    state.settings = fmt::format(" {}", depth_of("16", state).value_or(""));
    return fmt::format("distance{} then levels --white 655.35", found->second);
}

} // namespace

Text morphology_of(const std::string& value, MagickState& state) {
    constexpr std::array<MagickName, 8> known{{{"erode", "erode"},
                                               {"dilate", "dilate"},
                                               {"open", "erode dilate"},
                                               {"close", "dilate erode"},
                                               {"smooth", "erode dilate dilate erode"},
                                               {"edge", "gradient"},
                                               {"tophat", "tophat"},
                                               {"bottomhat", "blackhat"}}};
    const std::size_t space = value.find(' ');
    if (space == std::string::npos) {
        return std::nullopt;
    }
    const auto [method, times] = parts_of(value.substr(0, space));
    const auto [kernel, size] = parts_of(value.substr(space + 1));
    if (method == "convolve" && kernel == "gaussian") {
        return blur_of(size, state);
    }
    if (method == "distance" && size.empty()) {
        return distance_of(kernel, state);
    }
    if (method == "thinning" && kernel == "skeleton" && size.empty()) {
        state.say(times.starts_with('-')
                      ? "ImageMagick takes other pixels away; both leave lines one pixel wide"
                      : "ImageMagick takes one layer away there, or all with Thinning:-1");
        return "skeleton";
    }
    const std::string steps(named(known, method));
    const Shapes shapes = shapes_of(kernel, size);
    const int count = count_in(times, 1, 20);
    const bool is_one = shapes.size() == 1 && count == 1;
    if (steps.empty() || shapes.empty() || count == 0) {
        return std::nullopt;
    }
    if (is_one && (method == "open" || method == "close")) {
        return fmt::format("morphology --do {} {}", method, shapes.front());
    }
    if (!is_one && (method == "edge" || method.ends_with("hat"))) {
        return std::nullopt; // a difference of several steps
    }
    std::vector<std::string> chain;
    std::istringstream words(steps);
    for (std::string step; words >> step;) {
        for (int i = 0; i < count; ++i) {
            for (const std::string& shape : shapes) {
                chain.push_back(fmt::format("morphology --do {} {}", step, shape));
            }
        }
    }
    return chain.size() <= 12 ? Text(fmt::format("{}", fmt::join(chain, " then "))) : std::nullopt;
}

} // namespace glproc::cli
