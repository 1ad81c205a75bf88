#include "glproc/ops/lut.hpp"

#include "support/combinations.hpp"
#include "support/operation_cases.hpp"

#include <cmath>
#include <vector>

using namespace glproc;
using namespace glproc::test;

namespace {

/// With the function's value at every entry.
Cube make_cube(int size, bool has_three_axes,
               const std::function<std::array<double, 3>(double, double, double)>& at) {
    Cube cube{.size = size, .has_three_axes = has_three_axes, .values = {}};
    const int others = has_three_axes ? size : 1;
    const double step = 1.0 / (size - 1);
    for (int b = 0; b < others; ++b) {
        for (int g = 0; g < others; ++g) {
            for (int r = 0; r < size; ++r) {
                const auto entry =
                    has_three_axes ? at(r * step, g * step, b * step) : at(r * step, r * step, r * step);
                cube.values.insert(cube.values.end(), {float(entry[0]), float(entry[1]), float(entry[2])});
            }
        }
    }
    return cube;
}

std::array<double, 3> bent(double r, double g, double b) {
    return {0.1037 + 0.7919 * r * g, std::sqrt(0.0211 + 0.4987 * g + 0.4013 * b * r), 0.9973 - b * (0.3019 + 0.4987 * r)};
}

/// By the definition: of the six tetrahedra around the diagonal, the one that the colour lies in; the weights
/// of its corners are barycentric.
std::array<double, 3> tetrahedral(const Cube& cube, const std::array<double, 4>& v) {
    std::array<int, 3> cell{};
    std::array<double, 3> f{};
    for (std::size_t c = 0; c < 3; ++c) {
        double place = (v[c] - cube.low[c]) / (double{cube.high[c]} - cube.low[c]) * (cube.size - 1);
        place = place < 0 ? 0 : place > cube.size - 1 ? cube.size - 1 : place;
        cell[c] = place >= cube.size - 1 ? cube.size - 2 : static_cast<int>(place);
        f[c] = place - cell[c];
    }
    const auto corner = [&](int r, int g, int b, std::size_t c) {
        const int at = cell[0] + r + cube.size * (cell[1] + g + cube.size * (cell[2] + b));
        return double{cube.values[3 * static_cast<std::size_t>(at) + c]};
    };
    const auto [r, g, b] = f;
    std::array<double, 3> result{};
    for (std::size_t c = 0; c < 3; ++c) {
        const double black = corner(0, 0, 0, c);
        const double white = corner(1, 1, 1, c);
        result[c] = r > g ? (g > b ? (1 - r) * black + (r - g) * corner(1, 0, 0, c) +
                                         (g - b) * corner(1, 1, 0, c) + b * white
                             : r > b ? (1 - r) * black + (r - b) * corner(1, 0, 0, c) +
                                           (b - g) * corner(1, 0, 1, c) + g * white
                                     : (1 - b) * black + (b - r) * corner(0, 0, 1, c) +
                                           (r - g) * corner(1, 0, 1, c) + g * white)
                          : (b > g ? (1 - b) * black + (b - g) * corner(0, 0, 1, c) +
                                         (g - r) * corner(0, 1, 1, c) + r * white
                             : b > r ? (1 - g) * black + (g - b) * corner(0, 1, 0, c) +
                                           (b - r) * corner(0, 1, 1, c) + r * white
                                     : (1 - g) * black + (g - r) * corner(0, 1, 0, c) +
                                           (r - b) * corner(1, 1, 0, c) + b * white);
    }
    return result;
}

double along(const Cube& cube, double v, std::size_t c) {
    double place = (v - cube.low[c]) / (double{cube.high[c]} - cube.low[c]) * (cube.size - 1);
    place = place < 0 ? 0 : place > cube.size - 1 ? cube.size - 1 : place;
    const auto below = static_cast<std::size_t>(std::min(std::floor(place), cube.size - 2.0));
    const double share = place - static_cast<double>(below);
    return (1 - share) * cube.values[3 * below + c] + share * cube.values[3 * below + 3 + c];
}

void check_lut(const Cube& cube, const Shape& shape) {
    const Image image = random_image(shape, 71, FloatRange::wide);
    const int channels = image.has_alpha() ? 4 : 3; // grey becomes colour
    const auto answer = point_reference(image, channels, shape.depth, [&](const auto& v) {
        const std::array<double, 3> colour =
            cube.has_three_axes
                ? tetrahedral(cube, v)
                : std::array{along(cube, v[0], 0), along(cube, v[1], 1), along(cube, v[2], 2)};
        return std::array{colour[0], colour[1], colour[2], v[3]};
    });
    INFO("size " << cube.size << (cube.has_three_axes ? ", three axes" : ", one axis"));
    check_operation(Lut{.cube = cube}, image, answer);
}

} // namespace

