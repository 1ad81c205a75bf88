// https://www.w3.org/TR/png-3/#11PLTE, and #11tRNS for the alpha of its entries.
#include "glproc/files/codecs/png/indexed.hpp"

#include "glproc/base/covering.hpp"
#include "glproc/base/error.hpp"
#include "glproc/files/codecs/palette.hpp"

#include <algorithm>
#include <numeric>
#include <optional>

#include <fmt/format.h>

namespace glproc::codecs {
namespace {

constexpr std::uint8_t opaque = 255;

/// Colours, and which of them each pixel has.
struct Numbered {
    std::vector<Rgba> palette;
    std::vector<std::uint8_t> numbers;
};

/// Colours that nobody sees are all black, so that they take one place.
std::vector<Rgba> pixels_of(const Image& image) {
    const auto channels = static_cast<std::size_t>(image.channels());
    const auto values = image.values<std::uint8_t>();
    std::vector<Rgba> pixels(values.size() / channels, Rgba{});
    for (std::size_t i = 0; i < pixels.size(); ++i) {
        const auto pixel = values.subspan(i * channels, channels);
        const std::uint8_t alpha = image.has_alpha() ? pixel[channels - 1] : opaque;
        const std::size_t step = channels < 3 ? 0 : 1;
        pixels[i] = alpha == 0 ? Rgba{} : Rgba{pixel[0], pixel[step], pixel[2 * step], alpha};
    }
    return pixels;
}

template <class Is>
std::vector<std::uint8_t> marked(std::span<const Rgba> pixels, Is is) {
    std::vector<std::uint8_t> marks(pixels.size());
    std::ranges::transform(pixels, marks.begin(), [&](const Rgba& pixel) { return is(pixel[3]) ? 1 : 0; });
    return marks;
}

/// The nearest colours for the marked pixels, after those that are there.
void add_near(Numbered& all, std::span<const Rgba> pixels, std::span<const std::uint8_t> wanted, std::size_t most,
              int width) {
    const auto first = static_cast<unsigned>(all.palette.size());
    const std::vector<Rgba> palette = near_palette(pixels, wanted, most);
    all.palette.insert(all.palette.end(), palette.begin(), palette.end());
    const std::vector<std::uint8_t> numbers = dithered_numbers(palette, pixels, wanted, width);
    for (std::size_t i = 0; i < numbers.size(); ++i) {
        if (wanted[i] != 0)
            all.numbers[i] = static_cast<std::uint8_t>(first + numbers[i]);
    }
}

/// Opaque pixels have colours of their own, so that none comes out slightly transparent.
Numbered near_colours(std::span<const Rgba> pixels, std::size_t most, int width) {
    const auto whole = marked(pixels, [](std::uint8_t alpha) { return alpha == opaque; });
    const auto partly = marked(pixels, [](std::uint8_t alpha) { return alpha != opaque && alpha != 0; });
    Numbered all{.palette = {}, .numbers = std::vector<std::uint8_t>(pixels.size())};
    if (std::ranges::any_of(pixels, [](const Rgba& pixel) { return pixel[3] == 0; }))
        all.palette.push_back({});
    const std::size_t left = most - all.palette.size();
    const std::size_t partly_count = coarse_colours(pixels, partly);
    const std::size_t whole_count = coarse_colours(pixels, whole);
    if (partly_count == 0) {
        add_near(all, pixels, whole, left, width);
    } else if (whole_count == 0) {
        add_near(all, pixels, partly, left, width);
    } else {
        const std::size_t share =
            std::clamp<std::size_t>(left * partly_count / (partly_count + whole_count), 1, left - 1);
        add_near(all, pixels, partly, share, width);
        add_near(all, pixels, whole, left - share, width);
    }
    return all;
}

std::optional<Numbered> exact_colours(std::span<const Rgba> pixels, std::size_t most) {
    const std::vector<std::uint8_t> all(pixels.size(), 1);
    std::optional<std::vector<Rgba>> palette = exact_palette(pixels, all, most);
    if (!palette)
        return std::nullopt;
    std::vector<std::uint8_t> numbers = exact_numbers(*palette, pixels, all);
    return Numbered{std::move(*palette), std::move(numbers)};
}

/// Two colours are too few for alpha in between.
void round_alpha(std::vector<Rgba>& pixels) {
    for (Rgba& pixel : pixels)
        pixel = pixel[3] >= 128 ? Rgba{pixel[0], pixel[1], pixel[2], opaque} : Rgba{};
}

Numbered few_colours(const Job& job, std::size_t most) {
    std::vector<Rgba> pixels = pixels_of(job.image);
    std::optional<Numbered> exact = exact_colours(pixels, most);
    if (!exact && most == 2 && job.image.has_alpha()) {
        round_alpha(pixels);
        note(job, "two colours leave no room for partial transparency, so alpha is rounded to opaque or transparent");
        exact = exact_colours(pixels, most);
    }
    return exact ? std::move(*exact) : near_colours(pixels, most, job.image.width());
}

/// Moves what is not opaque to the front: tRNS ends with it.
void sort_by_opacity(Numbered& few) {
    std::vector<std::size_t> order(few.palette.size());
    std::iota(order.begin(), order.end(), std::size_t{0});
    std::ranges::stable_sort(order, {}, [&](std::size_t i) { return few.palette[i][3] == opaque; });
    std::vector<Rgba> palette(order.size());
    std::vector<std::uint8_t> place(order.size());
    for (std::size_t i = 0; i < order.size(); ++i) {
        palette[i] = few.palette[order[i]];
        place[order[i]] = static_cast<std::uint8_t>(i);
    }
    for (std::uint8_t& number : few.numbers)
        number = place[number];
    few.palette = std::move(palette);
}

unsigned bits_for(std::size_t colours) {
    return colours <= 2 ? 1 : colours <= 4 ? 2 : colours <= 16 ? 4 : 8;
}

/// How far apart greys of so many bits are.
unsigned grey_step(unsigned bits) {
    return 255U / ((1U << bits) - 1);
}

bool are_greys(std::span<const Rgba> palette, unsigned bits) {
    return std::ranges::all_of(palette, [&](const Rgba& colour) {
        return colour[3] == opaque && colour[0] == colour[1] && colour[1] == colour[2] &&
               colour[0] % grey_step(bits) == 0;
    });
}

void put_palette(std::vector<std::byte>& out, std::span<const Rgba> palette) {
    std::vector<std::byte> colours;
    std::vector<std::byte> alphas;
    for (const Rgba& colour : palette) {
        for (std::size_t c = 0; c < 3; ++c)
            colours.push_back(static_cast<std::byte>(colour.at(c)));
        if (colour[3] != opaque)
            alphas.push_back(static_cast<std::byte>(colour[3]));
    }
    put_chunk(out, "PLTE", colours);
    if (!alphas.empty())
        put_chunk(out, "tRNS", alphas);
}

/// `numbers` with so many bits each, the first pixel in the highest.
Image packed_rows(std::span<const std::uint8_t> numbers, int width, int height, unsigned bits) {
    const unsigned in_byte = 8 / bits;
    const auto across = static_cast<std::size_t>(width);
    Image rows(static_cast<int>(covering(across, in_byte)), height, 1, Depth::u8);
    for (int y = 0; y < height; ++y) {
        std::byte* row = rows.row(y);
        const auto line = numbers.subspan(static_cast<std::size_t>(y) * across, across);
        for (std::size_t x = 0; x < across; ++x) {
            const auto shift = static_cast<unsigned>(8 - bits - x % in_byte * bits);
            row[x / in_byte] |= static_cast<std::byte>(line[x] << shift);
        }
    }
    return rows;
}

} // namespace

PngIndexed indexed_png(const Job& job) {
    const Image& image = job.image;
    if (image.depth() != Depth::u8)
        throw Error(ErrorCode::usage, fmt::format("{}: a palette holds 8-bit values, not 16-bit ones", job.name));
    Numbered few = few_colours(job, static_cast<std::size_t>(job.options.colours.value_or(256)));
    sort_by_opacity(few);
    Metadata metadata = image.metadata();
    const bool is_grey = image.channels() < 3;
    PngIndexed png{.header = {.width = image.width(), .bits = bits_for(few.palette.size())}, .rows = {}};
    if (are_greys(few.palette, png.header.bits) && (is_grey || metadata.icc.empty())) {
        for (std::uint8_t& number : few.numbers)
            number = static_cast<std::uint8_t>(few.palette[number][0] / grey_step(png.header.bits));
    } else {
        png.header.colour = PngColour::palette;
        put_palette(png.header.colours, few.palette);
        if (is_grey && !metadata.icc.empty()) {
            metadata.icc.clear(); // decoders refuse one of grey here
            note(job, "a palette cannot have the colour profile of a grey image; it is left out");
        }
    }
    png.rows = packed_rows(few.numbers, image.width(), image.height(), png.header.bits);
    png.rows.set_metadata(std::move(metadata));
    return png;
}

} // namespace glproc::codecs
