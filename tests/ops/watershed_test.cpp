#include "glproc/ops/watershed.hpp"

#include "glproc/base/error.hpp"
#include "glproc/files/memory_rows.hpp"
#include "glproc/op/swept.hpp"
#include "glproc/ops/gray.hpp"
#include "glproc/ops/watershed/flood.hpp"
#include "support/band_plan.hpp"
#include "support/catch.hpp"
#include "support/component_reference.hpp"
#include "support/fixture.hpp"
#include "support/hidden.hpp"
#include "support/inputs.hpp"
#include "support/masks.hpp"
#include "support/matchers.hpp"
#include "support/tiled.hpp"

#include <algorithm>
#include <array>
#include <cmath>
#include <cstring>
#include <limits>
#include <memory>
#include <set>
#include <tuple>
#include <utility>
#include <variant>
#include <vector>

using namespace glproc;
using namespace glproc::test;

namespace {

/// The highest value and the steps since, the same of the neighbour that it follows, and the marker.
using Cost = std::tuple<double, int, double, int, std::uint32_t>;

constexpr double nowhere = std::numeric_limits<double>::infinity();
constexpr Cost no_cost{nowhere, INT_MAX, nowhere, INT_MAX, dry};

/// The definition: every pixel has the least cost that a neighbour gives it, found by trying until nothing
/// changes.
class Naive {
  public:
    Naive(int width, int height, std::vector<double> values, bool is_eight)
        : width_(width), height_(height), values_(std::move(values)), is_eight_(is_eight) {}

    Labels flooded(const Labels& markers) const {
        std::vector<Cost> costs(values_.size(), no_cost);
        for (bool has_changed = true; has_changed;) {
            has_changed = false;
            for (int i = 0; i < width_ * height_; ++i) {
                const std::uint32_t marker = markers[index(i)];
                Cost least =
                    marker != 0 && marker != dry ? Cost{values_[index(i)], 0, 0, 0, marker} : no_cost;
                for (const int other : marker == 0 ? around(i) : std::vector<int>{}) {
                    const auto [highest, steps, before, steps_before, from] = costs[index(other)];
                    if (from != dry) {
                        const double value = values_[index(i)];
                        const bool rises = value > highest;
                        const Cost cost{rises ? value : highest, rises ? 0 : steps + 1, highest, steps, from};
                        least = std::min(least, cost);
                    }
                }
                has_changed = has_changed || least != costs[index(i)];
                costs[index(i)] = least;
            }
        }
        Labels labels;
        for (const Cost& cost : costs) {
            labels.push_back(std::get<4>(cost) == dry ? 0 : std::get<4>(cost));
        }
        return labels;
    }

    /// Plateaus without a lower neighbour, by trying, too.
    Labels minima(const std::vector<bool>& is_masked) const {
        std::vector<bool> is_low(values_.size(), true);
        for (bool has_changed = true; has_changed;) {
            has_changed = false;
            for (int i = 0; i < width_ * height_; ++i) {
                for (const int other : around(i)) {
                    const bool leads_down =
                        values_[index(other)] < values_[index(i)] ||
                        (values_[index(other)] == values_[index(i)] && !is_low[index(other)]);
                    if (is_low[index(i)] && leads_down) {
                        is_low[index(i)] = false;
                        has_changed = true;
                    }
                }
            }
        }
        Mask mask{"minima", width_, height_, {}};
        for (int i = 0; i < width_ * height_; ++i) {
            mask.pixels.push_back(is_low[index(i)] && is_masked[index(i)] ? 1 : 0);
        }
        return reference_components(mask, is_eight_ ? Connectivity::eight : Connectivity::four).labels;
    }

  private:
    static std::size_t index(int i) { return static_cast<std::size_t>(i); }

    std::vector<int> around(int i) const {
        std::vector<int> found;
        for (int dy = -1; dy <= 1; ++dy) {
            for (int dx = -1; dx <= 1; ++dx) {
                const int x = i % width_ + dx;
                const int y = i / width_ + dy;
                if ((dx != 0 || dy != 0) && (is_eight_ || dx == 0 || dy == 0) && x >= 0 && y >= 0 &&
                    x < width_ && y < height_) {
                    found.push_back(y * width_ + x);
                }
            }
        }
        return found;
    }

