#include "glproc/ops/distance/cpu.hpp"

#include "glproc/base/covering.hpp"
#include "glproc/base/parallel.hpp"

#include <algorithm>
#include <array>
#include <cmath>
#include <cstdlib>
#include <limits>

namespace glproc {

namespace {

constexpr std::uint32_t none = ~0U;

/// Calls work(x, all bits set if it is a site, else 0) for columns `first` to `end` - 1 of a row; `first`
/// begins a word.
template <class Work>
void for_columns(const HostMask& sites, int y, std::size_t first, std::size_t end, const Work& work) {
    static constexpr std::array<std::uint32_t, 32> bit =
        [] { // compilers know how to test several of these at once
            std::array<std::uint32_t, 32> bits{};
            for (unsigned i = 0; i < 32; ++i) {
                bits[i] = 1U << i;
            }
            return bits;
        }();
    const std::uint32_t* word = &sites.words[sites.word_of(static_cast<int>(first), y)];
    std::size_t x = first;
    for (; x + 32 <= end; x += 32, ++word) {
        const std::uint32_t bits = *word;
        for (std::size_t i = 0; i < 32; ++i) {
            work(x + i, (bits & bit[i]) != 0 ? ~0U : 0U);
        }
    }
    for (std::size_t i = 0; x + i < end; ++i) {
        work(x + i, (*word & bit[i]) != 0 ? ~0U : 0U);
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
        std::uint32_t* const site = last.data();
        for_columns(sites, y, first, end, [=](std::size_t x, std::uint32_t is_site) {
            row[x] = site[x - first] = (here & is_site) | (site[x - first] & ~is_site);
        });
    }
    std::copy(beyond.begin() + static_cast<std::ptrdiff_t>(width + first),
              beyond.begin() + static_cast<std::ptrdiff_t>(width + end), last.begin());
    for (int y = sites.height - 1; y >= 0; --y) {
        const auto here = static_cast<std::uint32_t>(origin + y);
        std::uint32_t* row = &rows[static_cast<std::size_t>(y) * width];
        std::uint32_t* const site = last.data();
        for (std::size_t x = first; x < end; ++x) { // without a branch, so that several go at once
            const std::uint32_t above = row[x];
            const std::uint32_t is_here = above == here ? ~0U : 0U;
            const std::uint32_t below = (here & is_here) | (site[x - first] & ~is_here);
            site[x - first] = below;
            const std::uint32_t no_above = above == none ? ~0U : 0U;
            const std::uint32_t no_below = below == none ? ~0U : 0U;
            const auto up = static_cast<std::int32_t>((none >> 1U & no_above) | ((here - above) & ~no_above));
            const auto down =
                static_cast<std::int32_t>((none >> 1U & no_below) | ((below - here) & ~no_below));
            const std::uint32_t is_below = down < up ? ~0U : 0U;
            row[x] = (below & is_below) | (above & ~is_below);
        }
    }
}

/// The nearest site of a column as a function of x, the pixel: its square, as DistanceForm has it. It is the
/// best of the curves so far at one pixel and everything to the right of it.
struct Curve {
    std::int64_t column = 0;
    std::int64_t least = 0; ///< in that column
    std::int64_t first = 0; ///< pixel where it is the best
    std::uint32_t row = 0;  ///< of the site, in the picture

    template <Metric metric>
    std::int64_t at(std::int64_t x) const {
        if constexpr (metric == Metric::euclidean) {
            return (x - column) * (x - column) + least;
        } else {
            const std::int64_t across = std::abs(x - column);
            return metric == Metric::taxicab ? across + least : std::max(across, least);
        }
    }

    /// Whether it comes first where both are as near; the other one's column is farther left.
    template <bool ties_count>
    bool comes_before(const Curve& left) const {
        return ties_count && row < left.row;
    }
};

/// The first pixel where `right` is better than `left`, or as good and to be taken; a value below 0 or beyond
/// the row stands for all or none. It stays better to the right of it.
template <Metric metric, bool ties_count>
std::int64_t first_better(const Curve& left, const Curve& right) {
    const std::int64_t tie = right.comes_before<ties_count>(left) ? 1 : 0;
    const std::int64_t columns = left.column + right.column;
    if constexpr (metric == Metric::euclidean) { // after the last pixel where left is not farther
        const std::int64_t beside = right.at<metric>(0) - left.at<metric>(0);
        return (beside - tie) / (2 * (right.column - left.column)) + 1;
    } else if constexpr (metric == Metric::taxicab) { // equal on each side, and two more a pixel in between
        const std::int64_t more = left.least - right.least;
        if (more - (right.column - left.column) > -tie) {
            return 0;
        }
        const std::int64_t twice = columns - more; // where both are as near
        return more + (right.column - left.column) <= -tie ? std::numeric_limits<std::int64_t>::max()
                                                           : (twice + 2 - tie) / 2;
    } else {
        const std::int64_t middle = columns / 2;
        return 1 + (left.least <= right.least ? std::max(left.column + right.least, middle)
                                              : std::min(right.column - left.least, middle));
    }
}

/// Roots of small numbers, which most squares are.
const std::array<float, 4096>& small_roots() {
    static const std::array<float, 4096> roots = [] {
        std::array<float, 4096> all{};
        for (std::size_t i = 0; i < all.size(); ++i) {
            all[i] = static_cast<float>(std::sqrt(static_cast<double>(i)));
        }
        return all;
    }();
    return roots;
}

/// Where the results of a row go; places may be left out.
struct RowResult {
    std::span<float> distances;
    std::span<std::uint32_t> sites;
    std::uint64_t most; ///< no site is farther
    const std::array<float, 4096>& roots = small_roots();

