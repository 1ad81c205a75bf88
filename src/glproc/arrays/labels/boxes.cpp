#include "glproc/arrays/labels/labels.hpp"
#include "glproc/arrays/number_cast.hpp"
#include "glproc/base/parallel.hpp"

#include <algorithm>
#include <type_traits>

namespace glproc {

namespace {

/// Numbers for boxes that the threads may hold together.
constexpr std::int64_t most_numbers = 1 << 24;
constexpr std::int64_t least_values_of_boxes = 1 << 16;

/// Boxes of the labels in some lines.
class Boxes {
  public:
    Boxes(const VolumeForm& form, std::int64_t count)
        : shape_(form.shape), axes_(form.shape.size()), count_(count),
          ends_(2 * axes_ * static_cast<std::size_t>(count)) {}

    template <class T>
    void take(const T* labels, std::int64_t first_line, std::int64_t end_line) {
        const std::int64_t length = shape_.back();
        std::vector<std::int64_t> index(axes_ - 1);
        std::int64_t rest = first_line;
        for (std::size_t axis = axes_ - 1; axis > 0; --axis) {
            index[axis - 1] = rest % shape_[axis - 1];
            rest /= shape_[axis - 1];
        }
        labels += first_line * length;
        for (std::int64_t line = first_line; line < end_line; ++line, labels += length) {
            take_line(labels, index);
            for (std::size_t axis = axes_ - 1; axis > 0 && ++index[axis - 1] == shape_[axis - 1]; --axis) {
                index[axis - 1] = 0;
            }
        }
    }

    void add(const Boxes& other) {
        for (std::size_t i = 0; i < ends_.size(); i += 2) {
            widen(&ends_[i], other.ends_[i], other.ends_[i + 1]);
        }
    }

    std::vector<std::int64_t> ends() && { return std::move(ends_); }

  private:
    template <class T>
    void take_line(const T* labels, const std::vector<std::int64_t>& index) {
        const std::int64_t length = shape_.back();
        for (std::int64_t x = 0; x < length;) {
            const T label = __atomic_load_n(labels + x, __ATOMIC_RELAXED); // once: another thread may change it
            const std::int64_t first = x++;
            while (x < length && labels[x] == label) {
                ++x;
            }
            const auto number = static_cast<std::int64_t>(label); // beyond 2^63 negative, as SciPy has it
            if (number < 1 || number > count_) {
                continue;
            }
            std::int64_t* const box = &ends_[2 * axes_ * static_cast<std::size_t>(number - 1)];
            for (std::size_t axis = 0; axis + 1 < axes_; ++axis) {
                widen(box + 2 * axis, index[axis], index[axis] + 1);
            }
            widen(box + 2 * (axes_ - 1), first, x);
        }
    }

    static void widen(std::int64_t* range, std::int64_t first, std::int64_t end) {
        if (range[1] == 0) {
            range[0] = first;
            range[1] = end;
        } else if (end != 0) {
            range[0] = std::min(range[0], first);
            range[1] = std::max(range[1], end);
        }
    }

    const std::vector<std::int64_t>& shape_;
    std::size_t axes_;
    std::int64_t count_;
    std::vector<std::int64_t> ends_;
};

} // namespace

std::vector<std::int64_t> boxes_on_cpu(const VolumeForm& form, std::span<const std::byte> labels,
                                       std::int64_t count) {
    const std::int64_t lines = form.count() / form.shape.back();
    const std::int64_t numbers = 2 * static_cast<std::int64_t>(form.shape.size()) * count;
    const std::int64_t slabs =
        std::clamp<std::int64_t>(std::min({form.count() / least_values_of_boxes, most_numbers / (numbers + 1),
                                           static_cast<std::int64_t>(thread_limit()), lines}),
                                 1, 64);
    std::vector<Boxes> boxes(static_cast<std::size_t>(slabs), Boxes(form, count));
    with_type(form.type, [&](auto type) {
        using T = decltype(type);
        if constexpr (std::is_integral_v<T>) {
            parallel_for(boxes.size(), [&](std::size_t i) {
                const auto n = static_cast<std::int64_t>(i);
                boxes[i].take(reinterpret_cast<const T*>(labels.data()), lines * n / slabs,
                              lines * (n + 1) / slabs);
            });
        }
    });
    for (std::size_t i = 1; i < boxes.size(); ++i) {
        boxes[0].add(boxes[i]);
    }
    return std::move(boxes[0]).ends();
}

} // namespace glproc
