// The formats that modules read and write: WebP, OpenEXR, JPEG XL, HEIF and AVIF.
#include "files/rows_files.hpp"

#include "glproc/files/inspect.hpp"

#include <iterator>
#include <limits>

using namespace glproc;
using namespace glproc::test;

namespace {

/// Of those, the ones that this build has.
std::vector<std::string> module_formats() {
    static const std::vector<std::string> all{"webp", "exr", "jxl", "heic", "avif"};
    const auto known = writable_extensions();
    std::vector<std::string> result;
    std::ranges::copy_if(all, std::back_inserter(result),
                         [&](const std::string& name) { return std::ranges::count(known, name) == 1; });
    return result;
}

bool is_there(const std::string& name) {
    return std::ranges::count(module_formats(), name) == 1;
}

double worst_difference(const Image& a, const Image& b) {
    REQUIRE(a.form() == b.form());
    double worst = 0;
    for (int y = 0; y < a.height(); ++y) {
        for (int x = 0; x < a.width(); ++x) {
            for (int c = 0; c < a.channels(); ++c)
                worst = std::max(worst, std::abs(a.at(x, y, c) - b.at(x, y, c)));
        }
    }
    return worst;
}

/// A picture of this format that changes slowly.
Image smooth_for(const std::string& name, int channels = 3) {
    Image image = smooth_picture(61, 43, channels);
    return name == "exr" ? with_depth(std::move(image), Depth::f32) : image;
}

} // namespace

TEST_CASE("without loss, modules give back exactly what they were given") {
    for (const std::string& name : module_formats()) {
        for (const Depth depth : {Depth::u8, Depth::u16, Depth::f32}) {
            for (int channels = 1; channels <= 4; ++channels) {
                const bool narrow =
                    name == "heic" || name == "avif" || (name == "jxl" && depth == Depth::f32);
                const bool multiplied = name == "exr" && channels % 2 == 0;
                if (narrow || multiplied || error_of([&] { check_encodable(name, channels, depth); }))
                    continue;
                for (const auto& [width, height] : {std::pair{1, 1}, {17, 3}, {64, 50}}) {
                    INFO(name << " " << width << "x" << height << "x" << channels << " "
                              << static_cast<int>(depth));
                    const Image image = picture(width, height, channels, depth);
                    CHECK(same(decode(encode(image, name, {.lossless = true}), name), image));
                }
            }
        }
    }
}

TEST_CASE("HEIC and AVIF are not written without loss: libheif does not keep every pixel even when asked") {
    for (const std::string name : {"heic", "avif"}) {
        if (is_there(name))
            check_error(ErrorCode::output, "o." + name + ": libheif cannot write without loss",
                        [&] { encode(Image(9, 9, 3, Depth::u8), "o." + name, {.lossless = true}); });
    }
}

TEST_CASE("a better quality is closer to the picture and takes more bytes") {
    for (const std::string name : {"webp", "jxl", "heic", "avif"}) {
        if (!is_there(name))
            continue;
        INFO(name);
        const Image image = smooth_picture(160, 120, 3);
        const Bytes good = encode(image, name, {.quality = 95});
        const Bytes poor = encode(image, name, {.quality = 20});
        CHECK(good.size() > poor.size());
        CHECK(worst_difference(decode(good, name), image) <= 16);
        CHECK(worst_difference(decode(good, name), image) < worst_difference(decode(poor, name), image));
    }
}

TEST_CASE("depths beyond 8 bits come back as such") {
    if (is_there("avif")) { // 12 bits
        const Image image = with_depth(smooth_picture(61, 43, 3), Depth::u16);
        const Image back = decode(encode(image, "avif", {.quality = 100}), "avif");
        CHECK(worst_difference(back, image) <= 3 * 257);
    }
    if (is_there("jxl")) {
        const Image image = with_depth(smooth_picture(61, 43, 3), Depth::f32);
        CHECK(worst_difference(decode(encode(image, "jxl"), "jxl"), image) <= 0.1);
    }
}

TEST_CASE("profile, EXIF and XMP go through the modules byte for byte") {
    const Metadata metadata{
        .icc = icc_block(3000), .exif = exif_block(1, true), .xmp = bytes_of("<x:xmpmeta/>")};
    for (const std::string name : {"webp", "heic", "avif"}) {
        if (!is_there(name))
            continue;
        INFO(name);
        const Bytes file = encode(with_metadata(smooth_picture(61, 43, 3), metadata), name);
        CHECK(same(decode(file, name).metadata(), metadata));
        CHECK(same(inspect(file, name).metadata, metadata));
    }
}

