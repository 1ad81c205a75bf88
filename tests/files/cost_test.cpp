// Small files made to take long: each decoder's work is bounded by the sizes of the file and the picture.
#include "files/metadata_files.hpp"
#include "files/png_files.hpp"
#ifdef GLPROC_WITH_TIFF
#include "files/tiff_files.hpp"
#include "glproc/files/codecs/tiff/exif.hpp"
#endif

#include "glproc/files/inspect.hpp"

#include <ctime>

#include <zlib.h>

using namespace glproc;
using namespace glproc::test;

namespace {

/// Processor time of `work`, in seconds.
template <class Work>
double cost_of(const Work& work) {
    const std::clock_t begin = std::clock();
    work();
    return static_cast<double>(std::clock() - begin) / CLOCKS_PER_SEC;
}

/// Generous for slow machines and sanitizers; without bounds each of these files took from ten seconds to
/// days.
constexpr double enough = 3;

Bytes repeated(const Bytes& bytes, std::size_t count) {
    Bytes all;
    for (std::size_t i = 0; i < count; ++i)
        all.insert(all.end(), bytes.begin(), bytes.end());
    return all;
}

Bytes packed_zeros(std::size_t size) {
    const std::vector<Bytef> zeros(size);
    uLongf room = compressBound(size);
    Bytes packed(room);
    REQUIRE(compress2(reinterpret_cast<Bytef*>(packed.data()), &room, zeros.data(), size, 9) == Z_OK);
    packed.resize(room);
    return packed;
}

Bytes chunk(const std::string& type, const Bytes& data) {
    Bytes body = bytes_of(type) + data;
    const auto sum = static_cast<std::uint32_t>(
        crc32(0, reinterpret_cast<const Bytef*>(body.data()), static_cast<uInt>(body.size())));
    return big_endian(static_cast<std::uint32_t>(data.size()), 4) + body + big_endian(sum, 4);
}

/// A sound PNG with these chunks after its header.
Bytes png_with(const Bytes& chunks) {
    const Bytes file = encode(picture(8, 8, 3, Depth::u8), "png");
    constexpr std::ptrdiff_t header = 8 + 12 + 13;
    return Bytes(file.begin(), file.begin() + header) + chunks + Bytes(file.begin() + header, file.end());
}

/// `count` entries that point to the directory they stand in, at 8.
Bytes circles(std::uint32_t count) {
    Bytes entry = little_endian(0x8769, 2) + little_endian(4, 2) + little_endian(1, 4) + little_endian(8, 4);
    return repeated(entry, count);
}

Bytes circular_exif(std::uint32_t count) {
    return bytes_of("II") + little_endian(42, 2) + little_endian(8, 4) + little_endian(count, 2) +
           circles(count) + Bytes(4);
}

void put_segment(Bytes& jpeg, int marker, const Bytes& data) {
    jpeg = std::move(jpeg) + bytes_of({0xff, marker}) +
           big_endian(static_cast<std::uint32_t>(data.size() + 2), 2) + data;
}

/// A grey progressive JPEG: a scan of its blocks' means, then scans that each say in a few bytes that all
/// other coefficients are zero.
Bytes scans_jpeg(std::uint32_t side, int scans) {
    const std::uint32_t blocks = (side / 8) * (side / 8);
    Bytes jpeg = bytes_of({0xff, 0xd8});
    put_segment(jpeg, 0xdb, bytes_of({0}) + Bytes(64, std::byte{1}));
    put_segment(jpeg, 0xc2,
                bytes_of({8}) + big_endian(side, 2) + big_endian(side, 2) + bytes_of({1, 1, 0x11, 0}));
    put_segment(jpeg, 0xc4, bytes_of({0x00, 1}) + Bytes(15) + bytes_of({0x00}));
    put_segment(jpeg, 0xc4, bytes_of({0x10, 1}) + Bytes(15) + bytes_of({0xe0}));
    put_segment(jpeg, 0xda, bytes_of({1, 1, 0, 0, 0, 0}));
    jpeg.resize(jpeg.size() + (blocks + 7) / 8); // a bit for each
    const std::uint32_t runs = (blocks + 32766) / 32767;
    Bytes data; // a zero, then fourteen ones, for each run; a zero byte after each 0xff
    unsigned held = 0;
    int bits = 0;
    const auto put_byte = [&](unsigned byte) {
        data.push_back(static_cast<std::byte>(byte));
        if (byte == 0xff)
            data.push_back(std::byte{0});
    };
    for (std::uint32_t i = 0; i < runs * 15; ++i) {
        held = held << 1U | (i % 15 != 0 ? 1U : 0U);
        if (++bits == 8) {
            put_byte(held & 0xffU);
            bits = 0;
        }
    }
    if (bits > 0)
        put_byte(
            (held << (8U - static_cast<unsigned>(bits)) | ((1U << (8U - static_cast<unsigned>(bits))) - 1)) &
            0xffU);
    for (int i = 0; i < scans; ++i) {
        put_segment(jpeg, 0xda, bytes_of({1, 1, 0, 1, 63, 0}));
        jpeg.insert(jpeg.end(), data.begin(), data.end());
    }
    return jpeg + bytes_of({0xff, 0xd9});
}

} // namespace

