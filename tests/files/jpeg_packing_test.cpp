// How JPEG files are packed: their quality, the resolution of their colour, progressive or not.
#include "files/jpeg_files.hpp"
#include "support/jpeg_frame.hpp"
#include "support/thread_limit.hpp"

#include <tuple>

using namespace glproc;
using namespace glproc::test;

namespace {

/// The tables that values are divided by.
Bytes tables_of(const Bytes& file) {
    const auto start = first_place(file, bytes_of({0xff, 0xdb}));
    return {file.begin() + start, file.begin() + start + 2 + 67};
}

const std::vector<int> full{1, 1, 1, 1, 1, 1};
const std::vector<int> across{2, 1, 1, 1, 1, 1};
const std::vector<int> half{2, 2, 1, 1, 1, 1};
const std::vector<int> down{1, 2, 1, 1, 1, 1};

std::vector<int> factors_of(const EncodeOptions& options) {
    return frame_of(encode(smooth_picture(40, 30, 3), "jpg", options)).factors;
}

} // namespace

TEST_CASE("a JPEG keeps its colour at the resolution that is asked for") {
    CHECK(factors_of({.subsampling = Subsampling::s444}) == full);
    CHECK(factors_of({.subsampling = Subsampling::s422}) == across);
    CHECK(factors_of({.subsampling = Subsampling::s420}) == half);
    CHECK(factors_of({.subsampling = Subsampling::s440}) == down);
    CHECK(factors_of({.quality = 20, .subsampling = Subsampling::s444}) == full);
    CHECK(factors_of({.quality = 100, .subsampling = Subsampling::s420}) == half);
    const Bytes grey = encode(smooth_picture(40, 30, 1), "jpg", {.subsampling = Subsampling::s420});
    CHECK(frame_of(grey).factors == std::vector<int>{1, 1});
}

TEST_CASE("without a word the quality decides how JPEG keeps colour") {
    CHECK(factors_of({}) == full);
    CHECK(factors_of({.quality = 100}) == full);
    CHECK(factors_of({.quality = 90}) == full);
    CHECK(factors_of({.quality = 89}) == half);
    CHECK(factors_of({.quality = 1}) == half);
}

TEST_CASE("a JPEG from a JPEG is packed like it") {
    for (const auto& [h, v, wanted] :
         {std::tuple{1, 1, full}, std::tuple{2, 1, across}, std::tuple{2, 2, half}, std::tuple{1, 2, down}}) {
        const JpegExtras extras{.across = h, .down = v};
        const Image image = decode(write_jpeg(40, 30, 3, JpegKind::baseline, extras), "a.jpg");
        INFO(h << "x" << v);
        CHECK(frame_of(encode(image, "jpg")).factors == wanted);
        CHECK(frame_of(encode(image, "jpg", {.quality = 30})).factors == wanted);
        CHECK(frame_of(encode(image, "jpg", {.subsampling = Subsampling::s422})).factors == across);
    }
    const Image grey = decode(write_jpeg(40, 30, 1, JpegKind::baseline), "a.jpg");
    CHECK(frame_of(encode(grey, "jpg")).factors == std::vector<int>{1, 1});
}

TEST_CASE("the quality of a JPEG is estimated from its tables, for every quality of libjpeg") {
    const Image image = smooth_picture(16, 16, 3);
    for (int quality = 1; quality <= 100; ++quality) {
        const Bytes file = encode(image, "jpg", {.quality = quality});
        const Image source = decode(file, "a.jpg");
        REQUIRE(source.metadata().jpeg.has_value());
        INFO("quality " << quality << ", taken for " << source.metadata().jpeg->quality);
        CHECK(std::abs(source.metadata().jpeg->quality - quality) <= 1);
        CHECK(tables_of(encode(source, "jpg")) == tables_of(file));
        CHECK(tables_of(encode(source, "jpg", {.quality = 50})) ==
              tables_of(encode(image, "jpg", {.quality = 50})));
    }
}

