#include "glproc/ops/blend.hpp"

#include "glproc/kinds/chain.hpp"
#include "glproc/ops/gray.hpp"
#include "glproc/ops/invert.hpp"
#include "glproc/ops/levels.hpp"
#include "glproc/ops/resize.hpp"
#include "support/combinations.hpp"
#include "support/operation_cases.hpp"

#include <algorithm>
#include <cmath>
#include <string>

using namespace glproc;
using namespace glproc::test;

namespace {

using Real = long double;
using Rgb = std::array<Real, 3>;

Real luma(const Rgb& c) {
    return (30 * c[0] + 59 * c[1] + 11 * c[2]) / 100;
}
Real range(const Rgb& c) {
    return std::max({c[0], c[1], c[2]}) - std::min({c[0], c[1], c[2]});
}
Rgb set_saturation(Rgb c, Real wanted) {
    const Real least = std::min({c[0], c[1], c[2]});
    const Real own = range(c);
    for (Real& v : c) {
        v = own > 0 ? (v - least) * wanted / own : 0;
    }
    return c;
}
Rgb set_luma(Rgb c, Real wanted) {
    const Real more = wanted - luma(c);
    for (Real& v : c) {
        v += more;
    }
    const Real l = luma(c);
    const Real n = std::min({c[0], c[1], c[2]});
    const Real x = std::max({c[0], c[1], c[2]});
    for (Real& v : c) {
        v = n < -1e-15L ? l + (v - l) * l / (l - n) : v;
    }
    for (Real& v : c) {
        v = x > 1 + 1e-15L ? l + (v - l) * (1 - l) / (x - l) : v;
    }
    return c;
}

Real soft_light(Real b, Real s) {
    const Real d = b <= 0.25L ? ((16 * b - 12) * b + 4) * b : std::sqrt(b);
    return s <= 0.5L ? b - (1 - 2 * s) * b * (1 - b) : b + (2 * s - 1) * (d - b);
}
Real hard_light(Real b, Real s) {
    return s <= 0.5L ? b * (2 * s) : b + (2 * s - 1) - b * (2 * s - 1);
}

/// The formulas of the specification, by name.
Rgb of_colours(const std::string& mode, const BlendHow& how, const Rgb& b, const Rgb& s, Real full) {
    if (mode == "hue") {
        return set_luma(set_saturation(s, range(b)), luma(b));
    }
    if (mode == "saturation") {
        return set_luma(set_saturation(b, range(s)), luma(b));
    }
    if (mode == "color") {
        return set_luma(s, luma(b));
    }
    if (mode == "luminosity") {
        return set_luma(b, luma(s));
    }
    Rgb result{};
    for (std::size_t c = 0; c < 3; ++c) {
        const auto own = static_cast<std::uint32_t>(std::lround(b[c] * full));
        const auto other = static_cast<std::uint32_t>(std::lround(s[c] * full));
        result[c] = mode == "multiply"       ? b[c] * s[c]
                    : mode == "screen"       ? b[c] + s[c] - b[c] * s[c]
                    : mode == "overlay"      ? hard_light(s[c], b[c])
                    : mode == "darken"       ? std::min(b[c], s[c])
                    : mode == "lighten"      ? std::max(b[c], s[c])
                    : mode == "color-dodge"  ? (b[c] == 0   ? 0
                                                : s[c] == 1 ? 1
                                                            : std::min(Real{1}, b[c] / (1 - s[c])))
                    : mode == "color-burn"   ? (b[c] == 1   ? 1
                                                : s[c] == 0 ? 0
                                                            : 1 - std::min(Real{1}, (1 - b[c]) / s[c]))
                    : mode == "hard-light"   ? hard_light(b[c], s[c])
                    : mode == "soft-light"   ? soft_light(b[c], s[c])
                    : mode == "difference"   ? std::abs(b[c] - s[c])
                    : mode == "exclusion"    ? b[c] + s[c] - 2 * b[c] * s[c]
                    : mode == "subtract"     ? b[c] - s[c]
                    : mode == "divide"       ? (s[c] == 0 ? 0 : b[c] / s[c])
                    : mode == "min"          ? std::min(b[c], s[c])
                    : mode == "max"          ? std::max(b[c], s[c])
                    : mode == "mix"          ? (b[c] + s[c]) / 2
                    : mode == "sum:A,B,C"    ? how.weights[0] * b[c] + how.weights[1] * s[c] + how.weights[2]
                    : mode == "and"          ? (own & other) / full
                    : mode == "or"           ? (own | other) / full
                    : mode == "exclusive-or" ? (own ^ other) / full
                                             : s[c];
    }
    return result;
}

using Pixel = std::array<Real, 4>;

/// `s` on `b`, both with alpha.
Pixel blended(const Blend& op, const Pixel& b, const Pixel& s, Real full) {
    const std::string mode{name_of(op.mode.mode)};
    const bool regards_alpha = op.mode.mode < BlendMode::subtract;
    const Real as = s[3] * op.opacity;
    const Real ab = regards_alpha ? b[3] : 1;
    const Rgb mixed = of_colours(mode, op.mode, {b[0], b[1], b[2]}, {s[0], s[1], s[2]}, full);
    const bool is_in = mode == "in";
    const bool is_out = mode == "out";
    const Real fa = is_in || mode == "atop" ? ab : is_out || mode == "xor" ? 1 - ab : 1;
    const Real fb = is_in || is_out ? 0 : mode == "plus" ? 1 : 1 - as;
    const Real ao = mode == "plus" ? std::min(Real{1}, as + ab) : as * fa + ab * fb;
    Pixel result{0, 0, 0, regards_alpha ? ao : b[3]};
    for (std::size_t c = 0; c < 3; ++c) {
        const Real cs = (1 - ab) * s[c] + ab * mixed[c];
        result[c] = ao > 0 ? (as * fa * cs + ab * fb * b[c]) / ao : 0;
    }
    return result;
}

Pixel pixel_of(const Image& image, int x, int y) {
    const double full = max_code(image.depth());
    const auto value = [&](int c) { return image.at(x, y, c) / Real{full}; };
    const bool grey = image.channels() < 3;
    return {value(0), value(grey ? 0 : 1), value(grey ? 0 : 2),
            image.has_alpha() ? value(image.channels() - 1) : 1};
}

/// Nothing of it is rounded but ties, which long doubles miss by a hair.
double with_ties(Real code) {
    const Real halves = std::round(code * 2);
    return static_cast<double>(std::abs(code * 2 - halves) < 1e-9L ? halves / 2 : code);
}

/// `other`, already of the right depth and colours, at (left, top).
Reference answer_to(const Blend& op, const Image& image, const Image& other, int left, int top) {
    const Form form = plan(op, image.form()).shape.result;
    const double full = max_code(form.depth);
    Reference answer = reference_of(image);
    answer.channels = form.channels;
    answer.values.assign(static_cast<std::size_t>(form.width) * static_cast<std::size_t>(form.height) *
                             static_cast<std::size_t>(form.channels),
                         0);
    for (int y = 0; y < form.height; ++y) {
        for (int x = 0; x < form.width; ++x) {
            Pixel pixel = pixel_of(image, x, y);
            int from_x = x - left;
            int from_y = y - top;
            if (op.repeat) {
                from_x = ((from_x % other.width()) + other.width()) % other.width();
                from_y = ((from_y % other.height()) + other.height()) % other.height();
            }
            if (from_x >= 0 && from_y >= 0 && from_x < other.width() && from_y < other.height()) {
                pixel = blended(op, pixel, pixel_of(other, from_x, from_y), full);
            }
            for (int c = 0; c < form.channels; ++c) {
                const bool alpha = form.has_alpha() && c == form.channels - 1;
                const Real code = pixel[alpha ? 3 : static_cast<std::size_t>(c)] * full;
                answer.at(x, y, c) = form.depth == Depth::f32 ? static_cast<double>(code) : with_ties(code);
            }
        }
    }
    for (const double value : answer.depth == Depth::f32 ? answer.values : std::vector<double>{}) {
        answer.full_scale = std::max(answer.full_scale, std::abs(value)); // quotients are large
    }
    return answer;
}

Blend with(const Image& other, BlendHow how = {}) {
    return {.with = {"other", std::make_shared<const Image>(other)}, .mode = how};
}

std::vector<BlendHow> all_modes() {
    std::vector<BlendHow> all;
    for (const EnumRow<BlendMode>& row : enum_rows<BlendMode>) {
        all.push_back(row.value == BlendMode::sum ? BlendHow{row.value, {0.75, 0.625, -0.125}}
                                                  : BlendHow{row.value});
    }
    return all;
}

/// Noise with runs of white, black, opaque and transparent.
Image extreme_image(const Shape& shape, std::uint32_t seed) {
    Image image = random_image(shape, seed);
    for (int y = 0; y < shape.height; ++y) {
        for (int x = 0; x < shape.width; ++x) {
            for (int c = 0; c < shape.channels; ++c) {
                const double kind = hash_01(seed + 9, static_cast<std::uint32_t>(x),
                                            static_cast<std::uint32_t>(y), static_cast<std::uint32_t>(c));
                if (kind < 0.3) {
                    set_value(image, x, y, c, kind < 0.1 ? 0 : kind < 0.25 ? 1 : 0.5);
                }
            }
        }
    }
    return image;
}

/// No value may differ from the definition.
void check_exactly(const Blend& op, const Image& image, const Reference& answer) {
    const Image got = whole(op, image);
    if (got.depth() == Depth::f32) {
        CHECK_THAT(got, Matches(answer, Tolerance{1e-7, 0}));
    } else {
        CHECK_THAT(got, IsBitwise(rounded(answer)));
    }
}

} // namespace

