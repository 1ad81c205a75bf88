#include "glproc/kinds/ycbcr_rows.hpp"

#include <algorithm>
#include <array>
#include <bit>
#include <cstdint>
#include <type_traits>
#include <vector>

// Compiled once more for processors with vectors of 256 bits. Neither version may fuse products and sums: the
// project is compiled without.
#if defined(__x86_64__) && defined(__GNUC__) && !defined(__clang__) && !defined(__SANITIZE_ADDRESS__)
#define GLPROC_WIDE __attribute__((target_clones("avx2", "default")))
#else
#define GLPROC_WIDE
#endif

namespace glproc {

namespace {

/// Gives the same as code_of() of glsl/lib/code.glsl, which limits values before it rounds them, to nearest
/// even. As whole numbers they are limited without branches, and so in vectors.
inline std::int32_t code_of(float value, std::int32_t most) {
    constexpr float rounding = 12582912; // 1.5 x 2^23: floats about it are whole numbers
    const std::int32_t code =
        std::bit_cast<std::int32_t>(value + rounding) - std::bit_cast<std::int32_t>(rounding);
    return std::clamp(code, 0, most);
}

template <class T>
constexpr std::int32_t largest = (1 << (8 * sizeof(T))) - 1;

/// The factors and the constant of one channel.
struct Factors {
    std::array<float, 3> of;
    float added;

    float sum(float a, float b, float c) const { return of[0] * a + of[1] * b + of[2] * c; }
};

std::array<Factors, 3> factors_of(const std::array<double, 12>& matrix) {
    std::array<Factors, 3> rows{};
    for (std::size_t r = 0; r < 3; ++r) {
        for (std::size_t c = 0; c < 3; ++c) {
            rows.at(r).of.at(c) = static_cast<float>(matrix.at(4 * r + c));
        }
        rows.at(r).added = static_cast<float>(matrix.at(4 * r + 3));
    }
    return rows;
}

// ---- to pixels --------------------------------------------------------------------------------------------
// Chroma is interpolated from values of few bits, so all of it is exact.

template <class T>
GLPROC_WIDE void between_rows(const T* own, const T* other, float own_share, std::size_t count, float* out) {
    for (std::size_t i = 0; i < count; ++i) {
        out[i] = static_cast<float>(own[i]) * own_share + static_cast<float>(other[i]) * (1 - own_share);
    }
}

/// The values begin at samples[1], with one more before and after them.
GLPROC_WIDE void between_samples(const float* samples, std::array<float, 2> own_share, std::size_t count,
                                 float* out) {
    for (std::size_t i = 0; i < count; ++i) {
        out[2 * i] = samples[i + 1] * own_share[0] + samples[i] * (1 - own_share[0]);
        out[2 * i + 1] = samples[i + 1] * own_share[1] + samples[i + 2] * (1 - own_share[1]);
    }
}

template <class T>
GLPROC_WIDE void put_pixels(const T* luma, const float* cb, const float* cr,
                            const std::array<Factors, 3>& rows, std::size_t count, T* out) {
    const auto [red, green, blue] = rows;
    const auto code = [](const Factors& f, float y, float u, float v) {
        return static_cast<std::uint32_t>(
            code_of(f.added + f.of[0] * y + f.of[1] * u + f.of[2] * v, largest<T>));
    };
    for (std::size_t x = 0; x < count; ++x) {
        const auto y = static_cast<float>(luma[x]);
        const std::uint32_t r = code(red, y, cb[x], cr[x]);
        const std::uint32_t g = code(green, y, cb[x], cr[x]);
        const std::uint32_t b = code(blue, y, cb[x], cr[x]);
        if constexpr (sizeof(T) == 1) {
            reinterpret_cast<std::uint32_t*>(out)[x] = r | g << 8U | b << 16U | 0xff000000U;
        } else {
            out[4 * x] = static_cast<T>(r);
            out[4 * x + 1] = static_cast<T>(g);
            out[4 * x + 2] = static_cast<T>(b);
            out[4 * x + 3] = static_cast<T>(largest<T>);
        }
    }
}

template <class T>
const T* values(const Image& plane, int y) {
    return plane.values<T>().data() + static_cast<std::size_t>(y) * static_cast<std::size_t>(plane.width());
}

template <class T>
T* values(Image& plane, int y) {
    return plane.values<T>().data() + static_cast<std::size_t>(y) * static_cast<std::size_t>(plane.width());
}

/// The share of its own sample in the first and in the second pixel that the sample belongs to.
std::array<float, 2> shares(int ratio, bool centred) {
    const Floats both = own_shares(ratio, centred);
    return {both[0], both[1]};
}

/// The chroma at each pixel of a row.
template <class T>
class ColourRow {
  public:
    ColourRow(const Image& plane, const YcbcrForm& form)
        : plane_(plane), form_(form), count_(static_cast<std::size_t>(plane.width())), samples_(count_ + 2),
          pixels_(2 * count_) {}

