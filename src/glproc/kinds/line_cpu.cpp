#include "glproc/base/parallel.hpp"
#include "glproc/kinds/line.hpp"
#include "glproc/kinds/number_cast.hpp"

#include <algorithm>
#include <type_traits>
#include <vector>

namespace glproc {

namespace {

/// Of lines side by side, so many are worked on at once: a line of the cache of doubles.
constexpr std::int64_t lines_at_once = 8;
/// Results that are added up together, so that they stay in the nearest cache.
constexpr std::int64_t results_at_once = 512;

/// Lines along one axis: where they begin, and how far apart their values lie, in values.
struct Lines {
    std::int64_t length;
    std::int64_t step;
    std::int64_t apart = 1;        ///< lines of a bundle
    std::int64_t bundles_of_block; ///< lines side by side come in bundles
    std::int64_t bundles;

    /// Lines of the last axis are bundled if `bundles_last`, and otherwise go one by one.
    Lines(const VolumeForm& form, int axis, bool bundles_last)
        : length(form.shape[static_cast<std::size_t>(axis)]), step(1) {
        for (std::size_t i = static_cast<std::size_t>(axis) + 1; i < form.shape.size(); ++i) {
            step *= form.shape[i];
        }
        const std::int64_t lines = form.count() / length;
        is_last_ = step == 1 && bundles_last;
        apart = is_last_ ? length : 1;
        side_by_side_ = is_last_ ? lines : step;
        bundles_of_block = (side_by_side_ + lines_at_once - 1) / lines_at_once;
        bundles = lines / side_by_side_ * bundles_of_block;
    }
    std::int64_t begin(std::int64_t bundle) const {
        return bundle / bundles_of_block * length * side_by_side_ +
               bundle % bundles_of_block * lines_at_once * apart;
    }
    std::int64_t width(std::int64_t bundle) const {
        return std::min(lines_at_once, side_by_side_ - bundle % bundles_of_block * lines_at_once);
    }

  private:
    bool is_last_ = false;
    std::int64_t side_by_side_ = 1;
};

/// Calls work(width) with a number that the compiler knows for the most frequent widths.
template <class Work>
void with_width(std::int64_t width, const Work& work) {
    if (width == 1) {
        work(std::integral_constant<std::int64_t, 1>{});
    } else if (width == lines_at_once) {
        work(std::integral_constant<std::int64_t, lines_at_once>{});
    } else {
        work(width);
    }
}

/// A bundle of lines as doubles, with what is beyond their ends; value i of line k at (i + before) * width +
/// k.
class Bundle {
  public:
    Bundle(const LinePass& pass, const Lines& lines)
        : pass_(pass), lines_(lines), before_(pass.size / 2 + pass.origin),
          inputs_(static_cast<std::size_t>((lines.length + pass.size - 1) * lines_at_once)),
          results_(static_cast<std::size_t>(lines.length * lines_at_once)) {}

    template <class T>
    void load(const T* from, std::int64_t width) {
        with_width(width, [&](auto known) { load_lines(from, known); });
    }

    template <class T>
    void store(T* to, std::int64_t width) const {
        with_width(width, [&](auto known) { store_lines(to, known); });
    }

    void filter(std::int64_t width, int symmetry) {
        const std::int64_t count = lines_.length * width;
        switch (pass_.what) {
        case LinePass::Do::mean:
            return with_width(width, [&](auto known) { means(known); });
        case LinePass::Do::minimum:
            return extremes(width, [](double a, double b) { return b <= a ? b : a; });
        case LinePass::Do::maximum:
            return extremes(width, [](double a, double b) { return b >= a ? b : a; });
        case LinePass::Do::sum:
            for (std::int64_t first = 0; first < count; first += results_at_once) {
                sums(first, std::min(results_at_once, count - first), width, symmetry);
            }
        }
    }

