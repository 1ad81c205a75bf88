// Separable filters of codes by the processor, row by row. The sums are the same as in
// glsl/kinds/separable/direct.comp, in the same order and with the same roundings.
#include "glproc/base/parallel.hpp"
#include "glproc/kinds/separable/passes.hpp"

#include <algorithm>
#include <array>
#include <bit>
#include <cmath>
#include <cstdint>
#include <cstdlib>
#include <cstring>
#include <limits>
#include <type_traits>
#include <vector>

namespace glproc {

namespace {

/// Compiled for wider registers, too; the version is chosen when the program starts, and the bits are the
/// same.
#if defined(__x86_64__) && defined(__GNUC__) && !defined(__clang__) && !defined(__SANITIZE_ADDRESS__) && !defined(__SANITIZE_THREAD__)
#define GLPROC_FOR_WIDE_REGISTERS __attribute__((target_clones("avx2", "default")))
#else
#define GLPROC_FOR_WIDE_REGISTERS
#endif

std::size_t size_of(int count) {
    return static_cast<std::size_t>(count);
}

/// Eight sums, in one register or two. In memory they may lie anywhere, so they are copied: GCC and clang do not agree
/// on attributes for the alignment of such a type.
using Wide = float __attribute__((vector_size(32)));
constexpr std::size_t in_wide = sizeof(Wide) / sizeof(float);

[[gnu::always_inline]] inline void add_tap(Wide& sum, float tap, const float* from) {
    Wide values; // NOLINT: filled by the copy
    std::memcpy(&values, from, sizeof values);
    sum += tap * values;
}

/// to[i] = the sum of taps[k] × from[k][i], from the first tap to the last.
GLPROC_FOR_WIDE_REGISTERS
void sum_taps(const float* taps, const float* const* from, std::size_t count, float* to, std::size_t width) {
    constexpr std::size_t block = 4 * in_wide; // whose sums stay in registers
    std::size_t begin = 0;
    for (; begin + block <= width; begin += block) {
        Wide sum0{}; // named, since GCC 12 keeps an array of them in memory, which takes four times as long
        Wide sum1{};
        Wide sum2{};
        Wide sum3{};
        for (std::size_t k = 0; k < count; ++k) {
            const float* values = from[k] + begin;        // NOLINT: below `count`
            add_tap(sum0, taps[k], values);               // NOLINT: likewise
            add_tap(sum1, taps[k], values + in_wide);     // NOLINT: likewise
            add_tap(sum2, taps[k], values + 2 * in_wide); // NOLINT: likewise
            add_tap(sum3, taps[k], values + 3 * in_wide); // NOLINT: likewise
        }
        std::memcpy(to + begin, &sum0, sizeof sum0);               // NOLINT: below `width`
        std::memcpy(to + begin + in_wide, &sum1, sizeof sum1);     // NOLINT: likewise
        std::memcpy(to + begin + 2 * in_wide, &sum2, sizeof sum2); // NOLINT: likewise
        std::memcpy(to + begin + 3 * in_wide, &sum3, sizeof sum3); // NOLINT: likewise
    }
    for (; begin < width; ++begin) {
        float sum = 0;
        for (std::size_t k = 0; k < count; ++k) {
            sum += taps[k] * from[k][begin]; // NOLINT: likewise
        }
        to[begin] = sum; // NOLINT: likewise
    }
}

/// The same in parts, as lib/separable.glsl makes sums of 16 bits: the error of adding a part is carried into the next one.
/// `room` is for three rows.
void sum_parts(const std::vector<float>& taps, const std::vector<const float*>& from, std::span<float> room, float* to) {
    constexpr std::size_t part_taps = 33; // PART_TAPS
    const std::size_t width = room.size() / 3;
    float* const part = room.data();
    float* const excess = &room[width];
    float* const sums = &room[2 * width];
    std::fill_n(excess, 2 * width, 0.0F);
    for (std::size_t first = 0; first < taps.size(); first += part_taps) {
        sum_taps(&taps[first], &from[first], std::min(part_taps, taps.size() - first), part, width);
        for (std::size_t i = 0; i < width; ++i) {
            const float addend = part[i] - excess[i]; // NOLINT: below `width`
            const float sum = sums[i] + addend;       // NOLINT: likewise
            excess[i] = (sum - sums[i]) - addend;     // NOLINT: likewise
            sums[i] = sum;                            // NOLINT: likewise
        }
    }
    std::copy_n(sums, width, to);
}

/// Codes as the last bits of floats, rounded to nearest even: above 2^23 a float has no bits for fractions left.
GLPROC_FOR_WIDE_REGISTERS
void round_to_codes(float* values, float most, std::size_t width) {
    constexpr float whole_from = 8388608;
    for (std::size_t i = 0; i < width; ++i) {
        values[i] = std::clamp(values[i], 0.0F, most) + whole_from; // NOLINT: below `width`
    }
}

/// nearest_quotient() of lib/reproducible.glsl; 0 where nothing is opaque.
float colour_of(float sum, float alpha) {
    if (alpha == 0) {
        return 0;
    }
    const float whole = std::floor(sum * (1 / alpha));
    const float halfway = (whole + 0.5F) * alpha;
    const bool is_odd = std::fmod(whole, 2.0F) != 0;
    return sum > halfway || (sum == halfway && is_odd) ? whole + 1 : whole;
}

/// float_of() of lib/reproducible.glsl.
float float_of(std::uint64_t whole) {
    const float upper = static_cast<float>(whole >> 32U) * 4294967296.0F + static_cast<float>(whole >> 16U & 65535U) * 65536.0F;
    return upper + static_cast<float>(whole & 65535U);
}

/// −radius … radius of a half kernel.
std::vector<float> whole_kernel(const Floats& half) {
    std::vector<float> kernel(half.rbegin(), half.rend());
    kernel.insert(kernel.end(), half.begin() + 1, half.end());
    return kernel;
}

/// `Sum` is float, or for boxes std::uint32_t.
template <class Code, class Sum>
class RowFilter {
    static constexpr bool is_box = std::is_same_v<Sum, std::uint32_t>;

