#include "glproc/arrays/distances/distances.hpp"
#include "glproc/base/covering.hpp"
#include "glproc/base/parallel.hpp"

#include <algorithm>
#include <cmath>

namespace glproc {

namespace {

/// Values that a thread takes at once.
constexpr std::int64_t values_at_once = 1 << 14;
/// Lines that lie side by side are copied together, as they share cache lines.
constexpr std::int64_t lines_together = 16;
/// Farther away than any index.
constexpr std::int32_t nowhere = 1 << 30;

/// Finds the nearest feature of each place on a line. Each place knows the nearest one within its own plane,
/// across the line: R. Maurer, C. Qi, V. Raghavan, "A linear time algorithm for computing exact Euclidean
/// distance transforms of binary images in arbitrary dimensions", PAMI 25 (2003).
class NearestOnLine {
  public:
    NearestOnLine(std::int64_t length, double sampling)
        : length_(length), sampling_(sampling), sites_(static_cast<std::size_t>(length)) {}

    /// Leaves out sites that are nowhere the nearest. `has(i)` says whether there is a feature, `across(i)`
    /// how far it is from the line, squared. Sums and products are SciPy's, in its order.
    template <class Has, class Across>
    bool collect(const Has& has, const Across& across) {
        Site* const sites = sites_.data();
        std::int64_t count = 0;
        for (std::int64_t i = 0; i < length_; ++i) {
            if (!has(i)) {
                continue;
            }
            const double w = across(i);
            for (; count >= 2; --count) {
                const Site& middle = sites[count - 1];
                const Site& first = sites[count - 2];
                const double a = static_cast<double>(middle.at - first.at) * sampling_;
                const double b = static_cast<double>(i - middle.at) * sampling_;
                const double c = a + b;
                if (c * middle.across - b * first.across - a * w - a * b * c <= 0.0) {
                    break;
                }
            }
            sites[count++] = {i, w};
        }
        count_ = count;
        return count > 0;
    }

    /// Calls take(i, site, squared distance) for each place.
    template <class Take>
    void find(const Take& take) const {
        const Site* site = sites_.data();
        const Site* const last = site + count_ - 1;
        for (std::int64_t i = 0; i < length_; ++i) {
            double distance = squared(*site, i);
            while (site != last) {
                const double next = squared(site[1], i);
                if (distance <= next) {
                    break;
                }
                distance = next;
                ++site;
            }
            take(i, site->at, distance);
        }
    }

  private:
    struct Site {
        std::int64_t at;
        double across;
    };

    double squared(const Site& site, std::int64_t i) const {
        const double along = static_cast<double>(site.at - i) * sampling_;
        return site.across + along * along;
    }

    std::int64_t length_;
    double sampling_;
    std::int64_t count_ = 0;
    std::vector<Site> sites_;
};

class Euclidean {
  public:
    Euclidean(const DistanceJob& job, std::span<std::int32_t> features, std::span<double> distances,
              bool keeps_features, const Check& check)
        : job_(job), features_(features), distances_(distances), keeps_features_(keeps_features),
          check_(check), axes_(job.shape.size()), count_(static_cast<std::int64_t>(job.is_value.size())) {}

    void run() {
        first_axis();
        for (std::size_t axis = 1; axis < axes_; ++axis) {
            further_axis(axis);
        }
    }

  private:
    void check() const {
        if (check_) {
            check_();
        }
    }

    std::int32_t* plane(std::size_t axis) const {
        return features_.data() + static_cast<std::int64_t>(axis) * count_;
    }

    /// Of ordinary numbers the nearer of two zeros on a line is nearer by every rounding.
    bool is_ordinary(double sampling) const { return sampling >= 1e-100 && sampling <= 1e100; }

