// Morphology of whole objects: fill and clear-border.
#include "ops/morphology_cases.hpp"
#include "support/catch.hpp"
#include "support/component_reference.hpp"
#include "support/inputs.hpp"
#include "support/masks.hpp"
#include "support/matchers.hpp"

#include <string>
#include <utility>
#include <vector>

using namespace glproc;
using namespace glproc::test;

namespace {

/// By the labels of all objects, one after another.
Image without_border_objects(const Mask& mask) {
    const Found found = reference_components(mask, Connectivity::eight);
    Image image(mask.width, mask.height, 1, Depth::u8);
    for (int y = 0; y < mask.height; ++y) {
        for (int x = 0; x < mask.width; ++x) {
            const std::uint32_t label = found.labels[static_cast<std::size_t>(y * mask.width + x)];
            if (label != 0) {
                const ComponentSums& object = found.table[label - 1];
                const bool touches = object.left == 0 || object.top == 0 || object.right == mask.width - 1 ||
                                     object.bottom == mask.height - 1;
                set_value(image, x, y, 0, touches ? 0 : 1);
            }
        }
    }
    return image;
}

Image answer(MorphologyStep step, const Mask& mask) {
    if (step == MorphologyStep::clear_border) {
        return without_border_objects(mask);
    }
    Image filled = without_holes(mask, Connectivity::eight).image();
    for (std::uint8_t& value : filled.values<std::uint8_t>()) {
        value = value != 0 ? 255 : 0;
    }
    return filled;
}

} // namespace

TEST_CASE("morphology of objects: hostile and random masks, whole and in bands") {
    std::vector<Mask> masks;
    for (const auto& [width, height] : {std::pair{1, 1}, {1, 50}, {70, 1}, {33, 13}, {101, 67}}) {
        for (Mask& mask : hostile_masks(width, height)) {
            masks.push_back(std::move(mask));
        }
    }
    for (std::uint32_t seed = 1; seed <= 40; ++seed) {
        masks.push_back(random_mask(seed, 110, 70));
    }
    std::size_t turn = 0;
    for (const Mask& mask : masks) {
        for (const MorphologyStep step : {MorphologyStep::fill, MorphologyStep::clear_border}) {
            INFO(mask.name << ", " << mask.width << "x" << mask.height << ", " << name_of(step));
            const Image right = answer(step, mask);
            for (const MorphologyMethod method : {MorphologyMethod::automatic, MorphologyMethod::cpu}) {
                const Morphology op{.step = step, .method = method};
                CHECK_THAT(whole(op, mask.image()), IsBitwise(right));
                constexpr std::array bands{1, 2, 7, 64};
                CHECK_THAT(in_bands(op, mask.image(), bands[turn++ % bands.size()]), IsBitwise(right));
            }
        }
    }
}

TEST_CASE("morphology of objects: any depth and number of channels give a mask of that depth") {
    const Mask mask = hostile_masks(40, 21).front();
    for (const Depth depth : {Depth::u8, Depth::u16, Depth::f32}) {
        for (int channels = 1; channels <= 4; ++channels) {
            Image image(40, 21, channels, depth);
            for (int y = 0; y < 21; ++y) {
                for (int x = 0; x < 40; ++x) {
                    const bool is_set = mask.is_set(x, y);
                    for (int c = 0; c < channels; ++c) { // one colour is enough, and alpha is none
                        const bool is_alpha = channels % 2 == 0 && c == channels - 1;
                        const bool is_last_colour = c == (channels < 3 ? 0 : 2);
                        set_value(image, x, y, c, is_alpha ? 0.5 : is_set && is_last_colour ? 0.25 : 0);
                    }
                }
            }
            for (const MorphologyStep step : {MorphologyStep::fill, MorphologyStep::clear_border}) {
                INFO(describe(image) << ", " << name_of(step));
                CHECK_THAT(whole(Morphology{.step = step}, image),
                           IsBitwise(with_depth(answer(step, mask), depth)));
            }
        }
    }
}

TEST_CASE("morphology of objects: a radius or a shape is refused, and other steps need one") {
    CHECK(refusal({.step = MorphologyStep::fill, .radius = 2}) == "--do fill has no --radius");
    CHECK(refusal({.step = MorphologyStep::clear_border, .shape = MorphologyShape::disk}) ==
          "--do clear-border has no --shape");
    CHECK(refusal({.step = MorphologyStep::open}) == "--do open needs --radius");
}
