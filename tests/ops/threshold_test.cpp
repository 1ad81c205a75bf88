#include "glproc/ops/threshold.hpp"

#include "support/filter_cases.hpp"
#include "support/hidden.hpp"
#include "support/operation_cases.hpp"
#include "support/reference.hpp"

#include <cmath>

using namespace glproc;
using namespace glproc::test;

namespace {

double luma(const std::array<double, 4>& v) {
    // Grey is its own luma.
    return v[0] == v[1] && v[1] == v[2] ? v[0] : (2126 * v[0] + 7152 * v[1] + 722 * v[2]) / 10000;
}

std::array<double, 4> black_or_white(bool is_white, double alpha) {
    const double value = is_white ? 1 : 0;
    return {value, value, value, alpha};
}

} // namespace

TEST_CASE("threshold is 1 where luma is above, else 0, and keeps alpha") {
    for (const Size& size : {Size{1, 1}, Size{1, 19}, Size{37, 1}, Size{61, 47}}) {
        for (const Shape& shape : all_kinds(size)) {
            for (const double at : {-0.25, 0.0, 0.3, 0.5, 1.0, 1.5}) {
                if (shape.depth != Depth::f32 && (at < 0 || at > 1)) {
                    continue; // refused
                }
                const Image image = random_image(shape, 21, FloatRange::wide);
                // Beside the threshold floats decide by their own rounding; noise never comes so near.
                const auto answer = point_reference(image, shape.channels, shape.depth, [&](const auto& v) {
                    return black_or_white(luma(v) > (shape.depth == Depth::f32 ? double(float(at)) : at),
                                          v[3]);
                });
                check_operation(Threshold{.at = at}, image, answer);
            }
        }
    }
}

TEST_CASE("threshold compares every code of integers exactly") {
    for (const int code : {0, 1, 51, 127, 128, 254, 255}) {
        Image image(256, 1, 1, Depth::u8);
        for (int i = 0; i < 256; ++i) {
            image.values<std::uint8_t>()[static_cast<std::size_t>(i)] = static_cast<std::uint8_t>(i);
        }
        for (const PointMethod method : {PointMethod::gpu, PointMethod::cpu}) {
            const Image result = whole(Threshold{.at = code / 255.0, .method = method}, image);
            for (int i = 0; i < 256; ++i) {
                INFO("code " << i << " at " << code);
                CHECK(result.at(i, 0, 0) == (i > code ? 255 : 0));
            }
        }
    }
}

TEST_CASE("threshold compares the luma of 16-bit colours exactly") {
    // 7152 parts of 10000 of the largest code are one unit of luma above or at the threshold.
    Image image(3, 1, 3, Depth::u16);
    const std::array<std::uint16_t, 9> codes{40000, 40000, 40000, 40000, 40001, 40000, 40000, 39999, 40000};
    std::copy(codes.begin(), codes.end(), image.values<std::uint16_t>().begin());
    const Image result = whole(Threshold{.at = 40000.0 / 65535}, image);
    CHECK(result.at(0, 0, 0) == 0);
    CHECK(result.at(1, 0, 1) == 65535);
    CHECK(result.at(2, 0, 2) == 0);
}

TEST_CASE("threshold tells colours from thresholds half a unit of luma beside them") {
    // Luma in parts of 10000 of a code. The weights are even, so these thresholds equal the luma of no colour.
    constexpr int unit = 10000;
    const auto image = random_image({19, 3, 3, Depth::u8}, 5);
    for (int x = 0; x < 19; ++x) {
        const double luma_here = 2126 * image.at(x, 1, 0) + 7152 * image.at(x, 1, 1) + 722 * image.at(x, 1, 2);
        for (const PointMethod method : {PointMethod::gpu, PointMethod::cpu}) {
            const auto answer_at = [&](double luma_of_threshold) {
                return whole(Threshold{.at = luma_of_threshold / (255.0 * unit), .method = method}, image).at(x, 1, 1);
            };
            INFO("pixel " << x << ", luma " << luma_here);
            CHECK(answer_at(luma_here - 0.5) == 255);
            CHECK(answer_at(luma_here + 0.5) == 0);
        }
    }
}

