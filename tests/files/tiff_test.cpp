// TIFF files of every kind, written by libtiff with settings that our writer never has.
#ifdef GLPROC_WITH_TIFF
#include "files/metadata_files.hpp"
#include "files/tiff_files.hpp"
#include "support/thread_limit.hpp"

#include <algorithm>
#include <optional>

using namespace glproc;
using namespace glproc::test;

namespace {

/// A picture of one value a pixel in `bits` bits, as packed rows.
Bytes write_small_tiff(int width, int height, int bits, int photometric, const std::vector<Bytes>& rows,
                       int compression = COMPRESSION_NONE) {
    const TempDir folder;
    const std::string path = folder / "a.tif";
    TIFF* tiff = TIFFOpen(path.c_str(), "w");
    REQUIRE(tiff != nullptr);
    TIFFSetField(tiff, TIFFTAG_IMAGEWIDTH, width);
    TIFFSetField(tiff, TIFFTAG_IMAGELENGTH, height);
    TIFFSetField(tiff, TIFFTAG_BITSPERSAMPLE, bits);
    TIFFSetField(tiff, TIFFTAG_SAMPLESPERPIXEL, 1);
    TIFFSetField(tiff, TIFFTAG_PHOTOMETRIC, photometric);
    TIFFSetField(tiff, TIFFTAG_COMPRESSION, compression);
    std::vector<std::uint16_t> red(std::size_t{1} << static_cast<unsigned>(bits));
    for (std::size_t i = 0; i < red.size(); ++i)
        red[i] = static_cast<std::uint16_t>(i * 256);
    std::vector<std::uint16_t> green(red.size(), 0x1234);
    std::vector<std::uint16_t> blue(red.rbegin(), red.rend());
    if (photometric == PHOTOMETRIC_PALETTE)
        TIFFSetField(tiff, TIFFTAG_COLORMAP, red.data(), green.data(), blue.data());
    for (std::size_t y = 0; y < rows.size(); ++y) {
        Bytes row = rows[y];
        REQUIRE(TIFFWriteScanline(tiff, row.data(), static_cast<std::uint32_t>(y)) == 1);
    }
    TIFFClose(tiff);
    return read_file(path);
}

Bytes first(const Bytes& bytes, std::size_t count) {
    return {bytes.begin(), bytes.begin() + static_cast<std::ptrdiff_t>(count)};
}

std::string error_text(const Bytes& bytes) {
    const auto error = error_of([&] { decode(bytes, "a.tif"); });
    REQUIRE(error.has_value());
    CHECK(error->code() == ErrorCode::input);
    return error->what();
}

} // namespace

TEST_CASE("TIFF strips, tiles and planes of every depth are read exactly") {
    for (const Depth depth : {Depth::u8, Depth::u16, Depth::f32}) {
        for (int channels = 1; channels <= 4; ++channels) {
            for (const auto& [width, height] : {std::pair{1, 1}, {1, 7}, {37, 29}, {16, 16}}) {
                const Image image = picture(width, height, channels, depth);
                for (const int tile : {0, 16, 48}) {
                    for (const int planar : {PLANARCONFIG_CONTIG, PLANARCONFIG_SEPARATE}) {
                        for (const std::string mode : {"wl", "wb", "w8"}) {
                            INFO(width << "x" << height << "x" << channels << ", tile " << tile << ", planar "
                                       << planar << ", " << mode);
                            const Bytes file =
                                write_tiff(image, {.planar = planar, .tile = tile, .mode = mode});
                            CHECK(same(decode(file, "a.tif"), image));
                        }
                    }
                }
            }
        }
    }
}

