#include "glproc/ops/integral.hpp"

#include "glproc/ops/integral/parts.hpp"
#include "support/catch.hpp"
#include "support/fixture.hpp"
#include "support/inputs.hpp"

#include <array>
#include <bit>
#include <cmath>
#include <cstdint>
#include <limits>
#include <optional>
#include <string>
#include <variant>
#include <vector>

using namespace glproc;
using namespace glproc::test;

namespace {

constexpr std::array depths{Depth::u8, Depth::u16, Depth::f32};
constexpr std::array gpu_variants{IntegralVariant::rows_columns, IntegralVariant::bands};

/// Sums of all pixels above and to the left: exact for integer images.
struct Reference {
    std::size_t rows = 0;
    std::size_t columns = 0;
    std::size_t channels = 0;
    std::vector<double> sums;
    std::array<double, 4> magnitude{}; ///< of each channel, the sum of all |x|

    double& at(std::size_t y, std::size_t x, std::size_t c) { return sums[(y * columns + x) * channels + c]; }
};

Reference reference_of(const Image& image, bool padded) {
    const std::size_t pad = padded ? 1 : 0;
    Reference r{static_cast<std::size_t>(image.height()) + pad,
                static_cast<std::size_t>(image.width()) + pad,
                static_cast<std::size_t>(image.channels()),
                {},
                {}};
    r.sums.resize(r.rows * r.columns * r.channels);
    for (std::size_t y = pad; y < r.rows; ++y) {
        for (std::size_t x = pad; x < r.columns; ++x) {
            for (std::size_t c = 0; c < r.channels; ++c) {
                const double value =
                    image.at(static_cast<int>(x - pad), static_cast<int>(y - pad), static_cast<int>(c));
                r.magnitude[c] += std::abs(value);
                r.at(y, x, c) = value + (x > 0 ? r.at(y, x - 1, c) : 0) + (y > 0 ? r.at(y - 1, x, c) : 0) -
                                (x > 0 && y > 0 ? r.at(y - 1, x - 1, c) : 0);
            }
        }
    }
    return r;
}

/// Empty where `got` is right, else the first mistake.
std::string mistake(const Image& image, bool padded, Context& context, const GpuArray& got) {
    const Reference want = reference_of(image, padded);
    std::vector<std::size_t> shape{want.rows, want.columns};
    if (want.channels > 1) {
        shape.push_back(want.channels);
    }
    if (got.shape != shape || got.count() != want.sums.size()) {
        return "another shape";
    }
    const bool is_float = image.depth() == Depth::f32;
    if (got.type != (is_float ? ArrayType::f32 : ArrayType::u32)) {
        return "another type";
    }
    const double roundings = is_float ? (image.width() + image.height() + 64) * 0x1p-23 : 0;
    const auto words = got.words().read<std::uint32_t>(got.count());
    context.finish();
    for (std::size_t i = 0; i < words.size(); ++i) {
        const double value = is_float ? double(std::bit_cast<float>(words[i])) : double(words[i]);
        const double sum = is_float ? want.sums[i] : std::fmod(want.sums[i], 0x1p32);
        if (!(std::abs(value - sum) <= roundings * want.magnitude[i % want.channels])) {
            return std::to_string(value) + " for " + std::to_string(sum) + " at " + std::to_string(i);
        }
    }
    return {};
}

std::string describe(const Image& image, const Integral& integral) {
    return test::describe(image) + ", " + std::string(name_of(integral.variant)) +
           (integral.padded ? ", padded" : "");
}

void check_variants(const Image& image) {
    const GpuImage on_gpu = gpu().upload(image);
    for (const auto& row : enum_rows<IntegralVariant>) {
        for (const bool padded : {false, true}) {
            const Integral integral{.padded = padded, .wrap = true, .variant = row.value};
            INFO(describe(image, integral));
            CHECK(mistake(image, padded, gpu(), integral(gpu(), on_gpu)) == "");
        }
    }
}

/// As a whole; `variant` is neither `automatic` nor `cpu`.
GpuArray run_integral(Context& context, const GpuImage& src, const Integral& integral,
                      const IntegralPlan& plan) {
    return std::get<GpuArray>(SumsOnGpu(integral, plan).next(context, src));
}

} // namespace