    int width_;
    int height_;
    std::vector<double> values_;
    bool is_eight_;
};

Labels answer(const Watershed& op, const Image& picture) {
    const Image grey = picture.channels() < 3 ? picture : whole(Gray{}, picture);
    const int width = picture.width();
    std::vector<double> values;
    std::vector<bool> is_masked;
    Labels markers;
    for (int i = 0; i < width * picture.height(); ++i) {
        const bool hides = is_hidden(picture, i % width, i / width);
        const double value = grey.at(i % width, i / width, 0);
        values.push_back(std::isnan(value) || hides ? std::numeric_limits<double>::infinity() : value);
        is_masked.push_back(!hides && (!op.mask.image || op.mask.image->at(i % width, i / width, 0) != 0));
        markers.push_back(
            op.markers.image ? static_cast<std::uint32_t>(op.markers.image->at(i % width, i / width, 0)) : 0);
    }
    const Naive naive(width, picture.height(), values, op.connectivity == Connectivity::eight);
    if (!op.markers.image) {
        markers = naive.minima(is_masked);
    }
    for (std::size_t i = 0; i < markers.size(); ++i) {
        markers[i] = is_masked[i] ? markers[i] : dry;
    }
    return naive.flooded(markers);
}

Labels labels_of(const Image& image) {
    Labels labels;
    for (int i = 0; i < image.width() * image.height(); ++i) {
        labels.push_back(static_cast<std::uint32_t>(image.at(i % image.width(), i / image.width(), 0)));
    }
    return labels;
}

Image in_bands(const Watershed& op, const Image& image, int rows) {
    const SweepPlan sweeps =
        in_bands_of(rows, std::get<BySweeps>(plan(op, image.form()).work.cutting).plan(image.form()));
    ImageRows result(sweeps.sweeps.back().makes.value());
    run_sweeps(gpu(), sweeps, rows_of(image), &result);
    result.finish();
    return std::move(result.image());
}

Labels array_in_bands(const Watershed& op, const Image& image, int rows) {
    const SweepPlan plan = in_bands_of(rows, labels_plan(op, image.form()));
    ArrayRows result(plan.array.value());
    run_sweeps(gpu(), plan, rows_of(image), &result);
    result.finish();
    Labels labels(result.array().bytes.size() / sizeof(std::uint32_t));
    std::memcpy(labels.data(), result.array().bytes.data(), result.array().bytes.size());
    return labels;
}

void check(Watershed op, const Image& image) {
    for (const Connectivity connectivity : {Connectivity::four, Connectivity::eight}) {
        op.connectivity = connectivity;
        const Labels right = answer(op, image);
        for (const WatershedMethod method : {WatershedMethod::levels, WatershedMethod::cpu}) {
            op.method = method;
            INFO(describe(image) << ", " << name_of(connectivity) << " neighbours, method "
                                 << name_of(method));
            CHECK(labels_of(whole(op, image)) == right);
        }
        op.method = WatershedMethod::automatic;
        for (const int rows : {1, 2, 7, 64}) {
            CHECK(labels_of(in_bands(op, image, rows)) == right);
        }
        CHECK(array_in_bands(op, image, 5) == right);
    }
}

/// Few different values, so that there are plateaus.
Image terraces(const Form& form, int steps, std::uint32_t seed) {
    Image image = random_image(form, seed);
    for (int y = 0; y < form.height; ++y) {
        for (int x = 0; x < form.width; ++x) {
            for (int c = 0; c < form.channels; ++c) {
                const double value = std::floor(image.at(x, y, c) / max_code(form.depth) * (steps + 1));
                set_value(image, x, y, c, std::min<double>(value, steps) / 255);
            }
        }
    }
    return image;
}

/// Numbers in some pixels, the same one several times.
std::shared_ptr<const Image> random_markers(const Form& form, std::uint32_t seed, int most) {
    auto image = std::make_shared<Image>(form.width, form.height, 1, Depth::u16);
    for (int y = 0; y < form.height; ++y) {
        for (int x = 0; x < form.width; ++x) {
            const auto column = static_cast<std::uint32_t>(x);
            const auto row = static_cast<std::uint32_t>(y);
            const double number =
                hash_01(seed, column, row) < 0.03 ? 1 + std::floor(hash_01(seed, row, column, 1) * most) : 0;
            image->values<std::uint16_t>()[static_cast<std::size_t>(y * form.width + x)] =
                static_cast<std::uint16_t>(number);
        }
    }
    return image;
}

Mask discs(int width, int height, const std::vector<std::array<int, 3>>& circles) {
    Mask mask{"discs", width, height, {}};
    for (int y = 0; y < height; ++y) {
        for (int x = 0; x < width; ++x) {
            mask.pixels.push_back(std::any_of(circles.begin(), circles.end(),
                                              [&](const auto& c) {
                                                  return (x - c[0]) * (x - c[0]) + (y - c[1]) * (y - c[1]) <=
                                                         c[2] * c[2];
                                              })
                                      ? 255
                                      : 0);
        }
    }
    return mask;
}

} // namespace

