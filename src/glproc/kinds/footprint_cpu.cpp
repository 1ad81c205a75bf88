#include "glproc/base/parallel.hpp"
#include "glproc/kinds/footprint.hpp"
#include "glproc/kinds/number_cast.hpp"

#include <algorithm>
#include <array>

namespace glproc {

namespace {

/// Values of a slab with its surroundings, which should stay in a cache.
constexpr std::int64_t slab_values = 1 << 17;
/// Results that are made together.
constexpr std::int64_t results_at_once = 512;

/// Values that are ranked side by side, and of how many neighbours at most.
constexpr std::int64_t lane_values = 64;
constexpr std::size_t most_lanes = 36;

/// How far neighbours lie before and after a value along an axis.
struct Reach {
    std::int64_t before = 0;
    std::int64_t after = 0;
};

std::vector<Reach> reaches_of(const FootprintJob& job) {
    std::vector<Reach> reaches(job.source.shape.size());
    for (std::size_t i = 0; i < job.offsets.size(); ++i) {
        Reach& reach = reaches[i % reaches.size()];
        reach.before = std::max(reach.before, -job.offsets[i]);
        reach.after = std::max(reach.after, job.offsets[i]);
    }
    return reaches;
}

/// Counts through indices, the last fastest.
bool advance(std::vector<std::int64_t>& index, const std::vector<std::int64_t>& shape) {
    for (std::size_t axis = index.size(); axis > 0; --axis) {
        if (++index[axis - 1] < shape[axis - 1]) {
            return true;
        }
        index[axis - 1] = 0;
    }
    return false;
}

/// Finds values of a rank side by side, by comparisons without a branch. Of the neighbours seen so far it forgets the largest as soon
/// as more are less than the rank says, and likewise the least: A. W. Paeth, Median Finding on a 3 x 3 Grid, Graphics Gems, 1990.
class Lanes {
  public:
    /// `to` gets `count` values, lane_values at most.
    void select(const double* from, const std::vector<std::int64_t>& places, std::size_t rank, std::int64_t count, double* to) {
        std::size_t all = places.size(); // that are not forgotten
        std::size_t kept = 0;            // of those the ones that have been seen
        for (const std::int64_t place : places) {
            std::copy_n(from + place, count, lane(kept++));
            while (all > 1) {
                if (kept > rank + 1) {
                    move_last<true>(kept, count);
                } else if (kept > all - rank) {
                    move_last<false>(kept, count);
                    --rank;
                } else {
                    break;
                }
                --kept;
                --all;
            }
        }
        std::copy_n(lane(0), count, to);
    }

  private:
    double* lane(std::size_t i) { return values_.data() + i * static_cast<std::size_t>(lane_values); }

    /// The largest or the least of each place, into the last lane.
    template <bool is_largest>
    void move_last(std::size_t kept, std::int64_t count) {
        double* const last = lane(kept - 1);
        for (std::size_t i = 0; i + 1 < kept; ++i) {
            double* const other = lane(i);
            for (std::int64_t n = 0; n < count; ++n) {
                const double a = other[n];
                const double b = last[n];
                const double low = b < a ? b : a;
                const double high = b < a ? a : b;
                other[n] = is_largest ? low : high;
                last[n] = is_largest ? high : low;
            }
        }
    }

    std::array<double, most_lanes * static_cast<std::size_t>(lane_values)> values_;
};

/// Some planes across the first axis as doubles, with all that their results need around them.
class Slab {
  public:
    explicit Slab(const FootprintJob& job) : job_(job), reaches_(reaches_of(job)), sums_(results_at_once) {
        const std::size_t axes = job.source.shape.size();
        shape_.resize(axes);
        for (std::size_t axis = 0; axis < axes; ++axis) {
            shape_[axis] = job.source.shape[axis] + reaches_[axis].before + reaches_[axis].after;
        }
        steps_.assign(axes, 1);
        for (std::size_t axis = axes - 1; axis > 0; --axis) {
            steps_[axis - 1] = steps_[axis] * shape_[axis];
        }
        for (std::size_t i = 0; i < job.neighbours(); ++i) {
            std::int64_t at = 0;
            for (std::size_t axis = 0; axis < axes; ++axis) {
                at += (job.offsets[i * axes + axis] + reaches_[axis].before) * steps_[axis];
            }
            places_.push_back(at);
        }
        ranked_.resize(job.what == FootprintJob::Do::rank ? places_.size() : 0);
    }

