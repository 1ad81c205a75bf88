// TIFF files that are rare, odd or slightly broken: colours of other kinds, odd depths, old codes.
#ifdef GLPROC_WITH_TIFF
#include "image/jpeg_files.hpp"
#include "image/metadata_files.hpp"
#include "image/tiff_files.hpp"

using namespace glproc;
using namespace glproc::test;

namespace {

/// The largest difference between a picture and what it should be.
template <class Wanted>
double worst_of(const Image& image, Wanted wanted) {
    double worst = 0;
    for (int y = 0; y < image.height(); ++y) {
        for (int x = 0; x < image.width(); ++x) {
            for (int c = 0; c < image.channels(); ++c)
                worst = std::max(worst, std::abs(image.at(x, y, c) - wanted(x, y, c)));
        }
    }
    return worst;
}

std::uint32_t number_at(const Bytes& file, std::size_t at, int count) {
    std::uint32_t value = 0;
    for (int i = count; i-- > 0;)
        value = value << 8U | std::to_integer<std::uint32_t>(file.at(at + static_cast<std::size_t>(i)));
    return value;
}

void put_at(Bytes& file, std::size_t at, std::uint32_t value, int count) {
    std::ranges::copy(little_endian(value, count), file.begin() + static_cast<std::ptrdiff_t>(at));
}

/// Where the entry of a tag stands in the first directory of a little-endian file.
std::size_t entry_of(const Bytes& file, std::uint32_t tag) {
    const std::size_t directory = number_at(file, 4, 4);
    for (std::size_t i = 0; i < number_at(file, directory, 2); ++i) {
        if (number_at(file, directory + 2 + 12 * i, 2) == tag)
            return directory + 2 + 12 * i;
    }
    FAIL("no such tag");
    return 0;
}

/// Values of `bits` bits, one after the other, each row filled up to a byte.
Bytes packed_rows(const std::vector<std::vector<unsigned>>& rows, unsigned bits) {
    Bytes bytes;
    for (const auto& row : rows) {
        Bytes packed((row.size() * bits + 7) / 8);
        for (std::size_t i = 0; i < row.size() * bits; ++i) {
            if ((row[i / bits] >> (bits - 1 - i % bits) & 1U) != 0)
                packed[i / 8] |= static_cast<std::byte>(0x80U >> i % 8);
        }
        bytes = std::move(bytes) + packed;
    }
    return bytes;
}

/// A file of one strip a plane, which holds just these bytes.
Bytes write_strips(int width, int height, int samples, int bits, std::vector<Bytes> strips,
                   const std::function<void(TIFF*)>& tell, int planar = PLANARCONFIG_CONTIG,
                   const std::string& mode = "wl") {
    const TempDir folder;
    TIFF* tiff = TIFFOpen((folder / "a.tif").c_str(), mode.c_str());
    REQUIRE(tiff != nullptr);
    TIFFSetField(tiff, TIFFTAG_IMAGEWIDTH, width);
    TIFFSetField(tiff, TIFFTAG_IMAGELENGTH, height);
    TIFFSetField(tiff, TIFFTAG_ROWSPERSTRIP, height);
    TIFFSetField(tiff, TIFFTAG_BITSPERSAMPLE, bits);
    TIFFSetField(tiff, TIFFTAG_SAMPLESPERPIXEL, samples);
    TIFFSetField(tiff, TIFFTAG_PHOTOMETRIC, samples >= 3 ? PHOTOMETRIC_RGB : PHOTOMETRIC_MINISBLACK);
    TIFFSetField(tiff, TIFFTAG_PLANARCONFIG, planar);
    tell(tiff);
    std::uint32_t index = 0;
    for (Bytes& strip : strips)
        REQUIRE(TIFFWriteRawStrip(tiff, index++, strip.data(), static_cast<tmsize_t>(strip.size())) > 0);
    TIFFClose(tiff);
    return read_file(folder / "a.tif");
}

} // namespace

