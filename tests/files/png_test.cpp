#include "files/png_files.hpp"
#include "files/stb_decoder.hpp"

#include "glproc/files/inspect.hpp"

#include <cstring>

#include <libdeflate.h>

using namespace glproc;
using namespace glproc::test;

namespace {

/// A picture that one filter suits best: 1 changes little along its rows, 2 little down its columns, 0 has
/// two colours.
Image picture_for(int filter) {
    Image image(64, 64, 1, Depth::u8);
    const auto at = [&](int x, int y) -> std::byte& { return image.row(y)[x]; };
    for (int a = 0; a < 64; ++a) {
        std::uint32_t walk = hash(static_cast<std::uint32_t>(a));
        for (int b = 0; b < 64; ++b) {
            const std::uint32_t noise = hash(static_cast<std::uint32_t>(1000 + a * 64 + b));
            walk += noise % 3;
            (filter == 1 ? at(b, a) : at(a, b)) = static_cast<std::byte>(filter == 0 ? noise % 2 * 90 : walk);
        }
    }
    return image;
}

} // namespace

TEST_CASE("stb reads our PNG files as we do") {
    for (const Depth depth : {Depth::u8, Depth::u16}) {
        for (int channels = 1; channels <= 4; ++channels) {
            for (const auto& [width, height] : packing_sizes) {
                INFO(width << "x" << height << "x" << channels << " " << static_cast<int>(depth));
                const Image image = picture(width, height, channels, depth);
                CHECK(same(read_with_stb(encode(image, "png"), depth), image));
            }
        }
    }
}

TEST_CASE("our PNG files are three sound chunks, and the stream in them is complete") {
    for (const int level : {0, 1, 6, 12}) {
        const Image image = picture(100, 41, 2, Depth::u16);
        const Bytes png = encode(image, "png", {.png_level = level});
        CHECK(std::equal(png.begin(), png.begin() + 8,
                         bytes_of({0x89, 'P', 'N', 'G', 13, 10, 26, 10}).begin()));
        const std::vector<Chunk> chunks = chunks_of(png);
        REQUIRE(chunks.size() == 3);
        CHECK(chunks[0].type == "IHDR");
        CHECK(chunks[0].data == bytes_of({0, 0, 0, 100, 0, 0, 0, 41, 16, 4, 0, 0, 0}));
        CHECK(chunks[1].type == "IDAT");
        CHECK(chunks[2].type == "IEND");

        Bytes raw((image.row_bytes() + 1) * 41);
        libdeflate_decompressor* decompressor = libdeflate_alloc_decompressor();
        std::size_t size = 0;
        CHECK(libdeflate_zlib_decompress(decompressor, chunks[1].data.data(), chunks[1].data.size(),
                                         raw.data(), raw.size(), &size) == LIBDEFLATE_SUCCESS);
        libdeflate_free_decompressor(decompressor);
        CHECK(size == raw.size());
    }
}

TEST_CASE("the PNG writer takes the filter that suits the picture") {
    for (const int filter : {0, 1, 2}) {
        const Image image = picture_for(filter);
        const Bytes png = encode(image, "png");
        CHECK(same(decode(png, "png"), image));
        Bytes raw((image.row_bytes() + 1) * 64);
        libdeflate_decompressor* decompressor = libdeflate_alloc_decompressor();
        const Bytes data = chunks_of(png).at(1).data;
        libdeflate_zlib_decompress(decompressor, data.data(), data.size(), raw.data(), raw.size(), nullptr);
        libdeflate_free_decompressor(decompressor);
        CHECK(std::to_integer<int>(raw[0]) == (filter == 2 ? 1 : filter)); // nothing is above the first row
        for (std::size_t y = 1; y < 64; ++y)
            CHECK(std::to_integer<int>(raw.at(y * (image.row_bytes() + 1))) == filter);
    }
}

TEST_CASE("a higher PNG level gives a smaller file of the same picture") {
    const Image image = smooth_picture(300, 200, 3);
    const Bytes fast = encode(image, "png", {.png_level = 1});
    const Bytes small = encode(image, "png", {.png_level = 9});
    CHECK(small.size() < fast.size());
    CHECK(fast.size() < encode(image, "png", {.png_level = 0}).size());
    CHECK(same(decode(small, "png"), image));
}

TEST_CASE("grey PNG of 1 to 16 bits keeps one channel, scaled to the full range") {
    for (const bool interlaced : {false, true}) {
        for (const int bits : {1, 2, 4, 8, 16}) {
            for (const auto& [width, height] : packing_sizes) {
                INFO(bits << " bits, " << width << "x" << height << ", interlaced " << interlaced);
                const PngSpec spec = noise_png(width, height, bits, PNG_COLOR_TYPE_GRAY, interlaced);
                const Image image = decode(write_png(spec), "a.png");
                REQUIRE(image.width() == width);
                REQUIRE(image.height() == height);
                CHECK(image.channels() == 1);
                CHECK(image.depth() == (bits == 16 ? Depth::u16 : Depth::u8));
                const int scale = bits == 16 ? 1 : 255 / ((1 << bits) - 1);
                int wrong = 0;
                for (int y = 0; y < height; ++y) {
                    for (int x = 0; x < width; ++x)
                        wrong += image.at(x, y, 0) != sample(spec, y, x) * scale;
                }
                CHECK(wrong == 0);
            }
        }
    }
}