TEST_CASE("EXIF directories that point to themselves are read once") {
    const Bytes exif = circular_exif(4000);
    CHECK(cost_of([&] { CHECK_NOTHROW(decode(png_with(chunk("eXIf", exif)), "a.png")); }) < enough);
#ifdef GLPROC_WITH_TIFF
    const Image told = with_metadata(picture(4, 4, 3, Depth::u8), {.exif = exif});
    Bytes file;
    CHECK(cost_of([&] { file = encode(told, "tif"); }) < enough);
    CHECK(file.size() < 4 * exif.size());

    // Values that are said to be large and lie beyond the end.
    const Bytes hollow = bytes_of("II") + little_endian(42, 2) + little_endian(8, 4) +
                         little_endian(4000, 2) +
                         repeated(little_endian(0x9000, 2) + little_endian(1, 2) +
                                      little_endian(0xffffff, 4) + little_endian(64, 4),
                                  4000) +
                         Bytes(4);
    CHECK(cost_of([&] { CHECK(codecs::place_exif(hollow, 8, false).bytes.size() < hollow.size()); }) <
          enough / 10); // without a bound 1.1 s, and 100 with sanitizers

    // The first directory of the file itself, after the nine tags that a picture needs.
    constexpr std::uint32_t tags = 300;
    const auto tag = [](std::uint32_t number, std::uint32_t type, std::uint32_t value) {
        return little_endian(number, 2) + little_endian(type, 2) + little_endian(1, 4) +
               little_endian(value, 4);
    };
    const Bytes circle = bytes_of("II") + little_endian(42, 2) + little_endian(8, 4) +
                         little_endian(tags, 2) + tag(0x100, 4, 4) + tag(0x101, 4, 4) + tag(0x102, 3, 8) +
                         tag(0x103, 3, 1) + tag(0x106, 3, 1) + tag(0x111, 4, 8 + 2 + 12 * tags + 4) +
                         tag(0x115, 3, 1) + tag(0x116, 4, 4) + tag(0x117, 4, 16) + circles(tags - 9) +
                         Bytes(4 + 16);
    CHECK(cost_of([&] { CHECK(inspect(circle, "a.tif").metadata.exif.size() < 4 * circle.size()); }) <
          enough);
    CHECK(cost_of([&] { CHECK(decode(circle, "a.tif").width() == 4); }) < enough);
#endif
}

TEST_CASE("a PNG's texts are a thousand at most, and take time in proportion to their number") {
    const Bytes file = png_with(repeated(chunk("tEXt", bytes_of("a") + Bytes(1)), 80000)); // 1.1 MB
    Notes notes;
    CHECK(cost_of([&] { CHECK(decode(file, "a.png", {.notes = &notes}).metadata().texts.size() == 1000); }) <
          enough);
    CHECK(notes == Notes{"a.png: has more than 1000 texts; the last are left out"});
}

TEST_CASE("what a PNG's metadata unpack to is bounded for all chunks together") {
    const Bytes zeros = packed_zeros((std::size_t{1} << 26U) + 1);
    const Bytes profiles = repeated(chunk("iCCP", bytes_of("a") + Bytes(2) + zeros), 40);
    Notes notes;
    CHECK(cost_of([&] { CHECK(decode(png_with(profiles), "a.png", {.notes = &notes}).width() == 8); }) <
          enough);
    CHECK(notes == Notes{"a.png: the ICC profile cannot be unpacked; it is left out"});

    const Bytes text = bytes_of("a") + Bytes(2) + packed_zeros((std::size_t{1} << 24U) + 1);
    CHECK(cost_of([&] { decode(png_with(repeated(chunk("zTXt", text), 300)), "a.png"); }) < enough);
    const Bytes sound =
        chunk("zTXt", bytes_of("a") + Bytes(2) + packed_zeros(100)); // the budget is not spent
    CHECK(decode(png_with(chunk("zTXt", text) + sound), "a.png").metadata().texts.size() == 1);
}

TEST_CASE("a progressive JPEG may not pass over its blocks again and again") {
    const Bytes few = scans_jpeg(2000, 12);
    CHECK(decode(few, "a.jpg").width() == 2000);
    const Bytes many = scans_jpeg(2000, 490);
    CHECK(many.size() < 20000);
    check_error(ErrorCode::input, "a.jpg: corrupt JPEG: too many scans", [&] { decode(many, "a.jpg"); });
    CHECK(decode(scans_jpeg(64, 490), "a.jpg").width() == 64); // which costs next to nothing
}

TEST_CASE("what a GIF holds is told from its header alone") {
    const std::vector<std::array<int, 3>> palette{{255, 0, 0}, {0, 255, 0}};
    for (const bool clear : {false, true}) {
        const std::vector<int> pixels(300 * 200, 0);
        const Bytes file = write_gif(300, 200, palette, pixels, clear ? 1 : -1);
        const Bytes start(file.begin(), file.begin() + 420);
        CHECK(inspect(start, "a.gif").form == Form{300, 200, clear ? 4 : 3, Depth::u8});
        CHECK(error_of([&] { decode(start, "a.gif"); }).has_value());
    }
}
