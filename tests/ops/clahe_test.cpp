#include "glproc/ops/clahe.hpp"

#include "glproc/files/memory_rows.hpp"
#include "support/catch.hpp"
#include "support/fixture.hpp"
#include "support/hidden.hpp"
#include "support/inputs.hpp"
#include "support/matchers.hpp"
#include "support/tiled.hpp"

#include <array>
#include <cmath>
#include <cstdint>
#include <numeric>
#include <string>
#include <vector>

using namespace glproc;
using namespace glproc::test;

namespace {

using Codes = std::vector<int>;

int largest_code(const Image& image) {
    return image.depth() == Depth::u8 ? 255 : 65535;
}

/// Codes of a grey image, or of the luma of one with colours.
Codes codes_of(const Image& image, const Clahe& op) {
    const std::array<int, 3> weights =
        op.luma == LumaWeights::rec709 ? std::array{2126, 7152, 722} : std::array{299, 587, 114};
    const std::int64_t sum = weights[0] + weights[1] + weights[2];
    const std::int64_t largest = largest_code(image);
    Codes codes;
    for (int y = 0; y < image.height(); ++y) {
        for (int x = 0; x < image.width(); ++x) {
            std::int64_t luma = 0;
            for (int c = 0; c < 3 && image.channels() >= 3; ++c) {
                luma += weights[static_cast<std::size_t>(c)] * static_cast<std::int64_t>(image.at(x, y, c));
            }
            codes.push_back(image.channels() < 3 ? static_cast<int>(image.at(x, y, 0))
                                                 : static_cast<int>(std::min(largest, luma * (largest + 1) /
                                                                                          (sum * largest))));
        }
    }
    return codes;
}

/// OpenCV's createCLAHE(), step by step as its documentation and results have it.
class Naive {
  public:
    Naive(const Clahe& op, Codes codes, const Image& image)
        : op_(op), codes_(std::move(codes)), image_(image), width_(image.width()), height_(image.height()), bins_(largest_code(image) + 1) {
        const int width = width_;
        const int height = height_;
        int wide = width;
        int high = height;
        if (width % op.tiles.width != 0 || height % op.tiles.height != 0) {
            wide += op.tiles.width - width % op.tiles.width;
            high += op.tiles.height - height % op.tiles.height;
        }
        tile_width_ = wide / op.tiles.width;
        tile_height_ = high / op.tiles.height;
        for (int ty = 0; ty < op.tiles.height; ++ty) {
            for (int tx = 0; tx < op.tiles.width; ++tx) {
                tables_.push_back(table(tx, ty));
            }
        }
    }

    int at(int x, int y) const {
        const float px = static_cast<float>(x) * (1.0F / static_cast<float>(tile_width_)) - 0.5F;
        const float py = static_cast<float>(y) * (1.0F / static_cast<float>(tile_height_)) - 0.5F;
        const float right = px - std::floor(px);
        const float below = py - std::floor(py);
        const int x0 = static_cast<int>(std::floor(px));
        const int y0 = static_cast<int>(std::floor(py));
        const auto entry = [&](int tx, int ty) {
            const int column = std::clamp(tx, 0, op_.tiles.width - 1);
            const int row = std::clamp(ty, 0, op_.tiles.height - 1);
            return static_cast<float>(tables_[static_cast<std::size_t>(row * op_.tiles.width + column)]
                                             [static_cast<std::size_t>(codes_[index(x, y)])]);
        };
        const float value = (entry(x0, y0) * (1.0F - right) + entry(x0 + 1, y0) * right) * (1.0F - below) +
                            (entry(x0, y0 + 1) * (1.0F - right) + entry(x0 + 1, y0 + 1) * right) * below;
        return std::clamp(static_cast<int>(std::lrint(value)), 0, bins_ - 1);
    }

  private:
    std::size_t index(int x, int y) const { return static_cast<std::size_t>(y * width_ + x); }

    /// cv2.BORDER_REFLECT_101, a step at a time.
    static int reflected(int i, int n) {
        while (n > 1 && (i < 0 || i >= n)) {
            i = i < 0 ? -i : 2 * (n - 1) - i;
        }
        return n > 1 ? i : 0;
    }

