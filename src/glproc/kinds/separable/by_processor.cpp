// Separable filters by the processor, row by row: the sums are the same as in glsl/kinds/separable/direct.comp, in the same
// order and with the same roundings.
#include "glproc/base/parallel.hpp"
#include "glproc/kinds/separable/passes.hpp"
#include "glproc/kinds/separable/row_ending.hpp"
#include "glproc/kinds/separable/row_sums.hpp"

#include <algorithm>
#include <array>
#include <cstdint>
#include <type_traits>
#include <vector>

namespace glproc {

namespace {

std::size_t size_of(int count) {
    return static_cast<std::size_t>(count);
}

bool makes_parts(const Form& form) {
    return form.depth != Depth::u8;
}

/// `Sum` is float, or for boxes of codes, whose sums are whole numbers, std::uint32_t.
template <class Sum>
class RowFilter {
    static constexpr bool is_box = std::is_same_v<Sum, std::uint32_t>;

  public:
    RowFilter(const Form& form, const SeparableFilter& filter)
        : form_(form), filter_(filter), width_(size_of(form.width) * channels()), alpha_(alpha_define(form, filter.alpha)),
          half_(half_kernels(filter, form)), across_(half_[0], makes_parts(form)), down_(half_[1], makes_parts(form)),
          ending_(form, filter, scale_of(filter, form)) {
        beyond_ = border_pixel<Sum>(border_codes(form, filter), form, alpha_ == 1);
        const auto rows = static_cast<std::size_t>(2 * filter.radius.y) + batch() + 1;
        held_rows_ = sees_all() ? size_of(form.height) : std::min(rows, size_of(form.height));
        held_.resize(held_rows_ * width_);
        own_.resize(ending_.sharpens() ? held_.size() : 0);
        sum_beyond();
    }

    void run(RowReader& source, RowWriter& to) {
        std::vector<std::byte> made;
        int next = 0; // row of the result
        for (int done = 0; next < form_.height;) {
            done = read(source, done);
            if (sees_all() && done < form_.height) {
                continue;
            }
            const int last = done == form_.height ? done : std::max(done - filter_.radius.y, next);
            const int end = std::min(last, next + static_cast<int>(batch()));
            made.resize(size_of(end - next) * form_.row_bytes());
            make_rows(next, end, made);
            to.write(made);
            next = end;
        }
    }

  private:
    std::size_t channels() const { return size_of(form_.channels); }
    /// A border that repeats needs rows that would be gone.
    bool sees_all() const { return filter_.border.mode == BorderMode::wrap; }
    /// Rows that are read at a time: enough work for all cores.
    std::size_t batch() const {
        constexpr std::size_t enough = std::size_t{1} << 20U; // values
        return std::max(enough / width_, 2 * thread_limit());
    }

    std::size_t place(int y) const { return size_of(y) % held_rows_ * width_; }
    const Sum* row(int y) const { return y < 0 ? sums_beyond_.data() : &held_[place(y)]; }
    /// That a row of the result sees, `distance` rows below it.
    const Sum* row_seen(int y, int distance) const { return row(index_within(filter_.border.mode, y + distance, form_.height)); }

    struct Room {
        explicit Room(const RowFilter& of)
            : values(is_box ? of.width_ : 0), wide(of.width_ + 2 * size_of(of.filter_.radius.x) * of.channels()), parts(2 * of.width_),
              sums(of.width_) {}
        std::vector<float> values;
        std::vector<Sum> wide; ///< a row, with the border at both ends
        std::vector<float> parts;
        std::vector<float> sums;
    };

    /// Sums along x of further rows; returns the row after them.
    int read(RowReader& source, int done) {
        const int count = std::min(static_cast<int>(batch()), form_.height - done);
        if (count == 0) {
            return done;
        }
        std::vector<std::byte> read(size_of(count) * form_.row_bytes());
        source.read(read);
        parallel_for(size_of(count), [this] { return Room(*this); },
                     [&](Room& room, std::size_t i) {
                         const std::size_t at = place(done + static_cast<int>(i));
                         const std::byte* codes = &read[i * form_.row_bytes()];
                         fill(codes, room);
                         sum_across(room, &held_[at]);
                         keep_alpha(room, &held_[at]);
                         if (ending_.sharpens()) {
                             values_of_row(codes, form_, false, &own_[at]);
                         }
                     });
        return done + count;
    }

    /// The first value of a row in `wide`.
    Sum* own_of(Room& room) const { return &room.wide[size_of(filter_.radius.x) * channels()]; }