  private:
    template <class T, class Width>
    void load_lines(const T* from, Width width) {
        double* to = inputs_.data();
        for (std::int64_t i = -before_; i < 0; ++i, to += width) {
            load_beyond(from, width, i, to);
        }
        const std::int64_t step = lines_.step;
        const std::int64_t apart = lines_.apart;
        for (std::int64_t i = 0; i < lines_.length; ++i) {
            for (std::int64_t k = 0; k < width; ++k) {
                to[i * width + k] = static_cast<double>(from[i * step + k * apart]);
            }
        }
        to += lines_.length * width;
        for (std::int64_t i = lines_.length; i < lines_.length + pass_.size - 1 - before_; ++i, to += width) {
            load_beyond(from, width, i, to);
        }
    }

    template <class T>
    void load_beyond(const T* from, std::int64_t width, std::int64_t i, double* to) const {
        const std::int64_t place = folded_index(i, lines_.length, pass_.border);
        for (std::int64_t k = 0; k < width; ++k) {
            to[k] = place < 0 ? pass_.constant
                              : static_cast<double>(from[place * lines_.step + k * lines_.apart]);
        }
    }

    template <class T, class Width>
    void store_lines(T* to, Width width) const {
        const double* from = results_.data();
        const std::int64_t step = lines_.step;
        const std::int64_t apart = lines_.apart;
        for (std::int64_t i = 0; i < lines_.length; ++i) {
            for (std::int64_t k = 0; k < width; ++k) {
                to[i * step + k * apart] = number_cast<T>(from[i * width + k]);
            }
        }
    }

    void sums(std::int64_t first, std::int64_t count, std::int64_t width, int symmetry) {
        if (symmetry == 0) {
            return sums_of<0>(first, count, width, pass_.size - 1);
        }
        const std::int64_t pairs = pass_.size / 2;
        return symmetry > 0 ? sums_of<1>(first, count, width, pairs) : sums_of<-1>(first, count, width, pairs);
    }

    /// The value at `j`, or the sum or difference of both sides, times the weight.
    template <int symmetry>
    static double product(const double* left, const double* right, std::int64_t n, double weight) {
        return (symmetry == 0  ? left[n]
                : symmetry > 0 ? left[n] + right[n]
                               : left[n] - right[n]) *
               weight;
    }

    /// `terms` products are added to the first one, two in each round over the results.
    template <int symmetry>
    void sums_of(std::int64_t first, std::int64_t count, std::int64_t width, std::int64_t terms) {
        const double* const weights = pass_.weights.data();
        double* const to = results_.data() + first;
        const double* const from = inputs_.data() + first; // by the first weight
        const double* const begin = from + terms * width;
        const double begin_weight = weights[terms];
        const std::int64_t last = (pass_.size - 1) * width;
        if (terms == 0) {
            for (std::int64_t n = 0; n < count; ++n) {
                to[n] = begin[n] * begin_weight;
            }
            return;
        }
        std::int64_t j = 2 - terms % 2;
        for (std::int64_t n = 0; n < count; ++n) {
            double sum = begin[n] * begin_weight + product<symmetry>(from, from + last, n, weights[0]);
            if (j == 2) {
                sum += product<symmetry>(from + width, from + last - width, n, weights[1]);
            }
            to[n] = sum;
        }
        for (; j < terms; j += 2) {
            const double* const left = from + j * width;
            const double* const right = from + last - j * width;
            for (std::int64_t n = 0; n < count; ++n) {
                const double sum = to[n] + product<symmetry>(left, right, n, weights[j]);
                to[n] = sum + product<symmetry>(left + width, right - width, n, weights[j + 1]);
            }
        }
    }

    template <class Width>
    void means(Width width) {
        double sum[lines_at_once] = {};
        const auto size = static_cast<double>(pass_.size);
        const double* from = inputs_.data();
        for (std::int64_t i = 0; i < pass_.size; ++i, from += width) {
            for (std::int64_t k = 0; k < width; ++k) {
                sum[k] += from[k];
            }
        }
        double* to = results_.data();
        for (std::int64_t k = 0; k < width; ++k) {
            to[k] = sum[k] / size;
        }
        const double* gone = inputs_.data();
        for (std::int64_t i = 1; i < lines_.length; ++i, from += width, gone += width) {
            to += width;
            for (std::int64_t k = 0; k < width; ++k) {
                sum[k] += from[k] - gone[k];
                to[k] = sum[k] / size;
            }
        }
    }

