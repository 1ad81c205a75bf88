// The files of PngSuite (http://www.schaik.com/pngsuite/), made here by libpng: every kind of good file is
// read as it was meant and as libpng's other interface reads it, whole and in rows. The broken ones stand in
// png_corrupt_test.cpp.
#include "files/metadata_files.hpp"
#include "files/png_files.hpp"

#include "glproc/files/rows.hpp"

#include <cstring>

using namespace glproc;
using namespace glproc::test;

namespace {

constexpr std::array<std::pair<int, int>, 15> kinds{{{PNG_COLOR_TYPE_GRAY, 1},
                                                     {PNG_COLOR_TYPE_GRAY, 2},
                                                     {PNG_COLOR_TYPE_GRAY, 4},
                                                     {PNG_COLOR_TYPE_GRAY, 8},
                                                     {PNG_COLOR_TYPE_GRAY, 16},
                                                     {PNG_COLOR_TYPE_RGB, 8},
                                                     {PNG_COLOR_TYPE_RGB, 16},
                                                     {PNG_COLOR_TYPE_PALETTE, 1},
                                                     {PNG_COLOR_TYPE_PALETTE, 2},
                                                     {PNG_COLOR_TYPE_PALETTE, 4},
                                                     {PNG_COLOR_TYPE_PALETTE, 8},
                                                     {PNG_COLOR_TYPE_GRAY_ALPHA, 8},
                                                     {PNG_COLOR_TYPE_GRAY_ALPHA, 16},
                                                     {PNG_COLOR_TYPE_RGB_ALPHA, 8},
                                                     {PNG_COLOR_TYPE_RGB_ALPHA, 16}}};

/// The picture that a file of this kind means, by the words of the specification.
Image meant_by(const PngSpec& spec) {
    const bool palette = spec.colour_type == PNG_COLOR_TYPE_PALETTE;
    const bool colour = (spec.colour_type & PNG_COLOR_MASK_COLOR) != 0;
    const bool alpha = (spec.colour_type & PNG_COLOR_MASK_ALPHA) != 0;
    const int stored = palette ? 1 : (colour ? 3 : 1) + (alpha ? 1 : 0);
    const bool see_through = spec.transparent.has_value() || (palette && !spec.palette_alpha.empty());
    const int channels = (palette ? 3 : stored) + (see_through ? 1 : 0);
    Image image(spec.width, spec.height, channels, spec.bits == 16 ? Depth::u16 : Depth::u8);
    const auto set = [&](int x, int y, int c, int value) {
        std::byte* to = image.row(y) + static_cast<std::size_t>(x) * image.pixel_bytes();
        if (image.depth() == Depth::u16) {
            const auto word = static_cast<std::uint16_t>(value);
            std::memcpy(to + 2 * c, &word, 2);
        } else {
            to[c] = static_cast<std::byte>(value);
        }
    };
    const int scale = spec.bits < 8 ? 255 / ((1 << spec.bits) - 1) : 1;
    for (int y = 0; y < spec.height; ++y) {
        for (int x = 0; x < spec.width; ++x) {
            if (palette) {
                const auto entry = static_cast<std::size_t>(sample(spec, y, x));
                const png_color& c = spec.palette.at(entry);
                set(x, y, 0, c.red);
                set(x, y, 1, c.green);
                set(x, y, 2, c.blue);
                if (see_through)
                    set(x, y, 3, entry < spec.palette_alpha.size() ? spec.palette_alpha[entry] : 255);
                continue;
            }
            for (int c = 0; c < stored; ++c)
                set(x, y, c, sample(spec, y, x * stored + c) * scale);
            if (spec.transparent) {
                const png_color_16& t = *spec.transparent;
                const bool hit = colour ? sample(spec, y, x * 3) == t.red &&
                                              sample(spec, y, x * 3 + 1) == t.green &&
                                              sample(spec, y, x * 3 + 2) == t.blue
                                        : sample(spec, y, x) == t.gray;
                set(x, y, stored, hit ? 0 : static_cast<int>(max_code(image.depth())));
            }
        }
    }
    return image;
}

struct Feed {
    const Bytes& bytes;
    std::size_t position;
};

/// What libpng's interface for whole pictures makes of a file.
Image read_with_libpng(const Bytes& file) {
    Feed feed{file, 0};
    png_structp png =
        png_create_read_struct(PNG_LIBPNG_VER_STRING, nullptr, nullptr, [](png_structp, png_const_charp) {});
    png_infop info = png_create_info_struct(png);
    if (setjmp(png_jmpbuf(png)) != 0) // NOLINT: nothing with a destructor is made before the last call
        throw std::logic_error("libpng refuses the test picture");
    png_set_read_fn(png, &feed, [](png_structp p, png_bytep out, std::size_t count) {
        auto& from = *static_cast<Feed*>(png_get_io_ptr(p));
        if (count > from.bytes.size() - from.position)
            png_error(p, "end");
        std::memcpy(out, from.bytes.data() + from.position, count);
        from.position += count;
    });
    png_read_png(png, info, PNG_TRANSFORM_EXPAND | PNG_TRANSFORM_SWAP_ENDIAN, nullptr);
    Image image(static_cast<int>(png_get_image_width(png, info)),
                static_cast<int>(png_get_image_height(png, info)), png_get_channels(png, info),
                png_get_bit_depth(png, info) == 16 ? Depth::u16 : Depth::u8);
    for (int y = 0; y < image.height(); ++y)
        std::memcpy(image.row(y), png_get_rows(png, info)[y], image.row_bytes());
    png_destroy_read_struct(&png, &info, nullptr);
    return image;
}

/// That we read the file as meant, and as libpng does, and in rows if it can come so.
void check_file(const Bytes& file, const Image& meant, bool interlaced = false) {
    const Image image = decode(file, "a.png");
    CHECK(same(image, meant));
    CHECK(same(image, read_with_libpng(file)));
    const auto source = open_rows(std::span(file), "a.png");
    CHECK(source.has_value() == !interlaced);
    if (!source)
        return;
    Image rows(source->form);
    const auto reader = source->open();
    for (int y = 0; y < rows.height(); ++y)
        reader->read({rows.row(y), rows.row_bytes()});
    CHECK(same(rows, meant));
}
void check_spec(const PngSpec& spec) {
    INFO(spec.width << "x" << spec.height << ", " << spec.bits << " bits, colour type " << spec.colour_type
                    << ", interlaced " << spec.interlaced);
    check_file(write_png(spec), meant_by(spec), spec.interlaced);
}

} // namespace