TEST_CASE("every lossless compression of libtiff is read") {
    TIFFSetWarningHandler(nullptr); // it dislikes COMPRESSION_DEFLATE, the old number
    for (const int compression :
         {COMPRESSION_NONE, COMPRESSION_LZW, COMPRESSION_PACKBITS, COMPRESSION_DEFLATE,
          COMPRESSION_ADOBE_DEFLATE, COMPRESSION_LZMA, COMPRESSION_ZSTD}) {
        if (TIFFIsCODECConfigured(static_cast<std::uint16_t>(compression)) == 0)
            continue;
        for (const int predictor : {PREDICTOR_NONE, PREDICTOR_HORIZONTAL}) {
            const bool predicts = compression != COMPRESSION_NONE && compression != COMPRESSION_PACKBITS;
            const Image image = picture(37, 29, 3, Depth::u16);
            INFO("compression " << compression << ", predictor " << predictor);
            const TiffSpec spec{.compression = compression,
                                .predictor = predicts ? predictor : PREDICTOR_NONE};
            CHECK(same(decode(write_tiff(image, spec), "a.tif"), image));
        }
    }
}

TEST_CASE("JPEG inside TIFF is read, YCbCr too") {
    const Image image = smooth_picture(64, 48, 3);
    for (const int photometric : {PHOTOMETRIC_RGB, PHOTOMETRIC_YCBCR}) {
        const Image back = decode(write_tiff(image, {.compression = COMPRESSION_JPEG,
                                                     .photometric = photometric,
                                                     .rows = 16,
                                                     .jpeg_rgb = photometric == PHOTOMETRIC_YCBCR}),
                                  "a.tif");
        REQUIRE(back.channels() == 3);
        int worst = 0;
        for (std::size_t i = 0; i < image.bytes().size(); ++i)
            worst = std::max(worst, std::abs(std::to_integer<int>(image.bytes()[i]) -
                                             std::to_integer<int>(back.bytes()[i])));
        CHECK(worst < 40);
    }
}

TEST_CASE("small codes, palettes and white as zero") {
    const std::vector<Bytes> row{bytes_of({0b10110001, 0b01000000})};
    const auto values = [](const Image& image) {
        std::vector<double> all;
        for (int x = 0; x < image.width(); ++x) {
            for (int c = 0; c < image.channels(); ++c)
                all.push_back(image.at(x, 0, c));
        }
        return all;
    };
    using Values = std::vector<double>;
    CHECK(values(decode(write_small_tiff(10, 1, 1, PHOTOMETRIC_MINISBLACK, row), "a")) ==
          Values{255, 0, 255, 255, 0, 0, 0, 255, 0, 255});
    CHECK(values(decode(write_small_tiff(10, 1, 1, PHOTOMETRIC_MINISWHITE, row), "a")) ==
          Values{0, 255, 0, 0, 255, 255, 255, 0, 255, 0});
    CHECK(values(decode(write_small_tiff(10, 1, 1, PHOTOMETRIC_MINISWHITE, row, COMPRESSION_CCITTFAX4),
                        "a")) == Values{0, 255, 0, 0, 255, 255, 255, 0, 255, 0});
    CHECK(values(decode(write_small_tiff(5, 1, 2, PHOTOMETRIC_MINISBLACK, row), "a")) ==
          Values{170, 255, 0, 85, 85});
    CHECK(values(decode(write_small_tiff(3, 1, 4, PHOTOMETRIC_MINISBLACK, row), "a")) == Values{187, 17, 68});
    CHECK(values(decode(write_small_tiff(2, 1, 4, PHOTOMETRIC_PALETTE, row), "a")) ==
          Values{11, 0x12, 4, 1, 0x12, 14});
    CHECK(values(decode(write_small_tiff(2, 1, 8, PHOTOMETRIC_PALETTE, row), "a")) ==
          Values{177, 0x12, 78, 64, 0x12, 191});
}

TEST_CASE("colour that is stored times alpha is divided by it") {
    Image image(3, 1, 4, Depth::u8);
    const std::vector<std::uint8_t> stored{50, 100, 0, 100, 7, 7, 7, 0, 1, 2, 3, 255};
    std::ranges::copy(stored, image.values<std::uint8_t>().begin());
    const Image back = decode(write_tiff(image, {.extra = EXTRASAMPLE_ASSOCALPHA}), "a.tif");
    const std::vector<std::uint8_t> wanted{128, 255, 0, 100, 7, 7, 7, 0, 1, 2, 3, 255};
    CHECK(std::ranges::equal(back.values<std::uint8_t>(), wanted));
}