    Codes table(int tx, int ty) const {
        const int pixels = tile_width_ * tile_height_;
        int counted = 0;
        Codes counts(static_cast<std::size_t>(bins_));
        for (int y = ty * tile_height_; y < (ty + 1) * tile_height_; ++y) {
            for (int x = tx * tile_width_; x < (tx + 1) * tile_width_; ++x) {
                const int column = reflected(x, width_);
                const int row = reflected(y, height_);
                const int count = is_hidden(image_, column, row) ? 0 : 1;
                counts[static_cast<std::size_t>(codes_[index(column, row)])] += count;
                counted += count;
            }
        }
        if (counted == 0) {
            std::iota(counts.begin(), counts.end(), 0); // nothing that can be seen: codes stay
            return counts;
        }
        if (op_.clip > 0) {
            const int limit = std::max(static_cast<int>(op_.clip * pixels / bins_), 1);
            const float share = static_cast<float>(counted) * (1.0F / static_cast<float>(pixels));
            clip(counts, counted == pixels ? limit : std::max(static_cast<int>(static_cast<float>(limit) * share), 1));
        }
        const float scale = counted == pixels ? static_cast<float>(bins_ - 1) / static_cast<float>(pixels)
                                              : static_cast<float>(bins_ - 1) * (1.0F / static_cast<float>(counted));
        int sum = 0;
        for (int& count : counts) {
            sum += count;
            count = std::clamp(static_cast<int>(std::lrint(static_cast<float>(sum) * scale)), 0, bins_ - 1);
        }
        return counts;
    }

    void clip(Codes& counts, int limit) const {
        int clipped = 0;
        for (int& count : counts) {
            clipped += std::max(count - limit, 0);
            count = std::min(count, limit);
        }
        const int each = clipped / bins_;
        int rest = clipped - each * bins_;
        for (int& count : counts) {
            count += each;
        }
        const int step = rest > 0 ? std::max(bins_ / rest, 1) : bins_;
        for (int i = 0; i < bins_ && rest > 0; i += step, --rest) {
            ++counts[static_cast<std::size_t>(i)];
        }
    }

    Clahe op_;
    Codes codes_;
    const Image& image_;
    int width_;
    int height_;
    int bins_;
    int tile_width_;
    int tile_height_;
    std::vector<Codes> tables_;
};

/// round(code x wanted / luma), ties to even.
std::int64_t scaled(std::int64_t code, std::int64_t wanted, std::int64_t luma) {
    const std::int64_t whole = code * wanted / luma;
    const std::int64_t twice = 2 * (code * wanted - whole * luma);
    return whole + (twice > luma || (twice == luma && whole % 2 == 1) ? 1 : 0);
}

Image right_answer(const Clahe& op, const Image& image) {
    const Naive naive(op, codes_of(image, op), image);
    const std::array<std::int64_t, 3> weights = op.luma == LumaWeights::rec709
                                                    ? std::array<std::int64_t, 3>{2126, 7152, 722}
                                                    : std::array<std::int64_t, 3>{299, 587, 114};
    const std::int64_t largest = largest_code(image);
    Image result = image;
    for (int y = 0; y < image.height(); ++y) {
        for (int x = 0; x < image.width(); ++x) {
            std::int64_t luma = 0;
            for (int c = 0; c < std::min(image.channels(), 3); ++c) {
                const auto code = static_cast<std::int64_t>(image.at(x, y, c));
                luma += weights[static_cast<std::size_t>(c)] * code;
            }
            const std::int64_t wanted = naive.at(x, y) * (weights[0] + weights[1] + weights[2]);
            for (int c = 0; c < (image.channels() < 3 ? 1 : 3); ++c) {
                const auto code = static_cast<std::int64_t>(image.at(x, y, c));
                const std::int64_t becomes = image.channels() < 3 ? naive.at(x, y)
                                             : luma == 0          ? 0
                                                         : std::min(largest, scaled(code, wanted, luma));
                set_value(result, x, y, c, static_cast<double>(becomes) / static_cast<double>(largest));
            }
        }
    }
    return result;
}

Image in_bands(const Clahe& op, const Image& image, int rows) {
    SweepPlan sweeps = std::get<BySweeps>(plan(op, image.form()).work.cutting).plan(image.form());
    sweeps.needs = [&, needs = sweeps.needs](Context& gpu) {
        TileNeeds few = needs(gpu);
        few.most_rows = rows;
        return few;
    };
    ImageRows result(image.form());
    run_sweeps(gpu(), sweeps, rows_of(image), &result);
    result.finish();
    return std::move(result.image());
}

void check(const Clahe& op, const Image& image) {
    const Image right = right_answer(op, image);
    for (const ClaheMethod method : {ClaheMethod::gpu, ClaheMethod::cpu}) {
        Clahe by = op;
        by.method = method;
        INFO(describe(image) << ", " << op.tiles.width << "x" << op.tiles.height << " tiles, clip " << op.clip
                             << ", " << name_of(method));
        CHECK_THAT(whole(by, image), IsBitwise(right));
        for (const int rows : {1, 5, 16}) {
            INFO("bands of " << rows);
            CHECK_THAT(in_bands(by, image, rows), IsBitwise(right));
        }
    }
}

} // namespace

