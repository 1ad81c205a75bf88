#include "files/jpeg_files.hpp"

#define STBI_ONLY_JPEG
#define STB_IMAGE_STATIC
#ifndef __clang_analyzer__ // others' code is not ours to lint
#define STB_IMAGE_IMPLEMENTATION
#endif
#include <stb_image.h>

using namespace glproc;
using namespace glproc::test;

namespace {

/// The largest difference between two 8-bit pictures of the same shape.
int worst_difference(std::span<const std::uint8_t> a, std::span<const std::uint8_t> b) {
    REQUIRE(a.size() == b.size());
    int worst = 0;
    for (std::size_t i = 0; i < a.size(); ++i)
        worst = std::max(worst, std::abs(a[i] - b[i]));
    return worst;
}

std::string message_of(const Bytes& bytes) {
    const auto error = error_of([&] { decode(bytes, "a.jpg"); });
    REQUIRE(error.has_value());
    CHECK(error->code() == ErrorCode::input);
    return error->what();
}

} // namespace

TEST_CASE("JPEG at high quality comes back nearly as it was") {
    for (const int channels : {1, 3}) {
        for (const auto& [width, height] : packing_sizes) {
            INFO(width << "x" << height << "x" << channels);
            const Image image = smooth_picture(width, height, channels);
            const Image back = decode(encode(image, "jpg", {.quality = 100}), "a.jpg");
            REQUIRE(back.channels() == channels);
            CHECK(worst_difference(back.values<std::uint8_t>(), image.values<std::uint8_t>()) <=
                  channels + 1);
        }
    }
}

TEST_CASE("stb reads our JPEG files as we do") {
    for (const auto& [channels, size] :
         {std::pair(1, 255), std::pair(3, 255), std::pair(3, 4099)}) { // strips as well
        const Image image = smooth_picture(size, 130, channels);
        const Bytes jpeg = encode(image, "jpg");
        int width = 0;
        int height = 0;
        int count = 0;
        stbi_uc* pixels = stbi_load_from_memory(reinterpret_cast<const stbi_uc*>(jpeg.data()),
                                                static_cast<int>(jpeg.size()), &width, &height, &count, 0);
        REQUIRE(pixels != nullptr);
        CHECK(width == size);
        CHECK(height == 130);
        CHECK(count == channels);
        const Image ours = decode(jpeg, "a.jpg");
        // Two decoders may round the transform differently.
        CHECK(worst_difference(ours.values<std::uint8_t>(), {pixels, ours.bytes().size()}) <= 4);
        stbi_image_free(pixels);
    }
}

TEST_CASE("JPEG quality trades size for likeness, and 90 is the default") {
    const Image image = picture(120, 90, 3, Depth::u8);
    const std::size_t low = encode(image, "jpg", {.quality = 30}).size();
    const std::size_t high = encode(image, "jpg", {.quality = 95}).size();
    CHECK(low < high);
    CHECK(encode(image, "jpg") == encode(image, "jpg", {.quality = 90}));
}

TEST_CASE("pictures larger than the writer's first buffer are written whole") {
    const Image image = picture(600, 500, 1, Depth::u8);
    const Bytes jpeg = encode(image, "jpg", {.quality = 100});
    CHECK(jpeg.size() > 200000);
    CHECK(jpeg.at(jpeg.size() - 2) == std::byte{0xff});
    CHECK(jpeg.back() == std::byte{0xd9});
    CHECK(decode(jpeg, "a.jpg").height() == 500);
}

TEST_CASE("JPEG of all kinds is read") {
    for (const int components : {1, 3}) {
        for (const JpegKind kind : {JpegKind::baseline, JpegKind::separate, JpegKind::progressive,
                                    JpegKind::arithmetic, JpegKind::progressive_arithmetic}) {
            INFO(components << " components, kind " << static_cast<int>(kind));
            const Image image = decode(write_jpeg(70, 50, components, kind), "a.jpg");
            const Image wanted = smooth_picture(70, 50, components);
            REQUIRE(image.channels() == components);
            CHECK(worst_difference(image.values<std::uint8_t>(), wanted.values<std::uint8_t>()) <= 16);
        }
    }
}

TEST_CASE("CMYK and YCCK become RGB by (1 - C)(1 - K)") {
    const Image ink = smooth_picture(20, 20, 4);
    for (const JpegKind kind : {JpegKind::baseline, JpegKind::progressive}) {
        for (const bool ycck : {false, true}) {
            INFO("kind " << static_cast<int>(kind) << ", YCCK " << ycck);
            // libjpeg marks its CMYK files as Adobe's, so that 255 - C … 255 - K is what is stored.
            const Bytes file = write_jpeg(20, 20, 4, kind, ycck);
            Notes notes;
            const Image adobe = decode(file, "a.jpg", {.notes = &notes});
            CHECK(notes ==
                  Notes{"a.jpg: CMYK becomes RGB by a plain formula; its ICC profile, if any, is left out"});
            REQUIRE(adobe.channels() == 3);
            int worst = 0;
            for (int y = 0; y < 20; ++y) {
                for (int x = 0; x < 20; ++x) {
                    for (int c = 0; c < 3; ++c)
                        worst = std::max(worst,
                                         static_cast<int>(std::abs(adobe.at(x, y, c) -
                                                                   ink.at(x, y, c) * ink.at(x, y, 3) / 255)));
                }
            }
            CHECK(worst <= (ycck ? 16 : 8));
        }
    }
}