TEST_CASE("JPEG XL carries EXIF and XMP, and leaves out a profile that it does not take") {
    if (!is_there("jxl"))
        return;
    const Metadata metadata{
        .icc = icc_block(3000), .exif = exif_block(1, true), .xmp = bytes_of("<x:xmpmeta/>")};
    Notes notes;
    const Bytes file = encode(with_metadata(smooth_picture(61, 43, 3), metadata), "o.jxl", {.notes = &notes});
    CHECK(notes == Notes{"o.jxl: libjxl does not take the ICC profile; it is left out"});
    const Metadata back = decode(file, "o.jxl").metadata();
    CHECK(back.exif == metadata.exif);
    CHECK(back.xmp == metadata.xmp);
    CHECK(back.icc.empty());
}

TEST_CASE("WebP's EXIF turns the picture; in HEIF and JPEG XL it has no say") {
    for (const std::string& name : module_formats()) {
        if (name == "exr")
            continue;
        INFO(name);
        const Bytes file =
            encode(with_metadata(smooth_picture(61, 43, 3), {.exif = exif_block(6, false)}), name);
        const Image image = decode(file, name);
        CHECK(image.width() == (name == "webp" ? 43 : 61));
        CHECK(orientation_of(image.metadata().exif) == 1);
        CHECK(inspect(file, name).form == image.form());
    }
}

TEST_CASE("OpenEXR stores colour times alpha, and floats of any size") {
    if (!is_there("exr"))
        return;
    Image image(3, 1, 4, Depth::f32);
    const std::vector<float> values{1e6F, -2, 0.5F, 0.25F, 3, 4, 5, 0, 0.1F, 0.2F, 0.3F, 1};
    std::ranges::copy(values, image.values<float>().begin());
    const Image back = decode(encode(image, "exr"), "exr");
    CHECK(same(back, image)); // alpha of powers of two divides exactly; where it is 0 the colour is kept
    Image odd(2, 1, 1, Depth::f32);
    odd.values<float>()[0] = std::numeric_limits<float>::infinity();
    odd.values<float>()[1] = std::numeric_limits<float>::quiet_NaN();
    const Image kept = decode(encode(odd, "exr"), "exr");
    CHECK(std::isinf(kept.at(0, 0, 0)));
    CHECK(std::isnan(kept.at(1, 0, 0)));
}

TEST_CASE("OpenEXR: an attribute that the file cannot hold costs no memory") {
    if (!is_there("exr"))
        return;
    for (const char* type : {"string", "floatvector", "nobody's"}) {
        INFO(type);
        const Bytes file = bytes_of({0x76, 0x2f, 0x31, 1, 2, 0, 0, 0}) + bytes_of("a") + Bytes(1) + bytes_of(type) + Bytes(1) +
                           little_endian(0x40000000U, 4) + Bytes(100);
        const long before = peak_kib();
        CHECK(message_of([&] { decode(file, "a.exr"); }).find("corrupt OpenEXR") != std::string::npos);
        CHECK(peak_kib() < before + 100 * 1024);
    }
}

TEST_CASE("values that JPEG XL cannot hold are refused") {
    if (!is_there("jxl"))
        return;
    Image image(2, 2, 3, Depth::f32);
    image.values<float>()[5] = std::numeric_limits<float>::infinity();
    check_error(ErrorCode::output, "o.jxl: JPEG XL cannot hold infinite or undefined values",
                [&] { encode(image, "o.jxl"); });
    check_error(ErrorCode::output, "o.jxl: libjxl cannot write floats without loss",
                [&] { encode(Image(2, 2, 3, Depth::f32), "o.jxl", {.lossless = true}); });
}

TEST_CASE("modules refuse what is larger than asked for, before there is a picture") {
    for (const std::string& name : module_formats()) {
        const Bytes file = encode(smooth_for(name), name);
        check_error(ErrorCode::input, "a." + name + ": 61x43 pixels are more than the limit of 2622",
                    [&] { decode(file, "a." + name, {.max_pixels = 2622}); });
    }
}

