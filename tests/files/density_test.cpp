// The density of a picture: where each format states it, that it travels among them, and that EXIF agrees.
#include "files/metadata_files.hpp"
#include "files/png_files.hpp"
#include "glproc/files/inspect.hpp"
#include "glproc/files/rows.hpp"
#include "glproc/image/exif.hpp"
#include "support/temp_dir.hpp"

#include <cmath>
#include <numbers>

#ifdef GLPROC_WITH_TIFF
#include "files/tiff_files.hpp"
#endif

using namespace glproc;
using namespace glproc::test;

namespace {

using Unit = Density::Unit;

constexpr Density inches300{300, 300, Unit::inch};

Image with_density(const Density& density, int channels = 3) {
    return with_metadata(smooth_picture(20, 10, channels), {.density = density});
}

/// What of `density` comes back from a file in the format.
std::optional<Density> back(const std::string& name, const Density& density) {
    const Bytes file = encode(with_density(density), name);
    CHECK(inspect(file, "a." + name).metadata.density == decode(file, "a." + name).metadata().density);
    return decode(file, "a." + name).metadata().density;
}

/// Of those that keep a density, those that this build can write.
std::vector<std::string> carriers() {
    std::vector<std::string> names{"png", "jpg", "bmp"};
    for (const std::string name : {"tif", "webp", "jxl", "heic", "avif"}) {
        if (!error_of([&] { check_encodable("a." + name); }))
            names.push_back(name);
    }
    return names;
}

/// A TIFF structure with a resolution, and an orientation before it and a text after it.
Bytes exif_with(std::uint32_t x, std::uint32_t y, std::uint32_t unit, bool big) {
    const auto number = [&](std::uint32_t value, int count) {
        return big ? big_endian(value, count) : little_endian(value, count);
    };
    const auto entry = [&](std::uint32_t tag, std::uint32_t type, const Bytes& value) {
        return number(tag, 2) + number(type, 2) + number(1, 4) + value;
    };
    return bytes_of(big ? "MM" : "II") + number(42, 2) + number(8, 4) + number(4, 2) +
           entry(0x112, 3, number(1, 2) + Bytes(2)) + entry(0x11a, 5, number(62, 4)) +
           entry(0x11b, 5, number(70, 4)) + entry(0x128, 3, number(unit, 2) + Bytes(2)) + number(0, 4) +
           number(x, 4) + number(1, 4) + number(y, 4) + number(1, 4) + bytes_of("the camera's own notes");
}

} // namespace

TEST_CASE("a density goes through every format that has a place for it") {
    for (const std::string& name : carriers()) {
        INFO(name);
        for (const double value : {72.0, 96.0, 300.0, 600.0, 2400.0}) {
            const auto found = back(name, {value, value, Unit::inch});
            REQUIRE(found.has_value());
            CHECK(found->in(Unit::inch) == Density{value, value, Unit::inch});
        }
        const auto uneven = back(name, {204, 98, Unit::inch}); // fax
        REQUIRE(uneven.has_value());
        CHECK(uneven->in(Unit::inch) == Density{204, 98, Unit::inch});
        const auto metric = back(name, {118, 118, Unit::centimetre});
        REQUIRE(metric.has_value());
        CHECK(metric->in(Unit::centimetre) == Density{118, 118, Unit::centimetre});
        CHECK_FALSE(decode(encode(smooth_picture(20, 10, 3), name), "a." + name).metadata().density);
    }
}

TEST_CASE("a proportion of width to height is kept as one") {
    for (const std::string& name : carriers()) {
        const bool keeps = name == "png" || name == "jpg" || name == "tif";
        INFO(name);
        CHECK(back(name, {2, 1, Unit::none}) ==
              (keeps ? std::optional(Density{2, 1, Unit::none}) : std::nullopt));
    }
}

TEST_CASE("a proportion becomes one of whole numbers at once, however small its numbers are") {
    CHECK(Density{4.0 / 3, 1, Unit::none}.whole() == Density{4, 3, Unit::none});
    CHECK(Density{4, 2, Unit::none}.whole() == Density{4, 2, Unit::none});
    CHECK(Density{1e-8, 900'000'000, Unit::none}.whole() == Density{1, 65535, Unit::none});
    CHECK(Density{900'000'000, 1e-8, Unit::none}.whole() == Density{65535, 1, Unit::none});
    const double wanted[] = {std::numbers::pi, 1 / std::numbers::e, 65534.7, 1 / 65534.7, 1.000015, 0.5 + 1e-12};
    for (const double ratio : wanted) {
        for (const double x : {1.0, 33331.0 / 4294967291, 999.0}) { // steps of x to a whole number: 6.5e9 for the second
            const Density found = Density{x, x * ratio, Unit::none}.whole();
            INFO(ratio << " " << x << ": " << found.x << " " << found.y);
            CHECK((found.x >= 1 && found.y >= 1 && found.x <= 65535 && found.y <= 65535));
            CHECK((found.x == std::round(found.x) && found.y == std::round(found.y)));
            CHECK(std::abs(found.y / found.x / ratio - 1) < 1.0 / 65535);
        }
    }
}

