#include "glproc/ops/distance.hpp"

#include "glproc/files/memory_rows.hpp"
#include "glproc/ops/distance/sweeps.hpp"
#include "glproc/ops/threshold.hpp"
#include "support/catch.hpp"
#include "support/fixture.hpp"
#include "support/inputs.hpp"
#include "support/masks.hpp"
#include "support/matchers.hpp"
#include "support/tiled.hpp"

#include <algorithm>
#include <array>
#include <cmath>
#include <limits>
#include <vector>

using namespace glproc;
using namespace glproc::test;

namespace {

constexpr float infinity = std::numeric_limits<float>::infinity();

/// The definition: the least distance to a pixel whose value in the mask is `wanted`.
std::vector<float> distances_to(const Mask& mask, bool wanted) {
    std::vector<std::pair<std::int64_t, std::int64_t>> sites;
    for (int y = 0; y < mask.height; ++y) {
        for (int x = 0; x < mask.width; ++x) {
            if (mask.is_set(x, y) == wanted) {
                sites.emplace_back(x, y);
            }
        }
    }
    std::vector<float> distances;
    for (std::int64_t y = 0; y < mask.height; ++y) {
        for (std::int64_t x = 0; x < mask.width; ++x) {
            std::int64_t least = std::numeric_limits<std::int64_t>::max();
            for (const auto& [column, row] : sites) {
                least = std::min(least, (column - x) * (column - x) + (row - y) * (row - y));
            }
            distances.push_back(sites.empty() ? infinity
                                              : static_cast<float>(std::sqrt(static_cast<double>(least))));
        }
    }
    return distances;
}

std::vector<float> reference(const Mask& mask, const Distance& op) {
    const bool to_set = op.nearest == NearestKind::foreground;
    std::vector<float> distances = distances_to(mask, to_set);
    const std::vector<float> inner = distances_to(mask, !to_set);
    for (std::size_t i = 0; i < distances.size(); ++i) {
        if (op.is_signed && distances[i] == 0) {
            distances[i] = -inner[i];
        }
        if (op.most && std::abs(distances[i]) > *op.most) {
            distances[i] = distances[i] < 0 ? -infinity : infinity;
        }
    }
    return distances;
}

std::vector<float> values_of(const Image& image) {
    CHECK(image.channels() == 1);
    const auto values = image.values<float>();
    return {values.begin(), values.end()};
}

/// In bands of so many rows.
Image in_bands(const Distance& op, const Image& image, int rows) {
    SweepPlan plan = distance_sweeps(op, image.form());
    plan.needs = [&, needs = plan.needs](Context& gpu) {
        TileNeeds few = needs(gpu);
        few.most_rows = std::min<std::int64_t>(few.most_rows, rows);
        return few;
    };
    ImageRows result({image.width(), image.height(), 1, Depth::f32});
    run_sweeps(gpu(), plan, rows_of(image), &result);
    result.finish();
    return std::move(result.image());
}

std::vector<Distance> all_ways() {
    std::vector<Distance> ways;
    for (const DistanceMethod method : {DistanceMethod::gpu, DistanceMethod::cpu}) {
        for (const NearestKind to : {NearestKind::background, NearestKind::foreground}) {
            for (const bool is_signed : {false, true}) {
                ways.push_back({.nearest = to, .is_signed = is_signed, .method = method});
            }
        }
    }
    ways.push_back({.is_signed = true, .most = 3.2});
    ways.push_back({.is_signed = true, .most = 3.2, .method = DistanceMethod::cpu});
    return ways;
}

void check(const Mask& mask, const std::vector<int>& bands) {
    const Image image = mask.image();
    for (const Distance& op : all_ways()) {
        INFO(mask.name << ", " << mask.width << "x" << mask.height << ", to " << name_of(op.nearest) << " by "
                       << name_of(op.method) << (op.is_signed ? ", signed" : ""));
        const std::vector<float> right = reference(mask, op);
        CHECK(values_of(whole(op, image)) == right);
        for (const int rows : bands) {
            INFO("in bands of " << rows);
            CHECK(values_of(in_bands(op, image, rows)) == right);
        }
    }
}

Mask with_one_site(int width, int height, int x, int y) {
    Mask mask{
        "one site", width, height,
        std::vector<std::uint8_t>(static_cast<std::size_t>(width) * static_cast<std::size_t>(height), 1)};
    mask.pixels[static_cast<std::size_t>(y) * static_cast<std::size_t>(width) + static_cast<std::size_t>(x)] =
        0;
    return mask;
}

/// Whether the distances to a single site are the rounded roots.
bool are_roots(const Image& distances, int x, int y) {
    for (std::int64_t row = 0; row < distances.height(); ++row) {
        for (std::int64_t column = 0; column < distances.width(); ++column) {
            const auto square = static_cast<double>((column - x) * (column - x) + (row - y) * (row - y));
            if (distances.at(static_cast<int>(column), static_cast<int>(row), 0) !=
                static_cast<float>(std::sqrt(square))) {
                return false;
            }
        }
    }
    return true;
}

} // namespace

