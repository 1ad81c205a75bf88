// JPEG row by row, from memory and from disk, whole and at a fraction of its size.
#include "files/jpeg_files.hpp"
#include "files/metadata_files.hpp"
#include "files/rows_files.hpp"
#include "support/temp_dir.hpp"

#include "glproc/base/parallel.hpp"
#include "glproc/files/file.hpp"

#include <cmath>

using namespace glproc;
using namespace glproc::test;

namespace {

constexpr std::array kinds{JpegKind::baseline, JpegKind::separate, JpegKind::progressive, JpegKind::arithmetic};

void check_rows(const Bytes& file, const DecodeOptions& options = {}) {
    const TempDir folder;
    write_file(folder / "a.jpg", file);
    const Image whole = decode(file, "a.jpg", options);
    for (const bool in_memory : {true, false}) {
        const auto source = in_memory ? open_rows(std::span(file), "a.jpg", options) : open_rows(folder / "a.jpg", options);
        REQUIRE(source.has_value());
        CHECK(source->form == whole.form());
        CHECK(same(source->metadata, whole.metadata()));
        CHECK(source->metadata.fraction == whole.metadata().fraction);
        CHECK(source->metadata.jpeg == whole.metadata().jpeg);
        for (const int band : {1, 7, whole.height()}) {
            CHECK(same(read_in_bands(*source->open(), band), whole));
        }
    }
}

/// The largest difference to the means of the pixels that each pixel stands for.
double worst_of_means(const Image& part, const Image& whole, int divisor) {
    double worst = 0;
    for (int y = 0; y < whole.height() / divisor; ++y) {
        for (int x = 0; x < whole.width() / divisor; ++x) {
            for (int c = 0; c < whole.channels(); ++c) {
                double sum = 0;
                for (int i = 0; i < divisor * divisor; ++i)
                    sum += whole.at(x * divisor + i % divisor, y * divisor + i / divisor, c);
                worst = std::max(worst, std::abs(part.at(x, y, c) - sum / divisor / divisor));
            }
        }
    }
    return worst;
}

} // namespace

TEST_CASE("rows of every kind of JPEG are those of the whole picture") {
    for (const JpegKind kind : kinds) {
        for (const int components : {1, 3, 4}) {
            INFO(static_cast<int>(kind) << " " << components);
            check_rows(write_jpeg(70, 51, components, kind));
            check_rows(write_jpeg(70, 51, components, kind), {.box = Extent{9, 9}});
        }
    }
    check_rows(encode(with_metadata(smooth_picture(33, 1000, 3), told()), "jpg")); // several strips
    check_rows(encode(smooth_picture(1, 1, 1), "jpg"));
}

TEST_CASE("segments that fill more than the first part of a file are read") {
    Metadata metadata = told();
    metadata.texts = {{"Comment", std::string(60000, 'a')}, {"Comment", std::string(50000, 'b')}, {"Comment", "the last"}};
    check_rows(encode(with_metadata(smooth_picture(40, 30, 3), metadata), "jpg"));
}

TEST_CASE("a JPEG that is to be shrunk comes at a half, a fourth or an eighth, never below twice the size") {
    const Image whole = smooth_picture(333, 250, 3);
    const Bytes file = write_jpeg(333, 250, 3, JpegKind::baseline);
    const auto divisor_of = [&](const Extent& box) {
        const Image part = decode(file, "a.jpg", {.box = box});
        const int divisor = static_cast<int>(std::round(333.0 / part.width()));
        CHECK(part.width() == (333 + divisor - 1) / divisor);
        CHECK(part.height() == (250 + divisor - 1) / divisor);
        if (divisor == 1) {
            CHECK_FALSE(part.metadata().fraction.has_value());
        } else {
            CHECK(part.metadata().fraction == fraction_of({333, 250}, divisor));
            CHECK(worst_of_means(part, whole, divisor) <= 12);
        }
        return divisor;
    };
    CHECK(divisor_of({20, 20}) == 8);
    CHECK(divisor_of({21, 21}) == 4);
    CHECK(divisor_of({41, 41}) == 4);
    CHECK(divisor_of({42, 42}) == 2);
    CHECK(divisor_of({83, 0}) == 2);
    CHECK(divisor_of({84, 0}) == 1);
    CHECK(divisor_of({0, 62}) == 2);
    CHECK(divisor_of({5000, 5000}) == 1);
}

