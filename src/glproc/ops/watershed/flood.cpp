#include "glproc/ops/watershed/flood.hpp"

#include "glproc/kinds/value_order.hpp"
#include "glproc/ops/maxima/prominence.hpp"

#include <algorithm>
#include <functional>
#include <numeric>
#include <utility>

namespace glproc {

namespace {

/// The neighbours of a pixel that are in the picture.
class Neighbours {
  public:
    explicit Neighbours(const Terrain& terrain)
        : width_(static_cast<std::uint32_t>(terrain.width)),
          height_(static_cast<std::uint32_t>(terrain.height)),
          is_eight_(terrain.connectivity == Connectivity::eight) {}

    template <class Visit>
    void visit(std::uint32_t pixel, const Visit& visit) const {
        const std::uint32_t y = pixel / width_;
        const std::uint32_t x = pixel - y * width_;
        const bool has_left = x > 0;
        const bool has_right = x + 1 < width_;
        const auto visit_row = [&](std::uint32_t middle, bool sides) {
            if (sides && has_left) {
                visit(middle - 1);
            }
            if (middle != pixel) {
                visit(middle);
            }
            if (sides && has_right) {
                visit(middle + 1);
            }
        };
        if (y > 0) {
            visit_row(pixel - width_, is_eight_);
        }
        visit_row(pixel, true);
        if (y + 1 < height_) {
            visit_row(pixel + width_, is_eight_);
        }
    }

  private:
    std::uint32_t width_;
    std::uint32_t height_;
    bool is_eight_;
};

/// Floods level by level. At each level the water spreads a step at a time, everywhere at once.
class Flood {
  public:
    Flood(const Terrain& terrain, Basins& basins)
        : terrain_(terrain), neighbours_(terrain), basins_(basins), states_(basins.size(), State::waiting),
          steps_(basins.size()) {
        for (std::size_t i = 0; i < basins.size(); ++i) {
            states_[i] = basins[i] != 0 ? State::wet : State::waiting;
        }
    }

    void run() {
        const std::vector<std::uint32_t> order = in_order_of_value(terrain_.heights);
        for (auto begin = order.begin(); begin != order.end();) {
            const float level = terrain_.heights[*begin];
            auto end = begin;
            for (; end != order.end() && terrain_.heights[*end] == level; ++end) {
                // a marker, or next to lower land that is wet
                if (basins_[*end] != 0 && basins_[*end] != dry) {
                    front_.push_back(*end);
                    states_[*end] = State::wet;
                }
            }
            while (!front_.empty()) {
                spread(level);
            }
            begin = end;
        }
        for (std::size_t i = 0; i < basins_.size(); ++i) {
            basins_[i] = states_[i] == State::wet ? basins_[i] : 0;
        }
    }

  private:
    enum class State : std::uint8_t { waiting, wet };

    void spread(float level) {
        ++step_;
        for (const std::uint32_t pixel : front_) {
            const std::uint32_t basin = basins_[pixel];
            neighbours_.visit(pixel, [&](std::uint32_t other) {
                if (states_[other] == State::wet) {
                    return;
                }
                std::uint32_t& there = basins_[other]; // of higher land: what it gets once the water is there
                if (steps_[other] == step_) {
                    there = std::min(there, basin);
                } else if (!(terrain_.heights[other] > level)) {
                    there = basin;
                    steps_[other] = step_;
                    next_.push_back(other);
                } else if (there == 0) {
                    there = basin;
                    steps_[other] = step_;
                }
            });
        }
        for (const std::uint32_t pixel : next_) {
            states_[pixel] = State::wet;
        }
        front_.swap(next_);
        next_.clear();
    }

    const Terrain& terrain_;
    Neighbours neighbours_;
    Basins& basins_;
    std::vector<State> states_;
    std::vector<std::uint32_t> steps_; ///< in which a pixel got its basin
    std::uint32_t step_ = 0;
    std::vector<std::uint32_t> front_;
    std::vector<std::uint32_t> next_;
};

} // namespace

void flood(const Terrain& terrain, Basins& basins) {
    Flood(terrain, basins).run();
}

void mark_minima(const Terrain& terrain, Basins& basins) {
    const Neighbours neighbours(terrain);
    const std::vector<float>& heights = terrain.heights;
    std::vector<char> is_seen(basins.size());
    std::vector<char> is_low(basins.size());
    std::vector<std::uint32_t> plateau;
    const auto collect = [&](std::uint32_t first,
                             const auto& belongs) { // with all pixels that belong to it
        plateau.assign(1, first);
        for (std::size_t next = 0; next < plateau.size(); ++next) {
            neighbours.visit(plateau[next], [&](std::uint32_t other) {
                if (belongs(other)) {
                    plateau.push_back(other);
                }
            });
        }
    };
    for (std::uint32_t i = 0; i < basins.size(); ++i) {
        if (is_seen[i] == 0) {
            bool is_lowest = true;
            is_seen[i] = 1;
            collect(i, [&](std::uint32_t other) {
                is_lowest = is_lowest && !(heights[other] < heights[i]);
                return heights[other] == heights[i] && std::exchange(is_seen[other], 1) == 0;
            });
            for (const std::uint32_t pixel : plateau) {
                is_low[pixel] = is_lowest && basins[pixel] != dry ? 1 : 0;
            }
        }
    }
    std::uint32_t count = 0;
    for (std::uint32_t i = 0; i < basins.size(); ++i) {
        if (is_low[i] == 1) {
            basins[i] = ++count;
            is_low[i] = 0;
            collect(i, [&](std::uint32_t other) {
                if (std::exchange(is_low[other], 0) == 0) {
                    return false;
                }
                basins[other] = count;
                return true;
            });
        }
    }
}

void drop_shallow_minima(const Terrain& terrain, double least, float top, Basins& basins) {
    std::vector<float> depths(terrain.heights.size());
    std::transform(terrain.heights.begin(), terrain.heights.end(), depths.begin(),
                   [](float v) { return -v; });
    std::vector<Maximum> minima;
    std::uint32_t count = 0;
    for (std::uint32_t i = 0; i < basins.size(); ++i) {
        if (basins[i] != dry && basins[i] > count) { // a first pixel
            count = basins[i];
            const auto width = static_cast<std::uint32_t>(terrain.width);
            minima.push_back({static_cast<int>(i % width), static_cast<int>(i / width), depths[i]});
        }
    }
    std::vector<std::uint32_t> numbers(count);
    std::iota(numbers.begin(), numbers.end(), 0U);
    std::stable_sort(numbers.begin(), numbers.end(),
                     [&](std::uint32_t a, std::uint32_t b) { return minima[a].value > minima[b].value; });
    std::vector<Maximum> sorted;
    for (const std::uint32_t number : numbers) {
        sorted.push_back(minima[number]);
    }
    set_prominences({terrain.width, terrain.height, depths, terrain.connectivity == Connectivity::eight},
                    -top, sorted);
    std::vector<char> is_kept(count + 1);
    for (std::size_t i = 0; i < sorted.size(); ++i) {
        const bool has_no_way_out = sorted[i].prominence >= sorted[i].value + top;
        is_kept[numbers[i] + 1] = sorted[i].prominence >= least || has_no_way_out ? 1 : 0;
    }
    std::vector<std::uint32_t> renumbered(count + 1);
    std::uint32_t kept = 0;
    for (std::uint32_t label = 1; label <= count; ++label) {
        renumbered[label] = is_kept[label] != 0 ? ++kept : 0;
    }
    for (std::uint32_t& basin : basins) {
        basin = basin == dry ? dry : renumbered[basin];
    }
}

} // namespace glproc
