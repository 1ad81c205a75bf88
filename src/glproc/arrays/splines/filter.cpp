#include "glproc/arrays/number_cast.hpp"
#include "glproc/arrays/splines/splines.hpp"
#include "glproc/base/covering.hpp"
#include "glproc/base/parallel.hpp"

#include <algorithm>
#include <array>
#include <cmath>

namespace glproc {

namespace {

/// The lines of an array along one axis.
struct Lines {
    std::int64_t length;
    std::int64_t step = 1;
    std::int64_t count;

    Lines(const VolumeForm& form, int axis) : length(form.shape[static_cast<std::size_t>(axis)]) {
        for (std::size_t i = static_cast<std::size_t>(axis) + 1; i < form.shape.size(); ++i) {
            step *= form.shape[i];
        }
        count = form.count() / length;
    }
    std::int64_t begin(std::int64_t line) const { return line / step * length * step + line % step; }
};

/// A bundle of lines, which are filtered at once: value i of line k at i * Width + k.
template <std::int64_t Width>
class SplineLines {
  public:
    SplineLines(const SplineFilterJob& job, const Lines& lines)
        : lines_(lines), poles_(spline_poles(job.order)), border_(job.border), length_(lines.length),
          values_(static_cast<std::size_t>(lines.length * Width)) {
        for (const double pole : poles_) {
            gain_ *= (1.0 - pole) * (1.0 - 1.0 / pole);
        }
    }

    /// The last bundle may hold its last line more than once.
    template <class T>
    void load(const T* source, std::int64_t first) {
        count_ = std::min(Width, lines_.count - first);
        for (std::int64_t k = 0; k < Width; ++k) {
            begins_[static_cast<std::size_t>(k)] = lines_.begin(std::min(first + k, lines_.count - 1));
        }
        double* to = values_.data();
        for (std::int64_t i = 0; i < length_; ++i) {
            for (const std::int64_t begin : begins_) {
                *to++ = static_cast<double>(source[begin + i * lines_.step]);
            }
        }
    }

    template <class T>
    void store(T* result) const {
        for (std::int64_t i = 0; i < length_; ++i) {
            for (std::int64_t k = 0; k < count_; ++k) {
                result[begins_[static_cast<std::size_t>(k)] + i * lines_.step] =
                    number_cast<T>(values_[static_cast<std::size_t>(i * Width + k)]);
            }
        }
    }

    void filter() {
        if (length_ < 2) {
            return;
        }
        for (double& value : values_) {
            value *= gain_;
        }
        for (const double pole : poles_) {
            run_down(pole);
            run_up(pole);
        }
    }

  private:
    double* at(std::int64_t i) { return values_.data() + i * Width; }

    template <class Work>
    void each(const Work& work) {
        for (std::int64_t k = 0; k < Width; ++k) {
            work(k);
        }
    }

    void run_down(double pole) {
        begin(pole);
        for (std::int64_t i = 1; i < length_; ++i) {
            double* const now = at(i);
            const double* const before = at(i - 1);
            each([&](std::int64_t k) { now[k] += pole * before[k]; });
        }
    }

    void run_up(double pole) {
        turn(pole);
        for (std::int64_t i = length_ - 2; i >= 0; --i) {
            double* const now = at(i);
            const double* const after = at(i + 1);
            each([&](std::int64_t k) { now[k] = pole * (after[k] - now[k]); });
        }
    }

    /// The first value of the causal filter: a sum over all that is before it.
    void begin(double pole) {
        switch (border_) {
        case SplineBorder::reflect:
        case SplineBorder::nearest:
            return begin_reflected(pole);
        case SplineBorder::grid_wrap:
            return begin_wrapped(pole);
        default:
            return begin_mirrored(pole);
        }
    }

    void begin_mirrored(double pole) {
        double* const first = at(0);
        const double far = std::pow(pole, static_cast<double>(length_ - 1));
        each([&](std::int64_t k) { first[k] = first[k] + far * at(length_ - 1)[k]; });
        double power = pole;
        for (std::int64_t i = 1; i < length_ - 1; ++i, power *= pole) {
            const double* const near_one = at(i);
            const double* const far_one = at(length_ - 1 - i);
            each([&](std::int64_t k) { first[k] += power * (near_one[k] + far * far_one[k]); });
        }
        each([&](std::int64_t k) { first[k] /= 1 - far * far; });
    }

