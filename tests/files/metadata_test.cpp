// ICC profiles, EXIF and XMP: carried byte for byte, but for the orientation, which is applied.
#include "files/metadata_files.hpp"

#include <csetjmp>
#include <cstdio> // jpeglib.h needs FILE
#include <cstdlib>

#include <jpeglib.h>
#include <libdeflate.h>
#include <png.h>

using namespace glproc;
using namespace glproc::test;

namespace {

const std::vector<std::string>& carriers() {
    static const std::vector<std::string> names{"png", "jpg"};
    return names;
}

/// The profile that libjpeg finds in a JPEG.
Bytes icc_by_libjpeg(const Bytes& file) {
    jpeg_decompress_struct jpeg{};
    jpeg_error_mgr errors{};
    jpeg.err = jpeg_std_error(&errors);
    jpeg_create_decompress(&jpeg);
    jpeg_save_markers(&jpeg, JPEG_APP0 + 2, 0xffff);
    jpeg_mem_src(&jpeg, reinterpret_cast<const unsigned char*>(file.data()), file.size());
    jpeg_read_header(&jpeg, TRUE);
    JOCTET* data = nullptr;
    unsigned size = 0;
    REQUIRE(jpeg_read_icc_profile(&jpeg, &data, &size) != 0);
    const auto* bytes = reinterpret_cast<const std::byte*>(data);
    Bytes icc(bytes, bytes + size);
    std::free(data); // NOLINT(cppcoreguidelines-no-malloc): libjpeg's own
    jpeg_destroy_decompress(&jpeg);
    return icc;
}

/// A PNG chunk with its checksum.
Bytes png_chunk(std::string_view type, const Bytes& data) {
    const Bytes body = bytes_of(type) + data;
    return big_endian(static_cast<std::uint32_t>(data.size()), 4) + body +
           big_endian(libdeflate_crc32(0, body.data(), body.size()), 4);
}

/// `png` with `chunk` after its header.
Bytes with_chunk(const Bytes& png, const Bytes& chunk) {
    return Bytes(png.begin(), png.begin() + 33) + chunk + Bytes(png.begin() + 33, png.end());
}

struct Decoded {
    Image image;
    Notes notes;
};

Decoded decode_noting(const Bytes& bytes, const std::string& name) {
    Decoded result;
    result.image = decode(bytes, name, {.notes = &result.notes});
    return result;
}

/// Pixel (x, y) of the upright picture, by EXIF's table: where row 0 and column 0 of what is stored come to
/// lie.
double upright_value(const Image& stored, int orientation, int x, int y, int channel) {
    const int right = stored.width() - 1;
    const int bottom = stored.height() - 1;
    switch (orientation) {
    case 2: // top, right
        return stored.at(right - x, y, channel);
    case 3: // bottom, right
        return stored.at(right - x, bottom - y, channel);
    case 4: // bottom, left
        return stored.at(x, bottom - y, channel);
    case 5: // left, top
        return stored.at(y, x, channel);
    case 6: // right, top
        return stored.at(y, bottom - x, channel);
    case 7: // right, bottom
        return stored.at(right - y, bottom - x, channel);
    case 8: // left, bottom
        return stored.at(right - y, x, channel);
    default:
        return stored.at(x, y, channel);
    }
}

bool is_upright_form(const Image& image, const Image& stored, int orientation) {
    for (int y = 0; y < image.height(); ++y) {
        for (int x = 0; x < image.width(); ++x) {
            for (int c = 0; c < image.channels(); ++c) {
                if (image.at(x, y, c) != upright_value(stored, orientation, x, y, c))
                    return false;
            }
        }
    }
    return true;
}

} // namespace

