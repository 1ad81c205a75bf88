// TIFF files of every kind, written by libtiff with settings that our writer never has.
#pragma once
#ifdef GLPROC_WITH_TIFF
#include "files/pictures.hpp"
#include "support/temp_dir.hpp"

#include "glproc/files/file.hpp"

#include <functional>

#include <tiffio.h>

namespace glproc::test {

/// How a picture is stored; libtiff's numbers.
struct TiffSpec {
    int compression = COMPRESSION_NONE;
    int predictor = PREDICTOR_NONE;
    int photometric = -1; ///< -1: grey or RGB; -2: it does not say
    int planar = PLANARCONFIG_CONTIG;
    int tile = 0; ///< side; 0 for strips
    int rows = 5; ///< of a strip
    int orientation = 0;
    int extra = EXTRASAMPLE_UNASSALPHA; ///< -1: all channels are colours
    std::string mode = "w";
    int bits = 0; ///< 0: the image's
    bool jpeg_rgb = false;
    std::vector<std::uint16_t> palette = {};
    int pages = 1;
    /// Sets what else is to stand in the file.
    std::function<void(TIFF*)> tell = {};
};

/// The bytes of one block of one plane (all channels where it is -1), with zeros beyond the picture.
inline Bytes block_of(const Image& image, int left, int top, int width, int height, int plane) {
    Bytes block;
    const std::size_t value = bytes_of(image.depth());
    for (int y = top; y < top + height; ++y) {
        for (int x = left; x < left + width; ++x) {
            for (int c = plane < 0 ? 0 : plane; c < (plane < 0 ? image.channels() : plane + 1); ++c) {
                if (x >= image.width() || y >= image.height()) {
                    block.insert(block.end(), value, std::byte{0});
                    continue;
                }
                const std::byte* from = image.row(y) + static_cast<std::size_t>(x) * image.pixel_bytes() +
                                        static_cast<std::size_t>(c) * value;
                block.insert(block.end(), from, from + value);
            }
        }
    }
    return block;
}

inline void write_page(TIFF* tiff, const Image& image, const TiffSpec& spec) {
    TIFFSetField(tiff, TIFFTAG_IMAGEWIDTH, image.width());
    TIFFSetField(tiff, TIFFTAG_IMAGELENGTH, image.height());
    TIFFSetField(tiff, TIFFTAG_BITSPERSAMPLE, static_cast<int>(image.depth()));
    TIFFSetField(tiff, TIFFTAG_SAMPLESPERPIXEL, image.channels());
    TIFFSetField(tiff, TIFFTAG_SAMPLEFORMAT,
                 image.depth() == Depth::f32 ? SAMPLEFORMAT_IEEEFP : SAMPLEFORMAT_UINT);
    const int usual = image.channels() >= 3 ? PHOTOMETRIC_RGB : PHOTOMETRIC_MINISBLACK;
    if (spec.photometric != -2)
        TIFFSetField(tiff, TIFFTAG_PHOTOMETRIC, spec.photometric < 0 ? usual : spec.photometric);
    TIFFSetField(tiff, TIFFTAG_PLANARCONFIG, spec.planar);
    TIFFSetField(tiff, TIFFTAG_COMPRESSION, spec.compression);
    if (spec.predictor != PREDICTOR_NONE)
        TIFFSetField(tiff, TIFFTAG_PREDICTOR, spec.predictor);
    if (spec.jpeg_rgb)
        TIFFSetField(tiff, TIFFTAG_JPEGCOLORMODE, JPEGCOLORMODE_RGB);
    if (spec.orientation != 0)
        TIFFSetField(tiff, TIFFTAG_ORIENTATION, spec.orientation);
    if (image.has_alpha() && spec.extra >= 0) {
        auto kind = static_cast<std::uint16_t>(spec.extra);
        TIFFSetField(tiff, TIFFTAG_EXTRASAMPLES, 1, &kind);
    }
    if (spec.tell)
        spec.tell(tiff);
    const int width = spec.tile > 0 ? spec.tile : image.width();
    const int height = spec.tile > 0 ? spec.tile : spec.rows;
    if (spec.tile > 0) {
        TIFFSetField(tiff, TIFFTAG_TILEWIDTH, width);
        TIFFSetField(tiff, TIFFTAG_TILELENGTH, height);
    } else {
        TIFFSetField(tiff, TIFFTAG_ROWSPERSTRIP, height);
    }
    std::uint32_t index = 0;
    const bool separate = spec.planar == PLANARCONFIG_SEPARATE;
    for (int plane = separate ? 0 : -1; plane < (separate ? image.channels() : 0); ++plane) {
        for (int y = 0; y < image.height(); y += height) {
            for (int x = 0; x < image.width(); x += width) {
                const int rows = spec.tile > 0 ? height : std::min(height, image.height() - y);
                Bytes block = block_of(image, x, y, width, rows, plane);
                const auto size = static_cast<tmsize_t>(block.size());
                REQUIRE((spec.tile > 0 ? TIFFWriteEncodedTile(tiff, index, block.data(), size)
                                       : TIFFWriteEncodedStrip(tiff, index, block.data(), size)) == size);
                ++index;
            }
        }
    }
}

inline Bytes write_tiff(const Image& image, const TiffSpec& spec) {
    const TempDir folder;
    const std::string path = folder / "a.tif";
    TIFF* tiff = TIFFOpen(path.c_str(), spec.mode.c_str());
    REQUIRE(tiff != nullptr);
    for (int page = 0; page < spec.pages; ++page) {
        write_page(tiff, image, spec);
        if (page + 1 < spec.pages)
            TIFFWriteDirectory(tiff);
    }
    TIFFClose(tiff);
    return read_file(path);
}

} // namespace glproc::test
#endif
