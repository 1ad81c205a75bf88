#include "glproc/ops/distance/cpu.hpp"

#include "glproc/base/parallel.hpp"

#include <algorithm>
#include <cmath>
#include <limits>

namespace glproc {

namespace {

constexpr std::uint32_t none = ~0U;

/// Calls work(x, whether it is a site) for columns `first` to `end` - 1 of a row; `first` begins a word.
template <class Work>
void for_columns(const HostMask& sites, int y, std::size_t first, std::size_t end, const Work& work) {
    const std::uint32_t* word = &sites.words[sites.word_of(static_cast<int>(first), y)];
    for (std::size_t x = first; x < end; ++word) {
        std::uint32_t bits = *word;
        for (const std::size_t next = std::min(x + 32, end); x < next; ++x, bits >>= 1U) {
            work(x, (bits & 1U) != 0);
        }
    }
}

/// Of each pixel in columns `first` to `end` - 1 the row of the nearest site in the column, of two the upper
/// one.
void nearest_in_columns(const HostMask& sites, int origin, const SitesBeyond& beyond, std::size_t first,
                        std::size_t end, std::vector<std::uint32_t>& rows) {
    const auto width = static_cast<std::size_t>(sites.width);
    std::vector<std::uint32_t> last(beyond.begin() + static_cast<std::ptrdiff_t>(first),
                                    beyond.begin() + static_cast<std::ptrdiff_t>(end));
    for (int y = 0; y < sites.height; ++y) {
        const auto here = static_cast<std::uint32_t>(origin + y);
        std::uint32_t* row = &rows[static_cast<std::size_t>(y) * width];
        for_columns(sites, y, first, end, [&](std::size_t x, bool is_site) {
            std::uint32_t& site = last[x - first];
            site = is_site ? here : site;
            row[x] = site;
        });
    }
    std::copy(beyond.begin() + static_cast<std::ptrdiff_t>(width + first),
              beyond.begin() + static_cast<std::ptrdiff_t>(width + end), last.begin());
    for (int y = sites.height - 1; y >= 0; --y) {
        const auto here = static_cast<std::uint32_t>(origin + y);
        for (std::size_t x = first; x < end; ++x) {
            std::uint32_t& above = rows[static_cast<std::size_t>(y) * width + x];
            std::uint32_t& below = last[x - first];
            below = above == here ? here : below;
            above = below != none && (above == none || below - here < here - above) ? below : above;
        }
    }
}

/// The parabolas of the columns of one row whose lowest is the squared distance: A. Meijster, J. Roerdink, W.
/// Hesselink, A General Algorithm for Computing Distance Transforms in Linear Time, 2000.
class Envelope {
  public:
    explicit Envelope(int width) : parabolas_(static_cast<std::size_t>(width)) {}

    /// Of a row whose nearest sites lie in these rows; no site is farther than the root of `most`.
    void measure(std::span<const std::uint32_t> rows, std::int64_t here, std::uint64_t most,
                 std::span<float> out) {
        count_ = 0;
        const auto width = static_cast<std::int64_t>(rows.size());
        for (std::int64_t x = 0; x < width; ++x) {
            if (const std::uint32_t row = rows[static_cast<std::size_t>(x)]; row != none) {
                const std::int64_t down = static_cast<std::int64_t>(row) - here;
                add(x, down * down, width);
            }
        }
        for (std::int64_t x = width - 1; x >= 0; --x) {
            float& distance = out[static_cast<std::size_t>(x)];
            distance = std::numeric_limits<float>::infinity();
            if (count_ > 0) {
                const Parabola& lowest = parabolas_[count_ - 1];
                const auto square = static_cast<std::uint64_t>(lowest.at(x));
                count_ -= x == lowest.first && count_ > 1 ? 1 : 0;
                if (square <= most) {
                    distance = static_cast<float>(std::sqrt(static_cast<double>(square)));
                }
            }
        }
    }

  private:
    struct Parabola {
        std::int64_t column = 0;
        std::int64_t square = 0; ///< in that column
        std::int64_t first = 0;  ///< pixel where it is the lowest

        std::int64_t at(std::int64_t x) const { return (x - column) * (x - column) + square; }
    };

    void add(std::int64_t column, std::int64_t square, std::int64_t width) {
        Parabola added{column, square, 0};
        while (count_ > 0) {
            const Parabola& last = parabolas_[count_ - 1];
            if (last.at(last.first) <= added.at(last.first)) {
                const std::int64_t beside =
                    column * column - last.column * last.column + square - last.square;
                added.first = beside / (2 * (column - last.column)) + 1;
                break;
            }
            --count_;
        }
        if (added.first < width) {
            parabolas_[count_++] = added;
        }
    }

    std::vector<Parabola> parabolas_;
    std::size_t count_ = 0;
};

} // namespace

SitesBeyond ends_on_cpu(const HostMask& sites, int origin) {
    SitesBeyond ends = no_sites_beyond(sites.width);
    const auto width = static_cast<std::size_t>(sites.width);
    for (int y = 0; y < sites.height; ++y) {
        const auto here = static_cast<std::uint32_t>(origin + y);
        for_columns(sites, y, 0, width, [&](std::size_t x, bool is_site) {
            ends[x] = is_site ? here : ends[x];
            ends[width + x] = std::min(ends[width + x], ends[x]);
        });
    }
    return ends;
}

std::vector<float> distances_on_cpu(const HostMask& sites, int origin, const SitesBeyond& beyond,
                                    std::uint64_t most_square) {
    const auto width = static_cast<std::size_t>(sites.width);
    const auto height = static_cast<std::size_t>(sites.height);
    std::vector<std::uint32_t> rows(width * height);
    constexpr std::size_t columns = 256;
    parallel_for((width + columns - 1) / columns, [&](std::size_t part) {
        nearest_in_columns(sites, origin, beyond, part * columns, std::min((part + 1) * columns, width),
                           rows);
    });
    std::vector<float> distances(rows.size());
    parallel_for(
        height, [&] { return Envelope(sites.width); },
        [&](Envelope& envelope, std::size_t y) {
            envelope.measure(std::span(rows).subspan(y * width, width), origin + static_cast<std::int64_t>(y),
                             most_square, std::span(distances).subspan(y * width, width));
        });
    return distances;
}

void add_inner(std::span<float> distances, std::span<const float> inner) {
    for (std::size_t i = 0; i < distances.size(); ++i) {
        distances[i] = distances[i] == 0 ? -inner[i] : distances[i];
    }
}

} // namespace glproc