TEST_CASE("metadata go through PNG and JPEG byte for byte") {
    for (const std::string& name : carriers()) {
        for (const std::size_t icc_size : {200, 3000, 65519, 65520, 200'000}) {
            INFO(name << ", profile of " << icc_size);
            const Metadata metadata{
                .icc = icc_block(icc_size), .exif = exif_block(1, true), .xmp = xmp_block()};
            const Bytes file = encode(with_metadata(smooth_picture(20, 10, 3), metadata), name);
            const Decoded back = decode_noting(file, name);
            CHECK(same(back.image.metadata(), metadata));
            CHECK(back.notes.empty());
            CHECK(same(back.image, decode(encode(smooth_picture(20, 10, 3), name), name)));
            if (name == "jpg")
                CHECK(icc_by_libjpeg(file) == metadata.icc);
        }
    }
}

TEST_CASE("formats without a place for metadata are written as ever") {
    const Metadata metadata{.icc = icc_block(300), .exif = exif_block(1, false), .xmp = xmp_block()};
    for (const std::string& name : writable_extensions()) {
        static const std::vector<std::string> without{"pgm", "ppm", "pnm", "pam", "pfm",
                                                      "bmp", "tga", "hdr", "exr", "gif"};
        const bool has_place = std::ranges::count(without, name) == 0;
        const Depth depth = name == "hdr" || name == "pfm" || name == "exr" ? Depth::f32 : Depth::u8;
        const Image image = picture(9, 5, name == "pgm" ? 1 : 3, depth);
        INFO(name);
        CHECK((encode(with_metadata(image, metadata), name) == encode(image, name)) == !has_place);
        CHECK(encode(with_metadata(image, {}), name) == encode(image, name));
    }
}

TEST_CASE("the picture is turned as EXIF says, and then EXIF and XMP say so no more") {
    for (const auto& [width, height] :
         std::vector<std::pair<int, int>>{{1, 1}, {1, 7}, {7, 1}, {131, 67}, {5, 3}}) {
        for (int orientation = 1; orientation <= 8; ++orientation) {
            for (const bool big : {false, true}) {
                INFO(width << "x" << height << ", orientation " << orientation);
                const Image stored = picture(width, height, 1 + orientation % 4, Depth::u16);
                const Metadata metadata{.exif = exif_block(orientation, big), .xmp = xmp_block()};
                const Image image = decode(encode(with_metadata(stored, metadata), "png"), "a.png");
                CHECK(image.width() == (orientation < 5 ? width : height));
                CHECK(image.height() == (orientation < 5 ? height : width));
                CHECK(is_upright_form(image, stored, orientation));
                CHECK(image.metadata().exif == exif_block(1, big));
                if (orientation == 1) {
                    CHECK(image.metadata().xmp == metadata.xmp);
                } else {
                    CHECK(image.metadata().xmp ==
                          bytes_of("<?xpacket begin='' id='W5M0MpCehiHzreSzNTczkc9d'?><x:xmpmeta "
                                   "tiff:Orientation=\"1\"/><tiff:Orientation>1</tiff:Orientation>"));
                }
            }
        }
    }
}

TEST_CASE("a JPEG is turned, too") {
    const Image stored = smooth_picture(40, 24, 3);
    const Bytes plain = encode(stored, "jpg");
    const Bytes file =
        with_segment(plain, jpeg_segment(0xe1, bytes_of("Exif") + Bytes(2) + exif_block(6, false)));
    const Image image = decode(file, "a.jpg");
    CHECK(image.width() == 24);
    CHECK(is_upright_form(image, decode(plain, "a.jpg"), 6));
    CHECK(orientation_of(image.metadata().exif) == 1);
}

TEST_CASE("libpng finds our chunks sound") {
    const Metadata metadata{.icc = icc_block(3000), .exif = exif_block(1, true), .xmp = xmp_block()};
    const Bytes file = encode(with_metadata(picture(5, 5, 3, Depth::u8), metadata), "png");
    png_image png{};
    png.version = PNG_IMAGE_VERSION;
    CHECK(png_image_begin_read_from_memory(&png, file.data(), file.size()) != 0);
    png_image_free(&png);
    std::size_t chunks = 0;
    for (std::size_t at = 8; at + 12 <= file.size(); ++chunks) {
        std::uint32_t length = 0;
        for (std::size_t i = 0; i < 4; ++i)
            length = length << 8U | std::to_integer<std::uint32_t>(file[at + i]);
        at += 12 + length;
    }
    CHECK(chunks == 6); // IHDR, iCCP, eXIf, iTXt, IDAT, IEND
}

TEST_CASE("orientations that cannot be read leave the picture as it is") {
    const Bytes good = exif_block(6, false);
    CHECK(orientation_of(good) == 6);
    CHECK(orientation_of({}) == 1);
    for (std::size_t size = 0; size < 32; ++size) // the value ends at byte 32
        CHECK(orientation_of(Bytes(good.begin(), good.begin() + static_cast<std::ptrdiff_t>(size))) == 1);
    for (const int orientation : {0, 9, 255, 65535})
        CHECK(orientation_of(exif_block(orientation, true)) == 1);
    for (std::size_t at = 0; at < good.size(); ++at) {
        for (const int value : {0, 1, 2, 127, 255}) {
            Bytes damaged = good;
            damaged[at] = static_cast<std::byte>(value);
            const int orientation = orientation_of(damaged);
            CHECK((orientation >= 1 && orientation <= 8));
            Metadata metadata{.exif = damaged};
            reset_orientation(metadata, orientation);
            CHECK(orientation_of(metadata.exif) == 1);
        }
    }
    // A directory that is said to be huge, and one that points at itself.
    CHECK(orientation_of(bytes_of("II") + little_endian(42, 2) + little_endian(8, 4) +
                         little_endian(65535, 2) + Bytes(100)) == 1);
    CHECK(orientation_of(bytes_of("II") + little_endian(42, 2) + little_endian(0, 4) + Bytes(100)) == 1);
    CHECK(orientation_of(bytes_of("II") + little_endian(42, 2) + little_endian(0xffffffff, 4)) == 1);
}

TEST_CASE("broken metadata are left out with a note, and the picture is read") {
    const Image image = smooth_picture(20, 10, 3);
    const Bytes jpeg = encode(image, "jpg");
    const auto icc_part = [](int number, int count, const Bytes& data) {
        return jpeg_segment(0xe2, bytes_of("ICC_PROFILE") + bytes_of({0, number, count}) + data);
    };
    const std::string missing = "a.jpg: parts of the ICC profile are missing; it is left out";
    const std::vector<std::pair<Bytes, std::string>> cases{
        {icc_part(1, 2, icc_block(300)), missing},
        {icc_part(0, 1, icc_block(300)), missing},
        {icc_part(2, 1, icc_block(300)), missing},
        {icc_part(1, 1, {}), missing},
        {icc_part(1, 1, icc_block(300)) + icc_part(1, 1, icc_block(300)), missing},
        {icc_part(1, 2, icc_block(300)) + icc_part(2, 3, icc_block(300)), missing},
        {jpeg_segment(0xe2, bytes_of("ICC_PROFILE") + bytes_of({0})), missing},
        {icc_part(1, 1, icc_block(100)), "a.jpg: the ICC profile is invalid; it is left out"},
        {icc_part(1, 1, Bytes(300)), "a.jpg: the ICC profile is invalid; it is left out"},
        {jpeg_segment(0xe1, bytes_of("Exif") + Bytes(2) + bytes_of("II")),
         "a.jpg: the EXIF data are invalid; they are left out"},
        {jpeg_segment(0xe1, bytes_of("Exif") + Bytes(40)),
         "a.jpg: the EXIF data are invalid; they are left out"},
    };
    for (const auto& [segment, why] : cases) {
        const Decoded decoded = decode_noting(with_segment(jpeg, segment), "a.jpg");
        CHECK(decoded.notes == Notes{why});
        CHECK(decoded.image.metadata().empty());
        CHECK(same(decoded.image, decode(jpeg, "a.jpg")));
        CHECK_NOTHROW(decode(with_segment(jpeg, segment), "a.jpg")); // without notes
    }
    // Parts may stand in any order.
    const Bytes profile = icc_block(400);
    const Bytes swapped =
        with_segment(jpeg, icc_part(2, 2, Bytes(profile.begin() + 150, profile.end())) +
                               icc_part(1, 2, Bytes(profile.begin(), profile.begin() + 150)));
    CHECK(decode(swapped, "a.jpg").metadata().icc == profile);
}

TEST_CASE("broken metadata of a PNG are left out with a note, and the picture is read") {
    const Bytes png = encode(picture(7, 5, 3, Depth::u8), "png");
    const std::string packed = "a.png: the ICC profile cannot be unpacked; it is left out";
    const std::string xmp = "a.png: XMP cannot be unpacked; it is left out";
    const Bytes keyword = bytes_of("XML:com.adobe.xmp") + Bytes(1);
    const std::vector<std::pair<Bytes, std::string>> cases{
        {png_chunk("iCCP", bytes_of("name")), packed},
        {png_chunk("iCCP", bytes_of("name") + Bytes(2)), packed},
        {png_chunk("iCCP", bytes_of("name") + Bytes(2) + Bytes(50, std::byte{0x5a})), packed},
        {png_chunk("iTXt", keyword), xmp},
        {png_chunk("iTXt", keyword + Bytes(2)), xmp},
        {png_chunk("iTXt", keyword + bytes_of({1, 0, 0, 0, 1, 2, 3})), xmp},
        {png_chunk("eXIf", bytes_of("Exif")), "a.png: the EXIF data are invalid; they are left out"},
    };
    for (const auto& [chunk, why] : cases) {
        const Decoded decoded = decode_noting(with_chunk(png, chunk), "a.png");
        CHECK(decoded.notes == Notes{why});
        CHECK(decoded.image.metadata().empty());
        CHECK(same(decoded.image, decode(png, "a.png")));
    }
    Bytes damaged = with_chunk(png, png_chunk("eXIf", exif_block(6, true)));
    damaged[45] ^= std::byte{1};
    const Decoded decoded = decode_noting(damaged, "a.png");
    CHECK(decoded.notes == Notes{"a.png: the chunk eXIf has a wrong checksum and is left out"});
    CHECK(decoded.image.metadata().empty());
}

TEST_CASE("a profile that unpacks to more than is sane is left out") {
    const Bytes zeros(std::size_t{80} << 20U);
    libdeflate_compressor* compressor = libdeflate_alloc_compressor(1);
    Bytes bomb(libdeflate_zlib_compress_bound(compressor, zeros.size()));
    bomb.resize(libdeflate_zlib_compress(compressor, zeros.data(), zeros.size(), bomb.data(), bomb.size()));
    libdeflate_free_compressor(compressor);
    const Bytes png = encode(picture(7, 5, 3, Depth::u8), "png");
    const Decoded decoded =
        decode_noting(with_chunk(png, png_chunk("iCCP", bytes_of("n") + Bytes(2) + bomb)), "a.png");
    CHECK(decoded.notes == Notes{"a.png: the ICC profile cannot be unpacked; it is left out"});
}

TEST_CASE("what does not fit into JPEG is left out with a note") {
    Notes notes;
    Metadata metadata{
        .icc = icc_block(255 * 65519 + 1), .exif = exif_block(1, true) + Bytes(65536), .xmp = {}};
    const Bytes file = encode(with_metadata(smooth_picture(8, 8, 3), metadata), "out.jpg", {.notes = &notes});
    CHECK(notes == Notes{"out.jpg: EXIF is too large for JPEG; it is left out",
                         "out.jpg: the ICC profile is too large for JPEG; it is left out"});
    CHECK(decode(file, "a.jpg").metadata().empty());
    CHECK(same(decode(encode(with_metadata(smooth_picture(8, 8, 3), metadata), "png"), "a.png").metadata(),
               metadata));
}

TEST_CASE("long XMP of a JPEG is told of") {
    const Bytes file = with_segment(
        encode(smooth_picture(8, 8, 3), "jpg"),
        jpeg_segment(0xe1, bytes_of("http://ns.adobe.com/xmp/extension/") + Bytes(1) + bytes_of("more")));
    CHECK(decode_noting(file, "a.jpg").notes ==
          Notes{"a.jpg: XMP spans several segments; only the first is kept"});
}