TEST_CASE("threshold of floats that are no numbers or endless") {
    Image image(3, 1, 1, Depth::f32);
    const float inf = std::numeric_limits<float>::infinity();
    const std::array<float, 3> values{std::nanf(""), inf, -inf};
    std::copy(values.begin(), values.end(), image.values<float>().begin());
    for (const PointMethod method : {PointMethod::gpu, PointMethod::cpu}) {
        const Image result = whole(Threshold{.at = 0, .method = method}, image);
        CHECK(result.at(0, 0, 0) == 0);
        CHECK(result.at(1, 0, 0) == 1);
        CHECK(result.at(2, 0, 0) == 0);
    }
}

namespace {

/// Pictures that any language can make: the thresholds below are those of OpenCV 4.6.
Image made_image(int kind) {
    Image image(97, 61, 1, Depth::u8);
    for (int y = 0; y < 61; ++y) {
        for (int x = 0; x < 97; ++x) {
            const std::array<int, 4> values{
                (x * 7 + y * 13 + (x * y) % 29 * 5) % 256,
                40 + (x * x + 3 * y) % 31 + ((x / 8 + y / 8) % 3 == 0 ? 120 + (x * y) % 17 : 0),
                200 - (x * y) % 23 - ((x + 2 * y) % 11 == 0 ? (x * 5 + y) % 150 : 0),
                (x + y) % 7 == 0 ? (x * 3) % 256 : 12,
            };
            set_value(image, x, y, 0, values[static_cast<std::size_t>(kind)] / 255.0);
        }
    }
    return image;
}

/// The same codes twice as deep, or as floats: each code v becomes the value v / 255.
Image in_depth(const Image& image, Depth depth, int channels) {
    Image result(image.width(), image.height(), channels, depth);
    for (int y = 0; y < image.height(); ++y) {
        for (int x = 0; x < image.width(); ++x) {
            for (int c = 0; c < channels; ++c) {
                set_value(result, x, y, c, image.at(x, y, 0) / 255.0);
            }
        }
    }
    return result;
}

/// Which share of the pixels of the first channel is white, by code of the source.
void check_split(const Threshold& op, const Image& codes, const Image& image, int last_black) {
    const Image result = whole(op, image);
    std::size_t wrong = 0;
    for (int y = 0; y < codes.height(); ++y) {
        for (int x = 0; x < codes.width(); ++x) {
            wrong += (result.at(x, y, 0) == max_code(image.depth())) != (codes.at(x, y, 0) > last_black);
        }
    }
    CHECK(wrong == 0);
}

} // namespace

TEST_CASE("threshold finds what OpenCV finds") {
    struct Found {
        int otsu, triangle, mean;
    };
    const std::array<Found, 4> found{{{127, 63, 127}, {70, 72, 97}, {140, 176, 183}, {93, 14, 26}}};
    for (int kind = 0; kind < 4; ++kind) {
        const Image codes = made_image(kind);
        const Found& right = found[static_cast<std::size_t>(kind)];
        for (const PointMethod method : {PointMethod::gpu, PointMethod::cpu}) {
            INFO("picture " << kind << " method " << name_of(method));
            check_split({.rule = SplitRule::otsu, .method = method}, codes, codes, right.otsu);
            check_split({.rule = SplitRule::triangle, .method = method}, codes, codes, right.triangle);
            check_split({.rule = SplitRule::mean, .method = method}, codes, codes, right.mean);
        }
    }
}