TEST_CASE("a density survives a walk through all formats") {
    Image image = with_density(inches300);
    for (const std::string& first : carriers()) {
        for (const std::string& name : {first, std::string("png"), std::string("jpg"), first}) {
            image = decode(encode(image, name), "a." + name);
            INFO(first << ", " << name);
            REQUIRE(image.metadata().density.has_value());
            CHECK(image.metadata().density->in(Unit::inch) == inches300);
        }
    }
}

TEST_CASE("the density stands where the formats' own descriptions say") {
    const Image image = with_density(inches300);
    for (const Chunk& chunk : chunks_of(encode(image, "png"))) {
        if (chunk.type == "pHYs")
            CHECK(chunk.data == big_endian(11811, 4) + big_endian(11811, 4) + bytes_of({1}));
    }
    const Bytes jpeg = encode(image, "jpg");
    CHECK(Bytes(jpeg.begin() + 13, jpeg.begin() + 18) == bytes_of({1, 300 / 256, 300 % 256, 1, 300 % 256}));
    const Bytes bmp = encode(image, "bmp");
    CHECK(Bytes(bmp.begin() + 38, bmp.begin() + 46) == little_endian(11811, 4) + little_endian(11811, 4));
#ifdef GLPROC_WITH_TIFF
    const TempDir folder;
    save(image, folder / "a.tif");
    TIFF* tiff = TIFFOpen((folder / "a.tif").c_str(), "r");
    REQUIRE(tiff != nullptr);
    float x = 0;
    std::uint16_t unit = 0;
    CHECK(TIFFGetField(tiff, TIFFTAG_XRESOLUTION, &x) == 1);
    CHECK(TIFFGetField(tiff, TIFFTAG_RESOLUTIONUNIT, &unit) == 1);
    TIFFClose(tiff);
    CHECK(x == 300);
    CHECK(unit == RESUNIT_INCH);
#endif
}

TEST_CASE("rows carry the density, too") {
    const TempDir folder;
    for (const std::string& name : carriers()) {
        const std::filesystem::path path = folder / ("a." + name);
        const Image image = with_density(inches300);
        auto writer = write_rows(path, image.form(), image.metadata());
        if (writer == nullptr)
            continue;
        writer->write(image.bytes());
        writer->finish();
        const auto source = open_rows(path);
        REQUIRE(source.has_value());
        REQUIRE(source->metadata.density.has_value());
        CHECK(source->metadata.density->in(Unit::inch) == inches300);
    }
}

TEST_CASE("where a file states no density itself, EXIF's counts") {
    for (const bool big : {false, true}) {
        const Bytes inch = exif_with(240, 120, 2, big);
        CHECK(density_of(inch) == Density{240, 120, Unit::inch});
        CHECK(density_of(exif_with(100, 100, 3, big)) == Density{100, 100, Unit::centimetre});
        CHECK_FALSE(density_of(exif_with(0, 100, 2, big)));
        const Metadata unknown{.exif = exif_with(72, 72, 1, big)}; // of no unit
        CHECK_FALSE(decode(encode(with_metadata(smooth_picture(9, 9, 3), unknown), "png"), "a.png")
                        .metadata()
                        .density);
        const Bytes png = encode(with_metadata(smooth_picture(9, 9, 3), {.exif = inch}), "png");
        const Image image = decode(png, "a.png");
        CHECK(image.metadata().density == Density{240, 120, Unit::inch});
        CHECK(image.metadata().exif == inch);
    }
}

