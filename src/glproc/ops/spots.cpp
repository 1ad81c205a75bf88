#include "glproc/ops/spots.hpp"

#include "glproc/base/counted.hpp"
#include "glproc/base/error.hpp"
#include "glproc/kinds/hidden.hpp"
#include "glproc/op/describe.hpp"
#include "glproc/op/findings.hpp"
#include "glproc/op/table.hpp"
#include "glproc/ops/maxima/grey.hpp"
#include "glproc/ops/spots/scales.hpp"

#include <algorithm>
#include <array>
#include <cmath>
#include <cstdint>
#include <numeric>
#include <unordered_map>
#include <utility>

#include <fmt/format.h>

namespace glproc {

namespace {

constexpr Limit spot_radius_limit{1, 200};
constexpr Limit quality_limit{0, 1e30};
constexpr Limit overlap_limit{0, 1};

void check_spots(const Spots& op) {
    check_limit("radius", op.radius.x, spot_radius_limit);
    check_limit("radius", op.radius.y, spot_radius_limit);
    check_limit("overlap", op.overlap, overlap_limit);
    if (op.threshold) {
        check_limit("threshold", *op.threshold, quality_limit);
    }
    if (op.radius.x > op.radius.y) {
        throw Error(ErrorCode::usage,
                    fmt::format("--radius {},{} goes from large to small", op.radius.x, op.radius.y),
                    fmt::format("write --radius {},{}", op.radius.y, op.radius.x));
    }
}

double least_quality(const Spots& op) {
    constexpr std::array<double, 3> usual{0.2, 0.5, 0.01};
    return op.threshold ? op.threshold->value : usual[static_cast<std::size_t>(op.method)];
}

/// 0 is black, 1 white.
SpotPlane plane_of(const Image& image) {
    const Image grey = grey_of(image);
    const std::vector<bool> hidden = hidden_pixels(grey);
    SpotPlane plane{grey.width(), grey.height(), {}};
    for (int y = 0; y < grey.height(); ++y) {
        for (int x = 0; x < grey.width(); ++x) {
            const bool is_hidden = !hidden.empty() && hidden[plane.values.size()];
            plane.values.push_back(is_hidden ? 0 : grey.at(x, y, 0) / max_code(grey.depth()));
        }
    }
    return plane;
}

/// Three sizes; the middle one is searched. Beyond the first and the last one all is 0, as beyond
/// the picture.
struct Surroundings {
    const SpotPlane* smaller;
    const SpotPlane& middle;
    const SpotPlane* larger;

    bool is_largest(int x, int y) const {
        const double value = middle.at(x, y);
        bool is_largest = true;
        for (const SpotPlane* plane : {smaller, &middle, larger}) {
            for (int v = std::max(y - 1, 0); plane != nullptr && v <= std::min(y + 1, middle.height - 1);
                 ++v) {
                for (int u = std::max(x - 1, 0); is_largest && u <= std::min(x + 1, middle.width - 1); ++u) {
                    is_largest = value >= plane->at(u, v);
                }
            }
        }
        return is_largest;
    }
};

/// Where a quadratic through nine pixels is highest, at most half a pixel away; the middle where it is not,
/// or at an edge.
void refine(const SpotPlane& plane, int x, int y, Spot& spot) {
    if (x == 0 || y == 0 || x + 1 == plane.width || y + 1 == plane.height) {
        return;
    }
    const auto at = [&](int dx, int dy) { return plane.at(x + dx, y + dy); };
    const double gx = (at(1, 0) - at(-1, 0)) / 2;
    const double gy = (at(0, 1) - at(0, -1)) / 2;
    const double xx = at(1, 0) - 2 * at(0, 0) + at(-1, 0);
    const double yy = at(0, 1) - 2 * at(0, 0) + at(0, -1);
    const double xy = (at(1, 1) - at(-1, 1) - at(1, -1) + at(-1, -1)) / 4;
    const double volume = xx * yy - xy * xy;
    if (volume > 0 && xx < 0) {
        spot.x += std::clamp((xy * gy - yy * gx) / volume, -0.5, 0.5);
        spot.y += std::clamp((xy * gx - xx * gy) / volume, -0.5, 0.5);
    }
}

/// A maximum with the pixel and the size that it was found at.
struct Peak {
    Spot spot;
    int x = 0;
    int y = 0;
};

void find_peaks(const Surroundings& around, double radius, double least, bool subpixel,
                std::vector<Peak>& peaks) {
    for (int y = 0; y < around.middle.height; ++y) {
        for (int x = 0; x < around.middle.width; ++x) {
            const double value = around.middle.at(x, y);
            if (value > least && around.is_largest(x, y)) {
                Peak peak{{double(x), double(y), radius, value}, x, y};
                if (subpixel) {
                    refine(around.middle, x, y, peak.spot);
                }
                peaks.push_back(peak);
            }
        }
    }
}

/// Spots of one size that are kept, in squares of their diameter: none reaches farther than into the next
/// one.
class KeptSpots {
  public:
    explicit KeptSpots(double radius) : side_(2 * radius) {}

    void add(const Peak& peak) { squares_[key(square(peak.x), square(peak.y))].push_back(peak); }

    bool cover(const Peak& peak, double overlap) const {
        bool is_covered = false;
        for (int i = 0; i < 9 && !is_covered; ++i) {
            const auto found = squares_.find(key(square(peak.x) - 1 + i % 3, square(peak.y) - 1 + i / 3));
            const auto covers = [&](const Peak& kept) {
                const Spot one{double(kept.x), double(kept.y), kept.spot.radius, 0};
                return shared_area(one, {double(peak.x), double(peak.y), peak.spot.radius, 0}) > overlap;
            };
            is_covered = found != squares_.end() && std::ranges::any_of(found->second, covers);
        }
        return is_covered;
    }

