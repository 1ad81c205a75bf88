// The operation: thresholds, holes, the choice of components, and what is measured of each.
#include "glproc/base/error.hpp"
#include "glproc/files/memory_rows.hpp"
#include "glproc/op/op.hpp"
#include "glproc/ops/components.hpp"
#include "glproc/ops/components/run.hpp"
#include "glproc/ops/components/table.hpp"
#include "support/band_plan.hpp"
#include "support/catch.hpp"
#include "support/component_reference.hpp"
#include "support/fixture.hpp"
#include "support/hidden.hpp"
#include "support/inputs.hpp"
#include "support/masks.hpp"
#include "support/matchers.hpp"

#include <algorithm>
#include <cmath>
#include <limits>
#include <memory>
#include <numeric>
#include <string>
#include <vector>

using namespace glproc;
using namespace glproc::test;

namespace {

using Sums = std::vector<ComponentSums>;

/// What the operation keeps, by looking at all components one by one.
Sums naive(const Components& op, Mask mask) {
    if (op.fill_holes) {
        mask = without_holes(mask, op.connectivity);
    }
    Sums all = reference_components(mask, op.connectivity).table;
    std::erase_if(all, [&](const ComponentSums& c) {
        const bool at_border =
            c.left == 0 || c.top == 0 || c.right == mask.width - 1 || c.bottom == mask.height - 1;
        const auto area = static_cast<int>(c.area);
        return (op.clear_border && at_border) || area < op.min_area.value_or(0) ||
               area > op.max_area.value_or(std::numeric_limits<int>::max());
    });
    while (op.largest && all.size() > static_cast<std::size_t>(*op.largest)) {
        // The last of the smallest goes.
        auto smallest = all.begin();
        for (auto at = all.begin(); at != all.end(); ++at) {
            smallest = at->area <= smallest->area ? at : smallest;
        }
        all.erase(smallest);
    }
    return all;
}

Sums in_bands(const Components& op, const Image& picture, int rows) {
    const SweepPlan cut = in_bands_of(rows, plan(op, picture.form()));
    REQUIRE(band_cut(gpu(), cut).rows == std::min(rows, picture.height()));
    const SweepResult result = run_sweeps(gpu(), cut, rows_of(picture), nullptr);
    return static_cast<const ComponentsSweep&>(*result.states.back()).run()->components();
}

void check(Components op, const Mask& mask, const std::vector<int>& bands) {
    Sums right = naive(op, mask);
    const Image picture = mask.image();
    for (ComponentSums& c : right) {
        c.xx = c.xy = c.yy = 0;
    }
    for (const ComponentsMethod method : {ComponentsMethod::gpu, ComponentsMethod::runs}) {
        op.method = op.method == ComponentsMethod::cpu ? op.method : method;
        INFO(mask.name << " by " << name_of(op.method));
        CHECK(op(gpu(), gpu().upload(picture)) == right);
        for (const int rows : bands) {
            INFO("bands of " << rows);
            CHECK(in_bands(op, picture, rows) == right);
        }
    }
}

/// The figures of a table, by the names of their columns.
std::vector<std::vector<double>> figures(const Table& table) {
    std::vector<std::vector<double>> rows;
    table.rows([&](std::span<const TableCell> cells) {
        std::vector<double>& row = rows.emplace_back();
        for (const TableCell& cell : cells) {
            const auto* whole = std::get_if<std::int64_t>(&cell);
            row.push_back(whole != nullptr ? static_cast<double>(*whole) : std::get<double>(cell));
        }
    });
    return rows;
}

/// The steps from pixel to pixel along the outline, weighed as scikit-image does: by how many of the
/// neighbours are outline, too.
double naive_perimeter(const Mask& mask) {
    const auto is_outline = [&](int x, int y) {
        return mask.is_set(x, y) && !(mask.is_set(x - 1, y) && mask.is_set(x + 1, y) &&
                                      mask.is_set(x, y - 1) && mask.is_set(x, y + 1));
    };
    double length = 0;
    for (int y = 0; y < mask.height; ++y) {
        for (int x = 0; x < mask.width; ++x) {
            int code = 0;
            for (int dy = -1; dy <= 1; ++dy) {
                for (int dx = -1; dx <= 1; ++dx) {
                    const int weight = dx == 0 && dy == 0 ? 1 : dx == 0 || dy == 0 ? 2 : 10;
                    code += is_outline(x + dx, y + dy) ? weight : 0;
                }
            }
            switch (code) {
            case 5:
            case 7:
            case 15:
            case 17:
            case 25:
            case 27:
                length += 1;
                break;
            case 21:
            case 33:
                length += std::sqrt(2.0);
                break;
            case 13:
            case 23:
                length += (1 + std::sqrt(2.0)) / 2;
                break;
            default:
                break;
            }
        }
    }
    return length;
}

/// Parts of the background by 4 neighbours, without the one around everything.
double naive_holes(const Mask& mask) {
    Mask around{"around", mask.width + 2, mask.height + 2, {}};
    for (int y = -1; y <= mask.height; ++y) {
        for (int x = -1; x <= mask.width; ++x) {
            around.pixels.push_back(mask.is_set(x, y) ? 0 : 1);
        }
    }
    return static_cast<double>(reference_components(around, Connectivity::four).table.size()) - 1;
}

Mask drawn(const std::vector<std::string>& rows) {
    Mask mask{"drawn", static_cast<int>(rows.front().size()), static_cast<int>(rows.size()), {}};
    for (const std::string& row : rows) {
        for (const char c : row) {
            mask.pixels.push_back(c == '.' ? 0 : 1);
        }
    }
    return mask;
}

Sums found(const Components& op, const Mask& mask) {
    return op(gpu(), gpu().upload(mask.image()));
}

} // namespace

