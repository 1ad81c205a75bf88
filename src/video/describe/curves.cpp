#include "video/describe/curves.hpp"

#include <algorithm>
#include <cmath>
#include <cstddef>
#include <string_view>

#include <fmt/format.h>

namespace glproc::video {

namespace {

constexpr double width = 900;
constexpr double left = 64;
constexpr double right = 24;
constexpr double top = 56;
constexpr double panel_height = 190;
constexpr double gap = 52;
constexpr double plot_width = width - left - right;

/// Light or dark, as the reader has it.
constexpr std::string_view style =
    "text{font:13px "
    "system-ui,sans-serif;fill:#1f2328}.quiet{fill:#59636e}.grid{stroke:#dde3e9}.paper{fill:#fff}"
    ".line{fill:none;stroke:#0072b2;stroke-width:1.5;stroke-linejoin:round}"
    "@media(prefers-color-scheme:dark){text{fill:#e6edf3}.quiet{fill:#9198a1}.grid{stroke:#2a313a}.paper{"
    "fill:#0d1117}"
    ".line{stroke:#56b4e9}}";

std::string escaped(std::string_view text) {
    std::string made;
    for (const char c : text) {
        made += c == '&' ? "&amp;" : c == '<' ? "&lt;" : c == '>' ? "&gt;" : std::string(1, c);
    }
    return made;
}

/// 1, 2 or 5 times a power of ten, about a fifth of the range.
double step_of(double range) {
    constexpr double parts = 5;
    const double rough = range / parts;
    const double power = std::pow(10, std::floor(std::log10(rough)));
    const double times = rough / power;
    return power * (times <= 1 ? 1 : times <= 2 ? 2 : times <= 5 ? 5 : 10);
}

/// From whole steps to whole steps.
struct Axis {
    double low;
    double high;
    double step;

    static Axis around(double low, double high, double least_range) {
        if (high - low < least_range) {
            low = high - least_range;
        }
        const double step = step_of(high - low);
        return {std::floor(low / step) * step, std::ceil(high / step - 1e-9) * step, step};
    }
};

Axis axis_of(const std::vector<double>& values, double fallback, double least_range) {
    double low = INFINITY;
    double high = -INFINITY;
    for (const double value : values) {
        if (std::isfinite(value)) {
            low = std::min(low, value);
            high = std::max(high, value);
        }
    }
    return std::isfinite(low) ? Axis::around(low, high, least_range)
                              : Axis::around(fallback - least_range, fallback, least_range);
}

struct Panel {
    std::string_view name;
    std::string_view unit;
    double begin; ///< its upper edge
    Axis axis;

    double y(double value) const {
        const double share =
            std::isinf(value) ? 1 : std::clamp((value - axis.low) / (axis.high - axis.low), 0.0, 1.0);
        return begin + (1 - share) * panel_height;
    }
};

double x_of(std::size_t frame, std::size_t frames) {
    return left +
           (frames < 2 ? 0 : plot_width * static_cast<double>(frame) / static_cast<double>(frames - 1));
}

std::string grid_of(const Panel& panel) {
    std::string made = fmt::format("<text x=\"{}\" y=\"{}\" font-weight=\"600\">{}</text>", left,
                                   panel.begin - 10, panel.name);
    const int lines = static_cast<int>(std::lround((panel.axis.high - panel.axis.low) / panel.axis.step));
    for (int i = 0; i <= lines; ++i) {
        const double value = panel.axis.low + i * panel.axis.step;
        made += fmt::format("<line class=\"grid\" x1=\"{}\" x2=\"{}\" y1=\"{:.1f}\" y2=\"{:.1f}\"/>"
                            "<text class=\"quiet\" x=\"{}\" y=\"{:.1f}\" text-anchor=\"end\">{:.6g}{}</text>",
                            left, width - right, panel.y(value), panel.y(value), left - 8, panel.y(value) + 4,
                            value, panel.unit);
    }
    return made;
}

/// All values, or where there are more than columns the least and the largest of each.
std::string curve_of(const Panel& panel, const std::vector<double>& values) {
    std::string points;
    const auto add = [&](std::size_t frame, double value) {
        if (!std::isnan(value)) {
            points += fmt::format("{:.1f},{:.1f} ", x_of(frame, values.size()), panel.y(value));
        }
    };
    const auto columns = static_cast<std::size_t>(plot_width);
    if (values.size() <= columns) {
        for (std::size_t i = 0; i < values.size(); ++i) {
            add(i, values[i]);
        }
    } else {
        for (std::size_t column = 0; column < columns; ++column) {
            const auto at = [&](std::size_t i) {
                return values.begin() + static_cast<std::ptrdiff_t>(i * values.size() / columns);
            };
            const auto [least, most] = std::minmax_element(at(column), at(column + 1));
            for (const auto one : {std::min(least, most), std::max(least, most)}) {
                add(static_cast<std::size_t>(one - values.begin()), *one);
            }
        }
    }
    return fmt::format("<polyline class=\"line\" points=\"{}\"/>", points);
}

std::string frames_axis(double y, std::size_t frames) {
    std::string made;
    const double last = static_cast<double>(std::max<std::size_t>(frames, 2) - 1);
    const double step = std::max(step_of(last), 1.0);
    for (double frame = 0; frame <= last; frame += step) {
        made +=
            fmt::format("<text class=\"quiet\" x=\"{:.1f}\" y=\"{}\" text-anchor=\"middle\">{:.0f}</text>",
                        x_of(static_cast<std::size_t>(frame), frames), y, frame);
    }
    return made + fmt::format("<text class=\"quiet\" x=\"{}\" y=\"{}\" text-anchor=\"end\">frame</text>",
                              width - right, y + 18);
}

} // namespace

std::string draw_curves(const DifferenceCurves& curves, const std::string& title) {
    constexpr double equal_frames = 100; // dB, for an axis without a value
    const Panel psnr{"PSNR", " dB", top, axis_of(curves.psnr, equal_frames, 1)};
    const Panel ssim{"SSIM", "", top + panel_height + gap, axis_of(curves.ssim, 1, 0.001)};
    const double bottom = ssim.begin + panel_height;
    const double height = bottom + 48;
    return fmt::format(
        "<svg xmlns=\"http://www.w3.org/2000/svg\" width=\"{0}\" height=\"{1}\" viewBox=\"0 0 {0} {1}\">"
        "<style>{2}</style><title>{3}</title><rect class=\"paper\" width=\"{0}\" height=\"{1}\"/>"
        "<text x=\"{4}\" y=\"24\" font-weight=\"600\">{3}</text>\n{5}\n{6}\n{7}\n{8}\n{9}\n</svg>\n",
        width, height, style, escaped(title), left, grid_of(psnr), curve_of(psnr, curves.psnr), grid_of(ssim),
        curve_of(ssim, curves.ssim), frames_axis(bottom + 20, curves.psnr.size()));
}

} // namespace glproc::video