    float root_of(std::uint64_t square) const {
        return square < roots.size() ? roots[square]
                                     : static_cast<float>(std::sqrt(static_cast<double>(square)));
    }

    template <Metric metric, bool with_site>
    void set(std::size_t x, std::uint64_t square, std::size_t column, std::uint32_t row) const {
        const bool is_near = square <= most;
        distances[x] = !is_near                      ? std::numeric_limits<float>::infinity()
                       : metric == Metric::euclidean ? root_of(square)
                                                     : static_cast<float>(square);
        if constexpr (with_site) {
            sites[2 * x] = is_near ? static_cast<std::uint32_t>(column) : none;
            sites[2 * x + 1] = is_near ? row : none;
        }
    }
    void set_none(std::size_t x) const {
        distances[x] = std::numeric_limits<float>::infinity();
        if (!sites.empty()) {
            sites[2 * x] = sites[2 * x + 1] = none;
        }
    }
};

/// The nearest sites of the pixels of a row, from the nearest sites of its columns.
class RowSearch {
  public:
    explicit RowSearch(int width) : down_(static_cast<std::size_t>(width)), curves_(down_.size()) {}

    /// Of row `here`, whose nearest sites lie in these rows.
    template <Metric metric>
    void measure(std::span<const std::uint32_t> rows, std::int64_t here, const RowResult& result) {
        std::int64_t all = 0;
        for (std::size_t x = 0; x < rows.size(); ++x) {
            const std::int64_t down = std::abs(static_cast<std::int64_t>(rows[x]) - here);
            down_[x] = rows[x] == none ? far : static_cast<std::int32_t>(down);
            all += std::min(down_[x], few + 1);
        }
        const bool is_dense = all <= few * static_cast<std::int64_t>(rows.size());
        if (result.sites.empty()) {
            measure<metric, false>(rows, is_dense, result);
        } else {
            measure<metric, true>(rows, is_dense, result);
        }
    }

  private:
    static constexpr std::int32_t far = std::numeric_limits<std::int32_t>::max();
    static constexpr std::int32_t few =
        3; ///< steps to both sides: with more for each pixel, curves are faster

    template <Metric metric>
    static std::uint64_t square_of(std::uint64_t across, std::uint64_t down) {
        if constexpr (metric == Metric::euclidean) {
            return across * across + down * down;
        } else {
            return metric == Metric::taxicab ? across + down : std::max(across, down);
        }
    }

    template <Metric metric, bool ties_count>
    void measure(std::span<const std::uint32_t> rows, bool is_dense, const RowResult& result) {
        if (!is_dense || !search<metric, ties_count>(rows, result)) {
            follow<metric, ties_count>(rows, result);
        }
    }

    /// Looks to both sides of each pixel as far as a site of the column there could be nearer. False, with
    /// nothing said, where that would take many steps.
    template <Metric metric, bool ties_count>
    bool search(std::span<const std::uint32_t> rows, const RowResult& result) const {
        const std::size_t width = rows.size();
        std::size_t steps = few * width; // that are left
        for (std::size_t x = 0; x < width; ++x) {
            std::uint64_t best = square_of<metric>(0, static_cast<std::uint64_t>(down_[x]));
            std::size_t column = x;
            const auto consider = [&](std::size_t other, std::uint64_t across) {
                const std::uint64_t square =
                    square_of<metric>(across, static_cast<std::uint64_t>(down_[other]));
                const auto is_first = [&] {
                    return rows[other] < rows[column] || (rows[other] == rows[column] && other < column);
                };
                if (square < best || (ties_count && square == best && is_first())) {
                    best = square;
                    column = other;
                }
            };
            for (std::uint64_t k = 1; square_of<metric>(k, 0) < best + (ties_count ? 1 : 0); ++k) {
                if (k > x && k >= width - x) {
                    break;
                }
                if (--steps == 0) {
                    return false;
                }
                if (k <= x) {
                    consider(x - k, k);
                }
                if (k < width - x) {
                    consider(x + k, k);
                }
            }
            if (rows[column] == none) {
                result.set_none(x);
            } else {
                result.set<metric, ties_count>(x, best, column, rows[column]);
            }
        }
        return true;
    }