TEST_CASE("threshold splits deeper pictures where it splits those of 8 bits, and colours by luma") {
    for (int kind = 0; kind < 4; ++kind) {
        const Image codes = made_image(kind);
        const std::array<int, 4> otsu{127, 70, 140, 93};
        for (const Depth depth : {Depth::u8, Depth::u16, Depth::f32}) {
            for (const int channels : {1, 3}) {
                INFO("picture " << kind << " with " << channels << " channels, " << static_cast<int>(depth)
                                << " bits");
                const Image deeper = in_depth(codes, depth, channels);
                check_split({.rule = SplitRule::otsu}, codes, deeper, otsu[static_cast<std::size_t>(kind)]);
                if (depth == Depth::f32) { // in bins as wide as a code of 8 bits
                    const std::array<int, 4> triangle{63, 72, 176, 14};
                    check_split({.rule = SplitRule::triangle}, codes, deeper, triangle[static_cast<std::size_t>(kind)]);
                }
            }
        }
    }
}

namespace {

/// None where a rule needs two peaks and finds none.
std::optional<Image> image_by_rule(const Threshold& op, const Image& image) {
    try {
        return whole(op, image);
    } catch (const Error& error) {
        CHECK(std::string(error.what()).ends_with("finds no two peaks in the histogram"));
        return std::nullopt;
    }
}

} // namespace

TEST_CASE("threshold by a rule is the same by every method, whole and in tiles") {
    for (const Size& size : {Size{1, 1}, Size{1, 19}, Size{37, 1}, Size{61, 47}}) {
        for (const Shape& shape : all_kinds(size)) {
            for (const auto& row : enum_rows<SplitRule>) {
                const Image image = random_image(shape, 22, FloatRange::wide);
                INFO(row.name);
                const auto on_cpu = image_by_rule({.rule = row.value, .method = PointMethod::cpu}, image);
                if (!on_cpu) {
                    CHECK_THROWS_AS(whole(Threshold{.rule = row.value, .method = PointMethod::gpu}, image), Error);
                    continue;
                }
                const auto answer =
                    point_reference(*on_cpu, shape.channels, shape.depth, [](const auto& v) { return v; });
                check_operation(Threshold{.rule = row.value}, image, answer);
            }
        }
    }
}

TEST_CASE("threshold by a rule of a picture of one value") {
    for (const double value : {0.0, 0.5, 1.0}) {
        const Image image = constant_image({7, 5, 1, Depth::u8}, value);
        CHECK(whole(Threshold{.rule = SplitRule::mean}, image).at(3, 3, 0) == 0); // nothing is above the mean
    }
    const Image none = constant_image({7, 5, 1, Depth::f32}, std::nan(""));
    for (const auto& row : enum_rows<SplitRule>) {
        CHECK(whole(Threshold{.rule = row.value}, none).at(3, 3, 0) == 0);
    }
}

namespace {

/// The luma of pixels, and of those beyond the edges, by plain arithmetic: of integers rounded to a code,
/// unless `exact`. 0 to 1.
class Lumas {
  public:
    Lumas(const Image& image, const Border& border, bool exact)
        : image_(image), border_(border), exact_(exact) {}

    double at(int x, int y) const {
        const int from_x = border_index(border_.mode, x, image_.width());
        const int from_y = border_index(border_.mode, y, image_.height());
        return from_x < 0 || from_y < 0 ? border_.value : of_pixel(from_x, from_y);
    }

  private:
    double of_pixel(int x, int y) const {
        const double full = max_code(image_.depth());
        if (image_.channels() < 3) {
            return image_.at(x, y, 0) / full;
        }
        const double luma =
            (2126 * image_.at(x, y, 0) + 7152 * image_.at(x, y, 1) + 722 * image_.at(x, y, 2)) / 10000;
        return (exact_ || image_.depth() == Depth::f32 ? luma : std::nearbyint(luma)) / full;
    }

