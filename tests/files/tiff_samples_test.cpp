// Samples that TIFF files hold: of every size, signed, as floats, by palettes, as Lab and as inks.
#ifdef GLPROC_WITH_TIFF
#include "files/metadata_files.hpp"
#include "files/tiff_strips.hpp"

#include <bit>

using namespace glproc;
using namespace glproc::test;

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

namespace {

/// Checks that pixels of so many bits are read over the full range of `depth`, together and in planes.
void check_full_range(unsigned bits, std::size_t samples, Depth depth) {
    const unsigned most = (1U << bits) - 1;
    std::vector<std::vector<unsigned>> rows(3, std::vector<unsigned>(5 * samples));
    std::uint32_t i = 0;
    for (auto& row : rows)
        std::ranges::generate(row, [&] { return i++ == 0 ? most : hash(i) & most; });
    const auto wanted = [&](int x, int y, int c) {
        const unsigned code = rows.at(static_cast<std::size_t>(y))
                                  .at(static_cast<std::size_t>(x) * samples + static_cast<std::size_t>(c));
        return std::floor(code * (depth == Depth::u8 ? 255.0 : 65535.0) / most + 0.5);
    };
    const auto tell = [&](TIFF* tiff) {
        std::uint16_t kind = EXTRASAMPLE_UNASSALPHA;
        if (samples % 2 == 0)
            TIFFSetField(tiff, TIFFTAG_EXTRASAMPLES, 1, &kind);
    };
    INFO(bits << " bits, " << samples << " samples");
    const int count = static_cast<int>(samples);
    const auto read = [&](const std::vector<Bytes>& strips, int planar) {
        return decode(write_strips(5, 3, count, static_cast<int>(bits), strips, tell, planar), "a.tif");
    };
    const Image image = read({packed_rows(rows, bits)}, PLANARCONFIG_CONTIG);
    REQUIRE(image.form() == Form{5, 3, count, depth});
    CHECK(worst_of(image, wanted) == 0);
    std::vector<Bytes> planes;
    for (std::size_t c = 0; c < samples; ++c) {
        std::vector<std::vector<unsigned>> plane(3, std::vector<unsigned>(5));
        for (std::size_t at = 0; at < 15; ++at)
            plane[at / 5][at % 5] = rows[at / 5][at % 5 * samples + c];
        planes.push_back(packed_rows(plane, bits));
    }
    CHECK(worst_of(read(planes, PLANARCONFIG_SEPARATE), wanted) == 0);
}

} // namespace

TEST_CASE("RGB and alpha of 1 to 7 bits become 8 bits, over the full range") {
    for (unsigned bits = 1; bits < 8; ++bits) {
        for (const std::size_t samples : {1U, 2U, 3U, 4U})
            check_full_range(bits, samples, Depth::u8);
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
        for (const std::size_t samples : {1U, 3U})
            check_full_range(bits, samples, Depth::u16);
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
#endif