TEST_CASE("components: holes, borders and sizes, whole and in bands") {
    const std::vector<Components> calls{
        {},
        {.connectivity = Connectivity::four},
        {.fill_holes = true},
        {.connectivity = Connectivity::four, .fill_holes = true},
        {.clear_border = true},
        {.min_area = 3, .max_area = 40},
        {.min_area = 2, .largest = 3, .clear_border = true, .fill_holes = true},
        {.largest = 5, .method = ComponentsMethod::cpu},
    };
    for (const auto& [width, height] : {std::pair{1, 1}, {1, 40}, {67, 1}, {61, 47}}) {
        for (const Mask& mask : hostile_masks(width, height)) {
            for (const Components& op : calls) {
                check(op, mask, {1, 7});
            }
        }
    }
    for (std::uint32_t seed = 1; seed <= 60; ++seed) {
        check(calls[seed % calls.size()], random_mask(seed, 90, 70), {2, 64});
    }
}

TEST_CASE("components: of those of one size the first are the largest") {
    const Mask mask = drawn({"#.##.##.#", "........."});
    const Sums kept = found({.largest = 2}, mask);
    REQUIRE(kept.size() == 2);
    CHECK(kept[0].left == 2);
    CHECK(kept[1].left == 5);
    CHECK(found({.largest = 1}, mask).at(0).left == 2);
    CHECK(found({.largest = 3}, mask).at(0).left == 0);
}

TEST_CASE("components: a hole has a diagonal way out only for 4 neighbours of the object") {
    const Mask mask = drawn({"......", ".###..", ".#.#..", ".##...", "......"});
    CHECK(found({.fill_holes = true}, mask).at(0).area == 8);
    CHECK(found({.connectivity = Connectivity::four, .fill_holes = true}, mask).at(0).area == 7);
}

