#include "glproc/ops/guided.hpp"
#include "glproc/ops/guided/sums.hpp"

#include "support/catch.hpp"
#include "support/fixture.hpp"
#include "support/hidden.hpp"
#include "support/inputs.hpp"
#include "support/matchers.hpp"
#include "support/reference.hpp"
#include "support/tiled.hpp"

#include <cmath>
#include <limits>
#include <memory>
#include <vector>

using namespace glproc;
using namespace glproc::test;

namespace {

/// A picture of one number a pixel, by its place.
struct Plane {
    int width;
    int height;
    std::vector<double> values;

    double at(int x, int y) const { return values[static_cast<std::size_t>(y * width + x)]; }
};

template <class Value>
Plane made(int width, int height, const Value& value) {
    Plane plane{width, height, {}};
    for (int y = 0; y < height; ++y) {
        for (int x = 0; x < width; ++x) {
            plane.values.push_back(value(x, y));
        }
    }
    return plane;
}

/// The mean of `value` over each window, without what is not finite.
template <class Value>
Plane means(const Guided& op, int width, int height, const Value& value) {
    const auto sums = [&](const auto& one) {
        const auto window = [&](const auto& at) {
            double sum = 0;
            for (int d = -op.radius; d <= op.radius; ++d) {
                sum += at(d);
            }
            return sum;
        };
        const Plane rows = made(width, height, [&](int x, int y) {
            return window([&](int d) { return one(value(border_index(op.border.mode, x + d, width), y)); });
        });
        return made(width, height, [&](int x, int y) {
            return window([&](int d) { return rows.at(x, border_index(op.border.mode, y + d, height)); });
        });
    };
    const Plane all = sums([](double v) { return std::isfinite(v) ? v : 0; });
    const Plane counts = sums([](double v) { return std::isfinite(v) ? 1 : 0; });
    return made(width, height, [&](int x, int y) {
        return counts.at(x, y) > 0 ? all.at(x, y) / counts.at(x, y)
                                   : std::numeric_limits<double>::quiet_NaN();
    });
}

double luma_of(const Image& image, int x, int y) {
    return is_hidden(image, x, y) ? 0
           : image.channels() < 3
               ? image.at(x, y, 0)
               : 0.2126 * image.at(x, y, 0) + 0.7152 * image.at(x, y, 1) + 0.0722 * image.at(x, y, 2);
}

Reference right_answer(const Guided& op, const Image& image) {
    const int width = image.width();
    const int height = image.height();
    const double full = max_code(image.depth());
    Reference result = reference_of(image);
    for (int c = 0; c < image.channels(); ++c) {
        const auto value = [&](int x, int y) { return image.at(x, y, c); };
        const auto guide = [&](int x, int y) {
            return op.with.image ? luma_of(*op.with.image, x, y) / max_code(op.with.image->depth()) * full
                                 : image.at(x, y, c);
        };
        const auto mean = [&](const auto& one) {
            return means(op, width, height, [&](int x, int y) {
                return is_hidden(image, x, y) ? std::numeric_limits<double>::quiet_NaN() : one(x, y);
            });
        };
        const Plane p = mean(value);
        const Plane g = mean(guide);
        const Plane pg = mean([&](int x, int y) { return value(x, y) * guide(x, y); });
        const Plane gg = mean([&](int x, int y) { return guide(x, y) * guide(x, y); });
        const Plane slopes = made(width, height, [&](int x, int y) {
            return (pg.at(x, y) - p.at(x, y) * g.at(x, y)) /
                   (gg.at(x, y) - g.at(x, y) * g.at(x, y) + op.eps * full * full);
        });
        const Plane heights =
            made(width, height, [&](int x, int y) { return p.at(x, y) - slopes.at(x, y) * g.at(x, y); });
        const Plane slope = means(op, width, height, [&](int x, int y) { return slopes.at(x, y); });
        const Plane height_of = means(op, width, height, [&](int x, int y) { return heights.at(x, y); });
        const bool is_alpha = image.has_alpha() && c + 1 == image.channels();
        for (int y = 0; y < height; ++y) {
            for (int x = 0; x < width; ++x) {
                result.at(x, y, c) =
                    is_alpha ? value(x, y) : slope.at(x, y) * guide(x, y) + height_of.at(x, y);
            }
        }
    }
    return result;
}

constexpr Tolerance enough{2e-6, 0.001};

void check(Guided op, const Image& image) {
    const Reference right = right_answer(op, image);
    INFO(describe(image) << ", radius " << op.radius << ", eps " << op.eps << ", "
                         << name_of(op.border.mode));
    for (const PointMethod method : {PointMethod::gpu, PointMethod::cpu}) {
        op.method = method;
        INFO(name_of(method));
        CHECK_THAT(whole(op, image), Matches(right, enough));
    }
}

Guided by(const Guided& op, Image guide) {
    Guided guided = op;
    guided.with.image = std::make_shared<const Image>(std::move(guide));
    return guided;
}

/// The ways of summing that the device has; it chooses one of them by itself.
std::vector<GuidedSums> every_way() {
    std::vector<GuidedSums> ways{GuidedSums::shared, GuidedSums::walked};
    if (gpu().device().has_subgroup && gpu().limits().subgroup_size == 32) {
        ways.push_back(GuidedSums::shuffled);
    }
    return ways;
}

/// Compares each way of summing with the answer, and their bits with each other. They are for pictures that can be seen.
void check_ways(const Guided& op, Image image) {
    for (int i = 0; i < image.width() * image.height(); ++i) {
        if (is_hidden(image, i % image.width(), i / image.width())) {
            set_value(image, i % image.width(), i / image.width(), image.channels() - 1, 0.5);
        }
    }
    INFO(describe(image) << ", radius " << op.radius << ", eps " << op.eps << ", "
                         << name_of(op.border.mode));
    REQUIRE(can_guide_by_sums(op, image.form()));
    const GpuImage src = gpu().upload(image);
    const Image chosen = gpu().download(op(gpu(), src));
    CHECK_THAT(chosen, Matches(right_answer(op, image), enough));
    for (const GuidedSums way : every_way()) {
        INFO("way " << static_cast<int>(way));
        CHECK_THAT(gpu().download(guide_by_sums(gpu(), op, src, way)), IsBitwise(chosen));
    }
}

Image checkerboard(const Shape& shape, double low, double high) {
    Image image(shape.width, shape.height, shape.channels, shape.depth);
    for (int y = 0; y < shape.height; ++y) {
        for (int x = 0; x < shape.width; ++x) {
            for (int c = 0; c < shape.channels; ++c) {
                set_value(image, x, y, c, (x + y) % 2 == 0 ? low : high);
            }
        }
    }
    return image;
}

} // namespace