  public:
    RowFilter(const Form& form, const SeparableFilter& filter)
        : form_(form), filter_(filter), width_(size_of(form.width) * channels()), scale_(scale_of(filter, form)),
          is_weighted_(form.has_alpha() && filter.alpha == AlphaMode::premultiply),
          keeps_alpha_(form.has_alpha() && filter.alpha == AlphaMode::ignore) {
        const std::array<Floats, 2> halves = half_kernels(filter, form);
        across_ = whole_kernel(halves[0]);
        down_ = whole_kernel(halves[1]);
        const BorderCodes codes = border_between_passes(form, filter);
        for (std::size_t c = 0; c < channels(); ++c) {
            beyond_.push_back(static_cast<Sum>(codes[form.has_alpha() && c == channels() - 1 ? 3 : c]));
        }
        const auto rows = static_cast<std::size_t>(2 * filter.radius.y) + batch() + 1;
        held_rows_ = sees_all() ? size_of(form.height) : std::min(rows, size_of(form.height));
        held_.resize(held_rows_ * width_);
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
            made.resize(size_of(end - next) * width_ * sizeof(Code));
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

    Sum* row(int y) { return y < 0 ? sums_beyond_.data() : &held_[size_of(y) % held_rows_ * width_]; }
    /// That a row of the result sees, `distance` rows below it.
    Sum* row_seen(int y, int distance) { return row(index_within(filter_.border.mode, y + distance, form_.height)); }

    /// Sums along x of further rows; returns the row after them.
    int read(RowReader& source, int done) {
        const int count = std::min(static_cast<int>(batch()), form_.height - done);
        if (count == 0) {
            return done;
        }
        std::vector<std::byte> read(size_of(count) * width_ * sizeof(Code));
        source.read(read);
        parallel_for(size_of(count), [this] { return Room(*this); },
                     [&](Room& room, std::size_t i) {
                         const auto* codes = reinterpret_cast<const Code*>(&read[i * width_ * sizeof(Code)]); // NOLINT: of that depth
                         fill(codes, room.values);
                         sum_across(room, row(done + static_cast<int>(i)));
                         keep_alpha(codes, row(done + static_cast<int>(i)));
                     });
        return done + count;
    }

    struct Room {
        explicit Room(const RowFilter& of)
            : values(of.width_ + size_of(2 * of.filter_.radius.x) * of.channels()), parts(3 * of.width_), sums(of.width_) {}
        std::vector<Sum> values; ///< a row, with the border at both ends
        std::vector<float> parts;
        std::vector<float> sums;
    };

    /// Values of a row, colours times alpha where it weights them, with the border at both ends.
    void fill(const Code* codes, std::vector<Sum>& room) const {
        const std::size_t n = channels();
        const int radius = filter_.radius.x;
        Sum* own = &room[size_of(radius) * n];
        for (std::size_t i = 0; i < width_; ++i) {
            own[i] = static_cast<Sum>(codes[i]); // NOLINT: there is room
        }
        for (std::size_t i = 0; is_weighted_ && i < width_; i += n) {
            for (std::size_t c = 0; c + 1 < n; ++c) {
                own[i + c] *= own[i + n - 1]; // NOLINT: likewise
            }
        }
        const auto put = [&](int x) {
            const int from = index_within(filter_.border.mode, x, form_.width);
            std::copy_n(from < 0 ? beyond_.data() : own + size_of(from) * n, n, &room[size_of(x + radius) * n]); // NOLINT: likewise
        };
        for (int i = 1; i <= radius; ++i) {
            put(-i);
            put(form_.width - 1 + i);
        }
    }

    void sum_across(Room& room, Sum* to) const {
        const std::size_t n = channels();
        if constexpr (is_box) {
            const std::size_t wide = across_.size() * n;
            for (std::size_t c = 0; c < n; ++c) {
                to[c] = 0; // NOLINT: a row has every channel
                for (std::size_t i = c; i < wide; i += n) {
                    to[c] += room.values[i]; // NOLINT: likewise
                }
            }
            for (std::size_t i = n; i < width_; ++i) {
                to[i] = to[i - n] + room.values[i - n + wide] - room.values[i - n]; // NOLINT: likewise
            }
        } else {
            std::vector<const float*> from(across_.size());
            for (std::size_t k = 0; k < from.size(); ++k) {
                from[k] = &room.values[k * n];
            }
            sum(across_, from, room, to);
        }
    }

    void sum(const std::vector<float>& taps, const std::vector<const float*>& from, Room& room, float* to) const {
        if (sizeof(Code) == 1) {
            sum_taps(taps.data(), from.data(), from.size(), to, width_);
        } else {
            sum_parts(taps, from, room.parts, to);
        }
    }

    /// A kept alpha sees only itself.
    void keep_alpha(const Code* codes, Sum* to) const {
        for (std::size_t i = channels() - 1; keeps_alpha_ && i < width_; i += channels()) {
            to[i] = static_cast<Sum>(codes[i]); // NOLINT: within the row
        }
    }

    /// Of the rows beyond a constant border, which are all alike.
    void sum_beyond() {
        sums_beyond_.resize(width_);
        Room room(*this);
        for (std::size_t i = 0; i < room.values.size(); ++i) {
            room.values[i] = beyond_[i % channels()];
        }
        sum_across(room, sums_beyond_.data());
    }

    void make_rows(int begin, int end, std::vector<std::byte>& made) {
        std::vector<std::uint64_t> column(is_box ? width_ : 0); // moves down with the rows
        if constexpr (is_box) {
            for (int d = -filter_.radius.y; begin < end && d <= filter_.radius.y; ++d) {
                add_row(column, row_seen(begin, d));
            }
            std::vector<float> sums(width_);
            for (int y = begin; y < end; ++y) {
                std::ranges::transform(column, sums.begin(), float_of);
                finish(y, sums, &made[size_of(y - begin) * width_ * sizeof(Code)]);
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
                             std::vector<const float*> from(down_.size());
                             for (std::size_t k = 0; k < from.size(); ++k) {
                                 from[k] = row_seen(y, static_cast<int>(k) - filter_.radius.y);
                             }
                             sum(down_, from, room, room.sums.data());
                             finish(y, room.sums, &made[i * width_ * sizeof(Code)]);
                         });
        }
    }