TEST_CASE("CMYK in TIFF becomes RGB by (1 - C)(1 - K), with a note") {
    for (const Depth depth : {Depth::u8, Depth::u16}) {
        const Image ink = picture(37, 29, 4, depth);
        const double full = depth == Depth::u8 ? 255 : 65535;
        for (const int tile : {0, 16}) {
            for (const int planar : {PLANARCONFIG_CONTIG, PLANARCONFIG_SEPARATE}) {
                INFO(full << ", tile " << tile << ", planar " << planar);
                Bytes icc = icc_block(300);
                const auto tell = [&](TIFF* tiff) {
                    TIFFSetField(tiff, TIFFTAG_ICCPROFILE, 300, icc.data());
                };
                Notes notes;
                const Image image = decode(write_tiff(ink, {.photometric = PHOTOMETRIC_SEPARATED,
                                                            .planar = planar,
                                                            .tile = tile,
                                                            .extra = -1,
                                                            .tell = tell}),
                                           "a.tif", {.notes = &notes});
                REQUIRE(image.form() == Form{37, 29, 3, depth});
                CHECK(worst_of(image, [&](int x, int y, int c) {
                          const double light = (full - ink.at(x, y, c)) * (full - ink.at(x, y, 3)) / full;
                          return std::floor(light + 0.5);
                      }) == 0);
                CHECK(image.metadata().icc.empty());
                CHECK(notes == Notes{"a.tif: CMYK becomes RGB by a plain formula; its ICC profile, if any, "
                                     "is left out"});
            }
        }
    }
}

TEST_CASE("CMYK in TIFF is turned as its tag says") {
    const Image ink = picture(7, 4, 4, Depth::u8);
    const auto read = [&](int orientation) {
        return decode(
            write_tiff(ink, {.photometric = PHOTOMETRIC_SEPARATED, .orientation = orientation, .extra = -1}),
            "a.tif");
    };
    const Image plain = read(1);
    for (int orientation = 2; orientation <= 8; ++orientation)
        CHECK(same(read(orientation), upright(plain, orientation)));
}

TEST_CASE("Lab in TIFF becomes RGB as Little CMS makes it, of 8 and of 16 bits") {
    // By cmsCreateLab4Profile(NULL), relative, to cmsCreate_sRGBProfile() in doubles; what is beyond is
    // clipped.
    struct Sample {
        std::array<int, 3> lab;
        std::array<double, 3> rgb;
    };
    const std::vector<Sample> samples{
        {{0, 0, 0}, {0, 0, 0}},
        {{255, 0, 0}, {255, 255, 255}},
        {{136, 80, 67}, {250.68, -2.88, 7.61}},
        {{137, 0, 0}, {128.36, 128.36, 128.36}},
        {{77, 60, -100}, {43.94, 24.89, 235.60}}, // saturated blues, which the wrong white moves most
        {{82, 79, -107}, {91.60, -55.76, 254.03}},
        {{222, -86, 83}, {-216.63, 254.96, -39.58}},
        {{153, -30, -30}, {-95.49, 160.57, 196.56}},
        {{51, 20, -60}, {-34.33, 41.81, 139.40}},
        {{179, 10, 60}, {209.93, 163.60, 54.65}},
        {{8, 1, -2}, {12.16, 10.75, 15.51}},
    };
    const int width = static_cast<int>(samples.size());
    for (const int planar : {PLANARCONFIG_CONTIG, PLANARCONFIG_SEPARATE}) {
        Image small(width, 1, 3, Depth::u8);
        Image large(width, 1, 3, Depth::u16);
        for (std::size_t i = 0; i < samples.size(); ++i) {
            for (std::size_t c = 0; c < 3; ++c) {
                const int code = samples[i].lab.at(c);
                small.values<std::uint8_t>()[3 * i + c] = static_cast<std::uint8_t>(code);
                large.values<std::uint16_t>()[3 * i + c] =
                    static_cast<std::uint16_t>(code * (c == 0 ? 257 : 256));
            }
        }
        for (const Image* lab : {&small, &large}) {
            const double unit = lab->depth() == Depth::u8 ? 1 : 257;
            const Image image =
                decode(write_tiff(*lab, {.photometric = PHOTOMETRIC_CIELAB, .planar = planar}), "a.tif");
            REQUIRE(image.form() == lab->form());
            CHECK(worst_of(image, [&](int x, int, int c) {
                      return unit *
                             std::clamp(
                                 samples.at(static_cast<std::size_t>(x)).rgb.at(static_cast<std::size_t>(c)),
                                 0.0, 255.0);
                  }) <= 0.52 * unit);
        }
    }
}

