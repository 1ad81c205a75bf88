#include "view/tools/measure.hpp"

#include <algorithm>
#include <cmath>
#include <limits>

namespace glproc::view {

std::vector<ChannelFigures> figures_of(const Image& image) {
    std::vector<ChannelFigures> figures;
    for (int c = 0; c < image.channels(); ++c) {
        ChannelFigures channel{.least = std::numeric_limits<double>::infinity(),
                               .most = -std::numeric_limits<double>::infinity()};
        double count = 0;
        double squares = 0; // of the distances from the mean, as Welford adds them up
        for (int y = 0; y < image.height(); ++y) {
            for (int x = 0; x < image.width(); ++x) {
                const double value = image.at(x, y, c);
                if (std::isnan(value)) {
                    continue;
                }
                const double far = value - channel.mean;
                channel.mean += far / ++count;
                squares += far * (value - channel.mean);
                channel.least = std::min(channel.least, value);
                channel.most = std::max(channel.most, value);
            }
        }
        channel.deviation = count > 0 ? std::sqrt(squares / count) : 0;
        if (count == 0) {
            channel.least = channel.most = 0;
        }
        figures.push_back(channel);
    }
    return figures;
}

std::vector<std::vector<double>> values_along(const Image& image, Point2 from, Point2 to) {
    const int steps =
        static_cast<int>(std::lround(std::max(std::abs(to.x - from.x), std::abs(to.y - from.y))));
    std::vector<std::vector<double>> rows;
    for (int i = 0; i <= steps; ++i) {
        const double share = steps > 0 ? static_cast<double>(i) / steps : 0;
        const auto at = [&](double a, double b, int most) {
            return std::clamp(static_cast<int>(std::floor(a + (b - a) * share)), 0, most - 1);
        };
        std::vector<double> values;
        for (int c = 0; c < image.channels(); ++c) {
            values.push_back(image.at(at(from.x, to.x, image.width()), at(from.y, to.y, image.height()), c));
        }
        rows.push_back(std::move(values));
    }
    return rows;
}

} // namespace glproc::view
