// Files that other programs read in one way: what is taken from them, and what is said of the rest.
#include "files/handmade_tiff.hpp"
#include "files/jpeg_files.hpp"
#include "files/metadata_files.hpp"
#include "files/png_files.hpp"
#include "glproc/files/codecs/png/chunks.hpp"
#include "glproc/files/inspect.hpp"
#include "glproc/files/series.hpp"
#include "glproc/image/made_profile.hpp"
#include "support/inputs.hpp"

using namespace glproc;
using namespace glproc::test;

namespace {

/// An image, and what was said of it.
struct Read {
    Image image;
    std::string said;

    bool says(const std::string& what) const { return said.find(what) != std::string::npos; }
};

Read read(const Bytes& file, const std::string& name) {
    Notes notes;
    Read made{decode(file, name, {.notes = &notes}), {}};
    for (const std::string& note : notes)
        made.said += note + "\n";
    return made;
}

Bytes grey_ramp(int count) {
    Bytes bytes;
    for (int i = 0; i < count; ++i)
        bytes.push_back(static_cast<std::byte>(i % 251));
    return bytes;
}

std::string name_of_profile(const Read& made) {
    return profile_name(made.image.metadata().icc);
}

/// A JPEG that says nothing beside its pixels.
Bytes plain_jpeg() {
    return encode(constant_image({8, 8, 3, Depth::u8}, 0.5), "a.jpg");
}

/// The control of a frame of an animated PNG: its number, size and place.
Bytes frame_control(int number, int width, int height, int x = 0) {
    Bytes control;
    for (const int value : {number, width, height, x, 0})
        control = std::move(control) + big_endian(static_cast<std::uint32_t>(value), 4);
    return control + bytes_of({0, 1, 0, 10, 0, 0});
}

/// A red image of 2x2 in front of an animation of one green frame, or as its first frame.
std::vector<Chunk> red_then_green(bool is_hidden) {
    const auto of = [](int red, int green) {
        Image image(2, 2, 3, Depth::u8);
        for (std::size_t i = 0; i < 4; ++i) {
            image.values<std::uint8_t>()[3 * i] = static_cast<std::uint8_t>(red);
            image.values<std::uint8_t>()[3 * i + 1] = static_cast<std::uint8_t>(green);
        }
        return chunks_of(encode(image, "a.png"));
    };
    const auto pixels_in = [](const std::vector<Chunk>& chunks) {
        Bytes pixels;
        for (const Chunk& chunk : chunks)
            pixels = chunk.type == "IDAT" ? std::move(pixels) + chunk.data : std::move(pixels);
        return pixels;
    };
    const std::vector<Chunk> red = of(255, 0);
    std::vector<Chunk> all{red.front(), {"acTL", big_endian(is_hidden ? 1 : 2, 4) + big_endian(0, 4)}};
    if (!is_hidden)
        all.push_back({"fcTL", frame_control(0, 2, 2)});
    all.push_back({"IDAT", pixels_in(red)});
    all.push_back({"fcTL", frame_control(is_hidden ? 0 : 1, 2, 2)});
    all.push_back({"fdAT", big_endian(is_hidden ? 1 : 2, 4) + pixels_in(of(0, 255))});
    all.push_back({"IEND", {}});
    return all;
}

bool is_red(const Image& image) {
    return image.at(0, 0, 0) == 255 && image.at(0, 0, 1) == 0;
}

bool is_green(const Image& image) {
    return image.at(0, 0, 0) == 0 && image.at(0, 0, 1) == 255;
}

} // namespace

TEST_CASE("readers: an image in front of an animation is none of its frames") {
    const Read hidden = read(png_of(red_then_green(true)), "a.png");
    CHECK(is_green(hidden.image));
    CHECK(hidden.said.empty());
    const Read first = read(png_of(red_then_green(false)), "a.png");
    CHECK(is_red(first.image));
    CHECK(first.says("has 2 frames; the first one is used"));
}