TEST_CASE("PNG of all colour types and depths, plain and interlaced, keeps every value") {
    for (const bool interlaced : {false, true}) {
        for (const int type : {PNG_COLOR_TYPE_RGB, PNG_COLOR_TYPE_GRAY_ALPHA, PNG_COLOR_TYPE_RGB_ALPHA}) {
            for (const int bits : {8, 16}) {
                const PngSpec spec = noise_png(29, 13, bits, type, interlaced);
                const Image image = decode(write_png(spec), "a.png");
                const int channels = type == PNG_COLOR_TYPE_RGB         ? 3
                                     : type == PNG_COLOR_TYPE_RGB_ALPHA ? 4
                                                                        : 2;
                REQUIRE(image.channels() == channels);
                CHECK(image.depth() == (bits == 16 ? Depth::u16 : Depth::u8));
                int wrong = 0;
                for (int y = 0; y < 13; ++y) {
                    for (int i = 0; i < 29 * channels; ++i)
                        wrong += image.at(i / channels, y, i % channels) != sample(spec, y, i);
                }
                CHECK(wrong == 0);
            }
        }
    }
}

TEST_CASE("PNG palettes become RGB, or RGBA where one colour is transparent") {
    for (const bool transparent : {false, true}) {
        for (const int bits : {1, 2, 4, 8}) {
            INFO(bits << " bits, transparent " << transparent);
            PngSpec spec = noise_png(37, 11, bits, PNG_COLOR_TYPE_PALETTE, bits == 4);
            if (!transparent)
                spec.palette_alpha.clear();
            const Image image = decode(write_png(spec), "a.png");
            REQUIRE(image.channels() == (transparent ? 4 : 3));
            CHECK(image.depth() == Depth::u8);
            int wrong = 0;
            for (int y = 0; y < 11; ++y) {
                for (int x = 0; x < 37; ++x) {
                    const auto entry = static_cast<std::size_t>(sample(spec, y, x));
                    wrong += image.at(x, y, 0) != spec.palette[entry].red;
                    wrong += image.at(x, y, 1) != spec.palette[entry].green;
                    wrong += image.at(x, y, 2) != spec.palette[entry].blue;
                    wrong += transparent && image.at(x, y, 3) != spec.palette_alpha[entry];
                }
            }
            CHECK(wrong == 0);
        }
    }
}

TEST_CASE("the transparent colour of a grey or RGB PNG becomes an alpha channel") {
    PngSpec grey = noise_png(16, 4, 8, PNG_COLOR_TYPE_GRAY);
    grey.transparent = png_color_16{.index = 0, .red = 0, .green = 0, .blue = 0, .gray = 0};
    grey.transparent->gray = grey.rows[1][5];
    const Image image = decode(write_png(grey), "a.png");
    REQUIRE(image.channels() == 2);
    CHECK(image.at(5, 1, 0) == grey.rows[1][5]);
    CHECK(image.at(5, 1, 1) == 0);
    CHECK(image.at(4, 1, 1) == 255);

    PngSpec colour = noise_png(16, 4, 16, PNG_COLOR_TYPE_RGB);
    colour.transparent = png_color_16{.index = 0,
                                      .red = static_cast<png_uint_16>(sample(colour, 2, 9)),
                                      .green = static_cast<png_uint_16>(sample(colour, 2, 10)),
                                      .blue = static_cast<png_uint_16>(sample(colour, 2, 11)),
                                      .gray = 0};
    const Image deep = decode(write_png(colour), "a.png");
    REQUIRE(deep.channels() == 4);
    CHECK(deep.depth() == Depth::u16);
    CHECK(deep.at(3, 2, 3) == 0);
    CHECK(deep.at(4, 2, 3) == 65535);
}

TEST_CASE("a PNG whose pixels, or what they mean, have a wrong checksum is refused") {
    const Bytes png = write_png(noise_png(20, 10, 4, PNG_COLOR_TYPE_PALETTE));
    std::size_t at = 8;
    int refused = 0;
    for (const Chunk& chunk : chunks_of(png)) {
        if (chunk.type == "IEND")
            break;
        Bytes broken = png;
        broken.at(at + 8 + chunk.data.size() + 3) ^= std::byte{1};
        INFO(chunk.type);
        const auto error = error_of([&] { decode(broken, "a.png"); });
        REQUIRE(error.has_value());
        CHECK(error->code() == ErrorCode::input);
        CHECK(std::string(error->what()) == "a.png: corrupt PNG: " + chunk.type + " has a wrong checksum");
        at += 12 + chunk.data.size();
        ++refused;
    }
    CHECK(refused == 4); // IHDR PLTE tRNS IDAT
}