TEST_CASE("YCbCr in TIFF outside JPEG becomes RGB, colour at half resolution or not") {
    const auto rgb = [](double y, double cb, double cr, int c) {
        const double value = c == 0   ? y + 1.402 * (cr - 128)
                             : c == 1 ? y - 0.344136 * (cb - 128) - 0.714136 * (cr - 128)
                                      : y + 1.772 * (cb - 128);
        return std::clamp(value, 0.0, 255.0);
    };
    const auto subsampling = [](int factor) {
        return [factor](TIFF* tiff) {
            TIFFSetField(tiff, TIFFTAG_PHOTOMETRIC, PHOTOMETRIC_YCBCR);
            TIFFSetField(tiff, TIFFTAG_YCBCRSUBSAMPLING, factor, factor);
        };
    };
    const Image stored = smooth_picture(9, 5, 3);
    const Image full =
        decode(write_tiff(stored, {.photometric = PHOTOMETRIC_YCBCR, .tell = subsampling(1)}), "a.tif");
    CHECK(worst_of(full, [&](int x, int y, int c) {
              return rgb(stored.at(x, y, 0), stored.at(x, y, 1), stored.at(x, y, 2), c);
          }) <= 2);
    // Two by two values of Y, then one of each colour.
    const Bytes strip = bytes_of({50, 60, 70, 80, 100, 200, 90, 100, 110, 120, 140, 90});
    const Image half = decode(write_strips(4, 2, 3, 8, {strip}, subsampling(2)), "a.tif");
    CHECK(worst_of(half, [&](int x, int y, int c) {
              const double luma = 50 + 10 * (x % 2) + 20 * y + 40 * (x / 2);
              return rgb(luma, x < 2 ? 100 : 140, x < 2 ? 200 : 90, c);
          }) <= 2);
}

TEST_CASE("a palette with alpha gives both") {
    std::vector<std::uint16_t> red(256);
    for (std::size_t i = 0; i < red.size(); ++i)
        red[i] = static_cast<std::uint16_t>(i * 257);
    const std::vector<std::uint16_t> green(256, 0x1234);
    const std::vector<std::uint16_t> blue(red.rbegin(), red.rend());
    const Image stored = picture(19, 7, 2, Depth::u8);
    for (const int planar : {PLANARCONFIG_CONTIG, PLANARCONFIG_SEPARATE}) {
        const Bytes file = write_tiff(
            stored, {.photometric = PHOTOMETRIC_PALETTE, .planar = planar, .tell = [&](TIFF* tiff) {
                         TIFFSetField(tiff, TIFFTAG_COLORMAP, red.data(), green.data(), blue.data());
                     }});
        const Image image = decode(file, "a.tif");
        INFO("planar " << planar);
        REQUIRE(image.form() == Form{19, 7, 4, Depth::u8});
        CHECK(worst_of(image, [&](int x, int y, int c) {
                  const double code = stored.at(x, y, 0);
                  return c == 0 ? code : c == 1 ? 0x12 : c == 2 ? 255 - code : stored.at(x, y, 1);
              }) == 0);
    }
}

