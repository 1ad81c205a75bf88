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

} // namespace glproc::gpu_codecs
