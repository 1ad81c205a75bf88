#include "glproc/gpu_codecs/jpeg/encode.hpp"
#include "glproc/gpu_codecs/jpeg/encode_file.hpp"

#include "glproc/files/codec.hpp"
#include "support/catch.hpp"
#include "support/environment.hpp"
#include "support/fixture.hpp"
#include "support/inputs.hpp"

#include <algorithm>
#include <array>
#include <cstddef>
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
    return {fmt::format("{} {}x{}, {} channels, {}, quality {}, {} tables", scene.name, form.width,
                        form.height, form.channels, static_cast<int>(options.subsampling),
                        options.quality_or_default(), options.optimize ? "own" : "the standard's"),
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
const std::array<std::pair<int, Subsampling>, 5> packings{{
    {1, Subsampling::automatic},
    {3, Subsampling::s444},
    {3, Subsampling::s422},
    {3, Subsampling::s420},
    {3, Subsampling::s440},
}};

} // namespace

TEST_CASE("JPEG files of the GPU have the bytes of the CPU") {
    for (const auto& [channels, subsampling] : packings) {
        for (const int quality : {1, 2, 10, 50, 75, 90, 95, 99, 100}) {
            std::vector<Case> cases;
            for (const auto& [width, height] :
                 {std::pair(1, 1), std::pair(1, 17), std::pair(23, 1), std::pair(8, 8), std::pair(16, 16),
                  std::pair(7, 9), std::pair(33, 65), std::pair(97, 74)}) {
                for (const Scene& scene : scenes()) {
                    for (const bool own_tables : {false, true}) {
                        cases.push_back(case_of(
                            scene, {width, height, channels, Depth::u8},
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
    cases.push_back(
        case_of(scenes()[3], {1021, 2575, 3, Depth::u8}, {})); // more than the eight numbers of markers
    check_files(cases);
}

TEST_CASE("what kernels cannot reach is left to the CPU, and what they cannot reach at once goes in parts") {
    const Image noise =
        scenes()[2].make({64, 128, 1, Depth::u8}); // whose file takes more than its coefficients
    const EncodeOptions large{.quality = 100, .optimize = false};
    const EncodeOptions small{.quality = 50};
    ContextOptions options = second_context_options();
    options.lower_limits = "storage_block_bytes:16384";
    bool can = false;
    bool can_more = false;
    std::vector<bool> has;
    std::vector<std::optional<Bytes>> files;
    with_second_context(options, [&](Context& second) {
        can = can_encode(second, noise.form(), large);
        can_more = can_encode(second, {80, 128, 1, Depth::u8}, large);
        const GpuImage image = second.upload(noise);
        const std::vector<JpegToEncode> pictures{{image, noise.metadata(), small},
                                                 {image, noise.metadata(), large},
                                                 {image, noise.metadata(), small}};
        JpegsInEncoding under_way = begin_encoding(second, pictures);
        under_way.wait();
        for (std::size_t i = 0; i < pictures.size(); ++i) {
            has.push_back(under_way.has(i));
            files.push_back(under_way.file(i));
        }
    });
    CHECK(can);
    CHECK_FALSE(can_more);
    CHECK(has == std::vector{true, false, true});
    CHECK((files.at(0) == encode(noise, "jpg", small)));
    CHECK_FALSE(files.at(1));
    CHECK((files.at(2) == files.at(0)));
}

TEST_CASE("JPEG files come back where no memory stays mapped") {
    const ScopedVariable disabled("GLPROC_DISABLE", "ARB_buffer_storage");
    const Image photo = scenes()[0].make({150, 101, 3, Depth::u8});
    const Image noise = scenes()[1].make({99, 70, 3, Depth::u8});
    const EncodeOptions options{.quality = 100}; // noise has no room at first
    std::vector<std::optional<Bytes>> files;
    bool is_mapped = true;
    with_second_context(second_context_options(), [&](Context& second) {
        is_mapped = second.device().has_mapped_memory;
        const GpuImage first = second.upload(photo);
        const GpuImage last = second.upload(noise);
        const std::vector<JpegToEncode> pictures{{first, photo.metadata(), options}, {last, noise.metadata(), options}};
        JpegsInEncoding under_way = begin_encoding(second, pictures);
        under_way.wait();
        files = {under_way.file(0), under_way.file(1)};
    });
    CHECK_FALSE(is_mapped);
    CHECK((files.at(0) == encode(photo, "jpg", options)));
    CHECK((files.at(1) == encode(noise, "jpg", options)));
}

TEST_CASE("the GPU encodes what the CPU encodes, but no progressive files") {
    const Form form{64, 48, 3, Depth::u8};
    CHECK(can_encode(gpu(), form, {}));
    CHECK(can_encode(gpu(), {64, 48, 1, Depth::u8}, {.optimize = false}));
    CHECK_FALSE(can_encode(gpu(), form, {.progressive = true}));
    CHECK_FALSE(can_encode(gpu(), {64, 48, 4, Depth::u8}, {}));
    CHECK_FALSE(can_encode(gpu(), {64, 48, 3, Depth::u16}, {}));
    CHECK_FALSE(can_encode(gpu(), {64, 65501, 3, Depth::u8}, {}));
    CHECK_FALSE(can_encode(gpu(), form, {.quality = 0}));
    CHECK_FALSE(can_encode(gpu(), form, {.quality = 101}));
}

TEST_CASE("JPEG files of the GPU hold the picture's metadata, and say what they cannot hold") {
    Image image = photo_like_image({50, 40, 3, Depth::u8});
    Metadata metadata;
    metadata.density = Density{300, 300, Density::Unit::inch};
    metadata.texts.push_back({"Comment", "a cat"});
    metadata.xmp.assign(70000, std::byte{'x'});
    metadata.jpeg = JpegPacking{.quality = 83, .subsampling = Subsampling::s422};
    image.set_metadata(metadata);
    Notes of_cpu;
    Notes of_gpu;
    const Bytes expected = encode(image, "a.jpg", {.notes = &of_cpu});
    const EncodeOptions options{.notes = &of_gpu};
    const GpuImage on_gpu = gpu().upload(image);
    const std::vector<JpegToEncode> pictures{{on_gpu, image.metadata(), options, "a.jpg"}};
    JpegsInEncoding under_way = begin_encoding(gpu(), pictures);
    under_way.wait();
    CHECK((under_way.file(0) == expected));
    CHECK(of_gpu == of_cpu);
    CHECK(of_gpu.size() == 1);
}

TEST_CASE("a zero follows each byte of ones, wherever it stands") {
    for (const std::size_t size : {0U, 1U, 7U, 8U, 9U, 40U, 8190U, 8191U, 8192U, 8193U, 20000U}) {
        for (const std::uint32_t one_of : {1U, 2U, 3U, 9U, 100U}) { // how many bytes are of ones
            Bytes data;
            Bytes expected{std::byte{7}};
            for (std::uint32_t i = 0; i < size; ++i) {
                const bool is_ones = hash_01(one_of, i) * one_of < 1;
                data.push_back(is_ones ? std::byte{0xff} : static_cast<std::byte>(i % 255));
                expected.push_back(data.back());
                if (data.back() == std::byte{0xff}) {
                    expected.push_back(std::byte{0});
                }
            }
            Bytes file{std::byte{7}};
            append_stuffed(file, data);
            INFO(size << " bytes, one of " << one_of);
            CHECK((file == expected));
        }
    }
}

TEST_CASE("every quality has the CPU's tables") {
    std::vector<Case> cases;
    for (int quality = 1; quality <= 100; ++quality) {
        cases.push_back(case_of(scenes()[1], {24, 24, 3, Depth::u8}, {.quality = quality}));
    }
    check_files(cases);
}
