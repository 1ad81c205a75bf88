#include "cli/words/magick_flags.hpp"

#include "cli/words/magick_geometry.hpp"
#include "cli/words/magick_settings.hpp"
#include "cli/words/magick_sizes.hpp"

#include <algorithm>
#include <array>
#include <cctype>
#include <cmath>
#include <numbers>
#include <utility>
#include <vector>

#include <fmt/format.h>
#include <fmt/ranges.h>

namespace glproc::cli {

namespace {

using Text = std::optional<std::string>;

std::string lower(std::string text) {
    std::transform(text.begin(), text.end(), text.begin(),
                   [](unsigned char c) { return static_cast<char>(std::tolower(c)); });
    return text;
}

/// A value of a picture: percent, or a code of its 16 bits.
std::string level_of(double number, bool is_percent) {
    return is_percent ? fmt::format("{:.6g}%", number) : fmt::format("{:.6g}/65535", number);
}

/// "RADIUSxSIGMA", where sigma is 1 by default, and radius 0 follows from sigma.
Text sigma_of(const std::string& operation, const std::optional<Geometry>& g, bool has_radius) {
    if (!g || g->is_percent || g->numbers.empty()) {
        return std::nullopt;
    }
    const std::vector<double>& n = g->numbers;
    const double sigma = n.size() > 1 ? n[1] : 1;
    return fmt::format("{} --sigma {:.6g}{}", operation, sigma,
                       has_radius && n[0] > 0 ? fmt::format(" --radius {:.0f}", n[0]) : "");
}

Text blur_of(const std::string& value, MagickState&) {
    return sigma_of("blur", geometry_in(value), true);
}

Text sharpen_of(const std::string& value, MagickState&) {
    return sigma_of("unsharp", geometry_in(value), false);
}

Text unsharp_of(const std::string& value, MagickState&) {
    const std::optional<Geometry> g = geometry_in(value);
    Text text = sigma_of("unsharp", g, false);
    if (text && g->numbers.size() > 2) {
        *text += fmt::format(" --amount {:.6g}", g->numbers[2]);
    }
    if (text) { // twice the difference is compared with it there
        *text += fmt::format(" --threshold {:.6g}", (g->numbers.size() > 3 ? g->numbers[3] : 0.05) / 2);
    }
    return text;
}

/// The side of a square there, a radius here.
Text median_of(const std::string& value, MagickState& state) {
    const std::optional<Geometry> g = geometry_in(value);
    const double side = g && !g->numbers.empty() ? g->numbers[0] : 0;
    const bool is_square = g && (g->numbers.size() == 1 || (g->numbers.size() == 2 && g->numbers[1] == side));
    const bool is_odd = std::fmod(side, 2) == 1;
    if (!is_square || !is_odd) {
        state.difference = fmt::format("ImageMagick takes the median of a window of {} there; median takes squares of an odd side", value);
        return std::nullopt;
    }
    return fmt::format("median --radius {:.0f}", (side - 1) / 2);
}

Text edge_of(const std::string& value, MagickState&) {
    return value == "1" ? Text("convolve --kernel '-1 -1 -1; -1 8 -1; -1 -1 -1'") : std::nullopt;
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

Text levels_of(const std::string& value, MagickState& state) {
    const std::optional<Geometry> g = geometry_in(value);
    if (!g || state.is_plus) {
        return std::nullopt;
    }
    const std::vector<double>& n = g->numbers;
    const double white = n.size() > 1 ? n[1] : (g->is_percent ? 100 : 65535) - n[0];
    return fmt::format("levels --black {} --white {}", level_of(n[0], g->is_percent),
                       level_of(white, g->is_percent)) +
           (n.size() > 2 ? fmt::format(" --gamma {:.6g}", n[2]) : "");
}

Text gamma_of(const std::string& value, MagickState&) {
    const std::optional<Geometry> g = geometry_in(value);
    return g && g->numbers.size() == 1 ? Text(fmt::format("levels --gamma {}", value)) : std::nullopt;
}

Text stretch_of(const std::string& value, MagickState&) {
    const std::optional<Geometry> g = geometry_in(value);
    const bool is_even = g && g->is_percent && (g->numbers.size() == 1 || g->numbers[0] == g->numbers[1]);
    return is_even ? Text(fmt::format("levels --auto={:.6g}", g->numbers[0])) : std::nullopt;
}

/// Lightness, saturation and hue in percent of what they are.
Text modulate_of(const std::string& value, MagickState&) {
    const std::optional<Geometry> g = geometry_in(value);
    if (!g) {
        return std::nullopt;
    }
    return g->numbers.size() <= 3 ? Text(fmt::format("adjust --modulate {:.6g}", fmt::join(g->numbers, ","))) : std::nullopt;
}

/// Both are a line through the values: its slope and height in the terms of `adjust`.
Text brightness_contrast_of(const std::string& value, MagickState&) {
    const std::optional<Geometry> g = geometry_in(value);
    const double contrast = g && g->numbers.size() > 1 ? g->numbers[1] : 0;
    if (!g || std::abs(contrast) >= 100) {
        return std::nullopt;
    }
    const double slope = std::tan(std::numbers::pi * (contrast / 100 + 1) / 4);
    const double brightness = g->numbers[0] * (1 + slope) / (200 * slope);
    return fmt::format("adjust --brightness {:.4g}", brightness) +
           (contrast == 0 ? "" : fmt::format(" --contrast {:.4g}", std::log2(slope) / 2));
}

Text threshold_of(const std::string& value, MagickState&) {
    const std::optional<Geometry> g = geometry_in(value);
    return g && g->numbers.size() == 1
               ? Text(fmt::format("threshold --at {}", level_of(g->numbers[0], g->is_percent)))
               : std::nullopt;
}

Text auto_threshold_of(const std::string& value, MagickState&) {
    const std::string rule = lower(value);
    return rule == "otsu" || rule == "triangle" ? Text(fmt::format("threshold --rule {}", rule))
                                                : std::nullopt;
}

Text border_of(const std::string& value, MagickState& state) {
    const std::optional<Geometry> g = geometry_in(value);
    if (!g || g->is_percent) {
        return std::nullopt;
    }
    const double across = g->numbers[0];
    const double down = g->numbers.size() > 1 ? g->numbers[1] : across;
    if (state.size) {
        *state.size = {state.size->width + 2 * static_cast<int>(across), state.size->height + 2 * static_cast<int>(down)};
    }
    state.covers.clear();
    return fmt::format("pad --margin {0:.0f},{1:.0f},{0:.0f},{1:.0f} --background {2}", across, down, state.border);
}

Text emboss_of(const std::string&, MagickState& state) {
    state.remark = "ImageMagick's emboss also equalizes the histogram, and has another kernel";
    return "convolve --kernel '-2 -1 0; -1 1 1; 0 1 2'";
}

Text vignette_of(const std::string&, MagickState& state) {
    state.remark = "ImageMagick fades all beyond an ellipse into the background there; vignette darkens the corners";
    return "vignette --amount 0.6";
}

Text despeckle_of(const std::string&, MagickState& state) {
    state.remark = "ImageMagick's despeckle keeps more detail; a median removes the same specks";
    return "median --radius 1";
}

Text equalize_of(const std::string&, MagickState& state) {
    state.remark = "ImageMagick equalizes the brightness of all channels with one curve, which shifts colours; in grey images both are the same "
                   "within a level";
    return "equalize";
}

Text monochrome_of(const std::string&, MagickState& state) {
    state.remark = "ImageMagick dithers there; threshold does not";
    return "threshold --rule otsu";
}

/// So many values of each channel, at the same distance, as a curve with a step in the middle between two
/// codes of 8 bits. From 9 values on no one types it.
Text posterize_of(const std::string& value, MagickState& state) {
    constexpr double white = 255;
    const std::optional<Geometry> g = geometry_in(value);
    const double count = g && g->numbers.size() == 1 ? g->numbers[0] : 0;
    if (count < 2 || count > 8 || count != std::floor(count)) {
        state.difference = "ImageMagick rounds each channel to so many values there; convert --colors N "
                           "chooses N colours of the image";
        return std::nullopt;
    }
    const auto level = [&](double step) { return std::floor(white * step / (count - 1) + 0.5); };
    std::string points = "0,0";
    for (double step = 0; step < count - 1; ++step) {
        const double edge = std::floor(white * (2 * step + 1) / (2 * (count - 1)));
        points += fmt::format(",{}/255,{}/255,{}/255,{}/255", edge, level(step), edge + 1, level(step + 1));
    }
    return "curve --points " + points;
}

/// "90>" turns wide images only.
Text rotate_of(const std::string& value, MagickState& state) {
    const std::optional<Geometry> g = geometry_in(value);
    if (value.ends_with('>') || value.ends_with('<')) {
        state.difference =
            fmt::format("ImageMagick turns only images that are {} there; rotate turns each that it is given",
                        value.ends_with('>') ? "wider than high" : "higher than wide");
    }
    if (!g || g->numbers.size() != 1) {
        return std::nullopt;
    }
    const bool is_quarter = std::fmod(g->numbers[0], 90) == 0;
    const bool is_turned = std::fmod(g->numbers[0], 180) != 0;
    const std::optional<PixelSize> before = std::exchange(state.size, std::nullopt);
    if (is_quarter && before) {
        state.size = is_turned ? PixelSize{before->height, before->width} : *before;
    }
    state.covers.clear();
    return fmt::format("rotate --angle {:.6g}{}", g->numbers[0],
                       is_quarter ? "" : fmt::format(" --background {}", state.background));
}

Text colorspace_of(const std::string& value, MagickState&) {
    const std::string space = lower(value);
    return space == "gray" || space == "grey"                   ? Text("gray")
           : space == "lab" || space == "hsv" || space == "hsl" ? Text(fmt::format("color --space {}", space))
                                                                : std::nullopt;
}

Text append_of(const std::string&, MagickState& state) {
    return state.is_plus ? "append" : "append --direction down";
}

Text evaluate_sequence_of(const std::string& value, MagickState&) {
    const std::string how = lower(value);
    const bool is_known = how == "mean" || how == "median" || how == "min" || how == "max";
    return is_known ? Text(fmt::format("stack --by {}", how)) : std::nullopt;
}

Text alpha_of(const std::string& value, MagickState& state) {
    const std::string how = lower(value);
    return how == "off" || how == "deactivate" ? Text("convert --alpha drop")
           : how == "on" || how == "set"       ? Text("convert --alpha add")
           : how == "remove"                   ? Text(fmt::format("--background {}", state.background))
                                               : std::nullopt;
}

/// Notes a word for the flags that follow.
template <std::string MagickState::*Member>
Text noted(const std::string& value, MagickState& state) {
    state.*Member =
        value.find_first_of("#()") == std::string::npos ? lower(value) : fmt::format("'{}'", value);
    return "";
}

Text composite_of(const std::string&, MagickState& state) {
    state.composes = true;
    return "";
}

/// What is written the same whatever the value.
template <std::size_t Size>
struct Literal {
    char text[Size];
    constexpr Literal(const char (&from)[Size]) { std::copy_n(from, Size, text); }
};
template <Literal text>
Text always(const std::string&, MagickState&) {
    return text.text;
}
/// The value behind these words.
template <Literal text>
Text with_value(const std::string& value, MagickState&) {
    return std::string(text.text) + " " + value;
}

constexpr std::array<MagickFlag, 55> flags{{
    {"resize", true, resize_of},
    {"scale", true, resize_of},
    {"thumbnail", true, resize_of},
    {"adaptive-resize", true, adaptive_resize_of},
    {"sample", true, sample_of},
    {"blur", true, blur_of},
    {"gaussian-blur", true, blur_of},
    {"sharpen", true, sharpen_of},
    {"unsharp", true, unsharp_of},
    {"median", true, median_of},
    {"edge", true, edge_of},
    {"convolve", true, convolve_of},
    {"negate", false, always<"invert">},
    {"flip", false, always<"flip --axis y">},
    {"flop", false, always<"flip --axis x">},
    {"rotate", true, rotate_of},
    {"posterize", true, posterize_of},
    {"crop", true, crop_of},
    {"extent", true, extent_of},
    {"border", true, border_of},
    {"threshold", true, threshold_of},
    {"auto-threshold", true, auto_threshold_of},
    {"monochrome", false, monochrome_of},
    {"normalize", false, always<"levels --auto">},
    {"auto-level", false, always<"levels --auto=0">},
    {"contrast-stretch", true, stretch_of},
    {"level", true, levels_of},
    {"gamma", true, gamma_of},
    {"modulate", true, modulate_of},
    {"brightness-contrast", true, brightness_contrast_of},
    {"equalize", false, equalize_of},
    {"colorspace", true, colorspace_of},
    {"emboss", true, emboss_of},
    {"vignette", true, vignette_of},
    {"despeckle", false, despeckle_of},
    {"append", false, append_of},
    {"average", false, always<"stack">},
    {"evaluate-sequence", true, evaluate_sequence_of},
    {"composite", false, composite_of},
    {"repage", false, always<"">},
    {"trim", false, always<"trim">},
    {"quality", true, quality_of},
    {"colors", true, colours_of},
    {"compress", true, compression_of},
    {"strip", false, always<"--strip=all">},
    {"depth", true, depth_of},
    {"flatten", false,
     [](const std::string&, MagickState& state) {
         return Text(fmt::format("--background {}", state.background));
     }},
    {"alpha", true, alpha_of},
    {"interlace", true, interlace_of},
    {"sampling-factor", true, sampling_of},
    {"format", true, with_value<"--to">},
    {"background", true, noted<&MagickState::background>},
    {"bordercolor", true, noted<&MagickState::border>},
    {"gravity", true, noted<&MagickState::gravity>},
    {"auto-orient", false, always<"">},
}};

} // namespace

std::span<const MagickFlag> magick_flags() {
    return flags;
}

const MagickFlag* find_magick(std::string_view name) {
    const auto found =
        std::find_if(flags.begin(), flags.end(), [&](const MagickFlag& flag) { return flag.name == name; });
    return found == flags.end() ? nullptr : &*found;
}

} // namespace glproc::cli
