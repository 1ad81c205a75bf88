#include "glproc/arrays/footprints/footprints.hpp"
#include "glproc/arrays/footprints/rank_lanes.hpp"
#include "glproc/arrays/number_cast.hpp"
#include "glproc/base/covering.hpp"
#include "glproc/base/parallel.hpp"

#include <algorithm>
#include <map>
#include <utility>

namespace glproc {

namespace {

/// Values of a slab with its surroundings, which should stay in a cache.
constexpr std::int64_t slab_values = 1 << 17;
/// Results that are made together.
constexpr std::int64_t results_at_once = 512;

/// Rows of fewer results are made several at once.
constexpr std::int64_t short_row = 64;

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

/// The same job with as few axes as do: where no neighbour lies away along the last axes, their values lie
/// together, as colours do. Along an axis of one value all neighbours are that one, but for a constant beyond
/// it.
struct Packed {
    FootprintJob job;
    std::int64_t together = 1; ///< values for each index of the last axis

    explicit Packed(const FootprintJob& given) : job(given) {
        std::vector<std::int64_t>& shape = job.source.shape;
        const std::size_t axes = shape.size();
        for (std::size_t i = 0; i < job.offsets.size(); ++i) {
            if (shape[i % axes] == 1 && job.border != BorderMode::constant) {
                job.offsets[i] = 0;
            }
        }
        const std::vector<Reach> reaches = reaches_of(job);
        std::size_t kept = axes;
        while (kept > 1 && reaches[kept - 1].before == 0 && reaches[kept - 1].after == 0) {
            together *= shape[--kept];
        }
        std::vector<std::int64_t> offsets;
        for (std::size_t i = 0; i < job.offsets.size(); ++i) {
            if (i % axes < kept) {
                offsets.push_back(job.offsets[i]);
            }
        }
        job.offsets = std::move(offsets);
        shape.resize(kept);
        if (job.what == FootprintJob::Do::rank) {
            join_neighbours();
        }
    }

  private:
    /// Neighbours that are the same value count once, if each of them does as often.
    void join_neighbours() {
        const auto axes = static_cast<std::ptrdiff_t>(job.source.shape.size());
        std::map<std::vector<std::int64_t>, std::size_t> counts;
        for (auto offset = job.offsets.begin(); offset != job.offsets.end(); offset += axes) {
            ++counts[{offset, offset + axes}];
        }
        const std::size_t each = counts.begin()->second;
        if (each == 1 ||
            std::ranges::any_of(counts, [each](const auto& one) { return one.second != each; })) {
            return;
        }
        job.offsets.clear();
        for (const auto& [offset, count] : counts) {
            job.offsets.insert(job.offsets.end(), offset.begin(), offset.end());
        }
        job.rank /= each;
    }
};

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

/// Some planes across the first axis as doubles, with all that their results need around them.
class Slab {
  public:
    explicit Slab(const Packed& packed)
        : job_(packed.job), together_(packed.together), reaches_(reaches_of(job_)), sums_(results_at_once) {
        const FootprintJob& job = job_;
        const std::size_t axes = job.source.shape.size();
        shape_.resize(axes);
        for (std::size_t axis = 0; axis < axes; ++axis) {
            shape_[axis] = job.source.shape[axis] + reaches_[axis].before + reaches_[axis].after;
        }
        steps_.assign(axes, together_);
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
        // Fewer would be mostly surroundings.
        const std::int64_t least =
            job_.source.shape.size() == 1 ? 1 + around : std::min<std::int64_t>(1 + around, 16);
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
        if (shape.size() == 1) { // a part of the only row
            return load_row(from, values_.data(), first - reaches_[0].before, shape[0], constant);
        }
        std::vector<std::int64_t> outer(shape.begin(), shape.end() - 1);
        std::vector<std::int64_t> index(outer.size());
        double* row = values_.data();
        do {
            const std::int64_t at = row_at(index);
            if (at < 0) {
                std::fill_n(row, shape_.back() * together_, constant);
            } else {
                load_row(from + at, row, -reaches_.back().before, shape_.back(), constant);
            }
            row += shape_.back() * together_;
        } while (advance(index, outer));
    }

