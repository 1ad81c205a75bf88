// Pixels that move: whole pictures, parts of them, and what lies beyond.
#include "glproc/kinds/gather/move.hpp"
#include "glproc/files/memory_rows.hpp"

#include "support/catch.hpp"
#include "support/filter_cases.hpp"
#include "support/fixture.hpp"
#include "support/inputs.hpp"
#include "support/matchers.hpp"
#include "support/rects.hpp"

#include <algorithm>
#include <cstring>
#include <vector>

using namespace glproc;
using namespace glproc::test;

namespace {

/// The pixel of a constant border, of bytes as they are in an image.
std::vector<std::byte> pixel_beyond(const Form& form, const Border& border) {
    Image pixel(1, 1, form.channels, form.depth);
    for (int c = 0; c < form.channels; ++c) {
        const bool is_alpha = form.has_alpha() && c == form.channels - 1;
        const double full = max_code(form.depth);
        const double value = is_alpha ? border.alpha() : border.channel(c);
        set_value(pixel, 0, 0, c, round_to_depth(value * full, form.depth) / full);
    }
    return {pixel.bytes().begin(), pixel.bytes().end()};
}

/// Byte by byte, by definition.
Image expected(const Move& move, const Image& source, int width, int height) {
    Image result(width, height, source.channels(), source.depth());
    const std::vector<std::byte> beyond = pixel_beyond(source.form(), move.border);
    const std::size_t bytes = source.pixel_bytes();
    for (int y = 0; y < height; ++y) {
        for (int x = 0; x < width; ++x) {
            const int a = move.exchanged ? y : x;
            const int b = move.exchanged ? x : y;
            const int from_x =
                test::border_index(move.border.mode, move.first[0] + move.step[0] * a, source.width());
            const int from_y =
                test::border_index(move.border.mode, move.first[1] + move.step[1] * b, source.height());
            const std::byte* from = from_x < 0 || from_y < 0
                                        ? beyond.data()
                                        : source.row(from_y) + static_cast<std::size_t>(from_x) * bytes;
            std::memcpy(result.row(y) + static_cast<std::size_t>(x) * bytes, from, bytes);
        }
    }
    return result;
}

/// The rectangle `from` of a picture that repeats beyond its edges.
Image part_of(const Image& source, const Rect& from) {
    const auto modulo = [](int i, int n) { return (i % n + n) % n; };
    Image part(from.width, from.height, source.channels(), source.depth());
    const std::size_t bytes = source.pixel_bytes();
    for (int y = 0; y < from.height; ++y) {
        for (int x = 0; x < from.width; ++x) {
            std::memcpy(part.row(y) + static_cast<std::size_t>(x) * bytes,
                        source.row(modulo(from.y + y, source.height())) +
                            static_cast<std::size_t>(modulo(from.x + x, source.width())) * bytes,
                        bytes);
        }
    }
    return part;
}

/// The rectangle made of nothing but what it is said to need.
Image moved(const Move& move, const Image& source, const Rect& rect) {
    const Rect from = source_of(move, source.form(), rect);
    REQUIRE((from.width > 0 && from.height > 0 && from.width <= source.width() &&
             from.height <= source.height()));
    if (move.border.mode != BorderMode::wrap) {
        REQUIRE((from.x >= 0 && from.y >= 0 && from.right() <= source.width() &&
                 from.bottom() <= source.height()));
    }
    const GpuImage part = gpu().upload(part_of(source, from));
    return gpu().download(run_move(gpu(), move, source.form(), part, from, rect));
}

Image moved_by_processor(const Move& move, const Image& source, int width, int height) {
    ImageRows rows({width, height, source.channels(), source.depth()});
    move_rows(move, rows.image().form(), *rows_of(source).open(), rows);
    rows.finish();
    return rows.image();
}

void check_parts(const Move& move, const Image& source, int width, int height) {
    const Image answer = expected(move, source, width, height);
    CHECK_THAT(moved_by_processor(move, source, width, height), IsBitwise(answer));
    CHECK_THAT(moved(move, source, {0, 0, width, height}), IsBitwise(answer));
    const Rect part{width / 3, height / 2, (width + 1) / 2, (height + 1) / 2};
    CHECK_THAT(moved(move, source, part), IsBitwise(cut(answer, part)));
}

/// By every method.
void check(const Move& move, const Image& source, int width, int height) {
    INFO(describe(source) << " to " << width << "x" << height << ", first " << move.first[0] << ","
                          << move.first[1] << " step " << move.step[0] << "," << move.step[1] << " exchanged "
                          << move.exchanged << " border " << FieldText<Border>::print(move.border));
    if (!move.exchanged) {
        return check_parts(move, source, width, height);
    }
    for (const TurnMethod turn : {TurnMethod::shared, TurnMethod::registers}) {
        INFO("turned in registers: " << (turn == TurnMethod::registers));
        Move by = move;
        by.turn = turn;
        check_parts(by, source, width, height);
    }
}

/// Bits of any kind, those of NaN included: nothing looks at them.
Image random_bits(const Form& form, std::uint32_t seed) {
    Image image(form);
    std::uint32_t i = 0;
    for (std::byte& byte : image.bytes()) {
        byte = static_cast<std::byte>(255 * hash_01(seed, ++i));
    }
    return image;
}

} // namespace

