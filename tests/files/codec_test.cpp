#include "glproc/files/codec.hpp"

#include "files/pictures.hpp"
#include "support/temp_dir.hpp"

#include <fstream>

using namespace glproc;
using namespace glproc::test;

namespace {

struct Holds {
    std::string_view extension;
    std::vector<int> channels;
    std::vector<Depth> depths;
    bool exact = true; ///< what is read is what was written
};

const std::vector<Holds>& formats() {
    static const std::vector<Holds> table{
        {"png", {1, 2, 3, 4}, {Depth::u8, Depth::u16}},
        {"jpg", {1, 3}, {Depth::u8}, false},
        {"jpeg", {1, 3}, {Depth::u8}, false},
        {"pgm", {1}, {Depth::u8, Depth::u16}},
        {"ppm", {3}, {Depth::u8, Depth::u16}},
        {"pnm", {1, 2, 3, 4}, {Depth::u8, Depth::u16}},
        {"pam", {1, 2, 3, 4}, {Depth::u8, Depth::u16}},
        {"bmp", {1, 3, 4}, {Depth::u8}},
        {"tga", {1, 2, 3, 4}, {Depth::u8}},
        {"hdr", {3}, {Depth::f32}},
        {"pfm", {1, 3}, {Depth::f32}},
        {"gif", {3, 4}, {Depth::u8}, false},
        {"apng", {1, 2, 3, 4}, {Depth::u8, Depth::u16}},
#ifdef GLPROC_WITH_TIFF
        {"tif", {1, 2, 3, 4}, {Depth::u8, Depth::u16, Depth::f32}},
        {"tiff", {1, 2, 3, 4}, {Depth::u8, Depth::u16, Depth::f32}},
#endif
#ifdef GLPROC_WITH_WEBP
        {"webp", {3, 4}, {Depth::u8}, false},
#endif
#ifdef GLPROC_WITH_EXR
        {"exr", {1, 2, 3, 4}, {Depth::f32}, false}, // colour is stored times alpha
#endif
#ifdef GLPROC_WITH_JXL
        {"jxl", {1, 2, 3, 4}, {Depth::u8, Depth::u16, Depth::f32}, false},
#endif
#ifdef GLPROC_WITH_HEIF
        {"heic", {3, 4}, {Depth::u8}, false},
        {"avif", {3, 4}, {Depth::u8, Depth::u16}, false},
#endif
    };
    return table;
}

/// The formats that a build may lack, which end every list of formats: those that hold such a picture.
std::string optional_formats(int channels, Depth depth) {
    constexpr std::ptrdiff_t always = 11;
    std::string list;
    for (auto format = formats().begin() + always; format != formats().end(); ++format) {
        if ((channels == 0 || std::ranges::count(format->channels, channels) == 1) &&
            (channels == 0 || std::ranges::count(format->depths, depth) == 1))
            list += ", " + std::string(format->extension);
    }
    return list;
}

} // namespace

TEST_CASE("every writable format gives back exactly what it was given") {
    for (const Holds& format : formats()) {
        for (const int channels : format.channels) {
            for (const Depth depth : format.depths) {
                for (const auto& [width, height] : packing_sizes) {
                    INFO(format.extension << " " << width << "x" << height << "x" << channels << " "
                                          << static_cast<int>(depth));
                    const Image image = picture(width, height, channels, depth);
                    const Image back = decode(encode(image, format.extension), format.extension);
                    CHECK(back.width() == width);
                    CHECK(back.height() == height);
                    CHECK((back.channels() == channels || format.extension == "gif")); // opaque after rounding
                    CHECK(back.depth() == depth);
                    CHECK((!format.exact || same(back, image)));
                }
            }
        }
    }
}

TEST_CASE("what a format cannot hold exactly is refused, never converted") {
    for (const Holds& format : formats()) {
        for (int channels = 1; channels <= 4; ++channels) {
            for (const Depth depth : {Depth::u8, Depth::u16, Depth::f32}) {
                INFO(format.extension << " " << channels << " channels, depth " << static_cast<int>(depth));
                const bool fits = std::ranges::count(format.channels, channels) == 1 &&
                                  std::ranges::count(format.depths, depth) == 1;
                const auto checked = error_of([&] { check_encodable(format.extension, channels, depth); });
                const auto encoded =
                    error_of([&] { encode(Image(3, 2, channels, depth), format.extension); });
                CHECK(checked.has_value() == !fits);
                CHECK(encoded.has_value() == !fits);
                if (checked && encoded) {
                    CHECK(checked->code() == ErrorCode::usage);
                    CHECK_FALSE(checked->hint().empty());
                    CHECK(std::string(checked->what()) == encoded->what());
                }
            }
        }
    }
}

TEST_CASE("refusals say what does not fit, and what would") {
    const auto alpha = error_of([] { check_encodable("out.jpg", 4, Depth::u8); });
    REQUIRE(alpha.has_value());
    CHECK(std::string(alpha->what()) == "out.jpg: JPEG cannot hold an alpha channel");
    CHECK(alpha->hint() == "formats that hold it: png, pnm, pam, bmp, tga" + optional_formats(4, Depth::u8));
    check_error(ErrorCode::usage, "out.png: PNG cannot hold float values",
                [] { check_encodable("out.png", 3, Depth::f32); });
    check_error(ErrorCode::usage, "a/b.PGM: PGM cannot hold colour (RGB)",
                [] { check_encodable("a/b.PGM", 3, Depth::u8); });
    const auto floats = error_of([] { check_encodable("out.png", 4, Depth::f32); });
    REQUIRE(floats.has_value());
    const std::string holds = optional_formats(4, Depth::f32);
    CHECK(floats->hint() == (holds.empty()
                                 ? "no output format holds float values with 4 channels: convert it first"
                                 : "formats that hold it: " + holds.substr(2)));
}