TEST_CASE("readers: of a broken animation there is the image in front of it") {
    std::vector<Chunk> chunks = red_then_green(true);
    chunks[3].data = frame_control(0, 2, 2, 7); // beyond the canvas
    const Read outside = read(png_of(chunks), "a.png");
    CHECK(is_red(outside.image));
    CHECK(outside.says("its animation is broken; the image in front of it is used"));
    CHECK(open_series(png_of(chunks), "a.png") == nullptr);
    CHECK_FALSE(inspect_series(png_of(chunks), "a.png"));
    chunks = red_then_green(true);
    chunks[4].data.resize(5); // no pixels worth the name
    const Read empty = read(png_of(chunks), "a.png");
    CHECK(is_red(empty.image));
    CHECK(empty.says("its animation cannot be read (a.png: "));
    chunks = red_then_green(false);
    chunks[2].data.pop_back(); // no control at all
    const Read control = read(png_of(chunks), "a.png");
    CHECK(is_red(control.image));
    CHECK(control.says("its animation is broken; the first image is used"));
    CHECK(open_series(png_of(chunks), "a.png") == nullptr);
    Bytes cut = png_of(red_then_green(true));
    cut.resize(cut.size() - 40);
    CHECK(is_red(read(cut, "a.png").image));
}

TEST_CASE("readers: JPEG with half the rows of colour alone stays so") {
    const Image image = decode(write_jpeg(32, 32, 3, JpegKind::baseline, {.across = 1, .down = 2}), "a.jpg");
    REQUIRE(image.metadata().jpeg);
    CHECK(image.metadata().jpeg->subsampling == Subsampling::s440);
}

TEST_CASE("readers: a GeoTIFF says that it loses its place") {
    TiffPage page{8, 6, 8, 1, grey_ramp(48)};
    page.more = {{33550, 12, values_as_bytes(std::vector<double>{10, 10, 0})},
                 {34735, 3, values_as_bytes(std::vector<std::uint16_t>{1, 1, 0, 1, 1024, 0, 1, 1})}};
    CHECK(read(handmade_tiff({page}), "a.tif").says("its place on Earth (GeoTIFF) is left out"));
}

TEST_CASE("readers: a thumbnail in front of a TIFF is no page") {
    TiffPage small{4, 4, 8, 1, grey_ramp(16), {{254, 4, little_endian(1, 4)}}};
    const TiffPage large{8, 6, 8, 1, grey_ramp(48)};
    const Read made = read(handmade_tiff({small, large}), "a.tif");
    CHECK(made.image.width() == 8);
    CHECK(made.said.empty());
    CHECK(inspect(handmade_tiff({small, large}), "a.tif").frames == 1);
    CHECK(inspect(handmade_tiff({large, small}), "a.tif").frames == 1);
    CHECK(decode(handmade_tiff({small}), "a.tif").width() == 4); // there is nothing else
}

TEST_CASE("readers: EXIF's orientation is read whatever its type") {
    const auto exif = [](int type, int count, const Bytes& value) {
        return bytes_of("II") + little_endian(42, 2) + little_endian(8, 4) + little_endian(1, 2) + little_endian(0x112, 2) +
               little_endian(static_cast<std::uint32_t>(type), 2) + little_endian(static_cast<std::uint32_t>(count), 4) + value +
               Bytes(4 - value.size()) + little_endian(0, 4);
    };
    for (const Bytes& block : {exif(3, 1, little_endian(6, 2)), exif(4, 1, little_endian(6, 4)), exif(1, 1, little_endian(6, 1)),
                               exif(8, 1, little_endian(6, 2)), exif(3, 2, little_endian(6, 2) + little_endian(6, 2))}) {
        CHECK(orientation_of(block) == 6);
        Metadata metadata{.exif = block};
        reset_orientation(metadata, 6);
        CHECK(orientation_of(metadata.exif) == 1);
    }
    CHECK(orientation_of(exif(3, 0, little_endian(6, 2))) == 1);
    CHECK(orientation_of(exif(2, 1, little_endian(6, 1))) == 1);
}