  private:
    std::int64_t square(int at) const { return static_cast<std::int64_t>(at / side_) + 1; }
    static std::int64_t key(std::int64_t column, std::int64_t row) { return row << 32 | column; }

    double side_;
    std::unordered_map<std::int64_t, std::vector<Peak>> squares_;
};

/// Largest first, without those that a larger one covers, or a better one of the same size.
std::vector<Spot> without_covered(std::vector<Peak> peaks, double overlap) {
    std::ranges::stable_sort(peaks, [](const Peak& a, const Peak& b) {
        return a.spot.radius != b.spot.radius ? a.spot.radius > b.spot.radius
                                              : a.spot.quality < b.spot.quality;
    });
    std::vector<KeptSpots> kept;
    std::vector<Spot> spots;
    double radius = 0;
    for (const Peak& peak : peaks) {
        if (peak.spot.radius != radius) {
            radius = peak.spot.radius;
            kept.emplace_back(radius);
        }
        if (overlap < 1 &&
            std::ranges::any_of(kept, [&](const KeptSpots& larger) { return larger.cover(peak, overlap); })) {
            continue;
        }
        spots.push_back(peak.spot);
        kept.back().add(peak);
    }
    return spots;
}

Table table_of(std::vector<Spot> spots) {
    Table table{.columns = {{"x", ColumnType::real, "pixels"},
                            {"y", ColumnType::real, "pixels"},
                            {"radius", ColumnType::real, "pixels"},
                            {"quality", ColumnType::real}},
                .rows = {}};
    table.rows = [spots = std::move(spots)](const TakeRow& take) {
        for (const Spot& spot : spots) {
            const std::array<TableCell, 4> row{spot.x, spot.y, spot.radius, spot.quality};
            take(row);
        }
    };
    return table;
}

Report spots_report(const Spots& op, const std::string& name, const Image& image) {
    std::vector<Spot> spots = op(image);
    const std::string count = counted(spots.size(), "spot");
    add_finding(count);
    Value::Object facts{{"schema", {"glproc.spots/1"}},
                        {"input", {name}},
                        {"width", {std::int64_t{image.width()}}},
                        {"height", {std::int64_t{image.height()}}},
                        {"count", {static_cast<std::int64_t>(spots.size())}}};
    return report_of(std::move(facts), "spots", table_of(std::move(spots)),
                     fmt::format("{}  {}x{}  {}", name, image.width(), image.height(), count));
}

} // namespace

std::vector<Spot> Spots::operator()(const Image& image) const {
    check_spots(*this);
    SpotScales scales(method, radius, plane_of(image));
    std::vector<Peak> peaks;
    std::array<std::optional<SpotPlane>, 3> planes; // smaller, middle, larger
    planes[2] = scales.answer(0);
    for (std::size_t scale = 0; scale < scales.count(); ++scale) {
        planes[0] = std::exchange(planes[1], std::exchange(planes[2], std::nullopt));
        if (scale + 1 < scales.count()) {
            planes[2] = scales.answer(scale + 1);
        }
        const auto beside = [](const std::optional<SpotPlane>& plane) { return plane ? &*plane : nullptr; };
        find_peaks({beside(planes[0]), *planes[1], beside(planes[2])},
                   scales.sigma(scale) * spot_radius_per_sigma(method), least_quality(*this), subpixel,
                   peaks);
    }
    std::vector<Spot> spots = without_covered(std::move(peaks), overlap);
    std::ranges::stable_sort(spots, [](const Spot& a, const Spot& b) {
        return std::array{-a.quality, a.y, a.x} < std::array{-b.quality, b.y, b.x};
    });
    return spots;
}

const OpInfo& spots_info() {
    static const OpInfo info =
        Describe<Spots>("spots", "find bright spots of any size (blobs)", "in.png --radius 2,8")
            .alias("blobs")
            .example("Measure cells of 4 to 12 pixels, with parts of pixels, for a spreadsheet",
                     "photo.jpg --radius 4,12 --threshold 5% --subpixel --format csv")
            .found_by({"blob_log", "blob_dog", "blob_doh", "simpleblobdetector"}, "IN --radius 2,8")
            .field("radius", &Spots::radius,
                   {.value = "LO,HI",
                    .unit = "pixels",
                    .limit = spot_radius_limit,
                    .help = "the smallest and the largest radius of a spot",
                    .required = true})
            .field("method", &Spots::method, {.value = "M", .help = "the filter"})
            .field("threshold", &Spots::threshold,
                   {.value = "V",
                    .limit = quality_limit,
                    .help = "the least quality: how much a spot stands out; by default 0.2 for log, 0.5 for "
                            "dog, 0.01 for doh"})
            .field(
                "overlap", &Spots::overlap,
                {.value = "F",
                 .limit = overlap_limit,
                 .help = "of two spots that share more than this part of the smaller one, keep the larger"})
            .toggle("subpixel", &Spots::subpixel, true, {.help = "find the centres with parts of pixels"})
            .by_processor([](const Spots&) { return true; }, &spots_report)
            .by_rows({.grid =
                          [](const Spots&, Context&, const Form& form) {
                              return TileGrid{{form.width, form.height}};
                          },
                      .run = [](const Spots& op, Context&, const RowsInput& input,
                                RowWriter*) -> std::optional<Report> {
                          Image image(input.source.form);
                          input.source.open()->read(image.bytes());
                          return spots_report(op, input.name, image);
                      }})
            .runs(Product::report, [](const Spots& op, Context&, const ImageInput& input) -> Products {
                return spots_report(op, input.name, input.pixels);
            });
    return info;
}

} // namespace glproc
