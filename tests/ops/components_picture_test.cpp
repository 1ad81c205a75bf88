// Masks, labels and outlines of components.
#include "glproc/files/memory_rows.hpp"
#include "glproc/image/ink.hpp"
#include "glproc/ops/components.hpp"
#include "support/band_plan.hpp"
#include "support/catch.hpp"
#include "support/component_reference.hpp"
#include "support/fixture.hpp"
#include "support/inputs.hpp"
#include "support/masks.hpp"
#include "support/matchers.hpp"

#include <algorithm>
#include <memory>
#include <vector>

using namespace glproc;
using namespace glproc::test;

namespace {

Image picture_in_bands(const Components& op, const Image& picture, int rows) {
    const RowSource source = rows_of(picture);
    const SweepPlan plan = in_bands_of(rows, picture_plan(op, picture.form()));
    ImageRows made(plan.sweeps.back().makes.value());
    run_sweeps(gpu(), plan, source, &made);
    made.finish();
    return std::move(made.image());
}

Image whole_picture(const Components& op, const Image& picture) {
    const GpuImage source = gpu().upload(picture);
    return gpu().download(
        run_sweeps(gpu(), picture_plan(op, picture.form()), source, &picture).picture.value());
}

/// The labels of what is left, numbered anew.
Labels kept_labels(const Mask& mask, int least) {
    const Found all = reference_components(mask, Connectivity::eight);
    Labels numbers(all.table.size() + 1);
    std::uint32_t next = 0;
    for (std::size_t i = 0; i < all.table.size(); ++i) {
        numbers[i + 1] = static_cast<int>(all.table[i].area) >= least ? ++next : 0;
    }
    Labels labels;
    for (const std::uint32_t label : all.labels) {
        labels.push_back(numbers[label]);
    }
    return labels;
}

} // namespace

TEST_CASE("components: labels and masks, whole and in bands") {
    for (const Mask& mask : hostile_masks(61, 30)) {
        const Labels right = kept_labels(mask, 3);
        for (const Depth depth : {Depth::u8, Depth::u16, Depth::f32}) {
            const Image picture = with_depth(mask.image(), depth);
            for (const bool numbers : {false, true}) {
                const Components op{.min_area = 3,
                                    .output = numbers ? ComponentsOutput::labels : ComponentsOutput::mask};
                Image expected(61, 30, 1, numbers ? Depth::u16 : depth);
                for (int i = 0; i < 61 * 30; ++i) {
                    const std::uint32_t label = right[static_cast<std::size_t>(i)];
                    set_value(expected, i % 61, i / 61, 0, numbers ? label / 65535.0 : label != 0 ? 1 : 0);
                }
                INFO(mask.name << ", " << describe(picture));
                CHECK(difference(whole_picture(op, picture), expected) == "");
                for (const int rows : {1, 7}) {
                    CHECK(difference(picture_in_bands(op, picture, rows), expected) == "");
                }
            }
        }
        const Image picture = mask.image();
        const SweepPlan plan = labels_plan({.min_area = 3}, picture.form());
        const Array whole = gpu().download(run_sweeps(gpu(), plan, gpu().upload(picture)).array.value());
        CHECK(std::equal(right.begin(), right.end(),
                         reinterpret_cast<const std::uint32_t*>(whole.bytes.data())));
        ArrayRows rows(plan.array.value());
        run_sweeps(gpu(), in_bands_of(4, plan), rows_of(picture), &rows);
        rows.finish();
        CHECK(rows.array().bytes == whole.bytes);
    }
}

TEST_CASE("components: outlines are pixels beside the background, also where bands meet") {
    for (const Mask& mask : hostile_masks(35, 24)) {
        const Labels right = kept_labels(mask, 4);
        for (const Depth depth : {Depth::u8, Depth::u16, Depth::f32}) {
            for (int channels = 1; channels <= 4; ++channels) {
                const auto under = std::make_shared<Image>(random_image({35, 24, channels, depth}, 5));
                Image expected(35, 24, channels < 3 ? channels + 2 : channels, depth);
                const auto is_set = [&](int x, int y) {
                    return x < 0 || y < 0 || x >= 35 || y >= 24 || mask.is_set(x, y);
                };
                for (int y = 0; y < 24; ++y) {
                    for (int x = 0; x < 35; ++x) {
                        const bool drawn =
                            right[static_cast<std::size_t>(y * 35 + x)] != 0 &&
                            !(is_set(x - 1, y) && is_set(x + 1, y) && is_set(x, y - 1) && is_set(x, y + 1));
                        for (int c = 0; c < expected.channels(); ++c) {
                            const int from = channels >= 3 ? c : c < 3 ? 0 : 1;
                            const double colour = c == 2 ? 0 : 1;
                            set_value(expected, x, y, c,
                                      drawn ? colour : under->at(x, y, from) / max_code(depth));
                        }
                    }
                }
                const Components op{.min_area = 4, .overlay = {"", under}, .numbers = OverlayNumbers::off};
                INFO(mask.name << ", " << describe(*under));
                CHECK(difference(whole_picture(op, mask.image()), expected) == "");
                CHECK(difference(picture_in_bands(op, mask.image(), 1 + channels * 2), expected) == "");
            }
        }
    }
}

TEST_CASE("components: numbers stand over the middle of objects, inside the image, also where bands meet") {
    constexpr int width = 150;
    constexpr int height = 60;
    Image mask(width, height, 1, Depth::u8);
    const auto fill = [&](int x0, int y0, int x1, int y1) {
        for (int y = y0; y <= y1; ++y) {
            for (int x = x0; x <= x1; ++x) {
                set_value(mask, x, y, 0, 1);
            }
        }
    };
    fill(0, 0, 0, 0);             // object 1, whose number is moved inward
    for (int i = 0; i < 9; ++i) { // objects 2 to 10
        fill(4 + 16 * i, 20, 18 + 16 * i, 40);
    }
    fill(149, 59, 149, 59); // object 11, likewise
    Image expected =
        whole_picture({.overlay = {"", std::make_shared<Image>(mask)}, .numbers = OverlayNumbers::off}, mask);
    const auto write = [&](std::string_view text, int left, int top) {
        for (const char digit : text) {
            Ink ink(8, 11);
            const std::string_view one(&digit, 1);
            ink.text(one, {(8 - text_width(one, 12)) / 2, 10}, 12);
            for (int i = 0; i < 88; ++i) {
                for (int c = 0; c < 3 && ink.at(i % 8, i / 8) >= 128; ++c) {
                    set_value(expected, left + i % 8, top + i / 8, c, c == 2 ? 0 : 1);
                }
            }
            left += 8;
        }
    };
    write("1", 0, 0);
    for (int i = 0; i < 8; ++i) {
        write(std::to_string(i + 2), 11 + 16 * i - 4, 25);
    }
    write("10", 139 - 8, 25);
    write("11", 134, 49);
    const Components op{.overlay = {"", std::make_shared<Image>(mask)}};
    CHECK(difference(whole_picture(op, mask), expected) == "");
    for (const int rows : {1, 7, 28}) {
        CHECK(difference(picture_in_bands(op, mask, rows), expected) == "");
    }
}
