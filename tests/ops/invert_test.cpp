#include "glproc/ops/invert.hpp"

#include "support/operation_cases.hpp"

using namespace glproc;
using namespace glproc::test;

TEST_CASE("invert takes every value from 1 and keeps alpha") {
    for (const Size& size : {Size{1, 1}, Size{1, 19}, Size{37, 1}, Size{61, 47}}) {
        for (const Shape& shape : all_kinds(size)) {
            const Image image = random_image(shape, 7);
            const auto answer = point_reference(image, shape.channels, shape.depth, [](const auto& v) {
                return std::array{1 - v[0], 1 - v[1], 1 - v[2], v[3]};
            });
            check_operation(Invert{}, image, answer);
        }
    }
}

TEST_CASE("inverting twice gives integers back") {
    for (const Depth depth : {Depth::u8, Depth::u16}) {
        const Image image = random_image({70, 33, 4, depth}, 8);
        CHECK_THAT(whole(Invert{}, whole(Invert{}, image)), IsBitwise(image));
    }
}