    /// Values of a row, colours times alpha where it weights them, with the border at both ends.
    void fill(const std::byte* codes, Room& room) const {
        const std::size_t n = channels();
        const int radius = filter_.radius.x;
        Sum* own = own_of(room);
        if constexpr (is_box) {
            values_of_row(codes, form_, false, room.values.data());
            for (std::size_t i = 0; i < width_; i += n) {
                const auto alpha = static_cast<Sum>(alpha_ == 1 ? room.values[i + n - 1] : 1);
                for (std::size_t c = 0; c < n; ++c) {
                    own[i + c] = static_cast<Sum>(room.values[i + c]) * (c + 1 < n ? alpha : 1); // NOLINT: there is room
                }
            }
        } else {
            values_of_row(codes, form_, alpha_ == 1, own);
        }
        const auto put = [&](int x) {
            const int from = index_within(filter_.border.mode, x, form_.width);
            std::copy_n(from < 0 ? beyond_.data() : own + size_of(from) * n, n, &room.wide[size_of(x + radius) * n]); // NOLINT: likewise
        };
        for (int i = 1; i <= radius; ++i) {
            put(-i);
            put(form_.width - 1 + i);
        }
    }

    void sum_across(Room& room, Sum* to) const {
        const std::size_t n = channels();
        if constexpr (is_box) {
            const std::size_t wide = size_of(2 * filter_.radius.x + 1) * n;
            for (std::size_t c = 0; c < n; ++c) {
                to[c] = 0; // NOLINT: a row has every channel
                for (std::size_t i = c; i < wide; i += n) {
                    to[c] += room.wide[i]; // NOLINT: likewise
                }
            }
            for (std::size_t i = n; i < width_; ++i) {
                to[i] = to[i - n] + room.wide[i - n + wide] - room.wide[i - n]; // NOLINT: likewise
            }
        } else {
            across_.sum([&](int d) { return &room.wide[size_of(d + filter_.radius.x) * n]; }, room.parts, {to, width_});
        }
    }

    /// A kept alpha sees only itself.
    void keep_alpha(Room& room, Sum* to) const {
        const Sum* own = own_of(room);
        for (std::size_t i = channels() - 1; alpha_ == 2 && i < width_; i += channels()) {
            to[i] = own[i]; // NOLINT: within the row
        }
    }

    /// Of the rows beyond a constant border, which are all alike.
    void sum_beyond() {
        sums_beyond_.resize(width_);
        Room room(*this);
        for (std::size_t i = 0; i < room.wide.size(); ++i) {
            room.wide[i] = beyond_[i % channels()];
        }
        sum_across(room, sums_beyond_.data());
    }

    void make_rows(int begin, int end, std::vector<std::byte>& made) {
        if constexpr (is_box) {
            std::vector<std::uint64_t> column(width_); // moves down with the rows
            for (int d = -filter_.radius.y; begin < end && d <= filter_.radius.y; ++d) {
                add_row(column, row_seen(begin, d));
            }
            std::vector<float> sums(width_);
            for (int y = begin; y < end; ++y) {
                std::ranges::transform(column, sums.begin(), float_of);
                finish(y, sums, &made[size_of(y - begin) * form_.row_bytes()]);
                if (y + 1 < end) {
                    const Sum* gone = row_seen(y, -filter_.radius.y);
                    add_row(column, row_seen(y + 1, filter_.radius.y));
                    for (std::size_t i = 0; i < width_; ++i) {
                        column[i] -= gone[i]; // NOLINT: within the row
                    }
                }
            }
        } else {
            parallel_for(size_of(end - begin), [this] { return Room(*this); },
                         [&](Room& room, std::size_t i) {
                             const int y = begin + static_cast<int>(i);
                             down_.sum([&](int d) { return row_seen(y, d); }, room.parts, room.sums);
                             finish(y, room.sums, &made[i * form_.row_bytes()]);
                         });
        }
    }

    void add_row(std::vector<std::uint64_t>& column, const Sum* sums) const {
        for (std::size_t i = 0; i < width_; ++i) {
            column[i] += static_cast<std::uint64_t>(sums[i]); // NOLINT: within the row
        }
    }

    /// Sums of a row of the result into its values.
    void finish(int y, std::vector<float>& sums, std::byte* to) const {
        for (std::size_t i = channels() - 1; alpha_ == 2 && i < width_; i += channels()) {
            sums[i] = static_cast<float>(row(y)[i]); // NOLINT: within the row
        }
        ending_.run(sums, own_.empty() ? nullptr : &own_[place(y)], to);
    }

    Form form_;
    const SeparableFilter& filter_;
    std::size_t width_; ///< of a row, in values
    int alpha_;         ///< ALPHA of lib/pixel.glsl
    std::array<Floats, 2> half_;
    AxisTaps across_;
    AxisTaps down_;
    RowEnding ending_;
    std::vector<Sum> beyond_; ///< a pixel of the constant border
    std::vector<Sum> sums_beyond_;
    std::size_t held_rows_ = 0;
    std::vector<Sum> held_;  ///< sums along x of the rows last read
    std::vector<float> own_; ///< and their values, where the ending needs them
};

} // namespace

void filter_rows_exactly(const SeparableFilter& filter, RowReader& source, RowWriter& to) {
    const Form& form = source.form();
    if (has_whole_sums(form, filter)) { // running sums of any radius
        return RowFilter<std::uint32_t>(form, filter).run(source, to);
    }
    RowFilter<float>(form, filter).run(source, to);
}

} // namespace glproc