TEST_CASE("a palette of 16 bits keeps the bits of its colours, and one that stores 8 is read as such") {
    std::vector<std::uint16_t> red(65536);
    for (std::size_t i = 0; i < red.size(); ++i)
        red[i] = static_cast<std::uint16_t>(i);
    const std::vector<std::uint16_t> green(red.rbegin(), red.rend());
    const std::vector<std::uint16_t> blue(65536, 0x1234);
    const Image stored = picture(19, 7, 1, Depth::u16);
    for (const std::string mode : {"wl", "wb"}) {
        const Image image =
            decode(write_tiff(stored, {.photometric = PHOTOMETRIC_PALETTE,
                                       .mode = mode,
                                       .tell =
                                           [&](TIFF* tiff) {
                                               TIFFSetField(tiff, TIFFTAG_COLORMAP, red.data(), green.data(),
                                                            blue.data());
                                           }}),
                   "a.tif");
        REQUIRE(image.form() == Form{19, 7, 3, Depth::u16});
        CHECK(worst_of(image, [&](int x, int y, int c) {
                  const double code = stored.at(x, y, 0);
                  return c == 0 ? code : c == 1 ? 65535 - code : 0x1234;
              }) == 0);
    }
    std::vector<std::uint16_t> low(256);
    for (std::size_t i = 0; i < low.size(); ++i)
        low[i] = static_cast<std::uint16_t>(i);
    const Image bytes = picture(19, 7, 1, Depth::u8);
    const Image image = decode(write_tiff(bytes, {.photometric = PHOTOMETRIC_PALETTE,
                                                  .tell =
                                                      [&](TIFF* tiff) {
                                                          TIFFSetField(tiff, TIFFTAG_COLORMAP, low.data(),
                                                                       low.data(), low.data());
                                                      }}),
                               "a.tif");
    CHECK(worst_of(image, [&](int x, int y, int) { return bytes.at(x, y, 0); }) == 0);
}

TEST_CASE("RGB and alpha of 1 to 7 bits become 8 bits, over the full range") {
    for (unsigned bits = 1; bits < 8; ++bits) {
        for (const std::size_t samples : {1U, 2U, 3U, 4U}) {
            const unsigned most = (1U << bits) - 1;
            std::vector<std::vector<unsigned>> rows(3, std::vector<unsigned>(5 * samples));
            std::uint32_t i = 0;
            for (auto& row : rows)
                std::ranges::generate(row, [&] { return i++ == 0 ? most : hash(i) & most; });
            const auto wanted = [&](int x, int y, int c) {
                const unsigned code =
                    rows.at(static_cast<std::size_t>(y))
                        .at(static_cast<std::size_t>(x) * samples + static_cast<std::size_t>(c));
                return std::floor(code * 255.0 / most + 0.5);
            };
            const auto tell = [&](TIFF* tiff) {
                std::uint16_t kind = EXTRASAMPLE_UNASSALPHA;
                if (samples % 2 == 0)
                    TIFFSetField(tiff, TIFFTAG_EXTRASAMPLES, 1, &kind);
            };
            INFO(bits << " bits, " << samples << " samples");
            const int count = static_cast<int>(samples);
            const Image image = decode(
                write_strips(5, 3, count, static_cast<int>(bits), {packed_rows(rows, bits)}, tell), "a.tif");
            REQUIRE(image.form() == Form{5, 3, count, Depth::u8});
            CHECK(worst_of(image, wanted) == 0);
            std::vector<Bytes> planes;
            for (std::size_t c = 0; c < samples; ++c) {
                std::vector<std::vector<unsigned>> plane(3, std::vector<unsigned>(5));
                for (std::size_t at = 0; at < 15; ++at)
                    plane[at / 5][at % 5] = rows[at / 5][at % 5 * samples + c];
                planes.push_back(packed_rows(plane, bits));
            }
            CHECK(worst_of(decode(write_strips(5, 3, count, static_cast<int>(bits), planes, tell,
                                               PLANARCONFIG_SEPARATE),
                                  "a.tif"),
                           wanted) == 0);
        }
    }
}

