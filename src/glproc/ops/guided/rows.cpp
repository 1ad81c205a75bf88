#include "glproc/ops/guided/rows.hpp"

#include "glproc/base/covering.hpp"
#include "glproc/base/parallel.hpp"
#include "glproc/kinds/border.hpp"
#include "glproc/kinds/hidden.hpp"
#include "glproc/kinds/samples.hpp"
#include "glproc/kinds/separable/row_ending.hpp"
#include "glproc/kinds/separable/row_sums.hpp"
#include "glproc/ops/guided/sums.hpp"

#include <algorithm>
#include <array>
#include <cmath>
#include <cstddef>
#include <cstdint>
#include <limits>
#include <vector>

namespace glproc {

namespace {

std::size_t size_of(int count) {
    return static_cast<std::size_t>(count);
}

using Whole = std::vector<std::uint32_t>;

/// Whole numbers of a picture, and windows over them.
struct Windows {
    int width;
    int height;
    int radius;
    BorderMode border;
    int shift; ///< bits that a column's sum loses, rounded

    /// The sums of all windows.
    Whole sums_of(const Whole& plane) const {
        Whole sums(plane.size());
        constexpr int run = 64;
        parallel_for(size_of(covering(height, run)), [&](std::size_t i) {
            const int begin = static_cast<int>(i) * run;
            Whole columns(size_of(width));
            for (int d = -radius; d < radius; ++d) {
                add_row(plane, begin + d, 1, columns);
            }
            for (int y = begin; y < std::min(begin + run, height); ++y) {
                add_row(plane, y + radius, 1, columns);
                across(columns, &sums[size_of(y) * size_of(width)]);
                add_row(plane, y - radius, ~0U, columns);
            }
        });
        return sums;
    }

  private:
    void add_row(const Whole& plane, int y, std::uint32_t sign, Whole& columns) const {
        const std::uint32_t* row = &plane[size_of(index_within(border, y, height)) * size_of(width)];
        for (std::size_t x = 0; x < columns.size(); ++x) {
            columns[x] += sign * row[x]; // NOLINT: within the row
        }
    }

