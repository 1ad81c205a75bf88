// Cut or whole, the bits are the same: blur and box. The whole runs within the device's limits, the tiles
// within lowered ones, which Context enforces.
#include "glproc/op/tiles.hpp"

#include "glproc/op/pacer.hpp"
#include "glproc/kinds/separable/separable.hpp"
#include "support/filter_cases.hpp"
#include "support/matchers.hpp"
#include "support/tiled.hpp"

#include <algorithm>
#include <array>
#include <limits>

using namespace glproc;
using namespace glproc::test;

namespace {

/// A little wider and higher than a texture of this size, by primes.
Shape beyond(int texture_size, int channels, Depth depth) {
    const int pixels = pixels_per_texel(stored_channels(channels), depth);
    return {texture_size * pixels + 37, texture_size + 31, channels, depth};
}

template <class Filter>
bool can_run(const Filter& filter, const Image& image) {
    try {
        whole(filter, image);
    } catch (const Error& error) {
        CHECK(error.code() == ErrorCode::operation);
        return false;
    }
    return true;
}

template <class Filter>
void check_same(const Filter& filter, const Image& image, const std::string& limits,
                std::uint64_t memory = plenty) {
    INFO(describe(filter) << " of " << describe(image) << " within " << limits << " and " << memory);
    const Image expected = whole(filter, image);
    const ScopedLimits lower(limits, memory);
    CHECK_THAT(tiled(filter, image), IsBitwise(expected));
}

/// Every method with every border; channels, depths and limits take turns.
template <class Filter>
void check_all_methods(const Filter& base) {
    const std::vector<int> channels{1, 3, 4};
    const std::vector<Depth> depths{Depth::u8, Depth::u16, Depth::f32};
    std::size_t turn = 0;
    int ran = 0;
    for (const EnumRow<FilterMethod>& method : enum_rows<FilterMethod>) {
        for (const Border& border : all_borders()) {
            const int channel = channels[turn % 3];
            const Depth depth = depths[(turn + turn / 3) % 3];
            Filter filter = base;
            filter.method = method.value;
            filter.border = border;
            filter.alpha = alpha_modes(channel)[turn % alpha_modes(channel).size()];
            const Image image = random_image(beyond(192, channel, depth), static_cast<std::uint32_t>(turn));
            ++turn;
            if (can_run(filter, image)) {
                ++ran;
                check_same(filter, image, "texture_size:192,storage_block_bytes:65536");
            }
        }
    }
    CHECK(ran >= 30);
}

} // namespace

TEST_CASE("a blur in tiles has the bits of the whole by every method and border") {
    check_all_methods(Blur{.sigma = {1.5, 2}});
}

TEST_CASE("a box in tiles has the bits of the whole by every method and border") {
    check_all_methods(Box{.radius = {7, 3}});
}

TEST_CASE("tiles of a fast blur begin where its samples do") {
    std::uint32_t turn = 0;
    for (const auto& [sigma, side] : {std::pair{4.2, 300}, {7.5, 300}, {12.5, 300}, {34.0, 900}}) {
        for (const Border& border : all_borders()) {
            const int channels = std::array{3, 1, 4}[turn % 3];
            const Depth depth = std::array{Depth::u8, Depth::u16, Depth::f32}[turn / 3 % 3];
            ++turn;
            if (side > 300 && channels != 1) {
                continue; // three times the pixels show no more
            }
            const Blur blur{.sigma = {sigma, sigma * 1.3}, .border = border, .method = FilterMethod::fast};
            const int pixels = pixels_per_texel(stored_channels(channels), Depth::f32);
            const Image image = random_image({side * pixels + 37, side + 31, channels, depth}, turn);
            const SeparableFilter filter{
                .name = "blur",
                .radius = {gaussian_radius(blur.sigma.x), gaussian_radius(blur.sigma.y)},
                .taps_x = {1},
                .taps_y = {1},
                .border = border,
                .method = FilterMethod::fast,
                .sigma = blur.sigma};
            CHECK(chosen_method(gpu(), image.form(), filter) == FilterMethod::fast);
            check_same(blur, image, "texture_size:" + std::to_string(side));
        }
    }
}

TEST_CASE("a radius of nearly a tile, along one axis or both") {
    for (const Border& border : all_borders()) {
        for (const PerAxis<int> radius : {PerAxis<int>{2, 47}, PerAxis<int>{38, 46}}) {
            for (const FilterMethod method : {FilterMethod::direct, FilterMethod::fast}) {
                const Image image = random_image({109, 113, 4, Depth::u8}, 8);
                check_same(Box{.radius = radius, .border = border, .method = method}, image,
                           "texture_size:100");
            }
        }
    }
}

TEST_CASE("a radius beyond the picture along an axis that is not cut") {
    for (const Border& border : all_borders()) {
        const Image flat = random_image({1289, 11, 3, Depth::u16}, 8);
        const Image upright = random_image({11, 1087, 1, Depth::f32}, 9);
        for (const FilterMethod method : {FilterMethod::automatic, FilterMethod::direct}) {
            check_same(Box{.radius = {5, 40}, .border = border, .method = method}, flat, "texture_size:256");
            check_same(Blur{.sigma = {20, 2}, .border = border, .method = method}, upright,
                       "texture_size:1024");
        }
    }
}

TEST_CASE("little memory cuts as small textures do") {
    for (const std::uint64_t kibibytes : {60, 101, 300}) {
        for (const Border& border : all_borders()) {
            const Image image = random_image({307, 197, 4, Depth::u8}, 3);
            check_same(Blur{.sigma = 2, .border = border}, image, "texture_size:16384", kibibytes << 10U);
            check_same(Box{.radius = 9, .border = border}, image, "texture_size:16384", kibibytes << 10U);
        }
    }
}

