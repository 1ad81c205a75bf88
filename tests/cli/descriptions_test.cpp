// What files say beside their pixels stays true, or is left out with a word.
#include "cli/glproc_program.hpp"
#include "files/handmade_tiff.hpp"
#include "files/metadata_files.hpp"
#include "glproc/files/codecs/png/chunks.hpp"
#include "glproc/files/file.hpp"
#include "glproc/files/inspect.hpp"
#include "glproc/image/made_profile.hpp"

using namespace glproc;
using namespace glproc::test;

namespace {

struct Folder : TempDir {
    std::string convert(const std::string& in, const Bytes& bytes, const std::string& out,
                        std::vector<std::string> words = {"convert"}) const {
        write_file(*this / in, bytes);
        words.insert(words.begin() + 1, {in, out});
        const ProgramResult result = run_glproc(path(), words);
        INFO(result.err);
        REQUIRE(result.status == 0);
        return result.err;
    }
    Image made(const std::string& name) const { return load(*this / name); }
    std::string description(const std::string& name) const {
        const Image image = made(name);
        const std::string* text = find_text(image.metadata(), description_text);
        return text == nullptr ? "" : *text;
    }
};

bool says(const std::string& err, const std::string& what) {
    return err.find(what) != std::string::npos;
}

Bytes grey_ramp(int count) {
    Bytes bytes;
    for (int i = 0; i < count; ++i)
        bytes.push_back(static_cast<std::byte>(i % 251));
    return bytes;
}

/// 8x6 grey with a text.
TiffPage page_with(const std::string& text) {
    return {8, 6, 8, 1, grey_ramp(48), {tiff_text(270, text)}};
}

std::string name_of_profile(const Image& image) {
    return profile_name(image.metadata().icc);
}

} // namespace

TEST_CASE("descriptions: tifffile's shape is that of the pixels") {
    const Folder folder;
    const Bytes file = handmade_tiff({page_with("{\"shape\": [6, 8], \"axes\": \"YX\"}")});
    folder.convert("a.tif", file, "same.tif", {"blur", "--sigma", "1"});
    CHECK(folder.description("same.tif") == "{\"shape\": [6, 8], \"axes\": \"YX\"}");
    folder.convert("a.tif", file, "turned.tif", {"rotate", "90"});
    CHECK(folder.description("turned.tif") == "{\"shape\": [8, 6], \"axes\": \"YX\"}");
    folder.convert("a.tif", file, "half.tif", {"resize", "4x3"});
    CHECK(folder.description("half.tif") == "{\"shape\": [3, 4], \"axes\": \"YX\"}");
    const Bytes stack = handmade_tiff({page_with("{\"shape\": [2, 6, 8]}"), {8, 6, 8, 1, grey_ramp(48)}});
    folder.convert("s.tif", stack, "kept.tif");
    CHECK(folder.description("kept.tif") == "{\"shape\": [2, 6, 8]}");
    const std::string said = folder.convert("s.tif", stack, "small.tif", {"resize", "4x3"});
    CHECK(folder.description("small.tif").empty());
    CHECK(says(said, "the shape that tifffile described"));
}

TEST_CASE("descriptions: ImageJ's pixels keep their size") {
    const Folder folder;
    TiffPage page = page_with("ImageJ=1.53t\nimages=3\nslices=3\nunit=um\nmin=0.0\nmax=255.0\n");
    Bytes five;
    for (const std::uint32_t number : {5U, 1U})
        five = std::move(five) + little_endian(number, 4);
    page.more.push_back({282, 5, five});
    page.more.push_back({283, 5, five});
    page.more.push_back({296, 3, little_endian(1, 2)});
    const Bytes file = handmade_tiff({page});
    const std::string said = folder.convert("a.tif", file, "b.tif");
    CHECK(says(said, "holds 3 slices of ImageJ behind one directory"));
    CHECK(folder.description("b.tif") == "ImageJ=1.53t\nunit=um\nmin=0.0\nmax=255.0\n");
    CHECK(folder.made("b.tif").metadata().density == Density{5, 5, Density::Unit::none});
    folder.convert("a.tif", file, "half.tif", {"resize", "4x3"});
    CHECK(folder.made("half.tif").metadata().density == Density{2.5, 2.5, Density::Unit::none});
    folder.convert("a.tif", file, "deep.tif", {"convert", "--depth", "16"});
    CHECK(folder.description("deep.tif") == "ImageJ=1.53t\nunit=um\n");
}

TEST_CASE("descriptions: OME-XML of another image is left out") {
    const Folder folder;
    const Bytes file =
        handmade_tiff({page_with("<OME xmlns=\"http://www.openmicroscopy.org/Schemas/OME/2016-06\" SizeX=\"8\"/>")});
    const std::string said = folder.convert("a.tif", file, "b.tif", {"resize", "4x3"});
    CHECK(folder.description("b.tif").empty());
    CHECK(says(said, "OME-XML"));
}

