// What png_suite_test.cpp does for PNG, for the other formats: every kind of good file is read as the
// format's own library reads it, every broken one is refused.
#include "files/handmade_files.hpp"
#include "files/jpeg_files.hpp"
#include "files/tiff_files.hpp"

#include <cstring>

using namespace glproc;
using namespace glproc::test;

namespace {

/// What libjpeg by itself reads from a grey or RGB file. It ends the program if it fails.
Image read_with_libjpeg(const Bytes& file) {
    jpeg_decompress_struct jpeg{};
    jpeg_error_mgr errors{};
    jpeg.err = jpeg_std_error(&errors);
    jpeg_create_decompress(&jpeg);
    jpeg_mem_src(&jpeg, reinterpret_cast<const unsigned char*>(file.data()), file.size());
    jpeg_read_header(&jpeg, TRUE);
    jpeg_start_decompress(&jpeg);
    Image image(static_cast<int>(jpeg.output_width), static_cast<int>(jpeg.output_height),
                jpeg.output_components, Depth::u8);
    while (jpeg.output_scanline < jpeg.output_height) {
        auto* row = reinterpret_cast<JSAMPROW>(image.row(static_cast<int>(jpeg.output_scanline)));
        jpeg_read_scanlines(&jpeg, &row, 1);
    }
    jpeg_finish_decompress(&jpeg);
    jpeg_destroy_decompress(&jpeg);
    return image;
}

double worst_difference(const Image& a, const Image& b) {
    double worst = 0;
    for (int y = 0; y < a.height(); ++y) {
        for (int x = 0; x < a.width(); ++x) {
            for (int c = 0; c < a.channels(); ++c)
                worst = std::max(worst, std::abs(a.at(x, y, c) - b.at(x, y, c)));
        }
    }
    return worst;
}

void check_refused(const std::string& what, const Bytes& file, const std::string& name) {
    INFO(what);
    const auto error = error_of([&] { decode(file, name); });
    REQUIRE(error.has_value());
    CHECK(error->code() == ErrorCode::input);
    CHECK(std::string(error->what()).starts_with(name + ": "));
}

/// Where the JPEG segment of this kind begins.
std::ptrdiff_t segment(const Bytes& jpeg, int kind) {
    return first_place(jpeg, bytes_of({0xff, kind}));
}

Bytes without_segment(Bytes jpeg, int kind) {
    const auto at = segment(jpeg, kind);
    const auto start = jpeg.begin() + at;
    const auto length = std::to_integer<int>(start[2]) * 256 + std::to_integer<int>(start[3]) + 2;
    jpeg.erase(start, start + length);
    return jpeg;
}

Bytes changed(Bytes file, std::ptrdiff_t at, int value) {
    file.at(static_cast<std::size_t>(at)) = static_cast<std::byte>(value);
    return file;
}

/// An HDR file: lines, an empty one, the size, the pixels.
Bytes hdr(std::string_view size, const Bytes& pixels, std::string_view format = "32-bit_rle_rgbe") {
    return bytes_of("#?RADIANCE\n# made by hand\nEXPOSURE=1.0\nFORMAT=" + std::string(format) + "\n\n" +
                    std::string(size) + "\n") +
           pixels;
}

/// 16 equal pixels as runs of each of the four planes.
Bytes hdr_runs(int width) {
    Bytes row = bytes_of({2, 2, width >> 8, width & 0xff});
    for (const int value : {128, 64, 32, 129}) { // 1, 0.5, 0.25
        for (int left = width; left > 0; left -= 127)
            row = std::move(row) + bytes_of({128 + std::min(left, 127), value});
    }
    return row;
}

} // namespace

