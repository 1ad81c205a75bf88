// Strict where the pixels are concerned; what cannot change them is left out and noted.
#include "glproc/files/codecs/png/layout.hpp"

#include "glproc/base/covering.hpp"
#include "glproc/files/codecs/png/text.hpp"

#include <algorithm>
#include <array>
#include <utility>

#include <fmt/format.h>

namespace glproc::codecs {
namespace {

class LayoutReader {
  public:
    explicit LayoutReader(const Source& source) : source_(source), chunks_(source) {}

    PngLayout read() {
        check_signature();
        auto chunk = chunks_.next();
        if (!chunk || chunk->cut)
            fail(source_, "truncated PNG");
        if (chunk->type() != "IHDR")
            refuse(*chunk, "comes before IHDR");
        read_header(*chunk);
        bool ended = false;
        while (!ended && (chunk = chunks_.next())) {
            if (chunk->type() == "IDAT") {
                add_pixels(*chunk);
            } else if (!chunk->cut) {
                take(*chunk);
                ended = chunk->type() == "IEND";
            }
        }
        if (layout_.pixels == 0)
            fail(source_, ended ? "corrupt PNG: it has no pixels" : "truncated PNG");
        if (!ended && !source_.salvages)
            note(source_, "the end of the file is missing");
        keep_bands();
        layout_.metadata = sound(source_, std::move(layout_.metadata));
        if (layout_.metadata.icc.empty())
            layout_.metadata.icc = colours_.profile(source_, layout_.form().channels < 3);
        return std::move(layout_);
    }

  private:
    [[noreturn]] void refuse(const PngChunk& chunk, std::string_view why) const {
        fail(source_, fmt::format("corrupt PNG: {} {}", chunk.type(), why));
    }

    void check_signature() const {
        std::array<std::byte, 8> start{};
        source_.read_at(0, start);
        if (!begins_with(start, png_signature))
            fail(source_, "no PNG");
    }

    void read_header(const PngChunk& chunk) {
        if (!chunks_.sound(chunk))
            refuse(chunk, "has a wrong checksum");
        const std::vector<std::byte> data = chunks_.read(chunk);
        if (data.size() != 13)
            refuse(chunk, "has a wrong length");
        layout_.width = big_number(data, 4);
        layout_.height = big_number(std::span(data).subspan(4), 4);
        layout_.bits = std::to_integer<unsigned>(data[8]);
        layout_.colour = static_cast<PngColour>(data[9]);
        layout_.interlaced = data[12] == std::byte{1};
        if (!possible_depth() || data[10] != std::byte{0} || data[11] != std::byte{0} ||
            data[12] > std::byte{1})
            refuse(chunk, "has an invalid depth, colour type or compression");
    }

    bool possible_depth() const {
        const auto is = [&](std::initializer_list<unsigned> depths) {
            return std::ranges::find(depths, layout_.bits) != depths.end();
        };
        switch (layout_.colour) {
        case PngColour::grey:
            return is({1, 2, 4, 8, 16});
        case PngColour::palette:
            return is({1, 2, 4, 8});
        case PngColour::rgb:
        case PngColour::grey_alpha:
        case PngColour::rgb_alpha:
            return is({8, 16});
        }
        return false;
    }

    /// Checksums of pixels are checked with the pixels.
    void add_pixels(const PngChunk& chunk) {
        if (layout_.pixels == 0)
            layout_.pixels = chunk.data - 8;
        if (layout_.colour == PngColour::palette && layout_.palette.empty())
            fail(source_, "corrupt PNG: it has no palette before its pixels");
        if (layout_.band_rows != 0 && layout_.bands.size() <= band_count())
            layout_.bands.push_back(chunk);
    }

    void take(const PngChunk& chunk) {
        const bool changes_pixels = chunk.type() == "tRNS" || (chunk.critical() && chunk.type() != "IEND");
        if (!chunks_.sound(chunk)) {
            if (changes_pixels)
                refuse(chunk, "has a wrong checksum");
            return note(source_,
                        fmt::format("the chunk {} has a wrong checksum and is left out", chunk.type()));
        }
        if (changes_pixels)
            return read_colours(chunk);
        if (chunk.type() == "acTL" && layout_.pixels == 0)
            read_animation(chunks_.read(chunk));
        if (chunk.type() == png_bands_type && chunk.size == 4 && layout_.pixels == 0)
            layout_.band_rows = big_number(chunks_.read(chunk), 4);
        if (!chunk.critical())
            read_png_metadata(source_, chunks_, chunk, layout_.metadata, colours_, budget_);
    }