    /// How many planes fit.
    std::int64_t planes() const {
        const std::int64_t around = reaches_[0].before + reaches_[0].after;
        const std::int64_t fit = slab_values / steps_[0] - around;
        const std::int64_t least =
            std::min<std::int64_t>(1 + around, 16); // fewer would be mostly surroundings
        return std::min(std::max(fit, least), job_.source.shape[0]);
    }

    template <class T>
    void load(const T* from, std::int64_t first, std::int64_t count) {
        first_ = first;
        count_ = count;
        std::vector<std::int64_t> shape = shape_;
        shape[0] = count + reaches_[0].before + reaches_[0].after;
        values_.resize(static_cast<std::size_t>(shape[0] * steps_[0]));
        const double constant = job_.what == FootprintJob::Do::sum
                                    ? job_.constant
                                    : static_cast<double>(number_cast<T>(job_.constant));
        const bool is_flat = shape.size() == 1; // one row, which is never cut
        std::vector<std::int64_t> outer(shape.begin(), shape.end() - 1);
        std::vector<std::int64_t> index(outer.size());
        double* row = values_.data();
        do {
            std::int64_t at = is_flat ? 0 : row_at(index);
            load_row(at < 0 ? nullptr : from + at, row, constant);
            row += shape_.back();
        } while (advance(index, outer));
    }

    template <class T>
    void store(T* to) {
        std::vector<std::int64_t> outer(job_.source.shape.begin(), job_.source.shape.end() - 1);
        const bool is_flat = outer.empty();
        if (!is_flat) {
            outer[0] = count_;
        }
        std::vector<std::int64_t> index(outer.size());
        const std::int64_t length = job_.source.shape.back();
        to += is_flat ? 0 : first_ * (job_.source.count() / job_.source.shape[0]);
        do {
            std::int64_t at = 0;
            for (std::size_t axis = 0; axis < index.size(); ++axis) {
                at += index[axis] * steps_[axis];
            }
            for (std::int64_t x = 0; x < length; x += results_at_once) {
                const std::int64_t count = std::min(results_at_once, length - x);
                filter(values_.data() + at + x, count);
                for (std::int64_t n = 0; n < count; ++n) {
                    to[x + n] = mirrored_cast<T>(sums_[static_cast<std::size_t>(n)]);
                }
            }
            to += length;
        } while (advance(index, outer));
    }

  private:
    /// The first value of a row of the source, or -1 if the row is the constant.
    std::int64_t row_at(const std::vector<std::int64_t>& index) const {
        const std::vector<std::int64_t>& shape = job_.source.shape;
        std::int64_t at = 0;
        for (std::size_t axis = 0; axis < index.size(); ++axis) {
            const std::int64_t i = index[axis] - reaches_[axis].before + (axis == 0 ? first_ : 0);
            const std::int64_t place = folded_index(i, shape[axis], job_.border);
            if (place < 0) {
                return -1;
            }
            at = at * shape[axis] + place;
        }
        return at * shape.back();
    }

