// One picture of each filter: exact methods give the same bits.
#include "glproc/kinds/separable/passes.hpp"
#include "glproc/kinds/separable/separable.hpp"

#include "support/catch.hpp"
#include "support/combinations.hpp"
#include "support/filter_cases.hpp"
#include "support/fixture.hpp"
#include "support/inputs.hpp"
#include "support/matchers.hpp"
#include "support/tiled.hpp"

#include <array>
#include <bit>
#include <optional>
#include <string>
#include <tuple>

using namespace glproc;
using namespace glproc::test;

namespace {

constexpr std::array exact_methods{FilterMethod::tiled, FilterMethod::window, FilterMethod::walk,
                                   FilterMethod::direct, FilterMethod::fast};

template <class Filter>
constexpr bool is_box = std::is_same_v<Filter, Box>;

/// Whether `fast` has bits of its own: it has for Gaussians and wide boxes of floats.
template <class Filter>
bool has_own_fast(const Filter& filter, const Image& image) {
    if constexpr (is_box<Filter>) {
        return can_box_floats(
            {image.width(), image.height(), image.channels(), filter.linear ? Depth::f32 : image.depth()},
            {.name = "box", .radius = filter.radius, .alpha = filter.alpha});
    } else {
        return true;
    }
}

/// Runs every exact method that can, and compares its bits with those of `direct`, which always can. Returns
/// how many ran.
template <class Filter>
int check_bits(Filter filter, const Image& image) {
    const GpuImage src = gpu().upload(image);
    filter.method = FilterMethod::direct;
    const Image direct = gpu().download(filter(gpu(), src));
    int ran = 0;
    for (const FilterMethod method : exact_methods) {
        filter.method = method;
        if (method == FilterMethod::fast && has_own_fast(filter, image)) {
            continue;
        }
        std::optional<Image> result;
        try {
            result = gpu().download(filter(gpu(), src));
        } catch (const Error& error) {
            CHECK(error.hint() == "use --method auto");
            continue;
        }
        INFO(describe(filter) << " on " << describe(image));
        CHECK_THAT(*result, IsBitwise(direct));
        ++ran;
    }
    return ran;
}

/// Noise whose alpha is clear, opaque and between, as holes in a filter's colour would be.
Image noise(const Shape& shape, std::uint32_t seed) {
    Image image = random_image(shape, seed, FloatRange::wide);
    if (image.has_alpha()) {
        for (int y = 0; y < shape.height; ++y) {
            for (int x = 0; x < shape.width; ++x) {
                const double kind =
                    hash_01(seed, static_cast<std::uint32_t>(x / 3), static_cast<std::uint32_t>(y));
                if (kind < 0.4) {
                    set_value(image, x, y, shape.channels - 1, kind < 0.2 ? 0 : 1);
                }
            }
        }
    }
    return image;
}

} // namespace

TEST_CASE("every exact method gives the same bits, for every depth, channel count, alpha and border") {
    const auto check = [](auto filter, const Border& border, const Shape& shape, AlphaMode alpha) {
        filter.border = border;
        filter.alpha = alpha;
        return check_bits(filter, noise(shape, 51));
    };
    int ran = 0;
    const auto cases =
        combinations(std::vector<int>{0, 1}, every_depth, channels_and_alphas(), all_borders());
    for (const auto& [is_blur, depth, form, border] : cases) {
        const auto [channels, alpha] = form;
        const Shape shape{61, 43, channels, depth};
        ran += is_blur != 0 ? check(with_reach<Blur>(7, 5), border, shape, alpha)
                            : check(with_reach<Box>(7, 5), border, shape, alpha);
    }
    CHECK(ran >= 3 * static_cast<int>(cases.size()));
}

TEMPLATE_TEST_CASE("every exact method gives the same bits for every radius", "", Blur, Box) {
    for (const int reach : {1, 4, 12, 16, 33}) {
        for (const auto& [channels, depth] : {std::pair{4, Depth::u8}, {2, Depth::u16}, {1, Depth::f32}}) {
            auto filter = with_reach<TestType>(reach, reach / 2 + 1);
            filter.border = BorderMode::symmetric;
            check_bits(filter, noise({101, 89, channels, depth}, 52));
        }
    }
}

