#include "glproc/ops/distance/bands.hpp"

#include "support/catch.hpp"
#include "support/fixture.hpp"
#include "support/inputs.hpp"
#include "support/masks.hpp"

#include <algorithm>
#include <cmath>
#include <vector>

using namespace glproc;
using namespace glproc::test;

namespace {

constexpr std::uint64_t none = ~std::uint64_t{0};

struct Nearest {
    std::vector<std::uint64_t> squares;
    std::vector<std::uint32_t> sites; ///< column and row of each pixel's
    bool operator==(const Nearest&) const = default;
};

/// The definition, but for columns first: the nearest site in each column is the only one of it that counts,
/// and of two as near the upper one.
Nearest reference(const Mask& mask, std::uint64_t most = none) {
    const auto width = static_cast<std::int64_t>(mask.width);
    std::vector<std::int64_t> rows(mask.pixels.size(), -1); // of the nearest site in the column
    for (int x = 0; x < mask.width; ++x) {
        std::vector<int> sites;
        for (int y = 0; y < mask.height; ++y) {
            if (!mask.is_set(x, y)) {
                sites.push_back(y);
            }
        }
        for (int y = 0; y < mask.height && !sites.empty(); ++y) {
            const auto below = std::lower_bound(sites.begin(), sites.end(), y);
            int row = below == sites.end() ? sites.back() : *below;
            if (below != sites.begin() && below != sites.end() && y - *(below - 1) <= *below - y) {
                row = *(below - 1);
            }
            rows[static_cast<std::size_t>(y * width + x)] = row;
        }
    }
    Nearest nearest;
    for (std::int64_t y = 0; y < mask.height; ++y) {
        std::vector<std::pair<std::int64_t, std::int64_t>> sites; // column and row
        for (std::int64_t x = 0; x < width; ++x) {
            if (const std::int64_t row = rows[static_cast<std::size_t>(y * width + x)]; row >= 0) {
                sites.emplace_back(x, row);
            }
        }
        for (std::int64_t x = 0; x < width; ++x) {
            std::uint64_t best = none;
            std::pair<std::int64_t, std::int64_t> site{-1, -1};
            for (const auto& [column, row] : sites) {
                const auto square =
                    static_cast<std::uint64_t>((column - x) * (column - x) + (row - y) * (row - y));
                if (square < best || (square == best && row < site.second)) {
                    best = square;
                    site = {column, row};
                }
            }
            const bool is_near = best <= most && best != none;
            nearest.squares.push_back(is_near ? best : none);
            nearest.sites.push_back(is_near ? static_cast<std::uint32_t>(site.first) : ~0U);
            nearest.sites.push_back(is_near ? static_cast<std::uint32_t>(site.second) : ~0U);
        }
    }
    return nearest;
}

void append(Nearest& nearest, const Distances& distances, std::size_t pixels) {
    const std::size_t each = distances.is_wide ? 2 : 1;
    const auto words = distances.squares.read<std::uint32_t>(pixels * each);
    for (std::size_t i = 0; i < words.size(); i += each) {
        const std::uint64_t low = words[i];
        const std::uint64_t square = each == 2    ? std::uint64_t{words[i + 1]} << 32U | low
                                     : low == ~0U ? none
                                                  : low;
        nearest.squares.push_back(square);
    }
    if (distances.sites) {
        const auto sites = distances.sites->read<std::uint32_t>(pixels * 2);
        nearest.sites.insert(nearest.sites.end(), sites.begin(), sites.end());
    }
}

Nearest in_bands(Context& context, const Mask& mask, int rows, DistanceForm form) {
    form.width = mask.width;
    form.height = std::max(form.height, mask.height);
    DistanceBands bands(context, form);
    std::vector<GpuImage> images;
    for (int y = 0; y < mask.height; y += rows) {
        images.push_back(context.upload(mask.image(y, std::min(rows, mask.height - y))));
        bands.look(mask_bits(context, images.back(), MaskedPixels::zero));
    }
    bands.end();
    Nearest nearest;
    for (const GpuImage& image : images) {
        append(nearest,
               images.size() == 1 ? bands.measure()
                                  : bands.measure(mask_bits(context, image, MaskedPixels::zero)),
               static_cast<std::size_t>(image.width()) * static_cast<std::size_t>(image.height()));
    }
    return nearest;
}

Nearest in_bands(const Mask& mask, int rows, const DistanceForm& form = {.sites = true}) {
    return in_bands(gpu(), mask, rows, form);
}

/// Few sites, and such as make many of them equally near.
std::vector<Mask> masks_of_few_sites(int width, int height) {
    std::vector<Mask> masks;
    const auto add = [&](const std::string& name, const auto& is_site) {
        Mask mask{name, width, height, {}};
        for (int y = 0; y < height; ++y) {
            for (int x = 0; x < width; ++x) {
                mask.pixels.push_back(is_site(x, y) ? 0 : 1);
            }
        }
        masks.push_back(mask);
    };
    for (const std::uint32_t count : {1U, 2U, 5U, 40U}) {
        std::vector<std::pair<int, int>> sites;
        for (std::uint32_t i = 0; i < count; ++i) {
            sites.emplace_back(static_cast<int>(hash_01(count, i, 1) * width),
                               static_cast<int>(hash_01(count, i, 2) * height));
        }
        add(std::to_string(count) + " sites", [&](int x, int y) {
            return std::find(sites.begin(), sites.end(), std::pair{x, y}) != sites.end();
        });
    }
    add("sites on a diagonal", [=](int x, int y) { return std::int64_t{x} * height / width == y; });
    add("sites in the top row", [](int, int y) { return y == 0; });
    add("sites on both sides", [=](int x, int) { return x == 0 || x == width - 1; });
    const int radius = std::min(width, height) / 2;
    add("sites on a circle", [=](int x, int y) {
        const int across = x - width / 2;
        const int down = y - height / 2;
        return std::abs(across * across + down * down - radius * radius) <= radius;
    });
    add("sparse sites", [](int x, int y) {
        return hash_01(9, static_cast<std::uint32_t>(x), static_cast<std::uint32_t>(y)) < 0.001;
    });
    return masks;
}

std::vector<Mask> all_masks(int width, int height) {
    std::vector<Mask> masks = hostile_masks(width, height);
    for (Mask& mask : masks_of_few_sites(width, height)) {
        masks.push_back(std::move(mask));
    }
    return masks;
}

} // namespace

