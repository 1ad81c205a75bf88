#include "glproc/base/covering.hpp"
#include "glproc/base/parallel.hpp"
#include "glproc/kinds/hidden.hpp"
#include "glproc/ops/canny/edges.hpp"

#include <algorithm>
#include <array>
#include <cmath>
#include <cstdint>
#include <cstdlib>

namespace glproc {

namespace {

/// The colours of an image, one after the other: int where gradients are whole numbers, else float.
template <class Value>
struct Planes {
    int width;
    int height;
    std::vector<std::vector<Value>> colours;

    /// The edge is repeated.
    Value at(std::size_t colour, int x, int y) const {
        const int column = std::clamp(x, 0, width - 1);
        return colours[colour][static_cast<std::size_t>(std::clamp(y, 0, height - 1)) *
                                   static_cast<std::size_t>(width) +
                               static_cast<std::size_t>(column)];
    }
};

template <class Value>
Planes<Value> planes_of(const Image& image) {
    Planes<Value> planes{image.width(), image.height(), {}};
    planes.colours.resize(image.channels() < 3 ? 1 : 3);
    for (std::size_t c = 0; c < planes.colours.size(); ++c) {
        for (int y = 0; y < image.height(); ++y) {
            for (int x = 0; x < image.width(); ++x) {
                planes.colours[c].push_back(static_cast<Value>(image.at(x, y, static_cast<int>(c))));
            }
        }
    }
    return planes;
}

Planes<float> blurred(const Planes<float>& from, const std::vector<float>& taps, int step_x, int step_y) {
    Planes<float> to = from;
    const int reach = static_cast<int>(taps.size()) - 1;
    for (std::size_t c = 0; c < from.colours.size(); ++c) {
        parallel_for(static_cast<std::size_t>(from.height), [&](std::size_t row) {
            const int y = static_cast<int>(row);
            for (int x = 0; x < from.width; ++x) {
                float sum = 0;
                for (int k = -reach; k <= reach; ++k) {
                    sum += taps[static_cast<std::size_t>(std::abs(k))] *
                           from.at(c, x + k * step_x, y + k * step_y);
                }
                to.colours[c][row * static_cast<std::size_t>(from.width) + static_cast<std::size_t>(x)] = sum;
            }
        });
    }
    return to;
}

enum class EdgeNormal { across, down, right_down, left_down };

template <class Value>
struct Gradient {
    Value size;
    EdgeNormal direction;
};

/// The tangent of 22.5 degrees, in 2^-15.
constexpr int tangent = 13573;

EdgeNormal direction_of(int x, int y) {
    const int across = std::abs(x) * tangent;
    const int down = std::abs(y) << 15U;
    return down < across                          ? EdgeNormal::across
           : down > across + (std::abs(x) << 16U) ? EdgeNormal::down
           : (x < 0) != (y < 0)                   ? EdgeNormal::left_down
                                                  : EdgeNormal::right_down;
}

EdgeNormal direction_of(float x, float y) {
    const float across = std::abs(x) * (tangent / 32768.0F);
    const float twice = 2 * std::abs(x);
    return std::abs(y) < across           ? EdgeNormal::across
           : std::abs(y) > across + twice ? EdgeNormal::down
           : (x < 0) != (y < 0)           ? EdgeNormal::left_down
                                          : EdgeNormal::right_down;
}

template <class Value>
Value size_of(Value x, Value y, bool is_squared) {
    const Value size = is_squared ? x * x + y * y : std::abs(x) + std::abs(y);
    if constexpr (std::is_floating_point_v<Value>) {
        return std::isfinite(size) ? size : 0;
    }
    return size;
}

template <class Value>
Gradient<Value> gradient_at(const Planes<Value>& planes, int x, int y, bool is_squared) {
    std::array<Value, 3> found{0, 0, -1};
    for (std::size_t c = planes.colours.size(); c-- > 0;) {
        const auto column = [&](int at) {
            return planes.at(c, at, y - 1) + planes.at(c, at, y + 1) + 2 * planes.at(c, at, y);
        };
        const auto row = [&](int at) {
            return planes.at(c, x - 1, at) + planes.at(c, x + 1, at) + 2 * planes.at(c, x, at);
        };
        const Value across = column(x + 1) - column(x - 1);
        const Value down = row(y + 1) - row(y - 1);
        const Value size = size_of(across, down, is_squared);
        if (size > found[2]) {
            found = {across, down, size};
        }
    }
    return {found[2], direction_of(found[0], found[1])};
}

/// Three rows of gradients, with a gradient of 0 at both ends.
template <class Value>
class Rows {
  public:
    Rows(const Planes<Value>& planes, bool is_squared) : planes_(planes), is_squared_(is_squared) {}

