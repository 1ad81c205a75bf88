// Cut or whole, the bits are the same. The whole runs within the device's limits, the tiles within lowered ones,
// which Context enforces.
#include "glproc/ops/tiles.hpp"

#include "glproc/gl/context_state.hpp"
#include "glproc/image/memory_rows.hpp"
#include "support/filter_cases.hpp"
#include "support/matchers.hpp"

#include <cmath>
#include <limits>

using namespace glproc;
using namespace glproc::test;

namespace {

constexpr std::uint64_t plenty = std::uint64_t{1} << 30U;

/// gpu() with lower limits until the end of the scope.
class ScopedLimits {
  public:
    ScopedLimits(const std::string& text, std::uint64_t memory_bytes)
        : limits_(gpu().limits()), memory_bytes_(gpu().memory_bytes()) {
        lower_limits(gpu().state().limits, text);
        gpu().state().memory_bytes = memory_bytes;
    }
    ScopedLimits(const ScopedLimits&) = delete;
    ScopedLimits& operator=(const ScopedLimits&) = delete;
    ~ScopedLimits() {
        gpu().state().limits = limits_;
        gpu().state().memory_bytes = memory_bytes_;
    }

  private:
    Limits limits_;
    std::uint64_t memory_bytes_;
};

template <class Filter>
Image whole(const Filter& filter, const Image& image) {
    return gpu().download(filter(gpu(), gpu().upload(image)));
}

template <class Filter>
Image tiled(const Filter& filter, const Image& image) {
    ImageRows rows(image.form());
    filter(gpu(), rows_of(image), rows);
    rows.finish();
    return std::move(rows.image());
}

/// A little wider and higher than a texture of so many texels, by primes.
Shape beyond(int texture_size, int channels, Depth depth) {
    const int pixels = pixels_per_texel(stored_channels(channels), depth);
    return {texture_size * pixels + 37, texture_size + 31, channels, depth};
}

template <class Filter>
bool can_run(const Filter& filter, const Image& image) {
    try {
        whole(filter, image);
    } catch (const Error& error) {
        CHECK(error.code() == ErrorCode::operation);
        return false;
    }
    return true;
}

template <class Filter>
void check_same(const Filter& filter, const Image& image, const std::string& limits,
                std::uint64_t memory = plenty) {
    INFO(describe(filter) << " of " << describe(image) << " within " << limits << " and " << memory);
    const Image expected = whole(filter, image);
    const ScopedLimits lower(limits, memory);
    CHECK_THAT(tiled(filter, image), IsBitwise(expected));
}

/// Every method with every border; channels, depths and limits take turns.
template <class Filter>
void check_all_methods(const Filter& base) {
    const std::vector<int> channels{1, 3, 4};
    const std::vector<Depth> depths{Depth::u8, Depth::u16, Depth::f32};
    std::size_t turn = 0;
    int ran = 0;
    for (const EnumRow<FilterMethod>& method : enum_rows<FilterMethod>) {
        for (const Border& border : all_borders()) {
            const int channel = channels[turn % 3];
            const Depth depth = depths[(turn + turn / 3) % 3];
            Filter filter = base;
            filter.method = method.value;
            filter.border = border;
            filter.alpha = alpha_modes(channel)[turn % alpha_modes(channel).size()];
            const Image image = random_image(beyond(192, channel, depth), static_cast<std::uint32_t>(turn));
            ++turn;
            if (can_run(filter, image)) {
                ++ran;
                check_same(filter, image, "texture_size:192,storage_block_bytes:65536");
            }
        }
    }
    CHECK(ran >= 30);
}

} // namespace

TEST_CASE("a blur in tiles has the bits of the whole by every method and border") {
    check_all_methods(Blur{.sigma = {1.5, 2}});
}

TEST_CASE("a box in tiles has the bits of the whole by every method and border") {
    check_all_methods(Box{.radius = {7, 3}});
}