TEST_CASE("guided: every depth, number of channels, border and size") {
    const std::vector<Border> borders{BorderMode::clamp, BorderMode::mirror, BorderMode::symmetric,
                                      BorderMode::wrap};
    std::size_t turn = 0;
    for (const Depth depth : {Depth::u8, Depth::u16, Depth::f32}) {
        for (int channels = 1; channels <= 4; ++channels) {
            for (const Size& size : {Size{1, 1}, Size{1, 9}, Size{13, 2}, Size{37, 29}}) {
                const Shape shape{size.width, size.height, channels, depth};
                const Border& border = borders[turn++ % borders.size()];
                check({.radius = 1, .eps = 0.001, .border = border}, random_image(shape, 3));
                check({.radius = 5, .border = border}, photo_like_image(shape));
            }
        }
    }
}

TEST_CASE("guided: by another image") {
    for (const Depth depth : {Depth::u8, Depth::u16, Depth::f32}) {
        for (int channels = 1; channels <= 4; ++channels) {
            const Shape shape{41, 30, channels, depth};
            const Depth other = depth == Depth::f32 ? Depth::u8 : Depth::f32;
            check(by({.radius = 3}, photo_like_image({41, 30, 3, depth}, 4)), random_image(shape, 5));
            check(by({.radius = 2, .eps = 0.1}, random_image({41, 30, channels % 2 + 1, other}, 4)),
                  photo_like_image(shape, 5));
        }
    }
}

TEST_CASE("guided: large windows, and windows larger than the image") {
    check({.radius = 14}, photo_like_image({90, 70, 3, Depth::u8}));
    check({.radius = 20, .eps = 0.05}, photo_like_image({40, 50, 1, Depth::u16}));
    check({.radius = 30}, random_image({17, 11, 2, Depth::f32}, 8));
}

TEST_CASE("guided: sums of whole numbers are the same every way") {
    const std::vector<BorderMode> borders{BorderMode::clamp, BorderMode::mirror, BorderMode::symmetric,
                                          BorderMode::wrap};
    std::size_t turn = 0;
    for (const int radius : {1, 8, 15, 16, 22, 32, 33, 60, 127}) { // from 16 on columns lose bits
        for (int channels = 1; channels <= 4; ++channels) {
            const Guided op{.radius = radius, .eps = 0.003, .border = {borders[turn++ % borders.size()]}};
            check_ways(op, random_image({67, 41, channels, Depth::u8}, 7));
            check_ways(op, photo_like_image({531, 19, channels, Depth::u8})); // several strips
        }
    }
}

