#include "glproc/arrays/lines/bundles.hpp"
#include "glproc/arrays/lines/lines.hpp"
#include "glproc/arrays/number_cast.hpp"
#include "glproc/base/covering.hpp"
#include "glproc/base/parallel.hpp"

#include <algorithm>
#include <array>
#include <memory>
#include <type_traits>
#include <vector>

namespace glproc {

namespace {

/// Results of a bundle that are made from one load of inputs.
constexpr std::int64_t piece_values = 4096;
/// Results that are added up together, so that they stay in the nearest cache.
constexpr std::int64_t results_at_once = 512;
/// Results that one thread makes at once.
constexpr std::int64_t part_values = 1 << 16;

/// Room for values that are all written before they are read.
class Room {
  public:
    explicit Room(std::int64_t values)
        : values_(std::make_unique_for_overwrite<double[]>(static_cast<std::size_t>(values))) {}
    double* data() const { return values_.get(); }

  private:
    std::unique_ptr<double[]> values_;
};

/// Lines side by side as doubles, a piece of each at a time, with all inputs that its results need; value i
/// of line k at i * width + k. A pass may be in place: the values beyond the ends are loaded first, and
/// inputs are loaded before results are stored.
class Bundle {
  public:
    Bundle(const LinePass& pass, const Lines& lines)
        : pass_(pass), lines_(lines), before_(pass.size / 2 + pass.origin), after_(pass.size - 1 - before_),
          overlap_(pass.size - 1 + (pass.what == LinePass::Do::mean ? 1 : 0)),
          piece_(std::min(lines.length, std::max(piece_values / lines.most_width, 2 * pass.size))),
          symmetry_(pass.what == LinePass::Do::sum ? static_cast<int>(symmetry_of(pass.weights)) : 0),
          beyond_((pass.size - 1) * lines.most_width), kept_(overlap_ * lines.most_width),
          inputs_((piece_ + overlap_) * lines.most_width), results_(piece_ * lines.most_width) {}

    /// Results `first` to `end` of each line.
    void run(const std::byte* from, Number from_type, std::byte* to, Number to_type, std::int64_t width,
             std::int64_t first, std::int64_t end) {
        with_type(from_type,
                  [&](auto type) { load_beyond(reinterpret_cast<const decltype(type)*>(from), width); });
        // A mean needs the input that has left its window, too.
        const std::int64_t lead = overlap_ - (pass_.size - 1);
        std::int64_t next = first - before_; // the next input
        for (std::int64_t i = first; i < end; i += piece_) {
            const std::int64_t count = std::min(piece_, end - i);
            const std::int64_t stop = i + count + after_;
            with_type(from_type, [&](auto type) {
                load(reinterpret_cast<const decltype(type)*>(from), width, next, stop,
                     inputs_.data() + (next - (i - before_ - lead)) * width);
            });
            next = stop;
            if (i + count < end) {
                std::copy_n(inputs_.data() + count * width, overlap_ * width,
                            kept_.data()); // filters write to their inputs
            }
            filter(width, count, i == 0);
            with_type(to_type, [&](auto type) {
                store(reinterpret_cast<decltype(type)*>(to) + i * lines_.step, width, count);
            });
            std::copy_n(kept_.data(), i + count < end ? overlap_ * width : 0, inputs_.data());
        }
    }

  private:
    void filter(std::int64_t width, std::int64_t count, bool is_first) {
        const double* const inputs = inputs_.data();
        switch (pass_.what) {
        case LinePass::Do::mean:
            return means(width, count, is_first);
        case LinePass::Do::minimum:
            return extremes(width, count, [](double a, double b) { return b <= a ? b : a; });
        case LinePass::Do::maximum:
            return extremes(width, count, [](double a, double b) { return b >= a ? b : a; });
        case LinePass::Do::sum:
            for (std::int64_t first = 0; first < count * width; first += results_at_once) {
                sums(inputs + first, results_.data() + first,
                     std::min(results_at_once, count * width - first), width);
            }
        }
    }

    /// The values before the first one, and those after the last.
    template <class T>
    void load_beyond(const T* from, std::int64_t width) {
        double* to = beyond_.data();
        for (std::int64_t n = 0; n < pass_.size - 1; ++n, to += width) {
            const std::int64_t i = n < before_ ? n - before_ : lines_.length + n - before_;
            const std::int64_t place = index_within(pass_.border, i, lines_.length);
            for (std::int64_t k = 0; k < width; ++k) {
                to[k] = place < 0 ? pass_.constant
                                  : static_cast<double>(from[place * lines_.step + k * lines_.apart]);
            }
        }
    }

