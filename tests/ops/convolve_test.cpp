#include "glproc/kinds/convolution_window.hpp"
#include "glproc/ops/convolve.hpp"

#include "support/hidden.hpp"
#include "support/combinations.hpp"
#include "support/filter_cases.hpp"
#include "support/operation_cases.hpp"
#include "support/temp_dir.hpp"

#include <cmath>
#include <fstream>
#include <numeric>
#include <vector>

#include <fmt/format.h>

using namespace glproc;
using namespace glproc::test;

namespace {

Kernel random_kernel(int width, int height, std::uint32_t seed, bool whole) {
    Kernel kernel{width, height, {}};
    for (int i = 0; i < width * height; ++i) {
        const double value = hash_01(seed, static_cast<std::uint32_t>(i)) * 2 - 0.7;
        kernel.weights.push_back(whole ? std::nearbyint(value * 9) : value);
    }
    return kernel;
}

// Scales have many digits: with few, many sums of whole numbers would lie halfway between two codes.

/// Weight (x, y) of the kernel is that of the pixel that lies (width / 2 - x, height / 2 - y) away.
Reference convolved(const Convolve& op, const Image& image) {
    Reference answer = reference_of(image);
    const Kernel& kernel = op.kernel;
    double total = 0;
    double magnitude = 0;
    for (const double weight : kernel.weights) {
        total += weight;
        magnitude += std::abs(weight);
    }
    const int channels = image.channels();
    const bool weighs = image.has_alpha() && op.alpha == AlphaMode::premultiply && std::abs(total) > 1e-12;
    const bool keeps = image.has_alpha() && !weighs && op.alpha != AlphaMode::straight;
    const bool hides = keeps && op.alpha == AlphaMode::premultiply;
    const Image seen = hides ? with_hidden_filled(image, std::max(kernel.width, kernel.height) / 2, op.border.mode) : image;
    const double full = max_code(image.depth());
    const auto pixel = [&](int x, int y, int c) {
        const int column = border_index(op.border.mode, x, image.width());
        const int row = border_index(op.border.mode, y, image.height());
        const bool alpha = image.has_alpha() && c == channels - 1;
        return column < 0 || row < 0 ? (alpha ? 0 : round_to_depth(op.border.value * full, image.depth()))
                                     : seen.at(column, row, c);
    };
    for (int y = 0; y < image.height(); ++y) {
        for (int x = 0; x < image.width(); ++x) {
            std::array<double, 4> sums{};
            for (int j = 0; j < kernel.height; ++j) {
                for (int i = 0; i < kernel.width; ++i) {
                    const double weight = kernel.weights[static_cast<std::size_t>(j * kernel.width + i)];
                    const int from_x = x + kernel.width / 2 - i;
                    const int from_y = y + kernel.height / 2 - j;
                    for (int c = 0; c < channels; ++c) {
                        const double share =
                            weighs && c < channels - 1 ? pixel(from_x, from_y, channels - 1) : 1;
                        sums[static_cast<std::size_t>(c)] += weight * share * pixel(from_x, from_y, c);
                    }
                }
            }
            const double shares = sums[static_cast<std::size_t>(channels - 1)];
            for (int c = 0; c < channels; ++c) {
                const bool alpha = image.has_alpha() && c == channels - 1;
                const double sum = sums[static_cast<std::size_t>(c)];
                const double mean = weighs ? (shares == 0 ? 0 : sum / shares * total) : sum;
                answer.at(x, y, c) = alpha && keeps    ? image.at(x, y, c)
                                     : alpha && weighs ? sum / total
                                                       : op.scale * mean + op.offset * full;
            }
        }
    }
    answer.full_scale = std::max(1.0, std::abs(op.scale) * magnitude) * full;
    return answer;
}

void check(Convolve op, const Image& image) {
    const Reference answer = convolved(op, image);
    std::optional<Image> automatic;
    for (const auto& row : enum_rows<ConvolutionMethod>) {
        op.method = row.value;
        const Plan planned = plan(op, image.form());
        const bool is_compared_below =
            row.value == ConvolutionMethod::window; // its programs take long to compile
        if (is_compared_below || (planned.work.why_unavailable && planned.work.why_unavailable(gpu()))) {
            continue;
        }
        INFO("method " << row.name << ", " << op.kernel.width << "x" << op.kernel.height << " on "
                       << describe(image));
        const Image result = whole(op, image);
        CHECK_THAT(result, Matches(answer));
        automatic = automatic ? automatic : result;
    }
    op.method = ConvolutionMethod::automatic;
    const ScopedLimits small("texture_size:48", plenty);
    ImageRows rows(image.form());
    glproc::run(op, gpu(), rows_of(image), rows);
    rows.finish();
    CHECK_THAT(rows.image(), IsBitwise(*automatic));
}

} // namespace

