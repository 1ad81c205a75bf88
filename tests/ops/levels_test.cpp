#include "glproc/ops/levels.hpp"

#include "support/hidden.hpp"
#include "support/operation_cases.hpp"
#include "support/warnings.hpp"

#include <algorithm>
#include <cmath>

using namespace glproc;
using namespace glproc::test;

namespace {

double level(const Levels& op, double v) {
    const double share = (v - op.black) / (op.white - op.black);
    const double clamped = share < 0 ? 0 : share > 1 ? 1 : share;
    return op.out_black + (op.out_white - op.out_black) * std::pow(clamped, 1 / op.gamma);
}

const std::vector<Levels>& cases() {
    static const std::vector<Levels> all{
        {},
        {.black = 0.1, .white = 0.9},
        {.gamma = 2.2},
        {.black = 0.2, .white = 0.7, .gamma = 0.45, .out_black = 0.1, .out_white = 0.8},
        {.black = -0.5, .white = 1.75, .gamma = 1.7, .out_black = 1, .out_white = 0},
        {.black = 0.5, .white = 0.501}, // a gain of 1000
        {.gamma = 0.1},
        {.gamma = 10},
    };
    return all;
}

} // namespace

TEST_CASE("levels stretches the values between black and white, and keeps alpha") {
    for (const Size& size : {Size{1, 1}, Size{1, 19}, Size{37, 1}, Size{61, 47}}) {
        for (const Shape& shape : all_kinds(size)) {
            for (const Levels& op : cases()) {
                if (shape.depth != Depth::f32 && double(op.black) < 0) {
                    continue; // refused
                }
                const Image image = random_image(shape, 51, FloatRange::wide);
                const auto answer = point_reference(image, shape.channels, shape.depth, [&](const auto& v) {
                    return std::array{level(op, v[0]), level(op, v[1]), level(op, v[2]), v[3]};
                });
                INFO("black " << op.black << " white " << op.white << " gamma " << op.gamma);
                check_operation(op, image, answer);
            }
        }
    }
}

TEST_CASE("levels changes the channels that it is given") {
    for (const std::string letters : {"r", "g", "ab", "rgba"}) {
        const auto has = [&](char letter) { return letters.find(letter) != std::string::npos; };
        for (const Shape& shape : all_kinds({31, 17})) {
            const Levels op{.black = 0.25, .white = 0.5, .out_black = 0.125, .channels = {letters}};
            const Image image = random_image(shape, 52);
            const bool grey = shape.channels < 3;
            const bool has_colour = has('r') || has('g') || has('b');
            const auto at = [&](double v, bool is) { return is ? level(op, v) : v; };
            const auto answer = point_reference(image, shape.channels, shape.depth, [&](const auto& v) {
                return std::array{at(v[0], grey ? has_colour : has('r')), at(v[1], has('g')),
                                  at(v[2], has('b')), at(v[3], has('a'))};
            });
            INFO("channels " << letters);
            check_operation(op, image, answer);
        }
    }
}

TEST_CASE("levels: black is more than a float where the range is narrow") {
    const Levels op{.black = 0.3, .white = 0.3001};
    Image image(101, 1, 1, Depth::f32);
    for (int x = 0; x < image.width(); ++x) {
        image.values<float>()[static_cast<std::size_t>(x)] = static_cast<float>(0.3 + x * 1e-6);
    }
    const Image result = whole(op, image);
    for (int x = 0; x < image.width(); ++x) {
        INFO("at " << x);
        CHECK(std::abs(result.at(x, 0, 0) - level(op, image.at(x, 0, 0))) <= 1e-6);
    }
}

TEST_CASE("levels of floats that are no numbers or endless") {
    Image image(3, 1, 1, Depth::f32);
    const float inf = std::numeric_limits<float>::infinity();
    const std::array<float, 3> values{std::nanf(""), inf, -inf};
    std::copy(values.begin(), values.end(), image.values<float>().begin());
    for (const double gamma : {1.0, 2.0}) {
        for (const PointMethod method : {PointMethod::gpu, PointMethod::cpu}) {
            const Image result = whole(Levels{.gamma = gamma, .out_white = 2, .method = method}, image);
            CHECK(std::isnan(result.at(0, 0, 0)));
            CHECK(result.at(1, 0, 0) == 2);
            CHECK(result.at(2, 0, 0) == 0);
        }
    }
}

