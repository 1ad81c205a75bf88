// Every format and border through every method of the separable filters.
#include "support/catch.hpp"
#include "support/combinations.hpp"
#include "support/filter_cases.hpp"
#include "support/inputs.hpp"

#include <cstddef>
#include <utility>
#include <vector>

using namespace glproc;
using namespace glproc::test;

namespace {

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

enum class Which { blur, box };
const std::vector<Which> both{Which::blur, Which::box};

Tally check_format(Which filter, SizeWheel& sizes, int channels, Depth depth, const Border& border,
                   AlphaMode alpha) {
    return filter == Which::blur ? check_format<Blur>(sizes, channels, depth, border, alpha)
                                 : check_format<Box>(sizes, channels, depth, border, alpha);
}

} // namespace

// Each variant of a kernel costs its compilation, so not every product of all choices runs, unless everything
// is asked for: every pair of them, by every method.
TEST_CASE("every method gives the answer for every border and channel count at 8 bits") {
    SizeWheel sizes;
    Tally tally;
    const auto cases = combinations(both, all_borders(), std::vector{1, 2, 3, 4});
    for (const auto& [filter, border, channels] : cases) {
        tally += check_format(filter, sizes, channels, Depth::u8, border, AlphaMode::premultiply);
    }
    CHECK(tally.ran == static_cast<int>(cases.size()) * 2 * methods);
    CHECK(tally.refused == 0);
}

TEST_CASE("every method gives the answer for every depth, channel count and alpha mode") {
    SizeWheel sizes;
    Tally tally;
    const auto cases = combinations(both, every_depth, channels_and_alphas(), all_borders());
    for (const auto& [filter, depth, form, border] : cases) {
        tally += check_format(filter, sizes, form.first, depth, border, form.second);
    }
    CHECK(tally.ran == static_cast<int>(cases.size()) * 2 * methods);
    CHECK(tally.refused == 0);
}

TEST_CASE("every method gives the answer beyond a border of a colour") {
    SizeWheel sizes;
    Tally tally;
    // A transparent colour is refused beyond a picture without alpha: there the same one is opaque.
    const auto beyond = [](Colour colour, int channels) {
        colour.alpha = channels % 2 == 0 ? colour.alpha : 1;
        return Border(colour);
    };
    const std::vector<Colour> colours{Colour{1, 0.25, 0.5, 1}, Colour{0.1, 0.9, 0.3, 0.5}};
    std::vector<std::pair<int, AlphaMode>> forms = channels_and_alphas();
    std::erase_if(forms, [](const auto& form) { return form.first < 3; });
    const auto cases = combinations(both, every_depth, colours, forms);
    for (const auto& [filter, depth, colour, form] : cases) {
        tally += check_format(filter, sizes, form.first, depth, beyond(colour, form.first), form.second);
    }
    const Colour grey{0.4, 0.4, 0.4, 0.75};
    const auto greys = combinations(both, every_depth, std::vector{1, 2});
    for (const auto& [filter, depth, channels] : greys) {
        tally += check_format(filter, sizes, channels, depth, beyond(grey, channels), AlphaMode::premultiply);
    }
    CHECK(tally.ran == static_cast<int>(cases.size() + greys.size()) * 2 * methods);
    CHECK(tally.refused == 0);
}
