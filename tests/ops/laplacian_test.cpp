#include "glproc/ops/laplacian.hpp"

#include "support/hidden.hpp"
#include "support/combinations.hpp"
#include "support/filter_cases.hpp"
#include "support/operation_cases.hpp"

#include <cmath>
#include <numbers>
#include <vector>

using namespace glproc;
using namespace glproc::test;

namespace {

using Around = std::function<double(int, int)>;

double by_differences(const Around& near) {
    return near(1, 0) - 2 * near(0, 0) + near(-1, 0) + near(0, 1) - 2 * near(0, 0) + near(0, -1);
}

/// By the formula of the second derivative, all weights of a kernel at once.
double of_gaussian(double sigma, const Around& near) {
    const int radius = static_cast<int>(4 * sigma + 0.5);
    double norm = 0;
    for (int i = -radius; i <= radius; ++i) {
        norm += std::exp(-i * i / (2 * sigma * sigma));
    }
    double sum = 0;
    for (int y = -radius; y <= radius; ++y) {
        for (int x = -radius; x <= radius; ++x) {
            const double square = double(x) * x + double(y) * y;
            const double weight =
                std::exp(-square / (2 * sigma * sigma)) * (square / std::pow(sigma, 4) - 2 / (sigma * sigma));
            sum += weight / (norm * norm) * near(x, y);
        }
    }
    return sum;
}

void check(Laplacian op, const Image& image) {
    const bool is_signed = op.output == LaplacianOutput::with_sign;
    const Depth depth = is_signed ? Depth::f32 : image.depth();
    const double unit = max_code(depth) / max_code(image.depth()) * op.scale;
    const Image seen = op.sigma == 0 ? image : with_hidden_filled(image, static_cast<int>(4 * op.sigma + 0.5), op.border.mode);
    const Reference answer = stencil_reference(seen, op.border, depth, [&](const Around& near) {
        const double sum = op.sigma == 0 ? by_differences(near) : of_gaussian(op.sigma, near);
        return unit * (is_signed ? sum : std::abs(sum));
    }, op.sigma == 0);
    std::optional<Image> automatic;
    for (const auto& row : enum_rows<ConvolutionMethod>) {
        op.method = row.value;
        const Plan planned = plan(op, image.form());
        if (planned.work.why_unavailable && planned.work.why_unavailable(gpu())) {
            continue;
        }
        INFO("method " << row.name << ", sigma " << op.sigma << " on " << describe(image));
        const Image result = whole(op, image);
        CHECK_THAT(result, Matches(answer));
        automatic = automatic ? automatic : result;
    }
    op.method = ConvolutionMethod::automatic;
    const ScopedLimits small("texture_size:64", plenty);
    ImageRows rows({image.width(), image.height(), image.channels(), depth});
    glproc::run(op, gpu(), rows_of(image), rows);
    rows.finish();
    CHECK_THAT(rows.image(), IsBitwise(*automatic));
}

} // namespace

TEST_CASE("the Laplacian by differences and of a Gaussian, at every depth") {
    const std::vector<EnumRow<LaplacianOutput>> outputs(enum_rows<LaplacianOutput>.begin(),
                                                        enum_rows<LaplacianOutput>.end());
    for (const auto& [sigma, output, depth, channels] :
         combinations(std::vector{0.0, 0.8, 1.5}, outputs, every_depth, std::vector{1, 2, 3, 4})) {
        check({.sigma = sigma, .output = output.value, .scale = 0.30711},
              random_image({41, 27, channels, depth}, 5));
    }
}

TEST_CASE("the Laplacian at awkward sizes and every border") {
    const std::vector<Size> sizes{{1, 1}, {1, 17}, {19, 1}, {53, 31}};
    for (const auto& [border, size, sigma] : combinations(all_borders(), sizes, std::vector{0.0, 1.0})) {
        check({.sigma = sigma, .border = border}, random_image({size.width, size.height, 3, Depth::u8}, 6));
    }
}