TEST_CASE("PngSuite, basic: every colour type and depth, plain and interlaced") {
    for (const auto& [type, bits] : kinds) {
        for (const bool interlaced : {false, true})
            check_spec(opaque_png(32, 32, bits, type, interlaced));
    }
}

TEST_CASE("PngSuite, sizes: 1 to 9 and 32 to 40, where passes and bytes are not full") {
    for (int size = 1; size <= 40; size = size == 9 ? 32 : size + 1) {
        for (const auto& [type, bits] : kinds) {
            for (const bool interlaced : {false, true}) {
                check_spec(opaque_png(size, size, bits, type, interlaced));
                check_spec(opaque_png(size, 41 - size, bits, type, interlaced));
            }
        }
    }
}

TEST_CASE("PngSuite, background and transparency") {
    for (const auto& [type, bits] : kinds) {
        for (const bool interlaced : {false, true}) {
            PngSpec spec = noise_png(32, 32, bits, type, interlaced);
            spec.tell = [](png_structp png, png_infop info) {
                const png_color_16 background{.index = 1, .red = 1, .green = 1, .blue = 1, .gray = 1};
                png_set_bKGD(png, info, &background);
            };
            check_spec(spec); // a background by itself changes nothing
            if (type == PNG_COLOR_TYPE_PALETTE) {
                spec.palette_alpha.resize(1); // the others are opaque
                check_spec(spec);
            } else if (type == PNG_COLOR_TYPE_GRAY) {
                spec.transparent = png_color_16{};
                spec.transparent->gray = static_cast<png_uint_16>(sample(spec, 3, 3));
                check_spec(spec);
            } else if (type == PNG_COLOR_TYPE_RGB) {
                spec.transparent = png_color_16{};
                spec.transparent->red = static_cast<png_uint_16>(sample(spec, 3, 9));
                spec.transparent->green = static_cast<png_uint_16>(sample(spec, 3, 10));
                spec.transparent->blue = static_cast<png_uint_16>(sample(spec, 3, 11));
                check_spec(spec);
            }
        }
    }
}