    /// Follows the curves of the columns, whose lowest is the distance: A. Meijster, J. Roerdink, W.
    /// Hesselink, A General Algorithm for Computing Distance Transforms in Linear Time, 2000. There where
    /// several are as low any is taken; here the one whose site is the first, so that one that is the best at
    /// a single pixel stays.
    template <Metric metric, bool ties_count>
    void follow(std::span<const std::uint32_t> rows, const RowResult& result) {
        count_ = 0;
        const auto width = static_cast<std::int64_t>(rows.size());
        for (std::int64_t x = 0; x < width; ++x) {
            const auto place = static_cast<std::size_t>(x);
            if (rows[place] != none) {
                const auto least = square_of<metric>(0, static_cast<std::uint64_t>(down_[place]));
                add<metric, ties_count>({x, static_cast<std::int64_t>(least), 0, rows[place]}, width);
            }
        }
        for (std::int64_t x = width - 1; x >= 0; --x) {
            const auto place = static_cast<std::size_t>(x);
            if (count_ == 0) {
                result.set_none(place);
                continue;
            }
            const Curve& lowest = curves_[count_ - 1];
            result.set<metric, ties_count>(place, static_cast<std::uint64_t>(lowest.at<metric>(x)),
                                           static_cast<std::size_t>(lowest.column), lowest.row);
            count_ -= x == lowest.first && count_ > 1 ? 1 : 0;
        }
    }

    template <Metric metric, bool ties_count>
    void add(Curve added, std::int64_t width) {
        while (count_ > 0) {
            const Curve& last = curves_[count_ - 1];
            const std::int64_t there = last.at<metric>(last.first);
            const std::int64_t here = added.at<metric>(last.first);
            if (there < here || (there == here && !added.comes_before<ties_count>(last))) {
                added.first = first_better<metric, ties_count>(last, added);
                break;
            }
            --count_;
        }
        if (added.first <
            width) { // member by member: a copy as a whole would wait for the members that were just written
            Curve& last = curves_[count_++];
            last.column = added.column;
            last.least = added.least;
            last.first = added.first;
            last.row = added.row;
        }
    }

    std::vector<std::int32_t> down_; ///< to the nearest site of each column
    std::vector<Curve> curves_;
    std::size_t count_ = 0;
};

template <Metric metric>
void measure_rows(const std::vector<std::uint32_t>& rows, int origin, const DistanceForm& form,
                  std::size_t width, HostDistances& result) {
    parallel_for(
        rows.size() / width, [&] { return RowSearch(form.width); },
        [&](RowSearch& search, std::size_t y) {
            const RowResult row{std::span(result.values).subspan(y * width, width),
                                form.sites ? std::span(result.sites).subspan(2 * y * width, 2 * width)
                                           : std::span<std::uint32_t>(),
                                form.most_square};
            search.measure<metric>(std::span(rows).subspan(y * width, width),
                                   origin + static_cast<std::int64_t>(y), row);
        });
}

} // namespace

SitesBeyond ends_on_cpu(const HostMask& sites, int origin) {
    SitesBeyond ends = no_sites_beyond(sites.width);
    const auto width = static_cast<std::size_t>(sites.width);
    for (int y = 0; y < sites.height; ++y) {
        const auto here = static_cast<std::uint32_t>(origin + y);
        std::uint32_t* const last = ends.data();
        std::uint32_t* const first = ends.data() + width;
        for_columns(sites, y, 0, width, [=](std::size_t x, std::uint32_t is_site) {
            last[x] = (here & is_site) | (last[x] & ~is_site);
            first[x] = std::min(first[x], last[x]);
        });
    }
    return ends;
}

HostDistances distances_on_cpu(const HostMask& sites, int origin, const SitesBeyond& beyond,
                               const DistanceForm& form) {
    const auto width = static_cast<std::size_t>(sites.width);
    const auto height = static_cast<std::size_t>(sites.height);
    std::vector<std::uint32_t> rows(width * height);
    constexpr std::size_t columns = 256;
    parallel_for(covering(width, columns), [&](std::size_t part) {
        nearest_in_columns(sites, origin, beyond, part * columns, std::min((part + 1) * columns, width),
                           rows);
    });
    HostDistances result{std::vector<float>(rows.size()),
                         std::vector<std::uint32_t>(form.sites ? 2 * rows.size() : 0)};
    switch (form.metric) {
    case Metric::euclidean:
        measure_rows<Metric::euclidean>(rows, origin, form, width, result);
        break;
    case Metric::taxicab:
        measure_rows<Metric::taxicab>(rows, origin, form, width, result);
        break;
    case Metric::chessboard:
        measure_rows<Metric::chessboard>(rows, origin, form, width, result);
        break;
    }
    return result;
}

void add_inner(std::span<float> distances, std::span<const float> inner) {
    for (std::size_t i = 0; i < distances.size(); ++i) {
        distances[i] = distances[i] == 0 ? -inner[i] : distances[i];
    }
}

} // namespace glproc
