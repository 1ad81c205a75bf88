#include "glproc/ops/components/bands.hpp"
#include "glproc/ops/components/runs.hpp"

#include "glproc/base/error.hpp"
#include "support/catch.hpp"
#include "support/component_reference.hpp"
#include "support/fixture.hpp"
#include "support/hidden.hpp"
#include "support/inputs.hpp"
#include "support/masks.hpp"

#include <cmath>
#include <string>
#include <vector>

using namespace glproc;
using namespace glproc::test;

namespace {

/// By the engine, in bands of so many rows; given `chosen`, with these labels.
Found in_bands(Context& context, const Mask& mask, Connectivity connectivity, int rows,
               const Labels& chosen = {}, bool on_cpu = false) {
    ComponentBands bands(context,
                         {.connectivity = connectivity, .moments = true, .labels = true, .on_cpu = on_cpu});
    std::vector<GpuImage> images;
    for (int y = 0; y < mask.height; y += rows) {
        images.push_back(context.upload(mask.image(y, std::min(rows, mask.height - y))));
        bands.look(images.back());
    }
    Found found{{}, bands.end()};
    if (!chosen.empty()) {
        bands.choose(chosen);
    }
    for (const GpuImage& image : images) {
        const auto pixels =
            static_cast<std::size_t>(image.width()) * static_cast<std::size_t>(image.height());
        const Labels labels = bands.paint(image).read<std::uint32_t>(pixels);
        found.labels.insert(found.labels.end(), labels.begin(), labels.end());
    }
    return found;
}

void check(const Mask& mask, const std::vector<int>& bands) {
    for (const Connectivity connectivity : {Connectivity::four, Connectivity::eight}) {
        const Found right = reference_components(mask, connectivity);
        for (const int rows : bands) {
            if (rows <= mask.height || rows == bands.front()) {
                INFO(mask.name << ", " << static_cast<int>(connectivity) << " neighbours, bands of " << rows);
                for (const bool on_cpu : {false, true}) {
                    INFO((on_cpu ? "by the processor" : "by kernels"));
                    const Found found = in_bands(gpu(), mask, connectivity, rows, {}, on_cpu);
                    CHECK(found.labels == right.labels);
                    CHECK(found.table == right.table);
                }
            }
        }
    }
}

std::vector<std::uint32_t> bits_of(const Image& image, MaskedPixels which) {
    const MaskBits mask = mask_bits(gpu(), gpu().upload(image), which);
    return mask.words.read<std::uint32_t>(static_cast<std::size_t>(mask.word_count()));
}

std::vector<std::uint32_t> reference_bits(const Image& image, MaskedPixels which) {
    const int colours = image.channels() < 3 ? 1 : 3;
    const std::size_t row_words = static_cast<std::size_t>(image.width() + 31) / 32;
    std::vector<std::uint32_t> bits(row_words * static_cast<std::size_t>(image.height()));
    for (int y = 0; y < image.height(); ++y) {
        for (int x = 0; x < image.width(); ++x) {
            bool any = false;
            for (int c = 0; c < colours; ++c) {
                any = any || image.at(x, y, c) != 0;
            }
            const bool is_set = (any && !is_hidden(image, x, y)) == (which == MaskedPixels::nonzero);
            bits[static_cast<std::size_t>(y) * row_words + static_cast<std::size_t>(x) / 32] |=
                (is_set ? 1U : 0U) << x % 32;
        }
    }
    return bits;
}

} // namespace

TEST_CASE("components of hostile masks are those of the definition, in any bands") {
    constexpr int whole = 1 << 20;
    for (const auto& [width, height] : {std::pair{1, 1}, {1, 70}, {33, 1}, {32, 3}, {31, 2}, {129, 65}}) {
        for (const Mask& mask : hostile_masks(width, height)) {
            check(mask, {whole, 1, 2, 7, 64});
        }
    }
    for (const Mask& mask : hostile_masks(300, 130)) {
        check(mask, {whole, 7, 64});
    }
}

