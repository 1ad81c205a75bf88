// Metadata blocks, and files that have them.
#pragma once

#include "files/handmade_files.hpp"

namespace glproc::test {

/// A TIFF structure whose first directory has a width before the orientation, with something after it.
inline Bytes exif_block(int orientation, bool big) {
    const auto number = [&](std::uint32_t value, int count) {
        return big ? big_endian(value, count) : little_endian(value, count);
    };
    return bytes_of(big ? "MM" : "II") + number(42, 2) + number(8, 4) + number(2, 2) + //
           number(0x100, 2) + number(4, 2) + number(1, 4) + number(640, 4) +           //
           number(0x112, 2) + number(3, 2) + number(1, 4) +
           number(static_cast<std::uint32_t>(orientation), 2) + Bytes(2) + number(0, 4) +
           bytes_of("the camera's own notes");
}

/// Noise that looks like an ICC profile from afar.
inline Bytes icc_block(std::size_t size) {
    Bytes icc(size);
    for (std::size_t i = 0; i < size; ++i)
        icc[i] = static_cast<std::byte>(hash(static_cast<std::uint32_t>(i)));
    std::ranges::copy(big_endian(static_cast<std::uint32_t>(size), 4), icc.begin());
    std::ranges::copy(bytes_of("acsp"), icc.begin() + 36);
    return icc;
}

inline Bytes xmp_block() {
    return bytes_of("<?xpacket begin='' id='W5M0MpCehiHzreSzNTczkc9d'?><x:xmpmeta tiff:Orientation=\"6\"/>"
                    "<tiff:Orientation>8</tiff:Orientation>");
}

inline Image with_metadata(Image image, Metadata metadata) {
    image.set_metadata(std::move(metadata));
    return image;
}

inline bool same(const Metadata& a, const Metadata& b) {
    return a.icc == b.icc && a.exif == b.exif && a.xmp == b.xmp;
}

/// A JPEG segment: marker 0xff`kind`.
inline Bytes jpeg_segment(int kind, const Bytes& payload) {
    return bytes_of({0xff, kind}) + big_endian(static_cast<std::uint32_t>(payload.size() + 2), 2) + payload;
}

/// `jpeg` with `segment` right after its first two bytes.
inline Bytes with_segment(const Bytes& jpeg, const Bytes& segment) {
    return Bytes(jpeg.begin(), jpeg.begin() + 2) + segment + Bytes(jpeg.begin() + 2, jpeg.end());
}

} // namespace glproc::test