TEST_CASE("watershed: minima of noise, plateaus and all kinds of images") {
    std::uint32_t seed = 1;
    for (const Depth depth : {Depth::u8, Depth::u16, Depth::f32}) {
        for (int channels = 1; channels <= 4; ++channels) {
            check({}, terraces({33, 21, channels, depth}, 4, seed));
            check({}, random_image({29, 17, channels, depth}, seed++, FloatRange::wide));
        }
    }
    check({}, constant_image({12, 9, 1, Depth::u8}, 0.5));
}

TEST_CASE("watershed: awkward sizes and hostile masks") {
    for (const Size& size : awkward_sizes()) {
        if (size.width * size.height <= 300) {
            check({}, terraces({size.width, size.height, 1, Depth::u8}, 5, 7));
        }
    }
    for (const Mask& mask : hostile_masks(31, 19)) {
        INFO(mask.name);
        check({}, mask.image());
    }
}

TEST_CASE("watershed: given markers and masks") {
    for (std::uint32_t seed = 1; seed <= 14; ++seed) {
        const Form form{37, 23, 1, seed % 2 == 0 ? Depth::f32 : Depth::u8};
        const auto markers = random_markers(form, seed, seed % 3 == 0 ? 3 : 4000);
        const auto mask = std::make_shared<const Image>(seed % 2 == 0 ? photo_like_image(form, seed)
                                                                      : random_mask(seed, 37, 23).image());
        const Image picture = terraces(form, 6, seed + 100);
        check({.markers = {"", markers}}, picture);
        if (mask->form().width == 37 && mask->form().height == 23) {
            check({.markers = {"", markers}, .mask = {"", mask}}, picture);
            check({.mask = {"", mask}}, picture);
        }
    }
    const Form form{20, 20, 1, Depth::u8};
    const auto none = std::make_shared<const Image>(form);
    CHECK(labels_of(whole(Watershed{.markers = {"", none}}, random_image(form))) == Labels(400));
    CHECK(labels_of(whole(Watershed{.mask = {"", none}}, random_image(form))) == Labels(400));
}

TEST_CASE("watershed: NaN is as high as infinity") {
    Image picture = random_image({23, 15, 1, Depth::f32}, 3);
    for (int i = 0; i < 15; ++i) {
        picture.values<float>()[static_cast<std::size_t>(i * 23 + i)] =
            std::numeric_limits<float>::quiet_NaN();
        picture.values<float>()[static_cast<std::size_t>(i * 23 + 20)] =
            std::numeric_limits<float>::infinity();
    }
    check({}, picture);
}

TEST_CASE("watershed: lines part all regions, at corners, too") {
    const Image picture = terraces({51, 40, 1, Depth::u8}, 30, 5);
    const Labels all = labels_of(whole(Watershed{}, picture));
    const Labels parted = labels_of(whole(Watershed{.lines = true}, picture));
    const Image mask = whole(Watershed{.output = WatershedOutput::mask}, picture);
    for (int y = 0; y < 40; ++y) {
        for (int x = 0; x < 51; ++x) {
            const auto at = [&](const Labels& labels, int u, int v) {
                return u < 0 || v < 0 || u >= 51 || v >= 40 ? 0
                                                            : labels[static_cast<std::size_t>(v * 51 + u)];
            };
            std::uint32_t largest = 0;
            for (int i = 0; i < 9; ++i) {
                largest = std::max(largest, at(all, x - 1 + i % 3, y - 1 + i / 3));
            }
            const std::uint32_t right = largest > at(all, x, y) ? 0 : at(all, x, y);
            REQUIRE(at(parted, x, y) == right);
            REQUIRE((mask.at(x, y, 0) == 255) == (right != 0));
        }
    }
}