    std::vector<Gradient<Value>> of(int y) const {
        std::vector<Gradient<Value>> row(static_cast<std::size_t>(planes_.width) + 2, {0, EdgeNormal::across});
        for (int x = 0; x < planes_.width && y >= 0 && y < planes_.height; ++x) {
            row[static_cast<std::size_t>(x) + 1] = gradient_at(planes_, x, y, is_squared_);
        }
        return row;
    }

  private:
    const Planes<Value>& planes_;
    bool is_squared_;
};

template <class Value>
using Row = std::vector<Gradient<Value>>;

template <class Value>
bool is_largest(const Row<Value>& above, const Row<Value>& own, const Row<Value>& below, std::size_t x) {
    const Value size = own[x].size;
    switch (own[x].direction) {
    case EdgeNormal::across:
        return size > own[x - 1].size && size >= own[x + 1].size;
    case EdgeNormal::down:
        return size > above[x].size && size >= below[x].size;
    case EdgeNormal::right_down:
        return size > above[x - 1].size && size > below[x + 1].size;
    default:
        return size > above[x + 1].size && size > below[x - 1].size;
    }
}

template <class Value>
void find_edges(const Planes<Value>& planes, const CannyRules& rules, const CannyRows& rows,
                EdgeMasks& masks) {
    const Rows<Value> gradients(planes, rules.is_squared);
    const auto low = static_cast<Value>(rules.is_whole ? std::min(std::floor(rules.low), 0x1p30) : rules.low);
    const auto high =
        static_cast<Value>(rules.is_whole ? std::min(std::floor(rules.high), 0x1p30) : rules.high);
    constexpr int together = 16; // rows
    parallel_for(static_cast<std::size_t>(covering(rows.count, together)), [&](std::size_t part) {
        const int first = static_cast<int>(part) * together;
        Row<Value> above = gradients.of(rows.above + first - 1);
        Row<Value> own = gradients.of(rows.above + first);
        for (int y = first; y < std::min(first + together, rows.count); ++y) {
            Row<Value> below = gradients.of(rows.above + y + 1);
            for (std::size_t x = 0; x < static_cast<std::size_t>(planes.width); ++x) {
                if (own[x + 1].size > low && is_largest<Value>(above, own, below, x + 1)) {
                    const std::size_t word = masks.weak.word_of(static_cast<int>(x), y);
                    masks.weak.words[word] |= 1U << (x % 32);
                    masks.strong.words[word] |= (own[x + 1].size > high ? 1U : 0U) << (x % 32);
                }
            }
            above = std::exchange(own, std::move(below));
        }
    });
}

} // namespace

EdgeMasks edge_masks(const Image& given, const CannyRules& rules, const CannyRows& rows) {
    const Image image = rules.hides ? filled(given, {.reach = rules.seen()}) : given;
    HostMask none{image.width(), rows.count};
    none.words.resize(static_cast<std::size_t>(MaskBits::row_words_of(none.width)) *
                      static_cast<std::size_t>(rows.count));
    EdgeMasks masks{none, none};
    if (rules.is_whole) {
        find_edges(planes_of<int>(image), rules, rows, masks);
        return masks;
    }
    Planes<float> planes = planes_of<float>(image);
    if (rules.blur_reach() > 0) {
        planes = blurred(blurred(planes, rules.taps, 1, 0), rules.taps, 0, 1);
    }
    find_edges(planes, rules, rows, masks);
    return masks;
}

HostMask connected(const EdgeMasks& masks) {
    HostMask kept = masks.strong;
    std::vector<std::pair<int, int>> open;
    for (int y = 0; y < kept.height; ++y) {
        for (int x = 0; x < kept.width; ++x) {
            if (masks.strong.is_set(x, y)) {
                open.emplace_back(x, y);
            }
        }
    }
    while (!open.empty()) {
        const auto [x, y] = open.back();
        open.pop_back();
        for (int v = std::max(y - 1, 0); v <= std::min(y + 1, kept.height - 1); ++v) {
            for (int u = std::max(x - 1, 0); u <= std::min(x + 1, kept.width - 1); ++u) {
                if (masks.weak.is_set(u, v) && !kept.is_set(u, v)) {
                    kept.words[kept.word_of(u, v)] |= 1U << (static_cast<unsigned>(u) % 32);
                    open.emplace_back(u, v);
                }
            }
        }
    }
    return kept;
}

} // namespace glproc