    /// Inputs `first` to `end` of each line.
    template <class T>
    void load(const T* from, std::int64_t width, std::int64_t first, std::int64_t end, double* to) {
        const std::int64_t length = lines_.length;
        const std::int64_t begin = std::clamp<std::int64_t>(0, first, end);
        const std::int64_t stop = std::clamp(length, begin, end);
        if (first < begin) {
            to = std::copy_n(beyond_.data() + (before_ + first) * width, (begin - first) * width, to);
        }
        if (lines_.step == width && lines_.apart == 1) { // all of them lie together
            std::transform(from + begin * width, from + stop * width, to,
                           [](T value) { return static_cast<double>(value); });
        } else {
            with_width(width,
                       [&](auto known) { load_lines(from + begin * lines_.step, known, stop - begin, to); });
        }
        if (stop < end) {
            std::copy_n(beyond_.data() + (before_ + stop - length) * width, (end - stop) * width,
                        to + (stop - begin) * width);
        }
    }

    template <class T, class Width>
    void load_lines(const T* from, Width width, std::int64_t count, double* to) const {
        const std::int64_t step = lines_.step;
        const std::int64_t apart = lines_.apart;
        for (std::int64_t i = 0; i < count; ++i) {
            for (std::int64_t k = 0; k < width; ++k) {
                to[i * width + k] = static_cast<double>(from[i * step + k * apart]);
            }
        }
    }

    template <class T>
    void store(T* to, std::int64_t width, std::int64_t count) const {
        if (lines_.step == width && lines_.apart == 1) {
            const double* const from = results_.data();
            for (std::int64_t n = 0; n < count * width; ++n) {
                to[n] = number_cast<T>(from[n]);
            }
        } else {
            with_width(width, [&](auto known) { store_lines(to, known, count); });
        }
    }

    template <class T, class Width>
    void store_lines(T* to, Width width, std::int64_t count) const {
        const double* from = results_.data();
        const std::int64_t step = lines_.step;
        const std::int64_t apart = lines_.apart;
        for (std::int64_t i = 0; i < count; ++i) {
            for (std::int64_t k = 0; k < width; ++k) {
                to[i * step + k * apart] = number_cast<T>(from[i * width + k]);
            }
        }
    }

    /// Of inputs from the one of the first weight on.
    void sums(const double* from, double* to, std::int64_t count, std::int64_t width) const {
        if (symmetry_ == 0) {
            return sums_of<0>(from, to, count, width, pass_.size - 1);
        }
        const std::int64_t pairs = pass_.size / 2;
        return symmetry_ > 0 ? sums_of<1>(from, to, count, width, pairs)
                             : sums_of<-1>(from, to, count, width, pairs);
    }

    /// The value at `j`, or the sum or difference of both sides, times the weight.
    template <int symmetry>
    static double product(const double* left, const double* right, std::int64_t n, double weight) {
        return (symmetry == 0 ? left[n] : symmetry > 0 ? left[n] + right[n] : left[n] - right[n]) * weight;
    }

