#include "glproc/ops/warp.hpp"

#include "support/filter_cases.hpp"
#include "support/operation_cases.hpp"

#include <cmath>

using namespace glproc;
using namespace glproc::test;

namespace {

using Point = std::pair<double, double>;
using Map = std::function<Point(double, double)>;

double weight(ResampleFilter filter, double x) {
    const double t = std::abs(x);
    if (filter == ResampleFilter::linear) {
        return std::max(0.0, 1 - t);
    }
    return t < 1 ? 1.5 * t * t * t - 2.5 * t * t + 1 : t < 2 ? -0.5 * t * t * t + 2.5 * t * t - 4 * t + 2 : 0;
}

/// What some points of the source show: the pixels they lie in, or means over those around them.
void add_points(const Image& image, const Warp& op, const std::vector<Point>& points, std::vector<double>& values) {
    const int last = image.channels() - 1;
    const bool weighted =
        op.filter != ResampleFilter::nearest && image.has_alpha() && op.alpha == AlphaMode::premultiply;
    const auto value = [&](double x, double y, int c) {
        const int column = test::border_index(op.border.mode, static_cast<int>(x), image.width());
        const int row = test::border_index(op.border.mode, static_cast<int>(y), image.height());
        const double beyond =
            (image.has_alpha() && c == last ? 0 : op.border.value) * max_code(image.depth());
        return column < 0 || row < 0 ? round_to_depth(beyond, image.depth()) : image.at(column, row, c);
    };
    std::vector<double> sums(static_cast<std::size_t>(image.channels()), 0.0);
    const int reach = op.filter == ResampleFilter::nearest ? 0 : 2;
    const double back = reach == 0 ? 0 : 0.5;
    for (const Point& point : points) {
        // Points that do not exist lie beyond the corner.
        const auto [sx, sy] = std::isfinite(point.first + point.second) ? point : Point{-16, -16};
        for (double y = std::floor(sy - back) - reach; y <= std::floor(sy - back) + reach; ++y) {
            for (double x = std::floor(sx - back) - reach; x <= std::floor(sx - back) + reach; ++x) {
                const double w =
                    reach == 0 ? 1 : weight(op.filter, x + 0.5 - sx) * weight(op.filter, y + 0.5 - sy);
                for (int c = 0; c <= last && w != 0; ++c) {
                    sums[static_cast<std::size_t>(c)] += w / static_cast<double>(points.size()) * value(x, y, c) *
                                                         (weighted && c < last ? value(x, y, last) : 1);
                }
            }
        }
    }
    const double alpha = sums.back();
    const bool shows = image.depth() == Depth::f32 ? alpha != 0 : alpha > 0;
    for (int c = 0; c <= last; ++c) {
        const double sum = sums[static_cast<std::size_t>(c)];
        values.push_back(!weighted || c == last ? sum : shows ? sum / alpha : 0);
    }
}

Reference expected(const Image& image, const Warp& op, const Map& map) {
    const Form form = plan(op, image.form()).shape.result;
    Reference answer = reference_of(image);
    answer.width = form.width;
    answer.height = form.height;
    answer.values.clear();
    for (int y = 0; y < form.height; ++y) {
        for (int x = 0; x < form.width; ++x) {
            std::vector<Point> points;
            const int n = op.samples.value_or(1);
            for (int i = 0; i < n * n; ++i) {
                points.push_back(map(x + (i % n + 0.5) / n, y + (i / n + 0.5) / n));
            }
            add_points(image, op, points, answer.values);
        }
    }
    return answer;
}

Map by_matrix(const std::vector<double>& m) {
    return [m](double x, double y) {
        const double depth = m.size() == 9 ? m[6] * x + m[7] * y + m[8] : 1;
        return depth > 0 ? Point{(m[0] * x + m[1] * y + m[2]) / depth, (m[3] * x + m[4] * y + m[5]) / depth}
                         : Point{std::nan(""), 0};
    };
}

struct Case {
    Warp op;
    Map map;
};

/// Every map, for images of this form; the numbers are such that no point lies on the edge of a pixel.
std::vector<Case> all_maps(const Form& form) {
    const double w = form.width;
    const double h = form.height;
    std::vector<Case> cases;
    const std::vector<double> affine{1.07, 0.21, -2.317, -0.33, 0.91, 1.713};
    cases.push_back({{.affine = affine, .size = PixelSize{41, 37}}, by_matrix(affine)});
    const std::vector<double> seen{0.93, 0.11, 0.377, 0.07, 1.13, -1.219, 0.0101, -0.0207, 1.003};
    cases.push_back({{.perspective = seen, .size = PixelSize{37, 43}}, by_matrix(seen)});
    cases.push_back({{.lens = std::vector{0.21, -0.07, 0.013, 0.011, -0.023}, .size = PixelSize{45, 23}},
                     [w, h](double column, double row) {
                         const double unit = std::sqrt(w * w + h * h) / 2;
                         const double x = (column - 22.5) / unit;
                         const double y = (row - 11.5) / unit;
                         const double r = x * x + y * y;
                         const double radial = 1 + 0.21 * r - 0.07 * r * r + 0.013 * r * r * r;
                         return Point{
                             w / 2 + unit * (x * radial + 2 * 0.011 * x * y - 0.023 * (r + 2 * x * x)),
                             h / 2 + unit * (y * radial + 0.011 * (r + 2 * y * y) - 2 * 0.023 * x * y)};
                     }});
    cases.push_back({{.polar = true, .size = PixelSize{21, 36}}, [w, h](double x, double y) {
                         const double angle = 2 * 3.14159265358979323846 * y / 36;
                         const double distance = std::min(w, h) / 2 * x / 21;
                         return Point{w / 2 + distance * std::cos(angle), h / 2 + distance * std::sin(angle)};
                     }});
    const auto map = std::make_shared<Image>(19, 47, 3, Depth::f32);
    for (int y = 0; y < 47; ++y) {
        for (int x = 0; x < 19; ++x) {
            set_value(*map, x, y, 0, hash_01(3, static_cast<std::uint32_t>(19 * y + x)) * (w + 8) - 4);
            set_value(*map, x, y, 1, hash_01(4, static_cast<std::uint32_t>(19 * y + x)) * (h + 8) - 4);
        }
    }
    set_value(*map, 2, 3, 0, std::nan(""));
    set_value(*map, 2, 3, 1, std::nan(""));
    cases.push_back({{.map = {"map", map}}, [map](double x, double y) {
                         return Point{map->at(static_cast<int>(x), static_cast<int>(y), 0),
                                      map->at(static_cast<int>(x), static_cast<int>(y), 1)};
                     }});
    return cases;
}

} // namespace

