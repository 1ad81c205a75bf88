#include "glproc/ops/watershed/run.hpp"

#include "glproc/base/counted.hpp"
#include "glproc/base/error.hpp"
#include "glproc/base/parallel.hpp"
#include "glproc/kinds/hidden.hpp"
#include "glproc/op/findings.hpp"
#include "glproc/ops/distance/bands.hpp"
#include "glproc/ops/distance/cpu.hpp"
#include "glproc/ops/maxima/candidates.hpp"
#include "glproc/ops/maxima/grey.hpp"

#include <algorithm>
#include <cmath>
#include <functional>
#include <limits>

#include <fmt/format.h>

namespace glproc {

namespace {

/// A second picture of the size of the first one; else it belongs to another picture, such as a probe's.
const Image* fitting(const PictureInput& input, const Form& form) {
    const bool fits =
        input.image && input.image->width() == form.width && input.image->height() == form.height;
    return fits ? input.image.get() : nullptr;
}

/// Pixels outside the mask stay dry.
void keep_dry(const HostMask& mask, Basins& basins) {
    std::size_t i = 0;
    for (int y = 0; y < mask.height; ++y) {
        for (int x = 0; x < mask.width; ++x, ++i) {
            basins[i] = mask.is_set(x, y) ? basins[i] : dry;
        }
    }
}

} // namespace

bool shows_mask(const Watershed& op) {
    return op.output.value_or(op.split ? WatershedOutput::mask : WatershedOutput::labels) ==
           WatershedOutput::mask;
}

WatershedLand::WatershedLand(const Watershed& op, const Form& picture)
    : op_(op), picture_(picture), terrain_{picture.width,
                                           picture.height,
                                           {},
                                           op.split ? Connectivity::eight : op.connectivity},
      objects_{picture.width, picture.height, {}} {}

void WatershedLand::add(const Image& rows) {
    if (op_.split) {
        const HostMask more = host_mask(rows, MaskedPixels::nonzero);
        objects_.words.insert(objects_.words.end(), more.words.begin(), more.words.end());
        return;
    }
    for (const float value : grey_values(rows)) {
        terrain_.heights.push_back(std::isnan(value) ? std::numeric_limits<float>::infinity() : value);
    }
    const std::vector<bool> hidden = hidden_pixels(rows);
    hidden_.insert(hidden_.end(), hidden.begin(), hidden.end());
}

void WatershedLand::choose_markers(Basins& basins) {
    if (const Image* markers = fitting(op_.markers, picture_)) {
        std::size_t i = 0;
        for (const float number : grey_values(*markers)) {
            basins[i] = basins[i] == dry || !(number >= 1) ? basins[i] : static_cast<std::uint32_t>(number);
            ++i;
        }
        return;
    }
    mark_minima(terrain_, basins);
    if (op_.split) {
        drop_shallow_minima(terrain_, op_.prominence.value_or(1.0), 0, basins);
    } else if (op_.prominence) {
        drop_shallow_minima(terrain_, *op_.prominence * max_code(picture_.depth),
                            std::numeric_limits<float>::infinity(), basins);
    }
}

Basins WatershedLand::basins() {
    if (op_.split) {
        std::vector<float>& heights = terrain_.heights;
        heights = distances_on_cpu(inverted(objects_), 0, no_sites_beyond(picture_.width),
                                   {.width = picture_.width, .height = picture_.height})
                      .values;
        std::transform(heights.begin(), heights.end(), heights.begin(), std::negate<>());
    }
    Basins basins(terrain_.heights.size());
    for (std::size_t i = 0; i < hidden_.size(); ++i) {
        basins[i] = hidden_[i] ? dry : 0;
    }
    if (op_.split) {
        keep_dry(objects_, basins);
    }
    if (const Image* mask = fitting(op_.mask, picture_)) {
        keep_dry(host_mask(*mask, MaskedPixels::nonzero), basins);
    }
    choose_markers(basins);
    flood(terrain_, basins);
    terrain_.heights = {};
    std::replace(basins.begin(), basins.end(), dry, 0U);
    return op_.lines || shows_mask(op_) ? with_lines(basins) : basins;
}

Basins WatershedLand::with_lines(const Basins& basins) const {
    Basins parted(basins.size());
    const auto width = static_cast<std::size_t>(picture_.width);
    const auto height = static_cast<std::size_t>(picture_.height);
    parallel_for(height, [&](std::size_t y) {
        for (std::size_t x = 0; x < width; ++x) {
            const std::uint32_t here = basins[y * width + x];
            std::uint32_t largest = here;
            for (std::size_t v = std::max<std::size_t>(y, 1) - 1; v <= std::min(y + 1, height - 1); ++v) {
                for (std::size_t u = std::max<std::size_t>(x, 1) - 1; u <= std::min(x + 1, width - 1); ++u) {
                    largest = std::max(largest, basins[v * width + u]);
                }
            }
            parted[y * width + x] = largest > here ? 0 : here;
        }
    });
    return parted;
}

RowsMade WatershedLook::next(Context& gpu, Band& band) {
    land_.add(op_.split ? band.pixels() : grey_rows(gpu, band, cut_, op_.method == WatershedMethod::cpu));
    return {};
}

void WatershedLook::end(Context&) {
    if (std::int64_t{cut_.picture.width} * cut_.picture.height >= std::int64_t{dry}) {
        throw Error(ErrorCode::operation, "watershed is for images of up to 4294967294 pixels");
    }
    basins_ = land_.basins();
    const std::uint32_t count = basins_.empty() ? 0 : *std::max_element(basins_.begin(), basins_.end());
    add_finding(counted(count, "region"));
}

/// `value` of each label.
template <class T, class Value>
std::vector<std::byte> WatershedLook::rows_of(const Band& band, const Value& value) const {
    const auto width = static_cast<std::size_t>(cut_.picture.width);
    const auto rows = std::span(basins_).subspan(width * static_cast<std::size_t>(band.first_row()),
                                                 width * static_cast<std::size_t>(band.rows()));
    std::vector<T> values(rows.size());
    std::transform(rows.begin(), rows.end(), values.begin(), value);
    const auto bytes = std::as_bytes(std::span(values));
    return {bytes.begin(), bytes.end()};
}

std::vector<std::byte> WatershedLook::labels(const Band& band) const {
    return rows_of<std::uint32_t>(band, [](std::uint32_t label) { return label; });
}

std::vector<std::byte> WatershedLook::pixels(const Band& band) const {
    if (shows_mask(op_)) {
        return rows_of<std::uint8_t>(band,
                                     [](std::uint32_t label) { return std::uint8_t(label != 0 ? 255 : 0); });
    }
    return rows_of<std::uint16_t>(band, [](std::uint32_t label) {
        if (label > 65535) {
            throw Error(ErrorCode::operation,
                        fmt::format("region {} has a larger number than 16 bits hold", label),
                        "write the labels to a .npy file");
        }
        return static_cast<std::uint16_t>(label);
    });
}

} // namespace glproc
