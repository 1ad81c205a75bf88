#include "glproc/ops/compare.hpp"

#include "glproc/base/parallel.hpp"
#include "glproc/files/memory_rows.hpp"
#include "glproc/op/codes.hpp"
#include "glproc/op/describe.hpp"
#include "glproc/ops/compare/pair.hpp"

#include <algorithm>
#include <array>
#include <cmath>
#include <limits>
#include <span>
#include <tuple>
#include <vector>

#include <fmt/format.h>

namespace glproc {

namespace {

constexpr Limit diff_limit{0, 1e30};
constexpr Limit gain_limit{1, 65536};
constexpr Limit psnr_limit{0, 1000};
constexpr Limit ssim_limit{-1, 1};
constexpr int window_radius = 5; // of a Gaussian of sigma 1.5, cut off at 3.5 sigma
constexpr double window_sigma = 1.5;

/// The parameters of `compare`.
struct Compare {
    PictureInput with;
    PictureFile map;
    std::optional<double> map_gain;
    DifferenceMap map_style = DifferenceMap::amount;
    std::optional<Codes> max_diff;
    std::optional<double> min_psnr;
    std::optional<double> min_ssim;
};

/// The amounts that one row adds to the figures.
struct RowDifference {
    double squares = 0;
    double largest = 0;
    int x = 0;
    std::int64_t pixels = 0;
};

RowDifference compare_row(const Image& a, const Image& b, int y) {
    RowDifference row;
    for (int x = 0; x < a.width(); ++x) {
        bool differs = false;
        for (int c = 0; c < a.channels(); ++c) {
            const double d = distance(a.at(x, y, c), b.at(x, y, c));
            row.squares += d * d;
            differs = differs || d > 0;
            if (d > row.largest) {
                row.largest = d;
                row.x = x;
            }
        }
        row.pixels += differs ? 1 : 0;
    }
    return row;
}

std::array<double, 2 * window_radius + 1> window_weights() {
    std::array<double, 2 * window_radius + 1> weights{};
    double sum = 0;
    for (int i = -window_radius; i <= window_radius; ++i) {
        sum += weights[static_cast<std::size_t>(i + window_radius)] =
            std::exp(-i * i / (2 * window_sigma * window_sigma));
    }
    for (double& weight : weights) {
        weight /= sum;
    }
    return weights;
}

/// Weighted means of a, b, a^2, b^2 and a b under the window.
using Moments = std::array<double, 5>;

double similarity(const Moments& m, double full) {
    // For a sample, as skimage has it: 11 x 11 pixels minus one.
    constexpr double pixels = (2.0 * window_radius + 1) * (2.0 * window_radius + 1);
    constexpr double sample = pixels / (pixels - 1);
    const double c1 = 0.01 * full * 0.01 * full;
    const double c2 = 0.03 * full * 0.03 * full;
    const double variances = sample * (m[2] - m[0] * m[0]) + sample * (m[3] - m[1] * m[1]);
    const double covariance = sample * (m[4] - m[0] * m[1]);
    return (2 * m[0] * m[1] + c1) * (2 * covariance + c2) /
           ((m[0] * m[0] + m[1] * m[1] + c1) * (variances + c2));
}

using Doubles = std::vector<double>;

template <class T>
void copy_row(const Image& image, int y, Doubles& row) {
    const std::span<const T> values =
        image.values<T>().subspan(static_cast<std::size_t>(y) * row.size(), row.size());
    std::copy(values.begin(), values.end(), row.begin());
}

void copy_row(const Image& image, int y, Doubles& row) {
    switch (image.depth()) {
    case Depth::u8:
        return copy_row<std::uint8_t>(image, y, row);
    case Depth::u16:
        return copy_row<std::uint16_t>(image, y, row);
    case Depth::f32:
        return copy_row<float>(image, y, row);
    }
}

/// The moments of the values of a row, each in an array of its own, so that several are computed at once.
using MomentRows = std::array<Doubles, std::tuple_size_v<Moments>>;

/// The moments of the rows under the window around row y.
MomentRows column_moments(const Image& a, const Image& b, int y) {
    static const auto weights = window_weights();
    const std::size_t values = static_cast<std::size_t>(a.width()) * static_cast<std::size_t>(a.channels());
    MomentRows sums;
    sums.fill(Doubles(values));
    Doubles v(values);
    Doubles w(values);
    for (int dy = -window_radius; dy <= window_radius; ++dy) {
        const double weight = weights[static_cast<std::size_t>(dy + window_radius)];
        copy_row(a, y + dy, v);
        copy_row(b, y + dy, w);
        for (std::size_t i = 0; i < values; ++i) {
            sums[0][i] += weight * v[i];
            sums[1][i] += weight * w[i];
            sums[2][i] += weight * (v[i] * v[i]);
            sums[3][i] += weight * (w[i] * w[i]);
            sums[4][i] += weight * (v[i] * w[i]);
        }
    }
    return sums;
}

/// The weighted means of values `step` apart; the first of them belongs to the result's value.
Doubles along_x(const Doubles& columns, std::size_t step) {
    static const auto weights = window_weights();
    Doubles sums(columns.size() - (weights.size() - 1) * step);
    for (std::size_t k = 0; k < weights.size(); ++k) {
        for (std::size_t i = 0; i < sums.size(); ++i) {
            sums[i] += weights[k] * columns[i + k * step];
        }
    }
    return sums;
}

/// The sum of similarities over row y, all channels.
double similarity_of_row(const Image& a, const Image& b, int y) {
    const auto channels = static_cast<std::size_t>(a.channels());
    MomentRows moments = column_moments(a, b, y);
    for (Doubles& row : moments) {
        row = along_x(row, channels);
    }
    const double full = max_code(a.depth());
    double sum = 0;
    for (std::size_t c = 0; c < channels; ++c) {
        for (std::size_t i = c; i < moments[0].size(); i += channels) {
            sum +=
                similarity({moments[0][i], moments[1][i], moments[2][i], moments[3][i], moments[4][i]}, full);
        }
    }
    return sum;
}

std::optional<double> similarity_of(const Image& a, const Image& b) {
    const int rows = a.height() - 2 * window_radius;
    const int columns = a.width() - 2 * window_radius;
    if (rows < 1 || columns < 1) {
        return std::nullopt;
    }
    std::vector<double> sums(static_cast<std::size_t>(rows));
    parallel_for(sums.size(), [&](std::size_t i) {
        sums[i] = similarity_of_row(a, b, static_cast<int>(i) + window_radius);
    });
    double sum = 0;
    for (const double row : sums) {
        sum += row;
    }
    return sum / (double(rows) * columns * a.channels());
}

/// Why the call failed: a bound was exceeded. `white` is the unit of the differences.
std::string failure_of(const Compare& op, const Difference& difference, double white) {
    if (op.max_diff && !(difference.max_diff <= op.max_diff->of(white))) {
        return fmt::format("the images differ by up to {:.6g}, more than --max-diff {}", difference.max_diff,
                           FieldText<Codes>::print(*op.max_diff));
    }
    if (op.min_psnr && !(difference.psnr >= *op.min_psnr)) {
        return fmt::format("the images have a PSNR of {:.3f} dB, less than --min-psnr {:.6g}",
                           difference.psnr, *op.min_psnr);
    }
    if (op.min_ssim && !difference.ssim) {
        return "--min-ssim needs images of 11x11 pixels or more";
    }
    if (op.min_ssim && !(*difference.ssim >= *op.min_ssim)) {
        return fmt::format("the images have an SSIM of {:.6f}, less than --min-ssim {:.6g}",
                           *difference.ssim, *op.min_ssim);
    }
    return {};
}

Report report_of(const Compare& op, const std::string& name, const Image& image) {
    const double pixels = double(image.width()) * image.height();
    const Difference difference = compare(image, *op.with.image);
    const std::string ssim = difference.ssim ? fmt::format("{:.6f}", *difference.ssim) : "n/a";
    const std::string psnr =
        std::isinf(difference.psnr) ? "equal" : fmt::format("{:.3f} dB", difference.psnr);
    const Depth depth = std::max(image.depth(), op.with.image->depth());
    Report report;
    report.tree = {
        Value::Object{{"schema", {"glproc.compare/1"}},
                      {"input", {name}},
                      {"with", {op.with.path}},
                      {"mse", pixel_value(difference.mse, depth)}, // values that are not finite become null
                      {"psnr", {difference.psnr}},
                      {"ssim", {difference.ssim.value_or(std::numeric_limits<double>::quiet_NaN())}},
                      {"max_diff", pixel_value(difference.max_diff, depth)},
                      {"at", {Value::List{{std::int64_t{difference.x}}, {std::int64_t{difference.y}}}}},
                      {"pixels", {difference.pixels}}}};
    report.csv =
        fmt::format("mse,psnr,ssim,max_diff,x,y,pixels\n{},{},{},{},{},{},{}\n", difference.mse,
                    difference.psnr, difference.ssim.value_or(std::numeric_limits<double>::quiet_NaN()),
                    difference.max_diff, difference.x, difference.y, difference.pixels);
    report.text = [=, with = op.with.path](const TextShape&) {
        return fmt::format("{}  {}\nmse {:.6g}  psnr {}  ssim {}  largest difference {:.6g} at {},{}  "
                           "differing pixels {} ({:.4g}%)\n",
                           name, with, difference.mse, psnr, ssim, difference.max_diff, difference.x,
                           difference.y, difference.pixels, 100 * double(difference.pixels) / pixels);
    };
    report.failure = failure_of(op, difference, max_code(depth));
    return report;
}

/// With the map, which comes out of a device.
Report report_of(const Compare& op, Context& gpu, const std::string& name, const Image& image) {
    if (op.map.is_drawing()) {
        throw Error(ErrorCode::usage, "--map writes pixels, and .svg cannot hold them", "name it .png");
    }
    Report report = report_of(op, name, image);
    if (!op.map.path.empty()) {
        report.picture =
            gpu.upload(difference_map(image, *op.with.image, op.map_style, op.map_gain.value_or(1)), "map");
        report.picture_meaning = op.map_style == DifferenceMap::amount ? Meaning::numbers : Meaning::kept;
    }
    return report;
}

} // namespace

Difference compare(const Image& first, const Image& second) {
    const auto [a, b] = in_one_depth(first, second);
    std::vector<RowDifference> rows(static_cast<std::size_t>(a.height()));
    parallel_for(rows.size(), [&a = a, &b = b, &rows](std::size_t y) {
        rows[y] = compare_row(a, b, static_cast<int>(y));
    });
    Difference difference;
    double squares = 0;
    for (std::size_t y = 0; y < rows.size(); ++y) {
        squares += rows[y].squares;
        difference.pixels += rows[y].pixels;
        if (rows[y].largest > difference.max_diff) {
            difference.max_diff = rows[y].largest;
            difference.x = rows[y].x;
            difference.y = static_cast<int>(y);
        }
    }
    difference.mse = squares / (double(a.width()) * a.height() * a.channels());
    const double full = max_code(a.depth());
    difference.psnr = difference.mse == 0 ? std::numeric_limits<double>::infinity()
                                          : 10 * std::log10(full * full / difference.mse);
    difference.ssim = similarity_of(a, b);
    return difference;
}

const OpInfo& compare_info() {
    static const OpInfo info =
        Describe<Compare>("compare",
                          "measure how much two images differ: MSE, PSNR, SSIM",
                          "in.png other.png")
            .alias("diff")
            .example("Fail if two images differ visibly, and show where in red",
                     "photo.jpg photo.jpg --min-ssim 0.98 --map map.png --map-style red")
            .example("Compare two folders, one row per pair", "photos others --format csv")
            .found_by({"psnr", "ssim", "--metric", "--psnr", "--ssim"}, "IN OTHER")
            .found_by({"matchtemplate"})
            .cost({.llvmpipe = 30, .alone = 12})
            .field("with", &Compare::with,
                   {.value = "OTHER",
                    .help = "the image to compare IN with, or a folder of images with the same names",
                    .required = true,
                    .place = true})
            .field("map", &Compare::map, {.value = "FILE", .help = "also write the differences as an image"})
            .field("map-gain", &Compare::map_gain,
                   {.value = "G",
                    .limit = gain_limit,
                    .help = "multiply the differences in the map",
                    .needs = "map",
                    .standard = "1"})
            .field("map-style", &Compare::map_style,
                   {.value = "S", .help = "how the map shows differences", .needs = "map"})
            .field("min-psnr", &Compare::min_psnr,
                   {.value = "DB",
                    .unit = "dB",
                    .limit = psnr_limit,
                    .help = "exit with status 1 if the PSNR is lower"})
            .field("min-ssim", &Compare::min_ssim,
                   {.value = "S", .limit = ssim_limit, .help = "exit with status 1 if the SSIM is lower"})
            .field("max-diff", &Compare::max_diff,
                   {.value = "V",
                    .limit = diff_limit,
                    .help =
                        "exit with status 1 if a pixel value differs by more. A bare number is a code of the image"})
            .by_processor([](const Compare& op) { return op.map.path.empty(); }, &report_of)
            .by_rows({.grid =
                          [](const Compare&, Context&, const Form& form) {
                              return TileGrid{{form.width, form.height}};
                          },
                      .run = [](const Compare& op, Context& gpu, const RowsInput& input,
                                RowWriter*) -> std::optional<Report> {
                          Image image(input.source.form);
                          input.source.open()->read(image.bytes());
                          return report_of(op, gpu, input.name, image);
                      }})
            .runs(Product::report, [](const Compare& op, Context& gpu, const ImageInput& input) -> Products {
                return report_of(op, gpu, input.name, input.pixels);
            });
    return info;
}

} // namespace glproc
