// TIFF files of strips that tests put together byte by byte, and pictures compared with what they should be.
#pragma once
#ifdef GLPROC_WITH_TIFF
#include "files/tiff_files.hpp"

namespace glproc::test {

/// The largest difference between a picture and what it should be.
template <class Wanted>
double worst_of(const Image& image, Wanted wanted) {
    double worst = 0;
    for (int y = 0; y < image.height(); ++y) {
        for (int x = 0; x < image.width(); ++x) {
            for (int c = 0; c < image.channels(); ++c)
                worst = std::max(worst, std::abs(image.at(x, y, c) - wanted(x, y, c)));
        }
    }
    return worst;
}

/// Values of `bits` bits, one after the other, each row filled up to a byte.
inline Bytes packed_rows(const std::vector<std::vector<unsigned>>& rows, unsigned bits) {
    Bytes bytes;
    for (const auto& row : rows) {
        Bytes packed((row.size() * bits + 7) / 8);
        for (std::size_t i = 0; i < row.size() * bits; ++i) {
            if ((row[i / bits] >> (bits - 1 - i % bits) & 1U) != 0)
                packed[i / 8] |= static_cast<std::byte>(0x80U >> i % 8);
        }
        bytes = std::move(bytes) + packed;
    }
    return bytes;
}

/// A file of one strip a plane, which holds just these bytes.
inline Bytes write_strips(int width, int height, int samples, int bits, std::vector<Bytes> strips,
                          const std::function<void(TIFF*)>& tell, int planar = PLANARCONFIG_CONTIG,
                          const std::string& mode = "wl") {
    const TempDir folder;
    TIFF* tiff = TIFFOpen((folder / "a.tif").c_str(), mode.c_str());
    REQUIRE(tiff != nullptr);
    TIFFSetField(tiff, TIFFTAG_IMAGEWIDTH, width);
    TIFFSetField(tiff, TIFFTAG_IMAGELENGTH, height);
    TIFFSetField(tiff, TIFFTAG_ROWSPERSTRIP, height);
    TIFFSetField(tiff, TIFFTAG_BITSPERSAMPLE, bits);
    TIFFSetField(tiff, TIFFTAG_SAMPLESPERPIXEL, samples);
    TIFFSetField(tiff, TIFFTAG_PHOTOMETRIC, samples >= 3 ? PHOTOMETRIC_RGB : PHOTOMETRIC_MINISBLACK);
    TIFFSetField(tiff, TIFFTAG_PLANARCONFIG, planar);
    tell(tiff);
    std::uint32_t index = 0;
    for (Bytes& strip : strips)
        REQUIRE(TIFFWriteRawStrip(tiff, index++, strip.data(), static_cast<tmsize_t>(strip.size())) > 0);
    TIFFClose(tiff);
    return read_file(folder / "a.tif");
}

} // namespace glproc::test
#endif
