#include "glproc/base/parallel.hpp"
#include "glproc/kinds/border.hpp"
#include "glproc/kinds/hidden.hpp"
#include "glproc/ops/morphology/parts.hpp"

#include <algorithm>
#include <bit>
#include <cstdint>
#include <limits>
#include <numeric>

namespace glproc {

namespace {

/// Floats as integers of their order, which has -0 before 0, as kernels have it. NaN becomes what decides nothing.
std::int32_t key_of(float value, std::int32_t nothing) {
    const auto bits = std::bit_cast<std::int32_t>(value);
    return value != value ? nothing : bits ^ ((bits >> 31) & std::numeric_limits<std::int32_t>::max());
}

/// All were NaN where nothing has decided.
float value_of(std::int32_t key, std::int32_t nothing) {
    const std::int32_t bits = key ^ ((key >> 31) & std::numeric_limits<std::int32_t>::max());
    return key == nothing ? std::numeric_limits<float>::quiet_NaN() : std::bit_cast<float>(bits);
}

template <class T>
constexpr T nothing_of(Extreme which) {
    return which == Extreme::least ? std::numeric_limits<T>::max() : std::numeric_limits<T>::min();
}

/// Each of `values` becomes the extreme of it and the one beside it in `others`, which may lie further on in the same memory.
template <class T>
void take(T* values, const T* others, std::size_t count, Extreme which) {
    if (which == Extreme::least) {
#pragma GCC ivdep
        for (std::size_t i = 0; i < count; ++i) {
            values[i] = std::min(values[i], others[i]);
        }
    } else {
#pragma GCC ivdep
        for (std::size_t i = 0; i < count; ++i) {
            values[i] = std::max(values[i], others[i]);
        }
    }
}

/// One extreme of chosen rows of an image, whose values are ordered integers.
template <class T>
class ExtremeRows {
  public:
    ExtremeRows(std::span<const T> values, const Form& form, const Morphology& op, Extreme which, const std::vector<T>& beyond)
        : values_(values), form_(form), op_(op), which_(which), beyond_(beyond), runs_(runs_of(op)) {}

    void run(int y, std::span<T> result) const {
        const std::span<T> made = result.subspan(row_size() * static_cast<std::size_t>(y), row_size());
        std::ranges::fill(made, nothing_of<T>(which_));
        std::vector<T> line;
        for (int dy = -op_.radius.y; dy <= op_.radius.y; ++dy) {
            const int row = index_within(op_.border.mode, y + dy, form_.height);
            const int reach = runs_[static_cast<std::size_t>(dy + op_.radius.y)];
            if (row >= 0 && reach == 0) {
                take(made.data(), row_of(row).data(), made.size(), which_);
                continue;
            }
            lengthen<T>(line, row < 0 ? std::span<const T>() : row_of(row), form_, op_.border.mode, reach, beyond_);
            widen(line, 2 * static_cast<std::size_t>(reach) + 1);
            take(made.data(), line.data(), made.size(), which_);
        }
    }

  private:
    std::size_t channels() const { return static_cast<std::size_t>(form_.channels); }
    std::size_t row_size() const { return static_cast<std::size_t>(form_.width) * channels(); }
    std::span<const T> row_of(int y) const { return values_.subspan(row_size() * static_cast<std::size_t>(y), row_size()); }

    /// Each pixel becomes the extreme of so many that begin there: of twice as many as before, until the last step.
    void widen(std::vector<T>& line, std::size_t pixels) const {
        for (std::size_t have = 1; have < pixels;) {
            const std::size_t more = std::min(have, pixels - have);
            take(line.data(), line.data() + more * channels(), line.size() - more * channels(), which_);
            have += more;
        }
    }

