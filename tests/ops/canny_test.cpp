#include "glproc/ops/canny.hpp"

#include "glproc/files/memory_rows.hpp"
#include "support/catch.hpp"
#include "support/fixture.hpp"
#include "support/hidden.hpp"
#include "support/inputs.hpp"
#include "support/matchers.hpp"
#include "support/tiled.hpp"

#include <array>
#include <cmath>
#include <functional>
#include <limits>
#include <vector>

using namespace glproc;
using namespace glproc::test;

namespace {

/// A picture of one value a pixel, by its place; the edge is repeated.
template <class Value>
struct Plane {
    int width;
    int height;
    std::vector<Value> values;

    Value at(int x, int y) const {
        return values[static_cast<std::size_t>(std::clamp(y, 0, height - 1) * width +
                                               std::clamp(x, 0, width - 1))];
    }
    Value inside(int x, int y) const { return x < 0 || y < 0 || x >= width || y >= height ? 0 : at(x, y); }
};

template <class Value>
Plane<Value> made(int width, int height, const std::function<Value(int x, int y)>& value) {
    Plane<Value> plane{width, height, {}};
    for (int y = 0; y < height; ++y) {
        for (int x = 0; x < width; ++x) {
            plane.values.push_back(value(x, y));
        }
    }
    return plane;
}

template <class Value>
Plane<Value> smoothed(const Plane<Value>& plane, double sigma, bool is_across) {
    const int reach = static_cast<int>(4 * sigma + 0.5);
    double all = 0;
    for (int k = -reach; k <= reach; ++k) {
        all += std::exp(-k * k / (2 * sigma * sigma));
    }
    return made<Value>(plane.width, plane.height, [&](int x, int y) {
        float sum = 0;
        for (int k = -reach; k <= reach; ++k) {
            const auto tap = static_cast<float>(std::exp(-k * k / (2 * sigma * sigma)) / all);
            sum += tap * static_cast<float>(is_across ? plane.at(x + k, y) : plane.at(x, y + k));
        }
        return static_cast<Value>(sum);
    });
}

/// The definition, from a whole picture; Value is int as in OpenCV, or float.
template <class Value>
Image naive(const Canny& op, const Image& given) {
    const Image image = with_hidden_filled(given, 2 + (op.sigma >= 0.125 ? static_cast<int>(4 * op.sigma + 0.5) : 0));
    const int width = image.width();
    const int height = image.height();
    Plane<Value> x_of = made<Value>(width, height, [](int, int) { return Value{0}; });
    Plane<Value> y_of = x_of;
    Plane<Value> size = made<Value>(width, height, [](int, int) { return Value{-1}; });
    for (int c = image.channels() < 3 ? 0 : 2; c >= 0; --c) {
        Plane<Value> v =
            made<Value>(width, height, [&](int x, int y) { return static_cast<Value>(image.at(x, y, c)); });
        if (op.sigma >= 0.125) {
            v = smoothed(smoothed(v, op.sigma, true), op.sigma, false);
        }
        for (int y = 0; y < height; ++y) {
            for (int x = 0; x < width; ++x) {
                const Value gx = (v.at(x + 1, y - 1) + v.at(x + 1, y + 1) + 2 * v.at(x + 1, y)) -
                                 (v.at(x - 1, y - 1) + v.at(x - 1, y + 1) + 2 * v.at(x - 1, y));
                const Value gy = (v.at(x - 1, y + 1) + v.at(x + 1, y + 1) + 2 * v.at(x, y + 1)) -
                                 (v.at(x - 1, y - 1) + v.at(x + 1, y - 1) + 2 * v.at(x, y - 1));
                Value g = op.norm == CannyNorm::l1 ? std::abs(gx) + std::abs(gy) : gx * gx + gy * gy;
                g = std::isfinite(static_cast<double>(g)) ? g : 0;
                const auto i = static_cast<std::size_t>(y * width + x);
                if (g > size.values[i]) {
                    size.values[i] = g;
                    x_of.values[i] = gx;
                    y_of.values[i] = gy;
                }
            }
        }
    }
    const auto threshold = [&](double t) {
        t = op.norm == CannyNorm::l2 ? std::min(t, 32767.0) : t;
        t *= image.depth() == Depth::u16 ? 257 : image.depth() == Depth::f32 ? 1 / 255.0 : 1;
        return static_cast<double>(static_cast<float>(op.norm == CannyNorm::l2 ? t * t : t));
    };
    const auto is_candidate = [&](int x, int y) {
        const Value s = size.at(x, y);
        const Value gx = std::abs(x_of.at(x, y));
        const Value gy = std::abs(y_of.at(x, y));
        const bool whole = std::is_same_v<Value, int>;
        const auto tan = static_cast<float>(13573 / 32768.0);
        const auto steep = static_cast<float>(static_cast<float>(gx) * tan + 2 * static_cast<float>(gx));
        const bool flat = whole ? double(gy) * 32768 < double(gx) * 13573
                                : static_cast<float>(gy) < static_cast<float>(gx) * tan;
        const bool upright =
            whole ? double(gy) * 32768 > double(gx) * (13573 + 65536) : static_cast<float>(gy) > steep;
        if (flat) {
            return s > size.inside(x - 1, y) && s >= size.inside(x + 1, y);
        }
        if (upright) {
            return s > size.inside(x, y - 1) && s >= size.inside(x, y + 1);
        }
        const int to = (x_of.at(x, y) < 0) != (y_of.at(x, y) < 0) ? -1 : 1;
        return s > size.inside(x - to, y - 1) && s > size.inside(x + to, y + 1);
    };
    Image result(width, height, 1, Depth::u8);
    std::vector<std::pair<int, int>> open;
    const auto set = [&](int x, int y) {
        set_value(result, x, y, 0, 1);
        open.emplace_back(x, y);
    };
    const double low = threshold(std::min(op.low, op.high));
    for (int y = 0; y < height; ++y) {
        for (int x = 0; x < width; ++x) {
            if (size.at(x, y) > std::max(low, threshold(std::max(op.low, op.high))) && is_candidate(x, y)) {
                set(x, y);
            }
        }
    }
    while (!open.empty()) {
        const auto [px, py] = open.back();
        open.pop_back();
        for (int k = 0; k < 9; ++k) {
            const int x = px + k % 3 - 1;
            const int y = py + k / 3 - 1;
            const bool inside = x >= 0 && y >= 0 && x < width && y < height;
            if (inside && result.at(x, y, 0) == 0 && size.at(x, y) > low && is_candidate(x, y)) {
                set(x, y);
            }
        }
    }
    return result;
}

Image right_answer(const Canny& op, const Image& image) {
    return image.depth() == Depth::u8 && op.sigma < 0.125 ? naive<int>(op, image) : naive<float>(op, image);
}

Image in_bands(const Canny& op, const Image& image, int rows) {
    SweepPlan sweeps = std::get<BySweeps>(plan(op, image.form()).work.cutting).plan(image.form());
    sweeps.needs = [&, needs = sweeps.needs](Context& gpu) {
        TileNeeds few = needs(gpu);
        few.most_rows = rows + 2 * few.halo.y;
        return few;
    };
    ImageRows result({image.width(), image.height(), 1, Depth::u8});
    run_sweeps(gpu(), sweeps, rows_of(image), &result);
    result.finish();
    return std::move(result.image());
}

/// How many of its pixels are edges.
std::size_t check(const Canny& op, const Image& image) {
    const Image right = right_answer(op, image);
    for (const CannyMethod method : {CannyMethod::gpu, CannyMethod::cpu}) {
        Canny by = op;
        by.method = method;
        INFO(describe(image) << ", " << op.low << " and " << op.high << ", sigma " << op.sigma << ", "
                             << name_of(op.norm) << ", " << name_of(method));
        CHECK_THAT(whole(by, image), IsBitwise(right));
        for (const int rows : {1, 6, 32}) {
            INFO("bands of " << rows);
            CHECK_THAT(in_bands(by, image, rows), IsBitwise(right));
        }
    }
    const auto values = right.values<std::uint8_t>();
    return static_cast<std::size_t>(std::count(values.begin(), values.end(), 255));
}

const std::vector<Size> sizes{{1, 1}, {1, 9}, {33, 1}, {2, 2}, {31, 17}, {64, 16}, {97, 53}};

} // namespace

