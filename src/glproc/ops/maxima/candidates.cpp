#include "glproc/ops/maxima/candidates.hpp"

#include "glproc/base/covering.hpp"
#include "glproc/base/parallel.hpp"
#include "glproc/kinds/hidden.hpp"
#include "glproc/op/proof.hpp"
#include "glproc/ops/components/labelling.hpp"
#include "glproc/ops/morphology/parts.hpp"

#include <algorithm>
#include <bit>
#include <cmath>
#include <limits>
#include <optional>
#include <utility>

namespace glproc {

namespace {

constexpr float no_value = -std::numeric_limits<float>::infinity();

/// As glsl/lib/keys.glsl.
std::uint32_t maxima_key_of(float value, Depth depth) {
    if (depth != Depth::f32) {
        return value <= 0 ? 0 : static_cast<std::uint32_t>(value);
    }
    const auto bits = std::bit_cast<std::uint32_t>(value == 0 ? -0.0F : value);
    return bits ^ (bits >> 31U != 0 ? ~0U : 0x80000000U);
}

float maxima_value_of_bits(std::uint32_t bits, Depth depth) {
    return depth == Depth::f32 ? std::bit_cast<float>(bits) : static_cast<float>(bits);
}

float maxima_value_of_key(std::uint32_t key, Depth depth) {
    if (key == ~0U) {
        return std::numeric_limits<float>::infinity();
    }
    return maxima_value_of_bits(depth == Depth::f32 ? key ^ (key >> 31U != 0 ? 0x80000000U : ~0U) : key,
                                depth);
}

Defines defines_of(const GpuImage& grey) {
    return {{"CHANNELS", text(grey.stored_channels())}, {"SRC_DEPTH", text(static_cast<int>(grey.depth()))}};
}

template <class T>
void copy_first_channel(const Image& grey, std::vector<float>& values) {
    const auto channels = static_cast<std::size_t>(grey.channels());
    const T* from = grey.values<T>().data();
    for (float& value : values) {
        const bool is_hidden = grey.has_alpha() && hides(from[channels - 1]); // NOLINT: a pixel has so many
        const auto own = static_cast<float>(*from);
        value = is_hidden ? std::numeric_limits<float>::quiet_NaN() : grey.has_alpha() ? without_denormal(own) : own;
        from += channels;
    }
}

/// A line of points, each a few values beside each other, with `distance` points that have no value before
/// and after it. The first points become the largest of the windows.
class WindowLine {
  public:
    WindowLine(int points, int distance, int lanes)
        : points_(static_cast<std::size_t>(points)), beyond_(static_cast<std::size_t>(distance)),
          lanes_(static_cast<std::size_t>(lanes)), values_((points_ + 2 * beyond_) * lanes_, no_value) {}

    float* point(int i) { return &values_[(static_cast<std::size_t>(i) + beyond_) * lanes_]; }
    const float* largest(int i) const { return &values_[static_cast<std::size_t>(i) * lanes_]; }

    /// The largest of 2, 4 … points, then of two such runs that cover a window together.
    void solve() {
        const std::size_t side = 2 * beyond_ + 1;
        std::size_t run = 1;
        for (; 2 * run <= side; run *= 2) {
            take_larger(values_.size() - run * lanes_, run);
        }
        take_larger(points_ * lanes_, side - run);
    }

  private:
    void take_larger(std::size_t count, std::size_t points) {
        const float* other = values_.data() + points * lanes_;
        float* value = values_.data();
        for (std::size_t i = 0; i < count; ++i) {
            value[i] = std::max(value[i], other[i]);
        }
    }

