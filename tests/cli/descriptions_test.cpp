// What files say beside their pixels stays true, or is left out with a word.
#include "cli/glproc_program.hpp"
#include "files/handmade_tiff.hpp"
#include "files/metadata_files.hpp"
#include "glproc/files/file.hpp"

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
    folder.convert("s.tif", stack, "small.tif", {"resize", "4x3"});
    CHECK(folder.description("small.tif") == "{\"shape\": [2, 3, 4]}");
    const Bytes planes = handmade_tiff({page_with("{\"axes\": \"ZCYX\", \"shape\": [2, 3, 6, 8]}"), {8, 6, 8, 1, grey_ramp(48)}});
    const std::string said = folder.convert("p.tif", planes, "other.tif"); // of six images
    CHECK(folder.description("other.tif").empty());
    CHECK(says(said, "the shape that tifffile described"));
    const Bytes named = handmade_tiff({page_with("{\"axes\": \"ZYX\", \"shape\": [2, 6, 8]}"), {8, 6, 8, 1, grey_ramp(48)}});
    folder.convert("n.tif", named, "part.tif", {"crop", "3x5"});
    CHECK(folder.description("part.tif") == "{\"axes\": \"ZYX\", \"shape\": [2, 5, 3]}");
    CHECK(run_glproc(folder.path(), {"stack", "n.tif", "one.tif", "--by", "max"}).status == 0);
    CHECK(folder.description("one.tif") == "{\"axes\": \"YX\", \"shape\": [6, 8]}");
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
    CHECK_FALSE(says(said, "look-up tables"));
    TiffPage coloured = page;
    coloured.more.push_back({50839, 1, grey_ramp(8)});
    CHECK(says(folder.convert("l.tif", handmade_tiff({coloured}), "m.tif"),
               "the look-up tables, labels and overlays of ImageJ are left out"));
    folder.convert("a.tif", file, "half.tif", {"resize", "50%"}); // twice as large
    CHECK(folder.made("half.tif").metadata().density == Density{2.5, 2.5, Density::Unit::none});
    folder.convert("a.tif", file, "wide.tif", {"pipe", "resize", "16x6!", "then", "rotate", "90"});
    CHECK(folder.made("wide.tif").metadata().density == Density{5, 10, Density::Unit::none});
    folder.convert("a.tif", file, "part.tif", {"crop", "4x3"});
    CHECK(folder.made("part.tif").metadata().density == Density{5, 5, Density::Unit::none});
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

TEST_CASE("descriptions: OME-XML keeps axes and pixel sizes, and other images lose their axes") {
    const Folder folder;
    const std::string xml = "<OME xmlns=\"http://www.openmicroscopy.org/Schemas/OME/2016-06\"><Image><Pixels DimensionOrder=\"XYZCT\" "
                            "SizeZ=\"2\" SizeC=\"1\" SizeT=\"1\" PhysicalSizeX=\"0.5\"/></Image></OME>";
    const Bytes file = handmade_tiff({page_with(xml), {8, 6, 8, 1, grey_ramp(48)}});
    folder.convert("a.tif", file, "same.tif", {"blur", "--sigma", "1"});
    CHECK(folder.description("same.tif") == xml);
    const std::string said = folder.convert("a.tif", file, "half.tif", {"resize", "4x3"});
    CHECK(says(said, "what OME-XML says beside axes and pixel sizes"));
    CHECK(says(folder.description("half.tif"), "PhysicalSizeX=\"1\""));
    CHECK(says(folder.description("half.tif"), "SizeX=\"4\" SizeY=\"3\" SizeZ=\"2\""));
    const Bytes stack = handmade_tiff({page_with("ImageJ=1.53t\nimages=3\nslices=3\n"), {8, 6, 8, 1, grey_ramp(48)},
                                       {8, 6, 8, 1, grey_ramp(48)}});
    folder.convert("s.tif", stack, "three.tif", {"blur", "--sigma", "1"});
    CHECK(folder.description("three.tif") == "ImageJ=1.53t\nimages=3\nslices=3\n");
    CHECK(run_glproc(folder.path(), {"convert", "s.tif#1..2", "two.tif"}).status == 0);
    CHECK(folder.description("two.tif") == "ImageJ=1.53t\nimages=2\nslices=2\nhyperstack=true\n");
}

TEST_CASE("descriptions: the default TIFF has no predictor") {
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
        CHECK(tag("a.tif", 259) == 8);
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