TEST_CASE("integral: every variant, depth and number of channels, of awkward sizes") {
    for (const Depth depth : depths) {
        for (int channels = 1; channels <= 4; ++channels) {
            for (const Size& size : {Size{1, 1}, Size{1, 67}, Size{127, 1}, Size{17, 7}, Size{16, 8},
                                     Size{15, 15}, Size{129, 31}, Size{263, 61}}) {
                check_variants(random_image({size.width, size.height, channels, depth}, 9, FloatRange::wide));
            }
        }
    }
}

TEST_CASE("integral: whites, whose sums wrap") {
    check_variants(constant_image({311, 257, 4, Depth::u16}, 1));
    check_variants(constant_image({1031, 700, 3, Depth::u8}, 1));
}

TEST_CASE("integral: in parts, as where a result exceeds a storage block") {
    for (const Depth depth : depths) {
        for (const int channels : {1, 3}) {
            const Image image = random_image({97, 101, channels, depth}, 4);
            const GpuImage on_gpu = gpu().upload(image);
            for (const IntegralVariant variant : gpu_variants) {
                for (const bool padded : {false, true}) {
                    IntegralPlan plan = plan_integral(gpu(), on_gpu.form());
                    for (const std::size_t block : {12'000U, 20'000U, 35'000U}) {
                        plan.block_bytes = block;
                        const Integral integral{.padded = padded, .wrap = true, .variant = variant};
                        INFO(describe(image, integral) << ", blocks of " << block);
                        CHECK(mistake(image, padded, gpu(), run_integral(gpu(), on_gpu, integral, plan)) ==
                              "");
                    }
                }
            }
        }
    }
}

TEST_CASE("integral: bands of any size") {
    for (const Depth depth : depths) {
        for (const int channels : {1, 2, 3}) {
            const Image image = random_image({167, 131, channels, depth}, 5);
            const GpuImage on_gpu = gpu().upload(image);
            for (const int band : {16, 32, 64, 128}) {
                for (const bool padded : {false, true}) {
                    IntegralPlan plan = plan_integral(gpu(), on_gpu.form());
                    plan.band = band;
                    plan.block_bytes = band == 32 ? 100'000 : plan.block_bytes; // in parts as well
                    const Integral integral{.padded = padded, .variant = IntegralVariant::bands};
                    INFO(describe(image, integral) << ", bands of " << band);
                    CHECK(mistake(image, padded, gpu(), run_integral(gpu(), on_gpu, integral, plan)) == "");
                }
            }
        }
    }
}

TEST_CASE("integral: as wide as an image can be") {
    const int width = static_cast<int>(gpu().limits().texture_size) * 16;
    check_variants(random_image({width, 2, 1, Depth::u8}, 2));
}

TEST_CASE("integral: sums that could exceed 32 bits are refused, unless they may wrap") {
    const auto refusal = [](const Image& image, const Integral& integral) -> std::optional<Error> {
        try {
            integral(gpu(), gpu().upload(image));
        } catch (const Error& error) {
            return error;
        }
        return std::nullopt;
    };
    for (const auto& row : enum_rows<IntegralVariant>) {
        const Image fits = constant_image({257, 255, 1, Depth::u16}, 1); // 65535 · 65535
        const Image exceeds = constant_image({257, 256, 1, Depth::u16}, 0);
        CHECK_FALSE(refusal(fits, {.variant = row.value}));
        CHECK_FALSE(refusal(exceeds, {.wrap = true, .variant = row.value}));
        const auto error = refusal(exceeds, {.variant = row.value});
        REQUIRE(error);
        CHECK(error->code() == ErrorCode::usage);
        CHECK(error->what() == std::string("the sums of a 257x256 image of 16 bits can exceed 2^32 - 1"));
        CHECK(error->hint() == "--wrap keeps them modulo 2^32");
    }
}
