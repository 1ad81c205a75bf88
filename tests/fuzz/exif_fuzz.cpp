// EXIF blocks: what is read of them, and what a TIFF file makes of them.
#include "fuzz/fuzz.hpp"
#include "glproc/files/codecs/tiff/exif.hpp"
#include "glproc/image/exif.hpp"
#include "glproc/image/metadata.hpp"

using namespace glproc;

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
    const fuzz::Cost cost(size, 0);
    const auto bytes = fuzz::as_file(data, size);
    const std::vector<std::byte> exif(bytes.begin(), bytes.end());
    const int orientation = orientation_of(exif);
    fuzz::require(orientation >= 1 && orientation <= 8, "an orientation is one of eight");
    static_cast<void>(density_of(exif));
    for (const bool big : {false, true}) {
        const codecs::TiffExif placed = codecs::place_exif(exif, 8, big);
        constexpr std::size_t most = (std::size_t{1} << 24U) + (std::size_t{1} << 18U);
        fuzz::require(placed.bytes.size() <= most, "no more comes out than the budget allows");
    }
    Metadata metadata{.exif = exif};
    if (orientation != 1) {
        reset_orientation(metadata, orientation);
        fuzz::require(orientation_of(metadata.exif) == 1, "what was turned says so");
    }
    return 0;
}
