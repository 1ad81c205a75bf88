// Morphology by a pattern and under a second image: hitmiss and reconstruct.
#include "ops/morphology_cases.hpp"
#include "support/catch.hpp"
#include "support/hidden.hpp"
#include "support/inputs.hpp"
#include "support/masks.hpp"
#include "support/matchers.hpp"

#include <algorithm>
#include <limits>
#include <memory>
#include <string>
#include <utility>
#include <vector>

using namespace glproc;
using namespace glproc::test;

namespace {

HitPattern pattern_of(const std::string& text) {
    return FieldText<HitPattern>::parse({"pattern", "", {}}, text);
}

/// Looks at every cell of every pixel.
Image hits(const std::vector<std::string>& rows, const Mask& mask) {
    Image image(mask.width, mask.height, 1, Depth::u8);
    const int height = static_cast<int>(rows.size());
    const int width = static_cast<int>(rows.front().size());
    for (int y = 0; y < mask.height; ++y) {
        for (int x = 0; x < mask.width; ++x) {
            bool is_hit = true;
            for (int v = 0; v < height; ++v) {
                for (int u = 0; u < width; ++u) {
                    const char cell = rows[static_cast<std::size_t>(v)][static_cast<std::size_t>(u)];
                    const bool is_set = mask.is_set(x + u - width / 2, y + v - height / 2);
                    is_hit = is_hit && (cell == '-' || (cell == '1') == is_set);
                }
            }
            set_value(image, x, y, 0, is_hit ? 1 : 0);
        }
    }
    return image;
}

/// Dilates by a square and takes the smaller of that and the roof, until nothing changes; but not where either is hidden.
Image reconstructed(Image seed, const Image& roof) {
    const auto is_out = [&](int x, int y) { return is_hidden(seed, x, y) || is_hidden(roof, x, y); };
    const Form form = seed.form();
    const int colours = form.channels - (form.has_alpha() ? 1 : 0);
    for (int y = 0; y < form.height; ++y) {
        for (int x = 0; x < form.width; ++x) {
            for (int c = 0; c < colours && !is_out(x, y); ++c) {
                set_value(seed, x, y, c, std::min(seed.at(x, y, c), roof.at(x, y, c)) / max_code(form.depth));
            }
        }
    }
    for (bool has_changed = true; has_changed;) {
        has_changed = false;
        const Image before = seed;
        for (int y = 0; y < form.height; ++y) {
            for (int x = 0; x < form.width; ++x) {
                for (int c = 0; c < colours && !is_out(x, y); ++c) {
                    double largest = before.at(x, y, c);
                    for (int i = 0; i < 9; ++i) {
                        const int u = std::clamp(x - 1 + i % 3, 0, form.width - 1);
                        const int v = std::clamp(y - 1 + i / 3, 0, form.height - 1);
                        largest = is_out(u, v) ? largest : std::max(largest, before.at(u, v, c));
                    }
                    const double value = std::min(largest, roof.at(x, y, c));
                    has_changed = has_changed || value != before.at(x, y, c);
                    set_value(seed, x, y, c, value / max_code(form.depth));
                }
            }
        }
    }
    return seed;
}

} // namespace

TEST_CASE("morphology hitmiss: patterns of any size, whole and in tiles") {
    const std::vector<std::vector<std::string>> patterns{
        {"000", "-1-", "111"},
        {"1"},
        {"0"},
        {"01"},
        {"1", "0"},
        {"1-0-1"},
        {"11", "11"},
        {std::string(40, '-') + "1", std::string(41, '-'), "1" + std::string(40, '0')},
    };
    std::vector<Mask> masks;
    for (const auto& [width, height] : {std::pair{1, 1}, {1, 40}, {70, 1}, {33, 13}, {64, 11}, {101, 47}}) {
        for (Mask& mask : hostile_masks(width, height)) {
            masks.push_back(std::move(mask));
        }
    }
    for (const Mask& mask : masks) {
        for (const std::vector<std::string>& rows : patterns) {
            std::string text;
            for (const std::string& row : rows) {
                text += row + ";";
            }
            INFO(mask.name << ", " << text);
            const Image right = hits(rows, mask);
            for (const MorphologyMethod method : {MorphologyMethod::automatic, MorphologyMethod::cpu}) {
                const Morphology op{
                    .step = MorphologyStep::hitmiss, .pattern = pattern_of(text), .method = method};
                CHECK_THAT(whole(op, mask.image()), IsBitwise(right));
            }
        }
    }
    const Mask mask = random_mask(3, 300, 200);
    const Morphology op{.step = MorphologyStep::hitmiss, .pattern = pattern_of("0 0 0; - 1 -; 1 1 1")};
    const Image right = hits({"000", "-1-", "111"}, mask);
    const ScopedLimits small("texture_size:16", plenty);
    CHECK_THAT(tiled(op, mask.image()), IsBitwise(right));
}