TEST_CASE("levels refuses a white that is not above black, and values that are no numbers") {
    const Form form{4, 4, 3, Depth::u8};
    CHECK_THROWS_AS(plan(Levels{.black = 0.5, .white = 0.5}, form), Error);
    CHECK_THROWS_AS(plan(Levels{.black = 1, .white = 0}, form), Error);
    CHECK_THROWS_AS(plan(Levels{.black = std::nan("")}, form), Error);
    CHECK_THROWS_AS(plan(Levels{.gamma = 0}, form), Error);
    CHECK_THROWS_AS(plan(Levels{.gamma = -1}, form), Error);
    const FieldContext context{"channels", "", {}};
    CHECK(FieldText<ChannelNames>::parse(context, "bra").letters == "bra");
    CHECK_THROWS_AS(FieldText<ChannelNames>::parse(context, "rr"), Error);
    CHECK(FieldText<ChannelNames>::parse(context, "r,g").letters == "rg");
    CHECK_THROWS_AS(FieldText<ChannelNames>::parse(context, "luma"), Error);
}

namespace {

/// What black and white become by sorting: the bins of all pixels that count, in order.
struct Sorted {
    std::vector<std::uint64_t> bins;
    double bin = 1;
    bool has_width = false;

    std::array<double, 2> ends(std::size_t clipped, double full) const {
        if (bins.size() <= clipped || bins[clipped] >= bins[bins.size() - 1 - clipped]) {
            return {0, 1};
        }
        const std::uint64_t white = bins[bins.size() - 1 - clipped] + (has_width ? 1 : 0);
        return {static_cast<double>(bins[clipped]) / full, static_cast<double>(white) / full};
    }
};

/// `channel` -1 is luma, in whole numbers; of floats it is grey only.
Sorted sorted_bins(const Image& image, int channel) {
    Sorted sorted;
    const bool has_floats = image.depth() == Depth::f32;
    const auto full = has_floats ? 1 : static_cast<std::uint64_t>(max_code(image.depth()));
    sorted.has_width = has_floats;
    for (int y = 0; y < image.height(); ++y) {
        for (int x = 0; x < image.width(); ++x) {
            if (image.has_alpha() && image.at(x, y, image.channels() - 1) == 0) {
                continue; // it cannot be seen
            }
            const bool grey = image.channels() < 3;
            const auto value = [&](int c) { return image.at(x, y, grey ? 0 : c); };
            if (has_floats) {
                const double v = value(std::max(channel, 0));
                if (v >= 0 && v <= 1) {
                    sorted.bins.push_back(
                        std::min<std::uint64_t>(static_cast<std::uint64_t>(v * 65536), 65535));
                }
                continue;
            }
            const auto code = [&](int c) { return static_cast<std::uint64_t>(value(c)); };
            const std::uint64_t number =
                channel < 0 ? 2126 * code(0) + 7152 * code(1) + 722 * code(2) : 10000 * code(channel);
            sorted.bins.push_back(std::min(number * (full + 1) / (10000 * full), full));
        }
    }
    std::sort(sorted.bins.begin(), sorted.bins.end());
    return sorted;
}

void check_auto(const Levels& op, const Image& image) {
    const bool apart = op.per_channel && image.channels() >= 3;
    const double unit = image.depth() == Depth::f32 ? 65536 : max_code(image.depth());
    std::array<Levels, 3> each{op, op, op};
    for (int c = 0; c < 3; ++c) {
        const Sorted sorted = sorted_bins(image, apart ? c : -1);
        const auto clipped = static_cast<std::size_t>(static_cast<double>(sorted.bins.size()) * *op.clip / 100);
        const auto ends = sorted.ends(clipped, unit);
        each[static_cast<std::size_t>(c)].black = ends[0];
        each[static_cast<std::size_t>(c)].white = ends[1];
    }
    const auto answer = point_reference(image, image.channels(), image.depth(), [&](const auto& v) {
        return std::array{level(each[0], v[0]), level(each[1], v[1]), level(each[2], v[2]), v[3]};
    });
    INFO("auto " << *op.clip << (op.per_channel ? " per channel" : ""));
    check_operation(op, image, answer);
}

/// Noise between 0.2 and 0.7, so that there is something to stretch.
Image dull_image(const Shape& shape, std::uint32_t seed) {
    Image image = random_image(shape, seed);
    for (int y = 0; y < shape.height; ++y) {
        for (int x = 0; x < shape.width; ++x) {
            for (int c = 0; c < shape.channels; ++c) {
                set_value(image, x, y, c, 0.2 + 0.1 * c + 0.3 * image.at(x, y, c) / max_code(shape.depth));
            }
        }
    }
    return image;
}

} // namespace

