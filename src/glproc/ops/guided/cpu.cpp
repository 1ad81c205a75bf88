#include "glproc/ops/guided/cpu.hpp"

#include "glproc/base/parallel.hpp"
#include "glproc/kinds/border.hpp"
#include "glproc/kinds/samples.hpp"

#include <algorithm>
#include <cmath>
#include <limits>

namespace glproc {

namespace {

using Plane = std::vector<double>;

/// Means of lines of `count` values that lie `stride` apart; values that are not finite count as missing.
void mean_line(double* first, int count, std::size_t stride, const std::vector<int>& from) {
    const std::size_t window = from.size() - static_cast<std::size_t>(count) + 1;
    double sum = 0;
    double there = 0;
    std::vector<double> line(from.size());
    for (std::size_t i = 0; i < from.size(); ++i) {
        line[i] = first[static_cast<std::size_t>(from[i]) * stride];
    }
    const auto add = [&](double value, int sign) {
        if (std::isfinite(value)) {
            sum += sign * value;
            there += sign;
        }
    };
    for (std::size_t i = 0; i + 1 < window; ++i) {
        add(line[i], 1);
    }
    for (std::size_t i = 0; i < static_cast<std::size_t>(count); ++i) {
        add(line[i + window - 1], 1);
        first[i * stride] = there > 0 ? sum : std::numeric_limits<double>::quiet_NaN();
        add(line[i], -1);
    }
}

class Means {
  public:
    Means(const Guided& op, const Form& form)
        : form_(form), columns_(indices(op, form.width)), rows_(indices(op, form.height)) {}

    /// Sums over windows, divided by how many of their values there are.
    Plane of(const Plane& plane) const {
        Plane counts(plane.size());
        std::transform(plane.begin(), plane.end(), counts.begin(),
                       [](double value) { return std::isfinite(value) ? 1.0 : 0.0; });
        Plane sums = plane;
        add_up(sums);
        add_up(counts);
        for (std::size_t i = 0; i < sums.size(); ++i) {
            sums[i] = counts[i] > 0.5 ? sums[i] / counts[i] : std::numeric_limits<double>::quiet_NaN();
        }
        return sums;
    }

  private:
    static std::vector<int> indices(const Guided& op, int count) {
        std::vector<int> from;
        for (int i = -op.radius; i < count + op.radius; ++i) {
            from.push_back(index_within(op.border.mode, i, count));
        }
        return from;
    }

    void add_up(Plane& plane) const {
        const auto width = static_cast<std::size_t>(form_.width);
        parallel_for(static_cast<std::size_t>(form_.height),
                     [&](std::size_t y) { mean_line(plane.data() + y * width, form_.width, 1, columns_); });
        parallel_for(width, [&](std::size_t x) { mean_line(plane.data() + x, form_.height, width, rows_); });
    }

    Form form_;
    std::vector<int> columns_;
    std::vector<int> rows_;
};

Plane product(const Plane& a, const Plane& b) {
    Plane result(a.size());
    std::transform(a.begin(), a.end(), b.begin(), result.begin(), std::multiplies<>());
    return result;
}

Plane plane_of(const Image& image, int channel) {
    Plane plane;
    for (int y = 0; y < image.height(); ++y) {
        for (int x = 0; x < image.width(); ++x) {
            plane.push_back(image.at(x, y, channel));
        }
    }
    return plane;
}

Plane filtered(const Means& means, const Plane& values, const Plane& guide, double eps) {
    const Plane value = means.of(values);
    const Plane at = means.of(guide);
    const Plane both = means.of(product(values, guide));
    const Plane square = means.of(product(guide, guide));
    Plane slopes(values.size());
    Plane heights(values.size());
    for (std::size_t i = 0; i < values.size(); ++i) {
        slopes[i] = (both[i] - value[i] * at[i]) / (std::max(square[i] - at[i] * at[i], 0.0) + eps);
        heights[i] = value[i] - slopes[i] * at[i];
    }
    slopes = means.of(slopes);
    heights = means.of(heights);
    for (std::size_t i = 0; i < values.size(); ++i) {
        heights[i] += slopes[i] * guide[i];
    }
    return heights;
}

} // namespace

Image guide_for(const Form& form, const Image& guide) {
    Image result(form.width, form.height, 1, Depth::f32);
    const Samples samples(guide, HistogramChannel::luma, LumaWeights::rec709);
    const auto width = static_cast<std::size_t>(form.width);
    std::vector<std::uint32_t> numbers(width);
    for (int y = 0; y < form.height; ++y) {
        const auto row = result.values<float>().subspan(static_cast<std::size_t>(y) * width, width);
        if (guide.depth() == Depth::f32) {
            samples.row(y, row);
        } else {
            samples.row(y, numbers);
        }
        for (std::size_t x = 0; x < width; ++x) {
            const double value =
                guide.depth() == Depth::f32 ? row[x] : static_cast<double>(numbers[x]) / samples.full();
            row[x] = static_cast<float>(value * max_code(form.depth));
        }
    }
    return result;
}

std::vector<double> guided_on_cpu(const Guided& op, const Image& image, const Image* guide) {
    const Means means(op, image.form());
    const double eps = op.eps * max_code(image.depth()) * max_code(image.depth());
    const auto channels = static_cast<std::size_t>(image.channels());
    std::vector<double> result(static_cast<std::size_t>(image.width()) *
                               static_cast<std::size_t>(image.height()) * channels);
    for (std::size_t c = 0; c < channels; ++c) {
        Plane plane = plane_of(image, static_cast<int>(c));
        if (!(image.has_alpha() && c + 1 == channels)) {
            plane = filtered(means, plane, guide != nullptr ? plane_of(*guide, 0) : plane, eps);
        }
        for (std::size_t i = 0; i < plane.size(); ++i) {
            result[i * channels + c] = plane[i];
        }
    }
    return result;
}

} // namespace glproc
