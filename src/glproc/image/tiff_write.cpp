// TIFF writing: strips, deflate with a predictor.
// https://www.itu.int/itudoc/itu-t/com16/tiff-fx/docs/tiff6.pdf
#include "glproc/image/tiff.hpp"

#include <algorithm>

#include <fmt/format.h>

namespace glproc::codecs {
namespace {

constexpr std::size_t strip_bytes = std::size_t{1} << 18U;

/// Tags that hold blocks of bytes.
void set_block(TIFF* tiff, std::uint32_t tag, const std::vector<std::byte>& block) {
    if (!block.empty())
        TIFFSetField(tiff, tag, static_cast<std::uint32_t>(block.size()), block.data());
}

int rows_per_strip(const Image& image) {
    return std::clamp(static_cast<int>(strip_bytes / image.row_bytes()), 1, image.height());
}

void set_tags(TIFF* tiff, const Image& image) {
    const bool colour = image.channels() >= 3;
    const bool floats = image.depth() == Depth::f32;
    TIFFSetField(tiff, TIFFTAG_IMAGEWIDTH, static_cast<std::uint32_t>(image.width()));
    TIFFSetField(tiff, TIFFTAG_IMAGELENGTH, static_cast<std::uint32_t>(image.height()));
    TIFFSetField(tiff, TIFFTAG_BITSPERSAMPLE, static_cast<int>(image.depth()));
    TIFFSetField(tiff, TIFFTAG_SAMPLESPERPIXEL, image.channels());
    TIFFSetField(tiff, TIFFTAG_SAMPLEFORMAT, floats ? SAMPLEFORMAT_IEEEFP : SAMPLEFORMAT_UINT);
    TIFFSetField(tiff, TIFFTAG_PHOTOMETRIC, colour ? PHOTOMETRIC_RGB : PHOTOMETRIC_MINISBLACK);
    TIFFSetField(tiff, TIFFTAG_PLANARCONFIG, PLANARCONFIG_CONTIG);
    TIFFSetField(tiff, TIFFTAG_ORIENTATION, ORIENTATION_TOPLEFT);
    TIFFSetField(tiff, TIFFTAG_COMPRESSION, COMPRESSION_ADOBE_DEFLATE);
    TIFFSetField(tiff, TIFFTAG_PREDICTOR, floats ? PREDICTOR_FLOATINGPOINT : PREDICTOR_HORIZONTAL);
    TIFFSetField(tiff, TIFFTAG_ROWSPERSTRIP, static_cast<std::uint32_t>(rows_per_strip(image)));
    if (image.has_alpha()) {
        std::uint16_t kind = EXTRASAMPLE_UNASSALPHA;
        TIFFSetField(tiff, TIFFTAG_EXTRASAMPLES, 1, &kind);
    }
    set_block(tiff, TIFFTAG_ICCPROFILE, image.metadata().icc);
    set_block(tiff, TIFFTAG_XMLPACKET, image.metadata().xmp);
}

} // namespace

std::vector<std::byte> encode_tiff(const Job& job) {
    const Image& image = job.image;
    constexpr std::size_t classic_limit = std::size_t{4'000'000'000};
    TiffFile file(image.bytes().size() > classic_limit);
    if (file.get() == nullptr)
        fail(job, fmt::format("TIFF: {}", file.message()));
    set_tags(file.get(), image);
    const int rows = rows_per_strip(image);
    std::vector<std::byte> strip; // libtiff takes non-const bytes
    for (int y = 0; y < image.height() && !file.failed(); y += rows) {
        const auto count = static_cast<std::size_t>(std::min(rows, image.height() - y));
        strip.assign(image.row(y), image.row(y) + count * image.row_bytes());
        TIFFWriteEncodedStrip(file.get(), static_cast<std::uint32_t>(y / rows), strip.data(),
                              static_cast<tmsize_t>(strip.size()));
    }
    file.close();
    if (file.failed())
        fail(job, fmt::format("TIFF: {}", file.message()));
    return file.take_bytes();
}

} // namespace glproc::codecs