    /// `terms` products are added to the first one, two in each round over the results.
    template <int symmetry>
    void sums_of(const double* from, double* to, std::int64_t count, std::int64_t width,
                 std::int64_t terms) const {
        const double* const weights = pass_.weights.data();
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

    /// The input that has left the window of the first result is the first one here.
    template <class Width>
    void means_of(Width width, std::int64_t count, bool is_first) {
        double* __restrict sum = sums_.data();
        const auto size = static_cast<double>(pass_.size);
        const double* gone = inputs_.data();
        const double* from = gone + pass_.size * width;
        double* __restrict to = results_.data();
        if (is_first) {
            std::fill_n(sum, width, 0.0);
            for (std::int64_t i = 0; i < pass_.size; ++i) {
                gone += width;
                for (std::int64_t k = 0; k < width; ++k) {
                    sum[k] += gone[k];
                }
            }
            for (std::int64_t k = 0; k < width; ++k) {
                to[k] = sum[k] / size;
            }
            gone = inputs_.data() + width;
            from += width;
            to += width;
        }
        slide(width, count - (is_first ? 1 : 0), from, gone, to, sum);
    }

    /// Results from the sums of the windows before the first one.
    template <class Width>
    void slide(Width width, std::int64_t count, const double* from, const double* gone, double* __restrict to,
               double* __restrict sum) const {
        const auto size = static_cast<double>(pass_.size);
        for (std::int64_t i = 0; i < count; ++i, from += width, gone += width, to += width) {
            for (std::int64_t k = 0; k < width; ++k) {
                sum[k] += from[k] - gone[k];
                to[k] = sum[k] / size;
            }
        }
    }

    /// Of few lines nothing hides the time that sums would take by way of memory.
    void slide(std::integral_constant<std::int64_t, 1>, std::int64_t count, const double* from,
               const double* gone, double* __restrict to, double* sum) const {
        const auto size = static_cast<double>(pass_.size);
        double only = *sum;
        for (std::int64_t i = 0; i < count; ++i) {
            only += from[i] - gone[i];
            to[i] = only / size;
        }
        *sum = only;
    }
    template <std::int64_t width>
    requires(width > 1 && width <= 4) void slide(std::integral_constant<std::int64_t, width>,
                                                 std::int64_t count, const double* from, const double* gone,
                                                 double* __restrict to, double* __restrict sum) const {
        const auto size = static_cast<double>(pass_.size);
        std::array<double, 4> sums{};
        std::copy_n(sum, width, sums.begin());
        for (std::int64_t i = 0; i < count; ++i, from += width, gone += width, to += width) {
            for (std::size_t k = 0; k < width; ++k) {
                sums[k] += from[k] - gone[k];
                to[k] = sums[k] / size;
            }
        }
        std::copy_n(sums.begin(), width, sum);
    }

    void means(std::int64_t width, std::int64_t count, bool is_first) {
        with_width(width, [&](auto known) { means_of(known, count, is_first); });
    }

    /// Of windows twice as long in each step, which may overlap. Of equal values the later one is taken, as
    /// its zero may have another sign.
    template <class Choose>
    void extremes(std::int64_t width, std::int64_t count, const Choose& choose) {
        double* const inputs = inputs_.data();
        std::int64_t values = (count + pass_.size - 1) * width;
        for (std::int64_t done = 1; done < pass_.size;) {
            const std::int64_t more = std::min(done, pass_.size - done);
            values -= more * width;
            for (std::int64_t n = 0; n < values; ++n) {
                inputs[n] = choose(inputs[n], inputs[n + more * width]);
            }
            done += more;
        }
        std::copy_n(inputs, count * width, results_.data());
    }

    const LinePass& pass_;
    const Lines& lines_;
    std::int64_t before_;
    std::int64_t after_;
    std::int64_t overlap_; ///< of the inputs of a piece and of the next one
    std::int64_t piece_;   ///< results of each line
    int symmetry_;
    Room beyond_;
    Room kept_;
    Room inputs_;
    Room results_;
    std::array<double, static_cast<std::size_t>(short_values)> sums_{}; ///< of means
};

void run_pass(const LinePass& pass, const VolumeForm& form, const std::byte* source, std::byte* result,
              Number result_type, const Check& check) {
    const Lines lines(form, pass.axis, pass.what == LinePass::Do::mean);
    // Long lines are cut, unless a part would need what another one writes, or has added up.
    const bool is_cut = source != result && pass.what != LinePass::Do::mean;
    const std::int64_t cut = is_cut ? std::max(part_values / lines.most_width, 8 * pass.size) : lines.length;
    const std::int64_t parts_of_line = covering(lines.length, cut);
    const std::int64_t bundles_of_part =
        std::max<std::int64_t>(part_values / (std::min(lines.length, cut) * lines.most_width), 1);
    const std::int64_t groups = covering(lines.bundles, bundles_of_part);
    parallel_for(
        static_cast<std::size_t>(groups * parts_of_line), [&] { return Bundle(pass, lines); },
        [&](Bundle& bundle, std::size_t n) {
            if (check) {
                check();
            }
            const std::int64_t group = static_cast<std::int64_t>(n) / parts_of_line;
            const std::int64_t first = static_cast<std::int64_t>(n) % parts_of_line * cut;
            const std::int64_t end = std::min((group + 1) * bundles_of_part, lines.bundles);
            for (std::int64_t i = group * bundles_of_part; i < end; ++i) {
                const auto begin = static_cast<std::size_t>(lines.begin(i));
                bundle.run(source + begin * bytes_of(form.type), form.type,
                           result + begin * bytes_of(result_type), result_type, lines.width(i), first,
                           std::min(first + cut, lines.length));
            }
        });
}

} // namespace

std::int64_t LineJob::run_on_cpu(SourceBytes from, ResultBytes to, const Check& check) const {
    VolumeForm form = source;
    const std::byte* values = from.data();
    for (const LinePass& pass : passes) { // after the first in place: lines do not need one another
        run_pass(pass, form, values, to.data(), result, check);
        form.type = result;
        values = to.data();
    }
    return 0;
}

} // namespace glproc
