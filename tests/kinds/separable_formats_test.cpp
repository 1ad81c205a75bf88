// Every format and border through every method of every separable filter.
#include "support/catch.hpp"
#include "support/filter_cases.hpp"
#include "support/inputs.hpp"

#include <array>
#include <cstddef>
#include <vector>

using namespace glproc;
using namespace glproc::test;

namespace {

constexpr std::array all_depths{Depth::u8, Depth::u16, Depth::f32};
constexpr int methods = static_cast<int>(enum_rows<FilterMethod>.size());

/// Goes round the awkward sizes, so that a long list of cases meets all of them.
class SizeWheel {
  public:
    Shape next(int channels, Depth depth) {
        const Size size = awkward_sizes()[next_++ % awkward_sizes().size()];
        return {size.width, size.height, channels, depth};
    }

  private:
    std::size_t next_ = 0;
};

/// What a filter with this border and alpha mode makes of a small image and of one that spans several tiles.
template <class Filter>
Tally check_format(SizeWheel& sizes, int channels, Depth depth, const Border& border, AlphaMode alpha) {
    auto filter = with_reach<Filter>(3, 2);
    filter.border = border;
    filter.alpha = alpha;
    Tally tally = check_methods(filter, random_image(sizes.next(channels, depth), 11, FloatRange::wide));
    tally += check_methods(filter, photo_like_image({150, 70, channels, depth}));
    return tally;
}

/// The borders, one after the other: neighbours in a list of cases get different ones.
class BorderWheel {
  public:
    Border next() { return borders_[next_++ % borders_.size()]; }

  private:
    std::vector<Border> borders_ = all_borders();
    std::size_t next_ = 0;
};

} // namespace

// Each variant of a kernel costs its compilation, so not every product of all choices runs: all borders with
// all channel counts at 8 bits, and every pair of the others.
TEMPLATE_TEST_CASE("every method gives the answer for every border and channel count at 8 bits", "", Blur,
                   Box) {
    SizeWheel sizes;
    Tally tally;
    for (const Border& border : all_borders()) {
        for (int channels = 1; channels <= 4; ++channels) {
            tally += check_format<TestType>(sizes, channels, Depth::u8, border, AlphaMode::premultiply);
        }
    }
    CHECK(tally.ran == 5 * 4 * 2 * methods);
    CHECK(tally.refused == 0);
}

TEMPLATE_TEST_CASE("every method gives the answer for every depth, channel count and alpha mode", "", Blur,
                   Box) {
    SizeWheel sizes;
    BorderWheel borders;
    Tally tally;
    for (const Depth depth : all_depths) {
        for (int channels = 1; channels <= 4; ++channels) {
            for (const AlphaMode alpha : alpha_modes(channels)) {
                tally += check_format<TestType>(sizes, channels, depth, borders.next(), alpha);
            }
        }
    }
    CHECK(tally.ran == 3 * 8 * 2 * methods);
    CHECK(tally.refused == 0);
}

TEMPLATE_TEST_CASE("every method gives the answer beyond a border of a colour", "", Blur, Box) {
    SizeWheel sizes;
    Tally tally;
    const Border opaque(Colour{1, 0.25, 0.5, 1});
    const Border half(Colour{0.1, 0.9, 0.3, 0.5});
    for (const Depth depth : all_depths) {
        for (const Border& border : {opaque, half}) {
            for (const int channels : {3, 4}) {
                for (const AlphaMode alpha : alpha_modes(channels)) {
                    tally += check_format<TestType>(sizes, channels, depth, border, alpha);
                }
            }
        }
        const Border grey(Colour{0.4, 0.4, 0.4, 0.75});
        tally += check_format<TestType>(sizes, 1, depth, grey, AlphaMode::premultiply);
        tally += check_format<TestType>(sizes, 2, depth, grey, AlphaMode::premultiply);
    }
    CHECK(tally.ran == 3 * (2 * 4 + 2) * 2 * methods);
    CHECK(tally.refused == 0);
}
