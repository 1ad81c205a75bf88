#include "files/metadata_files.hpp"

using namespace glproc;
using namespace glproc::test;

namespace {

/// Alpha of nothing and everything only, which is stored as it is; what lies between is mixed with white.
Image with_whole_alpha(Image image) {
    const std::size_t size = bytes_of(image.depth());
    for (int y = 0; image.has_alpha() && y < image.height(); ++y) {
        for (int x = 0; x < image.width(); ++x) {
            std::byte* end = image.row(y) + (static_cast<std::size_t>(x) + 1) * image.pixel_bytes();
            std::fill(end - size, end, (x + y) % 3 == 0 ? std::byte{0} : std::byte{255});
        }
    }
    return image;
}

/// A picture of one pixel, RGBA.
Image one_pixel(std::array<std::uint8_t, 4> values) {
    Image image(1, 1, 4, Depth::u8);
    std::ranges::copy(values, image.values<std::uint8_t>().begin());
    return image;
}

void check_refused(const Bytes& psd, const std::string& why) {
    check_error(ErrorCode::input, "a.psd: " + why, [&] { decode(psd, "a.psd"); });
}

} // namespace

TEST_CASE("PSD of one to four channels, 8 and 16 bit, plain and packed") {
    for (int channels = 1; channels <= 4; ++channels) {
        for (const Depth depth : {Depth::u8, Depth::u16}) {
            for (const bool packed : {false, true}) {
                INFO(channels << " channels, " << static_cast<int>(depth) << " bits, packed " << packed);
                const Image image = with_whole_alpha(picture(19, 7, channels, depth));
                CHECK(same(decode(write_psd(image, packed), "a.psd"), image));
            }
        }
    }
}

TEST_CASE("the white that Photoshop mixes into half transparent pixels is taken out") {
    const Image mixed = decode(write_psd(one_pixel({128, 255, 178, 128}), false), "a.psd");
    CHECK(mixed.at(0, 0, 0) == 2); // (128 - 127) / (128 / 255)
    CHECK(mixed.at(0, 0, 1) == 255);
    CHECK(mixed.at(0, 0, 2) == 102);
    CHECK(mixed.at(0, 0, 3) == 128);
    // A colour darker than the white alone would be: nothing wraps round.
    CHECK(decode(write_psd(one_pixel({0, 0, 0, 3}), false), "a.psd").at(0, 0, 0) == 0);
}

TEST_CASE("PSD runs are unpacked, and must fill their rows exactly") {
    const auto packed = [](const Bytes& row) {
        Bytes psd = write_psd(Image(5, 1, 1, Depth::u8), true);
        psd.erase(psd.end() - 12, psd.end()); // the size of the packed row, and the row
        return std::move(psd) + big_endian(static_cast<std::uint32_t>(row.size()), 2) + row;
    };
    const Image runs = decode(packed(bytes_of({254, 9, 128, 1, 7, 8})), "a.psd");
    CHECK(std::ranges::equal(runs.bytes(), bytes_of({9, 9, 9, 7, 8})));
    const std::string wrong = "corrupt PSD: a packed row has the wrong length";
    check_refused(packed(bytes_of({254, 9, 0, 7})), wrong);        // four of five
    check_refused(packed(bytes_of({251, 9})), wrong);              // six of five
    check_refused(packed(bytes_of({5, 1, 2, 3, 4, 5, 6})), wrong); // six of five, as they are
    check_refused(packed(bytes_of({4, 1, 2, 3, 4})), wrong);       // a byte is missing
    check_refused(packed(bytes_of({251})), wrong);                 // what to repeat is missing
}

TEST_CASE("only a negative number of layers makes a channel alpha; others are saved selections") {
    const Image rgba = with_whole_alpha(picture(9, 5, 4, Depth::u8));
    CHECK(decode(write_psd(rgba, PsdSpec{.layers = -2}), "a.psd").channels() == 4);
    for (const int layers : {0, 1}) {
        const Image image = decode(write_psd(rgba, PsdSpec{.layers = layers}), "a.psd");
        REQUIRE(image.channels() == 3);
        CHECK(image.at(3, 2, 1) == rgba.at(3, 2, 1));
    }
}

