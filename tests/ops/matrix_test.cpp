#include "glproc/ops/matrix.hpp"

#include "support/operation_cases.hpp"

using namespace glproc;
using namespace glproc::test;

namespace {

const std::vector<std::vector<double>>& matrices() {
    static const std::vector<std::vector<double>> all{
        {1, 0, 0, 0, 1, 0, 0, 0, 1},
        {0.393, 0.769, 0.189, 0.349, 0.686, 0.168, 0.272, 0.534, 0.131},
        {1.52131, -0.23173, -0.27191, 0.10037, -0.51713, 1.28191, -0.47119, 0.20123, 0, 0, -1, 1},
    };
    return all;
}

} // namespace

TEST_CASE("matrix weighs the colours, adds the offsets and keeps alpha") {
    for (const Size& size : {Size{1, 1}, Size{1, 19}, Size{37, 1}, Size{61, 47}}) {
        for (const Shape& shape : all_kinds(size)) {
            for (const auto& m : matrices()) {
                const Image image = random_image(shape, 31, FloatRange::wide);
                const bool has_offset = m.size() == 12;
                const std::size_t columns = has_offset ? 4 : 3;
                const auto row = [&](const auto& v, std::size_t at) {
                    const double sum = m[at] * v[0] + m[at + 1] * v[1] + m[at + 2] * v[2];
                    return has_offset ? sum + m[at + 3] : sum;
                };
                const int channels = image.has_alpha() ? 4 : 3; // grey becomes colour
                const auto answer = point_reference(image, channels, shape.depth, [&](const auto& v) {
                    return std::array{row(v, 0), row(v, columns), row(v, 2 * columns), v[3]};
                });
                check_operation(Matrix{.matrix = {m.begin(), m.end()}}, image, answer);
            }
        }
    }
}

TEST_CASE("matrix takes 9 or 12 numbers") {
    const Form form{4, 4, 3, Depth::u8};
    for (const std::size_t count : {0U, 1U, 8U, 10U, 11U, 13U, 100U}) {
        CHECK_THROWS_AS(plan(Matrix{.matrix = std::vector<Level>(count, Level(0.5))}, form), Error);
    }
    CHECK_THROWS_AS(plan(Matrix{.matrix = std::vector<Level>(9, Level(1e7))}, form), Error);
}
