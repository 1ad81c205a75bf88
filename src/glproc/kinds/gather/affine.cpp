#include "glproc/base/covering.hpp"
#include "glproc/kinds/gather/affine_weights.hpp"

#include "glproc/gl/context_state.hpp"
#include "glproc/kinds/border.hpp"
#include "glproc/kinds/fetched.hpp"

#include <algorithm>
#include <bit>
#include <cmath>
#include <numeric>
#include <optional>
#include <tuple>
#include <utility>

namespace glproc {

namespace {

constexpr int phase_columns = 64; // PHASE_COLUMNS

Floats short_phases_of(ResampleFilter filter, int taps) {
    const auto at = [&](int phase) {
        const std::vector<double> weights = weights_at(filter, taps, double(phase) / phase_count);
        return Floats(weights.begin(), weights.end());
    };
    Floats phases;
    Floats next = at(0);
    for (int phase = 0; phase < phase_count; ++phase) {
        const Floats weights = std::exchange(next, at(phase + 1));
        for (std::size_t k = 0; k < weights.size(); k += 2) {
            phases.insert(phases.end(),
                          {weights[k], weights[k + 1], next[k] - weights[k], next[k + 1] - weights[k + 1]});
        }
    }
    return phases;
}

/// The cubic through four equally spaced values, seen from the one numbered `at`: the factors of the distance
/// from there, of its square and of its cube.
std::array<double, 3> cubic_through(const std::array<double, 4>& values, int at) {
    const double first = values[1] - values[0];
    const double second = values[2] - 2 * values[1] + values[0];
    const double third = values[3] - 3 * values[2] + 3 * values[1] - values[0];
    const std::array<double, 3> from_first{first - second / 2 + third / 3, (second - third) / 2, third / 6};
    return {from_first[0] + at * (2 * from_first[1] + 3 * at * from_first[2]),
            from_first[1] + 3 * at * from_first[2], from_first[2]};
}

/// i_phases for long sums. Between phases it takes the cubic through the four nearest phases of this piece of
/// the filter, which has bends at centres of pixels. For Lanczos it misses by 1e-12 of the weight in the
/// middle.
Floats long_phases_of(ResampleFilter filter, int taps) {
    std::vector<std::vector<double>> weights;
    for (int phase = 0; phase <= phase_count; ++phase) {
        weights.push_back(weights_at(filter, taps, double(phase) / phase_count));
    }
    Floats phases;
    const auto add = [&](double value) {
        const auto words = std::bit_cast<std::array<float, 2>>(value);
        phases.insert(phases.end(), words.begin(), words.end());
    };
    for (int phase = 0; phase < phase_count; ++phase) {
        const auto first = static_cast<std::size_t>(std::clamp(phase - 1, 0, phase_count - 3));
        const auto at = static_cast<std::size_t>(phase);
        for (std::size_t k = 0; k < weights[at].size(); k += 2) {
            const auto cubic = [&](std::size_t tap) {
                return cubic_through({weights[first][tap], weights[first + 1][tap], weights[first + 2][tap],
                                      weights[first + 3][tap]},
                                     static_cast<int>(at - first));
            };
            const std::array<std::array<double, 3>, 2> pair{cubic(k), cubic(k + 1)};
            add(weights[at][k]);
            add(weights[at][k + 1]);
            add(pair[0][0]);
            add(pair[1][0]);
            for (const std::array<double, 3>& terms : pair) {
                phases.insert(phases.end(), {static_cast<float>(terms[1]), static_cast<float>(terms[2])});
            }
        }
    }
    return phases;
}

/// The strips that the groups of the kernel make, four groups side by side: column | row << 16.
struct Strips {
    std::vector<std::uint32_t> within; ///< strips that depend on nothing beyond the part of the source
    std::vector<std::uint32_t> rest;
};

constexpr int group_side = 8;   // texels
constexpr int strip_groups = 4; // STRIP_GROUPS of the kernel
constexpr int points_at_once = 1 << 22; // of a map: 64 MiB

/// Which i of 0 … count - 1 have `base` + i × `step` between `low` and `high`.
Span steps_within(double base, double step, double low, double high, int count) {
    if (step == 0) {
        return {0, base >= low && base <= high ? count : 0};
    }
    const auto [from, to] = std::minmax({(low - base) / step, (high - base) / step});
    const auto first = static_cast<int>(std::clamp(std::ceil(from), 0.0, double(count)));
    const auto end = static_cast<int>(std::clamp(std::floor(to) + 1, double(first), double(count)));
    return {first, end - first};
}

Strips joined_few(Context& gpu, Strips strips) {
    constexpr std::size_t worth_a_program = 16; // a probe has few, and tries both
    if (strips.within.size() < worth_a_program && !gpu.state().proofs.is_probing()) {
        strips.rest.insert(strips.rest.end(), strips.within.begin(), strips.within.end());
        strips.within.clear();
    }
    return strips;
}

std::uint32_t strip_at(int column, int row) {
    return static_cast<std::uint32_t>(column) | static_cast<std::uint32_t>(row) << 16U;
}

/// The strips beginning at row `first_row` of strips, for the points of `width` × any number of samples.
Strips strips_of(const std::vector<Double2>& points, int width, int first_row, const Affine& affine,
                 const Form& source, const Rect& part) {
    const int strip_width = strip_groups * group_side * pixels_per_texel(source) * affine.samples;
    const int strip_height = group_side * affine.samples;
    const int height = static_cast<int>(points.size() / static_cast<std::size_t>(width));
    const double reach = taps_of(affine) / 2 + 2;
    const auto is_inside = [&](const Double2& point) {
        return point[0] >= part.x + reach && point[0] <= part.right() - reach && point[1] >= part.y + reach &&
               point[1] <= part.bottom() - reach;
    };
    Strips strips;
    for (int top = 0; top < height; top += strip_height) {
        for (int left = 0; left < width; left += strip_width) {
            bool within = true;
            for (int y = top; within && y < std::min(top + strip_height, height); ++y) {
                const auto line = points.begin() + std::ptrdiff_t{y} * width;
                within = std::all_of(line + left, line + std::min(left + strip_width, width), is_inside);
            }
            (within ? strips.within : strips.rest)
                .push_back(strip_at(left / strip_width, first_row + top / strip_height));
        }
    }
    return strips;
}

Strips strips_of(const Affine& affine, const Form& source, const Rect& part, const Rect& result) {
    const Rect strip =
        samples_in(affine, {0, 0, strip_groups * group_side * pixels_per_texel(source), group_side});
    const Rect all = samples_in(affine, result);
    const int columns = covering(all.width, strip.width);
    // The source pixels that a strip depends on, and a pixel more, so that no rounding matters. It begins at
    // the point of its first sample.
    const auto along = [&](std::size_t axis, double base, int from, int end) {
        const double right = affine.right[axis] * (strip.width - 1);
        const double down = affine.down[axis] * (strip.height - 1);
        const double reach = taps_of(affine) / 2 + 2;
        return steps_within(base, affine.right[axis] * strip.width,
                            from + reach - std::min(right, 0.0) - std::min(down, 0.0),
                            end - reach - std::max(right, 0.0) - std::max(down, 0.0), columns);
    };
    Strips strips;
    const auto add = [](std::vector<std::uint32_t>& to, int first, int end, int row) {
        for (int x = first; x < end; ++x) {
            to.push_back(strip_at(x, row));
        }
    };
    for (int row = 0; row * group_side < result.height; ++row) {
        const Double2 at = affine.at(all.x + 0.5, all.y + row * strip.height + 0.5);
        const Span x = along(0, at[0], part.x, part.right());
        const Span y = along(1, at[1], part.y, part.bottom());
        const int first = std::max(x.first, y.first);
        const int end = std::max(std::min(x.first + x.count, y.first + y.count), first);
        add(strips.rest, 0, first, row);
        add(strips.within, first, end, row);
        add(strips.rest, end, columns, row);
    }
    return strips;
}

/// The points of the corner samples, or of any that lie as far apart.
std::array<double, 4> bounds_of(const Affine& affine, const Rect& pixels) {
    const Rect result = samples_in(affine, pixels);
    if (affine.map) {
        return affine.map->bounds_of(result);
    }
    std::array<Double2, 4> corners;
    std::size_t i = 0;
    for (const int y : {result.y, result.bottom() - 1}) {
        for (const int x : {result.x, result.right() - 1}) {
            corners[i++] = affine.at(x + 0.5, y + 0.5);
        }
    }
    std::array<double, 4> bounds{};
    for (std::size_t axis = 0; axis < 2; ++axis) {
        std::tie(bounds[axis], bounds[axis + 2]) =
            std::minmax({corners[0][axis], corners[1][axis], corners[2][axis], corners[3][axis]});
    }
    return bounds;
}

/// The same for a perspective, where the corners' points bound all others of a strip. Blocks of strips are judged first: the GPU
/// waits for this list.
Strips strips_in_depth(const Affine& affine, const Form& source, const Rect& part, const Rect& result, int first_row) {
    constexpr int block = 16; // strips along each axis
    const Int2 strip{strip_groups * group_side * pixels_per_texel(source), group_side};
    const Int2 all{covering(result.width, strip[0]), covering(result.height, strip[1])};
    const double reach = taps_of(affine) / 2 + 2;
    const auto is_within = [&](int column, int row, int columns, int rows) {
        const int left = column * strip[0];
        const int top = row * strip[1];
        const std::array<double, 4> seen =
            bounds_of(affine, {result.x + left, result.y + top, std::min(columns * strip[0], result.width - left),
                               std::min(rows * strip[1], result.height - top)});
        return seen[0] >= part.x + reach && seen[2] <= part.right() - reach && seen[1] >= part.y + reach &&
               seen[3] <= part.bottom() - reach;
    };
    Strips strips;
    for (int top = 0; top < all[1]; top += block) {
        for (int left = 0; left < all[0]; left += block) {
            const Int2 end{std::min(left + block, all[0]), std::min(top + block, all[1])};
            const bool all_within = is_within(left, top, end[0] - left, end[1] - top);
            for (int row = top; row < end[1]; ++row) {
                for (int column = left; column < end[0]; ++column) {
                    const bool within = all_within || is_within(column, row, 1, 1);
                    (within ? strips.within : strips.rest).push_back(strip_at(column, first_row + row));
                }
            }
        }
    }
    return strips;
}

Uint4 words_of(const Double2& pair) {
    const auto x = std::bit_cast<std::uint64_t>(pair[0]);
    const auto y = std::bit_cast<std::uint64_t>(pair[1]);
    return {static_cast<std::uint32_t>(x), static_cast<std::uint32_t>(x >> 32U),
            static_cast<std::uint32_t>(y), static_cast<std::uint32_t>(y >> 32U)};
}

/// The points of a perspective.
void write_points(Context& gpu, const Affine& affine, const Rect& samples, Buffer& points) {
    gpu.pass("gather.points", "kinds/gather/points.comp", {})
        .writes("b_points", points)
        .set("u_first", Int2{samples.x, samples.y})
        .set("u_columns", samples.width)
        .set("u_origin", words_of(affine.origin))
        .set("u_right", words_of(affine.right))
        .set("u_down", words_of(affine.down))
        .set("u_depth_at_origin", words_of({affine.depth[0], 0}))
        .set("u_depth_steps", words_of({affine.depth[1], affine.depth[2]}))
        .over(samples.width, samples.height);
}

} // namespace

bool has_long_sums(const Affine& affine, const Form& form) {
    return weighs(affine, form) && form.depth == Depth::u16;
}

Floats phases_of(ResampleFilter filter, int taps, bool is_long) {
    return is_long ? long_phases_of(filter, taps) : short_phases_of(filter, taps);
}

Rect samples_in(const Affine& affine, const Rect& pixels) {
    const int n = affine.samples;
    return {pixels.x * n, pixels.y * n, pixels.width * n, pixels.height * n};
}

int taps_of(const Affine& affine) {
    return static_cast<int>(2 * reach_of(affine.filter));
}

Rect source_of(const Affine& affine, const Form& source, const Rect& result) {
    const int taps = taps_of(affine);
    const std::array<double, 4> bounds = bounds_of(affine, result);
    const auto along = [&](std::size_t axis, int n) {
        const int from = whole(bounds[axis] - 0.5) - taps / 2;
        const int end = whole(bounds[axis + 2] + 0.5) + taps / 2 + 1;
        return source_of(affine.border.mode, from, end - from, n);
    };
    const Span x = along(0, source.width);
    const Span y = along(1, source.height);
    return {x.first, y.first, x.count, y.count};
}

GpuImage run_affine(Context& gpu, const Affine& affine, const Form& source, const GpuImage& part,
                    const Rect& rect, const Rect& result) {
    GpuImage image = gpu.make_image({result.width, result.height, source.channels, source.depth}, "result");
    const int taps = taps_of(affine);
    std::optional<Texture> phases;
    if (taps > 1) {
        const bool is_long = has_long_sums(affine, source);
        const int width = phase_columns * taps / 2 * (is_long ? 3 : 1);
        phases.emplace(gpu.make_table(phases_of(affine.filter, taps, is_long), width, "affine.phases"));
    }
    const auto run = [&](const std::vector<std::uint32_t>& strips, bool edge, const Buffer* points,
                         int points_row) {
        if (strips.empty()) {
            return;
        }
        const auto groups = strip_groups * static_cast<std::int64_t>(strips.size());
        Buffer list = gpu.make_buffer(strips.size() * sizeof(std::uint32_t), "affine.strips");
        list.write(strips);
        Pass pass = gpu.pass("gather.affine", "kinds/gather/affine.comp",
                             {{"TAPS", text(taps)},
                              {"BORDER", text(static_cast<int>(affine.border.mode))},
                              {"CHANNELS", text(part.stored_channels())},
                              {"DEPTH", text(static_cast<int>(source.depth))},
                              {"FETCHED", fetched(gpu.device())},
                              {"EDGE", text(edge ? 1 : 0)},
                              {"PADDED", text(source.channels == 3 ? 1 : 0)},
                              {"ALPHA", text(weighs(affine, source) ? 1 : 0)},
                              {"MAPPED", text(points ? 1 : 0)},
                              {"SAMPLED", text(affine.samples > 1 ? 1 : 0)}});
        const Rect samples = samples_in(affine, result);
        if (affine.samples > 1) {
            const double share = 1.0 / (double(affine.samples) * affine.samples);
            const Uint4 words = words_of({share, 0});
            pass.set("u_samples", affine.samples)
                .set("u_share",
                     Uint4{words[0], words[1], std::bit_cast<std::uint32_t>(static_cast<float>(share)), 0});
        }
        if (phases) {
            pass.reads("i_phases", *phases);
        }
        if (points) {
            pass.reads("b_points", *points)
                .set("u_points", Int2{samples.width, samples.height})
                .set("u_points_row", points_row);
        } else {
            pass.set("u_origin", words_of(affine.origin))
                .set("u_right", words_of(affine.right))
                .set("u_down", words_of(affine.down));
        }
        pass.reads("i_src", part)
            .reads("b_strips", list)
            .writes("i_dst", image)
            .set("u_size", Int2{source.width, source.height})
            .set("u_border_texel",
                 border_texel(source, border_codes(source, affine.border, affine.border.alpha()),
                              source.depth))
            .set("u_part", Int2{rect.x, rect.y})
            .set("u_first", Int2{samples.x, samples.y})
            .set("u_groups", static_cast<int>(groups))
            .groups_1d(groups);
    };
    if (!affine.map && !affine.is_perspective()) {
        const Strips strips = joined_few(gpu, strips_of(affine, source, rect, result));
        run(strips.within, false, nullptr, 0);
        run(strips.rest, true, nullptr, 0);
        return image;
    }
    const int row_points = result.width * affine.samples * affine.samples;
    const int rows = std::max(points_at_once / row_points / group_side, 1) * group_side;
    for (int row = 0; row < result.height; row += rows) {
        const Rect some{result.x, result.y + row, result.width, std::min(rows, result.height - row)};
        const Rect samples = samples_in(affine, some);
        Buffer buffer = gpu.make_buffer(sizeof(Double2) * static_cast<std::size_t>(samples.width) *
                                            static_cast<std::size_t>(samples.height), "affine.points");
        Strips strips;
        if (affine.map) {
            const std::vector<Double2> points = affine.map->points_in(samples);
            buffer.write(points);
            strips = joined_few(gpu, strips_of(points, samples.width, row / group_side, affine, source, rect));
        } else {
            write_points(gpu, affine, samples, buffer);
            strips = joined_few(gpu, strips_in_depth(affine, source, rect, some, row / group_side));
        }
        run(strips.within, false, &buffer, row * affine.samples);
        run(strips.rest, true, &buffer, row * affine.samples);
    }
    return image;
}

} // namespace glproc
