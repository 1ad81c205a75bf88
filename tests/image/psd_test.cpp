#include "image/handmade_files.hpp"

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

TEST_CASE("kinds of PSD that cannot be read are refused by name") {
    const Bytes psd = write_psd(picture(3, 3, 3, Depth::u8), false);
    const auto with = [&](std::size_t at, int value) {
        Bytes changed = psd;
        changed.at(at) = static_cast<std::byte>(value);
        return changed;
    };
    check_refused(with(5, 2), "unsupported PSD: not of version 1");
    check_refused(with(13, 2), "corrupt PSD: 2 channels");
    check_refused(with(13, 57), "corrupt PSD: 57 channels");
    check_refused(with(23, 1), "unsupported PSD: 1 bits a value");
    check_refused(with(25, 4), "unsupported PSD: neither grey nor RGB");
    check_refused(with(39, 2), "unsupported PSD: compression 2");
    check_refused(with(33, 200), "truncated PSD");
    check_refused(with(16, 9), "truncated: 67 bytes cannot hold 3x2307 pixels");
}
