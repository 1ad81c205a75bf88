// Files of few colours: palettes and 1 to 4 bits of grey in PNG, the compressions of TIFF.
#include "files/png_files.hpp"
#include "files/tiff_files.hpp"

#include "glproc/base/counted.hpp"
#include "glproc/files/file.hpp"
#include "glproc/files/rows.hpp"
#include "glproc/files/series.hpp"
#include "support/temp_dir.hpp"

#include <functional>
#include <set>

using namespace glproc;
using namespace glproc::test;

namespace {

using Value = std::function<int(int x, int y, int channel)>;

Image image_of(int width, int height, int channels, const Value& value) {
    Image image(width, height, channels, Depth::u8);
    auto values = image.values<std::uint8_t>();
    std::size_t i = 0;
    for (int y = 0; y < height; ++y) {
        for (int x = 0; x < width; ++x) {
            for (int c = 0; c < channels; ++c)
                values[i++] = static_cast<std::uint8_t>(value(x, y, c));
        }
    }
    return image;
}

/// Which of `count` a pixel has: noise, and the first ones first.
int pick(int x, int y, int width, int count) {
    const int i = y * width + x;
    return i < count ? i : static_cast<int>(hash(static_cast<std::uint32_t>(i)) % static_cast<std::uint32_t>(count));
}

/// So many different colours; every third is transparent in part where there is alpha.
Image colours_image(int width, int height, int channels, int count) {
    return image_of(width, height, channels, [&](int x, int y, int c) {
        const int n = pick(x, y, width, count);
        if (c == 3)
            return n % 3 == 0 ? 1 + n % 254 : 255;
        return c == 0 ? n : static_cast<int>(hash(static_cast<std::uint32_t>(9 * n + c)) % 256);
    });
}

/// `count` greys at equal distances from 0 to 255.
Image greys_image(int width, int height, int channels, int count) {
    return image_of(width, height, channels,
                    [&](int x, int y, int /*c*/) { return pick(x, y, width, count) * 255 / (count - 1); });
}

int bits_of(const Bytes& png) {
    return std::to_integer<int>(chunks_of(png).at(0).data.at(8));
}
int colour_type_of(const Bytes& png) {
    return std::to_integer<int>(chunks_of(png).at(0).data.at(9));
}
std::size_t size_of(const Bytes& png, const std::string& type) {
    for (const Chunk& chunk : chunks_of(png)) {
        if (chunk.type == type)
            return chunk.data.size();
    }
    return 0;
}

/// libpng's opinion: RGBA of 8 bits.
Bytes by_libpng(const Bytes& file) {
    png_image png{};
    png.version = PNG_IMAGE_VERSION;
    REQUIRE(png_image_begin_read_from_memory(&png, file.data(), file.size()) != 0);
    png.format = PNG_FORMAT_RGBA;
    Bytes pixels(PNG_IMAGE_SIZE(png));
    REQUIRE(png_image_finish_read(&png, nullptr, pixels.data(), 0, nullptr) != 0);
    return pixels;
}

Bytes as_rgba(const Image& image) {
    const auto values = image.values<std::uint8_t>();
    const auto channels = static_cast<std::size_t>(image.channels());
    Bytes pixels;
    for (std::size_t i = 0; i < values.size(); i += channels) {
        for (std::size_t c = 0; c < 3; ++c)
            pixels.push_back(static_cast<std::byte>(values[i + (channels < 3 ? 0 : c)]));
        pixels.push_back(image.has_alpha() ? static_cast<std::byte>(values[i + channels - 1]) : std::byte{255});
    }
    return pixels;
}

std::set<Bytes> colours_in(const Image& image) {
    std::set<Bytes> colours;
    const Bytes pixels = as_rgba(image);
    for (std::size_t i = 0; i < pixels.size(); i += 4)
        colours.emplace(pixels.begin() + static_cast<std::ptrdiff_t>(i), pixels.begin() + static_cast<std::ptrdiff_t>(i + 4));
    return colours;
}

double squared_error(const Image& a, const Image& b) {
    double sum = 0;
    const auto left = a.values<std::uint8_t>();
    const auto right = b.values<std::uint8_t>();
    REQUIRE(left.size() == right.size());
    for (std::size_t i = 0; i < left.size(); ++i)
        sum += std::pow(double{} + left[i] - right[i], 2);
    return sum / static_cast<double>(left.size());
}

} // namespace

