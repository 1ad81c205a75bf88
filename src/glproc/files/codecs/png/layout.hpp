// What a PNG file says beside its pixels: all its chunks but those of the pixels, checked.
#pragma once

#include "glproc/files/codecs/png/chunks.hpp"
#include "glproc/image/made_profile.hpp"

#include <algorithm>
#include <array>
#include <cstddef>
#include <cstdint>
#include <optional>
#include <string_view>
#include <vector>

namespace glproc::codecs {

enum class PngColour : std::uint8_t { grey = 0, rgb = 2, palette = 3, grey_alpha = 4, rgb_alpha = 6 };

struct PngLayout {
    std::uint64_t width = 0;
    std::uint64_t height = 0;
    unsigned bits = 8; ///< of a sample
    PngColour colour = PngColour::grey;
    bool interlaced = false;
    std::vector<std::byte> palette{};      ///< red, green, blue, and so on
    std::vector<std::byte> transparency{}; ///< of palette entries, or the one colour that is transparent
    std::uint64_t pixels = 0;              ///< where the first IDAT chunk begins
    std::size_t band_rows = 0;             ///< rows in a chunk of `bands`
    std::vector<PngChunk> bands{};         ///< the IDAT chunks where each can be unpacked by itself
    int frames = 1;
    Metadata metadata{};

    unsigned samples() const {
        return colour == PngColour::rgb          ? 3
               : colour == PngColour::grey_alpha ? 2
               : colour == PngColour::rgb_alpha  ? 4
                                                 : 1;
    }
    /// Of a row of so many pixels, as it is stored.
    std::size_t row_bytes(std::uint64_t pixels_in_row) const {
        return (pixels_in_row * bits * samples() + 7) / 8;
    }
    /// How far a byte's left neighbour is away, as filters understand it.
    std::size_t step() const { return std::max(bits * samples() / 8, 1U); }

    /// Whether the palette has nothing but greys, as ours of grey pictures have. A profile would be one of colours.
    bool has_grey_palette() const;

    /// What the picture is once it is read: without palettes, in whole bytes.
    Form form() const;
};

/// What chunks other than iCCP say of the colours. https://www.w3.org/TR/png-3/#11addnlcolinfo
struct PngColours {
    std::optional<double> gamma{}; ///< light is the value to this power
    std::optional<Chromaticities> chromaticities{};
    std::optional<std::array<int, 2>> numbers{}; ///< of cICP: primaries and curve, before all others
    bool is_srgb = false;

    /// Whether it is one of those chunks.
    bool take(std::string_view type, ByteView data);

    /// The profile that says the same; empty for sRGB, and with a note for what no profile says.
    std::vector<std::byte> profile(const Source& source, bool is_grey) const;
};

/// Throws Error(input) for what is no PNG or refuses its pixels, and notes what is odd besides.
PngLayout read_png_layout(const Source& source);

struct PngBudget;

/// Takes in what the chunk says, if it is one of those that hold metadata.
void read_png_metadata(const Source& source, const PngChunks& chunks, const PngChunk& chunk,
                       Metadata& metadata, PngColours& colours, PngBudget& budget);

} // namespace glproc::codecs