TEST_CASE("convolve by kernels of odd and even sizes, at every depth and alpha") {
    const std::vector<Size> sizes{{3, 3}, {1, 1}, {2, 2}, {5, 1}, {1, 4}, {7, 5}};
    for (const auto& [size, depth, form] : combinations(sizes, every_depth, channels_and_alphas())) {
        const auto [channels, alpha] = form;
        const Kernel kernel = random_kernel(size.width, size.height, 11, channels % 2 == 0);
        check({.kernel = kernel, .scale = 0.210307, .offset = 0.1, .alpha = alpha},
              photo_like_image({43, 29, channels, depth}, 2));
    }
}

TEST_CASE("colour weighted by alpha goes to the even code from halfway between two") {
    const Kernel binomial{3, 3, {1, 2, 1, 2, 4, 2, 1, 2, 1}};
    // Alpha grows along x. Colours of even rows are one below those of odd rows, so that every column has its
    // mean halfway.
    Image image(251, 31, 2, Depth::u8);
    for (int y = 0; y < image.height(); ++y) {
        for (int x = 0; x < image.width(); ++x) {
            const double code = std::floor(hash_01(9, static_cast<std::uint32_t>(x / 8)) * 255) + y % 2;
            set_value(image, x, y, 0, code / 255);
            set_value(image, x, y, 1, (x + 3) / 255.0);
        }
    }
    Convolve op{.kernel = binomial, .scale = 0.0625};
    for (const ConvolutionMethod method : {ConvolutionMethod::direct, ConvolutionMethod::separable}) {
        op.method = method;
        const Image result = whole(op, image);
        const Reference answer = convolved(op, image);
        int wrong = 0;
        int halves = 0;
        for (int y = 0; y < image.height(); ++y) {
            for (int x = 0; x < image.width(); ++x) {
                halves += std::fmod(answer.at(x, y, 0), 1.0) == 0.5 ? 1 : 0;
                wrong += result.at(x, y, 0) != std::nearbyint(answer.at(x, y, 0)) ? 1 : 0;
            }
        }
        INFO("of " << halves);
        CHECK(wrong == 0);
        CHECK(halves > 5000);
    }
}

TEST_CASE("convolve at awkward sizes and every border") {
    const std::vector<Size> sizes{{1, 1}, {1, 19}, {23, 1}, {61, 47}};
    for (const auto& [border, size, channels] : combinations(all_borders(), sizes, std::vector{1, 3, 4})) {
        const Convolve op{.kernel = random_kernel(5, 4, 12, true), .scale = 0.050307, .border = border};
        check(op, random_image({size.width, size.height, channels, Depth::u8}, 3));
    }
}

TEST_CASE("products of a row and a column go along each axis, also beyond a constant border") {
    Kernel kernel{11, 13, {}};
    for (int y = 0; y < 13; ++y) {
        for (int x = 0; x < 11; ++x) {
            kernel.weights.push_back((x + 1) * (y - 3.5));
        }
    }
    REQUIRE(as_product(11, 13, kernel.weights).size() == 1);
    for (const Border& border : all_borders()) {
        for (const Shape& shape :
             {Shape{53, 37, 1, Depth::u8}, Shape{53, 37, 4, Depth::u16}, Shape{53, 37, 3, Depth::f32}}) {
            // Straight: where weights of both signs cancel, colour divided by the sum of their alphas means
            // nothing.
            check({.kernel = kernel, .scale = 1.0307e-3, .border = border, .alpha = AlphaMode::straight},
                  photo_like_image(shape, 4));
        }
    }
    kernel.weights[5] += 1;
    CHECK(as_product(11, 13, kernel.weights).empty());
}

