// JPEG files of kinds that our writer does not make, written by libjpeg.
#pragma once

#include "files/pictures.hpp"

#include <cstdio> // jpeglib.h needs FILE
#include <cstdlib>

#include <jpeglib.h>

namespace glproc::test {

/// `separate` has one scan for each component.
enum class JpegKind { baseline, separate, progressive, arithmetic, progressive_arithmetic };

/// What write_jpeg() does beyond the usual.
struct JpegExtras {
    bool ycck = false; ///< of 4 components: YCCK, not CMYK
    int across = 0;    ///< how many columns and rows share a value of colour; 0: libjpeg's choice
    int down = 0;
    int restart = 0;    ///< a marker after so many blocks
    bool plain = false; ///< of 3 components: RGB, not YCbCr
};

/// A smooth picture as a JPEG with 1 (grey), 3 (RGB) or 4 (CMYK, or YCCK if asked) components. libjpeg ends
/// the program if it fails.
inline Bytes write_jpeg(int width, int height, int components, JpegKind kind, const JpegExtras& extras) {
    const Image image = smooth_picture(width, height, components);
    jpeg_compress_struct jpeg{};
    jpeg_error_mgr errors{};
    jpeg.err = jpeg_std_error(&errors);
    jpeg_create_compress(&jpeg);
    unsigned char* data = nullptr;
    unsigned long size = 0;
    jpeg_mem_dest(&jpeg, &data, &size);
    jpeg.image_width = static_cast<JDIMENSION>(width);
    jpeg.image_height = static_cast<JDIMENSION>(height);
    jpeg.input_components = components;
    jpeg.in_color_space = components == 1 ? JCS_GRAYSCALE : components == 3 ? JCS_RGB : JCS_CMYK;
    jpeg_set_defaults(&jpeg);
    if (extras.ycck)
        jpeg_set_colorspace(&jpeg, JCS_YCCK);
    if (extras.plain)
        jpeg_set_colorspace(&jpeg, JCS_RGB);
    if (extras.across > 0) {
        jpeg.comp_info[0].h_samp_factor = extras.across;
        jpeg.comp_info[0].v_samp_factor = extras.down;
    }
    jpeg.restart_interval = static_cast<unsigned>(extras.restart);
    jpeg_set_quality(&jpeg, 95, TRUE);
    jpeg.arith_code = kind == JpegKind::arithmetic || kind == JpegKind::progressive_arithmetic ? TRUE : FALSE;
    if (kind == JpegKind::progressive || kind == JpegKind::progressive_arithmetic)
        jpeg_simple_progression(&jpeg);
    std::vector<jpeg_scan_info> scans;
    scans.reserve(static_cast<std::size_t>(components));
    for (int i = 0; i < components; ++i)
        scans.push_back({1, {i, 0, 0, 0}, 0, 63, 0, 0});
    if (kind == JpegKind::separate) {
        jpeg.scan_info = scans.data();
        jpeg.num_scans = components;
    }
    jpeg_start_compress(&jpeg, TRUE);
    for (int y = 0; y < height; ++y) {
        std::vector<JSAMPLE> samples(image.row_bytes());
        std::ranges::transform(std::span(image.row(y), samples.size()), samples.begin(),
                               [](std::byte b) { return std::to_integer<JSAMPLE>(b); });
        JSAMPROW row = samples.data();
        jpeg_write_scanlines(&jpeg, &row, 1);
    }
    jpeg_finish_compress(&jpeg);
    jpeg_destroy_compress(&jpeg);
    const auto* bytes = reinterpret_cast<const std::byte*>(data);
    Bytes file(bytes, bytes + size);
    std::free(data); // NOLINT(cppcoreguidelines-no-malloc): libjpeg's own
    return file;
}

inline Bytes write_jpeg(int width, int height, int components, JpegKind kind, bool ycck = false) {
    return write_jpeg(width, height, components, kind, JpegExtras{.ycck = ycck});
}

} // namespace glproc::test