TEST_CASE("signed integers, wide ones, and halves and doubles in TIFF become floats of their values") {
    const std::vector<double> values{-3, 0, 1, 2, 100, -128, 127, 0.5, 65504, -0.000061035, 1e-7, 12345};
    struct Kind {
        int format;
        int bits;
    };
    for (const auto& [format, bits] :
         {Kind{SAMPLEFORMAT_INT, 8}, Kind{SAMPLEFORMAT_INT, 16}, Kind{SAMPLEFORMAT_INT, 32},
          Kind{SAMPLEFORMAT_UINT, 32}, Kind{SAMPLEFORMAT_IEEEFP, 16}, Kind{SAMPLEFORMAT_IEEEFP, 64}}) {
        for (const bool big : {false, true}) {
            INFO(format << " of " << bits << " bits, high byte first: " << big);
            Bytes strip;
            std::vector<double> wanted;
            for (const double value : values) {
                std::uint64_t code = 0;
                if (format == SAMPLEFORMAT_IEEEFP && bits == 64) {
                    code = std::bit_cast<std::uint64_t>(value);
                    wanted.push_back(static_cast<float>(value));
                } else if (format == SAMPLEFORMAT_IEEEFP) {
                    constexpr std::array<std::uint16_t, 12> halves{0xc200, 0,      0x3c00, 0x4000,
                                                                   0x5640, 0xd800, 0x57f0, 0x3800,
                                                                   0x7bff, 0x8400, 0x0002, 0x7207};
                    constexpr std::array<double, 12> read{-3,  0,   1,     2,        100,     -128,
                                                          127, 0.5, 65504, -0x1p-14, 0x1p-23, 12344};
                    code = halves.at(wanted.size());
                    wanted.push_back(read.at(wanted.size()));
                } else {
                    const double low = format == SAMPLEFORMAT_UINT ? 0 : -std::ldexp(1, bits - 1);
                    const double high = std::ldexp(1, format == SAMPLEFORMAT_UINT ? bits : bits - 1) - 1;
                    const double kept = std::clamp(std::trunc(value), low, high);
                    code = static_cast<std::uint64_t>(static_cast<std::int64_t>(kept));
                    wanted.push_back(kept);
                }
                for (int i = 0; i < bits / 8; ++i)
                    strip.push_back(static_cast<std::byte>(
                        code >> 8U * static_cast<unsigned>(big ? bits / 8 - 1 - i : i)));
            }
            const auto tell = [&, format = format](TIFF* tiff) {
                TIFFSetField(tiff, TIFFTAG_SAMPLEFORMAT, format);
            };
            Notes notes;
            const Image image =
                decode(write_strips(4, 3, 1, bits, {strip}, tell, PLANARCONFIG_CONTIG, big ? "wb" : "wl"),
                       "a.tif", {.notes = &notes});
            REQUIRE(image.form() == Form{4, 3, 1, Depth::f32});
            CHECK(worst_of(image, [&](int x, int y, int) {
                      return wanted.at(static_cast<std::size_t>(4 * y + x));
                  }) == 0);
            CHECK(notes.size() == (bits >= 32 ? 1 : 0)); // some do not fit into a float
            if (bits == 8)
                continue;
            Bytes rgb;
            for (const std::size_t i : {0U, 1U, 2U, 3U, 4U, 5U}) // two pixels
                rgb.insert(rgb.end(), strip.begin() + static_cast<std::ptrdiff_t>(i) * bits / 8,
                           strip.begin() + static_cast<std::ptrdiff_t>(i + 1) * bits / 8);
            const Image colour = decode(
                write_strips(2, 1, 3, bits, {rgb}, tell, PLANARCONFIG_CONTIG, big ? "wb" : "wl"), "a.tif");
            CHECK(worst_of(colour, [&](int x, int, int c) {
                      return wanted.at(static_cast<std::size_t>(3 * x + c));
                  }) == 0);
        }
    }
}