TEST_CASE("blend: every mode, depth and alpha equals its definition") {
    const std::vector<int> every_channels{1, 2, 3, 4};
    const std::vector<bool> alpha{false, true};
    for (const auto& [how, depth, channels, other_has_alpha] :
         combinations(all_modes(), every_depth, every_channels, alpha)) {
        if (depth == Depth::f32 && how.mode >= BlendMode::bit_and) {
            continue;
        }
        const Image image = extreme_image({67, 23, channels, depth}, 3);
        const int others = (channels < 3 ? 1 : 3) + (other_has_alpha ? 1 : 0);
        const Image other = extreme_image({61, 29, others, depth}, 4);
        INFO(name_of(how.mode) << " on " << describe(image) << " with " << others << " channels");
        Blend op = with(other, how);
        op.at = PerAxis<int>{3, -4};
        check_exactly(op, image, answer_to(op, image, other, 3, -4));
    }
}

TEST_CASE("blend: every method, tiles and an opacity") {
    for (const BlendHow& how : {BlendHow{}, BlendHow{BlendMode::exclude}, BlendHow{BlendMode::overlay},
                                BlendHow{BlendMode::hue}, BlendHow{BlendMode::subtract}}) {
        for (const Size& size : {Size{1, 1}, Size{1, 19}, Size{37, 1}, Size{83, 41}}) {
            for (const Shape& shape : some_kinds(size)) {
                const Image image = extreme_image(shape, 5);
                const Image other = extreme_image({31, 17, shape.channels < 3 ? 2 : 4, shape.depth}, 6);
                Blend op = with(other, how);
                op.at = PerAxis<int>{13, 2};
                op.opacity = 0.3125;
                const Reference answer = answer_to(op, image, other, 13, 2);
                check_exactly(op, image, answer);
                check_operation(op, image, answer, Tolerance{1e-6, 0.02});
            }
        }
    }
}