TEST_CASE("canny: every number of channels, size and kind of image of 8 bits") {
    std::size_t edges = 0;
    for (int channels = 1; channels <= 4; ++channels) {
        for (const Size& size : sizes) {
            const Shape shape{size.width, size.height, channels, Depth::u8};
            for (const CannyNorm norm : {CannyNorm::l1, CannyNorm::l2}) {
                edges += check({.norm = norm}, random_image(shape, 3));
                edges += check({.low = 30, .high = 70.5, .norm = norm}, photo_like_image(shape));
                edges +=
                    check({.low = 900, .high = 300, .norm = norm}, two_valued_image(shape, 0.25, 0.75, 5));
            }
        }
    }
    CHECK(edges > 1000);
}

TEST_CASE("canny: other depths, and with a Gaussian") {
    std::size_t edges = 0;
    for (const Depth depth : {Depth::u8, Depth::u16, Depth::f32}) {
        for (const int channels : {1, 2, 3, 4}) {
            for (const double sigma : {0.0, 0.05, 0.7, 2.0}) {
                const Shape shape{61, 40, channels, depth};
                const CannyNorm norm = channels % 2 == 0 ? CannyNorm::l2 : CannyNorm::l1;
                edges +=
                    check({.low = 20, .high = 50, .sigma = sigma, .norm = norm}, photo_like_image(shape, 2));
                edges +=
                    check({.low = 60, .high = 100, .sigma = sigma, .norm = norm}, random_image(shape, 9));
            }
        }
    }
    CHECK(edges > 1000);
}

