#include "glproc/ops/sobel.hpp"

#include "support/operation_cases.hpp"

#include <cmath>

using namespace glproc;
using namespace glproc::test;

namespace {

using Around = std::function<double(int, int)>;

/// As a table of weights, which is how the operators are printed in books.
double convolved(const Around& near, const std::array<std::array<double, 3>, 3>& weights) {
    double sum = 0;
    for (int dy = -1; dy <= 1; ++dy) {
        for (int dx = -1; dx <= 1; ++dx) {
            sum += weights[static_cast<std::size_t>(dy + 1)][static_cast<std::size_t>(dx + 1)] * near(dx, dy);
        }
    }
    return sum;
}

double gradient(const Sobel& op, const Around& near) {
    const double a = op.kernel == GradientOperator::scharr ? 3 : 1;
    const double b = op.kernel == GradientOperator::scharr  ? 10
                     : op.kernel == GradientOperator::sobel ? 2
                                                            : 1;
    const double x = convolved(near, {{{-a, 0, a}, {-b, 0, b}, {-a, 0, a}}});
    const double y = convolved(near, {{{-a, -b, -a}, {0, 0, 0}, {a, b, a}}});
    switch (op.output) {
    case GradientOutput::magnitude:
        return op.scale * std::sqrt(x * x + y * y);
    case GradientOutput::x:
        return op.scale * x;
    case GradientOutput::y:
        return op.scale * y;
    case GradientOutput::angle:
        return std::atan2(y, x);
    }
    return 0;
}

void check(const Sobel& op, const Image& image) {
    const bool is_signed = op.output != GradientOutput::magnitude;
    const Depth depth = is_signed ? Depth::f32 : image.depth();
    const double unit = op.output == GradientOutput::angle ? 1 : max_code(depth) / max_code(image.depth());
    INFO(FieldText<GradientOperator>::print(op.kernel) << " " << FieldText<GradientOutput>::print(op.output));
    // Sums of floats are rounded: an angle is off by that error by the length of the gradient, which may be
    // short.
    const bool is_uncertain = op.output == GradientOutput::angle && image.depth() == Depth::f32;
    check_operation(op, image,
                    stencil_reference(image, op.border, depth,
                                      [&](const Around& near) { return unit * gradient(op, near); }),
                    is_uncertain ? Tolerance{1e-4} : Tolerance{});
}

} // namespace

TEST_CASE("every operator and part of the gradient, at every depth") {
    for (const auto& kernel : enum_rows<GradientOperator>) {
        for (const auto& output : enum_rows<GradientOutput>) {
            for (const Shape& shape :
                 {Shape{31, 23, 1, Depth::u8}, Shape{31, 23, 4, Depth::u16}, Shape{31, 23, 3, Depth::f32}}) {
                check({.kernel = kernel.value, .output = output.value, .scale = 0.25},
                      random_image(shape, 5));
            }
        }
    }
}

TEST_CASE("the magnitude of every kind of picture at awkward sizes and borders") {
    for (const Size& size : {Size{1, 1}, Size{1, 17}, Size{19, 1}, Size{2, 3}, Size{67, 41}}) {
        for (const Shape& shape : all_kinds(size)) {
            check({.scale = 0.3}, random_image(shape, 6));
        }
        for (const BorderMode mode : {BorderMode::mirror, BorderMode::symmetric, BorderMode::wrap}) {
            for (const int channels : {1, 3, 4}) {
                check({.scale = 0.3, .border = mode},
                      random_image({size.width, size.height, channels, Depth::u8}, 6));
            }
        }
    }
    for (const Shape& shape :
         {Shape{21, 13, 2, Depth::u8}, Shape{21, 13, 3, Depth::u16}, Shape{21, 13, 4, Depth::f32}}) {
        check({.border = {BorderMode::constant, 0.5}}, photo_like_image(shape));
    }
}

TEST_CASE("a constant picture has no gradient, and black and white a clipped one") {
    const Image flat = constant_image({40, 40, 1, Depth::u8}, 0.4);
    CHECK_THAT(whole(Sobel{}, flat), IsBitwise(constant_image({40, 40, 1, Depth::u8}, 0)));
    check({}, two_valued_image({45, 33, 3, Depth::u8}));
    check({}, two_valued_image({45, 33, 3, Depth::u16}));
}

TEST_CASE(
    "a root that is some units in the last place off gives the same code of 8 bits where nothing scales it") {
    // PLAIN_ROOT of glsl/sobel.glsl: squares are whole numbers. Beyond 255 squared the code is 255.
    int off = 0;
    for (int squares = 0; squares < 66000; ++squares) {
        const auto code = static_cast<int>(std::nearbyint(std::min(std::sqrt(double(squares)), 255.0)));
        float root = std::sqrt(static_cast<float>(squares));
        for (int i = 0; i < 8; ++i) {
            root = std::nextafter(root, 0.0F);
        }
        for (int i = 0; i <= 16; ++i) {
            off += static_cast<int>(std::nearbyint(std::min(root, 255.0F))) == code ? 0 : 1;
            root = std::nextafter(root, 1000.0F);
        }
    }
    CHECK(off == 0);
}

TEST_CASE("a picture so wide that groups within it go by a program of their own") {
    for (const BorderMode mode : {BorderMode::clamp, BorderMode::wrap}) {
        check({.scale = 0.3, .border = mode}, random_image({1187, 37, 4, Depth::f32}, 7));
    }
}
