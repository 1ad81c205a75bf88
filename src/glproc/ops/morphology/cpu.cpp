#include "glproc/base/parallel.hpp"
#include "glproc/kinds/border.hpp"
#include "glproc/kinds/hidden.hpp"
#include "glproc/ops/morphology/parts.hpp"

#include <algorithm>
#include <cmath>
#include <cstdint>
#include <limits>
#include <numeric>

namespace glproc {

namespace {

/// Kernels know -0 from 0.
template <class T>
bool is_less(T a, T b) {
    return a < b || (a == b && std::signbit(static_cast<double>(a)) && !std::signbit(static_cast<double>(b)));
}

/// One extreme of chosen rows of an image, in its own values.
template <class T>
class ExtremeRows {
  public:
    ExtremeRows(const Image& image, const Morphology& op, Extreme which)
        : image_(image), op_(op), which_(which),
          beyond_(border_codes(image.form(), op.border, op.border.alpha())), runs_(runs_of(op)) {}

    void run(int y, Image& result) const {
        const int last = image_.channels() - 1;
        for (int c = 0; c <= last; ++c) {
            const bool is_kept = image_.has_alpha() && op_.alpha == RankAlpha::ignore && c == last;
            for (int x = 0; x < image_.width(); ++x) {
                result.values<T>()[index(x, y, c)] =
                    is_kept ? image_.values<T>()[index(x, y, c)] : at(x, y, c);
            }
        }
    }

  private:
    std::size_t index(int x, int y, int c) const {
        return (static_cast<std::size_t>(y) * static_cast<std::size_t>(image_.width()) +
                static_cast<std::size_t>(x)) *
                   static_cast<std::size_t>(image_.channels()) +
               static_cast<std::size_t>(c);
    }

    T at(int x, int y, int c) const {
        const bool is_alpha = image_.has_alpha() && c == image_.channels() - 1;
        const T beyond = static_cast<T>(beyond_[is_alpha ? 3 : static_cast<std::size_t>(c)]);
        T extreme{};
        bool is_first = true;
        const auto take = [&](T value) {
            if (value != value) {
                return; // NaN
            }
            const bool is_better = which_ == Extreme::least ? is_less(value, extreme) : is_less(extreme, value);
            extreme = is_first || is_better ? value : extreme;
            is_first = false;
        };
        const int tall = op_.radius.y;
        for (int dy = -tall; dy <= tall; ++dy) {
            const int row = index_within(op_.border.mode, y + dy, image_.height());
            const int reach = runs_[static_cast<std::size_t>(dy + tall)];
            for (int dx = -reach; dx <= reach; ++dx) {
                const int column = index_within(op_.border.mode, x + dx, image_.width());
                take(row < 0 || column < 0 ? beyond : image_.values<T>()[index(column, row, c)]);
            }
        }
        return is_first && std::numeric_limits<T>::has_quiet_NaN ? std::numeric_limits<T>::quiet_NaN()
                                                                 : extreme;
    }

    const Image& image_;
    const Morphology& op_;
    Extreme which_;
    BorderCodes beyond_;
    std::vector<int> runs_;
};

template <class T>
void run_rows(const Image& image, const Morphology& op, Extreme which, std::span<const int> rows,
              Image& result) {
    const ExtremeRows<T> extreme(image, op, which);
    parallel_for(rows.size(), [&](std::size_t i) { extreme.run(rows[i], result); });
}

/// The image with its extremes in these rows, and anything in the others.
Image extreme_of(const Image& image, const Morphology& op, Extreme which, std::span<const int> rows) {
    Image result(image.form());
    switch (image.depth()) {
    case Depth::u8:
        run_rows<std::uint8_t>(image, op, which, rows, result);
        break;
    case Depth::u16:
        run_rows<std::uint16_t>(image, op, which, rows, result);
        break;
    case Depth::f32:
        run_rows<float>(image, op, which, rows, result);
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
        a[i] =
            std::is_integral_v<T> ? static_cast<T>(a[i] - std::min(a[i], b[i])) : static_cast<T>(a[i] - b[i]);
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
    Image made = steps_of(image, op, rows);
    return made.has_alpha() && made.depth() == Depth::f32 ? with_hidden(std::move(made), 0) : made;
}

} // namespace glproc
