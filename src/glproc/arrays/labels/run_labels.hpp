// Connected parts of arrays whose values lie in runs along lines, such as the rows of a mask, by the
// processor. It unites runs of neighbouring lines that touch. Parts are numbered by their first runs.
#pragma once

#include "glproc/base/error.hpp"
#include "glproc/base/parallel.hpp"

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <functional>
#include <limits>
#include <numeric>
#include <utility>
#include <vector>

namespace glproc {

/// Fewer values in a slab are done before a thread would have started.
inline constexpr std::int64_t least_values_of_runs = 1 << 15;

/// Where values of another line may lie to touch a run: from its first value plus `low` to its last plus
/// `high`.
struct Touch {
    std::int64_t low;
    std::int64_t high;
};

/// A line before another one whose values may touch it.
struct LineNeighbour {
    std::vector<int> steps; ///< along each axis but the last
    std::int64_t lines = 0; ///< how far back it is
    std::vector<Touch> touches;
};

inline std::vector<Touch> touches_of(const std::uint8_t* row) {
    const bool before = row[0] != 0;
    const bool same = row[1] != 0;
    const bool after = row[2] != 0;
    if (before && after && !same) {
        return {{-1, -1}, {1, 1}};
    }
    if (!before && !same && !after) {
        return {};
    }
    return {{before ? -1 : same ? 0 : 1, after ? 1 : same ? 0 : -1}};
}

inline std::vector<LineNeighbour> line_neighbours_of(const std::vector<std::int64_t>& shape,
                                                     const std::vector<std::uint8_t>& structure) {
    const std::size_t axes = shape.size() - 1;
    std::vector<LineNeighbour> neighbours;
    for (std::size_t row = 0; row < structure.size() / 6; ++row) { // those after the middle are the same
        LineNeighbour one{std::vector<int>(axes), 0, touches_of(&structure[row * 3])};
        std::size_t digits = row;
        std::int64_t step = 1;
        for (std::size_t axis = axes; axis > 0; --axis) {
            one.steps[axis - 1] = static_cast<int>(digits % 3) - 1;
            one.lines -= step * one.steps[axis - 1];
            digits /= 3;
            step *= shape[axis - 1];
        }
        if (!one.touches.empty() && one.lines > 0) { // not before it: the axis has one index only
            neighbours.push_back(one);
        }
    }
    return neighbours;
}

/// Runs of values along lines that lie one after another: where each begins and ends.
struct RunSlab {
    std::int64_t first_line = 0;
    std::int64_t end_line = 0;
    std::int64_t first_run = 0;        ///< of all slabs
    std::vector<std::int32_t> ends;    ///< two a run
    std::vector<std::int64_t> runs_at; ///< of each line the first, and one more

    std::int64_t runs() const { return static_cast<std::int64_t>(ends.size() / 2); }
    bool has(std::int64_t line) const { return line >= first_line && line < end_line; }
    const std::int32_t* begin_of(std::int64_t line) const {
        return ends.data() + 2 * runs_at[static_cast<std::size_t>(line - first_line)];
    }
    const std::int32_t* end_of(std::int64_t line) const { return begin_of(line + 1); }
    std::int64_t run_at(std::int64_t line) const {
        return first_run + runs_at[static_cast<std::size_t>(line - first_line)];
    }
};

template <class Label>
class RunLabels {
  public:
    /// `structure`: see LabelJob.
    RunLabels(std::vector<std::int64_t> shape, const std::vector<std::uint8_t>& structure)
        : shape_(std::move(shape)), length_(shape_.back()),
          lines_(std::accumulate(shape_.begin(), shape_.end() - 1, std::int64_t{1}, std::multiplies<>())),
          neighbours_(line_neighbours_of(shape_, structure)),
          is_joined_(structure[structure.size() / 2 - 1] != 0) {
        std::int64_t farthest = 1;
        for (const LineNeighbour& one : neighbours_) {
            farthest = std::max(farthest, one.lines);
        }
        // A line has neighbours in its own slab and in the one before it alone; few have them there.
        const std::int64_t least = std::max(least_values_of_runs / length_ + 1, 4 * farthest);
        const auto threads = static_cast<std::int64_t>(thread_limit());
        const std::int64_t count =
            threads == 1 ? 1 : std::clamp<std::int64_t>(lines_ / least, 1, 4 * threads);
        slabs_.resize(static_cast<std::size_t>(count));
        for (std::int64_t i = 0; i < count; ++i) {
            slabs_[static_cast<std::size_t>(i)].first_line = lines_ * i / count;
            slabs_[static_cast<std::size_t>(i)].end_line = lines_ * (i + 1) / count;
        }
        farthest_ = farthest;
    }