TEST_CASE("components: a threshold chooses pixels by their luma, whole and in bands") {
    for (const Depth depth : {Depth::u8, Depth::u16, Depth::f32}) {
        for (const int channels : {1, 2, 3, 4}) {
            Image picture(53, 31, channels, depth);
            Mask mask{"threshold", 53, 31, std::vector<std::uint8_t>(53 * 31)};
            for (int y = 0; y < 31; ++y) {
                for (int x = 0; x < 53; ++x) {
                    const double grey =
                        hash_01(3, static_cast<std::uint32_t>(x / 3), static_cast<std::uint32_t>(y / 2));
                    for (int c = 0; c < channels; ++c) {
                        set_value(picture, x, y, c, grey < 0.5 ? 0.1 : 0.8);
                    }
                    mask.pixels[static_cast<std::size_t>(y * 53 + x)] = grey < 0.5 ? 0 : 1;
                }
            }
            const Sums right = naive({}, mask);
            for (const MaskThreshold& threshold :
                 {MaskThreshold{.at = 0.5}, MaskThreshold{.rule = SplitRule::otsu}}) {
                for (const ComponentsMethod method :
                     {ComponentsMethod::gpu, ComponentsMethod::runs, ComponentsMethod::cpu}) {
                    INFO(describe(picture) << (threshold.rule ? ", otsu" : ", 0.5"));
                    const Components op{
                        .threshold = threshold, .measure = {ComponentMeasure::axes}, .method = method};
                    CHECK(op(gpu(), gpu().upload(picture)) == right);
                    CHECK(in_bands(op, picture, 4) == right);
                }
            }
        }
    }
}

TEST_CASE("components: measures are those of the pixels") {
    using enum ComponentMeasure;
    for (std::uint32_t seed = 1; seed <= 20; ++seed) {
        const Mask mask = random_mask(seed, 60, 50);
        const Found right = reference_components(mask, Connectivity::eight);
        const auto rows =
            figures(components_table({area, box, centroid, axes, orientation, eccentricity}, {right.table}));
        REQUIRE(rows.size() == right.table.size());
        for (std::size_t i = 0; i < rows.size(); ++i) {
            double n = 0;
            double mx = 0;
            double my = 0;
            const auto each = [&](auto use) {
                for (std::size_t p = 0; p < right.labels.size(); ++p) {
                    if (right.labels[p] == i + 1) {
                        use(static_cast<double>(p % static_cast<std::size_t>(mask.width)),
                            static_cast<double>(p / static_cast<std::size_t>(mask.width)));
                    }
                }
            };
            each([&](double x, double y) { ++n, mx += x, my += y; });
            mx /= n;
            my /= n;
            double xx = 0;
            double xy = 0;
            double yy = 0;
            each([&](double x, double y) {
                xx += (x - mx) * (x - mx) / n;
                xy += (x - mx) * (y - my) / n;
                yy += (y - my) * (y - my) / n;
            });
            const auto near = [](double value) { return Approx(value).epsilon(1e-6).margin(1e-6); };
            const ComponentSums& c = right.table[i];
            INFO(mask.name << ", component " << i + 1);
            CHECK(rows[i][0] == double(i + 1));
            CHECK(rows[i][1] == n);
            CHECK(rows[i][2] == c.left);
            CHECK(rows[i][3] == c.top);
            CHECK(rows[i][4] == c.right - c.left + 1);
            CHECK(rows[i][5] == c.bottom - c.top + 1);
            CHECK(rows[i][6] == near(mx));
            CHECK(rows[i][7] == near(my));
            // The axes are the roots of the characteristic polynomial: their sum and product.
            const double large = rows[i][8] * rows[i][8] / 16;
            const double small = rows[i][9] * rows[i][9] / 16;
            CHECK(large >= small);
            CHECK(large + small == near(xx + yy));
            CHECK(large * small == Approx(xx * yy - xy * xy).epsilon(1e-6).margin(1e-5));
            // The direction of the major axis is that of the largest moment.
            const double along = rows[i][10];
            const double s = std::sin(along);
            const double t = std::cos(along);
            CHECK(s * s * xx + 2 * s * t * xy + t * t * yy == near(large));
            CHECK(rows[i][11] == near(large == 0 ? 0 : std::sqrt(1 - small / large)));
        }
    }
}

