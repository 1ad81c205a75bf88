// Files that are cut short, damaged or lying: every decoder must either give a whole picture or throw
// Error(input).
#include "files/jpeg_files.hpp"
#include "files/metadata_files.hpp"
#include "files/png_files.hpp"

using namespace glproc;
using namespace glproc::test;

namespace {

struct Sample {
    std::string name; ///< its extension tells TGA
    Bytes bytes;
};

/// A sound file of each kind.
const std::vector<Sample>& samples() {
    static const std::vector<Sample> list = [] {
        const Image grey = picture(37, 29, 1, Depth::u8);
        const Image rgb = picture(37, 29, 3, Depth::u8);
        const Image rgba = picture(37, 29, 4, Depth::u8);
        const Metadata metadata{.icc = icc_block(400), .exif = exif_block(6, true), .xmp = xmp_block()};
        std::vector<int> pixels;
        for (std::uint32_t i = 0; i < 37 * 29; ++i)
            pixels.push_back(static_cast<int>(hash(i) % 4));
        const std::vector<std::array<int, 3>> palette{{255, 0, 0}, {0, 255, 0}, {0, 0, 255}, {9, 9, 9}};
        std::vector<Sample> all{
            {"ours.png", encode(rgb, "png")},
            {"deep.png", encode(picture(37, 29, 4, Depth::u16), "png")},
            {"palette.png", write_png(noise_png(37, 29, 4, PNG_COLOR_TYPE_PALETTE))},
            {"interlaced.png", write_png(noise_png(37, 29, 8, PNG_COLOR_TYPE_RGB, true))},
            {"grey.jpg", encode(smooth_picture(37, 29, 1), "jpg")},
            {"rgb.jpg", write_jpeg(37, 29, 3, JpegKind::baseline)},
            {"progressive.jpg", write_jpeg(37, 29, 3, JpegKind::progressive)},
            {"grey.pgm", encode(grey, "pgm")},
            {"deep.ppm", encode(picture(37, 29, 3, Depth::u16), "ppm")},
            {"rgba.pam", encode(rgba, "pam")},
            {"bits.pbm", bytes_of("P4\n37 29\n") + Bytes(std::size_t{5} * 29, std::byte{0x5a})},
            {"grey.bmp", encode(grey, "bmp")},
            {"rgb.bmp", encode(rgb, "bmp")},
            {"rgba.bmp", encode(rgba, "bmp")},
            {"palette.bmp", write_palette_bmp(37, 29, 4, palette, pixels)},
            {"rgb.tga", encode(rgb, "tga")},
            {"rgba.tga", encode(rgba, "tga")},
            {"plain.tga", tga_header(2, 0, 37, 29, 24) + Bytes(std::size_t{37} * 29 * 3, std::byte{3})},
            {"rle.hdr", encode(picture(37, 29, 3, Depth::f32), "hdr")},
            {"flat.hdr", encode(picture(7, 29, 3, Depth::f32), "hdr")},
            {"opaque.gif", write_gif(37, 29, palette, pixels)},
            {"alpha.gif", write_gif(37, 29, palette, pixels, 1)},
            {"plain.psd", write_psd(rgb, false)},
            {"packed.psd", write_psd(rgba, true)},
            {"deep.psd", write_psd(picture(37, 29, 3, Depth::u16), false)},
            {"told.png", encode(with_metadata(rgb, metadata), "png")},
            {"told.jpg", encode(with_metadata(smooth_picture(37, 29, 3), metadata), "jpg")},
            {"cmyk.jpg", write_jpeg(37, 29, 4, JpegKind::baseline)},
            {"ycck.jpg", write_jpeg(37, 29, 4, JpegKind::progressive, true)},
            {"grey.pfm", encode(picture(37, 29, 1, Depth::f32), "pfm")},
            {"rgb.pfm", encode(picture(37, 29, 3, Depth::f32), "pfm")},
#ifdef GLPROC_WITH_TIFF
            {"rgb.tif", encode(with_metadata(rgb, metadata), "tif")},
            {"floats.tif", encode(picture(37, 29, 2, Depth::f32), "tif")},
#endif
        };
        return all;
    }();
    return list;
}

bool decodes(const Bytes& bytes, const std::string& name) {
    const auto error = error_of([&] { decode(bytes, name); });
    if (!error)
        return true;
    CHECK(error->code() == ErrorCode::input);
    CHECK(std::string(error->what()).starts_with(name + ": "));
    CHECK(std::string(error->what()).find('\n') == std::string::npos);
    return false;
}

Bytes first(const Bytes& bytes, std::size_t count) {
    return {bytes.begin(), bytes.begin() + static_cast<std::ptrdiff_t>(count)};
}

/// Bytes at the end of a file that no pixel depends on: a GIF's says that no further frame follows, a PNG's
/// are the checksum of its pixels, which have another one of their own, and an empty chunk, a JPEG's are its
/// end mark, a TGA's the footer that names its format.
std::size_t needless_end(std::string_view name) {
    const bool jpeg = name.ends_with("jpg") || name.ends_with("jpeg");
    return name.ends_with("gif") ? 1 : name.ends_with("png") ? 16 : name.ends_with("tga") ? 26 : jpeg ? 2 : 0;
}

} // namespace

