#include "glproc/ops/histogram/masked.hpp"

#include "glproc/base/error.hpp"
#include "glproc/kinds/host_mask.hpp"
#include "glproc/ops/histogram/count.hpp"

#include <algorithm>
#include <cstring>
#include <functional>
#include <span>
#include <utility>

#include <fmt/format.h>

namespace glproc {

namespace {

void check_fit(const RowSource& rows, const CountedWithin& within) {
    if (!within.fits(rows.form)) {
        throw Error(ErrorCode::usage,
                    fmt::format("--mask {} is {}x{} pixels, and the image {}x{}", within.mask.path,
                                within.mask.image->width(), within.mask.image->height(), rows.form.width,
                                rows.form.height),
                    "give a mask of the size of the image");
    }
}

/// The set pixels of a band, one after another in a single row, and how many they are.
int gather_set(std::span<const std::byte> band, const HostMask& mask, int top, std::size_t pixel_bytes,
               std::span<std::byte> to) {
    const std::size_t row_bytes = static_cast<std::size_t>(mask.width) * pixel_bytes;
    int found = 0;
    for (std::size_t at = 0; at < band.size(); at += row_bytes, ++top) {
        for (int x = 0; x < mask.width; ++x) {
            if (mask.is_set(x, top)) {
                std::memcpy(&to[static_cast<std::size_t>(found++) * pixel_bytes],
                            &band[at + static_cast<std::size_t>(x) * pixel_bytes], pixel_bytes);
            }
        }
    }
    return found;
}

/// Calls `take` with the set pixels of each band that has any, as an image of one row.
void each_part(const RowSource& rows, const CountedWithin& within,
               const std::function<void(const Image&)>& take) {
    constexpr int band_pixels = 1 << 20;
    check_fit(rows, within);
    const HostMask mask = host_mask(*within.mask.image, MaskedPixels::nonzero);
    if (std::ranges::all_of(mask.words, [](std::uint32_t word) { return word == 0; })) {
        throw Error(ErrorCode::operation, fmt::format("--mask {} is black everywhere", within.mask.path),
                    "set the pixels that count to white");
    }
    const Form& form = rows.form;
    const std::size_t pixel_bytes = form.row_bytes() / static_cast<std::size_t>(form.width);
    const int most_rows = std::clamp(band_pixels / form.width, 1, form.height);
    const std::unique_ptr<RowReader> reader = rows.open();
    std::vector<std::byte> band;
    std::vector<std::byte> gathered;
    for (int y = 0; y < form.height; y += most_rows) {
        band.resize(static_cast<std::size_t>(std::min(most_rows, form.height - y)) * form.row_bytes());
        gathered.resize(band.size());
        reader->read(band);
        if (const int found = gather_set(band, mask, y, pixel_bytes, gathered); found > 0) {
            Image part(found, 1, form.channels, form.depth);
            std::memcpy(part.bytes().data(), gathered.data(), part.bytes().size());
            take(part);
        }
    }
}

} // namespace

std::vector<ChannelCounts> count_within(const RowSource& rows, const CountedWithin& within,
                                        const Histogram& histogram) {
    std::vector<ChannelCounts> all;
    each_part(rows, within, [&](const Image& part) { add_counts(all, count_on_cpu(part, histogram)); });
    return all;
}

void add_counts(std::vector<ChannelCounts>& to, std::vector<ChannelCounts> more) {
    if (to.empty()) {
        to = std::move(more);
        return;
    }
    for (std::size_t c = 0; c < to.size(); ++c) {
        std::ranges::transform(to[c].counts, more[c].counts, to[c].counts.begin(), std::plus<>());
        to[c].outside += more[c].outside;
        to[c].nan += more[c].nan;
    }
}

void add_range_within(const RowSource& rows, const CountedWithin& within, OwnRange& to) {
    each_part(rows, within, [&](const Image& part) { to.add(part.values<float>(), part.channels()); });
}

} // namespace glproc