TEST_CASE("warp by every map, filter, border and form, whole and in tiles") {
    int turn = 0;
    for (const Size& size : {Size{1, 1}, Size{1, 19}, Size{23, 1}, Size{31, 29}}) {
        for (const Shape& shape : all_kinds(size)) {
            const Image image = photo_like_image(shape, 10);
            for (Case& one : all_maps(image.form())) {
                const std::array<ResampleFilter, 3> filters{ResampleFilter::nearest, ResampleFilter::linear,
                                                            ResampleFilter::cubic};
                one.op.filter = filters[static_cast<std::size_t>(turn) % 3];
                one.op.border = all_borders()[static_cast<std::size_t>(turn) % 5];
                one.op.samples = one.op.map.image || one.op.filter == ResampleFilter::nearest ? 1 : 1 + turn / 3 % 3;
                // Weights below 0 may leave next to no alpha, and a quotient of floats that says little.
                const bool may_divide = shape.depth != Depth::f32 || one.op.filter == ResampleFilter::linear;
                one.op.alpha = may_divide && turn % 4 != 0 ? AlphaMode::premultiply : AlphaMode::straight;
                INFO("case " << turn << " filter " << name_of(one.op.filter) << " border "
                             << FieldText<Border>::print(one.op.border));
                check_operation(one.op, image, expected(image, one.op, one.map), {1e-6, 0.001},
                                "texture_size:32");
                ++turn;
            }
        }
    }
}

TEST_CASE("warp: an image with a middle that no border reaches") {
    const Image image = photo_like_image({390, 210, 4, Depth::u8}, 12);
    const std::vector<double> seen{0.93, 0.11, 0.377, 0.03, 1.02, -1.219, 0.00051, -0.00027, 1.003};
    for (const ResampleFilter filter : {ResampleFilter::nearest, ResampleFilter::cubic}) {
        // Where little is opaque, a quotient shows what floats do not.
        const Warp op{.perspective = seen,
                      .samples = filter == ResampleFilter::nearest ? 1 : 2,
                      .filter = filter,
                      .border = {BorderMode::constant, 0.5},
                      .alpha = AlphaMode::straight};
        check_operation(op, image, expected(image, op, by_matrix(seen)), {1e-6, 0.001}, "texture_size:160");
    }
}

TEST_CASE("warp: a perspective whose horizon is in view, or whose depths are tiny") {
    const Image image = random_image({41, 29, 4, Depth::u8}, 12);
    const std::vector<std::vector<double>> views{
        {1, 0, 0, 0, 1, 0, 0.05, -0.04, 0.3},                         // nothing is seen behind the horizon
        {1e-9, 0, 0, 0, 1e-9, 1e-9, 1e-12, 0, 1e-9},                  // the same points as with depths of about 1
        {2e8, 1e7, 0, 0, 3e8, 0, 1e5, 0, 3e8},
        {-1, 0, 0, 0, -1, 0, 0, 0, -1},                               // behind the eye
    };
    for (const std::vector<double>& seen : views) {
        INFO(seen[0]);
        const Warp op{.perspective = seen, .samples = 1, .filter = ResampleFilter::linear, .border = {BorderMode::constant, 0.5}};
        CHECK_THAT(whole(op, image), Matches(expected(image, op, by_matrix(seen)), Tolerance{1e-6, 0.001}));
    }
}