TEST_CASE("damaged and incomplete PNG data is refused, whatever its checksums say") {
    const Image image = picture(40, 30, 3, Depth::u8);
    const Bytes png = encode(image, "png");
    const auto idat = static_cast<std::size_t>(first_place(png, bytes_of("IDAT")));

    Bytes stream = png; // the compressed data itself
    stream.at(idat + 40) ^= std::byte{0x55};
    reseal(stream, "IDAT");
    CHECK(error_of([&] { decode(stream, "a.png"); }).has_value());

    Bytes adler = png; // the checksum inside the compressed data
    adler.at(adler.size() - 12 - 4 - 1) ^= std::byte{1};
    reseal(adler, "IDAT");
    CHECK(error_of([&] { decode(adler, "a.png"); }).has_value());

    Bytes taller = png; // a row more than there is data for
    taller.at(8 + 8 + 7) = std::byte{31};
    reseal(taller, "IHDR");
    CHECK(error_of([&] { decode(taller, "a.png"); }).has_value());

    Bytes empty(png.begin(), png.begin() + static_cast<std::ptrdiff_t>(idat) - 4); // no data at all
    empty.insert(empty.end(), png.end() - 12, png.end());
    CHECK(error_of([&] { decode(empty, "a.png"); }).has_value());
}

TEST_CASE("a PNG header that lies about its size is refused before memory is taken") {
    Bytes png = encode(picture(40, 30, 3, Depth::u8), "png");
    for (const std::size_t at : {std::size_t{16}, std::size_t{20}})
        png.at(at + 1) = std::byte{0x01}; // 65576 x 65566
    reseal(png, "IHDR");
    const auto error = error_of([&] { decode(png, "a.png", {.max_pixels = ~std::uint64_t{0}}); });
    REQUIRE(error.has_value());
    CHECK(std::string(error->what()).starts_with("a.png: truncated: "));
}

TEST_CASE("chunks that do not touch the pixels cannot spoil a PNG") {
    const Image image = picture(20, 10, 3, Depth::u8);
    Bytes png = encode(image, "png");
    Bytes text = bytes_of({0, 0, 0, 3}) + bytes_of("iCCP") + bytes_of("abc") + bytes_of({0, 0, 0, 0});
    png.insert(png.begin() + 33, text.begin(), text.end());
    reseal(png, "iCCP");
    CHECK(same(decode(png, "a.png"), image));
}

TEST_CASE("what is odd about a PNG but changes no pixel is noted") {
    const PngSpec spec = opaque_png(20, 10, 8, PNG_COLOR_TYPE_RGB);
    const Bytes good = write_png(spec);
    const Image image = decode(good, "a.png");
    const auto check = [&](const Bytes& file, const Notes& expected) {
        Notes notes;
        const Image read = decode(file, "a.png", {.notes = &notes});
        CHECK(notes == expected);
        CHECK(same(read, image));
    };
    check(good, {});
    const std::vector<Chunk> chunks = chunks_of(good);
    const Bytes end = png_of({chunks.back()});

    std::vector<Chunk> with_text = chunks;
    with_text.insert(with_text.begin() + 1, {"tIME", Bytes(7)});
    Bytes file = png_of(with_text);
    file.at(8 + 25 + 12) ^= std::byte{1};
    check(file, {"a.png: the chunk tIME has a wrong checksum and is left out"});

    file = good;
    file.back() ^= std::byte{1};
    check(file, {"a.png: the chunk IEND has a wrong checksum and is left out"});
    for (const std::ptrdiff_t missing : {1, 4, 8, 11, 12})
        check(Bytes(good.begin(), good.end() - missing), {"a.png: the end of the file is missing"});

    const std::string more = "a.png: has data after its last row, which are left out";
    for (const int height : {9, 1}) { // fewer rows than there are data for
        file = good;
        file.at(8 + 8 + 7) = static_cast<std::byte>(height);
        reseal(file, "IHDR");
        Notes notes;
        const Image shorter = decode(file, "a.png", {.notes = &notes});
        CHECK(notes == Notes{more});
        CHECK(shorter.height() == height);
        CHECK(std::ranges::equal(shorter.bytes(), image.bytes().first(shorter.bytes().size())));
    }
    std::vector<Chunk> twice = chunks;
    twice.insert(twice.end() - 1, {"IDAT", bytes_of("more")});
    check(png_of(twice), {more});
    std::vector<Chunk> longer = chunks;
    longer.at(1).data = longer.at(1).data + bytes_of("more");
    check(png_of(longer), {more});

    std::vector<Chunk> animated = chunks;
    animated.insert(animated.begin() + 1, {"acTL", big_endian(3, 4) + big_endian(0, 4)});
    check(png_of(animated), {"a.png: its animation is broken; the image in front of it is used"});
    CHECK(inspect(png_of(animated), "a.png").frames == 3);
}