TEST_CASE("EXIF agrees with the density, and is untouched where it does") {
    for (const std::string& name : carriers()) {
        if (name == "bmp" || name == "tif")
            continue; // no EXIF, or without a resolution of its own
        for (const bool big : {false, true}) {
            INFO(name << ", big endian " << big);
            const auto exif_of = [&](const Bytes& exif) {
                const Metadata metadata{.exif = exif, .density = inches300};
                const Bytes file = encode(with_metadata(smooth_picture(20, 10, 3), metadata), name);
                return decode(file, "a." + name).metadata().exif;
            };
            CHECK(exif_of(exif_with(300, 300, 2, big)) == exif_with(300, 300, 2, big));
            CHECK(density_of(exif_of(exif_with(72, 72, 1, big))) == inches300);
            const Bytes mended = exif_of(exif_with(72, 72, 2, big));
            CHECK(density_of(mended) == inches300);
            CHECK(orientation_of(mended) == 1);
            const Bytes notes = bytes_of("the camera's own notes");
            const Bytes before = exif_with(72, 72, 2, big);
            CHECK(first_place(mended, notes) == first_place(before, notes)); // places may be pointed at
            // Only formats without a place of their own add a resolution to EXIF.
            const bool own_place = name == "png" || name == "jpg";
            CHECK(density_of(exif_of(exif_block(1, big))).has_value() == !own_place);
            CHECK(orientation_of(exif_of(exif_block(6, big))) == 1);
        }
    }
}

TEST_CASE("a density added to EXIF keeps its directory in order, and broken EXIF as it is") {
    for (const bool big : {false, true}) {
        const Bytes whole = exif_block(6, big);
        const Bytes added =
            exif_with_density({.exif = whole, .density = Density{118.5, 59, Unit::centimetre}});
        CHECK(density_of(added) == Density{118.5, 59, Unit::centimetre});
        CHECK(orientation_of(added) == 6);
        const auto number = [&](std::size_t at) {
            const auto high = std::to_integer<unsigned>(added[at + (big ? 0 : 1)]);
            return high * 256 + std::to_integer<unsigned>(added[at + (big ? 1 : 0)]);
        };
        const std::size_t directory = number(big ? 6 : 4);
        REQUIRE(number(directory) == 5);
        for (std::size_t i = 1; i < 5; ++i)
            CHECK(number(directory + 2 + 12 * (i - 1)) < number(directory + 2 + 12 * i));
        for (std::size_t size = 0; size < whole.size(); ++size) {
            const Bytes cut(whole.begin(), whole.begin() + static_cast<std::ptrdiff_t>(size));
            const Bytes result = exif_with_density({.exif = cut, .density = inches300});
            CHECK((result == cut || density_of(result) == inches300));
        }
    }
    CHECK(density_of(exif_with_density({.density = inches300})) == inches300);
}

TEST_CASE("a picture that is turned by a quarter has its density turned") {
    const Metadata metadata{.exif = exif_block(6, false), .density = Density{200, 100, Unit::inch}};
    for (const std::string name : {"png", "jpg"}) {
        const Bytes file = encode(with_metadata(smooth_picture(20, 10, 3), metadata), name);
        const Image image = decode(file, "a." + name);
        REQUIRE(image.metadata().density.has_value());
        CHECK(image.metadata().density->in(Unit::inch) == Density{100, 200, Unit::inch});
        CHECK(inspect(file, "a." + name).metadata.density == image.metadata().density);
    }
}

TEST_CASE("densities that say nothing are none") {
    const Bytes png = encode(smooth_picture(9, 9, 3), "png");
    const auto with_phys = [&](const Bytes& data) {
        std::vector<Chunk> chunks = chunks_of(png);
        chunks.insert(chunks.begin() + 1, {"pHYs", data});
        return decode(png_of(chunks), "a.png").metadata().density;
    };
    CHECK(with_phys(big_endian(5, 4) + big_endian(7, 4) + bytes_of({0})) == Density{5, 7, Unit::none});
    CHECK_FALSE(with_phys(big_endian(0, 4) + big_endian(7, 4) + bytes_of({1})));
    CHECK_FALSE(with_phys(big_endian(5, 4)));
    Bytes jpeg = encode(smooth_picture(9, 9, 3), "jpg");
    REQUIRE(jpeg.at(13) == std::byte{0});
    CHECK_FALSE(decode(jpeg, "a.jpg").metadata().density); // 1:1
    for (std::size_t i = 13; i < 18; ++i)
        jpeg[i] = std::byte{0};
    CHECK_FALSE(decode(jpeg, "a.jpg").metadata().density); // 0:0
    for (const double odd : {0.0, 0.2, 1e9, -3.0}) {
        for (const std::string& name : carriers())
            CHECK_NOTHROW(back(name, {odd, odd, Unit::inch}));
    }
}

TEST_CASE("the density of a PSD is on an inch") {
    const Bytes density = big_endian(300 << 16, 4) + big_endian(1, 4) + big_endian(150 << 16, 4) + Bytes(4);
    const Bytes file = write_psd(picture(5, 3, 3, Depth::u8), {.resources = psd_resource(1005, density)});
    CHECK(decode(file, "a.psd").metadata().density == Density{300, 150, Unit::inch});
}