    const Image& image_;
    Border border_;
    bool exact_;
};

/// OpenCV's kernels up to radius 3, and the Gaussian from there on.
double weight_of(const Threshold& op, int distance) {
    if (op.local != LocalRule::gauss) {
        return 1;
    }
    if (op.radius <= 3) {
        const std::array<std::array<int, 4>, 3> kernels{{{2, 1, 0, 0}, {6, 4, 1, 0}, {18, 14, 7, 2}}};
        return kernels[static_cast<std::size_t>(op.radius - 1)][static_cast<std::size_t>(std::abs(distance))];
    }
    const double sigma = 0.3 * (op.radius - 1) + 0.8;
    return std::exp(-distance * distance / (2 * sigma * sigma));
}

/// In codes of integers, as ties of their means depend on exact sums; else 0 to 1.
bool is_above_local(const Threshold& op, const Image& image, int x, int y) {
    const bool sauvola = op.local == LocalRule::sauvola;
    const bool has_codes = !sauvola && image.depth() != Depth::f32;
    const Lumas lumas(image, op.border, sauvola);
    const auto value_at = [&](int at_x, int at_y) {
        const double value = lumas.at(at_x, at_y);
        return has_codes ? std::nearbyint(value * max_code(image.depth())) : value;
    };
    double weights = 0;
    double sum = 0;
    double squares = 0;
    for (int dy = -op.radius; dy <= op.radius; ++dy) {
        for (int dx = -op.radius; dx <= op.radius; ++dx) {
            const double weight = weight_of(op, dx) * weight_of(op, dy);
            const double value = value_at(x + dx, y + dy);
            weights += weight;
            sum += weight * value;
            squares += weight * value * value;
        }
    }
    const double mean = sum / weights;
    if (sauvola) {
        const double deviation = std::sqrt(std::max(squares / weights - mean * mean, 0.0));
        return value_at(x, y) > mean * (1 + op.k.value_or(0.2) * (2 * deviation - 1));
    }
    const double k = op.k.value_or(0);
    return has_codes ? value_at(x, y) - std::nearbyint(mean) > -k * max_code(image.depth()) + 1e-6
                     : value_at(x, y) > mean - k;
}

Reference local_answer(const Threshold& op, const Image& image) {
    Reference answer{image.width(),
                     image.height(),
                     image.channels(),
                     image.depth(),
                     max_code(image.depth()),
                     std::vector<double>(static_cast<std::size_t>(image.width()) *
                                         static_cast<std::size_t>(image.height() * image.channels()))};
    for (int y = 0; y < image.height(); ++y) {
        for (int x = 0; x < image.width(); ++x) {
            const double value = is_above_local(op, image, x, y) ? max_code(image.depth()) : 0;
            for (int c = 0; c < image.channels(); ++c) {
                const bool alpha = image.has_alpha() && c == image.channels() - 1;
                answer.at(x, y, c) = alpha ? image.at(x, y, c) : value;
            }
        }
    }
    return answer;
}

Image all_seen(Image image) {
    for (int y = 0; y < image.height(); ++y) {
        for (int x = 0; x < image.width(); ++x) {
            if (is_hidden(image, x, y)) {
                set_value(image, x, y, image.channels() - 1, 0.5);
            }
        }
    }
    return image;
}

} // namespace

TEST_CASE("threshold by what is around a pixel: hidden pixels have the mean colour of the visible ones around") {
    for (const Depth depth : {Depth::u8, Depth::u16, Depth::f32}) {
        Image image = with_hidden_pixels(random_image({61, 47, 4, depth}, 7));
        for (int i = 0; i < 3 * 61 * 47; ++i) {
            const int x = i / 3 % 61;
            const int y = i / 3 / 61;
            set_value(image, x, y, i % 3, is_hidden(image, x, y) ? 1 : 0.6);
        }
        for (const PointMethod method : {PointMethod::gpu, PointMethod::cpu}) {
            const Image mask = whole(Threshold{.local = LocalRule::mean, .radius = 3, .k = 0.02, .method = method}, image);
            int black = 0;
            for (int i = 0; i < 61 * 47; ++i) {
                black += is_hidden(image, i % 61, i / 61) || mask.at(i % 61, i / 61, 0) > 0 ? 0 : 1;
            }
            CHECK(black == 0);
        }
    }
}

