// Colours as people write them, and what becomes of channels: grey from colour, opaque from transparent.
#pragma once

#include "glproc/image/image.hpp"

#include <array>
#include <cstddef>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

namespace glproc {

/// Red, green, blue and alpha: 0 is none and 1 full, whatever the depth. Encoded by sRGB, unless they were given as numbers: these are
/// values of the picture, be they codes or light.
struct Colour {
    double red = 0;
    double green = 0;
    double blue = 0;
    double alpha = 1;
    bool has_values = false; ///< given as numbers

    bool is_grey() const { return red == green && green == blue; }
    bool operator==(const Colour& other) const {
        return red == other.red && green == other.green && blue == other.blue && alpha == other.alpha;
    }
};

/// "#rgb", "#rgba", "#rrggbb", "#rrggbbaa", a name of CSS ("white", "transparent"), or numbers from 0 to 1:
/// one of grey, three or four with commas between, each as level_from() reads it ("50%", "128/255"). Nothing
/// for any other text.
std::optional<Colour> colour_from(std::string_view text);

/// The names that colour_from() knows.
std::vector<std::string> colour_names();

/// "#rrggbb" or "#rrggbbaa", rounded to 8 bits.
std::string hex_of(const Colour& colour);

/// The number of channels without colour, with it, or without alpha.
constexpr int grey_channels(int channels) {
    return channels >= 3 ? channels - 2 : channels;
}
constexpr int colour_channels(int channels) {
    return channels < 3 ? channels + 2 : channels;
}
constexpr int opaque_channels(int channels) {
    return channels == 2 || channels == 4 ? channels - 1 : channels;
}

/// Pixels of `form` as grey, by the luma of Rec. 709 of the encoded values, rounded half to even; alpha
/// stays.
void to_grey(std::span<const std::byte> pixels, const Form& form, std::span<std::byte> out);

/// Grey pixels of `form` with three equal channels instead; alpha stays.
void to_colour(std::span<const std::byte> pixels, const Form& form, std::span<std::byte> out);

/// Pixels of `form`, which has alpha, over a background: encoded values are mixed as alpha says, and rounded
/// half to even.
void flatten(std::span<const std::byte> pixels, const Form& form, const Colour& background,
             std::span<std::byte> out);

} // namespace glproc
