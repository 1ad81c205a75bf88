// Files that are cut short or damaged, of which the rows before the damage are kept.
#include "files/handmade_files.hpp"
#include "files/jpeg_files.hpp"
#include "files/png_files.hpp"

#include <cstdio>

#ifdef GLPROC_WITH_TIFF
#include "files/tiff_strips.hpp"
#endif

using namespace glproc;
using namespace glproc::test;

namespace {

struct Part {
    Image image;
    int rows = 0; ///< that the note tells of
    std::string note;
};

/// What is kept of a broken file, which without the option is refused.
Part part_of(const Bytes& file, const std::string& name) {
    Notes notes;
    CHECK_THROWS_AS(decode(file, name), Error);
    Part part;
    part.image = decode(file, name, {.notes = &notes, .keep_partial = true});
    REQUIRE(!notes.empty());
    CHECK((notes.size() == 1 || (notes.size() == 2 && notes.front().find("CMYK") != std::string::npos)));
    part.note = notes.back();
    int height = 0;
    const std::size_t at = part.note.find("; the first ");
    if (at != std::string::npos)
        std::sscanf(part.note.c_str() + at, "; the first %d of %d rows were read", &part.rows, &height);
    CHECK((part.rows == 0 || height == part.image.height()));
    return part;
}

Bytes cut(const Bytes& file, double share) {
    return {file.begin(), file.begin() + static_cast<std::ptrdiff_t>(share * static_cast<double>(file.size()))};
}

bool same_rows(const Image& a, const Image& b, int rows) {
    return a.form() == b.form() &&
           std::equal(a.bytes().begin(), a.bytes().begin() + rows * static_cast<int>(a.row_bytes()), b.bytes().begin());
}

/// The rows before the cut are those of the whole, and some more follow that hold nothing.
void check_part(const Bytes& file, const std::string& name, double share, int least) {
    INFO(name << " cut at " << share);
    const Image whole = decode(file, name);
    const Part part = part_of(cut(file, share), name);
    INFO(part.note);
    CHECK(part.note.starts_with(name + ": truncated"));
    CHECK(part.rows >= least);
    CHECK(part.rows < whole.height());
    CHECK(same_rows(part.image, whole, part.rows));
    const auto after = part.image.bytes().subspan(static_cast<std::size_t>(part.rows) * part.image.row_bytes());
    if (!name.ends_with(".jpg"))
        CHECK(std::ranges::all_of(after.subspan(part.image.row_bytes()), [](std::byte b) { return b == std::byte{0}; }));
}

} // namespace

TEST_CASE("of a PNG that is cut short the rows before the cut are kept") {
    for (const Depth depth : {Depth::u8, Depth::u16}) {
        for (const int channels : {1, 2, 3, 4}) {
            const Bytes file = encode(picture(61, 120, channels, depth), "png");
            check_part(file, "a.png", 0.5, 30);
            check_part(file, "a.png", 0.9, 70);
        }
    }
    const Bytes bands = encode(picture(900, 900, 3, Depth::u8), "png"); // in several streams
    check_part(bands, "a.png", 0.7, 500);
    check_part(write_png(noise_png(64, 64, 4, PNG_COLOR_TYPE_PALETTE)), "a.png", 0.6, 10);
}

TEST_CASE("of a PNG that is damaged the rows before the damage are kept") {
    const Image whole = picture(200, 300, 3, Depth::u8);
    Bytes file = encode(whole, "png");
    for (std::size_t i = 0; i < 200; ++i)
        file[file.size() / 2 + i] ^= std::byte{0x55};
    const Part part = part_of(file, "a.png");
    CHECK(part.note.starts_with("a.png: corrupt PNG"));
    CHECK(part.note.ends_with(" of 300 rows were read, and the last of them may be wrong"));
    CHECK((part.rows > 100 && part.rows < 300));
    CHECK(same_rows(part.image, whole, 100));
}