TEST_CASE("levels finds black and white by the histogram") {
    for (const Size& size : {Size{1, 1}, Size{1, 19}, Size{37, 1}, Size{61, 47}}) {
        for (const Shape& shape : all_kinds(size)) {
            const Image seen = dull_image(shape, 53);
            for (const double percent : {0.0, 0.1, 7.5, 50.0}) {
                for (const Image& image : {seen, with_hidden_pixels(seen, 3)}) {
                    check_auto({.clip = percent, .per_channel = true}, image);
                    if (shape.depth != Depth::f32 ||
                        shape.channels < 3) { // luma of floats is a rounded sum: below
                        check_auto({.gamma = 1.5, .clip = percent}, image);
                    }
                }
            }
        }
    }
    CHECK(gpu_warnings() == std::vector<std::string>()); // no kernel was wrong and another method right
}

TEST_CASE("levels by the luma of floats is the same on the GPU and on the CPU, whole and in tiles") {
    const Image image = with_hidden_pixels(dull_image({61, 47, 4, Depth::f32}, 54));
    const Levels op{.clip = 2};
    const Image on_cpu = whole(Levels{.clip = 2, .method = PointMethod::cpu}, image);
    const auto answer = point_reference(on_cpu, 4, Depth::f32, [](const auto& v) { return v; });
    check_operation(op, image, answer);
}

TEST_CASE("levels leaves a picture of one value as it is") {
    for (const Shape& shape : all_kinds({19, 7})) {
        const Image image = constant_image(shape, 0.25);
        CHECK_THAT(whole(Levels{.clip = 1}, image), IsBitwise(image));
        CHECK_THAT(whole(Levels{.clip = 1, .per_channel = true}, image), IsBitwise(image));
    }
}

TEST_CASE("levels by the histogram of floats beyond 0 to 1 look at their own range") {
    Image image(7, 1, 1, Depth::f32);
    const float inf = std::numeric_limits<float>::infinity();
    const std::array<float, 7> values{std::nanf(""), inf, -inf, -3, 20, 0.25, 0.75};
    std::copy(values.begin(), values.end(), image.values<float>().begin());
    for (const PointMethod method : {PointMethod::gpu, PointMethod::cpu}) {
        const Image result = whole(Levels{.clip = 0, .method = method}, image);
        CHECK(std::isnan(result.at(0, 0, 0)));
        CHECK(result.at(1, 0, 0) == 1);
        CHECK(result.at(2, 0, 0) == 0);
        CHECK(result.at(3, 0, 0) == 0);
        CHECK(result.at(4, 0, 0) == 1);
        CHECK(std::abs(result.at(5, 0, 0) - 3.25 / 23) < 1e-4); // of -3 to 20
        CHECK(std::abs(result.at(6, 0, 0) - 3.75 / 23) < 1e-4);
    }
}

TEST_CASE("levels refuses to find black and white that are given") {
    const Form form{4, 4, 3, Depth::u8};
    CHECK_THROWS_AS(plan(Levels{.black = 0.1, .clip = 1}, form), Error);
    CHECK_THROWS_AS(plan(Levels{.clip = 51}, form), Error);
    CHECK_THROWS_AS(plan(Levels{.clip = -1}, form), Error);
}