TEST_CASE("distance: hostile masks, whole and in bands") {
    for (const auto& [width, height] : {std::pair{1, 1}, {1, 67}, {71, 1}, {33, 13}, {37, 66}}) {
        for (const Mask& mask : hostile_masks(width, height)) {
            check(mask, {1, 2, 7, 64});
        }
    }
}

TEST_CASE("distance: random masks") {
    for (std::uint32_t seed = 1; seed <= 40; ++seed) {
        check(random_mask(seed, 60, 40), {1 + static_cast<int>(seed % 9)});
    }
}

TEST_CASE("distance: roots are rounded to the nearest float") {
    for (const auto& [width, height, x, y] :
         {std::array{700, 500, 0, 0}, {16385, 3, 16384, 2}, {3, 20000, 1, 7}}) {
        const Image image = with_one_site(width, height, x, y).image();
        INFO(width << "x" << height);
        CHECK(are_roots(in_bands({.method = DistanceMethod::gpu}, image, 1 << 20), x, y));
        CHECK(are_roots(in_bands({.method = DistanceMethod::cpu}, image, 100), x, y));
    }
}

TEST_CASE("distance: squares of more than 32 bits") {
    constexpr int height = 70000;
    const Image image = with_one_site(2, height, 1, 5).image();
    const Image distances = in_bands({}, image, 1 << 20);
    CHECK(are_roots(distances, 1, 5));
    CHECK(distances.at(1, height - 1, 0) == height - 6);
}

TEST_CASE("distance: a threshold says what is an object, for any kind of picture") {
    for (const Depth depth : {Depth::u8, Depth::u16, Depth::f32}) {
        for (int channels = 1; channels <= 4; ++channels) {
            const Image image = random_image({61, 23, channels, depth}, 3);
            const Image mask = whole(Threshold{.at = 0.6}, image);
            Distance op{.threshold = 0.6};
            for (const auto& row : enum_rows<DistanceMethod>) {
                op.method = row.value;
                INFO(describe(image) << " by " << row.name);
                CHECK_THAT(whole(op, image), IsBitwise(whole(Distance{}, mask)));
                CHECK_THAT(in_bands(op, image, 5), IsBitwise(whole(Distance{}, mask)));
            }
        }
    }
    CHECK_THROWS(plan(Distance{.threshold = 128}, Form{4, 4, 1, Depth::u8}));
}

TEST_CASE("distance: alpha is no colour, minus zero is zero, NaN is not") {
    Image image(4, 1, 2, Depth::f32);
    const std::array<float, 8> values{0, 1, -0.0F, 1, std::nanf(""), 0.5, 0, 1};
    std::copy(values.begin(), values.end(), image.values<float>().begin());
    for (const auto& row : enum_rows<DistanceMethod>) {
        const Distance op{.nearest = NearestKind::foreground, .method = row.value};
        CHECK(values_of(whole(op, image)) == std::vector<float>{2, 1, 0, 1});
    }
}

TEST_CASE("distance: rows too long for a texture are measured by the processor") {
    const Mask mask = random_mask(11, 300, 40);
    const ScopedLimits small("texture_size:16", plenty);
    const SweepPlan plan = distance_sweeps({}, mask.image().form());
    CHECK(band_cut(gpu(), plan).is_wide == (mask.width > 64));
    CHECK(values_of(in_bands({}, mask.image(), 7)) == reference(mask, {}));
}