TEST_CASE("a TIFF is turned as its tag says; profiles and XMP are carried") {
    const Image image = picture(5, 3, 3, Depth::u8);
    const Image turned = decode(write_tiff(image, {.orientation = 6}), "a.tif");
    CHECK(turned.width() == 3);
    CHECK(turned.height() == 5);
    CHECK(turned.at(2, 0, 1) == image.at(0, 0, 1));
    CHECK(turned.at(2, 4, 2) == image.at(4, 0, 2));

    const Metadata metadata{.icc = icc_block(3000), .xmp = xmp_block()};
    const Image back = decode(encode(with_metadata(image, metadata), "tif"), "a.tif");
    CHECK(same(back, image));
    CHECK(same(back.metadata(), metadata));
}

TEST_CASE("of several pictures the first is taken, with a note") {
    const Image image = picture(5, 3, 3, Depth::u8);
    Notes notes;
    CHECK(same(decode(write_tiff(image, {.pages = 2}), "a.tif", {.notes = &notes}), image));
    CHECK(notes == Notes{"a.tif: has several images; the first one is used"});
}

TEST_CASE("large pictures are written in several strips, smaller than they are") {
    const Image image = smooth_picture(700, 600, 3);
    const Bytes file = encode(image, "tiff");
    CHECK(file.size() < image.bytes().size() * 3 / 5);
    CHECK(same(decode(file, "a.tif"), image));
}

TEST_CASE("TIFF is packed and unpacked alike by any number of threads") {
    const std::vector<Image> images{smooth_picture(700, 600, 3), picture(331, 407, 4, Depth::u16),
                                    picture(257, 301, 1, Depth::f32)};
    for (const Image& image : images) {
        const Bytes tiles = write_tiff(image, {.compression = COMPRESSION_LZW, .tile = 64});
        const Bytes planes = write_tiff(
            image, {.compression = COMPRESSION_ADOBE_DEFLATE, .planar = PLANARCONFIG_SEPARATE, .rows = 3});
        std::optional<Bytes> file;
        for (const std::size_t threads : {1U, 2U, 16U}) {
            const ThreadLimit limit(threads);
            INFO(threads << " threads");
            const Bytes packed = encode(image, "tiff");
            CHECK(packed == file.value_or(packed));
            file = packed;
            CHECK(same(decode(packed, "a.tif"), image));
            CHECK(same(decode(tiles, "a.tif"), image));
            CHECK(same(decode(planes, "a.tif"), image));
        }
    }
}

TEST_CASE("a damaged strip among sound ones is refused by any number of threads") {
    Bytes file = encode(smooth_picture(1500, 1200, 3), "tiff", {.compression = TiffCompression::lzw});
    std::fill_n(file.begin() + static_cast<std::ptrdiff_t>(file.size() / 2), 100, std::byte{0xff});
    for (const std::size_t threads : {1U, 2U, 16U}) {
        const ThreadLimit limit(threads);
        CHECK(error_text(file).starts_with("a.tif: corrupt TIFF"));
    }
}

TEST_CASE("a TIFF cut short anywhere is refused") {
    for (const Bytes& file :
         {encode(picture(9, 5, 3, Depth::u16), "tif"), write_tiff(picture(17, 5, 1, Depth::u8), {.tile = 16}),
          write_tiff(picture(9, 5, 4, Depth::f32), {.compression = COMPRESSION_LZW}),
          write_tiff(smooth_picture(16, 16, 3), {.compression = COMPRESSION_JPEG, .rows = 16}),
          write_tiff(picture(9, 5, 3, Depth::u8), {.mode = "w8"})}) {
        for (std::size_t size = 0; size < file.size(); ++size) {
            INFO(size << " of " << file.size());
            CHECK(error_text(first(file, size)).starts_with("a.tif: "));
        }
    }
}