TEST_CASE("JPEG suite: subsampling, odd sizes, restarts and colour spaces are read as libjpeg reads them") {
    for (const JpegKind kind : {JpegKind::baseline, JpegKind::progressive, JpegKind::arithmetic}) {
        for (const auto& [across, down] : {std::pair{1, 1}, {2, 1}, {2, 2}, {4, 1}, {1, 2}, {4, 2}}) {
            for (const auto& [width, height] : {std::pair{1, 1}, {7, 9}, {16, 16}, {17, 33}, {64, 5}}) {
                for (const int restart : {0, 1, 3}) {
                    for (const bool plain : {false, true}) {
                        INFO("kind " << static_cast<int>(kind) << ", " << across << "x" << down << ", "
                                     << width << "x" << height << ", restart " << restart << ", plain "
                                     << plain);
                        const JpegExtras extras{
                            .across = across, .down = down, .restart = restart, .plain = plain};
                        const Bytes file = write_jpeg(width, height, 3, kind, extras);
                        const Image image = decode(file, "a.jpg");
                        REQUIRE(image.channels() == 3);
                        CHECK(same(image, read_with_libjpeg(file)));
                        CHECK(worst_difference(image, smooth_picture(width, height, 3)) <= 40);
                    }
                }
            }
        }
        for (int size = 1; size <= 17; ++size) {
            const Bytes file = write_jpeg(size, 18 - size, 1, kind, JpegExtras{.restart = size % 3});
            const Image image = decode(file, "a.jpg");
            REQUIRE(image.channels() == 1);
            CHECK(same(image, read_with_libjpeg(file)));
        }
    }
}

TEST_CASE("JPEG suite: broken files are refused") {
    for (const JpegKind kind : {JpegKind::baseline, JpegKind::progressive}) {
        const Bytes good = write_jpeg(70, 50, 3, kind, JpegExtras{.restart = 2});
        const int frame_kind = kind == JpegKind::baseline ? 0xc0 : 0xc2;
        const auto frame = segment(good, frame_kind);
        CHECK_FALSE(error_of([&] { decode(good, "a.jpg"); }).has_value());
        const auto refused = [](const std::string& what, const Bytes& file) {
            check_refused(what, file, "a.jpg");
        };
        refused("without tables of quantisation", without_segment(without_segment(good, 0xdb), 0xdb));
        refused("without a frame", without_segment(good, frame_kind));
        refused("without a scan", without_segment(good, 0xda));
        for (const int other : {0xc3, 0xc5, 0xc6, 0xc7, 0xcb, 0xcd, 0xce, 0xcf})
            refused("a frame of kind " + std::to_string(other), changed(good, frame + 1, other));
        for (const int bits : {0, 7, 12, 16})
            refused("samples of bits " + std::to_string(bits), changed(good, frame + 4, bits));
        refused("no rows", changed(changed(good, frame + 5, 0), frame + 6, 0));
        refused("no columns", changed(changed(good, frame + 7, 0), frame + 8, 0));
        for (const int components : {0, 1, 2, 4, 5, 255})
            refused("components " + std::to_string(components), changed(good, frame + 9, components));
        for (const int sampling : {0x00, 0x05, 0x51, 0xff})
            refused("sampling " + std::to_string(sampling), changed(good, frame + 11, sampling));
        refused("a table that is not there", changed(good, frame + 12, 3));
        refused("a frame twice", Bytes(good.begin(), good.begin() + frame) +
                                     Bytes(good.begin() + frame, good.begin() + frame + 19) +
                                     Bytes(good.begin() + frame, good.end()));
        const auto restart = first_place(good, bytes_of({0xff, 0xd0}));
        refused("restarts out of order", changed(good, restart + 1, 0xd5));
        refused("a marker within the data", changed(good, restart + 1, 0xd9));
        refused("not begun", Bytes(good.begin() + 2, good.end()));
        refused("only begun", bytes_of({0xff, 0xd8, 0xff}));
        for (std::size_t size = 0; size < good.size(); size += 37)
            refused("cut to " + std::to_string(size),
                    Bytes(good.begin(), good.begin() + static_cast<std::ptrdiff_t>(size)));
    }
}