TEST_CASE("tables of another make give the nearest quality") {
    Bytes file = encode(smooth_picture(16, 16, 3), "jpg", {.quality = 70});
    const auto table = first_place(file, bytes_of({0xff, 0xdb})) + 5;
    for (std::ptrdiff_t i = 0; i < 64; i += 3)
        file[static_cast<std::size_t>(table + i)] ^= std::byte{1};
    const int quality = decode(file, "a.jpg").metadata().jpeg.value().quality;
    CHECK((quality >= 67 && quality <= 73));
}

TEST_CASE("a progressive JPEG is one, with the same pixels") {
    const Image image = smooth_picture(40, 30, 3);
    const Bytes plain = encode(image, "jpg");
    const Bytes progressive = encode(image, "jpg", {.progressive = true});
    CHECK_FALSE(frame_of(plain).progressive);
    CHECK(frame_of(progressive).progressive);
    CHECK(same(decode(plain, "a.jpg"), decode(progressive, "a.jpg")));
}

TEST_CASE("a JPEG is encoded in strips on any number of threads, with the same bytes and the pixels of one") {
    // Two sizes of many strips, whose marks count to eight and begin again; one of a strip and a row; the
    // narrowest.
    for (const auto& [width, height] :
         {std::pair(2001, 1303), std::pair(4000, 523), std::pair(300, 865), std::pair(1, 65500)}) {
        for (const auto& [channels, subsampling] :
             {std::pair(1, Subsampling::automatic), std::pair(3, Subsampling::s444),
              std::pair(3, Subsampling::s422), std::pair(3, Subsampling::s420), std::pair(3, Subsampling::s440)}) {
            const Image image = smooth_picture(width, height, channels);
            INFO(width << "x" << height << ", " << channels << " channels, "
                       << static_cast<int>(subsampling));
            EncodeOptions options{.subsampling = subsampling};
            Bytes first;
            for (const std::size_t threads : {1U, 3U, 16U}) {
                const ThreadLimit limit(threads);
                const Bytes file = encode(image, "jpg", options);
                CHECK((first.empty() || first == file));
                first = file;
            }
            options.progressive = true; // the same coefficients, in one piece
            CHECK(same(decode(first, "a.jpg"), decode(encode(image, "jpg", options), "a.jpg")));
        }
    }
}

TEST_CASE("a JPEG without its end mark is read with a note where nothing else is missing") {
    const Notes wanted{"a.jpg: the end of the file is missing"};
    for (const JpegKind kind : {JpegKind::baseline, JpegKind::progressive}) {
        const Bytes whole = write_jpeg(100, 80, 3, kind);
        const Bytes open(whole.begin(), whole.end() - 2);
        Notes notes;
        CHECK(same(decode(open, "a.jpg", {.notes = &notes}), decode(whole, "a.jpg")));
        CHECK(notes == wanted);
        notes.clear();
        CHECK(same(decode(Bytes(whole.begin(), whole.end() - 1), "a.jpg", {.notes = &notes}),
                   decode(whole, "a.jpg")));
        CHECK(notes == wanted);
    }
}

TEST_CASE("a progressive JPEG that lacks its last scans is refused") {
    const Bytes whole = write_jpeg(100, 80, 3, JpegKind::progressive);
    const auto last = last_place(whole, bytes_of({0xff, 0xda}));
    const Bytes cut(whole.begin(), whole.begin() + last);
    check_error(ErrorCode::input, "a.jpg: truncated JPEG", [&] { decode(cut, "a.jpg"); });
}

TEST_CASE("a scan of a baseline JPEG with the parameters of another kind is read with a note") {
    const Bytes whole = write_jpeg(100, 80, 3, JpegKind::baseline);
    Bytes odd = whole;
    const auto scan = static_cast<std::size_t>(first_place(odd, bytes_of({0xff, 0xda})));
    REQUIRE(odd.at(scan + 12) == std::byte{63}); // the last coefficient
    odd[scan + 12] = std::byte{0};
    Notes notes;
    CHECK(same(decode(odd, "a.jpg", {.notes = &notes}), decode(whole, "a.jpg")));
    CHECK(notes == Notes{"a.jpg: a scan has the parameters of another kind of JPEG; they are ignored"});
}