TEST_CASE("watershed: split parts discs that overlap, and nothing else") {
    const Mask mask = discs(90, 60, {{20, 30, 13}, {40, 30, 13}, {60, 30, 13}, {80, 8, 5}});
    const auto objects = [](const Image& image) {
        Mask found{"", image.width(), image.height(), {}};
        for (const std::uint8_t value : image.values<std::uint8_t>()) {
            found.pixels.push_back(value);
        }
        return reference_components(found, Connectivity::eight).table.size();
    };
    CHECK(objects(mask.image()) == 2);
    const Image split = whole(Watershed{.split = true}, mask.image());
    CHECK(split.form() == Form{90, 60, 1, Depth::u8});
    CHECK(objects(split) == 4);
    for (const int rows : {1, 2, 7, 64}) {
        CHECK_THAT(in_bands({.split = true}, mask.image(), rows), IsBitwise(split));
    }
    CHECK(objects(whole(Watershed{.prominence = Level(30.0), .split = true}, mask.image())) == 2);
    const Image labels = whole(Watershed{.split = true, .output = WatershedOutput::labels}, mask.image());
    const Labels numbers = labels_of(labels);
    CHECK(std::set<std::uint32_t>(numbers.begin(), numbers.end()) == std::set<std::uint32_t>{0, 1, 2, 3, 4});
    for (std::size_t i = 0; i < numbers.size(); ++i) {
        REQUIRE((numbers[i] != 0) == (mask.pixels[i] != 0)); // without lines no pixel is lost
    }
}

TEST_CASE("watershed: split loses no object of hostile and random masks") {
    std::vector<Mask> masks = hostile_masks(57, 34);
    for (std::uint32_t seed = 1; seed <= 25; ++seed) {
        masks.push_back(random_mask(seed, 60, 40));
    }
    for (const Mask& mask : masks) {
        for (const double prominence : {0.5, 1.0, 5.0}) {
            INFO(mask.name << ", prominence " << prominence);
            Watershed op{.prominence = Level(prominence), .split = true, .output = WatershedOutput::labels};
            const Image labels = whole(op, mask.image());
            for (std::size_t i = 0; i < mask.pixels.size(); ++i) {
                REQUIRE((labels.values<std::uint16_t>()[i] != 0) == (mask.pixels[i] != 0));
            }
            op.method = WatershedMethod::cpu;
            CHECK_THAT(whole(op, mask.image()), IsBitwise(labels));
        }
    }
}

TEST_CASE("watershed: prominence leaves the deeper of two minima") {
    Image picture(9, 1, 1, Depth::u8);
    constexpr std::array values{9, 5, 7, 2, 9, 9, 3, 8, 8};
    for (int x = 0; x < 9; ++x) {
        picture.values<std::uint8_t>()[static_cast<std::size_t>(x)] =
            static_cast<std::uint8_t>(values[static_cast<std::size_t>(x)]);
    }
    const auto regions = [&](double codes) {
        return labels_of(whole(Watershed{.prominence = Level(codes / 255, true)}, picture));
    };
    CHECK(labels_of(whole(Watershed{}, picture)) == Labels{1, 1, 2, 2, 2, 3, 3, 3, 3});
    CHECK(regions(2) == Labels{1, 1, 2, 2, 2, 3, 3, 3, 3});
    CHECK(regions(2.1) == Labels{1, 1, 1, 1, 1, 2, 2, 2, 2});
    CHECK(regions(6.1) == Labels{1, 1, 1, 1, 1, 1, 1, 1, 1});
    CHECK(regions(100) == Labels{1, 1, 1, 1, 1, 1, 1, 1, 1});
}

TEST_CASE("watershed: calls that contradict themselves are refused") {
    const Form form{9, 9, 1, Depth::u8};
    const auto other = std::make_shared<const Image>(Form{8, 9, 1, Depth::u8});
    CHECK_THROWS_AS(plan(Watershed{.markers = {"", other}}, form), Error);
    CHECK_THROWS_AS(plan(Watershed{.mask = {"", other}}, form), Error);
    CHECK_THROWS_AS(plan(Watershed{.prominence = Level(-1.0)}, form), Error);
    CHECK_THROWS_AS(plan(Watershed{.mask = {"m.png", {}}, .split = true}, form), Error);
    CHECK_THROWS_AS(plan(Watershed{.markers = {"m.png", {}}, .prominence = Level(0.5)}, form), Error);
    CHECK_THROWS_AS(labels_plan(Watershed{.output = WatershedOutput::mask}, form), Error);
}
