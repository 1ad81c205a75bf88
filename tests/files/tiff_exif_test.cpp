// EXIF in TIFF: directories that are taken apart and put together again.
#ifdef GLPROC_WITH_TIFF
#include "glproc/files/codecs/tiff/exif.hpp"

#include "files/metadata_files.hpp"
#include "files/tiff_files.hpp"
#include "glproc/image/exif.hpp"

using namespace glproc;
using namespace glproc::test;

namespace {

/// EXIF of a camera: make, orientation and resolution, then a directory with a rational, a short, a text and
/// two blocks without a type, and one of places on the globe.
Bytes camera_exif(bool big) {
    const auto number = [&](std::uint32_t value, int count) {
        return big ? big_endian(value, count) : little_endian(value, count);
    };
    const auto entry = [&](std::uint32_t tag, std::uint32_t type, std::uint32_t count, const Bytes& value) {
        return number(tag, 2) + number(type, 2) + number(count, 4) + value + Bytes(4 - value.size());
    };
    const auto place = [&](std::uint32_t at) { return number(at, 4); };
    constexpr std::uint32_t exif = 8 + 2 + 5 * 12 + 4;
    constexpr std::uint32_t gps = exif + 2 + 5 * 12 + 4;
    constexpr std::uint32_t data = gps + 2 + 2 * 12 + 4;
    Bytes block = bytes_of(big ? "MM" : "II") + number(42, 2) + number(8, 4) + //
                  number(5, 2) + entry(0x010f, 2, 6, place(data)) +            // make
                  entry(0x0112, 3, 1, number(1, 2)) +                          // orientation
                  entry(0x0132, 2, 20, place(data + 6)) +                      // date
                  entry(0x8769, 4, 1, place(exif)) + entry(0x8825, 4, 1, place(gps)) + number(0, 4);
    block = std::move(block) + number(5, 2) + entry(0x829a, 5, 1, place(data + 26)) + // exposure time
            entry(0x8827, 3, 1, number(800, 2)) +                                     // speed
            entry(0x9000, 7, 4, bytes_of("0232")) +                                   // version
            entry(0x9003, 2, 20, place(data + 6)) +                                   // date of the original
            entry(0x927c, 7, 9, place(data + 34)) + number(0, 4);                     // the maker's notes
    block = std::move(block) + number(2, 2) + entry(1, 2, 2, bytes_of("N")) +
            entry(2, 5, 3, place(data + 44)) + number(0, 4);
    block = std::move(block) + bytes_of("Maker") + Bytes(1) + bytes_of("2026:11:22 12:34:56") + Bytes(1) +
            number(1, 4) + number(250, 4) + bytes_of("MakerNote") + Bytes(1);
    for (const std::uint32_t value : {47U, 1U, 30U, 1U, 3599U, 100U})
        block = std::move(block) + number(value, 4);
    return block;
}

Bytes tiff_with(const Bytes& exif) {
    return encode(with_metadata(picture(9, 5, 3, Depth::u8), {.exif = exif}), "tif");
}

/// What libtiff finds in the file's directories.
struct Found {
    std::string make;
    double exposure = 0;
    std::string date;
    std::string notes;
    std::array<double, 3> latitude{};
};

Found found_by_libtiff(const Bytes& file) {
    const TempDir folder;
    write_file(folder / "a.tif", file);
    TIFF* tiff = TIFFOpen((folder / "a.tif").c_str(), "r");
    REQUIRE(tiff != nullptr);
    Found found;
    const char* text = nullptr;
    REQUIRE(TIFFGetField(tiff, TIFFTAG_MAKE, &text) == 1);
    found.make = text;
    toff_t exif = 0;
    toff_t gps = 0;
    REQUIRE(TIFFGetField(tiff, TIFFTAG_EXIFIFD, &exif) == 1);
    REQUIRE(TIFFGetField(tiff, TIFFTAG_GPSIFD, &gps) == 1);
    REQUIRE(TIFFReadEXIFDirectory(tiff, exif) == 1);
    float exposure = 0;
    REQUIRE(TIFFGetField(tiff, EXIFTAG_EXPOSURETIME, &exposure) == 1);
    found.exposure = exposure;
    REQUIRE(TIFFGetField(tiff, EXIFTAG_DATETIMEORIGINAL, &text) == 1);
    found.date = text;
    std::uint16_t count = 0;
    REQUIRE(TIFFGetField(tiff, EXIFTAG_MAKERNOTE, &count, &text) == 1);
    found.notes = std::string(text, count);
    REQUIRE(TIFFReadGPSDirectory(tiff, gps) == 1);
    const double* latitude = nullptr;
    REQUIRE(TIFFGetField(tiff, GPSTAG_LATITUDE, &latitude) == 1);
    std::copy_n(latitude, 3, found.latitude.begin());
    TIFFClose(tiff);
    return found;
}

} // namespace