TEST_CASE("blend: opacities that no fraction of two is") {
    for (const double opacity : {0.0, 0.3, 0.999}) {
        for (const Shape& shape : some_kinds({41, 31})) {
            const Image image = extreme_image(shape, 7);
            const Image other = extreme_image({41, 31, shape.channels < 3 ? 2 : 4, shape.depth}, 8);
            for (const BlendMode mode :
                 {BlendMode::over, BlendMode::multiply, BlendMode::plus, BlendMode::mix}) {
                Blend op = with(other, mode);
                op.opacity = opacity;
                Blend stepped = op;
                stepped.opacity = std::nearbyint(opacity * 16777216.0) / 16777216.0;
                INFO(opacity << " " << name_of(mode) << " on " << describe(image));
                check_exactly(op, image, answer_to(stepped, image, other, 0, 0));
            }
        }
    }
}

TEST_CASE("blend: all pairs of codes of 8 bits") {
    Image image(Form{256, 256, 1, Depth::u8});
    Image other(Form{256, 256, 1, Depth::u8});
    for (int y = 0; y < 256; ++y) {
        for (int x = 0; x < 256; ++x) {
            set_value(image, x, y, 0, x / 255.0);
            set_value(other, x, y, 0, y / 255.0);
        }
    }
    for (const BlendHow& how : all_modes()) {
        INFO(name_of(how.mode));
        const Blend op = with(other, how);
        check_exactly(op, image, answer_to(op, image, other, 0, 0));
    }
}

TEST_CASE("blend: products of four codes of 8 bits, which floats do not hold") {
    // Of a million values five to eight are rounded otherwise by floats.
    const Image image = random_image({512, 512, 4, Depth::u8}, 21);
    const Image other = random_image({512, 512, 4, Depth::u8}, 22);
    for (const BlendMode mode : {BlendMode::multiply, BlendMode::screen}) {
        INFO(name_of(mode));
        const Blend op = with(other, mode);
        check_exactly(op, image, answer_to(op, image, other, 0, 0));
    }
}