TEST_CASE("values of 9 to 15 bits become 16 bits, over the full range") {
    for (const unsigned bits : {9U, 10U, 12U, 14U, 15U}) {
        for (const std::size_t samples : {std::size_t{1}, std::size_t{3}}) {
            const unsigned most = (1U << bits) - 1;
            std::vector<std::vector<unsigned>> rows(3, std::vector<unsigned>(5 * samples));
            std::uint32_t i = 0;
            for (auto& row : rows)
                std::ranges::generate(row, [&] { return i++ == 0 ? most : hash(i) & most; });
            const auto wanted = [&](int x, int y, int c) {
                const unsigned code =
                    rows.at(static_cast<std::size_t>(y))
                        .at(static_cast<std::size_t>(x) * samples + static_cast<std::size_t>(c));
                return std::floor(code * 65535.0 / most + 0.5);
            };
            INFO(bits << " bits, " << samples << " samples");
            const auto nothing = [](TIFF*) {};
            const int count = static_cast<int>(samples);
            const Image image =
                decode(write_strips(5, 3, count, static_cast<int>(bits), {packed_rows(rows, bits)}, nothing),
                       "a.tif");
            REQUIRE(image.form() == Form{5, 3, count, Depth::u16});
            CHECK(worst_of(image, wanted) == 0);
            std::vector<Bytes> planes;
            for (std::size_t c = 0; c < samples; ++c) {
                std::vector<std::vector<unsigned>> plane(3, std::vector<unsigned>(5));
                for (std::size_t at = 0; at < 15; ++at)
                    plane[at / 5][at % 5] = rows[at / 5][at % 5 * samples + c];
                planes.push_back(packed_rows(plane, bits));
            }
            CHECK(worst_of(decode(write_strips(5, 3, count, static_cast<int>(bits), planes, nothing,
                                               PLANARCONFIG_SEPARATE),
                                  "a.tif"),
                           wanted) == 0);
        }
    }
}

TEST_CASE("a fax with a garbled line is read with a note, and a whole one without") {
    std::vector<std::vector<unsigned>> rows(20, std::vector<unsigned>(64));
    for (std::size_t i = 0; i < 20 * 64; ++i)
        rows[i / 64][i % 64] = hash(static_cast<std::uint32_t>(i / 5)) & 1U;
    const TempDir folder;
    TIFF* tiff = TIFFOpen((folder / "a.tif").c_str(), "wl");
    REQUIRE(tiff != nullptr);
    TIFFSetField(tiff, TIFFTAG_IMAGEWIDTH, 64);
    TIFFSetField(tiff, TIFFTAG_IMAGELENGTH, 20);
    TIFFSetField(tiff, TIFFTAG_ROWSPERSTRIP, 20);
    TIFFSetField(tiff, TIFFTAG_BITSPERSAMPLE, 1);
    TIFFSetField(tiff, TIFFTAG_PHOTOMETRIC, PHOTOMETRIC_MINISBLACK);
    TIFFSetField(tiff, TIFFTAG_COMPRESSION, COMPRESSION_CCITTFAX3);
    Bytes packed = packed_rows(rows, 1);
    REQUIRE(TIFFWriteEncodedStrip(tiff, 0, packed.data(), static_cast<tmsize_t>(packed.size())) > 0);
    TIFFClose(tiff);
    Bytes file = read_file(folder / "a.tif");
    Notes notes;
    const Image whole = decode(file, "a.tif", {.notes = &notes});
    CHECK(notes.empty());
    CHECK(worst_of(whole, [&](int x, int y, int) {
              return 255.0 * rows.at(static_cast<std::size_t>(y)).at(static_cast<std::size_t>(x));
          }) == 0);
    const std::size_t strip = number_at(file, entry_of(file, TIFFTAG_STRIPOFFSETS) + 8, 4);
    const std::size_t size = number_at(file, entry_of(file, TIFFTAG_STRIPBYTECOUNTS) + 8, 4);
    file[strip + size / 2] ^= std::byte{0x5a};
    const Image garbled = decode(file, "a.tif", {.notes = &notes});
    CHECK(notes == Notes{"a.tif: lines of the fax are garbled; they are read as far as they go"});
    CHECK(garbled.form() == whole.form());
    for (const int y : {0, 1, 2, 3, 4, 17, 18, 19}) { // the line alone is lost, or two of them
        for (int x = 0; x < 64; ++x)
            CHECK(garbled.at(x, y, 0) == whole.at(x, y, 0));
    }
}

