#include "glproc/arrays/distances/distances.hpp"
#include "glproc/base/covering.hpp"
#include "glproc/base/parallel.hpp"

#include <algorithm>
#include <array>
#include <cmath>
#include <limits>

namespace glproc {

namespace {

/// Comparisons that a thread makes at once.
constexpr std::int64_t comparisons_at_once = 1 << 20;
/// Borders whose distances are kept together.
constexpr std::size_t borders_at_once = 512;
/// Of so many distances the least ones are found side by side.
constexpr std::size_t least_at_once = 8;

/// Distances of one type. `Along` adds a step along an axis to a distance.
template <class Number, class Along>
class BruteForce {
  public:
    BruteForce(const DistanceJob& job, std::span<const std::int64_t> borders, const Along& along)
        : job_(job), borders_(borders), along_(along), axes_(job.shape.size()) {
        places_.resize(axes_ * borders.size());
        for (std::size_t i = 0; i < borders.size(); ++i) {
            std::int64_t rest = borders[i];
            for (std::size_t axis = axes_; axis > 0; --axis) {
                places_[(axis - 1) * borders.size() + i] =
                    static_cast<std::int32_t>(rest % job.shape[axis - 1]);
                rest /= job.shape[axis - 1];
            }
        }
    }

    struct Nearest {
        Number distance = std::numeric_limits<Number>::max();
        std::int64_t border = 0;
    };

    /// The first of those that are equally near a value.
    Nearest nearest(const std::vector<std::int32_t>& index) const {
        Nearest best;
        std::array<Number, borders_at_once> distances;
        for (std::size_t first = 0; first < borders_.size(); first += borders_at_once) {
            const std::size_t count = std::min(borders_at_once, borders_.size() - first);
            std::fill_n(distances.begin(), count, Number{0});
            for (std::size_t axis = 0; axis < axes_; ++axis) {
                const std::int32_t* const there = &places_[axis * borders_.size() + first];
                for (std::size_t i = 0; i < count; ++i) {
                    distances[i] = along_(distances[i], index[axis] - there[i], axis);
                }
            }
            const Number least = least_of(distances, count);
            if (least < best.distance) {
                const auto* const at = std::find(distances.begin(), distances.begin() + count, least);
                best = {least, borders_[first + static_cast<std::size_t>(at - distances.begin())]};
            }
        }
        return best;
    }

  private:
    static Number least_of(std::array<Number, borders_at_once>& distances, std::size_t count) {
        std::array<Number, least_at_once> least;
        least.fill(std::numeric_limits<Number>::max());
        while (count % least_at_once != 0) {
            distances[count++] = std::numeric_limits<Number>::max();
        }
        for (std::size_t i = 0; i < count; i += least_at_once) {
            for (std::size_t j = 0; j < least_at_once; ++j) {
                least[j] = distances[i + j] < least[j] ? distances[i + j] : least[j];
            }
        }
        return *std::min_element(least.begin(), least.end());
    }

    const DistanceJob& job_;
    std::span<const std::int64_t> borders_;
    const Along& along_;
    std::size_t axes_;
    std::vector<std::int32_t> places_; ///< of borders, one axis after another
};

template <class Number, class Along>
void compare(const DistanceJob& job, std::span<const std::int64_t> borders, std::span<Number> distances,
             std::span<std::int32_t> features, const Check& check, const Along& along) {
    const BruteForce<Number, Along> all(job, borders, along);
    const auto count = static_cast<std::int64_t>(job.is_value.size());
    const std::int64_t at_once =
        std::max<std::int64_t>(64, comparisons_at_once / (static_cast<std::int64_t>(borders.size()) + 1));
    parallel_for(static_cast<std::size_t>(covering(count, at_once)), [&](std::size_t part) {
        if (check) {
            check();
        }
        std::vector<std::int32_t> index(job.shape.size());
        const std::int64_t first = static_cast<std::int64_t>(part) * at_once;
        for (std::int64_t i = first; i < std::min(count, first + at_once); ++i) {
            const auto at = static_cast<std::size_t>(i);
            typename BruteForce<Number, Along>::Nearest nearest{Number{0}, i};
            if (job.is_value[at] != 0) {
                std::int64_t rest = i;
                for (std::size_t axis = index.size(); axis > 0; --axis) {
                    index[axis - 1] = static_cast<std::int32_t>(rest % job.shape[axis - 1]);
                    rest /= job.shape[axis - 1];
                }
                nearest = all.nearest(index);
            }
            if (!distances.empty()) {
                distances[at] = std::is_same_v<Number, double>
                                    ? static_cast<Number>(std::sqrt(static_cast<double>(nearest.distance)))
                                    : nearest.distance;
            }
            if (!features.empty()) {
                features[at] = static_cast<std::int32_t>(nearest.border);
            }
        }
    });
}

std::uint32_t length_of(std::int32_t step) {
    return static_cast<std::uint32_t>(step < 0 ? -step : step);
}

} // namespace

void brute_force_on_cpu(const DistanceJob& job, Metric metric, std::span<const std::int64_t> borders,
                        std::span<std::byte> distances, std::span<std::int32_t> features,
                        const Check& check) {
    // Of borders that are equally near SciPy takes the last.
    const std::vector<std::int64_t> backwards(borders.rbegin(), borders.rend());
    const std::span<std::uint32_t> steps(reinterpret_cast<std::uint32_t*>(distances.data()),
                                         distances.size() / sizeof(std::uint32_t));
    switch (metric) {
    case Metric::euclidean: {
        const std::span<double> lengths(reinterpret_cast<double*>(distances.data()),
                                        distances.size() / sizeof(double));
        const double* const sampling = job.sampling.data();
        const auto add = [sampling](double sum, std::int32_t step, std::size_t axis) {
            const double length = static_cast<double>(step) * sampling[axis];
            return sum + length * length;
        };
        return compare<double>(job, backwards, lengths, features, check, add);
    }
    case Metric::taxicab:
        return compare<std::uint32_t>(
            job, backwards, steps, features, check,
            [](std::uint32_t sum, std::int32_t step, std::size_t) { return sum + length_of(step); });
    case Metric::chessboard:
        return compare<std::uint32_t>(job, backwards, steps, features, check,
                                      [](std::uint32_t longest, std::int32_t step, std::size_t) {
                                          return std::max(longest, length_of(step));
                                      });
    }
}

} // namespace glproc