    const float* at(int y) {
        const int own = y / form_.down;
        const int next =
            form_.down == 1 ? own : std::clamp(y % 2 == 0 ? own - 1 : own + 1, 0, plane_.height() - 1);
        const float share =
            shares(form_.down, form_.centred_down).at(static_cast<std::size_t>(y % form_.down));
        between_rows(values<T>(plane_, own), values<T>(plane_, next), share, count_, samples_.data() + 1);
        if (form_.across == 1) {
            return samples_.data() + 1;
        }
        samples_.front() = samples_[1];
        samples_.back() = samples_[count_];
        between_samples(samples_.data(), shares(2, form_.centred_across), count_, pixels_.data());
        return pixels_.data();
    }

  private:
    const Image& plane_;
    const YcbcrForm& form_;
    std::size_t count_;
    std::vector<float> samples_;
    std::vector<float> pixels_;
};

template <class T>
void to_pixels(const PlaneImages& planes, const YcbcrForm& form, const YcbcrCode& code, int first, int count,
               const PixelRows& to) {
    const auto rows = factors_of(rgb_matrix(form, code, largest<T>));
    ColourRow<T> cb(planes[1], form);
    ColourRow<T> cr(planes[2], form);
    for (int y = first; y < first + count; ++y) {
        put_pixels(values<T>(planes[0], y), cb.at(y), cr.at(y), rows, static_cast<std::size_t>(form.width),
                   reinterpret_cast<T*>(to.row(y)));
    }
}

// ---- to planes --------------------------------------------------------------------------------------------
// Chroma is summed up in whole numbers of eighths, then of eighths of eighths.

/// Channels apart; chroma is in whole numbers that hold sums of eighths.
template <class W>
using Channels = std::array<std::vector<W>, 3>;

template <class T>
using Sum = std::conditional_t<sizeof(T) == 1, std::int16_t, std::int32_t>;

template <class T>
GLPROC_WIDE void take_apart(const T* pixels, std::size_t count, Sum<T>* red, Sum<T>* green, Sum<T>* blue) {
    for (std::size_t x = 0; x < count; ++x) {
        red[x] = static_cast<Sum<T>>(pixels[4 * x]);
        green[x] = static_cast<Sum<T>>(pixels[4 * x + 1]);
        blue[x] = static_cast<Sum<T>>(pixels[4 * x + 2]);
    }
}

template <class W, class T>
GLPROC_WIDE void put_codes(const W* red, const W* green, const W* blue, const Factors& factors,
                           std::int32_t most, std::size_t count, T* out) {
    for (std::size_t x = 0; x < count; ++x) {
        const float value = factors.sum(static_cast<float>(red[x]), static_cast<float>(green[x]),
                                        static_cast<float>(blue[x])) +
                            factors.added;
        out[x] = static_cast<T>(code_of(value, most));
    }
}

using Eighths = std::array<int, 5>;

template <class W>
GLPROC_WIDE void weigh_rows(const std::array<const W*, 5>& rows, const Eighths& weights, std::size_t count,
                            W* out) {
    const auto [a, b, c, d, e] = rows;
    const auto [wa, wb, wc, wd, we] = weights;
    for (std::size_t x = 0; x < count; ++x) {
        out[x] = static_cast<W>(a[x] * wa + b[x] * wb + c[x] * wc + d[x] * wd + e[x] * we);
    }
}

/// Sums of eighths of eighths; the values begin two before the first sample's pixel.
template <int step, class W>
GLPROC_WIDE void weigh_columns(const W* values, const Eighths& weights, std::size_t count, float* out) {
    const auto [wa, wb, wc, wd, we] = weights;
    for (std::size_t i = 0; i < count; ++i) {
        const W* v = values + i * step;
        const int sum = v[0] * wa + v[1] * wb + v[2] * wc + v[3] * wd + v[4] * we;
        out[i] = static_cast<float>(sum) * (1.0F / 64);
    }
}

Eighths eighths_of(int ratio, bool centred) {
    Eighths weights{};
    const std::array<float, 5> taps = colour_taps(ratio, centred);
    std::transform(taps.begin(), taps.end(), weights.begin(),
                   [](float tap) { return static_cast<int>(8 * tap); });
    return weights;
}

/// Planes of samples `To` from pixels of values `From`.
template <class From, class To>
class PlaneMaker {
  public:
    PlaneMaker(const PixelRows& from, const YcbcrForm& form, const YcbcrCode& code, PlaneImages& planes)
        : from_(from), form_(form), planes_(planes), width_(static_cast<std::size_t>(form.width)),
          count_(static_cast<std::size_t>(planes[1].width())), most_((1 << form.bits) - 1),
          factors_(factors_of(ycbcr_matrix(form, code, largest<From>))),
          across_(eighths_of(form.across, form.centred_across)),
          down_(eighths_of(form.down, form.centred_down)) {
        for (Channels<Sum<From>>& row : rows_) {
            for (auto& channel : row) {
                channel.resize(width_);
            }
        }
        numbers_.fill(-1);
        sums_.resize(2 * count_ + 2 * margin);
        for (auto& channel : colours_) {
            channel.resize(count_);
        }
    }

