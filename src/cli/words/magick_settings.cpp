#include "cli/words/magick_settings.hpp"

#include "cli/words/magick_geometry.hpp"
#include "cli/words/magick_names.hpp"
#include "glproc/base/error.hpp"
#include "glproc/files/codec.hpp"

#include <algorithm>
#include <array>
#include <string_view>
#include <utility>

#include <fmt/format.h>

namespace glproc::cli {

namespace {

using Text = std::optional<std::string>;

/// Whether the file is of one of these formats, or may be.
bool may_be(const MagickState& state, std::initializer_list<Format> formats) {
    const std::optional<Format> format = format_of(state.format);
    return !format || std::find(formats.begin(), formats.end(), *format) != formats.end();
}

bool holds(const MagickState& state, Depth depth) {
    if (!format_of(state.format)) {
        return true;
    }
    try {
        check_encodable(state.format, 3, depth);
        return true;
    } catch (const Error&) {
        return false;
    }
}

} // namespace

/// In a PNG the tens are the level of zlib, and the units a filter, which the encoder chooses here.
Text quality_of(const std::string& value, MagickState& state) {
    const std::optional<Geometry> g = geometry_in(value);
    if (!g || g->numbers.size() != 1) {
        return std::nullopt;
    }
    if (format_of(state.format) == Format::png) {
        return fmt::format("--png-level {}", static_cast<int>(std::clamp(g->numbers[0] / 10, 0.0, 9.0)));
    }
    const bool counts = may_be(state, {Format::jpeg, Format::webp, Format::jxl, Format::heic, Format::avif});
    return counts ? fmt::format("--quality {}", value) : "";
}

Text compression_of(const std::string& value, MagickState& state) {
    constexpr std::array<MagickName, 6> known{{{"none", "none"},
                                               {"zip", "deflate"},
                                               {"lzw", "lzw"},
                                               {"rle", "packbits"},
                                               {"group4", "g4"},
                                               {"fax", "g4"}}};
    if (!may_be(state, {Format::tiff})) {
        return "";
    }
    const std::string_view name = named(known, lower(value));
    if (name.empty()) {
        state.difference = fmt::format(
            "there is no TIFF compressed by {} here; --compression takes deflate, lzw, packbits and g4",
            value);
        return std::nullopt;
    }
    return fmt::format("--compression {}", name);
}

Text interlace_of(const std::string& value, MagickState& state) {
    if (lower(value) == "none") {
        return "";
    }
    if (!format_of(state.format) || may_be(state, {Format::jpeg})) {
        return "--progressive";
    }
    if (may_be(state, {Format::png, Format::gif})) {
        state.say(
            fmt::format("{} is not interlaced here", format_of(state.format) == Format::png ? "PNG" : "GIF"));
    }
    return "";
}

/// The most that the format holds, as ImageMagick writes it.
Text depth_of(const std::string& value, MagickState& state) {
    constexpr std::array<std::pair<int, Depth>, 3> depths{
        {{32, Depth::f32}, {16, Depth::u16}, {8, Depth::u8}}};
    constexpr std::array<std::string_view, 3> names{"f32", "16", "8"};
    if (value != "8" && value != "16" && value != "32") {
        return std::nullopt;
    }
    for (std::size_t i = 0; i < depths.size(); ++i) {
        if (depths[i].first <= std::stoi(value) && holds(state, depths[i].second)) {
            return fmt::format("--depth {}", names[i]);
        }
    }
    return "";
}

Text sampling_of(const std::string& value, MagickState& state) {
    constexpr std::array<MagickName, 6> known{{{"4:2:0", "420"},
                                               {"2x2", "420"},
                                               {"4:2:2", "422"},
                                               {"2x1", "422"},
                                               {"4:4:4", "444"},
                                               {"1x1", "444"}}};
    if (!may_be(state, {Format::jpeg})) {
        return "";
    }
    const std::string_view name = named(known, value);
    return name.empty() ? Text() : Text(fmt::format("--subsampling {}", name));
}

/// "jpeg:extent=5kb".
Text define_of(const std::string& value, MagickState& state) {
    const std::size_t sign = std::min(value.find('='), value.size());
    const std::string name = lower(value.substr(0, sign));
    std::string set = lower(value.substr(std::min(sign + 1, value.size())));
    if (name == "compose:args") {
        state.share = set;
        return "";
    }
    if (name == "jpeg:extent") {
        set.erase(std::min(set.find('b'), set.size()));
        return may_be(state, {Format::jpeg}) ? "--max-size " + set : "";
    }
    if (name == "png:compression-level") {
        return may_be(state, {Format::png}) ? "--png-level " + set : "";
    }
    if (name == "webp:lossless") {
        return may_be(state, {Format::webp}) && (set == "true" || set == "1") ? "--lossless" : "";
    }
    return std::nullopt;
}

/// What lies beyond the edges.
Text edges_of(const std::string& value, MagickState& state) {
    constexpr std::array<MagickName, 5> known{{{"edge", "clamp"},
                                               {"mirror", "symmetric"},
                                               {"tile", "wrap"},
                                               {"black", "constant:0"},
                                               {"white", "constant:1"}}};
    state.edges = named(known, lower(value));
    return state.edges.empty() ? Text() : Text("");
}

/// Of mogrify's files; with a percent sign it says what info: prints, which `info` does by itself.
Text file_format_of(const std::string& value, MagickState&) {
    return value.find('%') == std::string::npos ? "--to " + value : "";
}

Text colours_of(const std::string& value, MagickState& state) {
    if (may_be(state, {Format::png, Format::gif})) {
        state.say("ImageMagick chooses other colours");
        return fmt::format("--colors {}", value);
    }
    state.say("colours are counted in PNG and GIF alone here");
    return "";
}

} // namespace glproc::cli