TEST_CASE("components of random masks are those of the definition") {
    for (std::uint32_t seed = 1; seed <= 250; ++seed) {
        const Mask mask = random_mask(seed, 150, 90);
        check(mask, {1 << 20, 3 + static_cast<int>(seed % 17)});
    }
}

TEST_CASE("components may be chosen and numbered anew") {
    for (const Mask& mask : hostile_masks(70, 50)) {
        Found right = reference_components(mask, Connectivity::eight);
        Labels chosen(right.table.size());
        for (std::size_t i = 0; i < chosen.size(); ++i) {
            chosen[i] = i % 3 == 0 ? 0 : static_cast<std::uint32_t>(1000 - i);
        }
        for (std::uint32_t& label : right.labels) {
            label = label == 0 ? 0 : chosen[label - 1];
        }
        for (const int rows : {50, 9}) {
            INFO(mask.name << ", bands of " << rows);
            CHECK(in_bands(gpu(), mask, Connectivity::eight, rows, chosen).labels == right.labels);
            CHECK(in_bands(gpu(), mask, Connectivity::eight, rows, chosen, true).labels == right.labels);
        }
    }
}

TEST_CASE("components are the same where storage blocks are small") {
    ContextOptions options = second_context_options();
    options.lower_limits = "storage_block_bytes:65536";
    std::vector<Found> found;
    with_second_context(options, [&](Context& context) {
        for (const Mask& mask : hostile_masks(120, 200)) {
            found.push_back(in_bands(context, mask, Connectivity::four, 200));
        }
        try {
            in_bands(context, hostile_masks(120, 300).front(), Connectivity::four, 300);
        } catch (const Error& error) {
            found.push_back({{}, {ComponentSums{.area = error.code() == ErrorCode::operation ? 1U : 0U}}});
        }
    });
    std::size_t i = 0;
    for (const Mask& mask : hostile_masks(120, 200)) {
        INFO(mask.name);
        CHECK(found[i++] == reference_components(mask, Connectivity::four));
    }
    CHECK(found.at(i).table.at(0).area == 1);
}

TEST_CASE("components: sums of runs longer than 64 bits have room for") {
    constexpr int width = (1 << 21) + 77;
    HostMask mask{width, 2,
                  std::vector<std::uint32_t>(static_cast<std::size_t>(MaskBits::row_words_of(width)) * 2)};
    ComponentSums right;
    for (int x = 3; x < width - 1; ++x) { // in the lower row
        mask.words[mask.word_of(x, 1)] |= 1U << (x % 32);
        const auto column = static_cast<std::uint64_t>(x);
        right.join({.area = 1,
                    .x = column,
                    .y = 1,
                    .xx = column * column,
                    .xy = column,
                    .yy = 1,
                    .left = x,
                    .top = 1,
                    .right = x,
                    .bottom = 1});
    }
    const std::vector<ComponentSums> found = MaskRuns(mask, Connectivity::eight).sums(true);
    REQUIRE(found.size() == 1);
    CHECK((found.front() == right));
}

TEST_CASE("a pixel belongs to a mask where a colour channel is not 0") {
    for (const Depth depth : {Depth::u8, Depth::u16, Depth::f32}) {
        for (int channels = 1; channels <= 4; ++channels) {
            Image image(77, 5, channels, depth);
            for (int y = 0; y < image.height(); ++y) {
                for (int x = 0; x < image.width(); ++x) {
                    const int channel = (x * 7 + y * 3) % 5; // a fifth of the pixels have no value
                    if (channel < channels) {
                        set_value(image, x, y, channel, x % 3 == 0 ? 1 : 1.5 / max_code(depth));
                    }
                }
            }
            if (depth == Depth::f32) {
                set_value(image, 0, 0, 0, -0.0);
                set_value(image, 1, 0, 0, std::nan(""));
            }
            for (const MaskedPixels which : {MaskedPixels::nonzero, MaskedPixels::zero}) {
                INFO(describe(image) << ", " << static_cast<int>(which));
                CHECK(bits_of(image, which) == reference_bits(image, which));
            }
        }
    }
}
