// Moves pixels by the processor.
#include "glproc/base/covering.hpp"
#include "glproc/base/parallel.hpp"
#include "glproc/kinds/border.hpp"
#include "glproc/kinds/gather/move.hpp"
#include "glproc/kinds/held_rows.hpp"
#include "glproc/kinds/row_copy.hpp"

#include <algorithm>
#include <cstddef>
#include <cstring>
#include <vector>

namespace glproc {

namespace {

std::size_t size_of(int count) {
    return static_cast<std::size_t>(count);
}

/// Where pixels of the result lie on a line of `n` pixels; -1 beyond it.
std::vector<int> places(BorderMode mode, int first, int step, int count, int n) {
    std::vector<int> all(size_of(count));
    for (int i = 0; i < count; ++i) {
        all[size_of(i)] = index_within(mode, first + step * i, n);
    }
    return all;
}

/// Pixels that lie side by side in both pictures.
struct Run {
    int to;
    int from;
    int count;
};

std::vector<Run> runs_of(const std::vector<int>& columns) {
    std::vector<Run> runs;
    for (int x = 0; x < static_cast<int>(columns.size()); ++x) {
        const int from = columns[size_of(x)];
        const bool goes_on = !runs.empty() && (from < 0 ? runs.back().from < 0
                                                        : runs.back().from >= 0 &&
                                                              from == runs.back().from + runs.back().count);
        if (goes_on) {
            ++runs.back().count;
        } else {
            runs.push_back({x, from, 1});
        }
    }
    return runs;
}

class MovedRows {
  public:
    MovedRows(const Move& move, const Form& form, const Form& result)
        : exchanged_(move.exchanged), result_(result), pixel_(result.pixel_bytes()),
          columns_(places(move.border.mode, move.first[0], move.step[0],
                          exchanged_ ? result.height : result.width, form.width)),
          rows_(places(move.border.mode, move.first[1], move.step[1],
                       exchanged_ ? result.width : result.height, form.height)),
          runs_(runs_of(columns_)), beyond_(beyond(form, move.border)) {}

    void run(HeldRows& held, RowWriter& to) const {
        const int most = std::min(rows_at_once(result_), rows_at_once(held.form())); // a crop may be narrow
        const bool holds_all = !moves_in_order();
        std::vector<std::byte> made;
        if (holds_all) {
            held.move_to(0, held.form().height);
        }
        for (int y = 0; y < result_.height; y += most) {
            const int count = std::min(most, result_.height - y);
            if (!holds_all) {
                move_to(held, y, y + count);
            }
            made.resize(size_of(count) * result_.row_bytes());
            constexpr int block = 16; // rows whose pixels lie side by side where they come from
            parallel_for(size_of(covering(count, block)), [&](std::size_t i) {
                const int first = static_cast<int>(i) * block;
                const int end = std::min(first + block, count);
                exchanged_ ? turn(held, y + first, y + end, &made[size_of(first) * result_.row_bytes()])
                           : copy(held, y + first, y + end, &made[size_of(first) * result_.row_bytes()]);
            });
            to.write(made);
        }
        held.finish();
    }

    /// Whether rows of the result come from rows further and further down.
    bool moves_in_order() const {
        int last = 0;
        return !exchanged_ && std::ranges::all_of(rows_, [&](int row) {
            const bool is_next = row < 0 || row >= last;
            last = std::max(last, row);
            return is_next;
        });
    }

  private:
    std::vector<std::byte> beyond(const Form& form, const Border& border) const {
        const bool is_grey = form.channels < 3;
        const BorderCodes codes = border_codes(form, border, border.alpha());
        const double full = max_code(form.depth);
        return row_in(
            {codes[0] / full, codes[is_grey ? 0 : 1] / full, codes[is_grey ? 0 : 2] / full, codes[3] / full},
            result_);
    }

    /// Holds what rows of the result come from.
    void move_to(HeldRows& held, int begin, int end) const {
        int first = held.form().height;
        int last = -1;
        for (int y = begin; y < end; ++y) {
            const int row = rows_[size_of(y)];
            first = row < 0 ? first : std::min(first, row);
            last = std::max(last, row);
        }
        if (last >= 0) {
            held.move_to(first, last + 1);
        }
    }

    void copy(const HeldRows& held, int begin, int end, std::byte* to) const {
        for (int y = begin; y < end; ++y, to += result_.row_bytes()) { // NOLINT: as many rows
            const int row = rows_[size_of(y)];
            if (row < 0) {
                std::copy(beyond_.begin(), beyond_.end(), to);
                continue;
            }
            const std::byte* from = held.row(row);
            for (const Run& run : runs_) {
                const std::byte* pixels = run.from < 0
                                              ? beyond_.data()
                                              : from + size_of(run.from) * pixel_; // NOLINT: within the row
                std::memcpy(to + size_of(run.to) * pixel_, pixels,
                            size_of(run.count) * pixel_); // NOLINT: likewise
            }
        }
    }

    void turn(const HeldRows& held, int begin, int end, std::byte* to) const {
        for (int x = 0; x < result_.width; ++x) {
            const std::byte* from = rows_[size_of(x)] < 0 ? nullptr : held.row(rows_[size_of(x)]);
            for (int y = begin; y < end; ++y) {
                const int column = columns_[size_of(y)];
                std::memcpy(to + size_of(y - begin) * result_.row_bytes() +
                                size_of(x) * pixel_, // NOLINT: within the rows
                            from == nullptr || column < 0 ? beyond_.data() : from + size_of(column) * pixel_,
                            pixel_);
            }
        }
    }

    bool exchanged_;
    Form result_;
    std::size_t pixel_;
    std::vector<int> columns_;
    std::vector<int> rows_;
    std::vector<Run> runs_;
    std::vector<std::byte> beyond_; ///< a row of the border's constant
};

} // namespace

bool holds_picture(const Move& move, const Form& form, const Form& result) {
    return !MovedRows(move, form, result).moves_in_order();
}

void move_rows(const Move& move, const Form& result, RowReader& source, RowWriter& to) {
    HeldRows held(source);
    MovedRows(move, source.form(), result).run(held, to);
}

} // namespace glproc