TEST_CASE("components: shapes, holes and the values of a second picture") {
    using enum ComponentMeasure;
    for (std::uint32_t seed = 1; seed <= 24; ++seed) {
        const Mask mask = random_mask(seed, 50, 40);
        const Connectivity connectivity = seed % 2 == 0 ? Connectivity::four : Connectivity::eight;
        const Found right = reference_components(mask, connectivity);
        const Depth depth = seed % 3 == 0 ? Depth::f32 : seed % 3 == 1 ? Depth::u8 : Depth::u16;
        const auto values = std::make_shared<Image>(
            with_hidden_pixels(random_image({mask.width, mask.height, 1 + static_cast<int>(seed % 4), depth}, seed)));
        const Components op{.connectivity = connectivity,
                            .measure = {perimeter, euler, holes, mean, min, max, sum},
                            .with = {"", values}};
        const Image picture = mask.image();
        for (const int rows : {0, 1, 7}) {
            const SweepPlan all = plan(op, picture.form());
            const SweepResult result =
                rows == 0 ? run_sweeps(gpu(), all, gpu().upload(picture), &picture)
                          : run_sweeps(gpu(), in_bands_of(rows, all), rows_of(picture), nullptr);
            const auto table = figures(components_table(
                op.measure, static_cast<const ComponentsSweep&>(*result.states.back()).run()->measured()));
            REQUIRE(table.size() == right.table.size());
            for (std::size_t i = 0; i < table.size(); ++i) {
                Mask alone{"alone", mask.width, mask.height, {}};
                for (const std::uint32_t label : right.labels) {
                    alone.pixels.push_back(label == i + 1 ? 1 : 0);
                }
                INFO(mask.name << ", component " << i + 1 << ", bands of " << rows);
                CHECK(table[i][1] == Approx(naive_perimeter(alone)).epsilon(1e-9).margin(1e-9));
                const double holes_of = naive_holes(alone);
                CHECK(table[i][2] == 1 - holes_of);
                CHECK(table[i][3] == holes_of);
                const auto channels = static_cast<std::size_t>(values->channels());
                for (std::size_t c = 0; c < channels; ++c) {
                    std::vector<double> seen;
                    for (int p = 0; p < mask.width * mask.height; ++p) {
                        const int x = p % mask.width;
                        const int y = p / mask.width;
                        const bool is_colour = !values->has_alpha() || c + 1 < channels;
                        if (alone.is_set(x, y) && !(is_colour && is_hidden(*values, x, y))) {
                            seen.push_back(values->at(x, y, static_cast<int>(c)));
                        }
                    }
                    const double total = std::accumulate(seen.begin(), seen.end(), 0.0);
                    CHECK(table[i][4 + 3 * channels + c] == total);
                    if (seen.empty()) {
                        CHECK((std::isnan(table[i][4 + c]) && std::isnan(table[i][4 + channels + c]) &&
                               std::isnan(table[i][4 + 2 * channels + c])));
                        continue;
                    }
                    CHECK(table[i][4 + c] == total / double(seen.size()));
                    CHECK(table[i][4 + channels + c] == std::ranges::min(seen));
                    CHECK(table[i][4 + 2 * channels + c] == std::ranges::max(seen));
                }
            }
        }
    }
}

TEST_CASE("components: parameters out of range are refused") {
    const Form form{8, 8, 1, Depth::u8};
    CHECK_THROWS_AS(plan({.min_area = -1}, form), Error);
    CHECK_THROWS_AS(plan({.largest = 0}, form), Error);
    CHECK_THROWS_AS(plan({.threshold = MaskThreshold{.at = 128}}, form), Error);
    CHECK_NOTHROW(plan({.threshold = MaskThreshold{.at = 128}}, {8, 8, 1, Depth::f32}));
    CHECK_THROWS_AS(plan({.measure = {ComponentMeasure::mean}}, form), Error);
    CHECK_THROWS_AS(plan({.output = ComponentsOutput::labels}, form), Error);
    CHECK_THROWS_AS(labels_plan({.output = ComponentsOutput::mask}, form), Error);
    const auto other = std::make_shared<const Image>(7, 8, 1, Depth::u8);
    const GpuImage picture = gpu().upload(Image(form));
    CHECK_THROWS_AS(run_sweeps(gpu(), plan(Components{.with = {"", other}}, form), picture), Error);
}
