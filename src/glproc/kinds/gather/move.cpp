#include "glproc/kinds/gather/move.hpp"

#include "glproc/base/covering.hpp"
#include "glproc/gl/tuning.hpp"
#include "glproc/kinds/border.hpp"

#include <algorithm>
#include <array>

namespace glproc {

namespace {

constexpr auto turn_methods =
    tuning<TurnMethod>({{"llvmpipe", any_radius, TurnMethod::registers,
                         "2448x1505 RGBA8, 90 degrees: squares in registers 20 ms, in shared memory 99 "
                         "(llvmpipe, Mesa 22.3.6, two cores, 2026-11-22)"},
                        {"", any_radius, TurnMethod::shared,
                         "8192x8192 RGBA8, 90 degrees: 0.163 ms, where a copy takes 0.148 (NVIDIA H200, "
                         "driver 580.159.04, 2026-11-22)"}});

/// The form of a picture whose pixels have as many bits, whatever they mean.
struct PixelBits {
    int depth;
    int channels;
};

PixelBits bits_of(const Form& form) {
    const int bits = stored_channels(form.channels) * static_cast<int>(form.depth);
    const int depth = std::min(bits, 32);
    return {depth, bits / depth};
}

/// The constant border's alpha is its colour's alpha, else 0.
Uint4 beyond(const Form& form, const Border& border) {
    return border_texel(form, border_codes(form, border, border.alpha()), form.depth);
}

bool turns_in_registers(Context& gpu, const Move& move) {
    const bool is_automatic = move.turn == TurnMethod::automatic;
    return (is_automatic ? tuned(turn_methods, gpu.device()) : move.turn) == TurnMethod::registers;
}

} // namespace

Span source_of(BorderMode border, int from, int count, int n) {
    const int end = from + count;
    if (border == BorderMode::clamp || border == BorderMode::constant) {
        const int first = std::clamp(from, 0, n - 1);
        return {first, std::clamp(end, first + 1, n) - first};
    }
    if (count >= n) {
        return {0, n};
    }
    if (border == BorderMode::wrap) {
        return {from, count};
    }
    int first = n - 1;
    int last = 0;
    for (int i = from; i < end; ++i) {
        const int at = index_within(border, i, n);
        first = std::min(first, at);
        last = std::max(last, at);
    }
    return {first, last - first + 1};
}

Rect source_of(const Move& move, const Form& source, const Rect& result) {
    const Int2 begin = move.at(result.x, result.y);
    const Int2 end = move.at(result.right() - 1, result.bottom() - 1);
    const auto along = [&](std::size_t axis, int n) {
        const int from = std::min(begin[axis], end[axis]);
        return source_of(move.border.mode, from, std::max(begin[axis], end[axis]) - from + 1, n);
    };
    const Span x = along(0, source.width);
    const Span y = along(1, source.height);
    return {x.first, y.first, x.count, y.count};
}

GpuImage run_move(Context& gpu, const Move& move, const Form& source, const GpuImage& part, const Rect& rect,
                  const Rect& result) {
    GpuImage image = gpu.make_image({result.width, result.height, source.channels, source.depth}, "result");
    const PixelBits bits = bits_of(source);
    const bool in_registers = turns_in_registers(gpu, move);
    Pass pass = gpu.pass(move.exchanged ? "gather.turn" : "gather.move",
                         !move.exchanged ? "kinds/gather/move.comp"
                         : in_registers  ? "kinds/gather/turn_registers.comp"
                                         : "kinds/gather/turn.comp",
                         {{"BORDER", std::to_string(static_cast<int>(move.border.mode))},
                          {"SRC_DEPTH", std::to_string(bits.depth)},
                          {"CHANNELS", std::to_string(bits.channels)}});
    pass.reads("i_src", part)
        .writes("i_dst", image)
        .set("u_size", Int2{source.width, source.height})
        .set("u_border_texel", beyond(source, move.border))
        .set("u_part", Int2{rect.x, rect.y})
        .set("u_first", move.at(result.x, result.y))
        .set("u_step", move.step);
    if (!move.exchanged) {
        pass.over(image.texture().width(), image.height());
    } else if (in_registers) {
        const int side = pixels_per_texel(source);
        pass.over(image.texture().width(), covering(result.height, side));
    } else {
        const int side = bits.depth < 32 ? 64 : bits.channels < 4 ? 32 : 16; // SIDE of the kernel
        pass.groups(covering(result.width, side), covering(result.height, side));
    }
    return image;
}

} // namespace glproc