TEST_CASE("blend: places, gravity and margins") {
    const Image image = random_image({50, 40, 3, Depth::u8}, 1);
    const Image other = random_image({10, 7, 3, Depth::u8}, 2);
    const auto lies_at = [&](const Blend& op, int x, int y) {
        check_exactly(op, image, answer_to(op, image, other, x, y));
    };
    Blend op = with(other);
    lies_at(op, 0, 0);
    op.gravity = Gravity::southeast;
    lies_at(op, 40, 33);
    op.margin = 3;
    lies_at(op, 37, 30);
    op.gravity = Gravity::north;
    lies_at(op, 20, 3);
    op.at = PerAxis<int>{-2, 5};
    lies_at(op, 18, 8);
    op = with(other);
    op.repeat = true;
    op.at = PerAxis<int>{-33, 4};
    lies_at(op, -33, 4);
    op = with(other);
    op.at = PerAxis<int>{1000000, -1000000};
    CHECK_THAT(whole(op, image), IsBitwise(image));
}

TEST_CASE("blend: repeated, in tiles") {
    const Image other = random_image({11, 7, 4, Depth::u8}, 2);
    for (const int channels : {1, 2, 3, 4}) {
        const Image image = random_image({203, 61, channels, Depth::u8}, 1);
        Blend op = with(channels < 3 ? whole(Gray{}, other) : other);
        op.repeat = true;
        op.at = PerAxis<int>{5, -2};
        check_operation(op, image, answer_to(op, image, *op.with.image, 5, -2), Tolerance{1e-6, 0.02});
    }
}

TEST_CASE("blend: the second image takes the depth and the colours of the image") {
    const Image colour = random_image({23, 19, 4, Depth::u16}, 2);
    const Image image = random_image({23, 19, 3, Depth::u8}, 1);
    CHECK_THAT(whole(with(colour), image), IsBitwise(whole(with(with_depth(colour, Depth::u8)), image)));
    const Image grey = random_image({23, 19, 1, Depth::u8}, 1);
    const Image other = with_depth(colour, Depth::u8);
    CHECK_THAT(whole(with(other), grey), IsBitwise(whole(with(whole(Gray{}, other)), grey)));
    CHECK_THAT(whole(with(grey), grey), IsBitwise(grey));
    CHECK(whole(with(grey), image).at(4, 4, 1) == grey.at(4, 4, 0));
}

TEST_CASE("blend: scaled to a share of the image's width") {
    const Image image = random_image({100, 60, 3, Depth::u8}, 1);
    const Image other = photo_like_image({64, 32, 3, Depth::u8}, 2);
    Blend op = with(other);
    op.scale = 0.2;
    const Image small = whole(Resize{.size = {.width = 20}}, other);
    CHECK(small.height() == 10);
    check_exactly(op, image, answer_to(op, image, small, 0, 0));
}

TEST_CASE("blend in a chain of point operations is one pass with the same bits") {
    for (const Shape& shape : some_kinds({193, 37})) {
        const Image image = random_image(shape, 1);
        const Blend first =
            with(extreme_image({97, 30, shape.channels < 3 ? 2 : 4, shape.depth}, 2), BlendMode::screen);
        const Blend second = with(extreme_image({50, 37, 4, shape.depth}, 3), BlendMode::exclude);
        const Chain chain{Invert{}, first, Levels{.gamma = 1.5}, second, Gray{}};
        Image expected = image;
        for (const Chain::Step& step : chain.steps()) {
            expected = gpu().download(run_whole(gpu(), step(expected.form()), gpu().upload(expected)));
        }
        INFO(describe(image));
        CHECK_THAT(whole(chain, image), IsBitwise(expected));
        const ScopedLimits small("texture_size:48", plenty);
        ImageRows rows(plan(chain, image.form()).shape.result);
        chain(gpu(), rows_of(image), rows);
        rows.finish();
        CHECK_THAT(rows.image(), IsBitwise(expected));
    }
    const Form form{64, 64, 3, Depth::u8};
    const Plan blend = plan(with(random_image(form)), form);
    const Plan invert = plan(Invert{}, form);
    CHECK(can_join({invert}, blend));
    CHECK(can_join({blend}, invert));
    CHECK_FALSE(can_join({blend, invert}, blend)); // there is one second image in a pass
}

TEST_CASE("blend: what cannot be is refused") {
    const Form form{10, 10, 3, Depth::u8};
    CHECK_THROWS_AS(plan(Blend{.opacity = 1.1}, form), Error);
    CHECK_THROWS_AS(plan(Blend{.margin = -1}, form), Error);
    CHECK_THROWS_AS(plan(Blend{.mode = BlendMode::bit_and}, {10, 10, 3, Depth::f32}), Error);
    for (const char* wrong : {"sum", "sum:1,2", "over:1"}) {
        CHECK_THROWS_AS(FieldText<BlendHow>::parse({"mode", "", {}}, wrong), Error);
    }
    CHECK(FieldText<BlendHow>::print(FieldText<BlendHow>::parse({"mode", "", {}}, "sum:0.5,50%,-0.25")) ==
          "sum:0.5,0.5,-0.25");
}
