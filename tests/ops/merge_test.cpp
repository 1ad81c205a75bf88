#include "glproc/ops/merge.hpp"

#include "glproc/files/memory_rows.hpp"
#include "support/joined.hpp"

#include <vector>

using namespace glproc;
using namespace glproc::test;

namespace {

Merge with(const std::vector<Image>& images) {
    Merge op;
    for (std::size_t i = 1; i < images.size(); ++i) {
        op.more.push_back(rows_of(images[i]));
    }
    return op;
}

/// Pixel by pixel; 8 bits become 16 by 257.
Image expected(const std::vector<Image>& images, Depth depth) {
    Image result(images[0].width(), images[0].height(), static_cast<int>(images.size()), depth);
    for (int y = 0; y < result.height(); ++y) {
        for (int x = 0; x < result.width(); ++x) {
            for (int c = 0; c < result.channels(); ++c) {
                const Image& image = images[static_cast<std::size_t>(c)];
                set_value(result, x, y, c, image.at(x, y, 0) / max_code(image.depth()));
            }
        }
    }
    return result;
}

void check_merge(const std::vector<Image>& images, Depth depth) {
    const Merge op = with(images);
    const Image answer = expected(images, depth);
    check_joined(op, images.front(), answer);
}

std::vector<Image> grey_images(std::size_t count, const Size& size, Depth depth) {
    std::vector<Image> images;
    for (std::uint32_t i = 0; i < count; ++i) {
        images.push_back(random_image({size.width, size.height, 1, depth}, i + 1));
    }
    return images;
}

} // namespace

TEST_CASE("merge makes channels of grey images, bit for bit") {
    for (const std::size_t count : {2U, 3U, 4U}) {
        for (const Depth depth : {Depth::u8, Depth::u16, Depth::f32}) {
            check_merge(grey_images(count, {67, 23}, depth), depth);
            check_merge(grey_images(count, {1, 1}, depth), depth);
        }
    }
    check_merge(grey_images(3, {1900, 1501}, Depth::u8), Depth::u8); // several bands
}

TEST_CASE("merge: the largest depth") {
    std::vector<Image> images = grey_images(3, {21, 11}, Depth::u8);
    images[1] = random_image({21, 11, 1, Depth::u16}, 9);
    check_merge(images, Depth::u16);
}

TEST_CASE("merge: what cannot be is refused") {
    const Image grey = random_image({10, 10, 1, Depth::u8});
    const Image colour = random_image({10, 10, 3, Depth::u8});
    const Image wide = random_image({11, 10, 1, Depth::u8});
    CHECK_THROWS_WITH(plan(with({grey}), grey.form()), "merge takes 2 to 4 images, one for each channel, not 1");
    CHECK_THROWS_AS(plan(with({grey, grey, grey, grey, grey}), grey.form()), Error);
    CHECK_THROWS_WITH(plan(with({colour, grey}), colour.form()), "merge takes grey images, not 3 channels in one");
    CHECK_THROWS_AS(plan(with({grey, colour}), grey.form()), Error);
    CHECK_THROWS_WITH(plan(with({grey, wide}), grey.form()), "merge takes images of one size, not 10x10 and 11x10");
}