    template <class T>
    void store(T* to) {
        std::vector<std::int64_t> outer(job_.source.shape.begin(), job_.source.shape.end());
        outer[0] = count_;
        const std::int64_t row = outer.back() * together_;
        const std::int64_t pitch = shape_.back() * together_;
        outer.pop_back();
        // Short rows are filtered together, their surroundings included.
        std::int64_t rows = 1;
        if (row < short_row && !outer.empty()) {
            rows = outer.back();
            outer.pop_back();
        }
        std::vector<std::int64_t> index(outer.size());
        to += first_ * (job_.source.count() / job_.source.shape[0] * together_);
        do {
            std::int64_t at = 0;
            for (std::size_t axis = 0; axis < index.size(); ++axis) {
                at += index[axis] * steps_[axis];
            }
            const std::int64_t all = (rows - 1) * pitch + row;
            std::int64_t column = 0;
            for (std::int64_t x = 0; x < all; x += results_at_once) {
                const std::int64_t count = std::min(results_at_once, all - x);
                filter(values_.data() + at + x, count);
                for (std::int64_t n = 0; n < count;) {
                    const std::int64_t used = std::min(std::max<std::int64_t>(row - column, 0), count - n);
                    for (std::int64_t k = 0; k < used; ++k) {
                        to[k] = mirrored_cast<T>(sums_[static_cast<std::size_t>(n + k)]);
                    }
                    to += used;
                    const std::int64_t passed = std::min(pitch - column, count - n);
                    n += passed;
                    column = (column + passed) % pitch;
                }
            }
        } while (advance(index, outer));
    }

  private:
    /// The first value of a row of the source, or -1 if the row is the constant.
    std::int64_t row_at(const std::vector<std::int64_t>& index) const {
        const std::vector<std::int64_t>& shape = job_.source.shape;
        std::int64_t at = 0;
        for (std::size_t axis = 0; axis < index.size(); ++axis) {
            const std::int64_t i = index[axis] - reaches_[axis].before + (axis == 0 ? first_ : 0);
            const std::int64_t place = index_within(job_.border, i, shape[axis]);
            if (place < 0) {
                return -1;
            }
            at = at * shape[axis] + place;
        }
        return at * shape.back() * together_;
    }

    /// `count` indices of a row, the first at `first`.
    template <class T>
    void load_row(const T* from, double* to, std::int64_t first, std::int64_t count, double constant) const {
        const std::int64_t length = job_.source.shape.back();
        const std::int64_t end = first + count;
        const auto beyond = [&](std::int64_t i) {
            const std::int64_t place = index_within(job_.border, i, length);
            for (std::int64_t k = 0; k < together_; ++k) {
                to[(i - first) * together_ + k] =
                    place < 0 ? constant : static_cast<double>(from[place * together_ + k]);
            }
        };
        const std::int64_t begin = std::clamp<std::int64_t>(0, first, end);
        const std::int64_t stop = std::clamp(length, begin, end);
        for (std::int64_t i = first; i < begin; ++i) {
            beyond(i);
        }
        for (std::int64_t n = begin * together_; n < stop * together_; ++n) {
            to[n - first * together_] = static_cast<double>(from[n]);
        }
        for (std::int64_t i = stop; i < end; ++i) {
            beyond(i);
        }
    }

    /// Results of values side by side. Each comparison is SciPy's own, as a NaN makes all of them false.
    void filter(const double* from, std::int64_t count) {
        double* const to = sums_.data();
        switch (job_.what) {
        case FootprintJob::Do::sum:
            return sum(from, count);
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

    /// Three products are added in each round over the results.
    void sum(const double* from, std::int64_t count) {
        double* const to = sums_.data();
        std::fill_n(to, count, 0.0);
        std::size_t i = 0;
        for (; i + 3 <= places_.size(); i += 3) {
            const double* const first = from + places_[i];
            const double* const second = from + places_[i + 1];
            const double* const third = from + places_[i + 2];
            const double* const weights = job_.weights.data() + i;
            for (std::int64_t n = 0; n < count; ++n) {
                const double added = to[n] + weights[0] * first[n];
                to[n] = added + weights[1] * second[n] + weights[2] * third[n];
            }
        }
        for (; i < places_.size(); ++i) {
            const double* const values = from + places_[i];
            for (std::int64_t n = 0; n < count; ++n) {
                to[n] += job_.weights[i] * values[n];
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
    std::int64_t together_;
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

std::int64_t FootprintJob::run_on_cpu(SourceBytes from, ResultBytes to, const Check& check) const {
    if (is_set) {
        run_set(*this, from, to, check);
        return 0;
    }
    const Packed packed(*this);
    const std::int64_t length = packed.job.source.shape[0];
    const std::int64_t planes = Slab(packed).planes();
    const auto slabs = static_cast<std::size_t>(covering(length, planes));
    parallel_for(
        slabs, [&] { return Slab(packed); },
        [&](Slab& slab, std::size_t n) {
            if (check) {
                check();
            }
            const std::int64_t first = static_cast<std::int64_t>(n) * planes;
            with_type(source.type, [&](auto type) {
                slab.load(reinterpret_cast<const decltype(type)*>(from.data()), first,
                          std::min(planes, length - first));
            });
            with_type(result, [&](auto type) { slab.store(reinterpret_cast<decltype(type)*>(to.data())); });
        });
    return 0;
}

} // namespace glproc