TEST_CASE("PNG of few colours has an exact palette with as few bits as number them") {
    for (const auto& [width, height] : {std::pair{257, 70}, {255, 4}, {17, 31}}) {
        for (const int count : {2, 3, 4, 5, 16, 17, 200, 256}) {
            for (const int channels : {3, 4}) {
                const Image image = colours_image(width, height, channels, count);
                const Bytes png = encode(image, "a.png", {.colours = count});
                INFO(width << "x" << height << " " << channels << " channels " << count);
                CHECK(same(decode(png, "a.png"), image));
                CHECK(by_libpng(png) == as_rgba(image));
                CHECK(colour_type_of(png) == PNG_COLOR_TYPE_PALETTE);
                CHECK(bits_of(png) == (count <= 2 ? 1 : count <= 4 ? 2 : count <= 16 ? 4 : 8));
                CHECK(size_of(png, "PLTE") == 3 * static_cast<std::size_t>(count));
                const auto clear = static_cast<std::size_t>(channels == 4 ? (count + 2) / 3 : 0); // these come first
                CHECK(size_of(png, "tRNS") == clear);
            }
        }
    }
}

TEST_CASE("PNG of evenly spaced greys has no palette, and black and white have 1 bit") {
    for (const auto& [width, height] : packing_sizes) {
        for (const auto& [count, bits] : {std::pair{2, 1}, {4, 2}, {16, 4}, {256, 8}}) {
            if (width * height < count)
                continue;
            for (const int channels : {1, 3}) {
                const Image image = greys_image(width, height, channels, count);
                const Bytes png = encode(image, "a.png", {.colours = 256});
                INFO(width << "x" << height << " " << count);
                CHECK(colour_type_of(png) == PNG_COLOR_TYPE_GRAY);
                CHECK(bits_of(png) == bits);
                CHECK(by_libpng(png) == as_rgba(image));
                CHECK(same(decode(png, "a.png"), greys_image(width, height, 1, count)));
            }
        }
    }
    const Image page = greys_image(2000, 1000, 1, 2);
    CHECK(encode(page, "a.png", {.colours = 2}).size() < encode(page, "a.png").size());
}

TEST_CASE("PNG with a palette of greys is grey again") {
    for (const int channels : {1, 2, 3, 4}) { // 9 greys that no bits of grey can hold
        const Image image = image_of(23, 11, channels, [=](int x, int y, int c) {
            const bool is_alpha = channels % 2 == 0 && c == channels - 1;
            return is_alpha ? (x + y) % 3 * 100 + 55 : 7 + 26 * ((x + y) % 9);
        });
        const Bytes png = encode(image, "a.png", {.colours = 256});
        CHECK(colour_type_of(png) == PNG_COLOR_TYPE_PALETTE);
        CHECK(by_libpng(png) == as_rgba(image));
        const Image again = decode(png, "a.png");
        REQUIRE(again.channels() == (channels % 2 == 0 ? 2 : 1));
        int wrong = 0;
        for (int i = 0; i < 23 * 11; ++i) {
            wrong += again.at(i % 23, i / 23, 0) != image.at(i % 23, i / 23, 0);
            wrong += channels % 2 == 0 && again.at(i % 23, i / 23, 1) != image.at(i % 23, i / 23, channels - 1);
        }
        CHECK(wrong == 0);
    }
}

TEST_CASE("PNG of one colour, and of greys with alpha") {
    const Image grey = image_of(9, 5, 1, [](int, int, int) { return 77; });
    CHECK(by_libpng(encode(grey, "a.png", {.colours = 2})) == as_rgba(grey));
    const Image faint = image_of(9, 5, 2, [](int x, int y, int c) { return c == 0 ? 10 * x : 50 * (y + 1); });
    CHECK(by_libpng(encode(faint, "a.png", {.colours = 256})) == as_rgba(faint));
    const Image hidden = image_of(9, 5, 4, [](int x, int y, int c) { return c == 3 ? 255 * (x % 2) : x % 2 == 0 ? y : 200; });
    const Bytes png = encode(hidden, "a.png", {.colours = 2}); // five colours, of which four cannot be seen
    CHECK(size_of(png, "PLTE") == 6);
    CHECK(size_of(png, "tRNS") == 1);
    CHECK(decode(png, "a.png").at(1, 0, 0) == 200);
}