    template <class T>
    void load_row(const T* from, double* to, double constant) {
        const std::int64_t length = job_.source.shape.back();
        const std::int64_t before = reaches_.back().before; // not bound together: clang 14 captures no structured binding
        const std::int64_t after = reaches_.back().after;
        if (from == nullptr) {
            std::fill_n(to, shape_.back(), constant);
            return;
        }
        for (std::int64_t i = 0; i < length; ++i) {
            to[before + i] = static_cast<double>(from[i]);
        }
        const auto beyond = [&](std::int64_t i) {
            const std::int64_t place = folded_index(i, length, job_.border);
            to[before + i] = place < 0 ? constant : static_cast<double>(from[place]);
        };
        for (std::int64_t i = 1; i <= before; ++i) {
            beyond(-i);
        }
        for (std::int64_t i = 0; i < after; ++i) {
            beyond(length + i);
        }
    }

    /// Results of values side by side. Each comparison is SciPy's own, as a NaN makes all of them false.
    void filter(const double* from, std::int64_t count) {
        double* const to = sums_.data();
        switch (job_.what) {
        case FootprintJob::Do::sum:
            std::fill_n(to, count, 0.0);
            for (std::size_t i = 0; i < places_.size(); ++i) {
                const double* const values = from + places_[i];
                const double weight = job_.weights[i];
                for (std::int64_t n = 0; n < count; ++n) {
                    to[n] += weight * values[n];
                }
            }
            return;
        case FootprintJob::Do::minimum:
            return extremes(from, count,
                            [](double best, double value) { return value < best ? value : best; });
        case FootprintJob::Do::maximum:
            return extremes(from, count,
                            [](double best, double value) { return value > best ? value : best; });
        case FootprintJob::Do::rank:
            if (places_.size() <= most_lanes) {
                for (std::int64_t n = 0; n < count; n += lane_values) {
                    lanes_.select(from + n, places_, job_.rank, std::min(lane_values, count - n), to + n);
                }
                return;
            }
            for (std::int64_t n = 0; n < count; ++n) {
                for (std::size_t i = 0; i < places_.size(); ++i) {
                    ranked_[i] = from[places_[i] + n];
                }
                const auto wanted = ranked_.begin() + static_cast<std::ptrdiff_t>(job_.rank);
                std::nth_element(ranked_.begin(), wanted, ranked_.end());
                to[n] = *wanted;
            }
        }
    }

    template <class Choose>
    void extremes(const double* from, std::int64_t count, const Choose& choose) {
        double* const to = sums_.data();
        std::copy_n(from + places_[0], count, to);
        for (std::size_t i = 1; i < places_.size(); ++i) {
            const double* const values = from + places_[i];
            for (std::int64_t n = 0; n < count; ++n) {
                to[n] = choose(to[n], values[n]);
            }
        }
    }

    const FootprintJob& job_;
    std::vector<Reach> reaches_;
    std::vector<std::int64_t> shape_;  ///< of the array with its surroundings
    std::vector<std::int64_t> steps_;  ///< from one value to the next along an axis
    std::vector<std::int64_t> places_; ///< of neighbours, from the first one that there can be
    std::int64_t first_ = 0;
    std::int64_t count_ = 0;
    std::vector<double> values_;
    std::vector<double> sums_;
    std::vector<double> ranked_;
    Lanes lanes_;
};

} // namespace

void run_footprint_on_cpu(const FootprintJob& job, std::span<const std::byte> source,
                          std::span<std::byte> result, const std::function<void()>& check) {
    const bool is_flat = job.source.shape.size() == 1;
    const std::int64_t length = job.source.shape[0];
    const std::int64_t planes = is_flat ? length : Slab(job).planes();
    const auto slabs = static_cast<std::size_t>((length + planes - 1) / planes);
    parallel_for(
        slabs, [&] { return Slab(job); },
        [&](Slab& slab, std::size_t n) {
            if (check) {
                check();
            }
            const std::int64_t first = static_cast<std::int64_t>(n) * planes;
            with_type(job.source.type, [&](auto type) {
                slab.load(reinterpret_cast<const decltype(type)*>(source.data()), first,
                          std::min(planes, length - first));
            });
            with_type(job.result,
                      [&](auto type) { slab.store(reinterpret_cast<decltype(type)*>(result.data())); });
        });
}

} // namespace glproc