TEST_CASE("lut takes colours through tables along one axis and three, and keeps alpha") {
    const std::vector<Size> sizes{{1, 1}, {1, 19}, {37, 1}, {61, 47}};
    for (const auto& [size, depth, channels, entries] :
         combinations(sizes, every_depth, std::vector{1, 2, 3, 4}, std::vector{2, 3, 17})) {
        const Shape shape{size.width, size.height, channels, depth};
        check_lut(make_cube(entries, true, bent), shape);
        check_lut(make_cube(entries, false, bent), shape);
    }
}

TEST_CASE("lut with another domain") {
    for (const Shape& shape : all_kinds({31, 17})) {
        for (const bool three : {false, true}) {
            Cube cube = make_cube(5, three, bent);
            cube.low = {-0.25F, 0, 0.125F};
            cube.high = {1.5F, 0.75F, 1};
            check_lut(cube, shape);
        }
    }
}

TEST_CASE("lut with large tables") {
    const auto same = [](double r, double g, double b) { return std::array{r, g, b}; };
    for (const int entries : {65, 129}) {
        const Image image = random_image({61, 47, 4, Depth::u16}, 72);
        CHECK_THAT(whole(Lut{.cube = make_cube(entries, true, same)}, image), IsBitwise(image));
    }
    const Image image = random_image({61, 47, 3, Depth::u8}, 73);
    CHECK_THAT(whole(Lut{.cube = make_cube(65536, false, same)}, image), IsBitwise(image));
}

TEST_CASE("lut of floats that are no numbers or endless") {
    Image image(3, 1, 3, Depth::f32);
    const float inf = std::numeric_limits<float>::infinity();
    const std::array<float, 9> values{std::nanf(""), 0.5, 0.5, inf, -inf, 0.5, inf, inf, inf};
    std::copy(values.begin(), values.end(), image.values<float>().begin());
    const auto same = [](double r, double g, double b) { return std::array{r, g, b}; };
    for (const PointMethod method : {PointMethod::gpu, PointMethod::cpu}) {
        const Image three = whole(Lut{.cube = make_cube(3, true, same), .method = method}, image);
        CHECK(std::isnan(three.at(0, 0, 0)));
        CHECK(std::isnan(three.at(0, 0, 2)));
        CHECK(three.at(1, 0, 0) == 1);
        CHECK(three.at(1, 0, 1) == 0);
        CHECK(three.at(2, 0, 2) == 1);
        const Image one = whole(Lut{.cube = make_cube(3, false, same), .method = method}, image);
        CHECK(std::isnan(one.at(0, 0, 0)));
        CHECK(one.at(0, 0, 1) == 0.5);
        CHECK(one.at(1, 0, 1) == 0);
    }
}

TEST_CASE("lut without a table is refused") {
    CHECK_THROWS_AS(plan(Lut{}, Form{4, 4, 3, Depth::u8}), Error);
    CHECK_THROWS_AS(plan(Lut{.cube = std::string("/none.cube")}, Form{4, 4, 3, Depth::u8}), Error);
}
