// Stacks of images with alpha: at each place only those count that show something there.
#include "glproc/kinds/hidden.hpp"
#include "glproc/ops/stack/combine.hpp"

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <limits>
#include <type_traits>

namespace glproc {

namespace {

template <class T>
class ShownRows {
  public:
    ShownRows(const Stack& op, const StackedRows<T>& rows, std::size_t channels, std::span<double> result)
        : op_(op), rows_(rows), channels_(channels), result_(result),
          weighs_(op.by.measure == StackMeasure::mean) {}

    void combine_runs() {
        std::size_t begin = 0;
        for (std::size_t end = channels_; begin < result_.size(); end += channels_) {
            if (end == result_.size() || !counts_as(begin, end)) {
                combine_run(begin, end);
                begin = end;
            }
        }
        put_alpha();
    }

  private:
    T alpha(std::size_t image, std::size_t pixel) const { return rows_[image][pixel + channels_ - 1]; }

    /// Whether the images count alike in two pixels: alpha weighs the colours of a mean, else it shows them
    /// or not.
    bool counts_as(std::size_t pixel, std::size_t other) const {
        for (std::size_t k = 0; k < rows_.size(); ++k) {
            const T one = alpha(k, pixel);
            const T next = alpha(k, other);
            if (weighs_ ? one != next : hides(one) != hides(next)) {
                return false;
            }
        }
        return true;
    }

    void combine_run(std::size_t begin, std::size_t end) {
        const std::span<double> result = result_.subspan(begin, end - begin);
        Stack op = op_;
        op.weights.clear();
        StackedRows<T> shown;
        double weights = 0;
        bool is_even = op_.weights.empty();
        for (std::size_t k = 0; k < rows_.size(); ++k) {
            if (!hides(alpha(k, begin))) {
                const double weight = op_.weights.empty() ? 1 : op_.weights[k];
                op.weights.push_back(weighs_ ? weight * static_cast<double>(alpha(k, begin)) : weight);
                is_even = is_even && op.weights.back() == op.weights.front();
                weights += op.weights.back();
                shown.push_back(rows_[k].subspan(begin, end - begin));
            }
        }
        if (shown.empty() || (weighs_ && weights == 0)) {
            std::ranges::fill(result, 0.0);
            return;
        }
        if (is_even) {
            op.weights.clear();
        }
        combine(op, shown, result);
    }

    /// Of all images, by the same measure. For sums and deviations it is the mean: their own would be no opacity.
    void put_alpha() {
        Stack op = op_;
        if (op.by.measure == StackMeasure::sum || op.by.measure == StackMeasure::stddev) {
            op.by.measure = StackMeasure::mean;
            op.weights.clear();
        }
        const std::size_t pixels = result_.size() / channels_;
        std::vector<std::vector<T>> alphas(rows_.size(), std::vector<T>(pixels));
        StackedRows<T> rows;
        for (std::size_t k = 0; k < rows_.size(); ++k) {
            for (std::size_t i = 0; i < pixels; ++i) {
                alphas[k][i] = alpha(k, i * channels_);
            }
            rows.emplace_back(alphas[k]);
        }
        std::vector<double> made(pixels);
        combine(op, rows, made);
        for (std::size_t i = 0; i < pixels; ++i) {
            result_[i * channels_ + channels_ - 1] = made[i];
        }
    }

    const Stack& op_;
    const StackedRows<T>& rows_;
    std::size_t channels_;
    std::span<double> result_;
    bool weighs_;
};

} // namespace

template <class T>
void combine_shown(const Stack& op, const StackedRows<T>& rows, std::size_t channels,
                   std::span<double> result) {
    ShownRows<T>(op, rows, channels, result).combine_runs();
}

template void combine_shown(const Stack&, const StackedRows<std::uint8_t>&, std::size_t, std::span<double>);
template void combine_shown(const Stack&, const StackedRows<std::uint16_t>&, std::size_t, std::span<double>);
template void combine_shown(const Stack&, const StackedRows<float>&, std::size_t, std::span<double>);

} // namespace glproc