TEST_CASE("PngSuite, gamma: what a file says about it does not touch its values") {
    for (const auto& [type, bits] : kinds) {
        for (const double gamma : {0.35, 0.45, 0.55, 0.7, 1.0, 2.5}) {
            PngSpec spec = opaque_png(32, 32, bits, type);
            spec.tell = [gamma](png_structp png, png_infop info) { png_set_gAMA(png, info, gamma); };
            check_spec(spec);
        }
        PngSpec spec = opaque_png(32, 32, bits, type);
        spec.tell = [](png_structp png, png_infop info) {
            png_set_sRGB_gAMA_and_cHRM(png, info, PNG_sRGB_INTENT_PERCEPTUAL);
        };
        check_spec(spec);
    }
}

TEST_CASE("PngSuite, filters: each by itself and all mixed") {
    for (const auto& [type, bits] : kinds) {
        for (const int filters : {PNG_FILTER_NONE, PNG_FILTER_SUB, PNG_FILTER_UP, PNG_FILTER_AVG,
                                  PNG_FILTER_PAETH, PNG_ALL_FILTERS}) {
            for (const bool interlaced : {false, true}) {
                PngSpec spec = opaque_png(32, 32, bits, type, interlaced);
                spec.filters = filters;
                check_spec(spec);
            }
        }
    }
}

TEST_CASE("PngSuite, palettes that are only suggested, and counts of colours") {
    for (const auto& [type, bits] : kinds) {
        PngSpec spec = opaque_png(32, 32, bits, type);
        const bool palette = type == PNG_COLOR_TYPE_PALETTE;
        if ((type & PNG_COLOR_MASK_COLOR) != 0 && !palette)
            spec.palette.assign(200, {1, 2, 3});
        const std::size_t colours = spec.palette.size();
        for (const png_byte depth : {png_byte{8}, png_byte{16}}) {
            spec.tell = [=](png_structp png, png_infop info) {
                std::array<png_sPLT_entry, 2> entries{{{1, 2, 3, 4, 5}, {5, 4, 3, 2, 1}}};
                std::string name = "suggested";
                png_sPLT_t suggestion{name.data(), depth, entries.data(), 2};
                png_set_sPLT(png, info, &suggestion, 1);
                const std::vector<png_uint_16> counts(colours, 7);
                if (palette)
                    png_set_hIST(png, info, counts.data());
            };
            check_spec(spec);
        }
    }
}