    void begin_reflected(double pole) {
        double* const first = at(0);
        const double far = std::pow(pole, static_cast<double>(length_));
        std::array<double, Width> own{};
        std::copy_n(first, Width, own.begin());
        each([&](std::int64_t k) { first[k] = first[k] + far * at(length_ - 1)[k]; });
        double power = pole;
        for (std::int64_t i = 1; i < length_; ++i, power *= pole) {
            const double* const near_one = at(i);
            const double* const far_one = at(length_ - 1 - i);
            each([&](std::int64_t k) { first[k] += power * (near_one[k] + far * far_one[k]); });
        }
        each([&](std::int64_t k) {
            first[k] *= pole / (1 - far * far);
            first[k] += own[static_cast<std::size_t>(k)];
        });
    }

    void begin_wrapped(double pole) {
        double* const first = at(0);
        double power = pole;
        for (std::int64_t i = 1; i < length_; ++i, power *= pole) {
            const double* const one = at(length_ - i);
            each([&](std::int64_t k) { first[k] += power * one[k]; });
        }
        each([&](std::int64_t k) { first[k] /= 1 - power; });
    }

    /// The last value of the filter that goes back.
    void turn(double pole) {
        double* const last = at(length_ - 1);
        switch (border_) {
        case SplineBorder::reflect:
        case SplineBorder::nearest:
            return each([&](std::int64_t k) { last[k] *= pole / (pole - 1); });
        case SplineBorder::grid_wrap:
            return turn_wrapped(pole);
        default:
            const double* const before = at(length_ - 2);
            return each([&](std::int64_t k) { last[k] = (pole * before[k] + last[k]) * pole / (pole * pole - 1); });
        }
    }

    void turn_wrapped(double pole) {
        double* const last = at(length_ - 1);
        double power = pole;
        for (std::int64_t i = 0; i < length_ - 1; ++i, power *= pole) {
            const double* const one = at(i);
            each([&](std::int64_t k) { last[k] += power * one[k]; });
        }
        each([&](std::int64_t k) { last[k] *= pole / (power - 1); });
    }

    Lines lines_;
    std::array<std::int64_t, Width> begins_{};
    std::int64_t count_ = 0;
    std::span<const double> poles_;
    SplineBorder border_;
    std::int64_t length_;
    double gain_ = 1.0;
    std::vector<double> values_;
};

/// From one array to another, or within one.
template <std::int64_t Width>
void filter_axis(const SplineFilterJob& job, int axis, Number type, const std::byte* source,
                 std::byte* result, const Check& check) {
    const Lines lines(job.source, axis);
    parallel_for(
        static_cast<std::size_t>(covering(lines.count, Width)),
        [&] { return SplineLines<Width>(job, lines); },
        [&](SplineLines<Width>& bundle, std::size_t n) {
            if (check) {
                check();
            }
            with_type(type, [&](auto from) {
                bundle.load(reinterpret_cast<const decltype(from)*>(source), static_cast<std::int64_t>(n) * Width);
            });
            bundle.filter();
            with_type(job.result, [&](auto to) { bundle.store(reinterpret_cast<decltype(to)*>(result)); });
        });
}

} // namespace

std::span<const double> spline_poles(int order) {
    static constexpr std::array quadratic{-0.171572875253809902396622551580603843};
    static constexpr std::array cubic{-0.267949192431122706472553658494127633};
    static constexpr std::array quartic{-0.361341225900220177092212841325675255, -0.013725429297339121360331226939128204};
    static constexpr std::array quintic{-0.430575347099973791851434783493520110, -0.043096288203264653822712376822550182};
    switch (order) {
    case 2:
        return quadratic;
    case 3:
        return cubic;
    case 4:
        return quartic;
    default:
        return quintic;
    }
}

void run_spline_filter(const SplineFilterJob& job, std::span<const std::byte> source,
                       std::span<std::byte> result, const Check& check) {
    constexpr std::int64_t at_once = 8; // doubles of a line of the cache
    Number type = job.source.type;
    const std::byte* from = source.data();
    for (const int axis : job.axes) {
        const bool is_one_line = Lines(job.source, axis).count == 1;
        const auto filter = is_one_line ? filter_axis<1> : filter_axis<at_once>;
        filter(job, axis, type, from, result.data(), check);
        type = job.result;
        from = result.data();
    }
}

} // namespace glproc