TEST_CASE("CMYK without Adobe's marker is stored as Adobe's is, as all other programs have it") {
    const Image ink = smooth_picture(20, 20, 4);
    Bytes file = write_jpeg(20, 20, 4, JpegKind::baseline);
    const auto adobe = file.begin() + first_place(file, bytes_of({0xff, 0xee}));
    adobe[1] = std::byte{0xed}; // another segment, which is not read
    const Image image = decode(file, "a.jpg");
    int worst = 0;
    for (int y = 0; y < 20; ++y) {
        for (int x = 0; x < 20; ++x) {
            for (int c = 0; c < 3; ++c) {
                const double wanted = ink.at(x, y, c) * ink.at(x, y, 3) / 255;
                worst = std::max(worst, static_cast<int>(std::abs(image.at(x, y, c) - wanted)));
            }
        }
    }
    CHECK(worst <= 8);
}

TEST_CASE("a JPEG that ends early is refused") {
    for (const JpegKind kind : {JpegKind::baseline, JpegKind::progressive}) {
        const Bytes jpeg = write_jpeg(100, 80, 3, kind);
        for (const std::size_t missing : {std::size_t{6}, std::size_t{20}, jpeg.size() / 2}) {
            INFO("kind " << static_cast<int>(kind) << ", missing " << missing);
            CHECK(message_of(Bytes(jpeg.begin(), jpeg.end() - static_cast<std::ptrdiff_t>(missing))) ==
                  "a.jpg: truncated JPEG");
        }
    }
}

TEST_CASE("a JPEG whose data ends before its rows do is refused") {
    Bytes jpeg = encode(smooth_picture(64, 64, 1), "jpg");
    const auto cut = jpeg.end() - 60; // an end marker in the middle of the data
    jpeg.insert(jpeg.erase(cut, jpeg.end() - 2), {std::byte{0}, std::byte{0}});
    CHECK(message_of(jpeg) == "a.jpg: corrupt JPEG: premature end of data segment");
}

TEST_CASE("stray bytes between the segments of a JPEG are no reason to refuse it") {
    const Image image = smooth_picture(40, 40, 3);
    Bytes jpeg = encode(image, "jpg");
    const Image wanted = decode(jpeg, "a.jpg");
    REQUIRE(jpeg.at(20) == std::byte{0xff}); // the first segment ends here
    jpeg.insert(jpeg.begin() + 20, {std::byte{0}, std::byte{1}, std::byte{2}});
    CHECK(same(decode(jpeg, "a.jpg"), wanted));
}

TEST_CASE("a JPEG header that lies about its size is refused before memory is taken") {
    Bytes jpeg = encode(smooth_picture(64, 64, 1), "jpg");
    const auto frame = jpeg.begin() + first_place(jpeg, bytes_of({0xff, 0xc0}));
    for (const int i : {5, 6, 7, 8})
        frame[i] = std::byte{0xfd}; // 65021 x 65021
    CHECK(message_of(jpeg).starts_with("a.jpg: truncated: "));
}

TEST_CASE("sizes that JPEG cannot hold are refused") {
    for (const auto& [width, height] : {std::pair(65501, 1), std::pair(1, 65501), std::pair(40, 65501)}) {
        const Image image(width, height, 1, Depth::u8);
        const auto error = error_of([&] { encode(image, "out.jpg"); });
        REQUIRE(error.has_value());
        CHECK(error->code() == ErrorCode::output);
        CHECK(std::string(error->what()) ==
              "out.jpg: JPEG: Maximum supported image dimension is 65500 pixels");
    }
}

TEST_CASE("a JPEG of endlessly many scans is refused") {
    const Bytes jpeg = write_jpeg(16, 16, 3, JpegKind::separate);
    const auto last = jpeg.begin() + last_place(jpeg, bytes_of({0xff, 0xda}));
    const Bytes scan(last, jpeg.end() - 2);
    const auto repeated = [&](int times) {
        Bytes many(jpeg.begin(), jpeg.end() - 2);
        for (int i = 0; i < times; ++i)
            many.insert(many.end(), scan.begin(), scan.end());
        return std::move(many) + bytes_of({0xff, 0xd9});
    };
    CHECK(same(decode(repeated(100), "a.jpg"), decode(jpeg, "a.jpg")));
    CHECK(message_of(repeated(600)) == "a.jpg: corrupt JPEG: too many scans");
}
