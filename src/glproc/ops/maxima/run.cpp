#include "glproc/ops/maxima/run.hpp"

#include "glproc/base/counted.hpp"
#include "glproc/kinds/value_order.hpp"
#include "glproc/op/findings.hpp"
#include "glproc/ops/components/labelling.hpp"
#include "glproc/ops/maxima/grey.hpp"
#include "glproc/ops/maxima/prominence.hpp"

#include <algorithm>
#include <cmath>
#include <cstring>
#include <numeric>
#include <type_traits>
#include <utility>

#include <fmt/format.h>

namespace glproc {

namespace {

/// The last rows of `above`, then all rows of `below`.
Image joined(const Image& above, int kept, const Image& below) {
    Form form = below.form();
    form.height += kept;
    Image all(form);
    std::memcpy(all.row(0),
                above.row(0) + above.row_bytes() * static_cast<std::size_t>(above.height() - kept),
                above.row_bytes() * static_cast<std::size_t>(kept));
    std::memcpy(all.row(0) + above.row_bytes() * static_cast<std::size_t>(kept), below.row(0),
                below.bytes().size());
    return all;
}

/// Without those that are nearer than `distance` to an earlier one, both along x and along y. Such two are
/// equal, because each is the largest around itself.
std::vector<Maximum> spaced(std::vector<Maximum> maxima, int distance, const Form& form) {
    if (distance == 1) {
        return maxima;
    }
    const int columns = form.width / distance + 1;
    const int rows = form.height / distance + 1;
    std::vector<std::uint32_t> taken( // 1 + the one maximum at most of a square as wide as the distance
        static_cast<std::size_t>(columns) * static_cast<std::size_t>(rows));
    std::vector<Maximum> kept;
    const auto square = [&](int column, int row) -> std::uint32_t& {
        return taken[static_cast<std::size_t>(row) * static_cast<std::size_t>(columns) +
                     static_cast<std::size_t>(column)];
    };
    const auto is_near = [&](const Maximum& maximum, int column, int row) {
        if (column < 0 || row < 0 || column >= columns || row >= rows || square(column, row) == 0) {
            return false;
        }
        const Maximum& other = kept[square(column, row) - 1];
        return std::abs(other.x - maximum.x) < distance && std::abs(other.y - maximum.y) < distance;
    };
    for (const Maximum& maximum : maxima) {
        const int column = maximum.x / distance;
        const int row = maximum.y / distance;
        bool is_free = true;
        for (int i = 0; i < 9 && is_free; ++i) {
            is_free = !is_near(maximum, column - 1 + i % 3, row - 1 + i / 3);
        }
        if (is_free) {
            kept.push_back(maximum);
            square(column, row) = static_cast<std::uint32_t>(kept.size());
        }
    }
    return kept;
}

/// Numbers of full scale as code units.
double codes_of(const Level& level, Depth depth) {
    return level * max_code(depth);
}

/// The highest first; equal ones stay in their order.
std::vector<Maximum> sorted(const std::vector<Maximum>& found) {
    std::vector<float> depths(found.size());
    std::transform(found.begin(), found.end(), depths.begin(),
                   [](const Maximum& maximum) { return -maximum.value; });
    const std::vector<std::uint32_t> order = in_order_of_value(depths);
    std::vector<Maximum> result(order.size());
    std::transform(order.begin(), order.end(), result.begin(), [&](std::uint32_t i) { return found[i]; });
    return result;
}

} // namespace

MaximaSearch search_of(const Maxima& op, Depth depth) {
    MaximaSearch search{.distance = op.distance, .border = op.border ? 0 : op.distance};
    if (op.threshold) { // the smallest value above it
        const double at = codes_of(*op.threshold, depth);
        if (depth == Depth::f32) {
            const auto near = static_cast<float>(at);
            search.from = near > at ? near : std::nextafter(near, std::numeric_limits<float>::infinity());
        } else {
            search.from = static_cast<float>(std::floor(at) + 1);
        }
    }
    return search;
}

std::vector<Maximum> chosen_maxima(const Maxima& op, const Form& form, std::vector<Maximum> found,
                                   float least, std::span<const float> grey) {
    if (!op.threshold) {
        std::erase_if(found, [least](const Maximum& maximum) { return !(maximum.value > least); });
    }
    found = sorted(found);
    if (op.prominence) {
        set_prominences({form.width, form.height, grey}, least, found);
        const double most = codes_of(*op.prominence, form.depth);
        std::erase_if(found, [most](const Maximum& maximum) { return !(maximum.prominence >= most); });
    }
    return spaced(std::move(found), op.distance, form);
}

std::vector<Maximum> maxima_on_cpu(const Maxima& op, const Image& grey) {
    const Form& form = grey.form();
    const Candidates found = candidates_on_cpu(grey, search_of(op, form.depth), {0, form.height, 0, form.height});
    Plateaus plateaus;
    plateaus.add(found.mask, 0);
    std::vector<Maximum> maxima;
    for (const Plateaus::Beginning& first : plateaus.firsts()) {
        const auto value = static_cast<float>(grey.at(first.place.x, first.place.y, 0));
        maxima.push_back({first.place.x, first.place.y, value});
    }
    const std::vector<float> values = op.prominence ? grey_values(grey) : std::vector<float>();
    return chosen_maxima(op, form, std::move(maxima), found.least, values);
}

void add_maxima_finding(std::size_t count) {
    add_finding(counted(count, "maximum", "maxima"));
}

/// Searches some rows of an image on the GPU or in CPU memory.
template <class Grey>
void MaximaLook::look(Context& gpu, const Grey& grey, const SearchedRows& rows) {
    Candidates found;
    if constexpr (std::is_same_v<Grey, GpuImage>) {
        found = candidates_of(gpu, grey, search_, rows);
    } else {
        found = candidates_on_cpu(grey, search_, rows);
    }
    least_ = std::min(least_, found.least);
    const std::size_t before = plateaus_.beginnings().size();
    plateaus_.add(found.mask, rows.top + rows.first);
    const auto begun = std::span(plateaus_.beginnings()).subspan(before);
    std::vector<PixelPlace> places;
    for (const Plateaus::Beginning& beginning : begun) {
        places.push_back({beginning.place.x, beginning.place.y - rows.top});
    }
    std::vector<float> values;
    if constexpr (std::is_same_v<Grey, GpuImage>) {
        values = values_at(gpu, grey, places);
    } else {
        values = values_at(grey, places);
    }
    for (std::size_t i = 0; i < begun.size(); ++i) {
        begun[i].value = values[i];
    }
}

/// Searches the rows of a window whose neighbours are there, and keeps those that others still need.
void MaximaLook::look_at_window(Context& gpu, bool is_last) {
    const int end = top_ + window_->height() - (is_last ? 0 : op_.distance);
    if (end <= searched_) {
        return;
    }
    const SearchedRows rows{top_, cut_.picture.height, searched_ - top_, end - searched_};
    if (op_.method == MaximaMethod::cpu || cut_.is_wide) {
        look(gpu, *window_, rows);
    } else {
        look(gpu, gpu.upload(*window_), rows);
    }
    searched_ = end;
}

void MaximaLook::look_at_all(Context& gpu, const GpuImage& grey) {
    if (grey.height() <= most_labelled_rows(gpu, grey.width())) {
        FirstPixels found = first_pixels_of(gpu, grey, search_);
        points_ = std::move(found.points);
        least_ = found.least;
    } else {
        look(gpu, grey, {0, grey.height(), 0, grey.height()});
    }
    if (op_.prominence) {
        values_ = grey_values(gpu.download(grey));
    }
}

/// The first pixels of plateaus.
std::vector<Maximum> MaximaLook::found() const {
    std::vector<Maximum> found;
    found.reserve(points_.size());
    const auto width = static_cast<std::uint32_t>(cut_.picture.width);
    for (const FirstPixels::Point& point : points_) {
        const std::uint32_t y = point.pixel / width;
        found.push_back({static_cast<int>(point.pixel - y * width), static_cast<int>(y),
                         value_of(point, cut_.picture.depth)});
    }
    for (const Plateaus::Beginning& first : plateaus_.firsts()) {
        found.push_back({first.place.x, first.place.y, first.value});
    }
    return found;
}

RowsMade MaximaLook::next(Context& gpu, Band& band) {
    if (cut_.is_whole() && op_.method != MaximaMethod::cpu && !cut_.is_wide) {
        std::optional<GpuImage> made;
        look_at_all(gpu, grey_of(gpu, band.image(), made));
        return {};
    }
    Image rows = grey_rows(gpu, band, cut_, op_.method == MaximaMethod::cpu);
    if (op_.prominence) {
        const std::vector<float> values = grey_values(rows);
        values_.insert(values_.end(), values.begin(), values.end());
    }
    if (window_) {
        const int kept = std::min(window_->height(), top_ + window_->height() - searched_ + op_.distance);
        top_ += window_->height() - kept;
        window_ = joined(*window_, kept, rows);
    } else {
        window_ = std::move(rows);
    }
    look_at_window(gpu, band.first_row() + band.rows() == cut_.picture.height);
    return {};
}

void MaximaLook::end(Context&) {
    window_.reset();
    maxima_ = chosen_maxima(op_, cut_.picture, found(), least_, values_);
    values_ = {};
    points_ = {};
    add_maxima_finding(maxima_.size());
}

MaximaShow::MaximaShow(const MaximaLook& look)
    : look_(look), row_ends_(static_cast<std::size_t>(look.picture().height) + 1),
      columns_(look.maxima().size()) {
    for (const Maximum& maximum : maxima()) {
        ++row_ends_[static_cast<std::size_t>(maximum.y) + 1];
    }
    std::partial_sum(row_ends_.begin(), row_ends_.end(), row_ends_.begin());
    for (const Maximum& maximum : maxima()) { // the end of a row begins where the row before ends
        columns_[row_ends_[static_cast<std::size_t>(maximum.y)]++] = maximum.x;
    }
}

RowsMade MaximaShow::next(Context&, Band& band) {
    const auto width = static_cast<std::size_t>(look_.picture().width);
    std::vector<std::byte> pixels(width * static_cast<std::size_t>(band.rows()));
    for (std::size_t row = 0; row < static_cast<std::size_t>(band.rows()); ++row) {
        const std::size_t y = row + static_cast<std::size_t>(band.first_row());
        for (std::size_t i = y == 0 ? 0 : row_ends_[y - 1]; i < row_ends_[y]; ++i) {
            pixels[row * width + static_cast<std::size_t>(columns_[i])] = std::byte{255};
        }
    }
    return pixels;
}

} // namespace glproc