TEST_CASE("EXIF goes into TIFF as libtiff reads it, from either byte order") {
    for (const bool big : {false, true}) {
        const Found found = found_by_libtiff(tiff_with(camera_exif(big)));
        INFO("big endian " << big);
        CHECK(found.make == "Maker");
        CHECK(found.exposure == Approx(1 / 250.0));
        CHECK(found.date == "2026:11:22 12:34:56");
        CHECK(found.notes == "MakerNote");
        CHECK(found.latitude == std::array<double, 3>{47, 30, 35.99});
    }
}

TEST_CASE("EXIF comes out of TIFF as it went in, but for the picture's own tags") {
    const Bytes first = decode(tiff_with(camera_exif(false)), "a.tif").metadata().exif;
    CHECK(first.size() > 150);
    CHECK(orientation_of(first) == 1);
    CHECK(decode(tiff_with(camera_exif(true)), "a.tif").metadata().exif == first);
    // Once more, through PNG and back: it is the same now, byte for byte.
    const Image png =
        decode(encode(with_metadata(picture(9, 5, 3, Depth::u8), {.exif = first}), "png"), "a.png");
    CHECK(png.metadata().exif == first);
    CHECK(decode(encode(png, "tif"), "a.tif").metadata().exif == first);
    CHECK(found_by_libtiff(encode(png, "tif")).exposure == Approx(1 / 250.0));
}

TEST_CASE("EXIF of a turned TIFF does not turn the picture again") {
    const Bytes file =
        write_tiff(picture(5, 3, 3, Depth::u8),
                   {.orientation = 6, .tell = [](TIFF* tiff) { TIFFSetField(tiff, TIFFTAG_MAKE, "Maker"); }});
    const Image image = decode(file, "a.tif");
    CHECK(image.width() == 3);
    CHECK_FALSE(image.metadata().exif.empty());
    CHECK(orientation_of(image.metadata().exif) == 1);
}

TEST_CASE("a TIFF without a camera's tags has no EXIF") {
    const Metadata metadata{.texts = {{"Description", "d"}, {"Software", "s"}}};
    const Bytes file = encode(with_metadata(picture(9, 5, 3, Depth::u8), metadata), "tif");
    CHECK(decode(file, "a.tif").metadata().exif.empty());
}

TEST_CASE("a text of the picture wins over the same of EXIF") {
    const Metadata metadata{.exif = camera_exif(true), .texts = {{"Software", "the text"}}};
    const Bytes file = encode(with_metadata(picture(9, 5, 3, Depth::u8), metadata), "tif");
    CHECK(decode(file, "a.tif").metadata().texts == std::vector<Text>{{"Software", "the text"}});
}

TEST_CASE("EXIF is found in BigTIFF, and put there") {
    constexpr std::uint64_t start = 16 + 8 + 2 * 20 + 8;
    const codecs::TiffExif placed = codecs::place_exif(camera_exif(true), start, true);
    REQUIRE(placed.exif != 0);
    REQUIRE(placed.gps != 0);
    const auto entry = [](std::uint32_t tag, std::uint64_t value) {
        return little_endian(tag, 2) + little_endian(TIFF_IFD8, 2) + little_endian(1, 4) + Bytes(4) +
               little_endian(static_cast<std::uint32_t>(value), 4) + Bytes(4);
    };
    const Bytes file = bytes_of("II+") + bytes_of({0, 8, 0, 0, 0, 16, 0, 0, 0, 0, 0, 0, 0}) +
                       little_endian(2, 4) + Bytes(4) + entry(0x8769, placed.exif) +
                       entry(0x8825, placed.gps) + Bytes(8) + placed.bytes;
    const Bytes exif = codecs::read_tiff_blocks({.bytes = file, .name = "a", .max_pixels = 0}).exif;
    const Bytes classic =
        codecs::read_tiff_blocks({.bytes = tiff_with(camera_exif(false)), .name = "a", .max_pixels = 0}).exif;
    CHECK(first_place(exif, bytes_of("MakerNote")) > 0);
    CHECK(exif.size() + 2 * 12 + 6 + 20 == classic.size()); // without make and date
}

TEST_CASE("EXIF that is cut short or damaged is carried as far as it goes") {
    const Bytes whole = camera_exif(false);
    for (std::size_t size = 8; size < whole.size(); ++size) {
        const Bytes cut(whole.begin(), whole.begin() + static_cast<std::ptrdiff_t>(size));
        CHECK_NOTHROW(decode(tiff_with(cut), "a.tif"));
    }
    for (std::size_t at = 4; at < 200; ++at) {
        for (const int value : {0, 1, 8, 127, 255}) {
            Bytes damaged = whole;
            damaged[at] = static_cast<std::byte>(value);
            INFO(at << " is " << value);
            CHECK_NOTHROW(decode(tiff_with(damaged), "a.tif"));
        }
    }
    // Directories that point at each other.
    Bytes circle = whole;
    std::ranges::copy(little_endian(8, 4), circle.begin() + 8 + 2 + 3 * 12 + 8);
    CHECK_NOTHROW(decode(tiff_with(circle), "a.tif"));
}
#endif