TEST_CASE("PngSuite, ancillary chunks: texts, times, sizes, significant bits") {
    for (const auto& [type, bits] : kinds) {
        PngSpec spec = opaque_png(32, 32, bits, type);
        const png_byte most = static_cast<png_byte>(type == PNG_COLOR_TYPE_PALETTE ? 8 : bits);
        spec.tell = [most](png_structp png, png_infop info) {
            png_set_cHRM(png, info, 0.31, 0.33, 0.64, 0.33, 0.3, 0.6, 0.15, 0.06);
            png_set_pHYs(png, info, 1, 4, PNG_RESOLUTION_METER);
            png_set_oFFs(png, info, -3, 5, PNG_OFFSET_PIXEL);
            const png_color_8 significant{most, most, most, most, most};
            png_set_sBIT(png, info, &significant);
            const png_time time{1999, 12, 31, 23, 59, 59};
            png_set_tIME(png, info, &time);
            std::string title = "Title";
            std::string text(1200, 'x');
            std::string language = "en";
            std::string translated = "Titel";
            std::array<png_text, 4> texts{};
            constexpr std::array ways{PNG_TEXT_COMPRESSION_NONE, PNG_TEXT_COMPRESSION_zTXt,
                                      PNG_ITXT_COMPRESSION_NONE, PNG_ITXT_COMPRESSION_zTXt};
            for (std::size_t i = 0; i < texts.size(); ++i) {
                texts.at(i).compression = ways.at(i);
                texts.at(i).key = title.data();
                texts.at(i).text = text.data();
                texts.at(i).lang = language.data();
                texts.at(i).lang_key = translated.data();
            }
            png_set_text(png, info, texts.data(), static_cast<int>(texts.size()));
        };
        check_spec(spec);
    }
    for (const auto& [across, down] : {std::pair{1, 4}, {4, 1}, {1, 1}}) { // pixels that are not square
        PngSpec spec = opaque_png(32, 32, 8, PNG_COLOR_TYPE_RGB);
        spec.tell = [x = across, y = down](png_structp png, png_infop info) {
            png_set_pHYs(png, info, static_cast<png_uint_32>(x), static_cast<png_uint_32>(y),
                         PNG_RESOLUTION_UNKNOWN);
        };
        check_spec(spec);
    }
}

TEST_CASE("PngSuite, EXIF is carried, and unknown chunks are passed over") {
    const PngSpec spec = opaque_png(32, 32, 8, PNG_COLOR_TYPE_RGB);
    std::vector<Chunk> chunks = chunks_of(write_png(spec));
    const Bytes exif = exif_block(1, true);
    chunks.insert(chunks.begin() + 1, {{"eXIf", exif}, {"prVt", bytes_of("mine")}, {"prVT", Bytes(70000)}});
    chunks.insert(chunks.end() - 1, {"noTe", Bytes()});
    const Bytes file = png_of(chunks);
    check_file(file, meant_by(spec));
    CHECK(decode(file, "a.png").metadata().exif == exif);
}

TEST_CASE("PngSuite, order of chunks: pixels in any number of IDAT chunks, empty ones too") {
    for (const auto& [type, bits] : kinds) {
        for (const bool interlaced : {false, true}) {
            const PngSpec spec = opaque_png(32, 32, bits, type, interlaced);
            const std::vector<Chunk> chunks = chunks_of(write_png(spec));
            for (const std::size_t size : {1, 2, 7, 100}) {
                std::vector<Chunk> split;
                for (const Chunk& chunk : chunks) {
                    if (chunk.type != "IDAT") {
                        split.push_back(chunk);
                        continue;
                    }
                    for (std::size_t at = 0; at < chunk.data.size(); at += size) {
                        const auto from = chunk.data.begin() + static_cast<std::ptrdiff_t>(at);
                        const auto count = std::min(size, chunk.data.size() - at);
                        split.push_back({"IDAT", Bytes(from, from + static_cast<std::ptrdiff_t>(count))});
                        if (size == 7)
                            split.push_back({"IDAT", Bytes()});
                    }
                }
                INFO("IDATs of " << size << ", " << bits << " bits, colour type " << type);
                check_file(png_of(split), meant_by(spec), interlaced);
            }
        }
    }
}

TEST_CASE("PngSuite, compression: levels 0 to 9 and every window") {
    for (const auto& [type, bits] : kinds) {
        PngSpec spec = opaque_png(61, 35, bits, type);
        for (spec.level = 0; spec.level <= 9; ++spec.level)
            check_spec(spec);
        spec.level = 6;
        for (spec.window_bits = 9; spec.window_bits <= 15; ++spec.window_bits)
            check_spec(spec);
    }
}
