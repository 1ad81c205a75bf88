#include "glproc/gpu_codecs/jpeg/decode.hpp"

#include "glproc/base/error.hpp"
#include "glproc/files/codec.hpp"
#include "glproc/image/fraction.hpp"
#include "gpu_codecs/jpeg_kinds.hpp"
#include "gpu_codecs/jpeg_mutants.hpp"
#include "support/catch.hpp"
#include "support/fixture.hpp"

#include <algorithm>
#include <optional>
#include <span>
#include <string>
#include <vector>

using namespace glproc;
using namespace glproc::test;
using namespace glproc::gpu_codecs;

namespace {

/// The pictures of these files as far as the GPU takes them; files without a scan are not taken.
std::vector<std::optional<Image>> decoded_on_gpu(const std::vector<Bytes>& files, const DecodeOptions& options) {
    std::vector<std::optional<Image>> images(files.size());
    std::vector<JpegScan> scans;
    std::vector<std::size_t> numbers;
    for (std::size_t i = 0; i < files.size(); ++i) {
        if (std::optional<JpegScan> scan = read_jpeg_scan(files[i], "file.jpg", options)) {
            scans.push_back(std::move(*scan));
            numbers.push_back(i);
        }
    }
    constexpr std::size_t at_once = 64;
    for (std::size_t begin = 0; begin < scans.size(); begin += at_once) {
        std::vector<const JpegScan*> some;
        for (std::size_t i = begin; i < std::min(begin + at_once, scans.size()); ++i) {
            some.push_back(&scans[i]);
        }
        REQUIRE(can_decode(gpu(), some));
        auto taken = begin_decoding(gpu(), some).take();
        for (std::size_t i = 0; i < some.size(); ++i) {
            if (taken[i]) {
                images[numbers[begin + i]] = gpu().download(*taken[i]);
                images[numbers[begin + i]]->set_metadata(some[i]->metadata);
            }
        }
    }
    return images;
}

bool same_pixels(const Image& a, const Image& b) {
    return a.form() == b.form() && std::ranges::equal(a.bytes(), b.bytes());
}

/// What the CPU makes of a file, if it does without a word.
std::optional<Image> decoded_on_cpu(const Bytes& file, DecodeOptions options) {
    try {
        Notes notes;
        options.notes = &notes;
        Image image = decode(file, "file.jpg", options);
        return notes.empty() ? std::optional(std::move(image)) : std::nullopt;
    } catch (const Error&) {
        return std::nullopt;
    }
}

/// How many of the files the GPU takes; those have the pixels that the CPU gives them.
std::size_t count_taken(const std::vector<Bytes>& files, const std::vector<std::string>& names,
                        const DecodeOptions& options = {}) {
    const std::vector<std::optional<Image>> images = decoded_on_gpu(files, options);
    std::size_t taken = 0;
    for (std::size_t i = 0; i < files.size(); ++i) {
        if (images[i]) {
            INFO(names[i]);
            const std::optional<Image> expected = decoded_on_cpu(files[i], options);
            REQUIRE(expected);
            CHECK(same_pixels(*images[i], *expected));
            CHECK(images[i]->metadata().exif == expected->metadata().exif);
            CHECK(images[i]->metadata().jpeg == expected->metadata().jpeg);
            CHECK(images[i]->metadata().density == expected->metadata().density);
            CHECK(images[i]->metadata().fraction == expected->metadata().fraction);
            ++taken;
        }
    }
    return taken;
}

/// Has an EXIF segment that says how it is stored.
Bytes turned(const Bytes& file, unsigned char orientation) {
    const std::array<unsigned char, 36> segment{0xff, 0xe1, 0,   34, 'E', 'x', 'i', 'f', 0, 0, 'M', 'M',
                                                0,    42,   0,   0,  0,   8,   0,   1,   1, 0x12, 0, 3,
                                                0,    0,    0,   1,  0,   orientation, 0, 0, 0, 0, 0, 0};
    const auto exif = std::as_bytes(std::span(segment));
    Bytes bytes(file.begin(), file.begin() + 2);
    bytes.insert(bytes.end(), exif.begin(), exif.end());
    bytes.insert(bytes.end(), file.begin() + 2, file.end());
    return bytes;
}

/// A box for which the CPU's decoder divides the size of such a picture by this, if there is one.
std::optional<Extent> box_for(const Extent& whole, int divisor) {
    const Extent box{whole.width / divisor / 2, 0};
    return box.width > 0 && divisor_for(box, whole) == divisor ? std::optional(box) : std::nullopt;
}

} // namespace

