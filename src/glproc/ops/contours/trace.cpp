#include "glproc/ops/contours/trace.hpp"

#include "glproc/base/error.hpp"

#include <array>
#include <cstdint>
#include <limits>
#include <utility>

namespace glproc {

namespace {

/// Directions to the neighbours of a pixel: right, then counter-clockwise as it is seen.
constexpr std::array<std::array<int, 2>, 8> steps{
    {{1, 0}, {1, -1}, {0, -1}, {-1, -1}, {-1, 0}, {-1, 1}, {0, 1}, {1, 1}}};

/// Follows borders in a copy of the mask, whose set pixels are 1 until a border passes them. They then
/// hold its number plus 2, below 0 where the pixel to the right belongs to the other side.
class BorderTracer {
  public:
    BorderTracer(const HostMask& mask, Connectivity connectivity, bool simplify)
        : stride_(static_cast<std::ptrdiff_t>(mask.width) + 2), height_(mask.height),
          turn_(connectivity == Connectivity::eight ? 1 : 2), simplify_(simplify),
          marks_(static_cast<std::size_t>(stride_) * static_cast<std::size_t>(mask.height + 2)) {
        for (int y = 0; y < mask.height; ++y) {
            for (int x = 0; x < mask.width; ++x) {
                marks_[static_cast<std::size_t>((y + 1) * stride_ + x + 1)] = mask.is_set(x, y) ? 1 : 0;
            }
        }
        for (std::size_t i = 0; i < steps.size(); ++i) {
            offsets_.at(i) = steps.at(i)[1] * stride_ + steps.at(i)[0];
        }
    }

    Outlines trace() {
        for (int y = 1; y <= height_; ++y) {
            look_along(y);
        }
        return std::move(found_);
    }

  private:
    /// A border begins where a set pixel that no border has passed follows one that is not set, and a hole's
    /// where one that is not set follows.
    void look_along(int y) {
        const std::ptrdiff_t row = y * stride_;
        std::int32_t last = 0; // the mark of the border met last in this row; 0: none
        std::int32_t before = 0;
        for (std::ptrdiff_t x = 1; x < stride_; ++x) {
            const std::int32_t now = mark(row + x);
            if (now == before) {
                continue;
            }
            if (before == 0 && now == 1) {
                follow(row + x, static_cast<int>(x), y, false, last);
            } else if (now == 0 && before > 0) {
                follow(row + x - 1, static_cast<int>(x) - 1, y, true, last);
                last = mark(row + x - 1);
            }
            before = mark(row + x);
            last = before == 0 || before == 1 ? last : before;
        }
    }

    /// A border and the one met last belong to the same side of both, or one is around the other.
    int parent_of(bool is_hole, std::int32_t last) const {
        if (last == 0) {
            return -1;
        }
        const int met = (last < 0 ? -last : last) - 2;
        const Outline& other = found_.outlines[static_cast<std::size_t>(met)];
        return other.is_hole == is_hole ? other.parent : met;
    }

    void follow(std::ptrdiff_t start, int x, int y, bool is_hole, std::int32_t last) {
        if (found_.outlines.size() >= std::numeric_limits<std::int32_t>::max() - 2) {
            throw Error(ErrorCode::operation, "more contours than can be counted",
                        "take a part: glproc crop");
        }
        const auto number = static_cast<std::int32_t>(found_.outlines.size()) + 2;
        const std::size_t first = found_.pixels.size();
        const int parent = parent_of(is_hole, last);
        follow_points(start, {x - 1, y - 1}, is_hole, number);
        found_.outlines.push_back(
            {.first = first, .count = found_.pixels.size() - first, .parent = parent, .is_hole = is_hole});
    }

    void follow_points(std::ptrdiff_t start, std::array<int, 2> at, bool is_hole, std::int32_t number) {
        const int from = is_hole ? 0 : 4;
        int step = from;
        do { // clockwise to the pixel that the border comes from
            step = (step - turn_) & 7;
        } while (mark(start + offset(step)) == 0 && step != from);
        if (step == from) { // a pixel alone
            mark(start) = -number;
            found_.pixels.push_back(at);
            return;
        }
        const std::ptrdiff_t last = start + offset(step);
        int before = step ^ 4;
        for (std::ptrdiff_t pixel = start;;) {
            do {
                step += turn_;
            } while (mark(pixel + offset(step & 7)) == 0);
            const bool passed_right = step > 8; // which is not set
            step &= 7;
            if (passed_right) {
                mark(pixel) = -number;
            } else if (mark(pixel) == 1) {
                mark(pixel) = number;
            }
            if (!simplify_ || step != before) {
                found_.pixels.push_back(at);
            }
            before = step;
            at = {at[0] + steps.at(static_cast<std::size_t>(step))[0],
                  at[1] + steps.at(static_cast<std::size_t>(step))[1]};
            const std::ptrdiff_t next = pixel + offset(step);
            if (next == start && pixel == last) {
                return;
            }
            pixel = next;
            step = (step + 4) & 7;
        }
    }

    std::int32_t& mark(std::ptrdiff_t at) { return marks_[static_cast<std::size_t>(at)]; }
    std::ptrdiff_t offset(int step) const { return offsets_.at(static_cast<std::size_t>(step)); }

    std::ptrdiff_t stride_; ///< of rows with a pixel around the mask that is not set
    int height_;
    int turn_; ///< to the next neighbour that counts
    bool simplify_;
    std::vector<std::int32_t> marks_;
    std::array<std::ptrdiff_t, 8> offsets_ = {};
    Outlines found_;
};

/// With parents before their children, and the last found first.
void put_in_order(std::vector<Outline>& found) {
    std::vector<int> order;
    int top = -1;
    for (std::size_t i = 0; i < found.size(); ++i) {
        int& first = found[i].parent < 0 ? top : found[static_cast<std::size_t>(found[i].parent)].child;
        found[i].next = std::exchange(first, static_cast<int>(i));
    }
    std::vector<int> places(found.size());
    order.reserve(found.size());
    for (int at = top; at >= 0;) {
        places[static_cast<std::size_t>(at)] = static_cast<int>(order.size());
        order.push_back(at);
        const Outline* outline = &found[static_cast<std::size_t>(at)];
        at = outline->child;
        while (at < 0 && outline != nullptr) {
            at = outline->next;
            outline = outline->parent < 0 ? nullptr : &found[static_cast<std::size_t>(outline->parent)];
        }
    }
    const auto place = [&](int of) { return of < 0 ? -1 : places[static_cast<std::size_t>(of)]; };
    std::vector<Outline> ordered;
    ordered.reserve(found.size());
    for (const int at : order) {
        Outline outline = found[static_cast<std::size_t>(at)];
        outline.next = place(outline.next);
        outline.child = place(outline.child);
        outline.parent = place(outline.parent);
        ordered.push_back(outline);
    }
    for (std::size_t i = 0; i < ordered.size(); ++i) {
        if (ordered[i].next >= 0) {
            ordered[static_cast<std::size_t>(ordered[i].next)].previous = static_cast<int>(i);
        }
    }
    found = std::move(ordered);
}

} // namespace

Outlines traced_outlines(const HostMask& mask, Connectivity connectivity, bool simplify) {
    Outlines outlines = BorderTracer(mask, connectivity, simplify).trace();
    put_in_order(outlines.outlines);
    return outlines;
}

} // namespace glproc
