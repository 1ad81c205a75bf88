// https://www.w3.org/Graphics/JPEG/itu-t81.pdf, annex K; https://www.w3.org/Graphics/JPEG/jfif3.pdf
#include "glproc/files/codecs/jpeg/packing.hpp"

#include <algorithm>
#include <array>
#include <cmath>
#include <cstdlib>
#include <limits>

namespace glproc::codecs {
namespace {

/// Table K.1, for luminance, row by row: what quality 50 is.
constexpr std::array<int, DCTSIZE2> luminance{
    16, 11,  10,  16, 24, 40, 51, 61, 12,  12,  14,  19,  26, 58, 60, 55,  14,  13,  16,  24, 40, 57,
    69, 56,  14,  17, 22, 29, 51, 87, 80,  62,  18,  22,  37, 56, 68, 109, 103, 77,  24,  35, 55, 64,
    81, 104, 113, 92, 49, 64, 78, 87, 103, 121, 120, 101, 72, 92, 95, 98,  112, 100, 103, 99};

/// How far the table is from that of a quality.
int distance_to(const JQUANT_TBL& table, int quality) {
    const int scale = jpeg_quality_scaling(quality);
    int distance = 0;
    for (std::size_t i = 0; i < luminance.size(); ++i) {
        const int value = std::clamp((luminance.at(i) * scale + 50) / 100, 1, 255);
        distance += std::abs(value - table.quantval[i]); // NOLINT: as many as luminance has
    }
    return distance;
}

int quality_of(const JQUANT_TBL& table) {
    int best = 100;
    int least = std::numeric_limits<int>::max();
    for (int quality = 100; quality >= 1; --quality) {
        const int distance = distance_to(table, quality);
        if (distance < least) {
            least = distance;
            best = quality;
        }
    }
    return best;
}

Subsampling subsampling_of(const jpeg_decompress_struct& jpeg) {
    if (jpeg.num_components < 3)
        return Subsampling::automatic;
    const jpeg_component_info& luma = jpeg.comp_info[0];
    const jpeg_component_info& chroma = jpeg.comp_info[1];
    const bool across = luma.h_samp_factor > chroma.h_samp_factor;
    const bool down = luma.v_samp_factor > chroma.v_samp_factor;
    if (across)
        return down ? Subsampling::s420 : Subsampling::s422;
    return down ? Subsampling::s440 : Subsampling::s444;
}

/// JFIF has whole numbers of pixels on an inch or a centimetre.
void set_density(jpeg_compress_struct& jpeg, const Density& density) {
    const bool metric = density.unit == Density::Unit::centimetre && density.x == std::round(density.x) &&
                        density.y == std::round(density.y);
    const Density stored = metric ? density : density.whole().in(Density::Unit::inch);
    const double x = std::round(stored.x);
    const double y = std::round(stored.y);
    constexpr double most = 65535;
    if (!(x >= 1 && x <= most && y >= 1 && y <= most))
        return;
    jpeg.density_unit = stored.unit == Density::Unit::none ? 0 : metric ? 2 : 1;
    jpeg.X_density = static_cast<UINT16>(x);
    jpeg.Y_density = static_cast<UINT16>(y);
}

} // namespace

JpegPacking packing_of(const jpeg_decompress_struct& jpeg) {
    JpegPacking packing;
    const int number = jpeg.comp_info[0].quant_tbl_no;
    if (number >= 0 && number < NUM_QUANT_TBLS && jpeg.quant_tbl_ptrs[number] != nullptr)
        packing.quality = quality_of(*jpeg.quant_tbl_ptrs[number]);
    packing.subsampling = subsampling_of(jpeg);
    return packing;
}

std::optional<Density> density_of(const jpeg_decompress_struct& jpeg) {
    const bool proportion_alone = jpeg.density_unit == 0 && jpeg.X_density == jpeg.Y_density;
    if (jpeg.saw_JFIF_marker == 0 || jpeg.X_density == 0 || jpeg.Y_density == 0 || jpeg.density_unit > 2 ||
        proportion_alone)
        return std::nullopt;
    return Density{static_cast<double>(jpeg.X_density), static_cast<double>(jpeg.Y_density),
                   jpeg.density_unit == 0   ? Density::Unit::none
                   : jpeg.density_unit == 1 ? Density::Unit::inch
                                            : Density::Unit::centimetre};
}

void set_packing(jpeg_compress_struct& jpeg, const EncodeOptions& options, const Metadata& metadata) {
    const JpegPacking source = metadata.jpeg.value_or(JpegPacking{.quality = default_quality});
    const int quality = options.quality.value_or(source.quality);
    constexpr int sharp = 90;
    Subsampling subsampling = options.subsampling;
    if (subsampling == Subsampling::automatic)
        subsampling = source.subsampling;
    if (subsampling == Subsampling::automatic)
        subsampling = quality < sharp ? Subsampling::s420 : Subsampling::s444;
    jpeg_set_quality(&jpeg, quality, TRUE);
    if (jpeg.num_components == 3) {
        const bool down = subsampling == Subsampling::s420 || subsampling == Subsampling::s440;
        const bool across = subsampling == Subsampling::s420 || subsampling == Subsampling::s422;
        jpeg.comp_info[0].h_samp_factor = across ? 2 : 1;
        jpeg.comp_info[0].v_samp_factor = down ? 2 : 1;
    }
    if (options.progressive)
        jpeg_simple_progression(&jpeg);
    if (metadata.density)
        set_density(jpeg, *metadata.density);
}

} // namespace glproc::codecs