TEST_CASE("every kind of baseline JPEG has the pixels that the CPU gives it") {
    std::vector<Bytes> files;
    std::vector<std::string> names;
    for (const JpegKind& kind : sound_kinds()) {
        files.push_back(write_jpeg(kind));
        names.push_back(kind.name());
    }
    CHECK(count_taken(files, names) * 100 >= files.size() * 95);
}

TEST_CASE("every pair of colour differences has the pixels that the CPU gives it") {
    CHECK(count_taken({write_every_colour(128)}, {"every colour"}) == 1);
}

TEST_CASE("coefficients at the limits of the format have the pixels that the CPU gives them, or are left to it") {
    const int box = GENERATE(0, 16, 8, 4);
    std::vector<Bytes> files;
    std::vector<std::string> names;
    for (const int quantisation : {1, 4, 16, 64, 255}) {
        for (const int amplitude : {20, 120, 500, 1023}) {
            for (const int share : {3, 20, 100}) {
                for (const int factor : {1, 2}) {
                    files.push_back(write_random_coefficients(quantisation, amplitude, share, factor));
                    names.push_back(fmt::format("quantisation {} amplitude {} share {} factor {}", quantisation, amplitude, share,
                                                factor));
                }
            }
        }
    }
    const DecodeOptions options{.box = box > 0 ? std::optional(Extent{box, box}) : std::nullopt};
    const std::size_t taken = count_taken(files, names, options);
    CHECK(taken > files.size() / 10);
    CHECK(taken < files.size()); // some are out of the range where all of libjpeg's transforms agree
}

TEST_CASE("a JPEG that EXIF says is turned becomes upright") {
    std::vector<Bytes> files;
    std::vector<std::string> names;
    for (const bool grey : {false, true}) {
        for (unsigned char orientation = 1; orientation <= 8; ++orientation) {
            const Bytes file = write_jpeg(
                JpegKind{.factors = {2, grey ? 1 : 2, 1, 1, 1, 1}, .width = 53, .height = 38, .grey = grey, .scene = Scene::noise});
            files.push_back(turned(file, orientation));
            names.push_back(fmt::format("orientation {}{}", static_cast<int>(orientation), grey ? ", grey" : ""));
        }
    }
    CHECK(decode(files[5], "turned.jpg").width() == 38);
    CHECK(count_taken(files, names) == files.size());
}

TEST_CASE("fractions of every kind of baseline JPEG have the pixels that the CPU gives them") {
    const int divisor = GENERATE(2, 4, 8);
    std::size_t all = 0;
    std::size_t taken = 0;
    for (const int width : {33, 64, 70, 101, 131, 150, 203}) {
        std::vector<Bytes> files;
        std::vector<std::string> names;
        const std::optional<Extent> box = box_for({width, width}, divisor);
        for (const JpegKind& sound : sound_kinds()) {
            if (box && sound.width == 101) { // one of each sampling and quality
                JpegKind kind = sound;
                kind.width = width;
                kind.height = width + static_cast<int>(names.size() % 5);
                files.push_back(write_jpeg(kind));
                names.push_back(fmt::format("1/{} of {}", divisor, kind.name()));
            }
        }
        all += files.size();
        taken += box ? count_taken(files, names, {.box = box}) : 0;
    }
    CHECK(all >= 330);
    CHECK(taken * 100 >= all * 95);
}