    std::span<const T> values_;
    const Form& form_;
    const Morphology& op_;
    Extreme which_;
    std::vector<T> beyond_;
    std::vector<int> runs_;
};

template <class T>
void run_rows(std::span<const T> values, const Form& form, const Morphology& op, Extreme which, std::span<const int> rows,
              const std::vector<T>& beyond, std::span<T> result) {
    const ExtremeRows<T> extreme(values, form, op, which, beyond);
    parallel_for(rows.size(), [&](std::size_t i) { extreme.run(rows[i], result); });
}

/// Alpha that is not looked at stays what it is.
template <class T>
void keep_alpha(const Image& image, const Morphology& op, std::span<const int> rows, Image& result) {
    if (!image.has_alpha() || op.alpha != RankAlpha::ignore) {
        return;
    }
    const auto channels = static_cast<std::size_t>(image.channels());
    const std::size_t row = static_cast<std::size_t>(image.width()) * channels;
    for (const int y : rows) {
        const std::size_t begin = static_cast<std::size_t>(y) * row;
        for (std::size_t at = begin + channels - 1; at < begin + row; at += channels) {
            result.values<T>()[at] = image.values<T>()[at];
        }
    }
}

template <class T>
void run_codes(const Image& image, const Morphology& op, Extreme which, std::span<const int> rows, Image& result) {
    const std::vector<T> beyond = border_pixel<T>(border_codes(image.form(), op.border, op.border.alpha()), image.form());
    run_rows<T>(image.values<T>(), image.form(), op, which, rows, beyond, result.values<T>());
    keep_alpha<T>(image, op, rows, result);
}

void run_floats(const Image& image, const Morphology& op, Extreme which, std::span<const int> rows, Image& result) {
    const auto nothing = nothing_of<std::int32_t>(which);
    const auto key = [=](float value) { return key_of(value, nothing); };
    const std::vector<float> pixel = border_pixel(border_codes(image.form(), op.border, op.border.alpha()), image.form());
    std::vector<std::int32_t> beyond(pixel.size());
    std::ranges::transform(pixel, beyond.begin(), key);
    const std::span<const float> values = image.values<float>();
    const std::size_t row = values.size() / static_cast<std::size_t>(image.height());
    std::vector<std::int32_t> keys(values.size());
    std::vector<std::int32_t> made(values.size());
    parallel_for(static_cast<std::size_t>(image.height()), [&](std::size_t y) {
        std::ranges::transform(values.subspan(y * row, row), keys.begin() + static_cast<std::ptrdiff_t>(y * row), key);
    });
    run_rows<std::int32_t>(keys, image.form(), op, which, rows, beyond, made);
    parallel_for(rows.size(), [&](std::size_t i) {
        const std::size_t begin = static_cast<std::size_t>(rows[i]) * row;
        for (std::size_t at = begin; at < begin + row; ++at) {
            result.values<float>()[at] = value_of(made[at], nothing);
        }
    });
    keep_alpha<float>(image, op, rows, result);
}

/// The image with its extremes in these rows, and anything in the others.
Image extreme_of(const Image& image, const Morphology& op, Extreme which, std::span<const int> rows) {
    Image result(image.form());
    switch (image.depth()) {
    case Depth::u8:
        run_codes<std::uint8_t>(image, op, which, rows, result);
        break;
    case Depth::u16:
        run_codes<std::uint16_t>(image, op, which, rows, result);
        break;
    case Depth::f32:
        run_floats(image, op, which, rows, result);
        break;
    }
    return result;
}

/// A box, axis by axis.
Image box_of(const Image& image, const Morphology& op, Extreme which, std::span<const int> rows) {
    Morphology along_x = op;
    Morphology along_y = op;
    along_x.radius = {op.radius.x, 0};
    along_y.radius = {0, op.radius.y};
    return extreme_of(extreme_of(image, along_y, which, rows), along_x, which, rows);
}

Image step_of(const Image& given, const Morphology& op, Extreme which, std::span<const int> rows) {
    const Image image = given.has_alpha() ? with_hidden(given, indifferent(given.depth(), which)) : given;
    return op.shape == MorphologyShape::box ? box_of(image, op, which, rows)
                                            : extreme_of(image, op, which, rows);
}

/// All rows that `rows` depend on.
std::vector<int> rows_around(const Image& image, const Morphology& op, std::span<const int> rows) {
    std::vector<char> is_needed(static_cast<std::size_t>(image.height()));
    for (const int y : rows) {
        for (int dy = -op.radius.y; dy <= op.radius.y; ++dy) {
            const int row = index_within(op.border.mode, y + dy, image.height());
            if (row >= 0) {
                is_needed[static_cast<std::size_t>(row)] = 1;
            }
        }
    }
    std::vector<int> needed;
    for (std::size_t y = 0; y < is_needed.size(); ++y) {
        if (is_needed[y] != 0) {
            needed.push_back(static_cast<int>(y));
        }
    }
    return needed;
}

Image twice(const Image& image, const Morphology& op, Extreme first, Extreme then,
            std::span<const int> rows) {
    return step_of(step_of(image, op, first, rows_around(image, op, rows)), op, then, rows);
}

template <class T>
void subtract_values(std::span<T> a, std::span<const T> b, bool has_alpha, std::size_t channels) {
    for (std::size_t i = 0; i < a.size(); ++i) {
        if (has_alpha && i % channels == channels - 1) {
            continue;
        }
        if constexpr (std::is_integral_v<T>) {
            a[i] = static_cast<T>(a[i] - std::min(a[i], b[i]));
        } else { // processors give infinity - infinity another sign than GPUs
            const T difference = a[i] - b[i];
            a[i] = difference != difference ? std::numeric_limits<T>::quiet_NaN() : difference;
        }
    }
}

/// a - b, with the alpha of a.
Image difference_of(Image a, const Image& b) {
    const auto channels = static_cast<std::size_t>(a.channels());
    switch (a.depth()) {
    case Depth::u8:
        subtract_values(a.values<std::uint8_t>(), b.values<std::uint8_t>(), a.has_alpha(), channels);
        break;
    case Depth::u16:
        subtract_values(a.values<std::uint16_t>(), b.values<std::uint16_t>(), a.has_alpha(), channels);
        break;
    case Depth::f32:
        subtract_values(a.values<float>(), b.values<float>(), a.has_alpha(), channels);
        break;
    }
    return a;
}

Image steps_of(const Image& image, const Morphology& op, std::span<const int> rows) {
    using enum Extreme;
    switch (op.step) {
    case MorphologyStep::erode:
        return step_of(image, op, least, rows);
    case MorphologyStep::dilate:
        return step_of(image, op, largest, rows);
    case MorphologyStep::open:
        return twice(image, op, least, largest, rows);
    case MorphologyStep::close:
        return twice(image, op, largest, least, rows);
    case MorphologyStep::gradient:
        return difference_of(step_of(image, op, largest, rows), step_of(image, op, least, rows));
    case MorphologyStep::tophat:
        return difference_of(image, twice(image, op, least, largest, rows));
    case MorphologyStep::blackhat:
    case MorphologyStep::fill:
    case MorphologyStep::clear_border:
    case MorphologyStep::hitmiss:
    case MorphologyStep::reconstruct:
        break;
    }
    return difference_of(twice(image, op, largest, least, rows), image);
}

} // namespace

Image morphology_on_cpu(const Image& image, const Morphology& op, std::span<const int> rows) {
    if (PerAxis<int>(op.radius) == PerAxis<int>(0) && !is_difference(op.step)) {
        return image;
    }
    Image made = steps_of(image, op, rows);
    return made.has_alpha() && made.depth() == Depth::f32 ? with_hidden(std::move(made), 0) : made;
}

} // namespace glproc