    void across(const Whole& columns, std::uint32_t* to) const {
        const auto column = [&](int x) { return (columns[size_of(index_within(border, x, width))] + (1U << unsigned(shift) >> 1U)) >> unsigned(shift); };
        std::uint32_t sum = 0;
        for (int d = -radius; d < radius; ++d) {
            sum += column(d);
        }
        for (int x = 0; x < width; ++x) {
            sum += column(x + radius);
            to[x] = sum; // NOLINT: within the row
            sum -= column(x - radius);
        }
    }
};

constexpr std::uint32_t one = 1U << 20U; ///< a slope of 1

/// slope_of() of guided/sums.glsl, for the sums of a window of n pixels.
std::uint32_t slope_of(std::uint32_t sum, std::uint32_t squares, std::uint64_t n, float eps) {
    const float variance = float_of(n * squares - std::uint64_t{sum} * sum);
    const float below = variance + eps;
    const float most = variance * static_cast<float>(one);
    const float guess = std::floor(most / below + 0.5F);
    const auto slope = static_cast<std::int64_t>(guess) + ((guess + 0.5F) * below <= most ? 1 : 0) - ((guess - 0.5F) * below > most ? 1 : 0);
    return static_cast<std::uint32_t>(std::min<std::int64_t>(slope, one - 1));
}

/// height_of(): mean x (1 - slope), rounded.
std::uint32_t height_of(std::uint32_t sum, std::uint32_t slope, std::uint64_t n) {
    const std::uint64_t unit = 64 * n;
    return static_cast<std::uint32_t>((2 * std::uint64_t{sum} * (one - slope) + unit) / (2 * unit));
}

/// One colour, side by side with others in both pictures.
void guide_colour(const SumsNumbers& numbers, Windows windows, const std::uint8_t* from, std::size_t channels, std::uint8_t* to) {
    const std::size_t count = size_of(windows.width) * size_of(windows.height);
    Whole values(count);
    Whole squares(count);
    const auto over_pixels = [&](const auto& work) {
        parallel_for(size_of(windows.height), [&](std::size_t y) {
            for (std::size_t i = y * size_of(windows.width); i < (y + 1) * size_of(windows.width); ++i) {
                work(i);
            }
        });
    };
    over_pixels([&](std::size_t i) {
        values[i] = from[i * channels]; // NOLINT: a pixel has so many
        squares[i] = values[i] * values[i];
    });
    windows.shift = 0;
    const Whole sums = windows.sums_of(values);
    const Whole square_sums = windows.sums_of(squares);
    const auto n = static_cast<std::uint64_t>(numbers.pixels);
    Whole slopes(count);
    Whole heights(count);
    over_pixels([&](std::size_t i) {
        slopes[i] = slope_of(sums[i], square_sums[i], n, numbers.eps);
        heights[i] = height_of(sums[i], slopes[i], n);
    });
    windows.shift = numbers.shift;
    const Whole mean_slopes = windows.sums_of(slopes);
    const Whole mean_heights = windows.sums_of(heights);
    over_pixels([&](std::size_t i) {
        const float value = float_of(std::uint64_t{mean_heights[i]} * 64 + std::uint64_t{mean_slopes[i]} * values[i]);
        to[i * channels] = static_cast<std::uint8_t>(std::nearbyint(std::clamp(value * numbers.scale, 0.0F, 255.0F))); // NOLINT: likewise
    });
}

/// Values and the products whose means lines need, NaN in pixels that cannot be seen: guided/products.comp.
void fill_products(const GuidedLines& job, std::size_t colours, Image& values, Image& products) {
    const Form& form = job.source.form();
    const std::size_t channels = size_of(form.channels);
    const std::size_t to_channels = size_of(values.channels());
    parallel_for(size_of(form.height), [&] { return std::vector<float>(size_of(form.width) * channels); },
                 [&](std::vector<float>& own, std::size_t y) {
                     values_of_row(job.source.row(static_cast<int>(y)), form, false, own.data());
                     for (std::size_t x = 0; x < size_of(form.width); ++x) {
                         const std::size_t pixel = y * size_of(form.width) + x;
                         float* value = &values.values<float>()[pixel * to_channels];
                         float* product = &products.values<float>()[pixel * to_channels];
                         const float guide = job.guide != nullptr ? job.guide->values<float>()[pixel] - job.middle : 0;
                         for (std::size_t c = 0; c < to_channels; ++c) {
                             value[c] = c < colours ? own[x * channels + c] - job.middle : guide; // NOLINT: of the pixel
                             product[c] = value[c] * (job.guide != nullptr ? guide : value[c]);   // NOLINT: likewise
                         }
                         if (job.source.has_alpha() && hides(own[(x + 1) * channels - 1])) {
                             std::fill_n(value, to_channels, std::numeric_limits<float>::quiet_NaN());
                             std::fill_n(product, to_channels, std::numeric_limits<float>::quiet_NaN());
                         }
                     }
                 });
}

/// Slopes and heights of lines: guided/lines.comp.
void fill_lines(const GuidedLines& job, const Image& values, const Image& products, Image& slopes, Image& heights) {
    const std::array<float, 2> params{job.eps, job.guide != nullptr ? 1.0F : 0.0F};
    const EndingTwin twin = ending_twin("guided/line_end.glsl", Depth::f32, 0);
    const std::size_t colours = size_of(slopes.channels());
    const std::size_t from = size_of(values.channels());
    const std::size_t width = size_of(values.width());
    parallel_for(size_of(values.height()), [&](std::size_t y) {
        std::vector<float> quads;
        for (std::size_t i = y * width * colours; i < (y + 1) * width * colours; ++i) {
            const std::size_t own = i / colours * from + i % colours;
            const std::size_t guide = job.guide != nullptr ? i / colours * from + colours : own;
            quads.insert(quads.end(), {values.values<float>()[own], products.values<float>()[own], values.values<float>()[guide],
                                       products.values<float>()[guide]});
        }
        std::vector<float> lines(quads.size());
        twin({.params = params.data(), .sums = quads.data(), .to = reinterpret_cast<std::byte*>(lines.data()), .count = quads.size()}); // NOLINT: bytes
        for (std::size_t i = 0; i < width * colours; ++i) {
            slopes.values<float>()[y * width * colours + i] = lines[4 * i];
            heights.values<float>()[y * width * colours + i] = lines[4 * i + 1];
        }
    });
}

/// Mean lines at the guide's own values: guided/result.comp.
Image on_lines(const GuidedLines& job, const Image& slopes, const Image& heights) {
    const Form& form = job.source.form();
    const std::size_t channels = size_of(form.channels);
    const std::size_t colours = size_of(slopes.channels());
    const std::size_t bytes = bytes_of(form.depth);
    const EndingTwin twin = ending_twin("guided/result_end.glsl", form.depth, 0);
    Image result = job.source; // whose alpha is kept
    result.set_metadata({});
    parallel_for(size_of(form.height), [&] { return std::vector<float>(size_of(form.width) * channels); },
                 [&](std::vector<float>& own, std::size_t y) {
                     values_of_row(job.source.row(static_cast<int>(y)), form, false, own.data());
                     std::vector<float> quads;
                     for (std::size_t i = 0; i < size_of(form.width) * colours; ++i) {
                         const std::size_t x = i / colours;
                         const std::size_t line = (y * size_of(form.width) + x) * colours + i % colours;
                         const float guide = job.guide != nullptr ? job.guide->values<float>()[y * size_of(form.width) + x] : own[x * channels + i % colours];
                         quads.insert(quads.end(), {guide, slopes.values<float>()[line], heights.values<float>()[line], 0.0F});
                     }
                     std::vector<std::byte> codes(quads.size() * bytes);
                     twin({.params = &job.middle, .sums = quads.data(), .to = codes.data(), .count = quads.size()});
                     for (std::size_t i = 0; i < size_of(form.width) * colours; ++i) {
                         const std::size_t at = (i / colours * channels + i % colours) * bytes;
                         std::copy_n(&codes[4 * i * bytes], bytes, result.row(static_cast<int>(y)) + at); // NOLINT: within the row
                     }
                 });
    return result;
}

} // namespace

Image guide_for(const Form& form, const Image& given) {
    const Image guide = given.has_alpha() ? with_hidden(given, 0) : given;
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

Image guided_by_sums(const Guided& op, const Image& source) {
    const SumsNumbers numbers = sums_numbers(op);
    const Windows windows{source.width(), source.height(), op.radius, op.border.mode, 0};
    Image result = source; // whose alpha is kept
    result.set_metadata({});
    const int colours = source.channels() < 3 ? 1 : 3;
    for (int c = 0; c < colours; ++c) {
        guide_colour(numbers, windows, source.values<std::uint8_t>().data() + c, size_of(source.channels()), result.values<std::uint8_t>().data() + c); // NOLINT: channels
    }
    return result;
}

Image guided_by_lines(const GuidedLines& job) {
    const Form& form = job.source.form();
    const int colours = form.channels < 3 ? 1 : 3;
    Image values(form.width, form.height, colours + (job.guide != nullptr ? 1 : 0), Depth::f32);
    Image products(values.form());
    fill_products(job, size_of(colours), values, products);
    values = image_by_processor(job.box_values, values);
    products = image_by_processor(job.box_values, products);
    Image slopes(form.width, form.height, colours, Depth::f32);
    Image heights(slopes.form());
    fill_lines(job, values, products, slopes, heights);
    return on_lines(job, image_by_processor(job.box_lines, slopes), image_by_processor(job.box_lines, heights));
}

} // namespace glproc