TEST_CASE("old-style JPEG in TIFF is read") {
    // TIFF 6.0, section 22: a whole JPEG file, which the tags point to.
    const Bytes jpeg = write_jpeg(32, 16, 3, JpegKind::baseline, {.across = 1, .down = 1});
    const auto scan = static_cast<std::uint32_t>(first_place(jpeg, bytes_of({0xff, 0xda})));
    const auto size = static_cast<std::uint32_t>(jpeg.size());
    constexpr std::uint32_t start = 8;
    const std::vector<std::array<std::uint32_t, 3>> entries{
        {TIFFTAG_IMAGEWIDTH, 4, 32},
        {TIFFTAG_IMAGELENGTH, 4, 16},
        {TIFFTAG_BITSPERSAMPLE, 3, 0}, // three of them
        {TIFFTAG_COMPRESSION, 3, COMPRESSION_OJPEG},
        {TIFFTAG_PHOTOMETRIC, 3, PHOTOMETRIC_YCBCR},
        {TIFFTAG_STRIPOFFSETS, 4, start + scan},
        {TIFFTAG_SAMPLESPERPIXEL, 3, 3},
        {TIFFTAG_ROWSPERSTRIP, 4, 16},
        {TIFFTAG_STRIPBYTECOUNTS, 4, size - scan},
        {TIFFTAG_JPEGPROC, 3, 1},
        {TIFFTAG_JPEGIFOFFSET, 4, start},
        {TIFFTAG_JPEGIFBYTECOUNT, 4, size},
        {TIFFTAG_YCBCRSUBSAMPLING, 3, 0x10001},
    };
    const std::uint32_t bits = start + size + size % 2;
    const std::uint32_t directory = bits + 6;
    Bytes file = bytes_of("II*") + Bytes(1) + little_endian(directory, 4) + jpeg + Bytes(size % 2) +
                 bytes_of({8, 0, 8, 0, 8, 0}) + little_endian(static_cast<std::uint32_t>(entries.size()), 2);
    for (const auto& [tag, type, value] : entries) {
        const bool three = tag == TIFFTAG_BITSPERSAMPLE;
        const std::uint32_t count = three ? 3 : tag == TIFFTAG_YCBCRSUBSAMPLING ? 2 : 1;
        file = std::move(file) + little_endian(tag, 2) + little_endian(type, 2) + little_endian(count, 4) +
               little_endian(three ? bits : value, 4);
    }
    file = std::move(file) + Bytes(4);
    const Image image = decode(file, "a.tif");
    const Image wanted = decode(jpeg, "a.jpg");
    REQUIRE(image.form() == wanted.form());
    CHECK(worst_of(image, [&](int x, int y, int c) { return wanted.at(x, y, c); }) <= 2);
}

TEST_CASE("a private tag that cannot be read does not refuse the picture") {
    const Image image = picture(9, 5, 3, Depth::u8);
    static const std::array<TIFFFieldInfo, 1> fields{
        {{65000, TIFF_VARIABLE, TIFF_VARIABLE, TIFF_ASCII, FIELD_CUSTOM, 1, 0, const_cast<char*>("Mine")}}};
    const Bytes good = write_tiff(image, {.mode = "wl", .tell = [](TIFF* tiff) {
                                              TIFFMergeFieldInfo(tiff, fields.data(), 1);
                                              TIFFSetField(tiff, 65000, "a text of some length");
                                          }});
    CHECK(same(decode(good, "a.tif"), image));
    const std::size_t entry = entry_of(good, 65000);
    struct Fault {
        std::size_t place;
        std::uint32_t value;
        int bytes;
        bool noted;
    };
    for (const Fault& fault : {Fault{8, 0xfffffff0, 4, true}, Fault{4, 0x7fffffff, 4, true},
                               Fault{4, 0xffffffff, 4, true}, Fault{2, 99, 2, true}, Fault{4, 0, 4, false}}) {
        Bytes file = good;
        put_at(file, entry + fault.place, fault.value, fault.bytes);
        INFO(fault.place << " is " << fault.value);
        Notes notes;
        CHECK(same(decode(file, "a.tif", {.notes = &notes}), image));
        const Notes told{"a.tif: a private tag cannot be read; it is left out"};
        CHECK(notes == (fault.noted ? told : Notes{}));
    }
    Bytes file = good; // a tag that pixels depend on is another matter
    put_at(file, entry_of(file, TIFFTAG_BITSPERSAMPLE) + 8, 0xfffffff0, 4);
    CHECK(error_of([&] { decode(file, "a.tif"); }).has_value());
}

