#include "glproc/ops/unsharp.hpp"

#include "support/combinations.hpp"
#include "support/filter_cases.hpp"
#include "support/operation_cases.hpp"

#include <cmath>
#include <vector>

using namespace glproc;
using namespace glproc::test;

namespace {

/// By the definition, out of the blur that tests/support computes.
Reference sharpened(const Unsharp& op, const Image& image) {
    Reference answer = expected(Blur{.sigma = op.sigma, .border = op.border, .alpha = op.alpha}, image);
    const double threshold = op.threshold * max_code(image.depth());
    for (int y = 0; y < image.height(); ++y) {
        for (int x = 0; x < image.width(); ++x) {
            for (int c = 0; c < image.channels(); ++c) {
                const bool alpha = image.has_alpha() && c == image.channels() - 1;
                const double own = image.at(x, y, c);
                const double difference = own - answer.at(x, y, c);
                const bool stays =
                    (alpha && op.alpha != AlphaMode::straight) || std::abs(difference) <= threshold;
                answer.at(x, y, c) = stays ? own : own + op.amount * difference;
            }
        }
    }
    return answer;
}

/// `fast` is near the Gaussian only, so its difference to the answer is amplified, too, and other bits are no
/// mistake.
void check_exact(Unsharp op, const Image& image) {
    const Reference answer = sharpened(op, image);
    std::optional<Image> first;
    for (const auto& row : enum_rows<FilterMethod>) {
        op.method = row.value;
        const Plan planned = plan(op, image.form());
        if (planned.work.why_unavailable && planned.work.why_unavailable(gpu())) {
            continue;
        }
        INFO("method " << row.name << ", alpha " << FieldText<AlphaMode>::print(op.alpha) << " on "
                       << describe(image));
        const Image result = whole(op, image);
        CHECK_THAT(result, Matches(answer));
        first = first ? first : result;
        CHECK_THAT(result, IsBitwise(*first));
    }
    op.method = FilterMethod::automatic;
    const ScopedLimits small("texture_size:48", plenty);
    ImageRows rows(image.form());
    glproc::run(op, gpu(), rows_of(image), rows);
    rows.finish();
    CHECK_THAT(rows.image(), IsBitwise(*first));
}

} // namespace

TEST_CASE("unsharp adds what the blur takes away, by every exact method") {
    const std::vector<Size> sizes{{1, 1}, {1, 23}, {29, 1}, {61, 47}};
    for (const auto& [size, depth, form] : combinations(sizes, every_depth, channels_and_alphas())) {
        const auto [channels, alpha] = form;
        check_exact({.sigma = 1.3, .amount = 1.7, .alpha = alpha},
                    photo_like_image({size.width, size.height, channels, depth}, 3));
    }
}

TEST_CASE("unsharp with a threshold, softening, and borders") {
    for (const Border& border : all_borders()) {
        check_exact({.sigma = {2, 0.7}, .amount = -0.6, .border = border},
                    random_image({53, 31, 3, Depth::u8}, 4));
    }
    // About half of the differences are below it, and none so near that rounding decides.
    check_exact({.sigma = 1, .amount = 2, .threshold = 0.20031}, random_image({53, 31, 1, Depth::u8}, 7));
}

TEST_CASE("unsharp of a wide Gaussian is near the definition") {
    const Image image = photo_like_image({200, 150, 3, Depth::u8}, 5); // where alpha is small, errors are not
    const Unsharp op{.sigma = 9, .amount = 1.5};
    CHECK_THAT(whole(op, image), Matches(sharpened(op, image), near_enough));
}

TEST_CASE("sigma 0 and amount 0 change nothing") {
    const Image image = random_image({37, 29, 4, Depth::u16}, 6);
    CHECK_THAT(whole(Unsharp{.sigma = 0}, image), IsBitwise(image));
    CHECK_THAT(whole(Unsharp{.sigma = 2, .amount = 0}, image), IsBitwise(image));
}
