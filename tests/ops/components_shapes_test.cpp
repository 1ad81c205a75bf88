// Hulls, diameters and rectangles of components, and how values are spread over them, by all pairs of points.
#include "glproc/base/error.hpp"
#include "glproc/files/memory_rows.hpp"
#include "glproc/ops/components.hpp"
#include "glproc/ops/components/alone.hpp"
#include "glproc/ops/components/run.hpp"
#include "glproc/ops/components/table.hpp"
#include "support/band_plan.hpp"
#include "support/catch.hpp"
#include "support/component_reference.hpp"
#include "support/fixture.hpp"
#include "support/hidden.hpp"
#include "support/inputs.hpp"
#include "support/masks.hpp"

#include <algorithm>
#include <array>
#include <cmath>
#include <functional>
#include <limits>
#include <map>
#include <memory>
#include <numbers>
#include <numeric>
#include <string>
#include <utility>
#include <vector>

using namespace glproc;
using namespace glproc::test;

namespace {

struct Spot {
    double x = 0;
    double y = 0;
    bool operator==(const Spot&) const = default;
};

using Spots = std::vector<Spot>;

double turn(const Spot& a, const Spot& b, const Spot& c) {
    return (b.x - a.x) * (c.y - a.y) - (b.y - a.y) * (c.x - a.x);
}

double distance(const Spot& a, const Spot& b) {
    return std::hypot(a.x - b.x, a.y - b.y);
}

/// The corners of the hull, by wrapping a string around the points. All are whole or half numbers.
Spots wrapped(const Spots& points) {
    Spots hull;
    Spot at = *std::ranges::min_element(points, {}, [](const Spot& p) { return std::pair(p.y, p.x); });
    do {
        hull.push_back(at);
        Spot next = at;
        for (const Spot& p : points) {
            const double side = turn(at, next, p);
            if (next == at || side < 0 || (side == 0 && distance(at, p) > distance(at, next))) {
                next = p;
            }
        }
        at = next;
    } while (!(at == hull.front()));
    return hull;
}

bool holds(const Spots& hull, const Spot& p) {
    for (std::size_t i = 0; i < hull.size(); ++i) {
        if (turn(hull[i], hull[(i + 1) % hull.size()], p) < 0) {
            return false;
        }
    }
    return true;
}

/// How far points reach along a direction.
double reach(const Spots& points, const Spot& along) {
    double least = std::numeric_limits<double>::infinity();
    double most = -least;
    for (const Spot& p : points) {
        const double at = p.x * along.x + p.y * along.y;
        least = std::min(least, at);
        most = std::max(most, at);
    }
    return most - least;
}

/// The direction of an angle in degrees, counter-clockwise in a picture.
Spot direction(double angle) {
    return {std::cos(angle * std::numbers::pi / 180), -std::sin(angle * std::numbers::pi / 180)};
}

/// The pixels of one component.
struct Pixels {
    std::vector<std::size_t> places;
    Spots centres;
    Spots corners;
    Spots middles; ///< of sides
};

std::vector<Pixels> pixels_of(const Found& found, int width) {
    std::vector<Pixels> all(found.table.size());
    for (std::size_t p = 0; p < found.labels.size(); ++p) {
        if (found.labels[p] == 0) {
            continue;
        }
        Pixels& pixels = all[found.labels[p] - 1];
        const auto x = static_cast<double>(p % static_cast<std::size_t>(width));
        const auto y = static_cast<double>(p / static_cast<std::size_t>(width));
        pixels.places.push_back(p);
        pixels.centres.push_back({x, y});
        for (const auto& [dx, dy] : {std::pair{0, 0}, {0, 1}, {1, 0}, {1, 1}}) {
            pixels.corners.push_back({x + dx, y + dy});
        }
        for (const auto& [dx, dy] : {std::pair{-0.5, 0.0}, {0.5, 0.0}, {0.0, -0.5}, {0.0, 0.5}}) {
            pixels.middles.push_back({x + dx, y + dy});
        }
    }
    return all;
}

/// The rows of a table, with names.
using Row = std::map<std::string, double>;

std::vector<Row> rows_of_table(const Table& table) {
    std::vector<Row> rows;
    table.rows([&](std::span<const TableCell> cells) {
        Row& row = rows.emplace_back();
        for (std::size_t i = 0; i < cells.size(); ++i) {
            const auto* whole = std::get_if<std::int64_t>(&cells[i]);
            row[table.columns[i].name] = whole != nullptr ? double(*whole) : std::get<double>(cells[i]);
        }
    });
    return rows;
}

/// What a road finds: what it measures of each object, and where these are.
struct Outcome {
    std::vector<Row> rows;
    Labels labels;
};

std::vector<Row> measured_rows(const Components& op, const SweepResult& result) {
    return rows_of_table(components_table(op.measure, result.last<ComponentsSweep>().run()->measured()));
}

Labels labels_in(const Array& array) {
    const auto* first = reinterpret_cast<const std::uint32_t*>(array.bytes.data());
    return {first, first + array.bytes.size() / sizeof(std::uint32_t)};
}

/// In bands of so many rows; 0: whole.
Outcome by_sweeps(Components op, ComponentsMethod method, const Image& picture, int rows) {
    op.method = method;
    const SweepPlan plan = labels_plan(op, picture.form());
    if (rows == 0) {
        const SweepResult result = run_sweeps(gpu(), plan, gpu().upload(picture), &picture);
        return {measured_rows(op, result), labels_in(gpu().download(result.array.value()))};
    }
    ArrayRows made(plan.array.value());
    const SweepResult result = run_sweeps(gpu(), in_bands_of(rows, plan), rows_of(picture), &made);
    made.finish();
    return {measured_rows(op, result), labels_in(made.array())};
}

Outcome by_processor(const Components& op, const Image& picture) {
    ComponentsAlone components = components_alone(op, picture);
    const MeasuredComponents measured = measured_alone(op, picture.form(), components);
    return {rows_of_table(components_table(op.measure, measured)), components.labels(0, picture.height())};
}

bool are_same(double a, double b) {
    return a == b || (std::isnan(a) && std::isnan(b));
}

bool are_same(const Row& a, const Row& b) {
    return std::ranges::equal(a, b, [](const auto& p, const auto& q) {
        return p.first == q.first && are_same(p.second, q.second);
    });
}

/// By one road, whose bits all others must have.
Outcome by_all_roads(const Components& op, const Image& picture) {
    const Outcome first = by_sweeps(op, ComponentsMethod::gpu, picture, 0);
    const auto check = [&](const std::string& road, const Outcome& other) {
        INFO(road);
        CHECK(std::ranges::equal(first.rows, other.rows,
                                 [](const Row& a, const Row& b) { return are_same(a, b); }));
        CHECK(first.labels == other.labels);
    };
    check("runs", by_sweeps(op, ComponentsMethod::runs, picture, 0));
    check("rows of the GPU", by_sweeps(op, ComponentsMethod::gpu, picture, 1));
    check("bands of the GPU", by_sweeps(op, ComponentsMethod::gpu, picture, 7));
    check("bands of runs", by_sweeps(op, ComponentsMethod::runs, picture, 7));
    check("bands of the processor", by_sweeps(op, ComponentsMethod::cpu, picture, 7));
    check("processor", by_processor(op, picture));
    return first;
}

const std::vector<ComponentMeasure> all_shapes = [] {
    using enum ComponentMeasure;
    return std::vector{area,        box,         axes,        roundness,  extent,    touches,
                       perimeter,   circularity, hull_area,   solidity,   feret_max, feret_min,
                       feret_angle, rect_area,   rect_length, rect_width, rect_angle};
}();

const std::vector<ComponentMeasure> all_values = [] {
    using enum ComponentMeasure;
    return std::vector{median, stddev, mode, skewness, mean};
}();

auto near(double value) {
    return Approx(value).epsilon(1e-9).margin(1e-9);
}

void check_diameters(const Row& row, const Pixels& pixels) {
    const Spots hull = wrapped(pixels.corners);
    double longest = 0;
    double angle = 0;
    for (const Spot& a : pixels.corners) {
        for (const Spot& b : pixels.corners) {
            double turned = std::atan2(a.y - b.y, b.x - a.x) * 180 / std::numbers::pi;
            turned += turned < 0 ? 180 : 0;
            turned -= turned >= 180 ? 180 : 0;
            const double length = distance(a, b);
            if (length > longest + 1e-9 || (length > longest - 1e-9 && turned < angle)) {
                longest = length;
                angle = turned;
            }
        }
    }
    CHECK(row.at("feret_max") == near(longest));
    CHECK(row.at("feret_angle") == near(angle));
    double narrowest = std::numeric_limits<double>::infinity();
    double smallest = narrowest;
    for (std::size_t i = 0; i < hull.size(); ++i) {
        const Spot& a = hull[i];
        const Spot& b = hull[(i + 1) % hull.size()];
        const double length = distance(a, b);
        const Spot along{(b.x - a.x) / length, (b.y - a.y) / length};
        const double width = reach(pixels.corners, {-along.y, along.x});
        narrowest = std::min(narrowest, width);
        smallest = std::min(smallest, width * reach(pixels.corners, along));
    }
    CHECK(row.at("feret_min") == near(narrowest));
    CHECK(row.at("rect_area") == near(smallest));
    CHECK(row.at("rect_length") >= row.at("rect_width"));
    CHECK(row.at("rect_length") * row.at("rect_width") == near(smallest));
    CHECK(row.at("rect_angle") >= 0);
    CHECK(row.at("rect_angle") < 180);
    const Spot along = direction(row.at("rect_angle"));
    CHECK(reach(pixels.corners, along) == near(row.at("rect_length")));
    CHECK(reach(pixels.corners, {-along.y, along.x}) == near(row.at("rect_width")));
}

void check_shape(const Row& row, const Pixels& pixels, const Mask& mask) {
    check_diameters(row, pixels);
    const auto count = static_cast<double>(pixels.places.size());
    const Spots hull = wrapped(pixels.middles);
    double inside = 0;
    for (int y = 0; y < mask.height; ++y) {
        for (int x = 0; x < mask.width; ++x) {
            inside += holds(hull, {double(x), double(y)}) ? 1 : 0;
        }
    }
    CHECK(row.at("hull_area") == inside);
    CHECK(row.at("solidity") == near(count / inside));
    CHECK(row.at("extent") == near(count / (row.at("width") * row.at("height"))));
    const bool touches = std::ranges::any_of(pixels.centres, [&](const Spot& p) {
        return p.x == 0 || p.y == 0 || p.x == mask.width - 1 || p.y == mask.height - 1;
    });
    CHECK(row.at("touches") == (touches ? 1 : 0));
    const double perimeter = row.at("perimeter");
    CHECK(are_same(row.at("circularity"), perimeter == 0 ? std::nan("") : row.at("circularity")));
    if (perimeter > 0) {
        CHECK(row.at("circularity") == near(4 * std::numbers::pi * count / (perimeter * perimeter)));
    }
    const double major = row.at("major");
    CHECK(std::isnan(row.at("roundness")) == (major == 0));
    if (major > 0) {
        CHECK(row.at("roundness") == near(4 * count / (std::numbers::pi * major * major)));
    }
}

void check_shapes(const Mask& mask, Connectivity connectivity) {
    INFO(mask.name << ", " << static_cast<int>(connectivity) << " neighbours");
    const Components op{.connectivity = connectivity, .measure = all_shapes};
    const Outcome found = by_all_roads(op, mask.image());
    const Found right = reference_components(mask, connectivity);
    CHECK(found.labels == right.labels);
    const std::vector<Pixels> pixels = pixels_of(right, mask.width);
    REQUIRE(found.rows.size() == pixels.size());
    for (std::size_t i = 0; i < pixels.size(); ++i) {
        INFO("component " << i + 1);
        check_shape(found.rows[i], pixels[i], mask);
    }
}

/// By sorting and by two passes.
void check_spread(const Row& row, const std::string& channel, std::vector<double> values) {
    const auto figure = [&](const char* name) { return row.at(name + channel); };
    if (values.empty()) {
        for (const char* name : {"median", "stddev", "mode", "skewness"}) {
            CHECK(std::isnan(figure(name)));
        }
        return;
    }
    std::ranges::sort(values);
    const auto n = static_cast<double>(values.size());
    CHECK(figure("median") == (values[(values.size() - 1) / 2] + values[values.size() / 2]) / 2);
    std::map<double, int> counts;
    for (const double v : values) {
        ++counts[v];
    }
    CHECK(figure("mode") ==
          std::ranges::max_element(counts, {}, [](const auto& c) { return c.second; })->first);
    const double mean = std::accumulate(values.begin(), values.end(), 0.0) / n;
    double second = 0;
    double third = 0;
    for (const double v : values) {
        second += (v - mean) * (v - mean) / n;
        third += (v - mean) * (v - mean) * (v - mean) / n;
    }
    const double deviation = std::sqrt(second);
    CHECK(figure("stddev") == Approx(deviation).epsilon(1e-9).margin(1e-9));
    if (counts.size() == 1) {
        CHECK(figure("stddev") == 0);
        CHECK(std::isnan(figure("skewness")));
    } else {
        CHECK(figure("skewness") == Approx(third / (second * deviation)).epsilon(1e-7).margin(1e-7));
    }
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

ComponentFilter filter(const std::string& text) {
    return FieldText<ComponentFilter>::parse({"keep", "", {}}, text);
}

/// The first line of what a wrong text says; its hint must be right.
std::string refusal(const std::string& text) {
    try {
        filter(text);
    } catch (const Error& error) {
        CHECK(error.code() == ErrorCode::usage);
        const std::string hint = error.hint();
        REQUIRE(hint.starts_with("--keep '"));
        REQUIRE(hint.ends_with("'"));
        CHECK_NOTHROW(filter(hint.substr(8, hint.size() - 9)));
        return error.what() + ("|" + hint);
    }
    return "";
}

} // namespace

TEST_CASE("components: hulls, diameters and rectangles are those of all points") {
    for (const auto& [width, height] : {std::pair{1, 1}, {1, 37}, {41, 1}, {2, 2}, {31, 23}}) {
        for (const Mask& mask : hostile_masks(width, height)) {
            check_shapes(mask, Connectivity::four);
            check_shapes(mask, Connectivity::eight);
        }
    }
    for (std::uint32_t seed = 1; seed <= 40; ++seed) {
        check_shapes(random_mask(seed, 37, 29), seed % 2 == 0 ? Connectivity::four : Connectivity::eight);
    }
}

TEST_CASE("components: spread, median and mode of the values are those of the sorted values") {
    for (std::uint32_t seed = 1; seed <= 24; ++seed) {
        const Mask mask = random_mask(seed, 90, 70);
        const Depth depth = seed % 3 == 0 ? Depth::f32 : seed % 3 == 1 ? Depth::u8 : Depth::u16;
        const int channels = 1 + static_cast<int>(seed % 4);
        Image image = random_image({mask.width, mask.height, channels, depth}, seed);
        for (int p = 0; seed % 2 == 0 && p < mask.width * mask.height; p += 3) { // values that come often
            set_value(image, p % mask.width, p / mask.width, 0, p % 2 == 0 ? 0.25 : 0.5);
        }
        const auto values = std::make_shared<Image>(with_hidden_pixels(std::move(image)));
        const Components op{.measure = all_values, .with = {"", values}};
        const std::vector<Row> rows = by_all_roads(op, mask.image()).rows;
        const std::vector<Pixels> pixels =
            pixels_of(reference_components(mask, Connectivity::eight), mask.width);
        REQUIRE(rows.size() == pixels.size());
        for (std::size_t i = 0; i < rows.size(); ++i) {
            for (int c = 0; c < channels; ++c) {
                INFO(mask.name << ", component " << i + 1 << ", channel " << c);
                const bool is_alpha = values->has_alpha() && c + 1 == channels;
                std::vector<double> seen;
                for (const Spot& p : pixels[i].centres) {
                    if (is_alpha || !is_hidden(*values, int(p.x), int(p.y))) {
                        seen.push_back(values->at(int(p.x), int(p.y), c));
                    }
                }
                check_spread(rows[i],
                             is_alpha       ? "_a"
                             : channels < 3 ? ""
                                            : std::string("_") + "rgb"[c],
                             seen);
            }
        }
    }
}

TEST_CASE("components: a float that is no number leaves no spread, and 0 has one sign") {
    using enum ComponentMeasure;
    const auto values = std::make_shared<Image>(9, 1, 1, Depth::f32);
    const std::array<float, 9> numbers{0.0F, -0.0F, 1, 0, std::nanf(""), 5, 0, 7, -7};
    std::ranges::copy(numbers, values->values<float>().begin());
    const Mask mask = drawn({"###.##.##"});
    const Components op{.measure = all_values, .with = {"", values}};
    const std::vector<Row> rows = by_all_roads(op, mask.image()).rows;
    REQUIRE(rows.size() == 3);
    CHECK(rows[0].at("mode") == 0);
    CHECK(rows[0].at("median") == 0);
    for (const char* name : {"median", "mode", "stddev", "skewness"}) {
        CHECK(std::isnan(rows[1].at(name)));
    }
    CHECK(rows[2].at("median") == 0);
    CHECK(rows[2].at("mode") == -7);
}

TEST_CASE("components: large objects count values instead of keeping them") {
    using enum ComponentMeasure;
    for (const Depth depth : {Depth::u8, Depth::u16}) {
        const auto values = std::make_shared<Image>(random_image({523, 401, 1, depth}, 5));
        Image white(523, 401, 1, Depth::u8);
        std::ranges::fill(white.values<std::uint8_t>(), std::uint8_t{255});
        const Components op{.measure = all_values, .with = {"", values}};
        std::vector<double> seen;
        for (int p = 0; p < 523 * 401; ++p) {
            seen.push_back(values->at(p % 523, p / 523, 0));
        }
        const std::vector<Row> rows = by_sweeps(op, ComponentsMethod::gpu, white, 64).rows;
        REQUIRE(rows.size() == 1);
        check_spread(rows.front(), "", seen);
        const std::uint64_t bytes = SpreadMeasures::most_bytes(
            std::vector{ComponentSums{.area = 523 * 401, .top = 0, .bottom = 400}}, values->form());
        CHECK(bytes == (depth == Depth::u8 ? 256U : 65536U) * 8);
    }
    const std::vector<ComponentSums> objects{{.area = 10, .top = 0, .bottom = 3},
                                             {.area = 20, .top = 3, .bottom = 5},
                                             {.area = 25, .top = 4, .bottom = 9}};
    CHECK(SpreadMeasures::most_bytes(objects, {20, 10, 3, Depth::u16}) == (20 + 25) * 4 * 3);
}

// By scikit-image 0.19.3, NumPy and SciPy 1.10: area_convex, solidity, perimeter, extent, std, median, skew.
TEST_CASE("components: the figures of other programs") {
    const Mask mask = drawn({"..........##.", "..##......##.", ".####...#..#.", ".#..##..##.#.",
                             ".#...#...###.", ".######......", "...###......#"});
    const auto values = std::make_shared<Image>(13, 7, 1, Depth::u8);
    for (int y = 0; y < 7; ++y) {
        for (int x = 0; x < 13; ++x) {
            values->values<std::uint8_t>()[static_cast<std::size_t>(y * 13 + x)] =
                static_cast<std::uint8_t>((x * 7 + y * 13) % 32);
        }
    }
    Components op{.measure = all_shapes, .with = {"", values}};
    op.measure.insert(op.measure.end(), all_values.begin(), all_values.end());
    const std::vector<Row> rows = by_all_roads(op, mask.image()).rows;
    REQUIRE(rows.size() == 3);
    const auto check = [&](std::size_t i, const Row& right) {
        for (const auto& [name, value] : right) {
            INFO("component " << i + 1 << ", " << name);
            CHECK(rows[i].at(name) == Approx(value).epsilon(1e-12).margin(1e-12));
        }
    };
    check(0, {{"area", 12},
              {"hull_area", 16},
              {"solidity", 0.75},
              {"perimeter", 12.207106781186548},
              {"extent", 0.6},
              {"circularity", 1.011965304699804},
              {"stddev", 9.027735042633894},
              {"skewness", -0.07135475023347201},
              {"median", 18.5},
              {"mode", 6}});
    check(1, {{"area", 20},
              {"hull_area", 27},
              {"solidity", 0.7407407407407407},
              {"perimeter", 19.03553390593274},
              {"extent", 0.5555555555555556},
              {"circularity", 0.6936010389230538},
              {"stddev", 8.794742747801097},
              {"skewness", 0.25484733879238564},
              {"median", 12.5},
              {"mode", 3}});
    check(2,
          {{"area", 1}, {"hull_area", 1}, {"feret_max", std::sqrt(2.0)}, {"feret_min", 1}, {"rect_area", 1}});
}

TEST_CASE("components: a filter keeps objects by any measure, on every road") {
    using Keeps = std::function<bool(const Row&)>;
    const std::vector<std::pair<std::string, Keeps>> filters{
        {"area > 3", [](const Row& r) { return r.at("area") > 3; }},
        {"area>3 and area<=40", [](const Row& r) { return r.at("area") > 3 && r.at("area") <= 40; }},
        {"circularity >= 0.7 or touches == 1",
         [](const Row& r) { return r.at("circularity") >= 0.7 || r.at("touches") == 1; }},
        {"not (solidity < 0.9 or feret_max > 9.5) and major != 0",
         [](const Row& r) {
             return !(r.at("solidity") < 0.9 || r.at("feret_max") > 9.5) && r.at("major") != 0;
         }},
        {"circularity != 1", [](const Row& r) { return r.at("perimeter") > 0; }},
        {"area < 0", [](const Row&) { return false; }},
    };
    for (std::uint32_t seed = 1; seed <= 18; ++seed) {
        const Mask mask = random_mask(seed + 100, 61, 47);
        const auto& [text, keeps] = filters[seed % filters.size()];
        INFO(mask.name << ", " << text);
        Components op{.clear_border = seed % 5 == 0, .measure = all_shapes};
        const Outcome all = by_sweeps(op, ComponentsMethod::gpu, mask.image(), 0);
        std::vector<std::pair<double, std::size_t>> chosen; // the largest first
        for (std::size_t i = 0; i < all.rows.size(); ++i) {
            if (keeps(all.rows[i])) {
                chosen.emplace_back(-all.rows[i].at("area"), i);
            }
        }
        op.keep = filter(text);
        if (seed % 2 == 0) {
            op.largest = 4;
            std::ranges::stable_sort(chosen, {}, [](const auto& c) { return c.first; });
            chosen.resize(std::min<std::size_t>(chosen.size(), 4));
        }
        std::ranges::sort(chosen, {}, [](const auto& c) { return c.second; });
        std::vector<std::uint32_t> numbers(all.rows.size() + 1);
        for (std::size_t i = 0; i < chosen.size(); ++i) {
            numbers[chosen[i].second + 1] = static_cast<std::uint32_t>(i + 1);
        }
        Labels labels = all.labels;
        std::ranges::transform(labels, labels.begin(), [&](std::uint32_t label) { return numbers[label]; });
        const Outcome kept = by_all_roads(op, mask.image());
        CHECK(kept.labels == labels);
        REQUIRE(kept.rows.size() == chosen.size());
        for (std::size_t i = 0; i < chosen.size(); ++i) {
            Row right = all.rows[chosen[i].second];
            right["label"] = double(i + 1);
            CHECK(are_same(kept.rows[i], right));
        }
        op.measure = {ComponentMeasure::area}; // which the filter need not be among
        CHECK(by_all_roads(op, mask.image()).labels == labels);
    }
}

TEST_CASE("components: filters by values, and the measures that need them") {
    const Mask mask = drawn({"##.##", ".....", "#...#"});
    const auto values = std::make_shared<Image>(5, 3, 3, Depth::u8);
    values->values<std::uint8_t>()[0] = 200;
    Components op{.measure = {ComponentMeasure::area}, .with = {"", values}};
    op.keep = filter("mean_r == 100 and median_r > 5");
    CHECK(by_all_roads(op, mask.image()).labels == Labels{1, 1, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0});
    op.keep = filter("mean > 100");
    CHECK_THROWS_WITH(plan(op, mask.image().form()), "--keep: this --with has no mean");
    op.with = {};
    CHECK_THROWS_WITH(plan(op, mask.image().form()), Catch::Contains("mean needs --with"));
}

TEST_CASE("components: filters that are written as they should be") {
    const auto answer = [](const std::string& text, double area, double holes) {
        const ComponentFilter made = filter(text);
        return made.keeps(
            [&](std::size_t part) { return made.parts[part].measure == "area" ? area : holes; });
    };
    CHECK(answer("area>1", 2, 0));
    CHECK_FALSE(answer(" area  >\t1 ", 1, 0));
    CHECK(answer("area >= 1 and holes == 0 or area < 0", 1, 0));
    CHECK(answer("area < 0 or area >= 1 and holes == 0", 1, 0));
    CHECK_FALSE(answer("(area < 0 or area >= 1) and holes != 0", 1, 0));
    CHECK(answer("not area < 0 and not not holes<1", 1, 0));
    CHECK(answer("not(area < 0)and(holes<1)", 1, 0));
    CHECK_FALSE(answer("not (area > 0 and holes == 0)", 1, 0));
    CHECK(answer("area > -5 and holes>=+0.0 and area <= 1e3", 1, 0));
    for (const char* relation : {"<", "<=", ">", ">=", "==", "!="}) {
        CHECK_FALSE(answer(std::string("area ") + relation + " 1", std::nan(""), 0));
        CHECK(answer(std::string("not area ") + relation + " 1", std::nan(""), 0));
    }
    CHECK(FieldText<ComponentFilter>::print(filter("area > 1")) == "area > 1");
    CHECK_NOTHROW(filter(std::string(40, '(') + "area > 1" + std::string(40, ')')));
    CHECK(filter("mean_r > 1 and median_a < 2 and rect_width > 3 and x < 5").parts.size() == 7);
}

TEST_CASE("components: filters that are not, each with a hint that is") {
    CHECK(refusal("area > 5 and circularty > 0.8") ==
          "--keep: 'circularty' is no measure (did you mean circularity?)|"
          "--keep 'area > 5 and circularity > 0.8'");
    CHECK(refusal("feret > 5") ==
          "--keep: 'feret' is no measure (did you mean feret_angle, feret_max, feret_min?)|"
          "--keep 'feret_angle > 5'");
    CHECK(refusal("box < 5").find("(did you mean height, left, top, width?)") != std::string::npos);
    CHECK(refusal("area > 5 && holes < 1") ==
          "--keep: '&&' stands where 'and' or 'or' should|--keep 'area > 5 and holes < 1'");
    CHECK(refusal("area = 5").find("|--keep 'area == 5'") != std::string::npos);
    CHECK(refusal("area => 5").find("|--keep 'area >= 5'") != std::string::npos);
    CHECK(refusal("!area > 5").find("|--keep 'not area > 5'") != std::string::npos);
    CHECK(refusal("") == "--keep: a measure is missing at the end|--keep 'area > 50 and circularity > 0.8'");
    CHECK(refusal("area >").starts_with("--keep: a number is missing at the end|"));
    CHECK(refusal("area").starts_with("--keep: a comparison, such as >, is missing at the end|"));
    CHECK(refusal("(area > 5").starts_with("--keep: a ) is missing at the end|"));
    CHECK(refusal("area > 5)").starts_with("--keep: ')' stands where 'and' or 'or' should|"));
    CHECK(refusal("area > nan").starts_with("--keep: 'nan' stands where a number should|"));
    const std::string deep = std::string(60, '(') + "area > 1" + std::string(60, ')');
    for (const std::string& text :
         {std::string("area > 5x"), std::string("5 < area"), std::string("area > holes"), std::string("and"),
          std::string("area > inf"), std::string("area > 1e999"), std::string("area > 50%"),
          std::string("()"), std::string("area > 1 area > 2"), std::string("area > 1 or"), std::string("not"),
          std::string("\xff\xfe > 1"), std::string("area > 1\0and", 12), std::string("\x1b[31m > 1"), deep,
          std::string(100, '(')}) {
        INFO(text);
        CHECK_FALSE(refusal(text).empty());
    }
    CHECK(refusal(deep).starts_with("--keep: more than 50 parentheses in each other|"));
    std::string nots;
    for (int i = 0; i < 60; ++i) {
        nots += "not ";
    }
    CHECK_FALSE(refusal(nots + "area > 1").empty());
    CHECK(refusal(std::string(5000, 'a')).starts_with("--keep: a filter has at most 1000 characters|"));
    CHECK_FALSE(refusal(std::string(900, 'a')).empty());
    CHECK_FALSE(refusal(std::string(999, '!')).empty());
}