TEST_CASE("the samples themselves are sound") {
    for (const Sample& sample : samples()) {
        INFO(sample.name);
        CHECK(decodes(sample.bytes, sample.name));
    }
}

TEST_CASE("a file cut short anywhere is refused") {
    for (const Sample& sample : samples()) {
        const std::size_t size = sample.bytes.size();
        const std::size_t needless = needless_end(sample.name);
        for (std::size_t i = 0; i < 16; ++i) {
            INFO(sample.name << " cut to " << size * i / 16 << " of " << size);
            CHECK_FALSE(decodes(first(sample.bytes, size * i / 16), sample.name));
        }
        for (std::size_t missing = 1 + needless; missing <= needless + 12; ++missing) {
            INFO(sample.name << " without its last " << missing << " of " << size);
            CHECK_FALSE(decodes(first(sample.bytes, size - missing), sample.name));
        }
    }
}

TEST_CASE("a small file cut short at every length is refused") {
    for (const std::string& name : writable_extensions()) {
        const Depth depth = name == "hdr" || name == "pfm" || name == "exr" ? Depth::f32 : Depth::u8;
        const Bytes file = encode(picture(3, 2, name == "pgm" ? 1 : 3, depth), name);
        for (std::size_t size = 0; size < file.size() - needless_end(name); ++size) {
            INFO(name << " cut to " << size << " of " << file.size());
            CHECK_FALSE(decodes(first(file, size), "a." + name));
        }
    }
}

TEST_CASE("damaged bytes anywhere never do more than an error") {
    for (const Sample& sample : samples()) {
        INFO(sample.name);
        std::uint32_t seed = 1;
        const auto random = [&seed](std::size_t below) { return hash(seed++) % below; };
        const Image image = decode(sample.bytes, sample.name);
        int changed = 0;
        for (int round = 0; round < 300; ++round) {
            Bytes damaged = sample.bytes;
            // Half of the rounds change the header, where a byte does most harm.
            const std::size_t range =
                round % 2 == 0 ? damaged.size() : std::min<std::size_t>(64, damaged.size());
            for (std::size_t flips = 1 + random(4); flips > 0; --flips)
                damaged.at(random(range)) = static_cast<std::byte>(random(256));
            if (decodes(damaged, sample.name))
                changed += !same(decode(damaged, sample.name), image);
        }
        // PNG has checksums for everything: damage to pixels is always seen. What is left is damage to the
        // EXIF that turns one of the samples.
        if (sample.name.ends_with(".png"))
            CHECK(changed < 3);
    }
}

TEST_CASE("headers that promise what the file cannot hold are refused") {
    const auto with = [](Bytes bytes, std::size_t at, const Bytes& change) {
        std::ranges::copy(change, bytes.begin() + static_cast<std::ptrdiff_t>(at));
        return bytes;
    };
    const auto bytes_named = [](const std::string& name) {
        return std::ranges::find(samples(), name, &Sample::name)->bytes;
    };
    const std::vector<Sample> liars{
        {"a.pgm", bytes_of("P5 65000 65000 255\n") + Bytes(100)},
        {"a.pfm", bytes_of("Pf\n65000 65000\n-1\n") + Bytes(100)},
        {"a.pbm", bytes_of("P4 65000 65000\n") + Bytes(100)},
        {"a.bmp", with(bytes_named("rgb.bmp"), 18, little_endian(30000, 4) + little_endian(30000, 4))},
        {"negative.bmp",
         with(bytes_named("rgb.bmp"), 18, little_endian(0x80000000U, 4) + little_endian(0x80000000U, 4))},
        {"a.tga", with(bytes_named("rgb.tga"), 12, little_endian(60000, 2) + little_endian(60000, 2))},
        {"a.hdr", bytes_of("#?RADIANCE\nFORMAT=32-bit_rle_rgbe\n\n-Y 20000 +X 20000\n") + Bytes(100)},
        {"a.gif", with(bytes_named("opaque.gif"), 6, little_endian(65535, 2) + little_endian(65535, 2))},
        {"a.psd", with(bytes_named("plain.psd"), 14, big_endian(30000, 4) + big_endian(30000, 4))},
    };
    for (const Sample& liar : liars) {
        INFO(liar.name);
        CHECK_FALSE(decodes(liar.bytes, liar.name));
    }
}