TEST_CASE("the box is that of the upright picture") {
    for (const int orientation : {1, 2, 3, 6, 8}) {
        const Bytes file = encode(with_metadata(smooth_picture(400, 160, 3), {.exif = exif_block(orientation, false)}), "jpg");
        const Image part = decode(file, "a.jpg", {.box = Extent{50, 0}});
        INFO(orientation);
        const bool is_turned = orientation >= 5;
        CHECK(part.width() == (is_turned ? 160 : 100));
        CHECK(part.height() == (is_turned ? 400 : 40));
        const std::optional<Fraction>& fraction = part.metadata().fraction;
        CHECK(fraction.has_value() == !is_turned);
        const Image small = decode(file, "a.jpg", {.box = Extent{10, 10}});
        REQUIRE(small.metadata().fraction.has_value());
        CHECK(small.metadata().fraction->whole == (is_turned ? Extent{160, 400} : Extent{400, 160}));
        CHECK(extent_of(*small.metadata().fraction) == Extent{small.width(), small.height()});
    }
}

TEST_CASE("fractions are held to the limit on pixels of the whole, and damaged files refused as ever") {
    const Bytes file = write_jpeg(400, 300, 3, JpegKind::baseline);
    CHECK(error_of([&] { decode(file, "a.jpg", {.max_pixels = 119999, .box = Extent{10, 10}}); })->code() == ErrorCode::input);
    const TempDir folder;
    for (const JpegKind kind : kinds) {
        const Bytes sound = write_jpeg(100, 80, 3, kind);
        for (std::size_t size = 3; size < sound.size() - 2; size += 61) {
            const Bytes part(sound.begin(), sound.begin() + static_cast<std::ptrdiff_t>(size));
            const std::string name = folder / "a.jpg";
            write_file(name, part);
            for (const std::optional<Extent>& box : {std::optional<Extent>{}, std::optional(Extent{10, 10})}) {
                const auto whole = error_of([&] { decode(part, name, {.box = box}); });
                const auto rows = error_of([&] {
                    if (const auto source = open_rows(std::filesystem::path(name), {.box = box}))
                        read_in_bands(*source->open(), 3);
                });
                INFO(size);
                REQUIRE(whole.has_value());
                REQUIRE(rows.has_value());
                CHECK(std::string(rows->what()) == whole->what());
            }
        }
    }
}

TEST_CASE("a JPEG that is written row by row is the file of the whole picture") {
    const TempDir folder;
    for (const int channels : {1, 3}) {
        for (const bool progressive : {false, true}) {
            for (const Extent& size : {Extent{1, 1}, Extent{70, 51}, Extent{333, 2900}}) {
                const Image image = with_metadata(smooth_picture(size.width, size.height, channels), told());
                const EncodeOptions options{.progressive = progressive};
                const Bytes whole = encode(image, "jpg", options);
                for (const std::size_t threads : {1U, 3U}) {
                    for (const int band : {1, 100, 2900}) {
                        limit_threads(threads);
                        const auto writer = write_rows(folder / "a.jpg", image.form(), image.metadata(), options);
                        REQUIRE(writer != nullptr);
                        write_in_bands(*writer, image, band);
                        CHECK(read_file(folder / "a.jpg") == whole);
                        limit_threads(0);
                    }
                }
            }
        }
    }
}

TEST_CASE("sizes that fit into a box, and what is enough for them") {
    CHECK(shrunk_into({256, 256}, {2448, 1505}) == Extent{256, 157});
    CHECK(shrunk_into({0, 10}, {1, 100}) == Extent{1, 10});
    CHECK(shrunk_into({0, 0}, {7, 9}) == Extent{7, 9});
    CHECK(divisor_for({256, 256}, {2448, 1505}) == 4);
    CHECK(divisor_for({1, 1}, {1, 1}) == 1);
    CHECK(divisor_for({1, 1}, {15, 15}) == 4);
    CHECK(fraction_of({2450, 1503}, 4) == Fraction{{2450, 1503}, 612.5, 375.75});
    CHECK(extent_of(fraction_of({2450, 1503}, 4)) == Extent{613, 376});
    CHECK(Fraction{{2, 3}, 1, 1.5}.turned() == Fraction{{3, 2}, 1.5, 1});
}