TEST_CASE("pixels of every format move bit for bit, whichever way the source is read") {
    for (const Depth depth : {Depth::u8, Depth::u16, Depth::f32}) {
        for (int channels = 1; channels <= 4; ++channels) {
            const Image source = random_bits({45, 71, channels, depth}, 3);
            for (const bool exchanged : {false, true}) {
                for (const Int2 step : {Int2{1, 1}, Int2{-1, 1}, Int2{1, -1}, Int2{-1, -1}}) {
                    check({.first = {step[0] > 0 ? 0 : 44, step[1] > 0 ? 0 : 70},
                           .step = step,
                           .exchanged = exchanged},
                          source, exchanged ? 71 : 45, exchanged ? 45 : 71);
                }
            }
        }
    }
}

TEST_CASE("every shift within a texel, and every border beyond the picture") {
    for (const Depth depth : {Depth::u8, Depth::u16, Depth::f32}) {
        for (const int channels : {1, 2, 3, 4}) {
            const Image source = random_image({37, 23, channels, depth}, 4);
            int shift = -40;
            for (const Border& border : all_borders()) {
                for (int k = 0; k < 8; ++k, shift += 3) {
                    check({.first = {shift, -shift / 2}, .border = border}, source, 90, 61);
                    check({.first = {-shift, shift}, .step = {-1, 1}, .exchanged = true, .border = border},
                          source, 61, 90);
                }
            }
        }
    }
}

TEST_CASE("pictures of awkward sizes move, all of them or a corner") {
    int turn = 0;
    for (const auto& [width, height] : awkward_sizes()) {
        const Image source =
            random_image({width, height, 1 + turn % 4, turn % 2 == 0 ? Depth::u8 : Depth::u16});
        const Border border = all_borders()[static_cast<std::size_t>(turn) % 5];
        check({.first = {width - 1, 0}, .step = {-1, 1}, .border = border}, source, width, height);
        check({.first = {0, height - 1}, .step = {1, -1}, .exchanged = true, .border = border}, source,
              height, width);
        check({.first = {-width, height - 1}, .border = border}, source, 3 * width, 2);
        ++turn;
    }
}

TEST_CASE("what a line needs of another, by every border") {
    for (const auto& row : enum_rows<BorderMode>) {
        for (const int n : {1, 2, 7}) {
            for (int from = -20; from <= 20; ++from) {
                for (int count = 1; count <= 30; ++count) {
                    const Span span = source_of(row.value, from, count, n);
                    INFO(row.name << " of " << n << ", " << count << " from " << from);
                    const bool repeats = row.value == BorderMode::wrap;
                    bool holds = span.count >= 1 && span.count <= n &&
                                 (repeats || (span.first >= 0 && span.first + span.count <= n));
                    for (int i = from; i < from + count; ++i) {
                        const int at = test::border_index(row.value, i, n);
                        const int after = repeats ? ((i - span.first) % n + n) % n : at - span.first;
                        holds = holds && (at < 0 || (after >= 0 && after < span.count));
                    }
                    CHECK(holds);
                }
            }
        }
    }
}

namespace {

/// A black picture, and how many bytes of it are asked for at most.
class BlackRows final : public RowReader {
  public:
    explicit BlackRows(const Form& form) : form_(form) {}
    const Form& form() const override { return form_; }
    const Metadata& metadata() const override { return metadata_; }
    void read(std::span<std::byte> rows) override { most = std::max(most, rows.size()); }

    std::size_t most = 0;

  private:
    Form form_;
    Metadata metadata_;
};

} // namespace

TEST_CASE("a narrow part of a wide picture is read a few rows at a time") {
    BlackRows source({40000, 900, 1, Depth::u8});
    ImageRows part({2, 900, 1, Depth::u8});
    move_rows({.first = {17, 0}}, part.image().form(), source, part);
    part.finish();
    CHECK(source.most <= std::size_t{1} << 22U);
}