    /// A row of chroma, and the luma that belongs to it.
    void make(int row) {
        const int y = row * form_.down;
        for (int below = 0; below < form_.down && y + below < form_.height; ++below) {
            const auto& [red, green, blue] = pixels(y + below);
            put_codes(red.data(), green.data(), blue.data(), factors_[0], most_, width_,
                      values<To>(planes_[0], y + below));
        }
        for (std::size_t channel = 0; channel < 3; ++channel) {
            weigh(channel, y);
        }
        for (std::size_t plane = 1; plane < 3; ++plane) {
            put_codes(colours_[0].data(), colours_[1].data(), colours_[2].data(), factors_.at(plane), most_,
                      count_, values<To>(planes_.at(plane), row));
        }
    }

  private:
    static constexpr std::size_t margin = 2;

    /// A row of pixels; beyond the picture, the first or the last one. The last few rows are kept.
    const Channels<Sum<From>>& pixels(int y) {
        y = std::clamp(y, 0, form_.height - 1);
        const std::size_t place = static_cast<std::size_t>(y) % rows_.size();
        Channels<Sum<From>>& row = rows_.at(place);
        if (numbers_.at(place) != y) {
            numbers_.at(place) = y;
            take_apart(reinterpret_cast<const From*>(from_.row(y)), width_, row[0].data(), row[1].data(),
                       row[2].data());
        }
        return row;
    }

    void weigh(std::size_t channel, int y) {
        std::array<const Sum<From>*, 5> rows{};
        for (int i = 0; i < 5; ++i) {
            rows.at(static_cast<std::size_t>(i)) = form_.down == 1
                                                       ? pixels(y).at(channel).data()
                                                       : pixels(y + i - rows_about).at(channel).data();
        }
        weigh_rows(rows, down_, width_, sums_.data() + margin);
        std::fill_n(sums_.begin(), margin, sums_[margin]);
        std::fill(sums_.begin() + static_cast<std::ptrdiff_t>(margin + width_), sums_.end(),
                  sums_[margin + width_ - 1]);
        const auto weigh_columns_of =
            form_.across == 2 ? weigh_columns<2, Sum<From>> : weigh_columns<1, Sum<From>>;
        weigh_columns_of(sums_.data(), across_, count_, colours_.at(channel).data());
    }

    const PixelRows& from_;
    const YcbcrForm& form_;
    PlaneImages& planes_;
    std::size_t width_;
    std::size_t count_; ///< of samples of colour in a row
    std::int32_t most_;
    std::array<Factors, 3> factors_;
    Eighths across_;
    Eighths down_;
    std::array<Channels<Sum<From>>, 8> rows_;
    std::array<int, 8> numbers_{}; ///< of the rows that are there
    std::vector<Sum<From>> sums_;
    std::array<std::vector<float>, 3> colours_;
};

template <class From, class To>
void to_planes(const PixelRows& from, const YcbcrForm& form, const YcbcrCode& code, int first, int count,
               PlaneImages& planes) {
    PlaneMaker<From, To> maker(from, form, code, planes);
    for (int row = first; row < first + count; ++row) {
        maker.make(row);
    }
}

} // namespace

void rows_of_planes(const PlaneImages& planes, const YcbcrForm& form, const YcbcrCode& code, int first,
                    int count, const PixelRows& to) {
    return form.bits == 8 ? to_pixels<std::uint8_t>(planes, form, code, first, count, to)
                          : to_pixels<std::uint16_t>(planes, form, code, first, count, to);
}

void planes_of_rows(const PixelRows& from, Depth depth, const YcbcrForm& form, const YcbcrCode& code,
                    int first, int count, PlaneImages& planes) {
    using Byte = std::uint8_t;
    using Word = std::uint16_t;
    const auto make = depth == Depth::u8 ? (form.bits == 8 ? to_planes<Byte, Byte> : to_planes<Byte, Word>)
                                         : (form.bits == 8 ? to_planes<Word, Byte> : to_planes<Word, Word>);
    make(from, form, code, first, count, planes);
}

} // namespace glproc