TEST_CASE("fractions of every pair of colour differences have the pixels that the CPU gives them") {
    CHECK(count_taken({write_every_colour(128)}, {"every colour"}, {.box = Extent{64, 64}}) == 1);
}

TEST_CASE("fractions of JPEGs that EXIF says are turned become upright") {
    const int divisor = GENERATE(2, 4, 8);
    std::vector<Bytes> files;
    std::vector<std::string> names;
    for (const bool grey : {false, true}) {
        for (unsigned char orientation = 1; orientation <= 8; ++orientation) {
            const JpegKind kind{.factors = {2, 1, 1, 1, 1, 1}, .width = 173, .height = 118, .grey = grey, .scene = Scene::noise};
            files.push_back(turned(write_jpeg(kind), orientation));
            names.push_back(fmt::format("1/{}, orientation {}{}", divisor, static_cast<int>(orientation), grey ? ", grey" : ""));
        }
    }
    const DecodeOptions options{.box = Extent{118 / divisor / 2, 118 / divisor / 2}};
    CHECK(decode(files[5], "turned.jpg", options).height() == (173 + divisor - 1) / divisor);
    CHECK(count_taken(files, names, options) == files.size());
}

TEST_CASE("pictures of which fractions are made, and others, are decoded together") {
    std::vector<Bytes> files;
    std::vector<std::string> names;
    for (const int width : {30, 61, 122, 244, 488}) {
        files.push_back(write_jpeg({.factors = {2, 2, 1, 1, 1, 1}, .width = width, .height = width - 7}));
        names.push_back(fmt::format("{} pixels wide", width));
    }
    CHECK(count_taken(files, names, {.box = Extent{30, 30}}) == files.size());
}

TEST_CASE("kinds of JPEG that the kernels do not know are left to the CPU") {
    const auto has_scan = [](const JpegKind& kind) { return read_jpeg_scan(write_jpeg(kind), "file.jpg", {}).has_value(); };
    CHECK(has_scan({}));
    CHECK_FALSE(has_scan({.progressive = true}));
    CHECK_FALSE(has_scan({.arithmetic = true}));
    CHECK_FALSE(read_jpeg_scan({}, "nothing.jpg", {}));
    const Bytes file = write_jpeg(JpegKind{});
    CHECK_FALSE(read_jpeg_scan(std::span(file).first(file.size() - 1), "truncated.jpg", {}));
    CHECK_FALSE(read_jpeg_scan(file, "large.jpg", {.max_pixels = 3000}));
    CHECK(read_jpeg_scan(file, "large.jpg", {.max_pixels = 3072}));
}

TEST_CASE("what the GPU takes of broken JPEGs is what the CPU decodes without a word") {
    const std::vector<JpegKind> kinds{{.factors = {2, 2, 1, 1, 1, 1}, .width = 75, .height = 61},
                                      {.quality = 40, .width = 50, .height = 40, .restart = 3, .optimised = true},
                                      {.factors = {2, 1, 1, 1, 1, 1}, .width = 64, .height = 32, .scene = Scene::noise},
                                      {.width = 60, .height = 44, .restart = 5, .grey = true}};
    std::vector<Bytes> files;
    std::vector<std::string> names;
    for (const JpegKind& kind : kinds) {
        const Bytes sound = write_jpeg(kind);
        for (std::uint32_t n = 0; n < 500; ++n) {
            files.push_back(mutant_of(sound, n));
            names.push_back(fmt::format("{}, mutant {}", kind.name(), n));
        }
    }
    const bool is_fraction = GENERATE(false, true);
    const DecodeOptions options{.box = is_fraction ? std::optional(Extent{12, 12}) : std::nullopt};
    CHECK(count_taken(files, names, options) > 100); // many are sound, as one bit often makes another picture
}
