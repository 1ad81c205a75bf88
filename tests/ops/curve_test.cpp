#include "glproc/ops/curve.hpp"

#include "support/operation_cases.hpp"

#include <cmath>

using namespace glproc;
using namespace glproc::test;

namespace {

/// A cubic in Hermite form between each two points, with slopes that are given: those of SciPy's
/// PchipInterpolator.
double hermite(const std::vector<CurvePoint>& points, const std::vector<double>& slopes, double x) {
    if (std::isnan(x)) {
        return x;
    }
    if (x <= points.front().x) {
        return points.front().y;
    }
    for (std::size_t i = 1; i < points.size(); ++i) {
        if (x <= points[i].x) {
            const double h = points[i].x - points[i - 1].x;
            const double t = (x - points[i - 1].x) / h;
            const double u = 1 - t;
            return points[i - 1].y * (1 + 2 * t) * u * u + h * slopes[i - 1] * t * u * u +
                   points[i].y * t * t * (1 + 2 * u) - h * slopes[i] * t * t * u;
        }
    }
    return points.back().y;
}

struct Case {
    std::vector<CurvePoint> points;
    std::vector<double> slopes; ///< scipy.interpolate.PchipInterpolator(x, y).derivative()(x), SciPy 1.10
};

const std::vector<Case>& cases() {
    static const std::vector<Case> all{
        {{{0, 0}, {1, 1}}, {1.0, 1.0}},
        {{{0, 0}, {0.25, 0.15}, {0.75, 0.85}, {1, 1}},
         {0.3333333333333333, 0.8042553191489361, 0.8042553191489362, 0.33333333333333337}},
        {{{0.1, 0.2}, {0.15, 0.9}, {0.4, 0.3}, {0.41, 0.35}, {0.8, 0.35}, {0.9, 1}},
         {16.733333333333334, 0.0, 0.0, 0.0, 0.0, 7.8265306122449}},
        {{{0, 1}, {0.3, 0.2}, {0.35, 0.15}, {1, 0}},
         {-4.095238095238095, -1.3125000000000009, -0.4565217391304348, -5.551115123125783e-17}},
        {{{-1, 0}, {0, 0.9}, {0.1, 0.95}, {2, 1.2}},
         {1.2636363636363643, 0.5963855421686741, 0.2525252525252524, -6.938893903907228e-18}},
    };
    return all;
}

/// Whether a point is darker than black or brighter than white.
bool goes_beyond(const std::vector<CurvePoint>& points) {
    return std::any_of(points.begin(), points.end(), [](const CurvePoint& point) {
        return double(point.x) < 0 || double(point.x) > 1 || double(point.y) < 0 || double(point.y) > 1;
    });
}

} // namespace

TEST_CASE("curve goes through its points as SciPy's PchipInterpolator does, and keeps alpha") {
    for (const Size& size : {Size{1, 1}, Size{1, 19}, Size{37, 1}, Size{61, 47}}) {
        for (const Shape& shape : all_kinds(size)) {
            for (const Case& with : cases()) {
                if (shape.depth != Depth::f32 && goes_beyond(with.points)) {
                    continue; // refused, see below
                }
                const Image image = random_image(shape, 41, FloatRange::wide);
                const auto y = [&](double x) { return hermite(with.points, with.slopes, x); };
                const auto answer = point_reference(image, shape.channels, shape.depth, [&](const auto& v) {
                    return std::array{y(v[0]), y(v[1]), y(v[2]), v[3]};
                });
                check_operation(Curve{.points = with.points}, image, answer);
            }
        }
    }
}

TEST_CASE("curve of floats that are no numbers or endless") {
    Image image(3, 1, 1, Depth::f32);
    const float inf = std::numeric_limits<float>::infinity();
    const std::array<float, 3> values{std::nanf(""), inf, -inf};
    std::copy(values.begin(), values.end(), image.values<float>().begin());
    for (const PointMethod method : {PointMethod::gpu, PointMethod::cpu}) {
        const Image result = whole(Curve{.points = {{0.25, 0.5}, {0.5, 0.75}}, .method = method}, image);
        CHECK(std::isnan(result.at(0, 0, 0)));
        CHECK(result.at(1, 0, 0) == 0.75);
        CHECK(result.at(2, 0, 0) == 0.5);
    }
}

TEST_CASE("curve takes 2 points or more in ascending order") {
    const Form form{4, 4, 3, Depth::u8};
    CHECK_THROWS_AS(plan(Curve{.points = {}}, form), Error);
    CHECK_THROWS_AS(plan(Curve{.points = {{0, 0}}}, form), Error);
    CHECK_THROWS_AS(plan(Curve{.points = {{0.5, 0}, {0.5, 1}}}, form), Error);
    CHECK_THROWS_AS(plan(Curve{.points = {{1, 0}, {0, 1}}}, form), Error);
    CHECK_THROWS_AS(plan(Curve{.points = {{0, 0}, {1, 1e9}}}, form), Error);
    CHECK_THROWS_AS(plan(Curve{.points = {{0, 0}, {1, std::nan("")}}}, form), Error);
    const FieldContext context{"points", "", {}};
    using Text = FieldText<std::vector<CurvePoint>>;
    CHECK(Text::parse(context, "0,0 0.5,0.25;1,1") == std::vector<CurvePoint>{{0, 0}, {0.5, 0.25}, {1, 1}});
    CHECK_THROWS_AS(Text::parse(context, "0,0,1"), Error);
    CHECK_THROWS_AS(Text::parse(context, ""), Error);
    CHECK_THROWS_AS(Text::parse(context, "0,0 1,one"), Error);
}