TEST_CASE("files of modules that are cut short anywhere are refused, damaged ones never do more") {
    for (const std::string& name : module_formats()) {
        const Bytes file = encode(smooth_for(name), name);
        for (std::size_t i = 0; i < 40; ++i) {
            const std::size_t size = i < 30 ? file.size() * i / 30 : file.size() - 1 - (i - 30);
            INFO(name << " cut to " << size << " of " << file.size());
            const Bytes cut(file.begin(), file.begin() + static_cast<std::ptrdiff_t>(size));
            const auto error = error_of([&] { decode(cut, "a." + name); });
            REQUIRE(error.has_value());
            CHECK(error->code() == ErrorCode::input);
        }
        std::uint32_t seed = 1;
        for (int round = 0; round < 100; ++round) {
            Bytes damaged = file;
            const std::size_t range =
                round % 2 == 0 ? damaged.size() : std::min<std::size_t>(200, damaged.size());
            for (int flip = 0; flip < 3; ++flip) {
                const std::size_t at = hash(seed++) % range;
                damaged[at] = static_cast<std::byte>(hash(seed++));
            }
            INFO(name << " round " << round);
            const auto error = error_of([&] { decode(damaged, "a." + name, {.max_pixels = 1 << 22}); });
            CHECK((!error || error->code() == ErrorCode::input));
        }
    }
}

TEST_CASE("sizes that the formats cannot hold are refused") {
    if (is_there("webp"))
        check_error(ErrorCode::output, "o.webp: WebP holds at most 16383x16383 pixels",
                    [] { encode(Image(16384, 1, 3, Depth::u8), "o.webp"); });
}

namespace {

/// The file with other numbers after each of its boxes `ispe`.
Bytes with_size(Bytes file, std::uint32_t width, std::uint32_t height) {
    const Bytes name = bytes_of("ispe");
    const Bytes size = big_endian(width, 4) + big_endian(height, 4);
    int found = 0;
    for (auto at = file.begin(); (at = std::search(at, file.end(), name.begin(), name.end())) != file.end();
         ++at) {
        std::ranges::copy(size, at + 8);
        ++found;
    }
    REQUIRE(found > 0);
    return file;
}

} // namespace

TEST_CASE("HEIC and AVIF that lie about their size do not go round --max-pixels") {
    for (const std::string name : {"avif", "heic"}) {
        if (!is_there(name))
            continue;
        const Bytes file = encode(Image(600, 400, 3, Depth::u8), name, {.quality = 30});
        CHECK(decode(file, "a." + name, {.max_pixels = 600 * 400}).width() == 600);
        const Bytes lie = with_size(file, 64, 64);
        const auto error = error_of([&] { decode(lie, "a." + name, {.max_pixels = 10000}); });
        REQUIRE(error.has_value());
        CHECK(error->code() == ErrorCode::input);
        CHECK_THAT(error->what(),
                   Catch::Matchers::Matches("a\\.(avif|heic): 6[0-9]{2}x4[0-9]{2} pixels are more "
                                            "than the limit of 10000"));
        for (std::size_t at = 0; at < std::min<std::size_t>(lie.size(), 700);
             ++at) { // never more than an error
            Bytes damaged = lie;
            damaged[at] ^= std::byte{0xff};
            CHECK_NOTHROW(error_of([&] { decode(damaged, "a." + name, {.max_pixels = 10000}); }));
        }
    }
}

#ifdef GLPROC_WITH_WEBP
TEST_CASE("a WebP that is to be shrunk comes at a fraction of its size, with the box of the upright picture") {
    const Image image = smooth_picture(400, 160, 3);
    for (const int orientation : {1, 6}) {
        Image stored = image;
        stored.set_metadata({.exif = exif_block(orientation, false)});
        const Bytes file = encode(stored, "webp", {.lossless = true});
        CHECK(decode(file, "a.webp").metadata().fraction == std::nullopt);
        const Image part = decode(file, "a.webp", {.box = Extent{50, 0}});
        const bool is_turned = orientation >= 5;
        CHECK(part.width() == (is_turned ? 160 : 100)); // 160 is less than twice what is enough for a fraction
        if (!is_turned) {
            CHECK(part.metadata().fraction == Fraction{{400, 160}, 100, 40});
            CHECK(std::abs(part.at(50, 20, 0) - image.at(202, 82, 0)) <= 4);
        }
    }
}
#endif
