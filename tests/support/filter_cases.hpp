// What the tests of blur and box have in common: answers, and a check of every method against them.
#pragma once

#include "glproc/ops/blur.hpp"
#include "glproc/ops/box.hpp"
#include "support/catch.hpp"
#include "support/fixture.hpp"
#include "support/inputs.hpp"
#include "support/reference.hpp"

#include <algorithm>
#include <string>
#include <type_traits>
#include <utility>
#include <vector>

namespace glproc::test {

/// What a filter must give.
Reference expected(const Blur& blur, const Image& image);
Reference expected(const Box& box, const Image& image);

/// The parameters as text, for INFO.
std::string describe(const Blur& blur);
std::string describe(const Box& box);

/// How often methods ran, and how often `tiled` said that it does not fit. A test looks at it at its end, so
/// that it cannot pass by refusals alone.
struct Tally {
    int ran = 0;
    int refused = 0;
};

/// Runs the filter by every method. Each result must match the answer; only `tiled` may refuse instead, where
/// no tile fits, and must say why.
Tally check_methods(const Blur& blur, const Image& image);
Tally check_methods(const Box& box, const Image& image);

inline Tally& operator+=(Tally& sum, const Tally& more) {
    sum.ran += more.ran;
    sum.refused += more.refused;
    return sum;
}

/// A filter that reaches exactly this many pixels along each axis.
template <class Filter>
Filter with_reach(int x, int y) {
    if constexpr (std::is_same_v<Filter, Blur>) {
        const auto sigma = [](int reach) { return std::min(reach / 3.0, 1000.0); };
        return Blur{.sigma = {sigma(x), sigma(y)}, .radius = PerAxis<int>{x, y}};
    } else {
        return Box{.radius = {x, y}};
    }
}

/// Every border; the constant one with a value that is neither black nor white.
std::vector<Border> all_borders();

/// The alpha modes that make a difference for images with this many channels.
std::vector<AlphaMode> alpha_modes(int channels);

/// Every number of channels with each of its alpha modes.
std::vector<std::pair<int, AlphaMode>> channels_and_alphas();

/// What a filter says to values out of range: `what` of the Error(usage), which must have a hint.
template <class Filter>
std::string usage_error(const Filter& filter) {
    try {
        filter(gpu(), gpu().upload(constant_image({2, 2, 1, Depth::u8}, 1)));
    } catch (const Error& error) {
        CHECK(error.code() == ErrorCode::usage);
        CHECK_FALSE(error.hint().empty());
        return error.what();
    }
    return "no error";
}

} // namespace glproc::test
