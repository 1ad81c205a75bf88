#include "cli/words/magick_sizes.hpp"

#include "cli/words/magick_geometry.hpp"
#include "cli/words/magick_names.hpp"
#include "cli/words/thesaurus.hpp"

#include <algorithm>
#include <cmath>
#include <cstdlib>
#include <iterator>
#include <sstream>
#include <string_view>
#include <utility>
#include <vector>

#include <fmt/format.h>
#include <fmt/ranges.h>

namespace glproc::cli {

namespace {

using Text = std::optional<std::string>;

/// What needs the size of the image, which nobody knows after -trim, or of a file that is not there.
Text needs_size(MagickState& state) {
    state.difference = "ImageMagick counts from the size of the image there, which is not known here";
    return std::nullopt;
}

/// "WxH+X+Y" of an image whose size is not known.
Text crop_unseen(const MagickPlace& place, MagickState& state) {
    const bool is_shifted = place.x != 0 || place.y != 0;
    if ((!state.gravity.empty() && is_shifted) || place.x < 0 || place.y < 0 || place.width == 0 ||
        place.height == 0) {
        return needs_size(state);
    }
    const std::string unit = place.is_percent ? "%" : "";
    const std::string size = fmt::format("crop {:.6g}{}x{:.6g}{}", place.width, unit, place.height, unit);
    return state.gravity.empty() ? fmt::format("{}+{}+{}", size, place.x, place.y)
                                 : fmt::format("{} --gravity {}", size, state.gravity);
}

/// -border, -frame and -extent lay what is transparent on a colour.
std::string flattened(const std::string& background, MagickState& state) {
    if (!state.has_alpha || background == "transparent") {
        return "";
    }
    state.has_alpha = false;
    return fmt::format("convert --alpha flatten:{} then ", shell_word(background));
}

/// The frame is of one colour, and what is transparent inside of -bordercolor.
std::string pad_by(int across, int down, const std::string& background, MagickState& state) {
    if (state.size) {
        *state.size = {state.size->width + 2 * across, state.size->height + 2 * down};
    }
    state.covers.clear();
    return fmt::format("{3}pad --margin {0},{1},{0},{1} --background {2}", across, down,
                       shell_word(background), flattened(state.border, state));
}

} // namespace

/// "WxH+X+Y" counts from where gravity says; a side of 0 is all of it. Without X and Y it cuts the image into
/// tiles.
Text crop_of(const std::string& value, MagickState& state) {
    if (value.find(':') != std::string::npos) {
        state.size.reset();
        if (state.gravity.empty()) {
            state.say("ImageMagick 6 writes what is left as a second file");
        }
        return fmt::format("crop --aspect {}{}", value,
                           state.gravity.empty() ? " --gravity northwest" : " --gravity " + state.gravity);
    }
    const std::optional<MagickPlace> place = place_in(value.substr(0, value.find('!')));
    if (place && place->has_size && !place->has_place) {
        state.difference = fmt::format(
            "ImageMagick cuts tiles of {0} there; -crop {0}+0+0 is the one at the top left", value);
        return std::nullopt;
    }
    if (!place || !place->has_size) {
        return std::nullopt;
    }
    if (!state.size) {
        return crop_unseen(*place, state);
    }
    PixelSize part = *size_in(*place, state.size);
    part = {part.width == 0 ? state.size->width : part.width,
            part.height == 0 ? state.size->height : part.height};
    const bool is_inside = place->x >= 0 && place->y >= 0 && part.width + place->x <= state.size->width &&
                           part.height + place->y <= state.size->height;
    if (state.gravity.empty() && is_inside && place->width > 0 && place->height > 0) { // as it was written
        state.size = part;
        return fmt::format("crop {}", value.substr(0, value.find('!')));
    }
    if (is_inside && place->x == 0 && place->y == 0) {
        return crop_to(std::exchange(state.size, part), part, state.gravity);
    }
    const std::string text = crop_at(
        *state.size,
        corner_of(*state.size, part, state.gravity.empty() ? "northwest" : state.gravity, *place), part);
    return text.empty() ? Text() : Text(text);
}

/// Where the image is larger it is cut, where it is smaller it gets a margin.
Text extent_of(const std::string& value, MagickState& state) {
    const std::optional<MagickPlace> place = place_in(value);
    if (place && place->has_size && !state.size && (place->is_percent || !place->has_height)) {
        return needs_size(state);
    }
    std::optional<PixelSize> box = place ? size_in(*place, state.size) : std::nullopt;
    if (box && !place->has_height && !place->is_percent) { // the height stays
        box->height = state.size->height;
    }
    if (!box || box->width < 1 || box->height < 1) {
        return std::nullopt;
    }
    const std::string flat = flattened(state.background, state);
    const std::string gravity = state.gravity.empty() ? "northwest" : state.gravity;
    if (place->x != 0 || place->y != 0) {
        const std::string cut =
            state.size ? crop_at(*state.size, corner_of(*state.size, *box, gravity, *place), *box) : "";
        return state.size == box ? Text(flat + cut) : Text();
    }
    if (state.covers == value) {
        return flat + crop_to(std::exchange(state.size, box), *box, gravity);
    }
    const std::optional<PixelSize> image = std::exchange(state.size, box);
    if (!image) {
        return fmt::format("{}pad --size {} --gravity {} --background {}", flat, value, gravity,
                           shell_word(state.background));
    }
    const PixelSize kept{std::min(image->width, box->width), std::min(image->height, box->height)};
    const std::string crop = kept == *image ? "" : crop_to(image, kept, gravity);
    const std::string pad = kept == *box ? "" : pad_to(kept, *box, gravity, shell_word(state.background));
    return flat + (crop.empty() || pad.empty() ? crop + pad : fmt::format("{} then {}", crop, pad));
}

Text border_of(const std::string& value, MagickState& state) {
    const std::optional<MagickPlace> place = place_in(value);
    if (place && place->is_percent && !state.size) {
        return needs_size(state);
    }
    const std::optional<PixelSize> border = place ? size_in(*place, state.size) : std::nullopt;
    return border ? Text(pad_by(border->width, border->height, state.border, state)) : std::nullopt;
}

/// "10x10+3+3" has bevels.
Text frame_of(const std::string& value, MagickState& state) {
    const std::optional<MagickPlace> place = place_in(value);
    if (!place || !place->has_size || place->is_percent) {
        return std::nullopt;
    }
    if (place->x != 0 || place->y != 0) {
        state.say("ImageMagick bevels the frame there; pad makes it flat");
    }
    return pad_by(static_cast<int>(place->width), static_cast<int>(place->height), state.matte, state);
}

Text shave_of(const std::string& value, MagickState& state) {
    const std::optional<MagickPlace> place = place_in(value);
    if (!place || !place->has_size) {
        return std::nullopt;
    }
    if (!state.size) {
        return needs_size(state);
    }
    const PixelSize cut = *size_in(*place, state.size);
    const std::string text =
        crop_at(*state.size, {cut.width, cut.height},
                {state.size->width - 2 * cut.width, state.size->height - 2 * cut.height});
    return text.empty() ? Text() : Text(text);
}

/// Takes columns and rows out at the left top, or where gravity has another edge.
Text chop_of(const std::string& value, MagickState& state) {
    const std::optional<MagickPlace> place = place_in(value);
    if (!place || !place->has_size || place->x != 0 || place->y != 0) {
        return std::nullopt;
    }
    if (!state.size) {
        return needs_size(state);
    }
    const PixelSize cut = *size_in(*place, state.size);
    const bool at_right = state.gravity.find("east") != std::string::npos;
    const bool below = state.gravity.find("south") != std::string::npos;
    const std::string text = crop_at(*state.size, {at_right ? 0 : cut.width, below ? 0 : cut.height},
                                     {state.size->width - cut.width, state.size->height - cut.height});
    return text.empty() || state.gravity == "center" ? Text() : Text(text);
}

Text splice_of(const std::string& value, MagickState& state) {
    const std::optional<MagickPlace> place = place_in(value);
    if (!place || !place->has_size || place->is_percent || place->x != 0 || place->y != 0 ||
        state.gravity == "center") {
        return std::nullopt;
    }
    const PixelSize more = *size_in(*place, state.size);
    const bool at_right = state.gravity.find("east") != std::string::npos;
    const bool below = state.gravity.find("south") != std::string::npos;
    if (state.size) {
        *state.size = {state.size->width + more.width, state.size->height + more.height};
    }
    state.covers.clear();
    return fmt::format("pad --margin {},{},{},{} --background {}", at_right ? 0 : more.width,
                       below ? 0 : more.height, at_right ? more.width : 0, below ? more.height : 0,
                       shell_word(state.background));
}

/// What leaves at one edge comes back at the other.
Text roll_of(const std::string& value, MagickState& state) {
    const std::optional<MagickPlace> place = place_in(value);
    if (!place || place->has_size || place->is_percent) {
        return std::nullopt;
    }
    if (!state.size) {
        return needs_size(state);
    }
    const int x = place->x % state.size->width;
    const int y = place->y % state.size->height;
    return fmt::format("pad --margin {},{},{},{} --border wrap then crop {}x{}+{}+{}", std::max(x, 0),
                       std::max(y, 0), std::max(-x, 0), std::max(-y, 0), state.size->width,
                       state.size->height, std::max(-x, 0), std::max(-y, 0));
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
    if (!is_quarter) {
        state.say("ImageMagick shears there, and its result is a pixel or two larger");
    }
    return fmt::format("rotate --angle {:.6g}{}", g->numbers[0],
                       is_quarter ? "" : fmt::format(" --background {}", shell_word(state.background)));
}

Text transpose_of(const std::string&, MagickState& state) {
    return *rotate_of("90", state) + " then flip --axis x";
}

Text transverse_of(const std::string&, MagickState& state) {
    return *rotate_of("90", state) + " then flip --axis y";
}

/// "Perspective 0,0 10,10 ...": points of the image and their places.
Text distort_of(const std::string& value, MagickState& state) {
    constexpr std::string_view method = "perspective ";
    std::string points = lower(value);
    if (!points.starts_with(method)) {
        return std::nullopt;
    }
    points.erase(0, method.size());
    std::replace(points.begin(), points.end(), ',', ' ');
    std::istringstream stream(points);
    const std::vector<std::string> numbers{std::istream_iterator<std::string>(stream), {}};
    constexpr std::size_t count = 16; // of four pairs
    const bool are_numbers = std::all_of(numbers.begin(), numbers.end(), [](const std::string& n) {
        return n.find_first_not_of("0123456789.-") == std::string::npos;
    });
    return numbers.size() == count && are_numbers
               ? Text(fmt::format("warp --points={} --border {}", fmt::join(numbers, ","),
                                  state.edges.empty() ? "clamp" : state.edges))
               : std::nullopt;
}

} // namespace glproc::cli
