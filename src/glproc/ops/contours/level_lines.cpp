#include "glproc/ops/contours/level_lines.hpp"

#include "glproc/base/error.hpp"
#include "glproc/kinds/hidden.hpp"

#include <algorithm>
#include <cmath>
#include <cstdint>
#include <functional>
#include <limits>
#include <optional>
#include <unordered_map>
#include <utility>
#include <vector>

namespace glproc {

namespace {

struct PointHash {
    std::size_t operator()(const OutlinePoint& point) const {
        const std::hash<double> hash;
        return hash(point.x) * 0x9E3779B97F4A7C15U ^ hash(point.y);
    }
};

/// Joins segments to lines. Each is a list that can grow at either end.
class LineJoiner {
  public:
    void add(const OutlinePoint& from, const OutlinePoint& to) {
        if (from == to) { // a corner is at the level; the squares around it have the line
            return;
        }
        const std::optional<Index> after = taken(starts_, to);
        const std::optional<Index> before = taken(ends_, from);
        if (after && before && *after == *before) {
            append(*before, to); // it closes
        } else if (after && before) {
            join(*before, *after);
        } else if (before) {
            append(*before, to);
            put(ends_, to, *before);
        } else if (after) {
            const Index node = new_node(from);
            nodes_[node].next = lines_[*after].first;
            lines_[*after].first = node;
            put(starts_, from, *after);
        } else {
            begin(from, to);
        }
    }

    Outlines lines() const {
        Outlines made{.picture = {}, .are_lines = true};
        for (const Line& line : lines_) {
            if (line.first == none) { // joined to another
                continue;
            }
            const std::size_t first = made.lines.size();
            for (Index node = line.first; node != none; node = nodes_[node].next) {
                made.lines.push_back(nodes_[node].point);
            }
            made.outlines.push_back({.first = first, .count = made.lines.size() - first});
        }
        return made;
    }

  private:
    using Index = std::uint32_t;
    using Ends = std::unordered_map<OutlinePoint, Index, PointHash>;
    static constexpr Index none = std::numeric_limits<Index>::max();
    struct Node {
        OutlinePoint point;
        Index next = none;
    };
    struct Line {
        Index first;
        Index last;
    };

    static std::optional<Index> taken(Ends& ends, const OutlinePoint& at) {
        const auto found = ends.find(at);
        if (found == ends.end()) {
            return {};
        }
        const Index line = found->second;
        ends.erase(found);
        return line;
    }

    /// NaN, beside infinite values, is never found again.
    static void put(Ends& ends, const OutlinePoint& at, Index line) {
        if (!std::isnan(at.x) && !std::isnan(at.y)) {
            ends[at] = line;
        }
    }

    Index new_node(const OutlinePoint& point) {
        if (nodes_.size() >= none - 1) {
            throw Error(ErrorCode::operation, "the lines have more points than can be counted",
                        "take a part: glproc crop");
        }
        nodes_.push_back({point});
        return static_cast<Index>(nodes_.size() - 1);
    }

    void begin(const OutlinePoint& from, const OutlinePoint& to) {
        const Index first = new_node(from);
        const auto line = static_cast<Index>(lines_.size());
        lines_.push_back({first, first});
        append(line, to);
        put(starts_, from, line);
        put(ends_, to, line);
    }

    void append(Index line, const OutlinePoint& point) {
        const Index node = new_node(point);
        nodes_[lines_[line].last].next = node;
        lines_[line].last = node;
    }

    /// One line continues as the other. The one that began first stays, which decides the order of lines.
    void join(Index before, Index after) {
        nodes_[lines_[before].last].next = lines_[after].first;
        const Line joined{lines_[before].first, lines_[after].last};
        const Index kept = std::min(before, after);
        lines_[std::max(before, after)] = {none, none};
        lines_[kept] = joined;
        put(starts_, nodes_[joined.first].point, kept);
        put(ends_, nodes_[joined.last].point, kept);
    }

