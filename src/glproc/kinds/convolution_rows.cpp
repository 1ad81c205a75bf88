#include "glproc/kinds/convolution_rows.hpp"

#include "glproc/base/parallel.hpp"
#include "glproc/kinds/separable/row_ending.hpp"
#include "glproc/kinds/separable/row_sums.hpp"

#include <algorithm>
#include <cstddef>
#include <functional>

namespace glproc {

namespace {

std::size_t size_of(int count) {
    return static_cast<std::size_t>(count);
}

using Row = std::vector<float>;

/// A pixel in code units as channels have it.
Row row_of(const Row& pixel, std::size_t count) {
    Row row(count);
    for (std::size_t i = 0; i < count; ++i) {
        row[i] = pixel[i % pixel.size()];
    }
    return row;
}

/// The sums that a row of the result needs: weights, and the row of values that each of them takes.
struct Taps {
    Row weights;
    std::vector<const float*> from;

    /// Weights of 0 let no NaN through.
    void add(double weight, const float* row) {
        if (static_cast<float>(weight) != 0) {
            weights.push_back(static_cast<float>(weight));
            from.push_back(row);
        }
    }
    void sum(Row& to) const { sum_taps(weights.data(), from.data(), weights.size(), to.data(), to.size()); }
};

/// Rows of values, and those beyond the picture.
struct Rows {
    std::vector<Row> within;
    Row beyond;
    BorderMode border;

    const float* at(int y) const {
        const int row = index_within(border, y, static_cast<int>(within.size()));
        return row < 0 ? beyond.data() : within[size_of(row)].data();
    }
};

/// Rows of the picture, with the values that a kernel sees to both sides.
Rows rows_around(const ConvolutionRows& job) {
    const Form& form = job.source.form();
    const std::size_t n = size_of(form.channels);
    const BorderMode border = job.convolution.border.mode;
    const Row pixel = border_pixel(border_codes(form, job.convolution.border, job.convolution.border.alpha()), form, job.alpha == 1);
    const int wide = form.width + job.convolution.width - 1;
    Rows rows{std::vector<Row>(size_of(form.height), Row(size_of(wide) * n)), row_of(pixel, size_of(wide) * n), border};
    parallel_for(size_of(form.height), [&] { return Row(size_of(form.width) * n); },
                 [&](Row& own, std::size_t y) {
                     values_of_row(job.source.row(static_cast<int>(y)), form, job.alpha == 1, own.data());
                     for (int x = 0; x < wide; ++x) {
                         const int from = index_within(border, x + job.convolution.first.x, form.width);
                         std::copy_n(from < 0 ? pixel.data() : &own[size_of(from) * n], n, &rows.within[y][size_of(x) * n]);
                     }
                 });
    return rows;
}

/// Rows of a picture that are summed by `weights`, as long as the picture is wide.
Rows sums_along_x(const Rows& rows, const std::vector<double>& weights, const Form& form, const BorderCodes& beyond) {
    const std::size_t n = size_of(form.channels);
    const std::size_t width = size_of(form.width) * n;
    Rows sums{std::vector<Row>(rows.within.size(), Row(width)), row_of(border_pixel(beyond, form), width), rows.border};
    parallel_for(rows.within.size(), [&](std::size_t y) {
        Taps taps;
        for (std::size_t x = 0; x < weights.size(); ++x) {
            taps.add(weights[x], &rows.within[y][x * n]);
        }
        taps.sum(sums.within[y]);
    });
    return sums;
}

/// Makes every row of the result from the sums of `taps_of(y)`.
Image ended(const ConvolutionRows& job, const std::function<Taps(int y)>& taps_of) {
    const Form& form = job.source.form();
    Image result(form.width, form.height, form.channels, job.depth);
    const EndingTwin twin = ending_twin("kinds/convolution/end.glsl", job.depth, job.alpha);
    parallel_for(size_of(form.height), [&](std::size_t i) {
        const int y = static_cast<int>(i);
        Row sums(size_of(form.width) * size_of(form.channels));
        Row own(sums.size());
        taps_of(y).sum(sums);
        values_of_row(job.source.row(y), form, false, own.data());
        twin({.params = job.ending.data(), .sums = sums.data(), .second = own.data(), .to = result.row(y), .count = sums.size(),
              .channels = job.alpha == 0 ? 1 : form.channels});
    });
    return result;
}

} // namespace

Image convolved(const ConvolutionRows& job) {
    const Convolution& convolution = job.convolution;
    const Rows rows = rows_around(job);
    if (job.beyond.empty()) {
        const std::size_t n = size_of(job.source.channels());
        return ended(job, [&](int y) {
            Taps taps;
            for (int row = 0; row < convolution.height; ++row) {
                const float* from = rows.at(y + convolution.first.y + row);
                for (int x = 0; x < convolution.width; ++x) {
                    taps.add(convolution.weight(x, row), from + size_of(x) * n); // NOLINT: the row is as much wider
                }
            }
            return taps;
        });
    }
    std::vector<Rows> sums;
    for (std::size_t i = 0; i < job.beyond.size(); ++i) {
        sums.push_back(sums_along_x(rows, convolution.products[i].row, job.source.form(), job.beyond[i]));
    }
    return ended(job, [&](int y) {
        Taps taps;
        for (int row = 0; row < convolution.height; ++row) {
            for (std::size_t i = 0; i < sums.size(); ++i) {
                taps.add(convolution.products[i].column[size_of(row)], sums[i].at(y + convolution.first.y + row));
            }
        }
        return taps;
    });
}

} // namespace glproc