TEST_CASE("threshold by what is around a pixel, by every rule, border and radius, whole and in tiles") {
    // Values that are all alike lie on a threshold without k, and the last bits of floats would decide.
    const std::vector<Threshold> cases{
        {.local = LocalRule::mean, .radius = 1, .k = 0.02},
        {.local = LocalRule::mean, .radius = 3, .k = -0.1, .border = BorderMode::wrap},
        {.local = LocalRule::gauss, .radius = 1, .k = 0.02, .border = {BorderMode::constant, 0.4}},
        {.local = LocalRule::gauss, .radius = 2, .k = 0.1},
        {.local = LocalRule::gauss, .radius = 3, .k = -0.02, .border = BorderMode::symmetric},
        {.local = LocalRule::gauss, .radius = 5, .k = 0.03},
        {.local = LocalRule::sauvola, .radius = 4, .border = {BorderMode::constant, 0.4}},
        {.local = LocalRule::sauvola, .radius = 3, .k = 0.5, .border = BorderMode::mirror},
    };
    for (const Size& size : {Size{1, 1}, Size{1, 19}, Size{37, 1}, Size{141, 83}}) {
        for (const Shape& shape : all_kinds(size)) {
            const Image image = all_seen(random_image(shape, 24));
            for (const Threshold& op : cases) {
                INFO(name_of(*op.local) << " radius " << op.radius << " on " << describe(image));
                const Image result = whole(op, image);
                CHECK_THAT(result, Matches(local_answer(op, image)));
                Threshold on_cpu = op;
                on_cpu.method = PointMethod::cpu;
                CHECK_THAT(whole(on_cpu, image), IsBitwise(result));
                const ScopedLimits small("texture_size:128", plenty); // GPUs take strips of 64
                ImageRows rows(image.form());
                run(op, gpu(), rows_of(image), rows);
                rows.finish();
                CHECK_THAT(rows.image(), IsBitwise(result));
            }
        }
    }
}

TEST_CASE("threshold by what is around a pixel of integers that are all alike") {
    for (const Depth depth : {Depth::u8, Depth::u16}) {
        const Image image = constant_image({33, 21, 3, depth}, 0.4);
        CHECK(whole(Threshold{.local = LocalRule::mean}, image).at(20, 10, 1) == 0);
        CHECK(whole(Threshold{.local = LocalRule::mean, .k = 1 / max_code(depth)}, image).at(20, 10, 1) ==
              max_code(depth));
    }
}

TEST_CASE("threshold by what is around a pixel refuses a rule beside it, and radii out of range") {
    const Form form{4, 4, 3, Depth::u8};
    CHECK_THROWS_AS(plan(Threshold{.rule = SplitRule::otsu, .local = LocalRule::mean}, form), Error);
    CHECK_THROWS_AS(plan(Threshold{.local = LocalRule::mean, .radius = 0}, form), Error);
    CHECK_THROWS_AS(plan(Threshold{.local = LocalRule::mean, .radius = 1001}, form), Error);
    CHECK_THROWS_AS(plan(Threshold{.local = LocalRule::mean, .k = std::nan("")}, form), Error);
}