    void add_row(std::vector<std::uint64_t>& column, const Sum* sums) const {
        for (std::size_t i = 0; i < width_; ++i) {
            column[i] += static_cast<std::uint64_t>(sums[i]); // NOLINT: within the row
        }
    }

    /// Sums of a row of the result into its codes.
    void finish(int y, std::vector<float>& sums, std::byte* to) {
        const std::size_t n = channels();
        for (std::size_t i = 0; is_weighted_ && i < width_; i += n) {
            const float alpha = sums[i + n - 1];
            for (std::size_t c = 0; c + 1 < n; ++c) {
                sums[i + c] = colour_of(sums[i + c], alpha);
            }
            sums[i + n - 1] = alpha * scale_;
        }
        for (std::size_t i = 0; !is_weighted_ && i < width_; ++i) {
            sums[i] *= scale_;
        }
        for (std::size_t i = n - 1; keeps_alpha_ && i < width_; i += n) {
            sums[i] = static_cast<float>(row(y)[i]); // NOLINT: within the row
        }
        round_to_codes(sums.data(), static_cast<float>(std::numeric_limits<Code>::max()), width_);
        auto* codes = reinterpret_cast<Code*>(to); // NOLINT: of that depth
        for (std::size_t i = 0; i < width_; ++i) {
            codes[i] = static_cast<Code>(std::bit_cast<std::uint32_t>(sums[i])); // NOLINT: within the row
        }
    }

    Form form_;
    const SeparableFilter& filter_;
    std::size_t width_; ///< of a row, in values
    float scale_;
    bool is_weighted_;
    bool keeps_alpha_;
    std::vector<float> across_;
    std::vector<float> down_;
    std::vector<Sum> beyond_; ///< a pixel of the constant border
    std::vector<Sum> sums_beyond_;
    std::size_t held_rows_ = 0;
    std::vector<Sum> held_; ///< sums along x of the rows last read
};

} // namespace

bool filters_by_processor(const Form& form, const SeparableFilter& filter) {
    const bool is_exact = filter.method == FilterMethod::automatic &&
                          (filter.is_box() ? has_whole_sums(form, filter) && !filter.counts : !can_blur_fast(form, filter));
    return form.depth != Depth::f32 && is_exact && !filter.linear && !filter.sharpening && filter.radius != PerAxis<int>(0) &&
           filter.radius.x < form.width && filter.radius.y < form.height; // otherwise it is folded
}

void filter_rows(const Form& form, const SeparableFilter& filter, RowReader& source, RowWriter& to) {
    const auto run = [&](auto code) {
        using Code = decltype(code);
        filter.is_box() ? RowFilter<Code, std::uint32_t>(form, filter).run(source, to)
                        : RowFilter<Code, float>(form, filter).run(source, to);
    };
    form.depth == Depth::u8 ? run(std::uint8_t{}) : run(std::uint16_t{});
}

} // namespace glproc