TEST_CASE("readers: colours that are no ICC profile become one") {
    // The directory of the camera's settings at 26, with a colour space that nobody calibrated; that of compatibility at 56.
    const Bytes exif = bytes_of("II") + little_endian(42, 2) + little_endian(8, 4) + little_endian(1, 2) + little_endian(0x8769, 2) +
                       little_endian(4, 2) + little_endian(1, 4) + little_endian(26, 4) + little_endian(0, 4) + little_endian(2, 2) +
                       little_endian(0xa001, 2) + little_endian(3, 2) + little_endian(1, 4) + little_endian(0xffff, 4) +
                       little_endian(0xa005, 2) + little_endian(4, 2) + little_endian(1, 4) + little_endian(56, 4) +
                       little_endian(0, 4) + little_endian(1, 2) + little_endian(1, 2) + little_endian(2, 2) + little_endian(4, 4) +
                       bytes_of("R03") + Bytes(1) + little_endian(0, 4);
    const Image photo = constant_image({8, 8, 3, Depth::u8}, 0.5);
    const Read camera = read(with_segment(plain_jpeg(), jpeg_segment(0xe1, bytes_of("Exif") + Bytes(2) + exif)), "a.jpg");
    CHECK(name_of_profile(camera) == "Compatible with Adobe RGB (1998)");
    const auto png = [&](std::string_view name, const Bytes& data) {
        const Bytes file = encode(photo, "a.png");
        Bytes chunk;
        codecs::put_chunk(chunk, name, data);
        constexpr std::ptrdiff_t header = 8 + 25; // the signature and IHDR
        return Bytes(file.begin(), file.begin() + header) + chunk + Bytes(file.begin() + header, file.end());
    };
    CHECK(name_of_profile(read(png("gAMA", big_endian(100000, 4)), "l.png")) == "By gAMA and cHRM");
    CHECK(read(png("cICP", bytes_of({9, 16, 0, 1})), "h.png").says("number 9, 16 of cICP"));
    CHECK(name_of_profile(read(png("cICP", bytes_of({12, 13, 0, 1})), "p.png")) == "By cICP");
    CHECK(read(png("gAMA", big_endian(45455, 4)), "s.png").image.metadata().icc.empty());
}

TEST_CASE("readers: profiles made here are whole") {
    for (const bool grey : {false, true}) {
        const std::vector<std::byte> icc = srgb_profile(grey);
        CHECK(icc.size() == codecs::big_number(icc, 4));
        CHECK(profile_name(icc) == (grey ? "Grey with the curve of sRGB" : "sRGB"));
    }
    CHECK(made_profile({.name = "none", .chromaticities = {0, 0, 0, 0, 0, 0, 0, 0}}).empty());
    CHECK(made_profile({.name = "none", .gamma = -1}).empty());
}

TEST_CASE("readers: further images of a JPEG are named, and what announces them goes") {
    CHECK(read(with_segment(plain_jpeg(), jpeg_segment(0xe2, bytes_of("MPF") + Bytes(1))), "a.jpg").says("holds further images"));
    const Bytes xmp = bytes_of("http://ns.adobe.com/xap/1.0/") + Bytes(1) + bytes_of("<x hdrgm:Version=\"1.0\"/>");
    const Read announced = read(with_segment(plain_jpeg(), jpeg_segment(0xe1, xmp)), "a.jpg");
    CHECK(announced.says("announces images"));
    CHECK(announced.image.metadata().xmp.empty());
}

TEST_CASE("readers: alpha of a TGA is what its footer says") {
    const auto tga = [](int type) {
        Bytes area(495);
        area[0] = std::byte{495 & 255};
        area[1] = std::byte{495 >> 8};
        area[494] = static_cast<std::byte>(type);
        const Bytes head = bytes_of({0, 0, 2, 0, 0, 0, 0, 0, 0, 0, 0, 0, 1, 0, 1, 0, 32, 8, 10, 20, 30, 128}); // blue first
        return head + area + little_endian(static_cast<std::uint32_t>(head.size()), 4) + Bytes(4) +
               bytes_of("TRUEVISION-XFILE.") + Bytes(1);
    };
    const Image useful = decode(tga(3), "a.tga");
    CHECK(useful.at(0, 0, 0) == 30);
    CHECK(useful.at(0, 0, 3) == 128);
    const Image premultiplied = decode(tga(4), "a.tga");
    CHECK(premultiplied.at(0, 0, 0) == 60);
    CHECK(premultiplied.at(0, 0, 2) == 20);
    for (const int type : {0, 1, 2}) {
        CHECK(decode(tga(type), "a.tga").channels() == 3);
        CHECK(inspect(tga(type), "a.tga").form.channels == 3);
    }
}

TEST_CASE("readers: a comment directly behind the maximum of a PGM") {
    const Image image = decode(bytes_of("P2 3 1 15# fifteen\n0 7 15\n"), "a.pgm");
    CHECK(image.at(1, 0, 0) == 119);
    CHECK(decode(bytes_of(std::string("P5 2 1 255# text\n\x05\x06")), "a.pgm").at(1, 0, 0) == 6);
}