    void read_animation(ByteView data) {
        constexpr std::size_t most = 0x7fffffff;
        if (data.size() != 8)
            return;
        layout_.frames = static_cast<int>(std::clamp<std::size_t>(big_number(data, 4), 1, most));
        if (layout_.frames > 1 && !source_.frames_told)
            note(source_, fmt::format("has {} frames; the first one is used", layout_.frames));
    }

    void read_colours(const PngChunk& chunk) {
        const bool palette = chunk.type() == "PLTE";
        if (!palette && chunk.type() != "tRNS")
            refuse(chunk, chunk.type() == "IHDR" ? "comes twice" : "is unknown, and not to be passed over");
        if (layout_.pixels != 0)
            refuse(chunk, "comes after the pixels");
        std::vector<std::byte>& colours = palette ? layout_.palette : layout_.transparency;
        if (!colours.empty())
            refuse(chunk, "comes twice");
        colours = chunks_.read(chunk);
        if (!(palette ? possible_palette() : possible_transparency()))
            refuse(chunk, "does not fit the image");
    }

    bool possible_palette() const {
        const std::size_t size = layout_.palette.size();
        const bool colour = layout_.colour == PngColour::rgb || layout_.colour == PngColour::rgb_alpha;
        return size > 0 && size % 3 == 0 && size <= 768 && layout_.transparency.empty() &&
               (colour || layout_.colour == PngColour::palette);
    }

    bool possible_transparency() const {
        const std::size_t size = layout_.transparency.size();
        switch (layout_.colour) {
        case PngColour::grey:
            return size == 2;
        case PngColour::rgb:
            return size == 6;
        case PngColour::palette:
            return size > 0 && size <= layout_.palette.size() / 3;
        case PngColour::grey_alpha:
        case PngColour::rgb_alpha:
            return false;
        }
        return false;
    }

    std::size_t band_count() const { return covering(layout_.height, layout_.band_rows); }

    /// Only where the chunks are what bnDS says that they are: as many, and each but the last ending with the
    /// mark of a stream that is cut.
    void keep_bands() {
        auto& bands = layout_.bands;
        bool good = !layout_.interlaced && layout_.band_rows != 0 && bands.size() > 1 &&
                    bands.size() == band_count() && bands.back().size > 4;
        for (std::size_t i = 0; good && i + 1 < bands.size(); ++i) {
            std::array<std::byte, 4> end{};
            good = bands[i].size > 6 && !bands[i + 1].cut && bands[i + 1].data == bands[i].end() + 8 &&
                   source_.read_at(bands[i].data + bands[i].size - 4, end) == 4 &&
                   big_number(end, 4) == 0xffff;
        }
        if (!good)
            bands.clear();
    }

    const Source& source_;
    PngChunks chunks_;
    PngBudget budget_;
    PngColours colours_;
    PngLayout layout_;
};

} // namespace

bool PngLayout::has_grey_palette() const {
    bool grey = colour == PngColour::palette && metadata.icc.empty();
    for (std::size_t i = 0; i + 2 < palette.size(); i += 3)
        grey = grey && palette[i] == palette[i + 1] && palette[i] == palette[i + 2];
    return grey;
}

Form PngLayout::form() const {
    const bool alpha =
        colour == PngColour::grey_alpha || colour == PngColour::rgb_alpha || !transparency.empty();
    const bool grey = colour == PngColour::grey || colour == PngColour::grey_alpha || has_grey_palette();
    return {static_cast<int>(width), static_cast<int>(height), (grey ? 1 : 3) + (alpha ? 1 : 0),
            bits == 16 ? Depth::u16 : Depth::u8};
}

PngLayout read_png_layout(const Source& source) {
    return LayoutReader(source).read();
}

} // namespace glproc::codecs