TEST_CASE("values that are no numbers spread in tiles as far as in the whole") {
    for (const Border& border : all_borders()) {
        Image image = random_image({301, 211, 4, Depth::f32}, 6, FloatRange::wide);
        for (std::size_t at = 3; at < image.values<float>().size(); at += 977) {
            image.values<float>()[at] = at % 2 == 0 ? std::numeric_limits<float>::infinity()
                                                    : std::numeric_limits<float>::quiet_NaN();
        }
        for (const FilterMethod method : {FilterMethod::direct, FilterMethod::walk}) {
            for (const NanMode nan : {NanMode::skip, NanMode::propagate}) {
                check_same(Blur{.sigma = 1.2,
                                .border = border,
                                .method = method,
                                .alpha = AlphaMode::straight,
                                .nan = nan},
                           image, "texture_size:101");
            }
        }
    }
}

TEST_CASE("linear light is mixed in tiles as in the whole") {
    for (const Border& border : all_borders()) {
        for (const FilterMethod method :
             {FilterMethod::automatic, FilterMethod::direct, FilterMethod::fast, FilterMethod::window}) {
            const Image image = photo_like_image({401, 311, 4, Depth::u8});
            check_same(Blur{.sigma = 3, .border = border, .method = method, .linear = true}, image,
                       "texture_size:200");
        }
    }
}

TEST_CASE("sigma 0 and radius 0 copy bit for bit in tiles, too") {
    const Image image = random_image({331, 211, 3, Depth::u16});
    const ScopedLimits lower("texture_size:53", plenty);
    CHECK_THAT(tiled(Blur{.sigma = 0}, image), IsBitwise(image));
    CHECK_THAT(tiled(Box{.radius = 0}, image), IsBitwise(image));
}

TEST_CASE("a radius that leaves no room for a tile is refused, with the limit and the radius") {
    const Image image = constant_image({1031, 1031, 1, Depth::u8}, 1);
    const ScopedLimits lower("texture_size:256", plenty);
    try {
        tiled(Box{.radius = 200, .method = FilterMethod::direct}, image);
        FAIL("not refused");
    } catch (const Error& error) {
        CHECK(error.code() == ErrorCode::operation);
        CHECK(std::string(error.what()).find("radius 200,200") != std::string::npos);
        CHECK(std::string(error.what()).find("textures of 256 texels") != std::string::npos);
        CHECK_FALSE(error.hint().empty());
    }
}

TEST_CASE("progress rises to 1, and a picture is read once from top to bottom, but for what wraps") {
    const Image image = random_image({331, 811, 1, Depth::u8});
    const ScopedLimits lower("texture_size:97", plenty);
    for (const Border border : {BorderMode::clamp, BorderMode::wrap}) {
        int opened = 0;
        RowSource source = rows_of(image);
        source.open = [&opened, open = source.open] {
            ++opened;
            return open();
        };
        std::vector<double> shares;
        ImageRows rows(image.form());
        Box{.radius = 3, .border = border}(gpu(), source, rows, [&](double s) { shares.push_back(s); });
        CHECK(opened == (border.mode == BorderMode::wrap ? 3 : 1));
        CHECK(shares.size() > 5);
        CHECK(std::is_sorted(shares.begin(), shares.end()));
        CHECK(shares.back() == 1);
    }
}

TEST_CASE("long work comes in short dispatches, with the same bits") {
    const Image image = random_image({211, 307, 3, Depth::u16});
    const Blur blur{.sigma = 8, .method = FilterMethod::direct};
    const Image expected = whole(blur, image);
    const SeparableFilter filter{.name = "blur",
                                 .radius = 32,
                                 .taps_x = gaussian_taps(8, 32),
                                 .taps_y = gaussian_taps(8, 32),
                                 .method = FilterMethod::direct,
                                 .sigma = 8,
                                 .dispatch_work = 1};
    const Plan plan = separable_plan(image.form(), filter);
    CHECK_THAT(gpu().download(run_whole(gpu(), plan, gpu().upload(image))), IsBitwise(expected));
}

TEST_CASE("dispatches grow and shrink to what they may last") {
    const Pacer pacer;
    CHECK(pacer.next_rows(160, 40) == 160);
    CHECK(pacer.next_rows(160, 400) == 16);
    CHECK(pacer.next_rows(160, 4000) == 16); // never nothing
    CHECK(pacer.next_rows(160, 20) == 320);
    CHECK(pacer.next_rows(160, 0) == 640); // fourfold at most
    std::vector<int> ends{0};
    Pacer{.first_work = 32}.run(gpu(), 1031, [&](int first, int end) {
        CHECK(first == ends.back());
        ends.push_back(end);
    });
    CHECK(ends[1] == 32);
    CHECK(ends[2] == 32 + 128);
    CHECK(ends.back() == 1031);
}

TEST_CASE("work that takes long is cut, although it fits, in tiles that are not all halo") {
    const Form form{20000, 20000, 4, Depth::f32};
    const TileRoom room{.texture_size = 32768, .bytes = 1e12};
    const TileNeeds quick{.what = "quick", .pixel_work = 4};
    CHECK(plan_grid(room, form, quick, "a GPU").is_whole(form));
    const TileNeeds slow{.what = "slow", .halo = 500, .pixel_work = 8000};
    const TileGrid grid = plan_grid(room, form, slow, "a GPU");
    CHECK(grid.is_cut_y(form));
    CHECK(grid.size.y >= 1000);
}