TEST_CASE("blocks and identifiers of a PSD or PSB may say that a channel is alpha as well") {
    const auto block = [](const std::string& key, const Bytes& data, bool wide) {
        return bytes_of("8BIM") + bytes_of(key) + Bytes(wide ? 4 : 0) +
               big_endian(static_cast<std::uint32_t>(data.size()), 4) + data +
               Bytes((4 - data.size() % 4) % 4);
    };
    for (const Depth depth : {Depth::u8, Depth::u16, Depth::f32}) {
        Image rgba = with_whole_alpha(picture(9, 5, 4, depth));
        if (depth == Depth::f32) {
            for (std::size_t i = 0; i < 9 * 5 * 4; ++i) // of which every fourth is alpha
                rgba.values<float>()[i] =
                    i % 4 == 3 ? static_cast<float>(i / 4 % 2) : static_cast<float>(i) / 8;
        }
        for (const bool big : {false, true}) {
            INFO(static_cast<int>(depth) << " bits, PSB " << big);
            const auto channels = [&](const PsdSpec& spec) {
                const Image image = decode(write_psd(rgba, spec), "a.psd");
                CHECK((image.channels() == 3 || same(image, rgba)));
                return image.channels();
            };
            const Bytes other = block("Patt", bytes_of({1, 2, 3, 4, 5}), false);
            CHECK(channels({.big = big, .layers = 0, .blocks = other}) == 3);
            for (const std::string key : {"Mt16", "Mt32", "Mtrn"}) {
                CHECK(channels({.big = big, .layers = 0, .blocks = other + block(key, {}, big)}) == 4);
                CHECK(channels({.big = big, .layers = 2, .blocks = other + block(key, {}, big)}) == 4);
            }
            const Bytes layers = block("Lr32", big_endian(1, 2) + Bytes(6), big);
            CHECK(channels({.big = big, .layers = 0, .blocks = layers}) == 3);
            CHECK(channels({.big = big, .layers = 0, .blocks = layers + block("Mt32", {}, big)}) == 4);
            CHECK(channels({.big = big, .layers = 0, .blocks = block("Lr16", big_endian(0xffff, 2), big)}) ==
                  4);
            const auto identifiers = [](std::uint32_t id) { return psd_resource(1053, big_endian(id, 4)); };
            CHECK(channels({.big = big, .layers = 0, .resources = identifiers(0)}) == 4);
            CHECK(channels({.big = big, .layers = 0, .resources = identifiers(7)}) == 3);
        }
    }
}

TEST_CASE("a PSB is a PSD with longer numbers") {
    for (const bool packed : {false, true}) {
        const Image image = with_whole_alpha(picture(19, 7, 4, Depth::u16));
        CHECK(same(decode(write_psd(image, PsdSpec{.packed = packed, .big = true}), "a.psd"), image));
    }
}