TEST_CASE("morphology hitmiss: colours and depths") {
    for (const Depth depth : {Depth::u8, Depth::u16, Depth::f32}) {
        for (int channels = 1; channels <= 4; ++channels) {
            Image image = random_image({37, 21, channels, depth}, 2);
            Mask mask{"", 37, 21, {}};
            for (int y = 0; y < 21; ++y) {
                for (int x = 0; x < 37; ++x) {
                    const bool is_set = image.at(x, y, 0) > max_code(depth) / 2;
                    for (int c = 0; c < (channels < 3 ? 1 : 3) && !is_set; ++c) {
                        set_value(image, x, y, c, 0);
                    }
                    mask.pixels.push_back(is_set && !is_hidden(image, x, y) ? 1 : 0);
                }
            }
            INFO(describe(image));
            CHECK_THAT(
                whole(Morphology{.step = MorphologyStep::hitmiss, .pattern = pattern_of("01;10")}, image),
                IsBitwise(hits({"01", "10"}, mask)));
        }
    }
}

TEST_CASE("morphology reconstruct: noise, plateaus and mazes, whole and in bands") {
    std::uint32_t seed = 1;
    const auto check = [](const Image& image, const std::shared_ptr<const Image>& roof) {
        INFO(describe(image));
        const Morphology op{.step = MorphologyStep::reconstruct, .with = {"", roof}};
        const Image right = reconstructed(image, *roof);
        CHECK_THAT(whole(op, image), IsBitwise(right));
        for (const int rows : {1, 2, 7, 64}) {
            CHECK_THAT(in_bands(op, image, rows), IsBitwise(right));
        }
    };
    for (const Depth depth : {Depth::u8, Depth::u16, Depth::f32}) {
        for (int channels = 1; channels <= 4; ++channels) {
            const Form form{31, 19, channels, depth};
            check(random_image(form, seed), std::make_shared<const Image>(random_image(form, seed + 50)));
            check(impulse_image(form, 7, 9), std::make_shared<const Image>(photo_like_image(form, seed)));
            ++seed;
        }
    }
    for (const Mask& mask : hostile_masks(43, 27)) { // water runs through all of a maze
        const auto roof = std::make_shared<const Image>(mask.image());
        check(impulse_image(roof->form(), 0, 0), roof);
        check(impulse_image(roof->form(), 42, 26), roof);
    }
    for (const Size& size : awkward_sizes()) {
        if (size.width * size.height <= 300) {
            const Form form{size.width, size.height, 1, Depth::u8};
            check(random_image(form, 1), std::make_shared<const Image>(random_image(form, 2)));
        }
    }
}

TEST_CASE("morphology by a pattern or a second image: calls that make no sense are refused") {
    CHECK(refusal({.step = MorphologyStep::hitmiss}) == "--do hitmiss needs --pattern");
    CHECK(refusal({.step = MorphologyStep::hitmiss, .pattern = pattern_of("--;--")}) ==
          "--pattern has no 1 and no 0");
    CHECK(refusal({.step = MorphologyStep::fill, .pattern = pattern_of("1")}) ==
          "--do fill has no --pattern");
    CHECK(refusal({.step = MorphologyStep::open, .radius = 1, .pattern = pattern_of("1")}) ==
          "--do open has no --pattern");
    CHECK(refusal({.step = MorphologyStep::reconstruct}) ==
          "--do reconstruct needs --with, the image that the result stays under");
    CHECK(refusal({.step = MorphologyStep::fill, .with = {"a.png", {}}}) == "--do fill has no --with");
    const auto other = std::make_shared<const Image>(Form{9, 8, 1, Depth::u8});
    CHECK(refusal({.step = MorphologyStep::reconstruct, .with = {"a.png", other}}) ==
          "--with a.png has another size, depth or number of channels than the image");
    CHECK_THROWS_AS(pattern_of("1 2"), Error);
    CHECK_THROWS_AS(pattern_of("1 1; 1"), Error);
    CHECK_THROWS_AS(pattern_of(""), Error);
    CHECK_THROWS_AS(pattern_of(std::string(64, '1')), Error);
    CHECK(FieldText<HitPattern>::print(pattern_of("01-;;111;")) == "0 1 -; 1 1 1");
}