TEST_CASE("distances of hostile masks are those of the definition, in any bands") {
    constexpr int whole = 1 << 20;
    for (const auto& [width, height] :
         {std::pair{1, 1}, {1, 70}, {33, 1}, {31, 3}, {129, 65}, {300, 130}, {1025, 20}}) {
        for (const Mask& mask : all_masks(width, height)) {
            const Nearest right = reference(mask);
            for (const int rows : {whole, 1, 2, 7, 64}) {
                if (rows == whole || (rows < height && (rows > 2 || height < 100))) {
                    INFO(mask.name << ", " << width << "x" << height << ", bands of " << rows);
                    CHECK(in_bands(mask, rows) == right);
                }
            }
        }
    }
}

TEST_CASE("distances of random masks are those of the definition") {
    for (std::uint32_t seed = 1; seed <= 200; ++seed) {
        const Mask mask = random_mask(seed, 200, 90);
        INFO(mask.name);
        CHECK(in_bands(mask, 1 + static_cast<int>(seed % 40)) == reference(mask));
    }
}

TEST_CASE("distances in long rows and columns are those of the definition") {
    for (const Mask& mask : masks_of_few_sites(16385, 2)) {
        INFO(mask.name << " in a row");
        CHECK(in_bands(mask, 2) == reference(mask));
    }
    std::vector<Mask> masks = masks_of_few_sites(2, 2500);
    for (const std::size_t i : {0U, 2U, 8U}) {
        INFO(masks[i].name << " in a column");
        CHECK(in_bands(masks[i], 2000) == reference(masks[i]));
    }
}

TEST_CASE("distances of pictures that need wider numbers are the same") {
    for (const Mask& mask : all_masks(140, 70)) {
        Nearest right = reference(mask);
        for (const int height : {60000, 70000}) { // as if these rows were the first of so many
            INFO(mask.name << " of " << height << " rows");
            const Nearest found = in_bands(mask, 23, {.height = height, .sites = true});
            CHECK(found == right);
        }
        right.sites.clear();
        INFO(mask.name << ", squares alone");
        CHECK(in_bands(mask, 23, {.height = 70000}) == right);
        CHECK(in_bands(mask, 70, {}) == right);
    }
}

TEST_CASE("sites beyond the largest distance count as none") {
    for (const Mask& mask : masks_of_few_sites(150, 80)) {
        for (const double most : {0.0, 1.0, 1.5, 32.9, 33.0, 60.0}) {
            const std::uint64_t square = square_within(Metric::euclidean, most);
            INFO(mask.name << ", at most " << most);
            CHECK(in_bands(mask, 80, {.sites = true, .most_square = square}) == reference(mask, square));
        }
    }
    CHECK(square_within(Metric::euclidean, std::sqrt(2.0)) == 2);
    CHECK(square_within(Metric::euclidean, std::nextafter(std::sqrt(2.0), 0.0)) == 1);
    CHECK(square_within(Metric::euclidean, std::sqrt(4294967291.0)) == 4294967291U);
    CHECK(square_within(Metric::euclidean, 1e30) == none);
}

TEST_CASE("distances are the same where storage blocks are small") {
    ContextOptions options = second_context_options();
    options.lower_limits = "storage_block_bytes:32768";
    std::vector<Nearest> found;
    with_second_context(options, [&](Context& context) {
        for (const Mask& mask : all_masks(120, 100)) {
            found.push_back(in_bands(context, mask, 100, {.sites = true}));
        }
    });
    std::size_t i = 0;
    for (const Mask& mask : all_masks(120, 100)) {
        INFO(mask.name);
        CHECK(found[i++] == reference(mask));
    }
}
