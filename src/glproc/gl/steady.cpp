#include "glproc/gl/steady.hpp"

#include <algorithm>
#include <cstddef>
#include <deque>

namespace glproc {

double median_of(std::vector<double> values) {
    const auto middle = values.begin() + static_cast<std::ptrdiff_t>(values.size() / 2);
    std::nth_element(values.begin(), middle, values.end());
    return *middle;
}

namespace {

double spread_of(const std::deque<RunTimes>& batches) {
    std::vector<double> medians;
    for (const RunTimes& batch : batches) {
        medians.push_back(median_of(batch.milliseconds));
    }
    const auto [least, most] = std::minmax_element(medians.begin(), medians.end());
    return (*most - *least) / median_of(medians);
}

} // namespace

SteadyTimes time_until_steady(const std::function<RunTimes()>& batch, double patience) {
    constexpr std::size_t enough = 5; // batches that must agree
    constexpr double near = 0.03;
    std::deque<RunTimes> last;
    SteadyTimes result;
    for (double spent = 0; !result.steady && (last.size() < enough || spent < patience);) {
        last.push_back(batch());
        spent += last.back().wall_milliseconds * static_cast<double>(last.back().milliseconds.size());
        if (last.size() > enough) {
            last.pop_front();
        }
        result.spread = spread_of(last);
        result.steady = last.size() == enough && result.spread <= near;
    }
    for (const RunTimes& times : last) {
        result.milliseconds.insert(result.milliseconds.end(), times.milliseconds.begin(),
                                   times.milliseconds.end());
        result.wall_milliseconds +=
            times.wall_milliseconds * static_cast<double>(times.milliseconds.size());
    }
    result.wall_milliseconds /= static_cast<double>(result.milliseconds.size());
    result.method = last.back().method;
    return result;
}

} // namespace glproc
