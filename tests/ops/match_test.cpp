#include "glproc/ops/match.hpp"

#include "support/hidden.hpp"
#include "support/operation_cases.hpp"
#include "support/warnings.hpp"

#include <algorithm>
#include <cmath>
#include <map>

using namespace glproc;
using namespace glproc::test;

namespace {

constexpr Tolerance exact{1e-9, 0};

std::map<double, double> shares_of(const Image& image, int channel) {
    std::map<double, double> shares; // of what can be seen, at the codes of every pixel
    double seen = 0;
    for (int y = 0; y < image.height(); ++y) {
        for (int x = 0; x < image.width(); ++x) {
            shares[image.at(x, y, channel)] += is_hidden(image, x, y) ? 0 : 1;
            seen += is_hidden(image, x, y) ? 0 : 1;
        }
    }
    double sum = 0;
    for (auto& [code, count] : shares) {
        sum += count;
        count = seen > 0 ? sum / seen : 0;
    }
    return shares;
}

/// numpy.interp of `share` in the shares of codes.
double code_at(const std::map<double, double>& shares, double share) {
    auto last = shares.begin();
    for (auto next = shares.begin(); next != shares.end(); last = next++) {
        if (std::abs(next->second - share) < 1e-12) {
            return next->first;
        }
        if (next->second > share) {
            const double part = (share - last->second) / (next->second - last->second);
            return next == shares.begin() ? next->first : last->first + part * (next->first - last->first);
        }
    }
    return last->first;
}

Reference answer_to(const Image& image, const Image& other) {
    Reference answer = reference_of(image);
    for (int c = 0; c < image.channels() - (image.has_alpha() ? 1 : 0); ++c) {
        const std::map<double, double> own = shares_of(image, c);
        std::map<double, double> wanted;
        for (const auto& [code, share] : shares_of(other, c)) {
            if (share > (wanted.empty() ? 0 : wanted.rbegin()->second)) { // else nobody sees it
                wanted[code] = share;
            }
        }
        if (wanted.empty() || own.rbegin()->second == 0) {
            continue;
        }
        for (int y = 0; y < image.height(); ++y) {
            for (int x = 0; x < image.width(); ++x) {
                answer.at(x, y, c) = code_at(wanted, own.at(image.at(x, y, c)));
            }
        }
    }
    return answer;
}

Match with(const Image& image) {
    return {.with = {"other", std::make_shared<const Image>(image)}};
}

} // namespace

TEST_CASE("match gives each colour the histogram of the other image") {
    for (const Size& size : {Size{1, 1}, Size{1, 19}, Size{37, 1}, Size{61, 47}}) {
        for (const Shape& shape : all_kinds(size)) {
            if (shape.depth == Depth::f32) {
                CHECK_THROWS_AS(plan(Match{}, shape), Error);
                continue;
            }
            for (const Shape& other :
                 {Shape{23, 31, shape.channels, shape.depth}, Shape{7, 1, shape.channels, shape.depth}}) {
                const Image image = photo_like_image(shape);
                const Image wanted = random_image(other, 3);
                check_operation(with(wanted), image, answer_to(image, wanted), exact);
                const Image hiding = with_hidden_pixels(image);
                const Image also = with_hidden_pixels(wanted, 2);
                check_operation(with(also), hiding, answer_to(hiding, also), exact);
            }
        }
    }
    CHECK(gpu_warnings() == std::vector<std::string>()); // no kernel was wrong and another method right
}

TEST_CASE("match leaves an image as it is that is matched with itself") {
    for (const Depth depth : {Depth::u8, Depth::u16}) {
        const Image opaque = photo_like_image({53, 41, 3, depth});
        CHECK_THAT(whole(with(opaque), opaque), IsBitwise(opaque));
        const Image image = with_hidden_pixels(photo_like_image({53, 41, 4, depth}));
        const Image matched = whole(with(image), image);
        for (int y = 0; y < image.height(); ++y) {
            for (int x = 0; x < image.width(); ++x) {
                for (int c = 0; c < 4 && !is_hidden(image, x, y); ++c) {
                    CHECK(matched.at(x, y, c) == image.at(x, y, c));
                }
            }
        }
    }
}

TEST_CASE("match interpolates between codes, and ties go to the even one") {
    Image image(Form{4, 1, 1, Depth::u8});
    Image other(Form{2, 1, 1, Depth::u8});
    for (const auto& [high, middle] : {std::pair{11, 10}, std::pair{13, 12}, std::pair{10, 10}}) {
        std::copy_n(std::array<std::uint8_t, 4>{0, 1, 2, 3}.begin(), 4, image.values<std::uint8_t>().begin());
        other.values<std::uint8_t>()[0] = 10;
        other.values<std::uint8_t>()[1] = static_cast<std::uint8_t>(high);
        const Image result = whole(with(other), image);
        CHECK(result.at(0, 0, 0) == 10); // a quarter is less than the half of the other image that is 10
        CHECK(result.at(1, 0, 0) == 10);
        CHECK(result.at(2, 0, 0) == middle); // three quarters lie halfway between the two
        CHECK(result.at(3, 0, 0) == high);
    }
}

TEST_CASE("match: images of other depths and kinds") {
    const Image image = photo_like_image({31, 29, 3, Depth::u8});
    const Image wanted = random_image({31, 29, 3, Depth::u8}, 5);
    CHECK_THAT(whole(with(with_depth(wanted, Depth::u16)), image), IsBitwise(whole(with(wanted), image)));
    CHECK_THROWS_AS(whole(with(random_image({9, 9, 1, Depth::u8})), image), Error);
    CHECK_THROWS_AS(whole(Match{}, image), Error);
    Image numbers(9, 9, 3, Depth::f32);
    std::ranges::fill(numbers.values<float>(), 270.0F);
    CHECK_THROWS_WITH(whole(with(numbers), image), "match needs a second image with values from 0 to 1; this one has 270 to 270");
    for (float& value : numbers.values<float>()) { // within 0 to 1, and less than a code apart
        value = 0.25F + 0.003F * static_cast<float>(&value - numbers.values<float>().data()) / 242;
    }
    CHECK_THROWS_WITH(
        whole(with(numbers), image),
        "match needs a second image with values spread over 0 to 1; this one has 0.25 to 0.253");
    numbers.values<float>()[0] = 0.26F;
    CHECK_NOTHROW(whole(with(numbers), image));
    std::ranges::fill(numbers.values<float>(), 0.25F); // of one value
    CHECK_NOTHROW(whole(with(numbers), image));
}
