#include "glproc/ops/distance/transform.hpp"

#include "glproc/base/covering.hpp"

#include <algorithm>
#include <cmath>
#include <string>
#include <utility>

#include <fmt/format.h>

namespace glproc {

namespace {

constexpr std::int64_t strip_rows = 64;         // of glsl/distance/ends.comp
constexpr std::int64_t segment_columns = 1024;  // of glsl/distance/near.comp
constexpr std::int64_t section_columns = 8192;  // of glsl/distance/far.comp
constexpr std::uint64_t near_distances = 33; // what glsl/distance/near.comp finds is less
constexpr std::int64_t far_points = 16; // columns beyond the picture that glsl/distance/far.comp looks at
constexpr auto word_bytes = static_cast<std::int64_t>(sizeof(std::uint32_t));

std::int64_t parts(std::int64_t all, std::int64_t part) {
    return covering(all, part);
}

template <class T>
std::uint32_t whole(T value) {
    return static_cast<std::uint32_t>(value);
}

/// Words of a row of b_rows, as glsl/lib/sites.glsl has them.
std::int64_t site_words(const DistanceForm& form) {
    const std::int64_t pairs = (form.width + 1) / 2;
    return form.row_bits() == 16 ? pairs : 2 * pairs;
}

/// Words that a pixel takes in the larger of the results.
std::int64_t result_words(const DistanceForm& form) {
    return form.is_wide() || form.sites ? 2 : 1;
}

} // namespace

const char* metric_define(Metric metric) {
    return metric == Metric::euclidean ? "0" : metric == Metric::taxicab ? "1" : "2";
}

bool DistanceForm::is_wide() const {
    if (metric != Metric::euclidean) {
        return false;
    }
    const auto across = static_cast<std::uint64_t>(width + far_points);
    const auto down = static_cast<std::uint64_t>(height);
    return across * across + down * down >= UINT32_MAX;
}

std::uint64_t square_within(Metric metric, double distance) {
    constexpr double most = 4294967295.0; // more than any picture's
    const auto is_within = [&](std::uint64_t square) {
        return std::sqrt(static_cast<double>(square)) <= distance;
    };
    if (distance >= most) {
        return std::numeric_limits<std::uint64_t>::max();
    }
    if (metric != Metric::euclidean) {
        return static_cast<std::uint64_t>(distance);
    }
    auto square = static_cast<std::uint64_t>(distance * distance);
    while (!is_within(square)) {
        --square;
    }
    while (is_within(square + 1)) {
        ++square;
    }
    return square;
}

PixelRows pixel_rows(const Limits& limits, int width, std::int64_t row, std::int64_t count,
                     std::int64_t pixel_words) {
    const std::int64_t alignment = std::max<std::int64_t>(limits.storage_alignment / word_bytes, 4);
    const std::int64_t first = row * width / alignment * alignment;
    const std::int64_t end = (row + count) * width;
    return {{static_cast<std::size_t>(first * pixel_words * word_bytes),
             static_cast<std::size_t>((end - first) * pixel_words * word_bytes)},
            whole(first)};
}

std::int64_t most_pixel_rows(const Limits& limits, int width, std::int64_t pixel_words) {
    const std::int64_t room = limits.storage_block_bytes / (pixel_words * word_bytes) - 64;
    return std::max<std::int64_t>(room / width, 1);
}

SitesBeyond no_sites_beyond(int width) {
    return SitesBeyond(2 * static_cast<std::size_t>(width), ~0U);
}

DistanceTransform::DistanceTransform(Context& gpu, const DistanceForm& form, MaskBits sites, int origin)
    : gpu_(gpu), form_(form), sites_(std::move(sites)), origin_(origin) {}

double DistanceTransform::pixel_bytes(const DistanceForm& form) {
    const double results = 4.0 * (form.is_wide() ? 2 : 1) + (form.sites ? 8 : 0);
    return results + form.row_bits() / 8.0 + 1; // and masks, ends, least distances: less than a byte
}

int DistanceTransform::most_rows(Context& gpu, const DistanceForm& form) {
    const std::int64_t row_words = std::max(site_words(form), std::int64_t{form.width} * 2 / strip_rows);
    return static_cast<int>(std::min<std::int64_t>(
        gpu.limits().storage_block_bytes / (row_words * word_bytes), gpu.limits().group_count[1]));
}

Buffer DistanceTransform::words(std::int64_t count, const char* label) const {
    return gpu_.make_buffer(static_cast<std::size_t>(count * word_bytes), label);
}

Pass DistanceTransform::pass(const char* name, const Defines& defines) const {
    Pass pass = gpu_.pass(fmt::format("distance.{}", name), fmt::format("distance/{}.comp", name), defines);
    pass.set("u_width", whole(form_.width));
    return pass;
}

/// The results of distance/carry.comp.
struct DistanceTransform::Strips {
    std::int64_t count;
    Buffer firsts;
    Buffer lasts;
    Buffer seen;
};

DistanceTransform::Strips DistanceTransform::strips(const SitesBeyond& beyond) const {
    const std::int64_t count = parts(sites_.height, strip_rows);
    Strips strips{count, words(count * form_.width, "distance.firsts"),
                  words(count * form_.width, "distance.lasts"),
                  words(2 * std::int64_t{form_.width}, "distance.seen")};
    Buffer outside = words(2 * std::int64_t{form_.width}, "distance.beyond");
    outside.write(beyond);
    pass("ends")
        .reads("b_bits", sites_.words)
        .writes("b_firsts", strips.firsts)
        .writes("b_lasts", strips.lasts)
        .set("u_height", whole(sites_.height))
        .set("u_row_words", whole(sites_.row_words()))
        .set("u_origin", whole(origin_))
        .groups(parts(form_.width, 64), count);
    pass("carry")
        .reads("b_beyond", outside)
        .updates("b_firsts", strips.firsts)
        .updates("b_lasts", strips.lasts)
        .writes("b_seen", strips.seen)
        .set("u_strips", whole(count))
        .groups(parts(form_.width, 32), 2);
    return strips;
}

SitesBeyond DistanceTransform::ends() {
    const SitesBeyond none = no_sites_beyond(form_.width);
    return strips(none).seen.read<std::uint32_t>(none.size());
}

/// The row of each pixel's nearest site in its column: b_rows.
Buffer DistanceTransform::rows(const SitesBeyond& beyond) const {
    const Strips found = strips(beyond);
    Buffer rows = words(site_words(form_) * sites_.height, "distance.rows");
    pass("nearest", {{"ROW_BITS", text(form_.row_bits())}})
        .reads("b_bits", sites_.words)
        .reads("b_firsts", found.firsts)
        .reads("b_lasts", found.lasts)
        .writes("b_rows", rows)
        .set("u_height", whole(sites_.height))
        .set("u_row_words", whole(sites_.row_words()))
        .set("u_origin", whole(origin_))
        .groups(parts((form_.width + 1) / 2, 64), found.count);
    return rows;
}

/// A pass that begins at `row`, of distance/near.comp or far.comp.
Pass DistanceTransform::search(const char* name, const Buffer& nearest, std::int64_t row, Defines defines) const {
    defines.merge(Defines{{"ROW_BITS", text(form_.row_bits())},
                          {"WIDE", text(form_.is_wide() ? 1 : 0)},
                          {"SITES", text(form_.sites ? 1 : 0)},
                          {"METRIC", metric_define(form_.metric)}});
    Pass result = pass(name, defines);
    result.reads("b_rows", nearest)
        .set("u_origin", whole(origin_))
        .set("u_first_row", whole(row))
        .set("u_most",
             Uint4{whole(form_.most_square & 0xffffffffU), whole(form_.most_square >> 32U), 0, 0});
    return result;
}

/// Answers `part` rows at a time; `store` tells a pass where the answers of its rows go.
void DistanceTransform::search_all(const SitesBeyond& beyond, std::int64_t part, const char* roots,
                                   const std::function<void(Pass&, std::int64_t row, std::int64_t count)>& store) const {
    const Buffer nearest = rows(beyond);
    const std::int64_t segments = parts(form_.width, segment_columns);
    Buffer least = words(parts(form_.width, 32) * sites_.height, "distance.least");
    Buffer open = words(segments * sites_.height, "distance.open");
    const bool near_is_last =
        form_.most_square < (form_.metric == Metric::euclidean ? near_distances * near_distances : near_distances);
    for (std::int64_t row = 0; row < sites_.height; row += part) {
        const std::int64_t count = std::min(part, sites_.height - row);
        Pass near = search("near", nearest, row, {{"ROOTS", roots}, {"LAST", near_is_last ? "1" : "0"}});
        store(near, row, count);
        near.writes("b_least", least).writes("b_open", open).groups(segments, count);
        if (!near_is_last) {
            Pass far = search("far", nearest, row,
                              {{"ROOTS", roots}, {"GROUP", gpu_.device().software ? "64" : "256"}});
            store(far, row, count);
            far.reads("b_least", least)
                .reads("b_open", open)
                .groups(parts(form_.width, section_columns), count);
        }
    }
}

Distances DistanceTransform::measure(const SitesBeyond& beyond) {
    const std::int64_t pixels = std::int64_t{form_.width} * sites_.height;
    const std::int64_t square_words = form_.is_wide() ? 2 : 1;
    Distances result{
        form_.width, sites_.height, form_.is_wide(), words(pixels * square_words, "distance.squares"), {}};
    if (form_.sites) {
        result.sites = words(pixels * 2, "distance.sites");
    }
    const std::int64_t part = most_pixel_rows(gpu_.limits(), form_.width, result_words(form_));
    search_all(beyond, part, "0", [&](Pass& pass, std::int64_t row, std::int64_t count) {
        const PixelRows squares = pixel_rows(gpu_.limits(), form_.width, row, count, square_words);
        pass.writes("b_squares", result.squares, squares.range).set("u_first_pixel", squares.first_pixel);
        if (form_.sites) {
            pass.writes("b_sites", *result.sites, pixel_rows(gpu_.limits(), form_.width, row, count, 2).range);
        }
    });
    return result;
}

GpuImage DistanceTransform::picture(const SitesBeyond& beyond) {
    GpuImage image = gpu_.make_image({form_.width, sites_.height, 1, Depth::f32}, "distances");
    search_all(beyond, sites_.height, "1",
               [&](Pass& pass, std::int64_t, std::int64_t) { pass.writes("i_dst", image); });
    return image;
}

} // namespace glproc