TEST_CASE("guided: the sums of hostile images") {
    for (const int radius : {1, 8, 16, 60, 127}) { // the largest sums there are
        for (const double eps : {1e-10, 0.01, 10.0}) { // 10: the most for codes
            const Guided op{.radius = radius, .eps = eps, .border = {BorderMode::mirror}};
            for (const int value : {0, 1}) {
                const Image flat = constant_image({70, 33, 4, Depth::u8}, value);
                check_ways(op, flat);
                CHECK_THAT(whole(op, flat), IsBitwise(flat));
            }
            // Halfway between codes a window hardly differs from a tie: no such checkerboards.
            check_ways(op, checkerboard({70, 33, 3, Depth::u8}, 0, 254 / 255.0));
            check_ways(op, checkerboard({70, 33, 1, Depth::u8}, 253 / 255.0, 1));
            check_ways(op, impulse_image({70, 33, 2, Depth::u8}, 69, 32));
        }
        for (const Size& size : {Size{1, 1}, Size{1, 200}, Size{200, 1}, Size{16, 3}, Size{257, 2}}) {
            check_ways({.radius = radius}, two_valued_image({size.width, size.height, 4, Depth::u8}));
        }
    }
}

TEST_CASE("guided: strips of all heights") {
    for (const int height : {15, 16, 17, 31, 97, 300}) {
        check_ways({.radius = 3}, random_image({45, height, 3, Depth::u8}, 12));
    }
}

TEST_CASE("guided: what sums of whole numbers are not for") {
    const Form form{9, 9, 4, Depth::u8};
    CHECK(can_guide_by_sums({.radius = 127}, form));
    CHECK_FALSE(can_guide_by_sums({.radius = 128}, form));
    CHECK_FALSE(can_guide_by_sums({}, {9, 9, 4, Depth::u16}));
    CHECK_FALSE(can_guide_by_sums(by({}, constant_image(form, 1)), form));
    check({.radius = 128}, random_image({23, 19, 1, Depth::u8}));
}

TEST_CASE("guided: values that are not finite count as missing") {
    Image image = random_image({30, 25, 3, Depth::f32}, 4);
    auto values = image.values<float>();
    for (std::size_t i = 5; i < values.size(); i += 83) {
        values[i] = std::numeric_limits<float>::quiet_NaN();
    }
    check({.radius = 2}, image);
}

TEST_CASE("guided: a flat image stays, and edges stay sharp") {
    const Image flat = constant_image({40, 30, 3, Depth::u8}, 0.3);
    CHECK_THAT(whole(Guided{.radius = 9}, flat), IsBitwise(flat));
    const Image step = two_valued_image({64, 1, 1, Depth::u8}, 0.1, 0.9, 3);
    const Image result = whole(Guided{.radius = 3, .eps = 1e-5}, step);
    for (int x = 0; x < step.width(); ++x) {
        CHECK(std::abs(result.at(x, 0, 0) - step.at(x, 0, 0)) <= 1);
    }
}

TEST_CASE("guided: in tiles it has the bits of the whole") {
    for (const int radius : {2, 13, 16}) {
        for (const Depth depth : {Depth::u8, Depth::f32}) {
            for (const BorderMode border : {BorderMode::clamp, BorderMode::wrap}) {
                const Image image = photo_like_image({331, 207, 3, depth});
                const Guided op =
                    by({.radius = radius, .border = border}, photo_like_image({331, 207, 1, Depth::u8}, 9));
                const Guided own{.radius = radius, .border = border};
                INFO("radius " << radius << ", " << name_of(border) << ", " << describe(image));
                const Image right = whole(op, image);
                const Image right_own = whole(own, image);
                const ScopedLimits small("texture_size:180", plenty);
                CHECK_THAT(tiled(op, image), IsBitwise(right));
                CHECK_THAT(tiled(own, image), IsBitwise(right_own));
            }
        }
    }
}

TEST_CASE("guided: in tiles sums of whole numbers have the bits of the whole") {
    for (const int radius : {2, 29, 40}) {
        for (int channels = 1; channels <= 4; ++channels) {
            for (const BorderMode border : {BorderMode::mirror, BorderMode::wrap}) {
                const Image image = photo_like_image({331, 207, channels, Depth::u8});
                const Guided op{.radius = radius, .eps = 0.001, .border = border};
                INFO("radius " << radius << ", " << name_of(border) << ", " << describe(image));
                const Image right = whole(op, image);
                // hidden pixels would go another way, whose tiles see more around them
                const ScopedLimits small(image.has_alpha() ? "texture_size:328" : "texture_size:200", plenty);
                CHECK_THAT(tiled(op, image), IsBitwise(right));
            }
        }
    }
}

TEST_CASE("guided: what it refuses") {
    const Form form{8, 8, 1, Depth::u8};
    CHECK_THROWS_AS(plan(Guided{.radius = 0}, form), Error);
    CHECK_THROWS_AS(plan(Guided{.eps = 0}, form), Error);
    CHECK_THROWS_AS(plan(Guided{.border = BorderMode::constant}, form), Error);
    CHECK_THROWS_AS(plan(by({}, constant_image({8, 7, 1, Depth::u8}, 1)), form), Error);
}
