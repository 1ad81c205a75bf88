// Separable filters of bytes by the processor, row by row. The sums are the same as in
// glsl/kinds/separable/direct.comp, in the same order and with the same roundings.
#include "glproc/base/parallel.hpp"
#include "glproc/kinds/separable/passes.hpp"

#include <algorithm>
#include <array>
#include <bit>
#include <cstdint>
#include <cstdlib>
#include <cstring>
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

/// Rounds to nearest even: above 2^23 a float has no bits for fractions left.
GLPROC_FOR_WIDE_REGISTERS
void store_codes(const float* sums, float scale, std::byte* to, std::size_t width) {
    constexpr float whole_from = 8388608;
    for (std::size_t i = 0; i < width; ++i) {
        const float value = std::clamp(sums[i] * scale, 0.0F, 255.0F); // NOLINT: below `width`
        to[i] = static_cast<std::byte>(std::bit_cast<std::uint32_t>(value + whole_from)); // NOLINT: likewise
    }
}

/// −radius … radius of a half kernel.
std::vector<float> whole_kernel(const Floats& half) {
    std::vector<float> kernel(half.rbegin(), half.rend());
    kernel.insert(kernel.end(), half.begin() + 1, half.end());
    return kernel;
}

class RowFilter {
  public:
    RowFilter(const Form& form, const SeparableFilter& filter)
        : form_(form), filter_(filter), width_(size_of(form.width) * size_of(form.channels)), scale_(scale_of(filter, form)) {
        const std::array<Floats, 2> halves = half_kernels(filter, form);
        across_ = whole_kernel(halves[0]);
        down_ = whole_kernel(halves[1]);
        const auto rows = static_cast<std::size_t>(2 * filter.radius.y) + batch();
        held_rows_ = std::min(rows, size_of(form.height));
        held_.resize(held_rows_ * width_);
    }

    void run(RowReader& source, RowWriter& to) {
        std::vector<std::byte> read;
        std::vector<std::byte> made;
        int next = 0; // row of the result
        for (int done = 0; next < form_.height;) {
            const int count = std::min(static_cast<int>(batch()), form_.height - done);
            read.resize(size_of(count) * width_);
            source.read(read);
            parallel_for(size_of(count), [this] { return std::vector<float>(width_ + size_of(2 * filter_.radius.x * form_.channels)); },
                         [&](std::vector<float>& room, std::size_t i) {
                             sum_across(std::span(read).subspan(i * width_, width_), room, row(done + static_cast<int>(i)));
                         });
            done += count;
            const int end = done == form_.height ? done : std::max(done - filter_.radius.y, next);
            made.resize(size_of(end - next) * width_);
            parallel_for(size_of(end - next), [this] { return std::vector<float>(width_); },
                         [&](std::vector<float>& room, std::size_t i) {
                             sum_down(next + static_cast<int>(i), room, &made[i * width_]);
                         });
            to.write(made);
            next = end;
        }
    }

  private:
    /// Rows that are read at a time: enough work for all cores.
    std::size_t batch() const {
        constexpr std::size_t enough = std::size_t{1} << 20U; // values
        return std::max(enough / width_, 2 * thread_limit());
    }

    float* row(int y) { return &held_[size_of(y) % held_rows_ * width_]; }

    /// `room` gets the row with the border at both ends.
    void sum_across(std::span<const std::byte> codes, std::vector<float>& room, float* to) const {
        const std::size_t channels = size_of(form_.channels);
        const int radius = filter_.radius.x;
        float* own = &room[size_of(radius) * channels];
        for (std::size_t i = 0; i < width_; ++i) {
            own[i] = std::to_integer<std::uint8_t>(codes[i]); // NOLINT: there is room
        }
        const auto copy = [&](int x) {
            const int from = index_within(filter_.border.mode, x, form_.width);
            std::copy_n(own + size_of(from) * channels, channels, &room[size_of(x + radius) * channels]); // NOLINT
        };
        for (int i = 1; i <= radius; ++i) {
            copy(-i);
            copy(form_.width - 1 + i);
        }
        std::vector<const float*> from(across_.size());
        for (std::size_t k = 0; k < from.size(); ++k) {
            from[k] = &room[k * channels];
        }
        sum_taps(across_.data(), from.data(), from.size(), to, width_);
    }

    void sum_down(int y, std::vector<float>& room, std::byte* to) {
        std::vector<const float*> from(down_.size());
        for (std::size_t k = 0; k < from.size(); ++k) {
            from[k] = row(index_within(filter_.border.mode, y - filter_.radius.y + static_cast<int>(k), form_.height));
        }
        sum_taps(down_.data(), from.data(), from.size(), room.data(), width_);
        store_codes(room.data(), scale_, to, width_);
    }

    Form form_;
    const SeparableFilter& filter_;
    std::size_t width_; ///< of a row, in values
    float scale_;
    std::vector<float> across_;
    std::vector<float> down_;
    std::size_t held_rows_ = 0;
    std::vector<float> held_; ///< sums along x of the rows last read
};

} // namespace

bool filters_by_processor(const Form& form, const SeparableFilter& filter) {
    const bool is_plain = form.depth == Depth::u8 && (!form.has_alpha() || filter.alpha == AlphaMode::straight);
    const bool is_exact = filter.method == FilterMethod::automatic && !filter.is_box() && !can_blur_fast(form, filter);
    // A border that repeats, or is a constant, would need rows that are gone, or that do not exist.
    const bool is_near = filter.border.mode == BorderMode::clamp || filter.border.mode == BorderMode::mirror ||
                         filter.border.mode == BorderMode::symmetric;
    return is_plain && is_exact && is_near && !filter.linear && !filter.sharpening && filter.radius != PerAxis<int>(0) &&
           filter.radius.x < form.width && filter.radius.y < form.height; // otherwise it is folded
}

void filter_rows(const Form& form, const SeparableFilter& filter, RowReader& source, RowWriter& to) {
    RowFilter(form, filter).run(source, to);
}

} // namespace glproc