TEST_CASE("of a JPEG that is cut short the blocks before the cut are kept, and grey follows") {
    for (const int components : {1, 3, 4}) {
        check_part(write_jpeg(160, 200, components, JpegKind::baseline), "a.jpg", 0.6, 60);
        check_part(write_jpeg(160, 200, components, JpegKind::baseline, {.restart = 3}), "a.jpg", 0.6, 60);
        check_part(write_jpeg(160, 200, components, JpegKind::arithmetic), "a.jpg", 0.7, 40);
    }
    check_part(write_jpeg(160, 200, 3, JpegKind::baseline, {.across = 2, .down = 2}), "a.jpg", 0.6, 60);
    const Bytes grey = write_jpeg(160, 200, 1, JpegKind::baseline);
    const Part part = part_of(cut(grey, 0.6), "a.jpg");
    CHECK(std::abs(part.image.at(5, 199, 0) - part.image.at(150, 198, 0)) < 1);
}

TEST_CASE("of a JPEG in several passes all rows are kept, in less detail") {
    const Bytes file = write_jpeg(160, 200, 3, JpegKind::progressive);
    const Image whole = decode(file, "a.jpg");
    const Part part = part_of(cut(file, 0.8), "a.jpg");
    CHECK(part.note == "a.jpg: truncated JPEG; all 200 rows were read, not in full detail");
    double sum = 0;
    for (int y = 0; y < 200; ++y) {
        for (int x = 0; x < 160; ++x)
            sum += std::abs(part.image.at(x, y, 1) - whole.at(x, y, 1));
    }
    CHECK(sum > 0);
    CHECK(sum / (160 * 200) < 8);
}

TEST_CASE("of Netpbm files that are cut short whole rows are kept") {
    check_part(encode(picture(33, 70, 3, Depth::u16), "ppm"), "a.ppm", 0.5, 34);
    check_part(encode(picture(33, 70, 2, Depth::u8), "pam"), "a.pam", 0.5, 33);
    check_part(bytes_of("P4\n37 29\n") + Bytes(std::size_t{5} * 29, std::byte{0x5a}), "a.pbm", 0.5, 12);
}

#ifdef GLPROC_WITH_TIFF
TEST_CASE("of a TIFF that is cut short the strips before the cut are kept, where its directory comes first") {
    const auto entry = [](unsigned tag, unsigned type, unsigned count, unsigned value) {
        return little_endian(tag, 2) + little_endian(type, 2) + little_endian(count, 4) + little_endian(value, 4);
    };
    const unsigned data = 8 + 2 + 8 * 12 + 4;
    Bytes file = bytes_of("II") + little_endian(42, 2) + little_endian(8, 4) + little_endian(8, 2) +
                 entry(256, 3, 1, 40) + entry(257, 3, 1, 50) + entry(258, 3, 1, 8) + entry(259, 3, 1, 1) +
                 entry(262, 3, 1, 1) + entry(273, 4, 1, data) + entry(278, 3, 1, 50) + entry(279, 4, 1, 2000) +
                 little_endian(0, 4);
    REQUIRE(file.size() == data);
    for (std::uint32_t i = 0; i < 2000; ++i)
        file.push_back(static_cast<std::byte>(hash(i)));
    check_part(file, "a.tif", 0.5, 22);
}
#endif

TEST_CASE("a file without a sound row, or of a format that keeps none, is refused as ever") {
    const auto refused = [](const Bytes& file, const std::string& name) {
        INFO(name);
        const auto plain = error_of([&] { decode(file, name); });
        const auto kept = error_of([&] { decode(file, name, {.keep_partial = true}); });
        REQUIRE((plain && kept));
        CHECK(std::string(plain->what()) == kept->what());
        CHECK(kept->code() == ErrorCode::input);
    };
    const Bytes png = encode(picture(61, 120, 3, Depth::u8), "png");
    refused(cut(png, 0.004), "a.png");
    refused(Bytes(png.begin(), png.begin() + 60), "a.png");
    refused(cut(write_png(noise_png(61, 50, 8, PNG_COLOR_TYPE_RGB, true)), 0.5), "a.png"); // in Adam7's passes
    refused(cut(encode(picture(20, 20, 3, Depth::u8), "bmp"), 0.5), "a.bmp");
    refused(cut(encode(picture(20, 20, 3, Depth::f32), "pfm"), 0.5), "a.pfm");
    refused(bytes_of("P6\n2000000000 2000000000 255\n"), "a.ppm"); // more pixels than are allowed
    refused(Bytes(9, std::byte{7}), "a.jpg");
    const Image sound = decode(png, "a.png", {.keep_partial = true});
    CHECK(same(sound, decode(png, "a.png")));
}
