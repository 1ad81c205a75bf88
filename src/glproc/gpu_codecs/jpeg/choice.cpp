#include "glproc/gpu_codecs/jpeg/choice.hpp"

#include "glproc/error.hpp"

#include <cstdlib>
#include <string_view>

#include <fmt/format.h>

namespace glproc::gpu_codecs {

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

bool is_large_enough(std::uint64_t pixels) {
    constexpr std::uint64_t least = 300'000; // a picture alone takes the kernels about a millisecond, however small
    const JpegRoad road = jpeg_road();
    return road == JpegRoad::gpu || (road == JpegRoad::automatic && pixels >= least);
}

bool is_worth_it(const Context& gpu, std::uint64_t pixels) {
    return is_large_enough(pixels) && (!gpu.device().software || jpeg_road() == JpegRoad::gpu);
}

} // namespace glproc::gpu_codecs