TEST_CASE("TIFF of kinds that are not understood is refused in so many words") {
    const auto told = [](const Image& image, const TiffSpec& spec) {
        return error_text(write_tiff(image, spec));
    };
    const auto format = [](int value) {
        return [value](TIFF* tiff) { TIFFSetField(tiff, TIFFTAG_SAMPLEFORMAT, value); };
    };
    const std::string start = "a.tif: unsupported TIFF: ";
    const Image deep = picture(9, 5, 4, Depth::u16);
    CHECK(told(picture(9, 5, 4, Depth::f32), {.photometric = PHOTOMETRIC_SEPARATED, .extra = -1}) ==
          start + "CMYK in floats of 32 bits");
    CHECK(told(deep, {.photometric = PHOTOMETRIC_SEPARATED, .extra = -1, .tell = [](TIFF* tiff) {
                          TIFFSetField(tiff, TIFFTAG_INKSET, INKSET_MULTIINK);
                      }}) == start + "other inks than CMYK");
    CHECK(told(picture(9, 5, 3, Depth::f32), {.photometric = PHOTOMETRIC_CIELAB}) ==
          start + "Lab in floats of 32 bits");
    CHECK(told(deep, {.tell = format(SAMPLEFORMAT_INT)}) ==
          start + "signed integers of 16 bits with alpha, or whose white is zero");
    CHECK(told(picture(9, 5, 3, Depth::u8), {.tell = format(SAMPLEFORMAT_IEEEFP)}) ==
          start + "floats of 8 bits");
    CHECK(told(picture(9, 5, 3, Depth::f32), {.tell = format(SAMPLEFORMAT_COMPLEXINT)}) ==
          start + "complex numbers of 32 bits");
    CHECK(told(picture(9, 5, 1, Depth::u8), {.photometric = PHOTOMETRIC_MASK}) ==
          start + "colours of kind 4");
}

TEST_CASE("a TIFF header that lies is refused before memory is taken") {
    const Bytes honest = write_tiff(picture(16, 16, 1, Depth::u8), {.compression = COMPRESSION_LZW});
    const auto with_entry = [&](std::uint32_t tag, std::uint32_t value) {
        Bytes file = honest;
        // Little-endian entries: tag, type (SHORT or LONG), one value.
        for (std::size_t at = 8; at + 12 <= file.size(); ++at) {
            if (Bytes(file.begin() + static_cast<std::ptrdiff_t>(at),
                      file.begin() + static_cast<std::ptrdiff_t>(at) + 2) != little_endian(tag, 2) ||
                file[at + 3] != std::byte{0} || file[at + 4] != std::byte{1} || file[at + 5] != std::byte{0})
                continue;
            file[at + 2] = std::byte{4};
            std::ranges::copy(little_endian(value, 4), file.begin() + static_cast<std::ptrdiff_t>(at) + 8);
        }
        return file;
    };
    CHECK(decode(honest, "a.tif").width() == 16);
    CHECK(error_text(with_entry(TIFFTAG_IMAGEWIDTH, 60000)).starts_with("a.tif: "));
    CHECK(error_text(with_entry(TIFFTAG_IMAGEWIDTH, 0xffffffffU)).starts_with("a.tif: "));
    CHECK(error_text(with_entry(TIFFTAG_IMAGELENGTH, 0xfffffffU)).starts_with("a.tif: "));
    CHECK(error_text(with_entry(TIFFTAG_IMAGEWIDTH, 0)).starts_with("a.tif: "));
    CHECK(error_text(with_entry(TIFFTAG_IMAGELENGTH, 0)).starts_with("a.tif: "));
    CHECK(error_text(with_entry(TIFFTAG_SAMPLESPERPIXEL, 60000)).starts_with("a.tif: "));
    CHECK(error_text(with_entry(TIFFTAG_BITSPERSAMPLE, 64)).starts_with("a.tif: "));
}
#endif