TEST_CASE("unknown output formats are refused with the list of known ones") {
    const std::string known = "(known: png, jpg, jpeg, pgm, ppm, pnm, pam, pfm, bmp, tga, hdr" +
                              optional_formats(0, Depth::u8) + ")";
    check_error(ErrorCode::usage, "o.xyz: unknown output format '.xyz' " + known,
                [] { check_encodable("o.xyz"); });
    check_error(ErrorCode::usage, "a.png/out: no extension tells the output format " + known,
                [] { check_encodable("a.png/out"); });
    check_error(ErrorCode::usage, "o.psd: unknown output format '.psd' " + known,
                [] { encode(Image(1, 1, 3, Depth::u8), "o.psd"); });
    for (const std::string& extension : writable_extensions()) {
        CHECK_NOTHROW(check_encodable(extension));
        CHECK_NOTHROW(check_encodable("x." + extension));
        CHECK(format_of(extension).has_value());
    }
}

TEST_CASE("options out of range are refused") {
    const Image image(2, 2, 3, Depth::u8);
    check_error(ErrorCode::usage, "quality 0 is outside 1 to 100",
                [&] { encode(image, "jpg", {.quality = 0}); });
    check_error(ErrorCode::usage, "quality 101 is outside 1 to 100",
                [&] { encode(image, "jpg", {.quality = 101}); });
    check_error(ErrorCode::usage, "PNG level 13 is outside 0 to 12",
                [&] { encode(image, "png", {.png_level = 13}); });
    check_error(ErrorCode::usage, "PNG level -1 is outside 0 to 12",
                [&] { encode(image, "png", {.png_level = -1}); });
}

TEST_CASE("extensions name formats, in any case, with or without a dot or a path") {
    CHECK(format_of("png") == Format::png);
    CHECK(format_of(".PNG") == Format::png);
    CHECK(format_of("a.b/photo.JPeG") == Format::jpeg);
    CHECK(format_of("pbm") == Format::pnm);
    CHECK(format_of("tga") == Format::tga);
    CHECK_FALSE(format_of("xyz").has_value());
    CHECK_FALSE(format_of("a.png/photo").has_value());
    CHECK_FALSE(format_of("").has_value());
    for (const Format format : {Format::png, Format::jpeg, Format::pnm, Format::bmp, Format::tga, Format::hdr,
                                Format::gif, Format::psd})
        CHECK(format_of(extension_of(format)) == format);
}

TEST_CASE("formats are recognised by content, not by name") {
    for (const Holds& format : formats()) {
        INFO(format.extension);
        const Image image = picture(20, 10, format.channels.front(), format.depths.front());
        const Bytes bytes = encode(image, format.extension);
        CHECK(sniff(bytes) == format_of(format.extension));
        CHECK(decode(bytes, "photo.xyz").width() == 20);
        if (format.extension == "tga") { // of version 1, without a footer
            const Bytes old(bytes.begin(), bytes.end() - 26);
            CHECK_FALSE(sniff(old).has_value());
            CHECK(decode(old, "photo.TGA").width() == 20);
        }
    }
    CHECK_FALSE(sniff({}).has_value());
    CHECK_FALSE(sniff(bytes_of("P8 is nothing")).has_value());
}

TEST_CASE("what is no picture is refused by name") {
    check_error(ErrorCode::input, "a.png: empty file", [] { decode({}, "a.png"); });
    check_error(ErrorCode::input, "a.png: unknown image format",
                [] { decode(bytes_of("hello, world"), "a.png"); });
    check_error(ErrorCode::input, "nosuch.png: no such file", [] { load("nosuch.png"); });
    check_error(ErrorCode::input, "/: is a directory", [] { load("/"); });
}

TEST_CASE("more pixels than the limit are refused before any is decoded") {
    const Bytes png = encode(picture(30, 20, 3, Depth::u8), "png");
    CHECK_NOTHROW(decode(png, "a.png", {.max_pixels = 600}));
    CHECK(error_of([&] { decode(png, "a.png", {.max_pixels = 599}); })->hint() ==
          "if you trust the file: --max-pixels 600");
    check_error(ErrorCode::input, "a.png: 30x20 pixels are more than the limit of 599",
                [&] { decode(png, "a.png", {.max_pixels = 599}); });
}

TEST_CASE("without a word a picture may have 2^30 pixels") {
    // Eight pixels in a byte, all of which are there.
    const auto bitmap = [](int width, int height) {
        return bytes_of("P4 " + std::to_string(width) + " " + std::to_string(height) + "\n") +
               Bytes(static_cast<std::size_t>(width) / 8 * static_cast<std::size_t>(height));
    };
    CHECK(DecodeOptions{}.max_pixels == std::uint64_t{1} << 30U);
    check_error(ErrorCode::input, "a.pbm: 32768x32776 pixels are more than the limit of 1073741824",
                [&] { decode(bitmap(32768, 32776), "a.pbm"); });
}

TEST_CASE("save and load go through files") {
    const TempDir folder;
    const Image image = picture(31, 9, 4, Depth::u16);
    save(image, folder / "out.png");
    CHECK(same(load(folder / "out.png"), image));

    // A refused save leaves what was there.
    CHECK_THROWS_AS(save(Image(1, 1, 1, Depth::f32), folder / "out.png"), Error);
    CHECK(same(load(folder / "out.png"), image));
}
