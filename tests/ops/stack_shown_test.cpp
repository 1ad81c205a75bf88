// Stacks of images with alpha beside a loop over the images that show something at a place.
#include "glproc/files/memory_rows.hpp"
#include "glproc/ops/stack.hpp"
#include "support/catch.hpp"
#include "support/fixture.hpp"
#include "support/hidden.hpp"
#include "support/inputs.hpp"
#include "support/matchers.hpp"

#include <algorithm>
#include <cmath>
#include <string>
#include <vector>

using namespace glproc;
using namespace glproc::test;

namespace {

struct Weighted {
    double value;
    double weight;
};

double mean_of(const std::vector<Weighted>& values) {
    double sum = 0;
    double weights = 0;
    for (const Weighted& one : values) {
        sum += one.weight * one.value;
        weights += one.weight;
    }
    return sum / weights;
}

double deviation_of(const std::vector<Weighted>& values) {
    const double mean = mean_of(values);
    std::vector<Weighted> squares = values;
    for (Weighted& one : squares) {
        one.value = (one.value - mean) * (one.value - mean);
    }
    return std::sqrt(mean_of(squares));
}

double measure(StackMeasure by, std::vector<Weighted> values) {
    if (values.empty()) {
        return 0;
    }
    std::ranges::sort(values, {}, &Weighted::value);
    const std::size_t half = values.size() / 2;
    switch (by) {
    case StackMeasure::median:
        return values.size() % 2 == 1 ? values[half].value : (values[half - 1].value + values[half].value) / 2;
    case StackMeasure::min:
        return values.front().value;
    case StackMeasure::max:
        return values.back().value;
    case StackMeasure::sum: {
        double sum = 0;
        for (const Weighted& one : values) {
            sum += one.value;
        }
        return sum;
    }
    case StackMeasure::stddev:
        return deviation_of(values);
    default:
        return mean_of(values);
    }
}

bool makes_floats(StackMeasure by) {
    return by == StackMeasure::sum || by == StackMeasure::stddev;
}

/// In code units, unrounded.
double answer(StackMeasure by, const std::vector<Image>& images, int x, int y, int c) {
    const int last = images.front().channels() - 1;
    std::vector<Weighted> values;
    for (const Image& image : images) {
        const double alpha = image.at(x, y, last);
        if (c == last) {
            values.push_back({alpha, 1});
        } else if (alpha != 0) {
            values.push_back({image.at(x, y, c), by == StackMeasure::mean ? alpha : 1});
        }
    }
    return measure(c == last && makes_floats(by) ? StackMeasure::mean : by, values);
}

std::vector<Image> images_of(const Shape& shape) {
    std::vector<Image> images;
    for (std::uint32_t k = 0; k < 5; ++k) {
        images.push_back(with_hidden_pixels(random_image(shape, 40 + k), 7 + k));
    }
    return images;
}

Image stacked(Stack op, const std::vector<Image>& images) {
    for (std::size_t k = 1; k < images.size(); ++k) {
        op.more.push_back(rows_of(images[k]));
    }
    const Form& form = images.front().form();
    const Image by_device = gpu().download(run_sweeps(gpu(), sweeps(op, form), gpu().upload(images.front())).picture.value());
    CHECK_THAT(image_by_processor(plan(op, form), images.front()), IsBitwise(by_device));
    return by_device;
}

} // namespace

TEST_CASE("stacks of images with alpha combine what shows at each place") {
    for (const Depth depth : {Depth::u8, Depth::u16, Depth::f32}) {
        for (const int channels : {2, 4}) {
            const std::vector<Image> images = images_of({23, 17, channels, depth});
            for (const StackMeasure by : {StackMeasure::mean, StackMeasure::median, StackMeasure::min, StackMeasure::max,
                                          StackMeasure::sum, StackMeasure::stddev}) {
                const Image got = stacked({.by = {by}}, images);
                INFO(name_of(by) << " of " << describe(images.front()));
                double worst = 0;
                for (int y = 0; y < 17; ++y) {
                    for (int x = 0; x < 23; ++x) {
                        for (int c = 0; c < channels; ++c) {
                            const double code = answer(by, images, x, y, c);
                            const double wanted = makes_floats(by) ? code / max_code(depth)
                                                  : depth == Depth::f32 ? code
                                                                        : std::nearbyint(code);
                            worst = std::max(worst, std::abs(got.at(x, y, c) - wanted));
                        }
                    }
                }
                CHECK(worst <= (got.depth() == Depth::f32 ? 3e-7 * 5 : 0));
            }
        }
    }
}

TEST_CASE("opaque images with alpha stack as those without it") {
    std::vector<Image> opaque;
    std::vector<Image> plain;
    for (std::uint32_t k = 0; k < 4; ++k) {
        plain.push_back(random_image({31, 9, 3, Depth::u8}, k));
        Image image(31, 9, 4, Depth::u8);
        for (int y = 0; y < 9; ++y) {
            for (int x = 0; x < 31; ++x) {
                for (int c = 0; c < 4; ++c) {
                    set_value(image, x, y, c, c == 3 ? 1 : plain.back().at(x, y, c) / 255);
                }
            }
        }
        opaque.push_back(image);
    }
    for (const Stack& op : {Stack{.by = {StackMeasure::mean}}, Stack{.by = {StackMeasure::mean}, .weights = {1, 2, 3, 0.5}},
                            Stack{.by = {StackMeasure::percentile, 30}}, Stack{.by = {StackMeasure::clip, 1}},
                            Stack{.by = {StackMeasure::stddev}}, Stack{.by = {StackMeasure::sum}, .weights = {1, -2, 3, 0.5}}}) {
        const Image with_alpha = stacked(op, opaque);
        const Image without = stacked(op, plain);
        INFO(FieldText<StackBy>::print(op.by));
        for (int y = 0; y < 9; ++y) {
            for (int x = 0; x < 31; ++x) {
                CHECK(with_alpha.at(x, y, 3) == max_code(with_alpha.depth()));
                for (int c = 0; c < 3; ++c) {
                    REQUIRE(with_alpha.at(x, y, c) == without.at(x, y, c));
                }
            }
        }
    }
}