TEST_CASE("descriptions: a GeoTIFF keeps its place while its pixels do") {
    const Folder folder;
    TiffPage page{8, 6, 8, 1, grey_ramp(48)};
    page.more = {{33550, 12, values_as_bytes(std::vector<double>{10, 10, 0})},
                 {33922, 12, values_as_bytes(std::vector<double>{0, 0, 0, 500000, 4600000, 0})},
                 {34735, 3, values_as_bytes(std::vector<std::uint16_t>{1, 1, 0, 1, 1024, 0, 1, 1})},
                 tiff_text(42113, "0")};
    const Bytes file = handmade_tiff({page});
    CHECK_FALSE(says(folder.convert("a.tif", file, "b.tif", {"blur", "--sigma", "1"}), "Earth"));
    const std::vector<PlaceTag> before = load(folder / "a.tif").metadata().place;
    REQUIRE(before.size() == 4);
    CHECK(folder.made("b.tif").metadata().place == before);
    CHECK(says(folder.convert("a.tif", file, "c.tif", {"crop", "4x4"}), "the place on Earth"));
    CHECK(folder.made("c.tif").metadata().place.empty());
    CHECK(says(folder.convert("a.tif", file, "d.png"), "the place on Earth"));
}

TEST_CASE("descriptions: a thumbnail in front of a TIFF is no page") {
    const Folder folder;
    TiffPage small{4, 4, 8, 1, grey_ramp(16), {{254, 4, little_endian(1, 4)}}};
    const TiffPage large{8, 6, 8, 1, grey_ramp(48)};
    const std::string said = folder.convert("a.tif", handmade_tiff({small, large}), "b.png");
    CHECK(folder.made("b.png").width() == 8);
    CHECK_FALSE(says(said, "image"));
    CHECK(inspect(folder / "a.tif").frames == 1);
}

TEST_CASE("descriptions: the default TIFF has neither a predictor nor packed floats") {
    const Folder folder;
    const auto tag = [&](const std::string& name, int wanted) {
        const Bytes file = read_file(folder / name);
        const auto number = [&](std::size_t at, std::size_t count) {
            std::size_t value = 0;
            for (std::size_t i = count; i-- > 0;)
                value = value << 8U | std::to_integer<std::size_t>(file[at + i]);
            return value;
        };
        const std::size_t directory = number(4, 4);
        for (std::size_t i = 0; i < number(directory, 2); ++i) {
            const std::size_t entry = directory + 2 + 12 * i;
            if (number(entry, 2) == static_cast<std::size_t>(wanted))
                return static_cast<int>(number(entry + 8, 2));
        }
        return 0;
    };
    for (const Depth depth : {Depth::u8, Depth::u16, Depth::f32}) {
        save(gradient_image({40, 30, 3, depth}), folder / "a.tif");
        CHECK(tag("a.tif", 259) == (depth == Depth::f32 ? 1 : 8));
        CHECK(tag("a.tif", 317) <= 1);
    }
    save(gradient_image({40, 30, 1, Depth::u8}), folder / "g.png");
    for (const std::string name : {"g.ppm", "g.hdr"}) {
        const ProgramResult result = run_glproc(folder.path(), {"convert", "g.png", name});
        INFO(result.err);
        CHECK(result.status == 0);
        CHECK(load(folder / name).channels() == 3);
    }
}