TEST_CASE("PSD of inks, of a palette and of bits become RGB and grey") {
    const Image inks = picture(9, 5, 4, Depth::u8);
    const Image rgb = decode(write_psd(inks, PsdSpec{.layers = 0, .mode = 4}), "a.psd");
    REQUIRE(rgb.channels() == 3);
    int wrong = 0;
    for (int y = 0; y < 5; ++y) {
        for (int x = 0; x < 9; ++x) {
            for (int c = 0; c < 3; ++c)
                wrong += rgb.at(x, y, c) != std::round(inks.at(x, y, c) * inks.at(x, y, 3) / 255);
        }
    }
    CHECK(wrong == 0);

    Bytes palette;
    for (int i = 0; i < 768; ++i)
        palette.push_back(static_cast<std::byte>(i < 256 ? i : i < 512 ? 255 - i : i * 7));
    const Image places = picture(9, 5, 1, Depth::u8);
    const PsdSpec indexed{.layers = 0, .mode = 2, .palette = palette};
    const Image coloured = decode(write_psd(places, indexed), "a.psd");
    REQUIRE(coloured.channels() == 3);
    const auto place = static_cast<std::size_t>(places.at(4, 3, 0));
    for (std::size_t c = 0; c < 3; ++c)
        CHECK(coloured.at(4, 3, static_cast<int>(c)) == std::to_integer<int>(palette[256 * c + place]));

    Bytes bits = write_psd(Image(12, 1, 1, Depth::u8), PsdSpec{.layers = 0, .mode = 0});
    bits.resize(bits.size() - 12);
    bits.at(23) = std::byte{1};
    bits.at(25) = std::byte{0};
    const Image line = decode(std::move(bits) + bytes_of({0xf0, 0x10}), "a.psd");
    CHECK(std::ranges::equal(line.bytes(), bytes_of({0, 0, 0, 0, 255, 255, 255, 255, 255, 255, 255, 0})));
}

TEST_CASE("PSD of floats") {
    Bytes psd = write_psd(Image(2, 1, 1, Depth::u8), PsdSpec{.layers = 0});
    psd.resize(psd.size() - 2);
    psd.at(23) = std::byte{32};
    const Image image = decode(std::move(psd) + bytes_of({0x3f, 0x80, 0, 0, 0xc0, 0x20, 0, 0}), "a.psd");
    REQUIRE(image.depth() == Depth::f32);
    CHECK(image.at(0, 0, 0) == 1);
    CHECK(image.at(1, 0, 0) == -2.5);
}

TEST_CASE("a PSD's profile, EXIF and XMP are carried, and one without a flattened picture is refused") {
    const Metadata metadata{.icc = icc_block(201), .exif = exif_block(1, true), .xmp = xmp_block()};
    const Bytes resources = psd_resource(1039, metadata.icc) + psd_resource(1058, metadata.exif) +
                            psd_resource(1060, metadata.xmp);
    const Image rgb = picture(9, 5, 3, Depth::u8);
    const Bytes real = psd_resource(1057, big_endian(1, 4) + bytes_of({1}));
    const PsdSpec told{.layers = 0, .resources = resources + real};
    CHECK(same(decode(write_psd(rgb, told), "a.psd").metadata(), metadata));
    const Bytes none = psd_resource(1057, big_endian(1, 4) + bytes_of({0}));
    check_refused(write_psd(rgb, PsdSpec{.layers = 0, .resources = resources + none}),
                  "PSD without a flattened image: save it with maximum compatibility");
}

TEST_CASE("kinds of PSD that cannot be read are refused by name") {
    const Bytes psd = write_psd(picture(3, 3, 3, Depth::u8), false);
    const auto with = [&](std::size_t at, int value) {
        Bytes changed = psd;
        changed.at(at) = static_cast<std::byte>(value);
        return changed;
    };
    check_refused(with(5, 3), "unsupported PSD: neither of version 1 nor of version 2 (PSB)");
    check_refused(with(13, 2), "corrupt PSD: 2 channels");
    check_refused(with(13, 57), "corrupt PSD: 57 channels");
    check_refused(with(23, 1), "unsupported PSD: 1 bit a value");
    check_refused(with(25, 7), "unsupported PSD: multichannel");
    check_refused(with(25, 9), "unsupported PSD: Lab colours");
    check_refused(with(25, 6), "unsupported PSD: unknown colours");
    check_refused(with(25, 4), "corrupt PSD: 3 channels");
    check_refused(with(39, 2), "unsupported PSD: compression 2");
    check_refused(with(33, 200), "truncated PSD");
    check_refused(with(16, 9), "truncated: 67 bytes cannot hold 3x2307 pixels");
}
