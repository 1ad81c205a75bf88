#include "glproc/ops/matrix.hpp"

#include "glproc/op/describe.hpp"

#include <cmath>

#include <fmt/format.h>

namespace glproc {

namespace {

constexpr Limit element_limit{-1e6, 1e6};

/// The matrix with an offset in every row.
std::array<double, 12> rows_of(const std::vector<Level>& matrix) {
    if (matrix.size() != 9 && matrix.size() != 12) {
        throw Error(ErrorCode::usage, fmt::format("a matrix of {} numbers", matrix.size()),
                    "matrix takes 9 numbers, or 12: three rows with an offset at the end of each");
    }
    const std::size_t columns = matrix.size() / 3;
    std::array<double, 12> rows{};
    for (std::size_t i = 0; i < matrix.size(); ++i) {
        check_limit("matrix", matrix[i], element_limit);
        rows[i / columns * 4 + i % columns] = matrix[i].value;
    }
    return rows;
}

/// If the offset is more than the weights of a row can make up for, a colour becomes all black or white.
void check_offsets(const Matrix& op, const std::array<double, 12>& rows, const Form& form) {
    for (std::size_t row = 0; row < 3 && op.matrix.size() == 12; ++row) {
        const double* weight = rows.data() + row * 4;
        const double reach = 1 + std::abs(weight[0]) + std::abs(weight[1]) + std::abs(weight[2]);
        check_level_among("matrix", op.matrix[row * 4 + 3], form, {-reach, reach}, element_limit);
    }
}

} // namespace

Plan plan(const Matrix& op, const Form& form) {
    const std::array<double, 12> m = rows_of(op.matrix);
    check_offsets(op, m, form);
    return point_plan(form, {.name = "matrix",
                             .glsl = "matrix.glsl",
                             .params = {m.begin(), m.end()},
                             .channels = form.has_alpha() ? 4 : 3,
                             .finite = true,
                             .method = op.method});
}

const OpInfo& matrix_info() {
    static const OpInfo info =
        Describe<Matrix>("matrix", "mix the colour channels with a matrix",
                         "in.png out.png --matrix 0,0,1,0,1,0,1,0,0")
            .example("Sepia",
                     "photo.jpg out.jpg --matrix 0.393,0.769,0.189,0.349,0.686,0.168,0.272,0.534,0.131")
            .found_by({"sepia"}, "IN OUT --matrix 0.393,0.769,0.189,0.349,0.686,0.168,0.272,0.534,0.131")
            .found_by({"-fx N", "-tint N", "-blue-shift N"})
            .field("matrix", &Matrix::matrix,
                   {.value = "N,N,...",
                    .limit = element_limit,
                    .help = "9 weights of r, g and b: a row each for the new r, g and b. With 12 numbers, "
                            "an offset ends each row",
                    .required = true})
            .method(&Matrix::method)
            .runs();
    return info;
}

} // namespace glproc
