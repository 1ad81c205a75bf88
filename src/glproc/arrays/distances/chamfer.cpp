#include "glproc/arrays/distances/distances.hpp"
#include "glproc/base/covering.hpp"
#include "glproc/base/parallel.hpp"

#include <algorithm>

namespace glproc {

namespace {

/// No way to a 0 is known. One more is still a number.
constexpr std::int32_t unreached = 0x7ffffff0;

/// The places of one line that are neighbours of another one's.
struct ChamferRow {
    std::vector<int> steps;  ///< to that line, along each axis but the last
    std::int64_t values = 0; ///< the same in values
    bool uses[3];            ///< the place before, beside, after
};

/// Passes through an array in the order of its values, and back.
class Chamfer {
  public:
    Chamfer(const DistanceJob& job, std::span<const std::uint8_t> steps, std::span<std::int32_t> distances,
            std::span<std::int32_t> features)
        : shape_(job.shape), distances_(distances), features_(features), length_(job.shape.back()) {
        for (std::size_t row = 0; row * 3 < steps.size(); ++row) {
            // The last row is the line itself. Only its place before counts.
            const bool is_whole = row * 3 + 2 < steps.size();
            ChamferRow one{std::vector<int>(shape_.size() - 1),
                           0,
                           {steps[row * 3] != 0, is_whole && steps[row * 3 + 1] != 0,
                            is_whole && steps[row * 3 + 2] != 0}};
            std::size_t digits = row;
            std::int64_t step = length_;
            for (std::size_t axis = shape_.size() - 1; axis > 0; --axis) {
                one.steps[axis - 1] = static_cast<int>(digits % 3) - 1;
                one.values += step * one.steps[axis - 1];
                digits /= 3;
                step *= shape_[axis - 1];
            }
            rows_.push_back(one);
        }
    }

    /// Forwards with a direction of 1, backwards with -1.
    void pass(int direction) {
        const std::int64_t lines = static_cast<std::int64_t>(distances_.size()) / length_;
        std::vector<std::int64_t> index(shape_.size() - 1);
        for (std::int64_t n = 0; n < lines; ++n) {
            const std::int64_t line = direction > 0 ? n : lines - 1 - n;
            std::int64_t rest = line;
            for (std::size_t axis = index.size(); axis > 0; --axis) {
                index[axis - 1] = rest % shape_[axis - 1];
                rest /= shape_[axis - 1];
            }
            one_line(line * length_, index, direction);
        }
    }

  private:
    void one_line(std::int64_t start, const std::vector<std::int64_t>& index, int direction) {
        for (std::size_t n = 0; n + 1 < rows_.size(); ++n) {
            const ChamferRow& row = rows_[n];
            bool is_inside = true;
            for (std::size_t axis = 0; axis < index.size(); ++axis) {
                const std::int64_t at = index[axis] + direction * row.steps[axis];
                is_inside = is_inside && at >= 0 && at < shape_[axis];
            }
            for (int place = 0; is_inside && place < 3; ++place) {
                if (row.uses[place]) {
                    across(start, direction * row.values, direction * (place - 1));
                }
            }
        }
        if (!rows_.empty() && rows_.back().uses[0]) {
            along(start, direction);
        }
    }

    /// From the places of another line that are `beside` these.
    void across(std::int64_t start, std::int64_t values, std::int64_t beside) {
        const std::int64_t first = std::max<std::int64_t>(0, -beside);
        const std::int64_t end = length_ - std::max<std::int64_t>(0, beside);
        std::int32_t* const to = distances_.data() + start;
        const std::int32_t* const from = to + values + beside;
        if (features_.empty()) {
            for (std::int64_t x = first; x < end; ++x) {
                to[x] = std::min(to[x], from[x] + 1);
            }
            return;
        }
        std::int32_t* const feature = features_.data() + start;
        const std::int32_t* const theirs = feature + values + beside;
        for (std::int64_t x = first; x < end; ++x) {
            const bool is_nearer = from[x] + 1 < to[x];
            to[x] = is_nearer ? from[x] + 1 : to[x];
            feature[x] = is_nearer ? theirs[x] : feature[x];
        }
    }

    void along(std::int64_t start, int direction) {
        std::int64_t x = start + (direction > 0 ? 0 : length_ - 1);
        std::int32_t before = distances_[static_cast<std::size_t>(x)];
        for (std::int64_t i = 1; i < length_; ++i) {
            x += direction;
            std::int32_t& here = distances_[static_cast<std::size_t>(x)];
            if (before + 1 < here) {
                here = before + 1;
                if (!features_.empty()) {
                    features_[static_cast<std::size_t>(x)] =
                        features_[static_cast<std::size_t>(x - direction)];
                }
            }
            before = here;
        }
    }

    const std::vector<std::int64_t>& shape_;
    std::span<std::int32_t> distances_;
    std::span<std::int32_t> features_;
    std::int64_t length_;
    std::vector<ChamferRow> rows_;
};

} // namespace

void chamfer_on_cpu(const DistanceJob& job, std::span<const std::uint8_t> steps,
                    std::span<std::int32_t> distances, std::span<std::int32_t> features) {
    for (std::size_t i = 0; i < distances.size(); ++i) {
        distances[i] = job.is_value[i] != 0 ? unreached : 0;
    }
    Chamfer chamfer(job, steps, distances, features);
    chamfer.pass(1);
    chamfer.pass(-1);
    for (std::int32_t& distance : distances) {
        distance = distance == unreached ? -1 : distance;
    }
}

void indices_on_cpu(const std::vector<std::int64_t>& shape, std::span<const std::int32_t> places,
                    std::span<std::int32_t> indices) {
    constexpr std::size_t at_once = 1 << 15;
    parallel_for(covering(places.size(), at_once), [&](std::size_t part) {
        const std::size_t end = std::min(places.size(), (part + 1) * at_once);
        for (std::size_t i = part * at_once; i < end; ++i) {
            auto rest = static_cast<std::uint32_t>(places[i]);
            for (std::size_t axis = shape.size() - 1; axis > 0; --axis) {
                const auto length = static_cast<std::uint32_t>(shape[axis]);
                indices[axis * places.size() + i] = static_cast<std::int32_t>(rest % length);
                rest /= length;
            }
            indices[i] = static_cast<std::int32_t>(rest);
        }
    });
}

} // namespace glproc