TEST_CASE("a TIFF that does not say what its colours are is grey or RGB by their number") {
    for (int channels = 1; channels <= 4; ++channels) {
        const Image image = picture(9, 5, channels, Depth::u8);
        CHECK(same(decode(write_tiff(image, {.photometric = -2}), "a.tif"), image));
    }
}

TEST_CASE("a fax that does not say what its colours are is black on white, and four colours are inks") {
    const Bytes bits = bytes_of({0xf0, 0x0f, 0xaa, 0x55, 0xff, 0x00});
    for (const int compression : {COMPRESSION_CCITTFAX3, COMPRESSION_CCITTFAX4, COMPRESSION_CCITTRLE}) {
        const TempDir folder;
        TIFF* tiff = TIFFOpen((folder / "a.tif").c_str(), "wl");
        REQUIRE(tiff != nullptr);
        TIFFSetField(tiff, TIFFTAG_IMAGEWIDTH, 16);
        TIFFSetField(tiff, TIFFTAG_IMAGELENGTH, 3);
        TIFFSetField(tiff, TIFFTAG_ROWSPERSTRIP, 3);
        TIFFSetField(tiff, TIFFTAG_BITSPERSAMPLE, 1);
        TIFFSetField(tiff, TIFFTAG_SAMPLESPERPIXEL, 1);
        TIFFSetField(tiff, TIFFTAG_COMPRESSION, compression);
        Bytes strip = bits;
        REQUIRE(TIFFWriteEncodedStrip(tiff, 0, strip.data(), static_cast<tmsize_t>(strip.size())) > 0);
        TIFFClose(tiff);
        const Image image = decode(read_file(folder / "a.tif"), "a.tif");
        INFO("compression " << compression);
        CHECK(worst_of(image, [&](int x, int y, int) {
                  const auto byte =
                      std::to_integer<unsigned>(bits.at(static_cast<std::size_t>(2 * y + x / 8)));
                  return (byte >> (7 - x % 8) & 1U) != 0 ? 0 : 255;
              }) == 0);
    }
    const Image inks = picture(9, 5, 4, Depth::u8);
    for (const int planar : {PLANARCONFIG_CONTIG, PLANARCONFIG_SEPARATE}) {
        const Image told = decode(
            write_tiff(inks, {.photometric = PHOTOMETRIC_SEPARATED, .planar = planar, .extra = -1}), "a.tif");
        CHECK(same(decode(write_tiff(inks, {.photometric = -2, .planar = planar, .extra = -1}), "a.tif"),
                   told));
    }
}

TEST_CASE("planes, strips and tiles at impossible offsets are refused") {
    const Image image = picture(16, 16, 3, Depth::u8);
    for (const int planar : {PLANARCONFIG_CONTIG, PLANARCONFIG_SEPARATE}) {
        for (const int tile : {0, 16}) {
            for (const int compression : {COMPRESSION_NONE, COMPRESSION_LZW}) {
                const Bytes good = write_tiff(
                    image,
                    {.compression = compression, .planar = planar, .tile = tile, .rows = 16, .mode = "wl"});
                const std::size_t entry =
                    entry_of(good, tile > 0 ? TIFFTAG_TILEOFFSETS : TIFFTAG_STRIPOFFSETS);
                const bool wide = number_at(good, entry + 2, 2) == TIFF_LONG;
                const std::uint32_t count = number_at(good, entry + 4, 4);
                const bool inside = count * (wide ? 4 : 2) <= 4;
                const std::size_t values = inside ? entry + 8 : number_at(good, entry + 8, 4);
                for (std::uint32_t i = 0; i < count; ++i) {
                    for (const std::uint32_t offset : {0U, 1U, 7U, 0xfff0U, 0xfffffff0U}) {
                        Bytes file = good;
                        put_at(file, values + i * (wide ? 4 : 2), offset, wide ? 4 : 2);
                        INFO("offset " << offset << " of " << i << ", planar " << planar << ", tile " << tile
                                       << ", compression " << compression);
                        const auto error = error_of([&] { decode(file, "a.tif"); });
                        REQUIRE(error.has_value());
                        CHECK(error->code() == ErrorCode::input);
                    }
                }
            }
        }
    }
}
#endif
