#include "glproc/ops/vignette.hpp"

#include "support/operation_cases.hpp"

#include <algorithm>
#include <cmath>

using namespace glproc;
using namespace glproc::test;

namespace {

Reference answer_to(const Image& image, const Vignette& op) {
    Reference answer = reference_of(image);
    for (int y = 0; y < image.height(); ++y) {
        for (int x = 0; x < image.width(); ++x) {
            const double across = x + 0.5 - image.width() / 2.0;
            const double down = y + 0.5 - image.height() / 2.0;
            const double to_corner = std::hypot(image.width() / 2.0, image.height() / 2.0);
            const double way = std::hypot(across, down) / to_corner;
            const double t = std::clamp((way - op.start) / (1 - op.start), 0.0, 1.0);
            for (int c = 0; c < image.channels() - (image.has_alpha() ? 1 : 0); ++c) {
                answer.at(x, y, c) = image.at(x, y, c) * (1 - op.amount * (3 * t * t - 2 * t * t * t));
            }
        }
    }
    return answer;
}

} // namespace

TEST_CASE("vignette multiplies each colour by a factor of the distance from the middle") {
    for (const Size& size : {Size{1, 1}, Size{1, 19}, Size{37, 1}, Size{67, 53}}) {
        for (const Shape& shape : all_kinds(size)) {
            for (const Vignette& op :
                 {Vignette{}, Vignette{.amount = 1, .start = 0}, Vignette{.amount = -0.7, .start = 0.8}}) {
                const Image image = random_image(shape, 7);
                check_operation(op, image, answer_to(image, op));
            }
        }
    }
}

TEST_CASE("vignette: parameters out of range are refused") {
    CHECK_THROWS_AS(plan(Vignette{.amount = 1.1}, {10, 10, 3, Depth::u8}), Error);
    CHECK_THROWS_AS(plan(Vignette{.start = 1}, {10, 10, 3, Depth::u8}), Error);
}