TEST_CASE("threshold by a range is 1 where every colour is in it, bounds included") {
    using Bounds = std::array<Level, 3>;
    const std::vector<LevelRange> ranges{
        {Bounds{0.2, 0.2, 0.2}, Bounds{0.6, 0.6, 0.6}},
        {Bounds{0.0, 0.0, 0.0}, Bounds{1.0, 1.0, 1.0}},
        {Bounds{0.4, 0.4, 0.4}, Bounds{0.4, 0.4, 0.4}},
        {Bounds{0.1, 0.3, 0.0}, Bounds{0.9, 0.8, 0.7}},
    };
    for (const Size& size : {Size{1, 1}, Size{1, 19}, Size{37, 1}, Size{61, 47}}) {
        for (const Shape& shape : all_kinds(size)) {
            for (const LevelRange& range : ranges) {
                if (shape.channels < 3 && !range.is_grey()) {
                    CHECK_THROWS_AS(plan(Threshold{.range = range}, {3, 3, 1, shape.depth}), Error);
                    continue;
                }
                const Image image = random_image(shape, 25, FloatRange::wide);
                const auto is_in = [&](const std::array<double, 4>& v) {
                    bool all = true;
                    for (std::size_t c = 0; c < 3; ++c) {
                        const bool is_float = shape.depth == Depth::f32;
                        const auto bound = [&](double value) { return is_float ? double(float(value)) : value; };
                        const double slack = is_float ? 0 : 1e-9; // a code that is the bound counts
                        all = all && v[c] >= bound(range.low[c]) - slack && v[c] <= bound(range.high[c]) + slack;
                    }
                    return all;
                };
                check_operation(Threshold{.range = range}, image,
                                point_reference(image, shape.channels, shape.depth,
                                                [&](const auto& v) { return black_or_white(is_in(v), v[3]); }));
            }
        }
    }
}

TEST_CASE("threshold by a range of every code, and of floats that are no numbers") {
    Image image(256, 1, 1, Depth::u8);
    for (int i = 0; i < 256; ++i) {
        set_value(image, i, 0, 0, i / 255.0);
    }
    const Level low{51 / 255.0};
    const Level high{102 / 255.0};
    const LevelRange range{{low, low, low}, {high, high, high}};
    for (const PointMethod method : {PointMethod::gpu, PointMethod::cpu}) {
        const Image result = whole(Threshold{.range = range, .method = method}, image);
        for (int i = 0; i < 256; ++i) {
            CHECK(result.at(i, 0, 0) == (i >= 51 && i <= 102 ? 255 : 0));
        }
        Image floats(3, 1, 1, Depth::f32);
        set_value(floats, 0, 0, 0, std::nan(""));
        set_value(floats, 1, 0, 0, std::numeric_limits<double>::infinity());
        set_value(floats, 2, 0, 0, 0.3);
        const Image kept = whole(Threshold{.range = range, .method = method}, floats);
        CHECK(kept.at(0, 0, 0) == 0);
        CHECK(kept.at(1, 0, 0) == 0);
        CHECK(kept.at(2, 0, 0) == 1);
    }
}

TEST_CASE("threshold reads ranges of values, of colours and of six values") {
    const FieldContext context{"range", "", {}};
    const auto parsed = [&](std::string_view text) {
        return FieldText<LevelRange>::print(FieldText<LevelRange>::parse(context, text));
    };
    CHECK(parsed("20%,0.6") == "0.2,0.6");
    CHECK(parsed("#003300,#00ff33") == "0,0.2,0,0,1,0.2");
    CHECK(parsed("black,white") == "0,1");
    CHECK(parsed("0,51/255,0.1,1,1,1") == "0,0.2,0.1,1,1,1");
    for (const char* text : {"0.5", "0.1,0.2,0.3", "a,b", "0.1,0.2,0.3,0.4,0.5,0.6,0.7", "0,", ""}) {
        CHECK_THROWS_AS(parsed(text), Error);
    }
    CHECK(usage_error(Threshold{.range = FieldText<LevelRange>::parse(context, "0.6,0.2")}) ==
          "--range 0.6,0.2 is empty: the first value is above the second");
    CHECK(usage_error(Threshold{.rule = SplitRule::otsu, .range = LevelRange{}}) ==
          "threshold takes --range alone, not with --rule or --local");
    CHECK(usage_error(Threshold{.range = FieldText<LevelRange>::parse(context, "20,200")}) ==
          "--range 20 is out of range: 0 is black and 1 white");
}