TEST_CASE("HDR suite: flat rows, rows of runs, and what is refused") {
    const Bytes pixel = bytes_of({128, 64, 32, 129});
    const auto check = [](const Bytes& file, int width, int height) {
        const Image image = decode(file, "a.hdr");
        REQUIRE(image.form() == Form{width, height, 3, Depth::f32});
        for (int y = 0; y < height; ++y) {
            for (int x = 0; x < width; ++x) {
                CHECK(image.at(x, y, 0) == 1);
                CHECK(image.at(x, y, 1) == 0.5);
                CHECK(image.at(x, y, 2) == 0.25);
            }
        }
    };
    Bytes flat;
    for (int i = 0; i < 2 * 16; ++i)
        flat = std::move(flat) + pixel;
    check(hdr("-Y 2 +X 16", flat), 16, 2);
    check(hdr("-Y 8 +X 4", flat), 4, 8);
    check(hdr("-Y 2 +X 16", hdr_runs(16) + hdr_runs(16)), 16, 2);
    check(hdr("-Y 1 +X 300", hdr_runs(300)), 300, 1);
    CHECK(decode(hdr("-Y 1 +X 1", Bytes(4)), "a.hdr").at(0, 0, 2) == 0);
    // The runs of the oldest files: 1 1 1 n repeats the last pixel; a second one counts 256 times as much.
    check(hdr("-Y 1 +X 16", pixel + bytes_of({1, 1, 1, 15})), 16, 1);
    check(hdr("-Y 1 +X 600", pixel + bytes_of({1, 1, 1, 87, 1, 1, 1, 2})), 600, 1);

    const auto refused = [](const std::string& what, const Bytes& file) {
        check_refused(what, file, "a.hdr");
    };
    refused("an old run beyond its row", hdr("-Y 1 +X 16", pixel + bytes_of({1, 1, 1, 16})));
    refused("an old run of nothing", hdr("-Y 1 +X 16", bytes_of({1, 1, 1, 16})));
    refused("XYZ", hdr("-Y 2 +X 16", flat, "32-bit_rle_xyze"));
    for (const std::string size :
         {"+Y 2 +X 16", "-Y 2 -X 16", "+X 16 -Y 2", "-Y 0 +X 16", "-Y 2 +X 0", "-Y -2 +X 16", "", "-Y 2"})
        refused(size, hdr(size, flat));
    refused("a row short", hdr("-Y 3 +X 16", flat));
    refused("runs cut short", hdr("-Y 2 +X 16", hdr_runs(16)));
    refused("a run beyond its row", hdr("-Y 1 +X 16", bytes_of({2, 2, 0, 16, 128 + 17, 1}) + Bytes(64)));
    refused("a row of another width", hdr("-Y 2 +X 16", hdr_runs(16) + hdr_runs(17)));
    refused("no format", bytes_of("#?RADIANCE\n\n-Y 2 +X 16\n") + flat);
}

#ifdef GLPROC_WITH_TIFF
TEST_CASE("TIFF suite: bytes of both orders with predictors, in strips and tiles and planes") {
    for (const std::string mode : {"wl", "wb"}) {
        for (const Depth depth : {Depth::u8, Depth::u16, Depth::f32}) {
            for (const int compression : {COMPRESSION_LZW, COMPRESSION_ADOBE_DEFLATE}) {
                for (const int predictor : {PREDICTOR_NONE, PREDICTOR_HORIZONTAL, PREDICTOR_FLOATINGPOINT}) {
                    if ((predictor == PREDICTOR_FLOATINGPOINT) != (depth == Depth::f32) &&
                        predictor != PREDICTOR_NONE)
                        continue;
                    if (predictor == PREDICTOR_FLOATINGPOINT && mode == "wb")
                        continue; // which libtiff 4.5 writes wrong, see below
                    for (const int planar : {PLANARCONFIG_CONTIG, PLANARCONFIG_SEPARATE}) {
                        for (const int tile : {0, 16}) {
                            INFO(mode << " " << static_cast<int>(depth) << " " << compression << " "
                                      << predictor << " " << planar << " " << tile);
                            const Image image = picture(37, 29, 4, depth);
                            const TiffSpec spec{.compression = compression,
                                                .predictor = predictor,
                                                .planar = planar,
                                                .tile = tile,
                                                .mode = mode};
                            CHECK(same(decode(write_tiff(image, spec), "a.tif"), image));
                        }
                    }
                }
            }
        }
    }
}