    std::vector<Node> nodes_;
    std::vector<Line> lines_;
    Ends starts_; ///< of lines that do not close yet
    Ends ends_;
};

/// How far the level is from one value to the next.
double share(double from, double to, double level) {
    return to == from ? 0 : (level - from) / (to - from);
}

/// Between the centres of four pixels, whose upper left one is at (x, y).
struct Square {
    double x;
    double y;
    double upper_left;
    double upper_right;
    double lower_left;
    double lower_right;
};

/// Corners above the level: 1 for the upper left one, 2, 4 and 8.
unsigned case_of(const Square& s, double level) {
    return (s.upper_left > level ? 1U : 0U) + (s.upper_right > level ? 2U : 0U) +
           (s.lower_left > level ? 4U : 0U) + (s.lower_right > level ? 8U : 0U);
}

void add_segments(const Square& s, double level, bool joins_high, LineJoiner& to) {
    const unsigned high = case_of(s, level);
    if (high == 0 || high == 15) {
        return;
    }
    const OutlinePoint top{s.x + share(s.upper_left, s.upper_right, level), s.y};
    const OutlinePoint bottom{s.x + share(s.lower_left, s.lower_right, level), s.y + 1};
    const OutlinePoint left{s.x, s.y + share(s.upper_left, s.lower_left, level)};
    const OutlinePoint right{s.x + 1, s.y + share(s.upper_right, s.lower_right, level)};
    switch (high) {
    case 1:
        return to.add(top, left);
    case 2:
        return to.add(right, top);
    case 3:
        return to.add(right, left);
    case 4:
        return to.add(left, bottom);
    case 5:
        return to.add(top, bottom);
    case 6:
        to.add(joins_high ? left : right, top);
        return to.add(joins_high ? right : left, bottom);
    case 7:
        return to.add(right, bottom);
    case 8:
        return to.add(bottom, right);
    case 9:
        to.add(top, joins_high ? right : left);
        return to.add(bottom, joins_high ? left : right);
    case 10:
        return to.add(bottom, top);
    case 11:
        return to.add(bottom, left);
    case 12:
        return to.add(left, right);
    case 13:
        return to.add(top, right);
    default:
        return to.add(left, top);
    }
}

/// A row of grey values; NaN where they are hidden.
template <class T>
void read_row(const Image& grey, int y, std::vector<double>& row) {
    const auto channels = static_cast<std::size_t>(grey.channels());
    const auto values = grey.values<T>().subspan(static_cast<std::size_t>(y) * row.size() * channels);
    for (std::size_t x = 0; x < row.size(); ++x) {
        const bool is_hidden = channels == 2 && hides(values[x * 2 + 1]);
        row[x] =
            is_hidden ? std::numeric_limits<double>::quiet_NaN() : static_cast<double>(values[x * channels]);
    }
}

void read_row_of(const Image& grey, int y, std::vector<double>& row) {
    switch (grey.depth()) {
    case Depth::u8:
        return read_row<std::uint8_t>(grey, y, row);
    case Depth::u16:
        return read_row<std::uint16_t>(grey, y, row);
    case Depth::f32:
        return read_row<float>(grey, y, row);
    }
}

} // namespace

Outlines level_lines(const Image& grey, double level, bool joins_high) {
    LineJoiner lines;
    std::vector<double> upper(static_cast<std::size_t>(grey.width()));
    std::vector<double> lower(upper.size());
    read_row_of(grey, 0, lower);
    for (int y = 0; y + 1 < grey.height(); ++y) {
        std::swap(upper, lower);
        read_row_of(grey, y + 1, lower);
        for (std::size_t x = 0; x + 1 < upper.size(); ++x) {
            const double sum = upper[x] + upper[x + 1] + lower[x] + lower[x + 1];
            const bool lacks_value = std::isnan(sum) && (std::isnan(upper[x]) || std::isnan(upper[x + 1]) ||
                                                         std::isnan(lower[x]) || std::isnan(lower[x + 1]));
            if (!lacks_value) {
                add_segments({static_cast<double>(x), static_cast<double>(y), upper[x], upper[x + 1],
                              lower[x], lower[x + 1]},
                             level, joins_high, lines);
            }
        }
    }
    return lines.lines();
}

} // namespace glproc