TEST_CASE("descriptions: EXIF's orientation is read whatever its type") {
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

TEST_CASE("descriptions: colours that are no ICC profile become one") {
    const Folder folder;
    // The directory of the camera's settings at 26, with a colour space that nobody calibrated; that of compatibility at 56.
    const Bytes exif = bytes_of("II") + little_endian(42, 2) + little_endian(8, 4) + little_endian(1, 2) + little_endian(0x8769, 2) +
                       little_endian(4, 2) + little_endian(1, 4) + little_endian(26, 4) + little_endian(0, 4) + little_endian(2, 2) +
                       little_endian(0xa001, 2) + little_endian(3, 2) + little_endian(1, 4) + little_endian(0xffff, 4) +
                       little_endian(0xa005, 2) + little_endian(4, 2) + little_endian(1, 4) + little_endian(56, 4) +
                       little_endian(0, 4) + little_endian(1, 2) + little_endian(1, 2) + little_endian(2, 2) + little_endian(4, 4) +
                       bytes_of("R03") + Bytes(1) + little_endian(0, 4);
    const Image photo = constant_image({8, 8, 3, Depth::u8}, 0.5);
    const Bytes jpeg = encode(photo, "a.jpg");
    folder.convert("a.jpg", with_segment(jpeg, jpeg_segment(0xe1, bytes_of("Exif") + Bytes(2) + exif)), "b.png");
    CHECK(name_of_profile(folder.made("b.png")) == "Compatible with Adobe RGB (1998)");
    const auto png = [&](std::string_view name, const Bytes& data) {
        const Bytes file = encode(photo, "a.png");
        Bytes chunk;
        codecs::put_chunk(chunk, name, data);
        constexpr std::ptrdiff_t header = 8 + 25; // the signature and IHDR
        return Bytes(file.begin(), file.begin() + header) + chunk + Bytes(file.begin() + header, file.end());
    };
    folder.convert("l.png", png("gAMA", big_endian(100000, 4)), "l.tif");
    CHECK(name_of_profile(folder.made("l.tif")) == "By gAMA and cHRM");
    CHECK(says(folder.convert("h.png", png("cICP", bytes_of({9, 16, 0, 1})), "h.tif"), "number 9, 16 of cICP"));
    folder.convert("p.png", png("cICP", bytes_of({12, 13, 0, 1})), "p.tif");
    CHECK(name_of_profile(folder.made("p.tif")) == "By cICP");
    folder.convert("s.png", png("gAMA", big_endian(45455, 4)), "s.tif");
    CHECK(folder.made("s.tif").metadata().icc.empty());
}

TEST_CASE("descriptions: profiles made here are whole") {
    for (const bool grey : {false, true}) {
        const std::vector<std::byte> icc = srgb_profile(grey);
        CHECK(icc.size() == codecs::big_number(icc, 4));
        CHECK(profile_name(icc) == (grey ? "Grey with the curve of sRGB" : "sRGB"));
    }
    CHECK(made_profile({.name = "none", .chromaticities = {0, 0, 0, 0, 0, 0, 0, 0}}).empty());
    CHECK(made_profile({.name = "none", .gamma = -1}).empty());
}

TEST_CASE("descriptions: captions of IPTC travel between JPEG and TIFF") {
    const Folder folder;
    const Bytes records = bytes_of({0x1c, 2, 120, 0, 5}) + bytes_of("Hello");
    const Bytes resource = bytes_of("Photoshop 3.0") + Bytes(1) + bytes_of("8BIM") + big_endian(0x0404, 2) + Bytes(2) +
                           big_endian(static_cast<std::uint32_t>(records.size()), 4) + records;
    const Bytes jpeg = with_segment(encode(constant_image({8, 8, 3, Depth::u8}, 0.5), "a.jpg"), jpeg_segment(0xed, resource));
    folder.convert("a.jpg", jpeg, "b.jpg", {"blur", "--sigma", "1"});
    CHECK(folder.made("b.jpg").metadata().iptc == records);
    folder.convert("a.jpg", jpeg, "c.tif");
    Bytes padded = records;
    padded.resize((padded.size() + 3) / 4 * 4);
    CHECK(folder.made("c.tif").metadata().iptc == padded);
    CHECK(says(folder.convert("a.jpg", jpeg, "d.png"), "IPTC"));
}

TEST_CASE("descriptions: XMP has the new size, and no panorama of another") {
    const Folder folder;
    Image photo = constant_image({8, 6, 3, Depth::u8}, 0.5);
    const Bytes sizes = bytes_of("<x exif:PixelXDimension=\"8\"><exif:PixelYDimension>6</exif:PixelYDimension></x>");
    folder.convert("a.png", encode(with_metadata(photo, {.xmp = sizes}), "a.png"), "b.png", {"resize", "4x3"});
    CHECK(folder.made("b.png").metadata().xmp ==
          bytes_of("<x exif:PixelXDimension=\"4\"><exif:PixelYDimension>3</exif:PixelYDimension></x>"));
    const Bytes panorama = bytes_of("<x GPano:FullPanoWidthPixels=\"8\"/>");
    const Bytes file = encode(with_metadata(photo, {.xmp = panorama}), "a.png");
    CHECK(says(folder.convert("p.png", file, "q.png", {"resize", "4x3"}), "panorama"));
    CHECK(folder.made("q.png").metadata().xmp.empty());
    folder.convert("p.png", file, "r.png", {"blur", "--sigma", "1"});
    CHECK(folder.made("r.png").metadata().xmp == panorama);
}

TEST_CASE("descriptions: further images of a JPEG are named, and what announces them goes") {
    const Folder folder;
    const Bytes jpeg = encode(constant_image({8, 8, 3, Depth::u8}, 0.5), "a.jpg");
    CHECK(says(folder.convert("a.jpg", with_segment(jpeg, jpeg_segment(0xe2, bytes_of("MPF") + Bytes(1))), "b.jpg"),
               "holds further images"));
    const Bytes xmp = bytes_of("http://ns.adobe.com/xap/1.0/") + Bytes(1) + bytes_of("<x hdrgm:Version=\"1.0\"/>");
    CHECK(says(folder.convert("c.jpg", with_segment(jpeg, jpeg_segment(0xe1, xmp)), "d.jpg"), "announces images"));
    CHECK(folder.made("d.jpg").metadata().xmp.empty());
}

TEST_CASE("descriptions: alpha of a TGA is what its footer says") {
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

TEST_CASE("descriptions: a comment directly behind the maximum of a PGM") {
    const Image image = decode_text("P2 3 1 15# fifteen\n0 7 15\n", "a.pgm");
    CHECK(image.at(1, 0, 0) == 119);
    CHECK(decode_text(std::string("P5 2 1 255# text\n\x05\x06"), "a.pgm").at(1, 0, 0) == 6);
}