    /// Of windows twice as long in each step, which may overlap. Of equal values the later one is taken, as
    /// its zero may have another sign.
    template <class Choose>
    void extremes(std::int64_t width, const Choose& choose) {
        std::int64_t values = (lines_.length + pass_.size - 1) * width;
        for (std::int64_t done = 1; done < pass_.size;) {
            const std::int64_t more = std::min(done, pass_.size - done);
            values -= more * width;
            for (std::int64_t n = 0; n < values; ++n) {
                inputs_[static_cast<std::size_t>(n)] =
                    choose(inputs_[static_cast<std::size_t>(n)],
                           inputs_[static_cast<std::size_t>(n + more * width)]);
            }
            done += more;
        }
        std::copy_n(inputs_.begin(), lines_.length * width, results_.begin());
    }

    const LinePass& pass_;
    const Lines& lines_;
    std::int64_t before_;
    std::vector<double> inputs_;
    std::vector<double> results_;
};

void run_pass(const LinePass& pass, const VolumeForm& form, const std::byte* source, std::byte* result,
              Number result_type, const std::function<void()>& check) {
    const Lines lines(form, pass.axis, pass.what == LinePass::Do::mean);
    const int symmetry = pass.what == LinePass::Do::sum ? static_cast<int>(symmetry_of(pass.weights)) : 0;
    constexpr std::int64_t part = 1 << 16; // values, that one thread does at once
    const std::int64_t bundles_of_part = std::max<std::int64_t>(part / (lines.length * lines_at_once), 1);
    const auto parts = static_cast<std::size_t>((lines.bundles + bundles_of_part - 1) / bundles_of_part);
    parallel_for(
        parts, [&] { return Bundle(pass, lines); },
        [&](Bundle& bundle, std::size_t n) {
            if (check) {
                check();
            }
            const std::int64_t first = static_cast<std::int64_t>(n) * bundles_of_part;
            for (std::int64_t i = first; i < std::min(first + bundles_of_part, lines.bundles); ++i) {
                const std::int64_t width = lines.width(i);
                with_type(form.type, [&](auto type) {
                    bundle.load(reinterpret_cast<const decltype(type)*>(source) + lines.begin(i), width);
                });
                bundle.filter(width, symmetry);
                with_type(result_type, [&](auto type) {
                    bundle.store(reinterpret_cast<decltype(type)*>(result) + lines.begin(i), width);
                });
            }
        });
}

} // namespace

std::int64_t folded_index(std::int64_t i, std::int64_t length, LineBorder border) {
    if (i >= 0 && i < length) {
        return i;
    }
    const auto modulo = [&](std::int64_t period) { return (i % period + period) % period; };
    switch (border) {
    case LineBorder::nearest:
        return std::clamp<std::int64_t>(i, 0, length - 1);
    case LineBorder::wrap:
        return modulo(length);
    case LineBorder::reflect: {
        const std::int64_t place = modulo(2 * length);
        return std::min(place, 2 * length - 1 - place);
    }
    case LineBorder::mirror: {
        const std::int64_t period = std::max<std::int64_t>(2 * length - 2, 1);
        const std::int64_t place = modulo(period);
        return std::min(place, period - place);
    }
    case LineBorder::constant:
        break;
    }
    return -1;
}

void run_lines_on_cpu(const LineJob& job, std::span<const std::byte> source, std::span<std::byte> result,
                      const std::function<void()>& check) {
    VolumeForm form = job.source;
    const std::byte* from = source.data();
    for (const LinePass& pass : job.passes) { // after the first in place: lines do not need one another
        run_pass(pass, form, from, result.data(), job.result, check);
        form.type = job.result;
        from = result.data();
    }
}

} // namespace glproc