    std::size_t points_;
    std::size_t beyond_;
    std::size_t lanes_;
    std::vector<float> values_;
};

float or_no_value(float value) {
    return std::isnan(value) ? no_value : value;
}

/// The largest value of the window around each pixel: along x, then along y.
std::vector<float> largest_around(const std::vector<float>& values, int width, int height, int distance) {
    std::vector<float> result(values.size());
    const auto index = [width](int x, int y) {
        return static_cast<std::size_t>(y) * static_cast<std::size_t>(width) + static_cast<std::size_t>(x);
    };
    parallel_for(static_cast<std::size_t>(height), [&](std::size_t row) {
        const int y = static_cast<int>(row);
        WindowLine line(width, distance, 1);
        std::transform(&values[index(0, y)], &values[index(0, y)] + width, line.point(0), or_no_value);
        line.solve();
        std::copy(line.largest(0), line.largest(0) + width, &result[index(0, y)]);
    });
    constexpr int lanes = 64;
    parallel_for(static_cast<std::size_t>(covering(width, lanes)), [&](std::size_t part) {
        const int x = static_cast<int>(part) * lanes;
        const int columns = std::min(lanes, width - x);
        WindowLine line(height, distance, lanes);
        for (int y = 0; y < height; ++y) {
            std::copy(&result[index(x, y)], &result[index(x, y)] + columns, line.point(y));
        }
        line.solve();
        for (int y = 0; y < height; ++y) {
            std::copy(line.largest(y), line.largest(y) + columns, &result[index(x, y)]);
        }
    });
    return result;
}

/// Rows of the image where candidates may lie.
Int2 kept_rows(const MaximaSearch& search, const SearchedRows& rows) {
    return {search.border - rows.top, rows.picture_height - search.border - rows.top};
}

} // namespace

std::vector<float> grey_values(const Image& grey) {
    std::vector<float> values(static_cast<std::size_t>(grey.width()) *
                              static_cast<std::size_t>(grey.height()));
    switch (grey.depth()) {
    case Depth::u8:
        copy_first_channel<std::uint8_t>(grey, values);
        break;
    case Depth::u16:
        copy_first_channel<std::uint16_t>(grey, values);
        break;
    case Depth::f32:
        copy_first_channel<float>(grey, values);
        break;
    }
    return values;
}

namespace {

/// Candidates in GPU memory.
MaskBits candidate_bits(Context& gpu, const GpuImage& grey, const MaximaSearch& search,
                        const SearchedRows& rows, float& least_value) {
    const Morphology dilation{.radius = search.distance, .alpha = RankAlpha::ignore};
    std::optional<GpuImage> seen;
    if (grey.has_alpha()) {
        seen.emplace(with_hidden(gpu, grey, indifferent(grey.depth(), Extreme::largest)));
    }
    const GpuImage largest = run_flat(gpu, seen ? *seen : grey, dilation, Extreme::largest);
    const std::int64_t words = MaskBits::row_words_of(grey.width()) * rows.count;
    Buffer bits = gpu.make_buffer(static_cast<std::size_t>(words) * sizeof(std::uint32_t), "maxima.bits");
    Buffer least = gpu.make_buffer(sizeof(std::uint32_t), "maxima.least");
    least.fill(~0U);
    Defines defines = defines_of(grey);
    defines["HIDES"] = grey.has_alpha() ? "1" : "0";
    gpu.pass("maxima.candidates", "maxima/candidates.comp", defines)
        .reads("i_src", seen ? *seen : grey)
        .reads("i_largest", largest)
        .writes("b_bits", bits)
        .updates("b_least", least)
        .set("u_size", Int2{grey.width(), grey.height()})
        .set("u_row_words", static_cast<std::uint32_t>(MaskBits::row_words_of(grey.width())))
        .set("u_first_row", rows.first)
        .set("u_rows", rows.count)
        .set("u_kept_rows", kept_rows(search, rows))
        .set("u_border", search.border)
        .set("u_from", maxima_key_of(search.from, grey.depth()))
        .over_1d(words);
    least_value = maxima_value_of_key(least.read<std::uint32_t>(1).front(), grey.depth());
    return {grey.width(), rows.count, std::move(bits)};
}

} // namespace

Candidates candidates_of(Context& gpu, const GpuImage& grey, const MaximaSearch& search,
                         const SearchedRows& rows) {
    Candidates found;
    found.mask = host_mask(candidate_bits(gpu, grey, search, rows, found.least));
    return found;
}

FirstPixels first_pixels_of(Context& gpu, const GpuImage& grey, const MaximaSearch& search) {
    FirstPixels found;
    Labelling plateaus(gpu,
                       candidate_bits(gpu, grey, search, {0, grey.height(), 0, grey.height()}, found.least),
                       Connectivity::eight);
    const MaskBits& bits = plateaus.mask();
    const std::size_t count = plateaus.count();
    if (count == 0) {
        return found;
    }
    Buffer points = gpu.make_buffer(count * sizeof(FirstPixels::Point), "maxima.points");
    gpu.pass("maxima.points", "maxima/points.comp", defines_of(grey))
        .reads("i_src", grey)
        .reads("b_bits", bits.words)
        .reads("b_ranks", plateaus.ranks())
        .reads("b_counts", plateaus.counts())
        .writes("b_points", points)
        .set("u_size", Int2{grey.width(), grey.height()})
        .set("u_words", static_cast<std::uint32_t>(bits.word_count()))
        .set("u_row_words", static_cast<std::uint32_t>(bits.row_words()))
        .set("u_points", static_cast<std::uint32_t>(count))
        .over_1d(bits.word_count());
    found.points = points.read<FirstPixels::Point>(count);
    const auto pixels = static_cast<std::uint32_t>(grey.width()) * static_cast<std::uint32_t>(grey.height());
    if (std::ranges::any_of(found.points, [pixels](const FirstPixels::Point& point) { return point.pixel >= pixels; })) {
        refuse_result(gpu, "a maximum lies outside the image");
    }
    return found;
}

float value_of(const FirstPixels::Point& point, Depth depth) {
    return maxima_value_of_bits(point.bits, depth);
}

Candidates candidates_on_cpu(const Image& grey, const MaximaSearch& search, const SearchedRows& rows) {
    const std::vector<float> values = grey_values(grey);
    const std::vector<float> largest = largest_around(values, grey.width(), grey.height(), search.distance);
    Candidates found{.mask = {grey.width(), rows.count}};
    found.mask.words.resize(static_cast<std::size_t>(MaskBits::row_words_of(grey.width()) * rows.count));
    const Int2 kept = kept_rows(search, rows);
    for (int y = 0; y < rows.count; ++y) {
        const int row = rows.first + y;
        const bool is_kept = row >= kept[0] && row < kept[1];
        const std::size_t first = static_cast<std::size_t>(row) * static_cast<std::size_t>(grey.width());
        for (int x = 0; x < grey.width(); ++x) {
            const float value = values[first + static_cast<std::size_t>(x)];
            found.least = std::min(found.least, std::isnan(value) ? found.least : value);
            const bool is_inside = is_kept && x >= search.border && x < grey.width() - search.border;
            if (is_inside && value >= search.from && value == largest[first + static_cast<std::size_t>(x)]) {
                found.mask.words[found.mask.word_of(x, y)] |= 1U << (static_cast<unsigned>(x) % 32);
            }
        }
    }
    return found;
}

std::vector<float> values_at(Context& gpu, const GpuImage& grey, std::span<const PixelPlace> places) {
    if (places.empty()) {
        return {};
    }
    Buffer where = gpu.make_buffer(places.size_bytes(), "maxima.places");
    where.write(std::as_bytes(places));
    Buffer bits = gpu.make_buffer(places.size() * sizeof(std::uint32_t), "maxima.values");
    gpu.pass("maxima.values", "maxima/values.comp", defines_of(grey))
        .reads("i_src", grey)
        .reads("b_places", where)
        .writes("b_values", bits)
        .set("u_count", static_cast<std::uint32_t>(places.size()))
        .over_1d(static_cast<std::int64_t>(places.size()));
    std::vector<float> values;
    for (const std::uint32_t value : bits.read<std::uint32_t>(places.size())) {
        values.push_back(maxima_value_of_bits(value, grey.depth()));
    }
    return values;
}

std::vector<float> values_at(const Image& grey, std::span<const PixelPlace> places) {
    std::vector<float> values;
    values.reserve(places.size());
    for (const PixelPlace& place : places) {
        values.push_back(static_cast<float>(grey.at(place.x, place.y, 0)));
    }
    return values;
}

} // namespace glproc