TEST_CASE("PNG of more colours than asked for is near, dithered, and as opaque as it was") {
    const Image image = smooth_picture(200, 150, 3);
    double before = 1e9;
    for (const int count : {2, 8, 64, 256}) {
        const Image back = decode(encode(image, "a.png", {.colours = count}), "a.png");
        INFO(count);
        CHECK(colours_in(back).size() <= static_cast<std::size_t>(count));
        CHECK(colours_in(back).size() * 2 > static_cast<std::size_t>(count));
        const double error = squared_error(back, image);
        CHECK(error < before / 2);
        before = error;
    }
    constexpr double fixed = 51.0 * 51.0 / 12; // of 6 levels a channel, the usual 216 colours
    CHECK(before < fixed / 4);
    const Image clear = image_of(200, 150, 4, [&](int x, int y, int c) {
        return c < 3 ? static_cast<int>(image.at(x, y, c)) : x < 50 ? 0 : x < 100 ? 2 * x : 255;
    });
    for (const int count : {3, 16, 256}) {
        const Image back = decode(encode(clear, "a.png", {.colours = count}), "a.png");
        INFO(count);
        CHECK(colours_in(back).size() <= static_cast<std::size_t>(count));
        for (const int y : {0, 75, 149}) {
            CHECK(back.at(20, y, 3) == 0);
            CHECK(back.at(75, y, 3) > 90);
            CHECK(back.at(75, y, 3) < 210);
            CHECK(back.at(150, y, 3) == 255);
        }
    }
    Notes notes;
    const Image two = decode(encode(clear, "a.png", {.colours = 2, .notes = &notes}), "a.png");
    CHECK(notes.size() == 1);
    CHECK(colours_in(two).size() == 2);
    CHECK(two.at(150, 9, 3) == 255);
}

TEST_CASE("palettes are refused out of range, of 16 bits and for animations, and need the whole image") {
    const Image image = picture(9, 5, 3, Depth::u8);
    for (const int count : {-1, 0, 1, 257, 1 << 30})
        check_error(ErrorCode::usage, "a palette of " + counted(count, "colour") + " is outside 2 to 256",
                    [&] { encode(image, "a.png", {.colours = count}); });
    check_error(ErrorCode::usage, "a.png: a palette holds 8-bit values, not 16-bit ones",
                [&] { encode(picture(9, 5, 3, Depth::u16), "a.png", {.colours = 16}); });
    const TempDir folder;
    CHECK(write_rows(folder / "a.png", image.form(), {}, {.colours = 16}) == nullptr);
    const auto error = error_of([&] { write_series(folder / "a.apng", "apng", {}, {.colours = 16}); });
    REQUIRE(error.has_value());
    CHECK(error->code() == ErrorCode::usage);
}

TEST_CASE("a palette keeps metadata, but no profile of grey") {
    Image grey = image_of(64, 4, 1, [](int x, int, int) { return x % 10 * 7; });
    Metadata metadata{.density = Density{300, 300, Density::Unit::inch}, .texts = {{"Comment", "by hand"}}};
    metadata.icc.assign(200, std::byte{7});
    std::ranges::copy(bytes_of("acsp"), metadata.icc.begin() + 36);
    grey.set_metadata(metadata);
    Notes notes;
    const Image back = decode(encode(grey, "a.png", {.colours = 10, .notes = &notes}), "a.png");
    CHECK(back.metadata().icc.empty());
    CHECK(notes.size() == 1);
    CHECK(back.metadata().density->in(Density::Unit::inch) == *metadata.density);
    CHECK(back.metadata().texts == metadata.texts);
    Image colours = greys_image(20, 10, 3, 2); // the profile is one of colours
    colours.set_metadata(metadata);
    const Bytes png = encode(colours, "a.png", {.colours = 2});
    CHECK(colour_type_of(png) == PNG_COLOR_TYPE_PALETTE);
    CHECK(decode(png, "a.png").metadata().icc == metadata.icc);
}

TEST_CASE("GIF takes a palette of fewer colours, too") {
    const Image image = smooth_picture(90, 60, 3);
    for (const int count : {2, 7, 100}) {
        const Image back = decode(encode(image, "a.gif", {.colours = count}), "a.gif");
        CHECK(colours_in(back).size() <= static_cast<std::size_t>(count));
        CHECK(colours_in(back).size() * 2 > static_cast<std::size_t>(count));
    }
}

#ifdef GLPROC_WITH_TIFF
namespace {

struct Tags {
    std::uint16_t compression = 0;
    std::uint16_t predictor = 0;
    std::uint16_t bits = 0;
    Bytes pixels{}; ///< libtiff's RGBA, from the top
};

Tags by_libtiff(const Bytes& file) {
    const TempDir folder;
    write_file(folder / "a.tif", file);
    TIFF* tiff = TIFFOpen((folder / "a.tif").c_str(), "r");
    REQUIRE(tiff != nullptr);
    Tags tags;
    TIFFGetField(tiff, TIFFTAG_COMPRESSION, &tags.compression);
    TIFFGetField(tiff, TIFFTAG_BITSPERSAMPLE, &tags.bits);
    if (TIFFGetField(tiff, TIFFTAG_PREDICTOR, &tags.predictor) != 1)
        tags.predictor = PREDICTOR_NONE;
    std::uint32_t width = 0;
    std::uint32_t height = 0;
    TIFFGetField(tiff, TIFFTAG_IMAGEWIDTH, &width);
    TIFFGetField(tiff, TIFFTAG_IMAGELENGTH, &height);
    if (tags.bits <= 8) {
        tags.pixels.resize(std::size_t{4} * width * height);
        REQUIRE(TIFFReadRGBAImageOriented(tiff, width, height, reinterpret_cast<std::uint32_t*>(tags.pixels.data()),
                                          ORIENTATION_TOPLEFT, 1) == 1);
    }
    TIFFClose(tiff);
    return tags;
}

} // namespace

