#include "glproc/kinds/surroundings.hpp"

#include "glproc/base/covering.hpp"
#include "glproc/base/parallel.hpp"
#include "glproc/kinds/border.hpp"
#include "glproc/kinds/float_bits.hpp"

#include <algorithm>
#include <cmath>
#include <cstdint>
#include <limits>

namespace glproc {

namespace {

std::size_t size_of(std::int64_t count) {
    return static_cast<std::size_t>(count);
}

/// Channels of the pixels of a row, `values` floats apart.
template <class Code>
void widen(const HeldRows& held, int y, const Sight& sight, float* to) {
    const auto* codes = reinterpret_cast<const Code*>(held.row(y)); // NOLINT: of that depth
    const int channels = held.form().channels;
    for (int x = 0; x < held.form().width;
         ++x, codes += channels, to += sight.values) { // NOLINT: within the row
        for (int c = 0; c < sight.seen; ++c) {
            to[c] = without_denormal(static_cast<float>(codes[c])); // NOLINT: a pixel has so many
        }
    }
}

} // namespace

Surroundings::Surroundings(const HeldRows& held, const Sight& sight)
    : held_(held), sight_(sight), pitch_((held.form().width + 2 * sight.reach.x) * sight.values) {
    beyond_ = border_pixel(border_codes(held.form(), sight.border, sight.border.alpha()), held.form());
    beyond_.resize(size_of(sight.seen));
    beyond_.resize(size_of(sight.values));
}

void Surroundings::load(int first, int rows) {
    first_ = first;
    const int count = rows + 2 * sight_.reach.y;
    values_.assign(size_of(count) * size_of(pitch_), 0.0F);
    for (int i = 0; i < count; ++i) {
        load_row(first - sight_.reach.y + i, &values_[size_of(i) * size_of(pitch_)]);
    }
}

const float* Surroundings::row(int y) const {
    return &values_[size_of(y - first_ + sight_.reach.y) * size_of(pitch_) +
                    size_of(sight_.reach.x) * size_of(sight_.values)];
}

void Surroundings::load_row(int y, float* to) const {
    const BorderMode mode = sight_.border.mode;
    const int row = index_within(mode, y, held_.form().height);
    float* own = to + size_of(sight_.reach.x) * size_of(sight_.values); // NOLINT: within the row
    const auto put = [&](int x, const float* pixel) {
        std::copy_n(pixel, sight_.values, own + std::ptrdiff_t{x} * sight_.values); // NOLINT: likewise
    };
    if (row < 0) {
        for (int x = -sight_.reach.x; x < held_.form().width + sight_.reach.x; ++x) {
            put(x, beyond_.data());
        }
        return;
    }
    switch (held_.form().depth) {
    case Depth::u8:
        widen<std::uint8_t>(held_, row, sight_, own);
        break;
    case Depth::u16:
        widen<std::uint16_t>(held_, row, sight_, own);
        break;
    case Depth::f32:
        widen<float>(held_, row, sight_, own);
        break;
    }
    const auto complete = [&](int x) {
        const int from = index_within(mode, x, held_.form().width);
        put(x,
            from < 0 ? beyond_.data() : own + std::ptrdiff_t{from} * sight_.values); // NOLINT: within the row
    };
    for (int i = 1; i <= sight_.reach.x; ++i) {
        complete(-i);
        complete(held_.form().width - 1 + i);
    }
}

void make_rows(RowReader& source, const Sight& sight, const Form& result, RowWriter& to,
               const MakeRow& make) {
    constexpr int least_rows = 16; // of a part: the rows around it are made anew for each
    const Form& form = source.form();
    const int reach = sight.reach.y;
    const std::size_t row_bytes = size_of(form.width) * result.pixel_bytes();
    const int part = std::max(least_rows, reach);
    const int most = std::min(part * 4 * static_cast<int>(thread_limit()), form.height);
    const bool sees_all = sight.border.mode == BorderMode::wrap || reach >= form.height;
    HeldRows held(source);
    std::vector<std::byte> made;
    for (int first = 0; first < form.height; first += most) {
        const int rows = std::min(most, form.height - first);
        if (!sees_all) {
            held.move_to(std::max(first - reach, 0), std::min(first + rows + reach, form.height));
        } else if (first == 0) {
            held.move_to(0, form.height);
        }
        made.resize(size_of(rows) * row_bytes);
        parallel_for(
            size_of(covering(rows, part)), [&] { return Surroundings(held, sight); },
            [&](Surroundings& around, std::size_t i) {
                const int begin = static_cast<int>(i) * part;
                const int end = std::min(begin + part, rows);
                around.load(first + begin, end - begin);
                for (int y = begin; y < end; ++y) {
                    make(around, first + y, &made[size_of(y) * row_bytes]);
                }
            });
        to.write(made);
    }
}

} // namespace glproc