// `window` has a program of its own for the strips at neither edge of a wide picture.
TEST_CASE("every exact method gives the same bits in the middle of a wide picture") {
    for (const auto& [depth, alpha] : {std::pair{Depth::u8, AlphaMode::premultiply},
                                       {Depth::u8, AlphaMode::straight},
                                       {Depth::u16, AlphaMode::premultiply},
                                       {Depth::f32, AlphaMode::ignore}}) {
        Blur blur = with_reach<Blur>(8, 5);
        blur.border = BorderMode::mirror;
        blur.alpha = alpha;
        CHECK(check_bits(blur, noise({4111, 19, 4, depth}, 59)) >= 3);
    }
}

TEMPLATE_TEST_CASE("every exact method gives the same bits where the radius is larger than the image", "",
                   Blur, Box) {
    std::size_t next = 0;
    for (const Size& size : awkward_sizes()) {
        const auto filter_of = [&](int x, int y) {
            auto filter = with_reach<TestType>(x, y);
            filter.border = all_borders()[next++ % all_borders().size()];
            return filter;
        };
        check_bits(filter_of(9, 12), noise({size.width, size.height, 4, Depth::u8}, 53));
        check_bits(filter_of(12, 70), noise({size.width, size.height, 1, Depth::f32}, 54));
    }
}

TEST_CASE("sums of boxes beyond the 24 bits of a float are the same by every method") {
    for (const auto& [channels, depth, alpha] : {std::tuple{1, Depth::u16, AlphaMode::straight},
                                                 {4, Depth::u8, AlphaMode::premultiply},
                                                 {2, Depth::u16, AlphaMode::premultiply}}) {
        for (const int radius : {7, 8, 20, 60, 150, 400}) {
            Box box{.radius = {radius, radius + 1}, .border = {BorderMode::constant, 0.9}, .alpha = alpha};
            check_bits(box, constant_image({90, 70, channels, depth}, 1));
            check_bits(box, noise({90, 70, channels, depth}, 55));
        }
    }
}

TEMPLATE_TEST_CASE("NaN and infinities spread to the same pixels by every method", "", Blur, Box) {
    Image image = noise({50, 40, 4, Depth::f32}, 56);
    image.values<float>()[4 * 1020] = std::numeric_limits<float>::quiet_NaN();
    image.values<float>()[4 * 220 + 1] = std::numeric_limits<float>::infinity();
    image.values<float>()[4 * 725 + 3] = -std::numeric_limits<float>::infinity();
    for (const NanMode nan : {NanMode::skip, NanMode::propagate}) {
        for (const AlphaMode alpha : alpha_modes(4)) {
            auto filter = with_reach<TestType>(5, 3); // less than window and walk have room for
            filter.nan = nan;
            filter.alpha = alpha;
            check_bits(filter, image);
        }
    }
}

// Where fma() rounds once, as on GPUs, only exact products give the bits of a device on which it rounds
// twice.
TEST_CASE("products along x are exact for 8 bits that alpha does not weigh") {
    SeparableFilter filter{
        .name = "blur", .radius = {2, 2}, .taps_x = {0.4, 0.2, 0.1}, .taps_y = {0.4, 0.2, 0.1}};
    const auto bits_lost = [&](const Form& form) {
        int lost = 0;
        const Floats along_x = half_kernels(filter, form)[0];
        for (const float tap : along_x) {
            lost += (std::bit_cast<std::uint32_t>(tap) & 0xffU) != 0 ? 1 : 0; // 24 bits less 16
        }
        return lost;
    };
    CHECK(bits_lost({9, 9, 3, Depth::u8}) == 0);
    CHECK(bits_lost({9, 9, 4, Depth::u8}) > 0);
    filter.alpha = AlphaMode::straight;
    CHECK(bits_lost({9, 9, 4, Depth::u8}) == 0);
    CHECK(bits_lost({9, 9, 3, Depth::u16}) > 0);
}

TEMPLATE_TEST_CASE("linear light has the same bits by every method", "", Blur, Box) {
    for (const Depth depth : {Depth::u8, Depth::u16}) {
        auto filter = with_reach<TestType>(5, 3);
        filter.linear = true;
        check_bits(filter, noise({50, 40, 4, depth}, 57));
    }
}

TEMPLATE_TEST_CASE("tiles of every method give the bits of the whole picture by any", "", Blur, Box) {
    const Image image = noise({150, 140, 4, Depth::u8}, 58);
    auto filter = with_reach<TestType>(6, 9);
    filter.method = FilterMethod::direct;
    const Image direct = whole(filter, image);
    const ScopedLimits limits("texture_size:64", plenty);
    for (const FilterMethod method : exact_methods) {
        filter.method = method;
        if (method != FilterMethod::fast || is_box<TestType>) {
            INFO(describe(filter));
            CHECK_THAT(tiled(filter, image), IsBitwise(direct));
        }
    }
}
