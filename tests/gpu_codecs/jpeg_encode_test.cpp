#include "glproc/gpu_codecs/jpeg/encode.hpp"

#include "glproc/image/codec.hpp"
#include "support/catch.hpp"
#include "support/fixture.hpp"
#include "support/inputs.hpp"

#include <array>
#include <functional>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include <fmt/format.h>

using namespace glproc;
using namespace glproc::test;
using namespace glproc::gpu_codecs;

namespace {

using Bytes = std::vector<std::byte>;

struct Scene {
    const char* name;
    std::function<Image(const Form&)> make;
};

const std::array<Scene, 5>& scenes() {
    static const std::array<Scene, 5> all{{
        {"photo", [](const Form& form) { return photo_like_image(form); }},
        {"noise", [](const Form& form) { return random_image(form); }},
        {"two values", [](const Form& form) { return two_valued_image(form); }},
        {"grey", [](const Form& form) { return constant_image(form, 0.4); }},
        {"white", [](const Form& form) { return constant_image(form, 1); }},
    }};
    return all;
}

struct Case {
    std::string name;
    Image image;
    EncodeOptions options;
};

Case case_of(const Scene& scene, const Form& form, const EncodeOptions& options) {
    return {fmt::format("{} {}x{}, {} channels, {}, quality {}, {} tables", scene.name, form.width, form.height, form.channels,
                        static_cast<int>(options.subsampling), options.quality_or_default(),
                        options.optimize ? "own" : "the standard's"),
            scene.make(form), options};
}

/// Encodes them together, and compares each file with that of the CPU.
void check_files(const std::vector<Case>& cases) {
    std::vector<GpuImage> images;
    std::vector<JpegToEncode> pictures;
    images.reserve(cases.size());
    for (const Case& one : cases) {
        INFO(one.name);
        REQUIRE(can_encode(gpu(), one.image.form(), one.options));
        images.push_back(gpu().upload(one.image));
        pictures.push_back({images.back(), one.image.metadata(), one.options});
    }
    JpegsInEncoding under_way = begin_encoding(gpu(), pictures);
    under_way.wait();
    for (std::size_t i = 0; i < cases.size(); ++i) {
        INFO(cases[i].name);
        const std::optional<Bytes> file = under_way.file(i);
        REQUIRE(file);
        CHECK((*file == encode(cases[i].image, "jpg", cases[i].options)));
    }
}

/// Grey, and colour at each resolution.
const std::array<std::pair<int, Subsampling>, 4> packings{{
    {1, Subsampling::automatic},
    {3, Subsampling::s444},
    {3, Subsampling::s422},
    {3, Subsampling::s420},
}};

} // namespace

TEST_CASE("JPEG files of the GPU have the bytes of the CPU") {
    for (const auto& [channels, subsampling] : packings) {
        for (const int quality : {1, 2, 10, 50, 75, 90, 95, 99, 100}) {
            std::vector<Case> cases;
            for (const auto& [width, height] : {std::pair(1, 1), std::pair(1, 17), std::pair(23, 1), std::pair(8, 8), std::pair(16, 16),
                                                std::pair(7, 9), std::pair(33, 65), std::pair(97, 74)}) {
                for (const Scene& scene : scenes()) {
                    for (const bool own_tables : {false, true}) {
                        cases.push_back(case_of(scene, {width, height, channels, Depth::u8},
                                                {.quality = quality, .subsampling = subsampling, .optimize = own_tables}));
                    }
                }
            }
            check_files(cases);
        }
    }
}

TEST_CASE("JPEG files of the GPU have the strips of the CPU") {
    std::vector<Case> cases;
    for (const auto& [channels, subsampling] : packings) {
        for (const bool own_tables : {false, true}) {
            cases.push_back(case_of(scenes()[0], {16390, 49, channels, Depth::u8},
                                    {.subsampling = subsampling, .optimize = own_tables}));
        }
    }
    cases.push_back(case_of(scenes()[0], {17, 15500, 3, Depth::u8}, {.subsampling = Subsampling::s420}));
    cases.push_back(case_of(scenes()[3], {1021, 2575, 3, Depth::u8}, {})); // more than the eight numbers of markers
    check_files(cases);
}

TEST_CASE("every quality has the CPU's tables") {
    std::vector<Case> cases;
    for (int quality = 1; quality <= 100; ++quality) {
        cases.push_back(case_of(scenes()[1], {24, 24, 3, Depth::u8}, {.quality = quality}));
    }
    check_files(cases);
}