TEST_CASE("TIFF suite: the planes of the float predictor are the same in both byte orders") {
    const Image image = picture(37, 5, 1, Depth::f32);
    const TempDir folder;
    const std::string path = folder / "a.tif";
    Bytes strip(4096);
    for (const std::string mode : {"wl", "wb"}) {
        TIFF* tiff = TIFFOpen(path.c_str(), mode.c_str());
        REQUIRE(tiff != nullptr);
        TIFFSetField(tiff, TIFFTAG_IMAGEWIDTH, image.width());
        TIFFSetField(tiff, TIFFTAG_IMAGELENGTH, image.height());
        TIFFSetField(tiff, TIFFTAG_BITSPERSAMPLE, 32);
        TIFFSetField(tiff, TIFFTAG_SAMPLESPERPIXEL, 1);
        TIFFSetField(tiff, TIFFTAG_SAMPLEFORMAT, SAMPLEFORMAT_IEEEFP);
        TIFFSetField(tiff, TIFFTAG_PHOTOMETRIC, PHOTOMETRIC_MINISBLACK);
        TIFFSetField(tiff, TIFFTAG_ROWSPERSTRIP, image.height());
        TIFFSetField(tiff, TIFFTAG_COMPRESSION, COMPRESSION_LZW);
        TIFFSetField(tiff, TIFFTAG_PREDICTOR, PREDICTOR_FLOATINGPOINT);
        if (mode == "wl") {
            Bytes values(image.bytes().begin(), image.bytes().end());
            TIFFWriteEncodedStrip(tiff, 0, values.data(), static_cast<tmsize_t>(values.size()));
        } else {
            TIFFWriteRawStrip(tiff, 0, strip.data(), static_cast<tmsize_t>(strip.size()));
        }
        TIFFClose(tiff);
        CHECK(same(load(path), image));
        tiff = TIFFOpen(path.c_str(), "r");
        strip.resize(static_cast<std::size_t>(
            TIFFReadRawStrip(tiff, 0, strip.data(), static_cast<tmsize_t>(strip.size()))));
        TIFFClose(tiff);
    }
}

namespace {

/// A little-endian TIFF of one strip, put together by hand: its entries are tag, type and value.
Bytes handmade_tiff(std::vector<std::array<std::uint32_t, 3>> entries, const Bytes& strip) {
    const auto offset = static_cast<std::uint32_t>(8 + 2 + 12 * (entries.size() + 2) + 4);
    entries.push_back({TIFFTAG_STRIPOFFSETS, 4, offset});
    entries.push_back({TIFFTAG_STRIPBYTECOUNTS, 4, static_cast<std::uint32_t>(strip.size())});
    std::ranges::sort(entries);
    Bytes file = bytes_of("II*") + Bytes(1) + little_endian(8, 4) +
                 little_endian(static_cast<std::uint32_t>(entries.size()), 2);
    for (const auto& [tag, type, value] : entries)
        file = std::move(file) + little_endian(tag, 2) + little_endian(type, 2) + little_endian(1, 4) +
               little_endian(value, 4);
    return std::move(file) + Bytes(4) + strip;
}

/// The usual entries of a picture of 16×4 with one value a pixel.
std::vector<std::array<std::uint32_t, 3>> usual_entries(std::uint32_t bits, std::uint32_t format,
                                                        std::uint32_t compression,
                                                        std::uint32_t photometric) {
    return {{TIFFTAG_IMAGEWIDTH, 3, 16},           {TIFFTAG_IMAGELENGTH, 3, 4},
            {TIFFTAG_BITSPERSAMPLE, 3, bits},      {TIFFTAG_SAMPLEFORMAT, 3, format},
            {TIFFTAG_COMPRESSION, 3, compression}, {TIFFTAG_PHOTOMETRIC, 3, photometric}};
}

} // namespace