TEST_CASE("warp: points far beyond an image that repeats") {
    for (const Border& border : all_borders()) {
        const Image image = random_image({13, 9, 3, Depth::u8}, 12);
        const std::vector<double> far{301, 0, 1e6 + 0.25, 0, 70001, -3e6 + 0.125};
        const Warp op{.affine = far, .filter = ResampleFilter::nearest, .border = border};
        INFO(FieldText<Border>::print(border));
        check_operation(op, image, expected(image, op, by_matrix(far)));
    }
}

TEST_CASE("warp takes as many samples as the map shrinks, so that stripes become grey") {
    const auto results = [&](const Warp& op) {
        Image stripes(240, 240, 1, Depth::u8);
        for (int y = 0; y < 240; ++y) {
            for (int x = 0; x < 240; ++x) {
                set_value(stripes, x, y, 0, x % 2);
            }
        }
        const Image small = gpu().download(op(gpu(), gpu().upload(stripes)));
        const auto [least, most] = std::minmax_element(small.values<std::uint8_t>().begin(), small.values<std::uint8_t>().end());
        return std::pair<int, int>(*least, *most);
    };
    const PixelSize size{60, 60};
    const Border border = BorderMode::mirror;
    const std::vector<double> affine{4.03, 0, 0, 0, 4, 0};
    const auto [least, most] = results({.affine = affine, .size = size, .border = border});
    CHECK(least > 110);
    CHECK(most < 145);
    const std::vector<double> seen{4.03, 0, 0, 0, 4, 0, 0.0001, 0, 1};
    CHECK(results({.perspective = seen, .size = size, .border = border}).second < 145);
    CHECK(results({.affine = affine, .size = size, .samples = 1, .border = border}).second > 200);
    CHECK(results({.affine = affine, .size = size, .filter = ResampleFilter::nearest, .border = border}).second == 255);
}

TEST_CASE("warp makes four corners those of the result, and points their places") {
    const Image image = random_image({40, 30, 3, Depth::u8}, 5);
    // A part with sides along the axes is a crop.
    const Warp corners{.points = std::vector<double>{5, 4, 25, 4, 25, 19, 5, 19},
                       .filter = ResampleFilter::nearest};
    const Image part = whole(corners, image);
    REQUIRE((part.width() == 20 && part.height() == 15));
    // The same by pairs of points, given in another order.
    Warp pairs = corners;
    pairs.points = std::vector<double>{25, 19, 20, 15, 5, 4, 0, 0, 5, 19, 0, 15, 25, 4, 20, 0};
    pairs.size = PixelSize{20, 15};
    CHECK_THAT(whole(pairs, image), IsBitwise(part));
    for (int y = 0; y < 15; ++y) {
        for (int x = 0; x < 20; ++x) {
            REQUIRE(part.at(x, y, 1) == image.at(x + 5, y + 4, 1));
        }
    }
    // In general, the middle of the result is where the diagonals of the part cross.
    const Warp slanted{.points = std::vector<double>{3, 2, 33, 6, 38, 29, 1, 20},
                       .size = PixelSize{1, 1},
                       .filter = ResampleFilter::nearest};
    // 3 + 35 s = 33 - 32 t and 2 + 27 s = 6 + 14 t
    const double s = (30 * 14 + 4 * 32) / (35.0 * 14 + 27.0 * 32);
    CHECK(whole(slanted, image).at(0, 0, 2) ==
          image.at(static_cast<int>(3 + 35 * s), static_cast<int>(2 + 27 * s), 2));
}

TEST_CASE("warp: maps that are none are refused") {
    CHECK(usage_error(Warp{}).starts_with("warp needs a map"));
    CHECK(usage_error(Warp{.polar = true, .samples = 9}).find("samples") != std::string::npos);
    CHECK(usage_error(Warp{.lens = std::vector<double>(5), .polar = true})
              .starts_with("warp takes one map at a time"));
    CHECK(usage_error(Warp{.affine = std::vector<double>(5)}) == "--affine takes 6 numbers, not 5");
    CHECK(usage_error(Warp{.perspective = std::vector<double>(8)}) == "--perspective takes 9 numbers, not 8");
    CHECK(usage_error(Warp{.points = std::vector<double>(9)}).starts_with("--points takes four corners"));
    CHECK(usage_error(Warp{.points = std::vector<double>{0, 0, 1, 1, 2, 2, 0, 3}})
              .starts_with("three of the four points"));
    CHECK(usage_error(Warp{.affine = std::vector<double>{1, 0, std::nan(""), 0, 1, 0}}) ==
          "--affine nan is out of range");
    CHECK(usage_error(Warp{.polar = true, .alpha = AlphaMode::ignore}) ==
          "--alpha ignore keeps alpha as it is, which warp cannot");
    const auto codes = std::make_shared<Image>(2, 2, 3, Depth::u8);
    CHECK(usage_error(Warp{.map = {"map", codes}}).starts_with("the map of warp holds x and y as floats"));
    const auto floats = std::make_shared<Image>(3, 2, 3, Depth::f32);
    CHECK(usage_error(Warp{.map = {"map", floats}, .size = PixelSize{2, 2}}) ==
          "the map of warp has 3x2 pixels, the result 2x2");
}
