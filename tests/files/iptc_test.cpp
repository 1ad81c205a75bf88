// Captions of IPTC on their way from each format that holds them to each other.
#include "files/handmade_tiff.hpp"
#include "files/jpeg_files.hpp"
#include "files/metadata_files.hpp"
#include "files/png_files.hpp"
#include "glproc/files/codecs/iptc.hpp"
#include "support/inputs.hpp"

using namespace glproc;
using namespace glproc::test;

namespace {

/// Three records: a caption, a number that ends in 0, and a text of 40,000 bytes, whose length takes four
/// more.
Bytes records() {
    const Bytes longest(40000, std::byte{'x'});
    return bytes_of({0x1c, 2, 120, 0, 5}) + bytes_of("Hello") + bytes_of({0x1c, 2, 0, 0, 2, 4, 0}) +
           bytes_of({0x1c, 2, 122, 0x80, 4, 0, 0, 0x9c, 0x40}) + longest;
}

Bytes iptc_of(const Bytes& file, const std::string& name, Notes* notes = nullptr) {
    return decode(file, name, {.notes = notes}).metadata().iptc;
}

Bytes turned_words(Bytes bytes) {
    bytes.resize((bytes.size() + 3) / 4 * 4);
    for (auto at = bytes.begin(); at != bytes.end(); at += 4)
        std::reverse(at, at + 4);
    return bytes;
}

} // namespace

TEST_CASE("IPTC is read from every format that holds it") {
    const Bytes other = psd_resource(1005, Bytes(3)); // which comes first, of an odd length
    const Bytes resources = other + psd_resource(1028, records());
    const Bytes plain = encode(constant_image({8, 8, 3, Depth::u8}, 0.5), "a.jpg");
    const Bytes segment = jpeg_segment(0xed, bytes_of("Photoshop 3.0") + Bytes(1) + resources);
    CHECK(iptc_of(with_segment(plain, segment), "a.jpg") == records());
    CHECK(iptc_of(plain, "a.jpg").empty());
    CHECK(iptc_of(write_psd(smooth_picture(8, 6, 3), PsdSpec{.layers = 0, .resources = resources}),
                  "a.psd") == records());
    for (const auto& [type, value] : {std::pair{7, records()},
                                      {1, records()},
                                      {4, turned_words(turned_words(records()))},
                                      {4, turned_words(records())}}) {
        INFO(type);
        CHECK(iptc_of(handmade_tiff({{8, 6, 8, 1, Bytes(48), {{33723, type, value}}}}), "a.tif") ==
              records());
    }
    Notes notes;
    CHECK(iptc_of(handmade_tiff({{8, 6, 8, 1, Bytes(48), {{33723, 7, Bytes(8)}}}}), "a.tif", &notes).empty());
    CHECK(notes == Notes{"a.tif: its captions of IPTC cannot be read; they are left out"});
}

TEST_CASE("IPTC is written as it was") {
    const Image image = with_metadata(smooth_picture(9, 7, 3), {.iptc = records()});
    for (const std::string format : {"png", "jpg", "tif"}) {
        INFO(format);
        Notes notes;
        const Bytes file = encode(image, format, {.notes = &notes});
        CHECK(notes.empty());
        CHECK(iptc_of(file, "a." + format) == records());
        CHECK(decode(file, "a." + format).metadata().texts.empty());
    }
    Notes notes;
    const Image large = with_metadata(smooth_picture(9, 7, 3), {.iptc = records() + records()});
    CHECK(iptc_of(encode(large, "jpg", {.notes = &notes}), "a.jpg").empty());
    CHECK(notes == Notes{"jpg: IPTC is too large for JPEG; it is left out"});
}

TEST_CASE("IPTC that is cut off is kept as far as it is whole") {
    const Bytes all = records();
    const std::array ends{std::size_t{0}, std::size_t{10}, std::size_t{17}, all.size()};
    for (std::size_t size = 0; size <= all.size(); size += size < 40 ? 1 : 997) {
        const Bytes part(all.begin(), all.begin() + static_cast<std::ptrdiff_t>(size));
        const std::size_t whole = *std::prev(std::ranges::upper_bound(ends, size));
        CHECK(codecs::iptc_in(part) == Bytes(all.begin(), all.begin() + static_cast<std::ptrdiff_t>(whole)));
        CHECK(codecs::iptc_in(psd_resource(1028, part)).size() == whole);
    }
    CHECK(codecs::iptc_in(bytes_of({0x1c, 2, 120, 0xff, 0xff, 1, 2, 3, 4})).empty());
}
