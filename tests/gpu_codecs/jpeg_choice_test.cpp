#include "glproc/gpu_codecs/jpeg/choice.hpp"

#include "support/catch.hpp"
#include "support/environment.hpp"
#include "support/matchers.hpp"

using glproc::gpu_codecs::JpegRoad;
using glproc::gpu_codecs::jpeg_road;
using glproc::test::ScopedVariable;

TEST_CASE("GLPROC_JPEG says who decodes and encodes JPEG") {
    const auto road = [](const char* word) {
        const ScopedVariable variable("GLPROC_JPEG", word);
        return jpeg_road();
    };
    CHECK(road("") == JpegRoad::automatic);
    CHECK(road("auto") == JpegRoad::automatic);
    CHECK(road("cpu") == JpegRoad::cpu);
    CHECK(road("gpu") == JpegRoad::gpu);
    CHECK_THROWS_WITH(road("yes"), "GLPROC_JPEG=yes is none of auto, cpu, gpu");
}
