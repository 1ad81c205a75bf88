// What inspect() says of a file is what decode() gives, from the header alone.
#include "glproc/files/inspect.hpp"

#include "files/handmade_files.hpp"
#include "files/jpeg_files.hpp"
#include "files/metadata_files.hpp"
#include "files/png_files.hpp"
#include "glproc/files/file.hpp"
#include "support/temp_dir.hpp"

using namespace glproc;
using namespace glproc::test;

namespace {

void check_inspected(const Bytes& file, const std::string& name) {
    INFO(name);
    const PictureInfo info = inspect(file, name);
    const Image image = decode(file, name);
    CHECK(info.form == image.form());
    CHECK(info.metadata.icc == image.metadata().icc);
    CHECK(info.metadata.exif == image.metadata().exif);
    CHECK(info.metadata.xmp == image.metadata().xmp);
    const TempDir folder;
    write_file(folder / name, file);
    const PictureInfo on_disk = inspect(folder / name);
    CHECK(on_disk.form == info.form);
    CHECK(on_disk.format == info.format);
    CHECK(on_disk.frames == info.frames);
}

} // namespace

TEST_CASE("inspect() tells the form that decode() gives, for every format and form that is written") {
    for (const std::string& name : writable_extensions()) {
        for (const Depth depth : {Depth::u8, Depth::u16, Depth::f32}) {
            for (int channels = 1; channels <= 4; ++channels) {
                if (!error_of([&] { check_encodable(name, channels, depth); }))
                    check_inspected(encode(picture(7, 5, channels, depth), name), "a." + name);
            }
        }
    }
    check_inspected(write_png(noise_png(9, 7, 4, PNG_COLOR_TYPE_PALETTE, true)), "interlaced.png");
    check_inspected(write_jpeg(17, 9, 4, JpegKind::baseline), "cmyk.jpg");
    check_inspected(write_gif(3, 2, {{0, 0, 0}, {255, 0, 0}}, {0, 1, 1, 0, 0, 1}, 1), "a.gif");
    check_inspected(write_psd(picture(5, 3, 4, Depth::u8), true), "a.psd");
}

TEST_CASE("inspect() reports the stored orientation, and the form and metadata of the upright picture") {
    for (const std::string name : {"png", "jpg"}) {
        const Metadata metadata{.icc = icc_block(400), .exif = exif_block(6, true), .xmp = xmp_block()};
        const Bytes file = encode(with_metadata(smooth_picture(7, 5, 3), metadata), name);
        const PictureInfo info = inspect(file, "a." + name);
        CHECK(info.orientation == 6);
        CHECK(info.form == Form{5, 7, 3, Depth::u8});
        check_inspected(file, "a." + name);
    }
}

TEST_CASE("inspect() needs no pixels, and decode() does") {
    const Bytes file = encode(picture(300, 200, 3, Depth::u8), "png");
    const Bytes start(file.begin(), file.begin() + 2000);
    CHECK(inspect(start, "a.png").form == Form{300, 200, 3, Depth::u8});
    CHECK(error_of([&] { decode(start, "a.png"); }).has_value());
}

TEST_CASE("inspect() refuses what is no picture, and what is larger than asked for") {
    check_error(ErrorCode::input, "a.png: empty file", [] { inspect(Bytes(), "a.png"); });
    check_error(ErrorCode::input, "a.png: unknown image format", [] { inspect(Bytes(20), "a.png"); });
    const Bytes file = encode(picture(30, 20, 3, Depth::u8), "png");
    check_error(ErrorCode::input, "a.png: 30x20 pixels are more than the limit of 599",
                [&] { inspect(file, "a.png", {.max_pixels = 599}); });
    check_error(ErrorCode::input, "/nonexistent/a.png: no such file", [] { inspect("/nonexistent/a.png"); });
}

TEST_CASE("a GIF's frames are counted") {
    const Bytes one = write_gif(3, 2, {{255, 0, 0}, {0, 255, 0}}, {0, 1, 1, 0, 0, 1});
    const Bytes frame(one.begin() + 13 + 3 * 128, one.end() - 1);
    CHECK(inspect(one, "a.gif").frames == 1);
    CHECK(inspect(Bytes(one.begin(), one.end() - 1) + frame + bytes_of({0x3b}), "a.gif").frames == 2);
}

TEST_CASE("the name of an ICC profile, in the tag of version 2 and of version 4") {
    const auto profile = [](const Bytes& tag) {
        return Bytes(128) + big_endian(2, 4) + bytes_of("abcd") + Bytes(8) + bytes_of("desc") +
               big_endian(156, 4) + big_endian(static_cast<std::uint32_t>(tag.size()), 4) + tag;
    };
    const Bytes old = bytes_of("desc") + Bytes(4) + big_endian(6, 4) + bytes_of("P3 RG") + Bytes(1);
    CHECK(profile_name(profile(old)) == "P3 RG");
    const Bytes languages = bytes_of("mluc") + Bytes(4) + big_endian(1, 4) + big_endian(12, 4) +
                            bytes_of("enUS") + big_endian(4, 4) + big_endian(28, 4) +
                            bytes_of({0, 'P', 0, '3'});
    CHECK(profile_name(profile(languages)) == "P3");
    const Bytes whole = profile(old);
    for (std::size_t size = 0; size < 128 + 28; ++size)
        CHECK(profile_name(std::span(whole).first(size)).empty());
}
