#include "glproc/gpu_codecs/jpeg/choice.hpp"

#include "glproc/base/error.hpp"

#include <cstdio> // jpeglib.h needs FILE
#include <cstdlib>
#include <string_view>

#include <fmt/format.h>
#include <jpeglib.h>

namespace glproc::gpu_codecs {

namespace {

/// The kernels repeat the calculations of these versions.
#if defined(LIBJPEG_TURBO_VERSION_NUMBER) && LIBJPEG_TURBO_VERSION_NUMBER >= 2001000
constexpr bool is_libjpeg_known = true;
#else
constexpr bool is_libjpeg_known = false;
#endif

} // namespace

JpegRoad jpeg_road() {
    const char* text = std::getenv("GLPROC_JPEG"); // NOLINT(concurrency-mt-unsafe): nothing sets it
    const std::string_view word = text == nullptr ? "" : text;
    if (word.empty() || word == "auto") {
        return JpegRoad::automatic;
    }
    if (word != "cpu" && word != "gpu") {
        throw Error(ErrorCode::usage, fmt::format("GLPROC_JPEG={} is none of auto, cpu, gpu", word));
    }
    return word == "cpu" ? JpegRoad::cpu : JpegRoad::gpu;
}

// A picture alone waits for the programs, 40 ms (NVIDIA H100, driver 580.159.04, 2026-11-25), while the CPU decodes 7 megapixels
// before the driver has even started. Among many it pays once it keeps the kernels busy.
bool is_large_enough(std::uint64_t pixels, Company company) {
    constexpr std::uint64_t least_alone = 12'000'000;
    constexpr std::uint64_t least_of_many = 300'000;
    if (!is_libjpeg_known) {
        return false;
    }
    const JpegRoad road = jpeg_road();
    const std::uint64_t least = company == Company::alone ? least_alone : least_of_many;
    return road == JpegRoad::gpu || (road == JpegRoad::automatic && pixels >= least);
}

bool is_worth_it(const Context& gpu, std::uint64_t pixels, Company company) {
    return is_large_enough(pixels, company) && (!gpu.device().software || jpeg_road() == JpegRoad::gpu);
}

} // namespace glproc::gpu_codecs
