#include "cli/words/magick_filters.hpp"

#include "cli/words/magick_geometry.hpp"
#include "cli/words/magick_names.hpp"

#include <algorithm>
#include <array>
#include <cmath>
#include <vector>

#include <fmt/format.h>

namespace glproc::cli {

namespace {

using Text = std::optional<std::string>;

/// The second number of "RADIUSxSIGMA", which is 1 by default.
double sigma_in(const Geometry& g) {
    return g.numbers.size() > 1 ? g.numbers[1] : 1;
}

/// "RADIUSxSIGMA", where radius 0 follows from sigma.
Text sigma_of(const std::string& operation, const std::optional<Geometry>& g, bool has_radius) {
    if (!g || g->is_percent || g->numbers.empty()) {
        return std::nullopt;
    }
    return fmt::format("{} --sigma {:.6g}{}", operation, sigma_in(*g),
                       has_radius && g->numbers[0] > 0 ? fmt::format(" --radius {:.0f}", g->numbers[0]) : "");
}

/// "5x3" of odd sides, as the radius of a box; nothing for others.
Text radius_in(const std::string& value) {
    const std::optional<MagickPlace> window = place_in(value);
    if (!window || !window->has_size || window->is_percent || window->has_place ||
        std::fmod(window->width, 2) != 1 || std::fmod(window->height, 2) != 1) {
        return std::nullopt;
    }
    const double across = (window->width - 1) / 2;
    const double down = (window->height - 1) / 2;
    return across == down ? fmt::format("{:.0f}", across) : fmt::format("{:.0f},{:.0f}", across, down);
}

} // namespace

Text blur_of(const std::string& value, MagickState&) {
    return sigma_of("blur", geometry_in(value), true);
}

/// ImageMagick leaves the pixel itself out of the blur, and makes the sum 1 again.
Text sharpen_of(const std::string& value, MagickState&) {
    const std::optional<Geometry> g = geometry_in(value);
    const Text text = sigma_of("unsharp", g, false);
    if (!text || sigma_in(*g) <= 0) {
        return std::nullopt;
    }
    double sum = 1;
    for (int i = 1; i <= 6 * sigma_in(*g); ++i) {
        sum += 2 * std::exp(-i * i / (2 * sigma_in(*g) * sigma_in(*g)));
    }
    return fmt::format("{} --amount {:.3g}", *text, 1 / (1 + 1 / (sum * sum)));
}

Text unsharp_of(const std::string& value, MagickState& state) {
    const std::optional<Geometry> g = geometry_in(value);
    Text text = sigma_of("unsharp", g, false);
    if (text && g->numbers[0] > 0 && g->numbers[0] < 3 * sigma_in(*g)) {
        state.say(fmt::format("ImageMagick ends the blur after {:.6g} pixels there; unsharp takes all of it",
                              g->numbers[0]));
    }
    if (text && g->numbers.size() > 2) {
        *text += fmt::format(" --amount {:.6g}", g->numbers[2]);
    }
    if (text) { // twice the difference is compared with it there
        *text += fmt::format(" --threshold {:.6g}", (g->numbers.size() > 3 ? g->numbers[3] : 0.05) / 2);
    }
    return text;
}

/// The sides of a box there, a radius here.
Text median_of(const std::string& value, MagickState& state) {
    const Text radius = radius_in(value);
    if (!radius) {
        state.difference = fmt::format(
            "ImageMagick takes the median of a window of {} there; median takes squares of an odd side",
            value);
        return std::nullopt;
    }
    return fmt::format("median --radius {}", *radius);
}

/// "Minimum 5x5".
Text statistic_of(const std::string& value, MagickState&) {
    constexpr std::array<MagickName, 7> known{{{"median", "median --radius"},
                                               {"minimum", "morphology --do erode --radius"},
                                               {"maximum", "morphology --do dilate --radius"},
                                               {"mean", "box --radius"},
                                               {"gradient", "local --measure range --radius"},
                                               {"standarddeviation", "local --measure stddev --radius"},
                                               {"standard_deviation", "local --measure stddev --radius"}}};
    const std::string_view call = named(known, lower(value.substr(0, value.find(' '))));
    const std::string window = value.substr(std::min(value.find(' '), value.size() - 1) + 1);
    const Text radius = radius_in(
        window.find('x') == std::string::npos ? window + "x5" : window); // as high as it is by default
    const bool is_one = call.starts_with("local");                       // which takes squares alone
    if (call.empty() || !radius || (is_one && (*radius == "0" || radius->find(',') != std::string::npos))) {
        return std::nullopt;
    }
    return fmt::format("{} {}", call, *radius);
}

/// Removes noise.
Text noise_of(const std::string&, MagickState& state) {
    state.say("ImageMagick replaces peaks alone there; a median replaces all pixels");
    return "median --radius 1";
}

/// "+noise Gaussian" adds some.
Text add_noise_of(const std::string& value, MagickState&) {
    constexpr std::array<MagickName, 2> known{
        {{"gaussian", "--sigma 7.8%"}, {"uniform", "--kind uniform --sigma 0.45%"}}};
    const std::string_view kind = named(known, lower(value));
    return kind.empty() ? Text() : Text(fmt::format("noise {}", kind));
}

Text edge_of(const std::string& value, MagickState&) {
    return value == "1" ? Text("convolve --kernel '-1 -1 -1; -1 8 -1; -1 -1 -1'") : std::nullopt;
}

/// "0x1+10%+30%": percents of the strongest edge, which for a step from black to white after this blur is
/// near 3.3 of the Sobel operator's 4.
Text canny_of(const std::string& value, MagickState& state) {
    const std::optional<Geometry> g = geometry_in(value);
    if (!g || g->numbers.empty() || g->numbers.size() > 4) {
        return std::nullopt;
    }
    const double low = g->numbers.size() > 2 ? g->numbers[2] : 10;
    const double high = g->numbers.size() > 3 ? g->numbers[3] : 30;
    state.say("ImageMagick's percents are of the strongest edge of the image, canny's of white; raise both "
              "for fewer lines");
    constexpr double steps = 8; // of 1/255, for each percent
    return fmt::format("canny --sigma {:.6g} --low {:.6g} --high {:.6g} --norm l2", sigma_in(*g), low * steps,
                       high * steps);
}

/// "15x15+5%": brighter than the mean around it by so much.
Text local_threshold_of(const std::string& value, MagickState& state) {
    const std::size_t sign = std::min(value.find_first_of("+-"), value.size());
    const Text radius = radius_in(value.substr(0, sign));
    const std::optional<Geometry> offset =
        sign < value.size() ? geometry_in(value.substr(sign)) : Geometry{{0}};
    if (!radius || radius->find(',') != std::string::npos || *radius == "0" || !offset ||
        offset->numbers.size() != 1) {
        return std::nullopt;
    }
    state.say("ImageMagick thresholds each channel there; threshold takes luma");
    return fmt::format("threshold --local mean --radius {} --k={:.6g}{}", *radius, 0 - offset->numbers[0],
                       offset->is_percent ? "%" : "/65535");
}

/// The numbers of a square, row by row, which are not flipped there; their sum becomes 1 unless it is 0.
Text convolve_of(const std::string& value, MagickState&) {
    const std::optional<Geometry> g = geometry_in(value);
    const std::size_t count = g ? g->numbers.size() : 0;
    const auto side = static_cast<std::size_t>(std::lround(std::sqrt(double(count))));
    if (count == 0 || side * side != count || side % 2 == 0) {
        return std::nullopt;
    }
    std::string rows;
    double sum = 0;
    for (std::size_t i = 0; i < count; ++i) {
        rows += fmt::format("{}{:.6g}", i == 0 ? "" : i % side == 0 ? "; " : " ", g->numbers[count - 1 - i]);
        sum += g->numbers[i];
    }
    return fmt::format("convolve --kernel '{}'{}", rows,
                       sum == 0 || sum == 1 ? "" : fmt::format(" --scale 1/{:.6g}", sum));
}

} // namespace glproc::cli