    /// Along the first axis features are indices alone, -1 if there is none.
    void first_axis() {
        const std::int64_t across = count_ / job_.shape[0];
        const std::int64_t at_once = std::clamp<std::int64_t>(values_at_once / job_.shape[0], 256, 4096);
        const bool sweeps = is_ordinary(job_.sampling[0]);
        parallel_for(static_cast<std::size_t>(covering(across, at_once)), [&](std::size_t i) {
            check();
            const std::int64_t first = static_cast<std::int64_t>(i) * at_once;
            const std::int64_t end = std::min(across, first + at_once);
            if (sweeps) {
                sweep(first, end);
            } else {
                search(first, end);
            }
            if (axes_ == 1 && !distances_.empty()) {
                measure();
            }
        });
    }

    void sweep(std::int64_t first, std::int64_t end) const {
        const std::int64_t across = count_ / job_.shape[0];
        const auto length = static_cast<std::int32_t>(job_.shape[0]);
        const auto width = static_cast<std::size_t>(end - first);
        std::vector<std::int32_t> before(width, -nowhere);
        std::vector<std::int32_t> after(width, nowhere);
        const std::uint8_t* value = job_.is_value.data() + first;
        std::int32_t* nearest = plane(0) + first;
        for (std::int32_t i = 0; i < length; ++i, value += across, nearest += across) {
            for (std::size_t x = 0; x < width; ++x) {
                before[x] = value[x] != 0 ? before[x] : i;
                nearest[x] = before[x];
            }
        }
        for (std::int32_t i = length - 1; i >= 0; --i) {
            value -= across;
            nearest -= across;
            for (std::size_t x = 0; x < width; ++x) {
                after[x] = value[x] != 0 ? after[x] : i;
                const std::int32_t nearer = after[x] - i < i - nearest[x] ? after[x] : nearest[x];
                nearest[x] = nearer == nowhere || nearer == -nowhere ? -1 : nearer;
            }
        }
    }

    void search(std::int64_t first, std::int64_t end) const {
        const std::int64_t across = count_ / job_.shape[0];
        NearestOnLine line(job_.shape[0], job_.sampling[0]);
        for (std::int64_t x = first; x < end; ++x) {
            const std::uint8_t* const value = job_.is_value.data() + x;
            std::int32_t* const nearest = plane(0) + x;
            const bool has_any = line.collect([&](std::int64_t i) { return value[i * across] == 0; },
                                              [](std::int64_t) { return 0.0; });
            for (std::int64_t i = 0; i < job_.shape[0] && !has_any; ++i) {
                nearest[i * across] = -1;
            }
            if (has_any) {
                line.find([&](std::int64_t i, std::int64_t site, double) {
                    nearest[i * across] = static_cast<std::int32_t>(site);
                });
            }
        }
    }

    /// Distances of an array of one axis.
    void measure() const {
        for (std::int64_t i = 0; i < count_; ++i) {
            const double along = static_cast<double>(plane(0)[i] - i) * job_.sampling[0];
            distances_[static_cast<std::size_t>(i)] = std::sqrt(along * along);
        }
    }

    /// Buffers of a thread.
    struct Lines {
        std::vector<std::int32_t> features; ///< of some lines, of each along the axes that are done
        std::vector<double> across;
        std::vector<std::int64_t> index; ///< of the lines, along the axes that are done
        NearestOnLine nearest;
    };

    void further_axis(std::size_t axis) {
        const std::int64_t length = job_.shape[axis];
        std::int64_t inner = 1;
        for (std::size_t i = axis + 1; i < axes_; ++i) {
            inner *= job_.shape[i];
        }
        const std::int64_t together = std::min(inner, lines_together);
        const std::int64_t per_outer = covering(inner, together);
        const std::int64_t groups = count_ / length / inner * per_outer;
        const std::int64_t at_once = std::max<std::int64_t>(1, values_at_once / (length * together));
        const auto make = [&] {
            return Lines{std::vector<std::int32_t>(axis * static_cast<std::size_t>(length * together)),
                         std::vector<double>(static_cast<std::size_t>(length)),
                         std::vector<std::int64_t>(axis), NearestOnLine(length, job_.sampling[axis])};
        };
        parallel_for(static_cast<std::size_t>(covering(groups, at_once)), make,
                     [&](Lines& lines, std::size_t i) {
                         check();
                         const std::int64_t first = static_cast<std::int64_t>(i) * at_once;
                         for (std::int64_t n = first; n < std::min(groups, first + at_once); ++n) {
                             const std::int64_t column = n % per_outer * together;
                             group(lines, axis, n / per_outer, inner, column,
                                   std::min(together, inner - column));
                         }
                     });
    }