    /// Whether neighbours along a line belong together: then a line has one run for two values at most, else
    /// one for each.
    bool is_joined() const { return is_joined_; }

    /// Finds all parts. `find(line, to)` writes where each run of a line begins and ends, and returns the
    /// end of these numbers. `to` has room for two numbers more than the line has values, or twice as
    /// many, see is_joined(). Several threads call it. Returns how many parts there are.
    template <class Find>
    std::int64_t solve(const Find& find, const std::function<void()>& check = {}) {
        in_slabs(check, [&](std::size_t i) { find_runs(slabs_[i], find); });
        std::int64_t runs = 0;
        for (RunSlab& slab : slabs_) {
            slab.first_run = runs;
            runs += slab.runs();
        }
        if (runs > std::numeric_limits<Label>::max()) {
            throw Error(ErrorCode::operation, "the mask has more runs of pixels than can be numbered");
        }
        parents_.resize(static_cast<std::size_t>(runs));
        in_slabs(check, [&](std::size_t i) { join_within(i); });
        for (std::size_t i = 1; i < slabs_.size(); ++i) {
            join_to_previous(i);
        }
        return number();
    }

    /// After solve(): calls work(line, begin, end, number) for the runs of lines `first` to `end` - 1, in
    /// their order.
    template <class Work>
    void for_runs(std::int64_t first, std::int64_t end, const Work& work) const {
        for (const RunSlab& slab : slabs_) {
            for (std::int64_t line = std::max(first, slab.first_line); line < std::min(end, slab.end_line);
                 ++line) {
                const Label* number = parents_.data() + slab.run_at(line);
                for (const std::int32_t* run = slab.begin_of(line); run != slab.end_of(line); run += 2) {
                    work(line, run[0], run[1], *number++);
                }
            }
        }
    }

    /// After solve(): the labels of lines `first` to `end` - 1, `label_of(number)` for values of a part and 0
    /// for others.
    template <class Out, class LabelOf>
    void write(std::int64_t first, std::int64_t end, Out* labels, const LabelOf& label_of,
               const std::function<void()>& check = {}) const {
        in_slabs(check, [&](std::size_t i) {
            const RunSlab& slab = slabs_[i];
            for (std::int64_t y = std::max(first, slab.first_line); y < std::min(end, slab.end_line); ++y) {
                const Label* number = parents_.data() + slab.run_at(y);
                Out* const line = labels + (y - first) * length_;
                std::int32_t at = 0;
                for (const std::int32_t* run = slab.begin_of(y); run != slab.end_of(y); run += 2) {
                    std::fill(line + at, line + run[0], Out{0});
                    std::fill(line + run[0], line + run[1], label_of(*number++));
                    at = run[1];
                }
                std::fill(line + at, line + length_, Out{0});
            }
        });
    }

  private:
    /// On all cores. `check` may end it by throwing.
    template <class Work>
    void in_slabs(const std::function<void()>& check, const Work& work) const {
        parallel_for(slabs_.size(), [&](std::size_t i) {
            if (check) {
                check();
            }
            work(i);
        });
    }

    template <class Find>
    void find_runs(RunSlab& slab, const Find& find) {
        const auto length = static_cast<std::size_t>(length_);
        std::vector<std::int32_t> line(is_joined_ ? length + 2 : 2 * length + 2);
        slab.runs_at.reserve(static_cast<std::size_t>(slab.end_line - slab.first_line) + 1);
        for (std::int64_t y = slab.first_line; y < slab.end_line; ++y) {
            slab.runs_at.push_back(slab.runs());
            const std::int32_t* const end = find(y, line.data());
            slab.ends.insert(slab.ends.end(), static_cast<const std::int32_t*>(line.data()), end);
        }
        slab.runs_at.push_back(slab.runs());
    }