TEST_CASE("TIFF is exact in every compression, with a predictor where that helps") {
    struct Kind {
        TiffCompression compression;
        int number;
        bool predicts;
    };
    for (const auto& [compression, number, predicts] :
         {Kind{TiffCompression::none, COMPRESSION_NONE, false}, Kind{TiffCompression::lzw, COMPRESSION_LZW, true},
          Kind{TiffCompression::packbits, COMPRESSION_PACKBITS, false},
          Kind{TiffCompression::deflate, COMPRESSION_ADOBE_DEFLATE, false}}) {
        for (const Depth depth : {Depth::u8, Depth::u16, Depth::f32}) {
            for (int channels = 1; channels <= 4; ++channels) {
                const Image image = picture(301, 400, channels, depth);
                const Bytes file = encode(image, "a.tif", {.compression = compression});
                INFO(number << " depth " << static_cast<int>(depth) << " channels " << channels);
                CHECK(same(decode(file, "a.tif"), image));
                const Tags tags = by_libtiff(file);
                CHECK(tags.compression == number);
                CHECK((tags.predictor != PREDICTOR_NONE) == predicts);
                if (depth == Depth::u8 && channels % 2 == 1)
                    CHECK(tags.pixels == as_rgba(image));
            }
        }
    }
}

TEST_CASE("TIFF in Group 4 is black and white, of any size, in strips and in rows") {
    std::vector<std::pair<int, int>> sizes(packing_sizes.begin(), packing_sizes.end());
    sizes.emplace_back(2481, 3000);
    for (const auto& [width, height] : sizes) {
        const Image image = image_of(width, height, 1, [](int x, int y, int) {
            return (x / 5 + y / 3) % 7 == 0 || hash(static_cast<std::uint32_t>(x + 999 * y)) % 50 == 0 ? 0 : 255;
        });
        const Bytes file = encode(image, "a.tif", {.compression = TiffCompression::g4});
        INFO(width << "x" << height);
        CHECK(same(decode(file, "a.tif"), image));
        const Tags tags = by_libtiff(file);
        CHECK(tags.compression == COMPRESSION_CCITTFAX4);
        CHECK(tags.bits == 1);
        CHECK(tags.pixels == as_rgba(image));
        const TempDir folder;
        const auto writer =
            write_rows(folder / "a.tif", image.form(), {}, {.compression = TiffCompression::g4});
        for (int y = 0; y < height; ++y)
            writer->write({image.row(y), image.row_bytes()});
        writer->finish();
        CHECK(same(load(folder / "a.tif"), image));
    }
}

TEST_CASE("Group 4 refuses what is not black and white") {
    const EncodeOptions options{.compression = TiffCompression::g4};
    Image image = greys_image(500, 400, 1, 2);
    for (const int channels : {2, 3, 4})
        check_error(ErrorCode::usage, "a.tif: Group 4 holds black and white, from grey of 8 bits",
                    [&] { encode(greys_image(9, 9, channels, 2), "a.tif", options); });
    check_error(ErrorCode::usage, "a.tif: Group 4 holds black and white, from grey of 8 bits",
                [&] { encode(picture(9, 9, 1, Depth::u16), "a.tif", options); });
    image.values<std::uint8_t>().back() = 254;
    check_error(ErrorCode::usage, "a.tif: Group 4 holds black and white only, but a pixel has the value 254",
                [&] { encode(image, "a.tif", options); });
    CHECK(error_of([&] { encode(image, "a.tif", options); })->hint().find("glproc threshold") != std::string::npos);
}

TEST_CASE("pages of a TIFF are compressed as asked for") {
    const TempDir folder;
    const auto writer = write_series(folder / "a.tif", "tif", {}, {.compression = TiffCompression::g4});
    const std::vector<Image> pages{greys_image(40, 30, 1, 2), greys_image(31, 57, 1, 2)};
    for (const Image& page : pages)
        writer->write(page, {});
    writer->finish();
    const Bytes file = read_file(folder / "a.tif");
    CHECK(by_libtiff(file).compression == COMPRESSION_CCITTFAX4);
    CHECK(same(decode(file, "a.tif", {.page = 1}), pages[0]));
    CHECK(same(decode(file, "a.tif", {.page = 2}), pages[1]));
}
#endif