TEST_CASE("TIFF suite: files put together by hand, and kinds that are refused") {
    const Bytes strip(16 * 4 * 8, std::byte{0x40});
    const auto file = [&](std::uint32_t bits, std::uint32_t format, std::uint32_t compression = 1,
                          std::uint32_t photometric = PHOTOMETRIC_MINISBLACK) {
        return handmade_tiff(usual_entries(bits, format, compression, photometric), strip);
    };
    CHECK(decode(file(8, 1), "a.tif").at(15, 3, 0) == 0x40);
    CHECK(decode(file(16, 1), "a.tif").at(15, 3, 0) == 0x4040);
    CHECK(decode(file(12, 1), "a.tif").at(0, 3, 0) == 0x4044);              // 0x404 of 0xfff
    CHECK(decode(file(32, 3), "a.tif").at(15, 3, 0) == 3.0039215087890625); // 0x40404040
    CHECK(decode(file(8, 1, 1, PHOTOMETRIC_MINISWHITE), "a.tif").at(15, 3, 0) == 255 - 0x40);
    for (const auto& [bits, format] :
         {std::pair{24, 3}, {8, 3}, {24, 1}, {64, 1}, {64, 2}, {12, 2}, {0, 1}, {32, 5}, {64, 6}}) {
        check_refused(std::to_string(bits) + " bits of format " + std::to_string(format),
                      file(static_cast<std::uint32_t>(bits), static_cast<std::uint32_t>(format)), "a.tif");
    }
    for (const std::uint32_t compression : {0U, 6U, 99U, 34925U, 34712U, 50000U, 34661U})
        check_refused("compression " + std::to_string(compression), file(8, 1, compression), "a.tif");
    for (const std::uint32_t photometric : {4U, 5U, 6U, 8U, 9U, 32844U, 999U})
        check_refused("colours " + std::to_string(photometric), file(8, 1, 1, photometric), "a.tif");
    check_refused("a palette that is not there", file(4, 1, 1, PHOTOMETRIC_PALETTE), "a.tif");
    for (const std::size_t size : {0U, 1U, 63U})
        check_refused("a strip too short",
                      handmade_tiff(usual_entries(8, 1, 1, 1), Bytes(size, std::byte{1})), "a.tif");
    for (const std::uint32_t compression : {5U, 8U, 32773U}) // noise, as LZW, deflate and runs
        check_refused("noise of compression " + std::to_string(compression),
                      handmade_tiff(usual_entries(8, 1, compression, 1), bytes_of({0x13, 0x55, 0xc7, 9})),
                      "a.tif");
    Bytes circle = file(8, 1);
    std::ranges::copy(little_endian(8, 4), circle.begin() + 8 + 2 + 12 * 8); // the next picture is the first
    CHECK(same(decode(circle, "a.tif"), decode(file(8, 1), "a.tif")));
}

TEST_CASE("TIFF suite: fax codes of each kind are read") {
    for (const int compression : {COMPRESSION_CCITTRLE, COMPRESSION_CCITTFAX3, COMPRESSION_CCITTFAX4}) {
        for (const int photometric : {PHOTOMETRIC_MINISBLACK, PHOTOMETRIC_MINISWHITE}) {
            const TempDir folder;
            const std::string path = folder / "a.tif";
            TIFF* tiff = TIFFOpen(path.c_str(), "w");
            REQUIRE(tiff != nullptr);
            TIFFSetField(tiff, TIFFTAG_IMAGEWIDTH, 45);
            TIFFSetField(tiff, TIFFTAG_IMAGELENGTH, 20);
            TIFFSetField(tiff, TIFFTAG_BITSPERSAMPLE, 1);
            TIFFSetField(tiff, TIFFTAG_SAMPLESPERPIXEL, 1);
            TIFFSetField(tiff, TIFFTAG_ROWSPERSTRIP, 6);
            TIFFSetField(tiff, TIFFTAG_PHOTOMETRIC, photometric);
            TIFFSetField(tiff, TIFFTAG_COMPRESSION, compression);
            const auto bit = [](int x, int y) {
                return hash(static_cast<std::uint32_t>(x / 3 + y * 50)) % 2;
            };
            for (int y = 0; y < 20; ++y) {
                Bytes row(6);
                for (int x = 0; x < 45; ++x)
                    row.at(static_cast<std::size_t>(x) / 8) |=
                        static_cast<std::byte>(bit(x, y) << (7 - x % 8));
                REQUIRE(TIFFWriteScanline(tiff, row.data(), static_cast<std::uint32_t>(y)) == 1);
            }
            TIFFClose(tiff);
            const Image image = load(path);
            int wrong = 0;
            for (int y = 0; y < 20; ++y) {
                for (int x = 0; x < 45; ++x) {
                    const bool white = (bit(x, y) == 1) == (photometric == PHOTOMETRIC_MINISBLACK);
                    wrong += image.at(x, y, 0) != (white ? 255 : 0);
                }
            }
            INFO("compression " << compression << ", photometric " << photometric);
            CHECK(wrong == 0);
        }
    }
}
#endif
