// The references themselves, against pictures and numbers that were worked out elsewhere. No GPU.
#include "support/reference.hpp"

#include "support/catch.hpp"
#include "support/inputs.hpp"
#include "support/matchers.hpp"

#include <string>
#include <tuple>
#include <vector>

using namespace glproc;
using namespace glproc::test;

namespace {

/// Pixels a, b, c … with `reach` more on each side; '-' for the constant.
std::string picture(BorderMode mode, int n, int reach) {
    std::string text;
    for (int i = -reach; i < n + reach; ++i) {
        const int index = border_index(mode, i, n);
        text += index < 0 ? '-' : static_cast<char>('a' + index);
    }
    return text;
}

} // namespace

TEST_CASE("the reference's borders are the pictures of their definition") {
    CHECK(picture(BorderMode::clamp, 4, 5) == "aaaaaabcdddddd");
    CHECK(picture(BorderMode::mirror, 4, 5) == "bcdcbabcdcbabc");
    CHECK(picture(BorderMode::symmetric, 4, 5) == "ddcbaabcddcbaa");
    CHECK(picture(BorderMode::wrap, 4, 5) == "dabcdabcdabcda");
    CHECK(picture(BorderMode::constant, 4, 5) == "-----abcd-----");
    for (const auto& row : enum_rows<BorderMode>) {
        CHECK(picture(row.value, 1, 3) == (row.value == BorderMode::constant ? "---a---" : "aaaaaaa"));
    }
    CHECK(picture(BorderMode::mirror, 2, 5) == "babababababa");
    CHECK(picture(BorderMode::symmetric, 2, 5) == "aabbaabbaabb");
}

TEST_CASE("the reference's Gaussian is the one of the golden row") {
    const Image image = impulse_image({9, 1, 1, Depth::u8}, 4, 0);
    const std::vector<double> weights = gaussian_weights(1, gaussian_radius(1));
    const Image result = rounded(filter(image, weights, {1}, BorderMode::clamp, AlphaMode::premultiply));
    const std::vector<int> golden{0, 1, 14, 62, 102, 62, 14, 1, 0};
    for (int x = 0; x < 9; ++x) {
        CHECK(result.at(x, 0, 0) == golden[static_cast<std::size_t>(x)]);
    }
}

TEST_CASE("the reference filters rows and columns alike, and weights colour by alpha") {
    Image image(3, 1, 2, Depth::u8);
    for (const auto& [x, grey, alpha] : {std::tuple{0, 200, 255}, {1, 100, 51}, {2, 0, 0}}) {
        set_value(image, x, 0, 0, grey / 255.0);
        set_value(image, x, 0, 1, alpha / 255.0);
    }
    const std::vector<double> box = box_weights(1);
    const Reference weighted = filter(image, box, {1}, BorderMode::constant, AlphaMode::premultiply);
    CHECK(weighted.at(1, 0, 0) == Approx((200.0 * 255 + 100.0 * 51) / 306));
    CHECK(weighted.at(1, 0, 1) == Approx(102));
    const Reference straight = filter(image, box, {1}, BorderMode::constant, AlphaMode::straight);
    CHECK(straight.at(1, 0, 0) == Approx(100));
    CHECK(straight.at(1, 0, 1) == Approx(102));
    const Reference ignored = filter(image, box, {1}, BorderMode::constant, AlphaMode::ignore);
    CHECK(ignored.at(1, 0, 0) == Approx(100));
    CHECK(ignored.at(1, 0, 1) == 51);
    const Reference columns = filter(image, {1}, box, BorderMode::constant, AlphaMode::ignore);
    CHECK(columns.at(0, 0, 0) == Approx(200.0 / 3));
}

TEST_CASE("codes are clamped and rounded half to even") {
    CHECK(round_to_depth(0.5, Depth::u8) == 0);
    CHECK(round_to_depth(1.5, Depth::u8) == 2);
    CHECK(round_to_depth(-3, Depth::u8) == 0);
    CHECK(round_to_depth(300, Depth::u8) == 255);
    CHECK(round_to_depth(65535.7, Depth::u16) == 65535);
    CHECK(round_to_depth(-3.25, Depth::f32) == -3.25);
}

TEST_CASE("a comparison finds a single wrong value, and says where") {
    const Image image = random_image({70, 50, 3, Depth::u8}, 41);
    const Reference answer = reference_of(image);
    CHECK(compare(image, answer).problem.empty());
    Image wrong = image;
    wrong.row(33)[5 * 3 + 2] ^= std::byte{1};
    CHECK_THAT(compare(wrong, answer).problem, Catch::Matchers::Contains("(5, 33) channel 2"));
    CHECK_THAT(difference(wrong, image), Catch::Matchers::Contains("(5, 33) channel 2"));
    CHECK(compare(wrong, answer).too_far == 1);
    CHECK_FALSE(compare(random_image({70, 49, 3, Depth::u8}), answer).problem.empty());
}

TEST_CASE("an integer may be on the other side of a tie only where the answer is next to the tie") {
    const Image image = constant_image({40, 40, 1, Depth::u8}, 100 / 255.0);
    Reference answer = reference_of(image);
    answer.at(3, 3, 0) = 100.5001; // 100 is the far side of the tie, by less than the tolerance
    CHECK(compare(image, answer).problem.empty());
    CHECK(compare(image, answer).off == 1);
    answer.at(3, 3, 0) = 100.51;
    CHECK_FALSE(compare(image, answer).problem.empty());
    answer.at(3, 3, 0) = 100;
    for (int x = 0; x < 40; ++x) {
        answer.at(x, 7, 0) = 100.5001; // each may be, but these are more than one in a thousand
    }
    CHECK_FALSE(compare(image, answer).problem.empty());
}

TEST_CASE("a float may miss the answer by a millionth of the full scale, and a NaN never passes") {
    Image image = constant_image({4, 4, 1, Depth::f32}, 0.5);
    Reference answer = reference_of(image);
    answer.at(1, 2, 0) += 0.9e-6;
    CHECK(compare(image, answer).problem.empty());
    answer.at(1, 2, 0) += 0.3e-6;
    CHECK_FALSE(compare(image, answer).problem.empty());
    answer.full_scale = 10;
    CHECK(compare(image, answer).problem.empty());
    set_value(image, 0, 0, 0, std::numeric_limits<double>::quiet_NaN());
    CHECK_FALSE(compare(image, answer).problem.empty());
}