TEST_CASE("clahe: every number of channels, size and kind of image of 8 bits") {
    const std::array<Clahe, 4> ops{Clahe{}, Clahe{.tiles = {3, 5}, .clip = 0},
                                   Clahe{.tiles = {1, 1}, .clip = 40},
                                   Clahe{.tiles = {7, 2}, .clip = 0.3, .luma = LumaWeights::rec601}};
    std::size_t turn = 0;
    for (int channels = 1; channels <= 4; ++channels) {
        for (const Size& size :
             {Size{1, 1}, Size{1, 9}, Size{23, 1}, Size{16, 16}, Size{64, 40}, Size{67, 41}}) {
            const Shape shape{size.width, size.height, channels, Depth::u8};
            check(ops[turn++ % ops.size()], random_image(shape, 3));
            check(ops[turn++ % ops.size()], photo_like_image(shape));
            check(ops[turn++ % ops.size()], two_valued_image(shape, 0.25, 0.75, 5));
        }
        ++turn;
    }
}

TEST_CASE("clahe: 16 bits") {
    check({.tiles = {2, 2}}, random_image({37, 21, 1, Depth::u16}, 4));
    check({.tiles = {2, 3}, .clip = 300}, photo_like_image({64, 48, 1, Depth::u16}));
    check({.tiles = {3, 1}, .clip = 0}, photo_like_image({41, 19, 4, Depth::u16}));
    check({.tiles = {1, 2}, .clip = 9000}, constant_image({30, 30, 3, Depth::u16}, 0.4));
}

TEST_CASE("clahe: tiles larger than a slab, and as small as a pixel") {
    check({.tiles = {2, 1}, .clip = 3}, photo_like_image({150, 101, 1, Depth::u8}));
    check({.tiles = {32, 32}, .clip = 3}, photo_like_image({32, 32, 1, Depth::u8}));
    check({.tiles = {32, 32}, .clip = 1}, random_image({5, 3, 3, Depth::u8}, 2));
}

TEST_CASE("clahe: colours of low luma are exact, and black stays") {
    Image image = random_image({61, 33, 3, Depth::u8}, 11);
    for (int y = 0; y < image.height(); ++y) {
        for (int x = 0; x < image.width(); ++x) {
            const double dim =
                0.03 * hash_01(7, static_cast<std::uint32_t>(x), static_cast<std::uint32_t>(y));
            set_value(image, x, y, 0, dim);
            set_value(image, x, y, 1, x % 3 == 0 ? 0 : dim);
            set_value(image, x, y, 2, y % 5 == 0 ? 0 : 30 * dim);
        }
    }
    check({.tiles = {4, 4}, .clip = 5}, image);
}

TEST_CASE("clahe: rows too long for a texture, and tables too large for a storage block") {
    const Image image = photo_like_image({400, 60, 3, Depth::u8});
    const Image right = right_answer({}, image);
    {
        const ScopedLimits small("texture_size:16", plenty);
        CHECK_THAT(tiled(Clahe{}, image), IsBitwise(right));
    }
    const ScopedLimits small("storage_block_bytes:32768", plenty);
    CHECK_THAT(whole(Clahe{}, image), IsBitwise(right));
    CHECK_THROWS_AS(whole(Clahe{.method = ClaheMethod::gpu}, image), Error);
}

TEST_CASE("clahe: what it refuses") {
    CHECK_THROWS_AS(plan(Clahe{}, {8, 8, 1, Depth::f32}), Error);
    CHECK_THROWS_AS(plan(Clahe{.tiles = {0, 8}}, {8, 8, 1, Depth::u8}), Error);
    CHECK_THROWS_AS(plan(Clahe{.tiles = {8, 33}}, {8, 8, 1, Depth::u8}), Error);
    CHECK_THROWS_AS(plan(Clahe{.clip = -1}, {8, 8, 1, Depth::u8}), Error);
}