    /// Lines side by side along an axis. `column` is the first.
    void group(Lines& lines, std::size_t axis, std::int64_t outer, std::int64_t inner, std::int64_t column,
               std::int64_t width) const {
        const std::int64_t length = job_.shape[axis];
        const std::int64_t start = outer * length * inner + column;
        std::int64_t rest = outer;
        for (std::size_t i = axis; i > 0; --i) {
            lines.index[i - 1] = rest % job_.shape[i - 1];
            rest /= job_.shape[i - 1];
        }
        for (std::size_t other = 0; other < axis; ++other) {
            const std::int32_t* from = plane(other) + start;
            std::int32_t* const to =
                lines.features.data() + static_cast<std::int64_t>(other) * length * width;
            for (std::int64_t i = 0; i < length; ++i, from += inner) {
                for (std::int64_t x = 0; x < width; ++x) {
                    to[x * length + i] = from[x];
                }
            }
        }
        for (std::int64_t x = 0; x < width; ++x) {
            one_line(lines, axis, start + x, inner, lines.features.data() + x * length, length * width);
        }
    }

    /// `features` of the line along one axis after another, `stride` apart.
    void one_line(Lines& lines, std::size_t axis, std::int64_t start, std::int64_t inner,
                  const std::int32_t* features, std::int64_t stride) const {
        const std::int64_t length = job_.shape[axis];
        std::fill(lines.across.begin(), lines.across.end(), 0.0);
        double* const across = lines.across.data();
        for (std::size_t other = 0; other < axis; ++other) {
            const std::int32_t* const from = features + static_cast<std::int64_t>(other) * stride;
            const auto here = static_cast<double>(lines.index[other]);
            const double sampling = job_.sampling[other];
            for (std::int64_t i = 0; i < length; ++i) {
                const double apart = (static_cast<double>(from[i]) - here) * sampling;
                across[i] += apart * apart;
            }
        }
        if (!lines.nearest.collect([&](std::int64_t i) { return features[i] >= 0; },
                                   [&](std::int64_t i) { return across[i]; })) {
            return; // none has a feature in this plane, which their first says
        }
        const bool is_last = axis + 1 == axes_;
        const bool measures = is_last && !distances_.empty();
        const bool keeps = !measures || keeps_features_;
        lines.nearest.find([&](std::int64_t i, std::int64_t site, double squared) {
            const std::int64_t at = start + i * inner;
            if (measures) {
                distances_[static_cast<std::size_t>(at)] = std::sqrt(squared);
            }
            if (keeps) {
                for (std::size_t other = 0; other < axis; ++other) {
                    plane(other)[at] = features[static_cast<std::int64_t>(other) * stride + site];
                }
                plane(axis)[at] = static_cast<std::int32_t>(site);
            }
        });
    }

    const DistanceJob& job_;
    std::span<std::int32_t> features_;
    std::span<double> distances_;
    bool keeps_features_;
    const Check& check_;
    std::size_t axes_;
    std::int64_t count_;
};

} // namespace

void euclidean_on_cpu(const DistanceJob& job, std::span<std::int32_t> features, std::span<double> distances,
                      bool keeps_features, const Check& check) {
    Euclidean(job, features, distances, keeps_features, check).run();
}

std::int64_t EuclideanJob::run_on_cpu(SourceBytes from, ResultBytes to, const Check& check) const {
    const std::span values(reinterpret_cast<const std::uint8_t*>(from.data()), from.size());
    const std::span distances(reinterpret_cast<double*>(to.data()), from.size());
    const std::size_t axes = source.shape.size();
    std::vector<std::int32_t> features((axes > 1 ? axes - 1 : 1) *
                                       from.size()); // the last axis needs no room
    euclidean_on_cpu({source.shape, sampling, values}, features, distances, false, check);
    return 0;
}

} // namespace glproc
