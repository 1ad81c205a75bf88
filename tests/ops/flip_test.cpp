#include "glproc/ops/flip.hpp"

#include "support/operation_cases.hpp"

using namespace glproc;
using namespace glproc::test;

TEST_CASE("left and right, or top and bottom, change places") {
    for (const FlipAxis axis : {FlipAxis::x, FlipAxis::y}) {
        for (const Size& size : {Size{1, 1}, Size{1, 19}, Size{37, 1}, Size{61, 47}}) {
            for (const Shape& shape : all_kinds(size)) {
                const Image image = random_image(shape, 7);
                Reference answer = reference_of(image);
                for (int y = 0; y < size.height; ++y) {
                    for (int x = 0; x < size.width; ++x) {
                        for (int c = 0; c < shape.channels; ++c) {
                            const bool along_x = axis == FlipAxis::x;
                            answer.at(x, y, c) = image.at(along_x ? size.width - 1 - x : x,
                                                          along_x ? y : size.height - 1 - y, c);
                        }
                    }
                }
                check_operation(Flip{.axis = axis}, image, answer);
            }
        }
    }
}

TEST_CASE("a picture flipped twice is itself") {
    const Image image = random_image({70, 33, 4, Depth::f32}, 8);
    for (const FlipAxis axis : {FlipAxis::x, FlipAxis::y}) {
        CHECK_THAT(whole(Flip{.axis = axis}, whole(Flip{.axis = axis}, image)), IsBitwise(image));
    }
}
