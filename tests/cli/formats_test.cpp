// Depth, quality, metadata and limits: what a picture file becomes on its way through the program.
#include "cli/glproc_program.hpp"

#include "glproc/files/file.hpp"
#include "support/jpeg_frame.hpp"

#include <cmath>

using namespace glproc;
using namespace glproc::test;

namespace {

using Words = std::vector<std::string>;

struct FormatsFolder : TempDir {
    FormatsFolder() {
        save(photo_like_image({.width = 31, .height = 17, .channels = 3}), *this / "in.png");
        save(with_depth(photo_like_image({.width = 31, .height = 17, .channels = 3}), Depth::u16),
             *this / "deep.png");
    }

    /// blur IN OUT with `flags`.
    ProgramResult blur(const std::string& in, const std::string& out, const std::string& sigma,
                       const Words& flags) const {
        Words words{"blur", in, out, "--sigma", sigma, "-q"};
        words.insert(words.end(), flags.begin(), flags.end());
        return run_glproc(path(), words);
    }
    Image result(const std::string& out, const Words& flags, const std::string& in = "in.png",
                 const std::string& sigma = "0") const {
        const ProgramResult done = blur(in, out, sigma, flags);
        INFO(done.err);
        REQUIRE(done.status == 0);
        return load(*this / out);
    }
    /// What blurring without a GPU says, which must fail with `status`.
    std::string refusal(int status, const std::string& in, const std::string& out, const Words& flags) const {
        Words words{"blur", in, out, "--sigma", "0"};
        words.insert(words.end(), flags.begin(), flags.end());
        const ProgramResult done = run_without_gpu(path(), words);
        CHECK(done.status == status);
        return done.err;
    }
};

/// A TIFF structure that says 6 (or 1): turned by a quarter.
std::vector<std::byte> exif_block(int orientation) {
    std::vector<std::byte> block(26 + 4);
    const std::string head("MM\0*\0\0\0\10\0\1\1\22\0\3\0\0\0\1\0", 19);
    std::transform(head.begin(), head.end(), block.begin(), [](char c) { return static_cast<std::byte>(c); });
    block[19] = static_cast<std::byte>(orientation);
    return block;
}

Metadata metadata_block(int orientation) {
    Metadata metadata{
        .icc = std::vector<std::byte>(70'000, std::byte{7}), .exif = exif_block(orientation), .xmp = {}};
    const std::string acsp = "acsp";
    std::transform(acsp.begin(), acsp.end(), metadata.icc.begin() + 36,
                   [](char c) { return static_cast<std::byte>(c); });
    metadata.xmp.assign(100, std::byte{' '});
    return metadata;
}

bool same_metadata(const Metadata& a, const Metadata& b) {
    return a.icc == b.icc && a.exif == b.exif && a.xmp == b.xmp;
}

} // namespace

TEST_CASE("formats: --depth asks for another depth, and without it none changes") {
    const FormatsFolder folder;
    const Image in = load(folder / "in.png");
    CHECK(same_pixels(folder.result("out.png", {}), in));
    CHECK(same_pixels(folder.result("out.png", {}, "deep.png"), with_depth(in, Depth::u16)));
    CHECK(same_pixels(folder.result("out.png", {"--depth", "8"}), in));
    CHECK(same_pixels(folder.result("out.png", {"--depth", "16"}), with_depth(in, Depth::u16)));
    CHECK(same_pixels(folder.result("out.png", {"--depth", "8"}, "deep.png"), in));
    CHECK(same_pixels(folder.result("out.pfm", {"--depth", "f32", "--transfer", "keep"}), with_depth(in, Depth::f32)));
    CHECK(same_pixels(folder.result("back.png", {"--depth", "16", "--transfer", "keep"}, "out.pfm"),
                      with_depth(in, Depth::u16)));
    folder.result("out.pfm", {"--depth", "f32"}); // as light, and back
    CHECK(same_pixels(folder.result("back.png", {"--depth", "16"}, "out.pfm"), with_depth(in, Depth::u16)));
}

TEST_CASE("formats: a larger depth is used by the operation, a smaller one loses nothing before it") {
    const FormatsFolder folder;
    const Image blurred = folder.result("out.png", {"--depth", "16"}, "in.png", "3");
    int between = 0;
    for (const std::uint16_t value : blurred.values<std::uint16_t>()) {
        between += value % 257 != 0;
    }
    CHECK(between > 1000); // of 1581
    const Image narrow = folder.result("out.png", {"--depth", "8"}, "deep.png", "3");
    CHECK(same_pixels(narrow, with_depth(blurred, Depth::u8)));
}

TEST_CASE("formats: --depth serves operations that take no floats") {
    const FormatsFolder folder;
    const Image in = load(folder / "in.png");
    save(with_depth(in, Depth::f32), folder / "in.pfm");
    const auto equalised = [&](const std::string& from, const std::string& to, const std::string& depth) {
        const ProgramResult done = run_glproc(folder.path(), {"equalize", from, to, "--depth", depth, "--transfer", "keep", "-q"});
        INFO(done.err);
        REQUIRE(done.status == 0);
        return load(folder / to);
    };
    const Image deep = equalised("in.png", "out.png", "16");
    CHECK(deep.depth() == Depth::u16);
    CHECK(same_pixels(equalised("in.png", "out.pfm", "f32"), with_depth(deep, Depth::f32)));
    CHECK(same_pixels(equalised("in.pfm", "out.png", "16"), deep));
    CHECK(same_pixels(equalised("in.pfm", "out.png", "8"), with_depth(deep, Depth::u8)));
    CHECK(run_glproc(folder.path(), {"equalize", "in.pfm", "out.pfm", "-q"}).status == 2);
}

TEST_CASE("formats: a depth that the output cannot hold is refused before any GPU work") {
    const FormatsFolder folder;
    CHECK(folder.refusal(2, "in.png", "out.png", {"--depth", "f32"})
              .starts_with("glproc: error: out.png: PNG cannot hold float values\n  hint: --depth 16 makes "
                           "it fit; formats that hold it: "));
    CHECK(folder.refusal(2, "in.png", "out.jpg", {"--depth", "16"})
              .starts_with("glproc: error: out.jpg: JPEG cannot hold 16-bit values\n"));
    CHECK(folder.refusal(2, "deep.png", "out.jpg", {})
              .starts_with("glproc: error: out.jpg: JPEG cannot hold 16-bit values\n"));
    CHECK(folder.refusal(2, "in.png", "out.png", {"--depth", "12"}).starts_with("glproc: error: "));
}

TEST_CASE("formats: --quality and --png-level reach the writers") {
    const FormatsFolder folder;
    const auto size = [&](const std::string& out, const Words& flags) {
        folder.result(out, flags);
        return read_text(folder / out).size();
    };
    const Image in = load(folder / "in.png");
    CHECK(size("out.jpg", {"--quality", "10"}) < size("out.jpg", {"--quality", "100"}));
    folder.result("out.jpg", {"--quality", "37"});
    const std::string written = read_text(folder / "out.jpg");
    CHECK(std::ranges::equal(std::as_bytes(std::span(written)), encode(in, "jpg", {.quality = 37})));
    CHECK(size("out.png", {"--png-level", "12"}) < size("out.png", {"--png-level", "0"}));
    CHECK(same_pixels(load(folder / "out.png"), in));
}

TEST_CASE("formats: values out of range, and flags that cannot matter, are refused") {
    const FormatsFolder folder;
    const auto first_line = [&](const Words& flags, const std::string& out) {
        return lines_of(folder.refusal(2, "in.png", out, flags)).at(0);
    };
    CHECK(first_line({"--quality", "0"}, "out.jpg") == "glproc: error: --quality 0 is out of range");
    CHECK(first_line({"--quality", "101"}, "out.jpg") == "glproc: error: --quality 101 is out of range");
    CHECK(first_line({"--png-level", "13"}, "out.png") == "glproc: error: --png-level 13 is out of range");
    CHECK(first_line({"--png-level", "-1"}, "out.png") == "glproc: error: --png-level -1 is out of range");
    CHECK(first_line({"--max-pixels", "0"}, "out.png")
              .starts_with("glproc: error: --max-pixels 0 is out of range"));
    CHECK(first_line({"--max-pixels", "1.5"}, "out.png") ==
          "glproc: error: --max-pixels 1.5 is not a whole number");
    CHECK(first_line({"--quality", "50"}, "out.png") ==
          "glproc: error: --quality is for JPEG, WebP, JPEG XL, HEIC and AVIF, which out.png is not");
    CHECK(first_line({"--subsampling", "444"}, "out.png") ==
          "glproc: error: --subsampling is for JPEG, which out.png is not");
    CHECK(first_line({"--subsampling", "auto"}, "out.tif") ==
          "glproc: error: --subsampling is for JPEG, which out.tif is not");
    CHECK(first_line({"--progressive"}, "out.webp") ==
          "glproc: error: --progressive is for JPEG, which out.webp is not");
    CHECK(first_line({"--progressive"}, "-") ==
          "glproc: error: --progressive is for JPEG, which stdout is not");
    CHECK(first_line({"--subsampling", "411"}, "out.jpg") == "glproc: error: unknown --subsampling '411'");
    CHECK(first_line({"--png-level", "5"}, "out.jpg") ==
          "glproc: error: --png-level is for PNG, which out.jpg is not");
    CHECK(first_line({"--quality", "50"}, "-") ==
          "glproc: error: --quality is for JPEG, WebP, JPEG XL, HEIC and AVIF, which stdout is not");
}

TEST_CASE("formats: a JPEG keeps colour as asked for, else as its source, else by quality") {
    const FormatsFolder folder;
    const std::vector<int> full{1, 1, 1, 1, 1, 1};
    const std::vector<int> across{2, 1, 1, 1, 1, 1};
    const std::vector<int> half{2, 2, 1, 1, 1, 1};
    const auto frame = [&](const std::string& in, const Words& flags) {
        folder.result("out.jpg", flags, in);
        return frame_of(read_file(folder / "out.jpg"));
    };
    CHECK(frame("in.png", {}).factors == full);
    CHECK(frame("in.png", {"--quality", "89"}).factors == half);
    CHECK(frame("in.png", {"--subsampling", "422"}).factors == across);
    CHECK(frame("in.png", {"--subsampling", "420"}).factors == half);
    CHECK(frame("in.png", {"--subsampling", "444", "--quality", "30"}).factors == full);
    CHECK(frame("in.png", {"--subsampling", "auto", "--quality", "30"}).factors == half);
    CHECK_FALSE(frame("in.png", {}).progressive);
    CHECK(frame("in.png", {"--progressive"}).progressive);
    for (const auto& [subsampling, factors] :
         {std::pair{"444", full}, std::pair{"422", across}, std::pair{"420", half}}) {
        folder.result("source.jpg", {"--subsampling", subsampling, "--quality", "70"});
        CHECK(frame("source.jpg", {}).factors == factors);
        CHECK(frame("source.jpg", {"--strip"}).factors == factors);
        CHECK(frame("source.jpg", {"--quality", "100"}).factors == factors);
        CHECK(frame("source.jpg", {"--subsampling", "422"}).factors == across);
    }
}

TEST_CASE("formats: a JPEG of a JPEG has its quality, unless another is asked for") {
    const FormatsFolder folder;
    folder.result("source.jpg", {"--quality", "60"});
    const auto quality = [&](const std::string& in, const Words& flags) {
        return folder.result("out.jpg", flags, in).metadata().jpeg.value().quality;
    };
    CHECK(quality("source.jpg", {}) == 60);
    CHECK(quality("source.jpg", {"--strip"}) == 60);
    CHECK(quality("source.jpg", {"--quality", "80"}) == 80);
    CHECK(quality("in.png", {}) == 90);
}

TEST_CASE("formats: density and comment go from input to output, and info tells the density") {
    const FormatsFolder folder;
    const Density dense{300, 300, Density::Unit::inch};
    Image in = load(folder / "in.png");
    in.set_metadata({.density = dense, .texts = {{"Comment", "by hand"}}});
    const std::vector<std::string> names = {"told.png", "told.jpg"};
    for (const std::string& name : names) {
        save(in, folder / name);
    }
    for (const std::string& from : names) {
        for (const std::string to : {"out.png", "out.jpg"}) {
            for (const Words& flags : {Words{}, Words{"--memory", "1"}}) {
                INFO(from << " to " << to);
                const Metadata out = folder.result(to, flags, from, "2").metadata();
                REQUIRE(out.density.has_value());
                CHECK(out.density->in(Density::Unit::inch) == dense);
                CHECK(out.texts == std::vector<Text>{{"Comment", "by hand"}});
            }
        }
        const ProgramResult text = run_without_gpu(folder.path(), {"info", from});
        CHECK(lines_of(text.out).at(1) == "  resolution   300 pixels per inch");
        const ProgramResult json = run_without_gpu(folder.path(), {"info", from, "--json"});
        CHECK(json.out.find(R"("resolution":{"x":300,"y":300,"unit":"inch"})") != std::string::npos);
    }
    const auto resolution = [&](const Density& density) {
        in.set_metadata({.density = density});
        save(in, folder / "told.jpg");
        return lines_of(run_without_gpu(folder.path(), {"info", "told.jpg"}).out).at(1);
    };
    CHECK(resolution({204, 98, Density::Unit::inch}) == "  resolution   204x98 pixels per inch");
    CHECK(resolution({118, 118, Density::Unit::centimetre}) == "  resolution   118 pixels per cm");
    CHECK(resolution({2, 1, Density::Unit::none}) == "  resolution   2:1, as a proportion");
    CHECK(run_without_gpu(folder.path(), {"info", "in.png", "--json"}).out.find(R"("resolution":null)") !=
          std::string::npos);
}

TEST_CASE("formats: the density turns with the picture, and keeps the shape of pixels that are not square") {
    const FormatsFolder folder;
    Image in = load(folder / "in.png");
    using Unit = Density::Unit;
    const auto density = [&](const Words& operation, const Density& before, const std::string& to) {
        in.set_metadata({.density = before});
        save(in, folder / "told.png");
        INFO(operation.at(0));
        std::vector<Density> found; // whole, and in rows
        for (const Words& flags : {Words{}, Words{"--memory", "1"}}) {
            Words words{operation.at(0), "told.png", to, "-q"};
            words.insert(words.end(), flags.begin(), flags.end());
            words.insert(words.end(), operation.begin() + 1, operation.end());
            const ProgramResult done = run_glproc(folder.path(), words);
            INFO(done.err);
            REQUIRE(done.status == 0);
            found.push_back(load(folder / to).metadata().density.value_or(Density{}).in(Unit::inch));
        }
        CHECK(found.at(0) == found.at(1));
        return found.at(0);
    };
    const Density fax{200, 100, Unit::inch};
    for (const std::string to : {"out.png", "out.jpg"}) {
        INFO(to);
        CHECK(density({"rotate", "90"}, fax, to) == Density{100, 200, Unit::inch});
        CHECK(density({"rotate", "270"}, fax, to) == Density{100, 200, Unit::inch});
        CHECK(density({"rotate", "180"}, fax, to) == fax);
        CHECK(density({"resize", "50%"}, fax, to) == fax);
        CHECK(density({"resize", "800x", "--linear"}, fax, to) == fax);
        CHECK(density({"thumbnail", "16x16", "--strip=none"}, fax, to) == fax);
        CHECK(density({"resize", "31x34"}, fax, to) == Density{200, 200, Unit::inch}); // squares at last
        CHECK(density({"resize", "31x34", "--linear"}, fax, to) == Density{200, 200, Unit::inch});
        CHECK(density({"pipe", "rotate", "90", "then", "resize", "34x31"}, fax, to) ==
              Density{100, 100, Unit::inch});
        CHECK(density({"crop", "8x8+1+1"}, fax, to) == fax);
        // Who stretches square pixels wants them stretched.
        const Density screen{72, 72, Unit::inch};
        CHECK(density({"resize", "31x34"}, screen, to) == screen);
        CHECK(density({"rotate", "90"}, screen, to) == screen);
        // A proportion stays one of whole numbers.
        CHECK(density({"resize", "31x51"}, {2, 1, Unit::none}, to) == Density{2, 3, Unit::none});
        CHECK(density({"resize", "62x51"}, {2, 1, Unit::none}, to) == Density{4, 3, Unit::none});
    }
}

TEST_CASE("formats: ICC, EXIF and XMP go from input to output, the picture upright") {
    const FormatsFolder folder;
    Image in = load(folder / "in.png");
    in.set_metadata(metadata_block(6));
    save(in, folder / "told.png");
    save(in, folder / "told.jpg");
    for (const std::string from : {"told.png", "told.jpg"}) {
        for (const std::string to : {"out.png", "out.jpg"}) {
            const Image out = folder.result(to, {}, from, "2");
            INFO(from << " to " << to);
            CHECK(out.width() == 17);
            CHECK(out.height() == 31);
            CHECK(same_metadata(out.metadata(), metadata_block(1)));
            const Metadata stripped = folder.result(to, {"--strip"}, from, "2").metadata();
            CHECK(stripped.icc == metadata_block(1).icc);
            CHECK((stripped.exif.empty() && stripped.xmp.empty()));
            CHECK(folder.result(to, {"--strip=all"}, from, "2").metadata().empty());
            CHECK(load(folder / to).height() == 31);
        }
    }
    CHECK(folder.result("out.ppm", {"--strip=all"}, "told.png").height() == 31); // no place for them, and no message
    CHECK(run_glproc(folder.path(), {"invert", "told.png", "out.ppm"}).err ==
          "glproc: warning: out.ppm: pnm cannot store the ICC profile, so colours change\n");
}

TEST_CASE("formats: captions of IPTC go where they can, and are named elsewhere") {
    const FormatsFolder folder;
    Image in = load(folder / "in.png");
    Metadata metadata;
    for (const int byte : {0x1c, 2, 120, 0, 1, 0x61}) {
        metadata.iptc.push_back(static_cast<std::byte>(byte));
    }
    in.set_metadata(metadata);
    save(in, folder / "told.png");
    CHECK(folder.result("out.jpg", {}, "told.png").metadata().iptc == metadata.iptc);
    CHECK(folder.result("out.png", {}, "out.jpg").metadata().iptc == metadata.iptc);
    CHECK(folder.result("out.jpg", {"--strip"}, "told.png").metadata().empty());
    CHECK(run_glproc(folder.path(), {"invert", "told.png", "out.ppm"}).err ==
          "glproc: warning: out.ppm: pnm cannot store captions of IPTC; they are left out\n");
    CHECK(run_glproc(folder.path(), {"info", "told.png"}).out.find("IPTC         6 bytes") !=
          std::string::npos);
}

TEST_CASE("formats: --max-pixels refuses before decoding, in every command that reads pictures") {
    const FormatsFolder folder;
    CHECK(folder.refusal(3, "in.png", "out.png", {"--max-pixels", "526"}) ==
          "glproc: error: in.png: 31x17 pixels are more than the limit of 526\n"
          "  hint: if you trust the file: --max-pixels 527\n");
    CHECK(folder.blur("in.png", "out.png", "0", {"--max-pixels", "527"}).status == 0);
    const ProgramResult counted =
        run_without_gpu(folder.path(), {"histogram", "in.png", "--max-pixels", "526"});
    CHECK(counted.status == 3);
    CHECK(counted.err == "glproc: error: in.png: 31x17 pixels are more than the limit of 526\n"
                         "  hint: if you trust the file: --max-pixels 527\n");
}

TEST_CASE("formats: what is odd about an input is a warning, unless quiet") {
    const FormatsFolder folder;
    std::string gif("GIF89a\1\0\1\0\x80\0\0\1\2\3\4\5\6", 19);
    const std::string frame("\x2c\0\0\0\0\1\0\1\0\0\2\2\x44\1\0", 15);
    write_text(folder / "two.gif", gif + frame + frame + ";");
    const ProgramResult told = run_glproc(folder.path(), {"blur", "two.gif", "out.png", "--sigma", "0"});
    CHECK(told.status == 0);
    CHECK(without_software_warning(told.err) ==
          "glproc: warning: two.gif: has 2 frames; the first one is used\n");
    Words words{"blur", "two.gif", "out.png", "--sigma", "0", "-q"};
    CHECK(run_glproc(folder.path(), words).err ==
          told.err.substr(told.err.rfind("glproc: "))); // it is about the data
    words.back() = "-qq";
    CHECK(run_glproc(folder.path(), words).err.empty());
}

TEST_CASE("formats: broken files of every kind end with status 3 and say which file") {
    const FormatsFolder folder;
    const Image image = photo_like_image({.width = 31, .height = 17, .channels = 3});
    const auto check = [&](const std::string& name, const std::vector<std::byte>& file) {
        INFO(name);
        write_file(folder / name, file);
        const ProgramResult done = run_without_gpu(folder.path(), {"histogram", name});
        CHECK(done.status == 3);
        CHECK(done.err.starts_with("glproc: error: " + name + ": "));
        CHECK(done.out.empty());
    };
    for (const std::string& extension : writable_extensions()) {
        const bool floats = extension == "hdr" || extension == "pfm" || extension == "exr";
        if (extension == "pgm")
            continue; // RGB it cannot hold; a PPM is the same
        std::vector<std::byte> file = encode(floats ? with_depth(image, Depth::f32) : image, extension);
        file.resize(file.size() / 2);
        check("half." + extension, file);
        file.resize(5);
        check("start." + extension, file);
        check("empty." + extension, {});
    }
    // What PngSuite calls x*.png: every byte of a PNG counts. But that the end mark is missing is only noted,
    // also where the image data claim to be longer than the file: they have an end and a checksum of their
    // own.
    constexpr std::size_t end_mark = 12;
    constexpr std::size_t data_length = 33; // the first chunk after the header, and its first three bytes
    const std::vector<std::byte> png = read_file(folder / "in.png");
    for (std::size_t at = 0; at + end_mark < png.size(); at += at < 40 ? 3 : 199) {
        if (at >= data_length && at < data_length + 3) {
            continue;
        }
        std::vector<std::byte> file = png;
        file[at] ^= std::byte{0x41};
        check("x.png", file);
    }
}
