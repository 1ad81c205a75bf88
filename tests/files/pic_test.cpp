#include "files/metadata_files.hpp"

using namespace glproc;
using namespace glproc::test;

namespace {

enum class Packing : std::uint8_t { none, runs, mixed };

void put(Bytes& bytes, std::initializer_list<int> values) {
    for (const int value : values) {
        bytes.push_back(static_cast<std::byte>(value));
    }
}

/// Up to the pixels: one packet of colours, and one of alpha where there is some.
Bytes header_of(int width, int height, bool has_alpha, Packing packing) {
    Bytes bytes;
    put(bytes, {0x53, 0x80, 0xf6, 0x34});
    bytes.resize(88);
    put(bytes, {'P', 'I', 'C', 'T', width / 256, width % 256, height / 256, height % 256, 0, 0, 0, 0, 0, 3, 0, 0});
    put(bytes, {has_alpha ? 1 : 0, 8, static_cast<int>(packing), 0xe0});
    if (has_alpha) {
        put(bytes, {0, 8, static_cast<int>(packing), 0x10});
    }
    return bytes;
}

/// A row of one packet.
void put_row(Bytes& bytes, const Image& image, int y, int first, int end, Packing packing) {
    for (int x = 0; x < image.width(); ++x) {
        if (packing == Packing::runs) {
            put(bytes, {1});
        } else if (packing == Packing::mixed && x == 0) {
            put(bytes, {image.width() - 1}); // so many as they are
        }
        for (int c = first; c < end; ++c) {
            put(bytes, {static_cast<int>(image.at(x, y, c))});
        }
    }
}

Bytes pic_of(const Image& image, Packing packing) {
    Bytes bytes = header_of(image.width(), image.height(), image.has_alpha(), packing);
    for (int y = 0; y < image.height(); ++y) {
        put_row(bytes, image, y, 0, 3, packing);
        if (image.has_alpha()) {
            put_row(bytes, image, y, 3, 4, packing);
        }
    }
    return bytes;
}

} // namespace

TEST_CASE("Softimage PIC, with and without alpha, plain and packed") {
    for (const int channels : {3, 4}) {
        for (const Packing packing : {Packing::none, Packing::runs, Packing::mixed}) {
            INFO(channels << " channels, packing " << static_cast<int>(packing));
            const Image image = picture(19, 7, channels, Depth::u8);
            const Bytes file = pic_of(image, packing);
            CHECK(same(decode(file, "a.pic"), image));
            CHECK(sniff(file) == Format::pic);
            CHECK(inspect(file, "a.pic").form == image.form());
        }
    }
}

TEST_CASE("Softimage PIC: what is broken is refused before it costs memory") {
    const Bytes whole = pic_of(picture(19, 7, 4, Depth::u8), Packing::runs);
    for (std::size_t size = 4; size < whole.size(); size += 7) {
        INFO(size << " bytes");
        const Bytes cut(whole.begin(), whole.begin() + static_cast<std::ptrdiff_t>(size));
        CHECK_THROWS_AS(decode(cut, "a.pic"), Error);
    }
    CHECK(message_of([] { decode(header_of(65535, 65535, false, Packing::mixed), "a.pic"); }).find("65535x65535") != std::string::npos);
    CHECK_THROWS_AS(decode(header_of(0, 7, false, Packing::none), "a.pic"), Error);
    Bytes endless = header_of(19, 7, false, Packing::none);
    for (int i = 0; i < 64; ++i) {
        put(endless, {1, 8, 0, 0xe0}); // more packets than there can be
    }
    check_error(ErrorCode::input, "a.pic: corrupt PIC: bad file", [&] { decode(endless, "a.pic"); });
}