TEST_CASE("kernels as text and from files") {
    const Kernel kernel = FieldText<Kernel>::parse({"kernel", "", {}}, "1 2 1; 2,4,2 ; 1 2 1");
    CHECK(kernel.width == 3);
    CHECK(kernel.height == 3);
    CHECK(kernel.weights == std::vector<double>{1, 2, 1, 2, 4, 2, 1, 2, 1});
    const auto problem = [](const std::string& text) {
        try {
            FieldText<Kernel>::parse({"kernel", "", {}}, text);
        } catch (const Error& error) {
            return fmt::format("{} {}", static_cast<int>(error.code()), error.what());
        }
        return std::string("none");
    };
    CHECK(problem("1 2; 3") == "2 --kernel: a row of 1 weight follows rows of 2");
    CHECK(problem(";;") == "2 --kernel: there are no weights");
    CHECK(problem("1 -") == "2 --kernel: '-' is not a number");
    CHECK(problem("nosuch.txt") == "3 nosuch.txt: no such file");
    const TempDir folder;
    const std::string path = (folder.path() / "kernel.txt").string();
    std::ofstream(path) << "# a ramp\n1 2 3 # from left\n\n4 5 x\n";
    CHECK(problem(path) == "3 " + path + ":4: 'x' is not a number");
    std::ofstream(path) << std::string(3000000, ' ');
    CHECK(problem(path) == "3 " + path + ": too long for a kernel of up to 63x63 weights");
    std::ofstream(path) << "";
    CHECK(problem(path) == "3 " + path + ":1: there are no weights");
    std::string wide;
    for (int i = 0; i < 64; ++i) {
        wide += "1 ";
    }
    CHECK(problem(wide) == "2 --kernel: a kernel has up to 63x63 weights");
}

TEST_CASE("weights are shortened only where sums of 8 bits stay what they are") {
    const Kernel kernel = random_kernel(15, 15, 31, false);
    const double sum = std::accumulate(kernel.weights.begin(), kernel.weights.end(), 0.0);
    const std::vector<double> few = glproc::shortened(kernel.weights, 1 / sum);
    CHECK(std::all_of(few.begin(), few.end(), glproc::is_short));
    double missed = 0;
    for (std::size_t i = 0; i < few.size(); ++i) {
        missed += std::abs(few[i] - kernel.weights[i]) * 255 / sum;
    }
    CHECK(missed > 0);
    CHECK(missed < 0.005);
    CHECK(glproc::shortened(kernel.weights, 100 / sum) == kernel.weights);
    CHECK(glproc::shortened({0.25, 0.5, -0.75}, 1e6) == std::vector<double>{0.25, 0.5, -0.75});
}

TEST_CASE("window gives the bits of the methods that it stands for") {
    const auto result_by = [](Convolve op, ConvolutionMethod method, const Image& image) {
        op.method = method;
        return whole(op, image);
    };
    Kernel product{11, 9, {}}; // of too few weights to be taken as one
    for (int i = 0; i < 99; ++i) {
        product.weights.push_back((i % 11 + 1) * (i / 11 - 2.5) * 0.3);
    }
    Kernel wide{13, 9, {}};
    for (int i = 0; i < 13 * 9; ++i) {
        wide.weights.push_back((i % 13 + 1) * (i / 13 - 2.5) * 0.3);
    }
    struct Case {
        Kernel kernel;
        Border border;
        ConvolutionMethod same;
    };
    const std::vector<Case> cases{
        {random_kernel(4, 5, 21, true), BorderMode::mirror, ConvolutionMethod::direct},
        {random_kernel(7, 9, 22, false), BorderMode::mirror, ConvolutionMethod::direct},
        {product, BorderMode::mirror, ConvolutionMethod::direct},
        {wide, BorderMode::clamp, ConvolutionMethod::separable}};
    for (const auto& [each, depth, form] : combinations(cases, every_depth, channels_and_alphas())) {
        const auto [channels, alpha] = form;
        const Image image = photo_like_image({139, 43, channels, depth}, 5);
        const Convolve op{.kernel = each.kernel, .scale = 0.0307, .border = each.border, .alpha = alpha};
        INFO(describe(image));
        CHECK_THAT(result_by(op, ConvolutionMethod::window, image),
                   IsBitwise(result_by(op, each.same, image)));
    }
    for (const Border& border : all_borders()) {
        const Convolve op{.kernel = random_kernel(5, 4, 24, true), .scale = 0.0307, .border = border};
        const Image image = random_image({61, 47, 3, Depth::u8}, 8);
        CHECK_THAT(result_by(op, ConvolutionMethod::window, image),
                   IsBitwise(result_by(op, ConvolutionMethod::direct, image)));
    }
    const Convolve largest{
        .kernel = random_kernel(15, 15, 23, true), .scale = 0.00307, .alpha = AlphaMode::straight};
    const Image tall = photo_like_image({70, 301, 4, Depth::u8}, 6);
    CHECK_THAT(result_by(largest, ConvolutionMethod::window, tall),
               IsBitwise(result_by(largest, ConvolutionMethod::direct, tall)));
}