TEST_CASE("canny: a weak line is kept over many bands if one of its ends is strong") {
    Image image(70, 90, 1, Depth::u8);
    for (int y = 0; y < image.height(); ++y) {
        for (int x = 0; x < image.width(); ++x) { // three lanes, the middle one turned upside down
            const int along = x / 24 == 1 ? image.height() - 1 - y : y;
            set_value(image, x, y, 0, x % 24 >= 12 ? (along > 80 && x < 48 ? 1.0 : 0.3) : 0.1);
        }
    }
    CHECK(check({.low = 150, .high = 600}, image) > 150);
}

TEST_CASE("canny: values that are not finite make no edges") {
    Image image = random_image({50, 40, 3, Depth::f32}, 4, FloatRange::wide);
    auto values = image.values<float>();
    for (std::size_t i = 0; i < values.size(); i += 197) {
        values[i] =
            i % 2 == 0 ? std::numeric_limits<float>::quiet_NaN() : std::numeric_limits<float>::infinity();
    }
    check({}, image);
    check({.sigma = 1, .norm = CannyNorm::l2}, image);
}

TEST_CASE("canny: rows too long for a texture") {
    const Image image = photo_like_image({400, 60, 3, Depth::u8});
    const Canny op{.low = 20, .high = 60};
    const Image right = right_answer(op, image);
    const ScopedLimits small("texture_size:16", plenty);
    CHECK_THAT(in_bands(op, image, 7), IsBitwise(right));
}

TEST_CASE("canny: what it refuses") {
    const Form form{8, 8, 1, Depth::u8};
    CHECK_THROWS_AS(plan(Canny{.low = -1}, form), Error);
    CHECK_THROWS_AS(plan(Canny{.high = std::numeric_limits<double>::quiet_NaN()}, form), Error);
    CHECK_THROWS_AS(plan(Canny{.sigma = 101}, form), Error);
}