    /// Calls work(line, neighbour's line, neighbour) for the lines of a slab up to one.
    template <class Work>
    void with_neighbours(const RunSlab& slab, std::int64_t end, const Work& work) const {
        const std::size_t axes = shape_.size() - 1;
        std::vector<std::int64_t> index(axes);
        std::int64_t rest = slab.first_line;
        for (std::size_t axis = axes; axis > 0; --axis) {
            index[axis - 1] = rest % shape_[axis - 1];
            rest /= shape_[axis - 1];
        }
        for (std::int64_t line = slab.first_line; line < end; ++line) {
            for (const LineNeighbour& one : neighbours_) {
                bool is_inside = true;
                for (std::size_t axis = 0; axis < axes; ++axis) {
                    const std::int64_t at = index[axis] + one.steps[axis];
                    is_inside = is_inside && at >= 0 && at < shape_[axis];
                }
                if (is_inside) {
                    work(line, line - one.lines, one);
                }
            }
            for (std::size_t axis = axes; axis > 0 && ++index[axis - 1] == shape_[axis - 1]; --axis) {
                index[axis - 1] = 0;
            }
        }
    }

    void join_within(std::size_t i) {
        const RunSlab& slab = slabs_[i];
        for (std::int64_t run = slab.first_run; run < slab.first_run + slab.runs(); ++run) {
            parents_[static_cast<std::size_t>(run)] = static_cast<Label>(run);
        }
        with_neighbours(slab, slab.end_line,
                        [&](std::int64_t line, std::int64_t other, const LineNeighbour& one) {
                            if (slab.has(other)) {
                                join(slab, line, slab, other, one);
                            }
                        });
    }

    void join_to_previous(std::size_t i) {
        const RunSlab& slab = slabs_[i];
        const std::int64_t end = std::min(slab.end_line, slab.first_line + farthest_);
        with_neighbours(slab, end, [&](std::int64_t line, std::int64_t other, const LineNeighbour& one) {
            if (slabs_[i - 1].has(other)) {
                join(slab, line, slabs_[i - 1], other, one);
            }
        });
    }

    /// The runs of two lines that touch.
    void join(const RunSlab& slab, std::int64_t line, const RunSlab& others, std::int64_t other,
              const LineNeighbour& one) {
        for (const Touch& touch : one.touches) {
            const std::int32_t* theirs = others.begin_of(other);
            const std::int32_t* const their_end = others.end_of(other);
            auto their_run = static_cast<Label>(others.run_at(other));
            auto run = static_cast<Label>(slab.run_at(line));
            for (const std::int32_t* ours = slab.begin_of(line); ours != slab.end_of(line);
                 ours += 2, ++run) {
                while (theirs != their_end && theirs[1] <= ours[0] + touch.low) {
                    theirs += 2;
                    ++their_run;
                }
                Label root = root_of(run);
                Label touched = their_run;
                for (const std::int32_t* p = theirs; p != their_end && p[0] < ours[1] + touch.high; p += 2) {
                    root = unite(root, root_of(touched++));
                }
            }
        }
    }

    Label root_of(Label run) {
        Label* const parents = parents_.data();
        while (parents[run] != run) {
            parents[run] = parents[parents[run]];
            run = parents[run];
        }
        return run;
    }

    /// The first run of a part is its root.
    Label unite(Label a, Label b) {
        const Label first = std::min(a, b);
        parents_[static_cast<std::size_t>(std::max(a, b))] = first;
        return first;
    }

    /// Makes numbers of the parents. Each parent is before its children.
    std::int64_t number() {
        Label count = 0;
        for (std::size_t i = 0; i < parents_.size(); ++i) {
            const auto parent = static_cast<std::size_t>(parents_[i]);
            parents_[i] = parent == i ? ++count : parents_[parent];
        }
        return count;
    }

    std::vector<std::int64_t> shape_;
    std::int64_t length_;
    std::int64_t lines_;
    std::vector<LineNeighbour> neighbours_;
    bool is_joined_; ///< neighbours along a line belong together
    std::int64_t farthest_ = 1;
    std::vector<RunSlab> slabs_;
    std::vector<Label> parents_; ///< of each run one of its part that is before it; at last its number
};

} // namespace glproc
