// TIFF files that are rare, odd or slightly broken: colours of other kinds, odd depths, old codes.
#ifdef GLPROC_WITH_TIFF
#include "files/jpeg_files.hpp"
#include "files/metadata_files.hpp"
#include "files/tiff_strips.hpp"

using namespace glproc;
using namespace glproc::test;

namespace {

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
    CHECK(notes == Notes{"a.tif: corrupt scanlines; each is read up to the damage"});
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
