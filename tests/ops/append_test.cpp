#include "glproc/ops/append.hpp"

#include "glproc/files/memory_rows.hpp"
#include "support/joined.hpp"

#include <algorithm>
#include <vector>

using namespace glproc;
using namespace glproc::test;

namespace {

Append with(const std::vector<Image>& images, Append op = {}) {
    for (std::size_t i = 1; i < images.size(); ++i) {
        op.more.push_back(rows_of(images[i]));
    }
    return op;
}

/// Red, green, blue and alpha from 0 to 1 of a pixel.
std::array<double, 4> pixel_of(const Image& image, int x, int y) {
    const double full = max_code(image.depth());
    const bool grey = image.channels() < 3;
    return {image.at(x, y, 0) / full, image.at(x, y, grey ? 0 : 1) / full,
            image.at(x, y, grey ? 0 : 2) / full,
            image.has_alpha() ? image.at(x, y, image.channels() - 1) / full : 1.0};
}

/// Pixel by pixel: which image lies there?
Image expected(const std::vector<Image>& images, const Append& op, const std::array<double, 4>& background) {
    const bool right = op.direction == AppendDirection::right;
    int across = 0;
    int along = 0;
    bool colour = op.background && !op.background->is_grey();
    bool alpha = op.background && op.background->alpha < 1;
    int bits = 8;
    for (const Image& image : images) {
        across = std::max(across, right ? image.height() : image.width());
        along += (right ? image.width() : image.height()) + (&image == &images.front() ? 0 : int{op.gap});
        colour = colour || image.channels() > 2;
        alpha = alpha || image.has_alpha();
        bits = std::max(bits, static_cast<int>(image.depth()));
    }
    Image result(right ? along : across, right ? across : along, (colour ? 3 : 1) + (alpha ? 1 : 0),
                 Depth{bits});
    for (int y = 0; y < result.height(); ++y) {
        for (int x = 0; x < result.width(); ++x) {
            std::array<double, 4> pixel = background;
            int begin = 0;
            for (const Image& image : images) {
                const int size = right ? image.height() : image.width();
                const int aside = op.align == AppendAlign::start ? 0
                                  : op.align == AppendAlign::end ? across - size
                                                                 : (across - size) / 2;
                const int column = right ? x - begin : x - aside;
                const int row = right ? y - aside : y - begin;
                if (column >= 0 && row >= 0 && column < image.width() && row < image.height()) {
                    pixel = pixel_of(image, column, row);
                }
                begin += (right ? image.width() : image.height()) + op.gap;
            }
            for (int c = 0; c < result.channels(); ++c) {
                const bool is_alpha = result.has_alpha() && c == result.channels() - 1;
                set_value(result, x, y, c, pixel[is_alpha ? 3 : static_cast<std::size_t>(c)]);
            }
        }
    }
    return result;
}

void check_append(const std::vector<Image>& images, const Append& given,
                  const std::array<double, 4>& background) {
    const Append op = with(images, given);
    const Image answer = expected(images, given, background);
    check_joined(op, images.front(), answer);
}

} // namespace

TEST_CASE("append puts images side by side, bit for bit") {
    for (const Shape& shape : all_kinds({67, 23})) {
        std::vector<Image> images;
        for (const Size& size : {Size{67, 23}, Size{1, 1}, Size{13, 41}}) {
            images.push_back(random_image({size.width, size.height, shape.channels, shape.depth},
                                          static_cast<std::uint32_t>(images.size() + 1)));
        }
        const double alpha = images.front().has_alpha() ? 0 : 1;
        for (const AppendDirection direction : {AppendDirection::right, AppendDirection::down}) {
            for (const AppendAlign align : {AppendAlign::start, AppendAlign::center, AppendAlign::end}) {
                check_append(
                    images,
                    {.direction = direction, .align = align, .gap = align == AppendAlign::end ? 5 : 0},
                    {0, 0, 0, alpha});
            }
        }
    }
}

TEST_CASE("append: images of other depths and channels, and a background") {
    const std::vector<Image> images = {random_image({20, 11, 1, Depth::u8}, 1),
                                       random_image({7, 30, 3, Depth::u8}, 2),
                                       random_image({9, 4, 2, Depth::u16}, 3)};
    check_append(images, {.gap = 3}, {0, 0, 0, 0});
    check_append({images[0], images[0]}, {.gap = 3}, {0, 0, 0, 1});
    const Colour red{1, 0, 0, 1};
    check_append({images[0], images[1]}, {.direction = AppendDirection::down, .gap = 2, .background = red},
                 {1, 0, 0, 1});
    const Colour half{0.2, 0.2, 0.2, 0.6};
    check_append({images[0], images[0]}, {.gap = 1, .background = half}, {0.2, 0.2, 0.2, 0.6});
    check_append({images[0]}, {}, {0, 0, 0, 1});
}

TEST_CASE("append: many rows, in bands that end within images") {
    std::vector<Image> images;
    for (std::uint32_t i = 0; i < 5; ++i) {
        images.push_back(random_image({900, 700 + static_cast<int>(i), 4, Depth::u8}, i));
    }
    check_append(images, {.direction = AppendDirection::down, .gap = 1}, {0, 0, 0, 0});
    check_append(images, {.align = AppendAlign::center}, {0, 0, 0, 0});
}

TEST_CASE("append: what cannot be is refused") {
    const Image image = random_image({10, 10, 1, Depth::u8});
    CHECK_THROWS_AS(plan(with({image, image}, {.gap = -1}), image.form()), Error);
    CHECK_THROWS_AS(plan(with(std::vector<Image>(150, image), {.gap = 100000}), image.form()), Error);
}
